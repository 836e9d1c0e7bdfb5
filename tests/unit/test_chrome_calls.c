/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python calls in PyTorch's traces: who called whom by times, and by their numbers where times can't tell it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"

#define BEGIN "{\"schemaVersion\": 1, \"traceEvents\": [\n"
#define CALL(name, ts, dur, id, parent)                                                            \
	X("python_function", name, "1", "1", ts, dur,                                              \
	  "\"Python id\": " id ", \"Python parent id\": " parent)
#define OP(name, ts, dur) X("cpu_op", name, "1", "1", ts, dur, "")

/* The functions that the op NAME is called from, the innermost first, by commas. */
static void expect_callers(const struct tfp_profile *profile, const char *name, const char *callers)
{
	uint32_t stack = profile->nodes.stack[node_named(profile, name)];
	char text[256] = "";

	for (; stack != TFP_NONE; stack = profile->stacks.at[stack].parent) {
		const struct tfp_frame *frame =
			&profile->frames.at[profile->stacks.at[stack].frame];
		size_t size = strlen(text);

		snprintf(text + size, sizeof(text) - size, "%s%s", size ? "," : "",
			 tfp_strings_text(profile->strings, frame->function));
	}
	assert_string_equal(text, callers);
}

/* One trace: its ops with their callers, and what problem is told, how often. */
static const struct {
	const char *text;
	struct {
		const char *name, *callers;
	} ops[2];
	const char *problem;
} cases[] = {
	/* times say it alone */
	{BEGIN CALL("f", "0", "10", "1", "null") CALL("g", "1", "5", "2", "1")
		 OP("op", "2", "1") "]}",
	 {{"op", "g,f"}},
	 NULL},
	/* of one time: the inner one stands first */
	{BEGIN CALL("g", "0", "10", "2", "1") CALL("f", "0", "10", "1", "null") OP("op", "2", "1"),
	 {{"op", "g,f"}},
	 "the caller that they name, which counts: 1"},
	/* the caller is the shorter one */
	{BEGIN CALL("f", "0", "9", "1", "null") CALL("g", "0", "10", "2", "1")
		 CALL("h", "0", "9.5", "3", "2") OP("op", "2", "1"),
	 {{"op", "h,g,f"}},
	 "the caller that they name, which counts: 1"},
	/* a caller that takes no time, with a module */
	{BEGIN CALL("f", "0", "10", "1", "null") CALL("nn.Module: Net_0", "1", "0", "2", "1")
		 CALL("g", "1", "0", "3", "2") CALL("h", "1", "5", "4", "3") OP("op", "2", "1")
			 OP("after", "7", "1"),
	 {{"Net_0/op", "h,g,f"}, {"after", "f"}},
	 "the caller that they name, which counts: 3"},
	/* a call that begins when its caller is over, or before it began */
	{BEGIN CALL("f", "0", "10", "1", "null") CALL("g", "1", "2", "2", "1")
		 CALL("h", "4", "2", "3", "2") OP("op", "4", "1"),
	 {{"op", "h,g,f"}},
	 "the caller that they name, which counts: 1"},
	{BEGIN CALL("f", "0", "10", "1", "null") CALL("h", "1", "2", "3", "2")
		 CALL("g", "3.5", "2", "2", "1") OP("op", "1.5", "1") OP("later", "4", "1"),
	 {{"op", "h,g,f"}, {"later", "g,f"}},
	 "the caller that they name, which counts: 1"},
	/* the file lacks the caller, has two of that number, or it is on another thread */
	{BEGIN CALL("f", "0", "10", "1", "null") CALL("g", "1", "5", "2", "77") OP("op", "2", "1"),
	 {{"op", "g,f"}},
	 "caller is not in the file, and is told by times: 1"},
	{BEGIN CALL("f", "0", "10", "1", "null") CALL("e", "20", "1", "1", "null")
		 CALL("g", "1", "5", "2", "1") OP("op", "2", "1"),
	 {{"op", "g,f"}},
	 "caller is not in the file, and is told by times: 1"},
	{BEGIN X("python_function", "e", "1", "2", "0", "10", "\"Python id\": 1")
		 CALL("g", "1", "5", "2", "1") OP("op", "2", "1"),
	 {{"op", "g"}},
	 "caller is not in the file, and is told by times: 1"},
	/* they call each other, or themselves */
	{BEGIN CALL("f", "0", "10", "1", "2") CALL("g", "1", "5", "2", "1") OP("op", "2", "1"),
	 {{"op", "g,f"}},
	 "in each of which times tell one: 1"},
	{BEGIN CALL("f", "0", "10", "1", "1") CALL("g", "1", "5", "2", "1") OP("op", "2", "1"),
	 {{"op", "g,f"}},
	 "in each of which times tell one: 1"},
};

static void calls_are_told_by_ids_where_times_lie(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load_text(cases[i].text, diag);

		for (size_t op = 0; op < 2 && cases[i].ops[op].name; op++)
			expect_callers(profile, cases[i].ops[op].name, cases[i].ops[op].callers);
		if (cases[i].problem && !problem_with(diag, cases[i].problem).count)
			fail_msg("case %zu does not tell: %s", i, cases[i].problem);
		if (!cases[i].problem)
			assert_int_equal(tfp_diag_count(diag), 0);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

/* Many that call each other in a long chain, all at one time and none for long, cost no depth. */
static void a_long_chain_of_calls_is_no_recursion(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fputs(BEGIN, out);
	for (int i = 30000; i > 0; i--)
		fprintf(out, CALL("f", "%d", "0", "%d", "%d"), 5, i, i - 1);
	fclose(out);
	profile = load_text(text, diag);
	assert_int_equal(profile->trace->count, 30000);
	assert_int_equal(problem_with(diag, "caller is not in the file").count, 1);
	problem_with(diag,
		     "chains of more than 10000 Python calls that name each other as callers, "
		     "of which times tell the rest: 2");
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	free(text);
}

/* Around the launch of a kernel, without an id that an op has, are more calls than are looked through. */
static void launches_in_too_many_calls_are_told(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fputs(BEGIN OP("aten::deep", "0", "10000"), out);
	for (int i = 1; i <= 1500; i++) {
		fprintf(out, X("cuda_runtime", "c", "1", "1", "%d", "%d", "\"correlation\": %d"), i,
			9000 - 2 * i, i);
		if (i == 20 || i == 1400)
			fprintf(out, X("kernel", "k", "0", "7", "%d", "1", "\"correlation\": %d"),
				20000 + i, i);
	}
	fputs("{}]}", out);
	fclose(out);
	profile = load_text(text, diag);
	assert_string_equal(owner_of(profile, 20020000), "aten::deep");
	assert_int_equal(problem_with(diag, "device events whose launch is in more than 1000 "
					    "calls, beyond which no op is looked for: 1")
				 .count,
			 1);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_told_by_ids_where_times_lie),
		cmocka_unit_test(a_long_chain_of_calls_is_no_recursion),
		cmocka_unit_test(launches_in_too_many_calls_are_told),
	};

	return cmocka_run_group_tests_name("chrome calls", tests, NULL, NULL);
}
