/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame: how the screen is divided, and all its lines. Every line is painted whole; curses
 * writes what differs from what the terminal shows.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/pane/curve.h"
#include "ui/action/keys.h"
#include "ui/facts.h"
#include "ui/tree/listing.h"

/* Nanoseconds after which a query is slow, and the old tree fades. */
#define SLOW 200000000

#define MEGABYTE 1000000

/* Lines for the whole of a sentence, and those of a screen that has so many to spare, or only without a query line. */
#define SENTENCE_ROWS  3
#define SENTENCE_FROM  16
#define SENTENCE_SMALL 10
#define SENTENCE_PART  3 /* of the screen, where a sentence is very long */
/* What is said has one part of so many of the lines above it, where it is longer than its own. */
#define SAID_PART 3
/* The same for what is under the cursor of the time view. */
#define EVENT_ROWS  2
#define EVENT_FROM  20
#define STACK_ROWS  2  /* of the idle view: the whole name of a cause, then its facts */
#define EVENT_LARGE 30 /* one more */

/* Lines of the small pane. */
#define PANE_LEAST 4
#define PANE_MOST  11

/* Lines of the parts, from top to bottom. A part of 0 lines is not drawn. */
struct parts {
	int tabs, query, curve, body, pane, facts, message, keys;
};

/* What is said in full, or drawn, needs no pane that explains it; a list has nothing behind its rows. */
static bool shows_text(const struct tfp_screen *screen)
{
	if (tfp_listing_is(screen))
		return true;
	return tfp_screen_lacks_pane(screen);
}

const char *tfp_screen_lacks_pane(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (tree && tree->base->strips)
		return "lanes have no pane: what is under the cursor is told below them";
	return tree && tree->base->view->text
		       ? "these lines have no pane: the one under the cursor is whole below them"
		       : NULL;
}

/* The form in FREE_ROWS lines: all its fields, else some, and the one that is typed into in any case. */
static int filter_rows(int free_rows)
{
	if (free_rows - TFP_FILTER_ROWS >= 4)
		return TFP_FILTER_ROWS;
	return free_rows < 4 ? (free_rows + 1) / 2 : free_rows / 2;
}

static int pane_rows(const struct tfp_screen *screen, int free_rows)
{
	int small = (free_rows * 3 - 17) / 8; /* 4 breakdown rows of 24 lines, 10 of 40 */

	if (screen->filter.open)
		return filter_rows(free_rows);
	if (screen->chooser.open)
		return tfp_chooser_rows(&screen->chooser, free_rows);
	if (screen->drill.size == TFP_PANE_OFF || shows_text(screen))
		return 0;
	if (screen->drill.size == TFP_PANE_LARGE)
		small = free_rows * 2 / 3;
	else if (small > PANE_MOST)
		small = PANE_MOST;
	if (small < PANE_LEAST)
		small = free_rows >= 3 * PANE_LEAST ? PANE_LEAST : 0;
	return small;
}

/* Are the rows sentences, which are longer than a line? A listing's are names. */
static bool shows_sentences(const struct tfp_screen *screen)
{
	return !screen->page.open && screen->tree.rows.tree && !tfp_listing_is(screen) &&
	       screen->tree.rows.tree->base->view->text;
}

/* All of a sentence has room, within reason. */
static int sentence_rows(const struct tfp_screen *screen, int rows)
{
	int wanted = tfp_facts_rows(screen, COLS);

	if (wanted > rows / SENTENCE_PART)
		wanted = rows / SENTENCE_PART;
	return wanted > SENTENCE_ROWS ? wanted : SENTENCE_ROWS;
}

/* Are the rows stacks, whose names need a line? */
static bool shows_stacks(const struct tfp_screen *screen)
{
	return !screen->page.open && screen->tree.rows.tree && screen->tree.rows.tree->base->idle;
}

/* What a screen of few lines does without: the query line first, the tree last. */
static struct parts parts_of(const struct tfp_screen *screen)
{
	int rows = LINES;
	struct parts parts = {
		.keys = rows >= 4,
		.tabs = rows >= 5,
		.message = rows >= 6,
		.facts = rows >= 8,
		.query = rows >= 9,
	};
	int rest;

	if (tfp_screen_has_part(screen) && rows >= 4 && !parts.message) {
		parts.message = 1; /* or a part is taken for all */
		parts.tabs = 0;
		parts.keys = rows > 4;
	}
	if (shows_sentences(screen) && rows >= SENTENCE_FROM)
		parts.facts = sentence_rows(screen, rows);
	else if (shows_sentences(screen) && rows >= SENTENCE_SMALL) {
		parts.facts = SENTENCE_ROWS;
		parts.query = 0;
	}
	if (shows_stacks(screen) && rows >= EVENT_FROM)
		parts.facts = STACK_ROWS;
	if (tfp_time_is(screen) && rows >= EVENT_FROM)
		parts.facts = EVENT_ROWS + (rows >= EVENT_LARGE);
	rest = rows - parts.keys - parts.tabs - parts.message - parts.facts - parts.query;

	parts.pane = screen->page.open || !screen->loaded ? 0 : pane_rows(screen, rest);
	parts.curve = screen->page.open ? 0 : tfp_curve_rows(screen, rest - parts.pane);
	parts.body = rest - parts.pane - parts.curve;
	if (!parts.keys && screen->mode && rows >= 2) {
		parts.keys = 1;
		parts.body--;
	}
	return parts;
}

bool tfp_screen_has_pane(const struct tfp_screen *screen)
{
	return parts_of(screen).pane > 0 && !screen->filter.open && !screen->chooser.open;
}

enum tfp_zone tfp_screen_zone(const struct tfp_screen *screen, int y, struct tfp_area *area)
{
	struct parts parts = parts_of(screen);
	int body = parts.tabs + parts.query + parts.curve, pane = body + parts.body;

	if (y < parts.tabs) {
		*area = (struct tfp_area){0, 0, parts.tabs, COLS};
		return TFP_ZONE_TABS;
	}
	if (y >= body && y < pane) {
		*area = (struct tfp_area){body, 0, parts.body, COLS};
		return TFP_ZONE_BODY;
	}
	*area = (struct tfp_area){pane, 0, parts.pane, COLS};
	return y >= pane && y < pane + parts.pane ? TFP_ZONE_PANE : TFP_ZONE_NONE;
}

/* ---- single lines ---- */

/* What has been typed meanwhile: "; 3 keys wait" */
static void draw_waiting(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	size_t waiting = screen->ahead.count;

	if (waiting)
		tfp_pen_printf(pen, TFP_INK_MESSAGE, "; %zu key%s wait%s", waiting,
			       waiting == 1 ? "" : "s", waiting == 1 ? "s" : "");
}

/* What stopping leads to: "C-c stops and quits; 3 keys wait" */
static void draw_stopping(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	const char *then = "";

	if (!screen->loaded || tfp_screen_has_part(screen))
		then = screen->config->has_before ? " and goes back" : " and quits";
	tfp_pen_printf(pen, TFP_INK_MESSAGE, "C-c stops%s", then);
	if (screen->later)
		tfp_pen_printf(pen, TFP_INK_MESSAGE, "; the %s view opens by itself",
			       screen->later->name);
	draw_waiting(screen, pen);
}

/* "612 of 2,048 MB, 3 s left, C-c stops"; of a pipe "612 MB, C-c stops" */
static void draw_progress(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	char done_text[TFP_NUMBER_ROOM], total_text[TFP_NUMBER_ROOM];
	int64_t passed = (tfp_screen_now() - screen->load_time) / 1000000000;
	uint64_t done, total;

	tfp_worker_progress(screen->worker, TFP_TASK_LOAD, &done, &total);
	tfp_pen_text(pen, TFP_INK_MESSAGE, " reading: ");
	if (done && total >= done && total >= MEGABYTE) {
		tfp_pen_printf(pen, TFP_INK_MESSAGE, "%s of %s MB, ",
			       tfp_number_exact(done_text, (int64_t)(done / MEGABYTE)),
			       tfp_number_exact(total_text, (int64_t)(total / MEGABYTE)));
		if (passed >= 1)
			tfp_pen_printf(pen, TFP_INK_MESSAGE, "%.0f s left, ",
				       (double)passed * ((double)total / (double)done - 1));
	} else if (!total && done >= MEGABYTE) {
		tfp_pen_printf(pen, TFP_INK_MESSAGE, "%s MB, ",
			       tfp_number_exact(done_text, (int64_t)(done / MEGABYTE)));
	}
	draw_stopping(screen, pen);
}

/* "writing: 120,000 of 1,500,000 rows, C-c stops", "writing: 12.30MB, C-c stops" */
static void draw_writing(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	char done_text[TFP_NUMBER_ROOM], total_text[TFP_NUMBER_ROOM];
	uint64_t done, total;

	tfp_worker_progress(screen->worker, TFP_TASK_WRITE, &done, &total);
	if (total)
		tfp_pen_printf(pen, TFP_INK_MESSAGE, " writing: %s of %s rows",
			       tfp_number_exact(done_text, (int64_t)done),
			       tfp_number_exact(total_text, (int64_t)total));
	else
		tfp_pen_printf(pen, TFP_INK_MESSAGE, " writing: %s",
			       tfp_number_screen(done_text, TFP_BYTES, (int64_t)done));
	tfp_pen_printf(pen, TFP_INK_MESSAGE, "%s, C-c stops",
		       tfp_worker_busy(screen->worker, TFP_TASK_QUERY) ? ", what was asked waits"
								       : "");
}

/* Keys that wait for the first rows are told of at once: there is nothing else to see. */
static bool is_slow(const struct tfp_screen *screen)
{
	return tfp_worker_busy(screen->worker, TFP_TASK_QUERY) &&
	       (tfp_screen_now() - screen->ask_time > SLOW ||
		(screen->ahead.count && !screen->tree.rows.tree));
}

/*
 * What the program says. A sentence that is longer than its line has those above as well, if ABOVE there are
 * some: what stands there comes back with the next key.
 */
static void draw_said(const struct tfp_screen *screen, struct tfp_pen *pen, bool above)
{
	enum tfp_ink ink = screen->is_error ? TFP_INK_ERROR : TFP_INK_MESSAGE;
	int most = above ? 1 + pen->y / SAID_PART : 1, lines = 1;
	char clean[TFP_CLEAN_ROOM];

	tfp_pen_clean(pen, clean, tfp_span_of(screen->message));
	if (above)
		lines = tfp_text_lines(clean, pen->end - pen->x);
	lines = lines < 1 ? 1 : lines > most ? most : lines;
	tfp_pen_start(pen, pen->y - lines + 1, pen->x, pen->end);
	tfp_pen_wrapped(pen, ink, clean, lines);
}

/* ", 120,000 of 1,500,000 rows", where that is known. */
static void draw_made(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	char made_text[TFP_NUMBER_ROOM], total_text[TFP_NUMBER_ROOM];
	uint64_t made, total;

	tfp_worker_rows(screen->worker, &made, &total);
	if (total)
		tfp_pen_printf(pen, TFP_INK_MESSAGE, ", %s of %s rows",
			       tfp_number_exact(made_text, (int64_t)made),
			       tfp_number_exact(total_text, (int64_t)total));
}

/* What is being made, and what stands there meanwhile: the tab that is lit is of what is not there yet. */
static void draw_asking(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	static const char turning[] = "|/-\\";
	const struct tfp_tree *tree = screen->tree.rows.tree;
	const char *wanted = screen->query.view;
	char sign = turning[tfp_screen_now() / 250000000 & 3];

	if (!tree || !wanted || !strcmp(tree->base->view->name, wanted)) {
		tfp_pen_printf(pen, TFP_INK_MESSAGE, " %c making the rows", sign);
		draw_made(screen, pen);
		tfp_pen_text(pen, TFP_INK_MESSAGE, ", C-c stops");
	} else {
		tfp_pen_printf(pen, TFP_INK_MESSAGE, " %c making the %s view", sign, wanted);
		draw_made(screen, pen);
		tfp_pen_printf(pen, TFP_INK_MESSAGE, ", C-c stops; these rows are of %s",
			       tree->base->view->name);
	}
	draw_waiting(screen, pen);
}

/* Has the message line nothing to say? What is told of the row goes on there. */
static bool is_quiet(const struct tfp_screen *screen)
{
	return !screen->mode && !screen->message && !is_slow(screen) &&
	       !tfp_worker_busy(screen->worker, TFP_TASK_LOAD) &&
	       !tfp_worker_busy(screen->worker, TFP_TASK_WRITE);
}

static void draw_message(struct tfp_screen *screen, struct tfp_pen *pen, bool above)
{
	if (tfp_worker_busy(screen->worker, TFP_TASK_LOAD) &&
	    !(tfp_screen_has_part(screen) && screen->message))
		draw_progress(screen, pen);
	else if (tfp_worker_busy(screen->worker, TFP_TASK_WRITE) && !screen->message)
		draw_writing(screen, pen);
	else if (is_slow(screen))
		draw_asking(screen, pen);
	else if (screen->message)
		draw_said(screen, pen, above);
	tfp_pen_finish(pen);
}

/* Actions in the key line, most wanted first; the help keeps its place at the end. */
static void draw_keys(struct tfp_screen *screen, struct tfp_pen *pen)
{
	char help[32], keys[64];
	const struct tfp_hint *hint;
	bool fits = true;
	int end;

	tfp_keymap_now(&screen->keymap, "?", help, sizeof(help));
	end = pen->end - (int)tfp_text_cells(help, strlen(help)) - 7;
	for (size_t i = 0; fits && (hint = tfp_actions_hint(screen, i)); i++) {
		tfp_keymap_now(&screen->keymap, hint->key, keys, sizeof(keys));
		fits = !*keys || tfp_pen_hint(pen, keys, hint->text, end);
	}
	tfp_pen_printf(pen, TFP_INK_KEY, " %s", help);
	tfp_pen_text(pen, TFP_INK_KEY_TEXT, " keys");
}

/* ---- all of it ---- */

static void draw_body(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area)
{
	bool focused = screen->focus == TFP_FOCUS_TREE && !screen->mode;

	if (area.rows <= 0)
		return;
	if (screen->page.open) {
		tfp_textpane_draw(&screen->page, pen, area);
		return;
	}
	pen->faded = is_slow(screen);
	tfp_treepane_draw(&screen->tree, pen, area, focused || screen->mode);
	pen->faded = false;
}

static void draw_pane(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area)
{
	int focused = screen->focus == TFP_FOCUS_TREE ? -1 : (int)screen->focus - TFP_FOCUS_PANE;

	if (area.rows <= 0)
		return;
	if (screen->filter.open)
		tfp_filter_draw(screen, pen, area);
	else if (screen->chooser.open)
		tfp_chooser_draw(screen, pen, area);
	else
		tfp_drillpane_draw(&screen->drill, &screen->about, pen, area, focused);
}

/* Puts the pen on the next line, if the part has one. */
static bool line(struct tfp_pen *pen, int *y, int rows)
{
	tfp_pen_start(pen, *y, 0, COLS);
	*y += rows;
	return rows > 0;
}

/* A mode that needs more than the key line has the message line as well. */
static bool draw_above(struct tfp_screen *screen, struct tfp_pen *pen)
{
	if (!screen->mode || !screen->mode->above || !screen->mode->above(screen, pen))
		return false;
	tfp_pen_finish(pen);
	return true;
}

/*
 * Where there is no message line, what a key led to is said in that of the keys, unless something is
 * typed or chosen there.
 */
static bool yields(const struct tfp_screen *screen)
{
	bool hints_only = !screen->mode || screen->filter.open || screen->chooser.open;

	return screen->pace.key && screen->message && *screen->message && hints_only;
}

static void draw_all(struct tfp_screen *screen)
{
	struct tfp_pen pen = {.theme = &screen->theme, .utf8 = screen->utf8};
	struct parts parts = parts_of(screen);
	bool more;
	int y = 0;

	if (line(&pen, &y, parts.tabs))
		tfp_querybar_tabs(screen, &pen);
	pen.faded = is_slow(screen);
	if (line(&pen, &y, parts.query))
		tfp_querybar_query(screen, &pen);
	pen.faded = false;
	tfp_curve_draw(screen, &pen, (struct tfp_area){y, 0, parts.curve, COLS});
	y += parts.curve;
	draw_body(screen, &pen, (struct tfp_area){y, 0, parts.body, COLS});
	y += parts.body;
	draw_pane(screen, &pen, (struct tfp_area){y, 0, parts.pane, COLS});
	y += parts.pane;
	more = parts.facts && parts.message && is_quiet(screen);
	if (line(&pen, &y, parts.facts))
		tfp_facts_draw(screen, &pen, parts.facts + more);
	if (line(&pen, &y, parts.message) && !more && !draw_above(screen, &pen))
		draw_message(screen, &pen, parts.facts > 0);
	if (!parts.message)
		screen->menu.above =
			0; /* it may have had a line before the window was made small */
	if (!line(&pen, &y, parts.keys))
		return;
	if (!parts.message && yields(screen))
		draw_said(screen, &pen, false);
	else if (screen->mode)
		screen->mode->line(screen, &pen);
	else
		draw_keys(screen, &pen);
	tfp_pen_finish(&pen);
}

/* Keeps lines back that are not of this turn's part of the rows; what is kept back stands there until it is drawn. */
static void keep_back(struct tfp_screen *screen)
{
	struct parts parts = parts_of(screen);
	int top = parts.tabs + parts.query + parts.curve, part = screen->painted_part;
	int first = parts.body * part / TFP_PAGE_FRAMES;
	int end = parts.body * (part + 1) / TFP_PAGE_FRAMES;

	wtouchln(stdscr, top, first, 0);
	wtouchln(stdscr, top + end, parts.body - end, 0);
	screen->painted_part = (part + 1) % TFP_PAGE_FRAMES;
}

void tfp_screen_paint(struct tfp_screen *screen, bool part)
{
	screen->cursor_y = -1;
	draw_all(screen);
	tfp_term_cursor(&screen->term, screen->cursor_y, screen->cursor_x);
	touchwin(stdscr);
	if (part)
		keep_back(screen);
	wnoutrefresh(stdscr);
	doupdate();
	screen->painted_top = screen->page.open ? screen->page.scroll.top : screen->tree.list.top;
	screen->dirty = part;
}
