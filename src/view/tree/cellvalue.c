/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells as numbers: what a column says of a row before it became text, for files that other programs
 * read.
 */
#include <string.h>

#include "view/base.h"
#include "view/trace/launch.h"
#include "view/trace/lengths.h"
#include "view/tree/cells.h"
#include "tfprof/columns.h"

int64_t tfp_nodes_of(const struct tfp_base *base, const int64_t *defined, bool flat, uint32_t row)
{
	/* Rows of call paths count their own nodes; what is asked for is also what is below them. */
	if (base->view == &tfp_view_code && !flat)
		return (int64_t)base->pick_first[base->end[row]] - base->pick_first[row];
	return defined[row];
}

int64_t tfp_tree_nodes(const struct tfp_tree *tree, uint32_t row)
{
	return tfp_nodes_of(tree->base, tree->defined, tree->query.flat, row);
}

/* How kernels were launched: of several from the least to the most. */
static bool launch_bounds(const struct tfp_base *base, uint32_t row, enum tfp_launch_figure figure,
			  struct tfp_figure *bounds)
{
	const struct tfp_launch *launch = tfp_launch_known(base, row, figure);

	if (launch)
		*bounds = (struct tfp_figure){launch->most[figure], launch->least[figure],
					      launch->most[figure]};
	return launch != NULL;
}

static double quotient(int64_t value, int64_t by, double times)
{
	return by > 0 ? (double)value * times / (double)by : 0;
}

bool tfp_tree_value(const struct tfp_tree *tree, uint32_t row, uint32_t parent,
		    const struct tfp_column *column, struct tfp_value *value)
{
	uint32_t metric = column->metric;
	int64_t total = tfp_tree_total(tree, row, metric);
	struct tfp_cell cell;

	*value = (struct tfp_value){.whole = true, .integer = total};
	tfp_tree_cell(tree, row, parent, column, &cell);
	if (!strcmp(cell.text, "-") || (!*cell.text && column->kind == TFP_COLUMN_TOTAL))
		return false;
	if (column->kind >= TFP_COLUMN_LAUNCH) {
		value->integer = tree->base->launch[row].most[tfp_launch_of(column)];
		return true;
	}
	if (column->kind == TFP_COLUMN_SELF)
		value->integer = tfp_tree_self(tree, row, metric);
	else if (column->kind == TFP_COLUMN_SINCE)
		value->integer = tree->base->since[row] - 1;
	else if (column->kind == TFP_COLUMN_DEFINED)
		value->integer = tfp_tree_nodes(tree, row);
	else if (column->kind == TFP_COLUMN_DIFFERENCE)
		value->integer = tfp_tree_difference(tree, row, metric);
	else if (column->kind == TFP_COLUMN_BASELINE)
		value->integer = tfp_tree_baseline(tree, row, metric);
	value->whole = column->kind != TFP_COLUMN_RATIO && column->kind != TFP_COLUMN_RATE &&
		       column->kind != TFP_COLUMN_PEAK && column->kind != TFP_COLUMN_BUSY &&
		       cell.fraction < 0;
	if (column->kind == TFP_COLUMN_RATIO)
		value->real = quotient(total, tfp_tree_baseline(tree, row, metric), 1);
	else if (column->kind == TFP_COLUMN_RATE)
		value->real = tfp_rate(tree, row, metric);
	else if (column->kind == TFP_COLUMN_PEAK)
		value->real = 100 * tfp_rate(tree, row, metric) / tfp_rate_peak(tree->base, metric);
	else if (column->kind == TFP_COLUMN_BUSY)
		value->real = 100 * tfp_busy_share(tree, row);
	else
		value->real = 100 * cell.fraction;
	return column->kind != TFP_COLUMN_RATIO || tfp_tree_baseline(tree, row, metric) > 0;
}

bool tfp_tree_bounds(const struct tfp_tree *tree, uint32_t row, const struct tfp_column *column,
		     struct tfp_figure *bounds)
{
	const struct tfp_base *base = tree->base;
	size_t at = (size_t)row * base->metric_count + column->metric;
	bool self = column->kind == TFP_COLUMN_SELF;
	int64_t value = self ? tfp_tree_self(tree, row, column->metric)
			     : tfp_tree_total(tree, row, column->metric);

	if (column->kind >= TFP_COLUMN_LAUNCH)
		return launch_bounds(base, row, tfp_launch_of(column), bounds);
	if (!base->bounds || base->precision[at] & TFP_UNKNOWN)
		return false;
	/* The total of a row that stands for itself, as in a list, is its self value. */
	if (!self && value == base->self[at] && value != base->total[at])
		self = true;
	*bounds = base->bounds[2 * at + !self];
	bounds->value = value;
	return true;
}
