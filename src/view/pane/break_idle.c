/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown of gaps: what the thread that ended each did meanwhile, by the innermost event. These times add
 * up to the gaps.
 */
#include <stdlib.h>

#include "view/pane/breakdown.h"
#include "view/views/idle.h"

#define NOTHING "nothing recorded on that thread"

static bool find_meanwhile(struct tfp_work *work, struct tfp_meanwhile *meanwhile)
{
	const struct tfp_base *base = work->tree->base;

	for (uint32_t row = work->row; row < base->end[work->row]; row++) {
		if (tfp_work_stopped(work, row))
			return false;
		if (base->gap[row] != TFP_NONE &&
		    (row == work->row || tfp_tree_passes(work->tree, row)))
			tfp_meanwhile_add(meanwhile, work->build.profile, base->idle->python,
					  &base->idle->gaps[base->gap[row]]);
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

bool tfp_break_meanwhile(struct tfp_work *work)
{
	struct tfp_meanwhile meanwhile;
	bool done;

	if (!work->tree->base->idle) {
		work->out->note = "what the host did in a gap: 7 shows gaps";
		return true;
	}
	tfp_meanwhile_start(&meanwhile);
	done = find_meanwhile(work, &meanwhile);
	if (done)
		make_rows(work, &meanwhile);
	if (done && meanwhile.unknown)
		work->out->note = tfp_arena_printf(
			&work->out->arena,
			"of %llu gap%s the launch, and so the thread, is not recorded",
			(unsigned long long)meanwhile.unknown, meanwhile.unknown == 1 ? "" : "s");
	tfp_meanwhile_end(&meanwhile);
	return done;
}
