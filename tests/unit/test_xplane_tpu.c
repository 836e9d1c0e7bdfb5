/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of TPUs, and which lines of a device say what it did; which lines are one. */
#include "made_xplane.h"
#include "view/views/idle.h"
#include "view/views/steps.h"

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
	assert_int_equal(value_of(world, "jit(f)/dot/dot.1", TFP_TRACE_DEVICE), 40);
	assert_int_equal(kind_of(world, "loops and calls of XLA Ops"), TFP_LANE_DERIVED);
}

/* What moves data between devices says so by its kind, else by its name. */
static void test_collectives_of_a_tpu(void **state)
{
	static const struct {
		const char *op;
		enum tfp_work_class class;
	} ops[] = {
		{"all-reduce.3", TFP_WORK_COMM},
		{"fusion.1", TFP_WORK_COMM},
		{"fusion.2", TFP_WORK_OTHER},
		{"collective-permute-done", TFP_WORK_COMM},
	};
	struct world *world = *state;

	load(world, "planes { name: \"/device:TPU:0\" lines { id: 2 name: \"XLA Ops\" "
		    "events { metadata_id: 4 duration_ps: 50 } "
		    "events { metadata_id: 5 offset_ps: 60 duration_ps: 50 } "
		    "events { metadata_id: 6 offset_ps: 120 duration_ps: 50 } "
		    "events { metadata_id: 7 offset_ps: 180 duration_ps: 50 } } "
		    "event_metadata { key: 4 value { name: \"all-reduce.3\" } } "
		    "event_metadata { key: 5 value { name: \"fusion.1\" "
		    "stats { metadata_id: 3 str_value: \"all-gather fusion\" } } } "
		    "event_metadata { key: 6 value { name: \"fusion.2\" "
		    "stats { metadata_id: 3 str_value: \"convolution fusion\" } } } "
		    "event_metadata { key: 7 value { name: \"collective-permute-done\" } } "
		    "stat_metadata { key: 3 value { name: \"hlo_category\" } } }");
	assert_int_equal(world->trace->device_events, 4);
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t event = tfp_trace_device_event(world->trace, i);
		uint32_t work = tfp_trace_work_of(world->trace, event);

		assert_string_equal(text_of(world, world->trace->works.at[work].name), ops[i].op);
		assert_int_equal(world->trace->works.at[work].class, ops[i].class);
	}
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
	assert_int_equal(value_of(world, "while", TFP_TRACE_RUNS), 2);
	assert_int_equal(value_of(world, "while", TFP_TRACE_LAUNCHES), 2);
	assert_int_equal(value_of(world, "while", TFP_TRACE_FLOPS), 0);
	assert_int_equal(value_of(world, "while", TFP_TRACE_BYTES), 0);
	assert_int_equal(world->trace->begin, 1010);
}

/* The same, in two lines of one id whose ops are in no order, and beside it another line that has loops. */
static void test_loops_are_found_in_any_order(void **state)
{
	struct world *world = *state;

	load(world, "planes { name: \"/device:TPU:0\" "
		    "lines { id: 2 name: \"XLA Ops\" timestamp_ns: 1 "
		    "events { metadata_id: 5 offset_ps: 110 duration_ps: 10 } "
		    "events { metadata_id: 5 offset_ps: 30 duration_ps: 10 } "
		    "events { metadata_id: 4 offset_ps: 20 duration_ps: 50 } } "
		    "lines { id: 2 name: \"XLA Ops\" timestamp_ns: 1 "
		    "events { metadata_id: 5 offset_ps: 40 duration_ps: 10 } "
		    "events { metadata_id: 4 offset_ps: 10 duration_ps: 100 } } "
		    "lines { id: 3 name: \"Sparse Core Ops\" timestamp_ns: 1 "
		    "events { metadata_id: 5 offset_ps: 200 duration_ps: 10 } "
		    "events { metadata_id: 4 offset_ps: 200 duration_ps: 30 } } " LOOP "}");
	assert_int_equal(value_of(world, "add", TFP_TRACE_DEVICE), 40);
	assert_int_equal(value_of(world, "while", TFP_TRACE_DEVICE), 80 + 20);
	assert_int_equal(value_of(world, "while", TFP_TRACE_RUNS), 3);
	assert_int_equal(kind_of(world, "loops and calls of XLA Ops"), TFP_LANE_DERIVED);
	assert_int_equal(kind_of(world, "loops and calls of Sparse Core Ops"), TFP_LANE_DERIVED);
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

/* Threads of one name, whose ids follow each other; lines without an id, by their names. */
static void test_lines_of_other_ids_are_other_lanes(void **state)
{
	static const char *const names[] = {"python", "python", "python", "main"};
	static const int64_t ids[] = {1234, 1235, 0, 0};
	struct world *world = *state;

	load(world, "planes { name: \"/host:CPU\" "
		    "lines { id: 1234 name: \"python\" events { metadata_id: 1 duration_ps: 9 } } "
		    "lines { id: 1235 name: \"python\" events { metadata_id: 1 duration_ps: 9 } } "
		    "lines { name: \"python\" events { metadata_id: 1 duration_ps: 9 } } "
		    "lines { name: \"main\" events { metadata_id: 1 duration_ps: 9 } } "
		    "lines { name: \"python\" "
		    "events { metadata_id: 1 offset_ps: 9 duration_ps: 9 } } " NAMES " }");
	assert_int_equal(world->trace->lanes.count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(text_of(world, world->trace->lanes.at[i].name), names[i]);
		assert_int_equal(world->trace->lanes.at[i].id, ids[i]);
	}
	assert_int_equal(value_of(world, "one", TFP_TRACE_HOST), 45);
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

/* ---- programs -------------------------------------------------------------------------------- */

/* What a TPU says of an op; the ids of programs as two's complement, as launches and modules have them. */
#define PROGRAM                                                                                    \
	"event_metadata { key: 6 value { name: \"jit_step(42)\" } } "                              \
	"event_metadata { key: 7 value { name: \"%fusion.1 = (f32[8]{0:T(256)}, s32[]) "           \
	"fusion(bf16[4,2]{1,0:T(8,128)(2,1)S(1)} %p0, s32[] %p1), kind=kLoop\" "                   \
	"stats { metadata_id: 3 str_value: \"jit(step)/dot:\" } "                                  \
	"stats { metadata_id: 4 uint64_value: 42 } "                                               \
	"stats { metadata_id: 5 str_value: \"net.py:17:3\\nmain.py:80\" } } } "                    \
	"stat_metadata { key: 3 value { name: \"tf_op\" } } "                                      \
	"stat_metadata { key: 4 value { name: \"program_id\" } } "                                 \
	"stat_metadata { key: 5 value { name: \"source_stack\" } } "                               \
	"stat_metadata { key: 6 value { name: \"run_id\" } } "                                     \
	"stat_metadata { key: 7 value { name: \"_r\" } } "                                         \
	"stat_metadata { key: 8 value { name: \"step_num\" } } "                                   \
	"stat_metadata { key: 9 value { name: \"graph_type\" } } "

#define RUN                                                                                         \
	"planes { name: \"/device:TPU:0\" "                                                         \
	"lines { id: 3 name: \"XLA Ops\" events { metadata_id: 7 offset_ps: 500 duration_ps: 10 } " \
	"events { metadata_id: 7 offset_ps: 900 duration_ps: 10 } } "                               \
	"lines { id: 2 name: \"XLA Modules\" events { metadata_id: 6 offset_ps: 500 "               \
	"duration_ps: 100 stats { metadata_id: 6 int64_value: -7 } } } " PROGRAM "} "

static void test_an_op_is_launched_by_who_launched_its_program(void **state)
{
	struct world *world = *state;
	uint32_t node, stack;

	load(world,
	     RUN "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
		 "events { metadata_id: 6 offset_ps: 100 duration_ps: 20 "
		 "stats { metadata_id: 6 uint64_value: 18446744073709551609 } } } " PROGRAM "}");
	node = node_named(world, "jit(step)/dot/fusion.1");
	for (uint32_t i = 0; i < world->trace->count; i++)
		if (tfp_trace_node(world->trace, i) == node)
			assert_true(tfp_trace_start(world->trace, i) == 500
					    ? tfp_trace_start(world->trace,
							      tfp_trace_link(world->trace, i)) ==
						      100
					    : tfp_trace_link(world->trace, i) == TFP_NONE);
	assert_string_equal(text_of(world, world->profile->nodes.signature[node]),
			    "bf16[4,2]{1,0:T(8,128)(2,1)S(1)}, s32[]");
	assert_string_equal(text_of(world, world->profile->nodes.module[node]),
			    "jit_step(42)/fusion.1");
	stack = world->profile->nodes.stack[node];
	assert_int_equal(world->profile->frames.at[world->profile->stacks.at[stack].frame].line,
			 17);
	stack = world->profile->stacks.at[stack].parent;
	assert_int_equal(world->profile->frames.at[world->profile->stacks.at[stack].frame].line,
			 80);
}

/* Ops whose module the file does not have are told apart by their names. */
#define CALLED(at, op)                                                                             \
	"events { metadata_id: 1 offset_ps: " at " duration_ps: 5 "                                \
	"stats { metadata_id: 3 str_value: \"" op "\" } } "

static void test_ops_without_modules_have_types(void **state)
{
	struct world *world = *state;
	static const char *const ops[][2] = {{"dot.3", "dot"},
					     {"loop_fusion.12", "loop_fusion"},
					     {"add", "add"},
					     {"p.x", "p.x"}};

	load(world,
	     "planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" " CALLED("5", "dot.3")
		     CALLED("15", "loop_fusion.12") CALLED("25", "add") CALLED(
			     "35",
			     "p.x") "} stat_metadata { key: 3 value { name: \"hlo_op\" } } " NAMES
				    "}");
	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		assert_string_equal(
			text_of(world, world->profile->nodes.op[node_named(world, ops[i][0])]),
			ops[i][1]);
}

/* ---- steps ----------------------------------------------------------------------------------- */

#define DEVICE_STEPS                                                                               \
	"planes { name: \"/device:TPU:1\" lines { id: 1 name: \"Steps\" "                          \
	"events { metadata_id: 1 offset_ps: 450 duration_ps: 400 } "                               \
	"events { metadata_id: 2 offset_ps: 850 duration_ps: 100 "                                 \
	"stats { metadata_id: 8 int64_value: 12 } } } "                                            \
	"event_metadata { key: 1 value { name: \"11\" } } "                                        \
	"event_metadata { key: 2 value { name: \"eval\" } } " PROGRAM "} "

static void assert_steps(const struct world *world, size_t count, int64_t first, int64_t last)
{
	assert_int_equal(world->profile->steps.count, count);
	assert_int_equal(world->profile->steps.at[count - 2].number, first);
	assert_int_equal(world->profile->steps.at[count - 1].number, last);
}

static void test_the_line_of_steps_tells_them(void **state)
{
	struct world *world = *state;

	load(world, RUN DEVICE_STEPS);
	assert_steps(world, 2, 11, 12);
	assert_string_equal(text_of(world, world->profile->steps.at[1].label), "eval");
	for (uint32_t i = 0; i < world->trace->count; i++)
		if (tfp_trace_start(world->trace, i) == 500)
			assert_int_equal(tfp_trace_step_of(world->profile, i), 0);
}

/* Two cores of a chip have the same steps; a number that comes again on one of them is another step. */
#define CORE(name)                                                                                 \
	"planes { name: \"" name "\" lines { id: 1 name: \"Steps\" "                               \
	"events { metadata_id: 1 offset_ps: 100 duration_ps: 90 } "                                \
	"events { metadata_id: 2 offset_ps: 200 duration_ps: 90 } "                                \
	"events { metadata_id: 1 offset_ps: 300 duration_ps: 90 } } "                              \
	"event_metadata { key: 1 value { name: \"11\" } } "                                        \
	"event_metadata { key: 2 value { name: \"12\" } } " PROGRAM "} "

static void test_a_number_that_comes_again_is_another_step(void **state)
{
	struct world *world = *state;
	char label[TFP_STEP_LABEL_ROOM];

	load(world, RUN CORE("/device:TPU:1") CORE("/device:TPU:2"));
	assert_int_equal(world->profile->steps.count, 4);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(world->profile->steps.at[i + 1].number, 11 + (int64_t)i);
		assert_int_equal(world->trace->steps.at[i + 1].start, 100 * ((int64_t)i + 1));
		assert_int_equal(world->trace->steps.at[i + 1].end, 100 * ((int64_t)i + 1) + 90);
	}
	assert_true(has_problem(world, "has, too: 1; they are counted on from 13", 1));
	assert_string_equal(tfp_step_label(label, world->profile, 2), "step 12");
	assert_string_equal(tfp_step_label(label, world->profile, 3), "step 13, recorded as 11");
}

#define HOST_EVENT(name, start, stats)                                                             \
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "                               \
	"events { metadata_id: 1 offset_ps: " start " duration_ps: 50 " stats "} } "               \
	"event_metadata { key: 1 value { name: \"" name "\" } } " PROGRAM "} "

static void test_markers_of_the_host_go_before_it(void **state)
{
	struct world *world = *state;

	load(world, RUN DEVICE_STEPS HOST_EVENT("train", "10",
						"stats { metadata_id: 7 int64_value: 1 } "
						"stats { metadata_id: 8 int64_value: 5 } "));
	assert_steps(world, 2, TFP_STEP_OUTSIDE, 5);
}

/* Older programs do not say that it is the root, only the number. */
static void test_a_step_known_by_its_name(void **state)
{
	struct world *world = *state;

	load(world,
	     RUN DEVICE_STEPS HOST_EVENT("TraceContext", "480",
					 "stats { metadata_id: 8 int64_value: 6 } "
					 "stats { metadata_id: 9 str_value: \"test\" } ")
		     HOST_EVENT("train/layer", "900", "stats { metadata_id: 8 int64_value: 7 } "));
	assert_steps(world, 2, TFP_STEP_OUTSIDE, 6);
	assert_string_equal(text_of(world, world->profile->steps.at[1].label), "test");
}

static void test_runs_of_a_session_are_steps_where_nothing_else_is(void **state)
{
	struct world *world = *state;

	load(world,
	     RUN HOST_EVENT("RunGraph", "480", "") HOST_EVENT("SessionRun", "880", "")
		     HOST_EVENT("SessionRun", "480", "") HOST_EVENT("SessionRun", "490", ""));
	assert_steps(world, 2, 0, 1);
	assert_int_equal(world->trace->steps.at[0].start, 480);
	assert_string_equal(text_of(world, world->profile->steps_by), "SessionRun");
}

/* A run of a module on the host, which says the name within, and two of another module between. */
#define MODULE_RUN(start, inside, name, lasts)                                                     \
	"events { metadata_id: 1 offset_ps: " start " duration_ps: " lasts " } "                   \
	"events { metadata_id: 2 offset_ps: " inside                                               \
	" duration_ps: 5 stats { metadata_id: 1 str_value: \"" name "\" } } "
#define MODULE_HOST(events)                                                                        \
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" " events "} "                   \
	"event_metadata { key: 1 value { name: \"PJRT_LoadedExecutable_Execute\" } } "             \
	"event_metadata { key: 2 value { name: \"GpuExecutable::ExecuteThunks\" } } "              \
	"stat_metadata { key: 1 value { name: \"module_name\" } } } "

static void test_runs_of_the_one_module_are_steps(void **state)
{
	struct world *world = *state;

	load(world, MODULE_HOST(MODULE_RUN("100", "110", "jit_step",
					   "50") MODULE_RUN("200", "210", "jit_add", "10")
					MODULE_RUN("300", "310", "jit_step", "50")
						MODULE_RUN("500", "510", "jit_step", "70")));
	assert_steps(world, 4, 1, 2);
	assert_int_equal(world->trace->steps.at[3].start, 500);
	assert_int_equal(world->trace->steps.at[3].end, 570);
	assert_string_equal(text_of(world, world->profile->steps_by), "jit_step");
	assert_string_equal(text_of(world, world->profile->steps.at[2].label), "jit_step");
	assert_true(has_problem(world, "no steps are marked: each run of jit_step", 1));
}

/* Of two hosts one marks steps: they are no runs of the other's module. */
static void test_steps_of_one_host_are_no_runs_of_another(void **state)
{
	static const char *const texts[] = {
		MODULE_HOST(MODULE_RUN("100", "110", "jit_step", "50") MODULE_RUN(
			"300", "310", "jit_step", "50") MODULE_RUN("500", "510", "jit_step", "70")),
		RUN DEVICE_STEPS,
	};
	struct world *world = *state;

	add_file(world, wire_of(texts[0], world->diag), "a.xplane.pb");
	add_file(world, wire_of(texts[1], world->diag), "b.xplane.pb");
	finish(world);
	assert_true(has_problem(world, "no steps are marked: each run of jit_step", 1));
	assert_true(tfp_profile_find_step(world->profile, 12) != TFP_NONE);
	assert_int_equal(world->profile->steps_by, 0);
}

/* Two modules that take turns, or one that ran twice, say nothing of steps. */
static void test_runs_of_several_modules_are_none(void **state)
{
	struct world *world = *state;

	load(world, MODULE_HOST(MODULE_RUN("100", "110", "jit_a", "50") MODULE_RUN(
			    "200", "210", "jit_b", "50") MODULE_RUN("300", "310", "jit_a", "50")
					MODULE_RUN("400", "410", "jit_b", "50")
						MODULE_RUN("500", "510", "jit_a", "50")));
	assert_int_equal(world->profile->steps.count, 1);
	assert_int_equal(world->profile->steps_by, 0);
}

static void test_a_module_that_runs_twice_is_none(void **state)
{
	struct world *world = *state;

	load(world, MODULE_HOST(MODULE_RUN("100", "110", "jit_a", "50")
					MODULE_RUN("200", "210", "jit_a", "50")));
	assert_int_equal(world->profile->steps.count, 1);
	assert_int_equal(world->profile->steps_by, 0);
}

/* An event is in the step that launched it, and in none if that was in none. */
static void test_the_launch_tells_the_step(void **state)
{
	struct world *world = *state;

	load(world, RUN DEVICE_STEPS HOST_EVENT("run", "100",
						"stats { metadata_id: 6 int64_value: -7 } "));
	for (uint32_t i = 0; i < world->trace->count; i++)
		if (tfp_trace_start(world->trace, i) == 500 &&
		    tfp_trace_kind(world->trace, i) == TFP_LANE_DEVICE)
			assert_int_equal(tfp_trace_step_of(world->profile, i),
					 tfp_step_outside(world->profile));
}

/* A core that helps, or what a library does beside, is idle most, and that is nothing. */
static void test_the_idle_device_is_one_that_counts(void **state)
{
	struct world *world = *state;
	struct tfp_arena arena = {0};
	struct tfp_finding finding;

	load(world,
	     "planes { name: \"/device:TPU:0\" lines { id: 2 name: \"XLA Ops\" "
	     "events { metadata_id: 1 duration_ps: 50 } "
	     "events { metadata_id: 1 offset_ps: 90 duration_ps: 50 } } "
	     "stats { metadata_id: 9 double_value: 459 } "
	     "stat_metadata { key: 9 value { name: \"peak_teraflops_per_second\" } } " NAMES "} "
	     "planes { name: \"/device:CUSTOM:Megascale Trace\" lines { id: 2 name: \"send\" "
	     "events { metadata_id: 1 duration_ps: 5 } "
	     "events { metadata_id: 1 offset_ps: 90 duration_ps: 5 } } " NAMES "}");
	assert_true(tfp_idle_finding(world->profile, &arena, &finding));
	assert_memory_equal(finding.text, "/device:TPU:0 is idle", 21);
	tfp_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_the_ops_of_a_tpu),
		TEST(test_collectives_of_a_tpu),
		TEST(test_the_time_of_a_loop_is_what_its_ops_leave),
		TEST(test_loops_are_found_in_any_order),
		TEST(test_lines_that_repeat_others_do_not_count),
		TEST(test_streams_count_before_what_is_made_of_them),
		TEST(test_lines_of_other_ids_are_other_lanes),
		TEST(test_modules_count_where_there_are_no_ops),
		TEST(test_an_op_is_launched_by_who_launched_its_program),
		TEST(test_ops_without_modules_have_types),
		TEST(test_the_line_of_steps_tells_them),
		TEST(test_a_number_that_comes_again_is_another_step),
		TEST(test_markers_of_the_host_go_before_it),
		TEST(test_a_step_known_by_its_name),
		TEST(test_runs_of_a_session_are_steps_where_nothing_else_is),
		TEST(test_runs_of_the_one_module_are_steps),
		TEST(test_steps_of_one_host_are_no_runs_of_another),
		TEST(test_runs_of_several_modules_are_none),
		TEST(test_a_module_that_runs_twice_is_none),
		TEST(test_the_launch_tells_the_step),
		TEST(test_the_idle_device_is_one_that_counts),
	};

	return cmocka_run_group_tests_name("xplane_tpu", tests, NULL, NULL);
}
