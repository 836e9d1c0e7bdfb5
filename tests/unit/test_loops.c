/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of chips, which run in pieces between the ops in them: what views, panes, ranges and steps say of one. */
#include "made_xplane.h"
#include "asking.h"
#include "tfprof/strips.h"

#define OP(kind, from, lasts)                                                                      \
	"events { metadata_id: " kind " offset_ps: " from "000 duration_ps: " lasts "000 } "

/*
 * From ns 1000 to 12000 a loop with ops in it, another run of it from 7000 to 10000 among them, and from 20000 to 30000 one more.
 * Step 2 begins in the first one.
 */
#define LOOPS                                                                                      \
	"planes { name: \"/device:TPU:0\" "                                                        \
	"lines { id: 1 name: \"Steps\" events { metadata_id: 1 duration_ps: 5000000 } "            \
	"events { metadata_id: 2 offset_ps: 5000000 duration_ps: 40000000 } } "                    \
	"lines { id: 2 name: \"XLA Ops\" " OP("4", "1000", "11000") OP("5", "2000", "2000")        \
		OP("5", "4500", "2000") OP("4", "7000", "3000") OP("5", "7500", "1500")            \
			OP("4", "20000", "10000")                                                  \
				OP("5", "21000", "8000") "} "                                      \
							 "event_metadata { key: 1 "                \
							 "value { name: \"1\" } } "                \
							 "event_metadata { key: 2 "                \
							 "value { name: \"2\" } } "                \
							 "event_metadata { key: 4 "                \
							 "value { name: \"while.1\" } } "          \
							 "event_metadata { key: 5 "                \
							 "value { name: \"fusion.2\" } } "         \
							 "}"

/* What is loaded is the engine's. */
static void ask_of(struct world *world, struct worked_world *worked, const char *text)
{
	load(world, text);
	worked_begin(worked, world->profile);
	world->profile = tfp_profile_new();
}

static int64_t total(const struct worked_world *world, const char *row, const char *key)
{
	uint32_t metric = tfp_profile_find_metric(tfp_engine_profile(world->engine), key);

	return tfp_tree_total(world->tree, worked_row(world, row), metric);
}

/* A loop runs in a range where any of it lies there, as all else does, and has the time that its pieces have there. */
static void test_ranges(void **state)
{
	static const struct {
		const char *range;
		int64_t runs, nanos, fusions;
	} cases[] = {
		{"range=", 3, 4000 + 1500 + 2000, 4},
		{"range=1.5:4.2", 1, 500 + 200, 1},
		{"range=4.2:7", 1, 300 + 500, 1},
		/* it begins and ends in an op of the loop, or in one of the loop that is in it */
		{"range=5:6", 1, 0, 1},
		{"range=8:8.5", 2, 0, 1},
		{"range=8:11", 2, 1000 + 1000, 1},
		{"range=12:20", 0, 0, 0},
		{"range=20.5:22", 1, 500, 1},
	};
	struct worked_world world;

	ask_of(*state, &world, LOOPS);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t runs = cases[i].runs, fusions = cases[i].fusions;

		WORKED_ASK(&world, "scope", cases[i].range, "max_depth=all");
		assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_LAUNCHES), runs + fusions);
		if (runs) {
			assert_int_equal(total(&world, "while.1", "occurrence"), runs);
			assert_int_equal(total(&world, "while.1", "device"), cases[i].nanos * 1000);
		}
		WORKED_ASK(&world, "device", cases[i].range);
		assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_RUNS), runs + fusions);
		WORKED_ASK(&world, "time", cases[i].range);
		assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_LAUNCHES), runs + fusions);
	}
	worked_end(&world);
}

/* As any event of a device, a run is of the step in which it begins, with all its pieces. */
static void test_steps(void **state)
{
	struct worked_world world;

	ask_of(*state, &world, LOOPS);
	WORKED_ASK(&world, "scope", "step=1", "max_depth=all");
	assert_int_equal(total(&world, "while.1", "occurrence"), 1);
	assert_int_equal(total(&world, "while.1", "device"), 4000000);
	WORKED_ASK(&world, "scope", "step=2");
	assert_int_equal(total(&world, "while.1", "occurrence"), 2);
	assert_int_equal(total(&world, "while.1", "device"), 1500000 + 2000000);
	worked_end(&world);
}

static struct tfp_breakdown *break_down(struct worked_world *world, const char *row,
					enum tfp_breakdown_kind kind)
{
	return tfp_engine_breakdown(world->engine, world->tree, worked_row(world, row), kind,
				    TFP_TRACE_DEVICE, NULL, world->diag);
}

/* Runs are those of loops, also where one is in another of its name. */
static void test_runs(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *breakdown;

	ask_of(*state, &world, LOOPS);
	WORKED_ASK(&world, "scope", "max_depth=all",
		   "select=device_min,device_median,device_p99,device_max");
	assert_int_equal(total(&world, "while.1", "device_min"), 1500000);
	assert_int_equal(total(&world, "while.1", "device_median"), 2000000);
	assert_int_equal(total(&world, "while.1", "device_max"), 4000000);
	breakdown = break_down(&world, "while.1", TFP_BREAKDOWN_RUNS);
	assert_string_equal(breakdown->rows[0].text, "3, 7.50us in all");
	assert_string_equal(breakdown->rows[1].text, "1.50us  2.00us  4.00us  4.00us");
	assert_non_null(strstr(breakdown->rows[3].text, "4.00us at 1.00us"));
	assert_non_null(strstr(breakdown->rows[4].text, "2.00us at 20.00us"));
	tfp_breakdown_free(breakdown);
	breakdown = break_down(&world, "while.1", TFP_BREAKDOWN_KERNELS);
	assert_int_equal(breakdown->count, 1);
	assert_int_equal(breakdown->rows[0].runs, 3);
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

/* Where time is drawn a piece is told as the loop, and so is what ends a gap. */
static void test_names(void **state)
{
	struct worked_world world;
	const struct tfp_strips *strips;
	uint32_t pieces = 0;

	ask_of(*state, &world, LOOPS);
	WORKED_ASK(&world, "time", "max_depth=all");
	strips = world.tree->base->strips;
	for (uint32_t i = 0; i < strips->trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(strips->trace, i);

		if (tfp_trace_start(strips->trace, event) != 4000000)
			continue;
		pieces++;
		assert_non_null(strstr(tfp_strips_text(strips, event, &world.arena),
				       "11.00us at 1.00us  while.1  step 1"));
	}
	assert_int_equal(pieces, 1);
	WORKED_ASK(&world, "idle", "max_depth=all");
	assert_true(worked_row(&world, "at 12.00us, step 2, before while.1") != TFP_NONE);
	worked_end(&world);
}

/* Of events with one time the loop is around the other, whichever comes first. */
static void test_equal_times(void **state)
{
	struct world *world = *state;

	load(world,
	     "planes { name: \"/device:TPU:0\" lines { id: 2 name: \"XLA Ops\" " OP("5", "0", "10")
		     OP("4", "0", "10") OP("4", "20", "10")
			     OP("5", "20",
				"10") "} "
				      "event_metadata { key: 4 value { name: \"while.1\" } } "
				      "event_metadata { key: 5 value { name: \"fusion.2\" } } }");
	assert_int_equal(value_of(world, "fusion.2", TFP_TRACE_DEVICE), 20000);
	assert_int_equal(value_of(world, "while.1", TFP_TRACE_DEVICE), 0);
	assert_int_equal(value_of(world, "while.1", TFP_TRACE_RUNS), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_ranges), TEST(test_steps),       TEST(test_runs),
		TEST(test_names),  TEST(test_equal_times),
	};

	return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}
