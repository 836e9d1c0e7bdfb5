/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths. The work is done once for each distinct stack, not for each node: stacks that begin alike
 * share their beginning in the model, and a stack that was seen is looked up by its number.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "view/gradient.h"
#include "view/paths.h"

#define POLL 4096 /* nodes between looks at the cancel flag */

/* What is at hand while paths are made. */
struct maker {
	struct tfp_paths *paths;
	const struct tfp_profile *profile;
	struct tfp_lookup *table;    /* from parent and place to path */
	uint32_t *of_stack[2];       /* by stack: its path; [1] as a gradient's */
	TFP_ARRAY(uint32_t) waiting; /* stacks whose callers have no path yet */
	/* gradients of a node, newest first, and how many have no traced forward op */
	uint32_t *newest, *older;
	uint32_t lost;
};

static uint32_t *none_column(size_t count)
{
	return memset(tfp_realloc_array(NULL, count, sizeof(uint32_t)), 0xff,
		      count * sizeof(uint32_t));
}

static uint32_t add_path(struct maker *maker, uint32_t parent, uint32_t place, uint32_t stack)
{
	struct tfp_paths *paths = maker->paths;
	uint32_t path = (uint32_t)paths->paths.count;
	struct tfp_path *above;

	*tfp_array_push(&paths->paths) =
		(struct tfp_path){parent, place, stack, TFP_NONE, TFP_NONE, TFP_NONE};
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

/* The path of a place below PARENT, made when it is new. */
static uint32_t path_below(struct maker *maker, uint32_t parent, uint32_t stack, bool gradient)
{
	uint32_t frame = maker->profile->stacks.at[stack].frame, path;
	uint32_t place = tfp_frames_place(&maker->paths->frames, frame, gradient);
	uint32_t hash = tfp_lookup_mix((uint64_t)parent << 32 | place);
	size_t at;

	for (path = tfp_lookup_first(maker->table, hash, &at); path != TFP_NONE;
	     path = tfp_lookup_next(maker->table, hash, &at))
		if (maker->paths->paths.at[path].parent == parent &&
		    maker->paths->paths.at[path].place == place)
			return path;
	path = add_path(maker, parent, place, stack);
	tfp_lookup_add(maker->table, hash, path);
	return path;
}

static uint32_t path_of_stack(struct maker *maker, uint32_t stack, bool gradient)
{
	uint32_t *known = maker->of_stack[gradient], path = 0;

	maker->waiting.count = 0;
	for (; stack != TFP_NONE && known[stack] == TFP_NONE;
	     stack = maker->profile->stacks.at[stack].parent)
		*tfp_array_push(&maker->waiting) = stack;
	if (stack != TFP_NONE)
		path = known[stack];
	while (maker->waiting.count) {
		stack = maker->waiting.at[--maker->waiting.count];
		path = known[stack] = path_below(maker, path, stack, gradient);
	}
	return path;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static void place_node(struct maker *maker, uint32_t node)
{
	uint32_t stack = maker->profile->nodes.stack[node];

	if (stack != TFP_NONE)
		maker->paths->of_node[node] = path_of_stack(maker, stack, false);
}

/* Hangs a gradient below its forward op; false if NODE is no gradient. */
static bool put_aside(struct maker *maker, uint32_t node)
{
	bool gradient;
	uint32_t forward = tfp_gradient_node(maker->profile, node, &gradient);

	if (!gradient)
		return false;
	if (forward == TFP_NONE || maker->profile->nodes.stack[forward] == TFP_NONE) {
		maker->lost++;
		return true;
	}
	maker->older[node] = maker->newest[forward];
	maker->newest[forward] = node;
	return true;
}

static bool place_tensorflow(struct maker *maker, const struct tfp_build *build)
{
	const uint32_t *order = tfp_engine_name_order(build->engine, build->job);
	uint32_t count = maker->profile->nodes.count;

	if (!order)
		return false;
	maker->newest = none_column(count);
	maker->older = none_column(count);
	for (uint32_t i = 0; i < count; i++) {
		if (i % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		if (!put_aside(maker, order[i]))
			place_node(maker, order[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = maker->newest[order[i]], path;

		if (node == TFP_NONE)
			continue;
		path = path_of_stack(maker, maker->profile->nodes.stack[order[i]], true);
		for (; node != TFP_NONE; node = maker->older[node])
			maker->paths->of_node[node] = path;
	}
	if (maker->lost)
		tfp_diag_note(build->diag,
			      "%u gradient ops are left out: their forward op has no call stack",
			      maker->lost);
	return true;
}

static bool place_others(struct maker *maker, const struct tfp_build *build)
{
	for (uint32_t node = 0; node < maker->profile->nodes.count; node++) {
		if (node % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		place_node(maker, node);
	}
	return true;
}

bool tfp_paths_init(struct tfp_paths *paths, const struct tfp_build *build)
{
	struct tfp_profile *profile = build->profile;
	struct maker maker = {.paths = paths, .profile = profile};
	bool done;

	*paths = (struct tfp_paths){.of_node = none_column(profile->nodes.count)};
	tfp_frames_start(&paths->frames, profile,
			 profile->tensorflow ? TFP_PLACE_LABEL : TFP_PLACE_LINE);
	maker.table = tfp_lookup_new();
	for (int i = 0; i < 2; i++)
		maker.of_stack[i] = none_column(profile->stacks.count);
	add_path(&maker, TFP_NONE, TFP_NONE, TFP_NONE);
	done = profile->tensorflow ? place_tensorflow(&maker, build) : place_others(&maker, build);
	tfp_lookup_free(maker.table);
	for (int i = 0; i < 2; i++)
		free(maker.of_stack[i]);
	tfp_array_free(&maker.waiting);
	free(maker.newest);
	free(maker.older);
	if (!done)
		tfp_paths_free(paths);
	return done;
}

void tfp_paths_free(struct tfp_paths *paths)
{
	tfp_frames_end(&paths->frames);
	tfp_array_free(&paths->paths);
	free(paths->of_node);
}
