/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PyTorch's traces as its versions, devices and modes write them: ids that are missing, what TorchScript says of modules,
 * memory that there was not, what the profiler complains of, float operations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "load/chrome/flops.h"

#define BEGIN "{\"schemaVersion\": 1, \"traceEvents\": [\n"

/* ---- which op, which step, which GPU --------------------------------------------------------------- */

/* A call of the GPU's library and what it launched, which have an id and no number. */
static void a_call_is_found_by_the_id_of_what_it_launched(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile =
		load_text(BEGIN X("cpu_op", "aten::convolution", "1", "1", "1", "100", "")
				  X("cuda_runtime", "cudaLaunchKernel", "1", "1", "10", "5",
				    "\"External id\": 100") X("kernel", "k", "0", "7", "50", "20",
							      "\"External id\": 100") "]}",
			  diag);

	(void)state;
	assert_string_equal(owner_of(profile, 50000), "aten::convolution");
	assert_int_equal(profile->trace->unowned.events, 0);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* As versions from 1.8 on wrote it: categories with capitals, numbers as texts, annotations among the ops. */
static void the_first_versions_are_understood(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"schemaVersion\": 1, \"computeProperties\": [{\"id\": 3, \"name\": \"V100\"}],"
		"\"traceEvents\": [\n" X("Operator", "ProfilerStep#4", "1", "\"1\"", "0", "200",
					 "\"External id\": \"2\"")
			X("Operator", "aten::mm", "1", "\"1\"", "1", "100",
			  "\"External id\": \"3\"") X("Runtime", "cudaLaunchKernel", "1", "\"1\"",
						      "10", "5", "\"correlation\": \"9\"")
				X("Kernel", "k", "3", "\"stream 7\"", "50", "20",
				  "\"External id\": \"3\", \"correlation\": \"9\"") "]}",
		diag);
	uint32_t kernel = tfp_trace_device_event(profile->trace, 0);
	uint32_t device = profile->trace->lanes.at[tfp_trace_lane(profile->trace, kernel)].device;

	(void)state;
	assert_string_equal(owner_of(profile, 50000), "aten::mm");
	assert_int_equal(profile->steps.count, 1);
	assert_int_equal(profile->steps.at[0].number, 4);
	assert_string_equal(
		tfp_strings_text(profile->strings, profile->trace->devices.at[device].model),
		"V100");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Times in whole microseconds: of two ops of one time the one that got its id first is around the other. */
static void ops_of_one_time_nest_by_their_ids(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN X("Operator", "inner", "1", "1", "5", "3", "\"External id\": 7")
			X("Operator", "outer", "1", "1", "5", "3", "\"External id\": 6") "]}",
		diag);

	(void)state;
	assert_int_not_equal(event_named(profile, "outer/inner"), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* A letter of a key may be written by its number. */
static void keys_with_escapes_are_the_same_keys(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN "{\"\\u0070h\": \"X\", \"cat\": \"cpu_op\", \"n\\u0061me\": \"aten::mm\","
		      "\"pid\": 1, \"tid\": 1, \"\\u0074s\": 5, \"dur\": 90,"
		      "\"\\u0061rgs\": {\"External\\u0020id\": 3}},\n" X(
			      "kernel", "k", "0", "7", "50", "20", "\"External id\": 3") "]}",
		diag);

	(void)state;
	expect_event(profile, "aten::mm", 5000, 90000);
	assert_string_equal(owner_of(profile, 50000), "aten::mm");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void python_calls_without_a_thread_are_of_the_main_thread(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile =
		load_text(BEGIN X("python_function", "m.py(3): f", "0", "0", "0", "100", "")
				  X("python_function", "nn.Module: Net_0", "0", "0", "1", "90",
				    "") X("cpu_op", "aten::mm", "77", "77", "10", "5", "")
					  X("cpu_op", "other", "77", "78", "10", "5", "") "]}",
			  diag);

	(void)state;
	assert_int_not_equal(event_named(profile, "Net_0/aten::mm"), TFP_NONE);
	assert_int_not_equal(event_named(profile, "other"), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void torchscript_says_the_modules_of_ops(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN X("cpu_op", "aten::mul", "1", "1", "1", "10",
			"\"Module Hierarchy\": \"TOP(C)::forward.A0(A)::forward.SELF(A)::f_.\"")
			X("cpu_op", "aten::expand", "1", "1", "2", "3",
			  "\"Module Hierarchy\": \"TOP(C)::forward.A0(A)::forward.SELF(A)::f_.\"")
				X("cpu_op", "aten::add", "1", "1", "20", "3",
				  "\"Module Hierarchy\": \"TOP(C)::forward.\"") "]}",
		diag);

	(void)state;
	assert_int_not_equal(event_named(profile, "C/A0(A)/aten::mul"), TFP_NONE);
	assert_int_not_equal(event_named(profile, "C/A0(A)/aten::mul/aten::expand"), TFP_NONE);
	assert_int_not_equal(event_named(profile, "C/aten::add"), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Types are without the library's name; of old versions none are there. */
static void shapes_have_short_types(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile =
		load_text(BEGIN X("cpu_op", "a", "1", "1", "1", "1",
				  "\"Input Dims\": [[2, 3], [4], []], \"Input type\": "
				  "[\"c10::BFloat16\", \"float\", \"Scalar\"]")
				  X("cpu_op", "b", "1", "1", "3", "1",
				    "\"Input dims\": [[2, 3], [4], []]") "]}",
			  diag);
	const tfp_str *signature = profile->nodes.signature;

	(void)state;
	assert_string_equal(tfp_strings_text(profile->strings, signature[node_named(profile, "a")]),
			    "[2,3] BFloat16, [4] float");
	assert_string_equal(tfp_strings_text(profile->strings, signature[node_named(profile, "b")]),
			    "[2,3], [4]");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- what went wrong there --------------------------------------------------------------------------- */

static void memory_that_there_was_not_is_told(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN X("cpu_op", "aten::empty", "1", "1", "1", "10",
			"") "{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"args\":"
			    " {\"Bytes\": 100, \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 100}},"
			    "{\"ph\": \"i\", \"name\": \"[OutOfMemory]\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"args\":"
			    " {\"Bytes\": 1000000, \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 100}}"
			    "]}",
		diag);

	(void)state;
	assert_int_equal(profile->allocs.count, 1);
	assert_int_equal(tfp_allocs_get(&profile->allocs, 0).bytes, 100);
	assert_int_equal(problem_with(diag, "no room for 1.00MB beside 100B").count, 1);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void what_the_profiler_complained_of_is_told(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN X("cpu_op", "a", "1", "1", "1", "10",
			"") "],"
			    "\"WARNING\": [\"WARNING:2024-07-15 10:52:40 1:1 F.cpp:9] two buffers dropped\","
			    " \"WARNING:2024-07-15 10:52:41 1:1 F.cpp:9] two buffers dropped\", 3, \"100%s\"],"
			    "\"ERROR\": [\"stopped early\"], \"INFO\": [\"fine\"]}",
		diag);

	(void)state;
	assert_int_equal(tfp_diag_count(diag), 3);
	assert_int_equal(problem_with(diag, "said: two buffers dropped").count, 2);
	assert_int_equal(problem_with(diag, "said: 100%s").count, 1);
	assert_int_equal(problem_with(diag, "said: stopped early").severity, TFP_WARNING);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- float operations -------------------------------------------------------------------------------- */

/* PyTorch's own count of the first of each kind is in the comment behind it. */
static const struct {
	const char *name, *dims, *types, *values;
	int64_t flops;
} counted[] = {
	{"aten::mm", "[[32, 10], [10, 32]]", "", "", 20480},                  /* 20480 */
	{"aten::addmm", "[[10], [32, 32], [32, 10], [], []]", "", "", 20480}, /* 20480 */
	{"aten::conv2d", "[[32, 3, 64, 64], [32, 3, 7, 7], [], [], [], [], []]", "",
	 "[\"\", \"\", \"\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"1\"]",
	 308281344},                                                                /* 308281344 */
	{"aten::add", "[[32, 32, 32, 32], [32, 32, 32, 32], []]", "", "", 1048576}, /* 1048576 */
	{"aten::cudnn_convolution", "[[32, 3, 64, 64], [32, 3, 7, 7], [], []]", "",
	 "[\"\", \"\", \"[3, 3]\", \"[2, 2]\", \"[1, 1]\", \"1\"]", 308281344},
	{"aten::convolution_backward",
	 "[[32, 32, 32, 32], [32, 3, 64, 64], [32, 3, 7, 7], [], [], [], [], [], [], [], []]", "",
	 "[\"\", \"\", \"\", \"[0]\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"False\", \"[0, 0]\", "
	 "\"1\", \"[False, True, False]\"]",
	 308281344},
	/* [4,512,8,8] with a filter [512,256,4,4] */
	{"aten::convolution", "[[4, 512, 8, 8], [512, 256, 4, 4], [], [], [], [], []]", "",
	 "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"True\", \"[0, 0]\", \"1\"]",
	 1073741824},
	/* each channel by itself, with holes: 14 places of 16 + 2 - 2 (3 - 1) */
	{"aten::conv2d", "[[1, 8, 16, 16], [8, 1, 3, 3], [8], [], [], [], []]", "",
	 "[\"\", \"\", \"\", \"[1, 1]\", \"[1, 1]\", \"[2, 2]\", \"8\"]", 28224},
	{"aten::bmm", "[[4, 2, 3], [4, 3, 5]]", "", "", 240},
	{"aten::mm", "[[2, 3], [3, 5]]", "[\"c10::complex<float>\", \"c10::complex<float>\"]", "",
	 240},
	{"aten::linear", "[[7, 2, 3], [5, 3], [5]]", "", "", 420},
	{"aten::mv", "[[2, 3], [3]]", "", "", 12},
	{"aten::_flash_attention_forward", "[[2, 128, 8, 64], [2, 256, 8, 64], [2, 256, 8, 64]]",
	 "", "", 134217728},
	{"aten::_scaled_dot_product_flash_attention_backward",
	 "[[2, 8, 128, 64], [2, 8, 128, 64], [2, 8, 256, 64], [2, 8, 256, 64]]", "", "", 335544320},
	{"aten::mul", "[[8, 1, 3], [5, 1]]", "[\"float\", \"float\"]", "", 120},
	{"aten::mul_", "[[8], []]", "[\"long int\", \"Scalar\"]", "", 0},
	{"aten::_softmax", "[[2, 10], [], []]", "[\"float\"]", "[\"\", \"-1\", \"False\"]", 96},
	{"aten::native_layer_norm", "[[128, 768], [], [768], [768], []]", "", "", 884992},
	{"aten::tanh_backward", "[[5], [5]]", "", "", 15},
	/* indented, as other programs write what they have read */
	{"aten::mm",
	 "[\n\t[\n\t\t2,\n\t\t3                        \n\t],\r\n\t[\n\t\t3 ,\n                        5\n\t]\n]",
	 "[\n\t\"complex<float>\"\n]", "", 240},
	{"aten::_softmax", "[[2, 10\n], []\n]", "", "[\"\", \"-1\"\n]", 96},
	{"aten::convolution_backward",
	 "[[32, 32, 32, 32], [32, 3, 64, 64], [32, 3, 7, 7], [], [], [], [], [], [], [], []]", "",
	 "[\"\", \"\", \"\", \"[0]\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"False\", \"[0, 0]\", "
	 "\"1\", \"[False , True ]\"]",
	 308281344},
	/* what is not known */
	{"aten::conv2d", "[[32, 3, 64, 64], [32, 3, 7, 7]]", "", "", 0},
	{"aten::conv2d", "[[1, 8, 1, 1], [8, 8, 3, 3]]", "",
	 "[\"\", \"\", \"\", \"[1, 1]\", \"[0, 0]\", \"[1, 1]\", \"1\"]", 0},
	{"aten::mm", "[[2, 3], [4, 5]]", "", "", 0},
	{"aten::mm", "[[], []]", "", "", 0},
	{"aten::mm", "", "", "", 0},
	{"aten::bmm", "[[1e300, 1e300, 1e300], [1e300, 1e300, 1]]", "", "", 0},
	{"aten::mm", "[[9223372036854775807, 9223372036854775807], [9223372036854775807, 2]]", "",
	 "", 0},
	{"aten::cat", "[[[2, 3], [2, 3]], []]", "", "", 0},
	{"mm", "[[2, 3], [3, 5]]", "", "", 0},
};

static void float_operations_are_those_of_the_shapes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
		struct flops_inputs inputs = {tfp_span_of(counted[i].dims),
					      tfp_span_of(counted[i].types),
					      tfp_span_of(counted[i].values)};
		int64_t flops = flops_of(tfp_span_of(counted[i].name), &inputs);

		if (flops != counted[i].flops)
			fail_msg("%s %s: %lld", counted[i].name, counted[i].dims, (long long)flops);
	}
}

static int64_t flops_at(const struct tfp_profile *profile, const char *name)
{
	return value_of(profile, name, TFP_STEP_MEAN, 0, (enum tfp_tf_metric)TFP_TRACE_FLOPS);
}

/* An op that passes its work on does not count it again; one that adds a little to it has no count of its own. */
static void float_operations_count_once(void **state)
{
#define FILTERED(name, ts, dur, stride)                                                              \
	X("cpu_op", name, "1", "1", ts, dur,                                                         \
	  "\"Input Dims\": [[1, 8, 16, 16], [8, 8, 3, 3]], \"Input type\": [\"float\", \"float\"], " \
	  "\"Concrete Inputs\": [\"\", \"\", \"\", \"[" stride                                       \
	  "]\", \"[1, 1]\", \"[1, 1]\", \"1\"]")
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN FILTERED("aten::conv2d", "1", "50",
			       "1, 1") FILTERED("aten::cudnn_convolution_relu", "2", "40", "1, 1")
			X("cpu_op", "aten::add_", "1", "1", "3", "5",
			  "\"Input Dims\": [[8], [8]], \"Input type\": [\"float\", \"float\"]")
				X("cpu_op", "aten::relu", "1", "1", "100", "9",
				  "\"Input Dims\": [[8]], \"Input type\": [\"float\"]")
					X("cpu_op", "aten::relu", "1", "1", "101", "3",
					  "\"Input Dims\": [[8]], \"Input type\": [\"float\"]")
						X("cpu_op", "aten::own", "1", "1", "200", "9",
						  "\"flops\": 77") "]}",
		diag);

	(void)state;
	assert_int_equal(flops_at(profile, "aten::conv2d/aten::cudnn_convolution_relu"), 294912);
	assert_int_equal(flops_at(profile, "aten::conv2d/aten::cudnn_convolution_relu/aten::add_"),
			 0);
	assert_int_equal(flops_at(profile, "aten::relu"), 8);
	assert_int_equal(flops_at(profile, "aten::own"), 77);
	assert_string_equal(profile->metrics[TFP_TRACE_FLOPS].label,
			    "float_ops estimated by the shapes of inputs");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Of all nodes with that name; COUNT gets how many there are. */
static int64_t flops_of_all(const struct tfp_profile *profile, const char *name, uint32_t *count)
{
	int64_t values[TFP_MAX_METRICS], sum = 0;

	*count = 0;
	for (uint32_t i = 0; i < profile->nodes.count; i++) {
		if (strcmp(tfp_strings_text(profile->strings, profile->nodes.name[i]), name) != 0)
			continue;
		tfp_profile_values(profile, i, TFP_STEP_MEAN, 0, values);
		sum += values[TFP_TRACE_FLOPS];
		++*count;
	}
	return sum;
}

/* Ops of one path, shapes and stack may have other strides, or what the file says of them differs; in two files, too. */
static void each_stride_has_its_float_operations(void **state)
{
#define STRIDES                                                                                    \
	BEGIN FILTERED("aten::conv2d", "1", "5", "1, 1") FILTERED(                                 \
		"aten::conv2d", "10", "5", "2, 2") FILTERED("aten::conv2d", "20", "5", "1, 1")     \
		X("cpu_op", "own", "1", "1", "30", "1", "\"flops\": 77")                           \
			X("cpu_op", "own", "1", "1", "40", "1", "\"flops\": 99") "]}"
	static const char *const texts[] = {STRIDES, STRIDES};
	uint32_t count;

	(void)state;
	for (size_t files = 1; files <= 2; files++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load_texts(texts, files, diag);

		assert_int_equal(flops_of_all(profile, "aten::conv2d", &count),
				 (int64_t)files * (2 * 294912 + 73728));
		assert_int_equal(count, 2);
		assert_int_equal(flops_of_all(profile, "own", &count), (int64_t)files * (77 + 99));
		assert_int_equal(count, 2);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

#define META(what, pid, tid, value)                                                                \
	"{\"ph\": \"M\", \"name\": \"" what "\", \"pid\": " pid ", \"tid\": " tid                  \
	", \"args\": {\"name\": \"" value "\"}},\n"
#define MARK(name, pid, tid, ts)                                                                   \
	"{\"ph\": \"i\", \"s\": \"g\", \"name\": \"" name "\", \"pid\": " pid ", \"tid\": " tid    \
	", \"ts\": " ts "},\n"

static void expect_lane(const struct tfp_profile *profile, const char *event, const char *device,
			const char *lane)
{
	uint32_t found = event_named(profile, event);

	assert_int_not_equal(found, TFP_NONE);
	assert_string_equal(device_of(profile, found), device);
	assert_string_equal(lane_of(profile, found), lane);
}

/* Processes named by texts, or by nothing, are the profiler's own; a thread's own name tells more than that of its process. */
static void the_profiler_is_one_process(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		BEGIN META("thread_name", "9", "5", "thread 5 (pt_autograd_0)") META(
			"thread_name", "9", "5", "thread 5 (python3)") META("thread_name", "9", "9",
									    "thread 9 (python3)")
			META("thread_name", "9", "4",
			     "thread 4 (python3.12)") META("process_name", "9", "0", "python3")
				X("cpu_op", "a", "9", "5", "1", "1",
				  "") X("cpu_op", "b", "9", "9", "1", "1", "") X("cpu_op", "c", "9",
										 "4", "1", "1", "")
					X("overhead", "buffers", "-1", "0", "2", "1", "")
						X("Trace", "all of it", "\"Spans\"",
						  "\"PyTorch Profiler\"", "0", "9",
						  "") MARK("start", "\"Traces\"", "\"Trace\"", "0")
							MARK("end", "\"\"", "\"\"", "9") "]}",
		diag);

	(void)state;
	expect_lane(profile, "a", "python3 (9)", "thread 5 (pt_autograd_0)");
	expect_lane(profile, "b", "python3 (9)", "thread 9");
	expect_lane(profile, "c", "python3 (9)", "thread 4 (python3.12)");
	expect_lane(profile, "buffers", "profiler", "overhead");
	expect_lane(profile, "all of it", "profiler", "recording");
	expect_lane(profile, "start", "profiler", "recording starts");
	expect_lane(profile, "end", "profiler", "recording ends");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_found_by_the_id_of_what_it_launched),
		cmocka_unit_test(the_first_versions_are_understood),
		cmocka_unit_test(ops_of_one_time_nest_by_their_ids),
		cmocka_unit_test(keys_with_escapes_are_the_same_keys),
		cmocka_unit_test(python_calls_without_a_thread_are_of_the_main_thread),
		cmocka_unit_test(torchscript_says_the_modules_of_ops),
		cmocka_unit_test(shapes_have_short_types),
		cmocka_unit_test(memory_that_there_was_not_is_told),
		cmocka_unit_test(what_the_profiler_complained_of_is_told),
		cmocka_unit_test(float_operations_are_those_of_the_shapes),
		cmocka_unit_test(float_operations_count_once),
		cmocka_unit_test(each_stride_has_its_float_operations),
		cmocka_unit_test(the_profiler_is_one_process),
	};

	return cmocka_run_group_tests_name("torch", tests, NULL, NULL);
}
