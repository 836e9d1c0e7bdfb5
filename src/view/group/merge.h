/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients counted with their forward ops: which node stands for which, where a query asks for it. */
#ifndef TFPROF_VIEW_MERGE_H
#define TFPROF_VIEW_MERGE_H

#include "view/base.h"

struct tfp_merge {
	uint32_t *
		forward; /* by node: its forward op, for others the node itself; NULL: none asked for */
	uint32_t *first, *next; /* scratch: gradients of a node in a list */
};

/* False when cancelled. Free in any case. */
bool tfp_merge_start(struct tfp_merge *merge, const struct tfp_build *build);
void tfp_merge_end(struct tfp_merge *merge);

/* The node that says what NODE counts as. */
static inline uint32_t tfp_merge_node(const struct tfp_merge *merge, uint32_t node)
{
	return merge->forward ? merge->forward[node] : node;
}

/* Moves the gradients among the COUNT different NODES right behind their forward op, where that is there. */
void tfp_merge_order(struct tfp_merge *merge, uint32_t *nodes, size_t count);

#endif
