/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of printed trees: "    name (self/total, self/total, …)". Names may have blanks and brackets,
 * so the cells are what stands in the last brackets that hold cells.
 */
#include "load/printed/printed_cells.h"

/* How many brackets of a line are tried, and how many cells there can be in them. */
#define MOST_BRACKETS 16
#define MOST_CELLS    (TFP_PRINTED_COLUMNS + 40)

struct parts {
	struct tfp_span at[MOST_CELLS];
	size_t count;
};

/* ---- one cell --------------------------------------------------------------------------------- */

static bool read_pair(struct tfp_span text, enum tfp_unit unit, bool *has_self,
		      struct tfp_figure *self, struct tfp_figure *total)
{
	struct tfp_span left, right;

	if (!tfp_span_split(text, TFP_SPAN("/"), &left, &right))
		return false;
	*has_self = !tfp_span_equal(left, TFP_SPAN("--"));
	return (!*has_self || tfp_printed_figure(left, unit, self)) &&
	       tfp_printed_figure(right, unit, total);
}

/* Takes the word that follows figures of KIND off TEXT. */
static bool take_word(struct tfp_span *text, enum tfp_printed_kind kind)
{
	struct tfp_span word = {"", 0};

	if (kind == TFP_PRINTED_PARAMS)
		word = TFP_SPAN(" params");
	else if (kind == TFP_PRINTED_FLOPS)
		word = TFP_SPAN(" flops");
	if (!tfp_span_ends(*text, word))
		return false;
	text->size -= word.size;
	return true;
}

static bool read_counts(struct tfp_span text, struct tfp_printed_cell *cell)
{
	struct tfp_span runs, defined;
	bool self;

	if (tfp_span_equal(text, TFP_SPAN(TFP_PRINTED_NO_COUNTS)))
		return true;
	cell->known =
		tfp_span_split(text, TFP_SPAN("|"), &runs, &defined) &&
		read_pair(runs, TFP_COUNT, &cell->has_self, &cell->self, &cell->total) &&
		read_pair(defined, TFP_COUNT, &self, &cell->defined_self, &cell->defined_total);
	return cell->known;
}

static bool read_cell(struct tfp_span text, enum tfp_printed_kind kind,
		      struct tfp_printed_cell *cell)
{
	*cell = (struct tfp_printed_cell){.text = text};
	switch (kind) {
	case TFP_PRINTED_COUNTS:
		return read_counts(text, cell);
	case TFP_PRINTED_SHAPES:
		cell->known = !tfp_span_equal(text, TFP_SPAN(TFP_PRINTED_NO_SHAPES));
		return true;
	case TFP_PRINTED_DEVICES:
	case TFP_PRINTED_TYPES:
	case TFP_PRINTED_STRANGE:
		return cell->known = true;
	default:
		cell->known = take_word(&text, kind) &&
			      read_pair(text, tfp_printed_kind_unit(kind), &cell->has_self,
					&cell->self, &cell->total);
		return cell->known;
	}
}

/* ---- a row ------------------------------------------------------------------------------------ */

static bool split_cells(struct tfp_span text, struct parts *parts)
{
	bool more = text.size > 0;

	parts->count = 0;
	while (more) {
		if (parts->count == MOST_CELLS)
			return false;
		more = tfp_span_split(text, TFP_SPAN(", "), &parts->at[parts->count], &text);
		parts->count++;
	}
	return true;
}

/* A list of types may have ", " in it: MORE further parts belong to the one AT. */
static struct tfp_span widen(const struct parts *parts, size_t at, size_t more)
{
	const struct tfp_span *last = &parts->at[at + more];

	return (struct tfp_span){parts->at[at].at,
				 (size_t)(last->at + last->size - parts->at[at].at)};
}

static const struct parts empty = {.at = {{"", 0}}, .count = 1};

static bool fill_cells(const struct parts *parts, const struct tfp_printed_columns *columns,
		       struct tfp_printed_row *row, struct tfp_printed_cell *cells)
{
	size_t at = 0;

	/* "()" is no cell, or one that is empty. */
	if (!parts->count && columns->count)
		parts = &empty;
	row->shape = (struct tfp_span){"", 0};
	for (size_t i = 0; i < columns->count; i++) {
		enum tfp_printed_kind kind = columns->at[i].kind;
		size_t left = parts->count - at, wanted = columns->count - i;
		size_t more = kind == TFP_PRINTED_TYPES && left > wanted ? left - wanted : 0;

		cells[i] = (struct tfp_printed_cell){0};
		if (kind == TFP_PRINTED_DEVICES && (left < wanted || parts == &empty)) {
			at = parts == &empty ? empty.count : at;
			continue;
		}
		if (kind == TFP_PRINTED_PARAMS && left && tfp_printed_is_shape(parts->at[at])) {
			row->shape = parts->at[at++];
			left--;
		}
		if (!left || !read_cell(widen(parts, at, more), kind, &cells[i]))
			return false;
		at += 1 + more;
	}
	return at == parts->count;
}

/* Reads depth and name, given the place of the blank in front of the bracket. */
static void read_name(struct tfp_span text, size_t open, struct tfp_printed_row *row)
{
	size_t indent = 0;

	while (indent < open && text.at[indent] == ' ')
		indent++;
	row->depth = (uint32_t)(indent / 2);
	row->name = (struct tfp_span){text.at + indent, open - indent};
}

/* The last " (" of TEXT that begins before END; SIZE_MAX if there is none. */
static size_t last_bracket(struct tfp_span text, size_t end)
{
	while (end-- > 0)
		if (end + 1 < text.size && text.at[end] == ' ' && text.at[end + 1] == '(')
			return end;
	return SIZE_MAX;
}

static bool ends_in_bracket(struct tfp_span *text)
{
	while (text->size && text->at[text->size - 1] == ' ')
		text->size--;
	return text->size && text->at[text->size - 1] == ')';
}

static struct tfp_span inner(struct tfp_span text, size_t open)
{
	return (struct tfp_span){text.at + open + 2, text.size - open - 3};
}

bool tfp_printed_tree_row(struct tfp_span text, const struct tfp_printed_columns *columns,
			  struct tfp_printed_row *row, struct tfp_printed_cell *cells)
{
	struct parts parts;
	size_t open;

	if (!ends_in_bracket(&text))
		return false;
	open = last_bracket(text, text.size);
	for (int i = 0; open != SIZE_MAX && i < MOST_BRACKETS; i++) {
		if (split_cells(inner(text, open), &parts) &&
		    fill_cells(&parts, columns, row, cells)) {
			read_name(text, open, row);
			row->cells = cells;
			row->input = false;
			return true;
		}
		open = last_bracket(text, open);
	}
	return false;
}

/* ---- without known columns -------------------------------------------------------------------- */

static enum tfp_printed_kind kind_of(struct tfp_span text, bool *sure)
{
	static const enum tfp_printed_kind kinds[] = {
		TFP_PRINTED_PARAMS, TFP_PRINTED_FLOPS,  TFP_PRINTED_MEMORY,
		TFP_PRINTED_TIME,   TFP_PRINTED_COUNTS,
	};
	struct tfp_printed_cell cell;

	*sure = true;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (read_cell(text, kinds[i], &cell))
			return kinds[i];
	return tfp_printed_text_kind(text, sure);
}

static void guess_cells(const struct parts *parts, struct tfp_printed_guess *guess)
{
	*guess = (struct tfp_printed_guess){.sure = !parts->count};
	for (size_t i = 0; i < parts->count && guess->count < TFP_PRINTED_COLUMNS; i++) {
		bool sure, before = i + 1 < parts->count;
		enum tfp_printed_kind kind = kind_of(parts->at[i], &sure), next;

		if (before && tfp_printed_is_shape(parts->at[i])) {
			next = kind_of(parts->at[i + 1], &before);
			if (next == TFP_PRINTED_PARAMS)
				continue;
		}
		guess->sure = guess->sure || sure;
		guess->kind[guess->count++] = (int)kind;
	}
}

bool tfp_printed_tree_guess(struct tfp_span text, struct tfp_printed_guess *guess)
{
	struct tfp_printed_row row;
	struct parts parts;
	size_t open;

	if (!ends_in_bracket(&text))
		return false;
	open = last_bracket(text, text.size);
	if (open == SIZE_MAX || !split_cells(inner(text, open), &parts))
		return false;
	read_name(text, open, &row);
	guess_cells(&parts, guess);
	return row.depth > 0 || tfp_span_equal(row.name, TFP_SPAN("_TFProfRoot"));
}
