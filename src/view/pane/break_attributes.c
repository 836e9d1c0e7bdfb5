/* SPDX-License-Identifier: Apache-2.0 */
/* Breakdown into attributes: what the files say of a single node. */
#include <string.h>

#include "view/pane/breakdown.h"

/* The node that ROW stands for; TFP_NONE. */
static uint32_t single_node(const struct tfp_base *base, uint32_t row)
{
	if (base->node[row] != TFP_NONE)
		return base->node[row];
	if (base->picks && base->pick_first[row + 1] - base->pick_first[row] == 1 &&
	    base->end[row] == row + 1)
		return base->picks[base->pick_first[row]];
	return TFP_NONE;
}

bool tfp_breakdown_fits(const struct tfp_tree *tree, uint32_t row, enum tfp_breakdown_kind kind)
{
	if (tree->base->idle || kind == TFP_BREAKDOWN_MEANWHILE)
		return tree->base->idle && kind == TFP_BREAKDOWN_MEANWHILE;
	return kind != TFP_BREAKDOWN_ATTRIBUTES || single_node(tree->base, row) != TFP_NONE;
}

static void add_row(struct tfp_breakdown *out, const struct tfp_attribute *attribute)
{
	out->rows[out->count++] = (struct tfp_breakdown_row){
		.label = tfp_arena_text(&out->arena, attribute->name, strlen(attribute->name)),
		.text = tfp_arena_text(&out->arena, attribute->value, strlen(attribute->value)),
		.share = -1,
		.runs = -1,
		.defined = -1,
		.node = TFP_NONE,
	};
}

bool tfp_break_attributes(struct tfp_work *work)
{
	uint32_t node = single_node(work->tree->base, work->row);
	struct tfp_breakdown *out = work->out;
	struct tfp_attributes attributes = {0};

	if (node == TFP_NONE) {
		out->note = "attributes are those of a single node";
		return true;
	}
	tfp_profile_attributes(work->build.profile, node, &attributes);
	out->rows = tfp_arena_alloc(&out->arena, (attributes.list.count + 1) * sizeof(*out->rows));
	for (size_t i = 0; i < attributes.list.count; i++)
		add_row(out, &attributes.list.at[i]);
	if (!out->count)
		out->note = "no file holds attributes of this node";
	tfp_attributes_free(&attributes);
	return true;
}
