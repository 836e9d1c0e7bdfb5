/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The query line: what is measured, over which steps, through which filters, and what these hide.
 */
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/query/line.h"
#include "view/query/options.h"
#include "view/trace/coverage.h"
#include "tfprof/columns.h"

#define SENTENCES  "what was read, and what stands out in it"
#define FEW        "what was read, and findings"
#define CONTENTS   "signatures, functions and who calls them; each of these is shown once"
#define FEWEST     "signatures, functions, callers"
#define PART       " | "
#define MOST_STEPS 6  /* whose numbers are listed */
#define PATTERN    16 /* characters of a pattern, where words are few, */
#define LEAST      8  /* and at least */

/* How few words it must do with, see tfp_tree_summary; each leaves out what those above do. */
enum {
	SHORT = 1, /* no "all ops", no "of time" */
	BRIEF,     /* "hidden 12.3%": no rows, no list of steps, no coverage */
	CLIPPED,   /* patterns with their beginning alone, of where it is zoomed to the end */
	LEAN,      /* no steps or recording where these are all, no levels where none hides rows */
	CUT,       /* little more than a word of each pattern, and nothing of levels */
	WORDS,     /* of several filters what they are */
};

/* ---- steps ----------------------------------------------------------------------------------- */

/* ", mean of steps 0 2" */
static void add_steps(struct tfp_line *line, const struct tfp_profile *profile, int64_t step,
		      int brief)
{
	size_t ran, listed = brief < BRIEF ? MOST_STEPS : 1;
	bool *found;

	if (step >= 0) {
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "step %lld", (long long)step));
		return;
	}
	if (brief >= LEAN)
		return;
	found = tfp_steps_that_ran(profile, &ran);
	if (ran > listed)
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "mean of %s",
					      tfp_number_count(line->arena, (int64_t)ran, "step")));
	else if (ran)
		tfp_line_add(line, ", ", ran > 1 ? "mean of steps" : "step");
	for (size_t i = 0; i < profile->steps.count && ran <= listed; i++)
		if (found[i])
			tfp_line_add(line, " ",
				     tfp_arena_printf(line->arena, "%lld",
						      (long long)profile->steps.at[i].number));
	free(found);
}

/* ", nothing: the recording ends at 2.27s", where the range of time begins behind that. False: it does not. */
static bool add_beyond(struct tfp_line *line, const struct tfp_profile *profile,
		       const struct tfp_query *query, int brief)
{
	const struct tfp_trace *trace;
	char end[TFP_NUMBER_ROOM];

	if (!tfp_query_is_beyond(query, profile))
		return false;
	trace = tfp_trace_whole(profile->trace);
	tfp_number_screen(end, trace->unit,
			  (int64_t)((uint64_t)trace->end - (uint64_t)trace->begin));
	tfp_line_add(line, ", ",
		     brief >= SHORT ? "nothing: past the end"
				    : tfp_arena_printf(line->arena,
						       "nothing: the recording ends at %s", end));
	return true;
}

/* ", whole recording of 20 steps", ", part of a recording of 20 steps", ", step 3": which range of time, a filter says. */
static void add_part(struct tfp_line *line, const struct tfp_profile *profile,
		     const struct tfp_query *query, int brief)
{
	bool part = query->range_to > query->range_from;
	int64_t step = query->step;
	size_t steps = profile->steps.count - (tfp_step_outside(profile) != TFP_NONE);
	/* what is read so far is not the whole */
	const char *of = part ? "part of a " : profile->share ? "" : "whole ";
	const char *by =
		profile->steps_by ? tfp_strings_text(profile->strings, profile->steps_by) : NULL;

	if (add_beyond(line, profile, query, brief))
		return;
	if (step >= 0)
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "step %lld", (long long)step));
	else if (brief >= LEAN)
		return;
	else if (brief >= SHORT && part)
		tfp_line_add(line, ", ", "part of it");
	else if (brief >= SHORT || tfp_view_steps.missing(profile))
		tfp_line_add(line, ", ",
			     part ? "part of the recording"
				  : tfp_arena_printf(line->arena, "%srecording", of));
	else if (by)
		tfp_line_add(
			line, ", ",
			tfp_arena_printf(line->arena, "%srecording of %s %s %s", of,
					 tfp_number_count(line->arena, (int64_t)steps,
							  profile->steps_between ? "step" : "run"),
					 profile->steps_between ? "by" : "of", by));
	else
		tfp_line_add(
			line, ", ",
			tfp_arena_printf(line->arena, "%srecording of %s", of,
					 tfp_number_count(line->arena, (int64_t)steps, "step")));
}

/* "step 0", "the median of the others", a file, of which the name says more than the folders. */
static const char *name_baseline(const struct tfp_tree *tree, const struct tfp_baseline *baseline,
				 int brief, struct tfp_arena *arena)
{
	bool all = tree->query.step < 0 && tree->query.rank < 0 && !tree->base->step;

	if (baseline->kind == TFP_BASELINE_FILE) {
		const char *slash = strrchr(baseline->file, '/');

		return brief >= SHORT && slash && slash[1] ? slash + 1 : baseline->file;
	}
	if (baseline->kind == TFP_BASELINE_STEP)
		return tfp_arena_printf(arena, "step %lld", (long long)baseline->step);
	if (baseline->kind == TFP_BASELINE_RANK)
		return tfp_arena_printf(arena, "rank %lld", (long long)baseline->step);
	if (brief >= SHORT)
		return tfp_arena_printf(arena, "%s%s", brief >= CUT ? "" : "the ",
					tree->query.baseline);
	return tfp_arena_printf(arena, "the %s of %s", tree->query.baseline,
				all ? "all" : "the others");
}

/* Does TREE compare nothing, though other views would? */
static bool is_elsewhere(const struct tfp_tree *tree, int brief)
{
	return !tree->baseline && brief < LEAN && tfp_baseline_refused(tree->base->view);
}

/* "; heap.pprof.gz has none of it", where rows have nothing to be held against. */
static void add_nothing(struct tfp_line *line, const struct tfp_tree *tree,
			const struct tfp_baseline *baseline, int brief)
{
	if (!tree->baseline || baseline->kind != TFP_BASELINE_FILE)
		return;
	if (brief >= LEAN)
		tfp_line_add(line, ", ", brief >= CUT ? "vs nothing" : "against nothing");
	else
		tfp_line_add(line, "; ",
			     tfp_arena_printf(line->arena, "%s has none of it",
					      name_baseline(tree, baseline, brief, line->arena)));
}

static void add_baseline(struct tfp_line *line, const struct tfp_tree *tree,
			 const struct tfp_profile *profile, uint32_t metric, int brief)
{
	bool known = tree->baseline && !(tree->base->baseline_absent >> metric & 1);
	const char *wanted = tree->query.baseline ? tree->query.baseline : "";
	struct tfp_baseline baseline;
	struct tfp_diag *diag = tfp_diag_new();
	const char *steps = known ? tfp_baseline_steps_text(tree, profile, line->arena) : NULL;

	if (!*wanted || !tfp_baseline_parse(wanted, &baseline, diag))
		known = false;
	else if (known || is_elsewhere(tree, brief))
		tfp_line_add(line,
			     !known         ? "; other views against "
			     : brief >= CUT ? ", vs "
					    : ", against ",
			     name_baseline(tree, &baseline, brief, line->arena));
	else
		add_nothing(line, tree, &baseline, brief);
	if (steps)
		tfp_line_add(line, " ", steps);
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

/* VALUE of a filter, between two MARKs: all of it, or its beginning. */
static void add_value(struct tfp_line *line, const char *word, char mark, const char *value,
		      int brief)
{
	size_t size = strlen(value), taken = 0, most = brief >= CUT ? LEAST : PATTERN;

	if (brief >= CLIPPED && size > most + 3) /* never in the middle of a character */
		for (taken = most; ((unsigned char)value[taken] & 0xc0) == 0x80;)
			taken++;
	tfp_line_add(line, ", ",
		     tfp_arena_printf(line->arena, "%s %c%.*s%s%c", word, mark,
				      (int)(taken ? taken : size), value, taken ? "..." : "",
				      mark));
}

/* Regular expressions stand between slashes, literal text between quotes. */
static void add_list(struct tfp_line *line, const struct tfp_query *query, enum tfp_list list,
		     int brief)
{
	const struct tfp_words *words = &query->lists[list];
	struct tfp_line value = {.arena = line->arena};

	if (!filters_nothing(words, lists[list].nothing)) {
		for (size_t i = 0; i < words->count; i++)
			tfp_line_add(&value, ",", words->at[i]);
		add_value(line, lists[list].word, '/', value.text ? value.text : "", brief);
	}
	if (query->text[list] && *query->text[list])
		add_value(line, lists[list].word, '"', query->text[list], brief);
}

/* "100.00ms to 120.00ms" */
static void add_range(struct tfp_line *line, const struct tfp_query *query)
{
	char from[TFP_NUMBER_ROOM], to[TFP_NUMBER_ROOM];

	if (query->range_to <= query->range_from)
		return;
	tfp_number_times(from, to, TFP_NANOS, query->range_from, query->range_to);
	tfp_line_add(line, ", ", tfp_arena_printf(line->arena, "%s to %s", from, to));
}

static void add_rank(struct tfp_line *line, const struct tfp_query *query)
{
	if (query->rank >= 0)
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "rank %lld", (long long)query->rank));
}

/* "in net/block/conv", "in .../conv" */
static const char *zoom_text(const char *zoom, int brief, struct tfp_arena *arena)
{
	const char *slash = strrchr(zoom, '/');
	bool cut = brief >= CLIPPED && slash && slash - zoom > (ptrdiff_t)strlen("...");

	return tfp_arena_printf(arena, "in %s%s", cut ? "..." : "", cut ? slash : zoom);
}

static bool filters_list(const struct tfp_query *query, int list)
{
	return !filters_nothing(&query->lists[list], lists[list].nothing) ||
	       (query->text[list] && *query->text[list]);
}

/* "show, hide, micros": what kinds of filters there are, COUNT of them; where values have no room none is to be missing. */
static char *filter_words(const struct tfp_query *query, struct tfp_arena *arena, size_t *count)
{
	struct tfp_line line = {.arena = arena};
	const struct {
		bool set;
		const char *word;
	} others[] = {
		{query->shape && *query->shape, "shape"},
		{query->range_to > query->range_from, "range"},
		{query->rank >= 0, "rank"},
		{query->zoom && *query->zoom, "zoom"},
		{query->account_displayed_op_only, "only what is shown"},
	};

	*count = 0;
	for (int list = 0; list < TFP_LISTS; list++)
		if (filters_list(query, list)) {
			tfp_line_add(&line, ", ", lists[list].word);
			++*count;
		}
	for (size_t i = 0; i < query->minimum_count; i++)
		if (query->minimums[i].value) {
			tfp_line_add(&line, ", ", query->minimums[i].metric);
			++*count;
		}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].set) {
			tfp_line_add(&line, ", ", others[i].word);
			++*count;
		}
	return line.text;
}

static char *filters_text(const struct tfp_tree *tree, int brief, struct tfp_arena *arena)
{
	const struct tfp_query *query = &tree->query;
	const char *minimums = tfp_minimums_text(tree, arena);
	struct tfp_line line = {.arena = arena};
	size_t count = 0;
	char *words = brief >= WORDS ? filter_words(query, arena, &count) : NULL;

	if (count > 1)
		return words;
	for (int list = 0; list < TFP_LISTS; list++)
		add_list(&line, query, (enum tfp_list)list, brief);
	if (minimums)
		tfp_line_add(&line, ", ", minimums);
	if (query->shape && *query->shape)
		tfp_line_add(&line, ", ", tfp_arena_printf(arena, "shape %s", query->shape));
	add_range(&line, query);
	add_rank(&line, query);
	if (query->zoom && *query->zoom)
		tfp_line_add(&line, ", ", zoom_text(query->zoom, brief, arena));
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

/* What filters take for the names of rows: one text hides another share of scopes than of op types. */
static const char *names_text(const struct tfp_tree *tree)
{
	const struct tfp_view *view = tree->base->view;

	for (int list = TFP_START; list < TFP_LISTS; list++)
		if (filters_list(&tree->query, list))
			return view == &tfp_view_op  ? " by op type"
			       : view->rules->scoped ? " by path"
						     : "";
	return "";
}

static char *hidden_text(const struct tfp_tree *tree, const struct tfp_lens *lens, int brief,
			 struct tfp_arena *arena)
{
	int64_t whole = tree->base->accounted[lens->metric], hidden = tree->hidden[lens->metric];
	const char *rows = tfp_number_count(arena, tree->hidden_count, "row");

	/* gaps are of devices, and lanes have all that ran on them, whatever ops count */
	if (!tree->hidden_count)
		return !counts_some(&tree->query) ? NULL
		       : tree->base->idle || tree->base->strips
			       ? tfp_arena_printf(arena, "all count here")
			       : tfp_arena_printf(arena, "only these count");
	if (whole <= 0 || !hidden || !lens->name)
		return tfp_arena_printf(arena, "%s hidden", rows);
	if (brief >= BRIEF)
		return tfp_arena_printf(arena, "hidden %.1f%%",
					100 * (double)hidden / (double)whole);
	return tfp_arena_printf(arena, "hidden %.1f%%%s%s, %s%s",
				100 * (double)hidden / (double)whole, brief ? "" : " of ",
				brief ? "" : lens->name, rows, brief ? "" : names_text(tree));
}

/*
 * "2 levels, 90 rows deeper", "the first 3 of 20": what --max_depth leaves, and how many of the rows that no filter
 * hides it does not; NULL: all are there.
 */
static char *depth_text(const struct tfp_tree *tree, int brief, struct tfp_arena *arena)
{
	const struct tfp_query *query = &tree->query;
	bool list = query->flat || tree->base->view->rules->list;
	uint32_t deep = tree->deep_count;
	char rows[TFP_NUMBER_ROOM];

	if (query->max_depth == INT32_MAX || brief >= CUT)
		return NULL;
	if (list && !deep)
		return NULL;
	if (list)
		return tfp_arena_printf(
			arena, "the first %lld of %s", (long long)query->max_depth + 1,
			tfp_number_exact(rows, query->max_depth + 1 + (int64_t)deep));
	if (!deep && brief >= LEAN)
		return NULL;
	if (!deep)
		return tfp_arena_printf(arena, "%lld level%s", (long long)query->max_depth,
					query->max_depth == 1 ? "" : "s");
	return tfp_arena_printf(arena, "%lld level%s, %s%s deeper", (long long)query->max_depth,
				query->max_depth == 1 ? "" : "s", tfp_number_exact(rows, deep),
				brief >= BRIEF ? ""
				: deep == 1    ? " row"
					       : " rows");
}

static char *form_text(const struct tfp_tree *tree, int brief, struct tfp_arena *arena)
{
	bool op = tree->base->view == &tfp_view_op && !brief;

	return tfp_arena_printf(arena, "flat%s, %s", op ? ": op + input shape" : "",
				tfp_number_count(arena, tree->shown_count, "row"));
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

/* What the rows of TREE are made of. */
static const char *thing_of(const struct tfp_tree *tree, const struct tfp_profile *profile)
{
	if (tree->base->strips)
		return "lane";
	if (tree->base->idle)
		return "gap";
	return profile->tensorflow ? "op" : tfp_node_word(profile);
}

/* What the filters leave out, or that they leave out nothing. */
static void add_hidden(struct tfp_line *line, const struct tfp_tree *tree,
		       const struct tfp_profile *profile, const struct tfp_lens *lens, int brief)
{
	const char *filters = filters_text(tree, brief, line->arena);
	const char *hidden = filters ? hidden_text(tree, lens, brief, line->arena) : NULL;

	if (filters) {
		tfp_line_add(line, PART, filters);
		if (hidden)
			tfp_line_add(line, PART, hidden);
	} else if (brief >= SHORT) {
		tfp_line_add(line, PART, "0% hidden");
	} else {
		tfp_line_add(line, PART,
			     tfp_arena_printf(line->arena, "all %ss%s, 0%% hidden",
					      thing_of(tree, profile),
					      tfp_leaves_unscoped(tree) ? " in scopes" : ""));
	}
}

/* Where nobody called them steps, what they are. */
static const char *step_by_step(const struct tfp_profile *profile, int brief,
				struct tfp_arena *arena)
{
	if (!profile->steps_by || brief >= SHORT)
		return "step by step";
	return tfp_arena_printf(arena, "step by step: %s %s",
				profile->steps_between ? "steps by" : "runs of",
				tfp_strings_text(profile->strings, profile->steps_by));
}

/* What a view of sentences has. */
static const char *sentence_text(const struct tfp_tree *tree, int brief)
{
	if (tree->base->view == &tfp_view_model)
		return brief ? FEWEST : CONTENTS;
	return brief ? FEW : SENTENCES;
}

/* Which part of a recording sentences have figures of: no other filter is for them. */
static void add_looked_at(struct tfp_line *line, const struct tfp_tree *tree,
			  const struct tfp_profile *profile, int brief)
{
	const struct tfp_query *query = &tree->query;

	if (tree->base->view == &tfp_view_model)
		return;
	if (query->step >= 0)
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "step %lld", (long long)query->step));
	if (!profile->trace || add_beyond(line, profile, query, brief))
		return;
	add_range(line, query);
	add_rank(line, query);
}

/* Hosts may stand first in a file: that devices have nothing in a part of it says nothing of them. */
static bool lacks_devices(const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;

	if (!profile->share || !trace)
		return false;
	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_DEVICE && trace->lanes.at[i].count)
			return false;
	return true;
}

/* What is measured, in which steps, against what. */
static void add_measured(struct tfp_line *line, const struct tfp_tree *tree,
			 const struct tfp_profile *profile, const struct tfp_lens *lens, int brief)
{
	const struct tfp_curve *curve = tree->base->curve;

	/* A recording of marks alone measures nothing, and the time view draws them all. */
	const char *name = lens->name ? lens->name : "events";

	tfp_line_add(line, "", curve ? tfp_curve_when(curve, brief, line->arena) : name);
	if (brief < LEAN && lacks_devices(profile))
		tfp_line_add(line, " ", "(no devices yet)");
	if (tree->base->step)
		tfp_line_add(line, ", ", step_by_step(profile, brief, line->arena));
	else if (profile->trace && !curve)
		add_part(line, profile, &tree->query, brief);
	else if (profile->tensorflow && !curve)
		add_steps(line, profile, tree->query.step, brief);
	add_baseline(line, tree, profile, lens->metric, brief);
}

/* How much of what is measured is known by its op, and by its shapes, where that is not all. */
static void add_coverage(struct tfp_line *line, const struct tfp_tree *tree,
			 const struct tfp_profile *profile, const struct tfp_lens *lens, int brief)
{
	const char *text;

	if (!tree->base->traced || tree->base->view->leads || tree->base->strips || brief > SHORT ||
	    lens->metric != profile->default_metric)
		return;
	text = tfp_coverage_text(&tree->base->coverage, "", line->arena);
	if (text)
		tfp_line_add(line, PART, text);
}

/* Views with a metric of their own are about that, whatever LENS. */
static struct tfp_lens lens_of(const struct tfp_tree *tree, const struct tfp_profile *profile,
			       const struct tfp_lens *lens)
{
	const char *leads = tree->base->view->leads;
	uint32_t metric = leads ? tfp_profile_find_metric(profile, leads) : TFP_NONE;
	struct tfp_lens own = *lens;

	if (metric != TFP_NONE) {
		own.metric = metric;
		own.name = tree->base->metrics[metric].label;
	}
	if (tree->base->strips)
		own.name = NULL;
	return own;
}

char *tfp_part_text(const struct tfp_profile *profile, struct tfp_arena *arena)
{
	double percent = 100 * profile->share;

	if (!profile->share)
		return NULL;
	return tfp_arena_printf(arena, "%.*f%%", percent < 1, percent);
}

char *tfp_tree_summary(const struct tfp_tree *tree, const struct tfp_profile *profile,
		       const struct tfp_lens *given, int brief, struct tfp_arena *arena)
{
	struct tfp_line line = {.arena = arena};
	const char *depth = depth_text(tree, brief, arena);
	struct tfp_lens own = lens_of(tree, profile, given), *lens = &own;

	if (tree->base->view->listing)
		return listing_text(tree, profile, filters_text(tree, brief, arena), arena);
	if (tree->base->view->text) {
		tfp_line_add(&line, "", sentence_text(tree, brief));
		add_looked_at(&line, tree, profile, brief);
		add_baseline(&line, tree, profile, 0, brief);
		return line.text;
	}
	add_measured(&line, tree, profile, lens, brief);
	add_coverage(&line, tree, profile, lens, brief);
	if (tree->query.consumers && tree->base->view == &tfp_view_graph)
		tfp_line_add(&line, PART, "consumers below");
	if (tree->query.flat)
		tfp_line_add(&line, PART, form_text(tree, brief, arena));
	add_hidden(&line, tree, profile, lens, brief);
	if (depth)
		tfp_line_add(&line, PART, depth);
	return line.text;
}
