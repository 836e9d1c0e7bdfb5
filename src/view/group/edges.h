/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The edges of a graph in either direction: from each node to those it takes inputs from, or to
 * those that use its outputs.
 */
#ifndef TFPROF_VIEW_EDGES_H
#define TFPROF_VIEW_EDGES_H

#include "tfprof/model.h"

struct tfp_edges {
	/* Edges of node i are first[i] .. first[i + 1] */
	const uint32_t *first;
	const struct tfp_input *inputs; /* towards inputs */
	uint32_t *users;                /* towards users, each once an input; owned */
	uint32_t *users_first;          /* owned */
};

/* Needs TFP_PART_EDGES, and PROFILE while in use. Ended by tfp_edges_end. */
void tfp_edges_start(struct tfp_edges *edges, const struct tfp_profile *profile, bool to_users);
void tfp_edges_end(struct tfp_edges *edges);

/* The node that EDGE leads to; TFP_NONE: it is not in the graph. */
static inline uint32_t tfp_edges_node(const struct tfp_edges *edges, uint32_t edge)
{
	return edges->users ? edges->users[edge] : edges->inputs[edge].node;
}

#endif
