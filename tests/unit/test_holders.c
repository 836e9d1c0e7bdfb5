/* SPDX-License-Identifier: Apache-2.0 */
/* Who holds most, after each of many changes, against a list that is looked through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/timeline/holders.h"

#define TOP 10

enum { NODES = 300, CHANGES = 5000 };

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* The largest value that is at most BYTES and not USED, of nodes with it the first; NODES: none. */
static uint32_t find_largest(const int64_t *held, const bool *used, int64_t bytes)
{
	uint32_t found = NODES;

	for (uint32_t node = 0; node < NODES; node++)
		if (held[node] > 0 && held[node] <= bytes && !used[node] &&
		    (found == NODES || held[node] > held[found]))
			found = node;
	return found;
}

static void check(const struct tfp_holders *holders, const int64_t *held, int64_t bytes)
{
	const struct tfp_held *top[TOP];
	bool used[NODES] = {false};
	int64_t rest;
	size_t count = tfp_holders_top(holders, bytes, top, TOP, &rest);

	for (size_t i = 0; i < count; i++) {
		uint32_t wanted = find_largest(held, used, bytes);

		assert_int_equal(top[i]->node, wanted);
		assert_int_equal(top[i]->value, held[wanted]);
		used[wanted] = true;
		bytes -= held[wanted];
	}
	assert_int_equal(rest, bytes);
	assert_true(count == TOP || find_largest(held, used, bytes) == NODES);
}

static void the_largest_come_first(void **state)
{
	struct tfp_held *changes = tfp_realloc_array(NULL, CHANGES, sizeof(*changes)), *copy;
	int64_t held[NODES] = {0};
	struct tfp_holders holders;
	uint32_t seed = 7;

	(void)state;
	copy = tfp_realloc_array(NULL, CHANGES, sizeof(*copy));
	for (uint32_t i = 0; i < CHANGES; i++)
		copy[i] = changes[i] = (struct tfp_held){(int64_t)(next_random(&seed) % 900) - 100,
							 next_random(&seed) % NODES, i};
	tfp_holders_start(&holders, changes, CHANGES, NODES);
	for (uint32_t i = 0; i < CHANGES; i++) {
		tfp_holders_change(&holders, i);
		held[copy[i].node] = copy[i].value;
		if (i % 7 == 0)
			check(&holders, held, next_random(&seed) % 9000);
	}
	tfp_holders_free(&holders);
	tfp_array_release(copy);
}

static void nothing_is_held_by_none(void **state)
{
	const struct tfp_held *top[TOP];
	struct tfp_holders holders;
	int64_t rest;

	(void)state;
	tfp_holders_start(&holders, tfp_realloc_array(NULL, 1, sizeof(struct tfp_held)), 0, 0);
	assert_int_equal(tfp_holders_top(&holders, 5, top, TOP, &rest), 0);
	assert_int_equal(rest, 5);
	tfp_holders_free(&holders);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_come_first),
		cmocka_unit_test(nothing_is_held_by_none),
	};

	return cmocka_run_group_tests_name("holders", tests, NULL, NULL);
}
