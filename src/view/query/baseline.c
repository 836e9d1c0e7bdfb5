/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines as words: what they mean, which steps they stand for, and several values as one. */
#include "view/query/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "view/trace/lengths.h"
#include "view/trace/window.h"
#include "view/query/words.h"

#define STEP_PREFIX "step:"
#define FILE_PREFIX "file:"
#define RANK_PREFIX "rank:"

static const char *after(const char *text, const char *prefix)
{
	size_t size = strlen(prefix);

	return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

bool tfp_baseline_parse(const char *text, struct tfp_baseline *baseline, struct tfp_diag *diag)
{
	const char *step = after(text, STEP_PREFIX), *file = after(text, FILE_PREFIX);
	const char *rank = after(text, RANK_PREFIX);

	*baseline = (struct tfp_baseline){.kind = TFP_BASELINE_FILE, .file = file};
	if (file && *file)
		return true;
	if (strcmp(text, "mean") == 0 || strcmp(text, "median") == 0) {
		baseline->kind =
			strcmp(text, "mean") == 0 ? TFP_BASELINE_MEAN : TFP_BASELINE_MEDIAN;
		return true;
	}
	baseline->kind = TFP_BASELINE_RANK;
	if (rank && tfp_number_parse(rank, &baseline->step) && baseline->step >= 0)
		return true;
	baseline->kind = TFP_BASELINE_STEP;
	if (step && tfp_number_parse(step, &baseline->step) && baseline->step >= 0)
		return true;
	tfp_diag_error(diag, "--baseline=%s: give step:N, rank:N, mean, median or file:PATH", text);
	return false;
}

bool tfp_baseline_is_file(const char *text)
{
	return text && after(text, FILE_PREFIX);
}

struct tfp_words tfp_baseline_files(struct tfp_arena *arena, const char *text)
{
	const char *files = text ? after(text, FILE_PREFIX) : NULL;

	return files ? tfp_words_parse(arena, files) : (struct tfp_words){NULL, 0};
}

bool tfp_baseline_concerns(const char *text, const struct tfp_metric *metric)
{
	return text && *text && (metric->origin != TFP_FROM_SHAPE || tfp_baseline_is_file(text));
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Marks STEP of those that RAN; false: they all did. */
static bool mark_ran(const struct tfp_profile *profile, bool *ran, size_t *count, uint32_t step)
{
	*count += !ran[step];
	ran[step] = true;
	return *count < profile->steps.count;
}

/* Where cells are of all steps together. */
static void look_at_events(const struct tfp_profile *profile, const struct tfp_trace *trace,
			   bool *ran, size_t *count)
{
	uint32_t outside = tfp_step_outside(profile);
	size_t hint = 0;

	for (uint32_t event = 0; event < trace->count; event++) {
		enum tfp_lane_kind kind = tfp_trace_kind(trace, event);
		uint32_t step;

		if (tfp_trace_node(trace, event) == TFP_NONE ||
		    (kind != TFP_LANE_HOST && kind != TFP_LANE_DEVICE))
			continue;
		step = tfp_trace_event_step(trace, event, &hint);
		if (!mark_ran(profile, ran, count, step == TFP_NONE ? outside : step))
			return;
	}
}

static void look_at_cells(const struct tfp_profile *profile, bool *ran, size_t *count)
{
	for (uint32_t cell = 0; cell < profile->cells.count; cell++)
		if (!mark_ran(profile, ran, count, profile->cells.step[cell]))
			return;
}

/* By the events of TRACE; NULL: by the cells. */
static bool *steps_of(const struct tfp_profile *profile, const struct tfp_trace *trace,
		      size_t *count)
{
	uint32_t outside = tfp_step_outside(profile);
	bool *ran = tfp_alloc_zero(profile->steps.count, sizeof(*ran));

	*count = 0;
	if (trace)
		look_at_events(profile, trace, ran, count);
	else
		look_at_cells(profile, ran, count);
	if (outside != TFP_NONE && ran[outside]) {
		ran[outside] = false;
		--*count;
	}
	return ran;
}

bool *tfp_steps_that_ran(const struct tfp_profile *profile, size_t *count)
{
	const struct tfp_trace *trace = profile->trace;

	return steps_of(profile, trace && !trace->by_step ? trace : NULL, count);
}

/* Steps in which nothing ran were not measured: they would only pull down means and medians. */
static struct tfp_step_set other_steps(const struct tfp_profile *profile, uint32_t own)
{
	size_t count;
	bool *ran = tfp_steps_that_ran(profile, &count);
	struct tfp_step_set set = {tfp_realloc_array(NULL, count, sizeof(*set.at)), 0};

	for (uint32_t step = 0; step < profile->steps.count; step++)
		if (ran[step] && step != own)
			set.at[set.count++] = step;
	free(ran);
	return set;
}

struct tfp_step_set tfp_baseline_steps(const struct tfp_profile *profile,
				       const struct tfp_baseline *baseline, uint32_t own)
{
	struct tfp_step_set set = {NULL, 0};

	if (baseline->kind == TFP_BASELINE_MEAN || baseline->kind == TFP_BASELINE_MEDIAN)
		return other_steps(profile, own);
	if (baseline->kind == TFP_BASELINE_STEP) {
		set.at = tfp_alloc(sizeof(*set.at));
		set.at[0] = tfp_profile_find_step(profile, baseline->step);
		set.count = set.at[0] != TFP_NONE;
	}
	return set;
}

/* In the steps view each step is compared with the others, whatever step is chosen. */
static bool shows_each(const struct tfp_query *query)
{
	const struct tfp_view *view = query->view ? tfp_view_find(query->view) : NULL;

	return view && view->of_steps;
}

const char *tfp_baseline_refused(const struct tfp_view *view)
{
	if (view->rules->drawn)
		return "lanes against time are compared with nothing; the device and idle views "
		       "compare what is on them";
	return view->text ? "a page of text is compared with nothing; the views of rows are" : NULL;
}

/* Is nothing compared in the view asked for, whatever the baseline? */
static bool compares_nothing(const struct tfp_query *query)
{
	const struct tfp_view *view = query->view ? tfp_view_find(query->view) : NULL;

	return view && tfp_baseline_refused(view);
}

static bool has_ranks(const struct tfp_trace *trace)
{
	int64_t ranks[2];

	return tfp_ranks(trace, ranks, 2) > 1;
}

/*
 * A recording is the sum of its steps, or of its ranks: against one of them every row would only say how many
 * there are.
 */
static bool check_parts(const struct tfp_query *query, const struct tfp_profile *profile,
			const struct tfp_baseline *baseline, struct tfp_diag *diag)
{
	bool of_ranks = tfp_baseline_is_of_ranks(query, baseline);
	bool steps = !tfp_view_missing(&tfp_view_steps, profile);
	bool ranks = profile->trace && has_ranks(profile->trace);
	bool many = baseline->kind == TFP_BASELINE_MEAN || baseline->kind == TFP_BASELINE_MEDIAN;

	if (!profile->sums_steps || baseline->kind == TFP_BASELINE_FILE ||
	    (of_ranks ? query->rank : query->step) >= 0 || compares_nothing(query) ||
	    (!of_ranks && shows_each(query)))
		return true;
	if (of_ranks || (many && ranks && !steps))
		tfp_diag_error(diag,
			       "--baseline=%s: this is the sum of all ranks; choose one first "
			       "(--rank=N)",
			       query->baseline);
	else if (steps)
		tfp_diag_error(diag,
			       "--baseline=%s: this is the sum of all steps; choose one first "
			       "(--step=N%s)",
			       query->baseline, many && ranks ? ", or --rank=N" : "");
	else
		tfp_diag_error(diag,
			       "--baseline=%s: there are no steps to compare with; %sfile:PATH is "
			       "another file",
			       query->baseline, ranks ? "rank:N is another rank, " : "");
	return false;
}

/*
 * How many steps besides OWN the recording has, not the range of it that was asked for last: whether they are in that of
 * the query is found when they are compared.
 */
static size_t count_others(const struct tfp_profile *profile, uint32_t own)
{
	size_t count;
	bool *ran = tfp_trace_is_cut(profile) ? steps_of(profile, profile->trace->whole, &count)
					      : tfp_steps_that_ran(profile, &count);

	count -= own < profile->steps.count && ran[own];
	free(ran);
	return count;
}

static bool check_steps(const struct tfp_query *query, const struct tfp_profile *profile,
			const struct tfp_baseline *baseline, struct tfp_diag *diag)
{
	bool by_number = baseline->kind == TFP_BASELINE_STEP, each = shows_each(query);
	uint32_t own = TFP_STEP_MEAN;
	size_t wanted = !by_number && each ? 2 : 1, found;

	if (query->step >= 0 && !each)
		own = tfp_profile_find_step(profile, query->step);
	found = by_number ? tfp_profile_find_step(profile, baseline->step) != TFP_NONE
			  : count_others(profile, own);
	if (found >= wanted)
		return true;
	tfp_diag_error(diag, "--baseline=%s: %s", query->baseline,
		       by_number ? "there is no such step"
				 : "there are no other steps to compare with");
	return false;
}

bool tfp_baseline_is_of_ranks(const struct tfp_query *query, const struct tfp_baseline *baseline)
{
	bool many = baseline->kind == TFP_BASELINE_MEAN || baseline->kind == TFP_BASELINE_MEDIAN;

	return baseline->kind == TFP_BASELINE_RANK || (many && query->rank >= 0);
}

bool tfp_rank_has(const struct tfp_profile *profile, int64_t rank, uint32_t step)
{
	const struct tfp_trace *trace = profile->trace;
	struct tfp_step_span span;

	if (step >= trace->steps.count ||
	    trace->steps.at[step].start > trace->steps.at[step].end) /* nobody marks it */
		return true;
	return tfp_trace_step_span(profile, trace, tfp_rank_file(trace, rank), step, &span);
}

/* How many steps the recording of RANK marks. */
static size_t count_steps(const struct tfp_profile *profile, int64_t rank)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t file = tfp_rank_file(trace, rank);
	struct tfp_step_span span;
	size_t count = 0;

	for (uint32_t step = 0; step < profile->steps.count; step++)
		count += tfp_trace_step_span(profile, trace, file, step, &span);
	return count;
}

size_t tfp_steps_summed(const struct tfp_profile *profile, const struct tfp_query *query)
{
	uint32_t outside = tfp_step_outside(profile);
	size_t count = 0;

	if (!profile->trace || !profile->sums_steps || query->step >= 0 || shows_each(query))
		return 0;
	for (uint32_t step = 0; step < profile->steps.count; step++)
		count += step != outside && tfp_step_in_range(profile, step) &&
			 (query->rank < 0 || tfp_rank_has(profile, query->rank, step));
	return count;
}

/* "(3 to 4 steps, here 5)"; NULL: all are of as many as OWN. */
static char *differing_text(size_t least, size_t most, size_t own, struct tfp_arena *arena)
{
	char from[TFP_NUMBER_ROOM], here[TFP_NUMBER_ROOM];

	if (least == own && most == own)
		return NULL;
	tfp_number_exact(here, (int64_t)own);
	if (least == most)
		return tfp_arena_printf(arena, "(%s, here %s)",
					tfp_number_count(arena, (int64_t)most, "step"), here);
	return tfp_arena_printf(arena, "(%s to %s, here %s)",
				tfp_number_exact(from, (int64_t)least),
				tfp_number_count(arena, (int64_t)most, "step"), here);
}

/* QUERY compares the sum of one rank with BASELINE. */
static char *ranks_text(const struct tfp_profile *profile, const struct tfp_query *query,
			const struct tfp_baseline *baseline, struct tfp_arena *arena)
{
	struct tfp_rank_set others = tfp_baseline_ranks(profile, query, baseline);
	size_t own = count_steps(profile, query->rank), least = SIZE_MAX, most = 0;

	for (size_t i = 0; i < others.count; i++) {
		size_t count = count_steps(profile, others.at[i]);

		least = count < least ? count : least;
		most = count > most ? count : most;
	}
	tfp_array_release(others.at);
	return others.count ? differing_text(least, most, own, arena) : NULL;
}

char *tfp_baseline_steps_text(const struct tfp_tree *tree, const struct tfp_profile *profile,
			      struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	const struct tfp_query *query = &tree->query;
	struct tfp_baseline baseline;
	struct tfp_diag *diag;
	char *text = NULL;

	/* A file without steps may still be of as much. */
	if (base->sum_steps && base->baseline_steps)
		return differing_text(base->baseline_steps, base->baseline_steps, base->sum_steps,
				      arena);
	diag = tfp_diag_new();
	if (profile->trace && query->baseline && *query->baseline && query->rank >= 0 &&
	    query->step < 0 && !shows_each(query) &&
	    tfp_baseline_parse(query->baseline, &baseline, diag) &&
	    tfp_baseline_is_of_ranks(query, &baseline))
		text = ranks_text(profile, query, &baseline, arena);
	tfp_diag_free(diag);
	return text;
}

bool tfp_ranks_number_alike(const struct tfp_trace *trace, int64_t rank, int64_t other)
{
	return tfp_trace_counts_steps(trace, tfp_rank_file(trace, rank)) ==
	       tfp_trace_counts_steps(trace, tfp_rank_file(trace, other));
}

struct tfp_rank_set tfp_baseline_ranks(const struct tfp_profile *profile,
				       const struct tfp_query *query,
				       const struct tfp_baseline *baseline)
{
	const struct tfp_trace *trace = profile->trace;
	struct tfp_rank_set set = {tfp_realloc_array(NULL, trace->devices.count, sizeof(*set.at)),
				   0};
	size_t all = tfp_ranks(trace, set.at, trace->devices.count);
	bool by_step = query->rank >= 0 && (query->step >= 0 || shows_each(query));
	uint32_t step = TFP_NONE;

	if (query->step >= 0 && !shows_each(query))
		step = tfp_profile_find_step(profile, query->step);
	for (size_t i = 0; i < all; i++)
		if ((baseline->kind == TFP_BASELINE_RANK ? set.at[i] == baseline->step
							 : set.at[i] != query->rank) &&
		    tfp_rank_has(profile, set.at[i], step) &&
		    (!by_step || tfp_ranks_number_alike(trace, query->rank, set.at[i])))
			set.at[set.count++] = set.at[i];
	return set;
}

#define LISTED_RANKS 10

/* Says which ranks there are. */
static void refuse_rank(const struct tfp_query *query, const struct tfp_profile *profile,
			struct tfp_diag *diag)
{
	int64_t ranks[LISTED_RANKS + 1];
	size_t count = profile->trace ? tfp_ranks(profile->trace, ranks, LISTED_RANKS + 1) : 0;
	struct tfp_arena arena = {0};
	const char *listed = "";

	for (size_t i = 0; i < count; i++)
		listed = i < LISTED_RANKS
				 ? tfp_arena_printf(&arena, "%s %lld", listed, (long long)ranks[i])
				 : tfp_arena_printf(&arena, "%s ...", listed);
	if (count > 1)
		tfp_diag_error(diag, "--baseline=%s: there is no such rank; valid:%s",
			       query->baseline, listed);
	else
		tfp_diag_error(diag,
			       "--baseline=%s: there are no other ranks; file:PATH is another file",
			       query->baseline);
	tfp_arena_free(&arena);
}

/* Are all ranks that BASELINE means such as have steps of another kind than that of QUERY? */
static bool numbers_otherwise(const struct tfp_query *query, const struct tfp_trace *trace,
			      const struct tfp_baseline *baseline)
{
	int64_t *ranks = tfp_realloc_array(NULL, trace->devices.count, sizeof(*ranks));
	size_t count = tfp_ranks(trace, ranks, trace->devices.count);
	bool other = false, alike = false;

	for (size_t i = 0; i < count; i++) {
		if (baseline->kind == TFP_BASELINE_RANK ? ranks[i] != baseline->step
							: ranks[i] == query->rank)
			continue;
		if (tfp_ranks_number_alike(trace, query->rank, ranks[i]))
			alike = true;
		else
			other = true;
	}
	tfp_array_release(ranks);
	return other && !alike;
}

static bool check_ranks(const struct tfp_query *query, const struct tfp_profile *profile,
			const struct tfp_baseline *baseline, struct tfp_diag *diag)
{
	struct tfp_rank_set set = {NULL, 0};
	bool there = profile->trace && (baseline->kind != TFP_BASELINE_RANK ||
					tfp_rank_file(profile->trace, baseline->step) != TFP_NONE);

	if (profile->trace)
		set = tfp_baseline_ranks(profile, query, baseline);
	tfp_array_release(set.at);
	if (set.count && has_ranks(profile->trace))
		return true;
	if (there && query->rank >= 0 && numbers_otherwise(query, profile->trace, baseline))
		tfp_diag_error(diag,
			       "--baseline=%s: steps are numbered in one, and counted in another: "
			       "they are not the same steps",
			       query->baseline);
	else if (there && query->step >= 0)
		tfp_diag_error(diag, "--baseline=%s: there is nothing of step %lld",
			       query->baseline, (long long)query->step);
	else
		refuse_rank(query, profile, diag);
	return false;
}

bool tfp_baseline_check(const struct tfp_query *query, const struct tfp_profile *profile,
			struct tfp_diag *diag)
{
	struct tfp_baseline baseline;

	if (!query->baseline || !*query->baseline)
		return true;
	if (!tfp_baseline_parse(query->baseline, &baseline, diag))
		return false;
	if (tfp_baseline_is_of_ranks(query, &baseline))
		return check_ranks(query, profile, &baseline, diag) &&
		       check_parts(query, profile, &baseline, diag);
	return baseline.kind == TFP_BASELINE_FILE ||
	       (check_steps(query, profile, &baseline, diag) &&
		check_parts(query, profile, &baseline, diag));
}

/* ---- units --------------------------------------------------------------------------------- */

/* How many of UNIT a second has; 0: it is no time. */
static int64_t in_second(enum tfp_unit unit)
{
	switch (unit) {
	case TFP_MICROS:
		return 1000000;
	case TFP_NANOS:
		return 1000000000;
	case TFP_PICOS:
		return INT64_C(1000000000000);
	default:
		return 0;
	}
}

bool tfp_unit_fits(enum tfp_unit to, enum tfp_unit from)
{
	return to == from || (in_second(to) && in_second(from));
}

int64_t tfp_unit_convert(enum tfp_unit to, enum tfp_unit from, int64_t value)
{
	__int128 told;

	if (to == from)
		return value;
	told = (__int128)value * in_second(to) / in_second(from);
	return told > INT64_MAX ? INT64_MAX : told < INT64_MIN ? INT64_MIN : (int64_t)told;
}

/* ---- several values as one ----------------------------------------------------------------- */

int64_t tfp_median(int64_t *values, size_t count)
{
	uint64_t low, high;

	qsort(values, count, sizeof(*values), tfp_number_compare);
	low = (uint64_t)values[(count - 1) / 2];
	high = (uint64_t)values[count / 2];
	return (int64_t)(low + (high - low) / 2);
}

static int64_t mean(const int64_t *values, size_t count)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum = tfp_wrap_add(sum, values[i]);
	return sum / (int64_t)count;
}

int64_t tfp_baseline_fold(enum tfp_baseline_kind kind, int64_t *values, size_t count)
{
	if (count == 1)
		return values[0];
	return kind == TFP_BASELINE_MEDIAN ? tfp_median(values, count) : mean(values, count);
}
