/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wanted query: what a change of view, lens or comparison does to it, and how it begins.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/tree/listing.h"

#define LISTED_STEPS 10 /* in a message */

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
	if (view && view->of_steps)
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
	screen->tree.rows.chosen = screen->order_chosen = false;
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
	tfp_screen_say(screen,
		       "one rank is compared, not their sum: rank %lld; {S} chooses another",
		       (long long)screen->query.rank);
}

/* Nor are all steps with one of them, or with what they are in the middle. */
static void take_step(struct tfp_screen *screen)
{
	const struct tfp_about *about = &screen->about;
	const struct tfp_view *view = wanted_view(screen);
	long long other;

	if (!view || !tfp_screen_needs_step(screen, view))
		return;
	if (sscanf(screen->query.baseline, "step:%lld", &other) != 1)
		other = -1;
	for (size_t i = 0; i < about->step_count && screen->query.step < 0; i++)
		if (about->steps[i] != other)
			screen->query.step = about->steps[i];
	tfp_screen_say(screen,
		       "one step is compared, not their sum: step %lld; {S} chooses another",
		       (long long)screen->query.step);
}

void tfp_screen_set_baseline(struct tfp_screen *screen, const char *baseline)
{
	set(screen, "baseline", baseline);
	take_rank_along(screen);
	take_step(screen);
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

/* Does the query say what counts, without a lens? */
static bool has_account(const struct tfp_query *query)
{
	const struct tfp_words *account = &query->lists[TFP_ACCOUNT];

	return query->text[TFP_ACCOUNT] || account->count != 1 || strcmp(account->at[0], ".*") != 0;
}

/* What a person has asked for stays. */
static void begin_lens(struct tfp_screen *screen, size_t index)
{
	bool ordered = screen->query.order_by;

	if (!ordered && !has_account(&screen->query)) {
		tfp_screen_set_lens(screen, index);
		return;
	}
	screen->lens = screen->about.lenses[index];
	if (!ordered)
		order_by_lens(screen);
}

/* Does VIEW have what is below types of operations? Settings may not want that. */
static bool is_deep(const struct tfp_screen *screen, const struct tfp_view *view)
{
	const struct tfp_query *first = screen->config->query;

	return view && view->deepens && (!first || first->deep);
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

/* VIEW can't be shown, and why. */
static void refuse_view(struct tfp_screen *screen, const struct tfp_view *view, const char *missing)
{
	if (tfp_screen_has_part(screen)) {
		screen->later = view;
		tfp_screen_say(screen, "%s; it opens later, {Esc} cancels", missing);
	} else {
		tfp_screen_fail(screen, "%s", missing);
	}
}

bool tfp_screen_set_view(struct tfp_screen *screen, const struct tfp_view *view)
{
	const char *missing = tfp_screen_view_missing(screen, view);
	const struct tfp_view *before = wanted_view(screen);

	screen->later = NULL;
	if (missing) {
		refuse_view(screen, view, missing);
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
	screen->step_found = screen->query.step;
	return true;
}

void tfp_screen_set_later(struct tfp_screen *screen)
{
	const struct tfp_view *view = screen->later;
	bool waits = view && tfp_screen_view_missing(screen, view) && tfp_screen_has_part(screen);

	if (!view || waits)
		return;
	tfp_screen_note_query(screen);
	tfp_screen_set_view(screen, view);
}

bool tfp_screen_forget_later(struct tfp_screen *screen)
{
	if (!screen->later)
		return false;
	tfp_screen_say(screen, "the %s view does not open by itself any more", screen->later->name);
	screen->later = NULL;
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
	memcpy(screen->columns_typed, screen->config->columns_given, sizeof(screen->columns_typed));
	if (screen->config->flat_given)
		return;
	screen->flat[tfp_view_index(screen->about.view)] |= screen->about.opens_flat;
	if (!screen->query.view)
		screen->query.flat |= screen->about.opens_flat;
}

/* Completes the first query by what the file has. */
static void complete_query(struct tfp_screen *screen)
{
	const struct tfp_view *view, *recalled = tfp_place_recall(screen);
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
	if (!screen->about.share) /* one that a part lacks may come */
		check_step(screen);
	screen->own_lens = NULL;
	if (index >= screen->about.lens_count)
		return;
	if (!screen->query.order_by)
		screen->own_lens = screen->about.lenses[index].name;
	begin_lens(screen, index);
}

void tfp_screen_first_query(struct tfp_screen *screen)
{
	screen->step_found = -1;
	if (screen->config->query)
		tfp_query_copy(&screen->query, screen->config->query);
	else
		tfp_ui_query(&screen->query);
}

/* What a part of the files lacks is no problem of theirs. */
void tfp_screen_begin_query(struct tfp_screen *screen)
{
	struct tfp_diag *diag = screen->diag, *passing = tfp_diag_new();

	if (screen->about.share)
		screen->diag = passing;
	complete_query(screen);
	screen->diag = diag;
	tfp_diag_free(passing);
	if (!screen->touched)
		tfp_screen_keep(screen);
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
		tfp_screen_ask_former(screen);
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

/* Is there still what the rows are in order by? */
static bool has_order(const struct tfp_screen *screen)
{
	static const char *const words[] = {"", "name", "defined", "occurrence", TFP_ORDER_RUNS};
	const char *order = screen->query.order_by ? screen->query.order_by : "";
	const char *colon = strchr(order, ':'), *key = colon ? colon + 1 : order;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(order, words[i]))
			return true;
	for (uint32_t i = 0; i < screen->about.metric_count; i++)
		if (!strcmp(key, screen->about.metrics[i].key))
			return true;
	return false;
}

void tfp_screen_renew_lens(struct tfp_screen *screen)
{
	screen->lens = screen->about.lenses[find_lens(&screen->about, screen->query.order_by)];
	if (!has_order(screen))
		order_by_lens(screen);
}

/* Is the order of QUERY one that came with the files, and not of a person? */
static bool is_own_order(const struct tfp_screen *screen, const struct tfp_query *query)
{
	const char *order = query->order_by;

	return order && screen->own_lens &&
	       (!strcmp(order, screen->own_lens) || !strcmp(order, TFP_LENGTH_KEY));
}

/* The wanted query, where it HAS_OWN_ORDER, and the lens become those of the files' own lens. */
static void use_own(struct tfp_screen *screen, size_t own, bool has_own_order)
{
	screen->lens = screen->about.lenses[own];
	if (has_own_order)
		set(screen, "order_by", usual_order(screen, wanted_view(screen)));
}

/* The same of all that undo comes back to. */
static void use_own_before(struct tfp_screen *screen, size_t own, bool has_own_order)
{
	struct tfp_history *history = &screen->history;
	struct tfp_query wanted = screen->query;
	struct tfp_lens lens = screen->lens;

	for (size_t i = 0; i < history->count; i++) {
		struct tfp_past *past = &history->list[i];

		if (!screen->own_lens || strcmp(past->lens, screen->own_lens) != 0)
			continue;
		screen->query = past->query;
		use_own(screen, own,
			i == history->at ? has_own_order : is_own_order(screen, &past->query));
		past->query = screen->query;
		past->lens = tfp_arena_text(&past->query.arena, screen->lens.name,
					    strlen(screen->lens.name));
	}
	screen->query = wanted;
	screen->lens = lens;
}

/* Metric and order that came with a part of the files come with more of them anew; what a person chose stays. */
static void renew_own(struct tfp_screen *screen)
{
	const char *name = screen->lens.name, *order = screen->query.order_by;
	bool has_own_order = !screen->order_chosen && is_own_order(screen, &screen->query);
	size_t own;

	screen->query.order_by = NULL;
	own = first_lens(screen);
	screen->query.order_by = order;
	if (own >= screen->about.lens_count)
		return;
	if (name && screen->own_lens && !screen->lens_chosen && !strcmp(name, screen->own_lens)) {
		use_own_before(screen, own, has_own_order);
		use_own(screen, own, has_own_order);
		screen->tree.rows.chosen &= !has_own_order;
	} else {
		use_own_before(screen, own, false);
		screen->lens = screen->about.lenses[find_lens(&screen->about, name)];
	}
	if (screen->own_lens)
		screen->own_lens = screen->about.lenses[own].name;
}

/* Has the person chosen any of it, or is about to? */
static bool chose_query(const struct tfp_screen *screen)
{
	return screen->history.count > 1 || screen->tree.rows.chosen || screen->mode;
}

void tfp_screen_begin_query_again(struct tfp_screen *screen)
{
	struct tfp_query before;
	const char *own_lens;
	bool moved;

	if (screen->touched && chose_query(screen)) {
		renew_own(screen);
		return;
	}
	before = screen->query;
	own_lens = screen->own_lens;
	tfp_screen_first_query(screen);
	tfp_screen_begin_query(screen);
	tfp_query_choose(&screen->query, &before);
	moved = before.view && strcmp(before.view, screen->query.view) != 0;
	if (screen->touched && moved && screen->tree.rows.tree) {
		tfp_query_free(&screen->query);
		screen->query = before;
		screen->own_lens = own_lens;
		renew_own(screen);
	} else {
		tfp_query_free(&before);
		tfp_history_free(&screen->history);
	}
	if (!screen->touched)
		tfp_treepane_restart(&screen->tree);
}
