/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions that change the query: view, flat, zoom, filters, metric, step; the order: act_sort.c.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

/* The step of ROW, as an index among those that can be chosen; SIZE_MAX: none. */
static size_t step_of(const struct tfp_screen *screen, uint32_t row)
{
	uint32_t step = tfp_tree_step(screen->tree.rows.tree, row);

	if (step == TFP_NONE || step == screen->about.outside)
		return SIZE_MAX;
	step -= step > screen->about.outside;
	return step < screen->about.step_count ? step : SIZE_MAX;
}

/* The first step in the order of the rows, where these are steps; else the first of all. */
static size_t first_step(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	const uint32_t *rows =
		tree->base->step ? tfp_rows_children(&screen->tree.rows, tree->root) : NULL;

	for (uint32_t i = 0; rows && i < tree->child_count[tree->root]; i++)
		if (step_of(screen, rows[i]) != SIZE_MAX)
			return step_of(screen, rows[i]);
	return 0;
}

/* Is BASELINE of other steps than the one that is wanted? Means and medians are of the ranks, where one is chosen. */
static bool is_of_steps(const struct tfp_screen *screen, const char *baseline)
{
	if (tfp_baseline_is_file(baseline) || !strncmp(baseline, "rank:", 5))
		return false;
	return *baseline && (screen->query.rank < 0 || !strncmp(baseline, "step:", 5));
}

bool tfp_screen_needs_step(const struct tfp_screen *screen, const struct tfp_view *view)
{
	const char *baseline = screen->query.baseline ? screen->query.baseline : "";

	return is_of_steps(screen, baseline) && screen->about.sums_steps &&
	       screen->about.step_count && screen->query.step < 0 && !view->of_steps &&
	       !tfp_baseline_refused(view);
}

int64_t tfp_screen_held_step(const struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	bool chosen = screen->query.step != screen->step_found;

	if (!tree || !tree->base->view->of_steps)
		return -1;
	/* of what is compared the cursor chooses, unless that was done here */
	return chosen || !tree->baseline ? screen->query.step : -1;
}

/* A time in one step is none in another. */
static void set_step(struct tfp_screen *screen, int64_t step)
{
	if (step != screen->query.step)
		screen->query.at = -1;
	screen->query.step = step;
}

/*
 * From a step that is compared with others into a view of what is in it: of the step under the cursor,
 * or the comparison would be lost on the way.
 */
void tfp_screen_take_step_along(struct tfp_screen *screen, const struct tfp_view *view)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);
	int64_t held = tfp_screen_held_step(screen);
	size_t step = SIZE_MAX;

	if (row != TFP_NONE && !screen->outdated && tree->baseline)
		step = step_of(screen, row);
	if (step != SIZE_MAX && held >= 0 && screen->about.steps[step] != held)
		return;
	if (step == SIZE_MAX && tree && tfp_screen_needs_step(screen, view))
		step = first_step(screen);
	if (step == SIZE_MAX)
		return;
	set_step(screen, screen->about.steps[step]);
	if (row != TFP_NONE && tfp_tree_rank(tree, row) >= 0)
		screen->query.rank = tfp_tree_rank(tree, row);
	tfp_screen_say(screen, "step %lld; {S} chooses another, {=} what it is compared with",
		       (long long)screen->query.step);
}

void tfp_screen_open_view(struct tfp_screen *screen, const struct tfp_view *view)
{
	if (!screen->loaded)
		return;
	screen->later = NULL;
	if (!strcmp(screen->query.view, view->name) || !tfp_screen_set_view(screen, view))
		return;
	screen->focus = TFP_FOCUS_TREE;
	tfp_screen_ask_tree(screen);
}

void tfp_act_view(struct tfp_screen *screen, int digit)
{
	tfp_screen_open_view(screen, tfp_querybar_view(screen, (char)digit));
}

void tfp_act_flat(struct tfp_screen *screen, int unused)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;

	(void)unused;
	if (!screen->loaded)
		return;
	if (tree && tree->base->view->text) {
		tfp_screen_say(screen, "these lines make no list");
		return;
	}
	screen->query.flat = !screen->query.flat;
	screen->focus = TFP_FOCUS_TREE;
	tfp_screen_ask_tree(screen);
	if (screen->query.flat && !screen->query.merge_gradients && screen->about.gradients &&
	    tfp_view_find(screen->query.view)->deepens)
		tfp_screen_say(screen, "{o} m merges each gradient with its forward op");
}

/* In: to the cursor's row, or out again when that is zoomed to already. */
void tfp_act_zoom(struct tfp_screen *screen, int in)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	uint32_t row = tfp_treepane_row(&screen->tree);

	if (row == TFP_NONE)
		return;
	if (tree->base->view->text) {
		tfp_screen_say(screen, "these lines cannot be zoomed");
		return;
	}
	if (in && row != tree->root && !tree->query.flat) {
		screen->query.zoom = tfp_tree_zoom(tree, row, &screen->query.arena);
	} else if (screen->query.zoom) {
		screen->query.zoom = NULL;
	} else {
		tfp_screen_say(screen, tree->query.flat
					       ? "a list cannot be zoomed: {t} makes it a tree"
					       : "this row is all there is already");
		return;
	}
	tfp_screen_ask_tree(screen);
}

void tfp_act_filter(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (!screen->loaded)
		return;
	screen->history.typing = false;
	tfp_filter_open(screen);
}

/* ---- metric and step ---- */

static void choose_lens(struct tfp_screen *screen, int64_t index)
{
	tfp_screen_set_lens(screen, (size_t)index);
	screen->lens_chosen = true;
	tfp_screen_ask_tree(screen);
}

/* Is the view of one metric, or of none? Another would only show in the views that one goes to next. */
static bool refuses_metric(struct tfp_screen *screen)
{
	const struct tfp_view *view = screen->query.view ? tfp_view_find(screen->query.view) : NULL;

	if (!view || (!view->leads && !view->text))
		return false;
	if (view->leads)
		tfp_screen_say(screen,
			       "the %s view has a metric of its own: {1} and others have more",
			       view->name);
	else
		tfp_screen_say(screen, "these lines are of no metric: {1} and others are");
	return true;
}

/* The letters of the menu of metrics are for it even where it stays closed. */
static void refuse_metrics(struct tfp_screen *screen)
{
	char letters[TFP_MENU_ROOM] = "";

	for (size_t i = 0; i < screen->about.lens_count && i + 1 < sizeof(letters); i++)
		letters[i] = screen->about.lenses[i].letter;
	tfp_menu_refuse(screen, letters);
}

void tfp_act_metric_menu(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (!screen->loaded)
		return;
	if (refuses_metric(screen)) {
		refuse_metrics(screen);
		return;
	}
	tfp_menu_begin(screen, "metric", choose_lens);
	for (size_t i = 0; i < screen->about.lens_count; i++)
		tfp_menu_add(screen, screen->about.lenses[i].letter, screen->about.lenses[i].name,
			     (int64_t)i);
	tfp_menu_open(screen);
}

/* The steps as entries of the menu begun. */
static void add_steps(struct tfp_screen *screen)
{
	for (size_t i = 0; i < screen->about.step_count; i++) {
		int64_t step = screen->about.steps[i];
		char label[32];

		snprintf(label, sizeof(label), "step %lld", (long long)step);
		tfp_menu_add(screen, step >= 0 && step < 10 ? (char)('0' + step) : 0, label, step);
	}
}

/* In menus ranks stand below all that steps can be; before the first of them are all. */
#define RANKS INT64_C(-100)

/* From a rank to its value in menus, and back: each is as far from RANKS as the other from -1. */
static int64_t turn_rank(int64_t rank_or_value)
{
	return RANKS - rank_or_value - 1;
}

static void add_ranks(struct tfp_screen *screen)
{
	const struct tfp_about *about = &screen->about;

	for (size_t i = 0; about->rank_count > 1 && i < about->rank_count && i < TFP_MENU_RANKS;
	     i++) {
		const char *host = about->rank_hosts[i];
		char label[48];

		snprintf(label, sizeof(label), "rank %lld%s%s", (long long)about->ranks[i],
			 *host ? " " : "", host);
		tfp_menu_add(screen, (char)('A' + i), label, turn_rank(about->ranks[i]));
	}
	screen->menu.cut |= about->rank_count > TFP_MENU_RANKS;
}

/* Is what is wanted a part of what the baseline has parts of? The sum of all steps, or ranks, is compared with none of them. */
static bool is_comparable(const struct tfp_screen *screen)
{
	const struct tfp_view *view = tfp_view_find(screen->query.view);
	const char *baseline = screen->query.baseline ? screen->query.baseline : "";

	if (!*baseline || tfp_baseline_is_file(baseline) || !screen->about.sums_steps)
		return true;
	if (!is_of_steps(screen, baseline))
		return screen->query.rank >= 0;
	if (strncmp(baseline, "step:", 5) != 0 && screen->about.step_count < 2)
		return false;
	return !view || !tfp_screen_needs_step(screen, view);
}

/* Where the comparison can't go on, it ends, and that is told. */
static void end_comparison(struct tfp_screen *screen)
{
	if (is_comparable(screen))
		return;
	tfp_screen_say(screen,
		       "compared with %s no longer: a sum is not compared with its parts; "
		       "{=} compares again",
		       screen->query.baseline);
	tfp_screen_set_baseline(screen, "");
}

/* Rows that are steps stay the same: the cursor goes to the one that is wanted. */
static void go_to_step(struct tfp_screen *screen)
{
	const struct tfp_tree *tree = screen->tree.rows.tree;
	const uint32_t *rows;
	size_t step;

	if (!tree || screen->outdated || !tree->base->view->of_steps || tree->root ||
	    tree->query.flat)
		return;
	rows = tree->child + tree->child_first[tree->root];
	for (uint32_t i = 0; i < tree->child_count[tree->root]; i++) {
		step = step_of(screen, rows[i]);
		if (step != SIZE_MAX && screen->about.steps[step] == screen->query.step)
			tfp_treepane_go(&screen->tree, rows[i]);
	}
}

void tfp_screen_choose_step(struct tfp_screen *screen, int64_t step)
{
	set_step(screen, step);
	screen->step_found = -1;
	go_to_step(screen);
	end_comparison(screen);
	tfp_screen_ask_tree(screen);
}

void tfp_screen_choose_rank(struct tfp_screen *screen, int64_t rank)
{
	screen->query.rank = rank;
	end_comparison(screen);
	tfp_screen_ask_tree(screen);
}

void tfp_act_unfilter(struct tfp_screen *screen, int unused)
{
	struct tfp_query before;

	(void)unused;
	if (!screen->loaded)
		return;
	tfp_query_copy(&before, &screen->query);
	tfp_filter_reset(screen);
	screen->query.rank = -1;
	end_comparison(screen);
	if (tfp_query_equal(&before, &screen->query))
		tfp_screen_say(screen, "nothing is filtered");
	tfp_query_free(&before);
	tfp_screen_ask_tree(screen);
}

static void choose_step(struct tfp_screen *screen, int64_t step)
{
	if (step <= RANKS)
		tfp_screen_choose_rank(screen, turn_rank(step));
	else
		tfp_screen_choose_step(screen, step);
}

/* Says why there are no steps to choose from: none were read, or all is in one that nobody marked. */
static bool lacks_steps(struct tfp_screen *screen)
{
	const char *missing = tfp_querybar_missing(screen, '6');

	if (screen->loaded && screen->about.step_count &&
	    (!missing || screen->query.step >= 0 || screen->about.rank_count > 1))
		return false;
	tfp_screen_say(screen, "%s%s", missing ? "" : tfp_screen_so_far(screen),
		       missing ? missing : "the files hold no steps");
	return true;
}

void tfp_act_step_menu(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (lacks_steps(screen)) {
		tfp_menu_refuse(screen, "am");
		return;
	}
	tfp_menu_begin(screen, "step", choose_step);
	tfp_menu_take_others(screen, "step");
	if (screen->about.sums_steps)
		tfp_menu_add(screen, 'a', "all", -1);
	else
		tfp_menu_add(screen, 'm', "mean", -1);
	tfp_menu_alias(screen, screen->about.sums_steps ? 'm' : 'a');
	if (screen->query.rank >= 0)
		tfp_menu_add(screen, 'r', "all ranks", RANKS);
	/* there may be more steps than have room */
	add_ranks(screen);
	add_steps(screen);
	tfp_menu_open(screen);
	tfp_menu_renew_by(screen, tfp_act_step_menu);
}

/* Does the comparison need one step, so that going through them passes over all of them? */
static bool passes_over_all(const struct tfp_screen *screen)
{
	const char *baseline = screen->query.baseline ? screen->query.baseline : "";

	return is_of_steps(screen, baseline) && screen->about.sums_steps &&
	       !tfp_view_find(screen->query.view)->of_steps;
}

/* The mean stands before the first step. */
void tfp_act_step_next(struct tfp_screen *screen, int step)
{
	const struct tfp_about *about = &screen->about;
	size_t count = about->step_count + 1, at = count - 1;

	if (lacks_steps(screen))
		return;
	while (at > 0 && about->steps[at - 1] != screen->query.step)
		at--;
	at = (at + count + (size_t)step) % count;
	if (!at && passes_over_all(screen))
		at = (at + count + (size_t)step) % count;
	choose_step(screen, at ? about->steps[at - 1] : -1);
}

/* ---- baseline ---- */

enum { BASELINE_OFF = -1, BASELINE_MEDIAN = -2, BASELINE_MEAN = -3, BASELINE_FILE = -4 };

const char *tfp_baseline_file(const struct tfp_screen *screen)
{
	const struct tfp_query *queries[] = {&screen->query, screen->config->query};

	for (size_t i = 0; i < 2; i++)
		if (queries[i] && tfp_baseline_is_file(queries[i]->baseline))
			return queries[i]->baseline;
	return NULL;
}

static void choose_baseline(struct tfp_screen *screen, int64_t value)
{
	char step[32];

	if (value <= RANKS)
		snprintf(step, sizeof(step), "rank:%lld", (long long)turn_rank(value));
	else
		snprintf(step, sizeof(step), "step:%lld", (long long)value);
	if (value == BASELINE_MEDIAN || value == BASELINE_MEAN)
		tfp_screen_set_baseline(screen, value == BASELINE_MEAN ? "mean" : "median");
	else if (value == BASELINE_FILE)
		tfp_screen_set_baseline(screen, tfp_baseline_file(screen));
	else
		tfp_screen_set_baseline(screen, value == BASELINE_OFF ? "" : step);
	tfp_screen_ask_tree(screen);
}

/* Enter takes the first: off where something is compared, else the median. */
void tfp_act_baseline_menu(struct tfp_screen *screen, int unused)
{
	bool steps = screen->loaded && screen->about.step_count > 1;
	bool ranks = screen->loaded && screen->about.rank_count > 1;

	(void)unused;
	if (tfp_listing_is(screen)) {
		tfp_listing_compare(screen);
		return;
	}
	if (screen->tree.rows.tree && screen->tree.rows.tree->base->strips) {
		tfp_screen_say(screen, "%s",
			       tfp_baseline_refused(screen->tree.rows.tree->base->view));
		tfp_menu_refuse(screen, "oma");
		return;
	}
	if (!screen->loaded || (!steps && !ranks && !tfp_baseline_file(screen))) {
		tfp_screen_say(screen,
			       "%sthere are no steps to compare; :baseline file:PATH compares "
			       "with another file",
			       tfp_screen_so_far(screen));
		tfp_menu_refuse(screen, "oma");
		return;
	}
	tfp_menu_begin(screen, "compare with", choose_baseline);
	tfp_menu_take_others(screen, "baseline");
	if (screen->query.baseline)
		tfp_menu_add(screen, 'o', "off", BASELINE_OFF);
	if (steps || (ranks && screen->query.rank >= 0)) {
		tfp_menu_add(screen, 'm', "median", BASELINE_MEDIAN);
		tfp_menu_add(screen, 'a', "average", BASELINE_MEAN);
	}
	if (tfp_baseline_file(screen))
		tfp_menu_add(screen, 'f', "file", BASELINE_FILE);
	add_ranks(screen);
	if (steps)
		add_steps(screen);
	tfp_menu_open(screen);
	tfp_menu_renew_by(screen, tfp_act_baseline_menu);
}
