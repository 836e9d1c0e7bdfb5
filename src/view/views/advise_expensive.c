/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checker of what takes most time: op types, scopes, and the lines of code that lead there.
 */
#include <string.h>

#include "view/views/advise.h"

#define MOST    3    /* rows of a kind that are named */
#define DEEPEST 3    /* levels of code, counted from where it first branches */
#define WORTH   1000 /* us that a line of code must take */

static const char *const needs_steps =
	"needs run metadata, made by session.run(…, options=RunOptions(trace_level=FULL_TRACE), "
	"run_metadata=RunMetadata())";
static const char *const needs_types = "needs the types of ops, which these files do not say";
static const char *const needs_stacks =
	"needs an op log with call stacks, made by tfprof_logger.write_op_log(graph, folder, "
	"run_meta=…)";

/* What the views are asked for; the person's own options do not count. */
static struct tfp_tree *run_view(struct tfp_adviser *adviser, const char *view, const char *depth,
				 const char *micros)
{
	const char *const options[][2] = {
		{"max_depth", depth}, {"min_micros", micros}, {"order_by", "micros"}};
	struct tfp_tree *tree = NULL;
	struct tfp_query query;
	bool set = true;

	tfp_query_init(&query);
	query.view = view;
	query.compat = adviser->compat;
	for (size_t i = 0; i < sizeof(options) / sizeof(*options) && set; i++)
		set = tfp_query_set(&query, options[i][0], options[i][1], adviser->diag);
	if (set)
		tree = tfp_engine_run(adviser->engine, &query, adviser->job, adviser->diag);
	tfp_query_free(&query);
	return tree;
}

/* "607us, cpu 600us, accelerator 7us": the values of a row. */
static char *times_of(struct tfp_adviser *adviser, const int64_t *values)
{
	static const enum tfp_tf_metric metrics[] = {TFP_TF_MICROS, TFP_TF_CPU_MICROS,
						     TFP_TF_ACCELERATOR_MICROS};
	char text[3][TFP_NUMBER_ROOM];

	for (size_t i = 0; i < 3; i++)
		tfp_number_compat(text[i], TFP_MICROS, values[metrics[i]]);
	return tfp_arena_printf(&adviser->advice->arena, "%s, cpu %s, accelerator %s", text[0],
				text[1], text[2]);
}

static const int64_t *self_of(const struct tfp_tree *tree, uint32_t row)
{
	return tree->base->self + (size_t)row * tree->base->metric_count;
}

static const int64_t *total_of(const struct tfp_tree *tree, uint32_t row)
{
	return tree->total + (size_t)row * tree->base->metric_count;
}

static struct tfp_target target_of(const struct tfp_tree *tree, uint32_t row)
{
	return (struct tfp_target){tree->base->view->name, tree->base->key[row]};
}

/* The first MOST children of ROW into TOP; returns how many there are. */
static uint32_t find_top(const struct tfp_tree *tree, uint32_t row, uint32_t top[MOST])
{
	uint32_t count = tree->child_count[row], *children;

	if (!count)
		return 0;
	children = tfp_realloc_array(NULL, count, sizeof(*children));
	tfp_tree_children(tree, row, children);
	count = count < MOST ? count : MOST;
	memcpy(top, children, count * sizeof(*top));
	tfp_array_release(children);
	return count;
}

/* ---- op types and scopes --------------------------------------------------------------------- */

/* Of a scope, whose own time, which the original gives, is mostly none: what is in it is told, too. */
static char *scope_times(struct tfp_adviser *adviser, const int64_t *self, const int64_t *total)
{
	char *own = times_of(adviser, self), with[TFP_NUMBER_ROOM];
	bool none = !self[TFP_TF_MICROS];

	tfp_number_compat(with, TFP_MICROS, total[TFP_TF_MICROS]);
	return tfp_arena_printf(&adviser->advice->arena, "%s with all in it, %s%s%s", with,
				none ? "none of its own (" : "its own ", own, none ? ")" : "");
}

static void name_top(struct tfp_adviser *adviser, const struct tfp_tree *tree, const char *what,
		     bool share)
{
	struct tfp_arena *arena = &adviser->advice->arena;
	uint32_t top[MOST], count = find_top(tree, tree->root, top);
	double whole = (double)total_of(tree, 0)[TFP_TF_MICROS] + 1e-10;

	for (uint32_t i = 0; i < count; i++) {
		struct tfp_span label = tfp_base_label(tree->base, top[i]);
		const int64_t *self = self_of(tree, top[i]);
		const char *times, *text;

		if (share)
			times = tfp_arena_printf(arena, "%s (%.2f%%)", times_of(adviser, self),
						 100 * (double)self[TFP_TF_MICROS] / whole);
		else
			times = scope_times(adviser, self, total_of(tree, top[i]));
		text = tfp_arena_printf(arena, "%s %u: %.*s, %s", what, i + 1, (int)label.size,
					label.at, times);
		tfp_advise(adviser, NULL, text, target_of(tree, top[i]));
	}
}

static bool check_view(struct tfp_adviser *adviser, const char *view, const char *depth,
		       const char *micros, const char *what, bool share)
{
	struct tfp_tree *tree = run_view(adviser, view, depth, micros);

	if (!tree)
		return false;
	name_top(adviser, tree, what, share);
	tfp_tree_release(tree);
	return true;
}

static bool check_types(struct tfp_adviser *adviser)
{
	if (!adviser->profile->untyped)
		return check_view(adviser, "op", "3", "1", "op type", true);
	tfp_advise_skipped(adviser, needs_types);
	return true;
}

/* ---- lines of code --------------------------------------------------------------------------- */

/* A row whose children are named, or one of them. */
struct place {
	uint32_t row, depth;
};

static void name_line(struct tfp_adviser *adviser, const struct tfp_tree *tree,
		      const struct place *place)
{
	struct tfp_span label = tfp_base_label(tree->base, place->row);

	tfp_advise(adviser, NULL,
		   tfp_arena_printf(&adviser->advice->arena, "%*scode: %.*s, %s",
				    (int)(2 * place->depth), "", (int)label.size, label.at,
				    times_of(adviser, total_of(tree, place->row))),
		   target_of(tree, place->row));
}

/* Down to where paths part; then the first lines there and below them. */
static void name_lines(struct tfp_adviser *adviser, const struct tfp_tree *tree)
{
	TFP_ARRAY(struct place) waiting = {0};
	uint32_t row = tree->root, top[MOST];

	while (tree->child_count[row] == 1)
		row = tree->child[tree->child_first[row]];
	*tfp_array_push(&waiting) = (struct place){row, 0};
	for (bool first = true; waiting.count; first = false) {
		struct place place = waiting.at[--waiting.count];
		uint32_t count = find_top(tree, place.row, top);

		if (!first)
			name_line(adviser, tree, &place);
		if (count <= 1 || place.depth + !first > DEEPEST)
			continue;
		while (count-- > 0)
			if (total_of(tree, top[count])[TFP_TF_MICROS] >= WORTH)
				*tfp_array_push(&waiting) =
					(struct place){top[count], place.depth + !first};
	}
	tfp_array_free(&waiting);
}

static bool check_code(struct tfp_adviser *adviser)
{
	struct tfp_tree *tree;

	if (!adviser->profile->has_stacks) {
		tfp_advise_skipped(adviser, needs_stacks);
		return true;
	}
	tree = run_view(adviser, "code", "100", "1");
	if (!tree)
		return false;
	name_lines(adviser, tree);
	tfp_tree_release(tree);
	return true;
}

bool tfp_advise_expensive(struct tfp_adviser *adviser)
{
	if (!adviser->profile->steps.count) {
		tfp_advise_skipped(adviser, needs_steps);
		return true;
	}
	return check_types(adviser) && check_view(adviser, "scope", "100", "100", "scope", false) &&
	       check_code(adviser);
}
