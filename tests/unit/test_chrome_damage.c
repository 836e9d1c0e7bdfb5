/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome traces that are damaged, or written in another way than usual: a bad record costs no other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"

static void names_that_are_no_text_are_counted(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 2, \"args\": {\"name\": \"\xff\"}},\n"
		"{\"ph\": \"X\", \"name\": \"a\xc3\", \"pid\": 1, \"tid\": 2, \"ts\": 10, \"dur\": 3},\n"
		"{\"ph\": \"X\", \"name\": \"a\xc3\", \"pid\": 1, \"tid\": 2, \"ts\": 20, \"dur\": 3},\n"
		"{\"ph\": \"X\", \"name\": \"\xc3\xa4\", \"pid\": 1, \"tid\": 2, \"ts\": 30, \"dur\": 3}]",
		diag);

	(void)state;
	assert_int_equal(problem_with(diag, "2 names are no UTF-8").severity, TFP_WARNING);
	assert_int_equal(tfp_diag_count(diag), 1);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* What is wrong with a text, and how much of it is read all the same. */
static const struct {
	const char *text, *problem;
	uint32_t events;
	uint64_t count;
} damaged[] = {
	{"{\"schemaVersion\": 1, \"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", "")
		 X("cpu_op", "b\"c", "1", "1", "3", "1", "")
			 X("cpu_op", "d\"", "1", "1", "4", "1", "")
				 X("cpu_op", "e", "1", "1", "5", "1", "") "], \"x\": 1}",
	 "a record can't be read", 2, 2},
	{"{\"traceEvents\": [" X("cpu_op", "a\001\n\x7f", "1", "1", "1", "1", "") "]}", "", 1, 0},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "NaN", "\"x\": Infinity") ",,]}",
	 "no duration that can be read", 1, 1},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", "") "{}, 7, {},\"x\"]}",
	 "something other than a record", 1, 2},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1",
				 "") "{\"ph\": \"X\", \"name\": \"cut",
	 "ends in the middle of a record", 1, 1},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", "\"l\": [1, {\"m\": \"]\"")
		 X("cpu_op", "b", "1", "1", "2", "1", "") "]}",
	 "a record can't be read", 1, 1},
	{"{\"schemaVersion\": 1, \"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", ""),
	 "ends before its list", 1, 1},
	{"{\"schemaVersion: 1, \"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", "") "]}",
	 "colon", 1, 1},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "-", "1", "")
		 X("cpu_op", "b", "1", "1", "\"x\"", "1", "")
			 X("cpu_op", "c", "1", "1", "2", "-5", "") "]}",
	 "no time that can be read", 1, 2},
	{"[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"pid\": 1, \"tid\": 1}]",
	 "says no duration", 1, 1},
	{"[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": -1, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"B\", \"name\": \"b\", \"ts\": 9, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"E\", \"ts\": 8, \"pid\": 1, \"tid\": 1}]",
	 "ends before it begins", 2, 2},
	{"[{\"ph\": \"B\", \"name\": \"a\", \"ts\": 1, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"B\", \"name\": \"b\", \"ts\": 2, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"B\", \"name\": \"c\", \"ts\": 3, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"E\", \"name\": \"\", \"ts\": 4, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"E\", \"name\": \"a\", \"ts\": 5, \"pid\": 1, \"tid\": 1},\n"
	 "{\"ph\": \"E\", \"name\": \"\\u0061\", \"ts\": 6, \"pid\": 1, \"tid\": 1}]",
	 "another name", 3, 1},
	{"{\"schemaVersion\": 1, \"traceEvents\": [" X("cuda_runtime", "launch", "1", "1", "20",
						       "5", "\"correlation\": 3")
		 X("kernel", "k", "0", "7", "10", "5", "\"correlation\": 3") "]}",
	 "start before they were launched", 2, 1},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1790857026000000", "1", "")
		 X("cpu_op", "b", "1", "1", "1790857026000005", "1", "")
			 X("cpu_op", "c", "1", "1", "0", "18446744073709551.615", "") "]}",
	 "more than a day away", 3, 1},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", "") "]} \n", "", 1, 0},
	{"{\"traceEvents\": [" X("cpu_op", "a", "1", "1", "1", "1", "") "]}{\"traceEvents\": []}",
	 "19 more bytes follow the end", 1, 1},
	{"[" X("cpu_op", "a", "1", "1", "1", "1", "") "]\n garbage", "7 more bytes follow the end",
	 1, 1},
};

/* What is between two values is known from records before; there may be more blanks once. */
static void blanks_may_differ(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(
		"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"args\":{\"x\":1}},\n"
		"{\"ph\":\"X\",\"name\":\"b\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"args\":{\"x\":1}},\n"
		"{\"ph\": \"X\",\"name\":  \"c\",\"ts\":\t4,\"dur\": 2,\"pid\":1,\"tid\": 1,\"args\": {\"x\": 1}}]",
		diag);

	(void)state;
	expect_event(profile, "c", 4000, 2000);
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void a_bad_record_costs_no_other(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load_text(damaged[i].text, diag);

		if (profile->trace->count != damaged[i].events)
			fail_msg("case %zu has %u events", i, profile->trace->count);
		if (*damaged[i].problem &&
		    problem_with(diag, damaged[i].problem).count != damaged[i].count)
			fail_msg("case %zu: %s", i, damaged[i].problem);
		if (!*damaged[i].problem)
			assert_int_equal(tfp_diag_count(diag), 0);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

/* A record in which no list ends costs as much as the file has behind it: not for each of very many. */
static void damage_is_read_once(void **state)
{
	static const char bad[] = "{\"ph\": \"X\", \"l\": [\n";
	size_t count = 20000, size = sizeof(bad) - 1;
	uint8_t *text = tfp_alloc(count * size + 2);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = tfp_profile_new();

	(void)state;
	text[0] = '[';
	for (size_t i = 0; i < count; i++)
		memcpy(text + 1 + i * size, bad, size);
	assert_false(load_source(profile, "chrome",
				 tfp_source_from_bytes("text", text, 1 + count * size), 0, diag));
	assert_int_equal(problem_with(diag, "too much of the file is damaged").count, 1);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

#define FAKE "{\"ph\": \"X\", \"name\": \"fake\", \"ts\": 1, \"dur\": 1}"

/* Loads TEXT with the byte AT spoilt. */
static struct tfp_profile *load_spoilt(const char *text, size_t at, char byte)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	char *spoilt = tfp_strdup(text);

	spoilt[at] = byte;
	profile = load_text(spoilt, diag);
	tfp_diag_free(diag);
	free(spoilt);
	return profile;
}

/* Wherever a record is damaged what is in it does not become a record, and a bracket in it does not end the list. */
static void what_looks_like_a_record_is_none(void **state)
{
	static const char text[] = "[" X("cpu_op", "a", "1", "1", "1", "1", "")
		X("cpu_op", "b", "1", "1", "2", "1", "")
			X("cpu_op", "c", "1", "1", "3", "1",
			  "\"x\": {\"y\": [" FAKE ", " FAKE "], \"z\": [1, [" FAKE "]]}")
				X("cpu_op", "d", "1", "1", "4", "1", "")
					X("cpu_op", "e", "1", "1", "5", "1", "") "]";
	static const char *const kept[] = {"a", "b", "d", "e"};
	const char *begin = strstr(text, "\"c\""), *end = strstr(begin, "\n");

	(void)state;
	for (const char *at = begin; at < end - 3; at++)
		for (const char *byte = "\"}]{[ "; *byte; byte++) {
			struct tfp_profile *profile = load_spoilt(text, (size_t)(at - text), *byte);

			for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
				if (event_named(profile, kept[i]) == TFP_NONE)
					fail_msg("%c at %td: %s is lost", *byte, at - begin,
						 kept[i]);
			assert_int_equal(event_named(profile, "fake"), TFP_NONE);
			tfp_profile_free(profile);
		}
}

/* Of a text of which one byte in a thousand is wrong most is read. */
static void much_damage_costs_little(void **state)
{
	static const char record[] = X("cpu_op", "a", "1", "1", "1", "1", "\"l\": [[1, 2], {}]");
	size_t count = 20000, size = sizeof(record) - 1, spoilt = count * size / 1000;
	char *text = tfp_alloc(count * size + 3);
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	uint32_t random = 1;

	(void)state;
	text[0] = '[';
	for (size_t i = 0; i < count; i++)
		memcpy(text + 1 + i * size, record, size);
	strcpy(text + 1 + count * size, "]");
	for (size_t i = 0; i < spoilt; i++) {
		random = random * 1103515245 + 12345;
		text[1 + (random >> 4) % (count * size)] = "\"[]{}:,0a"[random >> 28 & 7];
	}
	profile = load_text(text, diag);
	assert_true(profile->trace->count > count - 3 * spoilt);
	assert_true(profile->trace->count <= count);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	free(text);
}

static void what_is_no_trace_is_told(void **state)
{
	static const struct {
		const char *text;
		int sure, torch;
	} cases[] = {
		{"", 0, 0},
		{"{\"a\": 1}", 0, 0},
		{"[1, 2]", 0, 0},
		{"\xef\xbb\xbf {\"traceEvents\": []}", 70, 0},
		{"[{\"ph\": \"X\"", 70, 0},
		{"{\"schemaVersion\": 1, \"deviceProperties\": [", 70, 90},
		{"{\"a\": 1, \"traceEvents\": [{\"cat\": \"cpu_op\"", 70, 90},
		{"{\"top\": {\"schemaVersion\": 1}, \"ops\": [{\"cat\": \"cpu_op\"}]}", 0, 0},
		{"{\"top\": {\"schemaVersion\": 1}, \"ops\": [{\"cat\": \"cpu_op\"", 0, 0},
		{"{\"schemaVersion\": 1, \"ops\": [{\"cat\": \"cpu_op\"}]}", 0, 0},
		{"{\"traceEvents\": [{\"cat\": \"Op\", \"ph\": \"X\"}]}", 40, 0},
	};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = tfp_profile_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_source *source = source_of_text(cases[i].text);

		assert_int_equal(loader_named("chrome")->sniff(source), cases[i].sure);
		assert_int_equal(loader_named("kineto")->sniff(source), cases[i].torch);
		tfp_source_free(source);
	}
	assert_false(
		load_source(profile, "chrome", source_of_text("{\"traceEvents\": []}"), 0, diag));
	assert_int_equal(tfp_diag_errors(diag), 1);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_are_no_text_are_counted),
		cmocka_unit_test(blanks_may_differ),
		cmocka_unit_test(a_bad_record_costs_no_other),
		cmocka_unit_test(damage_is_read_once),
		cmocka_unit_test(what_looks_like_a_record_is_none),
		cmocka_unit_test(much_damage_costs_little),
		cmocka_unit_test(what_is_no_trace_is_told),
	};

	return cmocka_run_group_tests_name("chrome_damage", tests, NULL, NULL);
}
