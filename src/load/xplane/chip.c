/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on chips that are no GPUs. A line says when each of them runs and by which run id it was
 * launched; the ops on the other lines say neither.
 */
#include "load/xplane/reader.h"

void tfp_xchip_note_lane(struct tfp_xreader *reader, uint32_t lane)
{
	size_t count = reader->module_lanes.count;

	if (!count || reader->module_lanes.at[count - 1] != lane)
		*tfp_array_push(&reader->module_lanes) = lane;
}

void tfp_xchip_note_program(struct tfp_xreader *reader, struct tfp_xslot *slot)
{
	static const struct tfp_xvalues none;
	uint32_t next = (uint32_t)reader->program_names.count;

	if (!slot->in_program)
		slot->in_program = tfp_xprogram_of(&none, slot->label, &slot->program);
	if (slot->in_program &&
	    tfp_idmap_add(&reader->program_name_ids, slot->program, next) == next)
		*tfp_array_push(&reader->program_names) = slot->label;
}

struct tfp_span tfp_xchip_program(const struct tfp_xreader *reader, const struct tfp_xslot *slot)
{
	uint32_t place = slot->in_program ? tfp_idmap_get(&reader->program_name_ids, slot->program)
					  : TFP_NONE;

	return place == TFP_NONE ? TFP_SPAN("") : reader->program_names.at[place];
}

/* Events of LANE without a launch get that of the event of MODULES that they run in. */
static void launch_lane(struct tfp_trace *trace, const struct tfp_lane *lane,
			const struct tfp_lane *modules)
{
	uint32_t at = modules->first, end = modules->first + modules->count;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		while (at + 1 < end && tfp_trace_start(trace, at + 1) <= tfp_trace_start(trace, i))
			at++;
		if (tfp_trace_link(trace, i) == TFP_NONE && at < end &&
		    tfp_trace_start(trace, at) <= tfp_trace_start(trace, i) &&
		    tfp_trace_start(trace, i) < tfp_trace_end(trace, at))
			tfp_trace_set_link(trace, i, tfp_trace_link(trace, at));
	}
}

void tfp_xchip_launches(struct tfp_xreader *reader)
{
	struct tfp_trace *trace = reader->trace;

	for (size_t i = 0; i < reader->module_lanes.count; i++) {
		const struct tfp_lane *modules = &trace->lanes.at[reader->module_lanes.at[i]];

		for (size_t k = reader->first_lane; k < trace->lanes.count; k++)
			if (trace->lanes.at[k].device == modules->device &&
			    trace->lanes.at[k].kind == TFP_LANE_DEVICE)
				launch_lane(trace, &trace->lanes.at[k], modules);
	}
}
