/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdowns whose rows are nodes, or nodes alike in op type and input shapes.
 */
#include <stdlib.h>

#include "view/group/frames.h"

#include "view/pane/breakdown.h"
#include "view/engine.h"
#include "view/views/printed.h"
#include "view/match/shape.h"
#include "view/group/signature.h"

#define CALLERS_MOST 8 /* that are told of a node */

/* ---- nodes of one name ------------------------------------------------------------------------ */

/* Recordings have a node for each op, shapes and stack that something of one name has. */
struct telling {
	struct tfp_work *work;
	struct tfp_frames frames;
};

/* Puts behind the names what COLUMN, by node, has; nothing where that is all the same. */
static void tell_column(struct tfp_work *work, struct tfp_breakdown_row **alike, size_t count,
			const tfp_str *column)
{
	bool differs = false;

	for (size_t i = 1; i < count && column; i++)
		differs |= column[alike[i]->node] != column[alike[0]->node];
	for (size_t i = 0; i < count && differs; i++)
		tfp_row_tell(
			work, alike[i],
			tfp_strings_text(work->build.profile->strings, column[alike[i]->node]));
}

/* What is left of a printed report has no node. */
static bool have_nodes(struct tfp_breakdown_row **alike, size_t count)
{
	bool all = true;

	for (size_t i = 0; i < count; i++)
		all &= alike[i]->node != TFP_NONE;
	return all;
}

static void tell_columns(void *data, struct tfp_breakdown_row **alike, size_t count)
{
	struct tfp_work *work = ((struct telling *)data)->work;
	const struct tfp_nodes *nodes = &work->build.profile->nodes;
	const tfp_str *const columns[] = {nodes->op, nodes->signature, nodes->module};

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns) && have_nodes(alike, count); i++)
		tell_column(work, alike, count, columns[i]);
}

/* What STACK's frame is called; 0: nothing is there. */
static tfp_str label_of(struct telling *telling, uint32_t stack)
{
	const struct tfp_profile *profile = telling->work->build.profile;
	uint32_t place;

	if (stack == TFP_NONE)
		return 0;
	place = tfp_frames_place(&telling->frames, profile->stacks.at[stack].frame, false);
	return telling->frames.label.at[place];
}

/* Moves COUNT stacks to the callers in which they first differ; how far that is, -1: they do not. */
static int find_difference(struct telling *telling, uint32_t *stacks, size_t count)
{
	const struct tfp_stack *all = telling->work->build.profile->stacks.at;

	for (int depth = 0;; depth++) {
		tfp_str label = label_of(telling, stacks[0]);

		for (size_t i = 1; i < count; i++)
			if (label_of(telling, stacks[i]) != label)
				return depth;
		for (size_t i = 0; i < count; i++) {
			if (stacks[i] == TFP_NONE)
				return -1;
			stacks[i] = all[stacks[i]].parent;
		}
	}
}

/* Puts behind the names where the calls differ, seen from within. */
static void tell_callers(void *data, struct tfp_breakdown_row **alike, size_t count)
{
	struct telling *telling = data;
	struct tfp_work *work = telling->work;
	const struct tfp_profile *profile = work->build.profile;
	uint32_t *stacks;
	int depth;

	if (!have_nodes(alike, count))
		return;
	stacks = tfp_realloc_array(NULL, count, sizeof(*stacks));
	for (size_t i = 0; i < count; i++)
		stacks[i] = profile->nodes.stack[alike[i]->node];
	depth = find_difference(telling, stacks, count);
	for (size_t i = 0; i < count && depth >= 0; i++) {
		tfp_str label = label_of(telling, stacks[i]);

		if (label)
			tfp_row_tell(work, alike[i],
				     tfp_arena_printf(&work->out->arena, "%s%s", depth ? "← " : "",
						      tfp_strings_text(profile->strings, label)));
	}
	free(stacks);
}

static void tell_apart(struct tfp_work *work)
{
	struct tfp_profile *profile = work->build.profile;
	struct telling telling = {.work = work};

	if (!tfp_work_tell_apart(work, tell_columns, &telling) ||
	    !tfp_profile_need(profile, TFP_PART_STACKS, work->build.job, work->build.diag))
		return;
	tfp_frames_start(&telling.frames, profile, TFP_PLACE_SOURCE, NULL);
	for (int i = 0; i < CALLERS_MOST; i++)
		if (!tfp_work_tell_apart(work, tell_callers, &telling))
			break;
	tfp_frames_end(&telling.frames);
}

/* ---- breakdowns ------------------------------------------------------------------------------- */

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
	if (done) {
		tfp_work_rows(work, groups, label, count);
		tell_apart(work);
	}
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
