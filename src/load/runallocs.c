/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What RunMetadata says about memory over time: the allocations and releases of each record, and
 * how much its allocators held when it ended.
 */
#include "load/runmeta.h"

static void add_record(struct tfp_profile *profile, const struct tfp_field *message,
		       struct tfp_alloc alloc)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, ALLOC_MICROS))
			alloc.time = (int64_t)field.value;
		else if (tfp_field_is_int(&field, ALLOC_BYTES))
			alloc.bytes = (int64_t)field.value;
	}
	tfp_profile_add_alloc(profile, &alloc);
}

void tfp_run_alloc_add(struct tfp_profile *profile, const struct tfp_field *record, uint32_t node,
		       uint32_t step)
{
	add_record(profile, record, (struct tfp_alloc){.node = node, .step = step});
}

/* One AllocatorMemoryUsed. */
static void add_memory(struct tfp_profile *profile, const struct tfp_field *memory, uint32_t node,
		       uint32_t step)
{
	struct tfp_alloc alloc = {.node = node, .step = step};
	struct tfp_wire wire = tfp_wire_in(memory);
	struct tfp_field field;
	int64_t in_use = 0;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, MEMORY_ALLOCATOR))
			alloc.allocator = tfp_strings_add(profile->strings,
							  (const char *)field.data, field.size);
		else if (tfp_field_is_int(&field, MEMORY_IN_USE))
			in_use = (int64_t)field.value;
	}
	wire = tfp_wire_in(memory);
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, MEMORY_RECORD))
			add_record(profile, &field, alloc);
	tfp_profile_add_in_use(profile, step, alloc.allocator, in_use);
}

void tfp_run_allocs_add(struct tfp_profile *profile, const struct tfp_run_record *record,
			uint32_t node, uint32_t step)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)record->raw.at, record->raw.size);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, EXEC_MEMORY))
			add_memory(profile, &field, node, step);
}
