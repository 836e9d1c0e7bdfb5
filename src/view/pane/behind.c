/* SPDX-License-Identifier: Apache-2.0 */
/* Events behind a row: see behind.h. */
#include "view/pane/behind.h"

#include <stdlib.h>
#include <string.h>

#include "view/group/picks.h"
#include "view/trace/track.h"
#include "view/trace/union.h"

void tfp_behind_start(struct tfp_behind *behind, struct tfp_work *work)
{
	const struct tfp_base *base = work->tree->base;
	struct tfp_profile *profile = work->build.profile;
	uint32_t nodes = profile->nodes.count;

	*behind = (struct tfp_behind){
		.profile = profile,
		.track = base->track ? &base->track[work->row] : NULL,
		.of_node = tfp_alloc_zero((size_t)nodes + 1, sizeof(*behind->of_node)),
		.nameless = base->track && work->build.account.all,
		.step = work->build.step == TFP_STEP_EACH ? TFP_STEP_MEAN : work->build.step,
	};
	for (size_t i = 0; i < work->nodes.count; i++)
		behind->of_node[work->nodes.at[i]] = true;
	for (uint32_t node = 0; base->track && node < nodes; node++)
		behind->of_node[node] = tfp_account_node(&work->build.account, node) > 0;
}

void tfp_behind_end(struct tfp_behind *behind)
{
	free(behind->of_node);
}

static bool is_behind(const struct tfp_behind *behind, uint32_t event)
{
	uint32_t node = tfp_trace_node(behind->profile->trace, event);

	if (node == TFP_NONE ? !behind->nameless : !behind->of_node[node])
		return false;
	if (behind->track &&
	    !tfp_track_holds(behind->profile, behind->profile->trace, behind->track, event))
		return false;
	return behind->step == TFP_STEP_MEAN ||
	       tfp_trace_step_of(behind->profile, event) == behind->step;
}

bool tfp_behind_each(const struct tfp_behind *behind, struct tfp_work *work,
		     void (*take)(void *data, uint32_t event), void *data)
{
	static const enum tfp_lane_kind kinds[] = {TFP_LANE_DEVICE, TFP_LANE_HOST};
	const struct tfp_trace *trace = behind->profile->trace;

	for (size_t kind = 0; kind < 2; kind++) {
		for (uint32_t event = 0; event < trace->count; event++) {
			if (tfp_work_stopped(work, event))
				return false;
			if (tfp_trace_kind(trace, event) == kinds[kind] && is_behind(behind, event))
				take(data, event);
		}
	}
	return true;
}

/* ---- nodes of the device view ----------------------------------------------------------------- */

/* What is at hand while the nodes' values are summed. */
struct summing {
	struct tfp_work *work;
	const struct tfp_behind *behind;
	const struct tfp_trace *trace;
};

static int64_t *values_of(const struct summing *summing, uint32_t event)
{
	uint32_t node = tfp_trace_node(summing->trace, event);

	return node == TFP_NONE ? NULL : summing->work->of_events + (size_t)node * TFP_TRACE_FLOPS;
}

static void add_event(void *data, uint32_t event)
{
	const struct summing *summing = data;
	const struct tfp_trace *trace = summing->trace;
	int64_t *values = values_of(summing, event);
	bool device = tfp_trace_kind(trace, event) == TFP_LANE_DEVICE;

	if (!values)
		return;
	values[TFP_TRACE_RUNS] += !tfp_trace_is_joined(trace, event);
	values[TFP_TRACE_LAUNCHES] += device && !tfp_trace_is_joined(trace, event);
	if (device && tfp_trace_work_of(trace, event) < trace->works.count)
		values[TFP_TRACE_BYTES] = tfp_wrap_add(
			values[TFP_TRACE_BYTES],
			tfp_trace_part(trace, event,
				       trace->works.at[tfp_trace_work_of(trace, event)].bytes));
	values[device ? TFP_TRACE_DEVICE : TFP_TRACE_HOST] =
		tfp_wrap_add(values[device ? TFP_TRACE_DEVICE : TFP_TRACE_HOST],
			     tfp_trace_duration(trace, event));
}

/* A host's event has what is nested in it as time of that. */
static void take_nested(const struct summing *summing)
{
	const struct tfp_trace *trace = summing->trace;

	for (uint32_t event = 0; event < trace->count; event++) {
		uint32_t around = tfp_trace_link(trace, event);
		int64_t *values;

		if (tfp_trace_kind(trace, event) != TFP_LANE_HOST || around >= trace->count ||
		    !is_behind(summing->behind, around))
			continue;
		values = values_of(summing, around);
		if (values)
			values[TFP_TRACE_HOST] =
				tfp_wrap_add(values[TFP_TRACE_HOST],
					     tfp_wrap_mul(tfp_trace_nested(trace, event), -1));
	}
}

static bool unite(const struct summing *summing)
{
	const struct tfp_trace *trace = summing->trace;
	const struct tfp_profile *profile = summing->work->build.profile;
	uint32_t nodes = profile->nodes.count;
	uint32_t *place = tfp_realloc_array(NULL, trace->device_events, sizeof(*place));
	uint32_t *above = tfp_realloc_array(NULL, nodes, sizeof(*above));
	struct tfp_sweep sweep = {
		.profile = profile,
		.step = TFP_STEP_MEAN,
		.job = summing->work->build.job,
		.event_place = place,
		.above = above,
		.stride = TFP_TRACE_FLOPS,
		.total = summing->work->of_events + TFP_TRACE_BUSY,
	};
	bool done;

	memset(above, 0xff, nodes * sizeof(*above));
	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);

		place[i] =
			is_behind(summing->behind, event) ? tfp_trace_node(trace, event) : TFP_NONE;
	}
	tfp_sweep_start(&sweep, nodes);
	done = tfp_sweep_run(&sweep, 0, trace->device_events);
	tfp_sweep_end(&sweep);
	free(place);
	free(above);
	return done;
}

bool tfp_behind_nodes(struct tfp_work *work)
{
	const struct tfp_profile *profile = work->build.profile;
	struct tfp_behind behind;
	struct summing summing = {work, &behind, profile->trace};
	bool done;

	work->of_events =
		tfp_alloc_zero((size_t)profile->nodes.count + 1, TFP_TRACE_FLOPS * sizeof(int64_t));
	tfp_behind_start(&behind, work);
	done = tfp_behind_each(&behind, work, add_event, &summing) && unite(&summing);
	if (done)
		take_nested(&summing);
	for (uint32_t node = 0; done && node < profile->nodes.count; node++)
		if (work->of_events[(size_t)node * TFP_TRACE_FLOPS + TFP_TRACE_RUNS])
			*tfp_array_push(&work->nodes) = node;
	tfp_behind_end(&behind);
	return done;
}
