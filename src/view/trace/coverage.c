/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage: of what takes the time, how much has an op, and how much of the ops shapes. */
#include "view/trace/coverage.h"

#include <math.h>

#include "view/base.h"

static double sum_cells(const struct tfp_profile *profile, uint32_t node, uint32_t step,
			uint32_t metric)
{
	const struct tfp_cells *cells = &profile->cells;
	uint32_t column = profile->metrics[metric].column;
	double sum = 0;

	for (uint32_t cell = profile->nodes.cell[node]; cell != TFP_NONE; cell = cells->older[cell])
		if (step == TFP_STEP_MEAN || cells->step[cell] == step)
			sum += (double)cells->value[(size_t)cell * profile->cell_columns + column];
	return sum;
}

bool tfp_is_around(const struct tfp_profile *profile, uint32_t node)
{
	return profile->default_metric == TFP_TRACE_HOST &&
	       profile->nodes.flags[node] & (TFP_NODE_UNSCOPED | TFP_NODE_AROUND);
}

void tfp_coverage_add(struct tfp_coverage *coverage, const struct tfp_profile *profile,
		      uint32_t node, uint32_t step)
{
	const struct tfp_nodes *nodes = &profile->nodes;
	double weight = sum_cells(profile, node, step, profile->default_metric);

	if (nodes->flags[node] & TFP_NODE_UNSCOPED)
		coverage->unscoped += sum_cells(profile, node, step, TFP_TRACE_HOST);
	coverage->whole += weight;
	if (!(nodes->flags[node] & TFP_NODE_UNOWNED) &&
	    (!tfp_is_around(profile, node) || nodes->flags[node] & TFP_NODE_IN_OP))
		coverage->op += weight;
	if (nodes->signature && nodes->signature[node])
		coverage->shape += weight;
	if (nodes->stack && nodes->stack[node] != TFP_NONE)
		coverage->stack += weight;
	if (nodes->float_ops[node] > 0)
		coverage->flops += weight;
}

struct tfp_coverage tfp_coverage_of(const struct tfp_profile *profile, uint32_t step)
{
	struct tfp_coverage coverage = {0};

	for (uint32_t node = 0; node < profile->nodes.count; node++)
		if (profile->nodes.cell[node] != TFP_NONE)
			tfp_coverage_add(&coverage, profile, node, step);
	return coverage;
}

double tfp_coverage_percent(double part, double whole, double digit)
{
	double percent = round(100 * part / whole / digit) * digit;

	return part < whole && percent >= 100 ? 100 - digit : percent;
}

/* Nor is nothing what is little. */
static const char *share_text(double part, double whole, struct tfp_arena *arena)
{
	if (part <= 0)
		return "none";
	if (part < whole / 100)
		return "less than 1%";
	return tfp_arena_printf(arena, "%.0f%%", tfp_coverage_percent(part, whole, 1));
}

char *tfp_coverage_text(const struct tfp_coverage *coverage, const char *of,
			struct tfp_arena *arena)
{
	bool op = coverage->op < coverage->whole, shape = coverage->shape < coverage->whole;
	const char *ops, *shapes;

	if (coverage->whole <= 0 || (!op && (!shape || coverage->shape <= 0)))
		return NULL;
	ops = share_text(coverage->op, coverage->whole, arena);
	shapes = share_text(coverage->shape, coverage->whole, arena);
	if (!op)
		return tfp_arena_printf(arena, "%s%s has a shape", shapes, of);
	return tfp_arena_printf(arena, "%s%s has an op, %s a shape", ops, of, shapes);
}

bool tfp_leaves_unscoped(const struct tfp_tree *tree)
{
	return tree->base->view->rules->scoped && tree->base->coverage.unscoped > 0;
}

char *tfp_tree_coverage(const struct tfp_tree *tree, const struct tfp_profile *profile,
			struct tfp_arena *arena)
{
	const struct tfp_coverage *coverage = &tree->base->coverage;
	const char *label = profile->metrics[profile->default_metric].label;
	char *text =
		tfp_coverage_text(coverage, tfp_arena_printf(arena, " of the %s", label), arena);
	char host[TFP_NUMBER_ROOM];

	if (!text && coverage->whole > 0)
		text = tfp_arena_printf(arena, "all of the %s has an op, %s a shape", label,
					coverage->shape > 0 ? "all" : "none");
	if (!text || !tfp_leaves_unscoped(tree))
		return text;
	tfp_number_screen(host, profile->trace->unit, (int64_t)coverage->unscoped);
	return tfp_arena_printf(arena, "%s; not here: %s of the host, in no scope", text, host);
}
