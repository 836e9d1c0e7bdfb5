/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that remember: marks on rows, and the queries before this one.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

/* ---- marks ------------------------------------------------------------------------------------ */

void tfp_screen_show_marked(struct tfp_screen *screen)
{
	struct tfp_treepane *tree = &screen->tree;
	size_t count;
	const uint32_t *rows = tfp_marks_rows(&tree->marks, tree->rows.tree, &count);

	screen->drill.marked = count > 1;
	if (count > 1)
		tfp_drillpane_take_marked(
			&screen->drill,
			tfp_tree_marked(tree->rows.tree, rows, count, tree->lens.metric));
}

static void say_marks(struct tfp_screen *screen)
{
	size_t count = screen->tree.marks.keys.count;
	const char *use = "y t copies, w writes, ";
	char number[TFP_NUMBER_ROOM];

	if (tfp_listing_is(screen))
		use = count == 1 ? "Enter opens it, = compares another with it, "
				 : "Enter opens them as one, = compares, ";
	screen->want_detail = true;
	if (!count)
		tfp_screen_say(screen, "no row is marked");
	else
		tfp_screen_say(screen, "%s row%s marked; %s{U} unmarks",
			       tfp_number_exact(number, (int64_t)count), count == 1 ? "" : "s",
			       use);
}

void tfp_act_mark(struct tfp_screen *screen, int unused)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);

	(void)unused;
	if (screen->page.open) { /* as in other programs that show pages */
		tfp_act_move(screen, TFP_MOVE_PAGE_DOWN);
		return;
	}
	if (row == TFP_NONE || screen->focus != TFP_FOCUS_TREE)
		return;
	if (tree->base->view->text) {
		tfp_screen_say(screen, "these lines have no figures to compare");
		return;
	}
	tfp_marks_turn(&screen->tree.marks, tree->base->key[row]);
	tfp_act_move(screen, TFP_MOVE_DOWN);
	say_marks(screen);
}

void tfp_act_unmark(struct tfp_screen *screen, int unused)
{
	(void)unused;
	tfp_marks_clear(&screen->tree.marks);
	say_marks(screen);
}

/* ---- undo ------------------------------------------------------------------------------------- */

void tfp_screen_note_query(struct tfp_screen *screen)
{
	if (screen->loaded)
		tfp_history_note(&screen->history, &screen->query,
				 screen->lens.name ? screen->lens.name : "",
				 screen->filter.open || screen->chooser.open);
}

static void set_lens_called(struct tfp_screen *screen, const char *name)
{
	for (size_t i = 0; i < screen->about.lens_count; i++)
		if (!strcmp(screen->about.lenses[i].name, name))
			screen->lens = screen->about.lenses[i];
}

void tfp_act_undo(struct tfp_screen *screen, int back)
{
	const struct tfp_past *past;

	if (!screen->loaded)
		return;
	past = tfp_history_step(&screen->history, back);
	if (!past) {
		tfp_screen_say(screen, back ? "nothing to undo" : "nothing to redo");
		return;
	}
	tfp_query_free(&screen->query);
	tfp_query_copy(&screen->query, &past->query);
	set_lens_called(screen, past->lens);
	screen->lens_chosen = screen->order_chosen = false;
	screen->tree.rows.chosen = false;
	screen->focus = TFP_FOCUS_TREE;
	tfp_screen_ask_tree(screen);
	tfp_screen_say(screen, back ? "undone; {C-r} does it again" : "done again");
}
