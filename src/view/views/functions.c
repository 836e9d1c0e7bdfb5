/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions view: one row a function, whatever called it. Self is what its own nodes measured,
 * total what was measured while it was on the call path, once even where it calls itself.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/breakdown.h"
#include "view/views/code.h"
#include "view/group/picks.h"
#include "view/trace/spread.h"
#include "view/trace/union.h"

/* What is at hand while the base is made. */
struct maker {
	struct tfp_build *build;
	struct tfp_paths paths;
	struct tfp_frames functions;
	uint32_t *order, *row_of_path; /* the paths in preorder */
	uint32_t *function;            /* by path: its function, as a row of the base */
};

static void find_functions(struct maker *maker)
{
	const struct tfp_profile *profile = maker->build->profile;
	const struct tfp_path *paths = maker->paths.paths.at;
	size_t count = maker->paths.paths.count;

	maker->function = tfp_alloc_zero(count, sizeof(*maker->function));
	for (size_t path = 1; path < count; path++) {
		uint32_t stack = paths[path].stack;

		/* the last of all: its row is behind those of functions */
		if (stack == TFP_NONE)
			maker->function[path] = 1 + (uint32_t)maker->functions.label.count;
		else
			maker->function[path] =
				1 + tfp_frames_place(&maker->functions,
						     profile->stacks.at[stack].frame, false);
	}
}

static void fill_row(struct maker *maker, struct tfp_base *base, uint32_t row, tfp_str name,
		     tfp_str file)
{
	base->parent[row] = 0;
	base->name[row] = name;
	base->key[row] = tfp_key_below(tfp_key_name(tfp_base_label(base, row)),
				       tfp_strings_get(base->strings, file));
	base->flags[row] = TFP_ROW_LEAF;
	if (maker->build->account.all)
		base->flags[row] |= TFP_ROW_ACCOUNTED;
}

static struct tfp_base *make_base(struct maker *maker)
{
	struct tfp_profile *profile = maker->build->profile;
	const struct tfp_frames *functions = &maker->functions;
	uint32_t count = (uint32_t)functions->label.count;
	bool rest = maker->paths.paths.at[maker->paths.paths.count - 1].stack == TFP_NONE &&
		    maker->paths.paths.count > 1;
	struct tfp_base *base = tfp_base_new(&tfp_view_functions, maker->build, count + 1 + rest);

	tfp_base_add_stacks(base);
	for (uint32_t row = 1; row <= count; row++)
		fill_row(maker, base, row, functions->label.at[row - 1],
			 profile->frames.at[functions->frame.at[row - 1]].file);
	if (rest)
		fill_row(maker, base, count + 1,
			 tfp_strings_add_text(profile->strings, TFP_NO_STACK), 0);
	for (size_t path = 1; path < maker->paths.paths.count; path++)
		base->stack[maker->function[path]] = maker->paths.paths.at[path].stack;
	return base;
}

/* ---- totals ---------------------------------------------------------------------------------- */

static void add_values(const struct tfp_base *base, int64_t *to, const int64_t *from)
{
	for (uint32_t i = 0; i < base->metric_count; i++) {
		if (base->metrics[i].kind != TFP_MAX)
			to[i] = tfp_wrap_add(to[i], from[i]);
		else if (to[i] < from[i])
			to[i] = from[i];
	}
}

/* Values of the nodes of each path and of the paths below it, by row of the preorder. */
static int64_t *sum_paths(struct maker *maker, const struct tfp_base *base, const uint32_t *weight)
{
	const struct tfp_build *build = maker->build;
	size_t count = maker->paths.paths.count, columns = base->metric_count;
	int64_t *sums = tfp_alloc_zero(count, columns * sizeof(*sums)), values[TFP_MAX_METRICS];

	for (uint32_t node = 0; node < build->profile->nodes.count; node++) {
		if (!weight[node])
			continue;
		tfp_profile_values(build->profile, node, build->step, build->quirks, values);
		for (uint32_t i = 0; i < columns; i++)
			values[i] = tfp_wrap_mul(values[i], weight[node]);
		add_values(base, sums + maker->row_of_path[maker->paths.of_node[node]] * columns,
			   values);
	}
	for (size_t row = count; --row > 0;) {
		uint32_t parent = maker->paths.paths.at[maker->order[row]].parent;

		add_values(base, sums + maker->row_of_path[parent] * columns, sums + row * columns);
	}
	return sums;
}

/*
 * Adds the sum of each path to its function, unless the function is on the path above it already.
 * Going through the rows in preorder, a path is left when the next row is not below it.
 */
static void add_totals(struct maker *maker, struct tfp_base *base, const int64_t *sums)
{
	const struct tfp_path *paths = maker->paths.paths.at;
	uint32_t *active = tfp_alloc_zero(base->count, sizeof(*active)), above = 0;
	size_t columns = base->metric_count;

	memset(base->total + columns, 0, (base->count - 1) * columns * sizeof(*base->total));
	for (size_t row = 1; row < maker->paths.paths.count; row++) {
		uint32_t path = maker->order[row], function = maker->function[path];

		for (; above != paths[path].parent; above = paths[above].parent)
			active[maker->function[above]]--;
		if (!active[function]++)
			add_values(base, base->total + function * columns, sums + row * columns);
		above = path;
	}
	free(active);
}

/* Nothing goes up of what a row has only of its own nodes. */
static void keep_own(struct tfp_base *base)
{
	for (uint32_t i = 0; i < base->metric_count; i++)
		for (size_t at = i; base->metrics[i].kind == TFP_OWN &&
				    at < (size_t)base->count * base->metric_count;
		     at += base->metric_count)
			base->total[at] = base->self[at];
}

/* Times that overlap count once, whichever way a function was called. */
static bool unite(struct maker *maker, struct tfp_base *base, const uint32_t *weight)
{
	const struct tfp_build *build = maker->build;
	size_t count = maker->paths.paths.count;
	const struct tfp_trace *trace = build->profile->trace;
	struct tfp_sweep sweep = {
		.profile = build->profile,
		.step = build->step,
		.job = build->job,
		.place = maker->paths.of_node,
		.row = maker->function,
		.stride = base->metric_count,
		.total = base->total + TFP_TRACE_BUSY,
		.self = base->self + TFP_TRACE_BUSY,
	};
	uint32_t *above;
	bool done;

	if (!trace)
		return true;
	keep_own(base);
	for (uint32_t node = 0; node < build->profile->nodes.count; node++)
		if (!weight[node])
			maker->paths.of_node[node] = TFP_NONE;
	above = tfp_realloc_array(NULL, count, sizeof(*above));
	for (size_t path = 0; path < count; path++)
		above[path] = maker->paths.paths.at[path].parent;
	for (size_t at = TFP_TRACE_BUSY; at < (size_t)base->count * base->metric_count;
	     at += base->metric_count)
		base->total[at] = base->self[at] = 0;
	sweep.above = above;
	tfp_sweep_start(&sweep, base->count);
	done = tfp_sweep_run(&sweep, 0, trace->device_events);
	tfp_sweep_end(&sweep);
	tfp_array_release(above);
	return done;
}

/* How long single events took, if it is asked for. After times were united: nodes that do not count have no path then. */
static bool spread(struct maker *maker, struct tfp_base *base)
{
	const struct tfp_build *build = maker->build;
	const struct tfp_path *paths = maker->paths.paths.at;
	uint32_t count = (uint32_t)maker->paths.paths.count, nodes = build->profile->nodes.count;
	uint32_t *of_node = maker->paths.of_node, *parent, *row;
	bool done;

	if (!build->profile->trace || !tfp_spread_wanted(build->query, base->view, build->profile))
		return true;
	parent = tfp_alloc_zero(count, sizeof(*parent));
	row = tfp_alloc_zero(count, sizeof(*row));
	for (uint32_t i = 1; i < count; i++) {
		parent[i] = maker->row_of_path[paths[maker->order[i]].parent];
		row[i] = maker->function[maker->order[i]];
	}
	for (uint32_t node = 0; node < nodes; node++)
		if (of_node[node] != TFP_NONE)
			of_node[node] = maker->row_of_path[of_node[node]];
	done = tfp_spread_functions(base, build->profile, build->step,
				    &(struct tfp_spread_paths){count, parent, row, of_node},
				    build->job);
	free(parent);
	free(row);
	return done;
}

static void mark_negative(struct tfp_base *base)
{
	for (uint32_t row = 1; row < base->count; row++)
		for (uint32_t i = 0; i < base->metric_count; i++)
			if (base->total[(size_t)row * base->metric_count + i] < 0)
				base->negative |= UINT32_C(1) << i;
}

/* A function counts when it has a node of its own that counts, or is on the path of one. */
static void keep_callers(struct maker *maker, struct tfp_base *base, const uint32_t *weight)
{
	const struct tfp_path *paths = maker->paths.paths.at;
	uint8_t *kept = tfp_alloc_zero(maker->paths.paths.count, 1);

	for (uint32_t node = 0; node < maker->build->profile->nodes.count; node++)
		if (weight[node])
			kept[maker->paths.of_node[node]] = 1;
	for (size_t path = maker->paths.paths.count; --path > 0;) {
		if (!kept[path])
			continue;
		kept[paths[path].parent] = 1;
		base->flags[maker->function[path]] |= TFP_ROW_KEPT;
	}
	free(kept);
}

static bool fill_base(struct maker *maker, struct tfp_base *base)
{
	uint32_t nodes = maker->build->profile->nodes.count, *of_node = maker->paths.of_node;
	uint32_t *weight = tfp_picks_weigh(maker->build, of_node), *row;
	int64_t *sums;
	bool done;

	if (!weight)
		return false;
	row = tfp_alloc_zero(nodes, sizeof(*row));
	for (uint32_t node = 0; node < nodes; node++)
		row[node] = of_node[node] == TFP_NONE ? TFP_NONE : maker->function[of_node[node]];
	done = tfp_picks_fill(base, maker->build, row, weight, NULL);
	if (done) {
		keep_callers(maker, base, weight);
		tfp_base_sum(base, false);
		sums = sum_paths(maker, base, weight);
		add_totals(maker, base, sums);
		mark_negative(base);
		done = unite(maker, base, weight) && spread(maker, base);
		free(sums);
	}
	free(row);
	free(weight);
	return done;
}

static struct tfp_base *build_functions(struct tfp_build *build)
{
	struct tfp_base *base;
	struct maker maker = {.build = build};

	if (!tfp_paths_init(&maker.paths, build))
		return NULL;
	tfp_frames_start(&maker.functions, build->profile, TFP_PLACE_FUNCTION, NULL);
	tfp_paths_order(&maker.paths, &maker.order, &maker.row_of_path);
	find_functions(&maker);
	base = make_base(&maker);
	if (!fill_base(&maker, base)) {
		tfp_base_release(base);
		base = NULL;
	}
	free(maker.order);
	free(maker.row_of_path);
	free(maker.function);
	tfp_frames_end(&maker.functions);
	tfp_paths_free(&maker.paths);
	return base;
}

static const struct tfp_view_rules rules = {
	.trim_drops = true,
	.unites = true,
	.ignore_displayed = true,
	.uses = TFP_USES_MERGE | TFP_USES_LIBRARY,
	.count = TFP_COUNT_NODES,
};

const struct tfp_view tfp_view_functions = {
	.name = "functions",
	.title = "functions",
	.about = "rows are functions, whatever called them",
	.example = "functions -max_depth 10",
	.digit = '3',
	.missing = tfp_code_missing,
	.parts = TFP_PART_STACKS,
	.build = build_functions,
	.rules = &rules,
	.pane = TFP_BREAKDOWN_NODES,
};
