/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The starts of events, which are kept in half the room of a time: they are what they were set to, whatever that is.
 */
#include <setjmp.h>
#include <stdlib.h>

#include "model/tracing.h"

#include <cmocka.h>

enum { COUNT = 3000 };

struct world {
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	int64_t starts[COUNT];
	uint64_t seed;
};

static int set_up(void **state)
{
	struct world *world = tfp_alloc_zero(1, sizeof(*world));

	world->profile = tfp_profile_new();
	world->trace = tfp_profile_make_trace(world->profile, TFP_PICOS);
	world->seed = 1;
	tfp_trace_add_lane(world->trace, &(struct tfp_lane){.kind = TFP_LANE_HOST});
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	tfp_profile_free(world->profile);
	free(world);
	return 0;
}

static uint64_t some_number(struct world *world)
{
	world->seed = world->seed * 6364136223846793005u + 1442695040888963407u;
	return world->seed >> 16;
}

/* Events EVERY apart, but for what is up to AWAY. */
static void add_events(struct world *world, int64_t from, int64_t every, int64_t away)
{
	for (uint32_t i = 0; i < COUNT; i++) {
		world->starts[i] = from + i * every +
				   (away ? (int64_t)(some_number(world) % (uint64_t)away) : 0);
		tfp_trace_add(world->trace, 0, world->starts[i], 1, i, TFP_NONE, TFP_NONE);
	}
}

static void expect_starts(const struct world *world)
{
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(tfp_trace_start(world->trace, i), world->starts[i]);
}

static size_t wide_pages(const struct world *world)
{
	size_t wide = 0;

	for (uint32_t i = 0; i < COUNT; i += 1 << TFP_START_PAGE_BITS)
		wide += world->trace->start_pages[i >> TFP_START_PAGE_BITS].wide != NULL;
	return wide;
}

/* In picoseconds; those of a page are 2 us, then 2.56 s apart. */
static void test_near_times_take_half_the_room(void **state)
{
	struct world *world = *state;

	add_events(world, INT64_C(-7000000001), 10007, 0);
	expect_starts(world);
	assert_int_equal(wide_pages(world), 0);
}

static void test_nanoseconds_go_further(void **state)
{
	struct world *world = *state;

	add_events(world, INT64_C(77000000007), INT64_C(10000000000), 0);
	expect_starts(world);
	assert_int_equal(wide_pages(world), 0);
}

static void test_far_times_are_kept_whole(void **state)
{
	struct world *world = *state;

	add_events(world, INT64_MIN / 2, 3, INT64_MAX / 2);
	expect_starts(world);
	assert_true(wide_pages(world) > COUNT >> TFP_START_PAGE_BITS);
}

/* Each may be set anew, a page or a part of one may be moved, as far as a time goes. */
static void test_times_change(void **state)
{
	struct world *world = *state;

	add_events(world, 1000, 1000, 0);
	for (int round = 0; round < 200; round++) {
		uint32_t from = (uint32_t)(some_number(world) % COUNT);
		uint32_t count = (uint32_t)(some_number(world) % (COUNT - from));
		int64_t by = (int64_t)(some_number(world) << some_number(world) % 17);

		by = round % 3 ? by : by / 1000 * 1000;
		tfp_trace_move_starts(world->trace, from, count, by);
		for (uint32_t i = from; i < from + count; i++)
			world->starts[i] = tfp_wrap_add(world->starts[i], by);
		world->starts[from] = by;
		tfp_trace_set_start(world->trace, from, by);
		expect_starts(world);
	}
}

static int by_start(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* Sorted, times that were far from those beside them are near. */
static void test_sorted_times_take_half_the_room(void **state)
{
	struct world *world = *state;
	int64_t minute = INT64_C(60000000000000);

	add_events(world, 5, 0, minute / 40);
	for (uint32_t i = 0; i < COUNT; i++) {
		world->starts[i] = (i * 7919 % COUNT) * (minute / COUNT / 10) / 1000 * 1000;
		tfp_trace_set_start(world->trace, i, world->starts[i]);
	}
	assert_true(wide_pages(world));
	tfp_trace_arrange(world->trace, &(struct tfp_arranging){0});
	qsort(world->starts, COUNT, sizeof(*world->starts), by_start);
	expect_starts(world);
	assert_int_equal(wide_pages(world), 0);
	assert_true(tfp_trace_start_bytes(world->trace) <
		    world->trace->room * (sizeof(uint32_t) + 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_near_times_take_half_the_room),   TEST(test_nanoseconds_go_further),
		TEST(test_far_times_are_kept_whole),        TEST(test_times_change),
		TEST(test_sorted_times_take_half_the_room),
	};

	return cmocka_run_group_tests_name("trace_starts", tests, NULL, NULL);
}
