/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdowns whose rows are nodes, or nodes alike in op type and input shapes.
 */
#include <stdlib.h>

#include "view/pane/breakdown.h"
#include "view/engine.h"
#include "view/views/printed.h"
#include "view/match/shape.h"
#include "view/group/signature.h"

bool tfp_break_nodes(struct tfp_work *work)
{
	size_t count = work->nodes.count;
	struct tfp_group *groups = tfp_alloc_zero(count + 1, sizeof(*groups));
	tfp_str *label = tfp_realloc_array(NULL, count + 1, sizeof(*label));
	int64_t rest = tfp_work_rest(work);
	bool done = true;

	for (size_t i = 0; i < count && done; i++) {
		int64_t values[TFP_MAX_METRICS];
		uint32_t node = work->nodes.at[i];

		done = !tfp_work_stopped(work, i);
		tfp_work_values(work, node, values);
		tfp_group_add(&groups[i], work, node, values);
		label[i] = work->build.profile->nodes.name[node];
	}
	if (rest) {
		groups[count].value = rest;
		label[count++] =
			tfp_strings_add_text(work->build.profile->strings, TFP_PRINTED_REST);
	}
	if (done)
		tfp_work_rows(work, groups, label, count);
	free(groups);
	free(label);
	return done;
}

/* The engine's, which remember the signature of each node from one breakdown to the next. */
static struct tfp_signatures *find_signatures(struct tfp_work *work)
{
	struct tfp_engine *engine = work->build.engine;
	struct tfp_signatures *kept = engine->signatures;

	if (kept && kept->quirks == work->build.quirks)
		return kept;
	if (kept)
		tfp_signatures_end(kept);
	else
		engine->signatures = kept = tfp_alloc_zero(1, sizeof(*kept));
	tfp_signatures_start(kept, work->build.profile, work->build.quirks);
	return kept;
}

/* What the shape filter must be to leave the row's nodes: the shapes of the largest. */
static void add_shapes(struct tfp_work *work)
{
	struct tfp_breakdown *out = work->out;

	for (size_t i = 0; i < out->count - (out->others > 0); i++)
		out->rows[i].shape = tfp_shape_text(work->build.profile, out->rows[i].node,
						    work->build.quirks, &out->arena);
}

/* The groups that have nodes, and their labels. */
static void make_rows(struct tfp_work *work, const struct tfp_signatures *signatures,
		      struct tfp_group *groups, size_t count)
{
	tfp_str *label = tfp_realloc_array(NULL, count, sizeof(*label));
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		if (!groups[i].nodes)
			continue;
		label[found] = signatures->label.at[i];
		groups[found++] = groups[i];
	}
	tfp_work_rows(work, groups, label, found);
	free(label);
	add_shapes(work);
}

bool tfp_break_shapes(struct tfp_work *work)
{
	struct tfp_signatures *signatures = find_signatures(work);
	TFP_ARRAY(struct tfp_group) groups = {0};
	bool done = true;

	for (size_t i = 0; i < work->nodes.count && done; i++) {
		int64_t values[TFP_MAX_METRICS];
		uint32_t node = work->nodes.at[i];
		uint32_t signature = tfp_signature(signatures, node);

		done = !tfp_work_stopped(work, i);
		while (groups.count <= signature)
			*tfp_array_push(&groups) = (struct tfp_group){0};
		tfp_work_values(work, node, values);
		tfp_group_add(&groups.at[signature], work, node, values);
	}
	if (done)
		make_rows(work, signatures, groups.at, groups.count);
	tfp_array_free(&groups);
	return done;
}
