/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables for programs: CSV (RFC 4180) and JSON, with plain numbers and their units. What is not known
 * is empty in CSV and null in JSON.
 */
#include "report/table.h"

static const char *const kinds[] = {
	[TFP_COLUMN_TOTAL] = "total",           [TFP_COLUMN_SELF] = "self",
	[TFP_COLUMN_PERCENT] = "share",         [TFP_COLUMN_BAR] = "bar",
	[TFP_COLUMN_RUNNING] = "running share", [TFP_COLUMN_RUNS] = "runs",
	[TFP_COLUMN_DEFINED] = "defined",       [TFP_COLUMN_RATE] = "rate",
	[TFP_COLUMN_DIFFERENCE] = "difference", [TFP_COLUMN_RATIO] = "ratio",
	[TFP_COLUMN_BASELINE] = "baseline",     [TFP_COLUMN_PEAK] = "share of the peak",
	[TFP_COLUMN_BUSY] = "busy share",       [TFP_COLUMN_GRID] = "launch",
	[TFP_COLUMN_BLOCK] = "launch",          [TFP_COLUMN_REGISTERS] = "launch",
	[TFP_COLUMN_SHARED] = "launch",         [TFP_COLUMN_OCCUPANCY] = "launch",
};

/* In place of a metric; and the unit of what is behind the text. */
static const struct {
	const char *key, *unit;
} launches[] = {
	{"grid", "count"},   {"block", "count"},       {"registers", "count"},
	{"shared", "bytes"}, {"occupancy", "percent"},
};

/* What each number of a figure that was rounded, or is of several kernels, is, behind its kind. */
static const char *const part_names[] = {"", " low", " high"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

const char *tfp_table_unit(enum tfp_unit unit)
{
	static const char *const units[] = {
		[TFP_COUNT] = "count",
		[TFP_BYTES] = "bytes",
		[TFP_MICROS] = "us",
		[TFP_NANOS] = "ns",
		[TFP_PICOS] = "ps",
		[TFP_RATE] = "per second",
		[TFP_DATE] = "seconds since 1970",
		[TFP_WORDS] = "text",
	};

	return units[unit];
}

static bool is_launch(const struct tfp_column *column)
{
	return column->kind >= TFP_COLUMN_LAUNCH;
}

static const char *unit_of(const struct tfp_table *table, const struct tfp_column *column,
			   size_t part)
{
	if (is_launch(column))
		return part ? launches[column->kind - TFP_COLUMN_LAUNCH].unit
			    : tfp_table_unit(TFP_WORDS);
	if (column->kind == TFP_COLUMN_PERCENT || column->kind == TFP_COLUMN_RUNNING ||
	    column->kind == TFP_COLUMN_PEAK || column->kind == TFP_COLUMN_BUSY)
		return "percent";
	if (column->kind == TFP_COLUMN_RATIO)
		return "ratio";
	if (column->kind == TFP_COLUMN_RATE)
		return tfp_table_unit(TFP_RATE);
	if (column->kind == TFP_COLUMN_DEFINED)
		return tfp_table_unit(TFP_COUNT);
	return tfp_table_unit(table->tree->base->metrics[column->metric].unit);
}

/* A text instead of a number? */
static bool is_word(const struct tfp_table *table, const struct tfp_column *column)
{
	return column->kind == TFP_COLUMN_TOTAL &&
	       table->tree->base->metrics[column->metric].unit == TFP_WORDS;
}

static struct tfp_span word_of(const struct tfp_table *table, size_t index,
			       const struct tfp_column *column)
{
	const struct tfp_tree *tree = table->tree;

	return tfp_metric_word(tree->base, column->metric,
			       tfp_tree_total(tree, table->rows[index].row, column->metric));
}

static bool shows(const struct tfp_table *table, size_t index, const struct tfp_column *column)
{
	struct tfp_value value;

	return tfp_tree_value(table->tree, table->rows[index].row, tfp_table_whole(table, index),
			      column, &value);
}

/* The number of a cell, or UNKNOWN. */
static void write_value(struct tfp_writer *writer, const struct tfp_table *table, size_t index,
			const struct tfp_column *column, const char *unknown)
{
	struct tfp_value value;
	char text[64];

	if (!tfp_tree_value(table->tree, table->rows[index].row, tfp_table_whole(table, index),
			    column, &value)) {
		tfp_write_text(writer, unknown);
	} else if (value.whole) {
		tfp_write_integer(writer, value.integer);
	} else {
		snprintf(text, sizeof(text), "%.6g", value.real);
		tfp_write_text(writer, text);
	}
}

/*
 * A figure of a printed report has as many digits as were printed: its column is followed by two that say between
 * what it lies.
 */
static size_t parts_of(const struct tfp_table *table, const struct tfp_column *column)
{
	bool figure = column->kind == TFP_COLUMN_SELF || column->kind == TFP_COLUMN_TOTAL;

	if (is_launch(column))
		return COUNT(part_names);
	return figure && table->tree->base->bounds && !is_word(table, column) ? COUNT(part_names)
									      : 1;
}

/* "total", "total low": what PART of COLUMN is. */
static char *kind_of(struct tfp_arena *arena, const struct tfp_column *column, size_t part)
{
	return tfp_arena_printf(arena, "%s%s", kinds[column->kind], part_names[part]);
}

static void write_bound(struct tfp_writer *writer, const struct tfp_column *column, int64_t bound)
{
	char text[64];

	if (column->kind != TFP_COLUMN_OCCUPANCY) {
		tfp_write_integer(writer, bound);
		return;
	}
	snprintf(text, sizeof(text), "%.6g", (double)bound / 100);
	tfp_write_text(writer, text);
}

/* How a kind of table writes texts, and what is not known. */
struct style {
	void (*string)(struct tfp_writer *writer, struct tfp_table_text *text, struct tfp_span raw);
	const char *unknown;
};

/* What the cell on the screen says: "8x2", "16-64". */
static void write_launch(struct tfp_writer *writer, const struct tfp_table *table, size_t index,
			 const struct tfp_column *column, const struct style *style,
			 struct tfp_table_text *text)
{
	struct tfp_cell cell;

	tfp_tree_cell(table->tree, table->rows[index].row, tfp_table_whole(table, index), column,
		      &cell);
	if (cell.dim)
		tfp_write_text(writer, style->unknown);
	else
		style->string(writer, text, tfp_span_of(cell.text));
}

static void write_part(struct tfp_writer *writer, const struct tfp_table *table, size_t index,
		       const struct tfp_column *column, size_t part, const struct style *style,
		       struct tfp_table_text *text)
{
	struct tfp_figure bounds;

	if (is_word(table, column))
		style->string(writer, text, word_of(table, index, column));
	else if (!part && is_launch(column))
		write_launch(writer, table, index, column, style, text);
	else if (!part)
		write_value(writer, table, index, column, style->unknown);
	else if (shows(table, index, column) &&
		 tfp_tree_bounds(table->tree, table->rows[index].row, column, &bounds))
		write_bound(writer, column, part == 1 ? bounds.low : bounds.high);
	else
		tfp_write_text(writer, style->unknown);
}

/* ---- CSV -------------------------------------------------------------------------------------- */

/*
 * A text in quotes, quotes in it doubled. Programs for spreadsheets take what begins with one of these
 * signs for a formula, which could do anything: an apostrophe before it makes it text.
 */
void tfp_table_field(struct tfp_writer *writer, struct tfp_span clean)
{
	tfp_write_byte(writer, '"');
	if (clean.size && strchr("=+-@", clean.at[0]))
		tfp_write_byte(writer, '\'');
	for (size_t i = 0; i < clean.size; i++) {
		if (clean.at[i] == '"')
			tfp_write_byte(writer, '"');
		tfp_write_byte(writer, clean.at[i]);
	}
	tfp_write_byte(writer, '"');
}

static void write_field(struct tfp_writer *writer, struct tfp_table_text *text, struct tfp_span raw)
{
	tfp_table_field(writer, tfp_table_clean(text, raw));
}

/* "TIME total (us)". The words that head the columns of shares mean nothing in a file. */
static void write_head(struct tfp_writer *writer, const struct tfp_table *table,
		       struct tfp_table_text *text)
{
	tfp_write_text(writer, "\"name\",\"depth\"");
	for (size_t i = 0; i < table->column_count; i++) {
		const struct tfp_column *column = &table->columns[i];
		const char *title = table->tree->base->metrics[column->metric].title;
		struct tfp_arena arena = {0};

		if (!tfp_table_has(column))
			continue;
		if (column->kind == TFP_COLUMN_DEFINED || is_launch(column))
			title = column->title;
		for (size_t part = 0; part < parts_of(table, column); part++) {
			char *head = tfp_arena_printf(&arena, "%s %s (%s)", title,
						      kind_of(&arena, column, part),
						      unit_of(table, column, part));

			tfp_write_byte(writer, ',');
			tfp_table_field(writer, tfp_table_clean(text, tfp_span_of(head)));
		}
		tfp_arena_free(&arena);
	}
	tfp_write_text(writer, "\r\n");
}

static void write_fields(struct tfp_writer *writer, const struct tfp_table *table, size_t row,
			 const struct tfp_column *column, struct tfp_table_text *text)
{
	static const struct style style = {write_field, ""};

	for (size_t part = 0; part < parts_of(table, column); part++) {
		tfp_write_byte(writer, ',');
		write_part(writer, table, row, column, part, &style, text);
	}
}

void tfp_table_csv(struct tfp_writer *writer, const struct tfp_table *table)
{
	struct tfp_table_text text = {0};

	write_head(writer, table, &text);
	for (size_t row = 0; row < table->count && tfp_table_goes_on(table, row); row++) {
		struct tfp_span label = tfp_base_label(table->tree->base, table->rows[row].row);

		tfp_table_field(writer, tfp_table_clean(&text, label));
		tfp_write_byte(writer, ',');
		tfp_write_integer(writer, table->rows[row].depth);
		for (size_t i = 0; i < table->column_count; i++)
			if (tfp_table_has(&table->columns[i]))
				write_fields(writer, table, row, &table->columns[i], &text);
		tfp_write_text(writer, "\r\n");
	}
	tfp_array_free(&text.clean);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

void tfp_table_string(struct tfp_writer *writer, struct tfp_table_text *text, struct tfp_span raw)
{
	struct tfp_span clean = tfp_table_clean(text, raw);

	tfp_write_byte(writer, '"');
	for (size_t i = 0; i < clean.size; i++) {
		if (clean.at[i] == '"' || clean.at[i] == '\\')
			tfp_write_byte(writer, '\\');
		tfp_write_byte(writer, clean.at[i]);
	}
	tfp_write_byte(writer, '"');
}

void tfp_table_member(struct tfp_writer *writer, struct tfp_table_text *text, const char *before,
		      const char *value)
{
	tfp_write_text(writer, before);
	tfp_table_string(writer, text, tfp_span_of(value));
}

static void write_column(struct tfp_writer *writer, const struct tfp_table *table,
			 const struct tfp_column *column, size_t part, struct tfp_table_text *text)
{
	struct tfp_arena arena = {0};
	const char *key = is_launch(column) ? launches[column->kind - TFP_COLUMN_LAUNCH].key
					    : table->tree->base->metrics[column->metric].key;

	tfp_table_member(writer, text, "  {\"title\": ", column->title);
	tfp_table_member(writer, text, ", \"kind\": ", kind_of(&arena, column, part));
	tfp_table_member(writer, text, ", \"metric\": ", key);
	tfp_table_member(writer, text, ", \"unit\": ", unit_of(table, column, part));
	tfp_write_byte(writer, '}');
	tfp_arena_free(&arena);
}

static void write_columns(struct tfp_writer *writer, const struct tfp_table *table,
			  struct tfp_table_text *text)
{
	const char *between = "\n";

	tfp_write_text(writer, ",\n \"columns\": [");
	for (size_t i = 0; i < table->column_count; i++) {
		const struct tfp_column *column = &table->columns[i];

		if (!tfp_table_has(column))
			continue;
		for (size_t part = 0; part < parts_of(table, column); part++) {
			tfp_write_text(writer, between);
			write_column(writer, table, column, part, text);
			between = ",\n";
		}
	}
	tfp_write_text(writer, "],\n \"rows\": [");
}

static void write_row(struct tfp_writer *writer, const struct tfp_table *table, size_t row,
		      struct tfp_table_text *text)
{
	static const struct style style = {tfp_table_string, "null"};
	const char *between = "";

	tfp_write_text(writer, row ? ",\n  {\"name\": " : "\n  {\"name\": ");
	tfp_table_string(writer, text, tfp_base_label(table->tree->base, table->rows[row].row));
	tfp_write_text(writer, ", \"depth\": ");
	tfp_write_integer(writer, table->rows[row].depth);
	tfp_write_text(writer, ", \"values\": [");
	for (size_t i = 0; i < table->column_count; i++) {
		const struct tfp_column *column = &table->columns[i];

		for (size_t part = 0; tfp_table_has(column) && part < parts_of(table, column);
		     part++) {
			tfp_write_text(writer, between);
			write_part(writer, table, row, column, part, &style, text);
			between = ", ";
		}
	}
	tfp_write_text(writer, "]}");
}

/* Of a recording: shares of the time of which something is known. */
static void write_coverage(struct tfp_writer *writer, const struct tfp_coverage *coverage)
{
	const struct {
		const char *head;
		double part;
	} parts[] = {
		{",\n \"coverage\": {\"op\": ", coverage->op},
		{", \"shape\": ", coverage->shape},
		{", \"stack\": ", coverage->stack},
		{", \"float_ops\": ", coverage->flops},
	};

	if (coverage->whole <= 0)
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		char number[32];

		snprintf(number, sizeof(number), "%.6g", parts[i].part / coverage->whole);
		tfp_write_text(writer, parts[i].head);
		tfp_write_text(writer, number);
	}
	tfp_write_byte(writer, '}');
}

void tfp_table_json(struct tfp_writer *writer, const struct tfp_table *table)
{
	struct tfp_table_text text = {0};
	struct tfp_arena arena = {0};

	tfp_write_text(writer, "{\"format\": \"tfprof-table\", \"version\": 1");
	tfp_table_member(writer, &text, ",\n \"view\": ", table->tree->base->view->name);
	tfp_table_member(writer, &text,
			 ",\n \"query\": ", tfp_query_command(&table->tree->query, &arena));
	tfp_table_member(writer, &text, ",\n \"shares\": ", table->of_root ? "whole" : "parent");
	write_coverage(writer, &table->tree->base->coverage);
	write_columns(writer, table, &text);
	for (size_t row = 0; row < table->count && tfp_table_goes_on(table, row); row++)
		write_row(writer, table, row, &text);
	tfp_write_text(writer, "]}\n");
	tfp_array_free(&text.clean);
	tfp_arena_free(&arena);
}
