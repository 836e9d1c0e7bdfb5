/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model by itself: nodes, steps, cells, values and their means, shapes, stacks, parts.
 */
#include "tfprof/model.h"

#include <setjmp.h>

#include <cmocka.h>

#include "world.h"

static uint32_t add_node(struct tfp_profile *profile, const char *name, const char *op)
{
	tfp_str name_id = tfp_strings_add_text(profile->strings, name);

	return tfp_profile_add_node(profile, name_id, tfp_strings_add_text(profile->strings, op));
}

static void put(struct tfp_profile *profile, uint32_t node, int64_t step, enum tfp_tf_cell column,
		int64_t value)
{
	uint32_t cell = tfp_profile_cell(profile, node, tfp_profile_step(profile, step, 0));

	profile->cells.value[cell * profile->cell_columns + column] = value;
}

static int64_t value(struct tfp_profile *profile, uint32_t node, uint32_t step, unsigned quirks,
		     enum tfp_tf_metric metric)
{
	int64_t values[TFP_MAX_METRICS];

	tfp_profile_values(profile, node, step, quirks, values);
	return values[metric];
}

static void finds_the_first_of_a_name(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t a = add_node(profile, "a", "Add"), b = add_node(profile, "b", "Mul");
	tfp_str name = profile->nodes.name[a];

	tfp_profile_add_node(profile, name, 0);
	assert_int_equal(tfp_profile_find_node(profile, name), a);
	assert_int_equal(tfp_profile_find_node(profile, profile->nodes.name[b]), b);
	name = tfp_strings_add_text(profile->strings, "Add");
	assert_int_equal(tfp_profile_find_node(profile, name), TFP_NONE);
	name = tfp_strings_add_text(profile->strings, "never seen");
	assert_int_equal(tfp_profile_find_node(profile, name), TFP_NONE);
	assert_int_equal(tfp_profile_find_node(profile, 0), TFP_NONE);
}

static void keeps_many_nodes(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	char name[32];

	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "scope/%d", i);
		assert_int_equal(add_node(profile, name, "Op"), i);
	}
	for (uint32_t i = 0; i < 5000; i++) {
		assert_int_equal(tfp_profile_find_node(profile, profile->nodes.name[i]), i);
		assert_int_equal(profile->nodes.cell[i], TFP_NONE);
	}
	assert_true(tfp_profile_bytes(profile) < 5000 * 400);
}

static void types_are_a_sorted_set(void **state)
{
	static const char *const wanted[] = {"/cpu:0", "MatMul", "_trainable_variables", "zebra"};
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "MatMul");
	tfp_str types[8];

	profile->nodes.device[node] = tfp_strings_add_text(profile->strings, "/cpu:0");
	for (int i = 0; i < 2; i++)
		for (size_t k = 4; k-- > 0;)
			tfp_profile_add_type(profile, node,
					     tfp_strings_add_text(profile->strings, wanted[k]));
	assert_int_equal(tfp_profile_types(profile, node, types, 8), 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(tfp_strings_text(profile->strings, types[i]), wanted[i]);
	assert_int_equal(tfp_profile_types(profile, node, NULL, 0), 4);
}

static void given_types_are_all_there_are(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "MatMul");
	tfp_str types[2];

	profile->nodes.flags[node] |= TFP_NODE_TYPES_GIVEN;
	assert_int_equal(tfp_profile_types(profile, node, types, 2), 0);
	tfp_profile_add_type(profile, node, tfp_strings_add_text(profile->strings, "x"));
	assert_int_equal(tfp_profile_types(profile, node, types, 2), 1);
	assert_string_equal(tfp_strings_text(profile->strings, types[0]), "x");
}

static void steps_stand_in_order(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "Op");

	put(profile, node, 100, TFP_CELL_CPU_MICROS, 1);
	put(profile, node, -5, TFP_CELL_CPU_MICROS, 2);
	put(profile, node, 7, TFP_CELL_CPU_MICROS, 3);
	assert_int_equal(profile->steps.count, 3);
	assert_int_equal(tfp_profile_find_step(profile, -5), 0);
	assert_int_equal(tfp_profile_find_step(profile, 7), 1);
	assert_int_equal(tfp_profile_find_step(profile, 100), 2);
	assert_int_equal(tfp_profile_find_step(profile, 8), TFP_NONE);
	assert_int_equal(value(profile, node, 0, 0, TFP_TF_MICROS), 2);
	assert_int_equal(value(profile, node, 1, 0, TFP_TF_MICROS), 3);
	assert_int_equal(value(profile, node, 2, 0, TFP_TF_MICROS), 1);
	assert_int_equal(profile->cells.count, 3);
	put(profile, node, 7, TFP_CELL_CPU_MICROS, 4);
	assert_int_equal(profile->cells.count, 3);
}

static void means_divide_by_the_steps_of_the_node(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t a = add_node(profile, "a", "Op"), b = add_node(profile, "b", "Op");

	put(profile, a, 0, TFP_CELL_CPU_MICROS, 3);
	put(profile, a, 1, TFP_CELL_CPU_MICROS, 4);
	put(profile, a, 0, TFP_CELL_ACCELERATOR_MICROS, 2);
	put(profile, a, 1, TFP_CELL_ACCELERATOR_MICROS, 0);
	put(profile, b, 2, TFP_CELL_CPU_MICROS, 10);
	assert_int_equal(value(profile, a, TFP_STEP_MEAN, 0, TFP_TF_CPU_MICROS), 3);
	assert_int_equal(value(profile, a, TFP_STEP_MEAN, 0, TFP_TF_ACCELERATOR_MICROS), 1);
	assert_int_equal(value(profile, a, TFP_STEP_MEAN, 0, TFP_TF_MICROS), 4);
	assert_int_equal(value(profile, b, TFP_STEP_MEAN, 0, TFP_TF_MICROS), 10);
	assert_int_equal(value(profile, b, 0, 0, TFP_TF_MICROS), 0);
}

static void negative_means_round_toward_zero_or_wrap(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "Op");

	put(profile, node, 0, TFP_CELL_BYTES, -2);
	assert_true(value(profile, node, TFP_STEP_MEAN, TFP_QUIRKS_TF, TFP_TF_BYTES) == -2);
	put(profile, node, 1, TFP_CELL_BYTES, -3);
	assert_true(value(profile, node, TFP_STEP_MEAN, 0, TFP_TF_BYTES) == -2);
	assert_true(value(profile, node, TFP_STEP_MEAN, TFP_QUIRK_UNSIGNED_MEAN, TFP_TF_BYTES) ==
		    (int64_t)((UINT64_MAX - 4) / 2));
	assert_true(value(profile, node, 1, TFP_QUIRKS_TF, TFP_TF_BYTES) == -3);
}

static void sums_wrap(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "Op");

	put(profile, node, 0, TFP_CELL_CPU_MICROS, INT64_MAX);
	put(profile, node, 0, TFP_CELL_ACCELERATOR_MICROS, INT64_MAX);
	put(profile, node, 1, TFP_CELL_CPU_MICROS, INT64_MAX);
	assert_true(value(profile, node, 0, 0, TFP_TF_MICROS) == -2);
	tfp_profile_finish(profile);
	assert_true(profile->metrics[TFP_TF_MICROS].negative);
	assert_true(profile->metrics[TFP_TF_CPU_MICROS].negative);
	assert_false(profile->metrics[TFP_TF_BYTES].negative);
}

static void float_ops_are_static_until_there_is_a_cell(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "Op");

	profile->nodes.float_ops[node] = 100;
	assert_int_equal(value(profile, node, TFP_STEP_MEAN, 0, TFP_TF_FLOAT_OPS), 100);
	put(profile, node, 0, TFP_CELL_RUNS, 3);
	put(profile, node, 1, TFP_CELL_RUNS, 0);
	tfp_profile_step(profile, 2, 0);
	assert_int_equal(value(profile, node, 0, 0, TFP_TF_FLOAT_OPS), 300);
	assert_int_equal(value(profile, node, 1, 0, TFP_TF_FLOAT_OPS), 0);
	assert_int_equal(value(profile, node, 2, 0, TFP_TF_FLOAT_OPS), 0);
	assert_int_equal(value(profile, node, TFP_STEP_MEAN, 0, TFP_TF_FLOAT_OPS), 100);
	assert_int_equal(value(profile, node, TFP_STEP_MEAN, 0, TFP_TF_RUNS), 1);
}

static void absent_is_not_zero(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t node = add_node(profile, "n", "Op");

	tfp_profile_finish(profile);
	for (size_t i = 0; i < TFP_TF_METRICS; i++)
		assert_int_equal(profile->metrics[i].absent, i != TFP_TF_PARAMS);
	put(profile, node, 0, TFP_CELL_CPU_MICROS, 1);
	for (size_t i = 0; i < TFP_TF_METRICS; i++)
		profile->metrics[i].absent = false;
	tfp_profile_finish(profile);
	assert_true(profile->metrics[TFP_TF_ACCELERATOR_MICROS].absent);
	assert_true(profile->metrics[TFP_TF_FLOAT_OPS].absent);
	assert_false(profile->metrics[TFP_TF_MICROS].absent);
	assert_false(profile->metrics[TFP_TF_RUNS].absent);
}

static void shapes_are_one_id_each(void **state)
{
	static const int64_t dims[] = {3, 3, 16, -1};
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	uint32_t a = tfp_profile_shape(profile, dims, 4), b = tfp_profile_shape(profile, dims, 3);
	uint32_t none = tfp_profile_shape(profile, NULL, 0);
	char text[64], little[4];

	assert_int_equal(tfp_profile_shape(profile, dims, 4), a);
	assert_int_equal(tfp_profile_shape(profile, NULL, 0), none);
	assert_int_not_equal(a, b);
	assert_int_equal(tfp_profile_shape_text(profile, a, text, sizeof(text)), 9);
	assert_string_equal(text, "3x3x16x-1");
	assert_int_equal(tfp_profile_shape_text(profile, b, little, sizeof(little)), 6);
	assert_string_equal(little, "3x3");
	assert_int_equal(tfp_profile_shape_text(profile, none, text, sizeof(text)), 0);
	assert_string_equal(text, "");
	assert_int_equal(tfp_profile_shape_elements(profile, a), 0);
	assert_int_equal(tfp_profile_shape_elements(profile, b), 144);
	assert_int_equal(tfp_profile_shape_elements(profile, none), 0);
}

static void elements_wrap(void **state)
{
	static const int64_t dims[] = {INT64_C(1) << 32, INT64_C(1) << 32};
	struct tfp_profile *profile = ((struct world *)*state)->profile;

	assert_int_equal(tfp_profile_shape_elements(profile, tfp_profile_shape(profile, dims, 2)),
			 0);
}

static void equal_stacks_are_one(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	struct tfp_frame frame = {1, 2, 0, 10, -1};
	uint32_t main_frame = tfp_profile_frame(profile, &frame), other, root;

	assert_int_equal(tfp_profile_frame(profile, &frame), main_frame);
	frame.line = 11;
	other = tfp_profile_frame(profile, &frame);
	assert_int_not_equal(other, main_frame);
	root = tfp_profile_stack(profile, TFP_NONE, main_frame);
	assert_int_equal(tfp_profile_stack(profile, TFP_NONE, main_frame), root);
	assert_int_not_equal(tfp_profile_stack(profile, root, main_frame), root);
	assert_int_not_equal(tfp_profile_stack(profile, root, other), root);
	assert_int_equal(profile->stacks.count, 3);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int fills;

static bool fill_two_execs(struct tfp_profile *profile, unsigned parts, void *data,
			   struct tfp_job *job, struct tfp_diag *diag)
{
	(void)data;
	(void)diag;
	assert_int_equal(parts, TFP_PART_EXECS);
	fills++;
	*tfp_array_push(&profile->execs) = (struct tfp_exec){1, 0, 0, 0, 30, 1};
	*tfp_array_push(&profile->execs) = (struct tfp_exec){0, 1, 0, 0, 20, 1};
	*tfp_array_push(&profile->execs) = (struct tfp_exec){0, 0, 0, 0, 25, 1};
	*tfp_array_push(&profile->execs) = (struct tfp_exec){0, 1, 0, 0, 10, 1};
	return !tfp_job_cancelled(job);
}

static void do_nothing(void *data)
{
	(void)data;
}

static void parts_are_filled_once_and_sorted(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;
	struct tfp_provider provider = {
		.parts = TFP_PART_EXECS, .fill = fill_two_execs, .release = do_nothing};
	static const int64_t starts[] = {25, 10, 20, 30};

	fills = 0;
	add_node(profile, "a", "Op");
	add_node(profile, "b", "Op");
	tfp_profile_add_provider(profile, &provider);
	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, NULL, world->diag));
	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, NULL, world->diag));
	assert_int_equal(fills, 1);
	assert_int_equal(profile->execs.count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(profile->execs.at[i].start, starts[i]);
}

static void parts_that_no_file_has_are_none(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;
	uint32_t node = add_node(profile, "a", "Op");

	assert_true(tfp_profile_need(profile, 15, NULL, world->diag));
	assert_int_equal(profile->nodes.shape[node], TFP_NONE);
	assert_int_equal(profile->nodes.stack[node], TFP_NONE);
	assert_int_equal(profile->nodes.input_first[node + 1], 0);
	assert_int_equal(profile->nodes.output_first[node + 1], 0);
	assert_int_equal(value(profile, node, TFP_STEP_MEAN, 0, TFP_TF_PARAMS), 0);
}

static void a_cancelled_part_can_be_asked_again(void **state)
{
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;
	struct tfp_provider provider = {
		.parts = TFP_PART_EXECS, .fill = fill_two_execs, .release = do_nothing};
	struct tfp_job job = {.cancel = true};

	add_node(profile, "a", "Op");
	add_node(profile, "b", "Op");
	tfp_profile_add_provider(profile, &provider);
	assert_false(tfp_profile_need(profile, TFP_PART_EXECS, &job, world->diag));
	assert_int_equal(profile->execs.count, 0);
	job.cancel = false;
	assert_true(tfp_profile_need(profile, TFP_PART_EXECS, &job, world->diag));
	assert_int_equal(profile->execs.count, 4);
}

static void input_shapes_follow_the_producer(void **state)
{
	static const int64_t dims[] = {2, 3};
	struct world *world = *state;
	struct tfp_profile *profile = world->profile;
	uint32_t producer = add_node(profile, "p", "Split"), node = add_node(profile, "n", "Op");
	uint32_t a = tfp_profile_shape(profile, dims, 1), b = tfp_profile_shape(profile, dims, 2);
	static const int32_t outputs[] = {1, 0, 2, -1};

	assert_true(tfp_profile_need(profile, 15, NULL, world->diag));
	*tfp_array_push(&profile->output_shape) = a;
	*tfp_array_push(&profile->output_shape) = b;
	profile->nodes.output_first[producer + 1] = profile->nodes.output_first[node + 1] = 2;
	for (size_t i = 0; i < 4; i++)
		*tfp_array_push(&profile->inputs) = (struct tfp_input){producer, outputs[i], 0};
	*tfp_array_push(&profile->inputs) = (struct tfp_input){TFP_NONE, 0, 0};
	profile->nodes.input_first[node + 1] = 5;
	assert_int_equal(tfp_profile_input_shape(profile, node, 0, 0), b);
	assert_int_equal(tfp_profile_input_shape(profile, node, 0, TFP_QUIRK_OUTPUT_ZERO), a);
	assert_int_equal(tfp_profile_input_shape(profile, node, 1, 0), a);
	assert_int_equal(tfp_profile_input_shape(profile, node, 2, 0), TFP_NONE);
	assert_int_equal(tfp_profile_input_shape(profile, node, 3, 0), TFP_NONE);
	assert_int_equal(tfp_profile_input_shape(profile, node, 4, 0), TFP_NONE);
	profile->outputs_given = true;
	assert_int_equal(tfp_profile_input_shape(profile, node, 0, TFP_QUIRK_OUTPUT_ZERO), b);
}

static void metrics_have_a_limit(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;
	struct tfp_metric metric = {.key = "k", .label = "l", .title = "T"};

	for (uint32_t i = TFP_TF_METRICS; i < TFP_MAX_METRICS; i++)
		assert_int_equal(tfp_profile_add_metric(profile, &metric), i);
	assert_int_equal(tfp_profile_add_metric(profile, &metric), TFP_NONE);
}

static void metrics_are_found_by_their_keys(void **state)
{
	struct tfp_profile *profile = ((struct world *)*state)->profile;

	assert_int_equal(tfp_profile_find_metric(profile, "micros"), TFP_TF_MICROS);
	assert_int_equal(tfp_profile_find_metric(profile, "occurrence"), TFP_TF_RUNS);
	assert_int_equal(tfp_profile_find_metric(profile, "micro"), TFP_NONE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_tensorflow, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(finds_the_first_of_a_name),
		TEST(keeps_many_nodes),
		TEST(types_are_a_sorted_set),
		TEST(given_types_are_all_there_are),
		TEST(steps_stand_in_order),
		TEST(means_divide_by_the_steps_of_the_node),
		TEST(negative_means_round_toward_zero_or_wrap),
		TEST(sums_wrap),
		TEST(float_ops_are_static_until_there_is_a_cell),
		TEST(absent_is_not_zero),
		TEST(shapes_are_one_id_each),
		TEST(elements_wrap),
		TEST(equal_stacks_are_one),
		TEST(parts_are_filled_once_and_sorted),
		TEST(parts_that_no_file_has_are_none),
		TEST(a_cancelled_part_can_be_asked_again),
		TEST(input_shapes_follow_the_producer),
		TEST(metrics_have_a_limit),
		TEST(metrics_are_found_by_their_keys),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
