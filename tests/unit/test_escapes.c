/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON may write any letter by its number: a recording in which all keys and texts are written so is known for what it is, and
 * says the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "load/find/ranked.h"

/* What the recordings of the fixtures do not have. */
static const char torch[] =
	"{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"H100\"}],\n"
	"\"distributedInfo\": {\"rank\": 3, \"world_size\": 4}, \"traceEvents\": [\n" X(
		"cpu_op", "aten::_softmax", "1", "\"1\"", "1", "9",
		"\"Input Dims\": [[2, 8], [], []], \"Input type\": [\"float\", \"Scalar\", \"\"],"
		"\"Concrete Inputs\": [\"\", \"-1\", \"False\"]") X("cpu_op", "aten::mm", "1",
								    "\"1\"", "20", "90",
								    "\"Input Dims\": [[2, 3], [3, 4]], "
								    "\"Input type\": [\"c10::BFloat16\", "
								    "\"c10::complex<float>\"], "
								    "\"External id\": \"5\"")
		X("kernel", "k", "0", "\"stream 7\"", "50", "20",
		  "\"External id\": \"5\", \"stream\": 7, \"est. achieved occupancy %\": \"50\"")
			X("cpu_op", "own", "1", "\"1\"", "200", "1", "\"flops\": \"77\"") X(
				"user_annotation", "ProfilerStep#3", "1", "\"1\"", "0", "300",
				"") "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\", \"pid\": 1, \"tid\": "
				    "\"1\", \"ts\": 25, \"args\": {\"Bytes\": \"512\", \"Addr\": 7, \"Device Type\": 1, "
				    "\"Device Id\": 0}},\n"
				    "{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"name\": \"[OutOfMemory]\", \"pid\": 1, "
				    "\"tid\": \"1\", \"ts\": 26, \"args\": {\"Bytes\": 9}}]}";
static const char others[] =
	"{\"stackFrames\": {\"7\": {\"name\": \"main\", \"category\": \"app\"}, \"8\": {\"name\": "
	"\"f\", \"parent\": \"7\"}}, \"traceEvents\": [\n"
	"{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": \"p\", \"tid\": \"t\", \"args\": {\"name\": "
	"\"worker\"}},\n"
	"{\"ph\": \"B\", \"cat\": \"py-spy\", \"name\": \"load\", \"pid\": \"p\", \"tid\": \"t\", \"ts\": 1, "
	"\"sf\": \"8\"},\n"
	"{\"ph\": \"E\", \"cat\": \"py-spy\", \"name\": \"load\", \"pid\": \"p\", \"tid\": \"t\", \"ts\": 9, "
	"\"args\": {\"filename\": \"a.py\", \"line\": \"12\"}},\n"
	"{\"ph\": \"b\", \"cat\": \"net\", \"name\": \"get\", \"id\": \"0x1f\", \"pid\": \"p\", \"ts\": 3},\n"
	"{\"ph\": \"e\", \"cat\": \"net\", \"name\": \"get\", \"id\": 31, \"pid\": \"p\", \"ts\": 6},\n"
	"{\"ph\": \"C\", \"name\": \"memory\", \"pid\": \"p\", \"ts\": \"4\", \"args\": {\"used\": \"5\", "
	"\"value\": 6}}]}";
static const char timeline[] =
	"{\"traceEvents\": [\n"
	"{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {\"name\": "
	"\"/job:localhost/replica:0/task:0/device:CPU:0 Compute\"}},\n"
	"{\"name\": \"MatMul\", \"ph\": \"X\", \"cat\": \"Op\", \"pid\": 0, \"tid\": 0, \"ts\": 5, "
	"\"dur\": 7, \"args\": {\"name\": \"a/mul\", \"op\": \"MatMul\"}}]}";

/* TEXT with each letter of its strings by its number; what has a backslash already stays. */
static char *escaped(const char *text, size_t size, size_t *length)
{
	char *out = NULL;
	FILE *file = open_memstream(&out, length);
	bool inside = false;

	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)text[i];

		if (inside && c == '\\') {
			fputc(c, file);
			c = (unsigned char)text[++i];
		} else if (c == '"') {
			inside = !inside;
		} else if (inside && c < 0x7f && !(text[i - 1] == 'u' && text[i - 2] == '\\')) {
			fprintf(file, "\\u%04x", c);
			continue;
		}
		fputc(c, file);
	}
	fclose(file);
	return out;
}

/* Which loader is the surest of it. */
static size_t recognised(const struct tfp_source *source)
{
	size_t found = 0;
	int best = 0;

	for (size_t i = 0; tfp_loaders[i]; i++) {
		int sure = tfp_loaders[i]->sniff(source);

		if (sure > best) {
			best = sure;
			found = i;
		}
	}
	assert_true(best > 0);
	return found;
}

static struct tfp_profile *load_bytes(const char *bytes, size_t size, struct tfp_diag *diag)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_source *source = source_of("text", bytes, size);
	const struct tfp_loader *loader = tfp_loaders[recognised(source)];

	assert_true(load_source(profile, loader->name, source, 0, diag));
	if (loader->finish)
		assert_true(loader->finish(profile, NULL, diag));
	tfp_profile_finish(profile);
	return profile;
}

static void expect_text(const struct tfp_profile *a, tfp_str left, const struct tfp_profile *b,
			tfp_str right)
{
	assert_string_equal(tfp_strings_text(a->strings, left),
			    tfp_strings_text(b->strings, right));
}

/* What the pane says of a node. */
static void expect_attributes(const struct tfp_profile *a, const struct tfp_profile *b,
			      uint32_t node)
{
	struct tfp_attributes left = {0}, right = {0};

	tfp_profile_attributes(a, node, &left);
	tfp_profile_attributes(b, node, &right);
	assert_int_equal(left.list.count, right.list.count);
	for (size_t i = 0; i < left.list.count; i++) {
		assert_string_equal(left.list.at[i].name, right.list.at[i].name);
		assert_string_equal(left.list.at[i].value, right.list.at[i].value);
	}
	tfp_attributes_free(&left);
	tfp_attributes_free(&right);
}

static void expect_events(const struct tfp_profile *a, const struct tfp_profile *b)
{
	const struct tfp_trace *left = a->trace, *right = b->trace;

	assert_int_equal(left->count, right->count);
	for (uint32_t i = 0; i < left->count; i++) {
		assert_string_equal(name_of(a, i), name_of(b, i));
		assert_string_equal(lane_of(a, i), lane_of(b, i));
		assert_string_equal(device_of(a, i), device_of(b, i));
		assert_int_equal(tfp_trace_start(left, i), tfp_trace_start(right, i));
		assert_int_equal(tfp_trace_duration(left, i), tfp_trace_duration(right, i));
	}
}

static void expect_same(const struct tfp_profile *a, const struct tfp_profile *b)
{
	int64_t left[TFP_MAX_METRICS] = {0}, right[TFP_MAX_METRICS] = {0};

	assert_string_equal(a->format, b->format);
	assert_int_equal(a->nodes.count, b->nodes.count);
	for (uint32_t i = 0; i < a->nodes.count; i++) {
		expect_text(a, a->nodes.name[i], b, b->nodes.name[i]);
		expect_text(a, a->nodes.op[i], b, b->nodes.op[i]);
		if (a->nodes.signature)
			expect_text(a, a->nodes.signature[i], b, b->nodes.signature[i]);
		expect_attributes(a, b, i);
		tfp_profile_values(a, i, TFP_STEP_MEAN, 0, left);
		tfp_profile_values(b, i, TFP_STEP_MEAN, 0, right);
		assert_memory_equal(left, right, sizeof(left));
	}
	assert_int_equal(a->steps.count, b->steps.count);
	if (a->trace)
		expect_events(a, b);
}

static void check(const char *text, size_t size)
{
	struct tfp_diag *diag = tfp_diag_new(), *other = tfp_diag_new();
	size_t length;
	char *written = escaped(text, size, &length);
	struct tfp_profile *a = load_bytes(text, size, diag);
	struct tfp_profile *b = load_bytes(written, length, other);

	expect_same(a, b);
	assert_int_equal(tfp_diag_count(diag), tfp_diag_count(other));
	tfp_profile_free(a);
	tfp_profile_free(b);
	free(written);
	tfp_diag_free(diag);
	tfp_diag_free(other);
}

/* Damage before the list of records, and in one before that: KEY is that of the list. */
#define SAMPLE(ts, colon)                                                                          \
	"{\"ph\": \"P\", \"cpu\": 0, \"tid\": 1, \"ts\": " ts ", \"name\"" colon                   \
	" \"s\", \"sf\": 1}"
#define LISTED(key)                                                                                \
	"\"" key "\": [\n" X("cpu_op", "a", "1", "\"1\"", "1", "9", "")                            \
		X("cpu_op", "b", "1", "\"1\"", "20", "9", "") "]}"
#define BEFORE(key) "{\"schemaVersion\" 1, " LISTED(key)
#define BEHIND(key)                                                                                     \
	"{\"samples\": [\n" SAMPLE("1", ":") ",\n" SAMPLE("2", ":") ",\n" SAMPLE("3", "") ",\n" SAMPLE( \
		"4", ":") ",\n" SAMPLE("5",                                                             \
				       ":") ",\n" SAMPLE("6",                                           \
							 ":") ",\n" SAMPLE("7",                         \
									   ":") "], " LISTED(key)

static void lists_are_found(void **state)
{
	static const char *const texts[][2] = {
		{BEFORE("traceEvents"), BEFORE("trace\\u0045vents")},
		{BEHIND("traceEvents"), BEHIND("trace\\u0045vents")},
	};
	static const uint32_t events[] = {2, 8};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tfp_diag *diag = tfp_diag_new(), *other = tfp_diag_new();
		struct tfp_profile *a = load_bytes(texts[i][0], strlen(texts[i][0]), diag);
		struct tfp_profile *b = load_bytes(texts[i][1], strlen(texts[i][1]), other);

		assert_int_equal(a->trace->count, events[i]);
		expect_same(a, b);
		assert_int_equal(tfp_diag_count(diag), 1);
		assert_int_equal(tfp_diag_count(other), 1);
		tfp_profile_free(a);
		tfp_profile_free(b);
		tfp_diag_free(diag);
		tfp_diag_free(other);
	}
}

/* A string is found however it is spelt, the first one, and none that only begins or ends so. */
static void strings_are_found(void **state)
{
	static const char *const texts[] = {
		"{\"xab\": 1, \"abx\": \"\\u0061b\", \"ab\": 2}",
		"{\"\\u00611\": 1, \"ab\", \"\\u0061\\u0062\"",
		"\"a\\u0062\"",
	};
	static const size_t behind[] = {27, 19, 9};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *found = tfp_json_find_string(tfp_span_of(texts[i]), TFP_SPAN("ab"));

		assert_non_null(found);
		assert_int_equal(found - texts[i], behind[i]);
	}
	assert_null(tfp_json_find_string(tfp_span_of("\"a\\u00"), TFP_SPAN("ab")));
	assert_null(tfp_json_find_string(tfp_span_of("ab\""), TFP_SPAN("ab")));
	assert_null(tfp_json_find_string(tfp_span_of("\"ab"), TFP_SPAN("ab")));
	assert_null(tfp_json_find_string((struct tfp_span){"", 0}, TFP_SPAN("ab")));
}

static void texts_say_the_same(void **state)
{
	(void)state;
	check(torch, strlen(torch));
	check(others, strlen(others));
	check(timeline, strlen(timeline));
}

/* Files of one run are found by this before they are read. */
static void ranks_are_found(void **state)
{
	struct tfp_ranked ranked;
	size_t length;
	char *written = escaped(torch, strlen(torch), &length);
	struct tfp_source *source = source_of("text", written, length);

	(void)state;
	tfp_ranked_read(&ranked, source, "text");
	assert_int_equal(ranked.rank, 3);
	assert_int_equal(ranked.ranks, 4);
	tfp_source_free(source);
	free(written);
}

static void recordings_say_the_same(void **state)
{
	static const char *const names[] = {"torch_cpu.json.gz", "torch_old.json.gz",
					    "viztracer.json.gz", "jax_python.trace.json.gz"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		char path[TEST_PATH];
		struct tfp_source *source =
			tfp_source_open(test_path(path, "data/traces/%s", names[i]), NULL, diag);

		check((const char *)source->data, source->size);
		tfp_source_free(source);
		tfp_diag_free(diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_say_the_same),      cmocka_unit_test(lists_are_found),
		cmocka_unit_test(strings_are_found),       cmocka_unit_test(ranks_are_found),
		cmocka_unit_test(recordings_say_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
