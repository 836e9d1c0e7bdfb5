/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of printed op reports: a name padded to 25 bytes, then cells "value (from here on%, own%)",
 * lists and counts; and the lines of input shapes that may follow a row.
 */
#include "load/printed/printed_cells.h"

/* Names are padded to so many bytes; of longer ones so many are looked at. */
#define NAME_BYTES 25
#define LONGEST    1000

static struct tfp_span skip_blanks(struct tfp_span text)
{
	size_t at = 0;

	while (at < text.size && (text.at[at] == ' ' || text.at[at] == '\t'))
		at++;
	return tfp_span_from(text, at);
}

static struct tfp_span trim_end(struct tfp_span text)
{
	while (text.size && (text.at[text.size - 1] == ' ' || text.at[text.size - 1] == '\t'))
		text.size--;
	return text;
}

/* ---- cells ------------------------------------------------------------------------------------ */

/* "19.76%" as 1976. */
static bool read_percent(struct tfp_span text, int32_t *value)
{
	struct tfp_span whole, part;
	int64_t a, b;

	if (!tfp_span_ends(text, TFP_SPAN("%")))
		return false;
	text.size--;
	if (!tfp_span_split(text, TFP_SPAN("."), &whole, &part) || part.size != 2 ||
	    !tfp_printed_integer(whole, &a) || !tfp_printed_integer(part, &b) || a < -10000000 ||
	    a > 10000000)
		return false;
	*value = (int32_t)(100 * a + (whole.at[0] == '-' ? -b : b));
	return true;
}

/* The word that follows figures of KIND, and the kind that a word means. */
static bool take_word(struct tfp_span *text, enum tfp_printed_kind *kind)
{
	struct tfp_span value, word;

	if (!tfp_span_split(*text, TFP_SPAN(" "), &value, &word))
		*kind = tfp_printed_figure_kind(value);
	else if (tfp_span_equal(word, TFP_SPAN("params")))
		*kind = TFP_PRINTED_PARAMS;
	else if (tfp_span_equal(word, TFP_SPAN("float_ops")))
		*kind = TFP_PRINTED_FLOPS;
	else
		return false;
	*text = value;
	return *kind != TFP_PRINTED_STRANGE;
}

/* Takes "12us (100.00%, 9.00%)" off TEXT and says what kind of figure it is. */
static bool take_figure(struct tfp_span *text, enum tfp_printed_kind *kind,
			struct tfp_printed_cell *cell)
{
	struct tfp_span rest = skip_blanks(*text), value, running, share;
	const char *begin = rest.at;
	struct tfp_figure figure;

	if (!tfp_span_split(rest, TFP_SPAN(" ("), &value, &rest) ||
	    !tfp_span_split(rest, TFP_SPAN(", "), &running, &rest) ||
	    !tfp_span_split(rest, TFP_SPAN(")"), &share, &rest) || !take_word(&value, kind))
		return false;
	if (!tfp_printed_figure(value, tfp_printed_kind_unit(*kind), &figure))
		return false;
	*cell = (struct tfp_printed_cell){
		.known = true,
		.has_self = true,
		.self = figure,
		.total = figure,
		.text = {begin, (size_t)(rest.at - begin)},
	};
	*text = rest;
	return read_percent(running, &cell->running) && read_percent(share, &cell->share);
}

static struct tfp_figure exact(int64_t value)
{
	return (struct tfp_figure){value, value, value};
}

static bool read_counts(struct tfp_span text, struct tfp_printed_cell *cell)
{
	struct tfp_span runs, defined;
	int64_t run, define;

	if (!tfp_span_split(text, TFP_SPAN("|"), &runs, &defined) ||
	    !tfp_printed_integer(runs, &run) || !tfp_printed_integer(defined, &define))
		return false;
	*cell = (struct tfp_printed_cell){
		.known = true,
		.has_self = true,
		.self = exact(run),
		.total = exact(run),
		.defined_self = exact(define),
		.defined_total = exact(define),
		.text = text,
	};
	return true;
}

/* Takes a cell without a figure off TEXT; of a list of types all that does not look like counts. */
static bool take_text(struct tfp_span *text, enum tfp_printed_kind kind, bool last, bool counts,
		      struct tfp_printed_cell *cell)
{
	struct tfp_span rest = *text, value = rest;

	if (kind == TFP_PRINTED_COUNTS) {
		*text = tfp_span_from(rest, rest.size);
		return read_counts(trim_end(skip_blanks(rest)), cell);
	}
	if (last) {
		*text = tfp_span_from(rest, rest.size);
		value = trim_end(rest);
	} else if (kind == TFP_PRINTED_TYPES && counts) {
		const char *comma = memrchr(rest.at, ',', rest.size);

		if (!comma)
			return false;
		value.size = (size_t)(comma - rest.at);
		*text = tfp_span_from(rest, value.size);
	} else if (tfp_span_split(rest, TFP_SPAN(", "), &value, text)) {
		*text = tfp_span_from(rest, value.size);
	} else {
		return false;
	}
	*cell = (struct tfp_printed_cell){.known = true, .text = value};
	return value.size == skip_blanks(value).size;
}

static bool is_text(enum tfp_printed_kind kind)
{
	return kind >= TFP_PRINTED_DEVICES;
}

/* Takes what is between cells: a comma and a blank, which at the end of a line may be lost. */
static bool take_comma(struct tfp_span *text)
{
	if (!tfp_span_begins(*text, TFP_SPAN(", ")) && !tfp_span_equal(*text, TFP_SPAN(",")))
		return false;
	*text = tfp_span_from(*text, text->size > 1 ? 2 : 1);
	return true;
}

static bool fill_cells(struct tfp_span text, const struct tfp_printed_columns *columns,
		       struct tfp_printed_cell *cells)
{
	size_t count = columns->count;

	/* Shapes are no cell, but lines below the row. */
	if (count && columns->at[count - 1].kind == TFP_PRINTED_SHAPES)
		cells[--count] = (struct tfp_printed_cell){0};
	for (size_t i = 0; i < count; i++) {
		enum tfp_printed_kind kind = columns->at[i].kind, found = kind;
		bool counts = columns->at[count - 1].kind == TFP_PRINTED_COUNTS;

		if (i && !take_comma(&text))
			return false;
		if (is_text(kind) ? !take_text(&text, kind, i + 1 == count, counts, &cells[i])
				  : !take_figure(&text, &found, &cells[i]))
			return false;
		if (found != kind)
			return false;
	}
	return !trim_end(text).size;
}

/* ---- a row ------------------------------------------------------------------------------------ */

/* Whether a figure may begin at AT of TEXT, right behind a long name. */
static bool may_begin(struct tfp_span text, size_t at)
{
	char c = text.at[at];

	return c == ' ' || c == '/' || c == '_' || (c >= '0' && c <= '9');
}

static void set_name(struct tfp_printed_row *row, struct tfp_span name)
{
	row->name = trim_end(name);
	row->depth = 0;
	row->input = false;
	row->shape = (struct tfp_span){"", 0};
}

/* A row without cells is a name and its padding. */
static bool is_bare(struct tfp_span text, const struct tfp_printed_columns *columns)
{
	size_t name = trim_end(text).size;

	if (columns->count > 1 || (columns->count && columns->at[0].kind != TFP_PRINTED_SHAPES))
		return false;
	return text.size >= NAME_BYTES && (text.size == NAME_BYTES || text.size == name) &&
	       !memchr(text.at, '\t', text.size);
}

bool tfp_printed_op_row(struct tfp_span text, const struct tfp_printed_columns *columns,
			struct tfp_printed_row *row, struct tfp_printed_cell *cells)
{
	row->cells = cells;
	if (is_bare(text, columns)) {
		set_name(row, text);
		return fill_cells((struct tfp_span){"", 0}, columns, cells);
	}
	/* Without a name there are blanks, how many depends on what became of tabs. */
	if (text.size && text.at[0] == ' ') {
		set_name(row, (struct tfp_span){text.at, 0});
		return fill_cells(skip_blanks(text), columns, cells);
	}
	for (size_t at = NAME_BYTES; at <= text.size && at < NAME_BYTES + LONGEST; at++) {
		if (at < text.size && !may_begin(text, at))
			continue;
		if (fill_cells(tfp_span_from(text, at), columns, cells)) {
			set_name(row, (struct tfp_span){text.at, at});
			return true;
		}
		if (text.at[NAME_BYTES - 1] == ' ')
			return false;
	}
	return false;
}

bool tfp_printed_op_guess(struct tfp_span text, struct tfp_printed_guess *guess)
{
	struct tfp_printed_cell cell;
	struct tfp_span rest;

	*guess = (struct tfp_printed_guess){0};
	text = trim_end(text);
	if (text.size <= NAME_BYTES)
		return false;
	rest = tfp_span_from(text, NAME_BYTES);
	while (guess->count < TFP_PRINTED_COLUMNS) {
		struct tfp_span value, after;
		enum tfp_printed_kind kind;
		bool sure = false;

		if (take_figure(&rest, &kind, &cell)) {
			guess->sure = true;
		} else {
			tfp_span_split(rest, TFP_SPAN(", "), &value, &after);
			kind = read_counts(skip_blanks(value), &cell)
				       ? TFP_PRINTED_COUNTS
				       : tfp_printed_text_kind(value, &sure);
			rest = tfp_span_from(rest, value.size);
		}
		guess->kind[guess->count++] = (int)kind;
		if (!rest.size)
			return guess->sure;
		if (!take_comma(&rest))
			return false;
	}
	return false;
}

/* ---- lines of inputs -------------------------------------------------------------------------- */

static bool take_count(struct tfp_span *text, struct tfp_span before, struct tfp_span after,
		       int64_t *value)
{
	struct tfp_span head, tail, number;

	if (!tfp_span_split(*text, before, &head, &tail) ||
	    !tfp_span_split(tail, after, &number, text))
		return false;
	return tfp_printed_integer(number, value);
}

bool tfp_printed_input_row(struct tfp_span text, struct tfp_printed_row *row)
{
	struct tfp_span shapes, rest, head;

	text = trim_end(skip_blanks(text));
	if (!tfp_span_begins(text, TFP_SPAN("input_type:")) ||
	    !tfp_span_split(tfp_span_from(text, 11), TFP_SPAN("(run*"), &shapes, &rest))
		return false;
	rest = tfp_span_from(text, (size_t)(rest.at - text.at) - 5);
	*row = (struct tfp_printed_row){
		.depth = 1,
		.input = true,
		.name = trim_end(skip_blanks(shapes)),
		.shape = {"", 0},
	};
	if (!take_count(&rest, TFP_SPAN("(run*"), TFP_SPAN("|"), &row->runs) ||
	    !take_count(&rest, TFP_SPAN("defined*"), TFP_SPAN(")"), &row->defined) ||
	    !tfp_span_split(rest, TFP_SPAN("exec_time: "), &head, &rest))
		return false;
	return tfp_printed_figure(rest, TFP_MICROS, &row->time);
}
