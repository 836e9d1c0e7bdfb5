/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of memory: what was taken and given back, when, by the op around it on its thread, and the most that was held by
 * the account of the allocator itself.
 */
#include <stdlib.h>

#include "load/chrome/chrome.h"

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

/* The node that EVENT counts for by the time: of the innermost op around it, else its own. */
static uint32_t node_around(const struct chrome *chrome, uint32_t event, const uint32_t *lanes)
{
	const struct tfp_trace *trace = chrome->trace;
	uint32_t lane = lanes[tfp_trace_lane(trace, event)], op = TFP_NONE;

	if (lane != TFP_NONE)
		op = chrome_around(trace, &trace->lanes.at[lane], tfp_trace_start(trace, event));
	return tfp_trace_node(trace, op == TFP_NONE ? event : op);
}

static void keep_all(struct chrome *chrome, struct chrome_parts *parts)
{
	uint32_t *lanes = op_lanes(chrome);

	for (size_t i = 0; i < chrome->memory.count; i++) {
		const struct memory_event *memory = &chrome->memory.at[i];

		*tfp_array_push(&parts->memory) = (struct kept_memory){
			.event = memory->event,
			.node = node_around(chrome, memory->event, lanes),
			.taken = TFP_NONE,
			.file = chrome->file,
			.allocator = allocator_of(chrome, memory),
			.bytes = memory->bytes,
			.allocated = memory->allocated,
			.reserved = memory->reserved,
		};
	}
	tfp_array_release(lanes);
}

/* ---- by address ---------------------------------------------------------------------------------- */

/* What happened to an address, and when. */
struct use {
	uint64_t address;
	int64_t time;
	uint32_t place; /* in the file's records of memory */
};

static int compare_uses(const void *left, const void *right)
{
	const struct use *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static void take_over(struct kept_memory *given, const struct kept_memory *taken)
{
	given->node = taken->node;
	given->taken = taken->event;
}

/* Gives back what was taken to whoever took it: KEPT are the file's records; what was taken earlier is that of BEFORE. */
static void give_back(const struct chrome *chrome, struct kept_memory *kept, uint32_t before)
{
	TFP_ARRAY(struct use) uses = {0};

	for (size_t i = 0; i < chrome->memory.count; i++)
		if (chrome->memory.at[i].address)
			*tfp_array_push(&uses) = (struct use){
				chrome->memory.at[i].address,
				tfp_trace_start(chrome->trace, kept[i].event), (uint32_t)i};
	if (uses.count)
		qsort(uses.at, uses.count, sizeof(*uses.at), compare_uses);
	for (size_t i = 0; i < uses.count; i++) {
		const struct use *use = &uses.at[i], *taken = i ? use - 1 : NULL;

		if (kept[use->place].bytes >= 0)
			continue;
		if (taken && taken->address == use->address && kept[taken->place].bytes > 0 &&
		    kept[taken->place].allocator == kept[use->place].allocator)
			take_over(&kept[use->place], &kept[taken->place]);
		else
			kept[use->place].node = before;
	}
	tfp_array_free(&uses);
}

void chrome_keep_memory(struct chrome *chrome, struct chrome_parts *parts)
{
	struct chrome_node before = {.stack = TFP_NONE};
	size_t first = parts->memory.count;

	if (!chrome->memory.count)
		return;
	before.name = before.op =
		tfp_strings_add_text(chrome->profile->strings, "held from before");
	if (parts->before == TFP_NONE)
		parts->before = chrome_node(chrome->profile, parts, chrome->node_table, &before);
	chrome->profile->nodes.flags[parts->before] |= TFP_NODE_HELD;
	keep_all(chrome, parts);
	give_back(chrome, parts->memory.at + first, parts->before);
	chrome->profile->has_allocs = true;
}
