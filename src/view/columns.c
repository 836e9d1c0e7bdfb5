/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns and cells: which figures come with a lens in a view, and their texts. What a file does
 * not hold has no column; what is unknown in a row is "-", never 0.
 */
#include <stdio.h>
#include <string.h>

#include "view/base.h"

#define GIGA 1e9

/* Where a column is offered. */
enum where {
	TREES = 1, /* shares are of the parent */
	LISTS = 2, /* op types and whatever is flat: shares are of the whole */
	CALLS = 4, /* functions: a list in which total and self differ */
	TIMES = 8, /* with a lens of time */
	MEMORY = 16,
	FLOPS = 32,
	OTHERS = 64,      /* with any other lens */
	COMPARED = 256,   /* where there is a baseline */
	TENSORFLOW = 128, /* in TensorFlow's profiles only */
	VIEWS = TREES | LISTS | CALLS,
	LENSES = TIMES | MEMORY | FLOPS | OTHERS,
};

static const char gflop[] = "GFLOP"; /* the column whose unit does not change from row to row */

#define LEAD TFP_NONE /* as metric: the lead */

/* In the order in which they stand on the screen. */
static const struct {
	struct tfp_column column;
	unsigned where;
} table[] = {
	{{TFP_COLUMN_TOTAL, LEAD, NULL, 9, 100, false}, VIEWS | LENSES},
	{{TFP_COLUMN_DIFFERENCE, LEAD, "DIFF", 10, 98, false}, VIEWS | LENSES | COMPARED},
	{{TFP_COLUMN_RATIO, LEAD, "RATIO", 7, 96, false}, VIEWS | LENSES | COMPARED},
	{{TFP_COLUMN_BASELINE, LEAD, "BASELINE", 9, 65, false}, VIEWS | LENSES | COMPARED},
	{{TFP_COLUMN_PERCENT, LEAD, "%", 5, 90, false}, VIEWS | LENSES},
	{{TFP_COLUMN_RUNNING, LEAD, "SUM%", 5, 50, false}, LISTS | LENSES},
	{{TFP_COLUMN_BAR, LEAD, "of parent", 10, 60, false}, TREES | LENSES},
	{{TFP_COLUMN_BAR, LEAD, "", 10, 60, false}, LISTS | CALLS | LENSES},
	{{TFP_COLUMN_SELF, LEAD, "SELF", 9, 80, false}, TREES | CALLS | LENSES},
	{{TFP_COLUMN_RUNS, TFP_TF_RUNS, "RAN", 7, 70, false},
	 VIEWS | TIMES | MEMORY | FLOPS | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_FLOAT_OPS, gflop, 7, 40, false}, LISTS | TIMES | TENSORFLOW},
	{{TFP_COLUMN_RATE, TFP_TF_FLOAT_OPS, "GF/s", 7, 45, false},
	 VIEWS | TIMES | FLOPS | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_ACCELERATOR_MICROS, "ACCEL", 9, 37, false},
	 VIEWS | TIMES | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_CPU_MICROS, "CPU", 9, 36, false}, VIEWS | TIMES | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_PEAK_BYTES, "SUM PEAK", 9, 35, false},
	 VIEWS | MEMORY | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_RESIDUAL_BYTES, "RESIDUAL", 9, 34, false},
	 VIEWS | MEMORY | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_OUTPUT_BYTES, "OUTPUT", 9, 33, false},
	 VIEWS | MEMORY | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_MICROS, "TIME", 9, 32, false}, VIEWS | LENSES | TENSORFLOW},
	{{TFP_COLUMN_TOTAL, TFP_TF_BYTES, "MEMORY", 9, 25, false}, VIEWS | TIMES | TENSORFLOW},
	{{TFP_COLUMN_DEFINED, LEAD, "DEFINED", 8, 38, false}, TREES | LISTS | LENSES},
};

/* The bits of enum where that hold for TREE and its lead METRIC. */
static unsigned where_of(const struct tfp_tree *tree, uint32_t metric)
{
	const struct tfp_base *base = tree->base;
	unsigned where = TREES;

	if (base->view == &tfp_view_functions)
		where = CALLS;
	else if (tree->query.flat || base->view->rules->list)
		where = LISTS;
	if (!base->tensorflow)
		return where | OTHERS;
	if (base->metrics[metric].unit == TFP_MICROS)
		where |= TIMES;
	else if (base->metrics[metric].unit == TFP_BYTES)
		where |= MEMORY;
	else
		where |= metric == TFP_TF_FLOAT_OPS ? FLOPS : OTHERS;
	return where | TENSORFLOW;
}

static bool is_offered(const struct tfp_tree *tree, size_t i, uint32_t lead)
{
	const struct tfp_column *column = &table[i].column;
	unsigned where = where_of(tree, lead);

	if (!(table[i].where & where & VIEWS) || !(table[i].where & where & LENSES))
		return false;
	if (table[i].where & TENSORFLOW && !(where & TENSORFLOW))
		return false;
	if (table[i].where & COMPARED && !tree->baseline)
		return false;
	if (column->kind == TFP_COLUMN_RUNNING && !tree->running)
		return false;
	if (column->kind == TFP_COLUMN_RATE && tree->base->metrics[TFP_TF_MICROS].absent)
		return false;
	if (column->metric == LEAD)
		return true;
	return column->metric != lead && !tree->base->metrics[column->metric].absent;
}

/* Sample types beside the lead. */
static size_t add_metrics(const struct tfp_tree *tree, uint32_t lead, struct tfp_column *out,
			  size_t count, size_t room)
{
	for (uint32_t i = 0; i < tree->base->metric_count && count < room; i++)
		if (i != lead && !tree->base->metrics[i].absent)
			out[count++] = (struct tfp_column){
				TFP_COLUMN_TOTAL, i, tree->base->metrics[i].title, 9, 20, false};
	return count;
}

size_t tfp_columns(const struct tfp_tree *tree, uint32_t lead_metric, struct tfp_column *out,
		   size_t room)
{
	size_t count = 0;

	if (tree->base->view->text)
		return 0;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table) && count < room; i++) {
		if (!is_offered(tree, i, lead_metric))
			continue;
		out[count] = table[i].column;
		if (out[count].metric == LEAD)
			out[count].metric = lead_metric;
		if (!out[count].title)
			out[count].title = tree->base->metrics[lead_metric].title;
		count++;
	}
	return tree->base->tensorflow ? count : add_metrics(tree, lead_metric, out, count, room);
}

void tfp_columns_exact(struct tfp_column *at, size_t count)
{
	static const int least[] = {
		[TFP_COLUMN_TOTAL] = 15,      [TFP_COLUMN_SELF] = 15,    [TFP_COLUMN_BASELINE] = 15,
		[TFP_COLUMN_DIFFERENCE] = 16, [TFP_COLUMN_DEFINED] = 10, [TFP_COLUMN_RUNS] = 10,
	};

	for (size_t i = 0; i < count; i++) {
		enum tfp_column_kind kind = at[i].kind;
		int width = kind < sizeof(least) / sizeof(*least) ? least[kind] : 0;

		at[i].exact = true;
		if (at[i].width < width && at[i].title != gflop)
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
	else
		snprintf(text, TFP_NUMBER_ROOM, ratio < 1000 ? "%.2fx" : "%.3gx", ratio);
	return text;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* What a cell is about. */
struct place {
	const struct tfp_tree *tree;
	uint32_t row, parent;
	const struct tfp_column *column;
};

/* Unknown is not zero. */
static void put_unknown(struct tfp_cell *cell)
{
	strcpy(cell->text, "-");
	cell->dim = true;
}

static void print_number(const struct place *at, char text[TFP_NUMBER_ROOM], enum tfp_unit unit,
			 int64_t value)
{
	static const char *const units[] = {
		[TFP_COUNT] = "",   [TFP_BYTES] = "B",  [TFP_MICROS] = "us",
		[TFP_NANOS] = "ns", [TFP_PICOS] = "ps", [TFP_RATE] = "/s",
	};

	if (at->column->exact)
		strcat(tfp_number_exact(text, value), units[unit]);
	else
		tfp_number_screen(text, unit, value);
}

static void put_number(const struct place *at, struct tfp_cell *cell, int64_t value)
{
	const struct tfp_metric *metric = &at->tree->base->metrics[at->column->metric];

	if (metric->absent) {
		put_unknown(cell);
		return;
	}
	print_number(at, cell->text, metric->unit, value);
	cell->dim = !value;
}

/* An op without float operations is one whose float operations nobody counted. */
static void put_giga(struct tfp_cell *cell, double value, int digits)
{
	if (value <= 0)
		put_unknown(cell);
	else
		snprintf(cell->text, sizeof(cell->text), "%.*f", digits, value / GIGA);
}

static void put_share(struct tfp_cell *cell, int64_t value, int64_t whole)
{
	if (whole <= 0) {
		put_unknown(cell);
		return;
	}
	cell->fraction = (double)value / (double)whole;
	snprintf(cell->text, sizeof(cell->text), "%.1f", 100 * cell->fraction);
	cell->dim = !value;
}

static void put_total(const struct place *at, struct tfp_cell *cell)
{
	int64_t value = tfp_tree_total(at->tree, at->row, at->column->metric);

	if (at->column->title == gflop)
		put_giga(cell, (double)value, 2);
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
	int64_t nodes = at->tree->defined[at->row];

	/* Rows of call paths count their own nodes; the column is about what is below them too. */
	if (base->view == &tfp_view_code && !at->tree->query.flat)
		nodes = base->pick_first[base->end[at->row]] - base->pick_first[at->row];
	print_number(at, cell->text, TFP_COUNT, nodes);
	cell->dim = !nodes;
}

static void put_rate(const struct place *at, struct tfp_cell *cell)
{
	int64_t micros = tfp_tree_total(at->tree, at->row, TFP_TF_MICROS);
	int64_t operations = tfp_tree_total(at->tree, at->row, TFP_TF_FLOAT_OPS);

	if (micros > 0)
		put_giga(cell, (double)operations * 1e6 / (double)micros, 1);
	else
		put_unknown(cell);
}

/* Unknown on either side is not comparable. */
static bool is_comparable(const struct place *at)
{
	const struct tfp_base *base = at->tree->base;

	return at->tree->baseline && !base->metrics[at->column->metric].absent &&
	       !(base->baseline_absent >> at->column->metric & 1);
}

/* "+1.42ms": the sign says which of the two is more. */
static void put_difference(const struct place *at, struct tfp_cell *cell)
{
	int64_t value = tfp_tree_difference(at->tree, at->row, at->column->metric);
	enum tfp_unit unit = at->tree->base->metrics[at->column->metric].unit;

	if (!is_comparable(at)) {
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

	if (!is_comparable(at)) {
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
	[TFP_COLUMN_TOTAL] = put_total,           [TFP_COLUMN_SELF] = put_self,
	[TFP_COLUMN_PERCENT] = put_percent,       [TFP_COLUMN_BAR] = put_bar,
	[TFP_COLUMN_RUNNING] = put_running,       [TFP_COLUMN_RUNS] = put_total,
	[TFP_COLUMN_DEFINED] = put_defined,       [TFP_COLUMN_RATE] = put_rate,
	[TFP_COLUMN_DIFFERENCE] = put_difference, [TFP_COLUMN_RATIO] = put_ratio,
	[TFP_COLUMN_BASELINE] = put_baseline,
};

void tfp_tree_cell(const struct tfp_tree *tree, uint32_t row, uint32_t parent,
		   const struct tfp_column *column, struct tfp_cell *cell)
{
	struct place at = {tree, row, parent, column};

	*cell = (struct tfp_cell){.fraction = -1};
	put[column->kind](&at, cell);
}
