/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of three ranks: in step 1 rank 1 takes twice as long, and step 2 is missing in rank 2. */
#include "tfprof/load.h"
#include "tfprof/trace.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "opened.h"
#include "view/base.h"
#include "view/trace/lengths.h"

static void start(struct worked_world *world)
{
	WORKED_OPEN(world, "data/ranks/steps0.json", "data/ranks/steps1.json",
		    "data/ranks/steps2.json");
}

/* The row of RANK below the row STEP. */
static uint32_t rank_row(const struct worked_world *world, const char *step, const char *rank)
{
	uint32_t above = worked_row(world, step);
	const struct tfp_base *base = world->tree->base;

	assert_int_not_equal(above, TFP_NONE);
	for (uint32_t row = above + 1; row < base->end[above]; row++)
		if (tfp_span_is(tfp_base_label(base, row), rank))
			return row;
	fail_msg("%s: no row %s", step, rank);
	return 0;
}

static int64_t device(const struct worked_world *world, uint32_t row)
{
	return tfp_tree_total(world->tree, row, TFP_TRACE_DEVICE);
}

static void test_a_row_for_each_rank(void **state)
{
	struct worked_world world;
	uint32_t slow, missing;

	(void)state;
	start(&world);
	assert_non_null(WORKED_ASK(&world, "steps", "max_depth=all"));
	slow = rank_row(&world, "step 1  ProfilerStep#1", "rank 1");
	assert_int_equal(device(&world, slow), 240000);
	assert_int_equal(tfp_tree_total(world.tree, slow, TFP_TRACE_BUSY), 240000);
	assert_int_equal(tfp_tree_rank(world.tree, slow), 1);
	assert_int_equal(device(&world, slow + 1) + device(&world, slow + 2) +
				 device(&world, slow + 4),
			 240000);
	assert_int_equal(device(&world, worked_row(&world, "step 1  ProfilerStep#1")), 480000);
	missing = rank_row(&world, "step 2  ProfilerStep#2", "rank 2: nothing of this step");
	assert_int_equal(device(&world, missing), 0);
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_BUSY), 1440000);
	/* one rank alone has no rows for ranks */
	WORKED_ASK(&world, "steps", "rank=1");
	assert_null(world.tree->base->rank);
	worked_end(&world);
}

/* Who waits for the view learns how far it is: of all ranks together. */
static void test_rows_are_counted(void **state)
{
	struct worked_world world;
	struct tfp_job job = {0};

	(void)state;
	start(&world);
	world.query.view = "steps";
	world.tree = tfp_engine_run(world.engine, &world.query, &job, world.diag);
	assert_non_null(world.tree);
	assert_true(job.made > world.tree->base->count / 2);
	assert_int_equal(job.made, job.to_make);
	worked_end(&world);
}

/* In a flat list of rows nothing is above one. */
static void test_names_in_lists(void **state)
{
	struct worked_world world;
	uint32_t first;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "flat", "order_by=device");
	first = world.tree->ranked[0];
	assert_true(tfp_span_is(tfp_tree_full_name(world.tree, first, &world.arena),
				"rank 1, step 1: aten::mm"));
	assert_true(tfp_span_is(tfp_tree_full_name(world.tree, 0, &world.arena), "_TFProfRoot"));
	WORKED_ASK(&world, "steps", "rank=1");
	first = world.tree->ranked[0];
	assert_true(tfp_span_is(tfp_tree_full_name(world.tree, first, &world.arena),
				"step 1: aten::mm"));
	WORKED_ASK(&world, "steps", "flat=no");
	assert_true(tfp_span_is(tfp_tree_full_name(world.tree, first, &world.arena), "aten::mm"));
	worked_end(&world);
}

/* The text of the column NAME in ROW; "none" where it is not offered. */
static const char *cell(const struct worked_world *world, uint32_t row, const char *name)
{
	static struct tfp_cell cell;
	struct tfp_offer *offers = tfp_alloc(TFP_MAX_OFFERS * sizeof(*offers));
	struct tfp_arena arena = {0};
	size_t count = tfp_offers(world->tree, TFP_TRACE_DEVICE, NULL, &arena, offers), i = 0;

	strcpy(cell.text, "none");
	while (i < count && strcmp(offers[i].name, name) != 0)
		i++;
	if (i < count && !offers[i].missing)
		tfp_tree_cell(world->tree, row, 0, &offers[i].column, &cell);
	tfp_array_release(offers);
	tfp_arena_free(&arena);
	return cell.text;
}

/* A step is as long as its marker says, that of several ranks as long as the longest; ops are not long. */
static void test_lengths(void **state)
{
	struct worked_world world;
	uint32_t step, children[8];
	double share;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "max_depth=all");
	step = worked_row(&world, "step 1  ProfilerStep#1");
	assert_string_equal(cell(&world, step, "total_length"), "1.10ms");
	assert_string_equal(
		cell(&world, rank_row(&world, "step 1  ProfilerStep#1", "rank 0"), "total_length"),
		"800.00us");
	assert_string_equal(cell(&world, step + 2, "total_length"), "-");
	assert_string_equal(cell(&world, 0, "total_length"), "3.50ms");
	/* 480 us of 1,100 + 2 * 800 */
	assert_string_equal(cell(&world, step, "busy_share"), "17.8");
	assert_string_equal(
		cell(&world, rank_row(&world, "step 1  ProfilerStep#1", "rank 1"), "busy_share"),
		"21.8");
	/* work that runs on behind the marks is no share of them */
	world.tree->base->step_room[step] = 480000;
	assert_string_equal(cell(&world, step, "busy_share"), "100.0");
	world.tree->base->step_room[step] = 479000;
	assert_string_equal(cell(&world, step, "busy_share"), "-");
	/* the longest is the first, and what is below it is ordered by time on devices */
	tfp_tree_children(world.tree, 0, children);
	assert_int_equal(children[0], step);
	assert_int_equal(tfp_tree_heaviest(world.tree, 0, TFP_TRACE_DEVICE, &share), step);
	assert_int_equal(world.tree->base->rank[tfp_tree_heaviest(world.tree, step,
								  TFP_TRACE_DEVICE, &share)],
			 1);
	/* other rows have no length, and sorting by it is no error */
	WORKED_ASK(&world, "scope", "order_by=length");
	assert_string_equal(cell(&world, 0, "total_length"), "none");
	worked_end(&world);
}

/* In a range of time a step is as long as the part of it that is there: of that, its share is of what is busy. */
static void test_lengths_in_a_range(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "rank=0", "range=300:1200");
	assert_string_equal(
		cell(&world, worked_row(&world, "step 0  ProfilerStep#0"), "total_length"),
		"500.00us");
	assert_string_equal(
		cell(&world, worked_row(&world, "step 1  ProfilerStep#1"), "total_length"),
		"200.00us");
	/* 100 us of 200 */
	assert_string_equal(
		cell(&world, worked_row(&world, "step 1  ProfilerStep#1"), "busy_share"), "50.0");
	assert_string_equal(
		cell(&world, worked_row(&world, "step 3  ProfilerStep#3"), "total_length"), "-");
	assert_string_equal(
		cell(&world, worked_row(&world, "step 3  ProfilerStep#3"), "busy_share"), "-");
	assert_string_equal(cell(&world, 0, "total_length"), "700.00us");
	worked_end(&world);
}

/* A step of which nothing is there is compared with nothing, and nothing with it. */
static void test_steps_out_of_range(void **state)
{
	struct worked_world world;
	uint32_t metric, row;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "rank=0", "range=300:1200", "baseline=step:0");
	row = worked_row(&world, "step 1  ProfilerStep#1");
	metric = tfp_length_metric(world.tree->base->metrics, world.tree->base->metric_count);
	assert_int_equal(
		world.tree->base->baseline_total[row * world.tree->base->metric_count + metric],
		500000);
	assert_int_equal(tfp_tree_side(world.tree, worked_row(&world, "step 3  ProfilerStep#3")),
			 TFP_SIDE_NONE);
	WORKED_ASK(&world, "steps", "rank=0", "range=300:1200", "baseline=step:3");
	assert_int_equal(tfp_tree_side(world.tree, worked_row(&world, "step 1  ProfilerStep#1")),
			 TFP_SIDE_NONE);
	worked_end(&world);
}

static void test_longer(void **state)
{
	struct worked_world world;
	uint32_t step;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "max_depth=all", "baseline=step:0");
	step = worked_row(&world, "step 1  ProfilerStep#1");
	assert_string_equal(cell(&world, step, "longer"), "+300.00us");
	assert_string_equal(
		cell(&world, rank_row(&world, "step 1  ProfilerStep#1", "rank 2"), "longer"),
		"0ns");
	WORKED_ASK(&world, "steps", "order_by=busy_share", "rank=1");
	assert_string_equal(cell(&world, world.tree->child[0], "total_length"), "800.00us");
	assert_string_equal(
		cell(&world, worked_row(&world, "step 1  ProfilerStep#1"), "total_length"),
		"1.10ms");
	worked_end(&world);
}

static void expect_steps(struct worked_world *world, const char *text)
{
	struct tfp_arena arena = {0};
	const char *found =
		tfp_baseline_steps_text(world->tree, tfp_engine_profile(world->engine), &arena);

	assert_string_equal(found ? found : "", text);
	tfp_arena_free(&arena);
}

static void compare_sums(struct worked_world *world, const char *rank, const char *baseline,
			 const char *text)
{
	WORKED_ASK(world, "scope", rank, baseline);
	expect_steps(world, text);
}

/* The sum of a rank that has more steps is larger for that alone. */
static void test_sums(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world);
	compare_sums(&world, "rank=0", "baseline=rank:1", "");
	compare_sums(&world, "rank=0", "baseline=rank:2", "(3 steps, here 4)");
	compare_sums(&world, "rank=2", "baseline=rank:0", "(4 steps, here 3)");
	compare_sums(&world, "rank=2", "baseline=median", "(4 steps, here 3)");
	compare_sums(&world, "rank=1", "baseline=mean", "(3 to 4 steps, here 4)");
	worked_end(&world);
}

/* So is that of a file; what is in no step counts for none, and of one step, or of each, there is nothing to tell. */
static void test_sums_of_files(void **state)
{
	struct worked_world world, other;

	(void)state;
	WORKED_OPEN(&other, "data/ranks/steps2.json");
	WORKED_OPEN(&world, "data/ranks/steps0.json");
	tfp_engine_add_baseline(world.engine, "file:2", other.engine);
	WORKED_ASK(&world, "scope", "baseline=file:2");
	expect_steps(&world, "(3 steps, here 4)");
	WORKED_ASK(&world, "scope", "baseline=file:2", "step=1");
	expect_steps(&world, "");
	WORKED_ASK(&world, "steps", "step=-1");
	expect_steps(&world, "");
	WORKED_ASK(&world, "scope", "range=0:1500");
	expect_steps(&world, "");
	WORKED_ASK(&world, "scope", "range=0:2900");
	expect_steps(&world, "(2 steps, here 3)");
	worked_end(&world);
	tfp_query_free(&other.query);
	tfp_diag_free(other.diag);
}

/* Filters and totals of what is displayed find it again. */
static void test_filters(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "max_depth=all", "hide_name_regexes=.*mm.*",
		   "account_displayed_op_only");
	assert_int_equal(tfp_tree_total(world.tree,
					rank_row(&world, "step 1  ProfilerStep#1", "rank 1"),
					TFP_TRACE_BUSY),
			 40000);
	worked_end(&world);
}

/* Each rank is compared with itself in the other steps. */
static void test_other_steps(void **state)
{
	struct worked_world world;
	uint32_t row;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "max_depth=all", "baseline=median");
	row = rank_row(&world, "step 1  ProfilerStep#1", "rank 1");
	assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_DEVICE), 120000);
	row = rank_row(&world, "step 1  ProfilerStep#1", "rank 0");
	assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_DEVICE), 120000);
	row = rank_row(&world, "step 2  ProfilerStep#2", "rank 2: nothing of this step");
	assert_int_equal(tfp_tree_side(world.tree, row), TFP_SIDE_THERE);
	/* what a rank lacks is nothing that pulls the median of its other steps down */
	WORKED_ASK(&world, "steps", "max_depth=all", "baseline=mean");
	row = rank_row(&world, "step 1  ProfilerStep#1", "rank 2");
	assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_DEVICE), 120000);
	assert_int_equal(tfp_tree_baseline(world.tree, row + 1, TFP_TRACE_DEVICE),
			 tfp_tree_total(world.tree, row + 1, TFP_TRACE_DEVICE));
	/* the sum of two ranks is not compared with sums of three, nor they with it */
	row = worked_row(&world, "step 2  ProfilerStep#2");
	assert_int_equal(tfp_tree_side(world.tree, row), TFP_SIDE_NONE);
	assert_int_equal(tfp_tree_difference(world.tree, row, TFP_TRACE_DEVICE), 0);
	row = worked_row(&world, "step 1  ProfilerStep#1");
	assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_DEVICE), 360000);
	WORKED_ASK(&world, "steps", "max_depth=all", "baseline=step:2");
	row = worked_row(&world, "step 1  ProfilerStep#1");
	assert_int_equal(tfp_tree_side(world.tree, row), TFP_SIDE_NONE);
	row = rank_row(&world, "step 1  ProfilerStep#1", "rank 1");
	assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_DEVICE), 120000);
	worked_end(&world);
}

/* A rank is compared with those that have its step: the others have measured nothing. */
static void test_other_ranks(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *pane;
	uint32_t row;

	(void)state;
	start(&world);
	assert_non_null(WORKED_ASK(&world, "steps", "max_depth=all", "rank=1", "baseline=median"));
	row = worked_row(&world, "step 2  ProfilerStep#2");
	assert_string_equal(cell(&world, row, "longer"), "0ns");
	assert_int_equal(tfp_tree_baseline(world.tree, row, TFP_TRACE_DEVICE), 120000);
	pane = tfp_engine_breakdown(world.engine, world.tree, row, TFP_BREAKDOWN_NODES,
				    TFP_TRACE_DEVICE, NULL, world.diag);
	assert_int_equal(pane->rows[0].difference, 0);
	tfp_breakdown_free(pane);
	row = worked_row(&world, "step 1  ProfilerStep#1");
	assert_string_equal(cell(&world, row, "longer"), "+300.00us");
	/* none has it */
	WORKED_ASK(&world, "steps", "baseline=rank:2");
	row = worked_row(&world, "step 2  ProfilerStep#2");
	assert_int_equal(tfp_tree_side(world.tree, row), TFP_SIDE_NONE);
	assert_int_equal(tfp_tree_difference(world.tree, row, TFP_TRACE_DEVICE), 0);
	row = worked_row(&world, "step 1  ProfilerStep#1");
	assert_int_equal(tfp_tree_difference(world.tree, row, TFP_TRACE_DEVICE), 120000);
	/* what rank 2 measured is as it was */
	WORKED_ASK(&world, "steps", "baseline=", "rank=2");
	assert_int_equal(device(&world, worked_row(&world, "step 1  ProfilerStep#1")), 120000);
	/* so it is with a step that is chosen */
	WORKED_ASK(&world, "scope", "rank=1", "step=2", "baseline=median");
	assert_int_equal(tfp_tree_difference(world.tree, 0, TFP_TRACE_DEVICE), 0);
	assert_null(WORKED_ASK(&world, "scope", "baseline=rank:2"));
	assert_string_equal(tfp_diag_get(world.diag, tfp_diag_count(world.diag) - 1).text,
			    "--baseline=rank:2: there is nothing of step 2");
	worked_end(&world);
}

/* A pane is about the rank of its row. */
static void test_panes(void **state)
{
	struct tfp_breakdown *pane;
	struct worked_world world;
	uint32_t row;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "steps", "max_depth=all");
	row = rank_row(&world, "step 1  ProfilerStep#1", "rank 1");
	pane = tfp_engine_breakdown(world.engine, world.tree, row, TFP_BREAKDOWN_KERNELS,
				    TFP_TRACE_DEVICE, NULL, world.diag);
	assert_int_equal(pane->count, 2);
	assert_int_equal(pane->rows[0].value, 200000);
	assert_int_equal(pane->rows[0].runs, 1);
	tfp_breakdown_free(pane);
	pane = tfp_engine_breakdown(world.engine, world.tree, row, TFP_BREAKDOWN_NODES,
				    TFP_TRACE_DEVICE, NULL, world.diag);
	assert_int_equal(pane->rows[0].value, 200000);
	tfp_breakdown_free(pane);
	/* of a step of all ranks each node once */
	row = worked_row(&world, "step 1  ProfilerStep#1");
	pane = tfp_engine_breakdown(world.engine, world.tree, row, TFP_BREAKDOWN_NODES,
				    TFP_TRACE_DEVICE, NULL, world.diag);
	assert_int_equal(pane->count, 5);
	assert_int_equal(pane->rows[0].value, 400000);
	tfp_breakdown_free(pane);
	worked_end(&world);
}

/* Which rank takes longest, and in which op, is the first thing that is told; only in steps that all have. */
static void test_the_slow_rank_is_found(void **state)
{
	static const char wanted[] =
		"rank 1 has 120.00us (33.3%) more time on devices than the "
		"median rank, in the 3 steps that all have; 100.00us more in aten::mm";
	struct worked_world world;
	const struct tfp_base *base;
	uint32_t row;

	(void)state;
	start(&world);
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	row = worked_row(&world, wanted);
	assert_int_not_equal(row, TFP_NONE);
	base = world.tree->base;
	assert_string_equal(base->target[row].view, "op");
	assert_int_equal(base->target[row].key, tfp_key_type(TFP_SPAN("aten::mm")));
	assert_int_equal(base->contrast[row].rank, 1);
	assert_int_equal(base->contrast[row].other, -1);
	assert_string_equal(tfp_engine_facts(world.engine, world.tree, row, &world.arena),
			    "in the op view, rank 1 against the median");
	/* of one rank alone there is nothing to say, nor is anything else compared */
	WORKED_ASK(&world, "summary", "rank=1");
	assert_int_equal(worked_row(&world, wanted), TFP_NONE);
	for (uint32_t i = 0; i < world.tree->base->count; i++)
		assert_true(!world.tree->base->target[i].view ||
			    world.tree->base->contrast[i].rank < 0);
	worked_end(&world);
}

/* Steps that a program has numbered are none that were counted, whatever their numbers. */
static void test_counted_steps(void **state)
{
	struct worked_world world;
	struct tfp_trace *trace;

	(void)state;
	start(&world);
	trace = tfp_engine_profile(world.engine)->trace;
	for (size_t i = 0; i < trace->marks.count; i++)
		trace->marks.at[i].counted = trace->marks.at[i].file == 1;
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_int_not_equal(
		worked_row(&world, "2 ranks are alike, in the 3 steps that all but "
				   "rank 1 have: none has 3% more or less time on devices than "
				   "the others, or in its steps, or is that much less in "
				   "collectives"),
		TFP_NONE);
	assert_null(WORKED_ASK(&world, "op", "rank=0", "step=1", "baseline=rank:1"));
	assert_non_null(strstr(tfp_diag_get(world.diag, tfp_diag_count(world.diag) - 1).text,
			       "they are not the same steps"));
	assert_null(WORKED_ASK(&world, "steps", "step=-1", "rank=1", "baseline=median"));
	assert_non_null(strstr(tfp_diag_get(world.diag, tfp_diag_count(world.diag) - 1).text,
			       "they are not the same steps"));
	/* all of one recording may be held against all of another */
	assert_non_null(WORKED_ASK(&world, "op", "rank=0", "baseline=rank:1"));
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_row_for_each_rank),
		cmocka_unit_test(test_rows_are_counted),
		cmocka_unit_test(test_names_in_lists),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_lengths_in_a_range),
		cmocka_unit_test(test_steps_out_of_range),
		cmocka_unit_test(test_longer),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_sums_of_files),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_other_steps),
		cmocka_unit_test(test_other_ranks),
		cmocka_unit_test(test_panes),
		cmocka_unit_test(test_the_slow_rank_is_found),
		cmocka_unit_test(test_counted_steps),
	};

	return cmocka_run_group_tests_name("steps of ranks", tests, NULL, NULL);
}
