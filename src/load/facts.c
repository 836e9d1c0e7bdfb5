/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of a file, added to a profile: see facts.h. */
#include "load/facts.h"

#include <stdarg.h>

uint32_t tfp_facts_add(struct tfp_facts *facts, uint32_t parent, struct tfp_span name,
		       const char *format, ...)
{
	struct tfp_profile *profile = facts->profile;
	char value[2 * TFP_FACT_MOST];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	*tfp_array_push(&profile->facts) = (struct tfp_fact){
		.parent = parent,
		.name = tfp_arena_printf(&profile->arena, "%.*s", TFP_FACT(name)),
		.value = tfp_arena_printf(&profile->arena, "%s", value),
	};
	return (uint32_t)profile->facts.count - 1;
}
