/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flows: arrows from what launched something to that. PyTorch's say again what its numbers say; of other programs', and of
 * PyTorch's first profiler, they are all that links a kernel to its launch.
 */
#include <stdlib.h>

#include "load/chrome/chrome.h"

#define MOST_BACK 2048 /* ends of arrows to backward ops */

static bool is_known_otherwise(struct tfp_span category)
{
	return tfp_span_equal(category, TFP_SPAN("ac2g")) ||
	       tfp_span_equal(category, TFP_SPAN("async_cpu_to_gpu"));
}

static bool leads_back(struct tfp_span category)
{
	return tfp_span_equal(category, TFP_SPAN("fwdbwd")) ||
	       tfp_span_equal(category, TFP_SPAN("forward_backward"));
}

static struct flow make_flow(struct chrome *chrome, uint64_t key, int64_t time, bool head)
{
	const struct record *record = &chrome->record;

	return (struct flow){
		.key = key,
		.process = chrome_number_of(chrome, FIELD_PROCESS),
		.thread = chrome_number_of(chrome, FIELD_THREAD),
		.time = time,
		.head = head,
		.around = record_is_text(record, FIELD_BINDING) &&
			  tfp_span_equal(record->text[FIELD_BINDING], TFP_SPAN("e")),
	};
}

static void add_flow(struct chrome *chrome, uint64_t key, int64_t time, bool head)
{
	*tfp_array_push(&chrome->flows) = make_flow(chrome, key, time, head);
}

/* Leaves every other number of those that are kept. */
static void thin_out(struct chrome *chrome)
{
	size_t kept = 0;

	chrome->back_stride *= 2;
	for (size_t i = 0; i < chrome->back.count; i++)
		if (chrome->back.at[i].key % chrome->back_stride == 0)
			chrome->back.at[kept++] = chrome->back.at[i];
	chrome->back.count = kept;
}

/* From a forward op to its backward op. They tell threads apart, for which some of many do. */
static void take_back(struct chrome *chrome, int64_t time, bool head)
{
	uint64_t key = (uint64_t)record_number(&chrome->record, FIELD_ID, -1);

	if (key % chrome->back_stride)
		return;
	*tfp_array_push(&chrome->back) = make_flow(chrome, key, time, head);
	if (chrome->back.count == MOST_BACK)
		thin_out(chrome);
}

void chrome_take_flow(struct chrome *chrome)
{
	const struct record *record = &chrome->record;
	int64_t time;
	bool head;

	if (record_is_text(record, FIELD_CATEGORY) &&
	    is_known_otherwise(record->text[FIELD_CATEGORY]))
		return;
	time = chrome_time(chrome);
	if (time == CHROME_NO_TIME)
		return;
	head = *record->text[FIELD_PHASE].at != 's';
	if (record_is_text(record, FIELD_CATEGORY) && leads_back(record->text[FIELD_CATEGORY]))
		take_back(chrome, time, head);
	else
		add_flow(chrome, chrome_flow_key(chrome), time, head);
}

static bool is_true(const struct record *record, enum field field)
{
	return tfp_span_equal(record_raw(record, field), TFP_SPAN("true"));
}

void chrome_take_bound(struct chrome *chrome)
{
	int64_t time = record_number(&chrome->record, FIELD_TIME, CHROME_NO_TIME);

	if (!record_has(&chrome->record, FIELD_BOUND) || time == CHROME_NO_TIME)
		return;
	if (is_true(&chrome->record, FIELD_FLOW_OUT))
		add_flow(chrome, chrome_bound_key(chrome), time, false);
	if (is_true(&chrome->record, FIELD_FLOW_IN))
		add_flow(chrome, chrome_bound_key(chrome), time, true);
}

/* ---- ends ---------------------------------------------------------------------------------------- */

/* What the arrow leads to: what begins there or next, or is around it. TFP_NONE. */
static uint32_t target_of(const struct tfp_trace *trace, const struct tfp_lane *lane,
			  const struct flow *flow)
{
	uint32_t before =
		flow->time > INT64_MIN ? tfp_trace_after(trace, lane, flow->time - 1) : lane->first;
	uint32_t end = lane->first + lane->count;

	if (before < end && (!flow->around || tfp_trace_start(trace, before) == flow->time))
		return before;
	if (flow->around && before > lane->first && tfp_trace_end(trace, before - 1) >= flow->time)
		return before - 1;
	return TFP_NONE;
}

static int compare(const void *left, const void *right)
{
	const struct flow *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->head - b->head;
}

/* Links what FLOW leads to, where that is on a device, to what the arrow FROM comes from. */
static void follow(struct chrome *chrome, const struct flow *from, const struct flow *flow)
{
	struct tfp_trace *trace = chrome->trace;
	uint32_t host = chrome_lane(chrome, from->process, from->thread, TFP_LANE_HOST);
	uint32_t device = chrome_lane(chrome, flow->process, flow->thread, TFP_LANE_DEVICE);
	uint32_t event, hint = TFP_NONE;

	if (host == TFP_NONE || device == TFP_NONE)
		return;
	event = target_of(trace, &trace->lanes.at[device], flow);
	if (event != TFP_NONE && tfp_trace_link(trace, event) == TFP_NONE)
		tfp_trace_set_link(trace, event,
				   chrome_around(trace, &trace->lanes.at[host], from->time, &hint));
}

void chrome_follow_flows(struct chrome *chrome)
{
	const struct flow *from = NULL;

	if (!chrome->flows.count || !chrome->device_events.count)
		return;
	qsort(chrome->flows.at, chrome->flows.count, sizeof(*chrome->flows.at), compare);
	for (size_t i = 0; i < chrome->flows.count; i++) {
		const struct flow *flow = &chrome->flows.at[i];

		if (!flow->head)
			from = flow;
		else if (from && from->key == flow->key)
			follow(chrome, from, flow);
	}
}

size_t chrome_backward_arrows(struct chrome *chrome, struct backward_arrow *arrows)
{
	const struct tfp_trace *trace = chrome->trace;
	const struct flow *from = NULL;
	size_t count = 0;

	qsort(chrome->back.at, chrome->back.count, sizeof(*chrome->back.at), compare);
	for (size_t i = 0; i < chrome->back.count; i++) {
		const struct flow *flow = &chrome->back.at[i];
		uint32_t forward, backward, event;

		if (!flow->head)
			from = flow;
		if (!flow->head || !from || from->key != flow->key)
			continue;
		forward = chrome_lane(chrome, from->process, from->thread, TFP_LANE_HOST);
		backward = chrome_lane(chrome, flow->process, flow->thread, TFP_LANE_HOST);
		event = forward == TFP_NONE || backward == TFP_NONE
				? TFP_NONE
				: target_of(trace, &trace->lanes.at[backward], flow);
		if (event != TFP_NONE)
			arrows[count++] = (struct backward_arrow){event, forward};
	}
	return count;
}
