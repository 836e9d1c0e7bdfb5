/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking the events of a host thread: see hostwalk.h. Events nest, so that what is innermost changes
 * only where one begins or ends.
 */
#include "view/trace/hostwalk.h"

#include <string.h>

uint32_t *tfp_lanes_python(const struct tfp_trace *trace)
{
	size_t count = trace->lanes.count;
	uint32_t *python = tfp_realloc_array(NULL, count + 1, sizeof(*python));

	memset(python, 0xff, (count + 1) * sizeof(*python));
	for (size_t i = count; i-- > 0;)
		if (trace->lanes.at[i].kind == TFP_LANE_PYTHON && trace->lanes.at[i].thread < count)
			python[trace->lanes.at[i].thread] = (uint32_t)i;
	return python;
}

/* ---- one lane ------------------------------------------------------------------------------ */

/* What has ended by TIME gives way to what is around it. */
static void settle(struct tfp_lane_walk *lane, const struct tfp_trace *trace, int64_t time)
{
	while (lane->next < lane->end && tfp_trace_start(trace, lane->next) <= time)
		lane->top = lane->next++;
	while (lane->top != TFP_NONE && tfp_trace_end(trace, lane->top) <= time)
		lane->top = tfp_trace_link(trace, lane->top);
}

static void start(struct tfp_lane_walk *lane, const struct tfp_trace *trace, uint32_t index,
		  int64_t time)
{
	const struct tfp_lane *of = &trace->lanes.at[index];

	lane->next = tfp_trace_after(trace, of, time);
	lane->end = of->first + of->count;
	lane->top = lane->next > of->first ? lane->next - 1 : TFP_NONE;
	settle(lane, trace, time);
}

static int64_t until(const struct tfp_lane_walk *lane, const struct tfp_trace *trace, int64_t limit)
{
	if (lane->top != TFP_NONE && tfp_trace_end(trace, lane->top) < limit)
		limit = tfp_trace_end(trace, lane->top);
	if (lane->next < lane->end && tfp_trace_start(trace, lane->next) < limit)
		limit = tfp_trace_start(trace, lane->next);
	return limit;
}

/* ---- a thread ------------------------------------------------------------------------------ */

void tfp_host_walk_start(struct tfp_host_walk *walk, const struct tfp_trace *trace, uint32_t lane,
			 uint32_t python, int64_t time)
{
	*walk = (struct tfp_host_walk){.trace = trace, .count = 1, .now = time};
	start(&walk->lane[0], trace, lane, time);
	if (python != TFP_NONE)
		start(&walk->lane[walk->count++], trace, python, time);
}

/* Of two that are open the one that began last is inside the other. */
uint32_t tfp_host_walk_top(const struct tfp_host_walk *walk)
{
	uint32_t top = walk->lane[0].top, python = walk->count > 1 ? walk->lane[1].top : TFP_NONE;

	if (top == TFP_NONE || python == TFP_NONE)
		return top == TFP_NONE ? python : top;
	return tfp_trace_start(walk->trace, python) > tfp_trace_start(walk->trace, top) ? python
											: top;
}

void tfp_host_walk_on(struct tfp_host_walk *walk, int64_t limit)
{
	for (size_t i = 0; i < walk->count; i++)
		limit = until(&walk->lane[i], walk->trace, limit);
	for (size_t i = 0; i < walk->count; i++)
		settle(&walk->lane[i], walk->trace, limit);
	walk->now = limit;
}

/* ---- stacks -------------------------------------------------------------------------------- */

size_t tfp_host_stack(const struct tfp_trace *trace, uint32_t event, uint32_t python,
		      uint32_t out[TFP_STACK_MOST])
{
	uint32_t frames[TFP_STACK_MOST], call = TFP_NONE;
	size_t count = 0;

	if (python != TFP_NONE) {
		struct tfp_lane_walk lane;

		start(&lane, trace, python, tfp_trace_start(trace, event));
		call = lane.top;
	}
	while ((event != TFP_NONE || call != TFP_NONE) && count < TFP_STACK_MOST) {
		bool inner = call != TFP_NONE &&
			     (event == TFP_NONE ||
			      tfp_trace_start(trace, call) > tfp_trace_start(trace, event));
		uint32_t *from = inner ? &call : &event;

		frames[count++] = *from;
		*from = tfp_trace_link(trace, *from);
	}
	for (size_t i = 0; i < count; i++)
		out[i] = frames[count - 1 - i];
	return count;
}

tfp_str tfp_node_label(const struct tfp_profile *profile, uint32_t node)
{
	if (profile->nodes.flags[node] & TFP_NODE_UNSCOPED || !profile->nodes.op[node])
		return profile->nodes.name[node];
	return profile->nodes.op[node];
}

tfp_str tfp_event_label(const struct tfp_profile *profile, uint32_t event)
{
	uint32_t node = tfp_trace_node(profile->trace, event);

	return node == TFP_NONE ? 0 : tfp_node_label(profile, node);
}
