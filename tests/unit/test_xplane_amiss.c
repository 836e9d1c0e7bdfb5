/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of the XPlane kind that say what can't be: each is told, and costs no other event its time.
 */
#include "made_xplane.h"

#define HOST(lines) "planes { name: \"/host:CPU\" " lines NAMES " } "
#define CLOCK                                                                                      \
	"planes { name: \"Task Environment\" "                                                     \
	"stats { metadata_id: 1 uint64_value: 1795814390000000000 } "                              \
	"stats { metadata_id: 2 uint64_value: 1795814392000000000 } "                              \
	"stat_metadata { key: 1 value { name: \"profile_start_time\" } } "                         \
	"stat_metadata { key: 2 value { name: \"profile_stop_time\" } } } "
#define E(kind, offset, duration)                                                                  \
	"events { metadata_id: " #kind " offset_ps: " #offset " duration_ps: " #duration " } "
#define E2(kind, offset, duration) E(kind, offset, duration) E(kind, offset, duration)
#define E8(kind, offset, duration)                                                                 \
	E2(kind, offset, duration)                                                                 \
	E2(kind, offset, duration) E2(kind, offset, duration) E2(kind, offset, duration)
#define DEVICE(lines, names) "planes { name: \"/device:GPU:0\" " lines names " } "

/* What is wrong, and how much of "one" and "two" is there all the same, ps. */
static const struct {
	const char *text, *problem;
	uint64_t count;
	int64_t one, two;
	uint32_t events;
} cases[] = {
	/* times that can't be */
	{HOST("lines { id: 1 " E(1, 10, -20) E(2, 30, 5) "}"), "ends before it begins", 1, 0, 5, 2},
	{HOST("lines { id: 1 " E(1, 10, 20) E(2, 9223372036854775807, 5) "}"), "impossible time", 1,
	 20, -1, 1},
	{HOST("lines { id: 1 " E(1, 10, 20) E(2, 40, 9223372036854775807) "}"), "impossible time",
	 1, 20, -1, 1},
	{HOST("lines { id: 1 timestamp_ns: 9223372036854775807 " E(
		 1, 0, 20) "} "
			   "lines { id: 2 timestamp_ns: 5 " E(2, 0, 7)
				   E(2, 9, 7) "}"
					      "lines { id: 3 timestamp_ns: 6 " E(2, 0, 7) "}"),
	 "a line has an impossible time", 1, 20, 21, 4},
	{HOST("lines { id: 1 " E(1, 10, 20) E(1, 50, 20) E(2, 90000000000000000, 5) "}"),
	 "more than a day away", 1, 40, 5, 3},
	{HOST("lines { id: 1 " E(1, 10, 20) E(1, 50, 20) E(2, 90, 90000000000000000) "}"),
	 "more than a day away", 1, 40, 90000000000000000, 3},
	{HOST("lines { id: 1 " E(1, 10, 20) E(2, 3000000000001, 5) "}") CLOCK,
	 "outside the time of the recording", 1, 20, 5, 2},
	{HOST("lines { id: 1 " E(1, 10, 20) E(2, 30, 3000000000000) "}") CLOCK,
	 "outside the time of the recording", 1, 20, 3000000000000, 2},
	/* of a device, which would be idle up to it, or at work in all of it */
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E(1, 10, 20) E(2, 9000000000000, 5) "}", NAMES)
		 CLOCK,
	 "left out", 1, 20, -1, 1},
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E(1, 10, 20) E(2, 30, 9000000000000) "}",
		NAMES) CLOCK,
	 "left out", 1, 20, -1, 1},
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E(1, 10, 20) E(2, 3000000000001, 5) "}", NAMES)
		 CLOCK,
	 "outside the time of the recording", 1, 20, 5, 2},
	/* where most of a line are, or many, it is the clock that is wrong */
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E(1, 9000000000000, 20)
			E(2, 9000000000030, 5) "}",
		NAMES) CLOCK,
	 "outside the time of the recording", 1, 20, 5, 2},
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E8(1, 10, 20) E8(1, 10, 20) E8(1, 10, 20)
			E8(2, 9000000000000, 5) E8(2, 9000000000000, 5) E(2, 9000000000000, 5) "}",
		NAMES) CLOCK,
	 "outside the time of the recording", 1, 480, 85, 41},
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E8(1, 10, 20) E8(1, 10, 20) E8(1, 10, 20)
			E8(2, 9000000000000, 5) E8(2, 9000000000000, 5) "}",
		NAMES) CLOCK,
	 "left out", 1, 480, -1, 24},
	{HOST("lines { id: 1 timestamp_ns: 1795814390000000007 " E(
		 1, 10, 20) "} lines { id: 2 "
			    "timestamp_ns: 1795814395000000000 " E(2, 1, 5) "}") CLOCK,
	 "outside the time of the recording", 1, 20, 5, 2},
	{HOST("lines { id: 1 " E(1, 10, 20) E(2, 1999999999990, 5) "}") CLOCK, "", 0, 20, 5, 2},
	/* their order is no matter; of one that outlives what it began in, a part is nested */
	{HOST("lines { id: 1 " E(2, 50, 10) E(1, 10, 20) E(2, 15, 5) "}"), "", 0, 15, 15, 3},
	{HOST("lines { id: 1 " E(1, 10, 20) E(2, 25, 15) "}"),
	 "begin inside another of their thread and end after it: 1", 1, 15, 15, 2},
	/* as markers of steps do in any recording of JAX */
	{HOST("lines { id: 1 " E(
		 1, 10,
		 20) "events { metadata_id: 2 offset_ps: 25 duration_ps: 15 "
		     "stats { metadata_id: 1 int64_value: 1 } stats { metadata_id: 2 int64_value: 4 } } } "
		     "stat_metadata { key: 1 value { name: \"_r\" } } "
		     "stat_metadata { key: 2 value { name: \"step_num\" } } "),
	 "", 0, 15, 15, 2},
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E(1, 10, 20) E(2, 25, 15) "}", NAMES), "", 0,
	 20, 15, 2},
	/* numbers */
	{HOST("lines { id: 1 " E(1, 10, 20) E(77, 40, 5) E(77, 50, 5) "}"),
	 "a kind of events has a number that the file gives no name", 1, 20, -1, 3},
	{DEVICE("lines { id: 1 name: \"Stream #1\" " E(1, 10, 20) E(77, 40, 5) E(77, 50, 5) "}",
		NAMES),
	 "a kind of events has a number that the file gives no name", 1, 20, -1, 3},
	{HOST("lines { id: 1 " E(1, 10, 20) "} event_metadata { key: 1 value { name: \"was\" } } "),
	 "two kinds of events have one number", 1, 20, -1, 1},
	{HOST("lines { id: 1 " E(1, 10, 20) "} event_metadata { key: 1 value { name: \"one\" } } "),
	 "", 0, 20, -1, 1},
	{HOST("lines { id: 1 " E(1, 10, 20) "} stat_metadata { key: 1 value { name: \"a\" } } "
					    "stat_metadata { key: 1 value { name: \"b\" } } "),
	 "two kinds of stats have one number", 1, 20, -1, 1},
	{HOST("lines { id: 1 events { metadata_id: 1 duration_ps: 20 "
	      "stats { metadata_id: 9 int64_value: 1 } } } "),
	 "a stat of an event has a number that the file gives no name", 1, 20, -1, 1},
	{HOST("lines { id: 1 events { metadata_id: 1 duration_ps: 20 "
	      "stats { metadata_id: 900 int64_value: 1 } } } stat_metadata { key: 1 value { name: "
	      "\"a\" } } "),
	 "a stat of an event has a number that the file gives no name", 1, 20, -1, 1},
	{DEVICE("lines { id: 1 name: \"Stream #1\" events { metadata_id: 1 duration_ps: 20 "
		"stats { metadata_id: 1 ref_value: 5 } } } stat_metadata { key: 1 value { name: "
		"\"hlo_op\" } } ",
		NAMES),
	 "a text that an event refers to is not in the file", 1, 20, -1, 1},
};

/* The time that all nodes of the op OP have; -1: there is no such node. */
static int64_t time_of(const struct world *world, const char *op)
{
	const struct tfp_nodes *nodes = &world->profile->nodes;
	int64_t time = -1;

	for (uint32_t node = 0; node < nodes->count; node++) {
		int64_t values[TFP_MAX_METRICS];
		const char *name = text_of(world, nodes->name[node]);

		if (strcmp(strrchr(name, '/') ? strrchr(name, '/') + 1 : name, op) != 0)
			continue;
		tfp_profile_values(world->profile, node, TFP_STEP_MEAN, 0, values);
		time = (time < 0 ? 0 : time) + values[TFP_TRACE_HOST] + values[TFP_TRACE_DEVICE];
	}
	return time;
}

static void test_each_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		void *own;
		struct world *world;

		set_up(&own);
		world = own;
		load(world, cases[i].text);
		if (*cases[i].problem ? !has_problem(world, cases[i].problem, cases[i].count)
				      : tfp_diag_count(world->diag) != 0)
			fail_msg("case %zu: %s", i,
				 tfp_diag_count(world->diag) ? tfp_diag_get(world->diag, 0).text
							     : "no problem");
		if (world->trace->count != cases[i].events ||
		    time_of(world, "one") != cases[i].one || time_of(world, "two") != cases[i].two)
			fail_msg("case %zu: %u events, one %lld, two %lld", i, world->trace->count,
				 (long long)time_of(world, "one"),
				 (long long)time_of(world, "two"));
		tear_down(&own);
	}
}

/* Numbers that are texts, here or elsewhere in the file, or reals; what is no whole number is told. */
#define MARK(at, value)                                                                            \
	"events { metadata_id: 1 offset_ps: " at " duration_ps: 50 "                               \
	"stats { metadata_id: 1 str_value: \"1\" } stats { metadata_id: 2 " value " } } "
#define LAUNCH(at, value)                                                                          \
	"events { metadata_id: 2 offset_ps: " at " duration_ps: 5 "                                \
	"stats { metadata_id: 3 " value " } } "
#define NUMBERS                                                                                    \
	NAMES "stat_metadata { key: 1 value { name: \"_r\" } } "                                   \
	      "stat_metadata { key: 2 value { name: \"step_num\" } } "                             \
	      "stat_metadata { key: 3 value { name: \"correlation_id\" } } "                       \
	      "stat_metadata { key: 9 value { name: \"6\" } } } "
#define MARKS                                                                                      \
	MARK("0", "str_value: \"4\"")                                                              \
	MARK("100", "double_value: 5")                                                             \
	MARK("200", "ref_value: 9")                                                                \
	MARK("300", "double_value: 6.5") MARK("400", "str_value: \"last\"")
#define LAUNCHES                                                                                   \
	LAUNCH("10", "str_value: \"71\"")                                                          \
	LAUNCH("110", "double_value: 72") LAUNCH("210", "str_value: \"x\"")
#define LAUNCHED LAUNCH("20", "double_value: 71") LAUNCH("120", "bytes_value: \"72\"")

static void test_numbers_of_other_types(void **state)
{
	static const int64_t steps[] = {TFP_STEP_OUTSIDE, 4, 5, 6};
	struct world *world = *state;
	const struct tfp_trace *trace;

	load(world, "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" " MARKS LAUNCHES
		    "} " NUMBERS
		    "planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream #1\" " LAUNCHED
		    "} " NUMBERS);
	trace = world->trace;
	assert_int_equal(world->profile->steps.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(world->profile->steps.at[i].number, steps[i]);
	assert_int_equal(trace->device_events, 2);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);

		assert_int_equal(tfp_trace_start(trace, tfp_trace_link(trace, event)),
				 tfp_trace_start(trace, event) - 10);
	}
	assert_true(has_problem(world, "a step has no whole number", 2));
	assert_true(has_problem(world, "the id of a launch is no whole number", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_is_told),
		TEST(test_numbers_of_other_types),
	};

	return cmocka_run_group_tests_name("xplane_amiss", tests, NULL, NULL);
}
