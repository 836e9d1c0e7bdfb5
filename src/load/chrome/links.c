/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What launched a device event, and what op it counts for: the op with its "External id"; where ids are not those of ops, or
 * none is there, the innermost op around the call that launched it, else that call.
 */
#include <stdlib.h>
#include <string.h>

#include "load/chrome/chrome.h"

#define DEEPEST 1000 /* calls in calls that are looked through for an op */
#define ENDED   1000 /* events that have ended that one is looked for around */

uint32_t chrome_around(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time,
		       uint32_t *hint)
{
	uint32_t after, event, end = lane->first + lane->count;

	if (*hint >= lane->first && *hint < end && tfp_trace_start(trace, *hint) <= time)
		after = tfp_trace_after_from(trace, *hint, end, time);
	else
		after = tfp_trace_after(trace, lane, time);
	*hint = event = after > lane->first ? after - 1 : TFP_NONE;
	for (uint32_t depth = 0; depth < ENDED && event != TFP_NONE; depth++) {
		if (tfp_trace_end(trace, event) >= time)
			return event;
		event = tfp_trace_link(trace, event);
	}
	return TFP_NONE;
}

/* Of old files the id of a kernel is that of its launch, and meets the ids of ops by accident only. */
static bool has_op_ids(const struct chrome *chrome)
{
	size_t equal = 0;

	for (size_t i = 0; i < chrome->device_events.count; i++)
		equal += chrome->device_events.at[i].external != NO_ID &&
			 chrome->device_events.at[i].external ==
				 chrome->device_events.at[i].correlation;
	return equal * 2 < chrome->device_events.count || !equal;
}

void chrome_find_launches(struct chrome *chrome)
{
	size_t correlated = 0, identified = 0;

	numbered_sort(chrome->launches.at, chrome->launches.count);
	numbered_sort(chrome->unnumbered.at, chrome->unnumbered.count);
	for (size_t i = 0; i < chrome->device_events.count; i++) {
		const struct device_event *event = &chrome->device_events.at[i];
		uint32_t launch = tfp_trace_link(chrome->trace, event->event);

		if (event->correlation != NO_ID)
			launch = numbered_find(chrome->launches.at, chrome->launches.count,
					       event->correlation, &correlated);
		if (launch == TFP_NONE && event->external != NO_ID)
			launch = numbered_find(chrome->unnumbered.at, chrome->unnumbered.count,
					       event->external, &identified);
		tfp_trace_set_link(chrome->trace, event->event, launch);
	}
	tfp_array_free(&chrome->launches);
	tfp_array_free(&chrome->unnumbered);
}

/* ---- order --------------------------------------------------------------------------------------- */

uint32_t chrome_equal_end(const struct tfp_trace *trace, uint32_t first, uint32_t lane_end)
{
	uint32_t end = first + 1;

	while (end < lane_end && tfp_trace_start(trace, end) == tfp_trace_start(trace, first) &&
	       tfp_trace_duration(trace, end) == tfp_trace_duration(trace, first))
		end++;
	return end;
}

/* The id of the op that is kept of EVENT; NO_ID: it is none. */
static uint32_t id_of(const struct chrome *chrome, uint32_t event)
{
	uint32_t place = tfp_trace_work_of(chrome->trace, event);

	return place == TFP_NONE ? NO_ID : chrome->ops.at[place].external;
}

static void swap_events(struct tfp_trace *trace, uint32_t a, uint32_t b)
{
	uint32_t node = tfp_trace_node(trace, a), work = tfp_trace_work_of(trace, a);

	tfp_trace_set_node(trace, a, tfp_trace_node(trace, b));
	tfp_trace_set_work(trace, a, tfp_trace_work_of(trace, b));
	tfp_trace_set_node(trace, b, node);
	tfp_trace_set_work(trace, b, work);
}

/* Those from FIRST to END, which are of one time. */
static void settle_run(struct chrome *chrome, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		if (id_of(chrome, i) == NO_ID)
			return;
	for (uint32_t i = first + 1; i < end; i++)
		for (uint32_t k = i; k > first && id_of(chrome, k - 1) > id_of(chrome, k); k--)
			swap_events(chrome->trace, k - 1, k);
}

static void settle_lane(struct chrome *chrome, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = chrome->trace;
	uint32_t lane_end = lane->first + lane->count;

	for (uint32_t first = lane->first, end; first < lane_end; first = end) {
		end = chrome_equal_end(trace, first, lane_end);
		if (end - first > 1 && end - first <= MOST_EQUAL)
			settle_run(chrome, first, end);
	}
}

/* An op that is around another got its id before it. */
void chrome_settle_order(struct chrome *chrome)
{
	if (chrome->indexed || !chrome->torch)
		return;
	for (uint32_t i = chrome->first_lane; i < chrome->trace->lanes.count; i++)
		if (chrome->trace->lanes.at[i].kind == TFP_LANE_HOST)
			settle_lane(chrome, &chrome->trace->lanes.at[i]);
}

/* ---- ids ----------------------------------------------------------------------------------------- */

/* The ids that device events have, in order, each with the first op that has it: there are fewer of them than ops. */
struct owners {
	TFP_ARRAY(struct numbered) of; /* those of one id have it at the first */
	size_t hint;
};

static void want_all(const struct chrome *chrome, struct owners *owners)
{
	if (!has_op_ids(chrome))
		return;
	for (size_t i = 0; i < chrome->device_events.count; i++)
		if (chrome->device_events.at[i].external != NO_ID)
			*tfp_array_push(&owners->of) =
				(struct numbered){chrome->device_events.at[i].external, TFP_NONE};
	numbered_sort(owners->of.at, owners->of.count);
}

/* The op EVENT has the id ID: it is the owner of what has it, if it is the first. */
static void offer(struct owners *owners, uint32_t id, uint32_t event)
{
	struct numbered *of = owners->of.at;
	size_t place = numbered_place(of, owners->of.count, id, owners->hint);

	if (place < owners->of.count && of[place].number == id && of[place].event > event)
		of[place].event = event;
	owners->hint = place;
}

static void find_places(struct chrome *chrome, const struct tfp_lane *lane, struct owners *owners)
{
	const struct tfp_trace *trace = chrome->trace;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		if (lane->kind == TFP_LANE_DEVICE)
			chrome->device_events.at[tfp_trace_node(trace, i)].event = i;
		else if (tfp_trace_work_of(trace, i) == TFP_NONE)
			continue;
		else if (lane->kind == TFP_LANE_HOST)
			offer(owners, chrome->ops.at[tfp_trace_work_of(trace, i)].external, i);
		else
			chrome->memory.at[tfp_trace_work_of(trace, i)].event = i;
	}
}

void chrome_link(struct chrome *chrome)
{
	struct owners owners = {0};

	want_all(chrome, &owners);
	for (uint32_t i = chrome->first_lane; i < chrome->trace->lanes.count; i++)
		find_places(chrome, &chrome->trace->lanes.at[i], &owners);
	owners.hint = 0;
	for (size_t i = 0; i < chrome->device_events.count && owners.of.count; i++) {
		struct device_event *event = &chrome->device_events.at[i];

		if (event->external != NO_ID)
			event->owner = numbered_find(owners.of.at, owners.of.count, event->external,
						     &owners.hint);
	}
	tfp_array_free(&owners.of);
}

/* ---- owners -------------------------------------------------------------------------------------- */

/* The innermost op or annotation that the call EVENT is in, or is itself; else EVENT. DEEP counts those that are given up. */
static uint32_t op_around(const struct chrome *chrome, uint32_t event, uint64_t *deep)
{
	const struct tfp_trace *trace = chrome->trace;
	uint32_t at = event;

	for (uint32_t depth = 0; at != TFP_NONE && depth < DEEPEST;
	     at = tfp_trace_link(trace, at), depth++) {
		uint32_t node = tfp_trace_node(trace, at);

		if (node < chrome->node_kind.count && chrome->node_kind.at[node] != KIND_CALL)
			return at;
	}
	*deep += at != TFP_NONE;
	return event;
}

static tfp_str join(struct chrome *chrome, const char *above, tfp_str name)
{
	struct tfp_strings *strings = chrome->profile->strings;
	struct tfp_span below = tfp_strings_get(strings, name);
	size_t size = strlen(above);

	tfp_array_reserve(&chrome->room, size + below.size + 1);
	memcpy(chrome->room.at, above, size);
	chrome->room.at[size] = '/';
	memcpy(chrome->room.at + size + 1, below.at, below.size);
	return tfp_strings_add(strings, chrome->room.at, size + 1 + below.size);
}

/*
 * What no op of the file owns stands by the path that the file gives and the stack of the call that launched it, else, a
 * node for each name, below a common one.
 */
static uint32_t node_of_unowned(struct chrome *chrome, struct chrome_parts *parts,
				const struct device_event *event)
{
	struct tfp_profile *profile = chrome->profile;
	const struct site *site = &chrome->sites.at[event->site];
	struct chrome_node wanted = {.name = site->part,
				     .op = site->op,
				     .signature = site->signature,
				     .stack = site->stack,
				     .flops = site->flops > 0 ? site->flops : 0};
	uint32_t launch = tfp_trace_link(chrome->trace, event->event);
	uint32_t node = launch == TFP_NONE ? TFP_NONE : tfp_trace_node(chrome->trace, launch);

	if (site->path)
		wanted.name =
			join(chrome, tfp_strings_text(profile->strings, site->path), site->part);
	else if (chrome->torch)
		wanted.name = join(chrome, "no operation found", site->part);
	if (wanted.stack == TFP_NONE && node < parts->stack.count)
		wanted.stack = parts->stack.at[node];
	node = chrome_node(profile, parts, chrome->node_table, &wanted);
	if (!site->path && chrome->torch)
		profile->nodes.flags[node] |= TFP_NODE_UNOWNED;
	return node;
}

void chrome_own(struct chrome *chrome, struct chrome_parts *parts)
{
	struct tfp_trace *trace = chrome->trace;
	uint64_t early = 0, hasty = 0, deep = 0;

	for (size_t i = 0; i < chrome->device_events.count; i++) {
		struct device_event *event = &chrome->device_events.at[i];
		uint32_t launch = tfp_trace_link(trace, event->event);

		if (event->owner == TFP_NONE && launch != TFP_NONE && chrome->torch)
			event->owner = op_around(chrome, launch, &deep);
		if (launch == TFP_NONE)
			tfp_trace_set_link(trace, event->event, event->owner);
		else
			hasty += tfp_trace_start(trace, event->event) <
				 tfp_trace_start(trace, launch);
		early += event->owner == TFP_NONE && chrome->torch;
		if (event->owner == TFP_NONE) {
			tfp_trace_set_node(trace, event->event,
					   node_of_unowned(chrome, parts, event));
			continue;
		}
		tfp_trace_set_node(trace, event->event, tfp_trace_node(trace, event->owner));
		*tfp_array_push(&parts->owned) = (struct owned){event->event, event->owner};
	}
	if (hasty)
		tfp_diag_add(
			chrome->diag, TFP_WARNING, chrome->source->path, -1, 0,
			"device events that start before they were launched, because clocks differ: %llu",
			(unsigned long long)hasty);
	if (deep)
		tfp_diag_add(
			chrome->diag, TFP_WARNING, chrome->source->path, -1, 0,
			"device events whose launch is in more than %d calls, beyond which no op is looked for: %llu",
			DEEPEST, (unsigned long long)deep);
	if (early)
		tfp_diag_add(
			chrome->diag, TFP_NOTE, chrome->source->path, -1, 0,
			"events of GPUs that have no launch in the file, maybe because they were launched before it begins: %llu",
			(unsigned long long)early);
}
