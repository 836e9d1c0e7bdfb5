/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What RunMetadata says about memory over time: the allocations and releases of each record, and
 * how much its allocators held when it ended.
 */
#include "load/tensorflow/runmeta.h"

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

struct tfp_run_allocator tfp_run_allocator_read(const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_run_allocator allocator = {.name = {"", 0}};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, MEMORY_ALLOCATOR))
			allocator.name = tfp_field_span(&field);
		else if (tfp_field_is_int(&field, MEMORY_IN_USE))
			allocator.in_use = (int64_t)field.value;
	}
	allocator.gpu = tfp_span_holds(allocator.name, "GPU");
	return allocator;
}

/* One AllocatorMemoryUsed. */
static void add_memory(struct tfp_profile *profile, const struct tfp_field *memory,
		       struct tfp_holding *holding)
{
	struct tfp_run_allocator allocator = tfp_run_allocator_read(memory);
	struct tfp_alloc alloc = {.node = holding->node, .step = holding->step};
	struct tfp_wire wire = tfp_wire_in(memory);
	struct tfp_field field;

	alloc.allocator = tfp_strings_add(profile->strings, allocator.name.at, allocator.name.size);
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, MEMORY_RECORD))
			add_record(profile, &field, alloc);
	tfp_profile_add_in_use(profile, &(struct tfp_in_use){.step = holding->step,
							     .allocator = alloc.allocator,
							     .bytes = allocator.in_use});
	if (allocator.gpu && allocator.in_use > holding->in_use)
		holding->in_use = allocator.in_use;
}

void tfp_run_allocs_add(struct tfp_profile *profile, const struct tfp_run_record *record,
			uint32_t node, uint32_t step)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)record->raw.at, record->raw.size);
	struct tfp_holding holding = {
		.node = node,
		.step = step,
		.time = tfp_wrap_add(record->start, record->op_end),
		.persistent = record->persistent,
	};
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, EXEC_MEMORY))
			add_memory(profile, &field, &holding);
	tfp_profile_add_holding(profile, &holding);
}
