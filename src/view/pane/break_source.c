/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown by source: the lines of one's own code that the nodes come from, the costliest first, and
 * below each line its callers. The frames of libraries are left out.
 */
#include <stdlib.h>

#include "tfprof/lookup.h"
#include "view/pane/breakdown.h"
#include "view/engine.h"
#include "view/group/gradient.h"
#include "view/group/paths.h"

#define MOST_ROWS    10000
#define MOST_CALLERS 100 /* of a line, one above the other */

/* A line that made nodes, or a caller of the line CALLEE on the way to such. */
struct line {
	uint32_t callee; /* 0: none, this is the innermost */
	uint32_t place;  /* of tfp_frames */
	uint32_t path;   /* one that leads here */
	uint32_t depth;
	uint32_t first, next; /* its callers, the next caller of CALLEE; TFP_NONE none */
	struct tfp_group group;
};

/* What is at hand while rows are made. */
struct maker {
	struct tfp_work *work;
	struct tfp_paths paths;
	TFP_ARRAY(struct tfp_group) groups; /* by path */
	struct tfp_group untraced;
	struct tfp_lookup *table;     /* from callee and place to line */
	TFP_ARRAY(struct line) lines; /* the first stands for none */
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

/* ---- lines and their callers ---- */

/* The line found below CALLEE for PLACE, made when it is new; PATH is one that leads there. */
static uint32_t find_line(struct maker *maker, uint32_t callee, uint32_t place, uint32_t path)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)callee << 32 | place), found;

	TFP_LOOKUP_EACH(found, maker->table, hash)
		if (maker->lines.at[found].callee == callee &&
		    maker->lines.at[found].place == place)
			return found;
	found = (uint32_t)maker->lines.count;
	tfp_lookup_add(maker->table, hash, found);
	*tfp_array_push(&maker->lines) = (struct line){
		.callee = callee,
		.place = place,
		.path = path,
		.depth = callee ? maker->lines.at[callee].depth + 1 : 0,
		.next = maker->lines.at[callee].first,
		.first = TFP_NONE,
	};
	return maker->lines.at[callee].first = found;
}

/* Gives what ran at the end of PATH to the line there, and to each caller above it. */
static void add_path(struct maker *maker, uint32_t path)
{
	const struct tfp_path *paths = maker->paths.paths.at;
	uint32_t line = 0, start = path;

	for (int depth = 0; path && depth < MOST_CALLERS; path = paths[path].parent, depth++) {
		line = find_line(maker, line, paths[path].place, path);
		tfp_group_merge(&maker->lines.at[line].group, &maker->groups.at[start]);
	}
}

static bool make_lines(struct maker *maker)
{
	maker->table = tfp_lookup_new();
	*tfp_array_push(&maker->lines) = (struct line){.first = TFP_NONE};
	for (uint32_t path = 0; path < maker->groups.count; path++) {
		if (tfp_work_stopped(maker->work, path))
			return false;
		if (maker->groups.at[path].nodes)
			add_path(maker, path);
	}
	return true;
}

/* Brings the callers of LINE into order, the smallest first: they are to go on a stack. */
static void push_callers(const struct maker *maker, uint32_t line, struct tfp_rank *items,
			 uint32_t *waiting, size_t *count)
{
	const struct line *lines = maker->lines.at;
	size_t found = 0;

	for (uint32_t at = lines[line].first; at != TFP_NONE; at = lines[at].next)
		items[found++] = (struct tfp_rank){lines[at].group.value, at};
	for (size_t most = tfp_rank_largest(items, found); most-- > 0;)
		waiting[(*count)++] = items[most].id;
}

static void add_row(const struct maker *maker, const struct line *line)
{
	const struct tfp_profile *profile = maker->work->build.profile;
	uint32_t stack = maker->paths.paths.at[line->path].stack;
	const struct tfp_frame *frame = &profile->frames.at[profile->stacks.at[stack].frame];
	const char *label =
		tfp_strings_text(profile->strings, maker->paths.frames.label.at[line->place]);
	struct tfp_breakdown_row *row;

	row = tfp_work_row(maker->work, &line->group, label);
	row->depth = line->depth;
	row->file = tfp_strings_text(profile->strings, frame->file);
	row->line = frame->line;
	row->text = frame->text ? tfp_strings_text(profile->strings, frame->text) : NULL;
}

static void make_rows(struct maker *maker)
{
	size_t count = maker->lines.count, waiting_count = 0;
	struct tfp_rank *items = tfp_realloc_array(NULL, count, sizeof(*items));
	uint32_t *waiting = tfp_realloc_array(NULL, count, sizeof(*waiting));

	push_callers(maker, 0, items, waiting, &waiting_count);
	while (waiting_count && maker->work->out->count < MOST_ROWS) {
		uint32_t line = waiting[--waiting_count];

		add_row(maker, &maker->lines.at[line]);
		push_callers(maker, line, items, waiting, &waiting_count);
	}
	free(items);
	free(waiting);
}

static void make_breakdown(struct maker *maker)
{
	struct tfp_work *work = maker->work;
	size_t most = maker->lines.count < MOST_ROWS ? maker->lines.count : MOST_ROWS;

	work->out->rows = tfp_arena_alloc(&work->out->arena, (most + 1) * sizeof(*work->out->rows));
	make_rows(maker);
	if (maker->untraced.nodes)
		tfp_work_row(work, &maker->untraced, TFP_NO_STACK);
	work->out->nested = true;
}

bool tfp_break_source(struct tfp_work *work)
{
	const uint32_t *origins = find_origins(work);
	struct maker maker = {.work = work};
	bool done = true;

	if (!origins)
		return false;
	tfp_paths_start(&maker.paths, work->build.profile, TFP_PLACE_SOURCE, work->build.query,
			true);
	for (size_t i = 0; i < work->nodes.count && done; i++) {
		done = !tfp_work_stopped(work, i);
		add_node(&maker, work->nodes.at[i], origins[work->nodes.at[i]]);
	}
	done = done && make_lines(&maker);
	if (done)
		make_breakdown(&maker);
	tfp_lookup_free(maker.table);
	tfp_array_free(&maker.lines);
	tfp_array_free(&maker.groups);
	tfp_paths_free(&maker.paths);
	return done;
}
