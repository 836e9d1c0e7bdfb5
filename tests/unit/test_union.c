/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Views of a trace: the time in which a device is busy for a row, and metrics that do not add up, in each
 * view, for one step and for all, and of what filters leave.
 */
#include "made_trace.h"
#include "asking.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

/* Memory that is taken, and given back. */
static void add_allocs(struct tfp_profile *profile)
{
	static const struct tfp_alloc allocs[] = {
		{.node = CONV, .step = 0, .time = 1, .bytes = 100},
		{.node = RELU, .step = 1, .time = 5, .bytes = 50},
		{.node = CONV, .step = 1, .time = 9, .bytes = -100},
		{.node = TFP_NONE, .step = 1, .time = 9, .bytes = 7},
	};

	for (size_t i = 0; i < sizeof(allocs) / sizeof(*allocs); i++) {
		struct tfp_alloc alloc = allocs[i];

		alloc.step = tfp_profile_find_step(profile, alloc.step);
		tfp_profile_add_alloc(profile, &alloc);
	}
}

/* Ops: conv is called from a function that is called by main, relu by main itself. */
static bool fill_stacks(struct tfp_profile *profile, unsigned parts, void *data,
			struct tfp_job *job, struct tfp_diag *diag)
{
	static const char *const functions[] = {"main", "block", "main"};
	uint32_t stack = TFP_NONE, stacks[3];

	(void)data;
	(void)job;
	(void)diag;
	if (parts & TFP_PART_ALLOCS)
		add_allocs(profile);
	if (!(parts & TFP_PART_STACKS))
		return true;
	for (int i = 0; i < 3; i++) {
		struct tfp_frame frame = {
			.file = tfp_strings_add_text(profile->strings, "net.py"),
			.function = tfp_strings_add_text(profile->strings, functions[i]),
			.line = 10 + i,
		};

		stack = tfp_profile_stack(profile, stack, tfp_profile_frame(profile, &frame));
		stacks[i] = stack;
	}
	profile->nodes.stack[CONV] = stacks[2];
	profile->nodes.stack[RELU] = stacks[0];
	return true;
}

static void release_nothing(void *data)
{
	(void)data;
}

static int set_up(void **state)
{
	struct tfp_profile *profile = made_trace();
	struct tfp_provider provider = {.parts = TFP_PART_STACKS | TFP_PART_ALLOCS,
					.fill = fill_stacks,
					.release = release_nothing};

	profile->has_stacks = profile->has_allocs = true;
	tfp_profile_add_provider(profile, &provider);
	tfp_profile_set_signature(profile, CONV,
				  tfp_strings_add_text(profile->strings, "[4,3] float"));
	return worked_set_up(state, profile);
}

static void run(struct worked_world *world, const char *view)
{
	worked_ask(world, view, NULL);
	if (!world->tree)
		print_error("%s\n", tfp_diag_count(world->diag) ? tfp_diag_get(world->diag, 0).text
								: "cancelled");
	assert_non_null(world->tree);
}

static uint32_t row_of(const struct worked_world *world, const char *label)
{
	uint32_t row = worked_row(world, label);

	if (row == TFP_NONE)
		fail_msg("no row %s", label);
	return row;
}

static int64_t total(const struct worked_world *world, const char *label,
		     enum tfp_trace_metric metric)
{
	return tfp_tree_total(world->tree, row_of(world, label), metric);
}

static int64_t self(const struct worked_world *world, const char *label,
		    enum tfp_trace_metric metric)
{
	return tfp_tree_self(world->tree, row_of(world, label), metric);
}

#define ROOT "_TFProfRoot"

static void scopes_unite_what_is_below_them(void **state)
{
	struct worked_world *world = *state;

	run(world, "scope");
	/* 120..250, which has relu's 200..220 in it, 260..300; 120..170 on the other device. */
	assert_int_equal(total(world, "net", TFP_TRACE_BUSY), 130 + 40 + 50);
	assert_int_equal(total(world, "net", TFP_TRACE_DEVICE), 50 + 100 + 40 + 50 + 20);
	assert_int_equal(self(world, "net", TFP_TRACE_BUSY), 0);
	assert_int_equal(total(world, "net/relu", TFP_TRACE_BUSY), 20);
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 130 + 40 + 50 + 10);
	assert_int_equal(total(world, ROOT, TFP_TRACE_HOST), 45 + 100 + 30);
}

static void a_step_has_only_its_events(void **state)
{
	struct worked_world *world = *state;

	world->query.step = 0;
	run(world, "scope");
	assert_int_equal(total(world, "net", TFP_TRACE_BUSY), 130 + 50);
	world->query.step = 1;
	run(world, "scope");
	assert_int_equal(total(world, "net", TFP_TRACE_BUSY), 40);
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 50);
}

static void steps_unite_each_by_itself(void **state)
{
	struct worked_world *world = *state;

	run(world, "steps");
	assert_int_equal(total(world, "step 0", TFP_TRACE_BUSY), 130 + 50);
	assert_int_equal(total(world, "step 1", TFP_TRACE_BUSY), 40 + 10);
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 130 + 40 + 50 + 10);
}

static void steps_stay_as_they_are_while_one_is_chosen(void **state)
{
	struct worked_world *world = *state;

	for (int displayed = 0; displayed < 2; displayed++) {
		world->query.step = 1;
		world->query.account_displayed_op_only = displayed;
		run(world, "steps");
		assert_int_equal(total(world, "step 0", TFP_TRACE_BUSY), 130 + 50);
		assert_int_equal(total(world, "step 1", TFP_TRACE_BUSY), 40 + 10);
		assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 130 + 40 + 50 + 10);
	}
}

static void names_that_are_no_paths_stay_out(void **state)
{
	struct worked_world *world = *state;
	struct tfp_profile *profile = tfp_engine_profile(world->engine);

	profile->nodes.flags[LOST] |= TFP_NODE_UNSCOPED;
	run(world, "scope");
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 130 + 40 + 50);
	run(world, "steps");
	assert_int_equal(total(world, "step 1", TFP_TRACE_BUSY), 40);
	assert_int_equal(total(world, "outside the steps", TFP_TRACE_HOST), 5);
	run(world, "op");
	assert_int_equal(total(world, "memcpy", TFP_TRACE_BUSY), 10);
}

static void nodes_of_one_name_are_one_row(void **state)
{
	struct worked_world *world = *state;
	struct tfp_profile *profile = tfp_engine_profile(world->engine);
	const struct tfp_base *base;
	uint32_t row;

	profile->nodes.name[RELU] = profile->nodes.name[CONV];
	run(world, "scope");
	base = world->tree->base;
	row = row_of(world, "net/conv");
	assert_int_equal(tfp_tree_self(world->tree, row, TFP_TRACE_DEVICE), 240 + 20);
	assert_int_equal(tfp_tree_self(world->tree, row, TFP_TRACE_BUSY), 130 + 40 + 50);
	assert_int_equal(base->pick_first[row + 1] - base->pick_first[row], 2);
	assert_int_equal(base->node[row], TFP_NONE);
	assert_int_equal(base->node[row_of(world, "net")], NET);
	run(world, "steps");
	assert_int_equal(total(world, "step 0", TFP_TRACE_DEVICE), 200 + 20);
}

static void ops_and_their_shapes_unite(void **state)
{
	struct worked_world *world = *state;

	run(world, "op");
	assert_int_equal(total(world, "conv2d", TFP_TRACE_BUSY), 130 + 40 + 50);
	world->query.deep = true;
	run(world, "op");
	assert_int_equal(total(world, "conv2d", TFP_TRACE_BUSY), 130 + 40 + 50);
	assert_int_equal(total(world, "conv2d [4,3] float", TFP_TRACE_BUSY), 130 + 40 + 50);
}

static void functions_count_once_where_they_call_themselves(void **state)
{
	struct worked_world *world = *state;

	run(world, "functions");
	assert_int_equal(total(world, "main net.py", TFP_TRACE_BUSY), 130 + 40 + 50);
	assert_int_equal(total(world, "block net.py", TFP_TRACE_BUSY), 130 + 40 + 50);
	assert_int_equal(self(world, "block net.py", TFP_TRACE_BUSY), 0);
}

/* What has no call stack is part of the whole, as in every other view. */
static void call_paths_have_all_time(void **state)
{
	struct worked_world *world = *state;
	int64_t busy, device;

	run(world, "scope");
	busy = total(world, ROOT, TFP_TRACE_BUSY);
	device = total(world, ROOT, TFP_TRACE_DEVICE);
	run(world, "code");
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), busy);
	assert_int_equal(total(world, ROOT, TFP_TRACE_DEVICE), device);
	assert_int_equal(total(world, "main net.py:10", TFP_TRACE_BUSY), 130 + 40 + 50);
	assert_int_equal(total(world, "no call stack", TFP_TRACE_BUSY), busy - (130 + 40 + 50));
}

static void what_is_shown_is_united_anew(void **state)
{
	static const char *conv[] = {".*conv.*"};
	struct worked_world *world = *state;

	world->query.lists[TFP_HIDE] = (struct tfp_words){conv, 1};
	world->query.account_displayed_op_only = true;
	run(world, "scope");
	assert_int_equal(total(world, "net", TFP_TRACE_BUSY), 20);
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 30);
	world->query.lists[TFP_HIDE] = (struct tfp_words){0};
}

static void steps_compare(void **state)
{
	struct worked_world *world = *state;
	uint32_t row;

	world->query.step = 0;
	world->query.baseline = "step:1";
	run(world, "scope");
	row = row_of(world, "net");
	assert_int_equal(tfp_tree_baseline(world->tree, row, TFP_TRACE_BUSY), 40);
	world->query.baseline = NULL;
}

static void memory_is_that_of_a_step(void **state)
{
	struct worked_world *world = *state;

	run(world, "memory");
	assert_int_equal(world->tree->base->curve->step, 0);
	assert_int_equal(total(world, ROOT, TFP_TRACE_BYTES), 100);
	assert_int_equal(total(world, "net/conv", TFP_TRACE_BYTES), 100);
	world->query.step = 1;
	run(world, "memory");
	assert_int_equal(total(world, ROOT, TFP_TRACE_BYTES), 50);
}

static void shapes_filter(void **state)
{
	static const char *const wanted[] = {"[4,3] float", "[4,3]", "float"};
	struct worked_world *world = *state;

	for (size_t i = 0; i < 3; i++) {
		world->query.shape = wanted[i];
		run(world, "scope");
		assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 130 + 40 + 50);
	}
	world->query.shape = "3] floa";
	run(world, "scope");
	assert_int_equal(total(world, ROOT, TFP_TRACE_BUSY), 0);
	world->query.shape = NULL;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, worked_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(scopes_unite_what_is_below_them),
		TEST(a_step_has_only_its_events),
		TEST(steps_unite_each_by_itself),
		TEST(steps_stay_as_they_are_while_one_is_chosen),
		TEST(names_that_are_no_paths_stay_out),
		TEST(nodes_of_one_name_are_one_row),
		TEST(ops_and_their_shapes_unite),
		TEST(functions_count_once_where_they_call_themselves),
		TEST(call_paths_have_all_time),
		TEST(what_is_shown_is_united_anew),
		TEST(steps_compare),
		TEST(memory_is_that_of_a_step),
		TEST(shapes_filter),
	};

	return cmocka_run_group_tests_name("union", tests, NULL, NULL);
}
