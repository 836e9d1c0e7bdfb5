/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of CPUs alone, as laptops make them: what is shown of them, and what is said of what they lack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "opened.h"
#include "tfprof/trace.h"

#define MEMORY "bytes"

static uint32_t metric_named(const struct tfp_base *base, const char *key)
{
	for (uint32_t i = 0; i < base->metric_count; i++)
		if (!strcmp(base->metrics[i].key, key))
			return i;
	fail_msg("there is no metric %s", key);
	return 0;
}

/* No copy moves bytes here, so that they are absent elsewhere; what is live is not. */
static void what_is_live_is_told_by_shape(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *breakdown;
	uint32_t metric;

	(void)state;
	WORKED_OPEN(&world, "data/traces/torch_cpu.json.gz");
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	metric = metric_named(world.tree->base, MEMORY);
	breakdown = tfp_engine_breakdown(world.engine, world.tree, 0, TFP_BREAKDOWN_SHAPE, metric,
					 NULL, world.diag);
	assert_non_null(breakdown);
	assert_false(breakdown->absent);
	assert_true(breakdown->count > 1);
	assert_true(breakdown->rows[0].value > 0);
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

static void a_recording_without_steps_names_none(void **state)
{
	struct worked_world world;
	char *text;

	(void)state;
	WORKED_OPEN(&world, "data/traces/torch_cpu.json.gz");
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	text = tfp_curve_when(world.tree->base->curve, 0, &world.arena);
	assert_null(strstr(text, "step"));
	assert_non_null(strstr(text, "live at "));
	worked_end(&world);
}

/* Which file lacks what a view shows, and a word of what records it. */
static void what_is_lacking_is_said_for_the_program_that_wrote_the_file(void **state)
{
	static const struct {
		const char *file, *view, *word;
	} cases[] = {
		{"data/traces/torch_cpu.json.gz", "steps", "schedule="},
		{"data/traces/tf2_cpu.xplane.pb.gz", "memory", "those of GPUs"},
		{"data/traces/viztracer.json.gz", "memory", "No allocations in these files"},
		{"data/traces/viztracer.json.gz", "steps", "nothing in this recording marks"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;
		const char *text;

		WORKED_OPEN(&world, cases[i].file);
		text = tfp_view_missing(tfp_view_find(cases[i].view),
					tfp_engine_profile(world.engine));
		assert_non_null(text);
		if (!strstr(text, cases[i].word))
			fail_msg("%s: %s", cases[i].file, text);
		worked_end(&world);
	}
}

/* 4 steps of the loop; data sets run 64 functions for their elements, on another thread. Lengths by another decoder. */
static void functions_that_python_calls_are_steps(void **state)
{
	static const int64_t lengths[] = {270160000, 137764000, 125496000, 130083000};
	struct worked_world world;
	const struct tfp_profile *profile;

	(void)state;
	WORKED_OPEN(&world, "data/traces/tf2_cpu.xplane.pb.gz");
	profile = tfp_engine_profile(world.engine);
	assert_string_equal(tfp_strings_text(profile->strings, profile->steps_by), "FunctionRun");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		uint32_t step = tfp_profile_find_step(profile, (int64_t)i);
		struct tfp_step_span span;

		assert_int_not_equal(step, TFP_NONE);
		assert_true(tfp_trace_step_span(profile, profile->trace, 0, step, &span));
		assert_int_equal(span.end - span.start, lengths[i]);
	}
	assert_int_equal(tfp_profile_find_step(profile, 4), TFP_NONE);
	worked_end(&world);
}

/* Nor have they an op. */
static void what_is_around_ops_is_not_covered(void **state)
{
	static const struct {
		const char *file, *coverage;
	} cases[] = {
		{"data/traces/jax_cpu.xplane.pb.gz", "39% of the host time has an op, 20% a shape"},
		{"data/traces/tf2_cpu.xplane.pb.gz",
		 "less than 1% of the host time has an op, none a shape"},
		{"data/traces/torch_cpu.json.gz", "54% of the host time has an op, 50% a shape"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;

		WORKED_OPEN(&world, cases[i].file);
		assert_non_null(WORKED_ASK(&world, "op", "max_depth=10"));
		assert_string_equal(tfp_tree_coverage(world.tree, tfp_engine_profile(world.engine),
						      &world.arena),
				    cases[i].coverage);
		worked_end(&world);
	}
}

/* Python, marks of steps, and what programs write of themselves are told where no op takes time worth a word. */
static void ops_stand_out_before_what_is_around_them(void **state)
{
	static const struct {
		const char *file, *finding;
	} cases[] = {
		{"data/traces/jax_cpu.xplane.pb.gz", "all-reduce"},
		{"data/traces/tf2_cpu.xplane.pb.gz", "Iterator::Prefetch 27%"},
		{"data/traces/torch_cpu.json.gz", "aten::addmm 15%"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;
		char *text;

		WORKED_OPEN(&world, cases[i].file);
		text = tfp_findings(tfp_engine_profile(world.engine), &world.arena);
		assert_non_null(text);
		if (!strstr(text, cases[i].finding))
			fail_msg("%s: %s", cases[i].file, text);
		worked_end(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_live_is_told_by_shape),
		cmocka_unit_test(a_recording_without_steps_names_none),
		cmocka_unit_test(what_is_lacking_is_said_for_the_program_that_wrote_the_file),
		cmocka_unit_test(functions_that_python_calls_are_steps),
		cmocka_unit_test(ops_stand_out_before_what_is_around_them),
		cmocka_unit_test(what_is_around_ops_is_not_covered),
	};

	return cmocka_run_group_tests_name("cpu only", tests, NULL, NULL);
}
