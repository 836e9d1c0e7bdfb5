/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes against time, in the room view: how strips and their summaries are made, and the rows of the time
 * view. What the screen asks of them is in tfprof/strips.h.
 */
#ifndef TFPROF_VIEW_STRIPS_H
#define TFPROF_VIEW_STRIPS_H

#include "tfprof/strips.h"
#include "view/base.h"
#include "view/match/match.h"

/* The strips of TRACE, which is the profile's or has its columns; NULL when cancelled. */
struct tfp_strips *tfp_strips_make(const struct tfp_profile *profile, const struct tfp_trace *trace,
				   struct tfp_job *job);
void tfp_strips_free(struct tfp_strips *strips);

/*
 * Places, as of tfp_strips_named, of the events of which PATTERNS mean the name, or where their op stands. False where a
 * match limit was reached, which the diag of PATTERNS tells, or when cancelled; freed by the caller in any case.
 */
bool tfp_strips_match(const struct tfp_strips *strips, const struct tfp_patterns *patterns,
		      struct tfp_job *job, uint32_t **lit, size_t *count);

/* The key of the row that LANE has in the time view. */
uint64_t tfp_lane_key(const struct tfp_profile *profile, uint32_t lane);

#endif
