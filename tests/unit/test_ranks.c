/* SPDX-License-Identifier: Apache-2.0 */
/* Several ranks in one profile: one of them alone, and compared with others. */
#include "made_trace.h"
#include "asking.h"
#include "test_path.h"
#include "tfprof/load.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

/* The second GPU is of the second file; NUMBERED: whose rank is 4, and the first's is 3. */
static void start(struct worked_world *world, bool numbered)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_trace *trace = profile->trace;

	for (uint32_t i = 0; i < trace->devices.count; i++) {
		trace->devices.at[i].file = i == 2;
		trace->devices.at[i].rank = numbered ? 4 + (i == 2) : 0;
	}
	worked_begin(world, profile);
	world->query.view = "scope";
}

static bool ask(struct worked_world *world, const char *rank, const char *baseline)
{
	assert_true(tfp_query_set(&world->query, "rank", rank, world->diag));
	assert_true(tfp_query_set(&world->query, "baseline", baseline, world->diag));
	tfp_tree_release(world->tree);
	world->tree = tfp_engine_run(world->engine, &world->query, NULL, world->diag);
	return world->tree != NULL;
}

/* The last problem is TEXT. */
static void expect_said(const struct worked_world *world, const char *text)
{
	assert_true(tfp_diag_count(world->diag) > 0);
	assert_string_equal(tfp_diag_get(world->diag, tfp_diag_count(world->diag) - 1).text, text);
}

static uint32_t conv(const struct worked_world *world)
{
	return worked_row(world, "net/conv");
}

static int64_t device(const struct worked_world *world)
{
	return tfp_tree_total(world->tree, conv(world), TFP_TRACE_DEVICE);
}

static int64_t baseline(const struct worked_world *world)
{
	return tfp_tree_baseline(world->tree, conv(world), TFP_TRACE_DEVICE);
}

static void test_one_rank_alone(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, false);
	assert_true(ask(&world, "-1", ""));
	assert_int_equal(device(&world), 240);
	assert_true(ask(&world, "0", ""));
	assert_int_equal(device(&world), 190);
	assert_true(ask(&world, "1", ""));
	assert_int_equal(device(&world), 50);
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TRACE_HOST), 0);
	assert_false(ask(&world, "2", ""));
	expect_said(&world, "--rank=2: there is no such rank; valid: 0 1");
	assert_true(ask(&world, "-1", ""));
	assert_int_equal(device(&world), 240);
	worked_end(&world);
}

static void test_ranks_have_the_numbers_of_their_files(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, true);
	assert_true(ask(&world, "3", ""));
	assert_int_equal(device(&world), 190);
	assert_true(ask(&world, "4", ""));
	assert_int_equal(device(&world), 50);
	assert_false(ask(&world, "0", ""));
	expect_said(&world, "--rank=0: there is no such rank; valid: 3 4");
	worked_end(&world);
}

static void test_one_against_another(void **state)
{
	static const char *const baselines[] = {"rank:1", "mean", "median"};
	struct tfp_arena arena = {0};
	struct worked_world world;

	(void)state;
	start(&world, false);
	for (size_t i = 0; i < sizeof(baselines) / sizeof(*baselines); i++) {
		assert_true(ask(&world, "0", baselines[i]));
		assert_int_equal(device(&world), 190);
		assert_int_equal(baseline(&world), 50);
	}
	assert_string_equal(tfp_query_command(&world.query, &arena),
			    "scope --baseline=median --rank=0");
	/* all of them together are no rank */
	assert_false(ask(&world, "-1", "rank:0"));
	expect_said(&world,
		    "--baseline=rank:0: this is the sum of all ranks; choose one first (--rank=N)");
	assert_false(ask(&world, "-1", "median"));
	expect_said(&world, "--baseline=median: this is the sum of all steps; choose one first "
			    "(--step=N, or --rank=N)");
	assert_false(ask(&world, "0", "rank:5"));
	expect_said(&world, "--baseline=rank:5: there is no such rank; valid: 0 1");
	tfp_arena_free(&arena);
	worked_end(&world);
}

/* Where nothing is there to compare with, that is said, not what to choose. */
static void test_one_alone(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, made_trace());
	world.query.view = "scope";
	assert_false(ask(&world, "-1", "rank:0"));
	expect_said(&world,
		    "--baseline=rank:0: there are no other ranks; file:PATH is another file");
	worked_end(&world);
}

/* What is busy is found anew by filters: of the rank that is looked at, not of the other. */
static void test_filters_are_of_the_rank_at_hand(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, false);
	world.query.account_displayed_op_only = true;
	assert_true(ask(&world, "0", "rank:1"));
	assert_int_equal(tfp_tree_total(world.tree, conv(&world), TFP_TRACE_BUSY), 170);
	worked_end(&world);
}

/* The first row below the root with device time, or idle time. */
static uint32_t gpu(const struct worked_world *world)
{
	uint32_t row = 1;

	while (world->tree->base->parent[row] ||
	       (world->tree->base->track && !tfp_tree_total(world->tree, row, TFP_TRACE_DEVICE)))
		row++;
	return row;
}

/* Devices and their lanes are known by what they are in their own rank, whatever stands before their names. */
static void test_devices_of_two_ranks(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, true);
	world.query.view = "idle";
	assert_true(ask(&world, "3", "rank:4"));
	assert_int_equal(world.tree->base->side[gpu(&world)], TFP_SIDE_BOTH);
	world.query.view = "device";
	assert_true(ask(&world, "3", "rank:4"));
	assert_int_equal(world.tree->base->side[gpu(&world)], TFP_SIDE_BOTH);
	assert_int_equal(tfp_tree_baseline(world.tree, gpu(&world), TFP_TRACE_DEVICE), 50);
	worked_end(&world);
}

static uint32_t gone_or_new(const struct worked_world *world)
{
	uint32_t count = 0;

	for (uint32_t row = 0; row < world->tree->base->count; row++)
		count += world->tree->base->side[row] != TFP_SIDE_BOTH;
	return count;
}

/* Streams have other numbers in each process: the second rank's only one is the first rank's first. */
static void test_streams_of_other_numbers(void **state)
{
	struct worked_world world;
	struct tfp_profile *profile;

	(void)state;
	start(&world, true);
	profile = tfp_engine_profile(world.engine);
	profile->trace->lanes.at[OTHER_GPU].name =
		tfp_strings_add_text(profile->strings, "stream 21");
	world.query.view = "device";
	assert_true(ask(&world, "4", "rank:3"));
	assert_int_equal(world.tree->base->side[worked_row(&world, "stream 21")], TFP_SIDE_BOTH);
	assert_int_equal(world.tree->base->side[worked_row(&world, "conv2d")], TFP_SIDE_BOTH);
	/* what the other rank has besides is there, too */
	assert_int_equal(world.tree->base->side[worked_row(&world, "stream 8")], TFP_SIDE_THERE);
	assert_true(tfp_tree_baseline(world.tree, worked_row(&world, "stream 8"),
				      TFP_TRACE_DEVICE) == 30);
	worked_end(&world);
}

/* Two runs of one program: threads and streams have other numbers, devices other names. */
static void test_another_run(void **state)
{
	static const char *const views[] = {"device", "idle"};
	struct tfp_profile *other = made_trace();
	struct worked_world world;

	(void)state;
	worked_begin(&world, made_trace());
	other->trace->devices.at[0].name = tfp_strings_add_text(other->strings, "python (99)");
	other->trace->lanes.at[STREAM_A].name = tfp_strings_add_text(other->strings, "stream 13");
	other->trace->lanes.at[STREAM_A].id = 13;
	other->trace->lanes.at[STREAM_B].name = tfp_strings_add_text(other->strings, "stream 14");
	other->trace->lanes.at[STREAM_B].id = 14;
	tfp_engine_add_baseline(world.engine, "file:b", tfp_engine_new(other));
	for (size_t i = 0; i < 2; i++) {
		world.query.view = views[i];
		assert_true(ask(&world, "-1", "file:b"));
		assert_int_equal(gone_or_new(&world), 0);
		assert_int_equal(tfp_tree_difference(world.tree, 0, TFP_TRACE_DEVICE), 0);
	}
	worked_end(&world);
}

/* A rank is compared with the same of another run, or with its only one. */
static void test_a_rank_of_another_run(void **state)
{
	struct tfp_profile *two = made_trace();
	struct worked_world world;

	(void)state;
	start(&world, true);
	tfp_engine_add_baseline(world.engine, "file:one", tfp_engine_new(made_trace()));
	for (uint32_t i = 0; i < two->trace->devices.count; i++)
		two->trace->devices.at[i].file = i == 2;
	two->trace->devices.at[2].rank = 4;
	tfp_engine_add_baseline(world.engine, "file:two", tfp_engine_new(two));
	assert_true(ask(&world, "3", "file:one"));
	assert_int_equal(device(&world), 190);
	assert_int_equal(baseline(&world), 240);
	assert_true(ask(&world, "3", "file:two"));
	assert_int_equal(baseline(&world), 50);
	assert_false(ask(&world, "4", "file:two"));
	expect_said(&world, "--baseline=file:two: that profile has no rank 4");
	worked_end(&world);
}

/* The time view has the lanes of the rank that is asked for. */
static void test_lanes_of_one_rank(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world, false);
	world.query.view = "time";
	assert_true(ask(&world, "1", ""));
	assert_int_equal(tfp_tree_total(world.tree, worked_row(&world, "gpu 1"), TFP_TRACE_DEVICE),
			 50);
	for (uint32_t row = 0; row < world.tree->base->count; row++)
		assert_false(
			tfp_span_equal(tfp_base_label(world.tree->base, row), TFP_SPAN("gpu 0")));
	worked_end(&world);
}

/* A step is when the file's own markers say; a file without any has no steps. */
static void test_steps_by_the_clock_of_a_file(void **state)
{
	struct tfp_profile *profile = made_trace();
	const struct tfp_trace *trace = profile->trace;
	uint32_t step = tfp_profile_find_step(profile, 1);
	struct tfp_step_span span;

	(void)state;
	assert_true(tfp_trace_step_span(profile, trace, 1, step, &span));
	assert_int_equal(span.start, 300);
	tfp_trace_mark_step(profile, 1, 0, 1, 0, 1300, 1360);
	tfp_trace_tally(profile, NULL);
	assert_true(tfp_trace_step_span(profile, trace, 0, step, &span));
	assert_int_equal(span.start, 300);
	assert_int_equal(span.end, 360);
	assert_true(tfp_trace_step_span(profile, trace, 1, step, &span));
	assert_int_equal(span.start, 1300);
	assert_false(
		tfp_trace_step_span(profile, trace, 1, tfp_profile_find_step(profile, 0), &span));
	assert_false(tfp_trace_step_span(profile, trace, 2, step, &span));
	tfp_profile_free(profile);
}

/* What COMPARED says of LABEL in the breakdown of ROW; all zero where there is no such row. */
static struct tfp_breakdown_row part(const struct worked_world *world, uint32_t row,
				     enum tfp_breakdown_kind kind, const char *label)
{
	struct tfp_breakdown *broken = tfp_engine_breakdown(world->engine, world->tree, row, kind,
							    TFP_TRACE_DEVICE, NULL, world->diag);
	struct tfp_breakdown_row found = {0};

	assert_non_null(broken);
	assert_true(broken->compared);
	for (size_t i = 0; i < broken->count; i++)
		if (strstr(broken->rows[i].label, label))
			found = broken->rows[i];
	tfp_breakdown_free(broken);
	return found;
}

/* Panes are compared, too, by what is in the place of the row: of another rank, and of another run. */
static void test_panes(void **state)
{
	struct tfp_breakdown_row row;
	struct worked_world world;

	(void)state;
	start(&world, true);
	world.query.view = "device";
	assert_true(ask(&world, "3", "rank:4"));
	row = part(&world, gpu(&world), TFP_BREAKDOWN_KERNELS, "conv2d");
	assert_int_equal(row.value, 190);
	assert_int_equal(row.baseline, 50);
	row = part(&world, gpu(&world), TFP_BREAKDOWN_KERNELS, "relu");
	assert_int_equal(row.side, TFP_SIDE_HERE);
	tfp_engine_add_baseline(world.engine, "file:b", tfp_engine_new(made_trace()));
	world.query.view = "idle";
	assert_true(ask(&world, "-1", "file:b"));
	row = part(&world, 0, TFP_BREAKDOWN_MEANWHILE, "nothing");
	assert_int_equal(row.value, 10);
	assert_int_equal(row.baseline, row.value);
	worked_end(&world);
}

/* Hosts are called what their devices are, beside their ranks. */
static void test_hosts_are_named(void **state)
{
	struct worked_world world;
	struct tfp_profile *profile;
	bool found = false;

	(void)state;
	start(&world, false);
	profile = tfp_engine_profile(world.engine);
	for (uint32_t i = 0; i < profile->trace->devices.count; i++) {
		struct tfp_trace_device *device = &profile->trace->devices.at[i];

		device->own = tfp_strings_add_text(profile->strings, "gpu");
		device->name = tfp_strings_add_text(profile->strings,
						    device->file ? "host-b gpu" : "host-a gpu");
	}
	world.query.view = "summary";
	assert_true(ask(&world, "-1", ""));
	for (uint32_t row = 0; row < world.tree->base->count; row++)
		found |= tfp_span_begins(tfp_base_label(world.tree->base, row),
					 TFP_SPAN("rank 0 host-a has "));
	assert_true(found);
	worked_end(&world);
}

/* A file that says no rank, beside one that does, is chosen by its place. */
static void test_a_file_without_a_rank(void **state)
{
	struct worked_world world;
	struct tfp_trace *trace;
	int64_t ranks[3];

	(void)state;
	start(&world, true);
	trace = tfp_engine_profile(world.engine)->trace;
	for (uint32_t i = 0; i < trace->devices.count; i++)
		trace->devices.at[i].rank = i == 2 ? 2 : 0;
	assert_int_equal(tfp_ranks(trace, ranks, 3), 2);
	assert_int_equal(ranks[0], 0);
	assert_int_equal(ranks[1], 1);
	assert_true(ask(&world, "0", ""));
	worked_end(&world);
}

/* A file under another name is no second rank. */
static void test_the_same_file(void **state)
{
	char path[2][TEST_PATH];
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_named_file named[2] = {
		{.path = test_path(path[0], "data/ranks/steps0.json")},
		{.path = test_path(path[1], "data/ranks/../ranks/steps0.json")},
	};
	struct tfp_profile *profile = tfp_load(named, 2, NULL, diag);

	(void)state;
	assert_non_null(profile);
	assert_int_equal(profile->files.count, 1);
	assert_int_equal(tfp_diag_get(diag, 0).severity, TFP_WARNING);
	assert_non_null(strstr(tfp_diag_get(diag, 0).text, "steps0.json: read once"));
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_rank_alone),
		cmocka_unit_test(test_ranks_have_the_numbers_of_their_files),
		cmocka_unit_test(test_one_against_another),
		cmocka_unit_test(test_one_alone),
		cmocka_unit_test(test_devices_of_two_ranks),
		cmocka_unit_test(test_streams_of_other_numbers),
		cmocka_unit_test(test_another_run),
		cmocka_unit_test(test_a_rank_of_another_run),
		cmocka_unit_test(test_lanes_of_one_rank),
		cmocka_unit_test(test_steps_by_the_clock_of_a_file),
		cmocka_unit_test(test_panes),
		cmocka_unit_test(test_a_file_without_a_rank),
		cmocka_unit_test(test_hosts_are_named),
		cmocka_unit_test(test_filters_are_of_the_rank_at_hand),
		cmocka_unit_test(test_the_same_file),
	};

	return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
