/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions of the pane, of search, and of what leaves the screen: the editor and the clipboard.
 */
#include "ui/action/actions.h"

/* Kinds that the cursor's row has nothing for are passed over. */
static void turn(struct tfp_screen *screen, bool back)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);
	enum tfp_breakdown_kind first = screen->drill.kind;

	do {
		tfp_drillpane_turn(&screen->drill, &screen->about, back);
	} while (row != TFP_NONE && screen->drill.kind != first &&
		 !tfp_breakdown_fits(tree, tfp_base_place(tree->base, row), screen->drill.kind));
}

/* Is there no pane to change in what is shown? Says why. */
static bool refuses_pane(struct tfp_screen *screen)
{
	const char *why = tfp_screen_lacks_pane(screen);

	if (why)
		tfp_screen_say(screen, "%s", why);
	return why;
}

/* The pane is wanted, and may have found no room. */
static void say_room(struct tfp_screen *screen)
{
	if (screen->drill.size != TFP_PANE_OFF && !tfp_screen_has_pane(screen))
		tfp_screen_say(screen, "there are too few lines for the pane");
}

void tfp_act_pane_kind(struct tfp_screen *screen, int back)
{
	enum tfp_breakdown_kind before[TFP_DETAILS], after[TFP_DETAILS], first;
	bool was_off = screen->drill.size == TFP_PANE_OFF;

	if (!screen->loaded || refuses_pane(screen))
		return;
	first = screen->drill.kind;
	if (screen->drill.size == TFP_PANE_OFF)
		screen->drill.size = TFP_PANE_SMALL;
	tfp_drillpane_kinds(&screen->drill, &screen->about, COLS, before);
	turn(screen, back);
	tfp_drillpane_kinds(&screen->drill, &screen->about, COLS, after);
	if (after[0] == before[0])
		turn(screen, back);
	if (screen->drill.kind == first && !was_off)
		tfp_screen_say(screen, "there is no other pane for this row");
	say_room(screen);
	tfp_screen_ask_detail(screen);
}

void tfp_screen_set_shape(struct tfp_screen *screen, const char *shape)
{
	struct tfp_diag *diag = tfp_diag_new();

	if (!shape &&
	    (!tfp_screen_has_pane(screen) || screen->about.breakdowns[TFP_BREAKDOWN_SHAPE].missing))
		tfp_screen_say(screen, "this row has no single shapes");
	else if (!shape)
		tfp_screen_say(screen,
			       "these are no single shapes: {Tab}, then {x} on one of op+shape");
	else if (!tfp_query_set(&screen->query, "shape", shape, diag))
		tfp_screen_fail(screen, "%s", "these shapes make no filter");
	else
		tfp_screen_ask_tree(screen);
	tfp_diag_free(diag);
}

/* What has the input shapes of the cursor's row: in the pane, or where that has none, in the tree. */
void tfp_act_shape(struct tfp_screen *screen, int unused)
{
	const struct tfp_breakdown_row *row = NULL;

	(void)unused;
	if (screen->focus != TFP_FOCUS_TREE)
		row = tfp_drillpane_row(&screen->drill, screen->focus == TFP_FOCUS_SECOND);
	if (row && row->shape)
		tfp_screen_set_shape(screen, row->shape);
	else
		tfp_screen_ask_place(screen, &screen->narrow);
	screen->focus = TFP_FOCUS_TREE;
}

void tfp_act_pane_size(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (refuses_pane(screen))
		return;
	screen->drill.size = (screen->drill.size + 1) % (TFP_PANE_OFF + 1);
	if (screen->drill.size == TFP_PANE_OFF)
		screen->focus = TFP_FOCUS_TREE;
	say_room(screen);
}

void tfp_act_search(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (screen->page.open) {
		tfp_page_search_prompt(screen);
		return;
	}
	screen->focus = TFP_FOCUS_TREE;
	tfp_search_prompt(screen);
}

void tfp_act_search_next(struct tfp_screen *screen, int forward)
{
	if (screen->page.open) {
		tfp_page_search_next(screen, forward);
		return;
	}
	screen->focus = TFP_FOCUS_TREE;
	if (!tfp_time_next(screen, forward))
		tfp_search_next(screen, forward);
}

/* Rows of steps are the tree's row in each: it is that which has a line. */
static bool is_of_steps(const struct tfp_screen *screen)
{
	return screen->drill.details[screen->focus == TFP_FOCUS_SECOND]->kind ==
	       TFP_BREAKDOWN_STEPS;
}

void tfp_act_edit(struct tfp_screen *screen, int unused)
{
	const struct tfp_breakdown_row *row = NULL;

	(void)unused;
	if (screen->focus != TFP_FOCUS_TREE)
		row = tfp_drillpane_row(&screen->drill, screen->focus == TFP_FOCUS_SECOND);
	if (row && row->file) {
		char *file = tfp_strdup(row->file);

		tfp_screen_edit(screen, file, row->line);
		tfp_array_release(file);
	} else if (row && row->node != TFP_NONE && !is_of_steps(screen)) {
		tfp_screen_say(screen, "{Enter} goes to this node, {e} then opens its line");
	} else {
		tfp_screen_ask_place(screen, &screen->edit);
	}
}
