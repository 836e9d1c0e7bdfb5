/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines read: devices, ops and sums; also our own, and damaged ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "load_help.h"
#include "tfprof/view.h"

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"

static const char timeline[] =
	"{\"traceEvents\": [\n"
	"{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": \"" CPU
	" Compute\"}},\n"
	"{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 2, \"args\": {\"name\": "
	"\"/device:GPU:0/stream:14 Compute\"}},\n"
	"{\"ph\": \"X\", \"cat\": \"Op\", \"name\": \"MatMul\", \"pid\": 1, \"tid\": 0, \"ts\": 1000, "
	"\"dur\": 20, \"args\": {\"name\": \"fc/MatMul\", \"op\": \"MatMul\", \"input0\": \"x\"}},\n"
	"{\"ph\": \"X\", \"cat\": \"Op\", \"name\": \"MatMul\", \"pid\": 1, \"tid\": 0, \"ts\": 1100, "
	"\"dur\": 30, \"args\": {\"name\": \"fc/MatMul\", \"op\": \"MatMul\"}},\n"
	"{\"ph\": \"s\", \"cat\": \"DataFlow\", \"name\": \"x\", \"pid\": 1, \"tid\": 0, \"ts\": 1, \"id\": 0},\n"
	"{\"ph\": \"X\", \"cat\": \"Op\", \"name\": \"MatMul@@sgemm\", \"pid\": 2, \"tid\": 0, \"ts\": 1005, "
	"\"dur\": 7, \"args\": {\"name\": \"fc/MatMul\", \"op\": \"MatMul@@sgemm\"}},\n"
	"{\"ph\": \"X\", \"cat\": \"Op\", \"name\": \"Add\", \"pid\": 1, \"tid\": 1, \"ts\": 1200.5, "
	"\"dur\": 5, \"args\": {\"name\": \"fc/Add\", \"op\": \"Add\"}}\n"
	"]}\n";

static struct tfp_profile *load_text(const char *text, struct tfp_diag *diag)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_source *source = source_of_text(text);

	assert_int_equal(loader_named("timeline")->sniff(source), 60);
	assert_true(load_source(profile, "timeline", source, 0, diag));
	tfp_profile_finish(profile);
	return profile;
}

static void test_sums(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(timeline, diag);
	int64_t values[TFP_MAX_METRICS];
	uint32_t node = node_named(profile, "fc/MatMul");

	(void)state;
	assert_int_equal(profile->nodes.count, 2);
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.op[node]), "MatMul");
	assert_string_equal(tfp_strings_text(profile->strings, profile->nodes.device[node]),
			    "/job:localhost/replica:0/task:0/device:cpu:0");
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	assert_int_equal(values[TFP_TF_CPU_MICROS], 50);
	assert_int_equal(values[TFP_TF_ACCELERATOR_MICROS], 7);
	assert_int_equal(values[TFP_TF_MICROS], 57);
	assert_int_equal(values[TFP_TF_RUNS], 2);
	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, NULL, diag));
	assert_int_equal(profile->execs.count, 4);
	assert_true(profile->has_streams);
	assert_true(tfp_profile_need(profile, TFP_PART_STREAMS, NULL, diag));
	assert_int_equal(profile->streams.count, 1);
	assert_int_equal(profile->streams.at[0].duration, 7);
	assert_string_equal(tfp_strings_text(profile->strings, profile->streams.at[0].kernel),
			    "sgemm");
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void test_views(void **state)
{
	static const char *const views[] = {"scope", "op", "steps"};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_engine *engine = tfp_engine_new(load_text(timeline, diag));

	(void)state;
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		struct tfp_query query;
		struct tfp_tree *tree;

		tfp_query_init(&query);
		query.view = views[i];
		tree = tfp_engine_run(engine, &query, NULL, diag);
		assert_non_null(tree);
		assert_int_equal(tfp_tree_total(tree, 0, TFP_TF_MICROS), 62);
		tfp_tree_release(tree);
		tfp_query_free(&query);
	}
	tfp_engine_free(engine);
	tfp_diag_free(diag);
}

#define LEVEL(n)                                                                                   \
	"{\"args\":{\"name\":\"Scope:" #n "\"},\"name\":\"process_name\",\"ph\":\"M\",\"pid\":" #n \
	"},"
#define SCOPE(n, text, duration)                                                                   \
	"{\"args\":{\"name\":\"" text "\",\"op\":\"" text "\"},\"cat\":\"Op\",\"dur\":" #duration  \
	",\"name\":\"" text "\",\"ph\":\"X\",\"pid\":" #n ",\"tid\":0,\"ts\":0}"

static const char flame[] = "{\"traceEvents\":[" LEVEL(0) SCOPE(0, "_TFProfRoot", 100) "," LEVEL(1)
	SCOPE(1, "fc", 90) "," LEVEL(2)
		SCOPE(2, "fc/MatMul", 60) "," SCOPE(2, "fc/Add", 20) "," SCOPE(1, "loss", 10) "]}";

/* A flame graph of scopes: what is below a scope counts once. */
static void test_flame(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(flame, diag);
	struct tfp_source *source = source_of_text(flame);
	int64_t values[TFP_MAX_METRICS];

	(void)state;
	assert_int_equal(loader_named("printed")->sniff(source), 0);
	tfp_source_free(source);
	assert_int_equal(profile->nodes.count, 4);
	tfp_profile_values(profile, node_named(profile, "fc"), TFP_STEP_MEAN, 0, values);
	assert_int_equal(values[TFP_TF_MICROS], 10);
	tfp_profile_values(profile, node_named(profile, "fc/MatMul"), TFP_STEP_MEAN, 0, values);
	assert_int_equal(values[TFP_TF_MICROS], 60);
	assert_true(profile->metrics[TFP_TF_RUNS].absent);
	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, NULL, diag));
	assert_int_equal(profile->execs.count, 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Call paths are told apart by all their rows, which such names are not. */
static void test_flame_of_paths(void **state)
{
	static const char *const texts[] = {
		"[" LEVEL(0) SCOPE(0, "_TFProfRoot", 9) "," LEVEL(1)
			SCOPE(1, "a.py:3:f", 9) "," LEVEL(2) SCOPE(2, "b.py:1:g", 9) "]",
		"[" LEVEL(7) SCOPE(7, "fc", 90) "]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tfp_profile *profile = tfp_profile_new();
		struct tfp_diag *diag = tfp_diag_new();

		assert_false(load_source(profile, "timeline", source_of_text(texts[i]), 0, diag));
		assert_non_null(strstr(tfp_diag_get(diag, 0).text, "flame graph"));
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

/* What is before the damage is kept, and the damage has a place. */
static void test_cut(void **state)
{
	size_t first = (size_t)(strstr(timeline, "\"dur\": 30") - timeline);

	(void)state;
	for (size_t size = first; size < sizeof(timeline) - 4; size += 7) {
		struct tfp_diag *diag = tfp_diag_new();
		char *text = tfp_strdup(timeline);
		struct tfp_profile *profile;

		text[size] = 0;
		profile = load_text(text, diag);
		assert_true(profile->nodes.count > 0);
		assert_int_equal(tfp_diag_count(diag), 1);
		assert_true(tfp_diag_get(diag, 0).offset >= 0);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
		free(text);
	}
}

static void test_nothing(void **state)
{
	static const char *const texts[] = {"{\"traceEvents\": []}", "{}", "[",
					    "[1, {}, [], \"x\"]",
					    "{\"traceEvents\": [{\"ph\": \"X\""};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tfp_profile *profile = tfp_profile_new();
		struct tfp_diag *diag = tfp_diag_new();
		bool loaded = load_source(profile, "timeline", source_of_text(texts[i]), 0, diag);

		assert_true(loaded || tfp_diag_errors(diag) > 0);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),  cmocka_unit_test(test_views),
		cmocka_unit_test(test_flame), cmocka_unit_test(test_flame_of_paths),
		cmocka_unit_test(test_cut),   cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
