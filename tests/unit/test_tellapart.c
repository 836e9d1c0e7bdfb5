/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a pane, and gaps of a cause, that would read the same say what tells them apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "made_trace.h"
#include "opened.h"

static struct tfp_breakdown *break_down(struct worked_world *world, uint32_t row,
					enum tfp_breakdown_kind kind)
{
	struct tfp_breakdown *out = tfp_engine_breakdown(world->engine, world->tree, row, kind,
							 TFP_TRACE_DEVICE, NULL, world->diag);

	assert_non_null(out);
	return out;
}

/* A kernel that is launched with as many blocks in two ways. */
static void kernels_by_their_grids(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct worked_world world;
	struct tfp_breakdown *out;

	(void)state;
	profile->trace->works.at[1].name = profile->trace->works.at[0].name;
	profile->trace->works.at[1].grid[0] = 4;
	profile->trace->works.at[1].grid[1] = 2;
	profile->trace->works.at[1].occupancy = 2500;
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	out = break_down(&world, 0, TFP_BREAKDOWN_KERNELS);
	assert_string_equal(out->rows[0].label, "conv2d  8 x 256  grid 8");
	assert_string_equal(out->rows[1].label, "conv2d  8 x 256  grid 4x2");
	tfp_breakdown_free(out);
	/* one of two steps may have only one of them: they are compared together */
	assert_non_null(WORKED_ASK(&world, "scope", "step=0", "baseline=step:1"));
	out = break_down(&world, 0, TFP_BREAKDOWN_KERNELS);
	assert_string_equal(out->rows[0].label, "conv2d  8 x 256");
	assert_int_equal(out->rows[0].value, 50 + 100 + 50 + 20);
	assert_int_equal(out->rows[0].runs, 4);
	assert_int_equal(out->rows[0].baseline, 40);
	tfp_breakdown_free(out);
	worked_end(&world);
}

static void expect_distinct(struct worked_world *world, uint32_t row, enum tfp_breakdown_kind kind)
{
	struct tfp_breakdown *out = break_down(world, row, kind);

	for (size_t i = 1; i < out->count; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(out->rows[i].label, out->rows[j].label) == 0 &&
			    (!out->rows[i].text ||
			     strncmp(out->rows[i].label, "  longest", 9) != 0 ||
			     strcmp(out->rows[i].text, out->rows[j].text) == 0) &&
			    strncmp(out->rows[i].label, "  least", 7) != 0 &&
			    strncmp(out->rows[i].label, "  each", 6) != 0)
				fail_msg("two rows: %s %s", out->rows[i].label,
					 out->rows[i].text ? out->rows[i].text : "");
	tfp_breakdown_free(out);
}

static void rows_of_a_recording(void **state)
{
	static const enum tfp_breakdown_kind kinds[] = {TFP_BREAKDOWN_NODES, TFP_BREAKDOWN_KERNELS,
							TFP_BREAKDOWN_RUNS};
	struct worked_world world;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	for (uint32_t row = 0; row < world.tree->base->count; row++)
		for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++)
			expect_distinct(&world, row, kinds[kind]);
	worked_end(&world);
}

static const char *find_label(const struct tfp_breakdown *out, const char *start)
{
	for (size_t i = 0; i < out->count; i++)
		if (strncmp(out->rows[i].label, start, strlen(start)) == 0)
			return out->rows[i].label;
	fail_msg("no row begins with %s", start);
	return NULL;
}

static void nodes_by_shapes_and_callers(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *out;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	out = break_down(&world, 0, TFP_BREAKDOWN_NODES);
	find_label(out, "Net_0/Linear_0/backward/autograd::engine::evaluate_function: "
			"AddmmBackward0/AddmmBackward0/aten::mm  [");
	tfp_breakdown_free(out);
	worked_end(&world);
	WORKED_OPEN(&world, "data/pprof/go_cpu.pprof.gz");
	assert_non_null(WORKED_ASK(&world, "code", NULL));
	out = tfp_engine_breakdown(world.engine, world.tree, 0, TFP_BREAKDOWN_NODES, 0, NULL,
				   world.diag);
	find_label(out, "main.fib  main.go:14 main.fib  ← main.go:14 main.fib");
	tfp_breakdown_free(out);
	worked_end(&world);
}

/* Gaps of one cause begin at times that look different. */
static void gaps_by_their_times(void **state)
{
	struct worked_world world;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	assert_non_null(WORKED_ASK(&world, "idle", NULL));
	for (uint32_t row = 2; row < world.tree->base->count; row++) {
		const struct tfp_base *base = world.tree->base;

		if (base->parent[row] == base->parent[row - 1])
			assert_int_not_equal(base->name[row], base->name[row - 1]);
	}
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_by_their_grids),
		cmocka_unit_test(rows_of_a_recording),
		cmocka_unit_test(nodes_by_shapes_and_callers),
		cmocka_unit_test(gaps_by_their_times),
	};

	return cmocka_run_group_tests_name("tellapart", tests, NULL, NULL);
}
