/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that move: in the tree, in the pane, in a page of text.
 */
#include "ui/action/actions.h"
#include "ui/tree/listing.h"

static size_t side_of(const struct tfp_screen *screen)
{
	return screen->focus == TFP_FOCUS_SECOND;
}

/* Values come in pages: moving beyond one of them turns it; to its end twice, to the last. */
static bool turn_page(struct tfp_screen *screen, enum tfp_move move)
{
	bool down =
		move == TFP_MOVE_DOWN || move == TFP_MOVE_HALF_DOWN || move == TFP_MOVE_PAGE_DOWN;
	bool up = move == TFP_MOVE_UP || move == TFP_MOVE_HALF_UP || move == TFP_MOVE_PAGE_UP;
	const struct tfp_breakdown *values = screen->drill.count ? screen->drill.details[0] : NULL;
	const struct tfp_scroll *rows = &screen->drill.scrolls[0];
	bool at_end;

	if (side_of(screen) || !values || values->kind != TFP_BREAKDOWN_VALUES)
		return false;
	at_end = rows->cursor + 1 >= rows->count;
	if (at_end && down && values->page + 1 < values->pages)
		screen->drill.page = values->page + 1;
	else if (at_end && move == TFP_MOVE_LAST && values->page + 1 < values->pages)
		screen->drill.page = values->pages - 1;
	else if (!rows->cursor && up && values->page)
		screen->drill.page = values->page - 1;
	else if (!rows->cursor && move == TFP_MOVE_FIRST && values->page)
		screen->drill.page = 0;
	else
		return false;
	screen->drill.to_end = up || move == TFP_MOVE_LAST;
	tfp_screen_ask_detail(screen);
	return true;
}

void tfp_act_move(struct tfp_screen *screen, int move)
{
	if (screen->page.open) {
		tfp_scroll_view(&screen->page.scroll, (enum tfp_move)move);
	} else if (screen->focus == TFP_FOCUS_TREE || screen->mode) {
		tfp_scroll_move(&screen->tree.list, (enum tfp_move)move);
	} else if (!turn_page(screen, (enum tfp_move)move)) {
		tfp_scroll_move(&screen->drill.scrolls[side_of(screen)], (enum tfp_move)move);
	}
}

/* True when the tree has the focus; else it gets it, and nothing more. */
static bool in_tree(struct tfp_screen *screen)
{
	bool there = screen->focus == TFP_FOCUS_TREE;

	screen->focus = TFP_FOCUS_TREE;
	return there;
}

/* Why what opens the rows below the cursor has opened none. */
static void say_closed(struct tfp_screen *screen)
{
	const struct tfp_rows *rows = &screen->tree.rows;
	uint32_t row = tfp_treepane_row(&screen->tree);

	if (row == TFP_NONE)
		return;
	if (rows->tree->query.flat)
		tfp_screen_say(screen, "a list has nothing to open: {t} makes it a tree");
	else
		tfp_screen_say(screen, tfp_rows_can_open(rows, row)
					       ? "all that is below this row is open"
					       : "there is nothing below this row");
}

void tfp_act_forward(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (screen->focus == TFP_FOCUS_PANE && screen->drill.count > 1)
		screen->focus = TFP_FOCUS_SECOND;
	else if (screen->focus == TFP_FOCUS_TREE && !tfp_listing_enter(screen) &&
		 !tfp_treepane_forward(&screen->tree))
		say_closed(screen);
}

static void say_top(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (tree)
		tfp_screen_say(screen, tree->query.flat
					       ? "a list has no parents: {t} makes it a tree"
					       : "there is nothing above this row");
}

void tfp_act_back(struct tfp_screen *screen, int unused)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	(void)unused;
	if (screen->focus == TFP_FOCUS_SECOND) {
		screen->focus = TFP_FOCUS_PANE;
		return;
	}
	if (!in_tree(screen))
		return;
	if (tfp_treepane_back(&screen->tree) || !tree)
		return;
	if (tree->query.zoom)
		tfp_act_zoom(screen, 0);
	else
		say_top(screen);
}

/* Why Enter does nothing on a row without any below it. */
static void say_leaf(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (tree && tree->base->view->text)
		tfp_screen_say(screen, "this line leads nowhere");
	else
		say_closed(screen);
}

void tfp_act_enter(struct tfp_screen *screen, int unused)
{
	const struct tfp_breakdown_row *row;

	(void)unused;
	if (screen->page.open)
		return;
	if (screen->focus == TFP_FOCUS_TREE) {
		if (tfp_listing_enter(screen) || tfp_time_enter(screen) ||
		    tfp_screen_follow(screen))
			return;
		if (tfp_treepane_toggle(&screen->tree))
			return;
		if (screen->drill.count && tfp_screen_has_pane(screen))
			screen->focus = TFP_FOCUS_PANE;
		else
			say_leaf(screen);
		return;
	}
	row = tfp_drillpane_row(&screen->drill, side_of(screen));
	if (row && row->node != TFP_NONE)
		tfp_screen_go_to_node(screen, row->node);
	else if (row && row->file && !tfp_sources_has_file(row->file))
		tfp_screen_say(screen, TFP_BUILT_IN);
	else if (row && row->file)
		tfp_screen_say(screen, "%s:%d   {e} opens it in the editor", row->file, row->line);
	else if (row)
		tfp_screen_say(screen, "this row names no single node: {d} shows nodes");
}

void tfp_act_parent(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (in_tree(screen) && !tfp_treepane_parent(&screen->tree))
		say_top(screen);
}

void tfp_act_sibling(struct tfp_screen *screen, int next)
{
	if (in_tree(screen) && !tfp_treepane_sibling(&screen->tree, next))
		tfp_screen_say(screen, next ? "this is the last of its parent"
					    : "this is the first of its parent");
}

void tfp_act_open_below(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (in_tree(screen) && !tfp_treepane_open_below(&screen->tree))
		say_closed(screen);
}

void tfp_act_set_all(struct tfp_screen *screen, int open)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (!in_tree(screen) || tfp_treepane_set_all(&screen->tree, open) || !tree)
		return;
	if (tree->query.flat)
		say_closed(screen);
	else
		tfp_screen_say(screen, open ? "everything is open" : "everything is closed");
}

/* Why the heaviest path goes no further than ROW, which is open. */
static void say_end_of_path(struct tfp_screen *screen, uint32_t row)
{
	double share;

	tfp_tree_heaviest(screen->tree.rows.tree, row, screen->tree.lens.metric, &share);
	if (share < 0.5)
		tfp_screen_say(screen,
			       "no row below this one holds half of it: the heaviest %.1f%%",
			       100 * share);
	else
		tfp_screen_say(screen, "there is nothing below the heaviest row");
}

void tfp_act_hot_path(struct tfp_screen *screen, int unused)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	struct tfp_scroll *list = &screen->tree.list;
	uint32_t row = tfp_treepane_row(&screen->tree);
	size_t listed;

	(void)unused;
	if (!in_tree(screen) || row == TFP_NONE)
		return;
	if (!tfp_rows_can_open(&screen->tree.rows, row)) {
		tfp_screen_say(screen, tree->query.flat ? "a list has no paths: {t} makes it a tree"
							: "there is nothing below this row");
		return;
	}
	listed = screen->tree.rows.count;
	list->cursor = tfp_treepane_hot_path(&screen->tree, list->cursor);
	if (listed == screen->tree.rows.count && tfp_treepane_row(&screen->tree) == row)
		say_end_of_path(screen, row);
	tfp_scroll_settle(list);
}

void tfp_act_sideways(struct tfp_screen *screen, int cells)
{
	int *sideways =
		screen->focus == TFP_FOCUS_TREE ? &screen->tree.sideways : &screen->drill.sideways;

	*sideways = *sideways + cells > 0 ? *sideways + cells : 0;
}

/* Why there is no pane to go to. */
static void say_no_pane(struct tfp_screen *screen)
{
	const char *why = tfp_screen_lacks_pane(screen);

	if (why)
		tfp_screen_say(screen, "%s", why);
	else if (screen->drill.size == TFP_PANE_OFF)
		tfp_screen_say(screen, "the pane is off: {v} shows it");
	else if (!tfp_screen_has_pane(screen))
		tfp_screen_say(screen, "there are too few lines for the pane");
	else
		tfp_screen_say(screen, "the pane has no rows yet");
}

void tfp_act_focus(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (screen->page.open)
		return;
	if (screen->focus == TFP_FOCUS_TREE &&
	    (!screen->drill.count || !tfp_screen_has_pane(screen)))
		say_no_pane(screen);
	else if (screen->focus == TFP_FOCUS_TREE)
		screen->focus = TFP_FOCUS_PANE;
	else if (screen->focus == TFP_FOCUS_PANE && screen->drill.count > 1)
		screen->focus = TFP_FOCUS_SECOND;
	else
		screen->focus = TFP_FOCUS_TREE;
}
