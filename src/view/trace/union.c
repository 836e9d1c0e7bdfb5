/* SPDX-License-Identifier: Apache-2.0 */
/* Unions of intervals by row: see union.h. */
#include "view/trace/union.h"

#include "view/trace/places.h"

#define POLL  ((uint32_t)1 << 16) /* events between looks at the cancel flag */
#define PIECE ((uint32_t)1 << 14) /* events whose places are found at a time */

/* ---- the sweep -------------------------------------------------------------------------------- */

static struct tfp_reach *new_reach(size_t rows)
{
	struct tfp_reach *reach = tfp_realloc_array(NULL, rows, sizeof(*reach));

	for (size_t i = 0; i < rows; i++)
		reach[i] = (struct tfp_reach){INT64_MIN, 0, TFP_NONE, TFP_NONE};
	return reach;
}

void tfp_sweep_start(struct tfp_sweep *sweep, size_t rows)
{
	sweep->rows = rows;
	sweep->reach = new_reach(rows);
	sweep->self_reach = sweep->self ? new_reach(rows) : NULL;
	for (size_t i = 0; i < rows && !sweep->row; i++)
		sweep->reach[i].above = sweep->above[i];
}

static void add_sums(const struct tfp_sweep *sweep, const struct tfp_reach *reach, int64_t *values)
{
	for (size_t i = 0; i < sweep->rows; i++, values += sweep->stride)
		*values = tfp_wrap_add(*values, reach[i].sum);
}

void tfp_sweep_end(struct tfp_sweep *sweep)
{
	add_sums(sweep, sweep->reach, sweep->total);
	if (sweep->self)
		add_sums(sweep, sweep->self_reach, sweep->self);
	tfp_array_release(sweep->reach);
	tfp_array_release(sweep->self_reach);
}

/* What an event is to a sweep. */
struct interval {
	int64_t start, end;
	uint32_t device;
};

/* Adds what INTERVAL lasts longer than all before it. False if that is nothing. */
static inline bool extend(struct tfp_reach *reach, const struct interval *interval)
{
	int64_t from = interval->start;

	if (reach->device == interval->device) {
		if (reach->end >= interval->end)
			return false;
		if (reach->end > from)
			from = reach->end;
	}
	reach->device = interval->device;
	reach->end = interval->end;
	reach->sum = tfp_wrap_add(reach->sum, (int64_t)((uint64_t)interval->end - (uint64_t)from));
	return true;
}

/* A row without news has none for those above it. */
static inline void add_to_rows(const struct tfp_sweep *sweep, uint32_t row,
			       const struct interval *interval)
{
	if (sweep->self)
		extend(&sweep->self_reach[row], interval);
	while (row != TFP_NONE && extend(&sweep->reach[row], interval))
		row = sweep->reach[row].above;
}

/* The same where a row may be met again further above, or is not. */
static void add_to_places(const struct tfp_sweep *sweep, uint32_t place,
			  const struct interval *interval)
{
	uint32_t row = sweep->row[place];

	if (sweep->self && row != TFP_NONE)
		extend(&sweep->self_reach[row], interval);
	for (; place != TFP_NONE; place = sweep->above[place]) {
		row = sweep->row[place];
		if (row != TFP_NONE)
			extend(&sweep->reach[row], interval);
	}
}

static inline uint32_t place_of(const struct tfp_sweep *sweep, size_t index, uint32_t event)
{
	uint32_t node = tfp_trace_node(sweep->profile->trace, event);

	if (sweep->event_place)
		return sweep->event_place[index];
	return node == TFP_NONE ? TFP_NONE : sweep->place[node];
}

bool tfp_sweep_run(struct tfp_sweep *sweep, uint32_t from, uint32_t count)
{
	const struct tfp_trace *trace = sweep->profile->trace;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t event = tfp_trace_device_event(trace, from + i);
		uint32_t place = place_of(sweep, i, event);
		struct interval interval;

		if (i % POLL == 0 && tfp_job_cancelled(sweep->job))
			return false;
		if (place == TFP_NONE)
			continue;
		if (sweep->step != TFP_STEP_MEAN &&
		    tfp_trace_step_of(sweep->profile, event) != sweep->step)
			continue;
		interval.start = tfp_trace_start(trace, event);
		interval.end = tfp_trace_end(trace, event);
		interval.device = trace->lanes.at[tfp_trace_lane(trace, event)].device;
		if (sweep->row)
			add_to_places(sweep, place, &interval);
		else
			add_to_rows(sweep, place, &interval);
	}
	return true;
}

/* ---- bases ------------------------------------------------------------------------------------ */

bool tfp_sweep_find(struct tfp_sweep *sweep, uint32_t (*find)(void *data, uint32_t event),
		    void *data)
{
	const struct tfp_trace *trace = sweep->profile->trace;
	uint32_t *place = tfp_realloc_array(NULL, PIECE, sizeof(*place));
	bool done = true;

	sweep->event_place = place;
	for (uint32_t from = 0, count; from < trace->device_events && done; from += count) {
		count = trace->device_events - from < PIECE ? trace->device_events - from : PIECE;
		for (uint32_t i = 0; i < count; i++)
			place[i] = find(data, tfp_trace_device_event(trace, from + i));
		done = tfp_sweep_run(sweep, from, count);
	}
	tfp_array_release(place);
	return done;
}

/* Of the rows SHOWN, or kept where that is NULL. */
static bool sweep_base(struct tfp_sweep *sweep, const struct tfp_base *base, const uint8_t *shown)
{
	const struct tfp_trace *trace = sweep->profile->trace;
	struct tfp_places places;
	bool done;

	tfp_places_start(&places, base, shown, sweep->profile, TFP_LANE_DEVICE);
	tfp_sweep_start(sweep, base->count);
	sweep->place = places.of_node;
	if (places.of_node)
		done = tfp_sweep_run(sweep, 0, trace->device_events);
	else
		done = tfp_sweep_find(sweep, tfp_places_find, &places);
	tfp_sweep_end(sweep);
	tfp_places_end(&places);
	return done;
}

/* What rows have is found by the sweep. */
static void clear(struct tfp_base *base)
{
	for (uint32_t row = 0; row < base->count; row++) {
		size_t at = (size_t)row * base->metric_count + TFP_TRACE_BUSY;

		base->total[at] = 0;
		if (base->flags[row] & TFP_ROW_KEPT)
			base->self[at] = 0;
	}
}

static void sum_accounted(struct tfp_base *base)
{
	int64_t *sum = &base->accounted[TFP_TRACE_BUSY];

	*sum = 0;
	for (uint32_t row = 1; row < base->count; row++)
		if (base->flags[row] & TFP_ROW_ACCOUNTED)
			*sum = tfp_wrap_add(
				*sum,
				base->self[(size_t)row * base->metric_count + TFP_TRACE_BUSY]);
}

bool tfp_base_unite(struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
		    struct tfp_job *job)
{
	struct tfp_sweep sweep = {
		.profile = profile,
		.step = step,
		.job = job,
		.above = base->parent,
		.stride = base->metric_count,
		.total = base->total + TFP_TRACE_BUSY,
		.self = base->self + TFP_TRACE_BUSY,
	};

	if (!tfp_base_has_nodes(base) || base->view->rules->unites)
		return true;
	clear(base);
	if (!sweep_base(&sweep, base, NULL))
		return false;
	sum_accounted(base);
	return true;
}

bool tfp_union_shown(const struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
		     const uint8_t *shown, const uint32_t *above, int64_t *total,
		     struct tfp_job *job)
{
	struct tfp_sweep sweep = {
		.profile = profile,
		.step = step,
		.job = job,
		.above = above,
		.stride = base->metric_count,
		.total = total + TFP_TRACE_BUSY,
	};

	if (!tfp_base_has_nodes(base))
		return true;
	for (uint32_t row = 0; row < base->count; row++)
		total[(size_t)row * base->metric_count + TFP_TRACE_BUSY] = 0;
	return sweep_base(&sweep, base, shown);
}
