/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading pprof: files encoded by hand, one trait each. Damage is in test_pprof_damage.c, real files are
 * in test_pprof_files.c.
 */
#include "pprof_bytes.h"

/* The extra types of a node with a stop behind each. */
static const char *types_text(const struct tfp_profile *profile, uint32_t node)
{
	static char text[512];
	tfp_str types[16];
	size_t size = 0, count = tfp_profile_types(profile, node, types, 16);

	*text = 0;
	for (size_t i = 0; i < count; i++)
		if (types[i] != profile->nodes.op[node])
			size += (size_t)snprintf(text + size, sizeof(text) - size, "%s.",
						 tfp_strings_text(profile->strings, types[i]));
	return text;
}

static void check_small_profile(const struct tfp_profile *profile)
{
	assert_string_equal(profile->format, "pprof");
	assert_false(profile->tensorflow);
	assert_true(profile->has_stacks);
	assert_false(profile->has_graph);
	assert_true(profile->filled & TFP_PART_STACKS);
	assert_int_equal(profile->metric_count, 2);
	assert_int_equal(profile->default_metric, 1);
	assert_int_equal(profile->runs_column, 0);
	assert_int_equal(profile->nodes.count, 3);
	assert_string_equal(node_name(profile, 0), "inlin");
	assert_string_equal(stack_text(profile, 0),
			    "inlin lib.c:21 < hot lib.c:12 < main main.c:5");
	assert_string_equal(types_text(profile, 0), "thread=a.");
	assert_values(profile, 0, 4, 40000);
	assert_string_equal(node_name(profile, 1), "0xdead");
	assert_string_equal(stack_text(profile, 1), "0xdead /usr/lib/libx.so:-1 < main main.c:5");
	assert_string_equal(types_text(profile, 1), "bytes=64kb.");
	assert_values(profile, 1, 2, 20000);
	assert_int_equal(profile->nodes.stack[2], profile->nodes.stack[0]);
	assert_string_equal(types_text(profile, 2), "");
	assert_values(profile, 2, 4, -40000);
	assert_true(profile->metrics[1].negative);
	assert_int_equal(profile->frames.at[0].start_line, 1);
}

static void any_order_and_packing_mean_the_same(void **state)
{
	static const struct shape shapes[] = {
		{true, true, 1},  {true, false, 1},   {false, true, 1},
		{false, true, 7}, {true, true, 1000}, {true, true, UINT64_C(1) << 60},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		struct bytes file = small_profile(&shapes[i]);
		struct loaded loaded = load_once(&file);

		assert_true(loaded.done);
		assert_true(loaded.sure > 50);
		assert_int_equal(tfp_diag_count(loaded.diag), 0);
		check_small_profile(loaded.profile);
		unload(&loaded);
	}
}

/*
 * A profile of one sample without a stack, for tests of sample types: type I has the value I + 1.
 */
static struct bytes typed_profile(const char *const *strings, size_t types)
{
	struct bytes file = {0}, sample = {0};

	put_strings(&file, strings);
	for (size_t i = 0; i < types; i++)
		PUT_INTS(&file, 1, (int64_t)i * 2 + 1, (int64_t)i * 2 + 2);
	for (size_t i = 0; i < types; i++)
		put_int(&sample, 2, i + 1);
	put_message(&file, 2, &sample);
	return file;
}

static void units_become_the_models(void **state)
{
	static const char *const strings[] = {
		"",      "wall",   "seconds", "wall",     "Nanosecond", "heap size",
		"MB",    "inst,r", "",        "branches", "events",     "count",
		"count", "t",      "us",      "",         "ps",         NULL,
	};
	static const struct {
		const char *key, *label, *title;
		enum tfp_unit unit;
		int64_t value;
	} wanted[] = {
		{"wall", "wall (microseconds)", "WALL", TFP_MICROS, 1000000},
		{"wall_2", "wall (Nanosecond)", "WALL 2", TFP_NANOS, 2},
		{"heap_size", "heap size (bytes)", "HEAP SIZE", TFP_BYTES, 3 << 20},
		{"inst_r", "inst,r", "INST R", TFP_COUNT, 4},
		{"branches", "branches (events)", "BRANCHES", TFP_COUNT, 5},
		{"count", "count (count)", "COUNT", TFP_COUNT, 6},
		{"t", "t (us)", "T", TFP_MICROS, 7},
		{"value", "value (ps)", "VALUE", TFP_COUNT, 8},
	};
	size_t count = sizeof(wanted) / sizeof(*wanted);
	struct bytes file = typed_profile(strings, count);
	struct loaded loaded = load_once(&file);
	int64_t values[TFP_MAX_METRICS];

	(void)state;
	assert_int_equal(loaded.profile->metric_count, count);
	tfp_profile_values(loaded.profile, 0, 0, 0, values);
	for (size_t i = 0; i < count; i++) {
		const struct tfp_metric *metric = &loaded.profile->metrics[i];

		assert_string_equal(metric->key, wanted[i].key);
		assert_string_equal(metric->label, wanted[i].label);
		assert_string_equal(metric->title, wanted[i].title);
		assert_int_equal(metric->unit, wanted[i].unit);
		assert_int_equal(values[i], wanted[i].value);
	}
	assert_int_equal(loaded.profile->runs_column, 5);
	assert_int_equal(loaded.profile->default_metric, count - 1);
	assert_string_equal(node_name(loaded.profile, 0), "(no stack)");
	unload(&loaded);
}

static void default_type_is_chosen_by_name(void **state)
{
	static const char *const strings[] = {"", "a", "count", "b", "count", "c", "count", NULL};
	struct bytes file = typed_profile(strings, 3);
	struct loaded loaded;

	(void)state;
	put_int(&file, 14, 3);
	loaded = load_once(&file);
	assert_int_equal(loaded.profile->default_metric, 1);
	unload(&loaded);
}

static void types_beyond_the_most_are_left_out(void **state)
{
	static const char *const strings[] = {"", "x", "count", NULL};
	struct bytes file = {0}, sample = {0};
	int64_t values[TFP_MAX_METRICS];
	struct loaded loaded;

	(void)state;
	put_strings(&file, strings);
	for (int i = 0; i < TFP_MAX_METRICS + 3; i++) {
		PUT_INTS(&file, 1, 1, 2);
		put_int(&sample, 2, (uint64_t)i);
	}
	put_message(&file, 2, &sample);
	loaded = load_once(&file);
	assert_int_equal(loaded.profile->metric_count, TFP_MAX_METRICS);
	assert_string_equal(loaded.profile->metrics[TFP_MAX_METRICS - 1].key, "x_32");
	tfp_profile_values(loaded.profile, 0, 0, 0, values);
	assert_int_equal(values[TFP_MAX_METRICS - 1], TFP_MAX_METRICS - 1);
	assert_int_equal(tfp_diag_count(loaded.diag), 1);
	assert_true(has_problem(loaded.diag, "35 sample types: the last 3 are left out"));
	unload(&loaded);
}

static void labels_are_a_set(void **state)
{
	static const int64_t thread[] = {THREAD, A, -1}, size[] = {BYTES, 0, 64, -1};
	static const int64_t empty[] = {THREAD, -1};
	const int64_t *orders[][3] = {{thread, size, empty}, {size, thread, NULL}, {size, NULL}};
	struct bytes file = {0};
	struct loaded loaded;

	(void)state;
	put_strings(&file, texts);
	PUT_INTS(&file, 1, SAMPLES, COUNT);
	for (size_t i = 0; i < 3; i++) {
		struct bytes sample = {0};

		put_int(&sample, 2, 1);
		for (size_t k = 0; k < 3 && orders[i][k]; k++)
			put_ints(&sample, 3, orders[i][k]);
		put_message(&file, 2, &sample);
	}
	loaded = load_once(&file);
	assert_int_equal(loaded.profile->nodes.count, 2);
	assert_string_equal(types_text(loaded.profile, 0), "bytes=64.thread=a.");
	assert_string_equal(types_text(loaded.profile, 1), "bytes=64.");
	unload(&loaded);
}

static void other_formats_are_not_taken(void **state)
{
	static const char *const others[] = {
		"\x0a\x07\x0a\x05"
		"conv1",                      /* GraphDef */
		"\x0a\x06\x08\x01\x12\x02/x", /* XSpace */
		"node { name: \"x\" }",
		"\x32\x03"
		"abc",
	};
	struct tfp_source *source;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		source =
			tfp_source_from_bytes("x", (uint8_t *)strdup(others[i]), strlen(others[i]));
		assert_int_equal(tfp_pprof_loader.sniff(source), 0);
		tfp_source_free(source);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_and_packing_mean_the_same),
		cmocka_unit_test(units_become_the_models),
		cmocka_unit_test(default_type_is_chosen_by_name),
		cmocka_unit_test(types_beyond_the_most_are_left_out),
		cmocka_unit_test(labels_are_a_set),
		cmocka_unit_test(other_formats_are_not_taken),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
