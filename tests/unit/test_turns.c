/* SPDX-License-Identifier: Apache-2.0 */
/* Steps whose numbers come again, of several ranks whose recordings begin with different ones. */
#include <string.h>

#include "tfprof/trace.h"
#include "world.h"

#define LASTS 80 /* of the hundred from one step to the next */

/* Marks steps of FILE in lane FILE, one after another from FROM on, with the numbers NUMBERS, a digit each. */
static void mark(struct world *world, uint32_t file, const char *numbers, int64_t from)
{
	char path[16];

	snprintf(path, sizeof(path), "rank%u", file);
	assert_int_equal(tfp_profile_add_file(world->profile, path, "trace", 0, 0), file);
	if (!world->trace)
		world->trace = tfp_profile_make_trace(world->profile, TFP_NANOS);
	for (; *numbers; numbers++, from += 100)
		tfp_trace_mark_step(world->profile, file, file, *numbers - '0', 0, from,
				    from + LASTS);
}

static int compare_starts(const void *left, const void *right)
{
	const struct tfp_step_mark *a = left, *b = right;

	return a->span.start < b->span.start ? -1 : a->span.start > b->span.start;
}

/* The numbers of the steps of FILE, as they follow each other, are NUMBERS. */
static void expect(const struct world *world, uint32_t file, const char *numbers)
{
	struct tfp_step_mark marks[32];
	size_t count = 0;

	for (size_t i = 0; i < world->trace->marks.count; i++)
		if (world->trace->marks.at[i].file == file)
			marks[count++] = world->trace->marks.at[i];
	assert_int_equal(count, strlen(numbers));
	qsort(marks, count, sizeof(*marks), compare_starts);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(marks[i].number, numbers[i] - '0');
}

static bool tells(const struct world *world, const char *part)
{
	for (size_t i = 0; i < tfp_diag_count(world->diag); i++)
		if (strstr(tfp_diag_get(world->diag, i).text, part))
			return true;
	return false;
}

/* What runs at the same time is the same step, though one rank begins to record a step, or an epoch, later. */
static void test_ranks_that_begin_later(void **state)
{
	struct world *world = *state;

	mark(world, 0, "3412341", 1000);
	mark(world, 1, "412341", 1110);
	mark(world, 2, "2341", 1395);
	mark(world, 3, "34", 1480);
	tfp_trace_align(world->profile, world->diag);
	expect(world, 0, "3412567");
	expect(world, 1, "412567");
	expect(world, 2, "2567");
	expect(world, 3, "56");
	assert_false(tells(world, "can't be told"));
}

/* Steps that the first rank does not have; a number that another rank says is given to nothing else. */
static void test_steps_of_one_rank(void **state)
{
	struct world *world = *state;

	mark(world, 0, "1212", 1000);
	mark(world, 1, "121234", 1190);
	tfp_trace_align(world->profile, world->diag);
	expect(world, 0, "1256");
	expect(world, 1, "567834");
}

/* Clocks that differ: the first time is the first time, which is told unless the ranks begin with the same step. */
static void test_other_clocks(void **state)
{
	struct world *world = *state;

	mark(world, 0, "1212", 1000);
	mark(world, 1, "121", 500000);
	tfp_trace_align(world->profile, world->diag);
	expect(world, 0, "1234");
	expect(world, 1, "123");
	assert_false(tells(world, "can't be told"));
}

static void test_other_clocks_and_steps(void **state)
{
	struct world *world = *state;

	mark(world, 0, "1212", 1000);
	mark(world, 1, "212", 500000);
	tfp_trace_align(world->profile, world->diag);
	expect(world, 1, "214");
	assert_true(tells(world, "can't be told"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_ranks_that_begin_later),
		TEST(test_steps_of_one_rank),
		TEST(test_other_clocks),
		TEST(test_other_clocks_and_steps),
	};

	return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
