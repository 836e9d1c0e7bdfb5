/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of numbers in half of their room: beside plain arrays, whatever is put into them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tfprof/near.h"

#define COUNT 1000 /* not whole pages */

struct pair {
	struct tfp_near column;
	uint32_t plain[COUNT];
};

static void start(struct pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	memset(pair->plain, 0xff, sizeof(pair->plain));
	tfp_near_resize(&pair->column, COUNT);
}

static void put(struct pair *pair, uint32_t at, uint32_t value)
{
	tfp_near_set(&pair->column, at, value);
	pair->plain[at] = value;
}

static void check(const struct pair *pair)
{
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(tfp_near_get(&pair->column, i), pair->plain[i]);
}

static void what_was_never_set_is_none(void **state)
{
	struct pair pair;

	(void)state;
	start(&pair);
	check(&pair);
	put(&pair, 7, TFP_NONE);
	check(&pair);
	put(&pair, 300, 5);
	put(&pair, 301, TFP_NONE);
	check(&pair);
	tfp_near_free(&pair.column);
}

static void near_numbers_take_half(void **state)
{
	struct pair pair;
	size_t bytes;

	(void)state;
	start(&pair);
	for (uint32_t i = 0; i < COUNT; i++)
		put(&pair, i, 70000 + i * 50);
	check(&pair);
	bytes = tfp_near_bytes(&pair.column);
	assert_in_range(bytes, COUNT * 2, COUNT * 2 + 300);
	tfp_near_free(&pair.column);
}

static void ends_of_the_range_fit(void **state)
{
	static const uint32_t values[] = {TFP_NONE - 1, TFP_NONE - 65535, TFP_NONE, 0, 65534,
					  65535};
	struct pair pair;

	(void)state;
	start(&pair);
	for (uint32_t i = 0; i < 6; i++) {
		put(&pair, i, values[i]);
		check(&pair);
		put(&pair, 512 + i / 3, values[i]);
		check(&pair);
	}
	tfp_near_free(&pair.column);
}

/* The same numbers in any order of widths, one by one and together. */
static void any_numbers_are_kept(void **state)
{
	static const uint32_t widths[] = {100, 40000, 66000, 1u << 20, UINT32_MAX};
	uint32_t values[COUNT];
	struct pair pair;

	(void)state;
	srandom(5);
	start(&pair);
	for (int round = 0; round < 200; round++) {
		uint32_t width = widths[random() % 5], base = (uint32_t)random() * 2;
		uint32_t from = (uint32_t)random() % COUNT;
		uint32_t count = (uint32_t)random() % (COUNT - from);

		for (uint32_t i = 0; i < count; i++) {
			values[i] = base + (uint32_t)random() % width;
			if (round % 3)
				put(&pair, from + i, values[i]);
		}
		if (round % 3 == 0) {
			tfp_near_fill(&pair.column, from, count, values);
			memcpy(pair.plain + from, values, count * sizeof(*values));
		}
		check(&pair);
	}
	tfp_near_free(&pair.column);
}

static void whole_pages_come_near_again(void **state)
{
	uint32_t values[COUNT];
	struct pair pair;

	(void)state;
	start(&pair);
	for (uint32_t i = 0; i < COUNT; i++)
		put(&pair, i, i << 20);
	check(&pair);
	assert_true(tfp_near_bytes(&pair.column) > (size_t)COUNT * 4);
	for (uint32_t i = 0; i < COUNT; i++)
		values[i] = pair.plain[i] = i / 2;
	tfp_near_fill(&pair.column, 0, COUNT, values);
	check(&pair);
	assert_true(tfp_near_bytes(&pair.column) < (size_t)COUNT * 4);
	tfp_near_free(&pair.column);
}

/* From the middle of a page on, over others that are whole, to the middle of one; what is behind is as it was. */
static void pages_are_written_at_once(void **state)
{
	struct pair pair;
	struct tfp_near_writer writer = {.column = &pair.column, .at = 100};

	(void)state;
	start(&pair);
	for (uint32_t i = 0; i < COUNT; i++)
		put(&pair, i, i);
	for (uint32_t i = 100; i < 900; i++) {
		assert_int_equal(tfp_near_get(&pair.column, i), i);
		pair.plain[i] = i % 3 ? i + (1u << 20) : TFP_NONE;
		tfp_near_write(&writer, pair.plain[i]);
	}
	tfp_near_flush(&writer);
	check(&pair);
	/* those at the edges, of which half lies far from the other half, are wide */
	assert_true(tfp_near_bytes(&pair.column) < (size_t)COUNT * 4 + 1024);
	tfp_near_free(&pair.column);
}

static void what_is_cleared_is_none(void **state)
{
	struct pair pair;

	(void)state;
	start(&pair);
	for (uint32_t i = 0; i < COUNT; i++)
		put(&pair, i, i << (i < 500 ? 0 : 20));
	tfp_near_clear(&pair.column, 100, 700);
	memset(pair.plain + 100, 0xff, 700 * sizeof(*pair.plain));
	check(&pair);
	put(&pair, 300, 9);
	check(&pair);
	tfp_near_clear(&pair.column, 0, 1024);
	memset(pair.plain, 0xff, sizeof(pair.plain));
	check(&pair);
	assert_true(tfp_near_bytes(&pair.column) < 256);
	tfp_near_free(&pair.column);
}

static void room_grows(void **state)
{
	struct tfp_near column = {0};

	(void)state;
	tfp_near_resize(&column, 1);
	tfp_near_set(&column, 0, 9);
	tfp_near_resize(&column, 5000);
	assert_int_equal(tfp_near_get(&column, 0), 9);
	assert_int_equal(tfp_near_get(&column, 4999), TFP_NONE);
	tfp_near_set(&column, 4999, 3);
	assert_int_equal(tfp_near_get(&column, 4999), 3);
	tfp_near_free(&column);
	assert_int_equal(tfp_near_bytes(&column), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_never_set_is_none),
		cmocka_unit_test(near_numbers_take_half),
		cmocka_unit_test(ends_of_the_range_fit),
		cmocka_unit_test(any_numbers_are_kept),
		cmocka_unit_test(whole_pages_come_near_again),
		cmocka_unit_test(pages_are_written_at_once),
		cmocka_unit_test(what_is_cleared_is_none),
		cmocka_unit_test(room_grows),
	};

	return cmocka_run_group_tests_name("near", tests, NULL, NULL);
}
