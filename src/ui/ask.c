/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions to the worker, and what becomes of its answers.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

/* Status of a program that C-c ended, as shells know it. */
#define STOPPED      130
#define LISTED_STEPS 10 /* in a message */

/* ---- the wanted query ---- */

const char *tfp_screen_order_word(struct tfp_screen *screen, int order)
{
	if (order >= TFP_ORDER_DIFFERENCE)
		return tfp_arena_printf(
			&screen->query.arena, "%s:%s", tfp_order_word(order),
			screen->about.metrics[order & (TFP_ORDER_DIFFERENCE - 1)].key);
	if (order == TFP_ORDER_NAME)
		return "name";
	if (order == TFP_ORDER_NODES)
		return "defined";
	if (order == TFP_ORDER_DEFINED)
		return "occurrence";
	/* other formats have other metrics there */
	if (order == TFP_TF_RUNS && !strcmp(screen->about.metrics[order].key, "occurrence"))
		return TFP_ORDER_RUNS;
	return order < 0 ? "" : screen->about.metrics[order].key;
}

static void set(struct tfp_screen *screen, const char *option, const char *value)
{
	struct tfp_diag *diag = tfp_diag_new();

	if (!tfp_query_set(&screen->query, option, value, diag))
		tfp_screen_fail_with(screen, diag);
	else
		tfp_diag_free(diag);
}

static const struct tfp_view *wanted_view(const struct tfp_screen *screen)
{
	return screen->query.view ? tfp_view_find(screen->query.view) : NULL;
}

/* What leads in VIEW; of steps that are marked it is how long they are. */
static int leading_metric(const struct tfp_screen *screen, const struct tfp_view *view)
{
	if (view && !strcmp(view->name, "steps"))
		for (uint32_t i = 0; i < screen->about.metric_count; i++)
			if (screen->about.metrics[i].kind == TFP_LENGTH)
				return (int)i;
	return (int)screen->lens.metric;
}

/* By that, largest first; where there is a baseline, by what became more of it. */
static const char *usual_order(struct tfp_screen *screen, const struct tfp_view *view)
{
	int metric = leading_metric(screen, view);
	bool compared =
		tfp_baseline_concerns(screen->query.baseline, &screen->about.metrics[metric]);

	return tfp_screen_order_word(screen, compared ? TFP_ORDER_DIFFERENCE + metric : metric);
}

static void order_by_lens(struct tfp_screen *screen)
{
	set(screen, "order_by", usual_order(screen, wanted_view(screen)));
	screen->query.reverse = false;
	screen->tree.rows.chosen = false;
	memset(screen->drill.orders, 0, sizeof(screen->drill.orders));
}

/* All ranks together are compared with none of them: where none is chosen, the first other one is. */
static void take_rank_along(struct tfp_screen *screen)
{
	const struct tfp_about *about = &screen->about;
	const char *baseline = screen->query.baseline;
	long long other;

	if (!baseline || sscanf(baseline, "rank:%lld", &other) != 1 || screen->query.rank >= 0)
		return;
	for (size_t i = 0; i < about->rank_count && screen->query.rank < 0; i++)
		if (about->ranks[i] != other)
			screen->query.rank = about->ranks[i];
	tfp_screen_say(screen, "rank %lld; {S} chooses another, {=} what it is compared with",
		       (long long)screen->query.rank);
}

void tfp_screen_set_baseline(struct tfp_screen *screen, const char *baseline)
{
	set(screen, "baseline", baseline);
	take_rank_along(screen);
	order_by_lens(screen);
}

/* What the lens has counted in VIEW: where that has a metric of its own, everything. */
static const char *account_of(const struct tfp_screen *screen, const struct tfp_view *view)
{
	return view && view->leads ? ".*" : screen->lens.account;
}

void tfp_screen_set_lens(struct tfp_screen *screen, size_t index)
{
	screen->lens = screen->about.lenses[index];
	screen->query.text[TFP_ACCOUNT] = NULL;
	screen->lens_counts = true;
	set(screen, "account_type_regexes", account_of(screen, wanted_view(screen)));
	order_by_lens(screen);
}

/* Does VIEW have what is below types of operations? Settings may not want that. */
static bool is_deep(const struct tfp_screen *screen, const struct tfp_view *view)
{
	const struct tfp_query *first = screen->config->query;

	return view && !strcmp(view->name, "op") && (!first || first->deep);
}

/* From view FROM to TO: an order that nobody chose is that of the other view. */
static void turn_order(struct tfp_screen *screen, const struct tfp_view *from,
		       const struct tfp_view *to)
{
	const char *now = screen->query.order_by;

	if (now && !screen->query.reverse && !strcmp(now, usual_order(screen, from)) &&
	    strcmp(now, usual_order(screen, to)) != 0) {
		set(screen, "order_by", usual_order(screen, to));
		screen->tree.rows.chosen = false;
	}
}

/* From view FROM to TO: what the lens has counted follows, what a person has stays. */
static void turn_account(struct tfp_screen *screen, const struct tfp_view *from,
			 const struct tfp_view *to)
{
	const struct tfp_words *account = &screen->query.lists[TFP_ACCOUNT];
	bool of_lens;

	if (!screen->lens.account || !from->leads == !to->leads)
		return;
	of_lens = account->count == 1 && !strcmp(account->at[0], account_of(screen, from));
	if (of_lens && (to->leads || screen->lens_counts))
		set(screen, "account_type_regexes", account_of(screen, to));
	if (to->leads)
		screen->lens_counts = of_lens;
}

bool tfp_screen_set_view(struct tfp_screen *screen, const struct tfp_view *view)
{
	const char *missing = tfp_querybar_missing(screen, view->digit);
	const struct tfp_view *before = wanted_view(screen);

	if (missing) {
		tfp_screen_fail(screen, "%s", missing);
		return false;
	}
	if (before) {
		screen->flat[tfp_view_index(before)] = screen->query.flat;
		turn_account(screen, before, view);
		turn_order(screen, before, view);
	}
	screen->query.flat = screen->flat[tfp_view_index(view)];
	screen->query.view = view->name;
	screen->query.deep = is_deep(screen, view);
	screen->query.zoom = NULL;
	tfp_screen_take_step_along(screen, view);
	return true;
}

/* The lens with that metric; the first lens if none has it. */
static size_t find_lens(const struct tfp_about *about, const char *key)
{
	for (size_t i = 0; key && i < about->lens_count; i++)
		if (!strcmp(about->metrics[about->lenses[i].metric].key, tfp_order_key(key)))
			return i;
	for (size_t i = 0; i < about->lens_count; i++)
		if (about->lenses[i].metric == about->default_metric)
			return i;
	return 0;
}

/* One that TensorFlow's files have is for those; else the file lacks it, or nobody knows it. */
static void warn_of_lens(struct tfp_screen *screen, const char *name)
{
	const struct tfp_about *about = &screen->about;
	struct tfp_arena arena = {0};
	const char *names = tfp_arena_text(&arena, "", 0);

	for (size_t i = 0; i < about->lens_count; i++)
		names = tfp_arena_printf(&arena, "%s%s%s", names, i ? ", " : "",
					 about->lenses[i].name);
	tfp_diag_add(screen->diag, TFP_WARNING, NULL, -1, 0,
		     "the setting lens: there is no '%.60s' here; there is %s", name, names);
	tfp_arena_free(&arena);
}

/* That of the settings where the file has it; else the order's, or the file's own. */
static size_t first_lens(struct tfp_screen *screen)
{
	const struct tfp_about *about = &screen->about;
	const char *name = screen->config->lens;

	for (size_t i = 0; name && i < about->lens_count; i++)
		if (!strcmp(about->lenses[i].name, name))
			return i;
	if (name && !tfp_lens_known(name) && !tfp_listing_is(screen))
		warn_of_lens(screen, name);
	return find_lens(about, screen->query.order_by);
}

/* A step that is not in the files is said, and the mean shown. */
static void check_step(struct tfp_screen *screen)
{
	const struct tfp_about *about = &screen->about;
	struct tfp_arena arena = {0};
	char *valid = tfp_arena_printf(&arena, "%s", about->step_count ? "" : "none");
	size_t i;

	for (i = 0; i < about->step_count && about->steps[i] != screen->query.step; i++)
		if (i < LISTED_STEPS)
			valid = tfp_arena_printf(&arena, "%s%s%lld", valid, i ? " " : "",
						 (long long)about->steps[i]);
	if (screen->query.step >= 0 && i == about->step_count) {
		tfp_diag_add(screen->diag, TFP_WARNING, NULL, -1, 0,
			     "there is no step %lld, so the mean is shown; steps: %s%s",
			     (long long)screen->query.step, valid, i > LISTED_STEPS ? " ..." : "");
		screen->query.step = -1;
	}
	tfp_arena_free(&arena);
}

/* Settings are for every view; samples are lists where they open, and trees elsewhere. */
static void begin_flat(struct tfp_screen *screen)
{
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		screen->flat[i] = screen->query.flat;
	if (screen->config->flat_given)
		return;
	screen->flat[tfp_view_index(screen->about.view)] |= screen->about.opens_flat;
	if (!screen->query.view)
		screen->query.flat |= screen->about.opens_flat;
}

/* Completes the first query by what the file has. */
static void begin_query(struct tfp_screen *screen)
{
	const struct tfp_view *view, *recalled = tfp_place_recall(screen);
	struct tfp_lens lens;
	size_t index;

	if (tfp_listing_is(screen))
		tfp_listing_begin(screen);
	index = first_lens(screen);
	view = recalled             ? recalled
	       : screen->query.view ? tfp_view_find(screen->query.view)
				    : screen->about.view;
	screen->query.deep = is_deep(screen, view);
	begin_flat(screen);
	if (view)
		screen->query.view = view->name;
	check_step(screen);
	if (index >= screen->about.lens_count)
		return;
	lens = screen->about.lenses[index];
	if (screen->query.order_by)
		screen->lens = lens;
	else
		tfp_screen_set_lens(screen, index);
}

/* Before there is any tree: asks for the query before this one. False if this is the first. */
static bool ask_former(struct tfp_screen *screen)
{
	const struct tfp_past *past = tfp_history_step(&screen->history, true);

	if (!past)
		return false;
	tfp_query_free(&screen->query);
	tfp_query_copy(&screen->query, &past->query);
	tfp_screen_ask_tree(screen);
	return true;
}

/* QUERY is wanted, but with the columns that are: those need no new tree. */
static void back_to(struct tfp_screen *screen, const struct tfp_query *query)
{
	struct tfp_query wanted = screen->query;

	tfp_query_copy(&screen->query, query);
	tfp_query_choose(&screen->query, &wanted);
	tfp_query_free(&wanted);
}

void tfp_screen_use_order(struct tfp_screen *screen)
{
	size_t index = find_lens(&screen->about, screen->query.order_by);
	const char *key = screen->query.order_by ? tfp_order_key(screen->query.order_by) : "";

	/* how long steps are is no metric of other rows */
	if (index < screen->about.lens_count && strcmp(key, TFP_LENGTH_KEY) != 0)
		screen->lens = screen->about.lenses[index];
}

void tfp_screen_take_back(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	screen->refused = false;
	screen->want_detail = true; /* asking for what is taken back has cancelled the pane's */
	if (!tree && screen->loaded)
		ask_former(screen);
	if (!tree || screen->outdated)
		return;
	back_to(screen, &tree->query);
	if (!tree->base->view->leads)
		screen->lens = screen->tree.lens;
	if (screen->tree.rows.order != tree->order_metric ||
	    screen->tree.rows.reverse != tree->reverse) {
		set(screen, "order_by", tfp_screen_order_word(screen, screen->tree.rows.order));
		screen->query.reverse = screen->tree.rows.reverse;
	}
	tfp_history_take_back(&screen->history, &screen->query);
}

/* ---- questions ---- */

void tfp_screen_ask_tree(struct tfp_screen *screen)
{
	struct tfp_request request = {.task = TFP_TASK_QUERY, .lens = screen->lens};

	if (!screen->loaded)
		return;
	request.findings = !screen->tree.rows.tree;
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

	if (row == TFP_NONE || screen->outdated)
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

	if (screen->outdated)
		return;
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
	*wanted = true;
	tfp_worker_ask(screen->worker, &request);
}

/* ---- answers ---- */

static void take_load(struct tfp_screen *screen, struct tfp_answer *answer)
{
	bool first = !screen->loaded;

	screen->load_time = tfp_screen_now() - screen->load_time;
	if (answer->failed && first) {
		screen->status = tfp_diag_errors(screen->diag) ? 1 : STOPPED;
		if (screen->status == STOPPED)
			tfp_diag_error(screen->diag, "stopped before anything was read");
		screen->quit = true;
		return;
	}
	if (answer->failed) {
		tfp_screen_fail(screen, "the files could not be read again: {!} lists why");
		return;
	}
	free(screen->about.steps);
	screen->about = answer->about;
	answer->about.steps = NULL;
	screen->former = answer->former;
	answer->former = NULL;
	screen->loaded = true;
	screen->outdated = !first;
	if (first) {
		begin_query(screen);
		tfp_screen_keep(screen);
	} else
		screen->lens =
			screen->about.lenses[find_lens(&screen->about, screen->query.order_by)];
	tfp_screen_ask_tree(screen);
}

void tfp_screen_drop_trees(struct tfp_screen *screen)
{
	tfp_drillpane_clear(&screen->drill);
	tfp_search_drop(&screen->search);
	tfp_treepane_show(&screen->tree, NULL, NULL);
}

/* The old engine goes when nothing on the screen is of it any more. */
static void let_go(struct tfp_screen *screen)
{
	screen->outdated = false;
	tfp_drillpane_clear(&screen->drill);
	tfp_search_drop(&screen->search);
	if (screen->former)
		tfp_engine_free(screen->former);
	screen->former = NULL;
}

/* Problems other than notes: of the profile, or of settings and theme. */
static size_t count_faults(const struct tfp_diag *diag)
{
	size_t faults = 0;

	for (size_t i = 0; i < tfp_diag_count(diag); i++)
		faults += tfp_diag_get(diag, i).severity != TFP_NOTE;
	return faults;
}

/* Where to read of problems, and TEXT of the file: the latter first unless there are faults. */
static void say_first(struct tfp_screen *screen, const char *text)
{
	size_t problems = tfp_diag_count(screen->diag), faults = count_faults(screen->diag);
	const char *plural = problems == 1 ? "" : "s";
	const char *between = *text ? "; " : "";

	if (screen->config->notice)
		tfp_screen_fail(screen, "%s", screen->config->notice);
	else if (!problems)
		tfp_screen_say(screen, "%s", text);
	else if (faults)
		tfp_screen_say(screen, "{!} lists %zu problem%s%s%s", problems, plural, between,
			       text);
	else
		tfp_screen_say(screen, "%s%s{!} lists %zu problem%s of the files", text, between,
			       problems, plural);
}

static void first_message(struct tfp_screen *screen, const struct tfp_answer *answer)
{
	char key[32];
	struct tfp_arena arena = {0};

	if (tfp_listing_is(screen) && !screen->tree.rows.count)
		say_first(screen, ":open PATH looks elsewhere; tfprof --demo has a profile");
	else if (answer->findings && *tfp_keymap_now(&screen->keymap, "0", key, sizeof(key)))
		say_first(screen, tfp_arena_printf(&arena, "%s shows %s", key, answer->findings));
	else if (answer->findings)
		say_first(screen, answer->findings);
	else
		say_first(screen, answer->facts ? answer->facts : "");
	tfp_arena_free(&arena);
}

/* Goes to the node that waited for this tree. */
static void make_jump(struct tfp_screen *screen)
{
	uint32_t row = tfp_treepane_find_node(&screen->tree, screen->jump);

	screen->jump = TFP_NONE;
	if (row != TFP_NONE)
		tfp_treepane_go(&screen->tree, row);
}

/* Goes to the row that waited for this tree. */
static void make_jump_to_key(struct tfp_screen *screen)
{
	uint32_t row = tfp_tree_find(screen->tree.rows.tree, screen->jump_key);

	screen->jump_key = 0;
	if (row != TFP_NONE)
		tfp_treepane_go(&screen->tree, row);
	else
		tfp_screen_say(screen, "there is no such row here, or filters hide it");
}

static void take_tree(struct tfp_screen *screen, struct tfp_answer *answer)
{
	const struct tfp_tree *before = screen->tree.rows.tree;
	const struct tfp_view *view = answer->tree->base->view;
	bool first = !before, turned = first || before->base->view != view;

	tfp_treepane_show(&screen->tree, answer->tree, &answer->lens);
	tfp_treepane_columns(&screen->tree, &screen->query);
	if (screen->chooser.open)
		tfp_chooser_renew(screen);
	for (int brief = 0; brief <= TFP_BRIEFEST; brief++) {
		free(screen->summary[brief]);
		screen->summary[brief] = answer->summary[brief];
		answer->summary[brief] = NULL;
	}
	if (screen->former)
		let_go(screen);
	if (turned)
		tfp_drillpane_for_view(&screen->drill, &screen->about, view);
	screen->drill.row = TFP_NONE;
	if (screen->jump != TFP_NONE)
		make_jump(screen);
	if (screen->jump_key)
		make_jump_to_key(screen);
	tfp_search_follow(screen);
	tfp_screen_ask_detail(screen);
	if (turned && !screen->message)
		tfp_time_arrive(screen);
	if (first)
		first_message(screen, answer);
	else
		tfp_screen_say_left(screen);
}

static void take_query(struct tfp_screen *screen, struct tfp_answer *answer)
{
	tfp_filter_settle(screen, !answer->failed);
	if (!answer->failed) {
		take_tree(screen, answer);
		return;
	}
	screen->jump = TFP_NONE;
	screen->jump_key = 0;
	screen->exact_waits = false;
	tfp_search_follow(screen);
	if (answer->error)
		tfp_screen_fail(screen, "%s", answer->error);
	if (screen->filter.open) {
		screen->refused = true;
		return;
	}
	if (screen->tree.rows.tree) {
		tfp_screen_take_back(screen);
	} else if (!ask_former(screen)) {
		tfp_diag_error(screen->diag, "%s",
			       answer->error ? answer->error : "there is nothing to show");
		screen->status = 1;
		screen->quit = true;
	}
}

static void take_detail(struct tfp_screen *screen, struct tfp_answer *answer)
{
	if (answer->tree != screen->tree.rows.tree ||
	    answer->row != tfp_treepane_row(&screen->tree))
		return;
	screen->hold = 0;
	tfp_drillpane_take(&screen->drill, answer, tfp_base_label(answer->tree->base, answer->row));
	tfp_screen_show_marked(screen);
	if (screen->exact_waits)
		tfp_page_exact_again(screen);
	if (screen->focus == TFP_FOCUS_SECOND && screen->drill.count < 2)
		screen->focus = TFP_FOCUS_PANE;
}

static void take_place(struct tfp_screen *screen, struct tfp_answer *answer)
{
	if (screen->narrow) {
		screen->narrow = false;
		tfp_screen_set_shape(screen, answer->shape);
	}
	if (!screen->edit)
		return;
	screen->edit = false;
	if (answer->file)
		tfp_screen_edit(screen, answer->file, answer->line);
	else
		tfp_screen_fail(screen, "no source line is known for this row");
}

void tfp_screen_take_answers(struct tfp_screen *screen)
{
	static void (*const takes[TFP_TASKS])(struct tfp_screen *, struct tfp_answer *) = {
		[TFP_TASK_LOAD] = take_load,        [TFP_TASK_QUERY] = take_query,
		[TFP_TASK_MATCH] = tfp_search_take, [TFP_TASK_PLACE] = take_place,
		[TFP_TASK_DETAIL] = take_detail,    [TFP_TASK_WRITE] = tfp_screen_take_writing,
	};
	struct tfp_answer answer;

	tfp_worker_woken(screen->worker);
	while (tfp_worker_take(screen->worker, &answer)) {
		takes[answer.task](screen, &answer);
		tfp_answer_free(&answer);
		screen->dirty = true;
	}
}
