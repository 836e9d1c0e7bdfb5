/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of PyTorch's traces that mark none: by what optimizers note, else by calls of the model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chrome_text.h"
#include "view/views/steps.h"

#define BEGIN "{\"schemaVersion\": 1, \"traceEvents\": [\n"
#define END   "]}"

#define OP(name, ts, dur)   X("cpu_op", name, "1", "1", ts, dur, "")
#define NOTE(name, ts, dur) X("user_annotation", name, "1", "1", ts, dur, "")
#define CALL(name, ts, dur) X("python_function", name, "1", "1", ts, dur, "")
#define LAUNCH(id, ts)                                                                             \
	X("cuda_runtime", "cudaLaunchKernel", "1", "1", ts, "1", "\"correlation\": " id)
#define KERNEL(id, ts, dur) X("kernel", "k", "0", "7", ts, dur, "\"correlation\": " id)

#define SGD  "Optimizer.step#SGD.step"
#define ADAM "Optimizer.step#Adam.step"

struct world {
	struct tfp_profile *profile;
	struct tfp_diag *diag;
};

static struct world start(const char *text)
{
	struct world world = {.diag = tfp_diag_new()};

	world.profile = load_text(text, world.diag);
	assert_int_equal(tfp_diag_count(world.diag), 0);
	return world;
}

static void end(struct world *world)
{
	tfp_profile_free(world->profile);
	tfp_diag_free(world->diag);
}

/* Step INDEX has NUMBER and lasts from START to END, in ns. */
static void expect_step(const struct world *world, uint32_t index, int64_t number, int64_t start,
			int64_t end)
{
	const struct tfp_trace *trace = world->profile->trace;

	assert_in_range(index, 0, trace->steps.count - 1);
	assert_int_equal(world->profile->steps.at[index].number, number);
	assert_int_equal(trace->steps.at[index].start, start);
	assert_int_equal(trace->steps.at[index].end, end);
}

static const char *by(const struct world *world)
{
	return tfp_strings_text(world->profile->strings, world->profile->steps_by);
}

/* The number of the step of the kernel that starts at START. */
static int64_t step_of_kernel(const struct world *world, int64_t start)
{
	const struct tfp_profile *profile = world->profile;

	for (uint32_t i = 0; i < profile->trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(profile->trace, i);

		if (tfp_trace_start(profile->trace, event) == start)
			return profile->steps.at[tfp_trace_step_of(profile, event)].number;
	}
	fail_msg("no kernel at %lld", (long long)start);
	return 0;
}

#define TWO_STEPS                                                                                  \
	OP("aten::zeros", "5", "5")                                                                \
	OP("aten::mm", "20", "10")                                                                 \
	LAUNCH("1", "21")                                                                          \
	NOTE(SGD, "40", "10")                                                                      \
	OP("aten::mm", "60", "10")                                                                 \
	LAUNCH("2", "61")                                                                          \
	NOTE(SGD, "80", "15")                                                                      \
	OP("aten::item", "100", "5")                                                               \
	LAUNCH("3", "101") KERNEL("1", "30", "40") KERNEL("2", "70", "30") KERNEL("3", "110", "5")

/* A step lasts up to the end of what the optimizer does; kernels are in that in which they were launched. */
static void an_optimizer_ends_steps(void **state)
{
	struct world world = start(BEGIN TWO_STEPS END);

	(void)state;
	assert_string_equal(by(&world), "Optimizer.step");
	assert_true(world.profile->steps_between);
	expect_step(&world, 1, 0, 5000, 50000);
	expect_step(&world, 2, 1, 50000, 95000);
	assert_int_equal(world.profile->steps.count, 3);
	assert_int_equal(step_of_kernel(&world, 30000), 0);
	assert_int_equal(step_of_kernel(&world, 70000), 1);
	assert_int_equal(step_of_kernel(&world, 110000), TFP_STEP_OUTSIDE);
	end(&world);
}

static void steps_that_are_marked_count_alone(void **state)
{
	struct world world = start(BEGIN TWO_STEPS NOTE("ProfilerStep#7", "15", "45") END);

	(void)state;
	assert_int_equal(world.profile->steps_by, 0);
	expect_step(&world, 1, 7, 15000, 60000);
	assert_int_equal(world.profile->steps.count, 2);
	end(&world);
}

/* What a trace with the steps 1, from 10 to 20, and 2, from 30 to 40, holds besides; whether any of it is in none. */
static const struct {
	const char *text;
	bool outside;
} around_steps[] = {
	{"", false},
	{OP("a", "10", "1") OP("a", "12", "1") OP("a", "19.999", "9") OP("a", "30", "1")
		 OP("a", "39.999", "1"),
	 false},
	{OP("a", "11", "1") OP("a", "12", "1") OP("a", "13", "1") OP("a", "20", "1")
		 OP("a", "31", "1"),
	 true},
	{OP("a", "11", "1") OP("a", "31", "1") OP("a", "40", "1"), true},
	{OP("a", "9.999", "1"), true},
	{X("cpu_op", "a", "1", "2", "11", "1", "") X("cpu_op", "a", "1", "2", "12", "1", "") X(
		 "cpu_op", "a", "1", "2", "13", "1", "") X("cpu_op", "a", "1", "2", "29", "1", ""),
	 true},
	{CALL("f", "25", "1"), true},
	/* kernels are in the step of their launch */
	{LAUNCH("1", "11") KERNEL("1", "25", "1"), false},
	{LAUNCH("1", "11") KERNEL("2", "25", "1"), true},
};

static void what_is_in_no_step_has_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(around_steps) / sizeof(*around_steps); i++) {
		char text[4096];
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile;

		snprintf(text, sizeof(text), "%s%s%s",
			 BEGIN NOTE("ProfilerStep#1", "10", "10")
				 NOTE("ProfilerStep#2", "30", "10"),
			 around_steps[i].text, END);
		profile = load_text(text, diag);
		if ((tfp_step_outside(profile) != TFP_NONE) != around_steps[i].outside)
			fail_msg("case %zu", i);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

static void of_two_optimizers_the_busier_counts(void **state)
{
	struct world world = start(BEGIN NOTE(ADAM, "0", "10") NOTE(SGD, "10", "10") NOTE(
		ADAM, "20", "10") NOTE(SGD, "30", "10") NOTE(ADAM, "40", "10") END);

	(void)state;
	expect_step(&world, 2, 2, 30000, 50000);
	assert_string_equal(
		tfp_strings_text(world.profile->strings, world.profile->steps.at[0].label), ADAM);
	end(&world);
}

/* One in another, as wrappers have them, is the same step. */
static void an_optimizer_in_another_is_part_of_it(void **state)
{
	struct world world = start(BEGIN NOTE(SGD, "0", "10") NOTE(SGD, "2", "6")
					   NOTE(SGD, "20", "10") NOTE(SGD, "22", "6") END);

	(void)state;
	expect_step(&world, 0, 0, 0, 10000);
	expect_step(&world, 1, 1, 10000, 30000);
	assert_int_equal(world.profile->steps.count, 2);
	end(&world);
}

/* A step lasts from a call of the model to the next, the last to the end of the thread's ops. */
static void calls_of_the_model_begin_steps(void **state)
{
	struct world world = start(
		BEGIN CALL("run.py(3): main", "0", "100") CALL("nn.Module: Net_0", "10", "20")
			CALL("nn.Module: Linear_0", "12", "5") CALL("nn.Module: Linear_0", "18",
								    "5") OP("aten::mm", "13", "2")
				OP("aten::argmax", "35", "2") CALL("nn.Module: Net_0", "40", "20")
					OP("aten::mm", "45", "2") OP("aten::item", "70", "5") END);

	(void)state;
	assert_string_equal(by(&world), "Net_0");
	expect_step(&world, 1, 0, 10000, 40000);
	expect_step(&world, 2, 1, 40000, 75000);
	assert_int_equal(world.profile->steps.count, 3);
	end(&world);
}

/* Where no model has most of the time nobody knows what a step is, nor where there is one call alone. */
static void what_is_no_step(void **state)
{
	static const char *const texts[] = {
		BEGIN CALL("nn.Module: A_0", "0", "10") CALL("nn.Module: B_0", "10", "10")
			CALL("nn.Module: A_0", "20", "10") CALL("nn.Module: B_0", "30", "10")
				OP("aten::mm", "1", "2") END,
		BEGIN CALL("nn.Module: A_0", "0", "10") OP("aten::mm", "1", "2")
			NOTE(SGD, "20", "5") END,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct world world = start(texts[i]);

		assert_int_equal(world.profile->steps_by, 0);
		assert_int_equal(world.profile->steps.count, 1);
		end(&world);
	}
}

/*
 * Nobody gave them numbers: what is the first here need not be the first there, and of recordings that ran at once no clock is
 * put right by it. Those that did not are of clocks that differ.
 */
static void they_put_right_what_ran_at_another_time(void **state)
{
	static const struct {
		const char *texts[2];
		int64_t begin; /* of the second's step 1 */
	} cases[] = {
		{{BEGIN NOTE(SGD, "0", "10") NOTE(SGD, "20", "10") END,
		  BEGIN NOTE(SGD, "1000", "10") NOTE(SGD, "1020", "10") END},
		 10000},
		{{BEGIN NOTE(SGD, "0", "10") NOTE(SGD, "20", "10") END,
		  BEGIN NOTE(SGD, "15", "3") NOTE(SGD, "42", "10") END},
		 18000},
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tfp_diag *diag = tfp_diag_new();
		struct tfp_profile *profile = load_texts(cases[i].texts, 2, diag);
		struct tfp_step_span span;

		assert_int_equal(tfp_diag_count(diag), i == 0);
		if (i == 0)
			assert_non_null(strstr(tfp_diag_get(diag, 0).text,
					       "moved by -1.00ms, so that step 0 begins together; "
					       "steps are counted in each"));
		assert_true(tfp_trace_step_span(profile, profile->trace, 0, 1, &span));
		assert_int_equal(span.start, 10000);
		assert_true(tfp_trace_step_span(profile, profile->trace, 1, 1, &span));
		assert_int_equal(span.start, cases[i].begin);
		tfp_profile_free(profile);
		tfp_diag_free(diag);
	}
}

/* One that is cut before its optimizer has run twice has no steps, whatever the other has. */
static void a_rank_without_steps_has_none(void **state)
{
	static const char *const texts[] = {
		BEGIN NOTE(SGD, "0", "10") NOTE(SGD, "20", "10") END,
		BEGIN OP("aten::mm", "12", "2") NOTE(SGD, "20", "10") END,
	};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile = load_texts(texts, 2, diag);
	struct tfp_step_span span;

	(void)state;
	assert_true(tfp_trace_step_span(profile, profile->trace, 0, 1, &span));
	assert_false(tfp_trace_step_span(profile, profile->trace, 1, 1, &span));
	assert_int_equal(tfp_trace_step_of(profile, event_named(profile, "aten::mm")),
			 tfp_step_outside(profile));
	assert_int_equal(tfp_diag_count(diag), 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* A loop that counts anew, on two threads that mark the same steps; one inside another of its number is the same. */
#define NUMBERED(step, thread, ts, dur)                                                            \
	X("user_annotation", "ProfilerStep#" step, "1", thread, ts, dur, "")

static void numbers_that_come_again_are_other_steps(void **state)
{
	struct world world = {.diag = tfp_diag_new()};
	char label[TFP_STEP_LABEL_ROOM];

	(void)state;
	world.profile = load_text(
		BEGIN NUMBERED("0", "1", "0", "90") NUMBERED("0", "1", "10", "20")
			NUMBERED("1", "1", "100", "90") NUMBERED("0", "1", "200", "90")
				NUMBERED("0", "2", "5", "90") NUMBERED("0", "2", "205", "90")
					NUMBERED("1", "1", "300", "90") LAUNCH("1", "310")
						KERNEL("1", "320", "10") END,
		world.diag);
	expect_step(&world, 0, 0, 0, 95000);
	expect_step(&world, 1, 1, 100000, 190000);
	expect_step(&world, 2, 2, 200000, 295000);
	expect_step(&world, 3, 3, 300000, 390000);
	assert_int_equal(step_of_kernel(&world, 320000), 3);
	for (uint32_t step = 0; step < 4; step++)
		assert_int_equal(world.profile->steps.at[step].recorded, step % 2);
	assert_string_equal(tfp_step_label(label, world.profile, 3), "step 3  ProfilerStep#1");
	assert_int_equal(tfp_diag_count(world.diag), 1);
	assert_non_null(strstr(tfp_diag_get(world.diag, 0).text,
			       "has, too: 2; they are counted on from 2"));
	end(&world);
}

/* Parts of a batch, or forward and backward, each marked with the step's number. */
static void parts_of_a_step_are_one(void **state)
{
	struct world world = {.diag = tfp_diag_new()};

	(void)state;
	world.profile =
		load_text(BEGIN NUMBERED("0", "1", "0", "40") NUMBERED("0", "1", "50", "40")
				  NUMBERED("1", "1", "100", "40") NUMBERED("1", "1", "150", "40")
					  LAUNCH("1", "160") KERNEL("1", "170", "10") END,
			  world.diag);
	expect_step(&world, 0, 0, 0, 90000);
	expect_step(&world, 1, 1, 100000, 190000);
	assert_int_equal(step_of_kernel(&world, 170000), 1);
	assert_int_equal(tfp_diag_count(world.diag), 0);
	end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_optimizer_ends_steps),
		cmocka_unit_test(steps_that_are_marked_count_alone),
		cmocka_unit_test(what_is_in_no_step_has_one),
		cmocka_unit_test(of_two_optimizers_the_busier_counts),
		cmocka_unit_test(an_optimizer_in_another_is_part_of_it),
		cmocka_unit_test(calls_of_the_model_begin_steps),
		cmocka_unit_test(what_is_no_step),
		cmocka_unit_test(they_put_right_what_ran_at_another_time),
		cmocka_unit_test(a_rank_without_steps_has_none),
		cmocka_unit_test(numbers_that_come_again_are_other_steps),
		cmocka_unit_test(parts_of_a_step_are_one),
	};

	return cmocka_run_group_tests_name("torch_steps", tests, NULL, NULL);
}
