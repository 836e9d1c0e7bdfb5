/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a tree in the order of lists: see listing.h. */
#include "report/listing.h"

void tfp_listing_start(struct tfp_listing *listing, const struct tfp_tree *tree)
{
	*listing = (struct tfp_listing){
		.tree = tree,
		.order = tree->order_metric,
		.reverse = tree->reverse,
	};
	*tfp_array_push(&listing->waiting) = (struct tfp_table_row){tree->root, TFP_NONE, 0};
}

bool tfp_listing_next(struct tfp_listing *listing, struct tfp_table_row *row)
{
	uint32_t below;

	if (!listing->waiting.count)
		return false;
	*row = listing->waiting.at[--listing->waiting.count];
	below = listing->tree->child_count[row->row];
	if (!below)
		return true;
	tfp_array_reserve(&listing->children, below);
	tfp_tree_children_by(listing->tree, row->row, listing->order, listing->reverse,
			     listing->children.at);
	tfp_array_reserve(&listing->waiting, listing->waiting.count + below);
	while (below-- > 0)
		listing->waiting.at[listing->waiting.count++] = (struct tfp_table_row){
			listing->children.at[below], row->row, row->depth + 1};
	return true;
}

void tfp_listing_skip(struct tfp_listing *listing, const struct tfp_table_row *row)
{
	listing->waiting.count -= listing->tree->child_count[row->row];
}

void tfp_listing_free(struct tfp_listing *listing)
{
	tfp_array_free(&listing->waiting);
	tfp_array_free(&listing->children);
}
