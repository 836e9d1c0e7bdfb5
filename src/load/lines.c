/* SPDX-License-Identifier: Apache-2.0 */
/* The names of lines of devices: see lines.h. */
#include "load/lines.h"

#include <string.h>

static const struct {
	const char *name;
	enum tfp_line line;
} lines[] = {
	{"Steps", TFP_LINE_STEPS},
	{"Sparse Core Steps", TFP_LINE_STEPS},
	{"XLA Modules", TFP_LINE_MODULES},
	{"Sparse Core Modules", TFP_LINE_MODULES},
	{"XLA Ops", TFP_LINE_OPS},
	{"Sparse Core Ops", TFP_LINE_OPS},
	{"XLA TraceMe", TFP_LINE_REPEAT},
	{"Async XLA Ops", TFP_LINE_REPEAT},
	{"Framework Ops", TFP_LINE_REPEAT},
	{"Framework Name Scope", TFP_LINE_REPEAT},
	{"TensorFlow Ops", TFP_LINE_REPEAT},
	{"Source code", TFP_LINE_REPEAT},
	{"TensorFlow Name Scope", TFP_LINE_REPEAT},
	{"Launch Stats", TFP_LINE_REPEAT},
	{"Host Offload Ops", TFP_LINE_REPEAT},
	{"Sparse Core Syncs", TFP_LINE_REPEAT},
	{"Tensor Core Sync Flag", TFP_LINE_REPEAT},
	{"Command Buffers", TFP_LINE_REPEAT},
	{"_counters_", TFP_LINE_REPEAT},
};

struct tfp_span tfp_line_without_stream(struct tfp_span name)
{
	const char *from = name.size ? memmem(name.at, name.size, " - from #", 9) : NULL;

	return from ? (struct tfp_span){name.at, (size_t)(from - name.at)} : name;
}

enum tfp_line tfp_line_of(struct tfp_span name)
{
	name = tfp_line_without_stream(name);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (tfp_span_is(name, lines[i].name))
			return lines[i].line;
	return TFP_LINE_WORK;
}
