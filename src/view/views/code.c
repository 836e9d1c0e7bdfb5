/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code view: one row a place in a call path, values where a node's path ends. Rows with the
 * same label below the same caller are one, however different their frames are.
 */
#include <stdlib.h>

#include "tfprof/breakdown.h"
#include "view/views/code.h"
#include "view/group/picks.h"

/* What records call stacks, by the format of a recording. */
static const char *const unrecorded[][2] = {
	{"kineto", "No call stacks in these files: profile(with_stack=True) records them"},
	{"xplane", "No call stacks in these files: the option python_tracer_level=1 records them"},
	{NULL, NULL},
};

const char *tfp_code_missing(const struct tfp_profile *profile)
{
	if (profile->has_stacks)
		return NULL;
	if (profile->trace)
		return tfp_missing_by_format(profile, unrecorded, "No call stacks in these files");
	return profile->tensorflow
		       ? "No call stacks; an op log has them: tf.compat.v1.profiler.write_op_log()"
		       : "No call stacks in these files";
}

void tfp_paths_order(const struct tfp_paths *paths, uint32_t **order, uint32_t **row)
{
	const struct tfp_path *at = paths->paths.at;
	size_t count = paths->paths.count;
	uint32_t path = 0, next = 0;

	*order = tfp_realloc_array(NULL, count, sizeof(**order));
	*row = tfp_realloc_array(NULL, count, sizeof(**row));
	for (;;) {
		(*row)[path] = next;
		(*order)[next++] = path;
		if (at[path].first != TFP_NONE) {
			path = at[path].first;
			continue;
		}
		while (path && at[path].next == TFP_NONE)
			path = at[path].parent;
		if (!path)
			return;
		path = at[path].next;
	}
}

static void fill_row(struct tfp_base *base, const struct tfp_paths *paths, const uint32_t *rows,
		     uint32_t row, uint32_t path)
{
	const struct tfp_path *at = &paths->paths.at[path];
	uint32_t parent = rows[at->parent];

	base->parent[row] = parent;
	base->name[row] =
		at->stack == TFP_NONE
			? tfp_strings_add_text(paths->frames.profile->strings, TFP_NO_STACK)
			: paths->frames.label.at[at->place];
	base->stack[row] = at->stack;
	base->key[row] = tfp_key_below(base->key[parent], tfp_base_label(base, row));
}

static struct tfp_base *make_base(struct tfp_build *build, const struct tfp_paths *paths,
				  const uint32_t *order, const uint32_t *rows)
{
	uint32_t count = (uint32_t)paths->paths.count;
	struct tfp_base *base = tfp_base_new(&tfp_view_code, build, count);

	tfp_base_add_stacks(base);
	for (uint32_t row = 1; row < count; row++)
		fill_row(base, paths, rows, row, order[row]);
	for (uint32_t row = 1; row < count && build->account.all; row++)
		base->flags[row] = TFP_ROW_ACCOUNTED;
	return base;
}

/* From the path of each node to its row. */
static void to_rows(uint32_t *of_node, const uint32_t *rows, uint32_t nodes)
{
	for (uint32_t node = 0; node < nodes; node++)
		if (of_node[node] != TFP_NONE)
			of_node[node] = rows[of_node[node]];
}

static struct tfp_base *build_rows(struct tfp_build *build, struct tfp_paths *paths)
{
	struct tfp_base *base;
	uint32_t *order, *rows, *weight;

	tfp_paths_order(paths, &order, &rows);
	to_rows(paths->of_node, rows, build->profile->nodes.count);
	base = make_base(build, paths, order, rows);
	weight = tfp_picks_weigh(build, paths->of_node);
	if (weight && tfp_picks_fill(base, build, paths->of_node, weight, NULL)) {
		tfp_base_sum(base, false);
	} else {
		tfp_base_release(base);
		base = NULL;
	}
	free(weight);
	free(order);
	free(rows);
	return base;
}

static struct tfp_base *build_code(struct tfp_build *build)
{
	struct tfp_base *base = NULL;
	struct tfp_paths paths;

	if (tfp_paths_init(&paths, build)) {
		base = build_rows(build, &paths);
		tfp_paths_free(&paths);
	}
	return base;
}

static const struct tfp_view_rules rules = {
	.trim_drops = true,
	.uses = TFP_USES_MERGE | TFP_USES_LIBRARY,
	.ignore_displayed = true,
	.count = TFP_COUNT_IGNORED,
};

const struct tfp_view tfp_view_code = {
	.name = "code",
	.title = "code",
	.about = "rows are the source lines that made the nodes, below the lines that called them",
	.example = "code -max_depth 8 -select micros -show_name_regexes .*train.py.*",
	.digit = '4',
	.missing = tfp_code_missing,
	.parts = TFP_PART_STACKS,
	.build = build_code,
	.rules = &rules,
	.pane = TFP_BREAKDOWN_NODES,
};
