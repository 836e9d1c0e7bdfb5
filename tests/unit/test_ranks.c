/* SPDX-License-Identifier: Apache-2.0 */
/* Several ranks in one profile: one of them alone, and compared with others. */
#include "made_trace.h"
#include "tfprof/view.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

struct world {
	struct tfp_engine *engine;
	struct tfp_query query;
	struct tfp_diag *diag;
	struct tfp_tree *tree;
};

/* The second GPU is of the second file; NUMBERED: whose rank is 4, and the first's is 3. */
static void start(struct world *world, bool numbered)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_trace *trace = profile->trace;

	for (uint32_t i = 0; i < trace->devices.count; i++) {
		trace->devices.at[i].file = i == 2;
		trace->devices.at[i].rank = numbered ? 4 + (i == 2) : 0;
	}
	*world = (struct world){.engine = tfp_engine_new(profile), .diag = tfp_diag_new()};
	tfp_query_init(&world->query);
	world->query.view = "scope";
}

static void stop(struct world *world)
{
	tfp_tree_release(world->tree);
	tfp_query_free(&world->query);
	tfp_engine_free(world->engine);
	tfp_diag_free(world->diag);
}

static bool ask(struct world *world, const char *rank, const char *baseline)
{
	assert_true(tfp_query_set(&world->query, "rank", rank, world->diag));
	assert_true(tfp_query_set(&world->query, "baseline", baseline, world->diag));
	tfp_tree_release(world->tree);
	world->tree = tfp_engine_run(world->engine, &world->query, NULL, world->diag);
	return world->tree != NULL;
}

static uint32_t conv(const struct world *world)
{
	uint32_t row = 1;

	while (!tfp_span_equal(tfp_base_label(world->tree->base, row), TFP_SPAN("net/conv")))
		row++;
	return row;
}

static int64_t device(const struct world *world)
{
	return tfp_tree_total(world->tree, conv(world), TFP_TRACE_DEVICE);
}

static int64_t baseline(const struct world *world)
{
	return tfp_tree_baseline(world->tree, conv(world), TFP_TRACE_DEVICE);
}

static void test_one_rank_alone(void **state)
{
	struct world world;

	(void)state;
	start(&world, false);
	assert_true(ask(&world, "-1", ""));
	assert_int_equal(device(&world), 240);
	assert_true(ask(&world, "0", ""));
	assert_int_equal(device(&world), 190);
	assert_true(ask(&world, "1", ""));
	assert_int_equal(device(&world), 50);
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_HOST), 0);
	assert_false(ask(&world, "2", ""));
	assert_true(ask(&world, "-1", ""));
	assert_int_equal(device(&world), 240);
	stop(&world);
}

static void test_ranks_have_the_numbers_of_their_files(void **state)
{
	struct world world;

	(void)state;
	start(&world, true);
	assert_true(ask(&world, "3", ""));
	assert_int_equal(device(&world), 190);
	assert_true(ask(&world, "4", ""));
	assert_int_equal(device(&world), 50);
	assert_false(ask(&world, "0", ""));
	stop(&world);
}

static void test_one_against_another(void **state)
{
	static const char *const baselines[] = {"rank:1", "mean", "median"};
	struct tfp_arena arena = {0};
	struct world world;

	(void)state;
	start(&world, false);
	for (size_t i = 0; i < sizeof(baselines) / sizeof(*baselines); i++) {
		assert_true(ask(&world, "0", baselines[i]));
		assert_int_equal(device(&world), 190);
		assert_int_equal(baseline(&world), 50);
	}
	assert_string_equal(tfp_query_command(&world.query, &arena),
			    "scope --baseline=median --rank=0");
	/* all of them together are no rank */
	assert_false(ask(&world, "-1", "rank:0"));
	assert_false(ask(&world, "0", "rank:5"));
	tfp_arena_free(&arena);
	stop(&world);
}

/* What is busy is found anew by filters: of the rank that is looked at, not of the other. */
static void test_filters_are_of_the_rank_at_hand(void **state)
{
	struct world world;

	(void)state;
	start(&world, false);
	world.query.account_displayed_op_only = true;
	assert_true(ask(&world, "0", "rank:1"));
	assert_int_equal(tfp_tree_total(world.tree, conv(&world), TFP_TRACE_BUSY), 170);
	stop(&world);
}

/* The first row below the root with device time, or idle time. */
static uint32_t gpu(const struct world *world)
{
	uint32_t row = 1;

	while (world->tree->base->parent[row] ||
	       (world->tree->base->track && !tfp_tree_total(world->tree, row, TFP_TRACE_DEVICE)))
		row++;
	return row;
}

/* Devices and their lanes are known by what they are in their own rank, whatever stands before their names. */
static void test_devices_of_two_ranks(void **state)
{
	struct world world;

	(void)state;
	start(&world, true);
	world.query.view = "idle";
	assert_true(ask(&world, "3", "rank:4"));
	assert_int_equal(world.tree->base->side[gpu(&world)], TFP_SIDE_BOTH);
	world.query.view = "device";
	assert_true(ask(&world, "3", "rank:4"));
	assert_int_equal(world.tree->base->side[gpu(&world)], TFP_SIDE_BOTH);
	assert_int_equal(tfp_tree_baseline(world.tree, gpu(&world), TFP_TRACE_DEVICE), 50);
	stop(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_rank_alone),
		cmocka_unit_test(test_ranks_have_the_numbers_of_their_files),
		cmocka_unit_test(test_one_against_another),
		cmocka_unit_test(test_devices_of_two_ranks),
		cmocka_unit_test(test_filters_are_of_the_rank_at_hand),
	};

	return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
