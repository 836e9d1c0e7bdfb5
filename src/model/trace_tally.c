/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the events of a trace to the cells of its profile.
 */
#include <string.h>

#include "model/tracing.h"
#include "tfprof/lookup.h"

#define POLL      ((uint32_t)1 << 16) /* events between looks at the cancel flag */
#define FEW_CELLS (1 << 16) /* that are made by step at once: a second tally would cost more */

/* How far the union of a cell's device events reaches, on the device that it was last met on. */
struct reach {
	int64_t end;
	uint32_t device;
};

struct tally {
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	struct tfp_job *job;
	uint32_t outside; /* step of the cells of what is in no step */
	uint32_t *last;   /* by node: the cell met last */
	TFP_ARRAY(uint32_t)
	next; /* by cell: that of its node met next, as steps follow each other */
	struct tfp_lookup *
		cells; /* from node and step to cell, of those that were sought behind later ones */
	bool *hosted;  /* by node: it has events on hosts */
	TFP_ARRAY(struct reach) reach; /* by cell */
};

/* False when the job was cancelled. */
static bool going(const struct tally *tally)
{
	tfp_job_tick(tally->job);
	return !tfp_job_cancelled(tally->job);
}

static uint32_t find_cell(struct tally *tally, uint32_t node, uint32_t step)
{
	const struct tfp_cells *cells = &tally->profile->cells;
	uint32_t hash = tfp_lookup_mix((uint64_t)node << 32 | step);
	uint32_t cell = tally->profile->nodes.cell[node];

	/* the latest step stands first, and nearly all that is new is later still */
	if (cell == TFP_NONE || cells->step[cell] <= step)
		return tfp_profile_cell(tally->profile, node, step);
	TFP_LOOKUP_EACH(cell, tally->cells, hash)
		if (cells->node[cell] == node && cells->step[cell] == step)
			return cell;
	cell = tfp_profile_cell(tally->profile, node, step);
	tfp_lookup_add(tally->cells, hash, cell);
	return cell;
}

/* The cell of NODE in STEP, where LAST, TFP_NONE, is the one that was asked for before. */
static uint32_t next_cell(struct tally *tally, uint32_t last, uint32_t node, uint32_t step)
{
	uint32_t cell;

	if (last == TFP_NONE)
		return find_cell(tally, node, step);
	while (tally->next.count <= last)
		*tfp_array_push(&tally->next) = TFP_NONE;
	cell = tally->next.at[last];
	if (cell == TFP_NONE || tally->profile->cells.step[cell] != step)
		cell = tally->next.at[last] = find_cell(tally, node, step);
	return cell;
}

static inline uint32_t cell_of(struct tally *tally, uint32_t node, uint32_t step)
{
	uint32_t cell = tally->last[node];

	if (cell != TFP_NONE && !tally->trace->by_step)
		return cell;
	if (step == TFP_NONE)
		step = tally->outside;
	if (cell == TFP_NONE || tally->profile->cells.step[cell] != step)
		cell = tally->last[node] = next_cell(tally, cell, node, step);
	return cell;
}

static inline int64_t *values_of(struct tally *tally, uint32_t node, uint32_t step)
{
	size_t cell = cell_of(tally, node, step);

	return tally->profile->cells.value + cell * tally->profile->cell_columns;
}

static inline void add(int64_t *to, int64_t value)
{
	*to = tfp_wrap_add(*to, value);
}

/* The step of the cells that an event on a host counts in; TFP_NONE: it is in none, or they are of all. */
static inline uint32_t host_step(const struct tally *tally, uint32_t event, size_t *hint)
{
	return tally->trace->by_step ? tfp_trace_step_at(tally->trace, event, hint) : TFP_NONE;
}

/* ---- before ----------------------------------------------------------------------------------- */

/* The time of all events. */
static void find_span(struct tfp_trace *trace)
{
	int64_t begin = INT64_MAX, last = INT64_MIN;

	for (uint32_t i = 0; i < trace->count; i++) {
		int64_t start = tfp_trace_start(trace, i);
		int64_t end = tfp_wrap_add(start, tfp_trace_duration(trace, i));

		begin = start < begin ? start : begin;
		last = end > last ? end : last;
	}
	trace->begin = trace->count ? begin : 0;
	trace->end = trace->count ? last : 0;
}

/* As tfp_trace_any_outside, of a device's lane, whose events are in the steps in which they were launched. */
static bool any_launched_outside(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	size_t hint = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
		if (tfp_trace_node(trace, i) != TFP_NONE &&
		    tfp_trace_event_step(trace, i, &hint) == TFP_NONE)
			return true;
	return false;
}

/* Is anything in no step? */
static bool any_outside(const struct tfp_trace *trace)
{
	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (lane->kind == TFP_LANE_DEVICE ? any_launched_outside(trace, lane)
						  : tfp_trace_any_outside(trace, lane))
			return true;
	}
	return false;
}

/* What an earlier tally left. */
static void clear_cells(const struct tfp_profile *profile)
{
	const struct tfp_cells *cells = &profile->cells;

	if (cells->count)
		memset(cells->value, 0,
		       cells->count * profile->cell_columns * sizeof(*cells->value));
}

/* Steps, and whether something is in none of them. */
static void make_steps(struct tally *tally)
{
	struct tfp_profile *profile = tally->profile;
	struct tfp_trace *trace = tally->trace;

	if (!profile->steps.count)
		tfp_profile_step(profile, 0, 0);
	tfp_trace_find_stretches(profile);
	find_span(trace);
	if (any_outside(trace))
		tally->outside = tfp_profile_step(
			profile, TFP_STEP_OUTSIDE,
			tfp_strings_add_text(profile->strings, "outside the steps"));
}

/* Sorts the COUNT events at ORDER, of LANES lanes whose events are in order. */
static void sort_lanes(const struct tfp_trace *trace, uint32_t *order, uint32_t count,
		       uint32_t lanes)
{
	uint32_t *other;

	if (lanes < 2)
		return;
	other = tfp_realloc_array(NULL, count, sizeof(*other));
	tfp_trace_sort(trace, order, other, count);
	tfp_array_release(other);
}

/* Are those of devices together, of each device on one lane, and the devices in order? FIRST gets the first. */
static bool lie_in_order(const struct tfp_trace *trace, uint32_t *first)
{
	uint32_t end = TFP_NONE, last = TFP_NONE;

	*first = 0;
	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (lane->kind != TFP_LANE_DEVICE || !lane->count)
			continue;
		if (end == TFP_NONE)
			*first = lane->first;
		else if (lane->first != end || lane->device <= last)
			return false;
		end = lane->first + lane->count;
		last = lane->device;
	}
	return true;
}

/* Events of the lanes of each device together, by start. */
static uint32_t *order_device_events(const struct tfp_trace *trace)
{
	uint32_t *order = tfp_realloc_array(NULL, trace->device_events, sizeof(*order));
	uint32_t count = 0, from, lanes;

	for (uint32_t device = 0; device < trace->devices.count; device++) {
		from = count;
		lanes = 0;
		for (size_t i = 0; i < trace->lanes.count; i++) {
			const struct tfp_lane *lane = &trace->lanes.at[i];

			if (lane->kind != TFP_LANE_DEVICE || lane->device != device)
				continue;
			for (uint32_t j = 0; j < lane->count; j++)
				order[count++] = lane->first + j;
			lanes += lane->count > 0;
		}
		sort_lanes(trace, order + from, count - from, lanes);
	}
	return order;
}

static void find_device_events(struct tfp_trace *trace)
{
	trace->device_events = 0;
	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_DEVICE)
			trace->device_events += trace->lanes.at[i].count;
	tfp_array_release(trace->device_order);
	trace->device_order = NULL;
	if (!lie_in_order(trace, &trace->first_device_event))
		trace->device_order = order_device_events(trace);
}

/* ---- sums ------------------------------------------------------------------------------------- */

/* The event around those that come one after another. */
struct around {
	uint32_t event, cell; /* TFP_NONE: none */
	int64_t end;
	size_t hint;
};

static void look_around(struct tally *tally, uint32_t event, struct around *around)
{
	const struct tfp_trace *trace = tally->trace;
	uint32_t node = tfp_trace_node(trace, event);

	around->event = event;
	around->end = tfp_trace_end(trace, event);
	around->cell = TFP_NONE;
	if (node != TFP_NONE)
		around->cell = cell_of(tally, node, host_step(tally, event, &around->hint));
}

/* Takes the part of an event from START to END inside the one around it from that one's own time. */
static inline void take_from_parent(struct tally *tally, uint32_t parent, int64_t start,
				    int64_t end, struct around *around)
{
	const struct tfp_profile *profile = tally->profile;

	if (parent >= tally->trace->count)
		return;
	if (parent != around->event)
		look_around(tally, parent, around);
	if (around->cell == TFP_NONE)
		return;
	end = end < around->end ? end : around->end;
	add(&profile->cells.value[(size_t)around->cell * profile->cell_columns + TFP_TRACE_HOST],
	    (int64_t)((uint64_t)start - (uint64_t)end));
}

static bool tally_host(struct tally *tally, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = tally->trace;
	struct around around = {.event = TFP_NONE};
	size_t hint = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		int64_t start = tfp_trace_start(trace, i), lasts = tfp_trace_duration(trace, i);
		uint32_t node = tfp_trace_node(trace, i);

		if (i % POLL == 0 && !going(tally))
			return false;
		if (node != TFP_NONE) {
			int64_t *value = values_of(tally, node, host_step(tally, i, &hint));

			add(&value[TFP_TRACE_HOST], lasts);
			value[TFP_TRACE_RUNS] += !tfp_trace_is_joined(trace, i);
			tally->hosted[node] = true;
		}
		take_from_parent(tally, tfp_trace_link(trace, i), start, tfp_wrap_add(start, lasts),
				 &around);
	}
	return true;
}

/* What an event adds to the time in which CELL keeps its device busy. */
static int64_t newly_busy(struct tally *tally, uint32_t cell, uint32_t event)
{
	const struct tfp_trace *trace = tally->trace;
	uint32_t device = trace->lanes.at[tfp_trace_lane(trace, event)].device;
	int64_t start = tfp_trace_start(trace, event), end = tfp_trace_end(trace, event);
	struct reach *reach;

	while (tally->reach.count <= cell)
		*tfp_array_push(&tally->reach) = (struct reach){INT64_MIN, TFP_NONE};
	reach = &tally->reach.at[cell];
	if (reach->device == device && reach->end > start)
		start = reach->end;
	if (start >= end && reach->device == device)
		return 0;
	*reach = (struct reach){end, device};
	return (int64_t)((uint64_t)end - (uint64_t)start);
}

static void tally_device_event(struct tally *tally, uint32_t event, size_t *hint)
{
	struct tfp_trace *trace = tally->trace;
	uint32_t node = tfp_trace_node(trace, event), cell;
	int64_t *value;

	if (node == TFP_NONE || tally->profile->nodes.flags[node] & TFP_NODE_UNOWNED) {
		trace->unowned.events++;
		add(&trace->unowned.time, tfp_trace_duration(trace, event));
	}
	if (node == TFP_NONE)
		return;
	cell = cell_of(tally, node,
		       trace->by_step ? tfp_trace_event_step(trace, event, hint) : TFP_NONE);
	value = tally->profile->cells.value + (size_t)cell * tally->profile->cell_columns;
	add(&value[TFP_TRACE_DEVICE], tfp_trace_duration(trace, event));
	add(&value[TFP_TRACE_BUSY], newly_busy(tally, cell, event));
	value[TFP_TRACE_LAUNCHES] += !tfp_trace_is_joined(trace, event);
	if (tfp_trace_work_of(trace, event) < trace->works.count)
		add(&value[TFP_TRACE_BYTES],
		    tfp_trace_part(trace, event,
				   trace->works.at[tfp_trace_work_of(trace, event)].bytes));
}

static bool tally_devices(struct tally *tally)
{
	const struct tfp_trace *trace = tally->trace;
	size_t hint = 0;

	for (uint32_t i = 0; i < trace->device_events; i++) {
		if (i % POLL == 0 && !going(tally))
			return false;
		tally_device_event(tally, tfp_trace_device_event(trace, i), &hint);
	}
	return true;
}

/* What has no host events ran as often as it was launched. */
static void count_launches(struct tally *tally)
{
	const struct tfp_cells *cells = &tally->profile->cells;

	for (size_t i = 0; i < cells->count; i++) {
		int64_t *value = cells->value + i * tally->profile->cell_columns;

		if (!tally->hosted[cells->node[i]])
			value[TFP_TRACE_RUNS] = value[TFP_TRACE_LAUNCHES];
	}
}

/* Of the whole recording they are found from the runs. */
struct flops {
	struct tally *tally;
	size_t hint;
};

static void add_flops(void *data, uint32_t event, int64_t flops)
{
	struct flops *to = data;
	const struct tfp_trace *trace = to->tally->trace;
	uint32_t step = trace->by_step ? tfp_trace_event_step(trace, event, &to->hint) : TFP_NONE;

	add(&values_of(to->tally, tfp_trace_node(trace->whole, event), step)[TFP_TRACE_FLOPS],
	    flops);
}

static bool tally_flops(struct tally *tally)
{
	struct flops flops = {tally, 0};

	return !tally->trace->whole ||
	       tfp_trace_share_flops(tally->profile, tally->job, add_flops, &flops);
}

static bool tally_all(struct tally *tally)
{
	const struct tfp_trace *trace = tally->trace;

	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_HOST &&
		    tfp_trace_has_lane(trace, &trace->lanes.at[i]) &&
		    !tally_host(tally, &trace->lanes.at[i]))
			return false;
	if (!tally_devices(tally))
		return false;
	count_launches(tally);
	return tally_flops(tally);
}

/* What loaders know of besides. */
static void measure(struct tfp_profile *profile)
{
	for (size_t i = 0; i < profile->providers.count; i++) {
		const struct tfp_provider *provider = &profile->providers.at[i];

		if (provider->measure)
			provider->measure(profile, provider->data);
	}
}

static bool tally_cells(struct tally *tally)
{
	uint32_t nodes = tally->profile->nodes.count;
	bool done;

	if (!tally->trace->by_step)
		tally->outside = TFP_NONE;
	tally->trace->unowned.events = 0;
	tally->trace->unowned.time = 0;
	tally->last = tfp_realloc_array(NULL, nodes, sizeof(*tally->last));
	memset(tally->last, 0xff, nodes * sizeof(*tally->last));
	tally->hosted = tfp_alloc_zero(nodes, sizeof(*tally->hosted));
	tally->cells = tfp_lookup_new();
	done = tally_all(tally);
	tfp_lookup_free(tally->cells);
	tfp_array_release(tally->hosted);
	tfp_array_release(tally->last);
	tfp_array_free(&tally->reach);
	tfp_array_free(&tally->next);
	if (done)
		measure(tally->profile);
	return done;
}

bool tfp_trace_tally(struct tfp_profile *profile, struct tfp_job *job)
{
	struct tally tally = {.profile = profile, .trace = profile->trace, .job = job};

	clear_cells(profile);
	make_steps(&tally);
	if (!profile->cells.count &&
	    (uint64_t)profile->nodes.count * profile->steps.count <= FEW_CELLS)
		tally.trace->by_step = true;
	find_device_events(tally.trace);
	return tally_cells(&tally);
}

bool tfp_trace_tally_again(struct tfp_profile *profile, struct tfp_job *job)
{
	struct tally tally = {.profile = profile, .trace = profile->trace, .job = job};

	/* a launch that was cut off may lie in no step now, where there was nothing in none before */
	tally.outside = tfp_profile_find_step(profile, TFP_STEP_OUTSIDE);
	if (tally.outside == TFP_NONE)
		tally.outside = 0;
	return tally_cells(&tally);
}

/* ---- single steps ----------------------------------------------------------------------------- */

bool tfp_trace_split(struct tfp_profile *profile, struct tfp_job *job)
{
	struct tfp_trace *trace = profile->trace;
	const struct tfp_trace before = *trace;
	struct tfp_kept_cells whole;

	if (trace->by_step)
		return true;
	tfp_profile_keep_cells(profile, &whole);
	trace->by_step = true;
	if (tfp_trace_tally_again(profile, job)) {
		tfp_kept_cells_free(&whole);
		return true;
	}
	tfp_profile_restore_cells(profile, &whole);
	trace->by_step = false;
	trace->unowned = before.unowned;
	return false;
}
