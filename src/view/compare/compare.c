/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bases with a baseline. One step stands for itself: its own base has the columns. Of several, a
 * base of each is built in turn, and each value of each row becomes their mean or median.
 */
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/query/check.h"
#include "view/engine.h"
#include "view/trace/spread.h"
#include "view/trace/window.h"

#define MOST_BYTES ((size_t)1 << 30) /* of what several steps measured, side by side */
#define POLL       4096

struct tfp_base *tfp_base_share(struct tfp_base *base)
{
	struct tfp_base *shared = tfp_alloc(sizeof(*shared));

	*shared = *base;
	shared->references = 1;
	shared->arena = (struct tfp_arena){0};
	shared->holds[0] = tfp_base_hold(base);
	shared->holds[1] = NULL;
	return shared;
}

/* One whose rows others may be kept in, too. */
static struct tfp_base *share_rows(struct tfp_base *base)
{
	struct tfp_base *shared = tfp_base_share(base);

	shared->flags = tfp_arena_alloc(&shared->arena, base->count * sizeof(*base->flags));
	memcpy(shared->flags, base->flags, base->count * sizeof(*base->flags));
	return shared;
}

/* ---- sides --------------------------------------------------------------------------------- */

/* Was anything measured? What a file says of a node that never ran does not count. */
static bool has_run(const struct tfp_base *base, const int64_t *values)
{
	for (uint32_t i = 0; i < base->metric_count; i++) {
		enum tfp_metric_origin origin = base->metrics[i].origin;

		if (values[i] && (origin == TFP_FROM_CELLS || origin == TFP_FROM_CELL_PAIR))
			return true;
	}
	return false;
}

/* Steps have all rows in common: what matters is where something ran. */
static void find_sides(struct tfp_base *base)
{
	base->side = tfp_arena_zero(&base->arena, base->count, sizeof(*base->side));
	for (uint32_t row = 0; row < base->count; row++) {
		size_t at = (size_t)row * base->metric_count;
		bool here = has_run(base, base->total + at);
		bool there = has_run(base, base->baseline_total + at);

		base->side[row] = (uint8_t)(here == there ? TFP_SIDE_BOTH
					    : here        ? TFP_SIDE_HERE
							  : TFP_SIDE_THERE);
	}
	if (base->step) /* the root is all steps: nothing is beside it */
		base->side[0] = TFP_SIDE_NONE;
}

/* ---- several others ------------------------------------------------------------------------- */

/* One column of several bases, the values of each side by side. */
struct lanes {
	struct tfp_base *base; /* that gets the result */
	size_t count, values;  /* bases, values of each */
	bool self;             /* the column is that of self values, not of totals */
	int64_t *value;        /* [value * count + lane] */
	bool *has;             /* [step * count + lane]: is it measured there; NULL: all are */
};

static void copy_lane(struct lanes *lanes, size_t lane, const struct tfp_base *from)
{
	uint32_t *match = tfp_base_match(lanes->base, from);
	const int64_t *values = lanes->self ? from->self : from->total;
	size_t metrics = lanes->base->metric_count, held = from->metric_count;

	for (uint32_t row = 0; row < from->count; row++)
		for (size_t i = 0; i < metrics && i < held && match[row] != TFP_NONE; i++)
			lanes->value[(match[row] * metrics + i) * lanes->count + lane] =
				values[row * held + i];
	tfp_base_keep(lanes->base, from, match);
	free(match);
}

static bool fill_lanes(struct lanes *lanes, struct tfp_engine *engine,
		       const struct tfp_query *query, const struct tfp_others *others,
		       struct tfp_job *job, struct tfp_diag *diag)
{
	for (size_t lane = 0; lane < lanes->count; lane++) {
		struct tfp_query of_lane = tfp_others_query(query, others, lane);
		struct tfp_base *base =
			tfp_engine_build(engine, lanes->base->view, &of_lane, job, diag);

		if (!base)
			return false;
		copy_lane(lanes, lane, base);
		tfp_base_release(base);
	}
	return true;
}

/* In the steps view ranks lack steps: by step and lane, whether they have it. NULL: it is not about that. */
static bool *find_having(const struct tfp_base *base, const struct tfp_profile *profile,
			 const struct tfp_others *others)
{
	bool *has;

	if (!base->step || !others->ranks)
		return NULL;
	has = tfp_alloc_zero(profile->steps.count * others->count + 1, sizeof(*has));
	for (uint32_t step = 0; step < profile->steps.count; step++)
		for (size_t i = 0; i < others->count; i++)
			has[step * others->count + i] =
				tfp_rank_has(profile, others->number[i], step);
	return has;
}

/* Leaves of value AT in all lanes those that are measured; returns how many, in front. */
static size_t keep_measured(struct lanes *lanes, size_t at)
{
	uint32_t step = lanes->has ? lanes->base->step[at / lanes->base->metric_count] : TFP_NONE;
	int64_t *value = lanes->value + at * lanes->count;
	size_t kept = 0;

	if (step == TFP_NONE || at < lanes->base->metric_count) /* the root is of all steps */
		return lanes->count;
	for (size_t i = 0; i < lanes->count; i++)
		if (lanes->has[step * lanes->count + i])
			value[kept++] = value[i];
	return kept;
}

/* NULL when cancelled. */
static int64_t *fold_lanes(struct lanes *lanes, enum tfp_baseline_kind kind, struct tfp_job *job)
{
	int64_t *column =
		tfp_arena_alloc(&lanes->base->arena, lanes->values * sizeof(*lanes->value));
	size_t count;

	for (size_t i = 0; i < lanes->values; i++) {
		if (i % POLL == 0 && tfp_job_cancelled(job))
			return NULL;
		count = keep_measured(lanes, i);
		column[i] =
			count ? tfp_baseline_fold(kind, lanes->value + i * lanes->count, count) : 0;
	}
	return column;
}

static int64_t *gather(struct lanes *lanes, struct tfp_engine *engine,
		       const struct tfp_query *query, enum tfp_baseline_kind kind,
		       const struct tfp_others *others, struct tfp_job *job, struct tfp_diag *diag)
{
	int64_t *column = NULL;

	lanes->value = tfp_alloc_zero(lanes->values * lanes->count, sizeof(*lanes->value));
	if (fill_lanes(lanes, engine, query, others, job, diag))
		column = fold_lanes(lanes, kind, job);
	free(lanes->value);
	return column;
}

bool tfp_baseline_needs_self(const struct tfp_query *query, const struct tfp_view *view)
{
	return (query->flat || query->account_displayed_op_only) && !view->rules->list;
}

static bool compare_many(struct tfp_engine *engine, struct tfp_base *base,
			 const struct tfp_query *query, const struct tfp_baseline *baseline,
			 const struct tfp_others *others, struct tfp_job *job,
			 struct tfp_diag *diag)
{
	struct lanes lanes = {
		.base = base,
		.count = others->count,
		.values = (size_t)base->count * base->metric_count,
	};

	if (others->count > MOST_BYTES / sizeof(int64_t) / (lanes.values + 1)) {
		tfp_diag_error(
			diag,
			"--baseline=%s: %zu steps or ranks of %u rows are too much to compare with; "
			"name one by step:N",
			query->baseline, others->count, base->count);
		return false;
	}
	lanes.has = find_having(base, engine->profile, others);
	base->baseline_total = gather(&lanes, engine, query, baseline->kind, others, job, diag);
	lanes.self = base->baseline_total && tfp_baseline_needs_self(query, base->view);
	if (lanes.self)
		base->baseline_self =
			gather(&lanes, engine, query, baseline->kind, others, job, diag);
	free(lanes.has);
	return base->baseline_total && (!lanes.self || base->baseline_self);
}

/* Takes over the columns of OTHER, which is of another step, where its rows are the same. */
static bool take_columns(struct tfp_base *base, struct tfp_base *other)
{
	if (other->count != base->count || other->metric_count != base->metric_count ||
	    memcmp(other->key, base->key, base->count * sizeof(*base->key)) != 0)
		return false;
	base->baseline_self = other->self;
	base->baseline_total = other->total;
	base->holds[1] = tfp_base_hold(other);
	base->shapes &= other->shapes;
	base->spread &= other->spread;
	tfp_base_keep(base, other, NULL);
	return true;
}

/* Rows that are not the same: what only OTHER has is behind those of BASE. */
static struct tfp_base *join(struct tfp_base *base, struct tfp_base *other,
			     struct tfp_strings *strings)
{
	uint32_t metric[TFP_MAX_METRICS];

	for (uint32_t i = 0; i < base->metric_all; i++)
		metric[i] = i;
	return tfp_base_join(base, other, strings, metric);
}

static struct tfp_base *compare_one(struct tfp_engine *engine, struct tfp_base *base,
				    const struct tfp_query *query, const struct tfp_others *others,
				    struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_query of_other = tfp_others_query(query, others, 0);
	struct tfp_base *other = tfp_engine_base(engine, base->view, &of_other, job, diag);
	struct tfp_base *compared;

	if (!other)
		return NULL;
	compared = share_rows(base);
	if (!take_columns(compared, other)) {
		tfp_base_release(compared);
		compared = join(base, other, engine->profile->strings);
	}
	tfp_base_release(other);
	return compared;
}

/* ---- any baseline -------------------------------------------------------------------------- */

static void add_zeros(struct tfp_base *base)
{
	size_t values = (size_t)base->count * base->metric_count;

	base->baseline_self = tfp_arena_zero(&base->arena, values, sizeof(int64_t));
	base->baseline_total = tfp_arena_zero(&base->arena, values, sizeof(int64_t));
}

/* What is the same in all steps is not compared, or rows would say only that. */
static void leave_out(struct tfp_base *base, const struct tfp_query *query)
{
	for (uint32_t i = 0; i < base->metric_all; i++)
		if (!tfp_baseline_concerns(query->baseline, &base->metrics[i]))
			base->baseline_absent |= UINT32_C(1) << i;
}

/* Gives the rows of COMPARED what several others, or in the steps view the other steps, have in their place. */
static bool compare_rows(struct tfp_engine *engine, struct tfp_base *compared,
			 const struct tfp_query *query, const struct tfp_baseline *baseline,
			 const struct tfp_others *others, struct tfp_job *job,
			 struct tfp_diag *diag)
{
	if (!compared->step || others->ranks)
		return compare_many(engine, compared, query, baseline, others, job, diag);
	add_zeros(compared);
	return tfp_steps_compare(compared, engine->profile, baseline, job);
}

/* A step of which nothing is in the range of time would only have rows that are gone. */
static bool check_range(const struct tfp_profile *profile, const struct tfp_query *query,
			const struct tfp_baseline *baseline, struct tfp_diag *diag)
{
	int64_t other = baseline->kind == TFP_BASELINE_STEP ? baseline->step : -1;
	bool own = tfp_step_is_beyond(profile, query->step);

	if (!own && !tfp_step_is_beyond(profile, other))
		return true;
	tfp_diag_error(diag, "--baseline=%s: nothing of step %lld is in the range of time",
		       query->baseline, (long long)(own ? query->step : other));
	return false;
}

/* Nor is there a mean or median of no step: all rows would be new. WANTED is how many it takes, the own among them in the steps view. */
static bool check_others(const struct tfp_query *query, const struct tfp_others *others,
			 size_t wanted, struct tfp_diag *diag)
{
	if (others->ranks || others->count >= wanted)
		return true;
	tfp_diag_error(diag,
		       "--baseline=%s: there is no other step in the range of time to compare with",
		       query->baseline);
	return false;
}

static struct tfp_base *compare_steps(struct tfp_engine *engine, struct tfp_base *base,
				      const struct tfp_query *query,
				      const struct tfp_baseline *baseline, struct tfp_job *job,
				      struct tfp_diag *diag)
{
	const struct tfp_profile *profile = engine->profile;
	struct tfp_others others = tfp_others_find(profile, query, baseline);
	struct tfp_base *compared;
	size_t wanted = base->step && query->step < 0 ? 2 : 1;
	bool done = true;

	if ((!base->step && !check_range(profile, query, baseline, diag)) ||
	    (baseline->kind != TFP_BASELINE_STEP && !check_others(query, &others, wanted, diag))) {
		free(others.number);
		return NULL;
	}
	if (others.count == 1 && (!base->step || others.ranks)) {
		compared = compare_one(engine, base, query, &others, job, diag);
		done = compared != NULL;
	} else {
		compared = share_rows(base);
		done = compare_rows(engine, compared, query, baseline, &others, job, diag);
	}
	/* what comes next is about the events that QUERY asks for again */
	if (others.ranks)
		done = tfp_window_set(&engine->window, engine->profile, query, job) && done;
	if (done) {
		compared->of_itself = tfp_others_are(&others, base, profile, query);
		find_sides(compared);
		if (compared->step && others.ranks)
			tfp_ranks_set_apart(compared, profile, &others);
		else if (compared->step)
			tfp_steps_set_apart(compared, profile, baseline);
		leave_out(compared, query);
	} else {
		tfp_base_release(compared);
		compared = NULL;
	}
	free(others.number);
	return compared;
}

/* The rank of OTHER that RANK is compared with: the same; the only one that there is; -2: there is none. */
static int64_t rank_there(const struct tfp_profile *other, int64_t rank)
{
	int64_t ranks[2];
	size_t count = other->trace ? tfp_ranks(other->trace, ranks, 2) : 0;

	if (rank < 0 || (count && tfp_rank_file(other->trace, rank) != TFP_NONE))
		return rank;
	return count == 1 ? -1 : -2;
}

/* Can the profile of OTHER (NULL: there is none) be compared with? */
static bool fits(const struct tfp_engine *engine, const struct tfp_engine *other,
		 const struct tfp_query *query, struct tfp_diag *diag)
{
	const struct tfp_view *view = tfp_query_view(query, engine->profile);
	const char *missing = other ? tfp_view_missing(view, other->profile) : NULL;

	if (!other)
		tfp_diag_error(diag, "--baseline=%s: this file was not read", query->baseline);
	else if (other->profile->tensorflow != engine->profile->tensorflow)
		tfp_diag_error(diag, "--baseline=%s: a profile of another kind has other metrics",
			       query->baseline);
	else if (query->step >= 0 && tfp_profile_find_step(other->profile, query->step) == TFP_NONE)
		tfp_diag_error(diag, "--baseline=%s: that profile has no step %lld",
			       query->baseline, (long long)query->step);
	else if (rank_there(other->profile, query->rank) < -1)
		tfp_diag_error(diag, "--baseline=%s: that profile has no rank %lld",
			       query->baseline, (long long)query->rank);
	else if (missing)
		tfp_diag_error(diag, "--baseline=%s: nothing for the %s view in that profile: %s",
			       query->baseline, view->name, missing);
	else
		return true;
	return false;
}

struct tfp_engine *tfp_baseline_other(const struct tfp_engine *engine,
				      const struct tfp_query *query, struct tfp_query *there,
				      struct tfp_diag *diag)
{
	static const char *words[] = {"device_max"};
	static const struct tfp_words spread = {words, 1};
	struct tfp_engine *other = tfp_engine_other(engine, query->baseline);

	if (!fits(engine, other, query, diag))
		return NULL;
	*there = *query;
	there->baseline = NULL;
	there->zoom = NULL;
	there->rank = rank_there(other->profile, query->rank);
	there->order_by = query->order_by ? tfp_order_key(query->order_by) : NULL;
	if (!other->profile->tensorflow) {
		there->order_by = NULL;
		there->select = (struct tfp_words){NULL, 0};
		there->minimum_count = 0;
	}
	if (other->profile->trace &&
	    tfp_spread_wanted(query, tfp_query_view(query, engine->profile), engine->profile))
		there->select = spread;
	return tfp_query_check(there, other->profile, diag) ? other : NULL;
}

/* Two files that have nothing but the root in common are hardly two of one kind. */
static void note_strangers(const struct tfp_base *here, const struct tfp_base *there,
			   const struct tfp_base *joined, struct tfp_diag *diag)
{
	uint32_t kept = 1;

	for (uint32_t row = 1; row < there->count; row++)
		kept += there->flags[row] & TFP_ROW_KEPT ? 1 : 0;
	if (kept > 1 && here->count > 1 && joined->count == here->count + kept - 1)
		tfp_diag_note(diag, "the two files have no row of the %s view in common",
			      here->view->name);
}

/* A report has no line that says of its metric that the other file has it not. */
static void note_no_metric(const struct tfp_base *here, const struct tfp_base *there,
			   const uint32_t *metric, struct tfp_diag *diag)
{
	for (uint32_t i = 0; i < here->metric_all; i++)
		if (metric[i] != TFP_NONE && !here->metrics[i].absent &&
		    !there->metrics[metric[i]].absent)
			return;
	tfp_diag_note(diag, "the two files have no metric in common: nothing is compared");
}

static struct tfp_base *compare_profiles(struct tfp_engine *engine, struct tfp_base *base,
					 const struct tfp_query *query, struct tfp_job *job,
					 struct tfp_diag *diag)
{
	struct tfp_query there;
	struct tfp_engine *other = tfp_baseline_other(engine, query, &there, diag);
	uint32_t metric[TFP_MAX_METRICS];
	struct tfp_base *baseline, *joined;

	if (!other)
		return NULL;
	baseline = tfp_engine_base(other, base->view, &there, job, diag);
	if (!baseline)
		return NULL;
	for (uint32_t i = 0; i < base->metric_all; i++) {
		metric[i] = tfp_profile_find_metric(other->profile, base->metrics[i].key);
		if (metric[i] != TFP_NONE &&
		    !tfp_unit_fits(base->metrics[i].unit, baseline->metrics[metric[i]].unit))
			metric[i] = TFP_NONE;
	}
	joined = tfp_base_join(base, baseline, engine->profile->strings, metric);
	joined->of_itself = tfp_engine_is_itself(engine, query->baseline);
	joined->sum_steps = tfp_steps_summed(engine->profile, query);
	joined->baseline_steps = tfp_steps_summed(other->profile, &there);
	note_strangers(base, baseline, joined, diag);
	note_no_metric(base, baseline, metric, diag);
	tfp_base_release(baseline);
	return joined;
}

struct tfp_base *tfp_base_compare(struct tfp_engine *engine, struct tfp_base *base,
				  const struct tfp_query *query, struct tfp_job *job,
				  struct tfp_diag *diag)
{
	struct tfp_baseline baseline;

	if (!tfp_baseline_parse(query->baseline, &baseline, diag))
		return NULL;
	if (baseline.kind == TFP_BASELINE_FILE)
		return compare_profiles(engine, base, query, job, diag);
	return compare_steps(engine, base, query, &baseline, job, diag);
}
