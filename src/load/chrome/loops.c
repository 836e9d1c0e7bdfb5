/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops and calls of a chip, which are events around those of the ops in them, on one lane: their own is what they take
 * between these. The events themselves are drawn, on a lane beside.
 */
#include <stdlib.h>

#include "load/chrome/chrome.h"

/* An event of a lane whose events nest. */
struct lane_op {
	int64_t start, end;
	uint32_t event, lane;
};

/* One that is not over, and up to where it is accounted for. */
struct open_op {
	struct lane_op op;
	bool holds; /* others */
	int64_t reached;
};

struct nest {
	struct chrome *chrome;
	uint32_t lane,
		loops; /* the lane at hand, and that for what holds others; TFP_NONE: not made */
	TFP_ARRAY(struct lane_op) ops;
	TFP_ARRAY(struct open_op) open;
};

/* By lane, in the order in which they begin, the longest first. */
static int compare(const void *left, const void *right)
{
	const struct lane_op *a = left, *b = right;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static void list_ops(struct nest *nest, const bool *nests)
{
	const struct tfp_trace *trace = nest->chrome->trace;

	for (uint32_t i = nest->chrome->first_event; i < trace->count; i++) {
		uint32_t lane = tfp_trace_lane(trace, i);

		if (nests[lane])
			*tfp_array_push(&nest->ops) = (struct lane_op){
				tfp_trace_start(trace, i), tfp_trace_end(trace, i), i, lane};
	}
	if (nest->ops.count)
		qsort(nest->ops.at, nest->ops.count, sizeof(*nest->ops.at), compare);
}

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

/* What runs of a loop up to TIME and is no op in it. The FIRST such piece is its run, even if it takes no time. */
static void add_between(struct nest *nest, struct open_op *open, int64_t time, bool first)
{
	struct tfp_trace *trace = nest->chrome->trace;
	uint32_t site;

	if (time <= open->reached && !first)
		return;
	if (!first)
		*tfp_array_push(&nest->chrome->pieces) = trace->count;
	site = site_between(nest->chrome, tfp_trace_node(trace, open->op.event));
	tfp_trace_add(trace, nest->lane, open->reached,
		      (int64_t)((uint64_t)time - (uint64_t)open->reached), site, TFP_NONE,
		      tfp_trace_link(trace, open->op.event));
}

static uint32_t loops_lane(struct nest *nest)
{
	struct tfp_trace *trace = nest->chrome->trace;
	struct tfp_strings *strings = nest->chrome->profile->strings;
	struct tfp_lane lane = trace->lanes.at[nest->lane];
	char name[512];

	if (nest->loops == TFP_NONE) {
		snprintf(name, sizeof(name), "loops and calls of %s",
			 tfp_strings_text(strings, lane.name));
		lane.name = tfp_strings_add_text(strings, name);
		lane.kind = TFP_LANE_DERIVED;
		nest->loops = tfp_trace_add_lane(trace, &lane);
	}
	return nest->loops;
}

static void close_op(struct nest *nest)
{
	struct open_op open = nest->open.at[--nest->open.count];

	if (open.holds)
		add_between(nest, &open, open.op.end, false);
}

static void open_op(struct nest *nest, const struct lane_op *op)
{
	struct open_op *around;

	while (nest->open.count && nest->open.at[nest->open.count - 1].op.end <= op->start)
		close_op(nest);
	around = nest->open.count ? &nest->open.at[nest->open.count - 1] : NULL;
	if (around && op->end <= around->op.end) {
		if (!around->holds)
			tfp_trace_set_lane(nest->chrome->trace, around->op.event, loops_lane(nest));
		add_between(nest, around, op->start, !around->holds);
		around->holds = true;
		around->reached = op->end;
	}
	*tfp_array_push(&nest->open) = (struct open_op){.op = *op, .reached = op->start};
}

static void leave_all(struct nest *nest)
{
	while (nest->open.count)
		close_op(nest);
	nest->loops = TFP_NONE;
}

void chrome_set_loops_apart(struct chrome *chrome, const bool *nests)
{
	struct nest nest = {.chrome = chrome, .loops = TFP_NONE, .lane = TFP_NONE};

	list_ops(&nest, nests);
	for (size_t i = 0; i < nest.ops.count; i++) {
		if (nest.ops.at[i].lane != nest.lane)
			leave_all(&nest);
		nest.lane = nest.ops.at[i].lane;
		open_op(&nest, &nest.ops.at[i]);
	}
	leave_all(&nest);
	tfp_array_free(&nest.ops);
	tfp_array_free(&nest.open);
}
