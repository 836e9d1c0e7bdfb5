/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting the rows of the tree; those of the pane: act_panesort.c.
 */
#include <strings.h>

#include "ui/action/actions.h"

/* Text is read from above. */
static bool refuses_order(struct tfp_screen *screen)
{
	bool refuses = screen->tree.rows.tree->base->view->text;

	if (refuses)
		tfp_screen_say(screen, "these lines have an order of their own");
	return refuses;
}

static void sort_by(struct tfp_screen *screen, int order, bool reverse)
{
	const struct tfp_rows *rows = &screen->tree.rows;
	struct tfp_diag *diag;

	if (refuses_order(screen))
		return;
	screen->order_chosen |= order != rows->order || reverse == rows->reverse;
	diag = tfp_diag_new();
	screen->query.reverse = reverse;
	if (tfp_query_set(&screen->query, "order_by", tfp_screen_order_word(screen, order), diag))
		tfp_treepane_sort(&screen->tree, order, reverse);
	tfp_screen_note_query(screen);
	tfp_diag_free(diag);
}

static void choose_order(struct tfp_screen *screen, int64_t order)
{
	sort_by(screen, (int)order, false);
}

/* The orders of the columns, the name's first; each once. Returns how many. */
static size_t orders_of(const struct tfp_treepane *pane, int orders[TFP_MAX_COLUMNS + 1],
			const char *titles[TFP_MAX_COLUMNS + 1])
{
	size_t count = 1;

	orders[0] = TFP_ORDER_NAME;
	titles[0] = "name";
	for (size_t i = 0; i < pane->column_count; i++) {
		int order = tfp_column_order(&pane->columns[i]);
		size_t at = 0;

		while (at < count && orders[at] != order)
			at++;
		if (order == TFP_ORDER_NONE || at < count)
			continue;
		orders[count] = order;
		titles[count++] = pane->columns[i].title;
	}
	return count;
}

void tfp_act_sort_menu(struct tfp_screen *screen, int unused)
{
	int orders[TFP_MAX_COLUMNS + 1];
	const char *titles[TFP_MAX_COLUMNS + 1];
	size_t count;

	(void)unused;
	if (!screen->tree.rows.tree || tfp_pane_sort_menu(screen))
		return;
	if (refuses_order(screen)) {
		tfp_menu_refuse(screen, "nt");
		return;
	}
	count = orders_of(&screen->tree, orders, titles);
	tfp_menu_begin(screen, "sort by", choose_order);
	for (size_t i = 0; i < count; i++)
		tfp_menu_add(screen, 0, titles[i], orders[i]);
	tfp_menu_open(screen);
}

struct tfp_words tfp_sort_titles(struct tfp_screen *screen, struct tfp_arena *arena)
{
	const char **titles = tfp_arena_zero(arena, TFP_MAX_COLUMNS + 1, sizeof(*titles));
	int orders[TFP_MAX_COLUMNS + 1];

	return (struct tfp_words){titles, orders_of(&screen->tree, orders, titles)};
}

bool tfp_sort_by_title(struct tfp_screen *screen, const char *title)
{
	int orders[TFP_MAX_COLUMNS + 1];
	const char *titles[TFP_MAX_COLUMNS + 1];
	size_t count = orders_of(&screen->tree, orders, titles);

	for (size_t i = 0; i < count; i++) {
		if (strcasecmp(titles[i], title) != 0)
			continue;
		sort_by(screen, orders[i], false);
		return true;
	}
	return false;
}

void tfp_sort_by_order(struct tfp_screen *screen, int order)
{
	const struct tfp_rows *rows = &screen->tree.rows;

	if (rows->tree && order != TFP_ORDER_NONE)
		sort_by(screen, order, rows->order == order && !rows->reverse);
}

void tfp_act_sort_next(struct tfp_screen *screen, int step)
{
	int orders[TFP_MAX_COLUMNS + 1];
	const char *titles[TFP_MAX_COLUMNS + 1];
	size_t count, at = 0;

	if (!screen->tree.rows.tree || tfp_pane_sort_next(screen, step))
		return;
	count = orders_of(&screen->tree, orders, titles);
	while (at < count - 1 && orders[at] != screen->tree.rows.order)
		at++;
	sort_by(screen, orders[(at + count + (size_t)step) % count], false);
}

void tfp_act_reverse(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (tfp_pane_reverse(screen))
		return;
	if (screen->tree.rows.tree && !refuses_order(screen) &&
	    screen->tree.rows.order != TFP_ORDER_NONE)
		sort_by(screen, screen->tree.rows.order, !screen->tree.rows.reverse);
}
