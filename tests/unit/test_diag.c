/* SPDX-License-Identifier: Apache-2.0 */
/* The collector of problems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tfprof/base.h"

static void same_problem_counts(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_problem problem;

	(void)state;
	for (int i = 0; i < 3; i++)
		tfp_diag_add(diag, TFP_WARNING, "a.pb", 10 + i, 0, "node %d has no name", i);
	tfp_diag_add(diag, TFP_WARNING, "b.pb", 99, 0, "node %d has no name", 7);
	assert_int_equal(tfp_diag_count(diag), 2);
	problem = tfp_diag_get(diag, 0);
	assert_string_equal(problem.text, "node 0 has no name");
	assert_string_equal(problem.file, "a.pb");
	assert_int_equal(problem.offset, 10);
	assert_int_equal(problem.count, 3);
	assert_int_equal(tfp_diag_get(diag, 1).count, 1);
	assert_int_equal(tfp_diag_errors(diag), 0);
	tfp_diag_free(diag);
	tfp_diag_free(NULL);
}

static void worst_severity_stays(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	tfp_diag_note(diag, "odd");
	tfp_diag_error(diag, "odd");
	tfp_diag_note(diag, "odd");
	assert_int_equal(tfp_diag_count(diag), 1);
	assert_int_equal(tfp_diag_get(diag, 0).severity, TFP_ERROR);
	assert_int_equal(tfp_diag_errors(diag), 1);
	tfp_diag_free(diag);
}

static void finished_texts_are_told_apart(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	tfp_diag_error(diag, "%s", "first");
	tfp_diag_error(diag, "%s", "second");
	tfp_diag_error(diag, "%s", "first");
	assert_int_equal(tfp_diag_count(diag), 2);
	assert_int_equal(tfp_diag_get(diag, 0).count, 2);
	assert_string_equal(tfp_diag_get(diag, 1).text, "second");
	tfp_diag_free(diag);
}

static void what_is_kept_is_bounded(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_problem rest;
	char text[32];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "problem %d", i);
		tfp_diag_add(diag, i == 900 ? TFP_ERROR : TFP_NOTE, text, i, 0, "%s", text);
	}
	assert_int_equal(tfp_diag_count(diag), 257);
	assert_int_equal(tfp_diag_errors(diag), 1);
	rest = tfp_diag_get(diag, 256);
	assert_int_equal(rest.count, 1000 - 256);
	assert_null(rest.file);
	tfp_diag_add(diag, TFP_NOTE, "problem 5", 5, 0, "%s", "problem 5");
	assert_int_equal(tfp_diag_get(diag, 5).count, 2);
	assert_int_equal(tfp_diag_get(diag, 999).count, 0);
	tfp_diag_free(diag);
}

static void hostile_text_is_cleaned(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	char line[200];
	static char huge[5000];

	(void)state;
	memset(huge, 'x', sizeof(huge) - 1);
	tfp_diag_add(diag, TFP_ERROR, "a\033[2J\n", -1, 3, "name \"%s\"", "b\033]0;\x07\n\xff");
	tfp_diag_error(diag, "long %s", huge);
	assert_string_equal(tfp_diag_get(diag, 0).text, "name \"b\uFFFD]0;\uFFFD\uFFFD\uFFFD\"");
	assert_in_range(strlen(tfp_diag_get(diag, 1).text), 100, 1000);
	tfp_problem_print(&(struct tfp_problem){TFP_ERROR, "a\033[2J\n", -1, 3, "t", 1}, line,
			  sizeof(line));
	assert_string_equal(line, "a\uFFFD[2J\uFFFD:3: t");
	tfp_diag_free(diag);
}

static void prints_what_is_known(void **state)
{
	static const struct {
		struct tfp_problem problem;
		const char *line;
	} cases[] = {
		{{TFP_NOTE, NULL, -1, 0, "no graph", 1}, "no graph"},
		{{TFP_NOTE, "m.pb", -1, 0, "empty", 1}, "m.pb: empty"},
		{{TFP_NOTE, "m.pb", 0, 0, "bad tag", 3}, "m.pb: at byte 0: bad tag (3 times)"},
		{{TFP_NOTE, "m.pbtxt", 90, 4, "bad word", 1}, "m.pbtxt:4: bad word"},
	};
	char line[100], small[8];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(tfp_problem_print(&cases[i].problem, line, sizeof(line)),
				 strlen(cases[i].line));
		assert_string_equal(line, cases[i].line);
	}
	assert_int_equal(tfp_problem_print(&cases[1].problem, small, sizeof(small)), 11);
	assert_string_equal(small, "m.pb: e");
}

static void *add_some(void *data)
{
	for (int i = 0; i < 5000; i++)
		tfp_diag_add(data, TFP_NOTE, i % 2 ? "a" : "b", i, 0, "seen %d", i);
	return NULL;
}

static void one_adds_another_reads(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	pthread_t writer;
	uint64_t seen = 0;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, add_some, diag), 0);
	while (seen < 5000) {
		seen = 0;
		for (size_t i = 0; i < tfp_diag_count(diag); i++)
			seen += tfp_diag_get(diag, i).count;
	}
	pthread_join(writer, NULL);
	assert_int_equal(tfp_diag_count(diag), 2);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_problem_counts),
		cmocka_unit_test(worst_severity_stays),
		cmocka_unit_test(finished_texts_are_told_apart),
		cmocka_unit_test(what_is_kept_is_bounded),
		cmocka_unit_test(hostile_text_is_cleaned),
		cmocka_unit_test(prints_what_is_known),
		cmocka_unit_test(one_adds_another_reads),
	};

	return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
