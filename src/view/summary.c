/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The query line: what is measured, over which steps, through which filters, and what these hide.
 */
#include <stdlib.h>
#include <string.h>

#include "view/baseline.h"
#include "view/line.h"

#define SENTENCES  "what was read, and what stands out in it"
#define CONTENTS   "signatures, functions and who calls them; each of these is shown once"
#define PART       " | "
#define MOST_STEPS 6 /* whose numbers are listed */

/* ---- steps ----------------------------------------------------------------------------------- */

/* ", mean of steps 0 2" */
static void add_steps(struct tfp_line *line, const struct tfp_profile *profile, int64_t step)
{
	size_t ran;
	bool *found;

	if (step >= 0) {
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "step %lld", (long long)step));
		return;
	}
	found = tfp_steps_that_ran(profile, &ran);
	if (ran > MOST_STEPS)
		tfp_line_add(line, ", ", tfp_arena_printf(line->arena, "mean of %zu steps", ran));
	else if (ran)
		tfp_line_add(line, ", ", ran > 1 ? "mean of steps" : "step");
	for (size_t i = 0; i < profile->steps.count && ran <= MOST_STEPS; i++)
		if (found[i])
			tfp_line_add(line, " ",
				     tfp_arena_printf(line->arena, "%lld",
						      (long long)profile->steps.at[i].number));
	free(found);
}

/* ", whole recording of 20 steps", ", step 3" */
static void add_part(struct tfp_line *line, const struct tfp_profile *profile, int64_t step)
{
	size_t steps = profile->steps.count - (tfp_step_outside(profile) != TFP_NONE);

	if (step >= 0)
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "step %lld", (long long)step));
	else if (tfp_view_steps.missing(profile))
		tfp_line_add(line, ", ", "whole recording");
	else
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "whole recording of %zu step%s", steps,
					      steps == 1 ? "" : "s"));
}

/* "step 0", "the median of the others", a file. */
static const char *name_baseline(const struct tfp_tree *tree, const struct tfp_baseline *baseline,
				 struct tfp_arena *arena)
{
	bool all = tree->query.step < 0 && !tree->base->step;

	if (baseline->kind == TFP_BASELINE_FILE)
		return baseline->file;
	if (baseline->kind == TFP_BASELINE_STEP)
		return tfp_arena_printf(arena, "step %lld", (long long)baseline->step);
	return tfp_arena_printf(arena, "the %s of %s", tree->query.baseline,
				all ? "all" : "the others");
}

static void add_baseline(struct tfp_line *line, const struct tfp_tree *tree, uint32_t metric)
{
	struct tfp_baseline baseline;
	struct tfp_diag *diag = tfp_diag_new();

	if (tree->baseline && !(tree->base->baseline_absent >> metric & 1) &&
	    tfp_baseline_parse(tree->query.baseline, &baseline, diag))
		tfp_line_add(line, ", against ", name_baseline(tree, &baseline, line->arena));
	tfp_diag_free(diag);
}

/* ---- filters --------------------------------------------------------------------------------- */

static const struct {
	const char *word;
	const char *nothing; /* the list that filters nothing; NULL: an empty one */
} lists[TFP_LISTS] = {
	[TFP_ACCOUNT] = {"account", ".*"}, [TFP_START] = {"start", ".*"},
	[TFP_TRIM] = {"trim", NULL},       [TFP_SHOW] = {"show", ".*"},
	[TFP_HIDE] = {"hide", NULL},
};

static bool filters_nothing(const struct tfp_words *words, const char *nothing)
{
	if (nothing)
		return words->count == 1 && strcmp(words->at[0], nothing) == 0;
	return !words->count || (words->count == 1 && !*words->at[0]);
}

/* Regular expressions stand between slashes, literal text between quotes. */
static void add_list(struct tfp_line *line, const struct tfp_query *query, enum tfp_list list)
{
	const struct tfp_words *words = &query->lists[list];
	struct tfp_line value = {.arena = line->arena};

	if (!filters_nothing(words, lists[list].nothing)) {
		for (size_t i = 0; i < words->count; i++)
			tfp_line_add(&value, ",", words->at[i]);
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "%s /%s/", lists[list].word,
					      value.text ? value.text : ""));
	}
	if (query->text[list] && *query->text[list])
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "%s \"%s\"", lists[list].word,
					      query->text[list]));
}

static void add_minimums(struct tfp_line *line, const struct tfp_query *query)
{
	for (size_t i = 0; i < query->minimum_count; i++)
		if (query->minimums[i].value)
			tfp_line_add(line, ", ",
				     tfp_arena_printf(line->arena, "%s >= %lld",
						      query->minimums[i].metric,
						      (long long)query->minimums[i].value));
}

/* "100.00ms to 120.00ms" */
static void add_range(struct tfp_line *line, const struct tfp_query *query)
{
	char from[TFP_NUMBER_ROOM], to[TFP_NUMBER_ROOM];

	if (query->range_to <= query->range_from)
		return;
	tfp_number_screen(from, TFP_NANOS, query->range_from);
	tfp_number_screen(to, TFP_NANOS, query->range_to);
	tfp_line_add(line, ", ", tfp_arena_printf(line->arena, "%s to %s", from, to));
}

static char *filters_text(const struct tfp_query *query, struct tfp_arena *arena)
{
	struct tfp_line line = {.arena = arena};

	for (int list = 0; list < TFP_LISTS; list++)
		add_list(&line, query, (enum tfp_list)list);
	add_minimums(&line, query);
	if (query->shape && *query->shape)
		tfp_line_add(&line, ", ", tfp_arena_printf(arena, "shape %s", query->shape));
	add_range(&line, query);
	if (query->zoom && *query->zoom)
		tfp_line_add(&line, ", ", tfp_arena_printf(arena, "in %s", query->zoom));
	if (query->account_displayed_op_only)
		tfp_line_add(&line, ", ", "only what is shown counts");
	return line.text;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Is something left out of all sums, rather than hidden from sight? */
static bool counts_some(const struct tfp_query *query)
{
	return !filters_nothing(&query->lists[TFP_ACCOUNT], lists[TFP_ACCOUNT].nothing) ||
	       (query->text[TFP_ACCOUNT] && *query->text[TFP_ACCOUNT]) ||
	       (query->shape && *query->shape);
}

static char *hidden_text(const struct tfp_tree *tree, const struct tfp_lens *lens,
			 struct tfp_arena *arena)
{
	int64_t whole = tree->base->accounted[lens->metric], hidden = tree->hidden[lens->metric];
	char rows[TFP_NUMBER_ROOM];

	if (!tree->hidden_count && counts_some(&tree->query))
		return tfp_arena_printf(arena, "only these count");
	tfp_number_exact(rows, tree->hidden_count);
	if (whole <= 0)
		return tfp_arena_printf(arena, "%s rows hidden", rows);
	return tfp_arena_printf(arena, "hidden %.1f%% of %s, %s rows",
				100 * (double)hidden / (double)whole, lens->name, rows);
}

/* "2 levels", "the first 3": what --max_depth leaves, which is hidden by no filter. */
static char *depth_text(const struct tfp_tree *tree, struct tfp_arena *arena)
{
	const struct tfp_query *query = &tree->query;

	if (query->max_depth == INT32_MAX)
		return NULL;
	if (query->flat || tree->base->view->rules->list)
		return tfp_arena_printf(arena, "the first %lld", (long long)query->max_depth + 1);
	return tfp_arena_printf(arena, "%lld level%s", (long long)query->max_depth,
				query->max_depth == 1 ? "" : "s");
}

static char *form_text(const struct tfp_tree *tree, struct tfp_arena *arena)
{
	char rows[TFP_NUMBER_ROOM];

	tfp_number_exact(rows, tree->shown_count);
	return tfp_arena_printf(arena, "flat%s, %s rows",
				tree->base->view == &tfp_view_op ? ": op + input shape" : "", rows);
}

/* What a folder holds, and what filters hide of it. */
static char *listing_text(const struct tfp_tree *tree, const struct tfp_profile *profile,
			  const char *filters, struct tfp_arena *arena)
{
	struct tfp_line line = {.arena = arena};
	char hidden[TFP_NUMBER_ROOM];

	tfp_line_add(&line, "", profile->listing);
	if (filters)
		tfp_line_add(&line, PART,
			     tfp_arena_printf(arena, "%s: %s hidden", filters,
					      tfp_number_exact(hidden, tree->hidden_count)));
	return line.text;
}

char *tfp_tree_summary(const struct tfp_tree *tree, const struct tfp_profile *profile,
		       const struct tfp_lens *lens, struct tfp_arena *arena)
{
	struct tfp_line line = {.arena = arena};
	const char *filters = filters_text(&tree->query, arena), *hidden = NULL;

	if (tree->base->view->listing)
		return listing_text(tree, profile, filters, arena);
	if (tree->base->view->text)
		return tfp_arena_printf(arena, "%s",
					tree->base->view == &tfp_view_model ? CONTENTS : SENTENCES);
	tfp_line_add(&line, "",
		     tree->base->curve ? tfp_curve_when(tree->base->curve, arena) : lens->name);
	if (tree->base->step)
		tfp_line_add(&line, ", ", "step by step");
	else if (profile->trace && !tree->base->curve)
		add_part(&line, profile, tree->query.step);
	else if (profile->tensorflow && !tree->base->curve)
		add_steps(&line, profile, tree->query.step);
	add_baseline(&line, tree, lens->metric);
	if (tree->query.consumers && tree->base->view == &tfp_view_graph)
		tfp_line_add(&line, PART, "consumers below");
	if (tree->query.flat)
		tfp_line_add(&line, PART, form_text(tree, arena));
	if (!filters)
		filters = tfp_arena_printf(arena, "all %ss, 0%% hidden",
					   profile->tensorflow ? "op" : tfp_node_word(profile));
	else
		hidden = hidden_text(tree, lens, arena);
	tfp_line_add(&line, PART, filters);
	if (hidden)
		tfp_line_add(&line, PART, hidden);
	if (depth_text(tree, arena))
		tfp_line_add(&line, PART, depth_text(tree, arena));
	return line.text;
}
