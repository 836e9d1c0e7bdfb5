/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Baselines: steps and files that a tree is compared with, in every view, in breakdowns and orders; and
 * the steps view. Three steps of a program: "a/x" takes 10, 30, 20 us, "a/y" 5, 0, 5 us in them, and "b"
 * runs in the last alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worked.h"

#define STEPS 3

static void add(struct tfp_profile *profile, const char *name, const char *op,
		const int64_t *micros)
{
	uint32_t node = tfp_profile_add_node(profile, worked_string(profile, name),
					     worked_string(profile, op));

	for (int step = 0; step < STEPS; step++) {
		uint32_t cell;

		if (!micros[step])
			continue;
		cell = tfp_profile_cell(profile, node, tfp_profile_step(profile, step, 0));
		profile->cells.value[cell * profile->cell_columns + TFP_CELL_CPU_MICROS] =
			micros[step];
		profile->cells.value[cell * profile->cell_columns + TFP_CELL_RUNS] = 1;
	}
}

static struct tfp_profile *begin_profile(void)
{
	struct tfp_profile *profile = tfp_profile_new();

	tfp_profile_make_tensorflow(profile);
	for (int step = 0; step < STEPS; step++)
		tfp_profile_step(profile, step, worked_string(profile, step ? "dir/s.pb" : ""));
	profile->has_graph = true;
	return profile;
}

static struct tfp_profile *three_steps(void)
{
	struct tfp_profile *profile = begin_profile();

	add(profile, "a/x", "Mul", (int64_t[]){10, 30, 20});
	add(profile, "a/y", "Add", (int64_t[]){5, 0, 5});
	add(profile, "b", "Mul", (int64_t[]){0, 0, 40});
	tfp_profile_finish(profile);
	return profile;
}

/* Lacks a/y and b, has a/z and c/d/e that the other does not. */
static struct tfp_profile *other_file(void)
{
	struct tfp_profile *profile = begin_profile();

	add(profile, "c/d/e", "Sub", (int64_t[]){3, 3, 3});
	add(profile, "a/z", "Add", (int64_t[]){7, 7, 7});
	add(profile, "a/x", "Mul", (int64_t[]){8, 8, 8});
	tfp_profile_finish(profile);
	return profile;
}

/* Rows of TIME as "name value difference side", for comparing. */
static const char *compared(struct worked_world *world)
{
	static const char *const sides[] = {"-", "both", "here", "there"};
	const struct tfp_tree *tree = world->tree;
	char *text = tfp_arena_text(&world->arena, "", 0);
	TFP_ARRAY(uint32_t) open = {0};

	*tfp_array_push(&open) = tree->root;
	while (open.count) {
		uint32_t row = open.at[--open.count], count = tree->child_count[row];
		struct tfp_span label = tfp_base_label(tree->base, row);

		text = tfp_arena_printf(&world->arena, "%s%.*s %lld %+lld %s\n", text,
					(int)label.size, label.at,
					(long long)tfp_tree_total(tree, row, TFP_TF_MICROS),
					(long long)tfp_tree_difference(tree, row, TFP_TF_MICROS),
					sides[tfp_tree_side(tree, row)]);
		tfp_array_reserve(&open, open.count + count);
		tfp_tree_children(tree, row, open.at + open.count);
		for (uint32_t i = 0; i < count / 2; i++) {
			uint32_t *left = &open.at[open.count + i];
			uint32_t *right = &open.at[open.count + count - 1 - i], kept = *left;

			*left = *right;
			*right = kept;
		}
		open.count += count;
	}
	tfp_array_free(&open);
	return text;
}

/* ---- steps -------------------------------------------------------------------------------------- */

static void one_step_is_compared_with_another(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, three_steps());
	assert_non_null(WORKED_ASK(&world, "scope", "step=2", "baseline=step:0"));
	assert_string_equal(compared(&world), "_TFProfRoot 65 +50 both\n"
					      "a 25 +10 both\n"
					      "a/x 20 +10 both\n"
					      "a/y 5 +0 both\n"
					      "b 40 +40 here\n");
	assert_non_null(WORKED_ASK(&world, "scope", "step=1", "order_by=difference"));
	assert_string_equal(compared(&world), "_TFProfRoot 30 +15 both\n"
					      "a 30 +15 both\n"
					      "a/x 30 +20 both\n"
					      "a/y 0 -5 there\n"
					      "b 0 +0 both\n");
	worked_end(&world);
}

static void several_steps_are_one_value(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, three_steps());
	/* a/x: 10 and 30; a: 15 and 30; the root 15 and 30 */
	assert_non_null(WORKED_ASK(&world, "scope", "step=2", "baseline=median"));
	assert_string_equal(compared(&world), "_TFProfRoot 65 +43 both\n"
					      "a 25 +3 both\n"
					      "a/x 20 +0 both\n"
					      "a/y 5 +3 both\n"
					      "b 40 +40 here\n");
	/* of all steps, since none is left out: a/x 10 20 30 */
	assert_non_null(WORKED_ASK(&world, "scope", "step=-1", "baseline=median"));
	assert_int_equal(tfp_tree_baseline(world.tree, worked_row(&world, "a/x"), TFP_TF_MICROS),
			 20);
	assert_int_equal(tfp_tree_baseline(world.tree, worked_row(&world, "b"), TFP_TF_MICROS), 0);
	assert_non_null(WORKED_ASK(&world, "op", "step=0", "baseline=mean"));
	/* Mul: 30 and 60 */
	assert_int_equal(tfp_tree_baseline(world.tree, worked_row(&world, "Mul"), TFP_TF_MICROS),
			 45);
	worked_end(&world);
}

static void totals_follow_what_is_displayed(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, three_steps());
	assert_non_null(WORKED_ASK(&world, "scope", "step=2", "baseline=step:0", "flat",
				   "order_by=difference"));
	assert_string_equal(compared(&world), "_TFProfRoot 65 +50 both\n"
					      "b 40 +40 here\n"
					      "a/x 20 +10 both\n"
					      "a/y 5 +0 both\n");
	assert_non_null(WORKED_ASK(&world, "scope", "flat=false", "order_by=name",
				   "hide_name_regexes=b", "account_displayed_op_only"));
	assert_string_equal(compared(&world), "_TFProfRoot 25 +10 both\n"
					      "a 25 +10 both\n"
					      "a/x 20 +10 both\n"
					      "a/y 5 +0 both\n");
	/* medians of each row by itself, and of the whole */
	assert_non_null(WORKED_ASK(&world, "scope", "account_displayed_op_only=false",
				   "hide_name_regexes=", "baseline=median", "order_by=name"));
	assert_non_null(WORKED_ASK(&world, "scope", "flat", "order_by=difference"));
	assert_string_equal(compared(&world), "_TFProfRoot 65 +43 both\n"
					      "b 40 +40 here\n"
					      "a/y 5 +3 both\n"
					      "a/x 20 +0 both\n");
	worked_end(&world);
}

static void orders_by_what_changed(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, three_steps());
	WORKED_ASK(&world, "scope", "step=2", "baseline=step:0", "flat", "order_by=ratio:micros");
	assert_string_equal(compared(&world), "_TFProfRoot 65 +50 both\n"
					      "b 40 +40 here\n"
					      "a/x 20 +10 both\n"
					      "a/y 5 +0 both\n");
	WORKED_ASK(&world, "scope", "reverse", "order_by=difference:micros");
	assert_string_equal(compared(&world), "_TFProfRoot 65 +50 both\n"
					      "a/x 20 +10 both\n"
					      "b 40 +40 here\n"
					      "a/y 5 +0 both\n");
	/* what became less is in front of what did not change */
	WORKED_ASK(&world, "scope", "reverse=false", "step=1");
	assert_string_equal(compared(&world), "_TFProfRoot 30 +15 both\n"
					      "a/x 30 +20 both\n"
					      "a/y 0 -5 there\n"
					      "b 0 +0 both\n");
	worked_end(&world);
}

static void the_heaviest_child_is_what_changed_most(void **state)
{
	struct worked_world world;
	double share;

	(void)state;
	worked_begin(&world, three_steps());
	WORKED_ASK(&world, "scope", "step=2", "baseline=step:1");
	/* the root has 35 more, b 40 more and a 5 less */
	assert_int_equal(tfp_tree_heaviest(world.tree, 0, TFP_TF_MICROS, &share),
			 worked_row(&world, "b"));
	assert_float_equal(share, 40.0 / 35, 1e-9);
	/* a has 5 less in sum: x 10 less, y 5 more */
	assert_int_equal(
		tfp_tree_heaviest(world.tree, worked_row(&world, "a"), TFP_TF_MICROS, &share),
		worked_row(&world, "a/x"));
	assert_float_equal(share, 2, 1e-9);
	WORKED_ASK(&world, "scope", "baseline=");
	assert_int_equal(
		tfp_tree_heaviest(world.tree, worked_row(&world, "a"), TFP_TF_MICROS, &share),
		worked_row(&world, "a/x"));
	assert_float_equal(share, 0.8, 1e-9);
	worked_end(&world);
}

/* ---- the steps view ------------------------------------------------------------------------------ */

static void steps_are_rows(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, three_steps());
	assert_non_null(worked_ask(&world, "steps", NULL));
	assert_string_equal(compared(&world), "_TFProfRoot 110 +0 -\n"
					      "step 0 15 +0 -\n"
					      "a 15 +0 -\n"
					      "a/x 10 +0 -\n"
					      "a/y 5 +0 -\n"
					      "step 1  s.pb 30 +0 -\n"
					      "a 30 +0 -\n"
					      "a/x 30 +0 -\n"
					      "step 2  s.pb 65 +0 -\n"
					      "a 25 +0 -\n"
					      "a/x 20 +0 -\n"
					      "a/y 5 +0 -\n"
					      "b 40 +0 -\n");
	assert_int_equal(tfp_tree_step(world.tree, worked_row(&world, "b")), 2);
	assert_int_equal(tfp_tree_step(world.tree, 0), TFP_NONE);
	worked_end(&world);
}

static void each_step_has_its_others(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, three_steps());
	assert_non_null(WORKED_ASK(&world, "steps", "baseline=median", "max_depth=2",
				   "order_by=difference"));
	assert_string_equal(compared(&world), "_TFProfRoot 110 +0 -\n"
					      "step 2  s.pb 65 +43 both\n"
					      "step 1  s.pb 30 -10 both\n"
					      "step 0 15 -32 both\n");
	/* what did not run in a step took no time there */
	assert_non_null(WORKED_ASK(&world, "steps", "baseline=mean", "max_depth=9",
				   "order_by=", "show_name_regexes=a/y|b"));
	assert_string_equal(compared(&world), "_TFProfRoot 110 +0 -\n"
					      "a/y 5 +3 both\n"
					      "a/y 5 +3 both\n"
					      "b 40 +40 here\n");
	assert_non_null(WORKED_ASK(&world, "steps", "baseline=step:0", "max_depth=9",
				   "show_name_regexes=a/x|step.*"));
	assert_string_equal(compared(&world), "_TFProfRoot 110 +0 -\n"
					      "step 0 15 +0 both\n"
					      "a/x 10 +0 both\n"
					      "step 1  s.pb 30 +15 both\n"
					      "a/x 30 +20 both\n"
					      "step 2  s.pb 65 +50 both\n"
					      "a/x 20 +10 both\n");
	worked_end(&world);
}

static void an_empty_step_is_no_other(void **state)
{
	struct tfp_profile *profile = three_steps();
	struct worked_world world;

	(void)state;
	tfp_profile_step(profile, 7, 0);
	worked_begin(&world, profile);
	WORKED_ASK(&world, "steps", "baseline=median", "max_depth=2");
	assert_string_equal(compared(&world), "_TFProfRoot 110 +0 -\n"
					      "step 0 15 -32 both\n"
					      "step 1  s.pb 30 -10 both\n"
					      "step 2  s.pb 65 +43 both\n"
					      "step 7 0 -30 there\n");
	worked_end(&world);
}

/* ---- files --------------------------------------------------------------------------------------- */

static void begin_with_other(struct worked_world *world)
{
	worked_begin(world, three_steps());
	tfp_engine_add_baseline(world->engine, "file:old", tfp_engine_new(other_file()));
}

static void rows_of_both_files_are_there(void **state)
{
	struct worked_world world;

	(void)state;
	begin_with_other(&world);
	assert_non_null(WORKED_ASK(&world, "scope", "step=2", "baseline=file:old"));
	assert_string_equal(compared(&world), "_TFProfRoot 65 +47 both\n"
					      "a 25 +10 both\n"
					      "a/x 20 +12 both\n"
					      "a/y 5 +5 here\n"
					      "a/z 0 -7 there\n"
					      "b 40 +40 here\n"
					      "c 0 -3 there\n"
					      "c/d 0 -3 there\n"
					      "c/d/e 0 -3 there\n");
	WORKED_ASK(&world, "scope", "flat", "order_by=difference");
	assert_string_equal(compared(&world), "_TFProfRoot 65 +47 both\n"
					      "b 40 +40 here\n"
					      "a/x 20 +12 both\n"
					      "a/y 5 +5 here\n"
					      "c/d/e 0 -3 there\n"
					      "a/z 0 -7 there\n");
	worked_end(&world);
}

/* Rows that are added keep the numbering in preorder, and the picks where they belong. */
static void check_structure(const struct tfp_base *base)
{
	for (uint32_t row = 1; row < base->count; row++) {
		uint32_t parent = base->parent[row];

		assert_true(parent < row && row < base->end[parent]);
		assert_true(base->end[row] > row && base->end[row] <= base->end[parent]);
	}
	for (uint32_t row = 0; base->picks && row < base->count; row++)
		for (uint32_t i = base->pick_first[row]; i < base->pick_first[row + 1]; i++)
			assert_true(base->side[row] == TFP_SIDE_BOTH ||
				    base->side[row] == TFP_SIDE_HERE);
}

static void every_view_joins(void **state)
{
	static const char *const views[] = {"scope", "graph", "op", "steps"};
	struct worked_world world;

	(void)state;
	begin_with_other(&world);
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		assert_non_null(WORKED_ASK(&world, views[i], "baseline=file:old", "deep"));
		check_structure(world.tree->base);
		assert_int_equal(tfp_tree_baseline(world.tree, 0, TFP_TF_MICROS), i == 3 ? 54 : 18);
	}
	WORKED_ASK(&world, "op", "step=2", "deep=false");
	assert_string_equal(compared(&world), "_TFProfRoot 65 +47 both\n"
					      "Add 5 -2 both\n"
					      "Mul 60 +52 both\n"
					      "Sub 0 -3 there\n");
	assert_int_equal(world.tree->base->pick_first[worked_row(&world, "Mul") + 1] -
				 world.tree->base->pick_first[worked_row(&world, "Mul")],
			 2);
	worked_end(&world);
}

/* ---- breakdowns ---------------------------------------------------------------------------------- */

static const char *broken_down(struct worked_world *world, const char *label,
			       enum tfp_breakdown_kind kind)
{
	struct tfp_breakdown *breakdown =
		tfp_engine_breakdown(world->engine, world->tree, worked_row(world, label), kind,
				     TFP_TF_MICROS, NULL, world->diag);
	char *text = tfp_arena_text(&world->arena, "", 0);

	assert_non_null(breakdown);
	for (size_t i = 0; i < breakdown->count; i++)
		text = tfp_arena_printf(&world->arena, "%s%s %lld %+lld\n", text,
					breakdown->rows[i].label,
					(long long)breakdown->rows[i].value,
					(long long)breakdown->rows[i].difference);
	tfp_breakdown_free(breakdown);
	return text;
}

static void panes_compare(void **state)
{
	struct worked_world world;

	(void)state;
	begin_with_other(&world);
	WORKED_ASK(&world, "scope", "step=2", "baseline=median");
	assert_string_equal(broken_down(&world, "_TFProfRoot", TFP_BREAKDOWN_NODES), "b 40 +40\n"
										     "a/y 5 +3\n"
										     "a/x 20 +0\n");
	WORKED_ASK(&world, "scope", "baseline=file:old");
	assert_string_equal(broken_down(&world, "_TFProfRoot", TFP_BREAKDOWN_NODES), "b 40 +40\n"
										     "a/x 20 +12\n"
										     "a/y 5 +5\n"
										     "c/d/e 0 -3\n"
										     "a/z 0 -7\n");
	assert_string_equal(broken_down(&world, "c", TFP_BREAKDOWN_NODES), "c/d/e 0 -3\n");
	WORKED_ASK(&world, "steps", "baseline=step:0");
	assert_string_equal(broken_down(&world, "step 2  s.pb", TFP_BREAKDOWN_NODES), "b 40 +40\n"
										      "a/x 20 +10\n"
										      "a/y 5 +0\n");
	/* all steps together: each node once, with what it took in all */
	assert_string_equal(broken_down(&world, "_TFProfRoot", TFP_BREAKDOWN_NODES), "a/x 60 +0\n"
										     "b 40 +0\n"
										     "a/y 10 +0\n");
	worked_end(&world);
}

/* ---- options and cells --------------------------------------------------------------------------- */

static bool refuses(struct worked_world *world, const char *view, const char *const *options,
		    const char *words)
{
	if (worked_ask(world, view, options))
		return false;
	for (size_t i = 0; i < tfp_diag_count(world->diag); i++)
		if (strstr(tfp_diag_get(world->diag, i).text, words))
			return true;
	return false;
}

#define REFUSES(world, view, words, ...)                                                           \
	refuses(world, view, (const char *const[]){__VA_ARGS__, NULL}, words)

static void refusals_name_what_is_missing(void **state)
{
	struct worked_world world;
	struct tfp_query query;

	(void)state;
	worked_begin(&world, three_steps());
	assert_true(REFUSES(&world, "scope", "no such step", "baseline=step:9"));
	assert_true(REFUSES(&world, "scope", "was not read", "baseline=file:there"));
	assert_true(
		REFUSES(&world, "scope", "needs a --baseline", "baseline=", "order_by=difference"));
	assert_true(REFUSES(&world, "scope", "no order \"ratio:nothing\"", "baseline=mean",
			    "order_by=ratio:nothing"));
	worked_end(&world);
	worked_begin(&world, worked_profile(1));
	assert_true(REFUSES(&world, "scope", "no other steps", "step=0", "baseline=median"));
	assert_true(REFUSES(&world, "steps", "no other steps", "step=-1"));
	tfp_query_init(&query);
	assert_false(tfp_query_set(&query, "baseline", "yesterday", world.diag));
	assert_false(tfp_query_set(&query, "baseline", "step:x", world.diag));
	assert_false(tfp_query_set(&query, "baseline", "file:", world.diag));
	assert_null(query.baseline);
	assert_true(tfp_query_set(&query, "baseline", "file:a b,c", world.diag));
	assert_string_equal(tfp_query_command(&query, &world.arena), " --baseline='file:a b,c'");
	assert_int_equal(tfp_baseline_files(&world.arena, query.baseline).count, 2);
	assert_int_equal(tfp_baseline_files(&world.arena, "median").count, 0);
	tfp_query_free(&query);
	worked_end(&world);
}

static const char *cell(struct worked_world *world, const char *label, enum tfp_column_kind kind,
			struct tfp_cell *out)
{
	struct tfp_column column = {.kind = kind, .metric = TFP_TF_MICROS};

	tfp_tree_cell(world->tree, worked_row(world, label), 0, &column, out);
	return out->text;
}

static void cells_say_what_changed(void **state)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct worked_world world;
	struct tfp_cell out;
	size_t count;

	(void)state;
	begin_with_other(&world);
	WORKED_ASK(&world, "scope", "step=2", "baseline=file:old");
	assert_string_equal(cell(&world, "a/x", TFP_COLUMN_DIFFERENCE, &out), "+12us");
	assert_string_equal(cell(&world, "a/x", TFP_COLUMN_RATIO, &out), "2.50x");
	assert_string_equal(cell(&world, "a/x", TFP_COLUMN_BASELINE, &out), "8us");
	assert_string_equal(cell(&world, "b", TFP_COLUMN_RATIO, &out), "new");
	assert_string_equal(cell(&world, "c", TFP_COLUMN_RATIO, &out), "gone");
	assert_string_equal(cell(&world, "c", TFP_COLUMN_DIFFERENCE, &out), "-3us");
	count = tfp_columns(world.tree, TFP_TF_MICROS, NULL, columns, TFP_MAX_COLUMNS);
	assert_true(count > 3);
	assert_int_equal(columns[1].kind, TFP_COLUMN_DIFFERENCE);
	/* parameters have no steps: nothing is compared, in columns or panes */
	WORKED_ASK(&world, "scope", "baseline=step:0");
	count = tfp_columns(world.tree, TFP_TF_PARAMS, NULL, columns, TFP_MAX_COLUMNS);
	for (size_t i = 0; i < count; i++)
		assert_true(columns[i].kind != TFP_COLUMN_DIFFERENCE &&
			    columns[i].kind != TFP_COLUMN_RATIO);
	WORKED_ASK(&world, "scope", "baseline=");
	count = tfp_columns(world.tree, TFP_TF_MICROS, NULL, columns, TFP_MAX_COLUMNS);
	for (size_t i = 0; i < count; i++)
		assert_true(columns[i].kind != TFP_COLUMN_DIFFERENCE);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_step_is_compared_with_another),
		cmocka_unit_test(several_steps_are_one_value),
		cmocka_unit_test(totals_follow_what_is_displayed),
		cmocka_unit_test(orders_by_what_changed),
		cmocka_unit_test(the_heaviest_child_is_what_changed_most),
		cmocka_unit_test(steps_are_rows),
		cmocka_unit_test(each_step_has_its_others),
		cmocka_unit_test(an_empty_step_is_no_other),
		cmocka_unit_test(rows_of_both_files_are_there),
		cmocka_unit_test(every_view_joins),
		cmocka_unit_test(panes_compare),
		cmocka_unit_test(refusals_name_what_is_missing),
		cmocka_unit_test(cells_say_what_changed),
	};

	return cmocka_run_group_tests_name("baseline", tests, NULL, NULL);
}
