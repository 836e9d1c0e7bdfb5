/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of tensors (TensorShapeProto), which graphs, their attributes and checkpoints have alike.
 */
#ifndef TFPROF_LOAD_SHAPE_H
#define TFPROF_LOAD_SHAPE_H

#include "load/walk.h"

enum {
	SHAPE_DIM = 2,
	SHAPE_UNKNOWN_RANK = 3,
	DIM_SIZE = 1,
};

/* The SIZE of a dim; 0 where it has none. False when the dim is damaged. */
static inline bool tfp_dim_size(const struct tfp_field *dim, int64_t *size)
{
	struct tfp_wire wire = tfp_wire_in(dim);
	struct tfp_field field;

	*size = 0;
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, DIM_SIZE))
			*size = (int64_t)field.value;
	return !wire.bad;
}

#endif
