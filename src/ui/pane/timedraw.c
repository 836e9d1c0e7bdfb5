/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawing time: an event that is some columns long has its name in it, what is shorter is a block as high as the
 * share of the column's time that something takes.
 */
#include <stdio.h>
#include <string.h>

#include "ui/pane/timepane.h"

#define MOST_COLUMNS   1024
#define NAME_LEAST     6  /* columns of an event that has its name in it */
#define TICK_CELLS     14 /* columns from one time on the ruler to the next, at least, */
#define TICK_LEAST     4  /* and where there would be none else */
#define STEP_CELLS     6  /* columns that a step's number takes, with what is before it */
#define STEP_ROOM      64 /* bytes of a step's name */
#define SIGHT_ROOM     (4 * TFP_NUMBER_ROOM)
#define OVERVIEW_LEAST 8 /* columns of the bar that says what is in sight */

static int columns_of(const struct tfp_pen *pen)
{
	int columns = pen->end - pen->x;

	return columns < 0 ? 0 : columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
}

/* ---- the ruler ----------------------------------------------------------------------------- */

/* The least of 1, 2, 5, 10, … that is not below LEAST. */
static int64_t nice(double least)
{
	static const int factors[] = {1, 2, 5};
	int64_t power = 1;

	for (; power < INT64_MAX / 100; power *= 10)
		for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++)
			if ((double)(power * factors[i]) >= least)
				return power * factors[i];
	return power;
}

static int column_at(const struct tfp_timepane *pane, int columns, int64_t time)
{
	double part =
		tfp_timepane_length(pane->from, time) / tfp_timepane_length(pane->from, pane->to);

	return part < 0 ? -1 : part > 1 ? columns : (int)(part * columns);
}

#define MOST_SIGNS 4

/* What stands on the ruler besides times: the cursor, brackets where the range begins and ends, and where one has begun. */
struct signs {
	int column[MOST_SIGNS]; /* the cursor's last: it is above the others */
	const char *text[MOST_SIGNS];
	size_t count;
};

static struct signs find_signs(const struct tfp_timepane *pane, const struct tfp_tree *tree,
			       const struct tfp_pen *pen, int columns)
{
	struct signs signs = {.count = 0};
	int64_t times[] = {0, 0, pane->mark};
	bool there = tfp_query_range(&tree->query, tree->base->strips->trace, &times[0], &times[1]);
	bool drawn[] = {there, there, pane->begun};

	for (size_t i = 0; i < 3; i++) {
		int column = column_at(pane, columns, times[i]);

		if (!drawn[i] || column < 0 || column >= columns)
			continue;
		signs.column[signs.count] = column;
		signs.text[signs.count++] = i == 1 ? "]" : "[";
	}
	signs.column[signs.count] = (int)tfp_timepane_cursor(pane, (uint32_t)columns);
	signs.text[signs.count++] = tfp_symbol(pen, TFP_SYMBOL_DOWN);
	return signs;
}

/* Would a sign stand in what is behind COLUMN, CELLS of it? */
static bool is_crossed(const struct signs *signs, int column, int cells)
{
	for (size_t i = 0; i < signs->count; i++)
		if (signs->column[i] > column && signs->column[i] <= column + cells)
			return true;
	return false;
}

static void draw_signs(const struct signs *signs, struct tfp_pen *pen, int start)
{
	for (size_t i = 0; i < signs->count; i++) {
		pen->x = start + signs->column[i];
		tfp_pen_text(pen, i + 1 < signs->count ? TFP_INK_MATCH : TFP_INK_HEADER_ON,
			     signs->text[i]);
	}
}

/*
 * Draws a time each TICK, or only counts those that have room. A time that something would stand in is left out: half of a number is
 * another one.
 */
static int put_times(const struct tfp_timepane *pane, const struct tfp_trace *trace,
		     const struct signs *signs, struct tfp_pen *pen, uint64_t tick, bool draw)
{
	uint64_t from = (uint64_t)pane->from - (uint64_t)trace->begin, time;
	uint64_t to = (uint64_t)pane->to - (uint64_t)trace->begin;
	int columns = columns_of(pen), start = pen->x, next = 0, count = 0;

	for (time = from / tick * tick; time <= to && time >= from / tick * tick; time += tick) {
		int column = column_at(pane, columns, (int64_t)((uint64_t)trace->begin + time));
		char text[TFP_NUMBER_ROOM];
		int cells;

		cells = (int)strlen(
			tfp_number_tick(text, trace->unit, (int64_t)time, (int64_t)tick));
		if (column < next || column + cells + 2 > columns)
			continue;
		if (is_crossed(signs, column, cells))
			*text = 0;
		next = column + 1 + (int)strlen(text);
		count += *text != 0;
		if (!draw)
			continue;
		tfp_pen_to(pen, start + column);
		tfp_pen_printf(pen, TFP_INK_HEADER, "%s%s", tfp_symbol(pen, TFP_SYMBOL_BETWEEN),
			       text);
	}
	return count;
}

/* Where there is little room times stand closer rather than nowhere. */
void tfp_timepane_ruler(const struct tfp_timepane *pane, const struct tfp_tree *tree,
			struct tfp_pen *pen)
{
	const struct tfp_trace *trace = tree->base->strips->trace;
	int columns = columns_of(pen), start = pen->x, cells = TICK_CELLS;
	double span = tfp_timepane_length(pane->from, pane->to);
	struct signs signs;

	if (columns < 1)
		return;
	signs = find_signs(pane, tree, pen, columns);
	while (cells > TICK_LEAST &&
	       !put_times(pane, trace, &signs, pen, (uint64_t)nice(span / columns * cells), false))
		cells /= 2;
	put_times(pane, trace, &signs, pen, (uint64_t)nice(span / columns * cells), true);
	tfp_pen_finish(pen);
	draw_signs(&signs, pen, start);
	pen->x = start + columns;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* A step in sight. */
struct shown_step {
	int column; /* where it begins there */
	uint32_t step;
};

/* "train 3", "ProfilerStep#3", "step 3" */
static void step_name(const struct tfp_profile *profile, uint32_t index, char *text, size_t room)
{
	const struct tfp_step *step = &profile->steps.at[index];
	struct tfp_span label = tfp_strings_get(profile->strings, step->label);
	bool numbered =
		label.size && label.at[label.size - 1] >= '0' && label.at[label.size - 1] <= '9';

	if (numbered)
		snprintf(text, room, "%.*s", (int)(label.size < room ? label.size : room - 1),
			 label.at);
	else
		snprintf(text, room, "%.*s %lld", (int)(label.size ? label.size : 4),
			 label.size ? label.at : "step", (long long)step->number);
}

/* The steps in sight into SHOWN, in the order of their numbers. */
static size_t find_steps(const struct tfp_timepane *pane, const struct tfp_tree *tree, uint32_t row,
			 int columns, struct shown_step shown[MOST_COLUMNS])
{
	const struct tfp_strips *strips = tree->base->strips;
	uint32_t file = tfp_timepane_file(tree, row);
	size_t count = 0;

	for (uint32_t i = 0; i < strips->trace->steps.count && count < MOST_COLUMNS; i++) {
		struct tfp_step_span span;

		if (!tfp_trace_step_span(strips->profile, strips->trace, file, i, &span) ||
		    span.start >= span.end || span.end <= pane->from || span.start >= pane->to)
			continue;
		shown[count++] = (struct shown_step){
			column_at(pane, columns, span.start > pane->from ? span.start : pane->from),
			i};
	}
	return count;
}

/* The name where it fits in front of the next step, else the number. */
static void draw_step(const struct tfp_profile *profile, const struct shown_step *step, int room,
		      struct tfp_pen *pen)
{
	char name[STEP_ROOM], clean[TFP_CLEAN_ROOM];
	size_t size;

	step_name(profile, step->step, name, sizeof(name));
	size = tfp_pen_clean(pen, clean, tfp_span_of(name));
	tfp_pen_text(pen, TFP_INK_DIM, tfp_symbol(pen, TFP_SYMBOL_BETWEEN));
	if ((int)tfp_text_cells(clean, size) + 2 <= room)
		tfp_pen_text(pen, TFP_INK_DIM, clean);
	else
		tfp_pen_printf(pen, TFP_INK_DIM, "%lld",
			       (long long)profile->steps.at[step->step].number);
	tfp_pen_blank(pen, 1);
}

/* Columns from the beginning of step AT to that of the next one. */
static int room_of_step(const struct shown_step *shown, size_t count, size_t at, int columns)
{
	return (at + 1 < count ? shown[at + 1].column : columns) - shown[at].column;
}

/* Would the number of step AT stand above the next one, of which more is in sight? */
static bool hides_next(const struct tfp_profile *profile, const struct shown_step *shown,
		       size_t count, size_t at, int columns)
{
	int room = room_of_step(shown, count, at, columns);
	int digits = snprintf(NULL, 0, "%lld", (long long)profile->steps.at[shown[at].step].number);

	return room < digits + 2 && at + 1 < count &&
	       room_of_step(shown, count, at + 1, columns) > room;
}

void tfp_timepane_steps(const struct tfp_timepane *pane, const struct tfp_tree *tree, uint32_t row,
			struct tfp_pen *pen)
{
	int columns = columns_of(pen), start = pen->x;
	struct shown_step shown[MOST_COLUMNS];
	const struct tfp_profile *profile = tree->base->strips->profile;
	size_t count = find_steps(pane, tree, row, columns, shown);

	for (size_t i = 0; i < count; i++) {
		if (start + shown[i].column < pen->x || shown[i].column + STEP_CELLS > columns ||
		    hides_next(profile, shown, count, i, columns))
			continue;
		tfp_pen_to(pen, start + shown[i].column);
		draw_step(profile, &shown[i], room_of_step(shown, count, i, columns), pen);
	}
	tfp_pen_finish(pen);
}

/* ---- what is in sight ---------------------------------------------------------------------- */

/* A line for all of the recording, thick where it is in sight. */
static void draw_overview(const struct tfp_timepane *pane, const struct tfp_trace *trace,
			  struct tfp_pen *pen)
{
	int columns = columns_of(pen) - 1;
	double span = (double)trace->end - (double)trace->begin;
	int first = (int)(((double)pane->from - (double)trace->begin) / span * columns);
	int last = (int)(((double)pane->to - (double)trace->begin) / span * columns);

	for (int i = 0; i < columns; i++) {
		bool seen = i >= first && (i < last || i == first);

		tfp_pen_text(pen, seen ? TFP_INK_BAR : TFP_INK_DIM,
			     tfp_symbol(pen, seen ? TFP_SYMBOL_SIGHT : TFP_SYMBOL_RULE));
	}
}

/* "1.20ms to 3.40ms of 9.00ms, the steps" in TEXT, without the last words where CELLS are few. */
static void sight_text(const struct tfp_timepane *pane, const struct tfp_trace *trace, int cells,
		       char text[SIGHT_ROOM])
{
	char from[TFP_NUMBER_ROOM], to[TFP_NUMBER_ROOM], whole[TFP_NUMBER_ROOM];
	bool first = pane->from == pane->first_from && pane->to == pane->first_to;
	const char *of[] = {" of ", " of ", ""};
	const char *words[] = {first ? pane->first_what : "", "", ""};

	tfp_number_screen(whole, trace->unit,
			  (int64_t)((uint64_t)trace->end - (uint64_t)trace->begin));
	tfp_number_times(from, to, trace->unit,
			 (int64_t)((uint64_t)pane->from - (uint64_t)trace->begin),
			 (int64_t)((uint64_t)pane->to - (uint64_t)trace->begin));
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (snprintf(text, SIGHT_ROOM, "%s to %s%s%s%s", from, to, of[i],
			     *of[i] ? whole : "", words[i]) <= cells)
			return;
}

/* What of the recording is in sight, in words and as a bar. */
static void draw_sight(const struct tfp_timepane *pane, const struct tfp_tree *tree,
		       struct tfp_pen *pen)
{
	const struct tfp_trace *trace = tree->base->strips->trace;
	char whole[TFP_NUMBER_ROOM], text[SIGHT_ROOM];

	if (pane->from <= trace->begin && pane->to >= trace->end) {
		tfp_number_screen(whole, trace->unit,
				  (int64_t)((uint64_t)trace->end - (uint64_t)trace->begin));
		tfp_pen_printf(pen, TFP_INK_DIM, "all %s", whole);
		return;
	}
	sight_text(pane, trace, columns_of(pen), text);
	tfp_pen_text(pen, TFP_INK_FACTS, text);
	tfp_pen_blank(pen, 1);
	if (columns_of(pen) >= OVERVIEW_LEAST)
		draw_overview(pane, trace, pen);
}

/* ---- strips -------------------------------------------------------------------------------- */

/* What is drawn in a column. */
struct cell {
	double busy;
	uint32_t event; /* the only one there; TFP_NONE */
	bool any, lit;
};

struct row {
	const struct tfp_timepane *pane;
	const struct tfp_strips *strips;
	struct cell cells[MOST_COLUMNS];
	int columns, cursor; /* the cursor's column; -1: it is in another row */
};

/* Adds a strip to the cells: of several the busiest counts. */
static void add_strip(struct row *row, uint32_t strip)
{
	const struct tfp_timepane *pane = row->pane;

	for (int i = 0; i < row->columns; i++) {
		int64_t from =
			tfp_strips_time(pane->from, pane->to, (uint32_t)i, (uint32_t)row->columns);
		int64_t to = tfp_strips_time(pane->from, pane->to, (uint32_t)i + 1,
					     (uint32_t)row->columns);
		struct tfp_piece piece =
			tfp_strips_piece(row->strips, strip, from, to > from ? to : from + 1);
		struct cell *cell = &row->cells[i];

		if (!piece.count)
			continue;
		if (!cell->any || piece.busy > cell->busy) {
			cell->busy = piece.busy;
			cell->event = piece.count == 1 ? piece.event : TFP_NONE;
		}
		cell->any = true;
		cell->lit |= tfp_piece_is_lit(&piece, pane->lit, pane->lit_count);
	}
}

static enum tfp_ink ink_of(const struct row *row, int column, bool named)
{
	if (column == row->cursor)
		return TFP_INK_CURSOR;
	if (row->cells[column].lit)
		return TFP_INK_MATCH;
	return named ? TFP_INK_NAME : TFP_INK_BAR;
}

static void draw_block(const struct row *row, struct tfp_pen *pen, int column)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	const struct cell *cell = &row->cells[column];
	int height = (int)(cell->busy * 8 + 0.5);
	enum tfp_ink ink = ink_of(row, column, false);

	if (!cell->any)
		tfp_pen_fill(pen, column == row->cursor ? ink : TFP_INK_PLAIN, 1);
	else
		tfp_pen_raw(pen, ink, tfp_span_of(blocks[height < 1 ? 0 : height - 1]));
}

/* A name, then a rule, in the columns FROM to END of one event; brackets where it begins and ends in sight. */
static void draw_named(const struct row *row, struct tfp_pen *pen, int from, int end)
{
	uint32_t event = row->cells[from].event;
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	int room = end - from - 2, column = from + 1;
	size_t size = tfp_pen_clean(pen, clean, tfp_strips_name(row->strips, event)), at = 0;

	size = tfp_text_shorten(cut, sizeof(cut), clean, size, (size_t)room,
				tfp_symbol(pen, TFP_SYMBOL_GAP));
	tfp_pen_text(pen, ink_of(row, from, true), "[");
	while (at < size && column < end - 1) {
		size_t cells = 0, fit = tfp_text_fit(cut + at, size - at, 1, &cells);

		if (!cells) /* a wide sign */
			fit = tfp_text_fit(cut + at, size - at, 2, &cells);
		if (!fit || column + (int)cells > end - 1)
			break;
		tfp_pen_size(pen, ink_of(row, column, true), cut + at, fit);
		at += fit;
		column += (int)cells;
	}
	for (; column < end - 1; column++)
		tfp_pen_text(pen, ink_of(row, column, true), tfp_symbol(pen, TFP_SYMBOL_RULE));
	tfp_pen_text(pen, ink_of(row, column, true), "]");
}

static void draw_cells(const struct row *row, struct tfp_pen *pen)
{
	for (int i = 0, end; i < row->columns; i = end) {
		uint32_t event = row->cells[i].event;

		end = i + 1;
		while (end < row->columns && event != TFP_NONE && row->cells[end].event == event)
			end++;
		if (event != TFP_NONE && end - i >= NAME_LEAST) {
			draw_named(row, pen, i, end);
			continue;
		}
		for (int column = i; column < end; column++)
			draw_block(row, pen, column);
	}
}

void tfp_timepane_row(const struct tfp_timepane *pane, const struct tfp_tree *tree, uint32_t index,
		      bool open, bool cursor, struct tfp_pen *pen)
{
	struct row row = {.pane = pane, .strips = tree->base->strips, .columns = columns_of(pen)};
	uint32_t strips[TFP_TIME_STRIPS];
	size_t count = tfp_timepane_strips(tree, index, open, strips);

	if (index == tree->root) {
		draw_sight(pane, tree, pen);
		return;
	}
	row.cursor = cursor ? (int)tfp_timepane_cursor(pane, (uint32_t)row.columns) : -1;
	for (int i = 0; i < row.columns; i++)
		row.cells[i].event = TFP_NONE;
	for (size_t i = 0; i < count; i++)
		add_strip(&row, strips[i]);
	draw_cells(&row, pen);
}
