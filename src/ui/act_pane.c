/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions of the pane, of search, and of what leaves the screen: the editor and the clipboard.
 */
#include <string.h>

#include "ui/actions.h"

void tfp_act_pane_kind(struct tfp_screen *screen, int back)
{
	enum tfp_breakdown_kind before[TFP_DETAILS], after[TFP_DETAILS];

	if (!screen->loaded)
		return;
	if (screen->drill.size == TFP_PANE_OFF)
		screen->drill.size = TFP_PANE_SMALL;
	tfp_drillpane_kinds(&screen->drill, &screen->about, COLS, before);
	tfp_drillpane_turn(&screen->drill, &screen->about, back);
	tfp_drillpane_kinds(&screen->drill, &screen->about, COLS, after);
	if (after[0] == before[0])
		tfp_drillpane_turn(&screen->drill, &screen->about, back);
	tfp_screen_ask_detail(screen);
}

void tfp_act_pane_size(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->drill.size = (screen->drill.size + 1) % (TFP_PANE_OFF + 1);
	if (screen->drill.size == TFP_PANE_OFF)
		screen->focus = TFP_FOCUS_TREE;
}

void tfp_act_search(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->focus = TFP_FOCUS_TREE;
	tfp_search_prompt(screen);
}

void tfp_act_search_next(struct tfp_screen *screen, int forward)
{
	screen->focus = TFP_FOCUS_TREE;
	tfp_search_next(screen, forward);
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
	} else if (row && row->node != TFP_NONE) {
		tfp_screen_say(screen, "Enter goes to this node, e then opens its line");
	} else {
		tfp_screen_ask_place(screen);
	}
}
