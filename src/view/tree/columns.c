/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells: the texts of the columns' figures. What is unknown in a row is "-", never 0.
 */
#include <stdio.h>
#include <string.h>

#include "view/base.h"
#include "view/trace/launch.h"
#include "view/trace/lengths.h"
#include "view/tree/cells.h"
#include "tfprof/columns.h"

/* What rounds to a unit that counts do not have: rates may need it. */
#define EXA_LEAST 999.995e15
/* From here on ratios say only this: the column has room for 7 cells. */
#define RATIO_MOST  999.995
#define RATIO_LEAST -99.995

void tfp_columns_exact(struct tfp_column *at, size_t count)
{
	static const int least[] = {
		[TFP_COLUMN_TOTAL] = 15,      [TFP_COLUMN_SELF] = 15,    [TFP_COLUMN_BASELINE] = 15,
		[TFP_COLUMN_DIFFERENCE] = 16, [TFP_COLUMN_DEFINED] = 10, [TFP_COLUMN_RUNS] = 10,
		[TFP_COLUMN_SHARED] = 17,     [TFP_COLUMN_SINCE] = 13,
	};

	for (size_t i = 0; i < count; i++) {
		enum tfp_column_kind kind = at[i].kind;
		int width = kind < sizeof(least) / sizeof(*least) ? least[kind] : 0;

		at[i].exact = true;
		if (at[i].width < width && at[i].title != tfp_column_flop)
			at[i].width = width;
	}
}

/* ---- comparisons ------------------------------------------------------------------------------ */

char *tfp_difference_text(char text[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t difference)
{
	char number[TFP_NUMBER_ROOM];

	tfp_number_screen(number, unit, difference);
	snprintf(text, TFP_NUMBER_ROOM, "%s%.*s", difference > 0 ? "+" : "", TFP_NUMBER_ROOM - 2,
		 number);
	return text;
}

char *tfp_ratio_text(char text[TFP_NUMBER_ROOM], int64_t value, int64_t baseline,
		     enum tfp_side side)
{
	double ratio = baseline > 0 ? (double)value / (double)baseline : 0;

	if (side == TFP_SIDE_HERE)
		strcpy(text, "new");
	else if (side == TFP_SIDE_THERE)
		strcpy(text, "gone");
	else if (baseline <= 0)
		strcpy(text, "-");
	else if (ratio >= RATIO_MOST)
		strcpy(text, ">999x");
	else if (ratio <= RATIO_LEAST)
		strcpy(text, "<-99x");
	else
		snprintf(text, TFP_NUMBER_ROOM, "%.2fx", ratio);
	return text;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* What a cell is about. */
struct place {
	const struct tfp_tree *tree;
	uint32_t row, parent;
	const struct tfp_column *column;
};

bool tfp_tree_known(const struct tfp_tree *tree, uint32_t row, uint32_t metric, int64_t value)
{
	const struct tfp_base *base = tree->base;
	const struct tfp_metric *about = &base->metrics[metric];

	if (about->absent)
		return false;
	if (value)
		return true;
	return about->kind < TFP_SPREAD &&
	       (about->kind != TFP_OWN || base->flags[row] & TFP_ROW_ACCOUNTED);
}

/* Unknown is not zero. */
static void put_unknown(struct tfp_cell *cell)
{
	strcpy(cell->text, "-");
	cell->dim = true;
}

/* Is any of BITS (enum tfp_precision) unknown of the figure? */
static bool lacks(const struct place *at, unsigned int bits)
{
	const struct tfp_base *base = at->tree->base;

	return base->precision &&
	       base->precision[(size_t)at->row * base->metric_count + at->column->metric] & bits;
}

/* Is the figure one whose last digits nobody knows? */
static bool is_rounded(const struct place *at)
{
	if (at->column->kind == TFP_COLUMN_DEFINED)
		return false;
	return lacks(at,
		     at->column->kind == TFP_COLUMN_SELF ? TFP_SELF_ROUNDED : TFP_TOTAL_ROUNDED);
}

const char *tfp_unit_sign(enum tfp_unit unit)
{
	static const char *const signs[] = {
		[TFP_BYTES] = "B",  [TFP_MICROS] = "us", [TFP_NANOS] = "ns",
		[TFP_PICOS] = "ps", [TFP_RATE] = "/s",
	};

	return unit < sizeof(signs) / sizeof(*signs) && signs[unit] ? signs[unit] : "";
}

static void print_number(const struct place *at, char text[TFP_NUMBER_ROOM], enum tfp_unit unit,
			 int64_t value)
{
	if (at->column->exact && unit < TFP_DATE && !is_rounded(at))
		strcat(tfp_number_exact(text, value), tfp_unit_sign(unit));
	else
		tfp_number_screen(text, unit, value);
}

/* The text that VALUE stands for; what has none is empty. */
static void put_word(const struct place *at, struct tfp_cell *cell, int64_t value)
{
	struct tfp_span word = tfp_metric_word(at->tree->base, at->column->metric, value);

	tfp_text_clean(cell->text, sizeof(cell->text), word, false);
}

static void put_number(const struct place *at, struct tfp_cell *cell, int64_t value)
{
	const struct tfp_metric *metric = &at->tree->base->metrics[at->column->metric];

	if (!tfp_tree_known(at->tree, at->row, at->column->metric, value) ||
	    lacks(at, TFP_UNKNOWN)) {
		put_unknown(cell);
		return;
	}
	if (metric->unit == TFP_WORDS)
		put_word(at, cell, value);
	else
		print_number(at, cell->text, metric->unit, value);
	cell->dim = !value;
}

/*
 * An op without float operations is one whose float operations nobody counted. Each figure has the unit that fits it, as
 * times and bytes have, so that all fit in 7 cells: "868.50T".
 */
static void put_operations(struct tfp_cell *cell, double value)
{
	if (value <= 0)
		put_unknown(cell);
	else if (value >= 1000 * EXA_LEAST)
		strcpy(cell->text, ">999E");
	else if (value >= EXA_LEAST)
		snprintf(cell->text, sizeof(cell->text), "%.2fE", value / 1e18);
	else
		tfp_number_screen(cell->text, TFP_COUNT, (int64_t)(value + 0.5));
}

/* Percents in 5 cells. */
static void put_percents(struct tfp_cell *cell, double percents)
{
	if (percents >= 99999.5)
		strcpy(cell->text, ">99k");
	else
		snprintf(cell->text, sizeof(cell->text), "%.*f",
			 percents < 999.95 && percents > -99.95, percents);
}

static void put_share(struct tfp_cell *cell, int64_t value, int64_t whole)
{
	if (whole <= 0) {
		put_unknown(cell);
		return;
	}
	cell->fraction = (double)value / (double)whole;
	put_percents(cell, 100 * cell->fraction);
	cell->dim = !value;
}

/* Devices are busy; causes and gaps are not. */
static bool is_never_busy(const struct place *at)
{
	const struct tfp_base *base = at->tree->base;

	return base->idle && at->column->metric == TFP_TRACE_BUSY && at->row &&
	       base->parent[at->row];
}

static void put_total(const struct place *at, struct tfp_cell *cell)
{
	int64_t value = tfp_tree_total(at->tree, at->row, at->column->metric);

	if (is_never_busy(at))
		return;
	if (at->column->title == tfp_column_flop)
		put_operations(cell, (double)value);
	else
		put_number(at, cell, value);
}

static void put_self(const struct place *at, struct tfp_cell *cell)
{
	if (at->tree->base->flags[at->row] & TFP_ROW_ACCOUNTED)
		put_number(at, cell, tfp_tree_self(at->tree, at->row, at->column->metric));
	else
		put_unknown(cell);
}

static void put_percent(const struct place *at, struct tfp_cell *cell)
{
	if (lacks(at, TFP_UNKNOWN))
		put_unknown(cell);
	else
		put_share(cell, tfp_tree_total(at->tree, at->row, at->column->metric),
			  tfp_tree_total(at->tree, at->parent, at->column->metric));
}

static void put_bar(const struct place *at, struct tfp_cell *cell)
{
	put_percent(at, cell);
	*cell->text = '\0';
}

/* The share of the whole that this row and those before it make, by the order of the query. */
static void put_running(const struct place *at, struct tfp_cell *cell)
{
	const struct tfp_tree *tree = at->tree;
	uint32_t metric = at->column->metric;
	uint64_t whole = (uint64_t)tfp_tree_total(tree, tree->root, metric), from_here;

	if (at->row == tree->root || !tree->running || at->parent != tree->root) {
		put_unknown(cell);
		return;
	}
	from_here = (uint64_t)tree->running[(size_t)at->row * tree->base->metric_count + metric];
	put_share(cell,
		  (int64_t)(whole - from_here + (uint64_t)tfp_tree_total(tree, at->row, metric)),
		  (int64_t)whole);
}

static void put_defined(const struct place *at, struct tfp_cell *cell)
{
	const struct tfp_base *base = at->tree->base;
	int64_t nodes = tfp_tree_nodes(at->tree, at->row);

	if (!nodes && base->bounds) { /* a printed report without counts */
		put_unknown(cell);
		return;
	}
	print_number(at, cell->text, TFP_COUNT, nodes);
	cell->dim = !nodes;
}

static const double seconds_in[] = {[TFP_MICROS] = 1e6, [TFP_NANOS] = 1e9, [TFP_PICOS] = 1e12};

uint32_t tfp_rate_time(const struct tfp_base *base)
{
	return base->traced ? (uint32_t)TFP_TRACE_BUSY : (uint32_t)TFP_TF_MICROS;
}

double tfp_rate(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	const struct tfp_base *base = tree->base;
	uint32_t time = tfp_rate_time(base);
	int64_t spent = tfp_tree_total(tree, row, time);

	if (spent <= 0)
		return 0;
	return (double)tfp_tree_total(tree, row, metric) * seconds_in[base->metrics[time].unit] /
	       (double)spent;
}

double tfp_rate_peak(const struct tfp_base *base, uint32_t metric)
{
	if (!base->traced)
		return 0;
	return metric == TFP_TRACE_FLOPS   ? base->peak_flops
	       : metric == TFP_TRACE_BYTES ? base->peak_bandwidth
					   : 0;
}

static void put_rate(const struct place *at, struct tfp_cell *cell)
{
	put_operations(cell, tfp_rate(at->tree, at->row, at->column->metric));
}

/* Not the fraction of a bar: several devices at once do more than one can. */
static void put_peak(const struct place *at, struct tfp_cell *cell)
{
	double rate = tfp_rate(at->tree, at->row, at->column->metric);

	if (rate <= 0)
		put_unknown(cell);
	else
		put_percents(cell, 100 * rate / tfp_rate_peak(at->tree->base, at->column->metric));
}

static void put_busy(const struct place *at, struct tfp_cell *cell)
{
	double share = tfp_busy_share(at->tree, at->row);

	if (share < 0)
		put_unknown(cell);
	else
		put_percents(cell, 100 * share);
}

static void put_since(const struct place *at, struct tfp_cell *cell)
{
	const struct tfp_base *base = at->tree->base;
	int64_t since = base->since[at->row];

	if (!since)
		put_unknown(cell);
	else if (tfp_curve_before(base->curve, since - 1))
		strcpy(cell->text, "before");
	else
		print_number(at, cell->text, TFP_MICROS, since - 1);
}

static void put_launch(const struct place *at, struct tfp_cell *cell)
{
	enum tfp_launch_figure figure = tfp_launch_of(at->column);
	const struct tfp_launch *launch = tfp_launch_known(at->tree->base, at->row, figure);

	if (launch)
		tfp_launch_cell(cell->text, launch, figure, at->column->exact);
	else
		put_unknown(cell);
}

/* Unknown on either side is not comparable, nor is a row that has nothing beside it. */
static bool is_comparable(const struct place *at)
{
	const struct tfp_base *base = at->tree->base;

	return at->tree->baseline && tfp_tree_side(at->tree, at->row) != TFP_SIDE_NONE &&
	       !base->metrics[at->column->metric].absent &&
	       !(base->baseline_absent >> at->column->metric & 1);
}

/* Nor is what neither side has: what is no step has no length that could be gone. */
static bool is_compared(const struct place *at)
{
	uint32_t metric = at->column->metric;

	return is_comparable(at) &&
	       tfp_tree_known(at->tree, at->row, metric,
			      tfp_tree_total(at->tree, at->row, metric) |
				      tfp_tree_baseline(at->tree, at->row, metric));
}

/* "+1.42ms": the sign says which of the two is more. */
static void put_difference(const struct place *at, struct tfp_cell *cell)
{
	int64_t value = tfp_tree_difference(at->tree, at->row, at->column->metric);
	enum tfp_unit unit = at->tree->base->metrics[at->column->metric].unit;

	if (!is_compared(at)) {
		put_unknown(cell);
		return;
	}
	if (!at->column->exact)
		tfp_difference_text(cell->text, unit, value);
	else
		print_number(at, value > 0 ? stpcpy(cell->text, "+") : cell->text, unit, value);
	cell->dim = !value;
}

static void put_ratio(const struct place *at, struct tfp_cell *cell)
{
	const struct tfp_tree *tree = at->tree;
	uint32_t metric = at->column->metric;

	if (!is_compared(at)) {
		put_unknown(cell);
		return;
	}
	tfp_ratio_text(cell->text, tfp_tree_total(tree, at->row, metric),
		       tfp_tree_baseline(tree, at->row, metric), tfp_tree_side(tree, at->row));
	cell->dim = !strcmp(cell->text, "-");
}

static void put_baseline(const struct place *at, struct tfp_cell *cell)
{
	if (is_comparable(at))
		put_number(at, cell, tfp_tree_baseline(at->tree, at->row, at->column->metric));
	else
		put_unknown(cell);
}

static void (*const put[])(const struct place *at, struct tfp_cell *cell) = {
	[TFP_COLUMN_TOTAL] = put_total,
	[TFP_COLUMN_SELF] = put_self,
	[TFP_COLUMN_PERCENT] = put_percent,
	[TFP_COLUMN_BAR] = put_bar,
	[TFP_COLUMN_RUNNING] = put_running,
	[TFP_COLUMN_RUNS] = put_total,
	[TFP_COLUMN_DEFINED] = put_defined,
	[TFP_COLUMN_RATE] = put_rate,
	[TFP_COLUMN_DIFFERENCE] = put_difference,
	[TFP_COLUMN_RATIO] = put_ratio,
	[TFP_COLUMN_BASELINE] = put_baseline,
	[TFP_COLUMN_PEAK] = put_peak,
	[TFP_COLUMN_BUSY] = put_busy,
	[TFP_COLUMN_SINCE] = put_since,
	[TFP_COLUMN_GRID] = put_launch,
	[TFP_COLUMN_BLOCK] = put_launch,
	[TFP_COLUMN_REGISTERS] = put_launch,
	[TFP_COLUMN_SHARED] = put_launch,
	[TFP_COLUMN_OCCUPANCY] = put_launch,
};

void tfp_tree_cell(const struct tfp_tree *tree, uint32_t row, uint32_t parent,
		   const struct tfp_column *column, struct tfp_cell *cell)
{
	struct place at = {tree, row, parent, column};

	*cell = (struct tfp_cell){.fraction = -1};
	put[column->kind](&at, cell);
}

/* ---- what is worth its room ------------------------------------------------------------------- */

#define LOOKED_AT 1000 /* rows of a list */

/* Is the total of METRIC in ROW, or what the baseline has, more than nothing? */
static bool is_any(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	return tfp_tree_total(tree, row, metric) ||
	       (tree->baseline && tfp_tree_baseline(tree, row, metric));
}

/* The same of any row: a list does not show the root, and its rows may have less. */
static bool is_any_shown(const struct tfp_tree *tree, uint32_t metric)
{
	const uint32_t *rows = tree->child + tree->child_first[tree->root];
	bool any = is_any(tree, tree->root, metric);

	if (!any || !tree->query.flat)
		return any;
	for (uint32_t i = 0; i < tree->child_count[tree->root] && i < LOOKED_AT; i++)
		if (is_any(tree, rows[i], metric))
			return true;
	return false;
}

/* Is the time in which devices are busy about that on them? They hardly ever did two things at once then. */
static bool is_busy_alone(const struct tfp_tree *tree)
{
	int64_t time = tfp_tree_total(tree, tree->root, TFP_TRACE_DEVICE);

	return tfp_tree_total(tree, tree->root, TFP_TRACE_BUSY) > time / 100 * 99;
}

bool tfp_column_says(const struct tfp_tree *tree, const struct tfp_column *column)
{
	const struct tfp_base *base = tree->base;
	bool rate = column->kind == TFP_COLUMN_RATE || column->kind == TFP_COLUMN_PEAK;

	if (!base->traced)
		return true;
	if (column->kind == TFP_COLUMN_SELF)
		return !base->track;
	if (!rate && column->kind != TFP_COLUMN_TOTAL)
		return true;
	if (base->curve)
		return base->metrics[column->metric].unit == TFP_BYTES && !rate;
	if (column->metric == TFP_TRACE_BUSY && !rate && (base->idle || is_busy_alone(tree)))
		return false;
	return base->metrics[column->metric].kind >= TFP_OWN || is_any_shown(tree, column->metric);
}
