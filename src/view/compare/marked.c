/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that a person marked, side by side: each compared with the first of them, and their sum.
 */
#include "view/base.h"
#include "tfprof/columns.h"
#include "tfprof/breakdown.h"

static bool is_inside(const struct tfp_base *base, uint32_t row, uint32_t other)
{
	return row > other && row < base->end[other];
}

/* A row below another marked one is counted by that already. */
static bool is_counted(const struct tfp_base *base, const uint32_t *rows, size_t count,
		       size_t which)
{
	for (size_t i = 0; i < count; i++)
		if (i != which && is_inside(base, rows[which], rows[i]))
			return true;
	return false;
}

static int64_t sum_of(const struct tfp_tree *tree, const uint32_t *rows, size_t count,
		      uint32_t metric, bool *nested)
{
	int64_t sum = 0;

	*nested = false;
	for (size_t i = 0; i < count; i++)
		if (is_counted(tree->base, rows, count, i))
			*nested = true;
		else
			sum = tfp_wrap_add(sum, tfp_tree_total(tree, rows[i], metric));
	return sum;
}

static int64_t runs_of(const struct tfp_tree *tree, uint32_t row)
{
	const struct tfp_base *base = tree->base;
	uint32_t runs = base->traced ? (uint32_t)TFP_TRACE_RUNS : (uint32_t)TFP_TF_RUNS;

	if ((!base->tensorflow && !base->traced) || base->metrics[runs].absent)
		return -1;
	return tfp_tree_total(tree, row, runs);
}

static struct tfp_breakdown_row row_of(const struct tfp_tree *tree, uint32_t row, uint32_t metric,
				       struct tfp_arena *arena)
{
	struct tfp_span label = tfp_base_label(tree->base, row);

	return (struct tfp_breakdown_row){
		.label = tfp_arena_text(arena, label.at, label.size),
		.value = tfp_tree_total(tree, row, metric),
		.share = -1,
		.runs = runs_of(tree, row),
		.defined = tfp_tree_nodes(tree, row),
		.node = tree->base->node[row],
		.side = TFP_SIDE_NONE,
	};
}

struct tfp_breakdown *tfp_tree_marked(const struct tfp_tree *tree, const uint32_t *rows,
				      size_t count, uint32_t metric)
{
	struct tfp_breakdown *marked = tfp_alloc_zero(1, sizeof(*marked));
	struct tfp_breakdown_row *at =
		tfp_arena_zero(&marked->arena, count + 1, sizeof(*marked->rows));
	bool nested;
	int64_t sum = sum_of(tree, rows, count, metric, &nested);

	for (size_t i = 0; i < count; i++) {
		at[i] = row_of(tree, rows[i], metric, &marked->arena);
		if (sum > 0)
			at[i].share = (double)at[i].value / (double)sum;
		at[i].baseline = at[0].value;
		at[i].difference = (int64_t)((uint64_t)at[i].value - (uint64_t)at[0].value);
		at[i].side = i ? TFP_SIDE_BOTH : TFP_SIDE_NONE;
	}
	at[count] = (struct tfp_breakdown_row){
		.label = nested ? "sum, rows within others counted once" : "sum",
		.value = sum,
		.share = sum > 0 ? 1 : -1,
		.runs = -1,
		.defined = -1,
		.node = TFP_NONE,
	};
	marked->kind = TFP_BREAKDOWN_KINDS;
	marked->unit = tree->base->metrics[metric].unit;
	marked->absent = tree->base->metrics[metric].absent;
	marked->rows = at;
	marked->count = count + 1;
	marked->compared = true;
	marked->counted = tree->base->tensorflow || tree->base->traced;
	return marked;
}
