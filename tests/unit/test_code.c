/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code and functions views: labels, paths, gradients, recursion.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worked.h"

static void shows_call_paths(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "code", "order_by=micros"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1903\n"
			    "  train.py:10:main 1773\n"
			    "    dense.py:23:fully_connected_l... 1750\n"
			    "    dense.py:24:fully_connected_l... 20\n"
			    "    dense.py:21:fully_connected_l... 3\n"
			    "    dense.py:22:fully_connected_l... 0\n"
			    "  train.py:10:main (gradient) 130\n"
			    "    dense.py:23:fully_connected_l... (gradient) 130\n"
			    "  train.py:8:main 0\n");
	worked_end(&world);
}

static void keeps_the_order_of_creation(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "code", "order_by="));
	assert_string_equal(worked_text(&world, TFP_TF_RUNS),
			    "_TFProfRoot 5\n"
			    "  train.py:10:main 4\n"
			    "    dense.py:24:fully_connected_l... 1\n"
			    "    dense.py:23:fully_connected_l... 1\n"
			    "    dense.py:21:fully_connected_l... 2\n"
			    "    dense.py:22:fully_connected_l... 0\n"
			    "  train.py:8:main 0\n"
			    "  train.py:10:main (gradient) 1\n"
			    "    dense.py:23:fully_connected_l... (gradient) 1\n");
	worked_end(&world);
}

static void keeps_what_is_accounted(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "code", "account_type_regexes=_trainable_variables",
				   "select=params"));
	assert_string_equal(worked_text(&world, TFP_TF_PARAMS),
			    "_TFProfRoot 15\n"
			    "  train.py:10:main 15\n"
			    "    dense.py:21:fully_connected_l... 12\n"
			    "    dense.py:22:fully_connected_l... 3\n");
	worked_end(&world);
}

static void sums_up_functions(void **state)
{
	struct worked_world world;
	uint32_t row;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "functions", "order_by=micros"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1903\n"
			    "  main train.py 1903\n"
			    "  fully_connected_layer dense.py 1903\n");
	row = worked_row(&world, "main train.py");
	assert_int_equal(tfp_tree_self(world.tree, row, TFP_TF_MICROS), 0);
	worked_end(&world);
}

/* ---- other formats --------------------------------------------------------------------------- */

struct samples {
	uint32_t stack[8];
};

static bool fill_stacks(struct tfp_profile *profile, unsigned parts, void *data,
			struct tfp_job *job, struct tfp_diag *diag)
{
	const struct samples *samples = data;

	(void)job;
	(void)diag;
	for (uint32_t i = 0; parts & TFP_PART_STACKS && i < profile->nodes.count; i++)
		profile->nodes.stack[i] = samples->stack[i];
	return true;
}

/* A sample of VALUE in the functions of PATH, outermost first. */
static void add_sample(struct tfp_profile *profile, struct samples *samples, int64_t value,
		       const char *const *path)
{
	uint32_t node = tfp_profile_add_node(profile, worked_string(profile, path[0]), 0);
	uint32_t stack = TFP_NONE, cell;

	for (; *path; path++)
		stack = tfp_profile_stack(profile, stack,
					  worked_frame(profile, "/src/a.c", *path, 7));
	cell = tfp_profile_cell(profile, node, tfp_profile_step(profile, 0, 0));
	profile->cells.value[cell * profile->cell_columns] = value;
	samples->stack[node] = stack;
}

static struct tfp_profile *sampled_profile(struct samples *samples)
{
	static const struct tfp_metric metric = {
		.key = "cpu", .label = "cpu", .title = "CPU", .unit = TFP_NANOS};
	static const struct tfp_provider provider = {
		.parts = TFP_PART_STACKS, .fill = fill_stacks, .release = worked_release};
	struct tfp_profile *profile = tfp_profile_new();

	profile->format = "pprof";
	profile->cell_columns = 1;
	profile->runs_column = TFP_NONE;
	profile->has_stacks = true;
	tfp_profile_add_metric(profile, &metric);
	tfp_profile_add_provider(profile, &provider);
	profile->providers.at[0].data = samples;
	add_sample(profile, samples, 100, (const char *const[]){"main", "f", "f", "g", NULL});
	add_sample(profile, samples, 20, (const char *const[]){"main", "f", NULL});
	add_sample(profile, samples, 3, (const char *const[]){"main", "g", "f", NULL});
	tfp_profile_finish(profile);
	return profile;
}

static void counts_recursion_once(void **state)
{
	struct worked_world world;
	struct samples samples;
	uint32_t f;

	(void)state;
	worked_begin(&world, sampled_profile(&samples));
	assert_non_null(WORKED_ASK(&world, "functions", "order_by=cpu", "select=cpu"));
	assert_string_equal(worked_text(&world, 0), "_TFProfRoot 123\n"
						    "  main a.c 123\n"
						    "  f a.c 123\n"
						    "  g a.c 103\n");
	f = worked_row(&world, "f a.c");
	assert_int_equal(tfp_tree_self(world.tree, f, 0), 23);
	worked_end(&world);
}

static void names_lines_of_other_formats(void **state)
{
	struct worked_world world;
	struct samples samples;

	(void)state;
	worked_begin(&world, sampled_profile(&samples));
	assert_non_null(WORKED_ASK(&world, "code", "order_by=cpu", "select=cpu"));
	assert_string_equal(worked_text(&world, 0), "_TFProfRoot 123\n"
						    "  main a.c:7 123\n"
						    "    f a.c:7 120\n"
						    "      f a.c:7 100\n"
						    "        g a.c:7 100\n"
						    "    g a.c:7 3\n"
						    "      f a.c:7 3\n");
	worked_end(&world);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void cuts_labels_as_tensorflow(void **state)
{
	static const struct {
		const char *file, *function, *label;
	} cases[] = {
		{"/a/b.py", "f", "b.py:7:f"},
		{"b.py", "nineteen_characters", "b.py:7:nineteen_characters"},
		{"b.py", "twenty_characters_xx", "b.py:7:twenty_characters..."},
		{"b.py", "", "b.py:7:"},
		{"/a/", "f", ":7:f"},
		{"gs://bucket/a/b.py", "f", "b.py:7:f"},
		{"gs://bucket", "f", ":7:f"},
		{"1gs://bucket", "f", "bucket:7:f"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_profile *profile = worked_profile(1);
		struct worked_world world;
		uint32_t frame, stack;

		assert_true(tfp_profile_need(profile, TFP_PART_STACKS, NULL, NULL));
		frame = worked_frame(profile, cases[i].file, cases[i].function, 7);
		stack = tfp_profile_stack(profile, TFP_NONE, frame);
		for (uint32_t node = 0; node < profile->nodes.count; node++)
			profile->nodes.stack[node] = stack;
		worked_begin(&world, profile);
		assert_non_null(WORKED_ASK(&world, "code", "order_by=name"));
		assert_int_not_equal(worked_row(&world, cases[i].label), TFP_NONE);
		worked_end(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_call_paths),
		cmocka_unit_test(keeps_the_order_of_creation),
		cmocka_unit_test(keeps_what_is_accounted),
		cmocka_unit_test(sums_up_functions),
		cmocka_unit_test(counts_recursion_once),
		cmocka_unit_test(names_lines_of_other_formats),
		cmocka_unit_test(cuts_labels_as_tensorflow),
	};

	return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
