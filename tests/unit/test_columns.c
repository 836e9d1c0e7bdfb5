/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the screen shows of a tree: lenses, columns, cells, facts, the query line.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worked.h"

/* The titles of the columns for METRIC, with a space after each. */
static char *titles(struct worked_world *world, uint32_t metric)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	size_t count = tfp_columns(world->tree, metric, NULL, columns, TFP_MAX_COLUMNS);
	char *text = tfp_arena_text(&world->arena, "", 0);

	for (size_t i = 0; i < count; i++)
		text = tfp_arena_printf(&world->arena, "%s%s ", text, columns[i].title);
	return text;
}

/* The texts of the cells of the row with LABEL, shares of the root. */
static char *cells(struct worked_world *world, const char *label, uint32_t metric)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	size_t count = tfp_columns(world->tree, metric, NULL, columns, TFP_MAX_COLUMNS);
	char *text = tfp_arena_text(&world->arena, "", 0);

	for (size_t i = 0; i < count; i++) {
		struct tfp_cell cell;

		tfp_tree_cell(world->tree, worked_row(world, label), 0, &columns[i], &cell);
		text = tfp_arena_printf(&world->arena, "%s%s ", text, cell.text);
	}
	return text;
}

/* The titles of what VALUE, of --columns, makes of the tree for METRIC. */
static char *chosen(struct worked_world *world, const char *value, uint32_t metric)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	char *text = tfp_arena_text(&world->arena, "", 0);
	size_t count;

	if (!tfp_query_set(&world->query, "columns", value, world->diag))
		return tfp_arena_printf(&world->arena, "refused");
	count = tfp_columns(world->tree, metric, world->query.choices[0], columns, TFP_MAX_COLUMNS);
	for (size_t i = 0; i < count; i++)
		text = tfp_arena_printf(&world->arena, "%s%s ", text, columns[i].title);
	return text;
}

static const char *newest_error(const struct worked_world *world)
{
	return tfp_diag_get(world->diag, tfp_diag_count(world->diag) - 1).text;
}

static void columns_by_what_people_call_them(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	/* by name, by the metric's key with or without more, by what stands above it */
	assert_string_equal(chosen(&world, "self,total_bytes", TFP_TF_MICROS), "SELF MEMORY ");
	assert_string_equal(chosen(&world, "bytes,Self", TFP_TF_MICROS), "MEMORY SELF ");
	assert_string_equal(chosen(&world, "MEMORY,SELF,%", TFP_TF_MICROS), "MEMORY SELF % ");
	assert_string_equal(chosen(&world, "cpu:30,accelerator_micros", TFP_TF_MICROS),
			    "CPU ACCEL ");
	/* the usual column of what is counted */
	assert_string_equal(chosen(&world, "occurrence", TFP_TF_MICROS), "RAN ");
	assert_string_equal(chosen(&world, "total_occurrence", TFP_TF_MICROS), "RAN ");
	assert_string_equal(chosen(&world, "runs", TFP_TF_MICROS), "RAN ");
	/* and of the metric that leads */
	assert_string_equal(chosen(&world, "micros,self", TFP_TF_MICROS), "TIME SELF ");
	assert_string_equal(chosen(&world, "TIME,bytes", TFP_TF_BYTES), "TIME MEMORY ");
	/* of other files: they may be in settings */
	assert_string_equal(chosen(&world, "length,device_p99,self", TFP_TF_MICROS), "SELF ");
	assert_string_equal(chosen(&world, "sefl", TFP_TF_MICROS), "refused");
	assert_non_null(strstr(newest_error(&world), "did you mean self?"));
	assert_string_equal(chosen(&world, "samples", TFP_TF_MICROS), "refused");
	assert_non_null(strstr(newest_error(&world), "its column is total_samples"));
	worked_end(&world);
}

static void lenses_of_what_is_known(void **state)
{
	struct tfp_lens lenses[8];
	struct tfp_profile *profile = worked_profile(1);

	(void)state;
	assert_int_equal(tfp_lenses(profile, lenses, 8), 5);
	assert_string_equal(lenses[2].name, "params");
	assert_string_equal(lenses[2].account, "_trainable_variables");
	assert_int_equal(lenses[2].letter, 'p');
	assert_int_equal(tfp_lenses(profile, lenses, 2), 2);
	tfp_profile_free(profile);
	profile = worked_profile(0);
	for (size_t i = tfp_lenses(profile, lenses, 8); i-- > 0;)
		assert_false(profile->metrics[lenses[i].metric].absent);
	tfp_profile_free(profile);
}

/* That something is called like a type does not make a node of that type. */
static void lenses_count_what_there_is(void **state)
{
	struct tfp_lens lenses[8];
	struct tfp_profile *profile = worked_profile(1);

	(void)state;
	profile->types.count = 0;
	tfp_lenses(profile, lenses, 8);
	assert_string_equal(lenses[2].name, "params");
	assert_string_equal(lenses[2].account, ".*");
	tfp_profile_free(profile);
}

static void lenses_have_letters_of_their_own(void **state)
{
	static const char *const keys[] = {"space", "samples", "spa", "42", "sp"};
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_lens lenses[8];
	char letters[8] = "";

	(void)state;
	for (size_t i = 0; i < 5; i++)
		tfp_profile_add_metric(
			profile,
			&(struct tfp_metric){.key = keys[i], .label = keys[i], .title = keys[i]});
	assert_int_equal(tfp_lenses(profile, lenses, 8), 5);
	for (size_t i = 0; i < 5; i++)
		letters[i] = lenses[i].letter;
	assert_string_equal(letters, "sapbc");
	tfp_profile_free(profile);
}

static void columns_of_a_tree(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(titles(&world, TFP_TF_MICROS),
			    "TIME % of parent SELF RAN FLOP/s ACCEL CPU MEMORY DEFINED ");
	assert_string_equal(cells(&world, "fc", TFP_TF_MICROS),
			    "1.77ms 92.8  0us 4 1.35M 250us 1.52ms 1.54KB 6 ");
	assert_string_equal(cells(&world, "_TFProfRoot", TFP_TF_MICROS),
			    "1.91ms 100.0  - 6 2.51M 350us 1.56ms 1.54KB 13 ");
	assert_string_equal(cells(&world, "x", TFP_TF_MICROS), "0us 0.0  0us 0 - 0us 0us 0B 1 ");
	worked_end(&world);
}

static void columns_of_a_list(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "op", "order_by=micros"));
	assert_string_equal(titles(&world, TFP_TF_MICROS),
			    "TIME % SUM%  RAN FLOP FLOP/s ACCEL CPU MEMORY DEFINED ");
	assert_string_equal(cells(&world, "BiasAdd", TFP_TF_MICROS),
			    "20us 1.0 99.5  1 - - 0us 20us 0B 1 ");
	assert_string_equal(cells(&world, "_TFProfRoot", TFP_TF_MICROS),
			    "1.91ms 100.0 -  6 4.80k 2.51M 350us 1.56ms 1.54KB 8 ");
	worked_end(&world);
}

static void no_column_for_what_is_absent(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(0));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=params", "select=params"));
	assert_string_equal(titles(&world, TFP_TF_PARAMS), "PARAMS % of parent SELF DEFINED ");
	assert_string_equal(cells(&world, "fc/W", TFP_TF_PARAMS), "12 80.0  12 2 ");
	worked_end(&world);
}

static void an_absent_lead_is_unknown(void **state)
{
	struct worked_world world;
	struct tfp_column column = {.kind = TFP_COLUMN_TOTAL, .metric = TFP_TF_MICROS, .title = ""};
	struct tfp_cell cell;

	(void)state;
	worked_begin(&world, worked_profile(0));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=name"));
	tfp_tree_cell(world.tree, 1, 0, &column, &cell);
	assert_string_equal(cell.text, "-");
	assert_true(cell.dim);
	assert_true(cell.fraction < 0);
	worked_end(&world);
}

static char *facts(struct worked_world *world, const char *label)
{
	return tfp_engine_facts(world->engine, world->tree, worked_row(world, label),
				&world->arena);
}

static void facts_of_rows(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(facts(&world, "_TFProfRoot"),
			    "2 findings: MatMul 99% of the time; step 1 +79% on step 0");
	assert_string_equal(facts(&world, "fc"), "5 nodes, 4 ran, on gpu:0, 951.25 kFLOP/s");
	assert_string_equal(facts(&world, "fc/BiasAdd"), "BiasAdd, 1 node, 1 ran, on gpu:0");
	assert_true(tfp_profile_need(tfp_engine_profile(world.engine),
				     TFP_PART_EDGES | TFP_PART_SHAPES, NULL, world.diag));
	assert_string_equal(facts(&world, "fc/BiasAdd"),
			    "BiasAdd 0:-1x3|1:3, 1 node, 1 ran, on gpu:0");
	assert_non_null(WORKED_ASK(&world, "scope", "step=1"));
	assert_string_equal(
		facts(&world, "_TFProfRoot"),
		"in all steps: 2 findings: MatMul 99% of the time; step 1 +79% on step 0");
	worked_end(&world);
}

static char *summary_of(struct worked_world *world, int brief)
{
	static const struct tfp_lens lens = {"time", 't', TFP_TF_MICROS, ".*"};

	return tfp_tree_summary(world->tree, tfp_engine_profile(world->engine), &lens, brief,
				&world->arena);
}

static char *summary(struct worked_world *world)
{
	return summary_of(world, 0);
}

/* Of a recording of marks alone, which has nothing to measure. */
static void a_query_line_without_a_lens_is_of_events(void **state)
{
	static const struct tfp_lens none = {0};
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros"));
	assert_string_equal(tfp_tree_summary(world.tree, tfp_engine_profile(world.engine), &none, 0,
					     &world.arena),
			    "events, mean of steps 0 1 | all ops, 0% hidden | 10 levels");
	worked_end(&world);
}

static void query_lines(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=micros", "max_depth=1"));
	assert_string_equal(
		summary(&world),
		"time, mean of steps 0 1 | all ops, 0% hidden | 1 level, 13 rows deeper");
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=2", "flat"));
	assert_string_equal(
		summary(&world),
		"time, mean of steps 0 1 | flat, 3 rows | all ops, 0% hidden | the first 3 of 8");
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=all", "flat=no"));
	assert_string_equal(summary(&world), "time, mean of steps 0 1 | all ops, 0% hidden");
	assert_non_null(WORKED_ASK(&world, "scope", "step=1", "hide_name_regexes=.*MatMul",
				   "min_micros=1"));
	assert_string_equal(summary(&world), "time, step 1 | hide /.*MatMul/, micros >= 1us | "
					     "hidden 99.1% of time, 4 rows by path");
	assert_non_null(WORKED_ASK(&world, "op", NULL));
	assert_string_equal(summary(&world), "time, step 1 | hide /.*MatMul/, micros >= 1us | "
					     "hidden 99.1% of time, 2 rows by op type");
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	assert_string_equal(summary_of(&world, 1),
			    "time, step 1 | hide /.*MatMul/, micros >= 1us | hidden 99.1%, 4 rows");
	assert_string_equal(summary_of(&world, TFP_BRIEFEST - 1),
			    "time, step 1 | hide /.*MatMul/, micros >= 1us | hidden 99.1%");
	assert_string_equal(summary_of(&world, TFP_BRIEFEST),
			    "time, step 1 | hide, micros | hidden 99.1%");
	assert_non_null(WORKED_ASK(&world, "scope", "baseline=mean", "min_micros=0",
				   "hide_name_regexes=", "show_text=a name that is not brief"));
	assert_string_equal(summary_of(&world, 3), "time, step 1, against the mean | "
						   "show \"a name that is n...\" | hidden 100.0%");
	assert_string_equal(summary_of(&world, TFP_BRIEFEST),
			    "time, step 1, vs mean | show \"a name t...\" | hidden 100.0%");
	assert_non_null(WORKED_ASK(&world, "scope", "baseline=", "step=-1",
				   "show_text=", "zoom=gradients/fc", "max_depth=10"));
	assert_string_equal(summary_of(&world, 3), "time, mean of 2 steps | in .../fc | 10 levels");
	assert_string_equal(summary_of(&world, TFP_BRIEFEST), "time | in .../fc");
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_by_what_people_call_them),
		cmocka_unit_test(lenses_of_what_is_known),
		cmocka_unit_test(lenses_count_what_there_is),
		cmocka_unit_test(lenses_have_letters_of_their_own),
		cmocka_unit_test(columns_of_a_tree),
		cmocka_unit_test(columns_of_a_list),
		cmocka_unit_test(no_column_for_what_is_absent),
		cmocka_unit_test(an_absent_lead_is_unknown),
		cmocka_unit_test(facts_of_rows),
		cmocka_unit_test(query_lines),
		cmocka_unit_test(a_query_line_without_a_lens_is_of_events),
	};

	return cmocka_run_group_tests_name("columns", tests, NULL, NULL);
}
