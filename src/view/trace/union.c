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
		if (sweep->row)
			add_to_places(sweep, place, &interval);
		else
			add_to_rows(sweep, place, &interval);
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

/* Rows by step and node. Steps follow each other, so that each row knows which of its node was asked for next. */
struct step_rows {
	const struct asked *asked;
	const struct tfp_profile *profile;
	struct tfp_lookup *table; /* to places in list */
	TFP_ARRAY(struct step_row) list;
	uint32_t *last; /* by node: the place asked for last, TFP_NONE */
	uint32_t outside;
	size_t hint;
};

struct step_row {
	uint32_t step, node, row;
	uint32_t file; /* of the rank; TFP_NONE: of all */
	uint32_t next; /* a place; TFP_NONE */
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
	*tfp_array_push(&rows->list) = (struct step_row){step, node, row, file, TFP_NONE};
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

/* Is there a row at PLACE, of WANTED but for its row? */
static bool is_wanted(const struct step_rows *rows, uint32_t place, const struct step_row *wanted)
{
	const struct step_row *at;

	if (place == TFP_NONE)
		return false;
	at = &rows->list.at[place];
	return at->node == wanted->node && at->step == wanted->step && at->file == wanted->file;
}

static uint32_t find_place(const struct step_rows *rows, const struct step_row *wanted)
{
	uint32_t hash = hash_of(wanted->step, wanted->node, wanted->file), place;
	size_t at;

	for (place = tfp_lookup_first(rows->table, hash, &at); place != TFP_NONE;
	     place = tfp_lookup_next(rows->table, hash, &at))
		if (is_wanted(rows, place, wanted))
			return place;
	return TFP_NONE;
}

static uint32_t place_of_step(struct step_rows *rows, const struct step_row *wanted)
{
	uint32_t *last = &rows->last[wanted->node], place = *last;

	if (place != TFP_NONE && !is_wanted(rows, place, wanted))
		place = rows->list.at[place].next;
	if (!is_wanted(rows, place, wanted))
		place = find_place(rows, wanted);
	if (place == TFP_NONE || place == *last)
		return place;
	if (*last != TFP_NONE)
		rows->list.at[*last].next = place;
	return *last = place;
}

static uint32_t find_step_row(void *data, uint32_t event)
{
	struct step_rows *rows = data;
	const struct tfp_trace *trace = rows->profile->trace;
	struct step_row wanted = {.node = trace->node[event], .file = TFP_NONE};
	uint32_t place;

	if (wanted.node == TFP_NONE)
		return TFP_NONE;
	wanted.step = tfp_trace_event_step(trace, event, &rows->hint);
	if (wanted.step == TFP_NONE)
		wanted.step = rows->outside;
	if (rows->asked->base->rank)
		wanted.file =
			trace->devices.at[trace->lanes.at[tfp_trace_lane(trace, event)].device]
				.file;
	place = place_of_step(rows, &wanted);
	return place == TFP_NONE ? TFP_NONE : rows->list.at[place].row;
}

static bool sweep_steps(struct tfp_sweep *sweep, struct asked *asked)
{
	uint32_t nodes = sweep->profile->nodes.count;
	struct step_rows rows = {
		.asked = asked,
		.profile = sweep->profile,
		.table = tfp_lookup_new(),
		.last = tfp_realloc_array(NULL, nodes, sizeof(*rows.last)),
		.outside = tfp_profile_find_step(sweep->profile, TFP_STEP_OUTSIDE),
	};
	bool done;

	memset(rows.last, 0xff, nodes * sizeof(*rows.last));
	list_step_rows(&rows);
	done = tfp_sweep_find(sweep, find_step_row, &rows);
	tfp_lookup_free(rows.table);
	tfp_array_free(&rows.list);
	tfp_array_release(rows.last);
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
