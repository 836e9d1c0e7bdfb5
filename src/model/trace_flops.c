/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Float operations in a range of time. The file says how many a run has, not when. They are taken to be done while the device
 * works for that run, evenly: a run has in the range the part that its device time there is of all its device time, whenever
 * the host launched it. So what stands beside the clipped device time is what was done in it, and ranges that make up a
 * recording make up its operations. A run that has no device time has the part that its host time is. Of what no host ran each
 * device event is a run.
 */
#include <stdlib.h>
#include <string.h>

#include "model/tracing.h"

#define POLL ((uint32_t)1 << 16) /* events between looks at the cancel flag */

/* A run of a node with float operations: the event on the host, and how long its device events are. */
struct run {
	uint32_t event;
	int64_t all, inside;
};

struct sharing {
	const struct tfp_profile *profile;
	const struct tfp_trace *cut, *whole;
	struct tfp_job *job;
	tfp_trace_flops_fn *add;
	void *data;
	bool *hosted; /* by node: runs are events on hosts */
	struct tfp_trace_extent extent;
	/* by event on a host, from the first of EXTENT: index of the innermost run that it is in, TFP_NONE */
	uint32_t *run_of;
	TFP_ARRAY(struct run) runs;
};

static int64_t part_of(int64_t value, int64_t inside, int64_t all)
{
	if (all <= 0 || inside >= all)
		return value;
	return inside <= 0 ? 0 : (int64_t)((__int128)value * inside / all);
}

int64_t tfp_trace_part(const struct tfp_trace *trace, uint32_t event, int64_t value)
{
	if (!trace->whole)
		return value;
	return part_of(value, tfp_trace_duration(trace, event),
		       tfp_trace_duration(trace->whole, event));
}

/* False when the job was cancelled. */
static bool going(const struct sharing *sharing, uint32_t event)
{
	return event % POLL || !tfp_job_cancelled(sharing->job);
}

bool *tfp_trace_hosted(const struct tfp_profile *profile)
{
	const struct tfp_trace *cut = profile->trace, *trace = tfp_trace_whole(cut);
	bool *hosted = tfp_alloc_zero(profile->nodes.count + (size_t)1, sizeof(*hosted));

	for (size_t k = 0; k < trace->lanes.count; k++) {
		const struct tfp_lane *lane = &trace->lanes.at[k];

		if (lane->kind != TFP_LANE_HOST || !tfp_trace_has_lane(cut, lane))
			continue;
		for (uint32_t i = lane->first; i < lane->first + lane->count; i++)
			if (tfp_trace_node(trace, i) != TFP_NONE)
				hosted[tfp_trace_node(trace, i)] = true;
	}
	return hosted;
}

static uint32_t run_of(const struct sharing *sharing, uint32_t event)
{
	const struct tfp_trace_extent *extent = &sharing->extent;

	return event >= extent->first && event < extent->end
		       ? sharing->run_of[event - extent->first]
		       : TFP_NONE;
}

/* What is one run with the event around it is no run of its own, however deep that goes. */
static uint32_t find_run(struct sharing *sharing, uint32_t event)
{
	const struct tfp_trace *whole = sharing->whole;
	uint32_t around = tfp_trace_link(whole, event), node = tfp_trace_node(whole, event);
	uint32_t run = around < event ? run_of(sharing, around) : TFP_NONE;

	if (node == TFP_NONE || !sharing->profile->nodes.float_ops[node])
		return run;
	if (run != TFP_NONE && tfp_trace_is_joined(whole, event))
		return run;
	*tfp_array_push(&sharing->runs) = (struct run){event, 0, 0};
	return (uint32_t)sharing->runs.count - 1;
}

static bool find_runs(struct sharing *sharing)
{
	const struct tfp_trace *whole = sharing->whole;

	for (size_t k = 0; k < whole->lanes.count; k++) {
		const struct tfp_lane *lane = &whole->lanes.at[k];

		if (lane->kind != TFP_LANE_HOST || !tfp_trace_has_lane(sharing->cut, lane))
			continue;
		for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
			if (!going(sharing, i))
				return false;
			sharing->run_of[i - sharing->extent.first] = find_run(sharing, i);
		}
	}
	return true;
}

static void add_device_event(struct sharing *sharing, uint32_t event)
{
	uint32_t node = tfp_trace_node(sharing->whole, event),
		 launch = tfp_trace_link(sharing->whole, event), run;
	int64_t flops;

	if (node == TFP_NONE)
		return;
	flops = sharing->profile->nodes.float_ops[node];
	if (flops && !sharing->hosted[node]) {
		if (tfp_trace_node(sharing->cut, event) != TFP_NONE)
			sharing->add(sharing->data, event,
				     tfp_trace_part(sharing->cut, event, flops));
		return;
	}
	run = run_of(sharing, launch);
	if (run != TFP_NONE) {
		int64_t *all = &sharing->runs.at[run].all, *inside = &sharing->runs.at[run].inside;

		*all = tfp_wrap_add(*all, tfp_trace_duration(sharing->whole, event));
		*inside = tfp_wrap_add(*inside, tfp_trace_duration(sharing->cut, event));
	}
}

static bool add_device_events(struct sharing *sharing)
{
	for (uint32_t i = sharing->extent.device; i < sharing->extent.device_end; i++) {
		if (!going(sharing, i))
			return false;
		add_device_event(sharing, tfp_trace_device_event(sharing->whole, i));
	}
	return true;
}

static void add_run(const struct sharing *sharing, const struct run *run)
{
	uint32_t node = tfp_trace_node(sharing->whole, run->event);
	int64_t flops = sharing->profile->nodes.float_ops[node], part = 0;

	if (run->all > 0)
		part = part_of(flops, run->inside, run->all);
	else if (tfp_trace_node(sharing->cut, run->event) != TFP_NONE)
		part = tfp_trace_part(sharing->cut, run->event, flops);
	if (part)
		sharing->add(sharing->data, run->event, part);
}

static bool has_flops(const struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < profile->nodes.count; i++)
		if (profile->nodes.float_ops[i])
			return true;
	return false;
}

bool tfp_trace_share_flops(const struct tfp_profile *profile, struct tfp_job *job,
			   tfp_trace_flops_fn *add, void *data)
{
	struct sharing sharing = {.profile = profile, .cut = profile->trace, .job = job};
	size_t events;
	bool done;

	sharing.whole = profile->trace->whole;
	sharing.add = add;
	sharing.data = data;
	if (!has_flops(profile))
		return true;
	sharing.hosted = tfp_trace_hosted(profile);
	sharing.extent = tfp_trace_extent(profile->trace);
	events = sharing.extent.end - sharing.extent.first;
	sharing.run_of = tfp_realloc_array(NULL, events, sizeof(*sharing.run_of));
	memset(sharing.run_of, 0xff, events * sizeof(*sharing.run_of));
	done = find_runs(&sharing) && add_device_events(&sharing);
	for (size_t i = 0; done && i < sharing.runs.count; i++)
		add_run(&sharing, &sharing.runs.at[i]);
	tfp_array_free(&sharing.runs);
	tfp_array_release(sharing.run_of);
	free(sharing.hosted);
	return done;
}
