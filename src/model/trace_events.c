/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The columns of a trace's events. A duration has half the room of a time, since nearly all are short; works begin with
 * the first event that has one; and a lane is known by where its events lie, once they lie together.
 */
#include <string.h>

#include "model/tracing.h"

/* ---- room ------------------------------------------------------------------------------------- */

static void resize(struct tfp_trace *trace, size_t room)
{
	tfp_trace_resize_starts(trace, trace->room, room);
	trace->span = tfp_realloc_array(trace->span, room, sizeof(*trace->span));
	tfp_near_resize(&trace->node, room);
	tfp_near_resize(&trace->link, room);
	tfp_near_resize(&trace->work, room);
	if (trace->lanes_of)
		trace->lanes_of =
			tfp_realloc_array(trace->lanes_of, room, sizeof(*trace->lanes_of));
	trace->room = (uint32_t)room;
}

void tfp_trace_reserve(struct tfp_trace *trace, uint32_t count)
{
	size_t room = (size_t)trace->count + count;

	if (room > TFP_NONE)
		room = TFP_NONE;
	if (room > trace->room)
		resize(trace, room);
}

static void grow(struct tfp_trace *trace)
{
	size_t room = (size_t)trace->room + trace->room / 4 + 256;

	resize(trace, room < TFP_NONE ? room : TFP_NONE);
}

/* ---- durations -------------------------------------------------------------------------------- */

/* So many long ones that they can't be numbered take more memory than there is. */
void tfp_trace_set_duration(struct tfp_trace *trace, uint32_t event, int64_t duration)
{
	uint32_t *span = &trace->span[event];

	if (duration < (int64_t)TFP_SPAN_LONG) {
		*span = (uint32_t)duration;
	} else if (*span & TFP_SPAN_LONG) {
		trace->longs.at[*span & ~TFP_SPAN_LONG] = duration;
	} else if (trace->longs.count < TFP_SPAN_LONG) {
		*span = TFP_SPAN_LONG | (uint32_t)trace->longs.count;
		*tfp_array_push(&trace->longs) = duration;
	} else {
		*span = TFP_SPAN_LONG - 1;
	}
}

/* ---- works ------------------------------------------------------------------------------------ */

void tfp_trace_set_work(struct tfp_trace *trace, uint32_t event, uint32_t work)
{
	tfp_near_set(&trace->work, event, work);
}

void tfp_trace_clear_works(struct tfp_trace *trace, const struct tfp_lane *lane)
{
	tfp_near_clear(&trace->work, lane->first, lane->count);
}

/* ---- runs ------------------------------------------------------------------------------------- */

void tfp_trace_join(struct tfp_trace *trace, uint32_t event)
{
	while (trace->joined.count <= event / 64)
		*tfp_array_push(&trace->joined) = 0;
	trace->joined.at[event / 64] |= UINT64_C(1) << event % 64;
}

void tfp_trace_begin_run(struct tfp_trace *trace, uint32_t event)
{
	trace->joined.at[event / 64] &= ~(UINT64_C(1) << event % 64);
}

/* By loop the first of its pieces; others of one start may come before the one that was added first. */
static void find_first(struct tfp_near *first, const struct tfp_trace_piece *piece)
{
	uint32_t known = tfp_near_get(first, piece->loop);

	if (known == TFP_NONE || piece->event < known)
		tfp_near_set(first, piece->loop, piece->event);
}

void tfp_trace_join_pieces(struct tfp_trace *trace, const struct tfp_trace_piece *pieces,
			   size_t count)
{
	struct tfp_near first = {0};

	if (!count)
		return;
	tfp_near_resize(&first, trace->room);
	tfp_near_resize(&trace->loop, trace->room);
	for (size_t i = 0; i < count; i++) {
		tfp_near_set(&trace->loop, pieces[i].event, pieces[i].loop);
		find_first(&first, &pieces[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (tfp_near_get(&first, pieces[i].loop) != pieces[i].event)
			tfp_trace_join(trace, pieces[i].event);
	tfp_near_free(&first);
}

/* ---- lanes ------------------------------------------------------------------------------------ */

uint32_t tfp_trace_find_lane(const struct tfp_trace *trace, uint32_t event)
{
	size_t page = event >> TFP_LANE_PAGE_BITS;
	uint32_t low = 0, high = trace->lanes_of ? trace->settled_lanes - 1 : trace->last_lane;

	if (page + 1 < trace->lane_pages.count) {
		low = trace->lane_pages.at[page];
		high = trace->lane_pages.at[page + 1];
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct tfp_lane *lane = &trace->lanes.at[middle];

		if (lane->first + lane->count <= event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The lanes from FIRST to END by event: those of a lane are not to lie together any more. */
static void spread_lanes(struct tfp_trace *trace, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		for (uint32_t j = 0; j < lane->count; j++)
			trace->lanes_of[lane->first + j] = i;
	}
}

/* All is to be put in order anew. */
static void unsettle(struct tfp_trace *trace)
{
	uint32_t lanes = trace->settled_lanes;

	trace->settled = trace->settled_lanes = 0;
	if (trace->lanes_of)
		spread_lanes(trace, 0, lanes);
}

void tfp_trace_set_lane(struct tfp_trace *trace, uint32_t event, uint32_t lane)
{
	if (event < trace->settled || lane < trace->settled_lanes)
		unsettle(trace);
	if (!trace->lanes_of) {
		trace->lanes_of = tfp_realloc_array(NULL, trace->room, sizeof(*trace->lanes_of));
		spread_lanes(trace, trace->settled_lanes, trace->last_lane + 1);
	}
	trace->lanes_of[event] = lane;
}

/* EVENT, which is new, is the last one of LANE. */
static void put_last(struct tfp_trace *trace, uint32_t event, uint32_t lane)
{
	/* the lane behind the last one that has events; TFP_NONE, that none has, is before the first */
	uint32_t next = trace->last_lane + 1;

	if (trace->lanes_of || lane + 1 < next) {
		tfp_trace_set_lane(trace, event, lane);
		return;
	}
	trace->lane_pages.count = 0;
	for (; next <= lane; next++) {
		trace->lanes.at[next].first = event;
		trace->lanes.at[next].count = 0;
	}
	trace->last_lane = lane;
	trace->lanes.at[lane].count++;
}

/* ---- adding ----------------------------------------------------------------------------------- */

uint32_t tfp_trace_add(struct tfp_trace *trace, uint32_t lane, int64_t start, int64_t duration,
		       uint32_t tag, uint32_t work, uint32_t link)
{
	uint32_t event = trace->count;

	if (event == trace->room)
		grow(trace);
	if (duration < 0)
		duration = 0;
	if (start > 0 && duration > INT64_MAX - start)
		duration = INT64_MAX - start;
	put_last(trace, event, lane);
	trace->count++;
	tfp_trace_add_start(trace, event, start);
	trace->span[event] = 0;
	if (duration < (int64_t)TFP_SPAN_LONG)
		trace->span[event] = (uint32_t)duration;
	else
		tfp_trace_set_duration(trace, event, duration);
	tfp_trace_set_node(trace, event, tag);
	/* of what has none nothing is written, so that where none has one it takes no memory */
	if (work != TFP_NONE)
		tfp_trace_set_work(trace, event, work);
	if (link != TFP_NONE)
		tfp_trace_set_link(trace, event, link);
	return event;
}
