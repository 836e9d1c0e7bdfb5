/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting what is nearly in order: beside qsort, and equal ones as they stood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tfprof/base.h"

#define COUNT 700

struct thing {
	uint32_t key, place;
};

/* By key alone; counts how often it is asked. */
static int by_key(const void *left, const void *right, void *asked)
{
	const struct thing *a = left, *b = right;

	++*(size_t *)asked;
	return a->key < b->key ? -1 : a->key > b->key;
}

static int by_key_and_place(const void *left, const void *right)
{
	const struct thing *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->place < b->place ? -1 : 1;
}

/* Sorts things with these keys; how often they were compared. */
static size_t check(const uint32_t *keys, size_t count)
{
	struct thing things[COUNT], expected[COUNT];
	size_t asked = 0;

	for (uint32_t i = 0; i < count; i++)
		things[i] = expected[i] = (struct thing){keys[i], i};
	if (count)
		qsort(expected, count, sizeof(*expected), by_key_and_place);
	tfp_sort_nearly(things, count, sizeof(*things), by_key, &asked);
	assert_memory_equal(things, expected, count * sizeof(*things));
	return asked;
}

static void any_order_is_sorted(void **state)
{
	uint32_t keys[COUNT];

	(void)state;
	srandom(7);
	for (size_t count = 0; count < COUNT; count += 1 + count / 5)
		for (uint32_t most = 1; most < 100000; most *= 10) {
			for (size_t i = 0; i < count; i++)
				keys[i] = (uint32_t)random() % most;
			check(keys, count);
		}
}

/* Stretches, each later than those before but for its beginning, as two threads have it. */
static void long_stretches_cost_little(void **state)
{
	uint32_t keys[COUNT];

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++)
		keys[i] = i / 100 * 1000 + i % 50 * 2;
	assert_true(check(keys, COUNT) < 4 * COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		keys[i] = i;
	assert_true(check(keys, COUNT) < COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		keys[i] = COUNT - i;
	assert_true(check(keys, COUNT) < 12 * COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_is_sorted),
		cmocka_unit_test(long_stretches_cost_little),
	};

	return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
