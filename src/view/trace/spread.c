/* SPDX-License-Identifier: Apache-2.0 */
/* The spread of single events: see spread.h. */
#include "view/trace/spread.h"

#include <stdlib.h>
#include <string.h>

#include "view/query/check.h"
#include "view/trace/places.h"
#include "view/trace/quantiles.h"
#include "view/tree/choice.h"

#define POLL ((uint32_t)1 << 16) /* events between looks at the cancel flag */

/* One side, devices or hosts, of a base. */
struct side {
	struct tfp_base *base;
	struct tfp_places places;
	uint32_t step;
	enum tfp_lane_kind kind;
	uint32_t metric;        /* the first of those of the side */
	uint32_t rows;          /* that events are put in order by: those of the base, or paths */
	size_t *first;          /* by row: where its events begin; one more at the end */
	int64_t *at;            /* durations, by row */
	struct tfp_near run_of; /* by loop: which of them is its run */
	uint64_t chance;        /* see quantiles.h */
	struct tfp_job *job;
};

bool tfp_spread_wanted(const struct tfp_query *query, const struct tfp_view *view,
		       const struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < profile->metric_count; i++)
		if (profile->metrics[i].kind == TFP_SPREAD &&
		    (query->spread || tfp_query_uses(query, profile, i) ||
		     tfp_choice_has(query->choices[tfp_view_index(view)], &profile->metrics[i])))
			return true;
	return false;
}

/* A row without events keeps what it has: nothing. */
static void measure(struct side *side, int64_t *at, size_t count, int64_t found[TFP_QUANTILES])
{
	if (count)
		tfp_quantiles_find(at, count, &side->chance, found);
}

/* ---- events ----------------------------------------------------------------------------------- */

/* Calls TAKE with each event that counts, and its row. False when cancelled. */
static bool each_event(struct side *side,
		       void (*take)(struct side *side, uint32_t row, uint32_t event))
{
	const struct tfp_profile *profile = side->places.profile;
	const struct tfp_trace *trace = profile->trace;

	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		for (uint32_t event = lane->first;
		     lane->kind == side->kind && event < lane->first + lane->count; event++) {
			uint32_t row;

			if (event % POLL == 0 && tfp_job_cancelled(side->job))
				return false;
			if (side->kind != TFP_LANE_DEVICE && tfp_trace_is_joined(trace, event))
				continue;
			row = tfp_places_find(&side->places, event);
			if (row != TFP_NONE && (side->step == TFP_STEP_MEAN ||
						tfp_trace_step_of(profile, event) == side->step))
				take(side, row, event);
		}
	}
	return true;
}

static void count_event(struct side *side, uint32_t row, uint32_t event)
{
	side->first[row + 1] += !tfp_trace_is_joined(side->places.profile->trace, event);
}

/* Rows move up while they are filled: then each begins where the next one began. Pieces of a loop make its run longer. */
static void put_event(struct side *side, uint32_t row, uint32_t event)
{
	const struct tfp_trace *trace = side->places.profile->trace;
	int64_t duration = tfp_trace_duration(trace, event);
	uint32_t loop = tfp_trace_loop(trace, event), run;

	if (!tfp_trace_is_joined(trace, event)) {
		if (loop != TFP_NONE)
			tfp_near_set(&side->run_of, loop, (uint32_t)side->first[row]);
		side->at[side->first[row]++] = duration;
		return;
	}
	run = loop == TFP_NONE ? TFP_NONE : tfp_near_get(&side->run_of, loop);
	if (run != TFP_NONE)
		side->at[run] = tfp_wrap_add(side->at[run], duration);
}

static bool sort_events(struct side *side)
{
	uint32_t rows = side->rows;
	bool done;

	side->first = tfp_alloc_zero(rows + (size_t)1, sizeof(*side->first));
	if (!each_event(side, count_event))
		return false;
	for (uint32_t row = 0; row < rows; row++)
		side->first[row + 1] += side->first[row];
	side->at = tfp_realloc_array(NULL, side->first[rows] + 1, sizeof(*side->at));
	tfp_near_resize(&side->run_of, side->places.profile->trace->count);
	done = each_event(side, put_event);
	tfp_near_free(&side->run_of);
	if (!done)
		return false;
	memmove(side->first + 1, side->first, rows * sizeof(*side->first));
	side->first[0] = 0;
	return true;
}

/* The first of the metrics of BASE that are filled here; TFP_NONE: it has none. */
static uint32_t first_metric(const struct tfp_base *base)
{
	uint32_t metric = 0;

	while (metric < base->metric_all && base->metrics[metric].kind != TFP_SPREAD)
		metric++;
	return metric + 2 * TFP_QUANTILES > base->metric_all ? TFP_NONE : metric;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static int64_t *found_of(const struct side *side, int64_t *column, uint32_t row)
{
	return column + (size_t)row * side->base->metric_count + side->metric;
}

/* From the last to the first, so that the order of what is below a row is no longer needed. */
static bool fill_rows(struct side *side)
{
	struct tfp_base *base = side->base;

	for (uint32_t row = base->count; row-- > 0;) {
		int64_t *total = found_of(side, base->total, row);
		size_t own = side->first[row], below = side->first[row + 1],
		       end = side->first[base->end[row]];

		if (row % 256 == 0 && tfp_job_cancelled(side->job))
			return false;
		measure(side, side->at + own, below - own, found_of(side, base->self, row));
		/* paths of many calls have one below the other, with the same events */
		if (own == below && base->end[row] > row + 1 &&
		    base->end[row + 1] == base->end[row])
			memcpy(total, found_of(side, base->total, row + 1),
			       TFP_QUANTILES * sizeof(*total));
		else
			measure(side, side->at + own, end - own, total);
	}
	return true;
}

static bool fill_side(struct side *side, const struct tfp_profile *profile)
{
	bool done;

	tfp_places_start(&side->places, side->base, NULL, profile, side->kind);
	side->rows = side->base->count;
	side->chance = tfp_quantiles_chance(profile);
	done = sort_events(side) && fill_rows(side);
	tfp_array_release(side->at);
	free(side->first);
	tfp_places_end(&side->places);
	return done;
}

/* ---- functions -------------------------------------------------------------------------------- */

/* Where a function is on call paths. */
struct calls {
	uint32_t *end;  /* by path: the first that is not below it */
	uint32_t *next; /* by path: another of the same function */
	uint32_t *last; /* by row: the last path of the function */
	bool *inner;    /* by path: the function is on the way to it already */
};

static void find_calls(struct calls *calls, const struct tfp_spread_paths *paths, uint32_t rows)
{
	uint32_t *active = tfp_alloc_zero(rows, sizeof(*active)), above = 0;

	calls->end = tfp_alloc_zero(paths->count, sizeof(*calls->end));
	calls->next = tfp_alloc_zero(paths->count, sizeof(*calls->next));
	calls->last = tfp_alloc(rows * sizeof(*calls->last));
	calls->inner = tfp_alloc_zero(paths->count, sizeof(*calls->inner));
	memset(calls->last, 0xff, rows * sizeof(*calls->last));
	for (uint32_t path = 0; path < paths->count; path++) {
		for (; path && above != paths->parent[path]; above = paths->parent[above])
			active[paths->row[above]]--;
		calls->inner[path] = active[paths->row[path]]++ > 0;
		calls->next[path] = calls->last[paths->row[path]];
		calls->last[paths->row[path]] = path;
		above = path;
	}
	for (uint32_t path = paths->count; path-- > 0;) {
		if (!calls->end[path])
			calls->end[path] = path + 1;
		if (path && calls->end[paths->parent[path]] < calls->end[path])
			calls->end[paths->parent[path]] = calls->end[path];
	}
	free(active);
}

static void free_calls(struct calls *calls)
{
	free(calls->end);
	free(calls->next);
	free(calls->last);
	free(calls->inner);
}

/* Copies to TO what ran on the paths of the function ROW: OWN, or with all below them. Returns how many. */
static size_t gather(const struct side *side, const struct calls *calls, uint32_t row, bool own,
		     int64_t *to)
{
	size_t count = 0;

	for (uint32_t path = calls->last[row]; path != TFP_NONE; path = calls->next[path]) {
		size_t from = side->first[path];
		size_t size = side->first[own ? path + 1 : calls->end[path]] - from;

		if (!own && calls->inner[path])
			continue;
		memcpy(to + count, side->at + from, size * sizeof(*to));
		count += size;
	}
	return count;
}

static bool fill_functions(struct side *side, const struct calls *calls)
{
	struct tfp_base *base = side->base;
	int64_t *at = tfp_realloc_array(NULL, side->first[side->rows] + 1, sizeof(*at));
	bool done = true;

	for (uint32_t row = 0; done && row < base->count; row++) {
		measure(side, at, gather(side, calls, row, true, at),
			found_of(side, base->self, row));
		measure(side, at, gather(side, calls, row, false, at),
			found_of(side, base->total, row));
		done = !tfp_job_cancelled(side->job);
	}
	tfp_array_release(at);
	return done;
}

bool tfp_spread_functions(struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
			  const struct tfp_spread_paths *paths, struct tfp_job *job)
{
	struct calls calls;
	uint32_t metric = first_metric(base);
	bool done = true;

	if (metric == TFP_NONE)
		return true;
	find_calls(&calls, paths, base->count);
	for (uint32_t i = 0; done && i < 2; i++) {
		struct side side = {
			.base = base,
			.places = {.base = base, .profile = profile, .of_node = paths->of_node},
			.step = step,
			.kind = i ? TFP_LANE_HOST : TFP_LANE_DEVICE,
			.metric = metric + i * TFP_QUANTILES,
			.rows = paths->count,
			.chance = tfp_quantiles_chance(profile),
			.job = job,
		};

		done = sort_events(&side) && fill_functions(&side, &calls);
		tfp_array_release(side.at);
		free(side.first);
	}
	free_calls(&calls);
	return done;
}

/* ---- bases ------------------------------------------------------------------------------------ */

static bool has_events(const struct tfp_base *base, bool whole)
{
	if (base->track)
		return whole;
	if (base->idle || base->strips || base->curve)
		return false;
	return tfp_base_has_nodes(base);
}

/* They are not known of what the rows stand for. */
static void forget(struct tfp_base *base)
{
	struct tfp_metric *metrics = tfp_base_own_metrics(base);

	for (uint32_t i = 0; i < base->metric_all; i++)
		metrics[i].absent |= metrics[i].kind == TFP_SPREAD;
}

bool tfp_base_spread(struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
		     bool wanted, bool whole, struct tfp_job *job)
{
	uint32_t metric = first_metric(base);

	base->spread = true;
	if (metric == TFP_NONE)
		return true;
	if (base->view == &tfp_view_functions) {
		base->spread = wanted;
		return true;
	}
	if (!has_events(base, whole)) {
		forget(base);
		return true;
	}
	base->spread = wanted;
	for (uint32_t i = 0; wanted && i < 2; i++) {
		struct side side = {
			.base = base,
			.step = step,
			.kind = i ? TFP_LANE_HOST : TFP_LANE_DEVICE,
			.metric = metric + i * TFP_QUANTILES,
			.job = job,
		};

		if (!fill_side(&side, profile))
			return false;
	}
	return true;
}
