/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HLO modules that a plane holds whole, and the programs that they are.
 */
#include <stdlib.h>

#include "load/xplane/space.h"

bool tfp_xprogram_of(const struct tfp_xvalues *values, struct tfp_span name, uint64_t *program)
{
	const char *open = NULL;
	char *end;

	if (tfp_xvalues_have(values, XSTAT_PROGRAM)) {
		*program = (uint64_t)tfp_xvalue_int(values, XSTAT_PROGRAM);
		return true;
	}
	for (size_t i = 0; i < name.size; i++)
		if (name.at[i] == '(')
			open = name.at + i + 1;
	if (!open || name.at[name.size - 1] != ')')
		return false;
	*program = strtoull(open, &end, 10); /* ends at the parenthesis, if not before */
	return end > open && *end == ')';
}

/* Of the module itself: used where the file does not say the program. */
static uint64_t id_of_proto(struct tfp_span proto)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)proto.at, proto.size), module;
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (!tfp_field_is(&field, 1))
			continue;
		module = tfp_wire_in(&field);
		while (tfp_wire_next(&module, &field))
			if (tfp_field_is_int(&field, 5))
				return field.value;
	}
	return 0;
}

void tfp_xspace_find_modules(struct tfp_xspace *space, const struct tfp_xplane *plane)
{
	for (size_t i = 0; i < plane->metadata.count; i++) {
		const struct tfp_xmetadata *metadata = &plane->metadata.at[i];
		struct tfp_xmodule module = {.name = metadata->label};
		struct tfp_xvalues values = {.seen = 0};

		tfp_xmetadata_values(plane, metadata, &values);
		module.proto = tfp_xvalue_text(plane, &values, XSTAT_HLO_PROTO);
		if (!module.proto.size)
			continue;
		if (!tfp_xprogram_of(&values, module.name, &module.program))
			module.program = id_of_proto(module.proto);
		*tfp_array_push(&space->modules) = module;
	}
}
