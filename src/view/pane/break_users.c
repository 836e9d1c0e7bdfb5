/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown by users: the nodes that take inputs from those behind the row, and are not behind it
 * themselves.
 */
#include <stdlib.h>

#include "view/pane/breakdown.h"
#include "view/engine.h"

static bool uses_any(const struct tfp_profile *profile, uint32_t node, const bool *inside)
{
	const uint32_t *first = profile->nodes.input_first;

	for (uint32_t i = first[node]; i < first[node + 1]; i++) {
		uint32_t producer = profile->inputs.at[i].node;

		if (producer != TFP_NONE && inside[producer])
			return true;
	}
	return false;
}

/* The users take the place of the nodes behind the row. False when cancelled. */
static bool find_users(struct tfp_work *work)
{
	const struct tfp_profile *profile = work->build.profile;
	bool *inside = tfp_alloc_zero(profile->nodes.count, sizeof(*inside));
	bool done = true;

	/* What stands below a node of the graph view is no part of it. */
	if (work->tree->base->view == &tfp_view_graph && work->row)
		inside[work->tree->base->node[work->row]] = true;
	else
		for (size_t i = 0; i < work->nodes.count; i++)
			inside[work->nodes.at[i]] = true;
	work->nodes.count = 0;
	for (uint32_t node = 0; node < profile->nodes.count && done; node++) {
		done = !tfp_work_stopped(work, node);
		if (!inside[node] && uses_any(profile, node, inside))
			*tfp_array_push(&work->nodes) = node;
	}
	free(inside);
	return done;
}

/* Shares are of what all users have together. */
static void sum_up(struct tfp_work *work)
{
	int64_t values[TFP_MAX_METRICS];

	work->whole = 0;
	for (size_t i = 0; i < work->nodes.count; i++) {
		tfp_work_values(work, work->nodes.at[i], values);
		work->whole = tfp_wrap_add(work->whole, values[work->metric]);
	}
	if (!work->nodes.count)
		work->out->note = "no other node takes an input from here";
}

bool tfp_break_users(struct tfp_work *work)
{
	if (!find_users(work))
		return false;
	sum_up(work);
	return tfp_break_nodes(work);
}
