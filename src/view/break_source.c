/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown by source: the call paths of the nodes, outermost frame first, without the frames of
 * libraries. Callers are sums; the deepest place of the heaviest path is what an editor opens.
 */
#include <stdlib.h>
#include <string.h>

#include "view/breakdown.h"
#include "view/engine.h"
#include "view/gradient.h"
#include "view/paths.h"

#define MOST_ROWS 10000

/* What is at hand while rows are made. */
struct maker {
	struct tfp_work *work;
	struct tfp_paths paths;
	TFP_ARRAY(struct tfp_group) groups; /* by path */
	struct tfp_group untraced;
};

/*
 * Where each node comes from: its stack, doubled, plus one where that is a gradient's; TFP_NONE: no
 * stack. Telling gradients by their names takes longer than all the rest, so it is done once. NULL
 * when cancelled.
 */
static const uint32_t *find_origins(struct tfp_work *work)
{
	const struct tfp_profile *profile = work->build.profile;
	uint32_t *origins = work->build.engine->origins;

	if (origins)
		return origins;
	origins = tfp_realloc_array(NULL, profile->nodes.count, sizeof(*origins));
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		bool gradient;
		uint32_t stack = tfp_gradient_stack(profile, node, &gradient);

		if (tfp_work_stopped(work, node)) {
			free(origins);
			return NULL;
		}
		origins[node] = stack == TFP_NONE ? TFP_NONE : stack * 2 + gradient;
	}
	return work->build.engine->origins = origins;
}

static void add_node(struct maker *maker, uint32_t node, uint32_t origin)
{
	int64_t values[TFP_MAX_METRICS];
	uint32_t path;

	tfp_work_values(maker->work, node, values);
	if (origin == TFP_NONE) {
		tfp_group_add(&maker->untraced, maker->work, node, values);
		return;
	}
	path = tfp_paths_add(&maker->paths, origin / 2, origin & 1);
	while (maker->groups.count < maker->paths.paths.count)
		*tfp_array_push(&maker->groups) = (struct tfp_group){0};
	tfp_group_add(&maker->groups.at[path], maker->work, node, values);
}

/* Paths are numbered callers first. */
static void sum_callers(struct maker *maker)
{
	for (size_t path = maker->groups.count; path-- > 1;)
		tfp_group_merge(&maker->groups.at[maker->paths.paths.at[path].parent],
				&maker->groups.at[path]);
}

/* Brings the callees of PATH into order, the smallest first: they are to go on a stack. */
static void push_callees(const struct maker *maker, uint32_t path, struct tfp_rank *items,
			 uint32_t *waiting, size_t *count)
{
	const struct tfp_path *paths = maker->paths.paths.at;
	size_t found = 0;

	for (uint32_t at = paths[path].first; at != TFP_NONE; at = paths[at].next)
		items[found++] = (struct tfp_rank){maker->groups.at[at].value, at};
	for (size_t most = tfp_rank_largest(items, found); most-- > 0;)
		waiting[(*count)++] = items[most].id;
}

static void fill_place(const struct maker *maker, struct tfp_breakdown_row *row, uint32_t path)
{
	const struct tfp_profile *profile = maker->work->build.profile;
	uint32_t stack = maker->paths.paths.at[path].stack;
	const struct tfp_frame *frame = &profile->frames.at[profile->stacks.at[stack].frame];

	row->file = tfp_strings_text(profile->strings, frame->file);
	row->line = frame->line;
}

static void make_rows(struct maker *maker)
{
	struct tfp_work *work = maker->work;
	const struct tfp_strings *strings = work->build.profile->strings;
	const struct tfp_path *paths = maker->paths.paths.at;
	size_t count = maker->groups.count, waiting_count = 0;
	struct tfp_rank *items = tfp_realloc_array(NULL, count, sizeof(*items));
	uint32_t *waiting = tfp_realloc_array(NULL, count, sizeof(*waiting));
	uint32_t *depth = tfp_alloc_zero(count, sizeof(*depth));

	push_callees(maker, 0, items, waiting, &waiting_count);
	while (waiting_count && work->out->count < MOST_ROWS) {
		uint32_t path = waiting[--waiting_count], caller = paths[path].parent;
		const char *label =
			tfp_strings_text(strings, maker->paths.frames.label.at[paths[path].place]);
		struct tfp_breakdown_row *row = tfp_work_row(work, &maker->groups.at[path], label);

		depth[path] = caller ? depth[caller] + 1 : 0;
		row->depth = depth[path];
		fill_place(maker, row, path);
		push_callees(maker, path, items, waiting, &waiting_count);
	}
	free(items);
	free(waiting);
	free(depth);
}

static void make_breakdown(struct maker *maker)
{
	struct tfp_work *work = maker->work;
	size_t most = maker->groups.count < MOST_ROWS ? maker->groups.count : MOST_ROWS;

	work->out->rows = tfp_arena_alloc(&work->out->arena, (most + 1) * sizeof(*work->out->rows));
	if (maker->groups.count)
		make_rows(maker);
	if (maker->untraced.nodes)
		tfp_work_row(work, &maker->untraced, "no call stack");
	work->out->libraries = tfp_frames_libraries(&maker->paths.frames);
}

bool tfp_break_source(struct tfp_work *work)
{
	const uint32_t *origins = find_origins(work);
	struct maker maker = {.work = work};
	bool done = true;

	if (!origins)
		return false;
	tfp_paths_start(&maker.paths, work->build.profile, TFP_PLACE_SOURCE, true);
	for (size_t i = 0; i < work->nodes.count && done; i++) {
		done = !tfp_work_stopped(work, i);
		add_node(&maker, work->nodes.at[i], origins[work->nodes.at[i]]);
	}
	if (done) {
		sum_callers(&maker);
		make_breakdown(&maker);
	}
	tfp_array_free(&maker.groups);
	tfp_paths_free(&maker.paths);
	return done;
}
