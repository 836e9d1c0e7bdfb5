/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two lines at the top: tabs of the views, and what the query lets be seen.
 */
#include <stdio.h>
#include <string.h>

#include "ui/tree/listing.h"

/* Views by digit. A file that has nothing for one shows it in parentheses; the view says what it needs. */
static const struct {
	char digit;
	const char *brief, *title;
} tabs[] = {
	{'0', "sum", "summary"}, {'1', "scope", "scope"}, {'2', "graph", "graph"},
	{'3', "op", "op"},       {'4', "code", "code"},   {'5', "device", "device"},
	{'6', "steps", "steps"}, {'7', "idle", "idle"},   {'8', "mem", "memory"},
	{'9', "time", "time"},
};

#define MOST_PARTS 6
#define PART_LONG  28 /* cells of a part that can do without its middle, */
#define PART_LEAST 12 /* and keeps so many */
#define TABS       (sizeof(tabs) / sizeof(*tabs))

/* Two views may share a digit where no file fills both well: the first that this file can fill has it. */
static size_t index_of(const struct tfp_screen *screen, char digit)
{
	size_t first = TFP_MAX_VIEWS;

	for (size_t i = 0; tfp_views[i] && i < TFP_MAX_VIEWS; i++) {
		if (tfp_views[i]->digit != digit)
			continue;
		if (!screen->loaded || !screen->about.view_missing[i])
			return i;
		if (first == TFP_MAX_VIEWS)
			first = i;
	}
	return first;
}

const struct tfp_view *tfp_querybar_view(const struct tfp_screen *screen, char digit)
{
	size_t index = index_of(screen, digit);

	return index < TFP_MAX_VIEWS ? tfp_views[index] : NULL;
}

const char *tfp_screen_view_missing(const struct tfp_screen *screen, const struct tfp_view *view)
{
	return screen->loaded ? screen->about.view_missing[tfp_view_index(view)] : NULL;
}

const char *tfp_querybar_missing(const struct tfp_screen *screen, char digit)
{
	size_t index = index_of(screen, digit);

	if (index == TFP_MAX_VIEWS)
		return "there is no such view";
	return screen->loaded ? screen->about.view_missing[index] : NULL;
}

/* The view that the tabs show as chosen: the one that is wanted. */
static const struct tfp_view *chosen(const struct tfp_screen *screen)
{
	return screen->query.view ? tfp_view_find(screen->query.view) : NULL;
}

/* The view that TAB is of: of two that share its digit the one that is shown. */
static const struct tfp_view *view_of(const struct tfp_screen *screen, size_t tab)
{
	const struct tfp_view *view = chosen(screen);

	return view && view->digit == tabs[tab].digit ? view
						      : tfp_querybar_view(screen, tabs[tab].digit);
}

/* A view that took another's digit keeps its own title; four letters, or the other's, are brief. */
static const char *title_of(const struct tfp_screen *screen, size_t tab, bool brief, int *size)
{
	const struct tfp_view *view = view_of(screen, tab);
	bool other = view && !tfp_screen_view_missing(screen, view) &&
		     strcmp(view->title, tabs[tab].title);
	const char *title = other ? view->title : brief ? tabs[tab].brief : tabs[tab].title;
	int room = strlen(tabs[tab].brief) > 4 ? (int)strlen(tabs[tab].brief) : 4;

	*size = (int)strlen(title);
	if (other && brief && *size > room)
		*size = room;
	return title;
}

/*
 * Long titles where they fit; then brief ones; then without the views that cannot be shown; then keys alone, but
 * for the view that is shown.
 */
struct tab_style {
	bool brief, all, digits;
};

static bool is_on(const struct tfp_screen *screen, size_t tab)
{
	const struct tfp_view *view = view_of(screen, tab);

	return view && view == chosen(screen);
}

static bool has_title(const struct tfp_screen *screen, size_t tab, struct tab_style style)
{
	return !style.digits || is_on(screen, tab);
}

#define KEY_ROOM 64

/* The key that shows the view of TAB: its digit, unless the settings gave it another. "": none does. */
static const char *key_of(const struct tfp_screen *screen, size_t tab, char text[KEY_ROOM])
{
	const char digit[] = {tabs[tab].digit, '\0'};

	return tfp_keymap_now(&screen->keymap, digit, text, KEY_ROOM);
}

/* A view without a key is known by its title alone. */
static int cells_of(const struct tfp_screen *screen, size_t tab, struct tab_style style)
{
	char text[KEY_ROOM];
	const char *key = key_of(screen, tab, text);
	int size, cells = (int)tfp_text_cells(key, strlen(key));

	title_of(screen, tab, style.brief, &size);
	if (!cells)
		return size + 2;
	return cells + 2 + (has_title(screen, tab, style) ? size + 1 : 0);
}

static int cells_of_all(const struct tfp_screen *screen, struct tab_style style)
{
	int cells = 0;

	for (size_t i = 0; i < TABS; i++)
		if (style.all || !tfp_querybar_missing(screen, tabs[i].digit))
			cells += cells_of(screen, i, style);
	return cells;
}

/* The blank behind the last tab may be where the line has ended. */
static bool all_fit(const struct tfp_screen *screen, struct tab_style style, int cols)
{
	size_t last = TABS - 1;

	while (last && !style.all && tfp_querybar_missing(screen, tabs[last].digit))
		last--;
	cols += !is_on(screen, last) && !tfp_querybar_missing(screen, tabs[last].digit);
	return cells_of_all(screen, style) <= cols;
}

static void draw_tab(const struct tfp_screen *screen, struct tfp_pen *pen, size_t tab,
		     struct tab_style style)
{
	bool on = is_on(screen, tab);
	bool off = tfp_querybar_missing(screen, tabs[tab].digit);
	const char *signs = on ? "[]" : off ? "()" : "  ";
	enum tfp_ink ink = on ? TFP_INK_TAB_ON : off ? TFP_INK_TAB_OFF : TFP_INK_TAB;
	int size;
	const char *title = title_of(screen, tab, style.brief, &size);
	char text[KEY_ROOM];
	const char *key = key_of(screen, tab, text);

	if (has_title(screen, tab, style) || !*key) {
		tfp_pen_printf(pen, ink, "%c%s%s%.*s", signs[0], key, *key ? " " : "", size, title);
		if (pen->x < pen->end)
			tfp_pen_printf(pen, ink, "%c", signs[1]);
	} else {
		tfp_pen_printf(pen, ink, " %s ", key);
	}
}

static void draw_title_at_right(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	char clean[TFP_CLEAN_ROOM];
	size_t size = tfp_pen_clean(pen, clean, tfp_span_of(screen->config->title));
	int cells = (int)tfp_text_cells(clean, size) + 1;

	if (pen->x + cells + 1 > pen->end)
		return;
	tfp_pen_to(pen, pen->end - cells);
	tfp_pen_size(pen, TFP_INK_QUERY, clean, size);
}

static struct tab_style style_of(const struct tfp_screen *screen, int cols)
{
	static const struct tab_style styles[] = {
		{.all = true}, {.brief = true, .all = true}, {.brief = true}};

	for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++)
		if (all_fit(screen, styles[i], cols))
			return styles[i];
	return (struct tab_style){.brief = true, .digits = true};
}

/* Which tabs are drawn, in columns from 0 on: those from FIRST on that end by END. */
struct tab_line {
	struct tab_style style;
	size_t first;
	int begin, end;
};

/* Is TAB one of the line, where X is the next free column? */
static bool has_tab(const struct tfp_screen *screen, const struct tab_line *line, size_t tab, int x)
{
	return tab >= line->first &&
	       (line->style.all || !tfp_querybar_missing(screen, tabs[tab].digit)) &&
	       x + cells_of(screen, tab, line->style) <= line->end;
}

/* Is the tab of the view that is shown among those of LINE, or is there none? */
static bool shows_chosen(const struct tfp_screen *screen, const struct tab_line *line)
{
	int x = line->begin;

	for (size_t i = 0; i < TABS; i++) {
		bool there = has_tab(screen, line, i, x);

		if (is_on(screen, i))
			return there;
		x += there ? cells_of(screen, i, line->style) : 0;
	}
	return true;
}

/* Where not all have room the line begins further on, so that the tab of the view is seen; signs say of the others. */
static struct tab_line line_of(const struct tfp_screen *screen, int cols)
{
	struct tab_line line = {.style = style_of(screen, cols), .end = cols + 1};

	if (all_fit(screen, line.style, cols))
		return line;
	line.end = cols - 1;
	while (line.first + 1 < TABS && !shows_chosen(screen, &line)) {
		line.first++;
		line.begin = 1;
	}
	return line;
}

static void draw_gap(struct tfp_pen *pen)
{
	tfp_pen_text(pen, TFP_INK_TAB, tfp_symbol(pen, TFP_SYMBOL_GAP));
}

void tfp_querybar_tabs(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	int cols = pen->end - pen->x, start = pen->x;
	struct tab_line line = line_of(screen, cols);
	bool left_out = false;

	if (tfp_listing_is(screen)) {
		tfp_pen_text(pen, TFP_INK_TAB_ON, " files ");
		tfp_pen_finish(pen);
		return;
	}
	if (line.first)
		draw_gap(pen);
	for (size_t i = line.first; i < TABS; i++)
		if (has_tab(screen, &line, i, pen->x - start))
			draw_tab(screen, pen, i, line.style);
		else
			left_out |= line.style.all || !tfp_querybar_missing(screen, tabs[i].digit);
	if (left_out && line.end < cols)
		draw_gap(pen);
	if (cols >= TFP_SPLIT_COLS && screen->config->title)
		draw_title_at_right(screen, pen);
	tfp_pen_finish(pen);
}

char tfp_querybar_digit(const struct tfp_screen *screen, int cols, int x)
{
	struct tab_line line = line_of(screen, cols);
	int start = line.begin;

	for (size_t i = 0; i < TABS && !tfp_listing_is(screen); i++) {
		if (!has_tab(screen, &line, i, start))
			continue;
		start += cells_of(screen, i, line.style);
		if (x < start)
			return tabs[i].digit;
	}
	return '\0';
}

static int raw_cells(const struct tfp_pen *pen, const char *text)
{
	char clean[TFP_CLEAN_ROOM];
	size_t size = tfp_pen_clean(pen, clean, tfp_span_of(text));

	return (int)tfp_text_cells(clean, size);
}

/* Parts of the query line, which stand between bars. */
struct parts {
	char text[MOST_PARTS][TFP_CLEAN_ROOM];
	size_t count;
};

static void split_parts(const struct tfp_pen *pen, const char *text, struct parts *parts)
{
	parts->count = 0;
	while (parts->count < MOST_PARTS) {
		const char *bar = parts->count + 1 < MOST_PARTS ? strstr(text, " | ") : NULL;
		size_t size = bar ? (size_t)(bar - text) : strlen(text);

		tfp_pen_clean(pen, parts->text[parts->count++], (struct tfp_span){text, size});
		if (!bar)
			return;
		text = bar + 3;
	}
}

static size_t cells_of_part(const struct parts *parts, size_t part)
{
	return tfp_text_cells(parts->text[part], strlen(parts->text[part]));
}

static size_t longest_part(const struct parts *parts)
{
	size_t longest = 0;

	for (size_t i = 1; i < parts->count; i++)
		if (cells_of_part(parts, i) > cells_of_part(parts, longest))
			longest = i;
	return longest;
}

/* TEXT in CELLS cells: what is measured loses its middle, filters and what they hide their end. */
static void shorten_part(const struct tfp_pen *pen, char text[TFP_CLEAN_ROOM], bool filters,
			 size_t cells)
{
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);
	char cut[TFP_CLEAN_ROOM];

	if (filters)
		snprintf(cut, sizeof(cut), "%.*s%s",
			 (int)tfp_text_fit(text, strlen(text), cells - 1, NULL), text, gap);
	else
		tfp_text_shorten(cut, sizeof(cut), text, strlen(text), cells, gap);
	strcpy(text, cut);
}

/* Where not all fit into ROOM cells the longest is shortened; a second one where that is not enough. */
static void shorten_parts(const struct tfp_pen *pen, struct parts *parts, size_t room)
{
	for (int round = 0; round < 2; round++) {
		size_t all = 3 * (parts->count - 1), part = longest_part(parts), left, cells;

		for (size_t i = 0; i < parts->count; i++)
			all += cells_of_part(parts, i);
		cells = cells_of_part(parts, part);
		if (all <= room || cells < PART_LONG)
			return;
		left = cells > all - room + PART_LEAST ? cells - (all - room) : PART_LEAST;
		shorten_part(pen, parts->text[part], part > 0, left);
	}
}

static void draw_parts(struct tfp_pen *pen, const char *text)
{
	struct parts parts;

	split_parts(pen, text, &parts);
	shorten_parts(pen, &parts, pen->end > pen->x ? (size_t)(pen->end - pen->x) : 0);
	for (size_t i = 0; i < parts.count; i++) {
		if (i)
			tfp_pen_printf(pen, TFP_INK_RULE, " %s ",
				       tfp_symbol(pen, TFP_SYMBOL_BETWEEN));
		tfp_pen_raw(pen, TFP_INK_QUERY, tfp_span_of(parts.text[i]));
	}
}

/* "rows from 3%: ", or when the rest has been read, but the rows are not made anew yet, that they are. In ARENA. */
static const char *part_text(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	if (!screen->part)
		return "";
	return tfp_arena_printf(arena, "rows from %s%s: ", screen->part,
				tfp_screen_has_part(screen) ? "" : ", all are being made");
}

/* As many words as there is room for; the fewest where there is none even for these. */
static void draw_summary(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	struct tfp_arena arena = {0};
	int64_t step = tfp_screen_held_step(screen);
	const char *part = part_text(screen, &arena), *held = "";
	int brief = 0, room = pen->end - pen->x;

	if (step >= 0)
		held = tfp_arena_printf(&arena, " | step %lld chosen", (long long)step);
	room -= raw_cells(pen, part) + raw_cells(pen, held);
	while (brief < TFP_BRIEFEST && raw_cells(pen, screen->summary[brief]) > room)
		brief++;
	draw_parts(pen, tfp_arena_printf(&arena, "%s%s%s", part, screen->summary[brief], held));
	tfp_arena_free(&arena);
}

/* What is open stands in the other line where that is long; here only if nothing is lost by it. */
void tfp_querybar_query(const struct tfp_screen *screen, struct tfp_pen *pen)
{
	const char *summary = screen->summary[0] ? screen->summary[0] : "";
	const char *title = screen->config->title ? screen->config->title : "";
	int room = pen->end - pen->x;

	tfp_pen_blank(pen, 1);
	if (*title && room < TFP_SPLIT_COLS &&
	    (!*summary || raw_cells(pen, title) + raw_cells(pen, summary) + 4 <= room)) {
		tfp_pen_raw(pen, TFP_INK_QUERY, tfp_span_of(title));
		if (*summary)
			tfp_pen_printf(pen, TFP_INK_RULE, " %s ",
				       tfp_symbol(pen, TFP_SYMBOL_BETWEEN));
	}
	if (*summary)
		draw_summary(screen, pen);
	tfp_pen_finish(pen);
}
