/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces of other programs than PyTorch: each call of a function that calls itself is a run, and files in names make no
 * scopes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "tfprof/load.h"
#include "tfprof/view.h"

/* A function that calls itself once, as VizTracer and JAX write it, or as PyTorch does an op. */
#define TWICE(cat, name)                                                                           \
	X(cat, name, "1", "1", "0", "10", "\"a\": 1") X(cat, name, "1", "1", "2", "5", "\"a\": 1")

static int64_t own_value(const struct tfp_profile *profile, const char *name, const char *metric)
{
	uint32_t node = node_named(profile, name);
	int64_t values[TFP_MAX_METRICS];

	assert_int_not_equal(node, TFP_NONE);
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	for (uint32_t i = 0; i < profile->metric_count; i++)
		if (!strcmp(profile->metrics[i].key, metric))
			return values[i];
	fail_msg("there is no metric %s", metric);
	return 0;
}

static void a_function_that_calls_itself_runs_twice(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile =
		load_text("{\"traceEvents\": [\n" TWICE("fee", "f") "{}]}", diag);

	(void)state;
	assert_string_equal(profile->format, "chrome");
	assert_int_equal(own_value(profile, "f", "occurrence"), 1);
	assert_int_equal(own_value(profile, "f/f", "occurrence"), 1);
	assert_int_equal(own_value(profile, "f", "host"), 5000);
	assert_int_equal(own_value(profile, "f/f", "host"), 5000);
	assert_int_equal(own_value(profile, "f", "cpu_total"), 10000);
	assert_int_equal(own_value(profile, "f/f", "cpu_total"), 5000);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* PyTorch's tables count an op that is all there is in one of its name together with that. */
static void an_op_in_one_of_its_name_is_one_run(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" TWICE("cpu_op", "op") "{}]}", diag);

	(void)state;
	assert_string_equal(profile->format, "kineto");
	assert_int_equal(own_value(profile, "op", "occurrence"), 1);
	assert_int_equal(own_value(profile, "op", "host"), 10000);
	assert_int_equal(own_value(profile, "op", "cpu_total"), 10000);
	assert_int_equal(node_named(profile, "op/op"), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* One profile of both: each file is counted as its program does. */
static void each_file_counts_as_its_program_does(void **state)
{
	static const char *const texts[] = {
		"{\"traceEvents\": [\n" TWICE("fee", "f") "{}]}",
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" TWICE("cpu_op", "op") "{}]}"};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_texts(texts, 2, diag);

	(void)state;
	assert_int_equal(own_value(profile, "f/f", "occurrence"), 1);
	assert_int_equal(own_value(profile, "op", "occurrence"), 1);
	assert_int_equal(node_named(profile, "op/op"), TFP_NONE);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void folders_of_files_are_no_scopes(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"traceEvents\": [\n" X("fee", "<module> (/home/user/app.py:1)", "1", "1", "0",
					  "10", "\"a\": 1")
			X("fee", "busy (/home/user/lib/busy.py:5)", "1", "1", "1", "3", "\"a\": 1")
				X("fee", "jit(f)/dot", "1", "1", "5", "3", "\"a\": 1") "{}]}",
		diag);
	uint32_t node;
	const struct tfp_frame *frame;

	(void)state;
	expect_event(profile, "<module> (app.py:1)", 0, 10000);
	expect_event(profile, "<module> (app.py:1)/busy (busy.py:5)", 1000, 3000);
	expect_event(profile, "<module> (app.py:1)/jit(f)/dot", 5000, 3000);
	node = node_named(profile, "<module> (app.py:1)/busy (busy.py:5)");
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.op[node]),
			    "busy (/home/user/lib/busy.py:5)");
	frame = &profile->frames.at[profile->stacks.at[profile->nodes.stack[node]].frame];
	assert_string_equal(tfp_strings_text(profile->strings, frame->file),
			    "/home/user/lib/busy.py");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Hashes of 64 bits, as C++ has them of threads: each is a thread of its own. */
static void numbers_of_threads_may_be_large(void **state)
{
	static const char *const threads[] = {
		"4611686018427387999",
		"9223372036854775807",
		"18446744073709551615",
		"-9223372036854775808",
		"1e30",
		"-1",
	};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	struct tfp_profile *profile;
	char *text = tfp_arena_printf(&arena, "{\"traceEvents\": [");

	(void)state;
	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++)
		text = tfp_arena_printf(
			&arena,
			"%s{\"ph\": \"X\", \"name\": \"f%zu\", \"pid\": %s, \"tid\": %s, \"ts\": 1, \"dur\": 5},",
			text, i, threads[0], threads[i]);
	profile = load_text(text, diag);
	assert_int_equal(profile->trace->devices.count, 1);
	assert_int_equal(profile->trace->lanes.count, sizeof(threads) / sizeof(*threads));
	assert_string_equal(device_of(profile, 0), threads[0]);
	for (size_t i = 0; i < 5; i++) {
		char name[] = "f0";

		name[1] = (char)('0' + i);
		expect_event(profile, name, 1000, 5000);
		assert_string_equal(lane_of(profile, event_named(profile, name)), threads[i]);
	}
	tfp_profile_free(profile);
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
}

/* The marker takes most of the time itself, and Python, which JAX writes among what else the thread did, more than the op. */
static void steps_and_python_stand_out_after_ops(void **state)
{
	static const char *const texts[] = {
		"{\"schemaVersion\": 1, \"traceEvents\": [\n" X("user_annotation", "ProfilerStep#3",
								"1", "1", "0", "100", "\"a\": 1")
			X("cpu_op", "op", "1", "1", "5", "10", "\"a\": 1") "{}]}",
		"{\"traceEvents\": [\n" X("", "train 3", "1", "1", "0", "100",
					  "\"step_num\": \"3\"")
			X("", "$a.py:3 f", "1", "1", "0", "60", "\"a\": 1")
				X("", "op", "1", "1", "5", "10", "\"a\": 1") "{}]}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_arena arena = {0};
		struct tfp_profile *profile = load_text(texts[i], diag);

		assert_string_equal(tfp_findings(profile, &arena),
				    "1 finding: op 10% of the host time");
		tfp_profile_free(profile);
		tfp_arena_free(&arena);
		tfp_diag_free(diag);
	}
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* How often a problem of the trace in FOLDER speaks of the recording. */
static size_t told_of_recording(const char *folder)
{
	char path[256];
	struct tfp_named_file file = {.path = path};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	size_t told = 0;

	snprintf(path, sizeof(path), "%s/vm.trace.json.gz", folder);
	profile = tfp_load(&file, 1, NULL, diag);
	assert_non_null(profile);
	for (size_t i = 0; i < tfp_diag_count(diag); i++)
		told += !strncmp(tfp_diag_get(diag, i).text, "vm.xplane.pb beside it", 22);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	return told;
}

static void the_recording_beside_is_told(void **state)
{
	char folder[] = "/tmp/tfprof-others-XXXXXX", path[256];

	(void)state;
	assert_non_null(mkdtemp(folder));
	write_file(folder, "vm.trace.json.gz",
		   "{\"traceEvents\": [" X("", "f", "1", "1", "0", "5", "") "{}]}");
	assert_int_equal(told_of_recording(folder), 0);
	write_file(folder, "vm.xplane.pb", "");
	assert_int_equal(told_of_recording(folder), 1);
	snprintf(path, sizeof(path), "%s/vm.trace.json.gz", folder);
	remove(path);
	snprintf(path, sizeof(path), "%s/vm.xplane.pb", folder);
	remove(path);
	remove(folder);
}

/* What a record does not say is no number, and what it is called may be one. */
static void what_is_not_said_is_told(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"{\"traceEvents\": [\n"
		"{\"ph\": \"M\", \"pid\": 2, \"name\": \"process_name\", \"args\": {\"name\": 77}},\n"
		"{\"ph\": \"X\", \"name\": 42, \"ts\": 1, \"dur\": 3},\n"
		"{\"ph\": \"X\", \"name\": null, \"pid\": 2, \"tid\": -1, \"ts\": 1, \"dur\": 4},\n{}]}",
		diag);

	(void)state;
	expect_event(profile, "42", 1000, 3000);
	expect_event(profile, "no name", 1000, 4000);
	assert_string_equal(lane_of(profile, event_named(profile, "42")), "no thread");
	assert_string_equal(device_of(profile, event_named(profile, "42")), "no process");
	assert_string_equal(lane_of(profile, event_named(profile, "no name")), "thread -1");
	assert_string_equal(device_of(profile, event_named(profile, "no name")), "77");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_that_calls_itself_runs_twice),
		cmocka_unit_test(an_op_in_one_of_its_name_is_one_run),
		cmocka_unit_test(each_file_counts_as_its_program_does),
		cmocka_unit_test(folders_of_files_are_no_scopes),
		cmocka_unit_test(numbers_of_threads_may_be_large),
		cmocka_unit_test(steps_and_python_stand_out_after_ops),
		cmocka_unit_test(the_recording_beside_is_told),
		cmocka_unit_test(what_is_not_said_is_told),
	};

	return cmocka_run_group_tests_name("chrome_others", tests, NULL, NULL);
}
