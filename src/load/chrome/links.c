/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What launched a device event, and what op it counts for: the op with its "External id"; where ids are not those of ops, or
 * none is there, the innermost op around the call that launched it, else that call.
 */
#include <string.h>

#include "load/chrome/chrome.h"

/* Of old files the id of a kernel is that of its launch, and meets the ids of ops by accident only. */
static bool has_op_ids(const struct chrome *chrome)
{
	size_t equal = 0;

	for (size_t i = 0; i < chrome->device_events.count; i++)
		equal += chrome->device_events.at[i].external >= 0 &&
			 chrome->device_events.at[i].external ==
				 chrome->device_events.at[i].correlation;
	return equal * 2 < chrome->device_events.count || !equal;
}

static void find_launches(struct chrome *chrome, const uint32_t *places)
{
	for (size_t i = 0; i < chrome->device_events.count; i++) {
		struct device_event *event = &chrome->device_events.at[i];
		uint32_t launch = TFP_NONE;

		event->event = places[event->event];
		if (event->correlation >= 0)
			launch = tfp_idmap_get(&chrome->launches, (uint64_t)event->correlation);
		if (launch != TFP_NONE)
			chrome->trace->link[event->event] = places[launch];
	}
}

/* Looks for the ids that device events have, not for those of all ops, which are many more. */
static void find_ops(struct chrome *chrome)
{
	struct tfp_idmap wanted = {0};
	TFP_ARRAY(uint32_t) owners = {0};

	for (size_t i = 0; i < chrome->device_events.count; i++) {
		int64_t id = chrome->device_events.at[i].external;

		if (id >= 0 &&
		    tfp_idmap_add(&wanted, (uint64_t)id, (uint32_t)owners.count) == owners.count)
			*tfp_array_push(&owners) = TFP_NONE;
	}
	for (size_t i = 0; i < chrome->ops.count && owners.count; i++) {
		uint32_t place = tfp_idmap_get(&wanted, chrome->ops.at[i].external);

		if (place != TFP_NONE && owners.at[place] == TFP_NONE)
			owners.at[place] = chrome->ops.at[i].event;
	}
	for (size_t i = 0; i < chrome->device_events.count; i++) {
		struct device_event *event = &chrome->device_events.at[i];

		if (event->external >= 0)
			event->owner = owners.at[tfp_idmap_get(&wanted, (uint64_t)event->external)];
	}
	tfp_array_free(&owners);
	tfp_idmap_free(&wanted);
}

void chrome_link(struct chrome *chrome, const uint32_t *places)
{
	for (size_t i = 0; i < chrome->ops.count; i++)
		chrome->ops.at[i].event = places[chrome->ops.at[i].event];
	find_launches(chrome, places);
	if (has_op_ids(chrome))
		find_ops(chrome);
}

/* ---- owners -------------------------------------------------------------------------------------- */

/* The innermost op or annotation around EVENT, else EVENT itself. */
static uint32_t op_around(const struct chrome *chrome, uint32_t event)
{
	const struct tfp_trace *trace = chrome->trace;

	for (uint32_t at = trace->link[event]; at != TFP_NONE; at = trace->link[at])
		if (trace->node[at] < chrome->node_class.count &&
		    chrome->node_class.at[trace->node[at]] != CLASS_CALL)
			return at;
	return event;
}

/* One node for each work whose op is not known, below a common name. */
static uint32_t node_of_unowned(struct chrome *chrome, struct chrome_parts *parts, uint32_t work)
{
	struct tfp_profile *profile = chrome->profile;
	struct tfp_span title =
		tfp_strings_get(profile->strings, chrome->trace->works.at[work].name);
	struct chrome_node wanted = {.op = chrome->trace->works.at[work].name, .stack = TFP_NONE};
	static const char above[] = "no operation found/";
	uint32_t node;

	chrome->room.count = 0;
	tfp_array_reserve(&chrome->room, sizeof(above) + title.size);
	memcpy(chrome->room.at, above, sizeof(above) - 1);
	memcpy(chrome->room.at + sizeof(above) - 1, title.at, title.size);
	wanted.name =
		tfp_strings_add(profile->strings, chrome->room.at, sizeof(above) - 1 + title.size);
	node = chrome_node(profile, parts, chrome->node_table, &wanted);
	profile->nodes.flags[node] |= TFP_NODE_UNOWNED;
	return node;
}

void chrome_own(struct chrome *chrome, struct chrome_parts *parts)
{
	struct tfp_trace *trace = chrome->trace;
	uint64_t early = 0;

	for (size_t i = 0; i < chrome->device_events.count; i++) {
		struct device_event *event = &chrome->device_events.at[i];
		uint32_t launch = trace->link[event->event];

		if (event->owner == TFP_NONE && launch != TFP_NONE)
			event->owner = op_around(chrome, launch);
		if (launch == TFP_NONE)
			trace->link[event->event] = event->owner;
		early += event->owner == TFP_NONE;
		if (event->owner == TFP_NONE) {
			trace->node[event->event] =
				node_of_unowned(chrome, parts, trace->work[event->event]);
			continue;
		}
		trace->node[event->event] = trace->node[event->owner];
		*tfp_array_push(&parts->owned) = (struct owned){event->event, event->owner};
	}
	if (early)
		tfp_diag_add(
			chrome->diag, TFP_NOTE, chrome->source->path, -1, 0,
			"%llu events of GPUs have no launch in the file: they may have been launched before it begins",
			(unsigned long long)early);
}
