/* SPDX-License-Identifier: Apache-2.0 */
/* The list of profiles: see listing.h. */
#include "ui/tree/listing.h"

#include <stdlib.h>

#include "ui/action/actions.h"

void tfp_listing_begin(struct tfp_screen *screen)
{
	struct tfp_query given = screen->query;

	tfp_ui_query(&screen->query);
	tfp_query_choose(&screen->query, &given);
	tfp_query_free(&given);
	screen->query.view = NULL;
	screen->query.order_by = NULL;
	if (screen->config->again)
		tfp_place_resume(screen);
}

void tfp_screen_leave(struct tfp_screen *screen, enum tfp_ui_next next)
{
	bool back = next == TFP_UI_BACK || next == TFP_UI_LIST;
	struct tfp_diag *diag = tfp_diag_new();
	bool gone = back && !screen->config->is_there(screen->config->opener, next, diag);

	if (gone)
		tfp_screen_fail(screen, "%s; {Q} quits", tfp_diag_get(diag, 0).text);
	tfp_diag_free(diag);
	if (gone)
		return;
	if (screen->config->next)
		*screen->config->next = next;
	screen->quit = true;
}

/* A list that is being read again may have other rows than those shown. */
static bool is_settled(struct tfp_screen *screen)
{
	bool settled = screen->loaded && !screen->outdated &&
		       !tfp_worker_busy(screen->worker, TFP_TASK_LOAD);

	if (!settled)
		tfp_screen_say(screen, "the list is being read");
	return settled;
}

static void choose(struct tfp_screen *screen, const uint32_t *rows, size_t count)
{
	const struct tfp_base *base = screen->tree.rows.tree->base;
	uint32_t *nodes = tfp_realloc_array(NULL, count, sizeof(*nodes));
	struct tfp_diag *diag = tfp_diag_new();
	size_t chosen = 0;

	for (size_t i = 0; i < count; i++)
		if (base->node[rows[i]] != TFP_NONE)
			nodes[chosen++] = base->node[rows[i]];
	if (chosen && screen->config->choose(screen->config->opener, nodes, chosen, diag))
		tfp_screen_leave(screen, TFP_UI_OPEN);
	free(nodes);
	tfp_screen_fail_with(screen, diag);
}

bool tfp_listing_enter(struct tfp_screen *screen)
{
	struct tfp_treepane *pane = &screen->tree;
	uint32_t row = tfp_treepane_row(pane);
	const uint32_t *marked;
	size_t count;

	if (!tfp_listing_is(screen))
		return false;
	if (row == TFP_NONE || !is_settled(screen))
		return true;
	marked = tfp_marks_rows(&pane->marks, pane->rows.tree, &count);
	if (count)
		choose(screen, marked, count);
	else
		choose(screen, &row, 1);
	return true;
}

/* The profile under the cursor is compared with the marked one; of two that are marked, the second with the first. */
void tfp_listing_compare(struct tfp_screen *screen)
{
	struct tfp_treepane *pane = &screen->tree;
	struct tfp_diag *diag;
	uint32_t row = tfp_treepane_row(pane), one, other;
	const uint32_t *marked;
	size_t count;

	if (row == TFP_NONE || !is_settled(screen))
		return;
	marked = tfp_marks_rows(&pane->marks, pane->rows.tree, &count);
	if (count > 2 || !count || (count == 1 && *marked == row)) {
		tfp_screen_say(screen, "mark a profile ({Space}), and another: {=} compares them");
		return;
	}
	one = pane->rows.tree->base->node[count == 2 ? marked[1] : row];
	other = pane->rows.tree->base->node[*marked];
	diag = tfp_diag_new();
	if (one != TFP_NONE && other != TFP_NONE &&
	    screen->config->compare(screen->config->opener, one, other, diag))
		tfp_screen_leave(screen, TFP_UI_OPEN);
	tfp_screen_fail_with(screen, diag);
}

/* What asks for a tree, for steps or for what is behind a row. */
static void (*const not_for_lists[])(struct tfp_screen *screen, int argument) = {
	tfp_act_flat,           tfp_act_zoom,      tfp_act_hot_path,  tfp_act_open_below,
	tfp_act_set_all,        tfp_act_step_menu, tfp_act_step_next, tfp_act_memory_turn,
	tfp_act_allocator_menu, tfp_act_shape,     tfp_act_focus,     tfp_act_pane_kind,
	tfp_act_pane_size,      tfp_act_edit,
};

bool tfp_listing_refuses(struct tfp_screen *screen, const struct tfp_action *action)
{
	if (!tfp_listing_is(screen))
		return false;
	for (size_t i = 0; i < sizeof(not_for_lists) / sizeof(*not_for_lists); i++)
		if (action->run == not_for_lists[i]) {
			tfp_screen_say(screen, "that is for a profile: {Enter} opens one");
			return true;
		}
	return false;
}

/* ---- leaving for something else -------------------------------------------------------------- */

/* What a person typed needs no second time: it can wait. */
static bool is_writing(struct tfp_screen *screen)
{
	bool writing = tfp_worker_busy(screen->worker, TFP_TASK_WRITE);

	if (writing)
		tfp_screen_say(screen, "a file is being written; {C-c} stops that");
	return writing;
}

void tfp_screen_open(struct tfp_screen *screen, const char *path)
{
	struct tfp_diag *diag;

	if (is_writing(screen))
		return;
	diag = tfp_diag_new();
	if (screen->config->open && screen->config->open(screen->config->opener, path, diag))
		tfp_screen_leave(screen, TFP_UI_OPEN);
	tfp_screen_fail_with(screen, diag);
}

void tfp_act_list(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (is_writing(screen))
		return;
	if (screen->config->has_list || screen->config->has_former)
		tfp_screen_leave(screen, TFP_UI_LIST);
	else if (tfp_listing_is(screen))
		tfp_screen_say(screen, "this is the first list; :open FOLDER shows another");
	else
		tfp_screen_say(screen, "no folder was listed: :open FOLDER lists one");
}
