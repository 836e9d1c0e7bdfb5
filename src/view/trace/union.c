/* SPDX-License-Identifier: Apache-2.0 */
/* Unions of intervals by row: see union.h. */
#include "view/trace/union.h"

#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"

#define POLL  ((size_t)1 << 16)   /* events between looks at the cancel flag */
#define PIECE ((uint32_t)1 << 14) /* events whose places are found at a time */

/* ---- the sweep -------------------------------------------------------------------------------- */

static struct tfp_reach *new_reach(size_t rows)
{
	struct tfp_reach *reach = tfp_realloc_array(NULL, rows, sizeof(*reach));

	for (size_t i = 0; i < rows; i++)
		reach[i] = (struct tfp_reach){INT64_MIN, TFP_NONE};
	return reach;
}

void tfp_sweep_start(struct tfp_sweep *sweep, size_t rows)
{
	sweep->reach = new_reach(rows);
	sweep->self_reach = sweep->self ? new_reach(rows) : NULL;
}

void tfp_sweep_end(struct tfp_sweep *sweep)
{
	tfp_array_release(sweep->reach);
	tfp_array_release(sweep->self_reach);
}

/* What an event is to a sweep. */
struct interval {
	int64_t start, end;
	uint32_t device;
};

/* Adds what INTERVAL lasts longer than all before it. False if that is nothing. */
static inline bool extend(struct tfp_reach *reach, const struct interval *interval, int64_t *value)
{
	int64_t from = interval->start;

	if (reach->device == interval->device) {
		if (reach->end >= interval->end)
			return false;
		if (reach->end > from)
			from = reach->end;
	}
	*reach = (struct tfp_reach){interval->end, interval->device};
	*value = tfp_wrap_add(*value, (int64_t)((uint64_t)interval->end - (uint64_t)from));
	return true;
}

/* Where places are rows, a row without news has none for those above it. */
static void add_interval(const struct tfp_sweep *sweep, uint32_t place,
			 const struct interval *interval)
{
	uint32_t row = sweep->row ? sweep->row[place] : place;

	if (sweep->self && row != TFP_NONE)
		extend(&sweep->self_reach[row], interval, &sweep->self[row * sweep->stride]);
	for (; place != TFP_NONE; place = sweep->above[place]) {
		row = sweep->row ? sweep->row[place] : place;
		if (row != TFP_NONE &&
		    !extend(&sweep->reach[row], interval, &sweep->total[row * sweep->stride]) &&
		    !sweep->row)
			return;
	}
}

static inline uint32_t place_of(const struct tfp_sweep *sweep, size_t index, uint32_t event)
{
	uint32_t node = sweep->profile->trace->node[event];

	if (sweep->event_place)
		return sweep->event_place[index];
	return node == TFP_NONE ? TFP_NONE : sweep->place[node];
}

bool tfp_sweep_run(struct tfp_sweep *sweep, const uint32_t *events, size_t count)
{
	const struct tfp_trace *trace = sweep->profile->trace;

	for (size_t i = 0; i < count; i++) {
		uint32_t event = events[i], place = place_of(sweep, i, event);
		struct interval interval;

		if (i % POLL == 0 && tfp_job_cancelled(sweep->job))
			return false;
		if (place == TFP_NONE)
			continue;
		if (sweep->step != TFP_STEP_MEAN &&
		    tfp_trace_step_of(sweep->profile, event) != sweep->step)
			continue;
		interval.start = trace->start[event];
		interval.end = tfp_trace_end(trace, event);
		interval.device = trace->lanes.at[tfp_trace_lane(trace, event)].device;
		add_interval(sweep, place, &interval);
	}
	return true;
}

/* ---- bases ------------------------------------------------------------------------------------ */

/* What is asked of a base: see union.h. */
struct asked {
	const struct tfp_base *base;
	const uint8_t *shown; /* NULL: rows kept */
	uint32_t *place;      /* by node */
};

static bool counts(const struct asked *asked, uint32_t row)
{
	if (asked->shown)
		return asked->shown[row] == 1;
	return asked->base->flags[row] & TFP_ROW_KEPT;
}

/* Notes ROW as the place of its nodes. */
static void place_nodes(const struct asked *asked, uint32_t row)
{
	const struct tfp_base *base = asked->base;

	if (!counts(asked, row))
		return;
	if (base->node[row] != TFP_NONE && !(base->flags[row] & TFP_ROW_LINK))
		asked->place[base->node[row]] = row;
	for (uint32_t i = base->picks ? base->pick_first[row] : 0;
	     base->picks && i < base->pick_first[row + 1]; i++)
		asked->place[base->picks[i]] = row;
}

static void place_rows(const struct asked *asked, uint32_t from, uint32_t end)
{
	for (uint32_t row = from; row < end; row++)
		place_nodes(asked, row);
}

bool tfp_sweep_find(struct tfp_sweep *sweep, uint32_t (*find)(void *data, uint32_t event),
		    void *data)
{
	const struct tfp_trace *trace = sweep->profile->trace;
	uint32_t *place = tfp_realloc_array(NULL, PIECE, sizeof(*place));
	bool done = true;

	sweep->event_place = place;
	for (uint32_t from = 0, count; from < trace->device_events && done; from += count) {
		const uint32_t *events = trace->device_order + from;

		count = trace->device_events - from < PIECE ? trace->device_events - from : PIECE;
		for (uint32_t i = 0; i < count; i++)
			place[i] = find(data, events[i]);
		done = tfp_sweep_run(sweep, events, count);
	}
	tfp_array_release(place);
	return done;
}

/* ---- the steps view: a node has a row for each step, and rank -------------------------------------- */

/* Rows by step and node. */
struct step_rows {
	const struct asked *asked;
	const struct tfp_profile *profile;
	struct tfp_lookup *table; /* to places in list */
	TFP_ARRAY(struct step_row) list;
};

struct step_row {
	uint32_t step, node, row;
	uint32_t file; /* of the rank; TFP_NONE: of all */
};

static uint32_t hash_of(uint32_t step, uint32_t node, uint32_t file)
{
	return tfp_lookup_mix(((uint64_t)step << 32 | node) ^ (uint64_t)file << 24);
}

static void add_step_row(struct step_rows *rows, uint32_t node, uint32_t row)
{
	const struct tfp_base *base = rows->asked->base;
	uint32_t step = base->step[row], file = TFP_NONE;

	if (base->rank && base->rank[row] != TFP_NONE)
		file = base->ranks[base->rank[row]].file;
	tfp_lookup_add(rows->table, hash_of(step, node, file), (uint32_t)rows->list.count);
	*tfp_array_push(&rows->list) = (struct step_row){step, node, row, file};
}

static void list_step_rows(struct step_rows *rows)
{
	const struct tfp_base *base = rows->asked->base;

	for (uint32_t row = 1; row < base->count; row++) {
		if (!counts(rows->asked, row))
			continue;
		if (!base->picks && base->node[row] != TFP_NONE)
			add_step_row(rows, base->node[row], row);
		for (uint32_t i = base->picks ? base->pick_first[row] : 0;
		     base->picks && i < base->pick_first[row + 1]; i++)
			add_step_row(rows, base->picks[i], row);
	}
}

static uint32_t find_step_row(void *data, uint32_t event)
{
	const struct step_rows *rows = data;
	const struct tfp_trace *trace = rows->profile->trace;
	uint32_t node = trace->node[event], file = TFP_NONE, id, hash;
	uint32_t step = tfp_trace_step_of(rows->profile, event);
	size_t at;

	if (rows->asked->base->rank)
		file = trace->devices.at[trace->lanes.at[tfp_trace_lane(trace, event)].device].file;
	hash = hash_of(step, node, file);

	for (id = tfp_lookup_first(rows->table, hash, &at); id != TFP_NONE;
	     id = tfp_lookup_next(rows->table, hash, &at))
		if (rows->list.at[id].node == node && rows->list.at[id].step == step &&
		    rows->list.at[id].file == file)
			return rows->list.at[id].row;
	return TFP_NONE;
}

static bool sweep_steps(struct tfp_sweep *sweep, struct asked *asked)
{
	struct step_rows rows = {asked, sweep->profile, tfp_lookup_new(), {0}};
	bool done;

	list_step_rows(&rows);
	done = tfp_sweep_find(sweep, find_step_row, &rows);
	tfp_lookup_free(rows.table);
	tfp_array_free(&rows.list);
	return done;
}

static bool sweep_base(struct tfp_sweep *sweep, const struct tfp_base *base, const uint8_t *shown)
{
	const struct tfp_trace *trace = sweep->profile->trace;
	uint32_t nodes = sweep->profile->nodes.count;
	struct asked asked = {base, shown, tfp_realloc_array(NULL, nodes, sizeof(uint32_t))};
	bool done;

	memset(asked.place, 0xff, nodes * sizeof(*asked.place));
	sweep->place = asked.place;
	tfp_sweep_start(sweep, base->count);
	if (base->step) {
		done = sweep_steps(sweep, &asked);
	} else {
		place_rows(&asked, 0, base->count);
		done = tfp_sweep_run(sweep, trace->device_order, trace->device_events);
	}
	tfp_sweep_end(sweep);
	free(asked.place);
	return done;
}

static bool has_nodes(const struct tfp_base *base)
{
	if (base->picks)
		return true;
	for (uint32_t row = 0; row < base->count; row++)
		if (base->node[row] != TFP_NONE)
			return true;
	return false;
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

	if (!has_nodes(base) || base->view->rules->unites)
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

	if (!has_nodes(base))
		return true;
	for (uint32_t row = 0; row < base->count; row++)
		total[(size_t)row * base->metric_count + TFP_TRACE_BUSY] = 0;
	return sweep_base(&sweep, base, shown);
}
