/* SPDX-License-Identifier: Apache-2.0 */
/* How long single events of a row took, as columns: the same as the pane of runs says of it. */
#include "opened.h"

#include "tfprof/load.h"
#include "tfprof/trace.h"
#include "view/query/check.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

/* "1.00us  2.00us  3.00us  4.00us" of SIDE, "device" or "host"; "" where there are none. */
static char *columns(struct worked_world *world, uint32_t row, const char *side)
{
	static const char *const what[] = {"min", "median", "p99", "max"};
	const struct tfp_profile *profile = tfp_engine_profile(world->engine);
	char *text = tfp_arena_text(&world->arena, "", 0), key[32], number[TFP_NUMBER_ROOM];

	for (size_t i = 0; i < 4; i++) {
		uint32_t metric;
		int64_t value;

		snprintf(key, sizeof(key), "%s_%s", side, what[i]);
		metric = tfp_profile_find_metric(profile, key);
		value = tfp_tree_total(world->tree, row, metric);
		text = tfp_arena_printf(&world->arena, "%s%s%s", text, i ? "  " : "",
					tfp_number_screen(number, profile->trace->unit, value));
	}
	return text;
}

/* The same by the pane; "" where nothing ran on the side, which its rows call TITLE. */
static const char *pane(struct worked_world *world, uint32_t row, const char *title)
{
	struct tfp_breakdown *runs =
		tfp_engine_breakdown(world->engine, world->tree, row, TFP_BREAKDOWN_RUNS,
				     TFP_TRACE_DEVICE, NULL, world->diag);
	const char *found = "";

	for (size_t i = 0; i + 1 < runs->count; i++)
		if (!strncmp(runs->rows[i].label, title, strlen(title)))
			found = tfp_arena_printf(&world->arena, "%s", runs->rows[i + 1].text);
	tfp_breakdown_free(runs);
	return found;
}

static void expect_equal(struct worked_world *world, uint32_t row, const char *side,
			 const char *title)
{
	const char *wanted = pane(world, row, title);

	if (*wanted)
		assert_string_equal(columns(world, row, side), wanted);
}

static void test_equal_to_the_pane(void **state)
{
	static const char *const views[] = {"op", "scope", "code", "device", "functions"};
	static const char *const files[] = {"data/gpu/torch_small.json.gz",
					    "data/gpu/jax_small.xplane.pb.gz"};

	(void)state;
	for (size_t i = 0; i < 5 * 2; i++) {
		struct worked_world world;

		WORKED_OPEN(&world, files[i % 2]);
		assert_non_null(WORKED_ASK(&world, views[i / 2], "max_depth=all",
					   "select=device_max", "order_by="));
		assert_true(world.tree->base->spread);
		for (uint32_t row = 0; row < world.tree->base->count; row += i < 8 ? 7 : 1) {
			if (world.tree->shown[row] != 1)
				continue;
			expect_equal(&world, row, "device", "on devices");
			expect_equal(&world, row, "host", "on the host");
		}
		worked_end(&world);
	}
}

/* Only who asks has them: by a word, an order, a column. */
static void test_asked_for(void **state)
{
	static const char *const options[] = {"select=device_p99", "order_by=host_max",
					      "columns=op:total,total_device_median:40"};
	struct worked_world world;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
		WORKED_ASK(&world, "op", "max_depth=all");
		assert_false(world.tree->base->spread);
		WORKED_ASK(&world, "op", options[i]);
		assert_true(world.tree->base->spread);
		worked_end(&world);
	}
}

/* Each step's own; of one rank; and against the others. */
static void test_steps_and_ranks(void **state)
{
	struct worked_world world;
	uint32_t metric, row;

	(void)state;
	WORKED_OPEN(&world, "data/ranks/steps1.json");
	WORKED_ASK(&world, "steps", "max_depth=all", "select=device_max", "baseline=median");
	metric = tfp_profile_find_metric(tfp_engine_profile(world.engine), "device_max");
	row = worked_row(&world, "step 1  ProfilerStep#1");
	assert_int_equal(tfp_tree_total(world.tree, row, metric), 200000);
	assert_int_equal(tfp_tree_baseline(world.tree, row, metric), 100000);
	assert_int_equal(tfp_tree_total(world.tree, 0, metric), 200000);
	WORKED_ASK(&world, "op", "baseline=", "step=2");
	assert_int_equal(tfp_tree_total(world.tree, 0, metric), 100000);
	worked_end(&world);
}

/* The steps view has room for them only then; what has it is compared with what has not. */
static void test_room(void **state)
{
	static const char *const baselines[] = {"baseline=median", "baseline=step:2"};
	struct worked_world world;
	uint32_t metric;

	(void)state;
	WORKED_OPEN(&world, "data/ranks/steps1.json");
	metric = tfp_profile_find_metric(tfp_engine_profile(world.engine), "device_max");
	WORKED_ASK(&world, "steps", "max_depth=all");
	assert_true(metric >= world.tree->base->metric_count);
	assert_false(world.tree->base->spread);
	assert_int_equal(tfp_tree_total(world.tree, 0, metric), 0);
	WORKED_ASK(&world, "steps", "select=device_max");
	assert_int_equal(world.tree->base->metric_count, world.tree->base->metric_all);
	assert_int_equal(tfp_tree_total(world.tree, 0, metric), 200000);
	for (size_t i = 0; i < 2; i++) {
		int64_t value;

		assert_non_null(WORKED_ASK(&world, "steps", "select=device", baselines[i]));
		value = tfp_tree_baseline(world.tree, worked_row(&world, "step 1  ProfilerStep#1"),
					  TFP_TRACE_DEVICE);
		assert_true(value > 0);
	}
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_to_the_pane),
		cmocka_unit_test(test_asked_for),
		cmocka_unit_test(test_steps_and_ranks),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
