/* SPDX-License-Identifier: Apache-2.0 */
/* The map of ids: beside a plain list, for keys that lie near each other, far apart, and first one and then the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "load/idmap.h"

#define COUNT 3000

/* Adds the keys, each twice, and looks for them and for what is beside them. */
static void check(const uint64_t *keys, size_t count)
{
	struct tfp_idmap map = {0};

	assert_int_equal(tfp_idmap_get(&map, keys[0]), TFP_NONE);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(tfp_idmap_get(&map, keys[i]), TFP_NONE);
		assert_int_equal(tfp_idmap_add(&map, keys[i], i), i);
		assert_int_equal(tfp_idmap_add(&map, keys[i], i + 1), i);
		assert_int_equal(map.count, i + 1);
	}
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(tfp_idmap_get(&map, keys[i]), i);
	tfp_idmap_free(&map);
	assert_int_equal(tfp_idmap_get(&map, keys[0]), TFP_NONE);
}

/* The key I of COUNT by a rule. */
static uint64_t upwards(uint32_t i)
{
	return 1000 + i;
}

static uint64_t downwards(uint32_t i)
{
	return UINT64_MAX - i;
}

static uint64_t in_steps(uint32_t i)
{
	return (uint64_t)i * 7;
}

static uint64_t far_apart(uint32_t i)
{
	return i * UINT64_C(0x9e3779b97f4a7c15);
}

/* Some near each other, then one at the other end of all numbers, and so on. */
static uint64_t near_and_far(uint32_t i)
{
	return i % 500 == 499 ? UINT64_MAX - i : i;
}

/* Both ends of all numbers are next to each other for who does not look. */
static uint64_t around_zero(uint32_t i)
{
	return i % 2 ? i : (uint64_t)0 - i - 1;
}

/* Few of them, far apart, then all that is between. */
static uint64_t filled_in(uint32_t i)
{
	return i < 30 ? i * 100 : (i - 30) / 99 * 100 + (i - 30) % 99 + 1;
}

static void keys_are_found(void **state)
{
	static uint64_t (*const rules[])(uint32_t) = {
		upwards, downwards, in_steps, far_apart, near_and_far, around_zero, filled_in};
	uint64_t keys[COUNT];

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		for (uint32_t k = 0; k < COUNT; k++)
			keys[k] = rules[i](k);
		check(keys, COUNT);
	}
}

/* Those that are near each other take a few bytes, and those that are not what they take in a table. */
static void room_is_in_proportion(void **state)
{
	struct tfp_idmap near = {0}, far = {0};

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		tfp_idmap_add(&near, upwards(i), i);
		tfp_idmap_add(&far, far_apart(i), i);
	}
	assert_true(near.span < 4 * COUNT && !near.room);
	assert_true(far.room <= 4 * COUNT && !far.span);
	tfp_idmap_free(&near);
	tfp_idmap_free(&far);
}

/* One far away turns an array into a table, and many that are near turn that into an array again. */
static void what_holds_them_follows_the_keys(void **state)
{
	struct tfp_idmap map = {0};

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		tfp_idmap_add(&map, i, i);
	assert_true(map.span && !map.room);
	tfp_idmap_add(&map, 100 * 100, 100);
	assert_true(map.room && !map.span);
	for (uint32_t i = 100; i < 1500; i++)
		tfp_idmap_add(&map, i, i + 1);
	assert_true(map.span && !map.room);
	assert_int_equal(tfp_idmap_get(&map, 99), 99);
	assert_int_equal(tfp_idmap_get(&map, 1499), 1500);
	assert_int_equal(tfp_idmap_get(&map, 100 * 100), 100);
	tfp_idmap_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_found),
		cmocka_unit_test(room_is_in_proportion),
		cmocka_unit_test(what_holds_them_follows_the_keys),
	};

	return cmocka_run_group_tests_name("idmap", tests, NULL, NULL);
}
