/* SPDX-License-Identifier: Apache-2.0 */
/* What ops took with all that is nested in them, as PyTorch's tables have it: what is one run with the op around it is none of its own. */
#include <string.h>

#include "load/chrome/chrome.h"

enum { COLUMN_CPU_TOTAL = TFP_TRACE_METRICS, COLUMN_DEVICE_TOTAL, COLUMN_WEIGHT, COLUMNS };

static const struct tfp_metric metrics[] = {
	{.key = "cpu_total",
	 .label = "host time with nested",
	 .title = "CPU TOTAL",
	 .kind = TFP_OWN,
	 .column = COLUMN_CPU_TOTAL},
	{.key = "device_total",
	 .label = "device time with nested",
	 .title = "DEVICE TOTAL",
	 .kind = TFP_OWN,
	 .column = COLUMN_DEVICE_TOTAL},
	{.key = "weight",
	 .label = "weight of samples",
	 .title = "WEIGHT",
	 .kind = TFP_SUM,
	 .unit = TFP_COUNT,
	 .column = COLUMN_WEIGHT},
};

void chrome_add_metrics(struct tfp_profile *profile)
{
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		struct tfp_metric metric = metrics[i];

		if (metric.kind == TFP_OWN)
			metric.unit = profile->trace->unit;
		tfp_profile_add_metric(profile, &metric);
	}
	profile->cell_columns = COLUMNS;
}

/* Samples that all weigh one are counted by their runs. */
void chrome_mark_weights(struct tfp_profile *profile, struct chrome_parts *parts)
{
	size_t i = 0;

	while (i < parts->weighed.count && parts->weighed.at[i].weight == 1)
		i++;
	if (i < parts->weighed.count)
		return;
	tfp_array_free(&parts->weighed);
	for (i = 0; i < profile->metric_count; i++)
		if (profile->metrics[i].origin == TFP_FROM_CELLS &&
		    profile->metrics[i].column == COLUMN_WEIGHT)
			profile->metrics[i].absent = true;
}

struct totals {
	struct tfp_profile *profile;
	/* of all of the recording: in a range of time events outside have no nodes, but still nest */
	const struct tfp_trace *whole;
	struct tfp_trace_extent extent; /* what counts of it */
	int64_t *device; /* by event, from the first of EXTENT: of it and what is nested in it */
	/* by node */
	uint32_t *last;   /* the cell met last */
	uint32_t *first;  /* of its cells in order, and one more at the end */
	uint32_t *order;  /* cells by node, then step */
	uint32_t outside; /* the step of what is in none */
	size_t hint;      /* where the search for the last step ended */
};

/* ---- cells --------------------------------------------------------------------------------------- */

static void index_cells(struct totals *totals)
{
	const struct tfp_profile *profile = totals->profile;
	const struct tfp_cells *cells = &profile->cells;
	uint32_t nodes = profile->nodes.count;

	totals->first = tfp_alloc_zero(nodes + (size_t)1, sizeof(*totals->first));
	totals->order = tfp_realloc_array(NULL, cells->count, sizeof(*totals->order));
	for (uint32_t i = 0; i < cells->count; i++)
		totals->first[cells->node[i] + 1]++;
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t at = totals->first[i + 1] += totals->first[i];

		/* the latest step stands first */
		for (uint32_t cell = profile->nodes.cell[i]; cell != TFP_NONE;
		     cell = cells->older[cell])
			totals->order[--at] = cell;
	}
}

/* Those that are tallied are there already. */
static uint32_t find_cell(struct totals *totals, uint32_t node, uint32_t step)
{
	const uint32_t *step_of = totals->profile->cells.step;
	uint32_t low = totals->first[node], end = totals->first[node + 1], high = end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (step_of[totals->order[middle]] < step)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < end && step_of[totals->order[low]] == step)
		return totals->order[low];
	return tfp_profile_cell(totals->profile, node, step);
}

/* The step of the cell that EVENT counts in; TFP_NONE where cells are of all steps together. */
static uint32_t step_of(struct totals *totals, uint32_t event)
{
	const struct tfp_trace *trace = totals->profile->trace;
	uint32_t step = TFP_NONE;

	if (trace->by_step)
		step = tfp_trace_event_step(trace, event, &totals->hint);
	return trace->by_step && step == TFP_NONE ? totals->outside : step;
}

static int64_t *values_of(struct totals *totals, uint32_t event)
{
	struct tfp_profile *profile = totals->profile;
	uint32_t node = tfp_trace_node(totals->whole, event), step = step_of(totals, event);
	uint32_t *cell = &totals->last[node];

	if (*cell == TFP_NONE || profile->cells.step[*cell] != step)
		*cell = find_cell(totals, node, step);
	return profile->cells.value + (size_t)*cell * profile->cell_columns;
}

/* ---- sums ---------------------------------------------------------------------------------------- */

static int64_t *device_of(const struct totals *totals, uint32_t event)
{
	return &totals->device[event - totals->extent.first];
}

/* From the last to the first, so that what is nested comes before what it is nested in. */
static void add_up(struct totals *totals, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = totals->profile->trace;

	for (uint32_t i = lane->first + lane->count; i-- > lane->first;) {
		uint32_t parent = tfp_trace_link(trace, i);
		int64_t device = *device_of(totals, i);

		if (device && parent != TFP_NONE)
			*device_of(totals, parent) =
				tfp_wrap_add(*device_of(totals, parent), device);
	}
}

/* What was launched before a range of time counts for the op that launched it, although that is outside. */
static void fill_cells(struct totals *totals, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = totals->profile->trace;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		int64_t *value, device = *device_of(totals, i);

		if (tfp_trace_is_joined(trace, i) ||
		    (tfp_trace_node(trace, i) == TFP_NONE && !device))
			continue;
		value = values_of(totals, i);
		value[COLUMN_CPU_TOTAL] =
			tfp_wrap_add(value[COLUMN_CPU_TOTAL], tfp_trace_duration(trace, i));
		value[COLUMN_DEVICE_TOTAL] = tfp_wrap_add(value[COLUMN_DEVICE_TOTAL], device);
	}
}

/* Device events, and what owns them, stand file by file: the first of those whose event is not before EVENT. */
static size_t first_owned(const struct chrome_parts *parts, uint32_t event)
{
	size_t low = 0, high = parts->owned.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (parts->owned.at[middle].event < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void start_totals(struct totals *totals, const struct chrome_parts *parts)
{
	const struct tfp_profile *profile = totals->profile;
	const struct tfp_trace *trace = profile->trace;
	uint32_t nodes = profile->nodes.count;

	totals->whole = tfp_trace_whole(trace);
	totals->extent = tfp_trace_extent(trace);
	totals->device =
		tfp_alloc_zero(totals->extent.end - totals->extent.first, sizeof(*totals->device));
	totals->last = tfp_realloc_array(NULL, nodes, sizeof(*totals->last));
	memset(totals->last, 0xff, nodes * sizeof(*totals->last));
	index_cells(totals);
	for (size_t i = first_owned(parts, totals->extent.first);
	     i < parts->owned.count && parts->owned.at[i].event < totals->extent.end; i++) {
		int64_t *device = device_of(totals, parts->owned.at[i].owner);

		*device =
			tfp_wrap_add(*device, tfp_trace_duration(trace, parts->owned.at[i].event));
	}
}

static void add_weights(struct totals *totals, const struct chrome_parts *parts)
{
	for (size_t i = 0; i < parts->weighed.count; i++) {
		uint32_t event = parts->weighed.at[i].event;
		int64_t *value;

		if (tfp_trace_node(totals->profile->trace, event) ==
		    TFP_NONE) /* outside the range of time */
			continue;
		value = values_of(totals, event) + COLUMN_WEIGHT;
		*value = tfp_wrap_add(*value, parts->weighed.at[i].weight);
	}
}

void chrome_total(struct tfp_profile *profile, void *data)
{
	const struct chrome_parts *parts = data;
	struct totals totals = {.profile = profile, .outside = tfp_step_outside(profile)};

	start_totals(&totals, parts);
	for (uint32_t i = 0; i < profile->trace->lanes.count; i++) {
		const struct tfp_lane *lane = &profile->trace->lanes.at[i];

		if (lane->kind != TFP_LANE_HOST || !tfp_trace_has_lane(profile->trace, lane))
			continue;
		add_up(&totals, lane);
		fill_cells(&totals, lane);
	}
	add_weights(&totals, parts);
	tfp_array_release(totals.first);
	tfp_array_release(totals.order);
	tfp_array_release(totals.last);
	tfp_array_release(totals.device);
}
