/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown of gaps: what the thread that ended each did meanwhile, by the innermost event. These times add
 * up to the gaps.
 */
#include <stdlib.h>

#include "view/pane/breakdown.h"
#include "view/query/line.h"
#include "view/views/idle.h"

#define NOTHING "nothing recorded on that thread"

/* Gaps that have no row of their own, and how long they are. */
struct rest {
	int64_t gaps, time;
};

static void add_rest(struct rest *rest, const struct tfp_tree *tree, uint32_t row)
{
	rest->gaps = tfp_wrap_add(rest->gaps, tfp_tree_self(tree, row, TFP_TRACE_LAUNCHES));
	rest->time = tfp_wrap_add(rest->time, tfp_tree_self(tree, row, TFP_TRACE_DEVICE));
}

static bool find_meanwhile(struct tfp_work *work, struct tfp_meanwhile *meanwhile,
			   struct rest *rest)
{
	const struct tfp_base *base = work->tree->base;

	for (uint32_t row = work->row; row < base->end[work->row]; row++) {
		if (tfp_work_stopped(work, row))
			return false;
		if (row != work->row && !tfp_tree_passes(work->tree, row))
			continue;
		if (base->gap[row] != TFP_NONE)
			tfp_meanwhile_add(meanwhile, work->build.profile, base->idle->python,
					  &base->idle->gaps[base->gap[row]]);
		else if (tfp_idle_is_rest(base, row))
			add_rest(rest, work->tree, row);
	}
	return true;
}

static void make_rows(struct tfp_work *work, const struct tfp_meanwhile *meanwhile)
{
	struct tfp_profile *profile = work->build.profile;
	size_t count = meanwhile->time.count;
	struct tfp_group *groups = tfp_alloc_zero(count + 1, sizeof(*groups));
	tfp_str *labels = tfp_realloc_array(NULL, count + 1, sizeof(*labels));

	for (size_t i = 0; i < count; i++) {
		uint32_t event = meanwhile->longest.at[i], node = TFP_NONE;

		groups[i].value = meanwhile->time.at[i];
		if (event != TFP_NONE)
			node = tfp_trace_node(profile->trace, event);
		if (node != TFP_NONE) {
			groups[i].nodes = 1;
			groups[i].best = node;
		}
		labels[i] = (tfp_str)meanwhile->labels.keys.at[i];
		if (!labels[i])
			labels[i] = tfp_strings_add_text(profile->strings, NOTHING);
	}
	work->runs = TFP_NONE;
	work->out->counted = false;
	tfp_work_rows(work, groups, labels, count);
	free(groups);
	free(labels);
}

/* What the rows are not about; NULL: they are about all gaps. */
static char *say_left_out(const struct tfp_work *work, const struct tfp_meanwhile *meanwhile,
			  const struct rest *rest)
{
	struct tfp_line line = {.arena = &work->out->arena};
	char count[TFP_NUMBER_ROOM], time[TFP_NUMBER_ROOM];

	if (meanwhile->unknown)
		tfp_line_add(&line, "",
			     tfp_arena_printf(
				     line.arena,
				     "of %llu gap%s the launch, and so the thread, is not recorded",
				     (unsigned long long)meanwhile->unknown,
				     meanwhile->unknown == 1 ? "" : "s"));
	if (!rest->gaps)
		return line.text;
	tfp_number_screen(time, work->build.profile->trace->unit, rest->time);
	tfp_line_add(&line, "; ",
		     tfp_arena_printf(line.arena, "%s shorter gap%s, %s, left out here",
				      tfp_number_exact(count, rest->gaps),
				      rest->gaps == 1 ? "" : "s", time));
	return line.text;
}

bool tfp_break_meanwhile(struct tfp_work *work)
{
	struct tfp_meanwhile meanwhile;
	struct rest rest = {0};
	bool done;

	if (!work->tree->base->idle) {
		work->out->note = "what the host did in a gap: 7 shows gaps";
		return true;
	}
	tfp_meanwhile_start(&meanwhile);
	done = find_meanwhile(work, &meanwhile, &rest);
	if (done) {
		make_rows(work, &meanwhile);
		work->out->note = say_left_out(work, &meanwhile, &rest);
	}
	tfp_meanwhile_end(&meanwhile);
	return done;
}
