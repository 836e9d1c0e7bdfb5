/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device view, and the panes of what ran: kernels and single runs, by a recording made by hand.
 */
#include "made_trace.h"
#include "asking.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
	return worked_set_up(state, made_trace());
}

static void run(struct worked_world *world, const char *view)
{
	worked_ask(world, view, NULL);
	assert_non_null(world->tree);
}

/* The row with LABEL, below the row with the label ABOVE. */
static uint32_t row_of(const struct worked_world *world, const char *above, const char *label)
{
	const struct tfp_base *base = world->tree->base;

	for (uint32_t row = 1; row < base->count; row++)
		if (tfp_span_is(tfp_base_label(base, row), label) &&
		    tfp_span_is(tfp_base_label(base, base->parent[row]), above))
			return row;
	fail_msg("no row %s below %s", label, above);
	return 0;
}

#define ROOT    "_TFProfRoot"
#define LAUNCH  "grid 8, block 256, 32 registers, occupancy 50%"
#define VARIANT "conv2d " LAUNCH

static int64_t total(const struct worked_world *world, const char *above, const char *label,
		     enum tfp_trace_metric metric)
{
	return tfp_tree_total(world->tree, row_of(world, above, label), metric);
}

static void streams_have_their_kernels(void **state)
{
	struct worked_world *world = *state;

	run(world, "device");
	assert_int_equal(total(world, ROOT, "gpu 0", TFP_TRACE_DEVICE), 50 + 100 + 20 + 40 + 10);
	assert_int_equal(total(world, ROOT, "gpu 0", TFP_TRACE_BUSY), 130 + 40 + 10);
	assert_int_equal(total(world, "gpu 0", "stream 8", TFP_TRACE_BUSY), 20 + 10);
	assert_int_equal(total(world, "gpu 0", "stream 7", TFP_TRACE_LAUNCHES), 3);
	assert_int_equal(total(world, "stream 7", "conv2d", TFP_TRACE_DEVICE), 190);
	assert_int_equal(total(world, "conv2d", VARIANT, TFP_TRACE_BUSY), 170);
	assert_int_equal(total(world, ROOT, "gpu 1", TFP_TRACE_BUSY), 50);
}

/* Below its kernel a launch is called by what it has more, alone by all of it. */
static void launches_have_their_kernels_names(void **state)
{
	struct worked_world *world = *state;
	uint32_t row;

	run(world, "device");
	row = row_of(world, "conv2d", VARIANT);
	assert_true(tfp_span_equal(tfp_tree_name(world->tree, row, world->tree->base->parent[row]),
				   TFP_SPAN("grid 8, block 256, 32 registers, occupancy 50%")));
	WORKED_ASK(world, "device", "flat");
	assert_true(tfp_span_is(tfp_tree_name(world->tree, row, 0), VARIANT));
}

static void threads_have_their_ops(void **state)
{
	struct worked_world *world = *state;

	run(world, "device");
	assert_int_equal(total(world, ROOT, "host", TFP_TRACE_HOST), 45 + 100 + 30);
	assert_int_equal(total(world, "main", "module", TFP_TRACE_HOST), 45);
	assert_int_equal(total(world, "main", "module", TFP_TRACE_RUNS), 3);
	world->query.step = 1;
	run(world, "device");
	assert_int_equal(total(world, "main", "module", TFP_TRACE_HOST), 10);
	assert_int_equal(total(world, "stream 7", "conv2d", TFP_TRACE_DEVICE), 40);
}

static struct tfp_breakdown *break_down(struct worked_world *world, uint32_t row,
					enum tfp_breakdown_kind kind)
{
	struct tfp_breakdown *out = tfp_engine_breakdown(world->engine, world->tree, row, kind,
							 TFP_TRACE_DEVICE, NULL, world->diag);

	assert_non_null(out);
	return out;
}

static void kernels_of_a_row(void **state)
{
	struct worked_world *world = *state;
	struct tfp_breakdown *out;

	run(world, "scope");
	out = break_down(world, row_of(world, ROOT, "net"), TFP_BREAKDOWN_KERNELS);
	assert_int_equal(out->count, 2);
	assert_string_equal(out->rows[0].label, "conv2d  8 x 256");
	assert_int_equal(out->rows[0].value, 240);
	assert_int_equal(out->rows[0].runs, 4);
	assert_int_equal(out->rows[0].node, CONV);
	assert_string_equal(out->rows[1].label, "relu  8 x 256");
	assert_string_equal(out->note, "behind their names: blocks x threads in each");
	tfp_breakdown_free(out);
	run(world, "device");
	out = break_down(world, row_of(world, "gpu 0", "stream 8"), TFP_BREAKDOWN_KERNELS);
	assert_int_equal(out->count, 2);
	assert_int_equal(out->rows[0].value, 20);
	tfp_breakdown_free(out);
}

static void a_kernel_says_in_words_how_it_was_launched(void **state)
{
	static const char words[] = "8 blocks x 256 threads, 32 registers, occupancy 50%";
	struct worked_world *world = *state;
	struct tfp_arena arena = {0};
	struct tfp_breakdown *out;
	uint32_t conv;

	run(world, "device");
	conv = row_of(world, "stream 7", "conv2d");
	assert_int_equal(world->tree->base->end[conv], conv + 2);
	for (uint32_t row = conv; row < conv + 2; row++)
		assert_memory_equal(tfp_engine_facts(world->engine, world->tree, row, &arena),
				    words, strlen(words));
	assert_null(strstr(tfp_engine_facts(world->engine, world->tree,
					    row_of(world, "gpu 0", "stream 7"), &arena),
			   "blocks"));
	tfp_arena_free(&arena);
	out = break_down(world, conv, TFP_BREAKDOWN_KERNELS);
	assert_string_equal(out->note, words);
	tfp_breakdown_free(out);
}

static void parts_of_a_busy_time_add_up(void **state)
{
	struct worked_world *world = *state;
	struct tfp_breakdown *out;

	run(world, "scope");
	out = tfp_engine_breakdown(world->engine, world->tree, row_of(world, ROOT, "net"),
				   TFP_BREAKDOWN_NODES, TFP_TRACE_BUSY, NULL, world->diag);
	assert_non_null(out);
	assert_int_equal(out->rows[0].value, 240);
	assert_int_equal(out->rows[1].value, 20);
	assert_true(out->rows[0].share + out->rows[1].share == 1);
	tfp_breakdown_free(out);
}

static void runs_of_a_row(void **state)
{
	struct worked_world *world = *state;
	struct tfp_breakdown *out;

	run(world, "op");
	out = break_down(world, row_of(world, ROOT, "conv2d"), TFP_BREAKDOWN_RUNS);
	assert_true(out->texts);
	assert_string_equal(out->rows[0].text, "4, 240ns in all");
	assert_string_equal(out->rows[1].text, "40ns  50ns  100ns  100ns");
	assert_string_equal(out->rows[3].text, "100ns at 60ns, step 0, stream 7");
	assert_string_equal(out->rows[3].label, "  longest");
	assert_string_equal(out->rows[7].label, "on the host, what is nested included");
	assert_string_equal(out->rows[7].text, "2, 100ns in all");
	tfp_breakdown_free(out);
}

static void ops_of_a_kernel(void **state)
{
	struct worked_world *world = *state;
	struct tfp_breakdown *out;

	run(world, "device");
	out = break_down(world, row_of(world, "gpu 0", "stream 7"), TFP_BREAKDOWN_NODES);
	assert_int_equal(out->count, 1);
	assert_string_equal(out->rows[0].label, "net/conv");
	assert_int_equal(out->rows[0].value, 190);
	assert_int_equal(out->rows[0].runs, 3);
	tfp_breakdown_free(out);
}

/* What ran in none of the steps has a row, and is not counted among them. */
static void steps_of_a_row(void **state)
{
	struct worked_world *world = *state;
	struct tfp_breakdown *out;

	run(world, "op");
	out = tfp_engine_breakdown(world->engine, world->tree, row_of(world, ROOT, "module"),
				   TFP_BREAKDOWN_STEPS, TFP_TRACE_HOST, NULL, world->diag);
	assert_non_null(out);
	assert_int_equal(out->count, 3);
	assert_string_equal(out->note, "2 steps: least 10ns, median 20ns, most 30ns  █▃");
	tfp_breakdown_free(out);
}

/* Figures of the summary are the view's own: what is hidden, of what. */
static void expect_summary(struct worked_world *world, const char *text)
{
	const struct tfp_profile *profile = tfp_engine_profile(world->engine);
	struct tfp_lens lens = {"device", 'd', profile->default_metric, ".*"};

	assert_string_equal(tfp_tree_summary(world->tree, profile, &lens, 1, &world->arena), text);
}

/* Variants of a kernel, and gaps of a cause, have no names that a filter could know: they go with what is above. */
static void what_is_below_a_name_goes_with_it(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "device", "show_name_regexes=conv2d|main", "context"));
	assert_string_equal(worked_text(world, TFP_TRACE_DEVICE),
			    "_TFProfRoot 270\n  gpu 0 220\n    stream 7 190\n      conv2d 190\n"
			    "        " VARIANT " 190\n"
			    "  gpu 1 50\n    stream 7 50\n      conv2d 50\n"
			    "        " VARIANT " 50\n"
			    "  host 0\n    main 0\n      conv2d 0\n      module 0\n      relu 0\n");
	expect_summary(
		world,
		"device, whole recording | 96% has an op, none a shape | show /conv2d|main/ | hidden 11.1%, 2 rows | 10 levels");
	assert_non_null(WORKED_ASK(world, "device", "show_name_regexes=.*",
				   "hide_name_regexes=conv2d|main|.*7"));
	assert_string_equal(
		worked_text(world, TFP_TRACE_DEVICE),
		"_TFProfRoot 270\n  gpu 0 220\n    stream 8 30\n      relu 20\n        relu " LAUNCH
		" 20\n      memcpy 10\n"
		"        memcpy " LAUNCH " 10\n  gpu 1 50\n  host 0\n");
}

static void causes_take_their_gaps_along(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "idle", "show_name_regexes=module > conv2d", "context"));
	assert_string_equal(worked_text(world, TFP_TRACE_DEVICE),
			    "_TFProfRoot 60\n  gpu 0 60\n    module > conv2d 10\n"
			    "      at 160ns, step 1, before conv2d 10\n");
	expect_summary(
		world,
		"idle time, whole recording | show /module > conv2d/ | hidden 83.3%, 3 rows | 10 levels");
}

/* The titles of columns that are worth their room on a small screen. */
static char *telling(struct worked_world *world)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	size_t count = tfp_columns(world->tree, TFP_TRACE_DEVICE, NULL, columns, TFP_MAX_COLUMNS);
	char *text = tfp_arena_text(&world->arena, "", 0);

	for (size_t i = 0; i < count; i++)
		if (tfp_column_says(world->tree, &columns[i]))
			text = tfp_arena_printf(&world->arena, "%s%s ", text, columns[i].title);
	return text;
}

static void columns_that_tell_nothing_have_no_room(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "scope", NULL));
	assert_string_equal(telling(world), "DEVICE % of parent SELF RAN HOST DEFINED ");
	assert_non_null(WORKED_ASK(world, "device", NULL));
	assert_string_equal(telling(world), "DEVICE % of parent RAN HOST DEFINED ");
	assert_non_null(WORKED_ASK(world, "idle", NULL));
	assert_string_equal(telling(world), "IDLE % of parent GAPS ");
}

/* Lanes are drawn, whatever took the time: no share of it is hidden. */
static void lanes_are_of_events(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "time", "show_name_regexes=stream 7", "context"));
	expect_summary(world,
		       "events, whole recording | show /stream 7/ | 8 rows hidden | 10 levels");
}

/* A lane is shown by the name of an event on it, too, or by where the op of one stands. */
static void lanes_are_shown_by_their_events(void **state)
{
	struct worked_world *world = *state;

	assert_non_null(WORKED_ASK(world, "time", "show_name_regexes=relu", "context"));
	assert_string_equal(worked_text(world, TFP_TRACE_HOST),
			    "_TFProfRoot 175\n  gpu 0 0\n    stream 8 0\n  host 175\n"
			    "    main 175\n      depth 1 0\n");
	assert_int_equal(world->tree->lit_count, 2);
	assert_non_null(WORKED_ASK(world, "time", "show_name_regexes=net/relu", "context"));
	assert_int_equal(world->tree->lit_count, 2);
	assert_non_null(WORKED_ASK(world, "time", "show_name_regexes=stream 7", "context"));
	assert_int_equal(world->tree->lit_count, 0);
	assert_non_null(WORKED_ASK(world, "scope", "show_name_regexes=relu"));
	assert_null(world->tree->lit);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, worked_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(streams_have_their_kernels),
		TEST(launches_have_their_kernels_names),
		TEST(threads_have_their_ops),
		TEST(kernels_of_a_row),
		TEST(a_kernel_says_in_words_how_it_was_launched),
		TEST(runs_of_a_row),
		TEST(parts_of_a_busy_time_add_up),
		TEST(ops_of_a_kernel),
		TEST(steps_of_a_row),
		TEST(what_is_below_a_name_goes_with_it),
		TEST(causes_take_their_gaps_along),
		TEST(lanes_are_of_events),
		TEST(lanes_are_shown_by_their_events),
		TEST(columns_that_tell_nothing_have_no_room),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
