/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the drill-down pane as a sheet.
 */
#include "report/sheet/sheet.h"

/* What a cell is filled from. */
struct place {
	const struct tfp_breakdown *detail;
	const struct tfp_breakdown_row *row;
	bool people;
	struct tfp_arena *arena; /* for texts that are put together */
};

/* ---- cells ------------------------------------------------------------------------------------ */

static void put_whole(const struct place *at, struct tfp_sheet_cell *cell, enum tfp_unit unit,
		      int64_t value)
{
	if (!at->people) {
		tfp_sheet_put_integer(cell, value);
		return;
	}
	cell->kind = TFP_SHEET_FIGURE;
	tfp_number_screen(cell->figure, unit, value);
}

static bool is_compared(const struct place *at)
{
	return at->row->side != TFP_SIDE_NONE && !at->detail->absent;
}

static void put_value(const struct place *at, struct tfp_sheet_cell *cell)
{
	if (!at->detail->absent)
		put_whole(at, cell, at->detail->unit, at->row->value);
}

static void put_difference(const struct place *at, struct tfp_sheet_cell *cell)
{
	if (!is_compared(at))
		return;
	put_whole(at, cell, at->detail->unit, at->row->difference);
	if (at->people)
		tfp_difference_text(cell->figure, at->detail->unit, at->row->difference);
}

static void put_ratio(const struct place *at, struct tfp_sheet_cell *cell)
{
	const struct tfp_breakdown_row *row = at->row;

	if (!is_compared(at))
		return;
	if (at->people) {
		cell->kind = TFP_SHEET_FIGURE;
		tfp_ratio_text(cell->figure, row->value, row->baseline, row->side);
	} else if (row->side == TFP_SIDE_BOTH && row->baseline > 0) {
		tfp_sheet_put_real(cell, (double)row->value / (double)row->baseline);
	}
}

static void put_baseline(const struct place *at, struct tfp_sheet_cell *cell)
{
	if (is_compared(at))
		put_whole(at, cell, at->detail->unit, at->row->baseline);
}

static void put_share(const struct place *at, struct tfp_sheet_cell *cell)
{
	if (at->row->share < 0)
		return;
	tfp_sheet_put_real(cell, 100 * at->row->share);
	if (at->people)
		snprintf(cell->figure, sizeof(cell->figure), "%.1f", 100 * at->row->share);
}

static void put_runs(const struct place *at, struct tfp_sheet_cell *cell)
{
	if (at->row->runs >= 0)
		put_whole(at, cell, TFP_COUNT, at->row->runs);
}

static void put_nodes(const struct place *at, struct tfp_sheet_cell *cell)
{
	if (at->row->defined >= 0)
		put_whole(at, cell, TFP_COUNT, at->row->defined);
}

static void put_text(const struct place *at, struct tfp_sheet_cell *cell)
{
	tfp_sheet_put_words(cell, tfp_span_of(at->row->text ? at->row->text : ""));
}

static void put_source(const struct place *at, struct tfp_sheet_cell *cell)
{
	const char *source = "";

	if (at->row->file)
		source = tfp_arena_printf(at->arena, "%s:%d", at->row->file, at->row->line);
	tfp_sheet_put_words(cell, tfp_span_of(source));
}

/* ---- columns ---------------------------------------------------------------------------------- */

static bool has_figures(const struct tfp_breakdown *detail)
{
	return !detail->texts;
}

static bool has_baseline(const struct tfp_breakdown *detail)
{
	return has_figures(detail) && detail->compared;
}

static bool has_counts(const struct tfp_breakdown *detail)
{
	return has_figures(detail) && detail->counted;
}

static bool has_texts(const struct tfp_breakdown *detail)
{
	size_t i = 0;

	while (i < detail->count && !detail->rows[i].text)
		i++;
	return i < detail->count;
}

static bool has_sources(const struct tfp_breakdown *detail)
{
	size_t i = 0;

	while (i < detail->count && !detail->rows[i].file)
		i++;
	return i < detail->count;
}

static const struct column {
	const char *title; /* NULL: the metric's */
	const char *kind;
	const char *unit; /* NULL: that of the values */
	bool text;
	bool (*has)(const struct tfp_breakdown *detail);
	void (*put)(const struct place *at, struct tfp_sheet_cell *cell);
} table_columns[] = {
	{NULL, "value", NULL, false, has_figures, put_value},
	{"DIFF", "difference", NULL, false, has_baseline, put_difference},
	{"RATIO", "ratio", "ratio", false, has_baseline, put_ratio},
	{"BASELINE", "baseline", NULL, false, has_baseline, put_baseline},
	{"%", "share", "percent", false, has_figures, put_share},
	{"RAN", "runs", "count", false, has_counts, put_runs},
	{"NODES", "nodes", "count", false, has_counts, put_nodes},
	{"TEXT", "text", "text", true, has_texts, put_text},
	{"SOURCE", "source", "text", true, has_sources, put_source},
};

#define COLUMNS (sizeof(table_columns) / sizeof(*table_columns))

/* A table on its way into a sheet. */
struct making {
	const struct tfp_pane_table *table;
	bool people;
	const struct column *shown[COLUMNS]; /* those that there are */
	struct tfp_sheet_column columns[COLUMNS];
	size_t count;
	struct tfp_arena *arena;
};

static void add_column(struct making *making, const struct column *column)
{
	const struct tfp_pane_table *table = making->table;
	const char *title =
		column->title ? column->title : table->tree->base->metrics[table->metric].title;
	const char *unit = column->unit ? column->unit : tfp_sheet_unit(table->detail->unit);

	making->shown[making->count] = column;
	making->columns[making->count++] = (struct tfp_sheet_column){
		.title = title,
		.head = tfp_arena_printf(making->arena, "%s (%s)",
					 column->title ? column->kind : title, unit),
		.kind = column->kind,
		.unit = unit,
		.left = column->text,
	};
}

/* ---- the sheet -------------------------------------------------------------------------------- */

static struct tfp_span name_of(const void *data, size_t row, uint32_t *depth)
{
	const struct making *making = data;
	const struct tfp_breakdown_row *at = &making->table->detail->rows[row];

	*depth = at->depth;
	return tfp_span_of(at->label);
}

static void fill(const void *data, size_t row, size_t column, struct tfp_sheet_cell *cell)
{
	const struct making *making = data;
	const struct tfp_breakdown *detail = making->table->detail;
	struct place at = {detail, &detail->rows[row], making->people, making->arena};

	making->shown[column]->put(&at, cell);
}

static void write_members(const void *data, struct tfp_sheet_text *text)
{
	const struct making *making = data;
	const struct tfp_tree *tree = making->table->tree;

	tfp_sheet_raw(text, "{\"format\": \"tfprof-pane\", \"version\": 1");
	tfp_sheet_member(text, ",\n \"view\": ", tree->base->view->name);
	tfp_sheet_member(text, ",\n \"query\": ", tfp_query_command(&tree->query, making->arena));
	tfp_sheet_member(text, ",\n \"row\": ", making->table->name);
	tfp_sheet_member(text, ",\n \"pane\": ", making->table->kind);
}

bool tfp_pane_table_write(FILE *out, const struct tfp_pane_table *table,
			  enum tfp_table_format format, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct making making = {
		.table = table,
		.people = tfp_sheet_for_people(format),
		.arena = &arena,
	};
	struct tfp_sheet sheet = {
		.columns = making.columns,
		.count = table->detail->count,
		.data = &making,
		.name = name_of,
		.fill = fill,
		.members = write_members,
	};
	bool written;

	for (size_t i = 0; i < COLUMNS; i++)
		if (table_columns[i].has(table->detail))
			add_column(&making, &table_columns[i]);
	sheet.column_count = making.count;
	written = tfp_sheet_write(out, &sheet, format, diag);
	tfp_arena_free(&arena);
	return written;
}
