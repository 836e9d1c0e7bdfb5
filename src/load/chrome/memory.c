/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of memory: what was taken and given back, when, by the op around it on its thread, and the most that was held by
 * the account of the allocator itself.
 */
#include "load/chrome/chrome.h"

/* The last event of LANE that begins at TIME or before, TFP_NONE. */
static uint32_t last_begun(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time)
{
	uint32_t low = lane->first, high = lane->first + lane->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace->start[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low > lane->first ? low - 1 : TFP_NONE;
}

/* The innermost event of LANE that goes on at TIME, its end included. */
static uint32_t around(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time)
{
	uint32_t event = last_begun(trace, lane, time);

	while (event != TFP_NONE && tfp_trace_end(trace, event) < time)
		event = trace->link[event];
	return event;
}

static tfp_str allocator_of(struct chrome *chrome, const struct memory_event *memory)
{
	char name[64];

	if (memory->type <= 0)
		return tfp_strings_add_text(chrome->profile->strings, "CPU");
	snprintf(name, sizeof(name), "GPU %d", memory->id);
	return tfp_strings_add_text(chrome->profile->strings, name);
}

/* By lane: that of the ops of the same thread, TFP_NONE. */
static uint32_t *op_lanes(const struct chrome *chrome)
{
	uint32_t *lanes = tfp_realloc_array(NULL, chrome->trace->lanes.count, sizeof(*lanes));

	for (size_t i = 0; i < chrome->trace->lanes.count; i++)
		lanes[i] = TFP_NONE;
	for (size_t i = 0; i < chrome->tracks.count; i++)
		if (chrome->tracks.at[i].kind == KIND_INSTANT)
			lanes[chrome->tracks.at[i].lane] = chrome_op_lane(chrome, (uint32_t)i);
	return lanes;
}

void chrome_keep_memory(struct chrome *chrome, struct chrome_parts *parts)
{
	const struct tfp_trace *trace = chrome->trace;
	uint32_t *lanes = op_lanes(chrome);
	struct chrome_node before = {.stack = TFP_NONE};

	before.name = tfp_strings_add_text(chrome->profile->strings, "held from before");
	for (size_t i = 0; i < chrome->memory.count; i++) {
		const struct memory_event *memory = &chrome->memory.at[i];
		uint32_t event = memory->event, lane = lanes[trace->lane[event]];
		uint32_t owner = TFP_NONE;

		if (lane != TFP_NONE)
			owner = around(trace, &trace->lanes.at[lane], trace->start[event]);
		*tfp_array_push(&parts->memory) = (struct kept_memory){
			.event = event,
			.owner = owner == TFP_NONE ? event : owner,
			.allocator = allocator_of(chrome, memory),
			.bytes = memory->bytes,
			.allocated = memory->allocated,
			.reserved = memory->reserved,
		};
	}
	if (chrome->memory.count && parts->before == TFP_NONE)
		parts->before = chrome_node(chrome->profile, parts, chrome->node_table, &before);
	chrome->profile->has_allocs = chrome->profile->has_allocs || chrome->memory.count;
	tfp_array_release(lanes);
}
