/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and calls of chips: see loops.h. */
#include "load/loops.h"

#include <stdlib.h>

/* An op that is not over, and up to where it is accounted for. */
struct open_op {
	uint32_t event;
	bool holds; /* others */
	int64_t end, reached;
};

struct nest {
	struct tfp_loops *loops;
	struct tfp_trace *trace;
	uint32_t lane,
		beside; /* the lane at hand, and that of what holds others; TFP_NONE: not needed so far */
	TFP_ARRAY(struct open_op) open;
};

/* ---- pieces ---------------------------------------------------------------------------------- */

/* What runs of a loop up to TIME and is no op in it. The first such piece is there even if it takes no time. */
static void add_between(struct nest *nest, const struct open_op *op, int64_t time)
{
	struct tfp_trace *trace = nest->trace;
	uint32_t tag, work;

	if (time <= op->reached && op->holds)
		return;
	*tfp_array_push(&nest->loops->pieces) = (struct tfp_trace_piece){trace->count, op->event};
	nest->loops->between(nest->loops->data, op->event, &tag, &work);
	tfp_trace_add(trace, nest->lane, op->reached,
		      (int64_t)((uint64_t)time - (uint64_t)op->reached), tag, work,
		      tfp_trace_link(trace, op->event));
}

static uint32_t lane_beside(struct nest *nest)
{
	struct tfp_strings *strings = nest->loops->profile->strings;
	struct tfp_lane lane = nest->trace->lanes.at[nest->lane];
	struct tfp_arena arena = {0};

	if (nest->beside == TFP_NONE) {
		lane.name = tfp_strings_add_text(
			strings, tfp_arena_printf(&arena, "loops and calls of %s",
						  tfp_strings_text(strings, lane.name)));
		lane.kind = TFP_LANE_DERIVED;
		nest->beside = tfp_trace_add_lane(nest->trace, &lane);
		tfp_arena_free(&arena);
	}
	return nest->beside;
}

static void close_op(struct nest *nest)
{
	struct open_op op = nest->open.at[--nest->open.count];

	if (op.holds)
		add_between(nest, &op, op.end);
}

static void open_op(struct nest *nest, uint32_t event)
{
	int64_t start = tfp_trace_start(nest->trace, event),
		end = tfp_trace_end(nest->trace, event);
	struct open_op *around;

	while (nest->open.count && nest->open.at[nest->open.count - 1].end <= start)
		close_op(nest);
	around = nest->open.count ? &nest->open.at[nest->open.count - 1] : NULL;
	if (around && end <= around->end) {
		if (!around->holds)
			tfp_trace_set_lane(nest->trace, around->event, lane_beside(nest));
		add_between(nest, around, start);
		around->holds = true;
		around->reached = end > around->reached ? end : around->reached;
	}
	*tfp_array_push(&nest->open) = (struct open_op){event, false, end, start};
}

/* ---- order ----------------------------------------------------------------------------------- */

bool tfp_loop_named(struct tfp_span name)
{
	static const char *const names[] = {"while", "conditional", "call"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tfp_span_begins(name, tfp_span_of(names[i])))
			return true;
	return false;
}

/* What holds others before those. */
static int by_start(const void *left, const void *right, void *data)
{
	const struct nest *nest = data;
	const struct tfp_trace *trace = nest->trace;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t starts[] = {tfp_trace_start(trace, a), tfp_trace_start(trace, b)};
	int64_t ends[] = {tfp_trace_end(trace, a), tfp_trace_end(trace, b)};
	bool loops[2];

	if (starts[0] != starts[1])
		return starts[0] < starts[1] ? -1 : 1;
	if (ends[0] != ends[1])
		return ends[0] > ends[1] ? -1 : 1;
	loops[0] = nest->loops->named(nest->loops->data, a);
	loops[1] = nest->loops->named(nest->loops->data, b);
	if (loops[0] != loops[1])
		return loops[0] ? -1 : 1;
	return a < b ? -1 : a > b;
}

static uint32_t event_at(const uint32_t *events, uint32_t first, uint32_t place)
{
	return events ? events[place] : first + place;
}

/* The events in the order in which they nest, where they do not come so, as in nearly all files: else NULL. */
static uint32_t *order_events(struct nest *nest, const uint32_t *events, uint32_t first,
			      uint32_t count)
{
	uint32_t *order, next = 1;

	while (next < count && by_start(&(uint32_t){event_at(events, first, next - 1)},
					&(uint32_t){event_at(events, first, next)}, nest) < 0)
		next++;
	if (next >= count)
		return NULL;
	order = tfp_realloc_array(NULL, count, sizeof(*order));
	for (uint32_t i = 0; i < count; i++)
		order[i] = event_at(events, first, i);
	qsort_r(order, count, sizeof(*order), by_start, nest);
	return order;
}

void tfp_loops_set_apart(struct tfp_loops *loops, uint32_t lane, const uint32_t *events,
			 uint32_t first, uint32_t count)
{
	struct nest nest = {loops, loops->profile->trace, lane, TFP_NONE, {0}};
	uint32_t *order = order_events(&nest, events, first, count);

	for (uint32_t i = 0; i < count; i++)
		open_op(&nest, event_at(order ? order : events, first, i));
	while (nest.open.count)
		close_op(&nest);
	tfp_array_free(&nest.open);
	tfp_array_release(order);
}
