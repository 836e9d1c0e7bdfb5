/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of the drill-down pane as tables, in the formats that rows of trees have: figures as on the screen for
 * people, plain numbers for programs.
 */
#include <inttypes.h>

#include "report/table.h"

/* A cell for either reader. */
struct cell {
	const char *text; /* it is a text; NULL: a number */
	char shown[TFP_NUMBER_ROOM];
	char plain[32]; /* "": not known */
};

/* What a cell is filled from. */
struct place {
	const struct tfp_breakdown *detail;
	const struct tfp_breakdown_row *row;
	struct tfp_arena *arena;
};

/* ---- cells ------------------------------------------------------------------------------------ */

static void put_unknown(struct cell *cell)
{
	strcpy(cell->shown, "-");
	*cell->plain = '\0';
}

static void put_whole(struct cell *cell, enum tfp_unit unit, int64_t value, bool known)
{
	put_unknown(cell);
	if (!known)
		return;
	tfp_number_screen(cell->shown, unit, value);
	snprintf(cell->plain, sizeof(cell->plain), "%" PRId64, value);
}

static bool is_compared(const struct place *at)
{
	return at->row->side != TFP_SIDE_NONE && !at->detail->absent;
}

static void put_value(const struct place *at, struct cell *cell)
{
	put_whole(cell, at->detail->unit, at->row->value, !at->detail->absent);
}

static void put_difference(const struct place *at, struct cell *cell)
{
	put_whole(cell, at->detail->unit, at->row->difference, is_compared(at));
	if (is_compared(at))
		tfp_difference_text(cell->shown, at->detail->unit, at->row->difference);
}

static void put_ratio(const struct place *at, struct cell *cell)
{
	const struct tfp_breakdown_row *row = at->row;

	put_unknown(cell);
	if (!is_compared(at))
		return;
	tfp_ratio_text(cell->shown, row->value, row->baseline, row->side);
	if (row->side == TFP_SIDE_BOTH && row->baseline > 0)
		snprintf(cell->plain, sizeof(cell->plain), "%.6g",
			 (double)row->value / (double)row->baseline);
}

static void put_baseline(const struct place *at, struct cell *cell)
{
	put_whole(cell, at->detail->unit, at->row->baseline, is_compared(at));
}

static void put_share(const struct place *at, struct cell *cell)
{
	put_unknown(cell);
	if (at->row->share < 0)
		return;
	snprintf(cell->shown, sizeof(cell->shown), "%.1f", 100 * at->row->share);
	snprintf(cell->plain, sizeof(cell->plain), "%.6g", 100 * at->row->share);
}

static void put_runs(const struct place *at, struct cell *cell)
{
	put_whole(cell, TFP_COUNT, at->row->runs, at->row->runs >= 0);
}

static void put_nodes(const struct place *at, struct cell *cell)
{
	put_whole(cell, TFP_COUNT, at->row->defined, at->row->defined >= 0);
}

static void put_text(const struct place *at, struct cell *cell)
{
	cell->text = at->row->text ? at->row->text : "";
}

static void put_source(const struct place *at, struct cell *cell)
{
	cell->text = at->row->file
			     ? tfp_arena_printf(at->arena, "%s:%d", at->row->file, at->row->line)
			     : "";
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
	void (*put)(const struct place *at, struct cell *cell);
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
#define HEAD    SIZE_MAX /* as the index of a row */

/* A table on its way out. */
struct making {
	const struct tfp_pane_table *table;
	struct tfp_writer *writer;
	const struct column *columns[COLUMNS]; /* those that there are */
	size_t count;
	bool markdown;
	size_t name, widths[COLUMNS]; /* cells, for people */
	struct tfp_table_text text;
	struct tfp_arena arena;
};

static const char *title_of(const struct making *making, const struct column *column)
{
	const struct tfp_pane_table *table = making->table;

	return column->title ? column->title : table->tree->base->metrics[table->metric].title;
}

static const char *unit_of(const struct making *making, const struct column *column)
{
	return column->unit ? column->unit : tfp_table_unit(making->table->detail->unit);
}

static struct cell cell_of(struct making *making, size_t row, size_t column)
{
	const struct tfp_breakdown *detail = making->table->detail;
	struct place at = {detail, &detail->rows[row], &making->arena};
	struct cell cell = {.text = NULL};

	making->columns[column]->put(&at, &cell);
	return cell;
}

/* ---- for people ------------------------------------------------------------------------------- */

static struct tfp_span shown(struct making *making, uint32_t depth, const char *raw)
{
	making->text.text.count = 0;
	tfp_table_indent(&making->text, depth, making->markdown);
	tfp_table_add(&making->text, tfp_span_of(raw), making->markdown);
	return (struct tfp_span){making->text.text.at, making->text.text.count};
}

static struct tfp_span shown_name(struct making *making, size_t row)
{
	const struct tfp_breakdown *detail = making->table->detail;

	if (row == HEAD)
		return shown(making, 0, "name");
	return shown(making, detail->rows[row].depth, detail->rows[row].label);
}

static struct tfp_span shown_cell(struct making *making, size_t row, size_t column)
{
	struct cell cell;

	if (row == HEAD)
		return shown(making, 0, title_of(making, making->columns[column]));
	cell = cell_of(making, row, column);
	return shown(making, 0, cell.text ? cell.text : cell.shown);
}

static void widen(size_t *width, struct tfp_span text)
{
	size_t cells = tfp_text_cells(text.at, text.size);

	if (cells > *width)
		*width = cells;
}

/* The head has the row before the first: HEAD and 1 make 0. */
static void measure(struct making *making)
{
	making->name = 4;
	for (size_t i = 0; i < making->count; i++)
		making->widths[i] = making->markdown ? 3 : 1; /* the least that Markdown takes */
	for (size_t row = HEAD; row + 1 <= making->table->detail->count; row++) {
		widen(&making->name, shown_name(making, row));
		for (size_t i = 0; i < making->count; i++)
			widen(&making->widths[i], shown_cell(making, row, i));
	}
}

static void write_line(struct making *making, size_t row)
{
	tfp_write_text(making->writer, making->markdown ? "| " : "");
	tfp_table_left(making->writer, shown_name(making, row), making->name);
	for (size_t i = 0; i < making->count; i++) {
		bool padded = making->markdown || i + 1 < making->count;

		tfp_write_text(making->writer, making->markdown ? " | " : "  ");
		if (making->columns[i]->text)
			tfp_table_left(making->writer, shown_cell(making, row, i),
				       padded ? making->widths[i] : 0);
		else
			tfp_table_right(making->writer, shown_cell(making, row, i),
					making->widths[i]);
	}
	tfp_write_text(making->writer, making->markdown ? " |\n" : "\n");
}

static void write_rule(struct making *making)
{
	tfp_write_text(making->writer, "| ");
	tfp_table_dashes(making->writer, making->name, false);
	for (size_t i = 0; i < making->count; i++) {
		tfp_write_text(making->writer, " | ");
		tfp_table_dashes(making->writer, making->widths[i], !making->columns[i]->text);
	}
	tfp_write_text(making->writer, " |\n");
}

static void write_people(struct making *making)
{
	measure(making);
	write_line(making, HEAD);
	if (making->markdown)
		write_rule(making);
	for (size_t row = 0; row < making->table->detail->count; row++)
		write_line(making, row);
}

/* ---- for programs ----------------------------------------------------------------------------- */

static void write_field(struct making *making, const char *raw)
{
	tfp_table_field(making->writer, tfp_table_clean(&making->text, tfp_span_of(raw)));
}

static void write_csv_row(struct making *making, size_t row)
{
	const struct tfp_breakdown_row *at = &making->table->detail->rows[row];

	write_field(making, at->label);
	tfp_write_byte(making->writer, ',');
	tfp_write_integer(making->writer, at->depth);
	for (size_t i = 0; i < making->count; i++) {
		struct cell cell = cell_of(making, row, i);

		tfp_write_byte(making->writer, ',');
		if (cell.text)
			write_field(making, cell.text);
		else
			tfp_write_text(making->writer, cell.plain);
	}
	tfp_write_text(making->writer, "\r\n");
}

static void write_csv(struct making *making)
{
	tfp_write_text(making->writer, "\"name\",\"depth\"");
	for (size_t i = 0; i < making->count; i++) {
		const struct column *column = making->columns[i];

		tfp_write_byte(making->writer, ',');
		write_field(making, tfp_arena_printf(&making->arena, "%s (%s)",
						     column->title ? column->kind
								   : title_of(making, column),
						     unit_of(making, column)));
	}
	tfp_write_text(making->writer, "\r\n");
	for (size_t row = 0; row < making->table->detail->count; row++)
		write_csv_row(making, row);
}

static void write_member(struct making *making, const char *before, const char *value)
{
	tfp_table_member(making->writer, &making->text, before, value);
}

static void write_json_columns(struct making *making)
{
	tfp_write_text(making->writer, ",\n \"columns\": [");
	for (size_t i = 0; i < making->count; i++) {
		const struct column *column = making->columns[i];

		tfp_write_text(making->writer, i ? ",\n" : "\n");
		write_member(making, "  {\"title\": ", title_of(making, column));
		write_member(making, ", \"kind\": ", column->kind);
		write_member(making, ", \"unit\": ", unit_of(making, column));
		tfp_write_byte(making->writer, '}');
	}
	tfp_write_text(making->writer, "],\n \"rows\": [");
}

static void write_json_row(struct making *making, size_t row)
{
	const struct tfp_breakdown_row *at = &making->table->detail->rows[row];

	write_member(making, row ? ",\n  {\"name\": " : "\n  {\"name\": ", at->label);
	tfp_write_text(making->writer, ", \"depth\": ");
	tfp_write_integer(making->writer, at->depth);
	tfp_write_text(making->writer, ", \"values\": [");
	for (size_t i = 0; i < making->count; i++) {
		struct cell cell = cell_of(making, row, i);

		if (cell.text)
			write_member(making, i ? ", " : "", cell.text);
		else
			tfp_write_text(making->writer,
				       tfp_arena_printf(&making->arena, "%s%s", i ? ", " : "",
							*cell.plain ? cell.plain : "null"));
	}
	tfp_write_text(making->writer, "]}");
}

static void write_json(struct making *making)
{
	const struct tfp_tree *tree = making->table->tree;

	tfp_write_text(making->writer, "{\"format\": \"tfprof-pane\", \"version\": 1");
	write_member(making, ",\n \"view\": ", tree->base->view->name);
	write_member(making, ",\n \"query\": ", tfp_query_command(&tree->query, &making->arena));
	write_member(making, ",\n \"row\": ", making->table->name);
	write_member(making, ",\n \"pane\": ", making->table->kind);
	write_json_columns(making);
	for (size_t row = 0; row < making->table->detail->count; row++)
		write_json_row(making, row);
	tfp_write_text(making->writer, "]}\n");
}

bool tfp_pane_table_write(FILE *out, const struct tfp_pane_table *table,
			  enum tfp_table_format format, struct tfp_diag *diag)
{
	struct making making = {
		.table = table,
		.writer = tfp_table_begin(out),
		.markdown = format == TFP_TABLE_MD,
	};

	for (size_t i = 0; i < COLUMNS; i++)
		if (table_columns[i].has(table->detail))
			making.columns[making.count++] = &table_columns[i];
	if (format == TFP_TABLE_CSV)
		write_csv(&making);
	else if (format == TFP_TABLE_JSON)
		write_json(&making);
	else
		write_people(&making);
	tfp_table_text_free(&making.text);
	tfp_arena_free(&making.arena);
	return tfp_table_end(making.writer, diag);
}
