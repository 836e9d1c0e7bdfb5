/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every way in which a pprof file can be damaged: what is whole of it is kept.
 */
#include "pprof_bytes.h"

static void what_is_missing_gets_a_stand_in(void **state)
{
	static const uint64_t locations[] = {1, 9, 2};
	const struct shape shape = {true, true, 1};
	struct bytes file = {0}, location = {0};
	struct loaded loaded;

	(void)state;
	put_strings(&file, texts);
	PUT_INTS(&file, 1, SAMPLES, COUNT);
	PUT_INTS(&file, 1, CPU, MILLISECONDS);
	put_sample(&file, &shape, locations, 3, 1, 1, NULL);
	put_sample(&file, &shape, locations, 2, 1, 1, NULL);
	PUT_INTS(&file, 4, 1, 5, 0xabc);
	put_int(&location, 1, 2);
	PUT_INTS(&location, 4, 77, 5);
	put_message(&file, 4, &location);
	PUT_INTS(&file, 4, 2, 0, 0xdef);
	put_int(&file, 7, 500);
	loaded = load_once(&file);
	assert_string_equal(stack_text(loaded.profile, 0),
			    "0xabc :-1 < (missing location 9) :-1 < (missing function 77) :-1");
	assert_true(has_problem(loaded.diag, "location 9 is not in the file"));
	assert_true(has_problem(loaded.diag, "function 77 is not in the file"));
	assert_true(has_problem(loaded.diag, "mapping 5 is not in the file"));
	assert_true(has_problem(loaded.diag, "id 2 is given twice"));
	assert_true(has_problem(loaded.diag, "frames to drop"));
	unload(&loaded);
}

static void counts_of_values_may_differ(void **state)
{
	static const uint64_t values[] = {5, UINT64_MAX, 7};
	struct bytes file = {0};
	struct loaded loaded;

	(void)state;
	put_strings(&file, texts);
	PUT_INTS(&file, 1, SAMPLES, COUNT);
	PUT_INTS(&file, 1, CPU, MILLISECONDS);
	for (size_t count = 0; count <= 3; count++) {
		struct bytes sample = {0};

		put_repeated(&sample, 2, true, values, count);
		put_message(&file, 2, &sample);
	}
	loaded = load_once(&file);
	assert_values(loaded.profile, 0, 15, -2000);
	assert_int_equal(tfp_diag_count(loaded.diag), 2);
	assert_true(has_problem(loaded.diag, "a sample is damaged"));
	assert_true(has_problem(loaded.diag, "a sample has 1 values for 2 sample types"));
	unload(&loaded);
}

/* One location of many lines, named by many samples: more frames than the file has bytes. */
static void inlining_is_bounded(void **state)
{
	uint64_t ids[2000];
	struct bytes file = {0}, location = {0}, sample = {0};
	struct loaded loaded;

	(void)state;
	put_strings(&file, texts);
	PUT_INTS(&file, 1, SAMPLES, COUNT);
	put_int(&location, 1, 1);
	for (int i = 0; i < 2000; i++) {
		PUT_INTS(&location, 4, 1, i + 1);
		ids[i] = 1;
	}
	put_message(&file, 4, &location);
	PUT_INTS(&file, 5, 1, MAIN);
	put_repeated(&sample, 1, true, ids, 2000);
	put_int(&sample, 2, 1);
	put_message(&file, 2, &sample);
	loaded = load_once(&file);
	assert_true(loaded.profile->stacks.count < 200000);
	assert_true(loaded.profile->stacks.count >= 2000);
	assert_true(has_problem(loaded.diag, "too many inlined functions"));
	unload(&loaded);
}

static int64_t total_of(const struct tfp_profile *profile)
{
	int64_t values[TFP_MAX_METRICS], total = 0;

	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		tfp_profile_values(profile, node, 0, 0, values);
		total += values[0];
	}
	return total;
}

static void a_cut_file_keeps_what_came_before(void **state)
{
	const struct shape shape = {true, false, 1};
	struct bytes file = small_profile(&shape);
	size_t whole = file.count;
	int64_t total = 0;

	(void)state;
	for (file.count = 1; file.count < whole; file.count++) {
		struct loaded loaded = load(&file);
		int64_t now = total_of(loaded.profile);

		assert_true(now >= total);
		total = now;
		assert_int_equal(loaded.done, loaded.profile->metric_count > 0);
		if (!loaded.done)
			assert_true(tfp_diag_errors(loaded.diag) > 0);
		unload(&loaded);
	}
	assert_int_equal(total, 6);
	tfp_array_free(&file);
}

/* Any one byte wrong: nothing but the numbers and names may suffer. */
static void a_wrong_byte_is_survived(void **state)
{
	const struct shape shape = {true, true, 1};
	struct bytes file = small_profile(&shape);

	(void)state;
	for (size_t i = 0; i < file.count; i++) {
		for (int bit = 0; bit < 8; bit++) {
			struct loaded loaded;

			file.at[i] ^= (uint8_t)(1 << bit);
			loaded = load(&file);
			file.at[i] ^= (uint8_t)(1 << bit);
			for (uint32_t node = 0; node < loaded.profile->nodes.count; node++)
				stack_text(loaded.profile, node);
			unload(&loaded);
		}
	}
	tfp_array_free(&file);
}

/* Texts behind damage have lost their places: better no name than another's. */
static void texts_behind_damage_are_not_trusted(void **state)
{
	static const uint8_t broken[] = {6 << 3 | TFP_WIRE_BYTES, 0xff, 0xff, 0xff, 0xff, 0x7f};
	const struct shape shape = {true, true, 1};
	static const uint64_t hot[] = {2, 1};
	struct bytes file = small_profile(&shape);
	struct loaded loaded;

	(void)state;
	for (size_t i = 0; i < sizeof(broken); i++)
		*tfp_array_push(&file) = broken[i];
	put_sample(&file, &shape, hot, 2, 100, 100, NULL);
	put_strings(&file, texts);
	loaded = load_once(&file);
	assert_true(has_problem(loaded.diag, "damaged pprof sample"));
	assert_values(loaded.profile, 2, 104, 60000);
	assert_string_equal(node_name(loaded.profile, 0), "inlin");
	unload(&loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_missing_gets_a_stand_in),
		cmocka_unit_test(counts_of_values_may_differ),
		cmocka_unit_test(inlining_is_bounded),
		cmocka_unit_test(a_cut_file_keeps_what_came_before),
		cmocka_unit_test(a_wrong_byte_is_survived),
		cmocka_unit_test(texts_behind_damage_are_not_trusted),
	};

	return cmocka_run_group_tests_name("damaged pprof", tests, NULL, NULL);
}
