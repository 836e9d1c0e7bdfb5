/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of rows that stand in a flat list: nothing is above them there, so the name says which step a row is of, and
 * gaps without rows of their own what they waited for.
 */
#include <string.h>

#include "view/views/idle.h"

/* Without the file that a step is of. */
static int bare_size(struct tfp_span label)
{
	const char *file = memmem(label.at, label.size, "  ", 2);

	return (int)(file ? (size_t)(file - label.at) : label.size);
}

/* "rank 1, step 4: ", or "" where all rows are of it. */
static const char *say_step(const struct tfp_tree *tree, uint32_t row, struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	int64_t rank = tfp_tree_rank(tree, row);
	struct tfp_span step;
	uint32_t top = row;

	if (base->step[row] == TFP_NONE || base->step[row] == base->step[tree->root])
		return "";
	while (base->parent[top])
		top = base->parent[top];
	if (top == row)
		return "";
	step = tfp_base_label(base, top);
	return tfp_arena_printf(
		arena,
		"%s%.*s: ", rank < 0 ? "" : tfp_arena_printf(arena, "rank %lld, ", (long long)rank),
		bare_size(step), step.at);
}

/* ": autograd: MmBackward0 > aten::mm > cuLaunchKernel": what is above ROW, of several devices with theirs. */
static const char *say_cause(const struct tfp_tree *tree, uint32_t row, struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	bool several = !tree->root && base->end[1] < base->count;
	const char *text = "", *joint = "";

	for (uint32_t up = base->parent[row]; up && (several || base->parent[up]);
	     up = base->parent[up]) {
		struct tfp_span label = tfp_base_label(base, up);

		text = tfp_arena_printf(arena, "%.*s%s%s", (int)label.size, label.at, joint, text);
		joint = " > ";
	}
	return tfp_arena_printf(arena, ": %s", text);
}

struct tfp_span tfp_tree_full_name(const struct tfp_tree *tree, uint32_t row,
				   struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	struct tfp_span label = tfp_base_label(base, row);
	const char *before = "", *behind = "";

	if (!tree->query.flat || row == tree->root)
		return label;
	if (base->step)
		before = say_step(tree, row, arena);
	else if (base->idle && tfp_idle_is_rest(base, row))
		behind = say_cause(tree, row, arena);
	if (!*before && !*behind)
		return label;
	return tfp_span_of(
		tfp_arena_printf(arena, "%s%.*s%s", before, (int)label.size, label.at, behind));
}
