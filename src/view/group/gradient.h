/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which forward op a gradient belongs to, told by its name alone, as the original tells it.
 */
#ifndef TFPROF_VIEW_GRADIENT_H
#define TFPROF_VIEW_GRADIENT_H

#include "tfprof/model.h"

/*
 * The node that NODE is the gradient of; TFP_NONE when its name is not a gradient's, or when no
 * node has the forward name or that node is itself a gradient. *GRADIENT gets whether the name is a
 * gradient's.
 */
uint32_t tfp_gradient_node(const struct tfp_profile *profile, uint32_t node, bool *gradient);

/*
 * The stack that says where NODE comes from: for a GRADIENT that of its forward op if it has one,
 * else its own. TFP_NONE: none. Needs TFP_PART_STACKS.
 */
uint32_t tfp_gradient_stack(const struct tfp_profile *profile, uint32_t node, bool *gradient);

#endif
