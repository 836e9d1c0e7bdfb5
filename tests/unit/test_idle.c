/* SPDX-License-Identifier: Apache-2.0 */
/* Idle times of the recording of made_trace.h: gaps, their causes, what the host did meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "made_trace.h"
#include "opened.h"
#include "view/views/idle.h"

static struct worked_world open_range(int64_t step, const char *baseline, const char *range)
{
	struct worked_world opened;

	worked_begin(&opened, made_trace());
	opened.query.step = step;
	opened.query.baseline = baseline;
	assert_true(tfp_query_set(&opened.query, "range", range, opened.diag));
	assert_non_null(worked_ask(&opened, "idle", NULL));
	return opened;
}

static struct worked_world open_idle(int64_t step, const char *baseline)
{
	return open_range(step, baseline, "");
}

static uint32_t find(const struct tfp_tree *tree, const char *label)
{
	for (uint32_t row = 0; row < tree->base->count; row++)
		if (tfp_span_is(tfp_base_label(tree->base, row), label))
			return row;
	fail_msg("no row %s", label);
	return 0;
}

static int64_t idle_of(const struct tfp_tree *tree, const char *label)
{
	return tfp_tree_total(tree, find(tree, label), TFP_TRACE_DEVICE);
}

static void gaps_are_below_their_causes(void **state)
{
	struct worked_world opened = open_idle(-1, NULL);
	const struct tfp_tree *tree = opened.tree;
	uint32_t device = find(tree, "gpu 0"), cause = find(tree, "module > conv2d");
	uint32_t gap = find(tree, "at 160ns, step 1, before conv2d");

	(void)state;
	assert_int_equal(tfp_tree_total(tree, device, TFP_TRACE_DEVICE), 60);
	assert_int_equal(tfp_tree_total(tree, device, TFP_TRACE_BUSY), 180);
	assert_int_equal(tfp_tree_total(tree, device, TFP_TRACE_LAUNCHES), 2);
	assert_int_equal(idle_of(tree, "gpu 1"), 0);
	assert_int_equal(tree->base->parent[cause], device);
	assert_int_equal(tree->base->parent[gap], cause);
	assert_int_equal(tfp_tree_total(tree, cause, TFP_TRACE_DEVICE), 10);
	assert_int_equal(idle_of(tree, "launch not recorded"), 50);
	worked_end(&opened);
}

static void a_step_has_its_own_gaps(void **state)
{
	struct worked_world opened = open_idle(1, NULL);

	(void)state;
	assert_int_equal(idle_of(opened.tree, "gpu 0"), 60);
	worked_end(&opened);
	opened = open_idle(0, "step:1");
	/* from its beginning at 100 to the first event of the recording at 120, which was launched at 110 */
	assert_int_equal(idle_of(opened.tree, "gpu 0"), 20);
	assert_int_equal(idle_of(opened.tree, "module > conv2d"), 20);
	assert_int_equal(
		tfp_tree_baseline(opened.tree, find(opened.tree, "gpu 0"), TFP_TRACE_DEVICE), 60);
	worked_end(&opened);
}

static int64_t busy_of(const struct tfp_tree *tree, const char *label)
{
	return tfp_tree_total(tree, find(tree, label), TFP_TRACE_BUSY);
}

static void a_step_has_its_own_busy_time(void **state)
{
	int64_t busy = 0;

	(void)state;
	for (int64_t step = 0; step < 2; step++) {
		struct worked_world opened = open_idle(step, NULL);

		assert_true(busy_of(opened.tree, "gpu 0") > 0);
		busy += busy_of(opened.tree, "gpu 0");
		worked_end(&opened);
	}
	assert_int_equal(busy, 180);
}

/* Idle and busy times together are the range, or what of it is in the recording. */
static void a_range_is_idle_up_to_its_edges(void **state)
{
	static const struct {
		const char *range;
		int64_t span;
	} ranges[] = {
		{"0:0.001", 1},   {"0:0.05", 50},    {"0.07:0.18", 110},
		{"0.1:0.2", 100}, {"0.15:0.3", 150},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		struct worked_world opened = open_range(-1, NULL, ranges[i].range);

		assert_int_equal(idle_of(opened.tree, "gpu 0") + busy_of(opened.tree, "gpu 0"),
				 ranges[i].span);
		worked_end(&opened);
	}
}

static void what_the_host_did_meanwhile(void **state)
{
	struct worked_world opened = open_idle(-1, NULL);
	uint32_t row = find(opened.tree, "module > conv2d");
	struct tfp_breakdown *pane =
		tfp_engine_breakdown(opened.engine, opened.tree, row, TFP_BREAKDOWN_MEANWHILE,
				     TFP_TRACE_DEVICE, NULL, opened.diag);

	(void)state;
	assert_int_equal(pane->count, 1);
	assert_string_equal(pane->rows[0].label, "nothing recorded on that thread");
	assert_int_equal(pane->rows[0].value, 10);
	tfp_breakdown_free(pane);
	pane = tfp_engine_breakdown(opened.engine, opened.tree, 0, TFP_BREAKDOWN_MEANWHILE,
				    TFP_TRACE_DEVICE, NULL, opened.diag);
	assert_string_equal(pane->note, "of 1 gap the launch, and so the thread, is not recorded");
	tfp_breakdown_free(pane);
	worked_end(&opened);
}

/* Of the piece from 140 to 320: conv2d to 150, relu to 180, net to 200, nothing, net, conv2d from 310 on. */
static void the_innermost_event_counts(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_gap gap = {.begin = 140, .end = 320};
	uint32_t python[LANES];
	struct tfp_meanwhile meanwhile;
	int64_t sum = 0;

	(void)state;
	memset(python, 0xff, sizeof(python));
	while (tfp_trace_link(profile->trace, gap.event) >= profile->trace->count ||
	       tfp_trace_kind(profile->trace, gap.event) != TFP_LANE_DEVICE)
		gap.event++;
	tfp_meanwhile_start(&meanwhile);
	tfp_meanwhile_add(&meanwhile, profile, python, &gap);
	for (size_t i = 0; i < meanwhile.time.count; i++) {
		const char *label =
			tfp_strings_text(profile->strings, (tfp_str)meanwhile.labels.keys.at[i]);

		sum += meanwhile.time.at[i];
		if (!strcmp(label, "conv2d"))
			assert_int_equal(meanwhile.time.at[i], 20);
		else if (!strcmp(label, "relu") || !strcmp(label, "module"))
			assert_int_equal(meanwhile.time.at[i], 30);
		else
			assert_int_equal(meanwhile.time.at[i], 100);
	}
	assert_int_equal(sum, 180);
	assert_int_equal(meanwhile.time.count, 4);
	tfp_meanwhile_end(&meanwhile);
	tfp_profile_free(profile);
}

static void add_labels(struct tfp_gaps *gaps, uint32_t device, const char *labels, int64_t time)
{
	struct tfp_cause cause = {.kind = TFP_CAUSE_HOST,
				  .device = device,
				  .label_first = (uint32_t)gaps->labels.count,
				  .count = 1,
				  .time = time};

	for (; *labels; labels++, cause.labels++)
		*tfp_array_push(&gaps->labels) = tfp_strings_add(gaps->profile->strings, labels, 1);
	*tfp_array_push(&gaps->causes) = cause;
}

/* Each row as "text time", indented. */
static char *print_tree(const struct tfp_gaps *gaps, struct tfp_arena *arena)
{
	char *text = tfp_arena_printf(arena, "%s", "");

	for (size_t i = 0; i < gaps->tree.count; i++) {
		const struct tfp_cause_row *row = &gaps->tree.at[i];
		int depth = 0;

		for (uint32_t at = row->parent; at != TFP_NONE; at = gaps->tree.at[at].parent)
			depth++;
		text = tfp_arena_printf(arena, "%s%*s%s %d\n", text, depth, "",
					tfp_cause_text(gaps, row, arena), (int)row->time);
	}
	return text;
}

static void stacks_that_begin_alike_are_a_tree(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_gaps gaps = {.profile = profile};
	struct tfp_arena arena = {0};

	(void)state;
	tfp_rowkeys_start(&gaps.stacks);
	add_labels(&gaps, 0, "abcd", 1);
	add_labels(&gaps, 0, "x", 2);
	add_labels(&gaps, 0, "abce", 4);
	add_labels(&gaps, 0, "ab", 8);
	add_labels(&gaps, 1, "abcd", 16);
	*tfp_array_push(&gaps.causes) =
		(struct tfp_cause){.kind = TFP_CAUSE_UNKNOWN, .count = 1, .time = 32};
	tfp_gaps_grow_tree(&gaps);
	assert_string_equal(print_tree(&gaps, &arena), "a > b 13\n"
						       " c 5\n"
						       "  d 1\n"
						       "  e 4\n"
						       "x 2\n"
						       "launch not recorded 32\n"
						       "a > b > c > d 16\n");
	tfp_arena_free(&arena);
	tfp_gaps_free(&gaps);
	tfp_profile_free(profile);
}

/* PyTorch says twice what of a backward pass it is at. */
static void steps_of_a_backward_pass_are_short(void **state)
{
	static const char *const labels[] = {"autograd::engine::evaluate_function: Relu0", "Relu0",
					     "aten::relu", "Relu0"};
	struct tfp_profile *profile = made_trace();
	struct tfp_gaps gaps = {.profile = profile};
	struct tfp_cause cause = {.kind = TFP_CAUSE_HOST, .count = 1, .time = 3, .labels = 4};
	struct tfp_arena arena = {0};

	(void)state;
	tfp_rowkeys_start(&gaps.stacks);
	for (size_t i = 0; i < cause.labels; i++)
		*tfp_array_push(&gaps.labels) = tfp_strings_add_text(profile->strings, labels[i]);
	*tfp_array_push(&gaps.causes) = cause;
	cause.labels = 1;
	cause.device = 1;
	*tfp_array_push(&gaps.causes) = cause;
	tfp_gaps_grow_tree(&gaps);
	assert_string_equal(print_tree(&gaps, &arena),
			    "autograd: Relu0 > aten::relu > Relu0 3\nautograd: Relu0 3\n");
	tfp_arena_free(&arena);
	tfp_gaps_free(&gaps);
	tfp_profile_free(profile);
}

/* One cause is named where it has much; else what many begin with. */
static void what_is_worth_a_word(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_gaps gaps = {.profile = profile};
	const struct tfp_cause_row *row;

	(void)state;
	tfp_rowkeys_start(&gaps.stacks);
	add_labels(&gaps, 0, "abc", 6);
	add_labels(&gaps, 0, "abd", 5);
	add_labels(&gaps, 0, "abe", 5);
	add_labels(&gaps, 0, "abf", 5);
	add_labels(&gaps, 0, "x", 10);
	add_labels(&gaps, 1, "abc", 6);
	add_labels(&gaps, 1, "abd", 5);
	add_labels(&gaps, 1, "abe", 5);
	add_labels(&gaps, 1, "abf", 5);
	add_labels(&gaps, 1, "x", 9);
	tfp_gaps_grow_tree(&gaps);
	row = &gaps.tree.at[tfp_gaps_main(&gaps, 0)];
	assert_int_equal(row->time, 10);
	assert_int_equal(row->end - row->first, 1);
	row = &gaps.tree.at[tfp_gaps_main(&gaps, 1)];
	assert_int_equal(row->time, 21);
	assert_int_equal(row->end - row->first, 4);
	assert_int_equal(tfp_gaps_main(&gaps, 2), TFP_NONE);
	tfp_gaps_free(&gaps);
	tfp_profile_free(profile);
}

static void facts_and_the_finding(void **state)
{
	struct worked_world opened = open_idle(-1, NULL);
	struct tfp_arena arena = {0};
	struct tfp_finding finding;
	const struct tfp_tree *tree = opened.tree;

	(void)state;
	assert_string_equal(tfp_engine_facts(opened.engine, tree, tree->root, &arena),
			    "60ns idle in 2 gaps of 2 devices, added up");
	assert_string_equal(tfp_engine_facts(opened.engine, tree, find(tree, "gpu 0"), &arena),
			    "60ns idle, 25.0% of 240ns; 50ns of it are 1 gap in one cause; "
			    "not counted: 30ns before its first event, 545ns after its last");
	assert_string_equal(tfp_engine_facts(opened.engine, tree,
					     find(tree, "at 160ns, step 1, before conv2d"), &arena),
			    "10ns; launched 60ns late, by conv2d on main");
	assert_true(tfp_idle_finding(tfp_engine_profile(opened.engine), &arena, &finding));
	assert_string_equal(finding.brief, "idle 25%: 60ns, 50ns of it in 1 gap of one cause");
	assert_int_equal(finding.target.key, tree->base->key[find(tree, "launch not recorded")]);
	assert_non_null(strstr(finding.text, "before work whose launch is not recorded"));
	tfp_arena_free(&arena);
	worked_end(&opened);
}

/* ---- more gaps than have rows ---- */

/* COUNT gaps of a device, all before work whose launch is not known: each lasts 1ns longer than the one before. */
static struct tfp_profile *many_gaps(uint32_t count)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_trace *trace = tfp_profile_make_trace(profile, TFP_NANOS);

	tfp_profile_add_node(profile, tfp_strings_add_text(profile->strings, "net/conv"),
			     tfp_strings_add_text(profile->strings, "conv2d"));
	make_lanes(profile, trace);
	for (uint32_t i = 0, at = 0; i <= count; i++, at += 10 + i)
		tfp_trace_add(trace, STREAM_A, at, 10, 0, made_work(profile, CONV), TFP_NONE);
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	tfp_trace_nest(trace, 0);
	tfp_trace_tally(profile, NULL);
	tfp_profile_finish(profile);
	return profile;
}

/* The shortest 30 of 230 have one row; flat, it says what they waited for, and of what they are a part. */
static void shorter_gaps_in_a_list(void **state)
{
	struct worked_world opened;
	struct tfp_breakdown *pane;
	uint32_t row;

	(void)state;
	worked_begin(&opened, many_gaps(230));
	assert_non_null(worked_ask(&opened, "idle", (const char *const[]){"flat", NULL}));
	row = find(opened.tree, "30 shorter gaps");
	assert_true(tfp_span_is(tfp_tree_full_name(opened.tree, row, &opened.arena),
				"30 shorter gaps: launch not recorded"));
	assert_string_equal(
		tfp_engine_facts(opened.engine, opened.tree, row, &opened.arena),
		"465ns of 26.57us idle are 30 gaps shorter than those of this cause that have a row");
	pane = tfp_engine_breakdown(opened.engine, opened.tree, row, TFP_BREAKDOWN_MEANWHILE,
				    TFP_TRACE_DEVICE, NULL, opened.diag);
	assert_int_equal(pane->count, 0);
	assert_string_equal(pane->note, "30 shorter gaps, 465ns, left out here");
	tfp_breakdown_free(pane);
	worked_end(&opened);
}

/* ---- real recordings ---- */

/* What the reference tables have: from the first event to the last, less the time busy. */
static void idle_is_what_is_not_busy(void **state)
{
	static const struct {
		const char *file;
		int64_t idle;
	} files[] = {
		{"data/gpu/jax_small.xplane.pb.gz", 903522},
		{"data/gpu/torch_small.json.gz", 17744457},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct worked_world opened;
		int64_t idle;

		WORKED_OPEN(&opened, files[i].file);
		assert_non_null(worked_ask(&opened, "idle", NULL));
		idle = tfp_tree_total(opened.tree, 0, TFP_TRACE_DEVICE);
		if (tfp_engine_profile(opened.engine)->trace->unit == TFP_PICOS)
			idle /= 1000;
		assert_int_equal(idle, files[i].idle);
		worked_end(&opened);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_below_their_causes),
		cmocka_unit_test(a_step_has_its_own_gaps),
		cmocka_unit_test(a_step_has_its_own_busy_time),
		cmocka_unit_test(a_range_is_idle_up_to_its_edges),
		cmocka_unit_test(what_the_host_did_meanwhile),
		cmocka_unit_test(the_innermost_event_counts),
		cmocka_unit_test(stacks_that_begin_alike_are_a_tree),
		cmocka_unit_test(steps_of_a_backward_pass_are_short),
		cmocka_unit_test(what_is_worth_a_word),
		cmocka_unit_test(facts_and_the_finding),
		cmocka_unit_test(shorter_gaps_in_a_list),
		cmocka_unit_test(idle_is_what_is_not_busy),
	};

	return cmocka_run_group_tests_name("idle", tests, NULL, NULL);
}
