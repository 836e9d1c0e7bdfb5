/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading pprof: files encoded by hand, one trait each, and every way in which they can be damaged.
 * Real files are in test_pprof_files.c.
 */
#include "load/loaders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- writing protobuf ---------------------------------------------------------------------- */

struct bytes {
	uint8_t *at;
	size_t count, room;
};

static void put_varint(struct bytes *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*tfp_array_push(bytes) = (uint8_t)(value | 0x80);
	*tfp_array_push(bytes) = (uint8_t)value;
}

static void put_int(struct bytes *bytes, uint32_t field, uint64_t value)
{
	put_varint(bytes, field << 3 | TFP_WIRE_VARINT);
	put_varint(bytes, value);
}

static void put_bytes(struct bytes *bytes, uint32_t field, const void *at, size_t size)
{
	put_varint(bytes, field << 3 | TFP_WIRE_BYTES);
	put_varint(bytes, size);
	for (size_t i = 0; i < size; i++)
		*tfp_array_push(bytes) = ((const uint8_t *)at)[i];
}

/* Puts MESSAGE, which is freed. */
static void put_message(struct bytes *bytes, uint32_t field, struct bytes *message)
{
	put_bytes(bytes, field, message->at, message->count);
	tfp_array_free(message);
}

/* A message of the integers of LIST, ended by -1, as fields 1, 2, 3 …; zeros are left out. */
static void put_ints(struct bytes *bytes, uint32_t field, const int64_t *list)
{
	struct bytes message = {0};

	for (uint32_t i = 0; list[i] != -1; i++)
		if (list[i])
			put_int(&message, i + 1, (uint64_t)list[i]);
	put_message(bytes, field, &message);
}

#define PUT_INTS(bytes, field, ...) put_ints((bytes), (field), (const int64_t[]){__VA_ARGS__, -1})

static void put_repeated(struct bytes *bytes, uint32_t field, bool packed, const uint64_t *list,
			 size_t count)
{
	struct bytes run = {0};

	for (size_t i = 0; i < count; i++) {
		if (packed)
			put_varint(&run, list[i]);
		else
			put_int(bytes, field, list[i]);
	}
	if (packed)
		put_message(bytes, field, &run);
}

static void put_strings(struct bytes *bytes, const char *const *strings)
{
	for (; *strings; strings++)
		put_bytes(bytes, 6, *strings, strlen(*strings));
}

/* ---- a small profile ------------------------------------------------------------------------ */

static const char *const texts[] = {
	"",      "samples", "count",  "cpu", "milliseconds", "main", "main.c",           "hot",
	"inlin", "lib.c",   "thread", "a",   "bytes",        "kb",   "/usr/lib/libx.so", NULL,
};

enum {
	SAMPLES = 1,
	COUNT,
	CPU,
	MILLISECONDS,
	MAIN,
	MAIN_C,
	HOT,
	INLINED,
	LIB_C,
	THREAD,
	A,
	BYTES,
	KB,
	LIBX
};

struct shape {
	bool packed;       /* repeated integers are packed */
	bool strings_last; /* else first */
	uint64_t ids;      /* ids of locations and functions are multiples of this */
};

static void put_sample(struct bytes *file, const struct shape *shape, const uint64_t *locations,
		       size_t count, int64_t runs, int64_t time, const int64_t *label)
{
	uint64_t ids[8], values[2] = {(uint64_t)runs, (uint64_t)time};
	struct bytes sample = {0};

	for (size_t i = 0; i < count; i++)
		ids[i] = locations[i] * shape->ids;
	put_repeated(&sample, 1, shape->packed, ids, count);
	put_repeated(&sample, 2, shape->packed, values, 2);
	if (label)
		put_ints(&sample, 3, label);
	put_message(file, 2, &sample);
}

/* main calls hot, into which something is inlined; main calls code without a name. */
static void put_tables(struct bytes *file, const struct shape *shape)
{
	int64_t ids = (int64_t)shape->ids;
	struct bytes location = {0};

	PUT_INTS(file, 3, 7, 0, 0, 0, LIBX);
	put_int(&location, 1, 1 * shape->ids);
	PUT_INTS(&location, 4, 1 * ids, 5);
	put_message(file, 4, &location);
	put_int(&location, 1, 2 * shape->ids);
	PUT_INTS(&location, 4, 3 * ids, 21);
	PUT_INTS(&location, 4, 2 * ids, 12);
	put_message(file, 4, &location);
	PUT_INTS(file, 4, 3 * ids, 7, 0xdead);
	PUT_INTS(file, 5, 1 * ids, MAIN, MAIN, MAIN_C, 1);
	PUT_INTS(file, 5, 2 * ids, HOT, HOT, LIB_C, 10);
	PUT_INTS(file, 5, 3 * ids, 0, INLINED, LIB_C, 20);
}

static struct bytes small_profile(const struct shape *shape)
{
	static const uint64_t hot[] = {2, 1}, nameless[] = {3, 1};
	static const int64_t thread[] = {THREAD, A, -1}, size[] = {BYTES, 0, 64, KB, -1};
	struct bytes file = {0};

	if (!shape->strings_last)
		put_strings(&file, texts);
	put_int(&file, 9, 1234567890123456789);
	PUT_INTS(&file, 1, SAMPLES, COUNT);
	PUT_INTS(&file, 1, CPU, MILLISECONDS);
	put_sample(&file, shape, hot, 2, 1, 10, thread);
	put_sample(&file, shape, nameless, 2, 2, 20, size);
	put_sample(&file, shape, hot, 2, 3, 30, thread);
	put_tables(&file, shape);
	put_sample(&file, shape, hot, 2, 4, -40, NULL);
	if (shape->strings_last)
		put_strings(&file, texts);
	return file;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct loaded {
	struct tfp_diag *diag;
	struct tfp_profile *profile;
	bool done;
	int sure;
};

static struct loaded load(const struct bytes *file)
{
	struct loaded loaded = {tfp_diag_new(), tfp_profile_new(), false, 0};
	uint8_t *copy = memcpy(tfp_alloc(file->count), file->at, file->count);
	struct tfp_source *source = tfp_source_from_bytes("test.pprof", copy, file->count);

	loaded.sure = tfp_pprof_loader.sniff(source);
	tfp_profile_add_file(loaded.profile, source->path, tfp_pprof_loader.label, 0, 0);
	loaded.done = tfp_pprof_loader.load(loaded.profile, source, 0, 0, NULL, loaded.diag);
	tfp_profile_finish(loaded.profile);
	return loaded;
}

static struct loaded load_once(struct bytes *file)
{
	struct loaded loaded = load(file);

	tfp_array_free(file);
	return loaded;
}

static void unload(struct loaded *loaded)
{
	tfp_profile_free(loaded->profile);
	tfp_diag_free(loaded->diag);
}

/* "main main.c:5 < hot …", innermost first, of a node. */
static const char *stack_text(const struct tfp_profile *profile, uint32_t node)
{
	static char text[512];
	size_t size = 0;

	*text = 0;
	for (uint32_t i = profile->nodes.stack[node]; i != TFP_NONE;
	     i = profile->stacks.at[i].parent) {
		const struct tfp_frame *frame = &profile->frames.at[profile->stacks.at[i].frame];

		size += (size_t)snprintf(
			text + size, sizeof(text) - size, "%s%s %s:%d", size ? " < " : "",
			tfp_strings_text(profile->strings, frame->function),
			tfp_strings_text(profile->strings, frame->file), frame->line);
	}
	return text;
}

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

static const char *node_name(const struct tfp_profile *profile, uint32_t node)
{
	return tfp_strings_text(profile->strings, profile->nodes.name[node]);
}

static void assert_values(const struct tfp_profile *profile, uint32_t node, int64_t first,
			  int64_t second)
{
	int64_t values[TFP_MAX_METRICS] = {0};

	tfp_profile_values(profile, node, 0, 0, values);
	assert_int_equal(values[0], first);
	assert_int_equal(values[1], second);
}

static bool has_problem(const struct tfp_diag *diag, const char *part)
{
	for (size_t i = 0; i < tfp_diag_count(diag); i++)
		if (strstr(tfp_diag_get(diag, i).text, part))
			return true;
	return false;
}

/* ---- tests ---------------------------------------------------------------------------------- */

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
		cmocka_unit_test(what_is_missing_gets_a_stand_in),
		cmocka_unit_test(counts_of_values_may_differ),
		cmocka_unit_test(inlining_is_bounded),
		cmocka_unit_test(a_cut_file_keeps_what_came_before),
		cmocka_unit_test(a_wrong_byte_is_survived),
		cmocka_unit_test(texts_behind_damage_are_not_trusted),
		cmocka_unit_test(other_formats_are_not_taken),
	};

	return cmocka_run_group_tests_name("pprof", tests, NULL, NULL);
}
