/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of memory: what was taken and given back, when, by the op around it on its thread, and the most that was held by
 * the account of the allocator itself.
 */
#include "load/chrome/chrome.h"

/* PyTorch's types of devices, by their numbers: it has one for GPUs of NVIDIA and one for those of AMD. */
static const char *const device_types[] = {
	"CPU",  "GPU",  "MKLDNN", "OpenGL", "OpenCL", "IDEEP", "GPU",
	"FPGA", "MAIA", "XLA",    "Vulkan", "Metal",  "XPU",   "MPS",
	"meta", "HPU",  "VE",     "Lazy",   "IPU",    "MTIA",  "PrivateUse1",
};

static tfp_str allocator_of(struct chrome *chrome, const struct memory_event *memory)
{
	char name[64];

	if (memory->type <= 0)
		return tfp_strings_add_text(chrome->profile->strings, device_types[0]);
	if ((size_t)memory->type < sizeof(device_types) / sizeof(*device_types))
		snprintf(name, sizeof(name), "%s %d", device_types[memory->type], memory->id);
	else
		snprintf(name, sizeof(name), "device type %d %d", memory->type, memory->id);
	return tfp_strings_add_text(chrome->profile->strings, name);
}

/* The lane of the ops of a thread, TFP_NONE, and what is around its last record of memory. */
struct op_lane {
	uint32_t lane, hint;
};

/* By lane. */
static struct op_lane *op_lanes(const struct chrome *chrome)
{
	struct op_lane *lanes = tfp_realloc_array(NULL, chrome->trace->lanes.count, sizeof(*lanes));

	for (size_t i = 0; i < chrome->trace->lanes.count; i++)
		lanes[i] = (struct op_lane){TFP_NONE, TFP_NONE};
	for (size_t i = 0; i < chrome->tracks.count; i++)
		if (chrome->tracks.at[i].kind == KIND_INSTANT)
			lanes[chrome->tracks.at[i].lane].lane = chrome_op_lane(chrome, (uint32_t)i);
	return lanes;
}

/* The node that EVENT counts for by the time: of the innermost op around it, else its own. */
static uint32_t node_around(const struct chrome *chrome, uint32_t event, struct op_lane *lanes)
{
	const struct tfp_trace *trace = chrome->trace;
	struct op_lane *of = &lanes[tfp_trace_lane(trace, event)];
	uint32_t op = TFP_NONE;

	if (of->lane != TFP_NONE)
		op = chrome_around(trace, &trace->lanes.at[of->lane], tfp_trace_start(trace, event),
				   &of->hint);
	return tfp_trace_node(trace, op == TFP_NONE ? event : op);
}

static void keep_all(struct chrome *chrome, struct chrome_parts *parts)
{
	struct op_lane *lanes = op_lanes(chrome);
	tfp_str allocator = 0;

	for (size_t i = 0; i < chrome->memory.count; i++) {
		const struct memory_event *memory = &chrome->memory.at[i], *last = memory - !!i;

		if (!i || memory->type != last->type || memory->id != last->id)
			allocator = allocator_of(chrome, memory);
		*tfp_array_push(&parts->memory) = (struct kept_memory){
			.event = memory->event,
			.node = node_around(chrome, memory->event, lanes),
			.taken = TFP_NONE,
			.file = chrome->file,
			.allocator = allocator,
			.bytes = memory->bytes,
			.allocated = memory->allocated,
			.reserved = memory->reserved,
		};
	}
	tfp_array_release(lanes);
}

/* ---- by address ---------------------------------------------------------------------------------- */

/* When what happened to an address. */
struct use {
	int64_t time;
	uint32_t place; /* in the file's records of memory */
};

static int compare_uses(const void *left, const void *right, void *data)
{
	const struct use *a = left, *b = right;

	(void)data;
	return a->time < b->time ? -1 : a->time > b->time;
}

/* The record of what was done to each address of each device last. */
struct last_uses {
	struct tfp_idmap addresses; /* numbered */
	struct tfp_idmap places;    /* by allocator and number: index in records */
	uint32_t count;             /* of addresses */
	TFP_ARRAY(uint32_t) records;
};

/* That of ADDRESS on the device of ALLOCATOR, TFP_NONE: there is none yet. */
static uint32_t *last_use(struct last_uses *last, tfp_str allocator, uint64_t address)
{
	uint32_t number = tfp_idmap_add(&last->addresses, address, last->count);
	uint32_t next = (uint32_t)last->records.count;
	uint32_t place = tfp_idmap_add(&last->places, (uint64_t)allocator << 32 | number, next);

	last->count += number == last->count;
	if (place == next)
		*tfp_array_push(&last->records) = TFP_NONE;
	return &last->records.at[place];
}

static void take_over(struct kept_memory *given, const struct kept_memory *taken)
{
	given->node = taken->node;
	given->taken = taken->event;
}

/* The COUNT of USES are those of an address, in time. */
static struct use *list_uses(const struct chrome *chrome, const struct kept_memory *kept,
			     size_t *count)
{
	struct use *uses = tfp_realloc_array(NULL, chrome->memory.count, sizeof(*uses));

	*count = 0;
	for (size_t i = 0; i < chrome->memory.count; i++)
		if (chrome->memory.at[i].address)
			uses[(*count)++] = (struct use){
				tfp_trace_start(chrome->trace, kept[i].event), (uint32_t)i};
	tfp_sort_nearly(uses, *count, sizeof(*uses), compare_uses, NULL);
	return uses;
}

/* Gives back what was taken to whoever took it: KEPT are the file's records; what was taken earlier is that of BEFORE. */
static void give_back(const struct chrome *chrome, struct kept_memory *kept, uint32_t before)
{
	struct last_uses lasts = {0};
	size_t count;
	struct use *uses = list_uses(chrome, kept, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t place = uses[i].place;
		struct kept_memory *given = &kept[place];
		uint32_t *last =
			last_use(&lasts, given->allocator, chrome->memory.at[place].address);
		const struct kept_memory *taken = *last == TFP_NONE ? NULL : &kept[*last];

		*last = place;
		if (given->bytes >= 0)
			continue;
		if (taken && taken->bytes > 0)
			take_over(given, taken);
		else
			given->node = before;
	}
	tfp_array_release(uses);
	tfp_array_free(&lasts.records);
	tfp_idmap_free(&lasts.addresses);
	tfp_idmap_free(&lasts.places);
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
