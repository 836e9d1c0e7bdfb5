/* SPDX-License-Identifier: Apache-2.0 */
/* What is done a second of busy time, beside what a device can do, by a recording made by hand. */
#include "made_trace.h"
#include "asking.h"
#include "view/views/findings.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

/* A relu of so many operations (else 200), and copies of 5 bytes each, on GPUs that do 40 a ns and move 2 bytes a ns. */
static struct tfp_profile *rated_trace(int64_t float_ops, double other_peak)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_trace *trace = profile->trace;

	for (size_t i = 0; i < trace->works.count; i++)
		if (trace->works.at[i].class == TFP_WORK_COPY)
			trace->works.at[i].bytes = 5;
	profile->nodes.float_ops[RELU] = float_ops;
	trace->devices.at[1].peak_flops = 4e10;
	trace->devices.at[2].peak_flops = other_peak;
	trace->devices.at[1].peak_bandwidth = trace->devices.at[2].peak_bandwidth = 2e9;
	tfp_trace_tally(profile, NULL);
	profile->metrics[TFP_TRACE_BYTES].absent = profile->metrics[TFP_TRACE_FLOPS].absent = false;
	return profile;
}

static void start_with(struct worked_world *world, int64_t float_ops, double other_peak)
{
	worked_begin(world, rated_trace(float_ops, other_peak));
	world->query.view = "scope";
	world->tree = tfp_engine_run(world->engine, &world->query, NULL, world->diag);
	assert_non_null(world->tree);
}

static void start(struct worked_world *world, double other_peak)
{
	start_with(world, 200, other_peak);
}

/* The cell of the only column chosen; "" where it is not offered. */
static const char *cell_of(const struct worked_world *world, const char *label, const char *column)
{
	static char text[TFP_CELL_ROOM];
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct tfp_cell cell;

	if (!tfp_columns(world->tree, TFP_TRACE_DEVICE, column, columns, TFP_MAX_COLUMNS))
		return "";
	tfp_tree_cell(world->tree, worked_row(world, label), 0, columns, &cell);
	snprintf(text, sizeof(text), "%s", cell.text);
	return text;
}

static void test_rates_are_of_busy_time(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, 4e10);
	assert_string_equal(cell_of(&world, "net/relu", "rate"), "10.00G");
	assert_string_equal(cell_of(&world, "net/relu", "peak"), "25.0");
	assert_string_equal(cell_of(&world, "no operation found/copy", "byte_rate"), "1.00G");
	assert_string_equal(cell_of(&world, "no operation found/copy", "byte_peak"), "50.0");
	assert_string_equal(cell_of(&world, "net/conv", "peak"), "-");
	worked_end(&world);
}

/* A core that helps it, or a chip beside it. */
static void test_a_device_without_peaks_hides_none(void **state)
{
	struct worked_world world;
	struct tfp_profile *profile = rated_trace(200, 0);

	(void)state;
	profile->trace->devices.at[2].peak_bandwidth = 0;
	worked_begin(&world, profile);
	world.query.view = "scope";
	world.tree = tfp_engine_run(world.engine, &world.query, NULL, world.diag);
	assert_non_null(world.tree);
	assert_string_equal(cell_of(&world, "net/relu", "peak"), "25.0");
	assert_string_equal(cell_of(&world, "no operation found/copy", "byte_peak"), "50.0");
	worked_end(&world);
}

static void test_numbers_for_programs(void **state)
{
	struct tfp_column column = {.kind = TFP_COLUMN_PEAK, .metric = TFP_TRACE_FLOPS};
	struct tfp_value value;
	struct worked_world world;

	(void)state;
	start(&world, 4e10);
	assert_true(tfp_tree_value(world.tree, worked_row(&world, "net/relu"), 0, &column, &value));
	assert_false(value.whole);
	assert_true(value.real > 24.999 && value.real < 25.001);
	assert_false(
		tfp_tree_value(world.tree, worked_row(&world, "net/conv"), 0, &column, &value));
	worked_end(&world);
}

static void test_devices_that_differ_have_no_common_peak(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, 5e10);
	assert_string_equal(cell_of(&world, "net/relu", "rate"), "10.00G");
	assert_string_equal(cell_of(&world, "net/relu", "peak"), "");
	assert_string_equal(cell_of(&world, "no operation found/copy", "byte_peak"), "50.0");
	worked_end(&world);
}

static void test_facts_name_the_share_of_the_peak(void **state)
{
	struct tfp_arena arena = {0};
	struct worked_world world;

	(void)state;
	start_with(&world, 17369628, 4e10);
	assert_non_null(strstr(
		tfp_engine_facts(world.engine, world.tree, worked_row(&world, "net/relu"), &arena),
		"868.48 TFLOP/s"));
	worked_end(&world);
	start(&world, 4e10);
	assert_non_null(strstr(
		tfp_engine_facts(world.engine, world.tree, worked_row(&world, "net/relu"), &arena),
		"10.00 GFLOP/s, 25.0% of the peak"));
	tfp_arena_free(&arena);
	worked_end(&world);
}

/* The relu does 200 operations in 20 ns; first one device could do that, then none. */
static void test_more_than_a_device_can_is_told(void **state)
{
	struct tfp_profile *profile = rated_trace(200, 4e9);
	struct tfp_finding findings[TFP_MAX_FINDINGS];
	struct worked_world world;
	size_t count;

	(void)state;
	worked_begin(&world, profile);
	count = tfp_findings_list(profile, &world.arena, findings);
	for (size_t i = 0; i < count; i++)
		assert_null(strstr(findings[i].text, "than a device can"));
	profile->trace->devices.at[1].peak_flops = 4e9;
	count = tfp_findings_list(profile, &world.arena, findings);
	assert_non_null(strstr(findings[count - 1].text, "1 op does more float operations"));
	assert_non_null(strstr(findings[count - 1].text, "net/relu 250%"));
	world.query.view = "scope";
	world.tree = tfp_engine_run(world.engine, &world.query, NULL, world.diag);
	assert_non_null(strstr(tfp_engine_facts(world.engine, world.tree,
						worked_row(&world, "net/relu"), &world.arena),
			       "250.0% of the peak, more than a device can"));
	worked_end(&world);
}

/* Which of its kernels did how much of what an op of the host computes is not known. */
static void test_kernels_of_an_op_have_no_rates(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, 4e10);
	tfp_tree_release(world.tree);
	world.query.view = "device";
	world.tree = tfp_engine_run(world.engine, &world.query, NULL, world.diag);
	assert_non_null(world.tree);
	assert_true(world.tree->base->metrics[TFP_TRACE_FLOPS].absent);
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_FLOPS), 0);
	assert_null(strstr(tfp_engine_facts(world.engine, world.tree, worked_row(&world, "relu"),
					    &world.arena),
			   "FLOP/s"));
	worked_end(&world);
}

/* The columns have room for 7 cells: a number that is cut is another number. */
static void test_numbers_fit(void **state)
{
	static const struct {
		int64_t float_ops; /* in 20 ns */
		const char *text;
	} cases[] = {
		{7, "350.00M"},
		{18, "900.00M"},
		{1029926, "51.50T"},
		{2428000, "121.40T"},
		{19999899, "999.99T"},
		{19999900, "1.00P"},
		{17369628000, "868.48P"},
		{19999999999, "1.00E"},
		{19999899999999, "999.99E"},
		{19999900000000, ">999E"},
		{INT64_MAX, ">999E"},
	};
	struct worked_world world;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		start_with(&world, cases[i].float_ops, 4e10);
		assert_string_equal(cell_of(&world, "net/relu", "rate"), cases[i].text);
		worked_end(&world);
	}
}

static void test_ratios_fit(void **state)
{
	char text[TFP_NUMBER_ROOM];

	(void)state;
	assert_string_equal(tfp_ratio_text(text, 99999, 100, TFP_SIDE_BOTH), "999.99x");
	assert_string_equal(tfp_ratio_text(text, 999996, 1000, TFP_SIDE_BOTH), ">999x");
	assert_string_equal(tfp_ratio_text(text, -99999, 1000, TFP_SIDE_BOTH), "<-99x");
}

static const char *facts_of(struct worked_world *world, const char *label)
{
	return tfp_engine_facts(world->engine, world->tree, worked_row(world, label),
				&world->arena);
}

/* What a core that helps does is not what devices that the file describes are busy with, nor is its idle time theirs. */
static void test_helpers_are_not_busy_for_others(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct worked_world world;

	(void)state;
	tfp_profile_add_file(profile, "trace", "trace", 0, 0);
	profile->trace->devices.at[1].peak_flops = 4e10;
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "steps", NULL));
	assert_string_equal(cell_of(&world, "step 0", "busy_share"), "-");
	assert_string_equal(cell_of(&world, "step 1", "busy_share"), "83.3");
	assert_non_null(WORKED_ASK(&world, "steps", "range=0.03:0.11"));
	assert_int_equal(tfp_tree_total(world.tree, worked_row(&world, "step 0"), TFP_TRACE_BUSY),
			 80 + 50);
	assert_string_equal(cell_of(&world, "step 0", "busy_share"), "100.0");
	/* of a part of the ops it is not known, and that is told */
	assert_null(strstr(facts_of(&world, "step 0"), "BUSY%"));
	assert_non_null(WORKED_ASK(&world, "steps", "hide_name_regexes=.*conv.*",
				   "account_displayed_op_only"));
	assert_string_equal(cell_of(&world, "step 0", "busy_share"), "-");
	assert_non_null(strstr(facts_of(&world, "step 0"), "no BUSY%"));
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_helpers_are_not_busy_for_others),
		cmocka_unit_test(test_rates_are_of_busy_time),
		cmocka_unit_test(test_a_device_without_peaks_hides_none),
		cmocka_unit_test(test_numbers_for_programs),
		cmocka_unit_test(test_devices_that_differ_have_no_common_peak),
		cmocka_unit_test(test_facts_name_the_share_of_the_peak),
		cmocka_unit_test(test_more_than_a_device_can_is_told),
		cmocka_unit_test(test_kernels_of_an_op_have_no_rates),
		cmocka_unit_test(test_numbers_fit),
		cmocka_unit_test(test_ratios_fit),
	};

	return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
