/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ops took with all that is nested in them, as PyTorch's tables have it: an op that is all there is in one of the same
 * name is one run with it.
 */
#include <string.h>

#include "load/chrome/chrome.h"

enum { COLUMN_CPU_TOTAL = TFP_TRACE_METRICS, COLUMN_DEVICE_TOTAL, COLUMNS };

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
};

void chrome_add_metrics(struct tfp_profile *profile)
{
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		struct tfp_metric metric = metrics[i];

		metric.unit = profile->trace->unit;
		tfp_profile_add_metric(profile, &metric);
	}
	profile->cell_columns = COLUMNS;
}

/* The events of one lane, by their place in it. */
struct totals {
	struct tfp_profile *profile;
	const struct tfp_lane *lane;
	int64_t *device;   /* of an event and what is nested in it */
	uint8_t *children; /* how many are nested directly; two stands for more */
	uint32_t *last;    /* by node: the cell met last */
};

static uint32_t place_of_parent(const struct totals *totals, uint32_t place)
{
	uint32_t parent = totals->profile->trace->link[totals->lane->first + place];

	return parent == TFP_NONE ? TFP_NONE : parent - totals->lane->first;
}

/* From the last to the first, so that what is nested comes before what it is nested in. */
static void add_up(struct totals *totals)
{
	for (uint32_t i = totals->lane->count; i--;) {
		uint32_t parent = place_of_parent(totals, i);

		if (parent == TFP_NONE)
			continue;
		totals->device[parent] = tfp_wrap_add(totals->device[parent], totals->device[i]);
		totals->children[parent] += totals->children[parent] < 2;
	}
}

static bool is_merged(const struct totals *totals, uint32_t place)
{
	const struct tfp_nodes *nodes = &totals->profile->nodes;
	const uint32_t *node = totals->profile->trace->node + totals->lane->first;
	uint32_t parent = place_of_parent(totals, place);

	return parent != TFP_NONE && totals->children[parent] == 1 &&
	       nodes->op[node[parent]] == nodes->op[node[place]];
}

static int64_t *values_of(struct totals *totals, uint32_t event)
{
	struct tfp_profile *profile = totals->profile;
	uint32_t node = profile->trace->node[event], step = tfp_trace_step_of(profile, event);
	uint32_t *cell = &totals->last[node];

	if (*cell == TFP_NONE || profile->cells.step[*cell] != step)
		*cell = tfp_profile_cell(profile, node, step);
	return profile->cells.value + (size_t)*cell * profile->cell_columns;
}

static void fill_cells(struct totals *totals)
{
	const struct tfp_trace *trace = totals->profile->trace;

	for (uint32_t i = 0; i < totals->lane->count; i++) {
		uint32_t event = totals->lane->first + i;
		int64_t *value = values_of(totals, event);

		if (is_merged(totals, i)) {
			value[TFP_TRACE_RUNS]--;
			continue;
		}
		value[COLUMN_CPU_TOTAL] =
			tfp_wrap_add(value[COLUMN_CPU_TOTAL], trace->duration[event]);
		value[COLUMN_DEVICE_TOTAL] =
			tfp_wrap_add(value[COLUMN_DEVICE_TOTAL], totals->device[i]);
	}
}

/* By lane of hosts, device time where it is owned. Owned events are sorted into their lanes once. */
static void total_lane(struct totals *totals, const struct chrome_parts *parts, uint32_t lane)
{
	const struct tfp_trace *trace = totals->profile->trace;

	totals->lane = &trace->lanes.at[lane];
	totals->device = tfp_alloc_zero(totals->lane->count, sizeof(*totals->device));
	totals->children = tfp_alloc_zero(totals->lane->count, sizeof(*totals->children));
	for (size_t i = 0; i < parts->owned.count; i++) {
		uint32_t owner = parts->owned.at[i].owner;

		if (trace->lane[owner] == lane)
			totals->device[owner - totals->lane->first] =
				tfp_wrap_add(totals->device[owner - totals->lane->first],
					     trace->duration[parts->owned.at[i].event]);
	}
	add_up(totals);
	fill_cells(totals);
	tfp_array_release(totals->children);
	tfp_array_release(totals->device);
}

void chrome_total(struct tfp_profile *profile, const struct chrome_parts *parts)
{
	struct totals totals = {.profile = profile};
	uint32_t nodes = profile->nodes.count;

	totals.last = tfp_realloc_array(NULL, nodes, sizeof(*totals.last));
	memset(totals.last, 0xff, nodes * sizeof(*totals.last));
	for (uint32_t i = 0; i < profile->trace->lanes.count; i++)
		if (profile->trace->lanes.at[i].kind == TFP_LANE_HOST)
			total_lane(&totals, parts, i);
	tfp_array_release(totals.last);
}
