/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes against time, in the room view: how strips and their summaries are made, and the rows of the time
 * view. What the screen asks of them is in tfprof/strips.h.
 */
#ifndef TFPROF_VIEW_STRIPS_H
#define TFPROF_VIEW_STRIPS_H

#include "tfprof/strips.h"
#include "view/base.h"

/* The strips of TRACE, which is the profile's or has its columns; NULL when cancelled. */
struct tfp_strips *tfp_strips_make(const struct tfp_profile *profile, const struct tfp_trace *trace,
				   struct tfp_job *job);
void tfp_strips_free(struct tfp_strips *strips);

/* The key of the row that LANE has in the time view. */
uint64_t tfp_lane_key(const struct tfp_profile *profile, uint32_t lane);

#endif
