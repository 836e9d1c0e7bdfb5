/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a trace's events, by lane, start and length, and how those of a lane nest. Files have
 * their events nearly in order, so pieces that are in order already are not merged again; whatever a file
 * holds, the sort takes time n log n.
 */
#include <string.h>

#include "model/tracing.h"

#define PIECE 24 /* events that are sorted by insertion */

struct sorter {
	const struct tfp_trace *trace;
	uint32_t *order, *other; /* OTHER is scratch */
};

/* Must B, which was added later, stand before A? Both are of one lane. */
static inline bool swapped(const struct tfp_trace *trace, uint32_t a, uint32_t b)
{
	if (trace->start[a] != trace->start[b])
		return trace->start[a] > trace->start[b];
	return trace->duration[a] < trace->duration[b];
}

static bool in_order(const struct tfp_trace *trace)
{
	for (uint32_t i = 1; i < trace->count; i++)
		if (trace->lane[i - 1] != trace->lane[i] ? trace->lane[i - 1] > trace->lane[i]
							 : swapped(trace, i - 1, i))
			return false;
	return true;
}

static void find_lanes(struct tfp_trace *trace)
{
	uint32_t first = 0;

	for (size_t i = 0; i < trace->lanes.count; i++)
		trace->lanes.at[i].count = 0;
	for (uint32_t i = 0; i < trace->count; i++)
		trace->lanes.at[trace->lane[i]].count++;
	for (size_t i = 0; i < trace->lanes.count; i++) {
		trace->lanes.at[i].first = first;
		first += trace->lanes.at[i].count;
	}
}

static void insert_all(struct sorter *sorter, size_t from, size_t end)
{
	uint32_t *order = sorter->order;

	for (size_t i = from + 1; i < end; i++) {
		uint32_t event = order[i];
		size_t to = i;

		for (; to > from && swapped(sorter->trace, order[to - 1], event); to--)
			order[to] = order[to - 1];
		order[to] = event;
	}
}

/* The first of those from FROM to END, in order, that stands behind EVENT of the piece to the right. */
static size_t place_left(const struct sorter *sorter, size_t from, size_t end, uint32_t event)
{
	while (from < end) {
		size_t middle = from + (end - from) / 2;

		if (swapped(sorter->trace, sorter->order[middle], event))
			end = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* Merges what is from FROM to MIDDLE with what is from there to END. */
static void merge(struct sorter *sorter, size_t from, size_t middle, size_t end)
{
	const struct tfp_trace *trace = sorter->trace;
	uint32_t *order = sorter->order, *left = sorter->other;
	size_t count, at = 0;

	if (!swapped(trace, order[middle - 1], order[middle]))
		return;
	from = place_left(sorter, from, middle, order[middle]);
	count = middle - from;
	memcpy(left, order + from, count * sizeof(*left));
	while (at < count && middle < end)
		order[from++] =
			swapped(trace, left[at], order[middle]) ? order[middle++] : left[at++];
	memcpy(order + from, left + at, (count - at) * sizeof(*left));
}

static void sort_piece(struct sorter *sorter, size_t from, size_t end)
{
	for (size_t i = from; i < end; i += PIECE)
		insert_all(sorter, i, i + PIECE < end ? i + PIECE : end);
	for (size_t width = PIECE; width < end - from; width *= 2)
		for (size_t i = from; end - i > width; i += 2 * width) {
			size_t right = end - i > 2 * width ? i + 2 * width : end;

			merge(sorter, i, i + width, right);
			if (right == end)
				break;
		}
}

void tfp_trace_sort(const struct tfp_trace *trace, uint32_t *order, uint32_t *other, size_t count)
{
	struct sorter sorter = {trace, order, other};

	sort_piece(&sorter, 0, count);
}

/* The events as added, in their new order. */
static uint32_t *sorted_events(struct tfp_trace *trace)
{
	size_t count = trace->count, lanes = trace->lanes.count;
	struct sorter sorter = {
		.trace = trace,
		.order = tfp_realloc_array(NULL, count, sizeof(*sorter.order)),
		.other = tfp_realloc_array(NULL, count, sizeof(*sorter.other)),
	};
	uint32_t *next = tfp_realloc_array(NULL, lanes, sizeof(*next));

	for (size_t i = 0; i < lanes; i++)
		next[i] = trace->lanes.at[i].first;
	for (uint32_t i = 0; i < count; i++)
		sorter.order[next[trace->lane[i]]++] = i;
	for (size_t i = 0; i < lanes; i++)
		sort_piece(&sorter, trace->lanes.at[i].first, next[i]);
	tfp_array_release(next);
	tfp_array_release(sorter.other);
	return sorter.order;
}

/* ---- columns ---------------------------------------------------------------------------------- */

static void move_wide(int64_t **column, int64_t **spare, const uint32_t *order, uint32_t count)
{
	int64_t *from = *column, *to = *spare;

	for (uint32_t i = 0; i < count; i++)
		to[i] = from[order[i]];
	*column = to;
	*spare = from;
}

static void move_narrow(uint32_t *column, uint32_t *spare, const uint32_t *order, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		spare[i] = column[order[i]];
	memcpy(column, spare, count * sizeof(*column));
}

static void put_links_right(struct tfp_trace *trace, const uint32_t *places)
{
	for (uint32_t i = 0; i < trace->count; i++)
		if (trace->link[i] != TFP_NONE)
			trace->link[i] =
				trace->link[i] < trace->count ? places[trace->link[i]] : TFP_NONE;
}

/* The lanes are known, so the column of lanes is written anew. */
static void fill_lanes(struct tfp_trace *trace)
{
	for (uint32_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		for (uint32_t j = 0; j < lane->count; j++)
			trace->lane[lane->first + j] = i;
	}
}

static void move_columns(struct tfp_trace *trace, const uint32_t *order)
{
	int64_t *spare = tfp_realloc_array(NULL, trace->room, sizeof(*spare));

	move_wide(&trace->start, &spare, order, trace->count);
	move_wide(&trace->duration, &spare, order, trace->count);
	move_narrow(trace->node, (uint32_t *)spare, order, trace->count);
	move_narrow(trace->work, (uint32_t *)spare, order, trace->count);
	move_narrow(trace->link, (uint32_t *)spare, order, trace->count);
	tfp_array_release(spare);
	fill_lanes(trace);
}

/* Turns ORDER, by place the event, into the place of each event. */
static uint32_t *invert(const uint32_t *order, uint32_t count, uint32_t *places)
{
	if (!places)
		places = tfp_realloc_array(NULL, count, sizeof(*places));
	for (uint32_t i = 0; i < count; i++)
		places[order[i]] = i;
	return places;
}

void tfp_trace_arrange(struct tfp_trace *trace, bool relink, uint32_t *places)
{
	uint32_t *order, *mine;

	find_lanes(trace);
	if (in_order(trace)) {
		for (uint32_t i = 0; places && i < trace->count; i++)
			places[i] = i;
		return;
	}
	order = sorted_events(trace);
	move_columns(trace, order);
	if (relink || places) {
		mine = invert(order, trace->count, places);
		if (relink)
			put_links_right(trace, mine);
		if (!places)
			tfp_array_release(mine);
	}
	tfp_array_release(order);
}

/* ---- nesting ---------------------------------------------------------------------------------- */

static uint32_t nest_lane(struct tfp_trace *trace, const struct tfp_lane *lane)
{
	uint32_t end = lane->first + lane->count, partial = 0, open = TFP_NONE;

	/* Links lead from each open event to the one around it: they are the stack. */
	for (uint32_t i = lane->first; i < end; i++) {
		while (open != TFP_NONE && tfp_trace_end(trace, open) <= trace->start[i])
			open = trace->link[open];
		partial += open != TFP_NONE && tfp_trace_end(trace, i) > tfp_trace_end(trace, open);
		trace->link[i] = open;
		open = i;
	}
	return partial;
}

uint32_t tfp_trace_nest(struct tfp_trace *trace)
{
	uint32_t partial = 0;

	for (size_t i = 0; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind != TFP_LANE_DEVICE)
			partial += nest_lane(trace, &trace->lanes.at[i]);
	return partial;
}

uint32_t tfp_trace_after(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time)
{
	uint32_t low = lane->first, high = lane->first + lane->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace->start[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
