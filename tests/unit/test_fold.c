/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is merged, folded and left out: gradients, numbered siblings, frames of libraries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worked.h"

static void op_view_merges_gradients(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros", "merge_gradients", "deep",
				   "account_type_regexes=MatMul|BiasAdd"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1900\n"
			    "  MatMul 1880\n"
			    "    MatMul -1x4 · 4x3 1880\n"
			    "      fc/MatMul 1750\n"
			    "      gradients/fc/MatMul_grad/MatMul 130\n"
			    "  BiasAdd 20\n"
			    "    BiasAdd -1x3 · 3 20\n"
			    "      fc/BiasAdd 20\n");
	assert_non_null(WORKED_ASK(&world, "op", "flat"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1900\n"
								"  MatMul -1x4 · 4x3 1880\n"
								"  BiasAdd -1x3 · 3 20\n");
	/* the base with merged gradients is not taken for the one without */
	assert_non_null(WORKED_ASK(&world, "op", "merge_gradients=no"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1900\n"
								"  MatMul -1x4 · 4x3 1750\n"
								"  MatMul -1x3 · 4x3 130\n"
								"  BiasAdd -1x3 · 3 20\n");
	worked_end(&world);
}

static void scopes_hold_their_gradients(void **state)
{
	struct worked_world world;
	uint32_t row;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros", "merge_gradients"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1910\n"
			    "  fc 1903\n"
			    "    fc/MatMul 1880\n"
			    "      gradients/fc/MatMul_grad/MatMul 130\n"
			    "    fc/BiasAdd 20\n"
			    "    fc/W 3\n"
			    "      fc/W/read 1\n"
			    "    fc/b 0\n"
			    "  _retval_fc 7\n"
			    "    _retval_fc/BiasAdd_0_0 7\n"
			    "  x 0\n");
	row = worked_row(&world, "gradients/fc/MatMul_grad/MatMul");
	assert_int_equal(world.tree->base->node[row], WORKED_GRADIENT);
	worked_end(&world);
}

static void steps_and_code_merge_too(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "steps", "merge_gradients", "zoom=step 1",
				   "show_text=MatMul", "context"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "step 1 3410\n"
			    "  fc 3403\n"
			    "    fc/MatMul 3380\n"
			    "      gradients/fc/MatMul_grad/MatMul 130\n");
	assert_non_null(
		WORKED_ASK(&world, "code", "zoom=", "show_text=", "step=0", "order_by=micros"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1903\n"
			    "  train.py:10:main 1903\n"
			    "    dense.py:23:fully_connected_l... 1880\n"
			    "    dense.py:24:fully_connected_l... 20\n"
			    "    dense.py:21:fully_connected_l... 3\n"
			    "    dense.py:22:fully_connected_l... 0\n"
			    "  train.py:8:main 0\n");
	worked_end(&world);
}

/* ---- numbered siblings ---------------------------------------------------------------------------- */

/* A profile of one step in which the ops of these names ran, the first for 1 us, the next for 2 us. */
static struct tfp_profile *make_profile(const char *const *names, const char *const *ops)
{
	struct tfp_profile *profile = tfp_profile_new();

	tfp_profile_make_tensorflow(profile);
	profile->has_graph = true;
	for (uint32_t i = 0; names[i]; i++) {
		uint32_t node = tfp_profile_add_node(profile, worked_string(profile, names[i]),
						     worked_string(profile, ops[i]));
		uint32_t cell = tfp_profile_cell(profile, node, tfp_profile_step(profile, 0, 0));

		profile->cells.value[cell * profile->cell_columns + TFP_CELL_CPU_MICROS] = i + 1;
		profile->cells.value[cell * profile->cell_columns + TFP_CELL_RUNS] = 1;
	}
	tfp_profile_finish(profile);
	return profile;
}

static void numbered_siblings_fold(void **state)
{
	static const char *const names[] = {
		"a/Add",   "a/Add_1",  "a/Add_10", "a/AddX", "a/Add_2", "a/Add_3/in",
		"a/Add_3", "a/Add_01", "a/Add_4",  "b/Add",  "b/Add_1", "b/Add_2",
		"c_1/x",   "c_2/x",    "c_3/x",    "c_4/x",  NULL,
	};
	static const char *const ops[] = {
		"Add", "Add", "Add", "Add", "Add", "In", "Add", "Add",
		"Mul", "Add", "Add", "Add", "X",   "X",  "X",   "X",
	};
	struct worked_world world;
	uint32_t fold, child;

	(void)state;
	worked_begin(&world, make_profile(names, ops));
	assert_non_null(WORKED_ASK(&world, "scope", "fold_siblings"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 136\n"
								"  a 45\n"
								"    a/Add, Add_1 … ×5 24\n"
								"      a/Add 1\n"
								"      a/Add_1 2\n"
								"      a/Add_10 3\n"
								"      a/Add_2 5\n"
								"      a/Add_3 13\n"
								"        a/Add_3/in 6\n"
								"    a/AddX 4\n"
								"    a/Add_01 8\n"
								"    a/Add_4 9\n"
								"  b 33\n"
								"    b/Add 10\n"
								"    b/Add_1 11\n"
								"    b/Add_2 12\n"
								"  c_1 13\n"
								"    c_1/x 13\n"
								"  c_2 14\n"
								"    c_2/x 14\n"
								"  c_3 15\n"
								"    c_3/x 15\n"
								"  c_4 16\n"
								"    c_4/x 16\n");
	fold = worked_row(&world, "a/Add, Add_1 … ×5");
	child = worked_row(&world, "a/Add_1");
	assert_true(world.tree->base->flags[fold] & TFP_ROW_FOLD);
	assert_true(tfp_span_equal(tfp_tree_name(world.tree, child, fold), TFP_SPAN("Add_1")));
	assert_int_equal(world.tree->base->defined[fold], 6);
	assert_non_null(WORKED_ASK(&world, "steps", "zoom=a/Add, Add_1 … ×5", "max_depth=1"));
	assert_int_equal(tfp_tree_total(world.tree, world.tree->root, TFP_TF_MICROS), 24);
	worked_end(&world);
}

static void a_fold_is_no_leaf(void **state)
{
	static const char *const names[] = {"A_1", "A_2", "A_3", "A_1000000000", "A_4", NULL};
	static const char *const ops[] = {"A", "A", "A", "A", "A"};
	struct worked_world world;

	(void)state;
	worked_begin(&world, make_profile(names, ops));
	assert_non_null(WORKED_ASK(&world, "scope", "fold_siblings", "show_text=A_2", "context"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 15\n"
								"  A_1, A_2 … ×4 11\n"
								"    A_2 2\n");
	assert_int_equal(world.tree->shown_count, 2);
	assert_non_null(WORKED_ASK(&world, "scope", "show_text=", "flat", "order_by=micros",
				   "min_micros=4"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 15\n"
								"  A_4 5\n"
								"  A_1000000000 4\n");
	worked_end(&world);
}

/* ---- libraries ------------------------------------------------------------------------------------ */

static void libraries_are_left_out(void **state)
{
	static const char *const names[] = {"x", NULL}, *const ops[] = {"X"};
	struct tfp_profile *profile = make_profile(names, ops);
	struct worked_world world;
	uint32_t stack;

	(void)state;
	assert_true(tfp_profile_need(profile, TFP_PART_STACKS, NULL, NULL));
	stack = tfp_profile_stack(profile, TFP_NONE, worked_frame(profile, "/home/u/a.py", "f", 1));
	stack = tfp_profile_stack(
		profile, stack,
		worked_frame(profile, "/usr/lib/python3/site-packages/lib/b.py", "g", 2));
	stack = tfp_profile_stack(profile, stack, worked_frame(profile, "/home/u/c.py", "h", 3));
	profile->nodes.stack[0] = stack;
	profile->has_stacks = true;
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "code", "order_by=micros"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1\n"
								"  a.py:1:f 1\n"
								"    b.py:2:g 1\n"
								"      c.py:3:h 1\n");
	assert_non_null(WORKED_ASK(&world, "code", "fold_library"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1\n"
								"  a.py:1:f 1\n"
								"    c.py:3:h 1\n");
	assert_non_null(WORKED_ASK(&world, "code", "fold_library", "library_paths=/c.py,/lib/b"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1\n"
								"  a.py:1:f 1\n");
	assert_non_null(WORKED_ASK(&world, "code", "fold_library", "library_paths="));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1\n"
								"  a.py:1:f 1\n"
								"    b.py:2:g 1\n"
								"      c.py:3:h 1\n");
	worked_end(&world);
}

/* PyTorch writes the paths of modules from the folder on in which Python found them. */
static void libraries_are_told_by_how_a_path_begins(void **state)
{
	static const char *const names[] = {"x", NULL}, *const ops[] = {"X"};
	static const char *const files[] = {"train.py", "torch/nn/modules/module.py", "typing.py",
					    "/home/me/torch/fit.py", "mine/torch/net.py"};
	struct tfp_profile *profile = make_profile(names, ops);
	struct worked_world world;
	uint32_t stack = TFP_NONE;

	(void)state;
	assert_true(tfp_profile_need(profile, TFP_PART_STACKS, NULL, NULL));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		stack = tfp_profile_stack(profile, stack, worked_frame(profile, files[i], "f", 1));
	profile->nodes.stack[0] = stack;
	profile->has_stacks = true;
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "code", "order_by=micros", "fold_library"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1\n"
								"  train.py:1:f 1\n"
								"    fit.py:1:f 1\n"
								"      net.py:1:f 1\n");
	assert_non_null(WORKED_ASK(&world, "code", "fold_library", "library_paths=^train,torch/n"));
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1\n"
								"  typing.py:1:f 1\n"
								"    fit.py:1:f 1\n");
	worked_end(&world);
}

/* ---- command lines -------------------------------------------------------------------------------- */

static void commands_say_what_the_view_heeds(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(
		WORKED_ASK(&world, "scope", "merge_gradients", "fold_siblings", "fold_library"));
	assert_string_equal(tfp_query_command(&world.query, &world.arena),
			    "scope --merge_gradients --fold_siblings");
	world.query.view = "code";
	assert_string_equal(tfp_query_command(&world.query, &world.arena),
			    "code --merge_gradients --fold_library");
	world.query.library_paths = "/opt,a b";
	assert_string_equal(tfp_query_command(&world.query, &world.arena),
			    "code --merge_gradients --fold_library --library_paths='/opt,a b'");
	world.query.view = "graph";
	assert_string_equal(tfp_query_command(&world.query, &world.arena), "graph");
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(op_view_merges_gradients),
		cmocka_unit_test(scopes_hold_their_gradients),
		cmocka_unit_test(steps_and_code_merge_too),
		cmocka_unit_test(numbered_siblings_fold),
		cmocka_unit_test(a_fold_is_no_leaf),
		cmocka_unit_test(libraries_are_left_out),
		cmocka_unit_test(libraries_are_told_by_how_a_path_begins),
		cmocka_unit_test(commands_say_what_the_view_heeds),
	};

	return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
