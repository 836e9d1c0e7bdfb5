/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary view: its lines, where they lead, and that no query takes any of them away.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "made_trace.h"
#include "opened.h"
#include "worked.h"

/* The first line that begins with TEXT. */
static uint32_t line_of(const struct worked_world *world, const char *text)
{
	const struct tfp_base *base = world->tree->base;

	for (uint32_t row = 0; row < base->count; row++) {
		struct tfp_span label = tfp_base_label(base, row);

		if (label.size >= strlen(text) && !memcmp(label.at, text, strlen(text)))
			return row;
	}
	fail_msg("no line begins with \"%s\"", text);
	return TFP_NONE;
}

static bool has_line(const struct worked_world *world, const char *text)
{
	const struct tfp_base *base = world->tree->base;

	for (uint32_t row = 0; row < base->count; row++)
		if (memmem(tfp_base_label(base, row).at, tfp_base_label(base, row).size, text,
			   strlen(text)))
			return true;
	return false;
}

/* The label of the row that the line which begins with TEXT leads to. */
static char *destination(struct worked_world *world, const char *text)
{
	struct tfp_target target = world->tree->base->target[line_of(world, text)];
	struct tfp_span label;
	uint32_t row;

	assert_non_null(target.view);
	assert_non_null(WORKED_ASK(world, target.view, NULL));
	row = tfp_tree_find(world->tree, target.key);
	assert_int_not_equal(row, TFP_NONE);
	label = tfp_base_label(world->tree->base, row);
	return tfp_arena_printf(&world->arena, "%s %.*s", target.view, (int)label.size, label.at);
}

static void findings_lead_to_their_rows(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_string_equal(destination(&world, "MatMul takes 9"), "op MatMul");
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_string_equal(destination(&world, "step 1 takes 79% more time than step 0"),
			    "steps step 1");
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_string_equal(destination(&world, "2 steps: 0 1"), "steps _TFProfRoot");
	worked_end(&world);
}

/* The op that is told is the first of the op view, with the share that it has there. */
static void ops_stand_out_as_the_op_view_has_them(void **state)
{
	static const char *const cases[][2] = {
		{"data/gpu/torch_small.json.gz",
		 "aten::convolution_backward: 44.8% of the device time, in 5 places; heaviest shapes, 39.0%: ["},
		{"data/gpu/jax_small.xplane.pb.gz",
		 "custom fusion of dot: 75.0% of the device time, in 8 places; heaviest shapes, 41.2%: f32["},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;
		struct tfp_target target;
		char share[16];
		uint32_t row;

		WORKED_OPEN(&world, cases[i][0]);
		assert_non_null(WORKED_ASK(&world, "summary", NULL));
		target = world.tree->base->target[line_of(&world, cases[i][1])];
		assert_non_null(WORKED_ASK(&world, "op", NULL));
		row = tfp_tree_find(world.tree, target.key);
		assert_int_not_equal(row, TFP_NONE);
		snprintf(share, sizeof(share), " %.1f%% ",
			 100 * (double)tfp_tree_total(world.tree, row, TFP_TRACE_DEVICE) /
				 (double)tfp_tree_total(world.tree, world.tree->root,
							TFP_TRACE_DEVICE));
		assert_non_null(strstr(cases[i][1], share));
		worked_end(&world);
	}
}

/* Each line of the summary that leads somewhere does so; returns how many. */
static size_t check_targets(const char *const *files)
{
	struct worked_world world;
	size_t count = 0;
	struct tfp_tree *summary;

	worked_open(&world, files);
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	summary = tfp_tree_hold(world.tree);
	for (uint32_t row = 0; row < summary->base->count; row++) {
		struct tfp_target target = summary->base->target[row];

		if (!target.view)
			continue;
		assert_non_null(WORKED_ASK(&world, target.view, "deep", "max_depth=1000"));
		if (tfp_tree_find(world.tree, target.key) == TFP_NONE)
			fail_msg("\"%.*s\" leads to no row of %s",
				 (int)tfp_base_label(summary->base, row).size,
				 tfp_base_label(summary->base, row).at, target.view);
		count++;
	}
	tfp_tree_release(summary);
	worked_end(&world);
	return count;
}

static void all_that_leads_somewhere_gets_there(void **state)
{
	/* with a step in which nothing ran; of two ranks; of a GPU; without a run */
	static const char *const sets[][5] = {
		{"../data/demo/graph.pb.gz", "../data/demo/run_meta_0.pb.gz",
		 "../data/demo/run_meta_1.pb.gz", "../data/demo/run_meta_2.pb.gz"},
		{"data/tf/rnn/graph.pb.gz", "data/tf/rnn/run_meta_0.pb.gz",
		 "data/tf/rnn/run_meta_1.pb.gz"},
		{"data/tf/resnet32/profile.pb.gz"},
		{"data/tf/tiny/profile.pb.gz"},
		{"data/ranks/rank0.json", "data/ranks/rank1.json"},
		{"data/ranks/steps0.json", "data/ranks/steps1.json", "data/ranks/steps2.json"},
		{"data/gpu/torch_small.json.gz"},
		{"data/gpu/jax_small.xplane.pb.gz"},
		{"data/pprof/go_cpu.pprof.gz"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++)
		assert_true(check_targets(sets[i]) >= (i < 3 ? 2 : 0));
}

static void what_is_missing_comes_with_code(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(0));
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_true(has_line(&world, "no run metadata"));
	assert_true(has_line(&world, "run_metadata=meta"));
	assert_false(has_line(&world, "no graph"));
	assert_false(has_line(&world, "findings"));
	assert_true(has_line(&world, "coverage: of the nodes"));
	worked_end(&world);
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_false(has_line(&world, "no run metadata"));
	assert_true(has_line(&world, "coverage: of the time"));
	worked_end(&world);
}

/* Of PyTorch's recordings it is arguments of its profiler; of others nothing is known. */
static void what_a_recording_is_missing_depends_on_its_program(void **state)
{
	(void)state;
	for (int torch = 0; torch < 2; torch++) {
		struct tfp_profile *profile = made_trace();
		struct worked_world world;

		profile->format = torch ? "kineto" : "chrome";
		worked_begin(&world, profile);
		assert_non_null(WORKED_ASK(&world, "summary", NULL));
		assert_int_equal(has_line(&world, "profile_memory=True"), torch);
		assert_false(has_line(&world, "no events of a GPU"));
		assert_false(has_line(&world, "no graph"));
		worked_end(&world);
	}
}

static void set_class(struct tfp_profile *profile, const char *name, enum tfp_work_class class)
{
	struct tfp_trace *trace = profile->trace;

	for (uint32_t i = 0; i < trace->works.count; i++)
		if (!strcmp(tfp_strings_text(profile->strings, trace->works.at[i].name), name))
			trace->works.at[i].class = (uint8_t) class;
}

/* Collectives run while a kernel computes, copies alone. */
static void devices_compute_move_and_copy(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct worked_world world;

	(void)state;
	set_class(profile, "relu", TFP_WORK_COMM);
	set_class(profile, "memcpy", TFP_WORK_COPY);
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_true(has_line(&world, "computing 170ns, collectives 20ns: 0ns of that"));
	assert_true(has_line(&world, "copies and fills 10ns: 10ns of that while no kernel runs"));
	worked_end(&world);
	profile = made_trace();
	set_class(profile, "conv2d", TFP_WORK_COMM);
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_true(has_line(&world, "computing 20ns, collectives 170ns: 150ns of that"));
	worked_end(&world);
}

static void no_filter_and_no_order_is_for_sentences(void **state)
{
	struct worked_world world;
	struct tfp_column columns[TFP_MAX_COLUMNS];
	uint32_t shown;

	(void)state;
	worked_begin(&world, worked_profile(2));
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	shown = world.tree->shown_count;
	assert_int_equal(shown, world.tree->base->count - 1);
	assert_non_null(WORKED_ASK(&world, "summary", "show_name_regexes=nothing", "min_micros=9",
				   "order_by=name", "max_depth=1", "flat=true"));
	assert_int_equal(world.tree->shown_count, shown);
	assert_int_equal(world.tree->order_metric, TFP_ORDER_NONE);
	assert_string_equal(world.tree->query.lists[TFP_SHOW].at[0], "nothing");
	assert_false(world.tree->query.flat);
	assert_int_equal(tfp_columns(world.tree, TFP_TF_MICROS, NULL, columns, TFP_MAX_COLUMNS), 0);
	worked_end(&world);
}

static void a_profile_opens_with_another_view(void **state)
{
	struct tfp_profile *profile = worked_profile(1);

	(void)state;
	assert_string_equal(tfp_view_default(profile)->name, "scope");
	tfp_profile_free(profile);
}

/* ---- recordings ---- */

static void a_step_or_a_range_counts_alone(void **state)
{
	static const struct {
		const char *option, *device, *events;
	} cases[] = {
		{"range=", "busy 180ns, 75.0% of 240ns from its first event to its last",
		 "7 device events on 3 streams"},
		{"range=0.07:0.18", "busy 100ns, 90.9% of the range's 110ns",
		 "5 device events on 3 streams"},
		{"range=0.5:0.6", "busy 0ns, 0.0% of the range's 100ns", "no event"},
		{"step=0", "busy 130ns, longer than the step's 100ns",
		 "4 device events on 3 streams"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;

		worked_begin(&world, made_trace());
		assert_non_null(WORKED_ASK(&world, "summary", cases[i].option));
		if (!has_line(&world, cases[i].device))
			fail_msg("no %s:\n%s", cases[i].device, worked_text(&world, 0));
		if (!has_line(&world, cases[i].events))
			fail_msg("no %s:\n%s", cases[i].events, worked_text(&world, 0));
		assert_int_equal(has_line(&world, "devices in step 0"), i == 3);
		worked_end(&world);
	}
}

/* They tell steps apart, so that one of them changes nothing; a range or a rank has findings of its own. */
static void the_heading_says_what_findings_are_of(void **state)
{
	static const struct {
		const char *step, *rank, *range, *title;
	} cases[] = {
		{"step=-1", "rank=-1", "range=", "\n  findings 0\n"},
		{"step=0", "rank=-1", "range=", "\n  findings in all steps 0\n"},
		{"step=-1", "rank=-1", "range=0.07:0.18", "\n  findings in the range of time 0\n"},
		{"step=-1", "rank=0", "range=", "\n  findings of rank 0 0\n"},
		{"step=0", "rank=0", "range=0.07:0.18",
		 "\n  findings in all steps of rank 0 in the range of time 0\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;

		worked_begin(&world, made_trace());
		assert_non_null(WORKED_ASK(&world, "summary", cases[i].step, cases[i].rank,
					   cases[i].range));
		if (!strstr(worked_text(&world, 0), cases[i].title))
			fail_msg("no %s:\n%s", cases[i].title, worked_text(&world, 0));
		worked_end(&world);
	}
}

/* The line above the sentences says of which part they are, as it does of rows. */
static void the_line_says_which_part(void **state)
{
	static const struct {
		const char *option, *line;
	} cases[] = {
		{"range=", "what was read, and what stands out in it"},
		{"range=0.07:0.18", "what was read, and what stands out in it, 70ns to 180ns"},
		{"step=0", "what was read, and what stands out in it, step 0"},
		{"rank=0", "what was read, and what stands out in it, rank 0"},
	};
	const struct tfp_lens lens = {.name = "time"};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct worked_world world;

		worked_begin(&world, made_trace());
		assert_non_null(WORKED_ASK(&world, "summary", cases[i].option));
		assert_string_equal(tfp_tree_summary(world.tree, tfp_engine_profile(world.engine),
						     &lens, 0, &world.arena),
				    cases[i].line);
		worked_end(&world);
	}
}

/* What is drawn only is not said to be events that happened twice. */
static void marks_are_called_so(void **state)
{
	struct worked_world world;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_true(has_line(&world, "335 marks on 7 lines: drawn against time, in no sum"));
	worked_end(&world);
}

/* What counters and marks are called is no op, and where a thread was now and then is no other thread. */
static void ops_and_threads_are_those_with_figures(void **state)
{
	static const char text[] =
		"[{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9},"
		"{\"ph\": \"i\", \"name\": \"mark\", \"pid\": 1, \"tid\": 1, \"ts\": 2},"
		"{\"ph\": \"C\", \"name\": \"n\", \"pid\": 1, \"ts\": 3, \"args\": {\"n\": 4}},"
		"{\"ph\": \"P\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 20}]";
	struct tfp_diag *diag = tfp_diag_new();
	struct worked_world world;

	(void)state;
	worked_begin(&world, load_text(text, diag));
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_true(has_line(&world, "1 op"));
	assert_false(has_line(&world, "1 ops"));
	assert_true(has_line(&world, "1 host event on 1 thread"));
	assert_true(has_line(&world, "1 sample on 1 thread"));
	worked_end(&world);
	tfp_diag_free(diag);
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	assert_non_null(WORKED_ASK(&world, "summary", NULL));
	assert_true(has_line(&world, "314 ops"));
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_lead_to_their_rows),
		cmocka_unit_test(ops_stand_out_as_the_op_view_has_them),
		cmocka_unit_test(all_that_leads_somewhere_gets_there),
		cmocka_unit_test(what_is_missing_comes_with_code),
		cmocka_unit_test(what_a_recording_is_missing_depends_on_its_program),
		cmocka_unit_test(devices_compute_move_and_copy),
		cmocka_unit_test(no_filter_and_no_order_is_for_sentences),
		cmocka_unit_test(a_profile_opens_with_another_view),
		cmocka_unit_test(a_step_or_a_range_counts_alone),
		cmocka_unit_test(the_heading_says_what_findings_are_of),
		cmocka_unit_test(the_line_says_which_part),
		cmocka_unit_test(marks_are_called_so),
		cmocka_unit_test(ops_and_threads_are_those_with_figures),
	};

	return cmocka_run_group_tests_name("overview", tests, NULL, NULL);
}
