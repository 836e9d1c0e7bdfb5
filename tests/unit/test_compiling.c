/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings in which JAX compiled: that is what stands out, once however often it is said, if it is much. */
#include "made_xplane.h"
#include "view/views/findings.h"

#define E(kind, offset, duration)                                                                  \
	"events { metadata_id: " #kind " offset_ps: " #offset " duration_ps: " #duration " } "
#define N(kind, name) "event_metadata { key: " #kind " value { name: \"" name "\" } } "
#define HOST(lines)                                                                                \
	"planes { name: \"/host:CPU\" " lines N(1, "$partial_eval.py:9 trace_to_jaxpr")            \
		N(2, "lower_sharding_computation") N(3, "$compiler.py:7 backend_compile_and_load") \
			N(4, "backend_compile_and_load") N(5, "other") "} "

static void one_in_another_counts_once(void **state)
{
	struct world *world = *state;
	struct tfp_arena arena = {0};
	struct tfp_finding found;

	load(world,
	     HOST("lines { id: 1 " E(5, 0, 1000) E(1, 100, 50) E(1, 110, 20) E(2, 200, 100)
			  E(3, 400, 300) E(4, 410, 250) "} lines { id: 2 " E(4, 500, 50) "}"));
	assert_true(tfp_compile_finding(world->profile, &arena, &found));
	assert_string_equal(found.brief, "compiling 50% of the recording");
	assert_string_equal(found.text,
			    "compiling: 50.0% of the recording, 500ps, which later runs do "
			    "without; tracing 50ps, lowering 100ps, compiling 350ps");
	assert_string_equal(found.target.view, "op");
	assert_true(found.target.key == tfp_key_type(TFP_SPAN("backend_compile_and_load")));
	tfp_arena_free(&arena);
}

static void little_is_not_told(void **state)
{
	struct world *world = *state;
	struct tfp_arena arena = {0};
	struct tfp_finding found;

	load(world, HOST("lines { id: 1 " E(5, 0, 1000) E(4, 410, 99) "}"));
	assert_false(tfp_compile_finding(world->profile, &arena, &found));
	tfp_arena_free(&arena);
}

static void threads_may_do_so_at_once(void **state)
{
	struct world *world = *state;
	struct tfp_arena arena = {0};
	struct tfp_finding found;

	load(world, HOST("lines { id: 1 " E(3, 0, 100) "} lines { id: 2 " E(3, 0, 80) "}"));
	assert_true(tfp_compile_finding(world->profile, &arena, &found));
	assert_string_equal(found.brief, "compiling 100% of the recording");
	assert_string_equal(found.target.view, "code");
	tfp_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_in_another_counts_once),
		TEST(little_is_not_told),
		TEST(threads_may_do_so_at_once),
	};

	return cmocka_run_group_tests_name("compiling", tests, NULL, NULL);
}
