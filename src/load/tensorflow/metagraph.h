/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MetaGraphDef: a graph and what surrounds it. A file of its own, or one of those of a SavedModel.
 */
#ifndef TFPROF_LOAD_METAGRAPH_H
#define TFPROF_LOAD_METAGRAPH_H

#include "load/facts.h"
#include "load/tensorflow/graphdef.h"

enum {
	SAVED_VERSION = 1,
	SAVED_META = 2,

	META_INFO = 1,
	META_GRAPH = 2,
	META_SAVER = 3,
	META_COLLECTION = 4,
	META_SIGNATURE = 5,
	META_ASSET = 6,
	META_OBJECTS = 7,

	INFO_FORMAT = 1,
	INFO_TAG = 4,
	INFO_TENSORFLOW = 5,
	INFO_STRIPPED = 7,
};

/* What a MetaGraphDef looks like. */
extern const struct tfp_expect tfp_metagraph_fields[];

/* The tags of the MetaInfoDef in INFO as "serve, gpu", in the order of the file; in ARENA. */
char *tfp_metagraph_tags(struct tfp_wire info, struct tfp_arena *arena);

/*
 * Reads the graph in META, a message of the source that WALK goes through, into PROFILE, and provides the
 * rest. Takes over SOURCE. False when there is no graph in it.
 */
bool tfp_metagraph_read(struct tfp_profile *profile, struct tfp_walk *walk, struct tfp_wire meta,
			struct tfp_source *source, uint32_t file);

/* Adds what META says besides its graph (metafacts.c). */
void tfp_metagraph_facts(struct tfp_facts *facts, struct tfp_wire meta);

#endif
