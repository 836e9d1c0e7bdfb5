/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the worker.
 */
#include <string.h>

#include "ui/action/actions.h"

bool tfp_screen_ask_former(struct tfp_screen *screen)
{
	const struct tfp_past *past = tfp_history_step(&screen->history, true);

	if (!past)
		return false;
	tfp_query_free(&screen->query);
	tfp_query_copy(&screen->query, &past->query);
	tfp_screen_ask_tree(screen);
	return true;
}

void tfp_screen_ask_tree(struct tfp_screen *screen)
{
	struct tfp_request request = {.task = TFP_TASK_QUERY, .lens = screen->lens};

	if (!screen->loaded)
		return;
	request.findings = screen->silent && !tfp_screen_has_part(screen);
	tfp_query_copy(&request.query, &screen->query);
	request.query.spread = screen->exact_waits;
	tfp_worker_ask(screen->worker, &request);
	screen->refused = false;
	screen->ask_time = tfp_screen_now();
	tfp_screen_note_query(screen);
}

static bool row_request(struct tfp_screen *screen, enum tfp_task task, struct tfp_request *request)
{
	uint32_t row = tfp_treepane_row(&screen->tree);

	if (row == TFP_NONE)
		return false;
	*request = (struct tfp_request){
		.task = task,
		.tree = tfp_tree_hold(screen->tree.rows.tree),
		.row = row,
		.metric = screen->tree.lens.metric,
	};
	return true;
}

/* What the pane is to show, as things are. */
static struct tfp_pane_content wanted_content(const struct tfp_screen *screen)
{
	struct tfp_pane_content content = {
		.tree = screen->tree.rows.tree,
		.row = tfp_treepane_row(&screen->tree),
	};

	if (tfp_screen_has_pane(screen) && !screen->drill.marked)
		content.kind_count =
			tfp_drillpane_kinds(&screen->drill, &screen->about, COLS, content.kinds);
	return content;
}

void tfp_screen_check_pane(struct tfp_screen *screen)
{
	const struct tfp_pane_content *asked = &screen->content;
	struct tfp_pane_content wanted;

	if (tfp_treepane_row(&screen->tree) == TFP_NONE) {
		tfp_drillpane_clear(&screen->drill);
		return;
	}
	wanted = wanted_content(screen);
	if (wanted.tree != asked->tree || wanted.row != asked->row ||
	    wanted.kind_count != asked->kind_count ||
	    memcmp(wanted.kinds, asked->kinds, sizeof(wanted.kinds)))
		screen->want_detail = true;
}

void tfp_screen_ask_detail(struct tfp_screen *screen)
{
	struct tfp_pane_content wanted;
	struct tfp_request request;

	screen->want_detail = false;
	if (!row_request(screen, TFP_TASK_DETAIL, &request))
		return;
	tfp_screen_show_marked(screen);
	wanted = wanted_content(screen);
	if (wanted.tree != screen->content.tree || wanted.row != screen->content.row)
		screen->drill.page = 0;
	request.page = screen->drill.page;
	screen->content = wanted;
	request.kind_count = screen->content.kind_count;
	memcpy(request.kinds, screen->content.kinds, sizeof(request.kinds));
	tfp_sources_copy(&request.sources, &screen->sources);
	tfp_worker_ask(screen->worker, &request);
}

void tfp_screen_ask_place(struct tfp_screen *screen, bool *wanted)
{
	struct tfp_request request;

	if (!row_request(screen, TFP_TASK_PLACE, &request))
		return;
	request.node = tfp_time_is(screen) ? tfp_time_piece(screen).node : TFP_NONE;
	*wanted = true;
	tfp_worker_ask(screen->worker, &request);
}
