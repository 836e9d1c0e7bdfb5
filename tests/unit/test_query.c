/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries: values of options, their errors, and the command line that says the same again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "view/query/options.h"
#include "worked.h"

struct fixture {
	struct tfp_query query;
	struct tfp_diag *diag;
	struct tfp_arena arena;
};

static void begin(struct fixture *fixture)
{
	*fixture = (struct fixture){.diag = tfp_diag_new()};
	tfp_query_init(&fixture->query);
}

static void end(struct fixture *fixture)
{
	tfp_query_free(&fixture->query);
	tfp_diag_free(fixture->diag);
	tfp_arena_free(&fixture->arena);
}

/* The last thing that went wrong. */
static const char *problem(const struct tfp_diag *diag)
{
	return tfp_diag_get(diag, tfp_diag_count(diag) - 1).text;
}

static void defaults_are_those_of_the_original(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_int_equal(f.query.max_depth, 10);
	assert_true(f.query.step < 0);
	assert_string_equal(f.query.lists[TFP_ACCOUNT].at[0], ".*");
	assert_int_equal(f.query.lists[TFP_HIDE].count, 0);
	assert_string_equal(tfp_query_command(&f.query, &f.arena), "");
	/* taken back, it is as if it had never been given */
	assert_true(tfp_query_set(&f.query, "allocator", "", f.diag));
	assert_string_equal(tfp_query_command(&f.query, &f.arena), "");
	end(&f);
}

static void lists_are_cut_at_commas(void **state)
{
	static const struct {
		const char *value;
		const char *words[4];
	} cases[] = {
		{"", {NULL}},
		{",,", {NULL}},
		{"a,,b", {"a", "b", NULL}},
		{"'a,b'", {"a", "b", NULL}},
		{"\"a\"", {"a", NULL}},
		{"'a,b',c", {"a,b", "c", NULL}},
		{"'a','b,c'", {"a", "b,c", NULL}},
		{"a\\,b,c", {"a,b", "c", NULL}},
		{"a\\.b\\\\,c", {"a\\.b\\\\", "c", NULL}},
		{"it's,b", {"it's", "b", NULL}},
		{"x'", {"x'", NULL}},
		{"'", {"'", NULL}},
		{"a\\", {"a\\", NULL}},
		{"''", {NULL}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_words *words;
		struct fixture f;
		size_t count = 0;

		begin(&f);
		words = &f.query.lists[TFP_SHOW];
		assert_true(tfp_query_set(&f.query, "show_name_regexes", cases[i].value, f.diag));
		while (cases[i].words[count])
			count++;
		assert_int_equal(words->count, count);
		for (size_t k = 0; k < count; k++)
			assert_string_equal(words->at[k], cases[i].words[k]);
		end(&f);
	}
}

static void bad_values_are_errors(void **state)
{
	static const char *const cases[][2] = {
		{"max_depth", "2147483648"},
		{"max_depth", ""},
		{"max_depth", "1x"},
		{"min_bytes", "9223372036854775808"},
		{"step", "one"},
		{"compat", "torch"},
		{"flat", "perhaps"},
		{"no_such", "1"},
		{"account_displayed_op_only", "2"},
		{"max_depth", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;

		begin(&f);
		assert_false(tfp_query_set(&f.query, cases[i][0], cases[i][1], f.diag));
		assert_int_equal(tfp_diag_errors(f.diag), 1);
		assert_non_null(strstr(problem(f.diag), cases[i][0]));
		end(&f);
	}
}

static void good_values_are_kept(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_true(tfp_query_set(&f.query, "max_depth", "-2147483648", f.diag));
	assert_int_equal(f.query.max_depth, INT32_MIN);
	assert_true(tfp_query_set(&f.query, "min_micros", "+5", f.diag));
	assert_true(tfp_query_set(&f.query, "min_micros", "7", f.diag));
	assert_int_equal(f.query.minimum_count, 1);
	assert_int_equal(f.query.minimums[0].value, 7);
	assert_true(tfp_query_set(&f.query, "account_displayed_op_only", NULL, f.diag));
	assert_true(f.query.account_displayed_op_only);
	assert_true(tfp_query_set(&f.query, "account_displayed_op_only", "No", f.diag));
	assert_false(f.query.account_displayed_op_only);
	assert_true(tfp_query_set(&f.query, "order_by", "", f.diag));
	assert_string_equal(f.query.order_by, "");
	end(&f);
}

static void says_itself_as_a_command(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	f.query.view = "scope";
	tfp_query_set(&f.query, "order_by", "micros", f.diag);
	tfp_query_set(&f.query, "select", "params,bytes", f.diag);
	tfp_query_set(&f.query, "show_name_regexes", ".*conv.*,it's\\,so", f.diag);
	tfp_query_set(&f.query, "min_cpu", "3", f.diag);
	tfp_query_set(&f.query, "flat", NULL, f.diag);
	tfp_query_set(&f.query, "show_text", "a b", f.diag);
	assert_string_equal(tfp_query_command(&f.query, &f.arena),
			    "scope --min_cpu=3 --order_by=micros "
			    "--show_name_regexes='.*conv.*,it'\\''s\\,so' "
			    "--select=bytes,params --flat --show_text='a b'");
	end(&f);
}

/* The values of a query given again as options make the same query. */
static void again(struct fixture *from, const char *option, const char *value)
{
	const struct tfp_option *row = tfp_option_find(option);
	struct fixture to;
	char *command, *sign;

	begin(&to);
	assert_true(tfp_query_set(&from->query, option, value, from->diag));
	command = tfp_query_command(&from->query, &from->arena);
	assert_non_null(row);
	/* Harmless values only: they stand in the command as they are. */
	sign = strchr(command, '=');
	assert_non_null(sign);
	assert_true(tfp_query_set(&to.query, option, sign + 1, to.diag));
	assert_true(tfp_query_equal(&from->query, &to.query));
	end(&to);
}

static void commands_can_be_given_again(void **state)
{
	static const char *const cases[][2] = {
		{"max_depth", "3"},     {"max_depth", "all"},      {"step", "2"},
		{"order_by", "params"}, {"order_by", ""},          {"select", ""},
		{"select", "a,b"},      {"show_name_regexes", ""}, {"hide_name_regexes", "a,b.c"},
		{"trim_text", "x"},     {"zoom", "fc/W"},          {"shape", "4x3"},
		{"output", "none"},     {"min_params", "-4"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;

		begin(&f);
		again(&f, cases[i][0], cases[i][1]);
		end(&f);
	}
}

static void copies_are_equal_and_apart(void **state)
{
	struct fixture f;
	struct tfp_query copy;

	(void)state;
	begin(&f);
	f.query.view = "op";
	tfp_query_set(&f.query, "select", "", f.diag);
	tfp_query_set(&f.query, "hide_name_regexes", "a,b", f.diag);
	tfp_query_set(&f.query, "min_bytes", "4", f.diag);
	tfp_query_copy(&copy, &f.query);
	assert_true(tfp_query_equal(&copy, &f.query));
	assert_non_null(copy.select.at);
	tfp_query_set(&copy, "min_bytes", "5", f.diag);
	assert_false(tfp_query_equal(&copy, &f.query));
	tfp_query_set(&copy, "min_bytes", "4", f.diag);
	tfp_query_set(&copy, "min_params", "0", f.diag);
	assert_true(tfp_query_equal(&copy, &f.query));
	tfp_query_free(&copy);
	end(&f);
}

static void words_are_checked_against_the_profile(void **state)
{
	static const struct {
		const char *view, *option, *value, *lists;
	} cases[] = {
		{"scope", "select", "micros,nothing", "input_shapes"},
		{"scope", "order_by", "nothing", "occurrence"},
		{"scope", "min_nothing", "1", "peak_bytes"},
		{"scope", "step", "7", "valid: 0 1"},
		{"scpoe", "select", "", "scope graph op code"},
		{"functions", "select", "", "functions"},
	};
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fixture f;

		begin(&f);
		f.query.view = cases[i].view;
		assert_true(tfp_query_set(&f.query, cases[i].option, cases[i].value, f.diag));
		if (tfp_query_check(&f.query, tfp_engine_profile(world.engine), f.diag)) {
			/* A view of call paths can be shown. */
			assert_string_equal(cases[i].view, "functions");
		} else {
			assert_int_equal(tfp_diag_errors(f.diag), 1);
			assert_non_null(strstr(problem(f.diag), cases[i].lists));
		}
		end(&f);
	}
	worked_end(&world);
}

static void selection_is_sorted_without_repeats(void **state)
{
	struct worked_world world;
	const char *words[4];

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_int_equal(
		tfp_query_selected(&world.query, tfp_engine_profile(world.engine), words, 4), 1);
	assert_string_equal(words[0], "micros");
	tfp_query_set(&world.query, "select", "params,bytes,params", world.diag);
	assert_int_equal(
		tfp_query_selected(&world.query, tfp_engine_profile(world.engine), words, 4), 2);
	assert_string_equal(words[0], "bytes");
	assert_string_equal(words[1], "params");
	worked_end(&world);
}

static void the_table_lists_the_original_first(void **state)
{
	size_t original = 0;

	(void)state;
	while (tfp_options[original].name && tfp_options[original].original)
		original++;
	assert_int_equal(original, 21);
	for (; tfp_options[original].name; original++)
		assert_false(tfp_options[original].original);
	assert_null(tfp_option_find("min_"));
	assert_non_null(tfp_option_find("min_anything"));
}

/* What is typed, what it is in microseconds and in picoseconds, and how it is written. */
static void minimums_have_units(void **state)
{
	static const struct {
		const char *text;
		int64_t micros, picos;
		const char *printed;
	} cases[] = {
		{"20us", 20, 20000000, "20us"},
		{"1.5ms", 1500, 1500000000, "1500us"},
		{"2s", 2000000, 2000000000000, "2s"},
		{"1500ns", 2, 1500000, "1500ns"},
		{"7", 7, 7, "7"},
		{"0.25ns", 1, 250, "250ps"},
	};
	static const char *const wrong[] = {"us",   "1.5",   "-1us",    "1 us",
					    "1min", "0.5ps", "9999999s"};
	struct tfp_arena arena = {0};
	struct tfp_minimum minimum;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_true(tfp_minimum_parse(cases[i].text, &minimum));
		assert_int_equal(tfp_minimum_in(&minimum, TFP_MICROS), cases[i].micros);
		assert_int_equal(tfp_minimum_in(&minimum, TFP_PICOS), cases[i].picos);
		assert_string_equal(tfp_minimum_print(&minimum, &arena), cases[i].printed);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(tfp_minimum_parse(wrong[i], &minimum));
	tfp_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_those_of_the_original),
		cmocka_unit_test(lists_are_cut_at_commas),
		cmocka_unit_test(bad_values_are_errors),
		cmocka_unit_test(good_values_are_kept),
		cmocka_unit_test(says_itself_as_a_command),
		cmocka_unit_test(commands_can_be_given_again),
		cmocka_unit_test(copies_are_equal_and_apart),
		cmocka_unit_test(words_are_checked_against_the_profile),
		cmocka_unit_test(selection_is_sorted_without_repeats),
		cmocka_unit_test(the_table_lists_the_original_first),
		cmocka_unit_test(minimums_have_units),
	};

	return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
