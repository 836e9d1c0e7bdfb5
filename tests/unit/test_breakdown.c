/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdowns of a row: by shape, node, source, device and step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worked.h"

/* "label value runs defined" in each line, indented by depth; in the world's arena. */
static char *text_of(struct worked_world *world, const char *label, enum tfp_breakdown_kind kind)
{
	uint32_t row = label ? worked_row(world, label) : 0;
	struct tfp_breakdown *breakdown = tfp_engine_breakdown(
		world->engine, world->tree, row, kind, TFP_TF_MICROS, NULL, world->diag);
	char *text = tfp_arena_text(&world->arena, "", 0);

	assert_non_null(breakdown);
	for (size_t i = 0; i < breakdown->count; i++) {
		const struct tfp_breakdown_row *at = &breakdown->rows[i];

		text = tfp_arena_printf(&world->arena, "%s%*s%s %lld %lld %lld\n", text,
					(int)at->depth * 2, "", at->label, (long long)at->value,
					(long long)at->runs, (long long)at->defined);
	}
	tfp_breakdown_free(breakdown);
	return text;
}

static void by_shape(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(text_of(&world, "fc", TFP_BREAKDOWN_SHAPE),
			    "MatMul -1x4 · 4x3 1750 1 1\n"
			    "BiasAdd -1x3 · 3 20 1 1\n"
			    "VariableV2 2 1 2\n"
			    "Identity 4x3 1 1 1\n");
	worked_end(&world);
}

static char *sorted(struct worked_world *world, enum tfp_breakdown_kind kind,
		    enum tfp_breakdown_order order, bool reverse)
{
	struct tfp_breakdown *breakdown = tfp_engine_breakdown(world->engine, world->tree, 0, kind,
							       TFP_TF_MICROS, NULL, world->diag);
	char *text = tfp_arena_text(&world->arena, "", 0);

	tfp_breakdown_sort(breakdown, order, reverse);
	for (size_t i = 0; i < breakdown->count && i < 3; i++)
		text = tfp_arena_printf(&world->arena, "%s%u %s\n", text,
					(unsigned int)breakdown->rows[i].depth,
					breakdown->rows[i].label);
	tfp_breakdown_free(breakdown);
	return text;
}

static void in_another_order(void **state)
{
	struct worked_world world;
	char *as_made;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	as_made = sorted(&world, TFP_BREAKDOWN_NODES, TFP_BREAKDOWN_AS_MADE, false);
	assert_string_equal(sorted(&world, TFP_BREAKDOWN_NODES, TFP_BREAKDOWN_BY_VALUE, false),
			    as_made);
	/* what is not compared has no difference to sort by */
	assert_string_equal(sorted(&world, TFP_BREAKDOWN_NODES, TFP_BREAKDOWN_BY_DIFFERENCE, true),
			    as_made);
	assert_string_equal(sorted(&world, TFP_BREAKDOWN_NODES, TFP_BREAKDOWN_BY_NAME, false),
			    "0 _retval_fc/BiasAdd_0_0\n0 fc/BiasAdd\n0 fc/MatMul\n");
	assert_string_equal(sorted(&world, TFP_BREAKDOWN_NODES, TFP_BREAKDOWN_BY_NAME, true),
			    "0 x\n0 gradients/fc/MatMul_grad/MatMul\n0 fc/b\n");
	/* callers stay behind their line */
	assert_string_equal(sorted(&world, TFP_BREAKDOWN_SOURCE, TFP_BREAKDOWN_BY_NAME, false),
			    "0 dense.py:21 fully_connected_layer\n"
			    "1 train.py:10 main\n"
			    "0 dense.py:22 fully_connected_layer\n");
	worked_end(&world);
}

static void by_node(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	assert_string_equal(text_of(&world, "MatMul", TFP_BREAKDOWN_NODES),
			    "fc/MatMul 1750 1 1\n"
			    "gradients/fc/MatMul_grad/MatMul 130 1 1\n");
	worked_end(&world);
}

static void hidden_rows_do_not_count(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "hide_name_regexes=.*MatMul"));
	assert_string_equal(text_of(&world, NULL, TFP_BREAKDOWN_NODES),
			    "fc/BiasAdd 20 1 1\n"
			    "_retval_fc/BiasAdd_0_0 7 1 1\n"
			    "fc/W 2 1 1\n"
			    "fc/W/read 1 1 1\n"
			    "fc/b 0 0 1\n"
			    "x 0 0 1\n");
	worked_end(&world);
}

/* What is too deep to be seen is part of the rows above it, as it is of their totals. */
static void deep_rows_count(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=2", "hide_name_regexes=.*MatMul"));
	assert_string_equal(text_of(&world, "fc", TFP_BREAKDOWN_NODES), "fc/BiasAdd 20 1 1\n"
									"fc/W 2 1 1\n"
									"fc/W/read 1 1 1\n"
									"fc/b 0 0 1\n");
	assert_int_equal(world.tree->hidden[TFP_TF_MICROS], 1750 + 130);
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=0", "hide_name_regexes="));
	assert_string_equal(text_of(&world, NULL, TFP_BREAKDOWN_STEPS), "step 0 1910 6 6\n");
	assert_int_equal(world.tree->hidden_count, 0);
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros", "max_depth=0"));
	assert_int_equal(world.tree->hidden_count, 0);
	worked_end(&world);
}

static void by_source(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(text_of(&world, NULL, TFP_BREAKDOWN_SOURCE),
			    "dense.py:23 fully_connected_layer 1750 1 1\n"
			    "  train.py:10 main 1750 1 1\n"
			    "dense.py:23 fully_connected_layer (gradient) 130 1 1\n"
			    "  train.py:10 main (gradient) 130 1 1\n"
			    "dense.py:24 fully_connected_layer 20 1 1\n"
			    "  train.py:10 main 20 1 1\n"
			    "dense.py:21 fully_connected_layer 3 2 2\n"
			    "  train.py:10 main 3 2 2\n"
			    "dense.py:22 fully_connected_layer 0 0 1\n"
			    "  train.py:10 main 0 0 1\n"
			    "train.py:8 main 0 0 1\n"
			    "no call stack 7 1 1\n");
	worked_end(&world);
}

static void leaves_out_libraries(void **state)
{
	struct tfp_profile *profile = worked_profile(1);
	struct tfp_breakdown *breakdown;
	struct worked_world world;
	uint32_t library, stack;

	(void)state;
	assert_true(tfp_profile_need(profile, TFP_PART_STACKS, NULL, NULL));
	library = worked_frame(profile, "/usr/lib/python3/dist-packages/x.py", "apply", 1);
	stack = profile->nodes.stack[WORKED_MATMUL];
	profile->nodes.stack[WORKED_MATMUL] = tfp_profile_stack(profile, stack, library);
	profile->nodes.stack[WORKED_BIAS] = tfp_profile_stack(profile, TFP_NONE, library);
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	assert_string_equal(text_of(&world, "MatMul", TFP_BREAKDOWN_SOURCE),
			    "dense.py:23 fully_connected_layer 1750 1 1\n"
			    "  train.py:10 main 1750 1 1\n"
			    "dense.py:23 fully_connected_layer (gradient) 130 1 1\n"
			    "  train.py:10 main (gradient) 130 1 1\n");
	assert_string_equal(text_of(&world, "BiasAdd", TFP_BREAKDOWN_SOURCE),
			    "x.py:1 apply 20 1 1\n");
	breakdown = tfp_engine_breakdown(world.engine, world.tree, worked_row(&world, "MatMul"),
					 TFP_BREAKDOWN_SOURCE, TFP_TF_MICROS, NULL, world.diag);
	assert_string_equal(breakdown->rows[0].file, "/home/u/layers/dense.py");
	assert_int_equal(breakdown->rows[0].line, 23);
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

static void by_device(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(text_of(&world, NULL, TFP_BREAKDOWN_DEVICE),
			    "gpu:0, launching 1530 2 2\n"
			    "gpu:0, computing 350 2 2\n"
			    "gpu:0 23 3 3\n"
			    "cpu:0 7 1 1\n"
			    "no device 0 0 2\n");
	worked_end(&world);
}

static void add_stream(struct tfp_profile *profile, uint32_t node, const char *stream,
		       const char *kernel, int64_t duration)
{
	*tfp_array_push(&profile->streams) = (struct tfp_stream_run){
		.node = node,
		.device = tfp_strings_add_text(profile->strings, stream),
		.kernel = tfp_strings_add_text(profile->strings, kernel),
		.start = 1,
		.duration = duration,
	};
}

static void by_stream(void **state)
{
	struct tfp_profile *profile = worked_profile(1);
	struct worked_world world;

	(void)state;
	profile->has_streams = true;
	add_stream(profile, WORKED_MATMUL, "/device:gpu:0/stream:13", "gemm", 200);
	add_stream(profile, WORKED_MATMUL, "/device:gpu:0/stream:13", "gemv", 20);
	add_stream(profile, WORKED_GRADIENT, "/device:gpu:0/stream:14", "", 100);
	add_stream(profile, WORKED_MATMUL, "/device:gpu:0/memcpy", "MEMCPYHtoD", 30);
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(text_of(&world, NULL, TFP_BREAKDOWN_DEVICE),
			    "gpu:0, launching 1530 2 2\n"
			    "gpu:0, computing 350 2 2\n"
			    "  stream:13 220 2 -1\n"
			    "    gemm 200 1 -1\n"
			    "    gemv 20 1 -1\n"
			    "  stream:14 100 1 -1\n"
			    "  memcpy 30 1 -1\n"
			    "    MEMCPYHtoD 30 1 -1\n"
			    "gpu:0 23 3 3\n"
			    "cpu:0 7 1 1\n"
			    "no device 0 0 2\n");
	worked_end(&world);
}

static void by_step(void **state)
{
	struct tfp_breakdown *breakdown;
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	assert_string_equal(text_of(&world, "MatMul", TFP_BREAKDOWN_STEPS), "step 1 3380 2 2\n"
									    "step 0 1880 2 2\n");
	breakdown = tfp_engine_breakdown(world.engine, world.tree, 0, TFP_BREAKDOWN_STEPS,
					 TFP_TF_MICROS, NULL, world.diag);
	assert_string_equal(breakdown->note,
			    "2 steps: least 1.91ms, median 2.66ms, most 3.41ms  ▅█");
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

static void of_a_function(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "functions", "order_by=micros"));
	assert_string_equal(text_of(&world, "fully_connected_layer dense.py", TFP_BREAKDOWN_NODES),
			    "fc/MatMul 1750 1 1\n"
			    "gradients/fc/MatMul_grad/MatMul 130 1 1\n"
			    "fc/BiasAdd 20 1 1\n"
			    "fc/W 2 1 1\n"
			    "fc/W/read 1 1 1\n"
			    "fc/b 0 0 1\n");
	/* in a list it stands for itself: no part is larger than the whole */
	assert_non_null(WORKED_ASK(&world, "functions", "flat=true"));
	assert_string_equal(text_of(&world, "main train.py", TFP_BREAKDOWN_NODES), "x 0 0 1\n");
	worked_end(&world);
}

/* Many nodes: the largest are rows, and one row is the others. */
static void keeps_the_largest(void **state)
{
	struct tfp_profile *profile = worked_profile(1);
	struct tfp_breakdown *breakdown;
	struct worked_world world;
	char name[32];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint32_t node, cell;

		snprintf(name, sizeof(name), "many/%d", i);
		node = tfp_profile_add_node(profile, worked_string(profile, name),
					    worked_string(profile, "Many"));
		cell = tfp_profile_cell(profile, node, tfp_profile_step(profile, 0, 0));
		profile->cells.value[cell * profile->cell_columns + TFP_CELL_CPU_MICROS] =
			1 + (i * 7919) % 20000;
	}
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	breakdown = tfp_engine_breakdown(world.engine, world.tree, worked_row(&world, "Many"),
					 TFP_BREAKDOWN_NODES, TFP_TF_MICROS, NULL, world.diag);
	assert_int_equal(breakdown->count, 10001);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(breakdown->rows[i].value, 20000 - i);
	assert_string_equal(breakdown->rows[10000].label, "10000 others");
	assert_int_equal(breakdown->rows[10000].value, 10000 * 10001 / 2);
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

static void stops_when_cancelled(void **state)
{
	struct worked_world world;
	struct tfp_job job = {.cancel = true};

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	for (int kind = 0; kind < TFP_BREAKDOWN_ATTRIBUTES; kind++)
		assert_null(tfp_engine_breakdown(world.engine, world.tree, 0,
						 (enum tfp_breakdown_kind)kind, TFP_TF_MICROS, &job,
						 world.diag));
	worked_end(&world);
}

static void by_user(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *breakdown;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "graph", "order_by=micros"));
	assert_string_equal(text_of(&world, "fc/W/read", TFP_BREAKDOWN_USERS),
			    "fc/MatMul 1750 1 1\n"
			    "gradients/fc/MatMul_grad/MatMul 130 1 1\n");
	WORKED_ASK(&world, "scope", "order_by=micros");
	assert_string_equal(text_of(&world, "fc/W", TFP_BREAKDOWN_USERS),
			    "fc/MatMul 1750 1 1\n"
			    "gradients/fc/MatMul_grad/MatMul 130 1 1\n");
	/* Those inside do not count. */
	assert_string_equal(text_of(&world, "fc", TFP_BREAKDOWN_USERS),
			    "gradients/fc/MatMul_grad/MatMul 130 1 1\n");
	assert_string_equal(text_of(&world, NULL, TFP_BREAKDOWN_USERS), "");
	breakdown = tfp_engine_breakdown(world.engine, world.tree, worked_row(&world, "gradients"),
					 TFP_BREAKDOWN_USERS, TFP_TF_MICROS, NULL, world.diag);
	assert_string_equal(breakdown->note, "no other node takes an input from here");
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

static void shapes_are_filters(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *breakdown;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "op", "order_by=micros", "deep");
	assert_null(tfp_engine_shape(world.engine, world.tree, worked_row(&world, "MatMul"), NULL,
				     &world.arena));
	assert_string_equal(tfp_engine_shape(world.engine, world.tree,
					     worked_row(&world, "MatMul -1x4 · 4x3"), NULL,
					     &world.arena),
			    "0:-1x4|1:4x3");
	breakdown = tfp_engine_breakdown(world.engine, world.tree, 0, TFP_BREAKDOWN_SHAPE,
					 TFP_TF_MICROS, NULL, world.diag);
	assert_string_equal(breakdown->rows[0].shape, "0:-1x4|1:4x3");
	WORKED_ASK(&world, "scope", "shape=0:-1x4|1:4x3");
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TF_MICROS), 1750);
	tfp_breakdown_free(breakdown);
	worked_end(&world);
}

static void only_nodes_have_attributes(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(
		tfp_breakdown_about(tfp_engine_profile(world.engine), TFP_BREAKDOWN_ATTRIBUTES)
			.missing);
	WORKED_ASK(&world, "scope", "order_by=micros");
	assert_true(tfp_breakdown_fits(world.tree, worked_row(&world, "fc/MatMul"),
				       TFP_BREAKDOWN_ATTRIBUTES));
	assert_false(
		tfp_breakdown_fits(world.tree, worked_row(&world, "fc"), TFP_BREAKDOWN_ATTRIBUTES));
	assert_true(tfp_breakdown_fits(world.tree, worked_row(&world, "fc"), TFP_BREAKDOWN_NODES));
	worked_end(&world);
}

static void says_what_is_missing(void **state)
{
	struct tfp_profile *profile = worked_profile(0);

	(void)state;
	assert_null(tfp_breakdown_about(profile, TFP_BREAKDOWN_SHAPE).missing);
	assert_null(tfp_breakdown_about(profile, TFP_BREAKDOWN_NODES).missing);
	assert_non_null(tfp_breakdown_about(profile, TFP_BREAKDOWN_STEPS).missing);
	profile->has_stacks = false;
	assert_non_null(tfp_breakdown_about(profile, TFP_BREAKDOWN_SOURCE).missing);
	tfp_profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_shape),
		cmocka_unit_test(by_node),
		cmocka_unit_test(in_another_order),
		cmocka_unit_test(hidden_rows_do_not_count),
		cmocka_unit_test(deep_rows_count),
		cmocka_unit_test(by_source),
		cmocka_unit_test(leaves_out_libraries),
		cmocka_unit_test(by_device),
		cmocka_unit_test(by_stream),
		cmocka_unit_test(by_step),
		cmocka_unit_test(of_a_function),
		cmocka_unit_test(keeps_the_largest),
		cmocka_unit_test(stops_when_cancelled),
		cmocka_unit_test(by_user),
		cmocka_unit_test(shapes_are_filters),
		cmocka_unit_test(only_nodes_have_attributes),
		cmocka_unit_test(says_what_is_missing),
	};

	return cmocka_run_group_tests_name("breakdown", tests, NULL, NULL);
}
