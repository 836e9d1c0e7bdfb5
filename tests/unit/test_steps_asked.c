/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of single steps are made when a step is first asked for, but at once where there are few: whichever it was, every view
 * says the same.
 */
#include "made_trace.h"
#include "asking.h"

#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#include "view/engine.h"
#include "view/pane/breakdown.h"

static const char *const labels[] = {"net",   "net/conv", "conv",   "net/relu", "relu",
				     "gpu 0", "stream 7", "step 0", "step 1",   "main"};

/* Sums of all rows, and of those with one of these labels. */
static void compare(const struct worked_world *few, const struct worked_world *many)
{
	size_t found = 0;

	assert_non_null(few->tree);
	assert_non_null(many->tree);
	for (uint32_t metric = 0; metric < few->tree->base->metric_count; metric++) {
		assert_int_equal(tfp_tree_total(few->tree, 0, metric),
				 tfp_tree_total(many->tree, 0, metric));
		for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
			uint32_t a = worked_row(few, labels[i]), b = worked_row(many, labels[i]);

			assert_int_equal(a == TFP_NONE, b == TFP_NONE);
			if (a == TFP_NONE)
				continue;
			found++;
			assert_int_equal(tfp_tree_total(few->tree, a, metric),
					 tfp_tree_total(many->tree, b, metric));
		}
	}
	assert_true(found > 0);
}

/* OPTIONS are the first that the many are asked for. */
static void check(const char *view, const char *const *options)
{
	struct worked_world few, many;

	worked_begin(&few, made_trace());
	worked_begin(&many, made_trace_beside(MADE_MANY));
	assert_true(few.engine->profile->trace->by_step);
	assert_false(many.engine->profile->trace->by_step);
	worked_ask(&few, view, options);
	worked_ask(&many, view, options);
	compare(&few, &many);
	worked_end(&few);
	worked_end(&many);
}

static void views_are_the_same_whatever_is_asked_first(void **state)
{
	static const char *const views[] = {"scope", "op", "device", "steps", NULL};
	static const char *const options[][4] = {
		{"max_depth=all", NULL},
		{"max_depth=all", "step=0", NULL},
		{"max_depth=all", "step=1", NULL},
		{"max_depth=all", "range=0.03:0.21", NULL},
		{"max_depth=all", "range=0.03:0.21", "step=1", NULL},
		{"max_depth=all", "step=1", "baseline=step:0", NULL},
		{"max_depth=all", "step=1", "baseline=mean", NULL},
	};

	(void)state;
	for (size_t i = 0; views[i]; i++)
		for (size_t k = 0; k < sizeof(options) / sizeof(*options); k++)
			check(views[i], options[k]);
}

/* The figures of a pane by step, in a tree that is of all of them. */
static void a_pane_of_steps_asks_for_them(void **state)
{
	struct worked_world world;
	struct tfp_breakdown *out;
	struct tfp_break asked = {.kind = TFP_BREAKDOWN_STEPS, .metric = TFP_TRACE_HOST};

	(void)state;
	worked_begin(&world, made_trace_beside(MADE_MANY));
	WORKED_ASK(&world, "op", "max_depth=all");
	assert_false(world.engine->profile->trace->by_step);
	asked.engine = world.engine;
	asked.tree = world.tree;
	out = tfp_break_run(&asked, TFP_STEP_MEAN, NULL, world.diag);
	assert_non_null(out);
	assert_int_equal(out->count, 3);
	for (size_t i = 0; i < out->count; i++)
		assert_true(out->rows[i].value > 0);
	tfp_breakdown_free(out);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(views_are_the_same_whatever_is_asked_first),
		cmocka_unit_test(a_pane_of_steps_asks_for_them),
	};

	return cmocka_run_group_tests_name("steps_asked", tests, NULL, NULL);
}
