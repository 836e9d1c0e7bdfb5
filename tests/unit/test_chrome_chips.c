/* SPDX-License-Identifier: Apache-2.0 */
/* Chips and GPUs in the Chrome traces that JAX and xprof write: which of a device's lanes say what it did, and what an op says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "tfprof/load.h"

#define PROCESS(pid, name)                                                                         \
	"{\"ph\": \"M\", \"pid\": " pid                                                            \
	", \"name\": \"process_name\", \"args\": {\"name\": \"" name "\"}},\n"
#define LANE(pid, tid, name)                                                                       \
	"{\"ph\": \"M\", \"pid\": " pid ", \"tid\": " tid                                          \
	", \"name\": \"thread_name\", \"args\": {\"name\": \"" name "\"}},\n"
#define OP(pid, tid, ts, dur, name, args)                                                          \
	"{\"ph\": \"X\", \"pid\": " pid ", \"tid\": " tid ", \"ts\": " ts ", \"dur\": " dur        \
	", \"name\": \"" name "\", \"args\": {" args "}},\n"
/* A lane with one event of its name, in microsecond 10. */
#define ALONE(pid, tid, name) LANE(pid, tid, name) OP(pid, tid, "10", "100", name, "")

static struct tfp_profile *load_chip(const char *text)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(text, diag);

	tfp_diag_free(diag);
	return profile;
}

/* What is drawn has nodes of the same names. */
static int64_t time_of(const struct tfp_profile *profile, const char *name)
{
	const struct tfp_trace *trace = profile->trace;
	int64_t time = 0;

	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);

		if (!strcmp(name_of(profile, event), name))
			time += tfp_trace_duration(trace, event);
	}
	return time;
}

static void expect_works(const char *text, const char *const *names, size_t count)
{
	struct tfp_profile *profile = load_chip(text);
	const struct tfp_trace *trace = profile->trace;

	for (uint32_t i = 0; i < trace->device_events; i++) {
		const char *name = name_of(profile, tfp_trace_device_event(trace, i));

		if (i >= count || strcmp(name, names[i]) != 0)
			fail_msg("%s is what a device did", name);
	}
	assert_int_equal(trace->device_events, count);
	tfp_profile_free(profile);
}

static void one_kind_of_lane_says_what_a_device_did(void **state)
{
	static const char *const gpu[] = {"Stream #14(Compute)"},
				 *const core[] = {"Sparse Core Ops"}, *const chip[] = {"XLA Ops"},
				 *const modules[] = {"XLA Modules"};

	(void)state;
	expect_works("{\"traceEvents\": [\n" PROCESS("2", "/device:GPU:0")
			     ALONE("2", "1", "Stream #14(Compute)")
				     ALONE("2", "2", "XLA Ops - from #14")
					     ALONE("2", "3", "Steps") "{}]}",
		     gpu, 1);
	expect_works("{\"traceEvents\": [\n" PROCESS("3", "/device:TPU:0 SparseCore 0")
			     ALONE("3", "1", "Sparse Core Steps")
				     ALONE("3", "2", "Sparse Core Modules")
					     ALONE("3", "3", "Sparse Core Ops") "{}]}",
		     core, 1);
	expect_works("{\"traceEvents\": [\n" PROCESS("2", "/device:TPU:0")
			     ALONE("2", "1", "XLA Modules") ALONE("2", "2", "XLA Ops - from #3")
				     ALONE("2", "3", "XLA Ops")
					     ALONE("2", "4", "Sparse Core Ops") "{}]}",
		     chip, 1);
	expect_works("{\"traceEvents\": [\n" PROCESS("2", "/device:TPU:0")
			     ALONE("2", "1", "XLA Modules") ALONE("2", "2", "Source code")
				     ALONE("2", "3", "Steps") "{}]}",
		     modules, 1);
	expect_works("{\"traceEvents\": [\n" PROCESS("2", "/device:TPU:0") ALONE("2", "1", "Steps")
			     ALONE("2", "2", "Source code") "{}]}",
		     NULL, 0);
}

/* How often what is called NAME ran on devices. */
static int64_t runs_of(const struct tfp_profile *profile, const char *name)
{
	const struct tfp_trace *trace = profile->trace;
	int64_t runs = 0;

	for (uint32_t i = 0; i < profile->cells.count; i++)
		if (!strcmp(tfp_strings_text(profile->strings,
					     profile->nodes.name[profile->cells.node[i]]),
			    name))
			runs += profile->cells.value[(size_t)i * profile->cell_columns +
						     TFP_TRACE_LAUNCHES];
	assert_true(trace->device_events >= runs);
	return runs;
}

/* The file need not be in the order of time. */
static void a_loop_has_what_it_takes_between_its_ops(void **state)
{
	struct tfp_profile *profile = load_chip(
		"{\"traceEvents\": [\n" PROCESS("2", "/device:TPU:0") LANE("2", "3", "XLA Ops") OP(
			"2", "3", "30", "20", "fusion.5", "") OP("2", "3", "10", "100", "while.1",
								 "")
			OP("2", "3", "10", "5", "copy.2", "") OP("2", "3", "60", "20", "call.4", "")
				OP("2", "3", "60", "20", "fusion.5", "")
					OP("2", "3", "110", "40", "psum.3", "") "{}]}");
	int loops = 0;

	(void)state;
	assert_int_equal(time_of(profile, "while.1"), 55000);
	assert_int_equal(time_of(profile, "fusion.5"), 40000);
	assert_int_equal(time_of(profile, "copy.2"), 5000);
	assert_int_equal(time_of(profile, "psum.3"), 40000);
	assert_int_equal(time_of(profile, "call.4"), 0);
	assert_int_equal(runs_of(profile, "while.1"), 1);
	assert_int_equal(runs_of(profile, "fusion.5"), 2);
	assert_int_equal(runs_of(profile, "call.4"), 1);
	for (uint32_t i = 0; i < profile->trace->count; i++)
		loops += !strcmp(lane_of(profile, i), "loops and calls of XLA Ops");
	assert_int_equal(loops, 2);
	tfp_profile_free(profile);
}

#define STEPS                                                                                      \
	PROCESS("2", "/device:TPU:0")                                                              \
	LANE("2", "1", "Steps")                                                                    \
	OP("2", "1", "0", "50", "7", "")                                                           \
	OP("2", "1", "60", "50", "8", "")                                                          \
	OP("2", "1", "120", "10", "warm up", "")                                                   \
	LANE("2", "3", "XLA Ops")                                                                  \
	OP("2", "3", "10", "20", "fusion.5", "") OP("2", "3", "70", "30", "fusion.5", "")

/* Where the host says which they are, that counts. */
static void a_chip_says_steps_where_nobody_else_does(void **state)
{
	struct tfp_profile *profile = load_chip("{\"traceEvents\": [\n" STEPS "{}]}");
	const struct tfp_trace *trace = profile->trace;

	(void)state;
	assert_int_equal(trace->marks.count, 2);
	assert_int_equal(trace->marks.at[0].number, 7);
	assert_int_equal(trace->marks.at[1].span.start, 60000);
	assert_int_equal(trace->marks.at[1].span.end, 110000);
	tfp_profile_free(profile);
	profile = load_chip("{\"traceEvents\": [\n" STEPS PROCESS("701", "/host:CPU") OP(
		"701", "1", "0", "200", "train", "\"step_num\": \"3\"") "{}]}");
	assert_int_equal(profile->trace->marks.count, 1);
	assert_int_equal(profile->trace->marks.at[0].number, 3);
	tfp_profile_free(profile);
}

static void an_op_says_what_its_instruction_is(void **state)
{
	struct tfp_profile *profile = load_chip(
		"{\"traceEvents\": [\n" PROCESS("2", "/device:TPU:0") LANE("2", "3", "XLA Ops") OP(
			"2", "3", "0", "100", "while.1",
			"\"hlo_category\": \"while\", \"flops\": \"900\", \"bytes_accessed\": \"90\"")
			OP("2", "3", "10", "20", "fusion.5",
			   "\"hlo_category\": \"loop fusion\", \"model_flops\": \"300\", "
			   "\"bytes_accessed\": 64, \"source\": \"/home/me/train.py:42\", "
			   "\"tf_op\": \"jit(f)/dot:\", "
			   "\"long_name\": \"%fusion.5 = f32[8]{0} fusion(f32[4,2] %p, s32[] %q)\"") "{}]}");
	uint32_t event = event_named(profile, "jit(f)/dot/fusion.5"), node;
	const struct tfp_trace *trace = profile->trace;
	const struct tfp_frame *frame;

	(void)state;
	assert_int_not_equal(event, TFP_NONE);
	node = tfp_trace_node(trace, event);
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.op[node]),
			    "loop fusion");
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.signature[node]),
			    "f32[4,2], s32[]");
	assert_int_equal(profile->nodes.float_ops[node], 300);
	assert_int_equal(trace->works.at[tfp_trace_work_of(trace, event)].bytes, 64);
	frame = &profile->frames.at[profile->stacks.at[profile->nodes.stack[node]].frame];
	assert_string_equal(tfp_strings_text(profile->strings, frame->file), "/home/me/train.py");
	assert_int_equal(frame->line, 42);
	/* the ops in a loop have what is counted for it */
	for (uint32_t i = 0; i < profile->nodes.count; i++)
		assert_true(i == node || !profile->nodes.float_ops[i]);
	tfp_profile_free(profile);
}

static void devices_of_rocprof_are_no_hosts(void **state)
{
	static const char *const names[] = {"kernel"};

	(void)state;
	expect_works("{\"traceEvents\": [\n" PROCESS("2", "0 CPU HIP API") PROCESS("6", "GPU0")
			     OP("2", "9", "10", "5", "hipLaunchKernel", "")
				     OP("6", "0", "20", "50", "kernel", "")
					     PROCESS("7", "GPU0 Process")
						     OP("7", "0", "20", "5", "work", "") "{}]}",
		     names, 1);
}

/* What computes at which time stands in a process of its own, once more. */
static void devices_of_ascend_are_no_hosts(void **state)
{
	struct tfp_profile *profile = load_chip(
		"[\n" PROCESS("1", "Python") PROCESS("2", "Ascend Hardware") PROCESS(
			"3", "Overlap Analysis") LANE("2", "2", "Stream 2") LANE("3", "1",
										 "Computing")
			X("cpu_op", "aten::mm", "1", "1", "10", "50", "\"External id\": 1") X(
				"kernel", "gemm", "0", "7", "70", "5",
				"\"External id\": 1") OP("2", "2", "100", "200", "MatMulV2", "")
				OP("3", "1", "100", "200", "Computing",
				   "") "{\"ph\": \"s\", \"name\": \"async_npu\", \"cat\": \"async_npu\", \"id\": \"17\", "
				       "\"pid\": 1, \"tid\": 1, \"ts\": 10},\n"
				       "{\"ph\": \"f\", \"name\": \"async_npu\", \"cat\": \"async_npu\", \"id\": \"17\", "
				       "\"bp\": \"e\", \"pid\": 2, \"tid\": 2, \"ts\": 100},\n{}]");
	const struct tfp_trace *trace = profile->trace;

	(void)state;
	assert_string_equal(profile->format, "kineto");
	assert_int_equal(trace->device_events, 2);
	assert_string_equal(owner_of(profile, 70000), "aten::mm");
	assert_string_equal(owner_of(profile, 100000), "aten::mm");
	assert_int_equal(value_of(profile, "aten::mm", TFP_STEP_MEAN, 0,
				  (enum tfp_tf_metric)TFP_TRACE_DEVICE),
			 205000);
	assert_int_equal(
		trace->lanes.at[tfp_trace_lane(trace, event_named(profile, "Computing"))].kind,
		TFP_LANE_DERIVED);
	tfp_profile_free(profile);
}

/* Collectives, and their pieces, stand in a process of their own, once more; alone they are what there is. */
static void collectives_of_ascend_count_once(void **state)
{
#define HCCL                                                                                       \
	PROCESS("4", "HCCL")                                                                       \
	ALONE("4", "1", "Group 0 Communication") ALONE("4", "2", "Plane 0")
	static const char *const names[] = {"hcom_allReduce__17_1"};
	static const char text[] =
		"{\"traceEvents\": [\n" PROCESS("2", "Ascend Hardware") LANE("2", "2", "Stream 2")
			OP("2", "2", "100", "200", "hcom_allReduce__17_1", "") HCCL "{}]}";
	struct tfp_profile *profile = load_chip(text);
	const struct tfp_trace *trace = profile->trace;

	(void)state;
	expect_works(text, names, 1);
	assert_int_equal(
		trace->works.at[tfp_trace_work_of(trace, tfp_trace_device_event(trace, 0))].class,
		TFP_WORK_COMM);
	assert_int_equal(
		trace->lanes.at[tfp_trace_lane(trace, event_named(profile, "Plane 0"))].kind,
		TFP_LANE_DERIVED);
	tfp_profile_free(profile);
	profile = load_chip("{\"traceEvents\": [\n" HCCL "{}]}");
	trace = profile->trace;
	assert_int_equal(
		trace->lanes.at[tfp_trace_lane(trace, event_named(profile, "Plane 0"))].kind,
		TFP_LANE_HOST);
	tfp_profile_free(profile);
}

/* Python calls of a thread without ops are no device's, though its stream has the number of its process, as main threads do. */
static void python_calls_are_of_no_device(void **state)
{
	struct tfp_profile *profile = load_chip(
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" PROCESS("2", "Ascend Hardware")
			LANE("2", "2", "Stream 2") OP("2", "2", "100", "200", "MatMulV2", "")
				X("python_function", "a.py(1): f", "1", "1", "10", "50",
				  "\"Python id\": 1") "{}]}");
	const struct tfp_trace *trace = profile->trace;
	uint32_t call = event_named(profile, "a.py(1): f");

	(void)state;
	assert_int_not_equal(call, TFP_NONE);
	assert_int_equal(trace->lanes.at[tfp_trace_lane(trace, call)].thread, TFP_NONE);
	tfp_profile_free(profile);
}

/* Ascend's profiler writes texts in place of lists. */
static void shapes_may_be_texts(void **state)
{
	struct tfp_profile *profile = load_chip("{\"schemaVersion\": 1, \"traceEvents\": [\n" X(
		"cpu_op", "aten::mm", "1", "1", "10", "50",
		"\"Input Dims\": \"2,3;3,4;\", \"Input type\": \"float;c10::Half;Scalar\"") "{}]}");
	uint32_t node = node_named(profile, "aten::mm");

	(void)state;
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.signature[node]),
			    "[2,3] float, [3,4] Half");
	assert_int_equal(profile->nodes.float_ops[node], 48);
	tfp_profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_kind_of_lane_says_what_a_device_did),
		cmocka_unit_test(a_loop_has_what_it_takes_between_its_ops),
		cmocka_unit_test(a_chip_says_steps_where_nobody_else_does),
		cmocka_unit_test(an_op_says_what_its_instruction_is),
		cmocka_unit_test(devices_of_rocprof_are_no_hosts),
		cmocka_unit_test(devices_of_ascend_are_no_hosts),
		cmocka_unit_test(collectives_of_ascend_count_once),
		cmocka_unit_test(python_calls_are_of_no_device),
		cmocka_unit_test(shapes_may_be_texts),
	};

	return cmocka_run_group_tests_name("chrome_chips", tests, NULL, NULL);
}
