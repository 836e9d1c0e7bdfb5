/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The op view: groups, what counts, running totals, input shapes below.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "made_trace.h"
#include "worked.h"

static int64_t running(const struct worked_world *world, const char *label)
{
	uint32_t row = worked_row(world, label);

	return world->tree->running[row * world->tree->base->metric_count + TFP_TF_MICROS];
}

static void groups_by_type(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  MatMul 1880\n"
								"  BiasAdd 20\n"
								"  _retval_fc/BiasAdd_0_0 7\n"
								"  VariableV2 2\n"
								"  Identity 1\n"
								"  Placeholder 0\n");
	assert_int_equal(running(&world, "MatMul"), 1910);
	assert_int_equal(running(&world, "BiasAdd"), 30);
	assert_int_equal(running(&world, "VariableV2"), 3);
	assert_int_equal(world.tree->defined[worked_row(&world, "VariableV2")], 2);
	worked_end(&world);
}

static void minimums_are_of_running_totals(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros", "min_micros=5"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  MatMul 1880\n"
								"  BiasAdd 20\n"
								"  _retval_fc/BiasAdd_0_0 7\n");
	worked_end(&world);
}

/* Of a recording they are of the rows; so is a list of the view. */
static void minimums_of_recordings_are_of_rows(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, made_trace());
	assert_non_null(WORKED_ASK(&world, "op", "order_by=device", "min_device=25"));
	assert_string_equal(worked_text(&world, TFP_TRACE_DEVICE), "_TFProfRoot 270\n"
								   "  conv2d 240\n");
	assert_int_equal(world.tree->running[(size_t)worked_row(&world, "conv2d") *
						     world.tree->base->metric_count +
					     TFP_TRACE_DEVICE],
			 270);
	assert_non_null(WORKED_ASK(&world, "op", "flat"));
	assert_int_equal(world.tree->shown_count, 1);
	worked_end(&world);
}

static void averages_steps(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	assert_int_equal(tfp_tree_total(world.tree, worked_row(&world, "MatMul"), TFP_TF_MICROS),
			 2630);
	assert_non_null(WORKED_ASK(&world, "op", "step=1"));
	assert_int_equal(tfp_tree_total(world.tree, worked_row(&world, "MatMul"), TFP_TF_MICROS),
			 3380);
	assert_null(WORKED_ASK(&world, "op", "step=5"));
	assert_int_equal(tfp_diag_errors(world.diag), 1);
	worked_end(&world);
}

static void counts_a_node_once_unless_asked(void **state)
{
	struct worked_world world;
	uint32_t row;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "account_type_regexes=MatMul,Mat.*"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1880\n"
								"  MatMul 1880\n");
	assert_non_null(WORKED_ASK(&world, "op", "compat=tf"));
	row = worked_row(&world, "MatMul");
	assert_int_equal(tfp_tree_total(world.tree, row, TFP_TF_MICROS), 3760);
	assert_int_equal(world.tree->defined[row], 2);
	assert_int_equal(world.tree->base->pick_first[row + 1] - world.tree->base->pick_first[row],
			 2);
	worked_end(&world);
}

static void has_shapes_and_nodes_below(void **state)
{
	struct worked_world world;
	struct tfp_span name;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "deep", "order_by=micros",
				   "account_type_regexes=MatMul|BiasAdd"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1900\n"
			    "  MatMul 1880\n"
			    "    MatMul -1x4 · 4x3 1750\n"
			    "      fc/MatMul 1750\n"
			    "    MatMul -1x3 · 4x3 130\n"
			    "      gradients/fc/MatMul_grad/MatMul 130\n"
			    "  BiasAdd 20\n"
			    "    BiasAdd -1x3 · 3 20\n"
			    "      fc/BiasAdd 20\n");
	assert_int_equal(world.tree->defined[worked_row(&world, "MatMul")], 2);
	assert_int_equal(world.tree->base->node[worked_row(&world, "fc/MatMul")], WORKED_MATMUL);
	name = tfp_tree_name(world.tree, worked_row(&world, "MatMul -1x3 · 4x3"),
			     worked_row(&world, "MatMul"));
	assert_true(tfp_span_equal(name, TFP_SPAN("-1x3 · 4x3")));
	worked_end(&world);
}

static void ranks_shapes_when_flat(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "flat", "order_by=micros"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  MatMul -1x4 · 4x3 1750\n"
								"  MatMul -1x3 · 4x3 130\n"
								"  BiasAdd -1x3 · 3 20\n"
								"  _retval_fc/BiasAdd_0_0 7\n"
								"  VariableV2 2\n"
								"  Identity 4x3 1\n"
								"  Placeholder 0\n");
	worked_end(&world);
}

static void stops_when_cancelled(void **state)
{
	struct worked_world world;
	struct tfp_job job = {.cancel = true};

	(void)state;
	worked_begin(&world, worked_profile(1));
	world.query.view = "op";
	assert_null(tfp_engine_run(world.engine, &world.query, &job, world.diag));
	assert_int_equal(tfp_diag_count(world.diag), 0);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_by_type),
		cmocka_unit_test(minimums_are_of_running_totals),
		cmocka_unit_test(minimums_of_recordings_are_of_rows),
		cmocka_unit_test(averages_steps),
		cmocka_unit_test(counts_a_node_once_unless_asked),
		cmocka_unit_test(has_shapes_and_nodes_below),
		cmocka_unit_test(ranks_shapes_when_flat),
		cmocka_unit_test(stops_when_cancelled),
	};

	return cmocka_run_group_tests_name("op", tests, NULL, NULL);
}
