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

	COLLECTION_BYTES = 2,
	COLLECTION_INTEGERS = 3,
	COLLECTION_FLOATS = 4,
	COLLECTION_ANY = 5,
	ELEMENT = 1, /* of each kind of list */

	OBJECTS_NODE = 1,
	OBJECTS_FUNCTION = 2,
	OBJECT_VARIABLE = 7,
	VARIABLE_TYPE = 1,
	VARIABLE_SHAPE = 2,
	VARIABLE_TRAINABLE = 3,
	VARIABLE_NAME = 6,
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

/* The last field NUMBER of the message in WIRE; an empty one where there is none. */
struct tfp_field tfp_metagraph_field(struct tfp_wire wire, uint32_t number);
/* The list of KIND that META's collection NAME is; an empty one where there is none. */
struct tfp_wire tfp_metagraph_collection(struct tfp_wire meta, const char *name, uint32_t kind);
/* Adds how many parameters are trained, if that is known (trainable.c). */
void tfp_metagraph_trainable(struct tfp_facts *facts, struct tfp_wire meta);
/* Adds what META says besides its graph (metafacts.c). */
void tfp_metagraph_facts(struct tfp_facts *facts, struct tfp_wire meta);

#endif
