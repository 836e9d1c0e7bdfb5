/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes against time: strips, their summaries, the rows of the time view; and ranges of time in all views. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "made_trace.h"
#include "tfprof/view.h"
#include "view/trace/strips.h"

/* ---- strips ---- */

static void what_overlaps_lies_on_strips_of_its_own(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_strips *strips = tfp_strips_make(profile, profile->trace, NULL);
	uint32_t stream, host;

	(void)state;
	stream = strips->lane_strip[STREAM_A];
	host = strips->lane_strip[HOST];
	assert_int_equal(strips->lane_strip[STREAM_A + 1] - stream, 2);
	assert_int_equal(strips->list.at[stream].count, 2);
	assert_int_equal(strips->list.at[stream + 1].count, 1);
	assert_int_equal(strips->lane_strip[HOST + 1] - host, 2);
	assert_int_equal(strips->list.at[host].count, 3);
	assert_int_equal(strips->list.at[host + 1].level, 1);
	assert_int_equal(strips->left_out, 0);
	tfp_strips_free(strips);
	tfp_profile_free(profile);
}

static void pieces_are_cut_at_both_ends(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_strips *strips = tfp_strips_make(profile, profile->trace, NULL);
	uint32_t host = strips->lane_strip[HOST];
	struct tfp_piece piece = tfp_strips_piece(strips, host, 150, 350);
	uint32_t place;

	(void)state;
	assert_int_equal(piece.count, 2);
	assert_true(piece.busy > 0.499 && piece.busy < 0.501);
	assert_int_equal(piece.node, NET);
	assert_int_equal(tfp_trace_start(strips->trace, piece.event), 100);
	piece = tfp_strips_piece(strips, host + 1, 150, 180);
	assert_int_equal(piece.count, 1);
	assert_int_equal(piece.node, RELU);
	assert_true(piece.busy == 1);
	assert_int_equal(tfp_strips_piece(strips, host, 200, 300).count, 0);
	place = tfp_strips_next(strips, host, 100, TFP_NONE, false);
	assert_int_equal(tfp_trace_start(strips->trace, tfp_strips_event(strips, place)), 300);
	assert_int_equal(tfp_strips_next(strips, host, 300, place, true), place - 1);
	assert_int_equal(tfp_strips_next(strips, host, 100, place - 1, false), place);
	assert_int_equal(tfp_strips_next(strips, host, 300, TFP_NONE, true), place - 1);
	assert_int_equal(tfp_strips_next(strips, host, 900, TFP_NONE, false), TFP_NONE);
	tfp_strips_free(strips);
	tfp_profile_free(profile);
}

static void the_line_about_an_event(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_strips *strips = tfp_strips_make(profile, profile->trace, NULL);
	struct tfp_piece piece = tfp_strips_piece(strips, strips->lane_strip[STREAM_B], 200, 210);
	struct tfp_arena arena = {0};

	(void)state;
	assert_string_equal(tfp_strips_text(strips, piece.event, &arena),
			    "20ns at 110ns  relu  step 0  launched 50ns before  net/relu");
	tfp_arena_free(&arena);
	tfp_strips_free(strips);
	tfp_profile_free(profile);
}

/* ---- summaries of many events against what adds them one by one ---- */

#define MANY 300000

static struct tfp_profile *many_events(void)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_NANOS);
	uint64_t random = 7;
	int64_t time = 0;

	profile->format = "trace";
	for (uint32_t i = 0; i < 4; i++)
		tfp_profile_add_node(profile, tfp_strings_add_text(profile->strings, "n"), 0);
	tfp_trace_add_device(trace, &(struct tfp_trace_device){0});
	tfp_trace_add_lane(trace, &(struct tfp_lane){.kind = TFP_LANE_DEVICE, .thread = TFP_NONE});
	for (uint32_t i = 0; i < MANY; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		time += (int64_t)(random >> 60);
		tfp_trace_add(trace, 0, time, (int64_t)(random >> 56 & 15) + 1,
			      random >> 50 & 1 ? 1 : random >> 48 & 3, TFP_NONE, TFP_NONE);
		time += (int64_t)(random >> 56 & 15) + 1;
	}
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	tfp_trace_tally(profile, NULL);
	tfp_profile_finish(profile);
	return profile;
}

static double busy_one_by_one(const struct tfp_trace *trace, int64_t from, int64_t to)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < trace->count; i++) {
		int64_t start = tfp_trace_start(trace, i) > from ? tfp_trace_start(trace, i) : from;
		int64_t end = tfp_trace_end(trace, i) < to ? tfp_trace_end(trace, i) : to;

		sum += end > start ? end - start : 0;
	}
	return (double)sum / (double)(to - from);
}

static void summaries_are_exact(void **state)
{
	struct tfp_profile *profile = many_events();
	const struct tfp_trace *trace = profile->trace;
	struct tfp_strips *strips = tfp_strips_make(profile, trace, NULL);
	int64_t span = trace->end - trace->begin;

	(void)state;
	assert_int_equal(strips->list.count, 1);
	for (int64_t parts = 1; parts < 20000; parts = parts * 7 + 3) {
		int64_t from = trace->begin + span / parts * (parts / 3);
		int64_t to = from + span / parts;
		struct tfp_piece piece = tfp_strips_piece(strips, 0, from, to);
		double wanted = busy_one_by_one(trace, from, to);

		assert_true(piece.busy > wanted - 1e-9 && piece.busy < wanted + 1e-9);
		if (parts < 1000)
			assert_int_equal(piece.node, 1);
	}
	tfp_strips_free(strips);
	tfp_profile_free(profile);
}

/* ---- views ---- */

static struct tfp_tree *run(struct tfp_engine *engine, const char *view, const char *range)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;
	struct tfp_tree *tree;

	tfp_query_init(&query);
	query.view = view;
	query.order_by = NULL;
	assert_true(tfp_query_set(&query, "range", range, diag));
	tree = tfp_engine_run(engine, &query, NULL, diag);
	assert_non_null(tree);
	tfp_query_free(&query);
	tfp_diag_free(diag);
	return tree;
}

static int64_t value(const struct tfp_tree *tree, const char *label, uint32_t metric)
{
	for (uint32_t row = 0; row < tree->base->count; row++)
		if (tfp_span_is(tfp_base_label(tree->base, row), label))
			return tfp_tree_total(tree, row, metric);
	return -1;
}

/* What is behind the row LABEL of VIEW is pointed out: how many events, and the first time from 0 on. */
static size_t behind(struct tfp_engine *engine, const char *view, const char *label, int64_t *first)
{
	struct tfp_tree *time = run(engine, "time", ""), *tree = run(engine, view, "");
	const struct tfp_strips *strips = time->base->strips;
	uint32_t row = 0, *lit, place;
	size_t count;

	while (!tfp_span_is(tfp_base_label(tree->base, row), label))
		assert_true(++row < tree->base->count);
	lit = tfp_strips_behind(strips, tree, row, &count);
	place = tfp_strips_lit_next(strips, lit, count, 0, TFP_NONE, false);
	*first = place == TFP_NONE
			 ? -1
			 : tfp_trace_start(strips->trace, tfp_strips_event(strips, place));
	free(lit);
	tfp_tree_release(time);
	tfp_tree_release(tree);
	return count;
}

static void what_is_behind_a_row_is_pointed_out(void **state)
{
	struct tfp_engine *engine = tfp_engine_new(made_trace());
	int64_t first;

	(void)state;
	assert_int_equal(behind(engine, "scope", "net/relu", &first), 2);
	assert_int_equal(first, 150);
	assert_int_equal(behind(engine, "op", "relu", &first), 2);
	assert_int_equal(behind(engine, "device", "stream 8", &first), 3);
	assert_int_equal(first, 200);
	assert_int_equal(behind(engine, "device", "memcpy", &first), 2);
	assert_int_equal(behind(engine, "steps", "step 1", &first), 5);
	assert_int_equal(first, 260);
	tfp_engine_free(engine);
}

/* The event of LANE that begins at TIME. */
static uint32_t event_at(const struct tfp_trace *trace, uint32_t lane, int64_t time)
{
	const struct tfp_lane *of = &trace->lanes.at[lane];
	uint32_t event = of->first;

	while (tfp_trace_start(trace, event) != time)
		assert_true(++event < of->first + of->count);
	return event;
}

static void launches_lead_to_kernels_and_back(void **state)
{
	struct tfp_profile *profile = made_trace();
	const struct tfp_trace *trace = profile->trace;
	struct tfp_strips *strips = tfp_strips_make(profile, trace, NULL);
	uint32_t conv = event_at(trace, HOST, 110), kernel = event_at(trace, STREAM_B, 200);
	uint32_t relu = event_at(trace, HOST, 150), lost = event_at(trace, STREAM_B, 350);

	(void)state;
	assert_int_equal(tfp_strips_linked(strips, kernel), relu);
	assert_int_equal(tfp_strips_linked(strips, relu), kernel);
	assert_int_equal(tfp_trace_start(trace, tfp_strips_linked(strips, conv)), 120);
	/* by what is nested in it, and by the calls of its thread */
	assert_int_equal(
		tfp_trace_start(trace, tfp_strips_linked(strips, event_at(trace, HOST, 100))), 120);
	assert_int_equal(
		tfp_trace_start(trace, tfp_strips_linked(strips, event_at(trace, PYTHON, 90))),
		120);
	assert_int_equal(tfp_strips_linked(strips, lost), TFP_NONE);
	assert_int_equal(tfp_strips_linked(strips, event_at(trace, HOST, 900)), TFP_NONE);
	for (uint32_t event = 0; event < trace->count; event++)
		assert_int_equal(tfp_strips_event(strips, tfp_strips_place(strips, event)), event);
	tfp_strips_free(strips);
	tfp_profile_free(profile);
}

static void events_are_found_by_name(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_strips *strips = tfp_strips_make(profile, profile->trace, NULL);
	size_t count;
	uint32_t *lit = tfp_strips_named(strips, "relu", &count), place, next;
	struct tfp_piece piece;

	(void)state;
	assert_int_equal(count, 2);
	piece = tfp_strips_piece(strips, strips->lane_strip[STREAM_B], 0, 300);
	assert_true(tfp_piece_is_lit(&piece, lit, count));
	piece = tfp_strips_piece(strips, strips->lane_strip[STREAM_B], 300, 400);
	assert_false(tfp_piece_is_lit(&piece, lit, count));
	place = tfp_strips_lit_next(strips, lit, count, 0, TFP_NONE, false);
	assert_int_equal(tfp_trace_start(strips->trace, tfp_strips_event(strips, place)), 150);
	next = tfp_strips_lit_next(strips, lit, count, 150, place, false);
	assert_int_equal(tfp_trace_start(strips->trace, tfp_strips_event(strips, next)), 200);
	assert_int_equal(tfp_strips_lit_next(strips, lit, count, 200, next, true), place);
	assert_int_equal(tfp_strips_lit_next(strips, lit, count, 200, next, false), TFP_NONE);
	free(lit);
	assert_null(tfp_strips_named(strips, "Relu", &count));
	assert_int_equal(count, 0);
	tfp_strips_free(strips);
	tfp_profile_free(profile);
}

static void lanes_are_below_their_devices(void **state)
{
	struct tfp_engine *engine = tfp_engine_new(made_trace());
	struct tfp_tree *tree = run(engine, "time", "");

	(void)state;
	assert_int_equal(value(tree, "gpu 0", TFP_TRACE_DEVICE), 220);
	assert_int_equal(value(tree, "stream 8", TFP_TRACE_LAUNCHES), 3);
	assert_int_equal(value(tree, "main", TFP_TRACE_HOST), 175);
	assert_true(value(tree, "depth 1", TFP_TRACE_HOST) == 0);
	assert_true(value(tree, "Python: main", TFP_TRACE_HOST) == 0);
	tfp_tree_release(tree);
	tfp_engine_free(engine);
}

/* From 160 to 270 after the beginning at 90, so 70 to 180: conv 10 + 90 + 10, relu 20. */
static void a_range_counts_alone(void **state)
{
	struct tfp_engine *engine = tfp_engine_new(made_trace());
	struct tfp_tree *tree = run(engine, "scope", "0.07:0.18"), *whole;

	(void)state;
	assert_int_equal(value(tree, "net/relu", TFP_TRACE_DEVICE), 20);
	assert_int_equal(value(tree, "net/conv", TFP_TRACE_DEVICE), 10 + 90 + 10 + 10);
	assert_int_equal(value(tree, "net/relu", TFP_TRACE_HOST), 20);
	assert_int_equal(value(tree, "net", TFP_TRACE_BUSY), 100 + 10);
	whole = run(engine, "scope", "");
	assert_int_equal(value(whole, "net/conv", TFP_TRACE_DEVICE), 50 + 100 + 40 + 50);
	tfp_tree_release(whole);
	tfp_tree_release(tree);
	tree = run(engine, "idle", "0.07:0.18");
	assert_int_equal(value(tree, "gpu 0", TFP_TRACE_DEVICE), 10);
	tfp_tree_release(tree);
	tree = run(engine, "time", "0.07:0.18");
	assert_int_equal(value(tree, "stream 8", TFP_TRACE_DEVICE), 20);
	tfp_tree_release(tree);
	tfp_engine_free(engine);
}

/* A report has no other place to say it; rows are the same. */
static void a_baseline_that_nothing_comes_of_is_noted(void **state)
{
	static const char *const views[] = {"time", "device"};
	struct tfp_engine *engine = tfp_engine_new(made_trace());

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_query query;

		tfp_query_init(&query);
		query.view = views[i];
		query.forgiving = true;
		query.order_by = NULL;
		query.step = 1;
		assert_true(tfp_query_set(&query, "baseline", "step:0", diag));
		tfp_tree_release(tfp_engine_run(engine, &query, NULL, diag));
		assert_int_equal(tfp_diag_count(diag), i == 0);
		if (i == 0)
			assert_non_null(strstr(tfp_diag_get(diag, 0).text,
					       "--baseline=step:0: lanes against time are "
					       "compared with nothing"));
		tfp_query_free(&query);
		tfp_diag_free(diag);
	}
	tfp_engine_free(engine);
}

static void ranges_are_read_and_written(void **state)
{
	static const char *const wrong[] = {"1", "2:1", "1:1", "a:2", "1:2x", ":3", "-1:4", "1:"};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	struct tfp_query query;

	(void)state;
	tfp_query_init(&query);
	query.view = "scope";
	assert_true(tfp_query_set(&query, "range", "1500:2750.25", diag));
	assert_int_equal(query.range_to, 2750250);
	assert_non_null(strstr(tfp_query_command(&query, &arena), " --range=1500:2750.25"));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct tfp_diag *said = tfp_diag_new();
		bool read = i == 1 || i == 2;

		assert_false(tfp_query_set(&query, "range", wrong[i], said));
		assert_non_null(strstr(tfp_diag_get(said, 0).text,
				       read ? "must be above the first" : "no FROM:TO"));
		tfp_diag_free(said);
	}
	assert_true(tfp_query_set(&query, "range", "", diag));
	assert_null(strstr(tfp_query_command(&query, &arena), "range"));
	tfp_query_free(&query);
	tfp_arena_free(&arena);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_overlaps_lies_on_strips_of_its_own),
		cmocka_unit_test(pieces_are_cut_at_both_ends),
		cmocka_unit_test(the_line_about_an_event),
		cmocka_unit_test(summaries_are_exact),
		cmocka_unit_test(what_is_behind_a_row_is_pointed_out),
		cmocka_unit_test(launches_lead_to_kernels_and_back),
		cmocka_unit_test(events_are_found_by_name),
		cmocka_unit_test(lanes_are_below_their_devices),
		cmocka_unit_test(a_range_counts_alone),
		cmocka_unit_test(a_baseline_that_nothing_comes_of_is_noted),
		cmocka_unit_test(ranges_are_read_and_written),
	};

	return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
