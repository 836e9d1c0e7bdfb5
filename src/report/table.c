/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables for people: rows of a tree with the columns of the screen, as plain text or Markdown, each column as
 * wide as its widest cell.
 */
#include "report/table.h"

#include <stdlib.h>

#include "report/listing.h"

/* Rows deeper than this are indented no further: a million levels would make a file of a terabyte. */
#define DEEPEST 40

/* How often a job is told where it is. */
#define ROWS_A_TICK 4096

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

bool tfp_table_goes_on(const struct tfp_table *table, size_t row)
{
	if (!table->job)
		return true;
	if (row % ROWS_A_TICK == 0)
		tfp_job_progress(table->job, row);
	return !tfp_job_cancelled(table->job);
}

struct tfp_span tfp_table_clean(struct tfp_table_text *text, struct tfp_span raw)
{
	size_t room = raw.size * 3 + 1; /* a byte becomes three at most */

	tfp_array_reserve(&text->clean, room);
	return (struct tfp_span){text->clean.at, tfp_text_clean(text->clean.at, room, raw, false)};
}

uint32_t tfp_table_whole(const struct tfp_table *table, size_t index)
{
	uint32_t above = table->rows[index].above;

	if (table->of_root || above == TFP_NONE)
		return table->tree->root;
	return above;
}

/* ---- names ------------------------------------------------------------------------------------ */

static bool is_letter(struct tfp_span name, size_t at)
{
	unsigned char byte = at < name.size ? (unsigned char)name.at[at] : ' ';

	return byte >= 0x80 || (byte >= '0' && byte <= '9') ||
	       ((byte | 32) >= 'a' && (byte | 32) <= 'z');
}

/* Does the byte at AT mean something to Markdown? An underscore inside a word does not. */
static bool is_markup(struct tfp_span name, size_t at)
{
	if (name.at[at] == '_')
		return !at || !is_letter(name, at - 1) || !is_letter(name, at + 1);
	return strchr("\\`*<>|[]&~#!", name.at[at]) != NULL;
}

static void add(struct tfp_table_text *text, const char *at, size_t size)
{
	tfp_array_reserve(&text->text, text->text.count + size);
	memcpy(text->text.at + text->text.count, at, size);
	text->text.count += size;
}

void tfp_table_add(struct tfp_table_text *text, struct tfp_span raw, bool markdown)
{
	struct tfp_span name = tfp_table_clean(text, raw);

	for (size_t i = 0; i < name.size; i++) {
		if (markdown && is_markup(name, i))
			add(text, "\\", 1);
		add(text, name.at + i, 1);
	}
}

void tfp_table_indent(struct tfp_table_text *text, uint32_t depth, bool markdown)
{
	for (uint32_t i = 0; i < depth && i < DEEPEST; i++)
		if (markdown) /* which drops common spaces */
			add(text, "\xc2\xa0\xc2\xa0", 4);
		else
			add(text, "  ", 2);
}

void tfp_table_text_free(struct tfp_table_text *text)
{
	tfp_array_free(&text->clean);
	tfp_array_free(&text->text);
}

/* The name as it stands in its cell: below its parent two columns further right. */
static struct tfp_span name_of(const struct tfp_table *table, size_t index, bool markdown,
			       struct tfp_table_text *text)
{
	const struct tfp_table_row *row = &table->rows[index];
	uint32_t above = row->above == TFP_NONE ? row->row : row->above;

	text->text.count = 0;
	if (!table->apart)
		tfp_table_indent(text, row->depth, markdown);
	tfp_table_add(text,
		      table->apart ? tfp_base_label(table->tree->base, row->row)
				   : tfp_tree_name(table->tree, row->row, above),
		      markdown);
	return (struct tfp_span){text->text.at, text->text.count};
}

static struct tfp_span title_of(const struct tfp_column *column, bool markdown,
				struct tfp_table_text *text)
{
	text->text.count = 0;
	tfp_table_add(text, tfp_span_of(column->title), markdown);
	return (struct tfp_span){text->text.at, text->text.count};
}

/* ---- cells ------------------------------------------------------------------------------------ */

struct widths {
	size_t name, column[TFP_MAX_COLUMNS];
};

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static struct tfp_cell cell_of(const struct tfp_table *table, size_t index, size_t column)
{
	struct tfp_cell cell;

	tfp_tree_cell(table->tree, table->rows[index].row, tfp_table_whole(table, index),
		      &table->columns[column], &cell);
	return cell;
}

static struct widths measure(const struct tfp_table *table, bool markdown,
			     struct tfp_table_text *text)
{
	struct widths widths = {.name = 4};

	for (size_t i = 0; i < table->column_count; i++) {
		struct tfp_span title = title_of(&table->columns[i], markdown, text);

		/* a rule below a title of Markdown has three signs at least */
		widths.column[i] = larger(markdown ? 3 : 1, tfp_text_cells(title.at, title.size));
	}
	for (size_t row = 0; row < table->count && tfp_table_goes_on(table, row); row++) {
		struct tfp_span name = name_of(table, row, markdown, text);

		widths.name = larger(widths.name, tfp_text_cells(name.at, name.size));
		for (size_t i = 0; i < table->column_count; i++)
			widths.column[i] =
				larger(widths.column[i], strlen(cell_of(table, row, i).text));
	}
	return widths;
}

void tfp_table_left(struct tfp_writer *writer, struct tfp_span text, size_t width)
{
	size_t cells = tfp_text_cells(text.at, text.size);

	tfp_write(writer, text.at, text.size);
	tfp_write_spaces(writer, width > cells ? width - cells : 0);
}

void tfp_table_right(struct tfp_writer *writer, struct tfp_span text, size_t width)
{
	size_t cells = tfp_text_cells(text.at, text.size);

	tfp_write_spaces(writer, width > cells ? width - cells : 0);
	tfp_write(writer, text.at, text.size);
}

void tfp_table_dashes(struct tfp_writer *writer, size_t width, bool right)
{
	for (size_t dash = right; dash < width; dash++)
		tfp_write_byte(writer, '-');
	tfp_write_text(writer, right ? ":" : "");
}

/* Below the head of Markdown: which columns are aligned at their right. */
static void write_rule(struct tfp_writer *writer, const struct tfp_table *table,
		       const struct widths *widths)
{
	tfp_write_text(writer, "| ");
	tfp_table_dashes(writer, widths->name, false);
	for (size_t i = 0; i < table->column_count; i++) {
		if (!tfp_table_has(&table->columns[i]))
			continue;
		tfp_write_text(writer, " | ");
		tfp_table_dashes(writer, widths->column[i], true);
	}
	tfp_write_text(writer, " |\n");
}

/* The head; INDEX SIZE_MAX, or a row. */
static void write_line(struct tfp_writer *writer, const struct tfp_table *table, size_t index,
		       const struct widths *widths, bool markdown, struct tfp_table_text *text)
{
	bool head = index == SIZE_MAX;

	tfp_write_text(writer, markdown ? "| " : "");
	tfp_table_left(writer, head ? TFP_SPAN("name") : name_of(table, index, markdown, text),
		       widths->name);
	for (size_t i = 0; i < table->column_count; i++) {
		struct tfp_cell cell;

		if (!tfp_table_has(&table->columns[i]))
			continue;
		tfp_write_text(writer, markdown ? " | " : "  ");
		if (!head)
			cell = cell_of(table, index, i);
		tfp_table_right(writer,
				head ? title_of(&table->columns[i], markdown, text)
				     : tfp_span_of(cell.text),
				widths->column[i]);
	}
	tfp_write_text(writer, markdown ? " |\n" : "\n");
}

static void write_people(struct tfp_writer *writer, const struct tfp_table *table, bool markdown)
{
	struct tfp_table_text text = {0};
	struct widths widths = measure(table, markdown, &text);

	write_line(writer, table, SIZE_MAX, &widths, markdown, &text);
	if (markdown)
		write_rule(writer, table, &widths);
	for (size_t row = 0; row < table->count && tfp_table_goes_on(table, row); row++)
		write_line(writer, table, row, &widths, markdown, &text);
	tfp_table_text_free(&text);
}

struct tfp_writer *tfp_table_begin(FILE *out)
{
	struct tfp_writer *writer = tfp_alloc(sizeof(*writer));

	writer->out = out;
	writer->safe = true;
	writer->ascii = false;
	writer->error = 0;
	writer->job = NULL; /* it counts rows, not bytes */
	writer->written = 0;
	writer->used = 0;
	return writer;
}

bool tfp_table_end(struct tfp_writer *writer, struct tfp_diag *diag)
{
	int error;

	tfp_writer_flush(writer);
	error = writer->error;
	free(writer);
	if (error)
		tfp_diag_error(diag, "the table can't be written: %s", strerror(error));
	return !error;
}

bool tfp_table_write(FILE *out, const struct tfp_table *table, enum tfp_table_format format,
		     struct tfp_diag *diag)
{
	struct tfp_writer *writer = tfp_table_begin(out);

	if (format == TFP_TABLE_CSV)
		tfp_table_csv(writer, table);
	else if (format == TFP_TABLE_JSON)
		tfp_table_json(writer, table);
	else
		write_people(writer, table, format == TFP_TABLE_MD);
	return tfp_table_end(writer, diag) && !(table->job && tfp_job_cancelled(table->job));
}
