/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths of steps: see lengths.h. */
#include "view/trace/lengths.h"

#include <stdlib.h>
#include <string.h>

#include "view/trace/roles.h"

uint32_t tfp_length_metric(const struct tfp_metric *metrics, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (metrics[i].kind == TFP_LENGTH)
			return i;
	return TFP_NONE;
}

bool tfp_row_is_step(const struct tfp_base *base, uint32_t row)
{
	uint32_t parent = base->parent[row];

	if (!base->step || base->step[row] == TFP_NONE || parent == TFP_NONE)
		return false;
	return !parent || (base->rank && base->rank[row] != TFP_NONE && !base->parent[parent] &&
			   base->rank[parent] == TFP_NONE);
}

/* They are not known of what the rows stand for. */
static void forget(struct tfp_base *base, uint32_t metric)
{
	tfp_base_own_metrics(base)[metric].absent = true;
}

struct maker {
	struct tfp_base *base;
	const struct tfp_profile *profile;
	const struct tfp_trace *trace; /* the whole */
	uint32_t metric;
	bool *aside;       /* by device: see tfp_stands_aside */
	uint32_t *devices; /* by file: how many of the others did anything */
};

static void count_devices(struct maker *maker)
{
	const struct tfp_trace *trace = maker->trace;
	bool *ran = tfp_alloc_zero(trace->devices.count + 1, sizeof(*ran));

	maker->devices = tfp_alloc_zero(maker->profile->files.count + 1, sizeof(uint32_t));
	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_DEVICE && trace->lanes.at[i].count)
			ran[trace->lanes.at[i].device] = true;
	maker->aside = tfp_alloc_zero(trace->devices.count + 1, sizeof(*maker->aside));
	for (uint32_t i = 0; i < trace->devices.count; i++) {
		maker->aside[i] = ran[i] && tfp_stands_aside(trace, i);
		maker->devices[trace->devices.at[i].file] += ran[i] && !maker->aside[i];
	}
	tfp_array_release(ran);
}

/* What of SPAN is in the range of time that is looked at. False: nothing. */
static bool cut_span(const struct tfp_trace *cut, struct tfp_step_span *span)
{
	if (!tfp_trace_is_ranged(cut))
		return true;
	span->start = span->start > cut->from ? span->start : cut->from;
	span->end = span->end < cut->to ? span->end : cut->to;
	return span->start < span->end;
}

bool tfp_step_in_range(const struct tfp_profile *profile, uint32_t step)
{
	const struct tfp_trace *cut = profile->trace;
	struct tfp_step_span span;

	if (!cut || !tfp_trace_is_ranged(cut))
		return true;
	for (uint32_t file = 0; file < profile->files.count; file++)
		if (tfp_trace_has_file(cut, file) &&
		    tfp_trace_step_span(profile, cut->whole, file, step, &span) &&
		    cut_span(cut, &span))
			return true;
	return false;
}

/* Adds what FILE has of the step ROW. */
static void add_file(const struct maker *maker, uint32_t row, uint32_t file)
{
	struct tfp_base *base = maker->base;
	int64_t *total = &base->total[(size_t)row * base->metric_count + maker->metric];
	struct tfp_step_span span;
	int64_t length;

	if (!tfp_trace_step_span(maker->profile, maker->trace, file, base->step[row], &span) ||
	    !cut_span(maker->profile->trace, &span))
		return;
	length = tfp_wrap_add(span.end, tfp_wrap_mul(span.start, -1));
	if (length > *total)
		*total = length;
	base->step_room[row] += (double)length * maker->devices[file];
}

static void fill_row(const struct maker *maker, uint32_t row)
{
	const struct tfp_base *base = maker->base;

	if (base->rank && base->rank[row] != TFP_NONE) {
		add_file(maker, row, base->ranks[base->rank[row]].file);
		return;
	}
	for (uint32_t file = 0; file < maker->profile->files.count; file++)
		if (tfp_trace_has_file(maker->profile->trace, file))
			add_file(maker, row, file);
}

static void fill_step(const struct maker *maker, uint32_t row)
{
	struct tfp_base *base = maker->base;
	int64_t *total = base->total + maker->metric;

	fill_row(maker, row);
	*total = tfp_wrap_add(*total, total[(size_t)row * base->metric_count]);
	base->step_room[0] += base->step_room[row];
	for (uint32_t below = row + 1; below < base->end[row]; below = base->end[below])
		if (tfp_row_is_step(base, below))
			fill_row(maker, below);
}

/* ---- cores that help -------------------------------------------------------------------------- */

/* How far the events of a step reach, on the device that it was last met on. */
struct reach {
	int64_t end;
	uint32_t device;
};

struct aside {
	const struct maker *maker;
	uint32_t *row;       /* by step; TFP_NONE: it has none */
	struct reach *reach; /* by step */
	size_t hint;
};

static bool has_aside(const struct maker *maker)
{
	for (size_t i = 0; i < maker->trace->devices.count; i++)
		if (maker->aside[i])
			return true;
	return false;
}

/* Adds TIME to the step ROW, and to what the rank of FILE has of it. */
static void add_aside(const struct maker *maker, uint32_t row, uint32_t file, double time)
{
	struct tfp_base *base = maker->base;

	base->step_aside[0] += time;
	base->step_aside[row] += time;
	for (uint32_t below = row + 1; below < base->end[row]; below = base->end[below])
		if (tfp_row_is_step(base, below) && base->rank && base->rank[below] != TFP_NONE &&
		    base->ranks[base->rank[below]].file == file)
			base->step_aside[below] += time;
}

static void take_aside(struct aside *aside, uint32_t event, uint32_t device)
{
	const struct tfp_profile *profile = aside->maker->profile;
	const struct tfp_trace *trace = profile->trace;
	uint32_t step = tfp_trace_event_step(trace, event, &aside->hint);
	int64_t start = tfp_trace_start(trace, event), end = tfp_trace_end(trace, event);
	struct reach *reach;

	if (step == TFP_NONE)
		step = tfp_step_outside(profile);
	if (step == TFP_NONE || aside->row[step] == TFP_NONE)
		return;
	reach = &aside->reach[step];
	if (reach->device == device && reach->end > start)
		start = reach->end;
	if (start >= end)
		return;
	*reach = (struct reach){end, device};
	add_aside(aside->maker, aside->row[step], trace->devices.at[device].file,
		  (double)end - (double)start);
}

/* How long the cores that help are busy in each step. */
static void find_aside(const struct maker *maker)
{
	struct tfp_base *base = maker->base;
	const struct tfp_trace *trace = maker->profile->trace;
	size_t steps = maker->profile->steps.count;
	struct aside aside = {
		.maker = maker,
		.row = tfp_realloc_array(NULL, steps, sizeof(*aside.row)),
		.reach = tfp_realloc_array(NULL, steps, sizeof(*aside.reach)),
	};

	base->step_aside = tfp_arena_zero(&base->arena, base->count, sizeof(*base->step_aside));
	memset(aside.row, 0xff, steps * sizeof(*aside.row));
	memset(aside.reach, 0xff, steps * sizeof(*aside.reach));
	for (uint32_t row = 1; row < base->count; row = base->end[row])
		if (base->step[row] != TFP_NONE)
			aside.row[base->step[row]] = row;
	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);
		uint32_t device = trace->lanes.at[tfp_trace_lane(trace, event)].device;

		if (maker->aside[device] && tfp_trace_node(trace, event) != TFP_NONE)
			take_aside(&aside, event, device);
	}
	tfp_array_release(aside.row);
	tfp_array_release(aside.reach);
}

/* ---- all -------------------------------------------------------------------------------------- */

void tfp_base_lengths(struct tfp_base *base, const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;
	struct maker maker = {base,
			      profile,
			      tfp_trace_whole(trace),
			      tfp_length_metric(base->metrics, base->metric_count),
			      NULL,
			      NULL};

	if (maker.metric == TFP_NONE)
		return;
	if (!base->step) {
		forget(base, maker.metric);
		return;
	}
	base->step_room = tfp_arena_zero(&base->arena, base->count, sizeof(*base->step_room));
	count_devices(&maker);
	for (uint32_t row = 1; row < base->count; row = base->end[row])
		fill_step(&maker, row);
	if (has_aside(&maker))
		find_aside(&maker);
	free(maker.devices);
	free(maker.aside);
}

bool tfp_busy_is_mixed(const struct tfp_base *base, uint32_t row, int64_t busy)
{
	return base->step_aside && base->step_aside[row] > 0 &&
	       busy != base->total[(size_t)row * base->metric_count + TFP_TRACE_BUSY];
}

double tfp_busy_ratio(const struct tfp_base *base, uint32_t row, int64_t busy)
{
	double aside = base->step_aside ? base->step_aside[row] : 0;

	if (!base->step_room || base->step_room[row] <= 0 || tfp_busy_is_mixed(base, row, busy))
		return -1;
	return ((double)busy - aside) / base->step_room[row];
}

double tfp_busy_share(const struct tfp_tree *tree, uint32_t row)
{
	double ratio = tfp_busy_ratio(tree->base, row, tfp_tree_total(tree, row, TFP_TRACE_BUSY));

	/* Devices that are busy for longer than a step ran on behind it: its mark says how long the host took. */
	return ratio <= 1 ? ratio : -1;
}
