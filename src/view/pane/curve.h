/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes over time, made from single allocations and releases. */
#ifndef TFPROF_VIEW_CURVE_H
#define TFPROF_VIEW_CURVE_H

#include "tfprof/view.h"
#include "view/base.h"
#include "view/pane/alloclist.h"

/*
 * Fills CURVE but for its points for step STEP (TFP_STEP_MEAN: that with the highest peak) with texts in ARENA, and
 * LIST, which RUNS outlive; *STEP gets the step's index. Of several allocators one counts: that
 * of the query, else that with the highest peak of all steps. False when cancelled, or with an error
 * where the query's is not there.
 */
bool tfp_curve_make(struct tfp_curve *curve, struct tfp_alloc_list *list,
		    const struct tfp_alloc_runs *runs, const struct tfp_build *build,
		    uint32_t *step, struct tfp_arena *arena);
/* The points of CURVE, which is of LIST, in ARENA. */
void tfp_curve_points(struct tfp_curve *curve, const struct tfp_alloc_list *list,
		      struct tfp_arena *arena);
/* The time of ALLOC on the curve, which has its beginning at 0. */
int64_t tfp_curve_time(const struct tfp_curve *curve, const struct tfp_alloc *alloc);

/* The metric in whose place live bytes are given. */
static inline uint32_t tfp_curve_metric(const struct tfp_profile *profile)
{
	return profile->trace ? (uint32_t)TFP_TRACE_BYTES : (uint32_t)TFP_TF_BYTES;
}

#endif
