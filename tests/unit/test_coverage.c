/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far totals can be trusted: work of which no op is known is in all views, and is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "asking.h"
#include "chrome_text.h"
#include "proto/xplane.pb-c.h"
#include "view/trace/coverage.h"

#define DIMS                                                                                       \
	"\"Input Dims\": [[4, 8]], \"Input type\": [\"float\"], "                                  \
	"\"Call stack\": \"net.py(3): run\""

/* 200 of an op with shapes, 100 of one without, and of two kernels that nothing leads to 60 and 40. */
static const char kineto[] = "{\"schemaVersion\": 1, \"traceEvents\": [" X(
	"cpu_op", "aten::mm", "1", "1", "10", "5", "\"External id\": 1, " DIMS)
	X("cuda_runtime", "cudaLaunchKernel", "1", "1", "11", "1",
	  "\"External id\": 1, \"correlation\": 7") X("cpu_op", "aten::relu", "1", "1", "20", "5",
						      "\"External id\": 2")
		X("cuda_runtime", "cudaLaunchKernel", "1", "1", "21", "1",
		  "\"External id\": 2, \"correlation\": 8")
			X("kernel", "gemm", "0", "7", "30", "0.200",
			  "\"correlation\": 7, \"stream\": 7, "
			  "\"device\": 0") X("kernel", "relu", "0", "7", "31", "0.100",
					     "\"correlation\": 8, \"stream\": 7, \"device\": 0")
				X("kernel", "lost", "0", "7", "32", "0.060",
				  "\"correlation\": 99, \"stream\": 7, \"device\": 0")
					X("gpu_memset", "Memset", "0", "9", "33", "0.040",
					  "\"stream\": 9, \"device\": 0") "]}";

static const char xplane[] =
	"planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream #1\" "
	"events { metadata_id: 1 offset_ps: 10 duration_ps: 300 stats { metadata_id: 1 str_value: "
	"\"dot.1\" } stats { metadata_id: 2 str_value: \"jit_f\" } "
	"stats { metadata_id: 3 str_value: \"net.py:3\" } } "
	"events { metadata_id: 2 offset_ps: 400 duration_ps: 60 } "
	"events { metadata_id: 3 offset_ps: 500 duration_ps: 40 } } "
	"event_metadata { key: 1 value { name: \"gemm\" } } "
	"event_metadata { key: 2 value { name: \"lost\" } } "
	"event_metadata { key: 3 value { name: \"MemcpyH2D\" } } "
	"stat_metadata { key: 1 value { name: \"hlo_op\" } } "
	"stat_metadata { key: 2 value { name: \"hlo_module\" } } "
	"stat_metadata { key: 3 value { name: \"source\" } } }";

static struct tfp_profile *xplane_profile(const char *text, struct tfp_diag *diag)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_source *source = source_of_text(text);
	struct tfp_source *wire =
		tfp_textproto_to_wire(source, &tfp__xspace__descriptor, NULL, diag);

	assert_true(load_source(profile, "xplane", wire, 0, diag));
	assert_true(loader_named("xplane")->finish(profile, NULL, diag));
	tfp_profile_finish(profile);
	tfp_source_free(source);
	return profile;
}

/* A host's event is in no scope. */
static const char hosted[] =
	"planes { name: \"/device:GPU:0\" lines { id: 1 name: \"Stream #1\" "
	"events { metadata_id: 1 offset_ps: 10 duration_ps: 300 stats { metadata_id: 1 str_value: "
	"\"dot.1\" } } } event_metadata { key: 1 value { name: \"gemm\" } } "
	"stat_metadata { key: 1 value { name: \"hlo_op\" } } } "
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	"events { metadata_id: 1 offset_ps: 0 duration_ps: 7000 } } "
	"event_metadata { key: 1 value { name: \"run\" } } }";

static struct tfp_lens device_lens(const struct tfp_profile *profile)
{
	return (struct tfp_lens){"device", 'd', profile->default_metric, ".*"};
}

static void expect_total(struct worked_world *world, int64_t total)
{
	static const char *const views[] = {"scope", "op", "code", "functions", "device"};

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		const struct tfp_tree *tree = worked_ask(world, views[i], NULL);

		if (!tree)
			fail_msg("%s: %s", views[i],
				 tfp_diag_get(world->diag, tfp_diag_count(world->diag) - 1).text);
		if (tfp_tree_total(tree, tree->root, TFP_TRACE_DEVICE) != total)
			fail_msg("%s: %lld", views[i],
				 (long long)tfp_tree_total(tree, tree->root, TFP_TRACE_DEVICE));
	}
}

static void expect_facts(struct worked_world *world, uint32_t row, const char *part)
{
	const char *facts = tfp_engine_facts(world->engine, world->tree, row, &world->arena);

	if (!strstr(facts, part))
		fail_msg("%s: not in: %s", part, facts);
}

static void expect_summary(struct worked_world *world, int brief, const char *text)
{
	struct tfp_lens lens = device_lens(tfp_engine_profile(world->engine));

	assert_string_equal(tfp_tree_summary(world->tree, tfp_engine_profile(world->engine), &lens,
					     brief, &world->arena),
			    text);
}

static void kernels_that_nothing_leads_to(void **state)
{
	struct worked_world world;
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	worked_begin(&world, load_text(kineto, diag));
	expect_total(&world, 400);
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=10"));
	assert_int_equal(tfp_tree_total(world.tree, worked_row(&world, "no operation found"),
					TFP_TRACE_DEVICE),
			 100);
	assert_int_equal(
		tfp_tree_total(world.tree, worked_row(&world, "no operation found/lost"), 0), 60);
	expect_facts(&world, worked_row(&world, "no operation found"),
		     "2 ops, none of the device time has an op, none a shape");
	expect_facts(&world, world.tree->root, "75% of the device time has an op, 50% a shape; ");
	expect_summary(&world, 0,
		       "device, whole recording | 75% has an op, 50% a shape | all ops, 0% hidden "
		       "| 10 levels");
	expect_summary(&world, 1,
		       "device, whole recording | 75% has an op, 50% a shape | 0% hidden | 10 "
		       "levels");
	expect_summary(&world, 2, "device, whole recording | 0% hidden | 10 levels");
	worked_end(&world);
	tfp_diag_free(diag);
}

static void kernels_without_instructions(void **state)
{
	struct worked_world world;
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	worked_begin(&world, xplane_profile(xplane, diag));
	expect_total(&world, 400);
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=10"));
	expect_facts(&world, world.tree->root, "75% of the device time has an op, none a shape; ");
	assert_int_equal(tfp_engine_profile(world.engine)->trace->unowned.events, 2);
	assert_int_equal(tfp_engine_profile(world.engine)->trace->unowned.time, 100);
	worked_end(&world);
	tfp_diag_free(diag);
}

/* Where all is known the bottom line says so, and the query line nothing. */
static void all_is_known(void **state)
{
	static const char text[] = "{\"schemaVersion\": 1, \"traceEvents\": [" X(
		"cpu_op", "aten::mm", "1", "1", "10", "5", "\"External id\": 1, " DIMS)
		X("cuda_runtime", "cudaLaunchKernel", "1", "1", "11", "1",
		  "\"External id\": 1, \"correlation\": 7")
			X("kernel", "gemm", "0", "7", "30", "0.200",
			  "\"correlation\": 7, \"stream\": 7, \"device\": 0") "]}";
	struct worked_world world;
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	worked_begin(&world, load_text(text, diag));
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=10"));
	expect_facts(&world, world.tree->root, "; all of the device time has an op, all a shape");
	expect_summary(&world, 0, "device, whole recording | all ops, 0% hidden | 10 levels");
	worked_end(&world);
	tfp_diag_free(diag);
}

/* Views of scopes leave out what is in none, which is no filter's doing: they say so, and others have it. */
static void hosts_outside_of_scopes(void **state)
{
	struct worked_world world;
	struct tfp_diag *diag = tfp_diag_new();
	const struct tfp_tree *tree;

	(void)state;
	worked_begin(&world, xplane_profile(hosted, diag));
	tree = WORKED_ASK(&world, "scope", "max_depth=10");
	assert_non_null(tree);
	assert_int_equal(tfp_tree_total(tree, tree->root, TFP_TRACE_HOST), 0);
	expect_facts(&world, tree->root, "; not here: 7.00ns of the host, in no scope");
	expect_summary(&world, 0,
		       "device, whole recording | all ops in scopes, 0% hidden | 10 levels");
	tree = WORKED_ASK(&world, "op", NULL);
	assert_non_null(tree);
	assert_int_equal(tfp_tree_total(tree, tree->root, TFP_TRACE_HOST), 7000);
	expect_summary(&world, 0, "device, whole recording | all ops, 0% hidden");
	worked_end(&world);
	tfp_diag_free(diag);
}

/* An op of a host, 1000 of 4000, calls something for 600 and that for 500; what Python does is around. */
static const char calls[] =
	"planes { name: \"/host:CPU\" lines { id: 1 name: \"main\" "
	"events { metadata_id: 1 offset_ps: 0 duration_ps: 4000 } "
	"events { metadata_id: 2 offset_ps: 1000 duration_ps: 1000 "
	"stats { metadata_id: 1 str_value: \"dot.1\" } stats { metadata_id: 2 str_value: \"jit_f\" } } "
	"events { metadata_id: 3 offset_ps: 1100 duration_ps: 600 } "
	"events { metadata_id: 4 offset_ps: 1150 duration_ps: 500 } } "
	"event_metadata { key: 1 value { name: \"$net.py:3 run\" } } "
	"event_metadata { key: 2 value { name: \"dot.1\" } } "
	"event_metadata { key: 3 value { name: \"Eigen::contract\" } } "
	"event_metadata { key: 4 value { name: \"wait\" } } "
	"stat_metadata { key: 1 value { name: \"hlo_op\" } } "
	"stat_metadata { key: 2 value { name: \"hlo_module\" } } }";

/* What an op calls is time of it, as in the tree. */
static void what_an_op_calls_has_one(void **state)
{
	struct worked_world world;
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	worked_begin(&world, xplane_profile(calls, diag));
	assert_non_null(WORKED_ASK(&world, "scope", "max_depth=10"));
	assert_int_equal(tfp_tree_total(world.tree, worked_row(&world, "dot.1"), TFP_TRACE_HOST),
			 1000);
	expect_facts(&world, world.tree->root, "25% of the host time has an op");
	worked_end(&world);
	tfp_diag_free(diag);
}

/* As the summary and the lines say them: one has a digit more, but not another number. */
static void shares_are_rounded(void **state)
{
	(void)state;
	assert_float_equal(tfp_coverage_percent(386, 1000, 1), 39, 1e-4);
	assert_float_equal(tfp_coverage_percent(386, 1000, 0.1), 38.6, 1e-4);
	assert_float_equal(tfp_coverage_percent(99996, 100000, 1), 99, 1e-4);
	assert_float_equal(tfp_coverage_percent(99996, 100000, 0.1), 99.9, 1e-4);
	assert_float_equal(tfp_coverage_percent(1000, 1000, 0.1), 100, 1e-4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_that_nothing_leads_to),
		cmocka_unit_test(kernels_without_instructions),
		cmocka_unit_test(all_is_known),
		cmocka_unit_test(hosts_outside_of_scopes),
		cmocka_unit_test(what_an_op_calls_has_one),
		cmocka_unit_test(shares_are_rounded),
	};

	return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
