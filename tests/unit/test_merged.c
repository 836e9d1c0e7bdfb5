/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that are one run with the op around them, in the files of two ranks: one node, with all the time of both, and one run. */
#include "asking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"

#define SHAPE "\"Input Dims\": [[2, 2]], \"External id\": "

/*
 * Once "to" is all there is in a "to" that has another input, and it launches a kernel of 30 us; once there is something
 * beside it.
 */
#define RANK(rank)                                                                                 \
	"{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " rank ", \"world_size\": 2},"     \
	"\"traceEvents\": [\n" X("cpu_op", "to", "1", "1", "0", "100", SHAPE "1")                  \
		X("cpu_op", "aten::is_leaf", "1", "1", "1", "1", "\"External id\": 7")             \
			X("cpu_op", "to", "1", "1", "10", "80", "\"External id\": 2")              \
				X("cpu_op", "copy_", "1", "1", "20", "50", "\"External id\": 3")   \
					X("cpu_op", "to", "1", "1", "200", "100", SHAPE "4")       \
						X("cpu_op", "to", "1", "1", "210", "20",           \
						  SHAPE "5") X("cpu_op", "copy_", "1", "1", "250", \
							       "9", "\"External id\": 6")          \
							X("kernel", "k", "0", "7", "50", "30",     \
							  "\"External id\": 2") "{}]}"

#define MM                                                                                         \
	"\"Input Dims\": [[64, 32], [32, 16]], \"Input type\": [\"float\", \"float\"], "           \
	"\"External id\": "

/* Three deep, which is one run of 65,536 float operations, whose kernel takes 50 us. */
static const char deep[] = "{\"schemaVersion\": 1, \"traceEvents\": [\n" X(
	"cpu_op", "aten::mm", "1", "1", "0", "100", MM "1")
	X("cpu_op", "aten::mm", "1", "1", "10", "80", MM "2")
		X("cpu_op", "aten::mm", "1", "1", "20", "60", MM "3")
			X("kernel", "k", "0", "7", "40", "50", "\"External id\": 3") "{}]}";

static int load_up(void **state, const char *const *texts, size_t count)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_texts(texts, count, diag);

	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_diag_free(diag);
	return worked_set_up(state, profile);
}

static int set_up(void **state)
{
	static const char *const texts[] = {RANK("0"), RANK("1")};

	return load_up(state, texts, 2);
}

static int set_up_deep(void **state)
{
	static const char *const texts[] = {deep};

	return load_up(state, texts, 1);
}

static int64_t total(const struct worked_world *world, const char *label, const char *metric)
{
	const struct tfp_profile *profile = tfp_engine_profile(world->engine);
	uint32_t row = worked_row(world, label);

	if (row == TFP_NONE)
		fail_msg("there is no row %s", label);
	return tfp_tree_total(world->tree, row, tfp_profile_find_metric(profile, metric));
}

/* What both ranks have is one, whatever the inputs of the op inside are. */
static void both_ranks_have_the_same_nodes(void **state)
{
	struct worked_world *world = *state;
	const struct tfp_profile *profile = tfp_engine_profile(world->engine);

	for (uint32_t i = 0; i < profile->nodes.count; i++)
		for (uint32_t j = i + 1; j < profile->nodes.count; j++)
			assert_int_not_equal(profile->nodes.name[i], profile->nodes.name[j]);
}

static void what_the_inner_op_took_is_of_the_run(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "scope", "max_depth=all"));
	assert_string_equal(worked_text(world, TFP_TRACE_RUNS), "_TFProfRoot 12\n"
								"  to 12\n"
								"    to/copy_ 4\n"
								"    to/to 2\n"
								"    to/aten::is_leaf 2\n");
	assert_int_equal(total(world, "to", "device"), 60000);
	assert_int_equal(total(world, "to", "host"), 400000);
}

static void all_views_count_the_same_runs(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "op", "max_depth=all"));
	assert_int_equal(total(world, "to", "occurrence"), 6);
	assert_int_equal(total(world, "to", "device"), 60000);
	assert_non_null(WORKED_ASK(world, "device", "max_depth=all", "select=host_min"));
	assert_int_equal(total(world, "to", "occurrence"), 3);
	assert_int_equal(total(world, "to", "host_min"), 20000);
	assert_int_equal(total(world, "to", "host_median"), 100000);
}

static void ranges_share_the_operations_of_a_run(void **state)
{
	static const struct {
		const char *range;
		int64_t flops;
	} cases[] = {{"range=", 65536}, {"range=0:1000", 65536}, {"range=0:65", 32768}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_non_null(WORKED_ASK(*state, "op", cases[i].range));
		assert_int_equal(total(*state, "aten::mm", "float_ops"), cases[i].flops);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_ranks_have_the_same_nodes, set_up,
						worked_tear_down),
		cmocka_unit_test_setup_teardown(what_the_inner_op_took_is_of_the_run, set_up,
						worked_tear_down),
		cmocka_unit_test_setup_teardown(all_views_count_the_same_runs, set_up,
						worked_tear_down),
		cmocka_unit_test_setup_teardown(ranges_share_the_operations_of_a_run, set_up_deep,
						worked_tear_down),
	};

	return cmocka_run_group_tests_name("merged", tests, NULL, NULL);
}
