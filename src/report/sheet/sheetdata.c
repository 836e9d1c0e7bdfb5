/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sheets for programs: CSV (RFC 4180) and JSON.
 */
#include "report/sheet/sheettext.h"

/* ---- CSV ---------------------------------------------------------------------------------------- */

/*
 * A text in quotes, quotes in it doubled. Programs for spreadsheets take what begins with one of these
 * signs for a formula, which could do anything: an apostrophe before it makes it text.
 */
static void write_field(struct tfp_sheet_text *text, struct tfp_span raw)
{
	struct tfp_span clean = tfp_sheet_clean(text, raw);
	struct tfp_writer *writer = &text->writer;

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

/* A cell; words by WORDS, what is not known as UNKNOWN. */
static void write_cell(struct tfp_sheet_text *text, size_t row, size_t column,
		       void (*words)(struct tfp_sheet_text *text, struct tfp_span raw),
		       const char *unknown)
{
	struct tfp_sheet_cell cell;

	cell.kind = TFP_SHEET_UNKNOWN;
	text->sheet->fill(text->sheet->data, row, column, &cell);
	if (cell.kind == TFP_SHEET_WORDS)
		words(text, cell.words);
	else if (cell.kind == TFP_SHEET_INTEGER)
		tfp_write_integer(&text->writer, cell.integer);
	else
		tfp_write_text(&text->writer,
			       cell.kind == TFP_SHEET_FIGURE ? cell.figure : unknown);
}

static void write_record(struct tfp_sheet_text *text, size_t row)
{
	uint32_t depth;

	write_field(text, text->sheet->name(text->sheet->data, row, &depth));
	tfp_write_byte(&text->writer, ',');
	tfp_write_integer(&text->writer, depth);
	for (size_t i = 0; i < text->sheet->column_count; i++) {
		tfp_write_byte(&text->writer, ',');
		write_cell(text, row, i, write_field, "");
	}
	tfp_write_text(&text->writer, "\r\n");
}

void tfp_sheet_csv(struct tfp_sheet_text *text)
{
	const struct tfp_sheet *sheet = text->sheet;

	tfp_write_text(&text->writer, "\"name\",\"depth\"");
	for (size_t i = 0; i < sheet->column_count; i++) {
		tfp_write_byte(&text->writer, ',');
		write_field(text, tfp_span_of(sheet->columns[i].head));
	}
	tfp_write_text(&text->writer, "\r\n");
	for (size_t row = 0; row < sheet->count && tfp_sheet_goes_on(sheet, row); row++)
		write_record(text, row);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void write_string(struct tfp_sheet_text *text, struct tfp_span raw)
{
	struct tfp_span clean = tfp_sheet_clean(text, raw);
	struct tfp_writer *writer = &text->writer;

	tfp_write_byte(writer, '"');
	for (size_t i = 0; i < clean.size; i++) {
		if (clean.at[i] == '"' || clean.at[i] == '\\')
			tfp_write_byte(writer, '\\');
		tfp_write_byte(writer, clean.at[i]);
	}
	tfp_write_byte(writer, '"');
}

void tfp_sheet_raw(struct tfp_sheet_text *text, const char *signs)
{
	tfp_write_text(&text->writer, signs);
}

void tfp_sheet_member(struct tfp_sheet_text *text, const char *before, const char *value)
{
	tfp_write_text(&text->writer, before);
	write_string(text, tfp_span_of(value));
}

void tfp_sheet_number(struct tfp_sheet_text *text, const char *before, double value)
{
	struct tfp_sheet_cell cell;

	tfp_sheet_put_real(&cell, value);
	tfp_write_text(&text->writer, before);
	tfp_write_text(&text->writer, cell.figure);
}

static void write_column(struct tfp_sheet_text *text, const struct tfp_sheet_column *column)
{
	tfp_sheet_member(text, "  {\"title\": ", column->title);
	tfp_sheet_member(text, ", \"kind\": ", column->kind);
	if (column->metric)
		tfp_sheet_member(text, ", \"metric\": ", column->metric);
	tfp_sheet_member(text, ", \"unit\": ", column->unit);
	tfp_write_byte(&text->writer, '}');
}

static void write_object(struct tfp_sheet_text *text, size_t row)
{
	uint32_t depth;

	tfp_write_text(&text->writer, row ? ",\n  {\"name\": " : "\n  {\"name\": ");
	write_string(text, text->sheet->name(text->sheet->data, row, &depth));
	tfp_write_text(&text->writer, ", \"depth\": ");
	tfp_write_integer(&text->writer, depth);
	tfp_write_text(&text->writer, ", \"values\": [");
	for (size_t i = 0; i < text->sheet->column_count; i++) {
		tfp_write_text(&text->writer, i ? ", " : "");
		write_cell(text, row, i, write_string, "null");
	}
	tfp_write_text(&text->writer, "]}");
}

void tfp_sheet_json(struct tfp_sheet_text *text)
{
	const struct tfp_sheet *sheet = text->sheet;

	sheet->members(sheet->data, text);
	tfp_write_text(&text->writer, ",\n \"columns\": [");
	for (size_t i = 0; i < sheet->column_count; i++) {
		tfp_write_text(&text->writer, i ? ",\n" : "\n");
		write_column(text, &sheet->columns[i]);
	}
	tfp_write_text(&text->writer, "],\n \"rows\": [");
	for (size_t row = 0; row < sheet->count && tfp_sheet_goes_on(sheet, row); row++)
		write_object(text, row);
	tfp_write_text(&text->writer, "]}\n");
}
