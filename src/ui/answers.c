/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What becomes of the worker's answers.
 */
#include "ui/action/actions.h"
#include "ui/tree/listing.h"

/* Status of a program that C-c ended, as shells know it. */
#define STOPPED 130

bool tfp_screen_has_part(const struct tfp_screen *screen)
{
	return screen->loaded && screen->about.share > 0;
}

const char *tfp_screen_so_far(const struct tfp_screen *screen)
{
	return tfp_screen_has_part(screen) ? "so far: " : "";
}

bool tfp_screen_refuses_part(struct tfp_screen *screen)
{
	bool part = tfp_screen_has_part(screen);

	if (part)
		tfp_screen_say(screen, "not before all is read");
	return part;
}

static void fail_load(struct tfp_screen *screen)
{
	if (screen->loaded && !tfp_screen_has_part(screen)) {
		tfp_screen_fail(screen, "the files could not be read again: {!} lists why");
		return;
	}
	screen->status = tfp_diag_errors(screen->diag) ? 1 : STOPPED;
	if (screen->status == STOPPED)
		tfp_diag_error(screen->diag, "stopped before %s was read",
			       screen->loaded ? "all" : "anything");
	screen->quit = true;
}

/* Files that were read again may have less than before. */
static void leave_missing_view(struct tfp_screen *screen)
{
	const struct tfp_view *view = tfp_view_find(screen->query.view);
	const char *missing = view ? screen->about.view_missing[tfp_view_index(view)] : NULL;

	if (!missing)
		return;
	screen->query.view = screen->about.view->name;
	tfp_screen_fail(screen, "%s view: %s", view->name, missing);
}

/* All of the files, again perhaps, or a part of them while the rest is being read. */
static void take_load(struct tfp_screen *screen, struct tfp_answer *answer)
{
	bool part = tfp_screen_has_part(screen), first = !screen->loaded;
	struct tfp_about about = screen->about;

	if (!answer->about.share)
		screen->load_time = tfp_screen_now() - screen->load_time;
	if (answer->failed) {
		fail_load(screen);
		return;
	}
	screen->about = answer->about;
	answer->about = about;
	screen->loaded = true;
	screen->outdated = screen->tree.rows.tree != NULL;
	screen->jump = TFP_NONE; /* nodes have other numbers now */
	if (first) {
		tfp_screen_begin_query(screen);
	} else if (part) {
		tfp_screen_begin_query_again(screen);
	} else {
		leave_missing_view(screen);
		tfp_screen_renew_lens(screen);
	}
	tfp_menu_renew(screen);
	tfp_screen_set_later(screen);
	tfp_screen_ask_tree(screen);
}

void tfp_screen_drop_trees(struct tfp_screen *screen)
{
	tfp_drillpane_clear(&screen->drill);
	tfp_search_drop(&screen->search);
	tfp_treepane_show(&screen->tree, NULL, NULL);
}

/* What was made of files that were read before goes. */
static void let_go(struct tfp_screen *screen, struct tfp_answer *answer)
{
	screen->outdated = false;
	tfp_drillpane_give(&screen->drill, answer);
	tfp_search_drop(&screen->search);
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

/* What is said of the tree, which goes into ANSWER as it was before. */
static void take_summary(struct tfp_screen *screen, struct tfp_answer *answer)
{
	char *part = screen->part;

	screen->part = answer->part;
	answer->part = part;
	for (int brief = 0; brief <= TFP_BRIEFEST; brief++) {
		char *before = screen->summary[brief];

		screen->summary[brief] = answer->summary[brief];
		answer->summary[brief] = before;
	}
}

/* The first message is of all that is read. */
static void say_of_tree(struct tfp_screen *screen, const struct tfp_answer *answer)
{
	bool part = tfp_screen_has_part(screen), failed = screen->message && screen->is_error;

	if (screen->silent && !part && !failed)
		first_message(screen, answer);
	else if (!screen->silent || screen->touched)
		tfp_screen_say_left(screen);
	screen->silent &= part;
}

/* That nothing can differ, wherever what is shown came to be what it is compared with. */
static void say_itself(struct tfp_screen *screen, const struct tfp_tree *before)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	if (!tree->baseline || !tree->base->of_itself || (screen->message && screen->is_error))
		return;
	if (!before || !before->base->of_itself || before->base->view != tree->base->view)
		tfp_screen_say(
			screen,
			tfp_baseline_is_file(tree->query.baseline)
				? "this file is compared with itself: {=} chooses what it is compared with"
				: "this is compared with itself: {S} chooses another step or "
				  "rank, {=} what it is compared with");
}

/* What a person has in hand of the tree shown. */
struct hand {
	uint64_t cursor; /* key */
	size_t marked;
	bool opened; /* more than the top rows */
};

static struct hand look_at_hand(struct tfp_screen *screen)
{
	uint32_t row = tfp_treepane_row(&screen->tree);
	struct hand hand = {.opened = tfp_treepane_is_opened(&screen->tree)};

	if (row != TFP_NONE)
		hand.cursor = screen->tree.rows.tree->base->key[row];
	tfp_marks_rows(&screen->tree.marks, screen->tree.rows.tree, &hand.marked);
	return hand;
}

/* In more of the files things may have other names than in a part: what there was BEFORE and is not now, is said. */
static void say_lost(struct tfp_screen *screen, const struct hand *before)
{
	struct hand now = look_at_hand(screen);
	/* one that stays first on the screen may have another row, while its own is there still */
	bool cursor = before->cursor && now.cursor != before->cursor &&
		      tfp_tree_find(screen->tree.rows.tree, before->cursor) == TFP_NONE;
	bool closed = before->opened && !now.opened;
	char marked[32] = "";

	if (cursor && closed)
		tfp_treepane_open_first(&screen->tree);

	if (now.marked < before->marked)
		snprintf(marked, sizeof(marked), "%s%zu marked", cursor ? ", " : "",
			 before->marked - now.marked);
	if ((cursor || *marked) && !(screen->message && screen->is_error))
		tfp_screen_say(screen, "more is read; rows that are not there any more: %s%s",
			       cursor ? "the cursor's" : "", marked);
}

/* Once all is read, what a person typed of columns is held against what there is. */
static void tell_columns(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	size_t view = tfp_view_index(tree->base->view);
	struct tfp_diag *diag;

	if (!screen->columns_typed[view] || tfp_screen_has_part(screen))
		return;
	screen->columns_typed[view] = false;
	diag = tfp_diag_new();
	tfp_columns_tell(tree, screen->tree.lens.metric, screen->query.choices[view], diag);
	if (tfp_diag_count(diag))
		tfp_screen_fail(screen, "%s", tfp_diag_get(diag, 0).text);
	tfp_diag_free(diag);
}

static void take_tree(struct tfp_screen *screen, struct tfp_answer *answer)
{
	struct tfp_tree *before = screen->tree.rows.tree;
	const struct tfp_view *view = answer->tree->base->view;
	bool turned = !before || screen->tree.anew || before->base->view != view;
	bool usual = screen->outdated && screen->drill.kind == screen->drill.usual;
	bool renewed = screen->outdated && screen->touched && !turned;
	struct hand hand = look_at_hand(screen);

	answer->before = before ? tfp_tree_hold(before) : NULL;
	tfp_treepane_show(&screen->tree, answer->tree, &answer->lens);
	tfp_treepane_columns(&screen->tree, &screen->query);
	tell_columns(screen);
	if (screen->chooser.open)
		tfp_chooser_renew(screen);
	take_summary(screen, answer);
	if (screen->outdated)
		let_go(screen, answer);
	if (turned || usual)
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
	say_of_tree(screen, answer);
	say_itself(screen, before);
	if (renewed)
		say_lost(screen, &hand);
}

/*
 * Where nothing is compared, as in the summary, a baseline can be chosen that other views have nothing for: there the
 * comparison ends, or one could not get out. False: that is not why the query failed with ERROR.
 */
static bool goes_uncompared(struct tfp_screen *screen, const char *error)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	const struct tfp_view *view = tfp_view_find(screen->query.view);

	if (!error || !tree || screen->outdated || !screen->query.baseline ||
	    !tfp_baseline_refused(tree->base->view) || !view || tfp_baseline_refused(view))
		return false;
	screen->query.step = tree->query.step;
	tfp_screen_set_baseline(screen, "");
	tfp_screen_ask_tree(screen);
	tfp_screen_fail(screen, "compared no longer; %s", error);
	return true;
}

static void take_query(struct tfp_screen *screen, struct tfp_answer *answer)
{
	tfp_filter_settle(screen, !answer->failed);
	if (!answer->failed) {
		take_tree(screen, answer);
		return;
	}
	if (tfp_screen_has_part(screen) && !screen->tree.rows.tree)
		return; /* what a part has nothing of may come */
	screen->jump = TFP_NONE;
	screen->jump_key = 0;
	screen->exact_waits = false;
	tfp_search_follow(screen);
	if (goes_uncompared(screen, answer->error))
		return;
	if (answer->error)
		tfp_screen_fail(screen, "%s%s", tfp_screen_so_far(screen), answer->error);
	if (screen->filter.open) {
		screen->refused = true;
		return;
	}
	if (screen->tree.rows.tree) {
		tfp_screen_take_back(screen);
	} else if (!tfp_screen_ask_former(screen)) {
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
		tfp_worker_return(screen->worker, &answer);
		screen->dirty = true;
	}
}
