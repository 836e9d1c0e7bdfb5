/* SPDX-License-Identifier: Apache-2.0 */
/* Float operations of PyTorch's ops, which its traces do not say: from the shapes of their inputs. */
#ifndef TFPROF_LOAD_CHROME_FLOPS_H
#define TFPROF_LOAD_CHROME_FLOPS_H

#include "tfprof/base.h"

/* What an op says of itself, each a list in JSON or "". */
struct flops_inputs {
	struct tfp_span dims, types;
	struct tfp_span values; /* of what is no tensor */
};

/*
 * Of one run of the op NAME, a multiplication with an addition as two; 0: not known. An op that only passes its inputs on
 * to others has as many as they.
 */
int64_t flops_of(struct tfp_span name, const struct flops_inputs *inputs);
/* Whether it takes the values of the op NAME to tell. */
bool flops_need_values(struct tfp_span name);

#endif
