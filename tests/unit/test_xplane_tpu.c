/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of TPUs, and which lines of a device say what it did. */
#include "made_xplane.h"

static enum tfp_lane_kind kind_of(const struct world *world, const char *lane)
{
	for (size_t i = 0; i < world->trace->lanes.count; i++)
		if (!strcmp(text_of(world, world->trace->lanes.at[i].name), lane))
			return world->trace->lanes.at[i].kind;
	fail_msg("no lane %s", lane);
	return TFP_LANE_PYTHON;
}

/* Lines that repeat the ops of a TPU, whose ops say what they are with their kind. */
static void test_the_ops_of_a_tpu(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:TPU:0\" "
		    "lines { id: 1 name: \"XLA Modules\" "
		    "events { metadata_id: 1 duration_ps: 50 } } "
		    "lines { id: 2 name: \"XLA Ops\" events { metadata_id: 1 duration_ps: 50 } "
		    "events { metadata_id: 3 duration_ps: 30 } "
		    "events { metadata_id: 3 offset_ps: 40 duration_ps: 10 } } "
		    "event_metadata { key: 3 value { name: \"%dot = f32[2] dot()\" "
		    "display_name: \"dot.1\" "
		    "stats { metadata_id: 3 str_value: \"jit(f)/dot:\" } } } "
		    "stat_metadata { key: 3 value { name: \"tf_op\" } } " NAMES "}");
	assert_int_equal(kind_of(world, "XLA Modules"), TFP_LANE_DERIVED);
	assert_int_equal(value_of(world, "jit(f)/dot", TFP_TRACE_DEVICE), 40);
	assert_int_equal(kind_of(world, "loops and calls of XLA Ops"), TFP_LANE_DERIVED);
}

/* Operations and bytes of what holds others are those of the others. */
#define LOOP                                                                                         \
	"event_metadata { key: 4 value { name: \"while\" "                                           \
	"stats { metadata_id: 1 int64_value: 7000 } stats { metadata_id: 2 int64_value: 9000 } } } " \
	"event_metadata { key: 5 value { name: \"add\" "                                             \
	"stats { metadata_id: 1 int64_value: 7 } stats { metadata_id: 2 int64_value: 9 } } } "       \
	"stat_metadata { key: 1 value { name: \"flops\" } } "                                        \
	"stat_metadata { key: 2 value { name: \"bytes_accessed\" } } "

static void test_the_time_of_a_loop_is_what_its_ops_leave(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:TPU:0 SparseCore 1\" "
		    "lines { id: 2 name: \"Sparse Core Ops\" timestamp_ns: 1 "
		    "events { metadata_id: 4 offset_ps: 10 duration_ps: 100 } "
		    "events { metadata_id: 4 offset_ps: 20 duration_ps: 50 } "
		    "events { metadata_id: 5 offset_ps: 30 duration_ps: 10 } "
		    "events { metadata_id: 5 offset_ps: 40 duration_ps: 10 } "
		    "events { metadata_id: 5 offset_ps: 110 duration_ps: 10 } } " LOOP "}");
	assert_int_equal(value_of(world, "add", TFP_TRACE_DEVICE), 30);
	assert_int_equal(value_of(world, "add", TFP_TRACE_FLOPS), 21);
	assert_int_equal(value_of(world, "add", TFP_TRACE_BYTES), 27);
	assert_int_equal(value_of(world, "while", TFP_TRACE_DEVICE), 10 + 40 + 10 + 20);
	assert_int_equal(value_of(world, "while", TFP_TRACE_FLOPS), 0);
	assert_int_equal(value_of(world, "while", TFP_TRACE_BYTES), 0);
	assert_int_equal(world->trace->begin, 1010);
}

#define EVENT(kind) "events { metadata_id: " kind " duration_ps: 10 } "

static void test_lines_that_repeat_others_do_not_count(void **state)
{
	struct world *world = *state;

	load(world,
	     "planes { name: \"/device:TPU:0 SparseCore 0\" "
	     "lines { id: 1 name: \"Sparse Core Steps\" " EVENT(
		     "1") "} "
			  "lines { id: 2 name: \"Sparse Core Modules\" " EVENT(
				  "1") "} "
				       "lines { id: 3 name: \"Sparse Core Ops\" " EVENT(
					       "2") "} "
						    "lines { id: 4 name: \"Sparse Core Syncs\" " EVENT(
							    "1") "} "
								 "lines { id: 9223372036854775807 name: \"_counters_\" " EVENT(
									 "1") "} " NAMES
									      "} planes { name: \"#Chip TPU Non-Core HBM 0\" "
									      "lines { id: 1 name: \"HBM\" " EVENT(
										      "1") "} " NAMES
											   "}");
	assert_int_equal(value_of(world, "two", TFP_TRACE_DEVICE), 10);
	assert_int_equal(world->trace->device_events, 1);
	assert_int_equal(world->profile->nodes.count, 1);
}

/* Of a GPU that is what the streams say, whoever put the other lines beside them. */
static void test_streams_count_before_what_is_made_of_them(void **state)
{
	struct world *world = *state;

	load(world,
	     "planes { name: \"/device:GPU:0\" "
	     "lines { id: 1 name: \"XLA Modules - from #7\" " EVENT(
		     "1") "} "
			  "lines { id: 2 name: \"XLA Ops\" " EVENT(
				  "1") "} "
				       "lines { id: 3 name: \"Steps\" " EVENT(
					       "1") "} "
						    "lines { id: 7 name: \"Stream #7(Compute)\" " EVENT(
							    "2") "} " NAMES "}");
	assert_int_equal(kind_of(world, "XLA Ops"), TFP_LANE_DERIVED);
	assert_int_equal(kind_of(world, "XLA Modules - from #7"), TFP_LANE_DERIVED);
	assert_int_equal(value_of(world, "two", TFP_TRACE_DEVICE), 10);
	assert_int_equal(world->trace->device_events, 1);
}

/* Modules are better than nothing. */
static void test_modules_count_where_there_are_no_ops(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:TPU:0\" "
		    "lines { id: 1 name: \"Steps\" " EVENT(
			    "2") "} "
				 "lines { id: 2 name: \"XLA Modules\" " EVENT("1") "} " NAMES "}");
	assert_int_equal(kind_of(world, "Steps"), TFP_LANE_DERIVED);
	assert_int_equal(value_of(world, "one", TFP_TRACE_DEVICE), 10);
	assert_int_equal(world->trace->device_events, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_the_ops_of_a_tpu),
		TEST(test_the_time_of_a_loop_is_what_its_ops_leave),
		TEST(test_lines_that_repeat_others_do_not_count),
		TEST(test_streams_count_before_what_is_made_of_them),
		TEST(test_modules_count_where_there_are_no_ops),
	};

	return cmocka_run_group_tests_name("xplane_tpu", tests, NULL, NULL);
}
