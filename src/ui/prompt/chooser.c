/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chooser of columns. Every key changes the wanted query, and the tree shows it at once: what
 * is chosen needs no new tree, unless it is found only for those who ask.
 */
#include "ui/prompt/chooser.h"

#include <string.h>

#include "ui/action/actions.h"
#include "ui/action/keys.h"

/* Lines of the tree that stay in sight: its header and some rows. */
#define TREE_ROWS 5

/* ---- choice and query ------------------------------------------------------------------------- */

static size_t view_index(const struct tfp_screen *screen)
{
	return tfp_view_index(screen->tree.rows.tree->base->view);
}

/* The offer called NAME in place of the cursor. */
static void keep_cursor(struct tfp_chooser *chooser, const char *name)
{
	for (size_t i = 0; i < chooser->list.count; i++)
		if (!strcmp(chooser->offers[i].name, name))
			chooser->list.cursor = i;
}

void tfp_chooser_renew(struct tfp_screen *screen)
{
	struct tfp_chooser *chooser = &screen->chooser;
	const struct tfp_tree *tree = screen->tree.rows.tree;
	char here[64] = "";

	if (chooser->list.count)
		snprintf(here, sizeof(here), "%s", chooser->offers[chooser->list.cursor].name);
	tfp_arena_free(&chooser->arena);
	chooser->list.count = tfp_offers(tree, screen->tree.lens.metric,
					 screen->query.choices[view_index(screen)], &chooser->arena,
					 chooser->offers);
	keep_cursor(chooser, here);
	tfp_scroll_settle(&chooser->list);
}

/* "total,self:30": the chosen ones as they stand in the list. */
static const char *choice_text(const struct tfp_chooser *chooser, struct tfp_arena *arena)
{
	char *text = tfp_arena_text(arena, "", 0);

	for (size_t i = 0; i < chooser->list.count; i++) {
		const struct tfp_offer *offer = &chooser->offers[i];

		if (!offer->chosen)
			continue;
		text = tfp_arena_printf(arena, "%s%s%s", text, *text ? "," : "", offer->name);
		if (offer->column.priority != offer->usual)
			text = tfp_arena_printf(arena, "%s:%d", text, offer->column.priority);
	}
	return text;
}

/* Some columns are found only for those who ask. */
static bool is_new(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	const struct tfp_chooser *chooser = &screen->chooser;

	for (size_t i = 0; i < chooser->list.count && !tree->base->spread; i++)
		if (chooser->offers[i].chosen && !chooser->offers[i].missing &&
		    tree->base->metrics[chooser->offers[i].column.metric].kind == TFP_SPREAD)
			return true;
	return false;
}

static void show(struct tfp_screen *screen)
{
	if (is_new(screen)) {
		tfp_screen_ask_tree(screen);
		return;
	}
	tfp_treepane_columns(&screen->tree, &screen->query);
	tfp_screen_note_query(screen);
}

static void choose(struct tfp_screen *screen)
{
	screen->query.choices[view_index(screen)] =
		choice_text(&screen->chooser, &screen->query.arena);
	show(screen);
}

/* ---- keys ------------------------------------------------------------------------------------- */

static struct tfp_offer *offer_here(struct tfp_chooser *chooser)
{
	return &chooser->offers[chooser->list.cursor];
}

static void turn(struct tfp_screen *screen, int unused)
{
	struct tfp_offer *offer = offer_here(&screen->chooser);

	(void)unused;
	offer->chosen = !offer->chosen;
	choose(screen);
	if (offer->chosen && offer->missing)
		tfp_screen_say(screen, "%s will be there when there is something to show: %s%s",
			       offer->name, tfp_screen_so_far(screen), offer->missing);
}

/* Exchanges the column with its neighbour. */
static void carry(struct tfp_screen *screen, int step)
{
	struct tfp_chooser *chooser = &screen->chooser;
	size_t from = chooser->list.cursor, to = from + (size_t)step;
	struct tfp_offer offer = chooser->offers[from];

	if (to >= chooser->list.count)
		return;
	chooser->offers[from] = chooser->offers[to];
	chooser->offers[to] = offer;
	tfp_scroll_move(&chooser->list, step > 0 ? TFP_MOVE_DOWN : TFP_MOVE_UP);
	choose(screen);
}

/* 1 goes first where there is little room, 0 last. */
static void rank(struct tfp_screen *screen, int32_t digit)
{
	struct tfp_offer *offer = offer_here(&screen->chooser);

	offer->column.priority = digit == '0' ? 100 : (digit - '0') * 10;
	offer->chosen = true;
	choose(screen);
}

static void reset(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->query.choices[view_index(screen)] = NULL;
	tfp_chooser_renew(screen);
	show(screen);
	tfp_screen_say(screen, "the columns that come with the metric");
}

static void close_list(struct tfp_screen *screen, int keep)
{
	struct tfp_chooser *chooser = &screen->chooser;

	if (!keep) {
		tfp_query_choose(&screen->query, &chooser->before);
		show(screen);
	}
	screen->mode = NULL;
	screen->want_detail = true;
	tfp_chooser_free(chooser);
	if (keep)
		tfp_screen_say(screen, "these columns are for the view %s; :save keeps them",
			       screen->tree.rows.tree->base->view->name);
}

static const struct key {
	const char *names;
	void (*run)(struct tfp_screen *screen, int argument);
	int argument;
	const char *help; /* in the key line; NULL: it is told by another row */
} keys[] = {
	{"Space x", turn, 0, "on, off"},
	{"K < -", carry, -1, "to the left"},
	{"J > +", carry, 1, "to the right"},
	{"r Backspace", reset, 0, "as they come"},
	{"Enter q c F2 F10", close_list, true, "keep"},
	{"Esc C-c", close_list, false, "as before"},
};

static bool list_key(struct tfp_screen *screen, int32_t key)
{
	const struct tfp_action *action = tfp_keymap_action(&screen->keymap, key, false);
	char name[TFP_KEY_ROOM];

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (tfp_keys_include(keys[i].names, key)) {
			keys[i].run(screen, keys[i].argument);
			return true;
		}
	if (key >= '0' && key <= '9')
		rank(screen, key);
	else if (action && action->run == tfp_act_move)
		tfp_scroll_move(&screen->chooser.list, (enum tfp_move)action->argument);
	else
		tfp_screen_say(screen, "%s does nothing in the list of columns",
			       tfp_keys_name(name, key));
	return true;
}

static void list_line(struct tfp_screen *screen, struct tfp_pen *pen)
{
	(void)screen;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		int size = (int)strcspn(keys[i].names, " ");

		if (pen->x + size + (int)strlen(keys[i].help) + 3 > pen->end)
			return;
		tfp_pen_printf(pen, TFP_INK_KEY, " %.*s", size, keys[i].names);
		tfp_pen_printf(pen, TFP_INK_KEY_TEXT, " %s ", keys[i].help);
	}
}

static const struct tfp_mode list_mode = {list_key, list_line, NULL};

void tfp_act_columns(struct tfp_screen *screen, int unused)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	struct tfp_chooser *chooser = &screen->chooser;

	(void)unused;
	if (!tree)
		return;
	if (tree->base->view->text) {
		tfp_screen_say(screen, "these lines have no columns");
		return;
	}
	screen->history.typing = false;
	tfp_query_copy(&chooser->before, &screen->query);
	chooser->list = (struct tfp_scroll){0};
	chooser->open = true;
	screen->mode = &list_mode;
	tfp_chooser_renew(screen);
}

void tfp_chooser_free(struct tfp_chooser *chooser)
{
	if (!chooser->open)
		return;
	chooser->open = false;
	tfp_query_free(&chooser->before);
	tfp_arena_free(&chooser->arena);
}

/* ---- drawing ---------------------------------------------------------------------------------- */

int tfp_chooser_rows(const struct tfp_chooser *chooser, int free_rows)
{
	int wanted = (int)chooser->list.count + 1, most = free_rows - TREE_ROWS;

	if (most < (free_rows + 1) / 2)
		most = (free_rows + 1) / 2;
	return wanted < most ? wanted : most;
}

static void draw_offer(struct tfp_screen *screen, struct tfp_pen *pen, size_t index)
{
	const struct tfp_chooser *chooser = &screen->chooser;
	const struct tfp_offer *offer = &chooser->offers[index];
	bool here = index == chooser->list.cursor;
	bool hidden = offer->chosen && !tfp_treepane_fits(&screen->tree, COLS, &offer->column);
	enum tfp_ink ink = here ? TFP_INK_CURSOR : offer->missing ? TFP_INK_DIM : TFP_INK_PLAIN;
	char line[256];

	snprintf(line, sizeof(line), "%s[%c] %-10.10s %4d  %s%s%s", here ? ">" : " ",
		 offer->chosen ? 'x' : ' ',
		 *offer->column.title ? offer->column.title : offer->name, offer->column.priority,
		 hidden && !offer->missing ? "no room now: " : "",
		 offer->missing ? tfp_screen_so_far(screen) : "",
		 offer->missing ? offer->missing : offer->help);
	tfp_pen_raw(pen, ink, tfp_span_of(line));
	if (here)
		tfp_pen_fill(pen, ink, pen->end - pen->x);
	tfp_pen_finish(pen);
}

void tfp_chooser_draw(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area)
{
	struct tfp_scroll *list = &screen->chooser.list;

	tfp_scroll_resize(list, area.rows > 1 ? (size_t)(area.rows - 1) : 0);
	tfp_pen_start(pen, area.y, area.x, area.x + area.cols);
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, 1);
	tfp_pen_text(pen, TFP_INK_RULE_ON, " columns     rank ");
	tfp_pen_text(pen, TFP_INK_RULE,
		     "1-9: 10-90, 0: 100; the lowest go first in a narrow window ");
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, area.cols);
	for (int y = 1; y < area.rows; y++) {
		size_t index = list->top + (size_t)(y - 1);

		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		if (index < list->count)
			draw_offer(screen, pen, index);
		else
			tfp_pen_finish(pen);
	}
}
