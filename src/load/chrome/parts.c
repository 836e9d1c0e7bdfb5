/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is kept of traces besides events: the call stack of each node, and allocations. There is one of it for all files of a
 * profile.
 */
#include <stdlib.h>

#include "load/chrome/chrome.h"

/* What an allocator held in a step before its first record there. */
struct before {
	tfp_str allocator;
	uint32_t step;
	int64_t time, bytes;
};

struct befores {
	TFP_ARRAY(struct before) list;
	struct tfp_idmap places;
};

/* Of the records of one step and allocator the earliest says it. */
static void note_before(struct befores *befores, const struct tfp_alloc *alloc, int64_t allocated)
{
	uint64_t key = (uint64_t)alloc->step << 32 | alloc->allocator;
	uint32_t next = (uint32_t)befores->list.count;
	uint32_t place = tfp_idmap_add(&befores->places, key, next);
	struct before before = {.allocator = alloc->allocator,
				.step = alloc->step,
				.time = alloc->time,
				.bytes = tfp_wrap_add(allocated, -alloc->bytes)};

	if (place == next)
		*tfp_array_push(&befores->list) = before;
	else if (before.time < befores->list.at[place].time)
		befores->list.at[place] = before;
}

static void add_befores(struct tfp_profile *profile, const struct befores *befores, uint32_t node)
{
	for (size_t i = 0; i < befores->list.count; i++) {
		const struct before *before = &befores->list.at[i];

		if (before->bytes > 0)
			tfp_profile_add_alloc(profile, &(struct tfp_alloc){
							       .node = node,
							       .step = before->step,
							       .allocator = before->allocator,
							       .time = before->time,
							       .bytes = before->bytes,
						       });
	}
}

static void fill_allocs(struct tfp_profile *profile, const struct chrome_parts *parts)
{
	const struct tfp_trace *trace = profile->trace;
	struct befores befores = {0};

	for (size_t i = 0; i < parts->memory.count; i++) {
		const struct kept_memory *memory = &parts->memory.at[i];
		struct tfp_alloc alloc = {
			.node = memory->node,
			.step = tfp_trace_step_of(profile, memory->event),
			.allocator = memory->allocator,
			.time = trace->start[memory->event] / 1000,
			.bytes = memory->bytes,
		};

		if (alloc.step == TFP_NONE)
			continue;
		/* What another step took is held from before in this one. */
		if (memory->taken != TFP_NONE &&
		    tfp_trace_step_of(profile, memory->taken) != alloc.step)
			alloc.node = parts->before;
		tfp_profile_add_alloc(profile, &alloc);
		note_before(&befores, &alloc, memory->allocated);
		/* What is reserved is what the allocator holds, of which a part is allocated. */
		tfp_profile_add_in_use(profile, alloc.step, alloc.allocator,
				       memory->reserved > memory->allocated ? memory->reserved
									    : memory->allocated);
	}
	add_befores(profile, &befores, parts->before);
	tfp_array_free(&befores.list);
	tfp_idmap_free(&befores.places);
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	const struct chrome_parts *mine = data;

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

	tfp_array_free(&mine->stack);
	tfp_array_free(&mine->flops);
	tfp_array_free(&mine->owned);
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
	size_t at;

	for (node = tfp_lookup_first(table, hash, &at); node != TFP_NONE;
	     node = tfp_lookup_next(table, hash, &at)) {
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
