/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of commands: how they are cut, what they set, how they can go on; and every old name of the original.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "app/command.h"
#include "test_path.h"
#include "worked.h"

struct fixture {
	struct tfp_profile *profile;
	struct tfp_query query;
	struct tfp_typed typed;
	struct tfp_diag *diag;
	struct tfp_arena arena;
	bool strict;
};

static void begin(struct fixture *fixture)
{
	*fixture = (struct fixture){.diag = tfp_diag_new(), .profile = worked_profile(2)};
	tfp_query_init(&fixture->query);
}

static void end(struct fixture *fixture)
{
	tfp_query_free(&fixture->query);
	tfp_diag_free(fixture->diag);
	tfp_arena_free(&fixture->arena);
	tfp_profile_free(fixture->profile);
}

static bool type(struct fixture *f, const char *line)
{
	tfp_query_free(&f->query);
	tfp_query_init(&f->query);
	tfp_diag_free(f->diag);
	f->diag = tfp_diag_new();
	return tfp_typed_parse(line, f->strict, f->profile, &f->query, &f->typed, f->diag);
}

/* The line is read, and sets what COMMAND says. */
static void sets(struct fixture *f, const char *line, const char *command)
{
	if (!type(f, line))
		fail_msg("%s: %s", line, tfp_diag_get(f->diag, 0).text);
	assert_string_equal(tfp_query_command(&f->query, &f->arena), command);
}

static void refuses(struct fixture *f, const char *line, const char *why)
{
	if (type(f, line))
		fail_msg("%s is taken", line);
	assert_non_null(strstr(tfp_diag_get(f->diag, 0).text, why));
}

static void lines_of_the_original(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	for (int strict = 0; strict < 2; strict++) {
		f.strict = strict;
		sets(&f, "", "");
		assert_int_equal(f.typed.verb, TFP_VERB_NONE);
		sets(&f, "  scope   -max_depth 3  -step -1 ", "scope --max_depth=3");
		assert_int_equal(f.typed.verb, TFP_VERB_VIEW);
		sets(&f, "set -min_bytes -5 -min_bytes 7", " --min_bytes=7");
		assert_int_equal(f.typed.verb, TFP_VERB_SET);
		sets(&f, "op -account_displayed_op_only", "op --account_displayed_op_only");
		sets(&f, "op -account_displayed_op_only YES -step 0",
		     "op --step=0 --account_displayed_op_only");
		sets(&f, "op -account_displayed_op_only n -step 0", "op --step=0");
		sets(&f, "graph -show_name_regexes '\"a,b\"' -select ''",
		     "graph --show_name_regexes=a,b --select=");
		sets(&f, "code -show_name_regexes \"a' -output file:outfile=x=y",
		     "code --show_name_regexes=a --output=file:outfile=x=y");
		sets(&f, "help", "");
		sets(&f, "advise -step 0", " --step=0");
		refuses(&f, "   ", "blanks");
		refuses(&f, "SCOPE", "there is no command 'SCOPE'; did you mean scope?");
		refuses(&f, "scope extra", "there is no option 'extra'");
		refuses(&f, "scope -max_depth", "needs a value");
		refuses(&f, "scope -max_depth x", "whole number");
		refuses(&f, "scope -account_displayed_op_only maybe", "there is no option 'maybe'");
		refuses(&f, "op -select nothing", "no column \"nothing\"");
		refuses(&f, "op -select nothing -select micros", "no column \"nothing\"");
		refuses(&f, "op -order_by bad", "no order \"bad\"");
		refuses(&f, "op -min_nothing 3", "no metric");
	}
	end(&f);
}

static void what_is_new(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	sets(&f, "scope --max_depth=3 -select=micros,bytes",
	     "scope --max_depth=3 --select=bytes,micros");
	sets(&f, "set step=1 flat max_depth 4", " --max_depth=4 --step=1 --flat");
	sets(&f, "set -show_name_regexes 'a b',\"c,d\",e\\,f",
	     " --show_name_regexes='a b,c\\,d,e\\,f'");
	sets(&f, "set -show_name_regexes 'a b,c'", " --show_name_regexes='a b,c'");
	assert_int_equal(f.query.lists[TFP_SHOW].count, 2);
	sets(&f, "scope -output file:outfile='my file' -zoom \"a b\"",
	     "scope --output='file:outfile=my file' --zoom='a b'");
	sets(&f, "help -step", "");
	assert_string_equal(f.typed.about, "-step");
	sets(&f, "quit", "");
	assert_int_equal(f.typed.verb, TFP_VERB_END);
	refuses(&f, "quit now", "quit takes nothing behind its name");
	refuses(&f, "exit --step=2", "exit takes nothing");
	f.strict = true;
	refuses(&f, "quit", "no command");
	refuses(&f, "scope --max_depth 3", "as the original");
	refuses(&f, "scope -max_depth=3", "as the original");
	refuses(&f, "scope -order_by depth", "as the original");
	refuses(&f, "scope -viz", "as the original");
	end(&f);
}

/* ---- completing --------------------------------------------------------------------------------- */

/* The line can go on by WORDS, with a blank between them, in place of its end WHAT. */
static void ends(struct fixture *f, const char *line, const char *what, const char *words)
{
	struct tfp_typed_words known = {
		.metrics = f->profile->metrics,
		.metric_count = f->profile->metric_count,
		.steps = (const int64_t[]){0, 5},
		.step_count = 2,
		.profile = f->profile,
	};
	size_t from;
	struct tfp_words found = tfp_typed_complete(line, &known, &from, &f->arena);
	char *text = tfp_arena_printf(&f->arena, "%s", "");

	for (size_t i = 0; i < found.count; i++)
		text = tfp_arena_printf(&f->arena, "%s%s%s", text, i ? " " : "", found.at[i]);
	assert_string_equal(line + from, what);
	assert_string_equal(text, words);
}

static void lines_are_completed(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	ends(&f, "s", "s", "scope set summary steps");
	ends(&f, "  sc", "sc", "scope");
	ends(&f, "scope -min_o", "-min_o", "-min_output_bytes -min_occurrence");
	ends(&f, "scope --st", "--st", "--step= --start_name_regexes= --start_text=");
	ends(&f, "set ste", "ste", "step=");
	ends(&f, "scope -step ", "", "-1 0 5");
	ends(&f, "scope --step=", "", "-1 0 5");
	ends(&f, "scope -select micros,pea", "pea", "peak_bytes");
	ends(&f, "scope -order_by n", "n", "name");
	ends(&f, "scope -account_type_regexes 'MatMul,Var", "Var", "VariableV2");
	ends(&f, "scope -show_name_regexes f", "f", "fc/");
	ends(&f, "scope -show_name_regexes fc/W", "fc/W", "fc/W/");
	ends(&f, "scope -account_displayed_op_only t", "t", "true");
	ends(&f, "scope -output fi", "fi", "file:outfile=");
	ends(&f, "bogus -st", "-st", "");
	ends(&f, "scope -max_depth 3 -fl", "-fl", "-flat");
	end(&f);
}

/* ---- values ------------------------------------------------------------------------------------- */

static void options_are_listed(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_true(type(&f, "set -select params,micros -output none -step 3"));
	assert_string_equal(
		tfp_query_value(&f.query, tfp_option_find("select"), f.profile, &f.arena),
		"micros,params");
	assert_string_equal(
		tfp_query_value(&f.query, tfp_option_find("output"), f.profile, &f.arena), "none:");
	assert_string_equal(
		tfp_query_value(&f.query, tfp_option_find("order_by"), f.profile, &f.arena),
		"name");
	assert_string_equal(
		tfp_query_value(&f.query, tfp_option_find("min_params"), f.profile, &f.arena), "0");
	end(&f);
}

/* ---- old names ---------------------------------------------------------------------------------- */

enum column { NAME, KIND, VERSIONS, TODAY, OBSOLETE, COLUMNS };

/* A value that the option NAME takes; "" for one without. */
static const char *value_of(const char *name)
{
	if (!strcmp(name, "order_by") || !strcmp(name, "select"))
		return "bytes";
	if (!strcmp(name, "account_displayed_op_only") || !strcmp(name, "viz"))
		return "true";
	if (!strcmp(name, "output"))
		return "file:outfile=f";
	return "5";
}

/* TODAY of an option in the table, with VALUE, as a line of the shell. */
static const char *today_line(struct fixture *f, const char *today, const char *value)
{
	const char *place = strstr(today, "FILE");

	if (!strcmp(today, "-output timeline:outfile=FILE"))
		return "set"; /* no file to write to was named */
	if (place)
		return tfp_arena_printf(&f->arena, "set %.*s%s", (int)(place - today), today,
					value);
	return tfp_arena_printf(&f->arena, "set %s %s", today, value);
}

/* NAME with VALUE means LINE; OLD: and a note says so. */
static void means(struct fixture *f, const char *name, const char *value, const char *line,
		  bool old)
{
	char *wanted;

	assert_true(type(f, line));
	wanted = tfp_query_command(&f->query, &f->arena);
	sets(f, tfp_arena_printf(&f->arena, "set %s %s", name, value), wanted);
	assert_int_equal(tfp_diag_count(f->diag) > 0, old);
}

static void check_option(struct fixture *f, char **row)
{
	const char *name = row[NAME] + strspn(row[NAME], "-"), *value = value_of(name);

	means(f, row[NAME], value, today_line(f, row[TODAY], value), strcmp(row[NAME], row[TODAY]));
}

/* Flags are of the program's own command line; what names a file adds one. */
static void check_flag(struct fixture *f, char **row)
{
	const char *name = row[NAME] + strspn(row[NAME], "-");
	char *word = tfp_arena_printf(&f->arena, "%s=%s", row[NAME], value_of(name));
	char program[] = "tfprof", *const words[] = {program, word, NULL};
	struct tfp_command command;
	struct tfp_diag *diag = tfp_diag_new();
	size_t size = strlen(name);

	assert_true(tfp_command_parse(&command, 2, words, diag));
	assert_int_equal(command.files.count, size > 5 && !strcmp(name + size - 5, "_path"));
	if (row[OBSOLETE][0])
		assert_non_null(strstr(tfp_diag_get(diag, 0).text, "obsolete"));
	tfp_command_free(&command);
	tfp_diag_free(diag);
}

static void check_word(struct fixture *f, const char *option, char **row)
{
	char *line = tfp_arena_printf(&f->arena, "set %s '%s'", option, row[TODAY]);

	means(f, option, row[NAME], line, strcmp(row[NAME], row[TODAY]));
}

static void check_output(struct fixture *f, char **row)
{
	char *line = tfp_arena_printf(&f->arena, "set -output %s:outfile=x", row[NAME]);

	assert_true(type(f, line));
}

/* What can't be typed is explained. */
static void check_help(struct fixture *f, char **row)
{
	char *text = tfp_typed_help(&f->arena, row[NAME]);

	if (!text)
		fail_msg("%s is not explained", row[NAME]);
}

static void check_row(struct fixture *f, char **row)
{
	const char *kind = row[KIND];

	if (!strcmp(kind, "option"))
		check_option(f, row);
	else if (!strcmp(kind, "flag"))
		check_flag(f, row);
	else if (!strcmp(kind, "command"))
		assert_true(type(f, row[NAME]));
	else if (!strcmp(kind, "select"))
		check_word(f, "-select", row);
	else if (!strcmp(kind, "order_by"))
		check_word(f, "-order_by", row);
	else if (!strcmp(kind, "type"))
		check_word(f, "-account_type_regexes", row);
	else if (!strcmp(kind, "output"))
		check_output(f, row);
	else if (strcmp(kind, "spelling") != 0)
		check_help(f, row);
}

static void every_old_name_is_understood(void **state)
{
	struct fixture f;
	char path[TEST_PATH], line[1024], *row[COLUMNS], *rest;
	FILE *table;
	size_t rows = 0;

	(void)state;
	table = fopen(test_path(path, "data/old_names.tsv"), "r");
	assert_non_null(table);
	begin(&f);
	assert_non_null(fgets(line, sizeof(line), table));
	for (; fgets(line, sizeof(line), table); rows++) {
		rest = line;
		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < COLUMNS; i++)
			row[i] = strsep(&rest, "\t");
		assert_non_null(row[OBSOLETE]);
		check_row(&f, row);
	}
	assert_true(rows > 100);
	end(&f);
	fclose(table);
}

static void old_values_become_new_ones(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	sets(&f, "set -device_regexes .*GPU:0\\S", " --account_type_regexes='.*gpu:0\\S'");
	end(&f);
}

static void every_view_is_explained(void **state)
{
	(void)state;
	for (size_t i = 0; tfp_views[i]; i++) {
		assert_non_null(tfp_views[i]->about);
		assert_true(tfp_views[i]->example || tfp_views[i]->listing);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_the_original),
		cmocka_unit_test(what_is_new),
		cmocka_unit_test(lines_are_completed),
		cmocka_unit_test(options_are_listed),
		cmocka_unit_test(every_old_name_is_understood),
		cmocka_unit_test(every_view_is_explained),
		cmocka_unit_test(old_values_become_new_ones),
	};

	return cmocka_run_group_tests_name("typed", tests, NULL, NULL);
}
