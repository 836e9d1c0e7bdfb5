/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of traces besides events: the call stack of each node, and allocations. There is one of it for all files of a
 * profile.
 */
#include <stdlib.h>

#include "load/chrome/chrome.h"
#include "load/carried.h"

/* By file, then by time, then as they lie there. */
static int compare_memory(const void *left, const void *right, void *data)
{
	const struct kept_memory *a = left, *b = right;
	const struct tfp_trace *trace = data;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (tfp_trace_start(trace, a->event) != tfp_trace_start(trace, b->event))
		return tfp_trace_start(trace, a->event) < tfp_trace_start(trace, b->event) ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

/* Where the searches for steps stand: records come by time. */
struct step_search {
	uint32_t outside; /* the step of what is in none */
	size_t event, taken;
};

static uint32_t step_of(const struct tfp_trace *trace, const struct step_search *search,
			uint32_t event, size_t *hint)
{
	uint32_t step = tfp_trace_event_step(trace, event, hint);

	return step == TFP_NONE ? search->outside : step;
}

static struct tfp_alloc alloc_of(const struct tfp_profile *profile,
				 const struct chrome_parts *parts, const struct kept_memory *memory,
				 struct step_search *search)
{
	const struct tfp_trace *trace = profile->trace;
	struct tfp_alloc alloc = {
		.node = memory->node,
		.step = step_of(trace, search, memory->event, &search->event),
		.allocator = memory->allocator,
		.time = tfp_trace_start(trace, memory->event),
		.bytes = memory->bytes,
		.file = memory->file,
	};

	/* What another step took is held from before in this one. */
	if (memory->taken != TFP_NONE &&
	    step_of(trace, search, memory->taken, &search->taken) != alloc.step)
		alloc.node = parts->before;
	return alloc;
}

/* What is reserved is what the allocator has, of which a part is allocated. LAST is what was added last. */
static void add_reserved(struct tfp_profile *profile, const struct kept_memory *memory,
			 uint32_t step, struct tfp_in_use *last)
{
	struct tfp_in_use in_use = {
		.step = step,
		.allocator = memory->allocator,
		.bytes =
			memory->reserved > memory->allocated ? memory->reserved : memory->allocated,
		.file = memory->file,
	};

	if (in_use.bytes <= last->bytes && step == last->step &&
	    in_use.allocator == last->allocator && in_use.file == last->file)
		return;
	tfp_profile_add_in_use(profile, &in_use);
	*last = in_use;
}

static void fill_allocs(struct tfp_profile *profile, struct chrome_parts *parts)
{
	struct tfp_counting counting = {.profile = profile, .before = parts->before};
	struct tfp_carrying carrying = {.counting = &counting};
	struct step_search search = {.outside = tfp_step_outside(profile)};
	struct tfp_in_use last = {.step = TFP_NONE};
	size_t count = parts->memory.count;

	tfp_sort_nearly(parts->memory.at, count, sizeof(*parts->memory.at), compare_memory,
			profile->trace);
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < count; i++) {
			const struct kept_memory *memory = &parts->memory.at[i];
			struct tfp_alloc alloc = alloc_of(profile, parts, memory, &search);

			if (pass == 2) {
				tfp_carrying_pass(&carrying, &alloc, memory->allocated,
						  memory->node != parts->before);
			} else if (pass == 1) {
				tfp_counting_add(&counting, &alloc, memory->allocated,
						 memory->node != parts->before);
			} else if (alloc.step != TFP_NONE) {
				tfp_counting_tell(&counting, &alloc, memory->allocated);
				add_reserved(profile, memory, alloc.step, &last);
			}
		}
	tfp_carrying_end(&carrying);
	tfp_counting_end(&counting);
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	struct chrome_parts *mine = data;

	(void)job;
	(void)diag;
	for (size_t i = 0; parts & TFP_PART_STACKS && i < mine->stack.count; i++)
		profile->nodes.stack[i] = mine->stack.at[i];
	if (parts & TFP_PART_ALLOCS)
		fill_allocs(profile, mine);
	return true;
}

static void release(void *data)
{
	struct chrome_parts *mine = data;

	tfp_array_free(&mine->turns);
	tfp_array_free(&mine->stack);
	tfp_array_free(&mine->flops);
	tfp_array_free(&mine->owned);
	tfp_array_free(&mine->weighed);
	tfp_array_free(&mine->memory);
	tfp_array_free(&mine->texts);
	tfp_arena_free(&mine->kept);
	free(mine);
}

struct chrome_parts *chrome_parts_of(struct tfp_profile *profile)
{
	struct chrome_parts *parts;

	for (size_t i = 0; i < profile->providers.count; i++)
		if (profile->providers.at[i].fill == fill)
			return profile->providers.at[i].data;
	parts = tfp_alloc_zero(1, sizeof(*parts));
	parts->before = TFP_NONE;
	tfp_profile_add_provider(profile, &(struct tfp_provider){
						  .parts = TFP_PART_STACKS | TFP_PART_ALLOCS,
						  .describe = chrome_describe,
						  .fill = fill,
						  .measure = chrome_total,
						  .release = release,
						  .data = parts,
					  });
	return parts;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static uint32_t hash_of(const struct tfp_profile *profile, const struct chrome_node *node)
{
	return (uint32_t)tfp_hash_bytes(profile->hash_key, (const char *)node, sizeof(*node));
}

static uint32_t stack_of(const struct chrome_parts *parts, uint32_t node)
{
	return node < parts->stack.count ? parts->stack.at[node] : TFP_NONE;
}

static struct chrome_node node_at(const struct tfp_profile *profile,
				  const struct chrome_parts *parts, uint32_t node)
{
	return (struct chrome_node){
		.name = profile->nodes.name[node],
		.op = profile->nodes.op[node],
		.signature = profile->nodes.signature ? profile->nodes.signature[node] : 0,
		.stack = stack_of(parts, node),
		.flops = node < parts->flops.count ? parts->flops.at[node] : 0,
	};
}

void chrome_index_nodes(const struct tfp_profile *profile, const struct chrome_parts *parts,
			struct tfp_lookup *table)
{
	for (uint32_t i = 0; i < profile->nodes.count; i++) {
		struct chrome_node node = node_at(profile, parts, i);

		tfp_lookup_add(table, hash_of(profile, &node), i);
	}
}

static uint32_t add_node(struct tfp_profile *profile, struct chrome_parts *parts,
			 const struct chrome_node *wanted)
{
	uint32_t node = tfp_profile_add_node(profile, wanted->name, wanted->op);

	if (wanted->signature)
		tfp_profile_set_signature(profile, node, wanted->signature);
	while (parts->stack.count < profile->nodes.count)
		*tfp_array_push(&parts->stack) = TFP_NONE;
	parts->stack.at[node] = wanted->stack;
	while (parts->flops.count < profile->nodes.count)
		*tfp_array_push(&parts->flops) = 0;
	parts->flops.at[node] = profile->nodes.float_ops[node] = wanted->flops;
	profile->has_stacks = profile->has_stacks || wanted->stack != TFP_NONE;
	return node;
}

uint32_t chrome_node(struct tfp_profile *profile, struct chrome_parts *parts,
		     struct tfp_lookup *table, const struct chrome_node *wanted)
{
	uint32_t hash = hash_of(profile, wanted), node;

	TFP_LOOKUP_EACH(node, table, hash) {
		struct chrome_node there = node_at(profile, parts, node);

		if (there.name == wanted->name && there.op == wanted->op &&
		    there.signature == wanted->signature && there.stack == wanted->stack &&
		    there.flops == wanted->flops)
			return node;
	}
	node = add_node(profile, parts, wanted);
	tfp_lookup_add(table, hash, node);
	return node;
}
