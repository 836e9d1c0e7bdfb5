/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of a node, as GraphDef and saved profiles keep them: a map from name to AttrValue. */
#ifndef TFPROF_LOAD_ATTRVALUE_H
#define TFPROF_LOAD_ATTRVALUE_H

#include "tfprof/codec.h"
#include "tfprof/model.h"

/*
 * Reads the map that is field NUMBER of RECORD, and adds what it holds as texts to OUT; the texts are in
 * its arena. Of what is too long or too much to be read by anyone the rest is left out.
 */
void tfp_attributes_read(struct tfp_wire record, uint32_t number, struct tfp_attributes *out);
/* Adds where the entries of that map lie to OUT; damaged ones are left out. */
void tfp_attributes_find(struct tfp_wire record, uint32_t number, struct tfp_spans *out);

/* The value of ENTRY of that map, empty where there is none, and its *KEY. */
struct tfp_field tfp_attribute_entry(const struct tfp_field *entry, struct tfp_field *key);

/* "float32 3x3" of the number of a type and the TensorShapeProto SHAPE (NULL: unknown); in ARENA. */
char *tfp_attribute_tensor(struct tfp_arena *arena, uint64_t type, const struct tfp_field *shape);
/* "float32" of the number of a type; in ARENA. */
char *tfp_attribute_type(struct tfp_arena *arena, uint64_t type);

#endif
