/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory over time: how loaders read allocations, the curve, and who holds what at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "load_help.h"
#include "worked.h"

/* ---- the worked network ---- */

static const struct tfp_alloc allocs[] = {
	{WORKED_W, 0, 0, 0, 1000, 100},       {WORKED_MATMUL, 0, 0, 0, 1010, 300},
	{WORKED_MATMUL, 0, 0, 0, 1040, -300}, {WORKED_BIAS, 0, 0, 0, 1040, 250},
	{WORKED_BIAS, 0, 0, 0, 1100, -250},   {WORKED_GRADIENT, 1, 0, 0, 5000, 40},
	{WORKED_W, 1, 0, 0, 5000, 100},
};

static void begin(struct worked_world *world)
{
	struct tfp_profile *profile = worked_profile(2);

	worked_begin(world, profile);
	profile->has_allocs = true;
	assert_true(tfp_profile_need(profile, TFP_PART_ALLOCS, NULL, world->diag));
	for (size_t i = 0; i < sizeof(allocs) / sizeof(*allocs); i++)
		tfp_profile_add_alloc(profile, &allocs[i]);
	tfp_profile_add_in_use(profile, &(struct tfp_in_use){.bytes = 400});
	tfp_profile_add_in_use(profile, &(struct tfp_in_use){.bytes = 450});
	tfp_profile_add_in_use(profile, &(struct tfp_in_use){.bytes = 420});
	for (uint32_t cell = 0; cell < profile->cells.count; cell++)
		profile->cells.value[cell * TFP_TF_CELLS + TFP_CELL_ALL_START] = 990;
}

static int64_t live(const struct worked_world *world, const char *label)
{
	return tfp_tree_total(world->tree, worked_row(world, label), TFP_TF_BYTES);
}

static void it_opens_at_the_highest_peak(void **state)
{
	struct worked_world world;
	const struct tfp_curve *curve;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	curve = world.tree->base->curve;
	assert_int_equal(curve->step, 0);
	assert_int_equal(curve->peak, 400);
	assert_int_equal(curve->peak_at, 20);
	assert_int_equal(curve->at, 20);
	assert_int_equal(curve->length, 110);
	assert_int_equal(curve->allocator, 450);
	assert_int_equal(live(&world, "_TFProfRoot"), 400);
	assert_int_equal(live(&world, "fc/MatMul"), 300);
	assert_int_equal(world.tree->order_metric, TFP_TF_BYTES);
	assert_string_equal(tfp_engine_facts(world.engine, world.tree, 0, &world.arena),
			    "allocator's own peak 450B, +50B; sum of op peaks 0B");
	worked_end(&world);
}

static void the_sum_of_ops_is_of_all_allocators(void **state)
{
	struct worked_world world;
	struct tfp_curve of_one;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	of_one = *world.tree->base->curve;
	of_one.device = "GPU 0";
	assert_non_null(strstr(tfp_curve_text(&of_one, &world.arena),
			       "sum of op peaks 0B in all allocators"));
	worked_end(&world);
}

static void another_time_shows_who_holds_what_then(void **state)
{
	struct worked_world world;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", "at=50"));
	/* one ends and the other begins in the same microsecond */
	assert_int_equal(live(&world, "_TFProfRoot"), 350);
	assert_int_equal(live(&world, "fc/BiasAdd"), 250);
	assert_int_equal(world.tree->shown[worked_row(&world, "fc/MatMul")], 0);
	assert_non_null(WORKED_ASK(&world, "memory", "at=999999"));
	assert_int_equal(world.tree->base->curve->at, 110);
	assert_int_equal(live(&world, "_TFProfRoot"), 100);
	assert_non_null(WORKED_ASK(&world, "memory", "step=1", "at=-1"));
	assert_int_equal(world.tree->base->curve->peak, 140);
	worked_end(&world);
}

static void gradients_count_with_their_forward_op(void **state)
{
	struct worked_world world;
	uint32_t row;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", "step=1", "merge_gradients"));
	row = worked_row(&world, "gradients/fc/MatMul_grad/MatMul");
	assert_int_equal(world.tree->base->parent[row], worked_row(&world, "fc/MatMul"));
	assert_int_equal(live(&world, "fc/MatMul"), 40);
	worked_end(&world);
}

static void other_steps_can_be_compared_with(void **state)
{
	struct worked_world world;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", "step=0", "baseline=step:1"));
	assert_int_equal(tfp_tree_difference(world.tree, 0, TFP_TF_BYTES), 260);
	assert_non_null(world.tree->base->curve);
	worked_end(&world);
}

static void panes_break_down_what_is_live(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *nodes;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	nodes = tfp_engine_breakdown(world.engine, world.tree, 0, TFP_BREAKDOWN_NODES, TFP_TF_BYTES,
				     NULL, world.diag);
	assert_int_equal(nodes->count, 2);
	assert_int_equal(nodes->rows[0].value, 300);
	assert_int_equal(nodes->rows[1].value, 100);
	tfp_breakdown_free(nodes);
	nodes = tfp_engine_breakdown(world.engine, world.tree, 0, TFP_BREAKDOWN_STEPS, TFP_TF_BYTES,
				     NULL, world.diag);
	assert_int_equal(nodes->count, 0);
	assert_non_null(nodes->note);
	tfp_breakdown_free(nodes);
	worked_end(&world);
}

static void a_curve_in_parts(void **state)
{
	int64_t parts[4];
	struct worked_world world;
	const struct tfp_curve *curve;

	(void)state;
	begin(&world);
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	curve = world.tree->base->curve;
	tfp_curve_parts(curve, parts, 4); /* of 27.75 us each */
	assert_int_equal(parts[0], 400);
	assert_int_equal(parts[1], 400);
	assert_int_equal(parts[2], 350);
	assert_int_equal(parts[3], 350);
	assert_int_equal(tfp_curve_cursor(curve, 4), 0);
	assert_int_equal(tfp_curve_turn(curve, 4, 1), 47);
	assert_int_equal(tfp_curve_turn(curve, 4, -1), 0);
	assert_int_equal(tfp_curve_turn(curve, 4, 9), 110);
	worked_end(&world);
}

/* ---- files ---- */

static void extremes_neither_overflow_nor_hang(void **state)
{
	static const struct tfp_alloc wild[] = {
		{WORKED_W, 0, 0, 0, INT64_MIN, INT64_MAX},
		{WORKED_W, 0, 0, 0, INT64_MAX, INT64_MAX},
		{WORKED_B, 0, 0, 0, -1, INT64_MIN},
		{WORKED_B, 0, 0, 0, 0, 0},
		{WORKED_B, TFP_NONE, 0, 0, 5, 5},
	};
	struct worked_world world;
	int64_t parts[100];

	(void)state;
	begin(&world);
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++)
		tfp_profile_add_alloc(tfp_engine_profile(world.engine), &wild[i]);
	for (int at = -1; at < 2; at++) {
		world.query.at = at;
		assert_non_null(WORKED_ASK(&world, "memory", NULL));
		tfp_curve_parts(world.tree->base->curve, parts, 100);
		assert_non_null(tfp_curve_text(world.tree->base->curve, &world.arena));
	}
	worked_end(&world);
}

/* Whatever their numbers are; and few bytes of each, since there may be millions. */
static void allocations_are_kept_as_they_are(void **state)
{
	static const int64_t numbers[] = {
		INT64_MIN,
		INT64_MIN + 1,
		-(INT64_C(1) << 32),
		INT32_MIN - INT64_C(1),
		INT32_MIN,
		-1,
		0,
		1,
		INT32_MAX,
		INT64_C(1) << 31,
		INT64_C(1) << 32,
		(INT64_C(1) << 32) - 1,
		INT64_MAX - 1,
		INT64_MAX,
	};
	enum { NUMBERS = sizeof(numbers) / sizeof(*numbers), ALL = NUMBERS * NUMBERS * 3 };
	struct tfp_allocs kept = {0};

	(void)state;
	for (uint32_t again = 0; again < 2; again++)
		for (uint32_t i = 0; i < ALL; i++) {
			struct tfp_alloc alloc =
						 {
							 .node = i,
							 .step = i % 3 ? i % 3 : TFP_NONE,
							 .allocator = i % 2,
							 .file = i % 5,
							 .time = numbers[i % NUMBERS],
							 .bytes = numbers[i / NUMBERS % NUMBERS],
						 },
					 out;

			*tfp_array_push(&kept) = tfp_allocs_pack(&kept, &alloc);
			out = tfp_allocs_get(&kept, again * ALL + i);
			assert_memory_equal(&out, &alloc, sizeof(alloc));
		}
	assert_in_range(kept.kinds.count, 1, ALL);
	assert_int_equal(sizeof(*kept.at), 16);
	tfp_allocs_free(&kept);
}

/* Steps by turns, one of them not by time, and what says nothing between them. */
static void steps_may_lie_in_any_order(void **state)
{
	static const struct tfp_alloc mixed[] = {
		{WORKED_W, 0, 0, 0, 10, 5},       {WORKED_B, 1, 0, 0, 12, 7},
		{WORKED_W, 0, 0, 0, 20, 5},       {WORKED_W, 0, 0, 0, 20, 0},
		{WORKED_W, TFP_NONE, 0, 0, 1, 9}, {WORKED_B, 1, 0, 0, 14, 7},
		{WORKED_MATMUL, 0, 0, 0, 15, 50}, {WORKED_MATMUL, 0, 0, 0, 16, -50},
		{WORKED_B, 1, 0, 0, 13, -7},      {WORKED_W, 0, 0, 0, 30, -10},
	};
	struct worked_world world;
	struct tfp_profile *profile = worked_profile(2);
	const struct tfp_curve *curve;

	(void)state;
	worked_begin(&world, profile);
	profile->has_allocs = true;
	assert_true(tfp_profile_need(profile, TFP_PART_ALLOCS, NULL, world.diag));
	for (size_t i = 0; i < sizeof(mixed) / sizeof(*mixed); i++)
		tfp_profile_add_alloc(profile, &mixed[i]);
	assert_non_null(WORKED_ASK(&world, "memory", "step=0"));
	curve = world.tree->base->curve;
	assert_int_equal(curve->count, 5);
	assert_int_equal(curve->peak, 55);
	assert_int_equal(curve->begin + curve->peak_at, 15);
	assert_int_equal(curve->bytes[3], 10);
	assert_int_equal(curve->bytes[4], 0);
	assert_non_null(WORKED_ASK(&world, "memory", "step=1"));
	curve = world.tree->base->curve;
	assert_int_equal(curve->count, 3);
	assert_int_equal(curve->bytes[1], 0);
	assert_int_equal(curve->bytes[2], 7);
	worked_end(&world);
}

/* Each step is looked for once among all allocations, not all of them for each step. */
static void many_steps_take_little_time(void **state)
{
	enum { STEPS = 30000, OF_EACH = 10 };
	struct worked_world world;
	struct tfp_profile *profile;
	clock_t before;

	(void)state;
	begin(&world);
	profile = tfp_engine_profile(world.engine);
	for (uint32_t i = 2; i < STEPS; i++)
		tfp_profile_step(profile, i, 0);
	for (uint32_t i = 0; i < STEPS * OF_EACH; i++)
		tfp_profile_add_alloc(profile, &(struct tfp_alloc){.node = WORKED_W,
								   .step = i % STEPS,
								   .time = 2000 + i,
								   .bytes = i / STEPS * 60});
	before = clock();
	assert_non_null(WORKED_ASK(&world, "memory", NULL));
	assert_true(clock() - before < 2 * CLOCKS_PER_SEC);
	assert_int_equal(world.tree->base->curve->peak, 60 * 45 + 140);
	worked_end(&world);
}

static const char text[] =
	"step_stats { dev_stats { device: '/device:GPU:0' node_stats { node_name: 'a' "
	"all_start_micros: 10 op_end_rel_micros: 5 "
	"memory { allocator_name: 'bfc' total_bytes: 8 peak_bytes: 8 allocator_bytes_in_use: 90 "
	"allocation_records { alloc_micros: 11 alloc_bytes: 8 } "
	"allocation_records { alloc_micros: 14 alloc_bytes: -8 } "
	"allocation_records { alloc_micros: 15 } } } } }";

static void run_metadata_has_allocations(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_alloc alloc;

	(void)state;
	tfp_profile_make_tensorflow(profile);
	assert_true(load_source(profile, "runmeta", source_of_text(text), 0, diag));
	assert_true(profile->has_allocs);
	assert_int_equal(profile->allocs.count, 0);
	assert_true(tfp_profile_need(profile, TFP_PART_ALLOCS | TFP_PART_EXECS, NULL, diag));
	assert_int_equal(profile->execs.count, 1);
	/* One of no bytes is kept, too: what is saved again has it. */
	assert_int_equal(profile->allocs.count, 3);
	alloc = tfp_allocs_get(&profile->allocs, 1);
	assert_int_equal(alloc.time, 14);
	assert_int_equal(alloc.bytes, -8);
	assert_string_equal(tfp_strings_text(profile->strings, alloc.allocator), "bfc");
	assert_int_equal(profile->in_use.count, 1);
	assert_int_equal(profile->in_use.at[0].bytes, 90);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void no_allocations_no_view(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_null(WORKED_ASK(&world, "memory", NULL));
	assert_int_equal(tfp_diag_errors(world.diag), 1);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_opens_at_the_highest_peak),
		cmocka_unit_test(the_sum_of_ops_is_of_all_allocators),
		cmocka_unit_test(another_time_shows_who_holds_what_then),
		cmocka_unit_test(gradients_count_with_their_forward_op),
		cmocka_unit_test(other_steps_can_be_compared_with),
		cmocka_unit_test(panes_break_down_what_is_live),
		cmocka_unit_test(a_curve_in_parts),
		cmocka_unit_test(extremes_neither_overflow_nor_hang),
		cmocka_unit_test(allocations_are_kept_as_they_are),
		cmocka_unit_test(steps_may_lie_in_any_order),
		cmocka_unit_test(many_steps_take_little_time),
		cmocka_unit_test(run_metadata_has_allocations),
		cmocka_unit_test(no_allocations_no_view),
	};

	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
