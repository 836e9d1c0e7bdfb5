/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor over JSON text: what is JSON, what is taken besides, and where damage is. */
#include "tfprof/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A letter for each token. */
static void trace(const char *text, size_t size, char *out, size_t room, const char **error,
		  size_t *offset)
{
	static const char letters[] = ".{}[]ksntfz";
	char *copy = tfp_alloc(size + 1);
	struct tfp_json json;
	struct tfp_json_token token;

	/* A copy of just this size, so that a step too far is seen. */
	copy = tfp_realloc_array(copy, size ? size : 1, 1);
	memcpy(copy, text, size);
	tfp_json_start(&json, (struct tfp_span){copy, size});
	while (tfp_json_next(&json, &token) && room-- > 1)
		*out++ = letters[token.kind];
	*out = 0;
	*error = json.error;
	*offset = tfp_json_offset(&json);
	tfp_json_stop(&json);
	free(copy);
}

static const struct {
	const char *text, *tokens;
	bool fine;
} cases[] = {
	{"", "", true},
	{"  ", "", true},
	{"{}", "{}", true},
	{"[]", "[]", true},
	{" [ 1 , 2 ] ", "[nn]", true},
	{"{\"a\": 1, \"b\": [true, false, null]}", "{knk[tfz]}", true},
	{"\"x\"", "s", true},
	{"-0.5e+10", "n", true},
	{"\xef\xbb\xbf[1]", "[n]", true},
	{"[[[[]]]]", "[[[[]]]]", true},
	{"[\"a\\\"b\", \"\\\\\"]", "[ss]", true},
	{"[\"12345678\", \"1234567\\\"89\", \"\"]", "[sss]", true},
	{"0", "n", true},
	{"[-0, 0e1, 1E+2, 20e-1, 123.456e78, -1]", "[nnnnnn]", true},
	{"[123456789012345678901234567890, 1e9999, 0.00000000000000000000000001]", "[nnn]", true},
	{"[\"\\u0060\\u012a\\u12AB\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[s]", true},
	{"[\"\\uD801\\udc37\\u0000\", \"\\\\u0000\", \"\\\\a\"]", "[sss]", true},
	{"[\"\xe2\x82\xac\xf0\x9d\x84\x9e\x7f\"]", "[s]", true},
	{"{\"a\":\"b\",\"a\":\"c\",\"\":0}", "{kskskn}", true},
	{"\t\r\n [\n1\t,\r\"\" ]\n", "[ns]", true},
	{"{\"a\":[],\"b\":{},\"c\":[[],{}]}", "{k[]k{}k[[]{}]}", true},
	{"[null, 1, \"1\", {}]", "[zns{}]", true},
	{"true", "t", true},
	/* no JSON, but it is clear what is meant */
	{"[01, 2., -012]", "[nnn]", true},
	{"[\"a\tb\x01\"]", "[s]", true},
	{"[\"\\x\\uqqqq\\ud800\"]", "[s]", true},
	{"[\"\xff\xc3\"]", "[s]", true},
	/* what programs write */
	{"[1, 2, ]", "[nn]", true},
	{"{\"a\": 1,}", "{kn}", true},
	{"[NaN, Infinity, -Infinity]", "[nnn]", true},
	/* damage */
	{"[1, 2", "[nn", false},
	{"{\"a\"", "{", false},
	{"{\"a\":", "{k", false},
	{"{\"a\": \"b", "{k", false},
	{"[1 2]", "[n", false},
	{"[1}", "[n", false},
	{"]", "", false},
	{"[,]", "[", false},
	{"{1: 2}", "{", false},
	{"{\"a\" 1}", "{", false},
	{"{\"a\":}", "{k", false},
	{"[1] 2", "[n]", false},
	{"[tru]", "[", false},
	{"[+1]", "[", false},
	{"[.5]", "[", false},
	{"[1e]", "[", false},
	{"[--1]", "[", false},
	{"[\"a\\", "[", false},
	{"[1,,2]", "[n", false},
	{"[1,]]", "[n]", false},
	{"{\"a\":1,,}", "{kn", false},
	{"{\"a\":\"b\"}/**/", "{ks}", false},
	{"{'a':0}", "{", false},
	{"{a: 1}", "{", false},
	{"{\"a\":1 \"b\":2}", "{kn", false},
	{"{\"a\", 1}", "{", false},
	{"{\"a\" \"b\"}", "{", false},
	{"{:1}", "{", false},
	{"{[: 1}", "{", false},
	{"[: 1]", "[", false},
	{"[\"\", :]", "[s", false},
	{"[0x42]", "[", false},
	{"[1e+]", "[", false},
	{"[1.2.3]", "[", false},
	{"[1ea]", "[", false},
	{"[- 1]", "[", false},
	{"[-Nan]", "[", false},
	{"[nul]", "[", false},
	{"[TRUE]", "[", false},
	{"[\\u000a]", "[", false},
	{"['a']", "[", false},
	{"[\"a]", "[", false},
	{"[\"a\\\"]", "[", false},
	{"{\"a\": true} \"x\"", "{kt}", false},
	{"[][]", "[]", false},
	{"*", "", false},
	{"<.>", "", false},
	{"\xef\xbb", "", false},
	{"{\"a\":{\"b\":[", "{k{k[", false},
};

static void test_tokens(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char tokens[64];
		const char *error;
		size_t offset;

		trace(cases[i].text, strlen(cases[i].text), tokens, sizeof(tokens), &error,
		      &offset);
		assert_string_equal(tokens, cases[i].tokens);
		assert_int_equal(!error, cases[i].fine);
	}
}

static void test_offset(void **state)
{
	static const char text[] = "{\"a\": [1, 2, oops]}";
	char tokens[64];
	const char *error;
	size_t offset;

	(void)state;
	trace(text, strlen(text), tokens, sizeof(tokens), &error, &offset);
	assert_string_equal(error, "there is no value here");
	assert_int_equal(offset, 13);
}

/* Cut anywhere, it ends, and only what is whole is no error. */
static void test_cut(void **state)
{
	static const char text[] = "{\"a\": [1, \"x\\u00e9\", {\"b\": null}], \"c\": -1.5}";
	char tokens[64];
	const char *error;
	size_t offset;

	(void)state;
	for (size_t size = 1; size < sizeof(text); size++) {
		trace(text, size, tokens, sizeof(tokens), &error, &offset);
		assert_int_equal(!error, size == sizeof(text) - 1);
		assert_true(offset <= size);
	}
}

static void test_skip(void **state)
{
	static const char text[] =
		"{\"a\": {\"x\": [1, \"]}\\\"\", {}]}, \"b\": 7, \"c\": [[2], \"]\"]}";
	struct tfp_json_token token;
	struct tfp_json json;

	(void)state;
	tfp_json_start(&json, TFP_SPAN(text));
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_OBJECT);
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_KEY);
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_OBJECT);
	assert_true(tfp_json_skip(&json, &token));
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_KEY);
	assert_true(tfp_span_equal(token.text, TFP_SPAN("b")));
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_NUMBER);
	assert_true(tfp_json_skip(&json, &token));
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_KEY);
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_ARRAY);
	assert_true(tfp_json_skip(&json, &token));
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_OBJECT_END);
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_END);
	assert_null(json.error);
	tfp_json_stop(&json);
}

/* Pieces of text that are passed over, of all lengths, so that what counts lies on both sides of any block. */
static char *random_text(unsigned int *seed, size_t pieces)
{
	static const char *const values[] = {
		"\"\"",
		"\"a]}\"",
		"\"\\\\\"",
		"\"\\\"[\"",
		"[1, 2]",
		"{}",
		"{\"k\": [\"}\"]}",
		"-1.5e3",
		"[[[]]]",
		"\"a text that is longer than a block of sixty-four bytes, with { and [ in its midst\"",
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputc('[', out);
	for (size_t i = 0; i < pieces; i++)
		fprintf(out, "%s%*s%s", i ? "," : "", rand_r(seed) % 7, "",
			values[(unsigned int)rand_r(seed) % (sizeof(values) / sizeof(*values))]);
	fputs("], \"after\"", out);
	fclose(out);
	return text;
}

static void test_skip_blocks(void **state)
{
	unsigned int seed = 5;

	(void)state;
	for (size_t i = 0; i < 400; i++) {
		char *text = random_text(&seed, i % 40);
		const char *end = text + strlen(text), *after = tfp_json_pass_nested(text, end);
		struct tfp_json_token token;
		struct tfp_json json;
		size_t depth = 1;

		tfp_json_start(&json, tfp_span_of(text));
		tfp_json_next(&json, &token);
		while (depth && tfp_json_next(&json, &token)) {
			depth += token.kind == TFP_JSON_OBJECT || token.kind == TFP_JSON_ARRAY;
			depth -= token.kind == TFP_JSON_OBJECT_END ||
				 token.kind == TFP_JSON_ARRAY_END;
		}
		assert_int_equal(after - text, tfp_json_offset(&json));
		for (const char *cut = text; cut < after; cut++)
			assert_null(tfp_json_pass_nested(text, cut));
		tfp_json_stop(&json);
		free(text);
	}
}

/* A letter may be written by its number. */
static void test_letters(void **state)
{
	const char *text =
		"{\"t\\u0073\": [\"a\\u0062\\\"\", \"\\u005c\\\\u0041\\u0022\"], \"\\\"\": 1}";
	struct tfp_json_bytes room = {0};
	struct tfp_json_token token;
	struct tfp_json json;
	struct tfp_span list;

	(void)state;
	tfp_json_start(&json, tfp_span_of(text));
	tfp_json_next(&json, &token);
	assert_int_equal(tfp_json_next(&json, &token), TFP_JSON_KEY);
	assert_true(tfp_span_is(token.text, "ts"));
	list.at = json.at + 1;
	tfp_json_next(&json, &token);
	assert_true(tfp_json_skip(&json, &token));
	list.size = (size_t)(json.at - list.at);
	assert_true(tfp_span_is(tfp_json_plain(list, &room),
				"[\"ab\\\"\", \"\\u005c\\\\u0041\\u0022\"]"));
	tfp_json_next(&json, &token);
	assert_true(tfp_span_is(token.text, "\""));
	tfp_json_stop(&json);
	tfp_array_free(&room);
}

/* A hundred thousand brackets cost a byte each, not a call. */
static void test_deep(void **state)
{
	size_t size = 100000, count = 0;
	char *text = tfp_alloc(size);
	struct tfp_json_token token;
	struct tfp_json json;

	(void)state;
	memset(text, '[', size);
	tfp_json_start(&json, (struct tfp_span){text, size});
	while (tfp_json_next(&json, &token))
		count++;
	assert_int_equal(count, size);
	assert_non_null(json.error);
	tfp_json_stop(&json);
	free(text);
}

static void test_strings(void **state)
{
	static const struct {
		const char *text, *bytes;
	} strings[] = {
		{"plain", "plain"},
		{"a\\nb\\t\\\"\\\\\\/", "a\nb\t\"\\/"},
		{"\\u0041\\u00e9\\u20ac", "A\xc3\xa9\xe2\x82\xac"},
		{"\\ud83d\\ude00!", "\xf0\x9f\x98\x80!"},
		{"\\ud83d", "\xef\xbf\xbd"},
		{"\\ude00x", "\xef\xbf\xbdx"},
		{"\\ud83d\\u0041", "\xef\xbf\xbd"
				   "A"},
		{"\\u12", "\xef\xbf\xbd"
			  "12"},
		{"\\u", "\xef\xbf\xbd"},
	};
	struct tfp_json_bytes room = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		struct tfp_json_token token = {.kind = TFP_JSON_STRING,
					       .text = tfp_span_of(strings[i].text),
					       .escaped = strchr(strings[i].text, '\\')};

		assert_true(tfp_span_equal(tfp_json_string(&token, &room),
					   tfp_span_of(strings[i].bytes)));
	}
	tfp_array_free(&room);
}

static void test_integers(void **state)
{
	static const struct {
		const char *text;
		unsigned int digits;
		int64_t value;
		bool fine;
	} numbers[] = {
		{"0", 0, 0, true},
		{"-12", 0, -12, true},
		{"1795821863250881.125", 3, 1795821863250881125, true},
		{"1.9999", 3, 1999, true},
		{"1.5", 0, 1, true},
		{"1.5e3", 0, 1500, true},
		{"15e-1", 1, 15, true},
		{"1e-400", 9, 0, true},
		{"9223372036854775807", 0, INT64_MAX, true},
		{"-9223372036854775808", 0, INT64_MIN, true},
		{"9223372036854775808", 0, 0, false},
		{"1e30", 0, 0, false},
		{"0e99999999999", 0, 0, true},
		{"NaN", 0, 0, false},
		{"-Infinity", 0, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct tfp_json_token token = {TFP_JSON_NUMBER, tfp_span_of(numbers[i].text),
					       false};
		int64_t value;

		assert_int_equal(tfp_json_integer(&token, numbers[i].digits, &value),
				 numbers[i].fine);
		if (numbers[i].fine)
			assert_int_equal(value, numbers[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tokens),      cmocka_unit_test(test_offset),
		cmocka_unit_test(test_cut),         cmocka_unit_test(test_skip),
		cmocka_unit_test(test_skip_blocks), cmocka_unit_test(test_letters),
		cmocka_unit_test(test_deep),        cmocka_unit_test(test_strings),
		cmocka_unit_test(test_integers),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
