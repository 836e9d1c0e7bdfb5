/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and calls of chips: which events of a file may be such, and what their pieces count for. See load/loops.h. */
#include <stdlib.h>

#include "load/chrome/chrome.h"

/* That for what the events of SITE take between others, which have what operations the file counts for it. */
static uint32_t site_between(struct chrome *chrome, uint32_t site)
{
	struct tfp_strings *strings = chrome->profile->strings;
	struct site between = chrome->sites.at[site];
	char name[512];

	if (between.between != TFP_NONE)
		return between.between;
	snprintf(name, sizeof(name), "%s, between its ops",
		 tfp_strings_text(strings, between.title));
	between.title = tfp_strings_add_text(strings, name);
	between.bytes = 0;
	between.flops = chrome->sites.at[site].flops = 0;
	chrome->sites.at[site].between = (uint32_t)chrome->sites.count;
	*tfp_array_push(&chrome->sites) = between;
	return (uint32_t)chrome->sites.count - 1;
}

/* Works are known later. */
static void between(void *data, uint32_t loop, uint32_t *tag, uint32_t *work)
{
	struct chrome *chrome = data;

	*tag = site_between(chrome, tfp_trace_node(chrome->trace, loop));
	*work = TFP_NONE;
}

static bool named(void *data, uint32_t event)
{
	const struct chrome *chrome = data;
	tfp_str op = chrome->sites.at[tfp_trace_node(chrome->trace, event)].op;

	return tfp_loop_named(tfp_strings_get(chrome->profile->strings, op));
}

/* Events of lanes that NESTS says, by lane: behind those of lane I are those of the next, from END[I] on. */
static uint32_t *list_events(const struct chrome *chrome, const bool *nests, uint32_t *end)
{
	const struct tfp_trace *trace = chrome->trace;
	uint32_t lanes = (uint32_t)trace->lanes.count, count = 0, *list;

	for (uint32_t i = chrome->first_event; i < trace->count; i++)
		if (nests[tfp_trace_lane(trace, i)])
			end[tfp_trace_lane(trace, i)]++;
	for (uint32_t lane = 0; lane < lanes; lane++) {
		uint32_t of_lane = end[lane];

		end[lane] = count;
		count += of_lane;
	}
	list = tfp_realloc_array(NULL, count, sizeof(*list));
	for (uint32_t i = chrome->first_event; i < trace->count; i++)
		if (nests[tfp_trace_lane(trace, i)])
			list[end[tfp_trace_lane(trace, i)]++] = i;
	return list;
}

void chrome_set_loops_apart(struct chrome *chrome, const bool *nests)
{
	uint32_t lanes = (uint32_t)chrome->trace->lanes.count, first = 0;
	uint32_t *end = tfp_alloc_zero(lanes, sizeof(*end));
	uint32_t *list = list_events(chrome, nests, end);

	chrome->loops.profile = chrome->profile;
	chrome->loops.between = between;
	chrome->loops.named = named;
	chrome->loops.data = chrome;
	for (uint32_t lane = 0; lane < lanes; first = end[lane++])
		if (nests[lane])
			tfp_loops_set_apart(&chrome->loops, lane, list + first, 0,
					    end[lane] - first);
	tfp_array_release(list);
	tfp_array_release(end);
}
