/* SPDX-License-Identifier: Apache-2.0 */
/* Whose backward ops are where several threads have forward ops with the same sequence numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "tfprof/load.h"

/* An op in a module, both of one name, from microsecond TS on. */
#define FORWARD(tid, ts, module, sequence)                                                         \
	X("python_function", "nn.Module: " module, "1", tid, ts ".0", "9", "")                     \
	X("cpu_op", "aten::linear", "1", tid, ts ".5", "5",                                        \
	  "\"Sequence number\": " sequence ", \"Fwd thread id\": 0")
#define BACKWARD(tid, ts, name, sequence, thread)                                                  \
	X("cpu_op", name, "1", tid, ts, "9",                                                       \
	  "\"Sequence number\": " sequence ", \"Fwd thread id\": " thread)
#define ARROW(id, tid, ts, to, at)                                                                 \
	"{\"ph\": \"s\", \"id\": " id ", \"pid\": 1, \"tid\": " tid ", \"ts\": " ts                \
	".5, \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\"},\n"                                        \
	"{\"ph\": \"f\", \"id\": " id ", \"pid\": 1, \"tid\": " to ", \"ts\": " at                 \
	", \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\", \"bp\": \"e\"},\n"

#define TWO_THREADS FORWARD("100", "10", "A", "0") FORWARD("101", "10", "B", "0")

/* PROBLEM: the only one, NULL: there is none. */
static void expect_at(const char *text, const char *const *names, size_t count, const char *problem)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_text(text, diag);

	assert_int_equal(tfp_diag_count(diag), problem != NULL);
	if (problem)
		assert_string_equal(tfp_diag_get(diag, 0).text, problem);

	for (size_t i = 0; i < count; i++)
		if (node_named(profile, names[i]) == TFP_NONE)
			fail_msg("there is no %s", names[i]);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* Numbers of threads say nothing of their order. */
static void arrows_tell_the_thread(void **state)
{
	static const char *const names[] = {"A/backward/OfA", "B/backward/OfB"};

	(void)state;
	expect_at("{\"schemaVersion\": 1, \"traceEvents\": [\n" TWO_THREADS BACKWARD(
			  "500", "100", "OfA", "0", "7") BACKWARD("500", "200", "OfB", "0", "3")
			  ARROW("1", "100", "10", "500", "100")
				  ARROW("2", "101", "10", "500", "200") "{}]}",
		  names, 2, NULL);
}

/* A thread that loads data has the number of an op that is not in the file: of the threads it is told by the arrow. */
static void arrows_go_before_numbers_of_one_thread(void **state)
{
	static const char *const names[] = {"A/backward/OfA", "backward/OfNone"};

	(void)state;
	expect_at("{\"schemaVersion\": 1, \"traceEvents\": [\n" FORWARD("100", "10", "A", "0")
			  FORWARD("300", "10", "Loader", "5")
				  BACKWARD("500", "100", "OfNone", "5", "7")
					  BACKWARD("500", "200", "OfA", "0", "7")
						  ARROW("1", "100", "10", "500", "200") "{}]}",
		  names, 2, NULL);
}

static void without_arrows_most_ops_tell_it(void **state)
{
	static const char *const one[] = {"A/backward/OfA", "B/backward/OfB"};
	static const char *const other[] = {"C/backward/OfC"};
	static const char *const known[] = {"B/backward/OfB", "A/backward/OfA"};
	static const char guessed[] =
		"backward ops that stand below the forward ops of one thread, and could as well be those of another: 2";

	(void)state;
	expect_at("{\"schemaVersion\": 1, \"traceEvents\": [\n" TWO_THREADS BACKWARD(
			  "500", "100", "OfA", "0", "1")
			  BACKWARD("501", "100", "OfB", "0", "2") "{}]}",
		  one, 2, guessed);
	expect_at("{\"schemaVersion\": 1, \"traceEvents\": [\n" TWO_THREADS FORWARD(
			  "101", "30", "C", "0") BACKWARD("500", "100", "OfC", "0", "1") "{}]}",
		  other, 1, NULL);
	/* one of two is told by its arrow, so the other one is known, too */
	expect_at("{\"schemaVersion\": 1, \"traceEvents\": [\n" TWO_THREADS BACKWARD(
			  "500", "100", "OfB", "0", "1") BACKWARD("501", "100", "OfA", "0", "2")
			  ARROW("1", "101", "10", "500", "100") "{}]}",
		  known, 2, NULL);
}

/* As Ascend's profiler writes it. */
static void the_number_of_the_thread_may_be_an_Id(void **state)
{
	static const char *const names[] = {"A/backward/OfA"};

	(void)state;
	expect_at("{\"schemaVersion\": 1, \"traceEvents\": [\n" FORWARD("100", "10", "A", "0")
			  X("cpu_op", "OfA", "1", "500", "100", "9",
			    "\"Sequence number\": 0, \"Fwd thread Id\": 1") "{}]}",
		  names, 1, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrows_tell_the_thread),
		cmocka_unit_test(arrows_go_before_numbers_of_one_thread),
		cmocka_unit_test(without_arrows_most_ops_tell_it),
		cmocka_unit_test(the_number_of_the_thread_may_be_an_Id),
	};

	return cmocka_run_group_tests_name("chrome_backward", tests, NULL, NULL);
}
