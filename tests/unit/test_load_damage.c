/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged files: cut at every byte, or with one byte changed, they yield what is whole, and say so.
 */
#include "load_help.h"

#include <setjmp.h>

#include <cmocka.h>

struct loaded {
	struct tfp_profile *profile;
	struct tfp_diag *diag;
	bool good;
};

static struct loaded load_bytes(const char *loader, const uint8_t *bytes, size_t size)
{
	struct loaded loaded = {tfp_profile_new(), tfp_diag_new(), false};

	tfp_profile_make_tensorflow(loaded.profile);
	loaded.good = load_source(loaded.profile, loader, source_of("bytes", bytes, size), 0,
				  loaded.diag);
	assert_true(tfp_profile_need(loaded.profile, 15, NULL, loaded.diag));
	return loaded;
}

static void drop(struct loaded *loaded)
{
	tfp_profile_free(loaded->profile);
	tfp_diag_free(loaded->diag);
}

static struct tfp_source *fixture(const char *path)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_source *source = open_fixture(path, diag);

	assert_non_null(source);
	tfp_diag_free(diag);
	return source;
}

static size_t count_nodes(const struct tfp_profile *profile)
{
	return profile->nodes.count;
}

static size_t count_execs(const struct tfp_profile *profile)
{
	return profile->execs.count;
}

/* However the file is cut, more bytes never tell less, and only whole elements make no problem. */
static void check_cuts(const char *path, const char *loader, size_t stride,
		       size_t (*count)(const struct tfp_profile *profile))
{
	struct tfp_source *source = fixture(path);
	size_t most = 0, quiet = 0;

	for (size_t size = 0; size <= source->size; size += stride) {
		struct loaded loaded = load_bytes(loader, source->data, size);
		size_t now = count(loaded.profile);

		assert_true(now >= most);
		most = now;
		quiet += !tfp_diag_count(loaded.diag);
		drop(&loaded);
	}
	assert_true(most > 10);
	assert_true(quiet <= most + 8);
	tfp_source_free(source);
}

static void cut_graphs_keep_their_nodes(void **state)
{
	(void)state;
	check_cuts("tiny/graph.pb.gz", "graphdef", 1, count_nodes);
}

/* All of run metadata is one element that holds all others. */
static void cut_run_metadata_keeps_its_records(void **state)
{
	(void)state;
	check_cuts("tiny/run_meta_0.pb.gz", "runmeta", 1, count_execs);
}

static size_t count_devices(const struct tfp_profile *profile)
{
	size_t known = 0;

	for (uint32_t i = 0; i < profile->execs.count; i++)
		known += profile->execs.at[i].device != 0;
	return known;
}

/* What a cut file has left is on its device, and the cut is told once, at the end. */
static void cut_run_metadata_keeps_its_devices(void **state)
{
	struct tfp_source *source = fixture("tiny/run_meta_0.pb.gz");
	size_t told = 0;

	(void)state;
	for (size_t size = source->size / 4; size < source->size; size++) {
		struct loaded loaded = load_bytes("runmeta", source->data, size);

		assert_true(loaded.good);
		assert_int_equal(count_devices(loaded.profile), count_execs(loaded.profile));
		assert_int_equal(tfp_diag_count(loaded.diag), 1);
		told += strstr(tfp_diag_get(loaded.diag, 0).text, "the file ends") != NULL;
		assert_true(tfp_diag_get(loaded.diag, 0).offset <= (int64_t)size);
		drop(&loaded);
	}
	assert_int_equal(told, source->size - source->size / 4);
	tfp_source_free(source);
}

static void cut_saved_profiles_keep_their_nodes(void **state)
{
	(void)state;
	check_cuts("tiny/profile.pb.gz", "profileproto", 53, count_nodes);
}

/* The number of nodes left when the byte AT is VALUE; what is told of it goes to PROBLEMS. */
static size_t count_with(const char *loader, const struct tfp_source *source, size_t at,
			 uint8_t value, size_t (*count)(const struct tfp_profile *profile),
			 size_t *problems)
{
	uint8_t *bytes = tfp_alloc(source->size);
	struct loaded loaded;
	size_t left;

	memcpy(bytes, source->data, source->size);
	bytes[at] = value;
	loaded = load_bytes(loader, bytes, source->size);
	left = count(loaded.profile);
	*problems = tfp_diag_count(loaded.diag);
	drop(&loaded);
	tfp_array_release(bytes);
	return left;
}

/* A changed length in the middle costs a few elements, never all that follow. */
static void check_changed_bytes(const char *path, const char *loader, size_t stride)
{
	static const uint8_t values[] = {0x00, 0x01, 0x0a, 0x7f, 0x80, 0xff};
	struct tfp_source *source = fixture(path);
	size_t whole, problems, least;

	whole = count_with(loader, source, 0, source->data[0], count_nodes, &problems);
	assert_int_equal(problems, 0);
	least = whole;
	for (size_t at = 0; at < source->size; at += stride)
		for (size_t i = 0; i < sizeof(values); i++) {
			size_t left =
				count_with(loader, source, at, values[i], count_nodes, &problems);

			least = left < least ? left : least;
		}
	assert_true(least >= whole - 10);
	tfp_source_free(source);
}

static void one_byte_costs_few_nodes(void **state)
{
	(void)state;
	check_changed_bytes("tiny/graph.pb.gz", "graphdef", 3);
	check_changed_bytes("tiny/profile.pb.gz", "profileproto", 61);
}

/* The position of the first byte of PART in the source. */
static size_t place_of(const struct tfp_source *source, const char *part)
{
	const uint8_t *at = memmem(source->data, source->size, part, strlen(part));

	assert_non_null(at);
	return (size_t)(at - source->data);
}

/* The lengths of the step and of the device come before the device's name: two bytes each. */
static void wrong_lengths_above_records_cost_few(void **state)
{
	static const uint8_t values[] = {0x01, 0x02, 0x12, 0x14, 0x7f};
	struct tfp_source *source = fixture("tiny/run_meta_0.pb.gz");
	size_t name = place_of(source, "/job:"), problems, whole, left;

	(void)state;
	whole = count_with("runmeta", source, 0, source->data[0], count_execs, &problems);
	assert_int_equal(problems, 0);
	for (size_t back = 3; back <= 6; back += 3)
		for (size_t i = 0; i < sizeof(values); i++) {
			left = count_with("runmeta", source, name - back, values[i], count_execs,
					  &problems);
			assert_true(left + 1 >= whole);
			assert_true(problems > 0);
		}
	tfp_source_free(source);
}

static void garbage_is_no_file_of_any_kind(void **state)
{
	static const char *const names[] = {"graphdef", "runmeta", "oplog", "profileproto"};
	static const char garbage[] = "This is a letter, not a profile.\nSincerely\xff\xfe";

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct loaded loaded =
			load_bytes(names[i], (const uint8_t *)garbage, sizeof(garbage) - 1);

		assert_false(loaded.good);
		assert_int_equal(problem_with(loaded.diag, "this is no").severity, TFP_ERROR);
		drop(&loaded);
	}
}

/* What is cut short is not said to be no file of a kind that nobody said it was. */
static void a_short_piece_may_be_of_several_kinds(void **state)
{
	static const char piece[] = "\x0a\xda\xc1\x0e\x12\x0e/host:";

	(void)state;
	for (size_t size = 7; size < sizeof(piece) - 1; size++) {
		struct loaded loaded = load_bytes("metagraph", (const uint8_t *)piece, size);
		struct tfp_problem problem;

		assert_false(loaded.good);
		problem = problem_with(loaded.diag, "may be the beginning of MetaGraphDef");
		assert_int_equal(problem.severity, TFP_ERROR);
		assert_non_null(strstr(problem.text, "XPlane recording"));
		drop(&loaded);
	}
}

/* A graph within a graph within …: a million levels must not need a stack of any depth. */
static void nesting_costs_no_stack(void **state)
{
	size_t size = 1 << 20;
	uint8_t *bytes = tfp_alloc(size);
	static const char *const names[] = {"graphdef", "runmeta", "oplog", "profileproto"};

	(void)state;
	for (size_t i = 0; i < size; i++)
		bytes[i] = i % 4 ? 0x84 : 0x0a;
	for (size_t i = 3; i < size; i += 4)
		bytes[i] = 0x7f;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct loaded loaded = load_bytes(names[i], bytes, size);

		drop(&loaded);
	}
	tfp_array_release(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_graphs_keep_their_nodes),
		cmocka_unit_test(cut_run_metadata_keeps_its_records),
		cmocka_unit_test(cut_run_metadata_keeps_its_devices),
		cmocka_unit_test(cut_saved_profiles_keep_their_nodes),
		cmocka_unit_test(one_byte_costs_few_nodes),
		cmocka_unit_test(wrong_lengths_above_records_cost_few),
		cmocka_unit_test(garbage_is_no_file_of_any_kind),
		cmocka_unit_test(a_short_piece_may_be_of_several_kinds),
		cmocka_unit_test(nesting_costs_no_stack),
	};

	return cmocka_run_group_tests_name("load damage", tests, NULL, NULL);
}
