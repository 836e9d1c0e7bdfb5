/* SPDX-License-Identifier: Apache-2.0 */
/* A recording in a range of time: what its loader measures besides is of that range, too. */
#include "made_trace.h"
#include "opened.h"

#include "tfprof/load.h"
#include "tfprof/trace.h"
#include "view/query/check.h"
#include "view/trace/window.h"

#include <setjmp.h>

#include <cmocka.h>

/* All that runs in RANGED has what it has in WHOLE, where there may be more, which never runs. */
static void expect_equal_rows(const struct tfp_tree *whole, const struct tfp_tree *ranged)
{
	size_t size = whole->base->metric_count * sizeof(int64_t);

	for (uint32_t row = 0; row < ranged->base->count; row++) {
		uint32_t same = 0;

		while (whole->base->key[same] != ranged->base->key[row])
			assert_true(++same < whole->base->count);
		assert_memory_equal(whole->base->total + same * whole->base->metric_count,
				    ranged->base->total + row * whole->base->metric_count, size);
	}
}

/* The whole recording, as a range of it. */
static void test_all_of_it(void **state)
{
	static const char *const files[] = {"data/gpu/torch_small.json.gz",
					    "data/gpu/jax_small.xplane.pb.gz"};
	static const char *const views[] = {"op", "scope", "code"};

	(void)state;
	for (size_t i = 0; i < 2 * 3; i++) {
		struct worked_world world;
		struct tfp_tree *whole;

		WORKED_OPEN(&world, files[i % 2]);
		whole = tfp_tree_hold(WORKED_ASK(&world, views[i / 2], "range="));
		WORKED_ASK(&world, views[i / 2], "range=0:1000000000");
		assert_non_null(world.tree);
		expect_equal_rows(whole, world.tree);
		for (uint32_t metric = 0; metric < whole->base->metric_count; metric++)
			assert_int_equal(whole->base->metrics[metric].absent,
					 world.tree->base->metrics[metric].absent);
		tfp_tree_release(whole);
		worked_end(&world);
	}
}

static int64_t value(const struct worked_world *world, const char *row, const char *key)
{
	uint32_t metric = tfp_profile_find_metric(tfp_engine_profile(world->engine), key);

	return tfp_tree_total(world->tree, worked_row(world, row), metric);
}

/* What is cut at the middle is in both halves, with a part of its time each. */
static void test_two_halves(void **state)
{
	static const char *const keys[] = {"cpu_total", "device_total", "device"};
	static const char *const ranges[] = {"range=", "range=0:20000", "range=20000:1000000000"};
	struct worked_world world;
	int64_t found[3][3];

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	for (size_t i = 0; i < 3; i++) {
		WORKED_ASK(&world, "op", ranges[i]);
		assert_non_null(world.tree);
		for (size_t j = 0; j < 3; j++)
			found[i][j] = value(&world, "aten::convolution_backward", keys[j]);
	}
	for (size_t j = 0; j < 3; j++) {
		assert_true(found[1][j] > 0);
		assert_true(found[2][j] > 0);
		assert_int_equal(found[0][j], found[1][j] + found[2][j]);
	}
	worked_end(&world);
}

/* ---- operations and bytes -------------------------------------------------------------------- */

/* What NODE has of METRIC from FROM to TO of the recording made by hand, by its clock. */
static int64_t made_value(uint32_t others, uint32_t node, uint32_t metric, int64_t from, int64_t to)
{
	struct tfp_profile *profile = made_trace_beside(others);
	struct tfp_window window = {0};
	struct tfp_query query;
	int64_t values[TFP_MAX_METRICS];

	profile->nodes.float_ops[CONV] = 1000;
	profile->nodes.float_ops[NET] = 100;
	profile->nodes.float_ops[LOST] = 30;
	for (size_t i = 0; i < profile->trace->works.count; i++)
		profile->trace->works.at[i].bytes =
			profile->trace->works.at[i].class == TFP_WORK_COPY ? 10 : 0;
	tfp_query_init(&query);
	query.range_from = from - profile->trace->begin;
	query.range_to = to - profile->trace->begin;
	assert_true(tfp_window_set(&window, profile, &query, NULL));
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	tfp_window_end(&window, profile);
	tfp_query_free(&query);
	tfp_profile_free(profile);
	return values[metric];
}

/* A run has the part that its device time in the range is of all of it, wherever the host's event is. */
static void test_parts_of_runs(void **state)
{
	static const struct {
		uint32_t node;
		int64_t from, to, flops;
	} cases[] = {
		{CONV, 0, 1000, 2000},
		/* 110 of 200 in the first run, launched before, and 20 of 40 in the second, launched after */
		{CONV, 160, 280, 550 + 500},
		/* the host launches, and nothing has run yet; what is nested in it has a run of its own */
		{CONV, 110, 115, 0},
		{NET, 110, 115, 0},
		/* what the relu in it runs; of the last run, which has nothing on devices, two of five on the host */
		{NET, 210, 220, 50},
		{NET, 902, 904, 40},
		{NET, 0, 1000, 300},
		/* of what no host runs each event is a run; one of them takes no time, before the range */
		{LOST, 355, 400, 15},
		{LOST, 350, 400, 60},
		{LOST, 500, 600, 0},
		{RELU, 0, 1000, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (uint32_t others = 0; others <= MADE_MANY; others += MADE_MANY)
			assert_int_equal(made_value(others, cases[i].node, TFP_TRACE_FLOPS,
						    cases[i].from, cases[i].to),
					 cases[i].flops);
}

static void test_parts_of_copies(void **state)
{
	(void)state;
	assert_int_equal(made_value(0, LOST, TFP_TRACE_BYTES, 0, 1000), 20);
	assert_int_equal(made_value(0, LOST, TFP_TRACE_BYTES, 355, 400), 5);
	assert_int_equal(made_value(0, LOST, TFP_TRACE_BYTES, 500, 600), 0);
}

/* Whatever the view, in a range that cuts kernels as in all. */
static void test_views_agree(void **state)
{
	static const struct {
		const char *range;
		int64_t least, most;
	} ranges[] = {{"range=", 201326592, 201326592}, {"range=0:19376", 1, 201326592 / 3 - 1}};
	struct worked_world world;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/jax_small.xplane.pb.gz");
	for (size_t i = 0; i < 2; i++) {
		int64_t of_scopes;

		WORKED_ASK(&world, "scope", ranges[i].range);
		of_scopes = tfp_tree_total(world.tree, 0, TFP_TRACE_FLOPS);
		assert_in_range(of_scopes, ranges[i].least, ranges[i].most);
		WORKED_ASK(&world, "op", ranges[i].range);
		assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_FLOPS), of_scopes);
		WORKED_ASK(&world, "device", ranges[i].range);
		assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_FLOPS), of_scopes);
	}
	worked_end(&world);
}

/* One recording has nanoseconds, the other picoseconds. */
static void test_units_of_a_baseline(void **state)
{
	struct worked_world world, other;
	int64_t torch;

	(void)state;
	WORKED_OPEN(&other, "data/gpu/torch_small.json.gz");
	WORKED_ASK(&other, "op", "max_depth=all");
	torch = tfp_tree_total(other.tree, 0, TFP_TRACE_DEVICE);
	tfp_tree_release(other.tree);
	WORKED_OPEN(&world, "data/gpu/jax_small.xplane.pb.gz");
	tfp_engine_add_baseline(world.engine, "file:t", other.engine);
	WORKED_ASK(&world, "op", "baseline=file:t");
	assert_non_null(world.tree);
	assert_int_equal(tfp_tree_baseline(world.tree, 0, TFP_TRACE_DEVICE), torch * 1000);
	worked_end(&world);
	tfp_query_free(&other.query);
	tfp_diag_free(other.diag);
	tfp_arena_free(&other.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_it),     cmocka_unit_test(test_two_halves),
		cmocka_unit_test(test_parts_of_runs), cmocka_unit_test(test_parts_of_copies),
		cmocka_unit_test(test_views_agree),   cmocka_unit_test(test_units_of_a_baseline),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
