/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the model share and nobody else needs.
 */
#ifndef TFPROF_MODEL_PRIVATE_H
#define TFPROF_MODEL_PRIVATE_H

#include "tfprof/model.h"

/* Sets the marks of metrics that come from shapes, once shapes are filled. */
void tfp_metrics_shapes_known(struct tfp_profile *profile);

/* What follows from the calls, once functions are filled (functions.c). */
void tfp_functions_settle(struct tfp_profile *profile);

#endif
