/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sheets for people, as plain text or Markdown, and what all formats share.
 */
#include "report/sheet/sheet.h"

#include <stdlib.h>

#include "report/sheet/sheettext.h"

/* Rows deeper than this are indented no further: a million levels would make a file of a terabyte. */
#define DEEPEST 40

/* Cells of a name, as on a large screen: kernels have names of a thousand letters. Programs read them whole. */
#define NAME_MOST 100
#define GAP       "…"
#define NEAR      4 /* rows before and behind from which a name is told apart */

/* How often a job is told where it is. */
#define ROWS_A_TICK 4096

#define HEAD SIZE_MAX /* as the index of a row */

bool tfp_sheet_for_people(enum tfp_table_format format)
{
	return format == TFP_TABLE_TXT || format == TFP_TABLE_MD;
}

const char *tfp_sheet_unit(enum tfp_unit unit)
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

bool tfp_sheet_goes_on(const struct tfp_sheet *sheet, size_t row)
{
	if (!sheet->job)
		return true;
	if (row % ROWS_A_TICK == 0)
		tfp_job_progress(sheet->job, row);
	return !tfp_job_cancelled(sheet->job);
}

struct tfp_span tfp_sheet_clean(struct tfp_sheet_text *text, struct tfp_span raw)
{
	size_t room = raw.size * 3 + 1; /* a byte becomes three at most */

	tfp_array_reserve(&text->clean, room);
	return (struct tfp_span){text->clean.at, tfp_text_clean(text->clean.at, room, raw, false)};
}

/* ---- cells -------------------------------------------------------------------------------------- */

void tfp_sheet_put_real(struct tfp_sheet_cell *cell, double value)
{
	cell->kind = TFP_SHEET_FIGURE;
	snprintf(cell->figure, sizeof(cell->figure), "%.6g", value);
}

void tfp_sheet_put_integer(struct tfp_sheet_cell *cell, int64_t value)
{
	cell->kind = TFP_SHEET_INTEGER;
	cell->integer = value;
}

void tfp_sheet_put_words(struct tfp_sheet_cell *cell, struct tfp_span raw)
{
	cell->kind = TFP_SHEET_WORDS;
	cell->words = raw;
}

/* ---- texts -------------------------------------------------------------------------------------- */

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

static void add(struct tfp_sheet_text *text, const char *at, size_t size)
{
	tfp_array_reserve(&text->made, text->made.count + size);
	memcpy(text->made.at + text->made.count, at, size);
	text->made.count += size;
}

static void indent(struct tfp_sheet_text *text, uint32_t depth, bool markdown)
{
	for (uint32_t i = 0; i < depth && i < DEEPEST; i++)
		if (markdown) /* which drops common spaces */
			add(text, "\xc2\xa0\xc2\xa0", 4);
		else
			add(text, "  ", 2);
}

/* CLEAN so many levels in; of Markdown what means something to that loses its meaning. */
static struct tfp_span make(struct tfp_sheet_text *text, uint32_t depth, struct tfp_span clean,
			    bool markdown)
{
	text->made.count = 0;
	indent(text, depth, markdown);
	for (size_t i = 0; i < clean.size; i++) {
		if (markdown && is_markup(clean, i))
			add(text, "\\", 1);
		add(text, clean.at + i, 1);
	}
	return (struct tfp_span){text->made.at, text->made.count};
}

/* ---- columns ------------------------------------------------------------------------------------ */

/* A sheet on its way to people. */
struct page {
	struct tfp_sheet_text *text;
	const struct tfp_sheet *sheet;
	bool markdown;
	size_t name, *widths;        /* of the columns, in cells */
	struct tfp_sheet_cell *cell; /* the one at hand */
	TFP_ARRAY(char) whole, cut;  /* the name at hand, and what is left of it */
};

static struct tfp_span clean_name(struct page *page, size_t row, uint32_t *depth)
{
	return tfp_sheet_clean(page->text, page->sheet->name(page->sheet->data, row, depth));
}

/* The name NAME of ROW in so many cells: the middle is lost, but not what tells it from those near it. */
static struct tfp_span shorten(struct page *page, size_t row, struct tfp_span name, size_t cells)
{
	struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};
	size_t room = name.size + sizeof(GAP);
	uint32_t depth;

	tfp_array_reserve(&page->whole, room);
	tfp_array_reserve(&page->cut, room);
	memcpy(page->whole.at, name.at, name.size);
	for (size_t i = row > NEAR ? row - NEAR : 0; i < page->sheet->count && i <= row + NEAR;
	     i++) {
		struct tfp_span other = clean_name(page, i, &depth);

		tfp_text_compare(&apart, page->whole.at, name.size, other.at, other.size, cells,
				 GAP);
	}
	return (struct tfp_span){page->cut.at,
				 tfp_text_shorten_apart(page->cut.at, room, page->whole.at,
							name.size, &apart, cells, GAP)};
}

static struct tfp_span name_of(struct page *page, size_t row)
{
	uint32_t depth = 0;
	struct tfp_span name = row == HEAD ? TFP_SPAN("name") : clean_name(page, row, &depth);

	if (!page->sheet->paths && tfp_text_cells(name.at, name.size) > NAME_MOST)
		name = shorten(page, row, name, NAME_MOST);
	return make(page->text, depth, name, page->markdown);
}

static struct tfp_span cell_of(struct page *page, size_t row, size_t column)
{
	const struct tfp_sheet *sheet = page->sheet;
	struct tfp_sheet_cell *cell = page->cell;

	if (row == HEAD)
		return make(page->text, 0,
			    tfp_sheet_clean(page->text, tfp_span_of(sheet->columns[column].title)),
			    page->markdown);
	cell->kind = TFP_SHEET_UNKNOWN;
	sheet->fill(sheet->data, row, column, cell);
	if (cell->kind == TFP_SHEET_UNKNOWN)
		return TFP_SPAN("-");
	if (cell->kind == TFP_SHEET_FIGURE)
		return tfp_span_of(cell->figure);
	return make(page->text, 0, tfp_sheet_clean(page->text, cell->words), page->markdown);
}

static void widen(size_t *width, struct tfp_span text)
{
	size_t cells = tfp_text_cells(text.at, text.size);

	if (cells > *width)
		*width = cells;
}

/* The head has the row before the first: HEAD and 1 make 0. */
static void measure(struct page *page)
{
	const struct tfp_sheet *sheet = page->sheet;

	/* a rule below a title of Markdown has three signs at least */
	for (size_t i = 0; i < sheet->column_count; i++)
		page->widths[i] = page->markdown ? 3 : 1;
	for (size_t row = HEAD; row + 1 <= sheet->count; row++) {
		if (row != HEAD && !tfp_sheet_goes_on(sheet, row))
			return;
		widen(&page->name, name_of(page, row));
		for (size_t i = 0; i < sheet->column_count; i++)
			widen(&page->widths[i], cell_of(page, row, i));
	}
}

/* ---- lines -------------------------------------------------------------------------------------- */

/* TEXT in a column of so many cells, with spaces behind or before it. */
static void write_cell(struct tfp_writer *writer, struct tfp_span text, size_t width, bool left)
{
	size_t cells = tfp_text_cells(text.at, text.size);
	size_t spaces = width > cells ? width - cells : 0;

	tfp_write_spaces(writer, left ? 0 : spaces);
	tfp_write(writer, text.at, text.size);
	tfp_write_spaces(writer, left ? spaces : 0);
}

static void write_line(struct page *page, size_t row)
{
	const struct tfp_sheet *sheet = page->sheet;
	struct tfp_writer *writer = &page->text->writer;

	tfp_write_text(writer, page->markdown ? "| " : "");
	write_cell(writer, name_of(page, row), page->name, true);
	for (size_t i = 0; i < sheet->column_count; i++) {
		bool left = sheet->columns[i].left;
		bool ends = left && !page->markdown && i + 1 == sheet->column_count;

		tfp_write_text(writer, page->markdown ? " | " : "  ");
		write_cell(writer, cell_of(page, row, i), ends ? 0 : page->widths[i], left);
	}
	tfp_write_text(writer, page->markdown ? " |\n" : "\n");
}

/* The dashes of a column; a colon says that it is aligned at its right. */
static void write_dashes(struct tfp_writer *writer, size_t width, bool left)
{
	for (size_t dash = !left; dash < width; dash++)
		tfp_write_byte(writer, '-');
	tfp_write_text(writer, left ? "" : ":");
}

static void write_rule(struct page *page)
{
	const struct tfp_sheet *sheet = page->sheet;
	struct tfp_writer *writer = &page->text->writer;

	tfp_write_text(writer, "| ");
	write_dashes(writer, page->name, true);
	for (size_t i = 0; i < sheet->column_count; i++) {
		tfp_write_text(writer, " | ");
		write_dashes(writer, page->widths[i], sheet->columns[i].left);
	}
	tfp_write_text(writer, " |\n");
}

static void write_people(struct tfp_sheet_text *text, bool markdown)
{
	const struct tfp_sheet *sheet = text->sheet;
	struct tfp_sheet_cell cell;
	struct page page = {
		.text = text,
		.sheet = sheet,
		.markdown = markdown,
		.widths = tfp_alloc_zero(sheet->column_count + 1, sizeof(*page.widths)),
		.cell = &cell,
	};

	measure(&page);
	write_line(&page, HEAD);
	if (markdown)
		write_rule(&page);
	for (size_t row = 0; row < sheet->count && tfp_sheet_goes_on(sheet, row); row++)
		write_line(&page, row);
	free(page.widths);
	tfp_array_free(&page.whole);
	tfp_array_free(&page.cut);
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static bool end(struct tfp_sheet_text *text, struct tfp_diag *diag)
{
	bool written = tfp_writer_end(&text->writer, "table", diag);

	tfp_array_free(&text->clean);
	tfp_array_free(&text->made);
	free(text);
	return written;
}

bool tfp_sheet_write(FILE *out, const struct tfp_sheet *sheet, enum tfp_table_format format,
		     struct tfp_diag *diag)
{
	struct tfp_sheet_text *text = tfp_alloc(sizeof(*text));

	/* the writer has no job: it is told of rows here, not of bytes */
	*text = (struct tfp_sheet_text){.sheet = sheet,
					.writer = {.out = out, .path = sheet->path, .safe = true}};
	if (format == TFP_TABLE_CSV)
		tfp_sheet_csv(text);
	else if (format == TFP_TABLE_JSON)
		tfp_sheet_json(text);
	else
		write_people(text, format == TFP_TABLE_MD);
	return end(text, diag) && !(sheet->job && tfp_job_cancelled(sheet->job));
}
