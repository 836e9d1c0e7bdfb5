/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field numbers of GraphDef and its parts, and the two halves of its loader: nodes, and what is
 * read from their records when first asked for.
 */
#ifndef TFPROF_LOAD_GRAPHDEF_H
#define TFPROF_LOAD_GRAPHDEF_H

#include "load/sniff.h"
#include "load/walk.h"

enum {
	GRAPH_NODE = 1,

	NODE_NAME = 1,
	NODE_OP = 2,
	NODE_INPUT = 3,
	NODE_ATTR = 5,

	MAP_KEY = 1,
	MAP_VALUE = 2,

	ATTR_LIST = 1,
	ATTR_SHAPE = 7,
	ATTR_LAST = 10, /* fields up to this are one oneof */
	LIST_SHAPE = 7,

	SHAPE_DIM = 2,
	SHAPE_UNKNOWN_RANK = 3,
	DIM_SIZE = 1,
};

/* What a GraphDef looks like. */
extern const struct tfp_expect tfp_graphdef_fields[];

/* What a graph's provider holds. */
struct tfp_graph_data {
	struct tfp_source *source; /* owned */
	uint32_t file;             /* index in profile.files: whose records are meant */
};

/* The describe function of the provider. */
void tfp_graph_describe(const struct tfp_profile *profile, uint32_t node, void *data,
			struct tfp_attributes *out);
/* The fill function of the provider: TFP_PART_EDGES and TFP_PART_SHAPES. */
bool tfp_graph_fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		    struct tfp_diag *diag);

#endif
