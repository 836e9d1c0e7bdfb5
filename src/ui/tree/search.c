/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search. The worker counts the matches before each row, which tells in one step whether a node
 * has any inside; so the next one is found from sibling to sibling, up, and down only where there
 * is something.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/action/actions.h"

void tfp_search_drop(struct tfp_search *search)
{
	if (search->tree) {
		tfp_tree_release(search->tree);
		tfp_matches_free(&search->matches);
	}
	search->tree = NULL;
	search->matches = (struct tfp_matches){0};
	tfp_array_free(&search->opened);
}

static bool matches(const struct tfp_search *search, uint32_t row)
{
	return search->matches.before[row + 1] > search->matches.before[row];
}

/* Below ROW in the tree, and not ROW itself. */
static bool matches_below(const struct tfp_search *search, uint32_t row)
{
	const uint32_t *before = search->matches.before;

	return before[search->tree->base->end[row]] > before[row + 1];
}

static bool matches_inside(const struct tfp_search *search, const struct tfp_rows *rows,
			   uint32_t row)
{
	return tfp_rows_can_open(rows, row) && matches_below(search, row);
}

/* The first match below ROW in display order, or the last one. */
static uint32_t match_inside(const struct tfp_search *search, const struct tfp_rows *rows,
			     uint32_t row, bool last)
{
	do {
		const uint32_t *children = tfp_rows_children(rows, row);
		uint32_t count = search->tree->child_count[row], i;

		for (i = 0; i < count - 1; i++) {
			uint32_t child = children[last ? count - 1 - i : i];

			if (matches(search, child) || matches_inside(search, rows, child))
				break;
		}
		row = children[last ? count - 1 - i : i];
	} while (matches_inside(search, rows, row) && (last || !matches(search, row)));
	return row;
}

/* The first match among ROW and what is inside it, or the last one; TFP_NONE. */
static uint32_t match_at(const struct tfp_search *search, const struct tfp_rows *rows, uint32_t row,
			 bool forward)
{
	bool inside = matches_inside(search, rows, row);

	if (matches(search, row) && (forward || !inside))
		return row;
	return inside ? match_inside(search, rows, row, !forward) : TFP_NONE;
}

/* The nearest match among the siblings behind ROW, or before it; TFP_NONE. */
static uint32_t match_beside(const struct tfp_search *search, const struct tfp_rows *rows,
			     uint32_t above, uint32_t row, bool forward)
{
	const uint32_t *children = tfp_rows_children(rows, above);
	uint32_t count = search->tree->child_count[above], i = 0, found = TFP_NONE;

	while (i < count && children[i] != row)
		i++;
	if (forward)
		while (++i < count && found == TFP_NONE)
			found = match_at(search, rows, children[i], forward);
	else
		while (i-- > 0 && found == TFP_NONE)
			found = match_at(search, rows, children[i], forward);
	return found;
}

/* The nearest match behind ROW and all that is inside it, or before ROW; TFP_NONE. */
static uint32_t match_outside(const struct tfp_search *search, const struct tfp_rows *rows,
			      uint32_t row, bool forward)
{
	uint32_t above, found = TFP_NONE;

	for (; found == TFP_NONE && (above = tfp_rows_above(rows, row)) != TFP_NONE; row = above) {
		found = match_beside(search, rows, above, row, forward);
		if (found == TFP_NONE && !forward && !search->tree->query.flat &&
		    matches(search, above))
			found = above;
	}
	return found;
}

/* The first match of all, or the last; TFP_NONE. */
static uint32_t match_from_end(const struct tfp_search *search, const struct tfp_rows *rows,
			       bool forward)
{
	uint32_t root = search->tree->root;

	if (!search->tree->query.flat)
		return match_at(search, rows, root, forward);
	return matches_below(search, root) ? match_inside(search, rows, root, !forward) : TFP_NONE;
}

/*
 * The next match from the cursor on, round the end if need be; with HERE the cursor's row may be
 * it.
 */
static uint32_t find(const struct tfp_search *search, const struct tfp_treepane *pane, bool forward,
		     bool here)
{
	const struct tfp_rows *rows = &pane->rows;
	uint32_t row = tfp_treepane_row(pane), found = TFP_NONE;

	if (here)
		found = match_at(search, rows, row, forward);
	else if (forward && matches_inside(search, rows, row))
		found = match_inside(search, rows, row, false);
	if (found == TFP_NONE)
		found = match_outside(search, rows, row, forward);
	return found == TFP_NONE ? match_from_end(search, rows, forward) : found;
}

/* Closes what the search opened, but for what is above ROW. */
static void close_opened(struct tfp_screen *screen, uint32_t row)
{
	struct tfp_search *search = &screen->search;
	struct tfp_rows *rows = &screen->tree.rows;
	size_t kept = 0;

	for (size_t i = search->opened.count; i-- > 0;) {
		uint32_t opened = search->opened.at[i];
		size_t index;

		if (row >= opened && row < rows->tree->base->end[opened]) {
			kept = i + 1;
			break;
		}
		index = tfp_rows_find(rows, opened);
		if (index < rows->count)
			tfp_rows_close(rows, index);
	}
	search->opened.count = kept;
}

/* Remembers what going to ROW will open. */
static void note_opened(struct tfp_screen *screen, uint32_t row)
{
	struct tfp_search *search = &screen->search;
	const struct tfp_tree *tree = search->tree;
	size_t first = search->opened.count;

	while (row != tree->root && !tree->query.flat) {
		row = tfp_tree_shown_parent(tree, tree->base->parent[row]);
		if (row == TFP_NONE || screen->tree.rows.open[row])
			break;
		tfp_array_reserve(&search->opened, search->opened.count + 1);
		memmove(search->opened.at + first + 1, search->opened.at + first,
			(search->opened.count - first) * sizeof(*search->opened.at));
		search->opened.at[first] = row;
		search->opened.count++;
	}
}

static void go(struct tfp_screen *screen, uint32_t row)
{
	close_opened(screen, row);
	note_opened(screen, row);
	tfp_treepane_go(&screen->tree, row);
}

static uint32_t count_of(const struct tfp_search *search)
{
	uint32_t root = search->tree->root;

	return search->matches.before[search->tree->base->end[root]] - search->matches.before[root];
}

static void say_count(struct tfp_screen *screen)
{
	const struct tfp_search *search = &screen->search;
	uint32_t count = count_of(search);

	if (count)
		tfp_screen_say(screen, "%u with \"%s\"   {n} next, {N} before", count,
			       search->text);
	else
		tfp_screen_fail(screen, "%s\"%s\" is not found: no row has it in its name",
				tfp_screen_so_far(screen), search->text);
}

/* Makes the jump for which the matches are there. */
static void jump(struct tfp_screen *screen, bool forward, bool here)
{
	struct tfp_search *search = &screen->search;
	uint32_t row;

	if (tfp_treepane_row(&screen->tree) == TFP_NONE)
		return;
	row = find(search, &screen->tree, forward, here);
	if (row != TFP_NONE)
		go(screen, row);
	say_count(screen);
}

static void to_origin(struct tfp_screen *screen)
{
	uint32_t row;

	if (!screen->tree.rows.tree)
		return;
	row = tfp_tree_find(screen->tree.rows.tree, screen->search.origin);
	if (row == TFP_NONE)
		return;
	close_opened(screen, row);
	tfp_treepane_go(&screen->tree, row);
}

static void set_text(struct tfp_screen *screen, const char *text)
{
	free(screen->search.text);
	screen->search.text = *text ? tfp_strdup(text) : NULL;
	screen->tree.match = screen->search.text;
	tfp_worker_cancel(screen->worker, TFP_TASK_MATCH);
	screen->search.waiting = false;
}

static void ask(struct tfp_screen *screen, bool forward, bool typing)
{
	struct tfp_search *search = &screen->search;
	struct tfp_request request = {.task = TFP_TASK_MATCH};

	if (!screen->tree.rows.tree)
		return;
	search->waiting = true;
	search->forward = forward;
	search->typing = typing;
	request.tree = tfp_tree_hold(screen->tree.rows.tree);
	request.text = tfp_strdup(search->text);
	tfp_worker_ask(screen->worker, &request);
}

void tfp_search_take(struct tfp_screen *screen, struct tfp_answer *answer)
{
	struct tfp_search *search = &screen->search;
	bool wanted = search->waiting && search->text && answer->text &&
		      !strcmp(search->text, answer->text) && answer->tree == screen->tree.rows.tree;

	if (answer->failed || !wanted)
		return;
	if (search->tree != answer->tree)
		tfp_search_drop(search);
	else
		tfp_matches_free(&search->matches);
	if (!search->tree)
		search->tree = tfp_tree_hold(answer->tree);
	search->matches = answer->matches;
	answer->matches = (struct tfp_matches){0};
	search->waiting = false;
	if (search->typing)
		to_origin(screen);
	jump(screen, search->forward, search->typing);
}

bool tfp_search_is_late(const struct tfp_screen *screen)
{
	return screen->search.waiting && !screen->mode &&
	       (tfp_worker_busy(screen->worker, TFP_TASK_MATCH) ||
		tfp_worker_busy(screen->worker, TFP_TASK_QUERY));
}

void tfp_search_follow(struct tfp_screen *screen)
{
	struct tfp_search *search = &screen->search;

	if (search->tree != screen->tree.rows.tree)
		tfp_search_drop(search);
	if (search->waiting && search->text)
		ask(screen, search->forward, search->typing);
}

void tfp_search_next(struct tfp_screen *screen, bool forward)
{
	struct tfp_search *search = &screen->search;

	if (!search->text)
		tfp_screen_say(screen, "nothing to search for yet: {/} asks for a text");
	else if (search->tree && search->tree == screen->tree.rows.tree)
		jump(screen, forward, false);
	else
		ask(screen, forward, false);
}

void tfp_search_end(struct tfp_screen *screen)
{
	if (screen->search.text && tfp_time_is(screen))
		tfp_timepane_light(&screen->tree.time, NULL, 0);
	set_text(screen, "");
	tfp_search_drop(&screen->search);
}

static void say_events(struct tfp_screen *screen)
{
	const struct tfp_timepane *time = &screen->tree.time;
	size_t count = tfp_strips_happened(screen->tree.rows.tree->base->strips, time->lit,
					   time->lit_count);
	char number[TFP_NUMBER_ROOM];

	tfp_screen_say(screen, "%s event%s with \"%s\"   {n} next, {N} before",
		       tfp_number_exact(number, (int64_t)count), count == 1 ? "" : "s",
		       screen->search.text);
}

static void on_change(struct tfp_screen *screen, const char *text)
{
	set_text(screen, text);
	/* in the time view names are those of events, if any has it */
	if (tfp_time_is(screen) && tfp_time_find(screen, text, screen->search.origin_time))
		say_events(screen);
	else if (screen->search.text)
		ask(screen, true, true);
	else
		to_origin(screen);
}

static void on_enter(struct tfp_screen *screen, const char *text)
{
	const struct tfp_search *search = &screen->search;

	if (!*text)
		tfp_search_end(screen);
	else if (tfp_time_is(screen) && screen->tree.time.lit_count)
		say_events(screen);
	else if (!search->waiting && search->tree && search->tree == screen->tree.rows.tree)
		say_count(screen);
}

static void on_drop(struct tfp_screen *screen)
{
	if (tfp_time_is(screen))
		tfp_timepane_go(&screen->tree.time, screen->tree.rows.tree->base->strips,
				screen->search.origin_time);
	to_origin(screen);
	tfp_search_end(screen);
}

static const struct tfp_prompt_kind search_prompt = {
	.sign = "/",
	.remembers = TFP_PAST_SEARCHES,
	.changed = on_change,
	.entered = on_enter,
	.dropped = on_drop,
};

void tfp_search_prompt(struct tfp_screen *screen)
{
	uint32_t row = tfp_treepane_row(&screen->tree);

	if (row == TFP_NONE)
		return;
	screen->search.origin = screen->tree.rows.tree->base->key[row];
	screen->search.origin_time = screen->tree.time.cursor;
	screen->search.opened.count = 0;
	tfp_prompt_open(screen, &search_prompt);
}
