/* SPDX-License-Identifier: Apache-2.0 */
/* The text of numbers: the original's, the screen's, exact; and what is read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "tfprof/base.h"

struct number_case {
	enum tfp_unit unit;
	int64_t value;
	const char *text;
};

static void check(char *(*print)(char *, enum tfp_unit, int64_t), const struct number_case *cases,
		  size_t count)
{
	char buffer[TFP_NUMBER_ROOM];

	for (size_t i = 0; i < count; i++)
		assert_string_equal(print(buffer, cases[i].unit, cases[i].value), cases[i].text);
}

#define CHECK(print, cases) check(print, cases, sizeof(cases) / sizeof((cases)[0]))

static void compat_texts(void **state)
{
	static const struct number_case cases[] = {
		{TFP_MICROS, 0, "0us"},
		{TFP_MICROS, 999, "999us"},
		{TFP_MICROS, 1000, "1.00ms"},
		{TFP_MICROS, 999994, "999.99ms"},
		{TFP_MICROS, 999995, "1000.00ms"},
		{TFP_MICROS, 999999, "1000.00ms"},
		{TFP_MICROS, 1000000, "1.00sec"},
		{TFP_MICROS, 1569384000, "1569.38sec"},
		{TFP_MICROS, INT64_MAX, "9223372036854.78sec"},
		{TFP_BYTES, 999, "999B"},
		{TFP_BYTES, 1280, "1.28KB"},
		{TFP_BYTES, 14592, "14.59KB"},
		{TFP_BYTES, 2675, "2.67KB"}, /* the double is below the tie */
		{TFP_BYTES, 1115, "1.11KB"},
		{TFP_BYTES, 1000000000, "1000.00MB"},
		{TFP_COUNT, 10440, "10.44k"},
		{TFP_COUNT, 464154, "464.15k"},
		{TFP_COUNT, 1000000, "1.00m"},
		{TFP_COUNT, 999999999, "1000.00m"},
		{TFP_COUNT, 1000000000, "1.00b"},
		{TFP_COUNT, INT64_MAX, "9223372036.85b"},
		{TFP_COUNT, -1, "-1"},
		{TFP_MICROS, -5000, "-5000us"},
		{TFP_BYTES, INT64_MIN, "-9223372036854775808B"},
		{TFP_RATE, 46500, "46.50k"},
		{TFP_NANOS, 999, "999ns"},
		{TFP_NANOS, 1500, "1.50us"},
		{TFP_NANOS, 1500000000, "1.50sec"},
		{TFP_PICOS, 999, "999ps"},
		{TFP_PICOS, 2500, "2.50ns"},
		{TFP_PICOS, INT64_C(1500000000000), "1.50sec"},
	};

	(void)state;
	CHECK(tfp_number_compat, cases);
}

static void screen_texts(void **state)
{
	static const struct number_case cases[] = {
		{TFP_MICROS, 0, "0us"},
		{TFP_MICROS, 109770, "109.77ms"},
		{TFP_MICROS, 1569384, "1.57s"},
		{TFP_MICROS, 999994, "999.99ms"},
		{TFP_MICROS, 999995, "1.00s"},
		{TFP_MICROS, 59994999, "59.99s"},
		{TFP_MICROS, 59996000, "1.00min"},
		{TFP_MICROS, 90000000, "1.50min"},
		{TFP_MICROS, INT64_C(3599990000), "1.00h"},
		{TFP_MICROS, INT64_C(5400000000), "1.50h"},
		{TFP_MICROS, -1569384, "-1.57s"},
		{TFP_MICROS, INT64_MIN, "-292471y"},
		{TFP_MICROS, INT64_MAX, "292471y"},
		{TFP_MICROS, INT64_C(31535000000000), "8759.72h"},
		{TFP_MICROS, INT64_C(31536000000000), "1.00y"},
		{TFP_COUNT, INT64_MAX, "9223.37P"},
		{TFP_COUNT, 939, "939"},
		{TFP_COUNT, 2120, "2.12k"},
		{TFP_COUNT, 930580, "930.58k"},
		{TFP_COUNT, 999999, "1.00M"},
		{TFP_COUNT, INT64_C(6040000000), "6.04G"},
		{TFP_COUNT, INT64_C(1500000000000), "1.50T"},
		{TFP_BYTES, 1190000000, "1.19GB"},
		{TFP_BYTES, 2675, "2.67KB"}, /* the same digits as in a report */
		{TFP_BYTES, INT64_C(16000000000000), "16.00TB"},
		{TFP_BYTES, INT64_MIN, "-9223.37PB"},
		{TFP_RATE, INT64_C(46500000000), "46.50G/s"},
		{TFP_RATE, 12, "12/s"},
		{TFP_NANOS, 1500, "1.50us"},
		{TFP_NANOS, INT64_C(7200000000000), "2.00h"},
		{TFP_PICOS, 1500, "1.50ns"},
		{TFP_PICOS, INT64_MIN, "-2562.05h"},
	};

	(void)state;
	CHECK(tfp_number_screen, cases);
}

/* Integers must round as printf rounds the double, on every kind of value. */
static void compat_rounds_as_printf(void **state)
{
	static const struct {
		int64_t from;
		double unit;
		const char *suffix;
	} scales[] = {{1000, 1e3, "k"}, {1000000, 1e6, "m"}, {1000000000, 1e9, "b"}};
	char buffer[TFP_NUMBER_ROOM], expected[64];
	uint64_t random = 1;

	(void)state;
	for (size_t i = 0; i < 120000; i++) {
		size_t scale = i % 3;
		int64_t value;

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		value = scales[scale].from +
			(int64_t)((random >> 33) % (999 * (uint64_t)scales[scale].from));
		if (i % 2) /* onto a tie */
			value -= value % (scales[scale].from / 100) - scales[scale].from / 200;
		snprintf(expected, sizeof(expected), "%.2f%s", (double)value / scales[scale].unit,
			 scales[scale].suffix);
		assert_string_equal(tfp_number_compat(buffer, TFP_COUNT, value), expected);
	}
}

static void exact_texts(void **state)
{
	static const struct {
		int64_t value;
		const char *text;
	} cases[] = {
		{0, "0"},
		{-7, "-7"},
		{999, "999"},
		{1000, "1,000"},
		{-123456, "-123,456"},
		{1234567, "1,234,567"},
		{INT64_MAX, "9,223,372,036,854,775,807"},
		{INT64_MIN, "-9,223,372,036,854,775,808"},
	};
	char buffer[TFP_NUMBER_ROOM];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(tfp_number_exact(buffer, cases[i].value), cases[i].text);
}

/* Times that would look the same have as many digits as it takes. */
static void times_that_differ(void **state)
{
	char from[TFP_NUMBER_ROOM], to[TFP_NUMBER_ROOM];

	(void)state;
	tfp_number_times(from, to, TFP_NANOS, 8560000, 14270000);
	assert_string_equal(from, "8.56ms");
	assert_string_equal(to, "14.27ms");
	tfp_number_times(from, to, TFP_NANOS, 8361204, 8364204);
	assert_string_equal(from, "8,361us");
	assert_string_equal(to, "8,364us");
	tfp_number_times(from, to, TFP_PICOS, 8361204, 8361205);
	assert_string_equal(from, "8,361,204ps");
	assert_string_equal(to, "8,361,205ps");
	tfp_number_times(from, to, TFP_NANOS, 0, 1);
	assert_string_equal(from, "0ns");
	assert_string_equal(to, "1ns");
	assert_string_equal(tfp_number_tick(to, TFP_NANOS, 120300000, 1000), "120,300us");
}

static void times_that_look_the_same_have_more_digits(void **state)
{
	static const int64_t long_ago[] = {183802123456789, 183804123456789};
	static const int64_t times[] = {1503217000, 1503300000, 1504900000, 1520000000};
	uint64_t apart = tfp_number_nearest(TFP_NANOS, times, 4);
	char text[TFP_NUMBER_ROOM];

	(void)state;
	/* all of a list have as many */
	assert_int_equal(apart, 83000);
	assert_string_equal(tfp_number_time(text, TFP_NANOS, times[0], apart), "1.50321s");
	assert_string_equal(tfp_number_time(text, TFP_NANOS, times[3], apart), "1.52000s");
	assert_int_equal(tfp_number_nearest(TFP_NANOS, times + 1, 2), 1600000);
	assert_string_equal(tfp_number_time(text, TFP_NANOS, times[2], 1600000), "1.504s");
	apart = tfp_number_nearest(TFP_NANOS, times + 2, 2);
	assert_string_equal(tfp_number_time(text, TFP_NANOS, times[3], apart), "1.52s");
	/* minutes have no decimals that anybody reads */
	apart = tfp_number_nearest(TFP_PICOS, long_ago, 2);
	assert_string_equal(tfp_number_time(text, TFP_PICOS, long_ago[0], apart), "183.802s");
}

static void counts_have_commas(void **state)
{
	struct tfp_arena arena = {0};

	(void)state;
	assert_string_equal(tfp_number_count(&arena, 1, "step"), "1 step");
	assert_string_equal(tfp_number_count(&arena, 0, "step"), "0 steps");
	assert_string_equal(tfp_number_count(&arena, 1100, "step"), "1,100 steps");
	tfp_arena_free(&arena);
}

static void parses_whole_numbers(void **state)
{
	static const char *const bad[] = {
		"",
		"-",
		"+",
		" 1",
		"1 ",
		"1x",
		"--1",
		"0x10",
		"1.5",
		"1e3",
		"9223372036854775808",
		"-9223372036854775809",
	};
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{"0", 0},
		{"-0", 0},
		{"+17", 17},
		{"007", 7},
		{"9223372036854775807", INT64_MAX},
		{"-9223372036854775808", INT64_MIN},
	};
	int64_t value = 5;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(tfp_number_parse(bad[i], &value));
	assert_int_equal(value, 5);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(tfp_number_parse(good[i].text, &value));
		assert_true(value == good[i].value);
	}
}

static void sums_wrap(void **state)
{
	(void)state;
	assert_true(tfp_wrap_add(INT64_MAX, 1) == INT64_MIN);
	assert_true(tfp_wrap_mul(INT64_C(1) << 32, INT64_C(1) << 32) == 0);
	assert_true(tfp_wrap_mul(INT64_MIN, -1) == INT64_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compat_texts),
		cmocka_unit_test(screen_texts),
		cmocka_unit_test(compat_rounds_as_printf),
		cmocka_unit_test(exact_texts),
		cmocka_unit_test(times_that_differ),
		cmocka_unit_test(times_that_look_the_same_have_more_digits),
		cmocka_unit_test(counts_have_commas),
		cmocka_unit_test(parses_whole_numbers),
		cmocka_unit_test(sums_wrap),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
