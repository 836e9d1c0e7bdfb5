/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field numbers of GraphDef and its parts (graph.proto, node_def.proto, attr_value.proto), and the two halves of its loader: nodes, and what is
 * read from their records when first asked for.
 */
#ifndef TFPROF_LOAD_GRAPHDEF_H
#define TFPROF_LOAD_GRAPHDEF_H

#include "load/sniff.h"
#include "load/walk.h"

enum {
	GRAPH_NODE = 1,
	GRAPH_LIBRARY = 2,

	NODE_NAME = 1,
	NODE_OP = 2,
	NODE_INPUT = 3,
	NODE_ATTR = 5,

	MAP_KEY = 1,
	MAP_VALUE = 2,

	ATTR_LIST = 1,
	ATTR_SHAPE = 7,
	ATTR_FUNCTION = 10,
	ATTR_LAST = 10, /* fields up to this are one oneof */
	LIST_SHAPE = 7,
	LIST_FUNCTION = 9,
	FUNCTION_NAME = 1,
};

/* What a GraphDef looks like. */
extern const struct tfp_expect tfp_graphdef_fields[];

/* What a graph's provider holds. */
struct tfp_graph_data {
	struct tfp_source *source; /* owned */
	struct tfp_wire graph;     /* the GraphDef in it */
	uint32_t file;             /* index in profile.files: whose records are meant */
};

/*
 * Adds the nodes of GRAPH, a message of the source that WALK goes through, to PROFILE. A message may come
 * in several pieces: one call for each.
 */
void tfp_graph_read(struct tfp_profile *profile, struct tfp_walk *walk, struct tfp_wire graph,
		    uint32_t file);
/* Provides what is read of the nodes when asked for. Takes over SOURCE, which GRAPH is in. */
void tfp_graph_provide(struct tfp_profile *profile, struct tfp_source *source,
		       struct tfp_wire graph, uint32_t file);

/* Are there constants in the graph that were variables (frozen.c)? */
bool tfp_graph_is_frozen(const struct tfp_profile *profile, const struct tfp_graph_data *data);
/* Adds these as facts. */
void tfp_graph_add_weights(struct tfp_profile *profile, const struct tfp_graph_data *data);

/* The describe function of the provider. */
void tfp_graph_describe(const struct tfp_profile *profile, uint32_t node, void *data,
			struct tfp_attributes *out);
/* Its describe_raw function. */
void tfp_graph_describe_raw(const struct tfp_profile *profile, uint32_t node, void *data,
			    struct tfp_spans *out);
/* The fill function of the provider, for TFP_PART_EDGES and TFP_PART_SHAPES. */
bool tfp_graph_fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		    struct tfp_diag *diag);

#endif
