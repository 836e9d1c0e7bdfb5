/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XPlane recordings made by hand, for what the real ones do not have: lines that repeat others, odd
 * times, ids without names, several hosts.
 */
#include "made_xplane.h"

/* ---- lines ----------------------------------------------------------------------------------- */

static void test_lines_of_one_id_are_a_lane(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:GPU:0\" "
		    "lines { id: 7 name: \"Stream\" timestamp_ns: 2 "
		    "events { metadata_id: 1 offset_ps: 5 duration_ps: 10 } } "
		    "lines { id: 8 name: \"Other\" timestamp_ns: 1 display_name: \"Shown\" "
		    "events { metadata_id: 2 duration_ps: 1 } } "
		    "lines { id: 7 name: \"Stream\" timestamp_ns: 1 "
		    "events { metadata_id: 2 offset_ps: 9 duration_ps: 3 } "
		    "events { metadata_id: 2 offset_ps: 3 duration_ps: 4 } } " NAMES " }");
	assert_int_equal(world->trace->lanes.count, 2);
	assert_int_equal(world->trace->lanes.at[0].count, 3);
	assert_int_equal(tfp_trace_start(world->trace, 0), 1003);
	assert_int_equal(tfp_trace_start(world->trace, 1), 1009);
	assert_int_equal(tfp_trace_start(world->trace, 2), 2005);
	assert_string_equal(text_of(world, world->trace->lanes.at[1].name), "Shown");
	assert_int_equal(value_of(world, "two", TFP_TRACE_DEVICE), 8);
	assert_int_equal(value_of(world, "two", TFP_TRACE_LAUNCHES), 3);
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

/* The ids of derived lines, also as 32 bits with their sign. */
static void test_derived_lines_do_not_count(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:GPU:0\" "
		    "lines { id: 1 name: \"Stream\" events { metadata_id: 1 duration_ps: 10 } } "
		    "lines { id: 3735928559 name: \"Steps\" "
		    "events { metadata_id: 1 duration_ps: 99 } } "
		    "lines { id: -559038737 name: \"XLA Modules\" "
		    "events { metadata_id: 1 duration_ps: 99 } } " NAMES " }");
	assert_int_equal(world->trace->lanes.count, 3);
	assert_int_equal(world->trace->lanes.at[1].kind, TFP_LANE_DERIVED);
	assert_int_equal(world->trace->lanes.at[2].kind, TFP_LANE_DERIVED);
	assert_int_equal(value_of(world, "one", TFP_TRACE_DEVICE), 10);
}

static void test_aggregated_events_have_no_time(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 1 duration_ps: 10 num_occurrences: 4 } "
		    "events { metadata_id: 1 duration_ps: 10 num_occurrences: 2 } "
		    "events { metadata_id: 1 duration_ps: 10 } } " NAMES " }");
	assert_int_equal(world->trace->count, 1);
	assert_true(has_problem(world, "stands for several", 2));
}

static void test_a_kind_without_a_name_shows_its_id(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 281474976727414 duration_ps: 10 } } }");
	assert_int_equal(value_of(world, "#281474976727414", TFP_TRACE_HOST), 10);
}

/* ---- times ----------------------------------------------------------------------------------- */

static void test_times_since_1970_are_shifted(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 timestamp_ns: 1795814390238877174 "
		    "events { metadata_id: 1 offset_ps: 10 duration_ps: 20 } } "
		    "lines { id: 2 timestamp_ns: 1795814390238877179 "
		    "events { metadata_id: 1 duration_ps: 20 } } " NAMES " }");
	assert_true(world->trace->epoch_nanos == 1795814390238877174);
	assert_int_equal(tfp_trace_start(world->trace, 0), 10);
	assert_int_equal(tfp_trace_start(world->trace, 1), 5000);
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

static void test_impossible_times_are_told(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 "
		    "events { metadata_id: 1 offset_ps: 10 duration_ps: -20 } "
		    "events { metadata_id: 1 offset_ps: 9223372036854775807 duration_ps: 20 } "
		    "events { metadata_id: 1 offset_ps: 10 duration_ps: 9223372036854775807 } "
		    "events { metadata_id: 1 offset_ps: -5 duration_ps: 7 } } " NAMES " }");
	assert_int_equal(world->trace->count, 2);
	assert_true(has_problem(world, "ends before it begins", 1));
	assert_true(has_problem(world, "impossible time", 2));
	assert_int_equal(value_of(world, "one", TFP_TRACE_HOST), 7);
}

/* One absurd time does not make those of all others impossible; lines without events have none. */
static void test_an_absurd_time_moves_no_others(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" "
		    "lines { id: 1 timestamp_ns: -9223372036854775808 "
		    "events { metadata_id: 2 offset_ps: 3 duration_ps: 7 } } "
		    "lines { id: 2 timestamp_ns: 0 } "
		    "lines { id: 3 timestamp_ns: 1795814390238877179 "
		    "events { metadata_id: 1 duration_ps: 20 } } "
		    "lines { id: 4 timestamp_ns: 1795814390238877174 "
		    "events { metadata_id: 1 offset_ps: 10 duration_ps: 20 } } " NAMES " }");
	assert_true(world->trace->epoch_nanos == 1795814390238877174);
	assert_int_equal(tfp_trace_start(world->trace, 1), 5000);
	assert_int_equal(tfp_trace_start(world->trace, 2), 10);
	assert_int_equal(value_of(world, "two", TFP_TRACE_HOST), 7);
	assert_true(has_problem(world, "a line has an impossible time", 1));
}

/* ---- what events say ------------------------------------------------------------------------- */

#define STATS                                                                                      \
	"stat_metadata { key: 1 value { name: \"correlation_id\" } } "                             \
	"stat_metadata { key: 2 value { name: \"memcpy_details\" } } "                             \
	"stat_metadata { key: 3 value { name: \"tf_op\" } } "                                      \
	"stat_metadata { key: 4 value { name: \"kind_src:device kind_dst:host size:4096\" } } "    \
	"stat_metadata { key: 700 value { name: \"kernel_details\" } } "                           \
	"stat_metadata { key: 6 value { name: \"_r\" } } "                                         \
	"stat_metadata { key: 7 value { name: \"step_num\" } } "

static void assert_box(const struct world *world, const char *line, uint32_t place,
		       const char *label, int64_t start, int64_t end)
{
	const struct tfp_trace *trace = world->trace;
	const struct tfp_lane *lane = trace->lanes.at;
	uint32_t event;

	while (strcmp(text_of(world, lane->name), line))
		assert_true(++lane < trace->lanes.at + trace->lanes.count);
	assert_true(place < lane->count);
	assert_int_equal(lane->kind, TFP_LANE_DERIVED);
	event = lane->first + place;
	assert_string_equal(text_of(world, trace->works.at[tfp_trace_work_of(trace, event)].name),
			    label);
	assert_int_equal(tfp_trace_start(trace, event), start);
	assert_int_equal(tfp_trace_end(trace, event), end);
}

#define KERNEL(start, name)                                                                        \
	"events { metadata_id: 1 offset_ps: " start " duration_ps: 10 "                            \
	"stats { metadata_id: 8 str_value: \"" name "\" } "                                        \
	"stats { metadata_id: 9 str_value: \"jit_f\" } "                                           \
	"stats { metadata_id: 10 str_value: \"add.1\" } } "

/* When which scope was at work: a GPU's profiler does not record it. A step ends what is under way. */
static void test_lines_that_are_made(void **state)
{
	struct world *world = *state;

	load(world,
	     "planes { name: \"/device:GPU:0\" lines { id: 7 name: \"Stream #7\" " KERNEL(
		     "10", "a/b/c") KERNEL("30", "a/b/d") KERNEL("35", "a/e")
		     KERNEL("60", "a/e") "events { metadata_id: 2 offset_ps: 80 duration_ps: 1 } " KERNEL(
			     "90",
			     "a/e") "} "
				    "stat_metadata { key: 8 value { name: \"name\" } } "
				    "stat_metadata { key: 9 value { name: \"hlo_module\" } } "
				    "stat_metadata { key: 10 value { name: \"hlo_op\" } } " NAMES
				    "} "
				    "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
				    "events { metadata_id: 2 offset_ps: 0 duration_ps: 50 "
				    "stats { metadata_id: 6 int64_value: 1 } "
				    "stats { metadata_id: 7 int64_value: 1 } } } " NAMES STATS "}");
	assert_box(world, "XLA Modules", 0, "jit_f", 10, 45);
	assert_box(world, "XLA Modules", 1, "jit_f", 60, 70);
	assert_box(world, "XLA Modules", 2, "jit_f", 90, 100);
	assert_box(world, "Framework Name Scope", 0, "a", 10, 45);
	assert_box(world, "Framework Name Scope", 1, "b", 10, 35);
	assert_box(world, "Framework Ops", 0, "c", 10, 20);
	assert_box(world, "Framework Ops", 1, "d", 30, 35);
	assert_box(world, "Framework Ops", 2, "e", 35, 45);
	assert_box(world, "XLA Ops", 0, "add.1", 10, 45);
	assert_int_equal(world->trace->device_events, 6);
}

#define IN_GRAPH(start, id)                                                                        \
	"events { metadata_id: 1 offset_ps: " start " duration_ps: 10 "                            \
	"stats { metadata_id: 1 uint64_value: " id " } "                                           \
	"stats { metadata_id: 8 str_value: \"a/b\" } "                                             \
	"stats { metadata_id: 11 uint64_value: 5 } } "
#define LAUNCH(kind, start, id)                                                                    \
	"events { metadata_id: " kind " offset_ps: " start " duration_ps: 2 "                      \
	"stats { metadata_id: 1 uint64_value: " id " } } "

/* Each launch is a box, though they follow each other. What is in no graph, or of no known launch, is in none. */
static void test_launches_of_graphs_are_boxes(void **state)
{
	static const char device[] =
		"planes { name: \"/device:GPU:0\" lines { id: 7 name: \"Stream #7\" " IN_GRAPH(
			"10", "1") IN_GRAPH("20", "1") IN_GRAPH("30", "2") KERNEL("50", "a/b")
			IN_GRAPH("60", "3") IN_GRAPH("80", "9");
	static const char host[] =
		"} stat_metadata { key: 8 value { name: \"name\" } } "
		"stat_metadata { key: 9 value { name: \"hlo_module\" } } "
		"stat_metadata { key: 10 value { name: \"hlo_op\" } } "
		"stat_metadata { key: 11 value { name: \"cuda_graph_node_id\" } } " STATS NAMES
		"} planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" " LAUNCH(
			"3", "1", "1") LAUNCH("3", "4", "2")
			LAUNCH("1", "7",
			       "3") "} "
				    "event_metadata { key: 3 value { name: \"cuGraphLaunch (CudaGraph:2)\" } } " STATS
					    NAMES "}";
	struct world *world = *state;
	char text[8192];

	snprintf(text, sizeof(text), "%s%s", device, host);
	load(world, text);
	assert_box(world, "Command Buffers", 0, "Command Buffer 2", 10, 30);
	assert_box(world, "Command Buffers", 1, "Command Buffer 2", 30, 40);
	assert_box(world, "Command Buffers", 2, "Command Buffer", 60, 70);
	assert_box(world, "Framework Ops", 0, "b", 10, 90);
}

static void test_launches_are_the_earliest_of_their_id(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream\" "
		    "events { metadata_id: 1 offset_ps: 100 duration_ps: 9 "
		    "stats { metadata_id: 1 uint64_value: 77 } } "
		    "events { metadata_id: 1 offset_ps: 120 duration_ps: 9 "
		    "stats { metadata_id: 1 int64_value: 78 } } "
		    "events { metadata_id: 1 offset_ps: 20 duration_ps: 1 "
		    "stats { metadata_id: 1 int64_value: 79 } } } " NAMES STATS "} "
		    "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 2 offset_ps: 50 duration_ps: 5 "
		    "stats { metadata_id: 1 int64_value: 77 } } "
		    "events { metadata_id: 1 offset_ps: 40 duration_ps: 5 "
		    "stats { metadata_id: 1 uint64_value: 77 } } "
		    "events { metadata_id: 2 offset_ps: 60 duration_ps: 5 "
		    "stats { metadata_id: 1 int64_value: 79 } } } " NAMES STATS "}");
	assert_int_equal(world->trace->lanes.at[0].kind, TFP_LANE_HOST);
	assert_int_equal(tfp_trace_start(world->trace, tfp_trace_link(world->trace, 4)), 40);
	assert_int_equal(tfp_trace_link(world->trace, 5), TFP_NONE);
	assert_int_equal(tfp_trace_start(world->trace, tfp_trace_link(world->trace, 3)), 60);
	assert_true(has_problem(world, "start before they were launched", 1));
}

static void test_copies_have_bytes_and_tensorflow_ops_their_names(void **state)
{
	struct world *world = *state;

	load(world,
	     "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream\" "
	     "events { metadata_id: 1 duration_ps: 9 stats { metadata_id: 2 ref_value: 4 } } "
	     "events { metadata_id: 1 duration_ps: 9 "
	     "stats { metadata_id: 2 str_value: \"size:10\" } } "
	     "events { metadata_id: 2 duration_ps: 3 "
	     "stats { metadata_id: 3 str_value: \"net/conv/Conv2D:Conv2D\" } "
	     "stats { metadata_id: 700 str_value: \"regs:8 grid:4,2,1 block:32,1,1\" } } "
	     "} " NAMES STATS "}");
	assert_int_equal(value_of(world, "one", TFP_TRACE_BYTES), 4106);
	assert_int_equal(world->trace->unowned.events, 2);
	assert_int_equal(value_of(world, "net/conv/Conv2D", TFP_TRACE_DEVICE), 3);
	assert_string_equal(
		text_of(world, world->profile->nodes.op[node_named(world, "net/conv/Conv2D")]),
		"Conv2D");
	for (uint32_t i = 0; i < 3; i++)
		if (tfp_trace_node(world->trace, i) == node_named(world, "net/conv/Conv2D"))
			assert_int_equal(
				world->trace->works.at[tfp_trace_work_of(world->trace, i)].grid[1],
				2);
}

/* A name that still holds what it says; commas in brackets and quotes end nothing. */
static void test_names_that_say_stats(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 1 duration_ps: 40 } "
		    "events { metadata_id: 2 offset_ps: 10 duration_ps: 5 } "
		    "events { metadata_id: 3 offset_ps: 20 duration_ps: 5 } } "
		    "event_metadata { key: 1 value { name: "
		    "\"train#shapes=[2,_r=3],text=\\\"a,_r=2\\\",_r=1, step_num = 17,x#\" } } "
		    "event_metadata { key: 2 value { name: \"launch#correlation_id=-5#\" } } "
		    "event_metadata { key: 3 value { name: \"C# code\" } } } "
		    "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream #1\" "
		    "events { metadata_id: 1 offset_ps: 50 duration_ps: 5 stats { metadata_id: 1 "
		    "uint64_value: 18446744073709551611 } } } " NAMES STATS "}");
	assert_int_equal(world->profile->steps.count, 1);
	assert_int_equal(world->profile->steps.at[0].number, 17);
	assert_int_equal(value_of(world, "train", TFP_TRACE_HOST), 30);
	assert_int_equal(value_of(world, "launch", TFP_TRACE_HOST), 5);
	assert_int_equal(value_of(world, "C# code", TFP_TRACE_HOST), 5);
	assert_int_equal(tfp_trace_start(world->trace, tfp_trace_link(world->trace, 3)), 10);
}

/* Entries of a map with one key: the last one counts, as protobuf has it. */
static void test_the_last_of_a_key_counts(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 1 duration_ps: 10 "
		    "stats { metadata_id: 6 int64_value: 1 } "
		    "stats { metadata_id: 5 int64_value: 4 } } } "
		    "stat_metadata { key: 5 value { name: \"other\" } } " NAMES STATS
		    "event_metadata { key: 1 value { name: \"late\" } } "
		    "stat_metadata { key: 5 value { name: \"step_num\" } } }");
	assert_int_equal(value_of(world, "late", TFP_TRACE_HOST), 10);
	assert_int_equal(world->profile->steps.at[0].number, 4);
}

/* Ops of one name in two modules are two, also where programs have no numbers. */
static void test_modules_tell_ops_apart(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"tf_XLAEigen/1\" "
		    "events { metadata_id: 1 duration_ps: 10 "
		    "stats { metadata_id: 8 str_value: \"add.1\" } "
		    "stats { metadata_id: 9 str_value: \"jit_f\" } } "
		    "events { metadata_id: 1 offset_ps: 20 duration_ps: 5 "
		    "stats { metadata_id: 8 str_value: \"add.1\" } "
		    "stats { metadata_id: 9 str_value: \"jit_g\" } } } "
		    "stat_metadata { key: 8 value { name: \"hlo_op\" } } "
		    "stat_metadata { key: 9 value { name: \"hlo_module\" } } " NAMES "}");
	assert_int_equal(world->profile->nodes.count, 2);
	assert_string_equal(text_of(world, world->profile->nodes.module[0]), "jit_f/add.1");
	assert_string_equal(text_of(world, world->profile->nodes.module[1]), "jit_g/add.1");
}

static void test_what_the_profiler_says_is_a_problem(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" } errors: \"no counters\" "
		    "warnings: \"12 events were dropped\"");
	assert_true(has_problem(world, "no counters", 1));
	assert_true(has_problem(world, "12 events were dropped", 1));
}

/* Ops of the host: of TensorFlow, beside its kernels, and of XLA. A launch of a kernel is none. */
static void test_ops_that_run_on_the_host(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 3 duration_ps: 40 } "
		    "events { metadata_id: 4 offset_ps: 70 duration_ps: 3 } "
		    "events { metadata_id: 1 offset_ps: 50 duration_ps: 5 "
		    "stats { metadata_id: 9 str_value: \"dot.4\" } } "
		    "events { metadata_id: 2 offset_ps: 60 duration_ps: 5 "
		    "stats { metadata_id: 9 str_value: \"dot.4\" } "
		    "stats { metadata_id: 1 int64_value: 5 } } } "
		    "event_metadata { key: 3 value { name: \"net/conv:Conv2D\" "
		    "display_name: \"Conv2D\" } } "
		    "event_metadata { key: 4 value { name: \"net/act:Relu\" } } "
		    "stat_metadata { key: 9 value { name: \"hlo_op\" } } " NAMES STATS "} "
		    "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream\" "
		    "events { metadata_id: 1 duration_ps: 7 "
		    "stats { metadata_id: 3 str_value: \"net/conv:Conv2D\" } } } " NAMES STATS "}");
	assert_int_equal(value_of(world, "net/conv", TFP_TRACE_HOST), 40);
	assert_int_equal(value_of(world, "net/conv", TFP_TRACE_DEVICE), 7);
	assert_int_equal(value_of(world, "net/act", TFP_TRACE_HOST), 3);
	assert_int_equal(value_of(world, "dot.4", TFP_TRACE_HOST), 5);
	assert_int_equal(value_of(world, "two", TFP_TRACE_HOST), 5);
}

/* An op's time with what it calls is below its name; what is around it is not. */
static void test_what_an_op_calls_is_below_it(void **state)
{
	struct world *world = *state;
	uint32_t node;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		    "events { metadata_id: 1 duration_ps: 90 } "
		    "events { metadata_id: 3 offset_ps: 10 duration_ps: 40 } "
		    "events { metadata_id: 5 offset_ps: 20 duration_ps: 25 } "
		    "events { metadata_id: 2 offset_ps: 30 duration_ps: 5 } "
		    "events { metadata_id: 2 offset_ps: 60 duration_ps: 7 } } "
		    "event_metadata { key: 3 value { name: \"net/conv:Conv2D\" "
		    "display_name: \"Conv2D\" } } "
		    "event_metadata { key: 5 value { name: \"wait 1/2\" } } " NAMES "}");
	assert_int_equal(value_of(world, "net/conv", TFP_TRACE_HOST), 15);
	assert_int_equal(value_of(world, "net/conv/wait 1|2", TFP_TRACE_HOST), 20);
	assert_int_equal(value_of(world, "net/conv/wait 1|2/two", TFP_TRACE_HOST), 5);
	assert_int_equal(value_of(world, "two", TFP_TRACE_HOST), 7);
	node = node_named(world, "net/conv/wait 1|2");
	assert_false(world->profile->nodes.flags[node] & TFP_NODE_UNSCOPED);
	assert_true(world->profile->nodes.flags[node] & TFP_NODE_AROUND);
}

/* ---- several --------------------------------------------------------------------------------- */

static const char host[] =
	"planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream\" "
	"events { metadata_id: 1 offset_ps: 100 duration_ps: 9 "
	"stats { metadata_id: 1 uint64_value: 77 } } } " NAMES STATS "} "
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	"events { metadata_id: 2 offset_ps: 40 duration_ps: 100 "
	"stats { metadata_id: 6 int64_value: 1 } stats { metadata_id: 7 int64_value: 3 } } "
	"events { metadata_id: 1 offset_ps: 50 duration_ps: 5 "
	"stats { metadata_id: 1 uint64_value: 77 } } } " NAMES STATS "}";

static void test_hosts_are_one_profile(void **state)
{
	struct world *world = *state;

	add_file(world, wire_of(host, world->diag), "run/a.xplane.pb");
	add_file(world, wire_of(host, world->diag), "run/b.xplane.pb");
	finish(world);
	assert_int_equal(world->trace->devices.count, 4);
	assert_string_equal(text_of(world, world->trace->devices.at[0].name), "a /host:CPU");
	assert_string_equal(text_of(world, world->trace->devices.at[1].name), "a /device:GPU:0");
	assert_string_equal(text_of(world, world->trace->devices.at[3].name), "b /device:GPU:0");
	assert_int_equal(world->profile->steps.count, 1);
	assert_int_equal(world->profile->steps.at[0].number, 3);
	assert_int_equal(world->profile->nodes.count, 3);
	assert_int_equal(value_of(world, "two", TFP_TRACE_HOST), 190);
	assert_int_equal(value_of(world, "two", TFP_TRACE_RUNS), 2);
	for (uint32_t i = 0; i < world->trace->count; i++)
		if (tfp_trace_work_of(world->trace, i) != TFP_NONE)
			assert_int_equal(
				world->trace->devices
					.at[world->trace->lanes
						    .at[tfp_trace_lane(
							    world->trace,
							    tfp_trace_link(world->trace, i))]
						    .device]
					.file,
				world->trace->devices
					.at[world->trace->lanes.at[tfp_trace_lane(world->trace, i)]
						    .device]
					.file);
}

static void test_hosts_of_one_name_are_told_apart(void **state)
{
	static const char *const names[] = {"run1/a /host:CPU", "run1/a /device:GPU:0",
					    "run2/a /host:CPU", "run2/a /device:GPU:0",
					    "b /host:CPU",      "b /device:GPU:0"};
	struct world *world = *state;

	add_file(world, wire_of(host, world->diag), "logs/run1/a.xplane.pb");
	add_file(world, wire_of(host, world->diag), "logs/run2/a.xplane.pb");
	add_file(world, wire_of(host, world->diag), "logs/run2/b.xplane.pb");
	finish(world);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_string_equal(text_of(world, world->trace->devices.at[i].name), names[i]);
}

/* A host of which step 3 begins at NANOS, and whose recording began at START by its clock. */
#define HOST_AT(nanos, start)                                                                      \
	"planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream\" timestamp_ns: " nanos     \
	" events { metadata_id: 1 offset_ps: 100 duration_ps: 9 "                                  \
	"stats { metadata_id: 1 uint64_value: 77 } } } " NAMES STATS "} "                          \
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" timestamp_ns: " nanos           \
	" events { metadata_id: 2 duration_ps: 1000 "                                              \
	"stats { metadata_id: 6 int64_value: 1 } stats { metadata_id: 7 int64_value: 3 } } "       \
	"events { metadata_id: 1 offset_ps: 50 duration_ps: 5 "                                    \
	"stats { metadata_id: 1 uint64_value: 77 } } } " NAMES STATS "}" start
#define START_AT(nanos)                                                                            \
	"planes { name: \"Task Environment\" stats { metadata_id: 1 uint64_value: " nanos          \
	" } stat_metadata { key: 1 value { id: 1 name: \"profile_start_time\" } } }"

/* Hosts have clocks of their own: those in which no step runs when it does in the first are moved, and it is told. */
static void test_clocks_of_hosts(void **state)
{
	static const struct {
		const char *texts[2];
		int64_t moved, start; /* of the second's device, ps */
		const char *problem;
	} cases[] = {
		{{HOST_AT("20", ""), HOST_AT("7000020", "")},
		 -INT64_C(7000000000),
		 20100,
		 "all of it was moved by -7.00ms, so that step 3 begins together"},
		/* by when they began the steps run at once */
		{{HOST_AT("20", START_AT("1790857026000000000")),
		  HOST_AT("15", START_AT("1790857026000000005"))},
		 0,
		 20100,
		 "it began 5ns after the first host's"},
		/* or do not: their clocks differ */
		{{HOST_AT("20", START_AT("1790857026000000000")),
		  HOST_AT("20", START_AT("1790857025000000000"))},
		 INT64_C(1000000000000),
		 20100,
		 "all of it was moved by 1.00s, so that step 3 begins together"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct world *world;
		uint32_t device;

		set_up((void **)&world);
		add_file(world, wire_of(cases[i].texts[0], world->diag), "run/a.xplane.pb");
		add_file(world, wire_of(cases[i].texts[1], world->diag), "run/b.xplane.pb");
		finish(world);
		device = tfp_trace_device_event(world->trace, 1);
		assert_int_equal(tfp_trace_start(world->trace, device), cases[i].start);
		assert_int_equal(
			world->trace->devices
				.at[world->trace->lanes.at[tfp_trace_lane(world->trace, device)]
					    .device]
				.moved,
			cases[i].moved);
		assert_true(has_problem(world, cases[i].problem, 1));
		tear_down((void **)&world);
	}
}

/* Two files one behind the other are a file with the planes of both. */
static void test_recordings_one_behind_the_other(void **state)
{
	struct world *world = *state;
	struct tfp_source *one = wire_of(host, world->diag);
	uint8_t *twice = tfp_alloc(2 * one->size);

	memcpy(twice, one->data, one->size);
	memcpy(twice + one->size, one->data, one->size);
	add_file(world, tfp_source_from_bytes("twice", twice, 2 * one->size), "twice");
	tfp_source_free(one);
	finish(world);
	assert_int_equal(world->trace->devices.count, 4);
	assert_int_equal(world->trace->count, 6);
	assert_int_equal(tfp_diag_count(world->diag), 0);
}

static void test_too_many_events_for_lines_of_ops(void **state)
{
	static const char event[] = "events { metadata_id: 1 duration_ps: 1 } ";
	const size_t count = 200001;
	struct world *world = *state;
	char *text = tfp_alloc(count * sizeof(event) + 1000), *at = text;

	at = stpcpy(at, "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream #1\" ");
	for (size_t i = 0; i < count; i++)
		at = stpcpy(at, event);
	strcpy(at, "} " NAMES "}");
	load(world, text);
	tfp_array_release(text);
	assert_int_equal(world->trace->lanes.count, 1);
	assert_true(has_problem(world, "at most 200000 events of devices, here are 200001", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lines_of_one_id_are_a_lane),
		TEST(test_derived_lines_do_not_count),
		TEST(test_too_many_events_for_lines_of_ops),
		TEST(test_lines_that_are_made),
		TEST(test_launches_of_graphs_are_boxes),
		TEST(test_aggregated_events_have_no_time),
		TEST(test_a_kind_without_a_name_shows_its_id),
		TEST(test_times_since_1970_are_shifted),
		TEST(test_impossible_times_are_told),
		TEST(test_an_absurd_time_moves_no_others),
		TEST(test_names_that_say_stats),
		TEST(test_the_last_of_a_key_counts),
		TEST(test_modules_tell_ops_apart),
		TEST(test_launches_are_the_earliest_of_their_id),
		TEST(test_copies_have_bytes_and_tensorflow_ops_their_names),
		TEST(test_what_the_profiler_says_is_a_problem),
		TEST(test_ops_that_run_on_the_host),
		TEST(test_what_an_op_calls_is_below_it),
		TEST(test_hosts_are_one_profile),
		TEST(test_hosts_of_one_name_are_told_apart),
		TEST(test_clocks_of_hosts),
		TEST(test_recordings_one_behind_the_other),
	};

	return cmocka_run_group_tests_name("xplane_made", tests, NULL, NULL);
}
