/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths. The work is done once for each distinct stack, not for each node: stacks that begin
 * alike share their beginning in the model, and a stack that was seen is looked up by its number.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "view/group/gradient.h"
#include "view/group/paths.h"

#define POLL 4096 /* nodes between looks at the cancel flag */

static uint32_t *none_column(size_t count)
{
	return memset(tfp_realloc_array(NULL, count, sizeof(uint32_t)), 0xff,
		      count * sizeof(uint32_t));
}

static uint32_t add_path(struct tfp_paths *paths, uint32_t parent, uint32_t place, uint32_t stack)
{
	uint32_t path = (uint32_t)paths->paths.count;
	struct tfp_path *above;

	*tfp_array_push(&paths->paths) = (struct tfp_path){
		.parent = parent,
		.place = place,
		.stack = stack,
		.first = TFP_NONE,
		.last = TFP_NONE,
		.next = TFP_NONE,
	};
	if (parent == TFP_NONE)
		return path;
	above = &paths->paths.at[parent];
	if (above->first == TFP_NONE)
		above->first = path;
	else
		paths->paths.at[above->last].next = path;
	above->last = path;
	return path;
}

void tfp_paths_start(struct tfp_paths *paths, struct tfp_profile *profile, enum tfp_place place,
		     const struct tfp_query *query, bool own_only)
{
	*paths = (struct tfp_paths){.own_only = own_only, .table = tfp_lookup_new()};
	tfp_frames_start(&paths->frames, profile, place, query->library_paths);
	for (int i = 0; i < 2; i++)
		paths->of_stack[i] = none_column(profile->stacks.count);
	add_path(paths, TFP_NONE, 0, TFP_NONE);
}

/* Lets go of what paths are found again by. */
static void forget(struct tfp_paths *paths)
{
	tfp_array_free(&paths->waiting);
	tfp_lookup_free(paths->table);
	paths->table = NULL;
	for (int i = 0; i < 2; i++) {
		free(paths->of_stack[i]);
		paths->of_stack[i] = NULL;
	}
}

void tfp_paths_free(struct tfp_paths *paths)
{
	forget(paths);
	tfp_frames_end(&paths->frames);
	tfp_array_free(&paths->paths);
	free(paths->of_node);
}

static uint32_t frame_of(const struct tfp_paths *paths, uint32_t stack)
{
	return paths->frames.profile->stacks.at[stack].frame;
}

/* The path of PLACE below PARENT that another stack made, or a new one. */
static uint32_t find_path(struct tfp_paths *paths, uint32_t parent, uint32_t place, uint32_t stack)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)parent << 32 | place), path;

	TFP_LOOKUP_EACH(path, paths->table, hash)
		if (paths->paths.at[path].parent == parent && paths->paths.at[path].place == place)
			return path;
	path = add_path(paths, parent, place, stack);
	paths->paths.at[path].in_table = true;
	tfp_lookup_add(paths->table, hash, path);
	return path;
}

/*
 * Most frames are alone in their place. Where that is so all the way up, no other stack leads to
 * the same path, and there is nothing to look up.
 */
static uint32_t path_below(struct tfp_paths *paths, uint32_t parent, uint32_t stack, bool gradient)
{
	uint32_t place = tfp_frames_place(&paths->frames, frame_of(paths, stack), gradient);

	if (paths->own_only || paths->paths.at[parent].in_table || paths->frames.shared.at[place])
		return find_path(paths, parent, place, stack);
	return add_path(paths, parent, place, stack);
}

uint32_t tfp_paths_add(struct tfp_paths *paths, uint32_t stack, bool gradient)
{
	uint32_t *known = paths->of_stack[gradient], path = 0, at = stack;

	paths->waiting.count = 0;
	for (; at != TFP_NONE && known[at] == TFP_NONE;
	     at = paths->frames.profile->stacks.at[at].parent)
		*tfp_array_push(&paths->waiting) = at;
	if (at != TFP_NONE)
		path = known[at];
	while (paths->waiting.count) {
		at = paths->waiting.at[--paths->waiting.count];
		if (!paths->own_only || !tfp_frames_library(&paths->frames, frame_of(paths, at)))
			path = path_below(paths, path, at, gradient);
		known[at] = path;
	}
	return path ? path : path_below(paths, 0, stack, gradient);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* What is at hand while nodes get their paths. */
struct maker {
	struct tfp_paths *paths;
	const struct tfp_profile *profile;
	uint32_t *forward; /* by node: the op that it is a gradient of, or one of these */
	/* gradients of a node, newest first */
	uint32_t *newest, *older;
};

#define NO_GRADIENT TFP_NONE
#define LOST        (TFP_NONE - 1) /* a gradient whose forward op has no stack */

static bool is_traced(const struct maker *maker, uint32_t node)
{
	return maker->profile->nodes.stack[node] != TFP_NONE;
}

static void place_node(struct maker *maker, uint32_t node)
{
	maker->paths->of_node[node] =
		tfp_paths_add(maker->paths, maker->profile->nodes.stack[node], false);
}

/* By index, in which order names lie in memory. False when cancelled. */
static bool find_forward(struct maker *maker, const struct tfp_build *build)
{
	uint32_t count = maker->profile->nodes.count, lost = 0;

	maker->forward = none_column(count);
	for (uint32_t node = 0; node < count; node++) {
		bool gradient = false;
		uint32_t forward = TFP_NONE;

		if (node % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		if (is_traced(maker, node))
			forward = tfp_gradient_node(maker->profile, node, &gradient);
		if (!gradient)
			continue;
		if (forward == TFP_NONE || !is_traced(maker, forward))
			forward = LOST;
		maker->forward[node] = forward;
		lost += forward == LOST;
	}
	if (lost)
		tfp_diag_note(build->diag,
			      "%u gradient ops are left out: their forward op has no call stack",
			      lost);
	return true;
}

/* Gives a node its path, but hangs a gradient below its forward op. */
static void place_forward(struct maker *maker, uint32_t node)
{
	uint32_t forward = maker->forward[node];

	if (forward == NO_GRADIENT) {
		if (is_traced(maker, node))
			place_node(maker, node);
	} else if (forward != LOST) {
		maker->older[node] = maker->newest[forward];
		maker->newest[forward] = node;
	}
}

/* Gives the gradients of NODE their path. */
static void place_gradients(struct maker *maker, uint32_t node, bool apart)
{
	uint32_t gradient = maker->newest[node], path;

	if (gradient == TFP_NONE)
		return;
	path = tfp_paths_add(maker->paths, maker->profile->nodes.stack[node], apart);
	for (; gradient != TFP_NONE; gradient = maker->older[gradient])
		maker->paths->of_node[gradient] = path;
}

static bool place_tensorflow(struct maker *maker, const struct tfp_build *build)
{
	const uint32_t *order = tfp_engine_name_order(build->engine, build->job);
	uint32_t count = maker->profile->nodes.count;

	if (!order || !find_forward(maker, build))
		return false;
	maker->newest = none_column(count);
	maker->older = none_column(count);
	for (uint32_t i = 0; i < count; i++) {
		if (i % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		place_forward(maker, order[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		place_gradients(maker, order[i], !build->query->merge_gradients);
	return true;
}

static bool place_others(struct maker *maker, const struct tfp_build *build)
{
	for (uint32_t node = 0; node < maker->profile->nodes.count; node++) {
		if (node % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		if (is_traced(maker, node))
			place_node(maker, node);
	}
	return true;
}

/* What is only drawn, as Python calls, has no time of its own. */
static bool is_drawn(const struct maker *maker, uint32_t node)
{
	const struct tfp_nodes *nodes = &maker->profile->nodes;

	return nodes->flags[node] & TFP_NODE_UNSCOPED && !nodes->op[node];
}

/* In a recording the time of what ran without a call stack is part of the whole. */
static void place_rest(struct maker *maker)
{
	struct tfp_paths *paths = maker->paths;
	uint32_t rest = TFP_NONE;

	for (uint32_t node = 0; maker->profile->trace && node < maker->profile->nodes.count;
	     node++) {
		if (paths->of_node[node] != TFP_NONE || is_drawn(maker, node))
			continue;
		if (rest == TFP_NONE)
			rest = add_path(paths, 0, 0, TFP_NONE);
		paths->of_node[node] = rest;
	}
}

bool tfp_paths_init(struct tfp_paths *paths, const struct tfp_build *build)
{
	struct tfp_profile *profile = build->profile;
	struct maker maker = {.paths = paths, .profile = profile};
	bool done;

	tfp_paths_start(paths, profile, profile->tensorflow ? TFP_PLACE_LABEL : TFP_PLACE_LINE,
			build->query, build->query->fold_library);
	tfp_frames_all(&paths->frames, profile->tensorflow && !build->query->merge_gradients);
	paths->of_node = none_column(profile->nodes.count);
	done = profile->tensorflow ? place_tensorflow(&maker, build) : place_others(&maker, build);
	place_rest(&maker);
	free(maker.forward);
	free(maker.newest);
	free(maker.older);
	forget(paths);
	if (!done)
		tfp_paths_free(paths);
	return done;
}
