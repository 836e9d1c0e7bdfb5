/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a trace's events, by lane, start and length, and how those of a lane nest. Files have
 * their events nearly in order, so pieces that are in order already are not merged again; whatever a file
 * holds, the sort takes time n log n. What is settled, of files before, is left alone: there may be a thousand.
 */
#include <string.h>

#include "model/tracing.h"
#include "tfprof/thread.h"

#define PIECE 24 /* events that are sorted by insertion */

struct sorter {
	const struct tfp_trace *trace;
	uint32_t *order, *other; /* OTHER is scratch */
	TFP_ARRAY(size_t) ends;  /* of stretches in order, each behind the one before */
};

/* Must B, which was added later, stand before A? Both are of one lane. */
static inline bool swapped(const struct tfp_trace *trace, uint32_t a, uint32_t b)
{
	if (tfp_trace_start(trace, a) != tfp_trace_start(trace, b))
		return tfp_trace_start(trace, a) > tfp_trace_start(trace, b);
	return tfp_trace_duration(trace, a) < tfp_trace_duration(trace, b);
}

static bool lane_in_order(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	int64_t before = INT64_MIN;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		int64_t start = tfp_trace_start(trace, i);

		if (start <= before && i > lane->first && swapped(trace, i - 1, i))
			return false;
		before = start;
	}
	return true;
}

/* Events by lane: */
static bool lanes_in_order(const struct tfp_trace *trace)
{
	for (uint32_t i = trace->settled + 1; trace->lanes_of && i < trace->count; i++)
		if (trace->lanes_of[i - 1] > trace->lanes_of[i])
			return false;
	return true;
}

static bool in_order(const struct tfp_trace *trace)
{
	if (!lanes_in_order(trace))
		return false;
	for (size_t i = trace->settled_lanes; i < trace->lanes.count; i++)
		if (!lane_in_order(trace, &trace->lanes.at[i]))
			return false;
	return true;
}

/* What is behind the events from FROM on that follow each other on one lane. */
static uint32_t end_of_run(const struct tfp_trace *trace, uint32_t from)
{
	uint32_t lane = trace->lanes_of[from++];

	while (from < trace->count && trace->lanes_of[from] == lane)
		from++;
	return from;
}

/* Where the events of each lane are to lie. */
static void find_lanes(struct tfp_trace *trace)
{
	uint32_t first = trace->settled, lanes = (uint32_t)trace->lanes.count;

	for (uint32_t i = trace->lanes_of ? trace->settled_lanes : trace->last_lane + 1; i < lanes;
	     i++)
		trace->lanes.at[i].count = 0;
	for (uint32_t i = first, end; trace->lanes_of && i < trace->count; i = end) {
		end = end_of_run(trace, i);
		trace->lanes.at[trace->lanes_of[i]].count += end - i;
	}
	for (uint32_t i = trace->settled_lanes; i < lanes; i++) {
		trace->lanes.at[i].first = first;
		first += trace->lanes.at[i].count;
	}
	trace->last_lane = lanes - 1;
}

static void add_lane_page(struct tfp_trace *trace, uint32_t event)
{
	uint32_t lane = tfp_trace_find_lane(trace, event);

	*tfp_array_push(&trace->lane_pages) = lane;
}

/* Events lie together by lane now: they need not be told their lanes one by one. */
static void gather_lanes(struct tfp_trace *trace)
{
	tfp_array_release(trace->lanes_of);
	trace->lanes_of = NULL;
	trace->lane_pages.count = 0;
	for (uint64_t event = 0; event < trace->count; event += 1 << TFP_LANE_PAGE_BITS)
		add_lane_page(trace, (uint32_t)event);
	if (trace->count)
		add_lane_page(trace, trace->count - 1);
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

/* What is behind those from FROM on that are in order already. */
static size_t end_of_order(const struct sorter *sorter, size_t from, size_t end)
{
	const struct tfp_trace *trace = sorter->trace;
	const uint32_t *order = sorter->order;
	int64_t before = tfp_trace_start(trace, order[from]);

	while (++from < end) {
		int64_t start = tfp_trace_start(trace, order[from]);

		if (start <= before && swapped(trace, order[from - 1], order[from]))
			break;
		before = start;
	}
	return from;
}

/* Finds stretches in order, none of them short: what is not in order is sorted by insertion. */
static void find_ends(struct sorter *sorter, size_t from, size_t end)
{
	sorter->ends.count = 0;
	while (from < end) {
		size_t least = end - from > PIECE ? from + PIECE : end;
		size_t to = end_of_order(sorter, from, end);

		if (to < least)
			insert_all(sorter, from, to = least);
		*tfp_array_push(&sorter->ends) = from = to;
	}
}

static void sort_piece(struct sorter *sorter, size_t first, size_t end)
{
	size_t *ends, count;

	find_ends(sorter, first, end);
	ends = sorter->ends.at;
	for (count = sorter->ends.count; count > 1; count -= count / 2) {
		size_t from = first;

		for (size_t i = 0; i + 1 < count; i += 2) {
			merge(sorter, from, ends[i], ends[i + 1]);
			from = ends[i / 2] = ends[i + 1];
		}
		if (count % 2)
			ends[count / 2] = ends[count - 1];
	}
}

void tfp_trace_sort(const struct tfp_trace *trace, uint32_t *order, uint32_t *other, size_t count)
{
	struct sorter sorter = {.trace = trace, .order = order, .other = other};

	sort_piece(&sorter, 0, count);
	tfp_array_free(&sorter.ends);
}

/* The events that are not settled, as added, by lane. */
static void list_events(const struct tfp_trace *trace, uint32_t *order)
{
	size_t lanes = trace->lanes.count;
	uint32_t *next;

	if (!trace->lanes_of) {
		for (uint32_t i = trace->settled; i < trace->count; i++)
			*order++ = i;
		return;
	}
	next = tfp_realloc_array(NULL, lanes, sizeof(*next));
	for (size_t i = trace->settled_lanes; i < lanes; i++)
		next[i] = trace->lanes.at[i].first - trace->settled;
	for (uint32_t i = trace->settled; i < trace->count;) {
		uint32_t end = end_of_run(trace, i), *to = &next[trace->lanes_of[i]];

		while (i < end)
			order[(*to)++] = i++;
	}
	tfp_array_release(next);
}

/* The events that are not settled, as added, in their new order. */
static uint32_t *sorted_events(struct tfp_trace *trace)
{
	size_t count = trace->count - trace->settled;
	struct sorter sorter = {
		.trace = trace,
		.order = tfp_realloc_array(NULL, count, sizeof(*sorter.order)),
		.other = tfp_realloc_array(NULL, count, sizeof(*sorter.other)),
	};

	list_events(trace, sorter.order);
	for (size_t i = trace->settled_lanes; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];
		size_t first = lane->first - trace->settled;

		sort_piece(&sorter, first, first + lane->count);
	}
	tfp_array_release(sorter.other);
	tfp_array_free(&sorter.ends);
	return sorter.order;
}

/* ---- columns ---------------------------------------------------------------------------------- */

/* Places of a stretch of the order that holds no events but those that lie there. */
struct stretch {
	uint32_t from, count;
};

/* Events that are nearly in order move only among near ones: by short stretches, for which little room is needed besides. */
struct stretches {
	TFP_ARRAY(struct stretch) of;
	uint32_t longest;
};

/* What moves columns, of which each belongs to one. */
struct mover {
	struct tfp_trace *trace;
	/* by place, from the first that is not settled on, the event; of stretches that are done, by event the place */
	uint32_t *order;
	const struct stretches *stretches;
	uint32_t *spare; /* room for a column of the longest stretch */
};

/* Which events come to the places from FROM on. */
static uint32_t *order_from(const struct mover *mover, uint32_t from)
{
	return mover->order + (from - mover->trace->settled);
}

static void move_spans(struct mover *mover, uint32_t from, uint32_t count)
{
	const uint32_t *order = order_from(mover, from);
	uint32_t *to = mover->spare, *span = mover->trace->span;

	for (uint32_t i = 0; i < count; i++)
		to[i] = span[order[i]];
	memcpy(span + from, to, count * sizeof(*span));
}

static void move_near(struct mover *mover, struct tfp_near *column, uint32_t from, uint32_t count)
{
	const uint32_t *order = order_from(mover, from);
	uint32_t *to = mover->spare;

	for (uint32_t i = 0; i < count; i++)
		to[i] = tfp_near_get(column, order[i]);
	tfp_near_fill(column, from, count, to);
}

static void invert(struct mover *mover, uint32_t from, uint32_t count)
{
	uint32_t *to = mover->spare, *order = order_from(mover, from);

	for (uint32_t i = 0; i < count; i++)
		to[order[i] - from] = from + i;
	memcpy(order, to, count * sizeof(*to));
}

static void move_times(void *data)
{
	struct mover *mover = data;

	for (size_t i = 0; i < mover->stretches->of.count; i++) {
		const struct stretch *stretch = &mover->stretches->of.at[i];

		tfp_trace_reorder_starts(mover->trace, stretch->from, stretch->count,
					 order_from(mover, stretch->from), mover->spare);
		move_spans(mover, stretch->from, stretch->count);
	}
	tfp_trace_narrow_starts(mover->trace);
}

static void move_others(void *data)
{
	struct mover *mover = data;
	struct tfp_trace *trace = mover->trace;

	for (size_t i = 0; i < mover->stretches->of.count; i++) {
		const struct stretch *stretch = &mover->stretches->of.at[i];

		move_near(mover, &trace->node, stretch->from, stretch->count);
		move_near(mover, &trace->link, stretch->from, stretch->count);
		move_near(mover, &trace->work, stretch->from, stretch->count);
	}
}

static void find_moving(const struct tfp_trace *trace, const uint32_t *order,
			struct stretches *stretches)
{
	uint32_t settled = trace->settled;

	for (uint32_t from = settled, end; from < trace->count; from = end) {
		uint32_t most = order[from - settled];

		for (end = from + 1; end <= most; end++)
			most = order[end - settled] > most ? order[end - settled] : most;
		if (end - from == 1)
			continue;
		*tfp_array_push(&stretches->of) = (struct stretch){from, end - from};
		if (end - from > stretches->longest)
			stretches->longest = end - from;
	}
}

/* Turns ORDER, by place the event, into the place of each event. */
static void move_columns(struct tfp_trace *trace, uint32_t *order)
{
	struct stretches stretches = {0};
	struct mover times = {trace, order, &stretches, NULL}, others = times;

	find_moving(trace, order, &stretches);
	times.spare = tfp_realloc_array(NULL, stretches.longest, sizeof(uint32_t));
	others.spare = tfp_realloc_array(NULL, stretches.longest, sizeof(uint32_t));
	tfp_beside(trace->count - trace->settled, move_times, &times, move_others, &others);
	for (size_t i = 0; i < stretches.of.count; i++)
		invert(&others, stretches.of.at[i].from, stretches.of.at[i].count);
	tfp_array_release(times.spare);
	tfp_array_release(others.spare);
	tfp_array_free(&stretches.of);
}

/* The place of EVENT, an index as added, or TFP_NONE. */
static uint32_t place_of(const struct tfp_trace *trace, const uint32_t *places, uint32_t event)
{
	if (event >= trace->count)
		return TFP_NONE;
	return event < trace->settled ? event : places[event - trace->settled];
}

static void put_links_right(struct tfp_trace *trace, const uint32_t *places)
{
	struct tfp_near_writer writer = tfp_trace_write_links(trace, trace->settled);

	for (uint32_t i = trace->settled; i < trace->count; i++)
		tfp_near_write(&writer, place_of(trace, places, tfp_trace_link(trace, i)));
	tfp_near_flush(&writer);
}

static void settle(struct tfp_trace *trace)
{
	uint32_t lanes = (uint32_t)trace->lanes.count;

	while (lanes && !trace->lanes.at[lanes - 1].count)
		lanes--;
	trace->settled = trace->count;
	trace->settled_lanes = lanes;
}

struct ordering {
	struct tfp_trace *trace;
	const struct tfp_arranging *how;
	uint32_t *order; /* NULL: all is in order */
};

static void find_order(void *data)
{
	struct ordering *ordering = data;

	if (!in_order(ordering->trace))
		ordering->order = sorted_events(ordering->trace);
}

static void do_meanwhile(void *data)
{
	const struct ordering *ordering = data;

	if (ordering->how->meanwhile)
		ordering->how->meanwhile(ordering->how->data);
}

void tfp_trace_arrange(struct tfp_trace *trace, const struct tfp_arranging *how)
{
	struct ordering ordering = {trace, how, NULL};

	find_lanes(trace);
	tfp_beside(how->meanwhile ? trace->count - trace->settled : 0, find_order, &ordering,
		   do_meanwhile, &ordering);
	gather_lanes(trace);
	if (ordering.order) {
		move_columns(trace, ordering.order);
		if (how->relink)
			put_links_right(trace, ordering.order);
		for (size_t i = 0; i < how->count; i++) {
			struct tfp_trace_piece *piece = &how->pieces[i];

			piece->event = place_of(trace, ordering.order, piece->event);
			piece->loop = place_of(trace, ordering.order, piece->loop);
		}
		tfp_array_release(ordering.order);
	}
	settle(trace);
	tfp_trace_join_pieces(trace, how->pieces, how->count);
}

/* ---- nesting ---------------------------------------------------------------------------------- */

/* An event that is not over. */
struct open_event {
	uint32_t event;
	int64_t end;
};

struct nest {
	struct tfp_trace *trace;
	TFP_ARRAY(struct open_event) open;
};

static uint32_t nest_lane(struct nest *nest, const struct tfp_lane *lane)
{
	struct tfp_trace *trace = nest->trace;
	uint32_t partial = 0;

	nest->open.count = 0;
	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		struct open_event around = {TFP_NONE, INT64_MAX};
		int64_t start = tfp_trace_start(trace, i);
		int64_t end = tfp_wrap_add(start, tfp_trace_duration(trace, i));

		while (nest->open.count && nest->open.at[nest->open.count - 1].end <= start)
			nest->open.count--;
		if (nest->open.count)
			around = nest->open.at[nest->open.count - 1];
		tfp_trace_set_link(trace, i, around.event);
		partial += end > around.end;
		*tfp_array_push(&nest->open) = (struct open_event){i, end};
	}
	return partial;
}

uint32_t tfp_trace_nest(struct tfp_trace *trace, uint32_t first_lane)
{
	struct nest nest = {.trace = trace};
	uint32_t partial = 0, of_lane;

	for (size_t i = first_lane; i < trace->lanes.count; i++) {
		if (trace->lanes.at[i].kind == TFP_LANE_DEVICE)
			continue;
		of_lane = nest_lane(&nest, &trace->lanes.at[i]);
		if (trace->lanes.at[i].kind != TFP_LANE_DERIVED)
			partial += of_lane;
	}
	tfp_array_free(&nest.open);
	return partial;
}

uint32_t tfp_trace_after(const struct tfp_trace *trace, const struct tfp_lane *lane, int64_t time)
{
	uint32_t low = lane->first, high = lane->first + lane->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tfp_trace_start(trace, middle) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t tfp_trace_after_from(const struct tfp_trace *trace, uint32_t from, uint32_t end,
			      int64_t time)
{
	struct tfp_lane part;
	uint32_t step = 1;

	while (step < end - from && tfp_trace_start(trace, from + step) <= time) {
		from += step;
		step *= 2;
	}
	part = (struct tfp_lane){.first = from, .count = step < end - from ? step : end - from};
	return tfp_trace_after(trace, &part, time);
}
