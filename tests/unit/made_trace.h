/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small recording made by hand: two devices, one of them with two streams whose kernels overlap, a thread
 * with ops that nest, and two steps. Times are ns.
 */
#ifndef TFPROF_TESTS_MADE_TRACE_H
#define TFPROF_TESTS_MADE_TRACE_H

#include "tfprof/trace.h"

enum { HOST, STREAM_A, STREAM_B, OTHER_GPU, PYTHON, LANES };
enum { NET, CONV, RELU, LOST, NODES };

static const char *const made_names[NODES][2] = {
	[NET] = {"net", "module"},
	[CONV] = {"net/conv", "conv2d"},
	[RELU] = {"net/relu", "relu"},
	[LOST] = {"no operation found/copy", "memcpy"},
};

struct made_event {
	uint32_t lane;
	int64_t start, duration;
	uint32_t node, link; /* of a device's event, its launch: an index in this list */
};

/* Not in order: what is around others comes after them, as files have it. */
static const struct made_event made_events[] = {
	{HOST, 110, 40, CONV, TFP_NONE},     /* 0 */
	{HOST, 150, 30, RELU, TFP_NONE},     /* 1 */
	{HOST, 100, 100, NET, TFP_NONE},     /* 2: step 0 */
	{HOST, 310, 60, CONV, TFP_NONE},     /* 3: ends after what is around it */
	{HOST, 300, 50, NET, TFP_NONE},      /* 4: step 1 */
	{HOST, 900, 5, NET, TFP_NONE},       /* 5: in no step */
	{STREAM_A, 120, 50, CONV, 0},        /* 6 */
	{STREAM_A, 150, 100, CONV, 0},       /* 7: overlaps 6, on one stream */
	{STREAM_B, 200, 20, RELU, 1},        /* 8: while 7 runs */
	{STREAM_A, 260, 40, CONV, 3},        /* 9: before its launch, as a bad clock has it */
	{OTHER_GPU, 120, 50, CONV, 0},       /* 10 */
	{STREAM_B, 350, 10, LOST, TFP_NONE}, /* 11 */
	{STREAM_B, 350, 0, LOST, TFP_NONE},  /* 12: takes no time */
	{PYTHON, 90, 500, TFP_NONE, TFP_NONE},
};
#define MADE_EVENTS (sizeof(made_events) / sizeof(*made_events))

static void make_lanes(struct tfp_profile *profile, struct tfp_trace *trace)
{
	static const struct {
		uint32_t device;
		const char *name;
		enum tfp_lane_kind kind;
	} lanes[LANES] = {
		[HOST] = {0, "main", TFP_LANE_HOST},
		[STREAM_A] = {1, "stream 7", TFP_LANE_DEVICE},
		[STREAM_B] = {1, "stream 8", TFP_LANE_DEVICE},
		[OTHER_GPU] = {2, "stream 7", TFP_LANE_DEVICE},
		[PYTHON] = {0, "main", TFP_LANE_PYTHON},
	};
	static const char *const devices[] = {"host", "gpu 0", "gpu 1"};

	for (uint32_t i = 0; i < 3; i++)
		tfp_trace_add_device(
			trace, &(struct tfp_trace_device){
				       .name = tfp_strings_add_text(profile->strings, devices[i]),
				       .host = i == 0,
			       });
	for (uint32_t i = 0; i < LANES; i++)
		tfp_trace_add_lane(trace, &(struct tfp_lane){
						  .device = lanes[i].device,
						  .name = tfp_strings_add_text(profile->strings,
									       lanes[i].name),
						  .kind = lanes[i].kind,
						  .thread = i == PYTHON ? HOST : TFP_NONE,
					  });
}

static uint32_t made_work(struct tfp_profile *profile, uint32_t node)
{
	struct tfp_trace_work work = {
		.name = tfp_strings_add_text(profile->strings, made_names[node][1]),
		.class = node == LOST ? TFP_WORK_COPY : TFP_WORK_KERNEL,
		.grid = {8, 1, 1},
		.block = {256, 1, 1},
		.registers = 32,
		.occupancy = 5000,
	};

	return tfp_trace_add_work(profile, &work);
}

static void make_events(struct tfp_profile *profile, struct tfp_trace *trace)
{
	for (size_t i = 0; i < MADE_EVENTS; i++) {
		const struct made_event *event = &made_events[i];
		bool device = trace->lanes.at[event->lane].kind == TFP_LANE_DEVICE;

		tfp_trace_add(trace, event->lane, event->start, event->duration, event->node,
			      device ? made_work(profile, event->node) : TFP_NONE, event->link);
	}
}

static void add_others(struct tfp_profile *profile, uint32_t count)
{
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "other_%u", i);
		tfp_profile_add_node(profile, tfp_strings_add_text(profile->strings, name), 0);
	}
}

/* The profile of it, with OTHERS nodes that never run, and with the sums made. */
static struct tfp_profile *made_trace_beside(uint32_t others)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_NANOS);

	profile->format = "trace";
	profile->has_scopes = true;
	for (uint32_t i = 0; i < NODES; i++)
		tfp_profile_add_node(profile,
				     tfp_strings_add_text(profile->strings, made_names[i][0]),
				     tfp_strings_add_text(profile->strings, made_names[i][1]));
	profile->nodes.flags[LOST] = TFP_NODE_UNOWNED;
	add_others(profile, others);
	make_lanes(profile, trace);
	make_events(profile, trace);
	tfp_trace_mark_step(profile, 0, 0, 0, 0, 100, 200);
	tfp_trace_mark_step(profile, 0, 0, 1, 0, 300, 360);
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	tfp_trace_nest(trace, 0);
	tfp_trace_tally(profile, NULL);
	tfp_profile_finish(profile);
	return profile;
}

static inline struct tfp_profile *made_trace(void)
{
	return made_trace_beside(0);
}

/* Nodes that never run, so many that cells of single steps are made only when one is asked for. */
#define MADE_MANY 30000

#endif
