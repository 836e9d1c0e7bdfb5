/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces: making one, its devices, lanes and works, and the metrics that every trace has.
 */
#include <string.h>

#include "model/tracing.h"
#include "tfprof/lookup.h"

/* ---- metrics ---------------------------------------------------------------------------------- */

static const struct tfp_metric trace_metrics[TFP_TRACE_METRICS] = {
	[TFP_TRACE_DEVICE] = {.key = "device", .label = "device time", .title = "DEVICE"},
	[TFP_TRACE_BUSY] = {.key = "busy",
			    .label = "time the device is busy",
			    .title = "BUSY",
			    .kind = TFP_UNION},
	[TFP_TRACE_HOST] = {.key = "host", .label = "host time", .title = "HOST"},
	[TFP_TRACE_RUNS] = {.key = "occurrence", .label = "runs", .title = "RUNS"},
	[TFP_TRACE_LAUNCHES] = {.key = "launches", .label = "device events", .title = "LAUNCHES"},
	[TFP_TRACE_BYTES] = {.key = "bytes",
			     .label = "bytes moved",
			     .title = "BYTES",
			     .unit = TFP_BYTES},
	[TFP_TRACE_FLOPS] = {.key = "float_ops",
			     .label = "float operations",
			     .title = "FLOPS",
			     .origin = TFP_FROM_RUNS},
};

static bool is_time(uint32_t metric)
{
	return metric == TFP_TRACE_DEVICE || metric == TFP_TRACE_BUSY || metric == TFP_TRACE_HOST;
}

static void add_metrics(struct tfp_profile *profile, enum tfp_unit unit)
{
	profile->metric_count = 0;
	for (uint32_t i = 0; i < TFP_TRACE_METRICS; i++) {
		struct tfp_metric metric = trace_metrics[i];

		metric.column = (uint8_t)i;
		if (is_time(i))
			metric.unit = unit;
		tfp_profile_add_metric(profile, &metric);
	}
}

struct tfp_trace *tfp_profile_make_trace(struct tfp_profile *profile, enum tfp_unit unit)
{
	struct tfp_trace *trace = tfp_alloc_zero(1, sizeof(*trace));

	trace->unit = unit;
	trace->work_table = tfp_lookup_new();
	trace->last_lane = TFP_NONE;
	profile->trace = trace;
	profile->sums_steps = true;
	profile->cell_columns = TFP_TRACE_METRICS;
	profile->runs_column = TFP_TRACE_RUNS;
	profile->default_metric = TFP_TRACE_DEVICE;
	add_metrics(profile, unit);
	for (size_t i = 0; i < profile->steps.count; i++)
		tfp_trace_add_step(trace, i);
	return trace;
}

/* Whether some cell has a value of COLUMN. */
static bool any_value(const struct tfp_profile *profile, uint32_t column)
{
	const struct tfp_cells *cells = &profile->cells;

	for (size_t i = 0; i < cells->count; i++)
		if (cells->value[i * profile->cell_columns + column])
			return true;
	return false;
}

/* How long single events took: on devices, and on hosts with what is nested in them. Behind those of loaders. */
static const struct tfp_metric spread_metrics[] = {
	{.key = "device_min", .label = "shortest device event", .title = "MIN"},
	{.key = "device_median", .label = "median of device events", .title = "MEDIAN"},
	{.key = "device_p99", .label = "device event that 99 of 100 do not exceed", .title = "P99"},
	{.key = "device_max", .label = "longest device event", .title = "MAX"},
	{.key = "host_min", .label = "shortest host event", .title = "HOST MIN"},
	{.key = "host_median", .label = "median of host events", .title = "HOST MED"},
	{.key = "host_p99",
	 .label = "host event that 99 of 100 do not exceed",
	 .title = "HOST P99"},
	{.key = "host_max", .label = "longest host event", .title = "HOST MAX"},
};
#define SPREAD_METRICS (sizeof(spread_metrics) / sizeof(*spread_metrics))

static bool has_markers(const struct tfp_trace *trace)
{
	for (size_t i = 0; i < trace->steps.count; i++)
		if (trace->steps.at[i].start <= trace->steps.at[i].end)
			return true;
	return false;
}

static const struct tfp_metric length_metric = {
	.key = TFP_LENGTH_KEY,
	.label = "length of steps",
	.title = "LENGTH",
	.kind = TFP_LENGTH,
	.origin = TFP_FROM_EVENTS,
};

/* Where steps are marked, how long they are. */
static void add_length(struct tfp_profile *profile)
{
	struct tfp_metric metric = length_metric;

	metric.unit = profile->trace->unit;
	if (has_markers(profile->trace))
		tfp_profile_add_metric(profile, &metric);
}

/* Each only once: profiles may be finished again. */
static void add_spread(struct tfp_profile *profile)
{
	if (profile->metrics[profile->metric_count - 1].kind == TFP_SPREAD ||
	    profile->metric_count + SPREAD_METRICS + 1 > TFP_MAX_METRICS)
		return;
	add_length(profile);
	for (size_t i = 0; i < SPREAD_METRICS; i++) {
		struct tfp_metric metric = spread_metrics[i];

		metric.unit = profile->trace->unit;
		metric.kind = TFP_SPREAD;
		metric.origin = TFP_FROM_EVENTS;
		metric.absent = i < SPREAD_METRICS / 2 ? profile->metrics[TFP_TRACE_DEVICE].absent
						       : profile->metrics[TFP_TRACE_HOST].absent;
		tfp_profile_add_metric(profile, &metric);
	}
}

const struct tfp_metric *tfp_trace_metric_known(size_t index)
{
	if (index < TFP_TRACE_METRICS)
		return &trace_metrics[index];
	index -= TFP_TRACE_METRICS;
	if (index < SPREAD_METRICS)
		return &spread_metrics[index];
	return index == SPREAD_METRICS ? &length_metric : NULL;
}

/* What leads where nothing takes time, as samples do: what the loader adds up, else how often things ran. */
static uint32_t timeless_metric(const struct tfp_profile *profile)
{
	for (uint32_t i = TFP_TRACE_METRICS; i < profile->metric_count; i++)
		if (profile->metrics[i].kind == TFP_SUM && !profile->metrics[i].absent)
			return i;
	return TFP_TRACE_RUNS;
}

void tfp_trace_mark_metrics(struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < TFP_TRACE_FLOPS; i++)
		if (!any_value(profile, i))
			profile->metrics[i].absent = true;
	if (profile->metrics[TFP_TRACE_DEVICE].absent)
		profile->default_metric = TFP_TRACE_HOST;
	if (profile->metrics[profile->default_metric].absent)
		profile->default_metric = timeless_metric(profile);
	add_spread(profile);
}

/* ---- memory ----------------------------------------------------------------------------------- */

void tfp_trace_release(struct tfp_trace *trace)
{
	if (!trace)
		return;
	tfp_array_free(&trace->devices);
	tfp_array_free(&trace->lanes);
	tfp_array_free(&trace->works);
	tfp_array_free(&trace->steps);
	tfp_array_free(&trace->marks);
	tfp_array_free(&trace->stretches);
	tfp_array_free(&trace->timelines);
	tfp_trace_free_starts(trace, trace->room);
	tfp_array_release(trace->span);
	tfp_array_free(&trace->longs);
	tfp_array_release(trace->lanes_of);
	tfp_array_free(&trace->lane_pages);
	tfp_array_free(&trace->joined);
	tfp_near_free(&trace->loop);
	tfp_near_free(&trace->node);
	tfp_near_free(&trace->work);
	tfp_near_free(&trace->link);
	tfp_array_release(trace->device_order);
	tfp_lookup_free(trace->work_table);
	tfp_array_release(trace);
}

/* Where the lanes of devices with an index below DEVICE have their events among those of devices. */
static uint32_t device_events_below(const struct tfp_trace *trace, uint32_t device)
{
	uint32_t events = 0;

	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_DEVICE &&
		    trace->lanes.at[i].device < device)
			events += trace->lanes.at[i].count;
	return events;
}

struct tfp_trace_extent tfp_trace_extent(const struct tfp_trace *trace)
{
	struct tfp_trace_extent extent = {.first = UINT32_MAX};
	uint32_t device = UINT32_MAX, device_end = 0;

	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];
		uint32_t end = lane->first + lane->count;

		if (!lane->count || !tfp_trace_has_lane(trace, lane))
			continue;
		extent.first = lane->first < extent.first ? lane->first : extent.first;
		extent.end = end > extent.end ? end : extent.end;
		device = lane->device < device ? lane->device : device;
		device_end = lane->device + 1 > device_end ? lane->device + 1 : device_end;
	}
	if (!extent.end)
		extent.first = 0;
	extent.device = device_events_below(trace, device_end ? device : 0);
	extent.device_end = device_events_below(trace, device_end);
	return extent;
}

size_t tfp_trace_bytes(const struct tfp_trace *trace)
{
	if (!trace)
		return 0;
	return sizeof(*trace) + tfp_trace_start_bytes(trace) + tfp_near_bytes(&trace->node) +
	       tfp_near_bytes(&trace->link) + tfp_near_bytes(&trace->work) +
	       tfp_near_bytes(&trace->loop) + trace->room * sizeof(*trace->span) +
	       trace->longs.room * sizeof(*trace->longs.at) +
	       (trace->device_order ? trace->device_events * sizeof(*trace->device_order) : 0) +
	       trace->devices.room * sizeof(*trace->devices.at) +
	       trace->lanes.room * sizeof(*trace->lanes.at) +
	       trace->works.room * sizeof(*trace->works.at) + tfp_lookup_bytes(trace->work_table);
}

/* ---- adding ----------------------------------------------------------------------------------- */

uint32_t tfp_trace_add_device(struct tfp_trace *trace, const struct tfp_trace_device *device)
{
	*tfp_array_push(&trace->devices) = *device;
	return (uint32_t)trace->devices.count - 1;
}

uint32_t tfp_trace_add_lane(struct tfp_trace *trace, const struct tfp_lane *lane)
{
	struct tfp_lane *mine = tfp_array_push(&trace->lanes);

	*mine = *lane;
	mine->first = mine->count = 0;
	return (uint32_t)trace->lanes.count - 1;
}

/* The same with its gaps cleared, so that bytes can be compared. */
static struct tfp_trace_work plain_work(const struct tfp_trace_work *work)
{
	struct tfp_trace_work plain;

	memset(&plain, 0, sizeof(plain));
	plain.name = work->name;
	plain.class = work->class;
	memcpy(plain.grid, work->grid, sizeof(plain.grid));
	memcpy(plain.block, work->block, sizeof(plain.block));
	plain.registers = work->registers;
	plain.static_shared = work->static_shared;
	plain.dynamic_shared = work->dynamic_shared;
	plain.bytes = work->bytes;
	plain.occupancy = work->occupancy;
	return plain;
}

uint32_t tfp_trace_add_work(struct tfp_profile *profile, const struct tfp_trace_work *work)
{
	struct tfp_trace *trace = profile->trace;
	struct tfp_trace_work plain = plain_work(work);
	uint32_t hash =
		(uint32_t)tfp_hash_bytes(profile->hash_key, (const char *)&plain, sizeof(plain));
	uint32_t id;

	TFP_LOOKUP_EACH(id, trace->work_table, hash)
		if (memcmp(&trace->works.at[id], &plain, sizeof(plain)) == 0)
			return id;
	tfp_lookup_add(trace->work_table, hash, (uint32_t)trace->works.count);
	tfp_array_push(&trace->works);
	memcpy(&trace->works.at[trace->works.count - 1], &plain, sizeof(plain));
	return (uint32_t)trace->works.count - 1;
}
