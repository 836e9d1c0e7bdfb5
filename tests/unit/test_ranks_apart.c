/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks as few events as it takes: which of them stand out, where none can be compared, and what has no length. */
#include "tfprof/load.h"
#include "tfprof/trace.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "asking.h"
#include "chrome_text.h"
#include "view/base.h"
#include "view/trace/lengths.h"

#define STEP(number, at) X("user_annotation", "ProfilerStep#" number, "1", "1", at, "300", "")
#define WAITS(rank, wait, steps)                                                                   \
	"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " rank ", \"world_size\": 2},"     \
	"\"traceEvents\": [" steps X("cpu_op", "aten::mm", "1", "1", "1", "10",                    \
				     "\"External id\": 3")                                         \
		X("kernel", "k", "0", "7", "12", "100", "\"External id\": 3")                      \
			X("kernel", "ncclDevKernel_AllReduce", "0", "8", "120", wait,              \
			  "\"External id\": 3") "]}"

static void start_some(struct worked_world *world, const char *const *texts, size_t count)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();

	for (size_t i = 0; i < count; i++)
		assert_true(load_source(profile, "kineto", source_of_text(texts[i]), -1, diag));
	assert_true(loader_named("kineto")->finish(profile, NULL, diag));
	tfp_profile_finish(profile);
	tfp_diag_free(diag);
	worked_begin(world, profile);
}

static void start_texts(struct worked_world *world, const char *const texts[2])
{
	start_some(world, texts, 2);
}

/* Of two ranks rank 1 is late, as WANTED says. */
static void expect_late(const char *const texts[2], const char *wanted)
{
	struct worked_world world;
	uint32_t row;

	start_texts(&world, texts);
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	row = worked_row(&world, wanted);
	assert_int_not_equal(row, TFP_NONE);
	assert_string_equal(world.tree->base->target[row].view, "idle");
	assert_int_equal(world.tree->base->contrast[row].rank, 1);
	assert_int_equal(world.tree->base->contrast[row].other, 0);
	worked_end(&world);
}

/* The others wait in collectives for the one that is late. */
static void test_the_late_rank_is_found(void **state)
{
	static const char *const texts[] = {WAITS("0", "90", ""), WAITS("1", "5", "")};
	static const char *const steps[] = {WAITS("0", "90", STEP("1", "0") STEP("2", "400")),
					    WAITS("1", "5", STEP("1", "0"))};

	(void)state;
	expect_late(texts, "rank 1 is 5.00us in collectives, rank 0 90.00us: it comes last, "
			   "and they wait for it");
	expect_late(steps,
		    "rank 1 is 5.00us in collectives, rank 0 90.00us, in the 1 step that all "
		    "have: it comes last, and they wait for it");
}

#define WORKS(rank, work, step)                                                                    \
	"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " rank ", \"world_size\": 5},"     \
	"\"traceEvents\": [" X("user_annotation", "ProfilerStep#1", "1", "1", "0", step, "")       \
		X("cpu_op", "aten::mm", "1", "1", "1", "10", "\"External id\": 3")                 \
			X("kernel", "k", "0", "7", "12", work, "\"External id\": 3") "]}"

/* Every rank that stands out is named, by more or less time on devices or by its steps; only else are they alike. */
static void test_all_that_stand_out_are_told(void **state)
{
	static const struct {
		const char *texts[5], *wanted;
		int64_t rank;
	} cases[] = {
		{{WORKS("0", "100", "300"), WORKS("1", "130", "300"), WORKS("2", "100", "300"),
		  WORKS("3", "100", "300"), WORKS("4", "140", "300")},
		 "ranks 4 and 1 have up to 40.00us (40.0%) more time on devices than the median rank; "
		 "rank 4 has 40.00us more in aten::mm",
		 4},
		{{WORKS("0", "100", "300"), WORKS("1", "60", "300"), WORKS("2", "100", "300"),
		  WORKS("3", "100", "300"), WORKS("4", "100", "300")},
		 "rank 1 has 40.00us (40.0%) less time on devices than the median rank; 40.00us less "
		 "in aten::mm",
		 1},
		{{WORKS("0", "100", "300"), WORKS("1", "100", "300"), WORKS("2", "100", "420"),
		  WORKS("3", "100", "300"), WORKS("4", "100", "300")},
		 "steps of rank 2 take 120.00us (40.0%) more than those of the median rank; none has "
		 "3% more time on devices",
		 2},
		{{WORKS("0", "100", "300"), WORKS("1", "100", "270"), WORKS("2", "100", "300"),
		  WORKS("3", "100", "240"), WORKS("4", "100", "300")},
		 "steps of ranks 3 and 1 take up to 60.00us (20.0%) less than those of the median "
		 "rank; none has 3% more time on devices",
		 3},
	};
	struct worked_world world;
	uint32_t row;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		start_some(&world, cases[i].texts, 5);
		assert_non_null(WORKED_ASK(&world, "summary", NULL));
		row = worked_row(&world, cases[i].wanted);
		assert_int_not_equal(row, TFP_NONE);
		assert_int_equal(world.tree->base->contrast[row].rank, cases[i].rank);
		for (row = 0; row < world.tree->base->count; row++) {
			struct tfp_span label = tfp_base_label(world.tree->base, row);

			assert_null(memmem(label.at, label.size, "are alike", 9));
		}
		worked_end(&world);
	}
}

/* A few are named, the others counted. */
static void test_many_that_stand_out_are_counted(void **state)
{
	static const char *const texts[] = {
		WORKS("0", "100", "300"), WORKS("1", "110", "300"), WORKS("2", "120", "300"),
		WORKS("3", "130", "300"), WORKS("4", "140", "300"), WORKS("5", "100", "300"),
		WORKS("6", "100", "300"), WORKS("7", "100", "300"), WORKS("8", "100", "300")};
	struct worked_world world;

	(void)state;
	start_some(&world, texts, 9);
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_int_not_equal(worked_row(&world,
					"ranks 4, 3, 2 and 1 more have up to 40.00us (40.0%) "
					"more time on devices than the median rank; rank 4 "
					"has 40.00us more in aten::mm"),
			     TFP_NONE);
	worked_end(&world);
}

/* Where no step is there for all, nothing can be told of them. */
static void test_ranks_without_a_common_step(void **state)
{
	static const char *const texts[][2] = {
		{WAITS("0", "90", STEP("1", "0")), WAITS("1", "5", STEP("2", "0"))},
		{WAITS("0", "90", STEP("1", "0")), WAITS("1", "5", "")},
	};
	struct worked_world world;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		start_texts(&world, texts[i]);
		assert_non_null(WORKED_ASK(&world, "summary", NULL));
		for (uint32_t row = 0; row < world.tree->base->count; row++) {
			struct tfp_span label = tfp_base_label(world.tree->base, row);

			assert_null(memmem(label.at, label.size, "rank 1 is", 9));
			assert_null(memmem(label.at, label.size, "are alike", 9));
		}
		worked_end(&world);
	}
}

/* A rank that has no step of the others, or none at all, does not keep them from being compared. */
static void test_a_rank_is_left_out(void **state)
{
	static const char *const texts[][3] = {
		{WAITS("0", "90", STEP("1", "0")), WAITS("1", "5", STEP("1", "0")),
		 WAITS("2", "5", "")},
		{WAITS("2", "5", STEP("7", "0")), WAITS("1", "5", STEP("1", "0")),
		 WAITS("0", "90", STEP("1", "0"))},
	};
	struct worked_world world;
	uint32_t row;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		start_some(&world, texts[i], 3);
		assert_non_null(WORKED_ASK(&world, "summary", NULL));
		row = worked_row(&world,
				 "rank 1 is 5.00us in collectives, rank 0 90.00us, in the 1 step "
				 "that all but rank 2 have: it comes last, and they wait for it");
		assert_int_not_equal(row, TFP_NONE);
		assert_int_equal(world.tree->base->contrast[row].other, 0);
		worked_end(&world);
	}
}

/* What is in no step has no length, and none that is gone. */
static void test_no_length_is_gone(void **state)
{
	static const char *const texts[2] = {
		WAITS("0", "90", STEP("1", "0")),
		WAITS("1", "5", STEP("1", "0") X("cpu_op", "aten::mm", "1", "1", "500", "10", "")),
	};
	struct worked_world world;
	struct tfp_column column = {.kind = TFP_COLUMN_RATIO, .metric = TFP_TRACE_HOST};
	struct tfp_cell out;
	uint32_t row;

	(void)state;
	start_texts(&world, texts);
	WORKED_ASK(&world, "steps", "rank=0", "baseline=rank:1");
	row = worked_row(&world, "outside the steps");
	assert_int_not_equal(row, TFP_NONE);
	tfp_tree_cell(world.tree, row, 0, &column, &out);
	assert_string_equal(out.text, "gone");
	column.metric =
		tfp_length_metric(world.tree->base->metrics, world.tree->base->metric_count);
	tfp_tree_cell(world.tree, row, 0, &column, &out);
	assert_string_equal(out.text, "-");
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_late_rank_is_found),
		cmocka_unit_test(test_all_that_stand_out_are_told),
		cmocka_unit_test(test_many_that_stand_out_are_counted),
		cmocka_unit_test(test_ranks_without_a_common_step),
		cmocka_unit_test(test_a_rank_is_left_out),
		cmocka_unit_test(test_no_length_is_gone),
	};

	return cmocka_run_group_tests_name("which ranks stand out", tests, NULL, NULL);
}
