/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome traces: phases, times, ids and names of other programs; what PyTorch's records mean where its small trace does not
 * say it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "load/chrome/record.h"
#include "view/trace/window.h"

/* ---- phases -------------------------------------------------------------------------------------- */

static void begin_and_end_nest_with_whole_events(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 2, \"ts\": 10},\n"
		"{\"ph\": \"X\", \"name\": \"$f.py:7 b\", \"pid\": 1, \"tid\": 2, \"ts\": 11, \"dur\": 3},\n"
		"{\"ph\": \"B\", \"name\": \"c\", \"pid\": 1, \"tid\": 2, \"ts\": 15},\n"
		"{\"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 16},\n"
		"{\"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 20},\n"
		"{\"ph\": \"E\", \"pid\": 1, \"tid\": 2, \"ts\": 21},\n"
		"{\"ph\": \"B\", \"name\": \"d\", \"pid\": 1, \"tid\": 2, \"ts\": 22},\n"
		"{\"ph\": \"X\", \"name\": \"e\", \"pid\": 1, \"tid\": 3, \"ts\": 30},\n",
		diag);
	const struct tfp_frame *frame;
	uint32_t stack;

	(void)state;
	expect_event(profile, "a", 10000, 10000);
	expect_event(profile, "a/$f.py:7 b", 11000, 3000);
	expect_event(profile, "a/c", 15000, 1000);
	stack = profile->nodes.stack[node_named(profile, "a/$f.py:7 b")];
	frame = &profile->frames.at[profile->stacks.at[stack].frame];
	assert_string_equal(tfp_strings_text(profile->strings, frame->file), "f.py");
	assert_string_equal(tfp_strings_text(profile->strings, frame->function), "b");
	assert_int_equal(frame->line, 7);
	stack = profile->stacks.at[stack].parent;
	assert_int_equal(stack, profile->nodes.stack[node_named(profile, "a")]);
	expect_event(profile, "d", 22000, 8000);
	expect_event(profile, "e", 30000, 0);
	assert_int_equal(problem_with(diag, "has no beginning").count, 1);
	assert_int_equal(problem_with(diag, "does not end").count, 1);
	assert_int_equal(problem_with(diag, "before its list").severity, TFP_NOTE);
	assert_int_equal(problem_with(diag, "says no duration").count, 1);
	assert_int_equal(tfp_diag_count(diag), 4);
	assert_string_equal(profile->format, "chrome");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void asynchronous_events_meet_by_their_ids(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"traceEvents\": [\n"
		"{\"ph\": \"b\", \"cat\": \"c\", \"name\": \"hex\", \"id\": \"0x1F\", \"ts\": 1},\n"
		"{\"ph\": \"b\", \"cat\": \"c\", \"name\": \"in\", \"id\": 31, \"ts\": 2},\n"
		"{\"ph\": \"b\", \"cat\": \"other\", \"name\": \"other\", \"id\": 31, \"ts\": 3},\n"
		"{\"ph\": \"e\", \"cat\": \"c\", \"name\": \"in\", \"id\": \"31\", \"ts\": 4},\n"
		"{\"ph\": \"e\", \"cat\": \"c\", \"name\": \"hex\", \"id\": \"31\", \"ts\": 9},\n"
		"{\"ph\": \"e\", \"cat\": \"other\", \"name\": \"other\", \"id\": 31, \"ts\": 13},\n"
		"{\"ph\": \"S\", \"name\": \"old\", \"id2\": {\"local\": \"x\"}, \"pid\": 1, \"ts\": 1},\n"
		"{\"ph\": \"S\", \"name\": \"old\", \"id2\": {\"local\": \"x\"}, \"pid\": 2, \"ts\": 2},\n"
		"{\"ph\": \"F\", \"name\": \"old\", \"id2\": {\"local\": \"x\"}, \"pid\": 1, \"ts\": 8},\n"
		"{\"ph\": \"F\", \"name\": \"old\", \"id2\": {\"local\": \"x\"}, \"pid\": 2, \"ts\": 3},\n"
		"{\"ph\": \"N\", \"name\": \"object\", \"id\": \"q\", \"ts\": 5},\n"
		"{\"ph\": \"D\", \"name\": \"object\", \"id\": \"q\", \"ts\": 7},\n"
		"{\"ph\": \"s\", \"name\": \"flow\", \"id\": 1, \"ts\": 5},\n"
		"{\"ph\": \"C\", \"name\": \"counter\", \"ts\": 5, \"args\": {\"n\": \"4\"}}]}",
		diag);

	(void)state;
	expect_event(profile, "hex", 1000, 8000);
	expect_event(profile, "in", 2000, 2000);
	expect_event(profile, "other", 3000, 10000);
	expect_event(profile, "old", 1000, 7000);
	expect_event(profile, "object", 5000, 2000);
	expect_event(profile, "counter n: 4", 5000, 8000);
	assert_int_equal(profile->trace->count, 7);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void numbers_may_be_texts_and_texts_numbers(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": \"main\", \"args\": {\"name\": \"Main\"}},"
		"{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 5, \"tid\": \"6\", \"args\": {\"name\": \"six \"}},"
		"{\"ph\": \"X\", \"name\": \"a\", \"pid\": \"main\", \"tid\": \"io\", \"ts\": \"1.5\", \"dur\": \"2\"},"
		"{\"ph\": \"X\", \"name\": \"b\", \"pid\": \"5\", \"tid\": 6, \"ts\": 1e1, \"dur\": 2.5e-1}]",
		diag);

	(void)state;
	expect_event(profile, "a", 1500, 2000);
	expect_event(profile, "b", 10000, 250);
	assert_string_equal(device_of(profile, event_named(profile, "a")), "Main");
	assert_string_equal(lane_of(profile, event_named(profile, "a")), "io");
	assert_string_equal(device_of(profile, event_named(profile, "b")), "process 5");
	assert_string_equal(lane_of(profile, event_named(profile, "b")), "six");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void times_are_decimal(void **state)
{
	static const struct {
		const char *text;
		int64_t nanoseconds;
	} cases[] = {
		{"0", 0},
		{"1.0004", 1000},
		{"1.0005", 1001},
		{"1.00049999", 1000},
		{"-0.0005", 0},
		{"-0.0006", -1},
		{"-2.5", -2500},
		{"4957295101275.969", INT64_C(4957295101275969)},
		{"1790857026000000.123", INT64_C(1790857026000000123)},
		{"12345678", INT64_C(12345678000)},
		{"123456789.1239", INT64_C(123456789124)},
		{"1e3", 1000000},
		{"1.5E-2", 15},
		{"1.79e15", INT64_C(1790000000000000000)},
	};
	static const char *const wrong[] = {"",    "x",    "1x",   "99999999999999999999",
					    "NaN", "1e99", "true", "9223372036854775807"};
	int64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (!record_nanoseconds(tfp_span_of(cases[i].text), &value))
			fail_msg("%s is a time", cases[i].text);
		assert_int_equal(value, cases[i].nanoseconds);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(record_nanoseconds(tfp_span_of(wrong[i]), &value));
}

/* With much text behind them numbers are read eight digits at once, at its end one by one. */
static void check_number(const char *number)
{
	static const char behind[] = "                                ";
	struct record near = {0}, far = {0};
	struct record_reader reader;
	struct tfp_span text;
	char record[128];

	snprintf(record, sizeof(record), "{\"ts\":%s,\"pid\":%s}%s%s", number, number, behind,
		 behind);
	record_reader_start(&reader, record + strlen(record));
	assert_non_null(record_read(&reader, record, &far));
	record_reader_start(&reader, strchr(record, '}') + 1);
	assert_non_null(record_read(&reader, record, &near));
	text = record_raw(&far, FIELD_PROCESS);
	assert_int_equal(text.size, strlen(number));
	assert_int_equal(far.numbers, near.numbers);
	for (enum field field = FIELD_PROCESS; field <= FIELD_TIME; field++)
		assert_int_equal(record_number(&far, field, -7), record_number(&near, field, -7));
	assert_int_equal(record_number(&far, FIELD_PROCESS, -7), strtoll(number, NULL, 10));
}

static void numbers_are_the_same_wherever_they_stand(void **state)
{
	static const char digits[] = "9081726354453627180";
	char number[64];

	(void)state;
	for (int whole = 1; whole <= 18; whole++)
		for (int places = 0; places <= 12; places++)
			for (int minus = 0; minus < 2; minus++) {
				snprintf(number, sizeof(number), "%s%.*s%s%.*s", minus ? "-" : "",
					 whole, digits, places ? "." : "", places, digits);
				check_number(number);
			}
	check_number("0");
	check_number("000000001234567");
}

static void devices_of_other_programs_have_streams(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
		"{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": \"/device:GPU:0\"}},\n"
		"{\"ph\": \"M\", \"pid\": 1, \"tid\": 4, \"name\": \"thread_name\", \"args\": {\"name\": \"Stream #4(Compute)\"}},\n"
		"{\"ph\": \"M\", \"pid\": 1, \"tid\": 5, \"name\": \"thread_name\", \"args\": {\"name\": \"XLA Ops\"}},\n"
		"{\"ph\": \"X\", \"pid\": 1, \"tid\": 4, \"name\": \"fusion_1\", \"ts\": 1, \"dur\": 2, \"args\": {\"tf_op\": \"jit(f)/add:Add\"}},\n"
		"{\"ph\": \"X\", \"pid\": 1, \"tid\": 5, \"name\": \"fusion.1\", \"ts\": 1, \"dur\": 2},\n"
		"{\"ph\": \"X\", \"pid\": 7, \"tid\": 4, \"name\": \"host\", \"ts\": 1, \"dur\": 1},{}]}",
		diag);
	const struct tfp_trace *trace = profile->trace;
	uint32_t kernel = event_named(profile, "jit(f)/add/fusion_1");

	(void)state;
	assert_int_not_equal(kernel, TFP_NONE);
	assert_int_equal(tfp_trace_kind(trace, kernel), TFP_LANE_DEVICE);
	assert_int_equal(trace->device_events, 1);
	assert_int_equal(tfp_trace_kind(trace, event_named(profile, "fusion.1")), TFP_LANE_DERIVED);
	assert_int_equal(tfp_trace_kind(trace, event_named(profile, "host")), TFP_LANE_HOST);
	assert_int_equal(value_of(profile, "jit(f)/add/fusion_1", TFP_STEP_MEAN, 0,
				  (enum tfp_tf_metric)TFP_TRACE_DEVICE),
			 2000);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* ---- PyTorch ------------------------------------------------------------------------------------- */

static void kernels_are_owned_whatever_launched_them(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" X(
			"user_annotation", "replay", "1", "1", "1", "50", "\"External id\": 3")
			X("cuda_runtime", "cudaGraphLaunch", "1", "1", "5", "2",
			  "\"correlation\": 9") X("kernel", "in graph", "0", "7", "20", "1",
						  "\"correlation\": 9")
				X("kernel", "too", "0", "7", "22", "1",
				  "\"correlation\": 9") X("cuda_runtime", "cudaGraphLaunch", "1",
							  "1", "60", "2", "\"correlation\": 10")
					X("kernel", "bare", "0", "7", "63", "1",
					  "\"correlation\": 10") X("kernel", "early", "0", "7",
								   "0.5", "1", "\"correlation\": 2")
						X("kernel", "ncclKernel", "0", "8", "70", "1",
						  "\"External id\": 3, "
						  "\"correlation\": 99") "]}",
		diag);
	const struct tfp_trace *trace = profile->trace;

	(void)state;
	assert_string_equal(owner_of(profile, 20000), "replay");
	assert_string_equal(owner_of(profile, 22000), "replay");
	assert_string_equal(owner_of(profile, 63000), "cudaGraphLaunch");
	assert_string_equal(owner_of(profile, 500), "no operation found/early");
	assert_string_equal(owner_of(profile, 70000), "replay");
	assert_int_equal(trace->unowned.events, 1);
	assert_int_equal(trace->unowned.time, 1000);
	assert_int_equal(problem_with(diag, "no launch in the file").count, 1);
	for (uint32_t i = 0; i < trace->works.count; i++)
		assert_int_equal(
			trace->works.at[i].class == TFP_WORK_COMM,
			!strcmp(tfp_strings_text(profile->strings, trace->works.at[i].name),
				"ncclKernel"));
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void old_ids_are_not_those_of_ops(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" X("cpu_op", "aten::mm", "1", "1", "1",
								"10", "\"External id\": 70")
			X("cpu_op", "aten::add", "1", "1", "20", "10", "\"External id\": 9")
				X("cuda_runtime", "cudaLaunchKernel", "1", "1", "5", "2",
				  "\"correlation\": 9, \"External id\": 9")
					X("kernel", "k", "0", "7", "12", "1",
					  "\"correlation\": 9, \"External id\": 9") "]}",
		diag);

	(void)state;
	assert_string_equal(owner_of(profile, 12000), "aten::mm");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void backward_is_below_the_modules_of_forward(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" X(
			"cpu_op", "MmBackward", "1", "2", "70", "10",
			"\"Sequence number\": 5, \"Fwd thread id\": 1")
			X("cpu_op", "aten::t", "1", "2", "72", "1", "\"External id\": 8") X(
				"user_annotation", "ProfilerStep#4", "1", "1", "0", "100",
				"\"External id\": 1") X("python_function", "train.py(7): main", "1",
							"1", "0.5", "90", "")
				X("python_function", "nn.Module: Net_0", "1", "1", "2", "40",
				  "") X("python_function", "nn.Module: Linear_1", "1", "1", "3",
					"30", "") X("cpu_op", "aten::linear", "1", "1", "4", "20",
						    "\"Sequence number\": 5, \"Fwd thread id\": 0")
					X("cpu_op", "aten::mm", "1", "1", "5", "10",
					  "\"Sequence number\": 5, \"Input Dims\": [[2, 3], [], [[1], [2]]], \"Input type\": [\"float\", \"Scalar\", \"TensorList\"]")
						X("cpu_op", "aten::zero", "1", "1", "50", "5",
						  "\"Call stack\": \"b.py(4): g; c.py(1): h\"") "]}",
		diag);
	struct tfp_attributes attributes = {.list = {0}};
	uint32_t mm = node_named(profile, "Net_0/Linear_1/aten::linear/aten::mm");
	uint32_t back = node_named(profile, "Net_0/Linear_1/backward/MmBackward/aten::t");
	uint32_t zero = node_named(profile, "aten::zero");

	(void)state;
	assert_int_not_equal(mm, TFP_NONE);
	assert_int_not_equal(back, TFP_NONE);
	assert_int_not_equal(zero, TFP_NONE);
	assert_int_not_equal(node_named(profile, "ProfilerStep*"), TFP_NONE);
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.signature[mm]),
			    "[2,3] float, TensorList");
	assert_int_equal(profile->nodes.stack[back], profile->nodes.stack[mm]);
	assert_string_equal(
		tfp_strings_text(
			profile->strings,
			profile->frames.at[profile->stacks.at[profile->nodes.stack[zero]].frame]
				.function),
		"g");
	assert_int_equal(profile->steps.count, 1);
	assert_int_equal(profile->steps.at[0].number, 4);
	tfp_profile_attributes(profile, mm, &attributes);
	assert_int_equal(attributes.list.count, 2);
	assert_string_equal(attributes.list.at[0].name, "Input Dims");
	assert_string_equal(attributes.list.at[0].value, "[[2, 3], [], [[1], [2]]]");
	tfp_attributes_free(&attributes);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

#define RANK(rank, base)                                                                           \
	"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " rank ", \"world_size\": 2},"     \
	"\"baseTimeNanoseconds\": " base                                                           \
	", \"deviceProperties\": [{\"id\": 0, \"name\": \"N\"}], "                                 \
	"\"traceEvents\": [" X("cpu_op", "aten::mm", "1", "1", "1", "10", "\"External id\": 3")    \
		X("kernel", "k", "0", "7", "12", "1", "\"External id\": 3") "]}"

static void files_are_told_apart(void **state)
{
#define FILE_TEXT                                                                                  \
	"{\"schemaVersion\": 1, \"traceEvents\": [" X("kernel", "k", "0", "7", "12", "1", "") "]}"
#define ALONE(rank)                                                                                \
	"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " rank                             \
	"}, \"traceEvents\": [" X("kernel", "k", "0", "7", "12", "1", "") "]}"
	static const struct {
		const char *texts[2], *names[2];
		size_t count;
		const char *problem;
	} cases[] = {
		{{FILE_TEXT}, {"gpu 0"}, 1, NULL},
		{{ALONE("3")}, {"gpu 0"}, 1, NULL},
		{{RANK("3", "0")}, {"rank 3 process 1"}, 1, NULL},
		{{FILE_TEXT, FILE_TEXT}, {"rank 0 gpu 0", "rank 1 gpu 0"}, 2, NULL},
		{{ALONE("0"), ALONE("1")}, {"rank 0 gpu 0", "rank 1 gpu 0"}, 2, NULL},
		{{ALONE("1"), ALONE("1")},
		 {"rank 1 gpu 0", "rank 2 gpu 0"},
		 2,
		 "it says that it is rank 1, as a file before it does; it is called rank 2 here"},
		{{ALONE("1"), FILE_TEXT},
		 {"rank 1 gpu 0", "rank 0 gpu 0"},
		 2,
		 "it does not say which rank it is; it is called rank 0 here"},
		{{FILE_TEXT, ALONE("1")},
		 {"rank 0 gpu 0", "rank 1 gpu 0"},
		 2,
		 "it does not say which rank it is; it is called rank 0 here"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load_texts(cases[i].texts, cases[i].count, diag);

		for (size_t file = 0; file < cases[i].count; file++)
			assert_string_equal(tfp_strings_text(profile->strings,
							     profile->trace->devices.at[file].name),
					    cases[i].names[file]);
		assert_int_equal(tfp_diag_count(diag) > 1, cases[i].problem != NULL);
		if (cases[i].problem)
			assert_int_equal(problem_with(diag, cases[i].problem).count, 1);
		for (size_t file = 0; file < cases[i].count && cases[i].count > 1; file++)
			assert_int_equal(tfp_rank_file(profile->trace,
						       profile->trace->devices.at[file].rank - 1),
					 file);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

static void ranks_are_devices_of_one_profile(void **state)
{
	static const char *const texts[] = {RANK("0", "1000000"), RANK("1", "\"1000500\"")};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_texts(texts, 2, diag);
	const struct tfp_trace *trace = profile->trace;

	(void)state;
	assert_int_equal(trace->device_events, 2);
	assert_int_equal(profile->nodes.count, 1);
	assert_string_equal(device_of(profile, tfp_trace_device_event(trace, 0)), "rank 0 gpu 0");
	assert_string_equal(device_of(profile, tfp_trace_device_event(trace, 1)), "rank 1 gpu 0");
	assert_int_equal(tfp_trace_start(trace, tfp_trace_device_event(trace, 0)), 12000);
	assert_int_equal(tfp_trace_start(trace, tfp_trace_device_event(trace, 1)), 12500);
	assert_int_equal(trace->epoch_nanos, 1000000);
	assert_int_equal(value_of(profile, "aten::mm", TFP_STEP_MEAN, 0,
				  (enum tfp_tf_metric)TFP_TRACE_DEVICE),
			 2000);
	for (uint32_t i = 0; i < trace->devices.count; i++)
		assert_string_equal(tfp_strings_text(profile->strings, trace->devices.at[i].model),
				    trace->devices.at[i].host ? "" : "N");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* How many events a file has is foreseen by its own beginning, whatever other files had. */
static void room_is_for_the_events_of_each_file(void **state)
{
	enum { RECORDS = 60000, RANKS = 4 };
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	const char *texts[RANKS];
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fputs("{\"schemaVersion\": 1, \"traceEvents\": [", out);
	for (int i = 0; i < RECORDS; i++)
		fprintf(out, "{\"ph\": \"X\", \"name\": \"f\", \"ts\": %d, \"dur\": 1},", i + 10);
	fputs("]}", out);
	fclose(out);
	for (int i = 0; i < RANKS; i++)
		texts[i] = text;
	profile = load_texts(texts, RANKS, diag);
	assert_int_equal(profile->trace->count, RANKS * RECORDS);
	assert_in_range(profile->trace->room, RANKS * RECORDS, RANKS * RECORDS * 5 / 4 + 256);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	free(text);
}

/* A rank with another clock, of which two steps are there, one of them in both files. */
#define CLOCK(rank, step, from, next, second)                                                      \
	"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " rank ", \"world_size\": 2},"     \
	"\"traceEvents\": [" X("user_annotation", "ProfilerStep#" step, "1", "1", from, "10", "")  \
		X("user_annotation", "ProfilerStep#" next, "1", "1", second, "10", "")             \
			X("kernel", "k", "0", "7", second, "1", "") "]}"

#define INSTANT                                                                                    \
	BEGIN_CLOCK X("user_annotation", "ProfilerStep#3", "1", "1", "9", "0", "")                 \
		X("kernel", "k", "0", "7", "9", "1", "") "]}"
#define BEGIN_CLOCK "{\"schemaVersion\": 1, \"traceEvents\": ["

/* The first file has no step in common with the others, the last only with the third. */
static void one_that_has_no_step_in_common_keeps_no_other(void **state)
{
	static const char *const texts[] = {
		CLOCK("0", "90", "9000005", "91", "9000015"), CLOCK("1", "3", "5", "4", "15"),
		CLOCK("2", "4", "5000015", "5", "5000030"),   CLOCK("3", "5", "30", "6", "45"),
		CLOCK("4", "6", "7000045", "7", "7000060"),
	};
	static const int64_t moved[] = {0, 0, -5000000000, 0, -7000000000};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_texts(texts, 5, diag);
	const struct tfp_trace *trace = profile->trace;

	(void)state;
	for (size_t i = 0; i < trace->devices.count; i++)
		assert_int_equal(trace->devices.at[i].moved, moved[trace->devices.at[i].file]);
	assert_int_equal(problem_with(diag, "whether its clock differs can't be told").count, 1);
	assert_int_equal(problem_with(diag, "so that step 4 begins together").count, 2);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void clocks_that_differ_are_put_right(void **state)
{
	static const struct {
		const char *texts[2];
		int64_t moved, kernel;
		const char *problem;
	} cases[] = {
		/* step 4 begins at 15 and at 500015.5 */
		{{CLOCK("0", "3", "5", "4", "15"), CLOCK("1", "4", "500015.5", "5", "500030")},
		 -500000500,
		 29500,
		 "all of it was moved by -500.00ms, so that step 4 begins together"},
		{{CLOCK("0", "3", "5000000", "4", "5000015"), CLOCK("1", "3", "5", "4", "15")},
		 4999995000,
		 5000010000,
		 "all of it was moved by 5.00s, so that step 3 begins together"},
		/* the same times, and no time at all; one is a little late */
		{{INSTANT, INSTANT}, 0, 9000, NULL},
		{{CLOCK("0", "3", "5", "4", "15"), CLOCK("1", "3", "14", "4", "24")},
		 0,
		 24000,
		 NULL},
		/* they have no step in common: one ran later, or while the other did */
		{{CLOCK("0", "3", "5", "4", "15"), CLOCK("1", "7", "99", "8", "124")},
		 0,
		 124000,
		 "whether its clock differs can't be told"},
		{{CLOCK("0", "3", "5", "4", "150"), CLOCK("1", "7", "99", "8", "124")},
		 0,
		 124000,
		 NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load_texts(cases[i].texts, 2, diag);
		const struct tfp_trace *trace = profile->trace;
		uint32_t kernel = tfp_trace_device_event(trace, 1);
		uint32_t device = trace->lanes.at[tfp_trace_lane(trace, kernel)].device;

		assert_int_equal(trace->devices.at[0].moved, 0);
		assert_int_equal(trace->devices.at[device].moved, cases[i].moved);
		assert_int_equal(tfp_trace_start(trace, kernel), cases[i].kernel);
		assert_int_equal(tfp_diag_count(diag),
				 1 + (cases[i].problem != NULL)); /* kernels without launch */
		if (cases[i].problem)
			assert_int_equal(problem_with(diag, cases[i].problem).count, 1);
		if (cases[i].moved)
			assert_int_not_equal(tfp_trace_step_of(profile, kernel),
					     tfp_step_outside(profile));
		/* again is no other */
		tfp_trace_align(profile, diag);
		assert_int_equal(tfp_trace_start(trace, kernel), cases[i].kernel);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

static void memory_has_the_op_around_it(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" X(
			"cpu_op", "aten::empty", "1", "1", "1", "10",
			"\"External id\": 3") "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 1, \"ts\": 11, "
					      "\"args\": {\"Addr\": 77, \"Bytes\": 512, \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 1024, \"Total Reserved\": 2048}},"
					      "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": 1, \"ts\": 30, "
					      "\"args\": {\"Addr\": 77, \"Bytes\": -512, \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 512, \"Total Reserved\": 2048}}]}",
		diag);
	struct tfp_alloc allocs[3];

	(void)state;
	assert_true(profile->has_allocs);
	assert_int_equal(profile->allocs.count, 3);
	for (size_t i = 0; i < 3; i++)
		allocs[i] = tfp_allocs_get(&profile->allocs, i);
	assert_int_equal(allocs[1].node, node_named(profile, "aten::empty"));
	assert_int_equal(allocs[1].bytes, 512);
	assert_int_equal(allocs[1].time, 11000);
	assert_true(tfp_profile_alloc_is_gpu(profile, &allocs[1]));
	assert_int_equal(allocs[2].node, node_named(profile, "aten::empty"));
	assert_int_equal(allocs[0].node, node_named(profile, "held from before"));
	/* the memory view names it by its op */
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.op[allocs[0].node]),
			    "held from before");
	assert_int_equal(allocs[0].bytes, 512);
	assert_int_equal(allocs[0].time, 1000);
	assert_int_equal(profile->in_use.count, 1);
	assert_int_equal(profile->in_use.at[0].bytes, 2048);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(begin_and_end_nest_with_whole_events),
		cmocka_unit_test(asynchronous_events_meet_by_their_ids),
		cmocka_unit_test(numbers_may_be_texts_and_texts_numbers),
		cmocka_unit_test(times_are_decimal),
		cmocka_unit_test(numbers_are_the_same_wherever_they_stand),
		cmocka_unit_test(devices_of_other_programs_have_streams),
		cmocka_unit_test(kernels_are_owned_whatever_launched_them),
		cmocka_unit_test(old_ids_are_not_those_of_ops),
		cmocka_unit_test(backward_is_below_the_modules_of_forward),
		cmocka_unit_test(files_are_told_apart),
		cmocka_unit_test(ranks_are_devices_of_one_profile),
		cmocka_unit_test(room_is_for_the_events_of_each_file),
		cmocka_unit_test(clocks_that_differ_are_put_right),
		cmocka_unit_test(one_that_has_no_step_in_common_keeps_no_other),
		cmocka_unit_test(memory_has_the_op_around_it),
	};

	return cmocka_run_group_tests_name("chrome", tests, NULL, NULL);
}
