/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a record of RunMetadata says about memory, kept whole: as a saved profile keeps it.
 */
#include "load/tensorflow/runmeta.h"

static void add_output(struct tfp_profile *profile, const struct tfp_field *message)
{
	struct tfp_run_output output = tfp_run_output_read(message);

	if (output.known)
		*tfp_array_push(&profile->memory_outputs) = (struct tfp_memory_output){
			.slot = output.slot,
			.bytes = output.bytes,
			.address = output.address,
		};
}

static void read_in_use(const struct tfp_field *message, struct tfp_memory *memory)
{
	struct tfp_run_allocator allocator = tfp_run_allocator_read(message);

	if (allocator.gpu && allocator.in_use > memory->in_use)
		memory->in_use = allocator.in_use;
}

void tfp_run_memory_add(struct tfp_profile *profile, const struct tfp_run_record *record,
			const struct tfp_run_device *device, uint32_t node, uint32_t step)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)record->raw.at, record->raw.size);
	struct tfp_memory memory = {
		.node = node,
		.step = step,
		.time = tfp_wrap_add(record->start, record->op_end),
		.bytes = record->bytes,
		.peak_bytes = record->peak_bytes,
		.residual_bytes = record->residual_bytes,
		.output_bytes = record->output_bytes,
		.output_first = (uint32_t)profile->memory_outputs.count,
	};
	struct tfp_field field;

	*(device->cpu ? &memory.host_temp : &memory.accelerator_temp) = record->temp;
	*(device->cpu ? &memory.host_persistent : &memory.accelerator_persistent) =
		record->persistent;
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, EXEC_OUTPUT))
			add_output(profile, &field);
		else if (tfp_field_is(&field, EXEC_MEMORY))
			read_in_use(&field, &memory);
	memory.output_count = (uint32_t)profile->memory_outputs.count - memory.output_first;
	*tfp_array_push(&profile->memories) = memory;
}
