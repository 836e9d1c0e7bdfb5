/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a tree, with the columns of the screen, as a sheet.
 */
#include "report/listing.h"
#include "report/sheet/sheet.h"

/* ---- rows --------------------------------------------------------------------------------------- */

bool tfp_table_holds(const struct tfp_tree *tree, uint32_t row)
{
	return !(tree->base->flags[row] & TFP_ROW_LINK);
}

struct tfp_table_row *tfp_table_all(const struct tfp_tree *tree, int order, bool reverse,
				    size_t *count)
{
	TFP_ARRAY(struct tfp_table_row) rows = {0};
	struct tfp_listing listing;
	struct tfp_table_row row;

	tfp_listing_start(&listing, tree);
	listing.order = order;
	listing.reverse = reverse;
	while (tfp_listing_next(&listing, &row))
		if (tfp_table_holds(tree, row.row))
			*tfp_array_push(&rows) = row;
	tfp_listing_free(&listing);
	*count = rows.count;
	return rows.at;
}

/* The row that shares of row INDEX are of. */
static uint32_t whole_of(const struct tfp_table *table, size_t index)
{
	uint32_t above = table->rows[index].above;

	return table->of_root || above == TFP_NONE ? table->tree->root : above;
}

/* ---- columns ------------------------------------------------------------------------------------ */

static const char *const kinds[] = {
	[TFP_COLUMN_TOTAL] = "total",           [TFP_COLUMN_SELF] = "self",
	[TFP_COLUMN_PERCENT] = "share",         [TFP_COLUMN_BAR] = "bar",
	[TFP_COLUMN_RUNNING] = "running share", [TFP_COLUMN_RUNS] = "runs",
	[TFP_COLUMN_DEFINED] = "defined",       [TFP_COLUMN_RATE] = "rate",
	[TFP_COLUMN_DIFFERENCE] = "difference", [TFP_COLUMN_RATIO] = "ratio",
	[TFP_COLUMN_BASELINE] = "baseline",     [TFP_COLUMN_PEAK] = "share of the peak",
	[TFP_COLUMN_BUSY] = "busy share",       [TFP_COLUMN_SINCE] = "since",
	[TFP_COLUMN_GRID] = "launch",           [TFP_COLUMN_BLOCK] = "launch",
	[TFP_COLUMN_REGISTERS] = "launch",      [TFP_COLUMN_SHARED] = "launch",
	[TFP_COLUMN_OCCUPANCY] = "launch",
};

/* In place of a metric; and the unit of what is behind the text. */
static const struct {
	const char *key, *unit;
} launches[] = {
	{"grid", "count"},   {"block", "count"},       {"registers", "count"},
	{"shared", "bytes"}, {"occupancy", "percent"},
};

/*
 * A figure of a printed report has as many digits as were printed, and one of how kernels were launched is of several
 * of them: for programs its column is followed by two that say between what it lies.
 */
enum part { FIGURE, LOW, HIGH, PARTS };

static const char *const part_names[] = {[FIGURE] = "", [LOW] = " low", [HIGH] = " high"};

enum { KNOWN_OP, KNOWN_SHAPE, KNOWN_STACK, KNOWN_FLOPS, KNOWN };

static const char *const known_names[] = {
	[KNOWN_OP] = "op",
	[KNOWN_SHAPE] = "shape",
	[KNOWN_STACK] = "stack",
	[KNOWN_FLOPS] = "float_ops",
};

/* A table on its way into a sheet. */
struct making {
	const struct tfp_table *table;
	bool people;
	struct {
		const struct tfp_column *column; /* NULL: coverage */
		enum part part;
	} shown[TFP_MAX_COLUMNS * PARTS + KNOWN]; /* what each column of the sheet is */
	struct tfp_sheet_column columns[TFP_MAX_COLUMNS * PARTS + KNOWN];
	size_t count, coverage; /* columns; the first of coverage */
	struct tfp_arena arena;
	struct tfp_arena *named; /* the name asked for last */
};

static bool is_launch(const struct tfp_column *column)
{
	return column->kind >= TFP_COLUMN_LAUNCH;
}

static const char *unit_of(const struct tfp_table *table, const struct tfp_column *column,
			   enum part part)
{
	if (is_launch(column))
		return part == FIGURE ? tfp_sheet_unit(TFP_WORDS)
				      : launches[column->kind - TFP_COLUMN_LAUNCH].unit;
	if (column->kind == TFP_COLUMN_PERCENT || column->kind == TFP_COLUMN_RUNNING ||
	    column->kind == TFP_COLUMN_PEAK || column->kind == TFP_COLUMN_BUSY)
		return "percent";
	if (column->kind == TFP_COLUMN_RATIO)
		return "ratio";
	if (column->kind == TFP_COLUMN_RATE)
		return tfp_sheet_unit(TFP_RATE);
	if (column->kind == TFP_COLUMN_DEFINED)
		return tfp_sheet_unit(TFP_COUNT);
	if (column->kind == TFP_COLUMN_SINCE)
		return tfp_sheet_unit(TFP_MICROS);
	return tfp_sheet_unit(table->tree->base->metrics[column->metric].unit);
}

/* A text instead of a number? */
static bool is_word(const struct tfp_table *table, const struct tfp_column *column)
{
	return column->kind == TFP_COLUMN_TOTAL &&
	       table->tree->base->metrics[column->metric].unit == TFP_WORDS;
}

/* Does COLUMN stand for figures of which only bounds are known? */
static bool is_bounded(const struct tfp_table *table, const struct tfp_column *column)
{
	bool figure = column->kind == TFP_COLUMN_SELF || column->kind == TFP_COLUMN_TOTAL;

	if (is_launch(column))
		return true;
	return figure && table->tree->base->bounds && !is_word(table, column);
}

/* The words that head the columns of shares on the screen mean nothing in a file: "TIME share (percent)". */
static void add_column(struct making *making, const struct tfp_column *column, enum part part)
{
	const struct tfp_metric *metric = &making->table->tree->base->metrics[column->metric];
	bool named = column->kind == TFP_COLUMN_DEFINED || is_launch(column);
	const char *unit = unit_of(making->table, column, part);
	char *kind =
		tfp_arena_printf(&making->arena, "%s%s", kinds[column->kind], part_names[part]);

	making->shown[making->count].column = column;
	making->shown[making->count].part = part;
	making->columns[making->count++] = (struct tfp_sheet_column){
		.title = column->title,
		.head = tfp_arena_printf(&making->arena, "%s %s (%s)",
					 named ? column->title : metric->title, kind, unit),
		.kind = kind,
		.metric = is_launch(column) ? launches[column->kind - TFP_COLUMN_LAUNCH].key
					    : metric->key,
		.unit = unit,
	};
}

/* A bar says nothing that the share beside it does not. */
static void add_columns(struct making *making)
{
	for (size_t i = 0; i < making->table->column_count; i++) {
		const struct tfp_column *column = &making->table->columns[i];

		if (column->kind == TFP_COLUMN_BAR)
			continue;
		add_column(making, column, FIGURE);
		if (!making->people && is_bounded(making->table, column)) {
			add_column(making, column, LOW);
			add_column(making, column, HIGH);
		}
	}
}

/* Of a recording: the share of its time of which WHAT is known; -1: nothing is measured. */
static double coverage_of(const struct tfp_tree *tree, size_t what)
{
	const struct tfp_coverage *coverage = &tree->base->coverage;
	const double parts[] = {
		[KNOWN_OP] = coverage->op,
		[KNOWN_SHAPE] = coverage->shape,
		[KNOWN_STACK] = coverage->stack,
		[KNOWN_FLOPS] = coverage->flops,
	};

	return coverage->whole > 0 ? parts[what] / coverage->whole : -1;
}

/* CSV has no place for what is of the whole: it stands in the first row, behind all else. */
static void add_coverage(struct making *making)
{
	making->coverage = making->count;
	if (coverage_of(making->table->tree, KNOWN_OP) < 0)
		return;
	for (size_t i = 0; i < KNOWN; i++)
		making->columns[making->count++] = (struct tfp_sheet_column){
			.head = tfp_arena_printf(&making->arena, "coverage %s (percent)",
						 known_names[i]),
		};
}

/* ---- names and cells ---------------------------------------------------------------------------- */

/* For people the name as it stands below the one above it, two columns further right. */
static struct tfp_span name_of(const void *data, size_t index, uint32_t *depth)
{
	const struct making *making = data;
	const struct tfp_table *table = making->table;
	const struct tfp_table_row *row = &table->rows[index];
	uint32_t above = row->above == TFP_NONE ? row->row : row->above;
	bool apart = making->people && table->apart;

	*depth = apart ? 0 : row->depth;
	if (apart || !making->people || table->tree->query.flat) {
		tfp_arena_free(making->named);
		return tfp_tree_full_name(table->tree, row->row, making->named);
	}
	return tfp_tree_name(table->tree, row->row, above);
}

static void fill_word(const struct tfp_table *table, size_t index, const struct tfp_column *column,
		      struct tfp_sheet_cell *cell)
{
	const struct tfp_tree *tree = table->tree;
	int64_t value = tfp_tree_total(tree, table->rows[index].row, column->metric);

	tfp_sheet_put_words(cell, tfp_metric_word(tree->base, column->metric, value));
}

/* As it is on the screen: "1.42ms", "-". */
static void fill_drawn(const struct tfp_table *table, size_t index, const struct tfp_column *column,
		       struct tfp_sheet_cell *cell)
{
	struct tfp_cell drawn;

	tfp_tree_cell(table->tree, table->rows[index].row, whole_of(table, index), column, &drawn);
	cell->kind = TFP_SHEET_FIGURE;
	strcpy(cell->figure, drawn.text);
	if (is_launch(column) && drawn.dim)
		cell->kind = TFP_SHEET_UNKNOWN;
}

/* What programs read of how kernels were launched is a text: "8x2", "16-64". */
static void fill_launch(const struct tfp_table *table, size_t index,
			const struct tfp_column *column, struct tfp_sheet_cell *cell)
{
	fill_drawn(table, index, column, cell);
	if (cell->kind != TFP_SHEET_UNKNOWN)
		tfp_sheet_put_words(cell, tfp_span_of(cell->figure));
}

static void fill_bound(const struct tfp_column *column, int64_t bound, struct tfp_sheet_cell *cell)
{
	if (column->kind == TFP_COLUMN_OCCUPANCY)
		tfp_sheet_put_real(cell, (double)bound / 100);
	else
		tfp_sheet_put_integer(cell, bound);
}

static void fill_number(const struct tfp_table *table, size_t index,
			const struct tfp_column *column, enum part part,
			struct tfp_sheet_cell *cell)
{
	uint32_t row = table->rows[index].row;
	struct tfp_figure bounds;
	struct tfp_value value;

	if (!tfp_tree_value(table->tree, row, whole_of(table, index), column, &value))
		return;
	if (part == FIGURE && value.whole)
		tfp_sheet_put_integer(cell, value.integer);
	else if (part == FIGURE)
		tfp_sheet_put_real(cell, value.real);
	else if (tfp_tree_bounds(table->tree, row, column, &bounds))
		fill_bound(column, part == LOW ? bounds.low : bounds.high, cell);
}

static void fill(const void *data, size_t index, size_t place, struct tfp_sheet_cell *cell)
{
	const struct making *making = data;
	const struct tfp_table *table = making->table;
	const struct tfp_column *column = making->shown[place].column;
	enum part part = making->shown[place].part;

	if (!column) {
		if (!index)
			tfp_sheet_put_real(
				cell, 100 * coverage_of(table->tree, place - making->coverage));
		return;
	}
	if (is_word(table, column))
		fill_word(table, index, column, cell);
	else if (making->people)
		fill_drawn(table, index, column, cell);
	else if (is_launch(column) && part == FIGURE)
		fill_launch(table, index, column, cell);
	else
		fill_number(table, index, column, part, cell);
}

/* ---- what stands in front of them --------------------------------------------------------------- */

static void write_coverage(struct tfp_sheet_text *text, const struct tfp_tree *tree,
			   struct tfp_arena *arena)
{
	for (size_t i = 0; i < KNOWN; i++)
		tfp_sheet_number(text,
				 tfp_arena_printf(arena, "%s\"%s\": ",
						  i ? ", " : ",\n \"coverage\": {", known_names[i]),
				 coverage_of(tree, i));
	tfp_sheet_raw(text, "}");
}

static void write_members(const void *data, struct tfp_sheet_text *text)
{
	const struct making *making = data;
	const struct tfp_tree *tree = making->table->tree;
	struct tfp_arena arena = {0};

	tfp_sheet_raw(text, "{\"format\": \"tfprof-table\", \"version\": 1");
	tfp_sheet_member(text, ",\n \"view\": ", tree->base->view->name);
	tfp_sheet_member(text, ",\n \"query\": ", tfp_query_command(&tree->query, &arena));
	tfp_sheet_member(text, ",\n \"shares\": ", making->table->of_root ? "whole" : "parent");
	if (coverage_of(tree, KNOWN_OP) >= 0)
		write_coverage(text, tree, &arena);
	tfp_arena_free(&arena);
}

bool tfp_table_write(FILE *out, const struct tfp_table *table, enum tfp_table_format format,
		     struct tfp_diag *diag)
{
	struct tfp_arena named = {0};
	struct making making = {
		.table = table,
		.people = tfp_sheet_for_people(format),
		.named = &named,
	};
	struct tfp_sheet sheet = {
		.columns = making.columns,
		.count = table->count,
		.paths = table->tree->base->view->listing,
		.path = table->path,
		.job = table->job,
		.data = &making,
		.name = name_of,
		.fill = fill,
		.members = write_members,
	};
	bool written;

	add_columns(&making);
	if (format == TFP_TABLE_CSV)
		add_coverage(&making);
	sheet.column_count = making.count;
	written = tfp_sheet_write(out, &sheet, format, diag);
	tfp_arena_free(&making.arena);
	tfp_arena_free(&named);
	return written;
}
