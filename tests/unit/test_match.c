/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns: whole names, what RE2 refuses, names that are not UTF-8, limits; literal text; accounted types.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "view/match/glob.h"
#include "view/match/match.h"
#include "view/match/re2syntax.h"
#include "view/match/utf8.h"
#include "worked.h"

struct fixture {
	const char *pattern;
	struct tfp_query query;
	struct tfp_diag *diag;
	struct tfp_patterns patterns;
	bool compiled;
};

static void begin(struct fixture *f, enum tfp_list list, const char *pattern, bool compat)
{
	*f = (struct fixture){.pattern = pattern, .diag = tfp_diag_new()};
	tfp_query_init(&f->query);
	f->query.lists[list] = (struct tfp_words){&f->pattern, pattern != NULL};
	f->query.compat = compat;
	f->compiled = tfp_patterns_init(&f->patterns, &f->query, list, f->diag);
}

static void end(struct fixture *f)
{
	tfp_patterns_free(&f->patterns);
	tfp_query_free(&f->query);
	tfp_diag_free(f->diag);
}

/* Patterns as they are written, names, and whether the whole of the name is matched. */
static const struct {
	const char *pattern, *name;
	int matches;
} whole_names[] = {
	{"abc", "abc", 1},
	{"abc", "abcd", 0},
	{"abc", "xabc", 0},
	{"", "", 1},
	{"", "a", 0},
	{".*", "", 1},
	{".*b.*", "abc", 1},
	{".*b.*", "ac", 0},
	{"a.*", "a", 1},
	{"a.*a", "a", 0},
	{"a.*a", "aa", 1},
	{"a.*b.*c", "axxbyyc", 1},
	{"a.*b.*c", "axxcyyb", 0},
	{"a\\.b", "a.b", 1},
	{"a\\.b", "axb", 0},
	{"a|bc", "bc", 1},
	{"a|bc", "bcd", 0},
	{"a|bc", "abc", 0},
	{"(?i)CONV.*", "conv2d", 1},
	{"[ab]+", "abab", 1},
	{"x{2}", "xx", 1},
	{"a*", "aaa", 1},
	{"a.*.*.*b", "a..b", 1},
	{".*$", "a\n", 0},
	{".*", "a\nb", 0},
	{"a$", "a\n", 0},
	{"(?s).*", "a\nb", 1},
	{"a\\/b", "a/b", 1},
	{"\\d+", "123", 1},
	{"\xc3\xa9.*", "\xc3\xa9t", 1},
	{".", "\xc3\xa9", 1},
	{"(a)\\1", "aa", 1},
	{"(?!x).*", "ab", 1},
	{".*(a|b).*", "xbx", 1},
	{".*(a|b).*", "xcx", 0},
	{".*(a|b).*", "b\n", 0},
	{".*(a|b)", "xbx", 0},
	{"(a|b).*", "xb", 0},
	{".*a[0-9]*|b.*", "bx", 1},
	{".*a[0-9]*|b.*", "xb", 0},
	{".*[|].*", "a|b", 1},
	{"[ab]\\.*", "a..", 1},
	{"[ab]\\.*", "axy", 0},
	{"[ab]\\\\.*", "a\\xy", 1},
	{".*^[a].*", "xa", 0},
	{"[.*.*]", ".", 1},
	{"a.*?b", "axb", 1},
	{"\\Qa.*.*\\E", "a.*.*", 1},
};

static void patterns_match_whole_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(whole_names) / sizeof(*whole_names); i++) {
		struct fixture f;

		/* A list to hide has no short cut for ".*". */
		begin(&f, TFP_HIDE, whole_names[i].pattern, false);
		assert_true(f.compiled);
		assert_int_equal(tfp_patterns_match(&f.patterns, tfp_span_of(whole_names[i].name)),
				 whole_names[i].matches);
		end(&f);
	}
}

static void short_cut_takes_every_name(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, TFP_SHOW, ".*", false);
	assert_true(f.patterns.all);
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("a\xff\n")), 1);
	end(&f);
	begin(&f, TFP_SHOW, NULL, false);
	assert_true(f.patterns.none);
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("a")), 0);
	end(&f);
	begin(&f, TFP_HIDE, ".*", false);
	assert_false(f.patterns.all);
	end(&f);
}

static void names_that_are_not_utf8_match_nothing(void **state)
{
	static const char *const patterns[] = {".*:12:.*", "(a|b).*", ".+"};

	(void)state;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		struct fixture f;

		begin(&f, TFP_SHOW, patterns[i], false);
		assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("a:12:\xc3")), 0);
		end(&f);
	}
	assert_true(tfp_utf8_valid(TFP_SPAN("plain ascii, longer than eight")));
	assert_true(tfp_utf8_valid(TFP_SPAN("\xf4\x8f\xbf\xbf\xe2\x82\xac")));
	assert_false(tfp_utf8_valid(TFP_SPAN("12345678\x80")));
	assert_false(tfp_utf8_valid(TFP_SPAN("\xc0\x80")));
	assert_false(tfp_utf8_valid(TFP_SPAN("\xed\xa0\x80")));
	assert_false(tfp_utf8_valid(TFP_SPAN("\xf4\x90\x80\x80")));
	assert_false(tfp_utf8_valid(TFP_SPAN("\xe2\x82")));
}

static void invalid_patterns_are_errors_with_offsets(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, TFP_SHOW, "ab(c", false);
	assert_false(f.compiled);
	assert_int_equal(tfp_diag_errors(f.diag), 1);
	assert_non_null(strstr(tfp_diag_get(f.diag, 0).text, "at byte 4"));
	end(&f);
	/* The offset is that of what was typed, not of what it was made into. */
	begin(&f, TFP_SHOW, ".*.*.*(", false);
	assert_non_null(strstr(tfp_diag_get(f.diag, 0).text, "at byte 7"));
	end(&f);
	begin(&f, TFP_SHOW, "a\xff", false);
	assert_false(f.compiled);
	end(&f);
}

static void forgiving_queries_go_on(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_null(WORKED_ASK(&world, "scope", "show_name_regexes=["));
	world.query.forgiving = true;
	assert_non_null(WORKED_ASK(&world, "scope", "show_name_regexes=["));
	assert_int_equal(world.tree->shown_count, 0);
	worked_end(&world);
}

static void what_re2_refuses_matches_nothing(void **state)
{
	static const char *const refused[] = {
		"(?=a)a",  "(?!b)a", "(?<=a)b", "(?<!a)b", "(a)\\1",  "a++",    "(?>a)",
		"(?<n>a)", "(?#x)a", "a\\Z",    "\\Ga",    "a{1001}", "a**",    "(?|a|b)",
		"a\\K",    "\\h",    "(*UTF)a", "(?x)a",   "a{2}{3}", "(?P=n)", "[a]*+",
	};
	static const char *const taken[] = {
		"a",           "(?:a)",   "(?P<n>a)", "(?i)A",     "a+?",     "a{2,3}?|a",
		"[[:alpha:]]", "[]a]",    "[^b]",     "\\x61",     "\\Qa\\E", "(?i:A)",
		"a{1000}|a",   "\\x{61}", "\\pL",     "a|\\bb\\B", "(a|\\.)", "[*+?]|a",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct fixture f;
		size_t offset;

		assert_non_null(tfp_re2_refuses(refused[i], &offset));
		begin(&f, TFP_SHOW, refused[i], true);
		assert_true(f.compiled);
		assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("a")), 0);
		assert_int_equal(tfp_diag_count(f.diag), 1);
		assert_int_equal(tfp_diag_errors(f.diag), 0);
		end(&f);
	}
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
		struct fixture f;

		begin(&f, TFP_SHOW, taken[i], true);
		assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("a")), 1);
		assert_int_equal(tfp_diag_count(f.diag), 0);
		end(&f);
	}
}

static void limits_are_errors(void **state)
{
	char name[4096];
	struct fixture f;

	(void)state;
	memset(name, 'a', sizeof(name));
	begin(&f, TFP_SHOW, "(a|a)*(a|a)*(a|a)*b|c", false);
	assert_true(f.compiled);
	assert_int_equal(tfp_patterns_match(&f.patterns, (struct tfp_span){name, sizeof(name)}),
			 -1);
	assert_int_equal(tfp_diag_errors(f.diag), 1);
	end(&f);
	/* Linear, however many times ".*" is said. */
	begin(&f, TFP_SHOW, ".*.*.*.*a.*.*b.*.*c", false);
	assert_int_equal(tfp_patterns_match(&f.patterns, (struct tfp_span){name, sizeof(name)}), 0);
	assert_int_equal(tfp_diag_errors(f.diag), 0);
	end(&f);
}

static void globs_are_literals_and_any(void **state)
{
	static const char *const globs[] = {"", ".*", "a", "a.*b", "\\.x.*", ".*.*", "a-b/c_d "};
	static const char *const others[] = {"a*",  "a.b", "a|b", ".*?", ".*+", "[a]",  "(a)",
					     "\\d", "^a",  "a$",  ".",   "a+",  "a{2}", "\\"};
	struct tfp_glob glob;

	(void)state;
	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++) {
		assert_true(tfp_glob_init(&glob, globs[i]));
		tfp_glob_free(&glob);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(tfp_glob_init(&glob, others[i]));
}

static bool finds(const char *text, const char *name)
{
	struct tfp_finder *finder = tfp_finder_new(text);
	bool found = tfp_finder_match(finder, tfp_span_of(name));

	tfp_finder_free(finder);
	return found;
}

static void text_has_smart_case(void **state)
{
	char name[80];

	(void)state;
	assert_true(finds("conv", "unit/Conv2D"));
	assert_true(finds("Conv", "unit/Conv2D"));
	assert_false(finds("Conv", "unit/conv2d"));
	assert_false(finds("cONV", "unit/Conv2D"));
	assert_true(finds("", "x"));
	assert_true(finds("", ""));
	assert_false(finds("x", ""));
	assert_true(finds("aten::add.Tensor", "aten::add.Tensor"));
	assert_true(finds("[", "a[b"));
	assert_false(finds("{", "a[b"));
	assert_true(finds("\xc3\xa9", "caf\xc3\xa9"));
	/* Wherever it stands. */
	for (size_t i = 0; i + 3 < sizeof(name); i++) {
		memset(name, 'x', sizeof(name) - 1);
		name[sizeof(name) - 1] = '\0';
		memcpy(name + i, "aBC", 3);
		assert_true(finds("abc", name));
		assert_false(finds("abcd", name));
	}
}

static void text_and_patterns_go_together(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, TFP_SHOW, "a.*", false);
	tfp_patterns_free(&f.patterns);
	f.query.text[TFP_SHOW] = "z";
	assert_true(tfp_patterns_init(&f.patterns, &f.query, TFP_SHOW, f.diag));
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("az")), 1);
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("ab")), 0);
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("bz")), 0);
	tfp_patterns_free(&f.patterns);
	f.query.lists[TFP_HIDE] = (struct tfp_words){&f.pattern, 1};
	f.query.text[TFP_HIDE] = "z";
	assert_true(tfp_patterns_init(&f.patterns, &f.query, TFP_HIDE, f.diag));
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("ab")), 1);
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("bz")), 1);
	assert_int_equal(tfp_patterns_match(&f.patterns, TFP_SPAN("b")), 0);
	end(&f);
}

/* How often each node of the worked profile counts, as digits. */
static const char *weights(const struct worked_world *world, char text[WORKED_NODES + 1])
{
	struct tfp_profile *profile = tfp_engine_profile(world->engine);
	struct tfp_account account;

	tfp_profile_need(profile, TFP_PART_EDGES | TFP_PART_SHAPES, NULL, world->diag);
	assert_true(tfp_account_init(&account, profile, &world->query, world->diag));
	for (uint32_t i = 0; i < WORKED_NODES; i++)
		text[i] = (char)('0' + tfp_account_node(&account, i));
	text[WORKED_NODES] = '\0';
	tfp_account_free(&account);
	return text;
}

static void nodes_count_by_type_and_shape(void **state)
{
	static const struct {
		const char *option, *value;
		bool compat;
		const char *weights;
	} cases[] = {
		{"account_type_regexes", ".*", false, "11111111"},
		{"account_type_regexes", "", false, "00000000"},
		{"account_type_regexes", "MatMul", false, "00001010"},
		{"account_type_regexes", "MatMul,Mat.*", false, "00001010"},
		{"account_type_regexes", "MatMul,Mat.*", true, "00002020"},
		{"account_type_regexes", ".*,MatMul", true, "11112121"},
		{"account_type_regexes", "_trainable_variables", false, "01010000"},
		{"account_type_regexes", ".*gpu:0", false, "01101110"},
		{"account_text", "matmul", false, "00001010"},
		{"account_text", "matmul", true, "00001010"},
		{"shape", "4x3", false, "00101010"},
		{"shape", "1:4x3", false, "00001010"},
		{"shape", "0:-1x4|1:4x3", false, "00001000"},
		{"shape", "4", false, "00000000"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[WORKED_NODES + 1];
		struct worked_world world;

		worked_begin(&world, worked_profile(1));
		world.query.compat = cases[i].compat;
		tfp_query_set(&world.query, cases[i].option, cases[i].value, world.diag);
		assert_string_equal(weights(&world, text), cases[i].weights);
		worked_end(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_whole_names),
		cmocka_unit_test(short_cut_takes_every_name),
		cmocka_unit_test(names_that_are_not_utf8_match_nothing),
		cmocka_unit_test(invalid_patterns_are_errors_with_offsets),
		cmocka_unit_test(forgiving_queries_go_on),
		cmocka_unit_test(what_re2_refuses_matches_nothing),
		cmocka_unit_test(limits_are_errors),
		cmocka_unit_test(globs_are_literals_and_any),
		cmocka_unit_test(text_has_smart_case),
		cmocka_unit_test(text_and_patterns_go_together),
		cmocka_unit_test(nodes_count_by_type_and_shape),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
