/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is said of the cursor's row, in the lines below the rows: its whole name, and the facts as soon as they are
 * known; of a sentence all of it, of the time view what is under the cursor.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/facts.h"
#include "ui/tree/listing.h"

#define APART 3 /* blanks between name and facts */

static void draw_built_in(const struct tfp_breakdown_row *row, struct tfp_pen *pen)
{
	tfp_pen_blank(pen, 1);
	tfp_pen_raw(pen, TFP_INK_RULE_ON, tfp_span_of(row->label));
	tfp_pen_blank(pen, APART);
	tfp_pen_text(pen, TFP_INK_FACTS, TFP_BUILT_IN);
	tfp_pen_finish(pen);
}

/* The place of a source line in the pane, and what stands there. */
static void draw_source_line(const struct tfp_breakdown_row *row, struct tfp_pen *pen)
{
	if (!tfp_sources_has_file(row->file)) {
		draw_built_in(row, pen);
		return;
	}
	tfp_pen_blank(pen, 1);
	tfp_pen_raw(pen, TFP_INK_RULE_ON,
		    tfp_span_of(row->text ? tfp_path_name(row->file) : row->file));
	tfp_pen_printf(pen, TFP_INK_RULE_ON, ":%d", row->line);
	tfp_pen_blank(pen, APART);
	tfp_pen_raw(pen, TFP_INK_FACTS,
		    tfp_span_of(row->text ? row->text : "no such file here: :source-root"));
	tfp_pen_finish(pen);
}

/* The row of the pane that has the cursor; NULL. */
static const struct tfp_breakdown_row *pane_row(const struct tfp_screen *screen)
{
	if (screen->focus == TFP_FOCUS_TREE)
		return NULL;
	return tfp_drillpane_row(&screen->drill, screen->focus == TFP_FOCUS_SECOND);
}

/* What is known of ROW by now; "": nothing. */
static const char *facts_of(const struct tfp_screen *screen, uint32_t row)
{
	return row != TFP_NONE && screen->drill.row == row && screen->drill.facts
		       ? screen->drill.facts
		       : "";
}

static int room_of(const struct tfp_pen *pen)
{
	return pen->end > pen->x ? pen->end - pen->x : 0;
}

/* Bytes of TEXT that go into CELLS, as whole clauses: "a, b; c" loses "; c" first. */
static size_t fit_clauses(const char *text, size_t cells)
{
	size_t size = strlen(text);

	while (size && tfp_text_cells(text, size) > cells)
		do
			size--;
		while (size && (text[size + 1] != ' ' || !strchr(",;", text[size])));
	return size;
}

/* Draws what fits of TEXT, and returns the rest; where not even a clause does its beginning, if it is the LAST line. */
static const char *draw_clauses(struct tfp_pen *pen, const char *text, bool last)
{
	int room = room_of(pen);
	size_t size = fit_clauses(text, (size_t)(last || !room ? room : room - 1)),
	       whole = strlen(text);

	if (!size && last)
		size = whole;
	else if (size && size < whole && !last)
		size++; /* what goes on in the next line has its comma here */
	tfp_pen_raw(pen, TFP_INK_FACTS, (struct tfp_span){text, size});
	text += size;
	return text + strspn(text, " ");
}

/* ---- the time view ------------------------------------------------------------------------- */

/* "12 events, 80% busy; the longest: 3.20us at …": what is under the cursor; NULL: nothing is. */
static char *event_text(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	const struct tfp_strips *strips = screen->tree.rows.tree->base->strips;
	struct tfp_piece piece = tfp_time_piece(screen);
	char count[TFP_NUMBER_ROOM];
	char *text;

	if (!piece.count)
		return NULL;
	text = piece.event == TFP_NONE ? NULL : tfp_strips_text(strips, piece.event, arena);
	if (piece.count == 1)
		return text;
	return tfp_arena_printf(arena, "%s events, %.0f%% busy%s%s",
				tfp_number_exact(count, piece.count), 100 * piece.busy,
				!text                       ? ""
				: tfp_time_on_place(screen) ? "; this one: "
							    : "; the longest: ",
				text ? text : "");
}

/* ---- sentences ----------------------------------------------------------------------------- */

static bool is_sentence(const struct tfp_tree *tree)
{
	return tree && tree->base->view->text;
}

/* The whole sentence under the cursor, and where it leads. */
static char *sentence_text(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	uint32_t row = tfp_treepane_row(&screen->tree);
	const char *facts = facts_of(screen, row);
	char clean[TFP_CLEAN_ROOM] = "";
	struct tfp_pen pen = {.utf8 = screen->utf8};

	if (row != TFP_NONE)
		tfp_pen_clean(&pen, clean, tfp_base_label(screen->tree.rows.tree->base, row));
	return tfp_arena_printf(arena, "%s%s%s", clean, *facts ? "   " : "", facts);
}

int tfp_facts_rows(const struct tfp_screen *screen, int cols)
{
	struct tfp_arena arena = {0};
	int lines = 1;

	if (is_sentence(screen->tree.rows.tree))
		lines = tfp_text_lines(sentence_text(screen, &arena), cols);
	tfp_arena_free(&arena);
	return lines;
}

/* A sentence, or an event, all of it. False: there is none. */
static bool draw_text(const struct tfp_screen *screen, struct tfp_pen *pen, int lines)
{
	enum tfp_ink ink = lines > 1 ? TFP_INK_RULE_ON : TFP_INK_FACTS;
	struct tfp_arena arena = {0};
	char clean[TFP_CLEAN_ROOM];
	char *text = NULL;

	if (tfp_time_is(screen))
		text = event_text(screen, &arena);
	else if (is_sentence(screen->tree.rows.tree) && lines > 1)
		text = sentence_text(screen, &arena);
	if (text) {
		tfp_pen_clean(pen, clean, tfp_span_of(text));
		tfp_pen_wrapped(pen, ink, clean, lines);
	}
	tfp_arena_free(&arena);
	return text;
}

/* ---- names and facts ----------------------------------------------------------------------- */

/* Cells of the name in a line that both share: all that there are, but stacks leave some to what is said of their gaps. */
static size_t name_room(const struct tfp_screen *screen, const char *facts, int cells)
{
	bool shared = screen->tree.rows.tree->base->idle && *facts;

	if (cells < 1)
		return 1;
	return (size_t)(shared && cells > 4 ? cells * 2 / 5 : cells);
}

/* NAME in CELLS cells behind a blank: of a file the beginning is lost, else the middle. */
static void draw_name(const struct tfp_screen *screen, struct tfp_pen *pen, const char *name,
		      size_t cells)
{
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);
	char cut[TFP_CLEAN_ROOM];

	if (tfp_listing_is(screen))
		tfp_text_shorten_start(cut, sizeof(cut), name, strlen(name), cells, gap);
	else
		tfp_text_shorten(cut, sizeof(cut), name, strlen(name), cells, gap);
	tfp_pen_blank(pen, 1);
	tfp_pen_text(pen, TFP_INK_RULE_ON, cut);
}

/* Both in one line. */
static void draw_line(const struct tfp_screen *screen, struct tfp_pen *pen, const char *name,
		      const char *facts)
{
	draw_name(screen, pen, name, name_room(screen, facts, room_of(pen) - 1 - APART));
	tfp_pen_blank(pen, APART);
	draw_clauses(pen, facts, true);
	tfp_pen_finish(pen);
}

/* Bytes of NAME, which is longer, that go into CELLS: up to a place where it can be divided, if there is one behind the middle. */
static size_t fit_name(const char *name, size_t cells)
{
	size_t fits = tfp_text_fit(name, strlen(name), cells, NULL), at = fits;

	while (at > fits / 2 && !strchr(" ,/", name[at - 1]))
		at--;
	return at > fits / 2 ? at : fits;
}

/*
 * NAME in LINES lines, of which the last has CELLS for it and loses its middle. Returns how many it took; the pen is
 * behind it.
 */
static int draw_long_name(const struct tfp_screen *screen, struct tfp_pen *pen, const char *name,
			  int lines, size_t cells)
{
	int y = pen->y, x = pen->x, end = pen->end, line = 0;
	size_t room = (size_t)(end - x > 2 ? end - x - 2 : 1);

	for (; line + 1 < lines && tfp_text_cells(name, strlen(name)) > room; line++) {
		size_t fits = fit_name(name, room);

		tfp_pen_blank(pen, 1);
		tfp_pen_size(pen, TFP_INK_RULE_ON, name, fits);
		tfp_pen_finish(pen);
		name += fits;
		tfp_pen_start(pen, y + line + 1, x, end);
	}
	draw_name(screen, pen, name, line + 1 < lines ? room : cells);
	return line + 1;
}

/*
 * The name in as many lines as it needs, facts in what is left: behind it, unless they are to stand APART. Where it needs
 * all lines they share the last.
 */
static void draw_lines(const struct tfp_screen *screen, struct tfp_pen *pen, const char *name,
		       const char *facts, int lines, bool apart)
{
	int y = pen->y, x = pen->x, end = pen->end, line;
	size_t room = (size_t)(end - x > 2 ? end - x - 2 : 1);
	bool shared = *facts && tfp_text_lines(name, end - x) >= lines;

	line = draw_long_name(screen, pen, name, lines, shared ? room * 3 / 5 : room);
	if ((shared || !apart) && room_of(pen) > APART) {
		tfp_pen_blank(pen, APART);
		facts = draw_clauses(pen, facts, line == lines);
	}
	tfp_pen_finish(pen);
	for (; line < lines; line++) {
		tfp_pen_start(pen, y + line, x, end);
		tfp_pen_blank(pen, 1);
		facts = draw_clauses(pen, facts, line + 1 == lines);
		tfp_pen_finish(pen);
	}
}

/* Lines that nothing is said in. */
static void clear_lines(struct tfp_pen *pen, int lines)
{
	int y = pen->y, x = pen->x, end = pen->end;

	for (int line = 0; line < lines; line++) {
		tfp_pen_start(pen, y + line, x, end);
		tfp_pen_finish(pen);
	}
	tfp_pen_start(pen, y, x, end);
}

void tfp_facts_draw(struct tfp_screen *screen, struct tfp_pen *pen, int lines)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	const struct tfp_breakdown_row *detail = pane_row(screen);
	uint32_t row = tfp_treepane_row(&screen->tree);
	const char *facts = facts_of(screen, row);
	bool apart = tree && tree->base->idle && lines > 1;
	struct tfp_arena arena = {0};
	char name[TFP_CLEAN_ROOM];
	size_t cells;

	clear_lines(pen, lines);
	if (detail && detail->file) {
		draw_source_line(detail, pen);
		return;
	}
	if (draw_text(screen, pen, lines) || row == TFP_NONE)
		return;
	tfp_pen_clean(pen, name, tfp_tree_full_name(tree, row, &arena));
	tfp_arena_free(&arena);
	cells = tfp_text_cells(name, strlen(name)) + tfp_text_cells(facts, strlen(facts));
	if (lines == 1 || (!apart && cells + 1 + APART <= (size_t)room_of(pen)))
		draw_line(screen, pen, name, facts);
	else
		draw_lines(screen, pen, name, facts, lines, apart);
}
