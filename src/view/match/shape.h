/* SPDX-License-Identifier: Apache-2.0 */
/* The shape filter: nodes by the shapes of their inputs. */
#ifndef TFPROF_VIEW_SHAPE_H
#define TFPROF_VIEW_SHAPE_H

#include "tfprof/model.h"

/*
 * Does NODE have the input shapes WANTED? That is either all of them as reports print them, "0:4x3|1:3", or
 * one of them, "1:3", or one whatever its place, "3". Needs TFP_PART_EDGES and TFP_PART_SHAPES.
 */
bool tfp_shape_passes(const struct tfp_profile *profile, uint32_t node, const char *wanted,
		      unsigned quirks);

/* The input shapes of NODE as reports print them, "0:4x3|1:3"; NULL without inputs. In ARENA. */
char *tfp_shape_text(struct tfp_profile *profile, uint32_t node, unsigned quirks,
		     struct tfp_arena *arena);

#endif
