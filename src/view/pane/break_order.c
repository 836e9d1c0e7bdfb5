/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdowns in another order than the one they are made in. What is sorted are the rows without a depth; those
 * below go along.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/pane/breakdown.h"
#include "tfprof/breakdown.h"

/* A row, and how many from it on belong together. */
struct block {
	const struct tfp_breakdown_row *row;
	size_t count;
	enum tfp_breakdown_order order;
	bool reverse;
};

bool tfp_breakdown_has_order(const struct tfp_breakdown *breakdown, enum tfp_breakdown_order order)
{
	if (breakdown->kind == TFP_BREAKDOWN_VALUES || breakdown->kind == TFP_BREAKDOWN_ATTRIBUTES)
		return false;
	switch (order) {
	case TFP_BREAKDOWN_BY_VALUE:
		return !breakdown->absent && !breakdown->texts;
	case TFP_BREAKDOWN_BY_RUNS:
		return breakdown->counted && !breakdown->texts;
	case TFP_BREAKDOWN_BY_DIFFERENCE:
	case TFP_BREAKDOWN_BY_RATIO:
		return breakdown->compared;
	default:
		return true;
	}
}

/* Where there was nothing before, something is infinitely more. */
static double ratio_of(const struct tfp_breakdown_row *row)
{
	if (row->baseline)
		return (double)row->value / (double)row->baseline;
	return row->value > 0 ? HUGE_VAL : 0;
}

static double number_of(const struct block *block)
{
	const struct tfp_breakdown_row *row = block->row;
	bool unknown = row->side == TFP_SIDE_NONE;

	switch (block->order) {
	case TFP_BREAKDOWN_BY_VALUE:
		return (double)row->value;
	case TFP_BREAKDOWN_BY_RUNS:
		return (double)row->runs;
	case TFP_BREAKDOWN_BY_DIFFERENCE:
		return unknown ? 0 : (double)row->difference;
	case TFP_BREAKDOWN_BY_RATIO:
		return unknown ? 0 : ratio_of(row);
	default:
		return 0;
	}
}

static int compare(const void *a, const void *b)
{
	const struct block *left = a, *right = b;
	double less = number_of(left), more = number_of(right);
	bool changes = left->order == TFP_BREAKDOWN_BY_DIFFERENCE;
	int sign = (less < more) - (less > more);

	/* what did not change is last in both directions */
	if (changes && !less != !more)
		return !less ? 1 : -1;
	if (left->order == TFP_BREAKDOWN_BY_NAME)
		sign = strcmp(left->row->label, right->row->label);
	/* rows lie in one array: where they tie the first stays the first */
	if (!sign)
		sign = left->row < right->row ? -1 : left->row > right->row;
	return left->reverse ? -sign : sign;
}

static size_t divide(const struct tfp_breakdown *breakdown, size_t count, struct block *blocks,
		     enum tfp_breakdown_order order, bool reverse)
{
	size_t all = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tfp_breakdown_row *row = &breakdown->rows[i];

		if (all && row->depth)
			blocks[all - 1].count++;
		else
			blocks[all++] = (struct block){row, 1, order, reverse};
	}
	return all;
}

void tfp_breakdown_sort(struct tfp_breakdown *breakdown, enum tfp_breakdown_order order,
			bool reverse)
{
	size_t count = breakdown->count - (breakdown->others && breakdown->count), all, to = 0;
	struct tfp_breakdown_row *sorted;
	struct block *blocks;

	if (!count || !tfp_breakdown_has_order(breakdown, order) ||
	    (order == TFP_BREAKDOWN_AS_MADE && !reverse))
		return;
	blocks = tfp_realloc_array(NULL, count, sizeof(*blocks));
	sorted = tfp_realloc_array(NULL, count, sizeof(*sorted));
	all = divide(breakdown, count, blocks, order, reverse);
	qsort(blocks, all, sizeof(*blocks), compare);
	for (size_t i = 0; i < all; to += blocks[i++].count)
		memcpy(sorted + to, blocks[i].row, blocks[i].count * sizeof(*sorted));
	memcpy(breakdown->rows, sorted, count * sizeof(*sorted));
	free(sorted);
	free(blocks);
}
