/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long single events of rows took, from the shortest to the longest (metrics of the kind TFP_SPREAD). To find that,
 * events are put in order row by row, which is done only where somebody asks for these metrics.
 */
#ifndef TFPROF_VIEW_SPREAD_H
#define TFPROF_VIEW_SPREAD_H

#include "view/base.h"

/* Does QUERY of VIEW ask for such metrics: by a column, an order, a minimum, a word of --select? */
bool tfp_spread_wanted(const struct tfp_query *query, const struct tfp_view *view,
		       const struct tfp_profile *profile);
/*
 * Fills these metrics of BASE (but see below of functions), which is for STEP (an index, or TFP_STEP_MEAN), if they are WANTED. Where rows do not stand
 * for events, or (WHOLE is false) some events on lanes do not count, they become absent. False when cancelled.
 */
bool tfp_base_spread(struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
		     bool wanted, bool whole, struct tfp_job *job);

/* Call paths in preorder, the first the root of all. */
struct tfp_spread_paths {
	uint32_t count;
	const uint32_t *parent; /* by path */
	const uint32_t *row;    /* by path: its function's */
	uint32_t
		*of_node; /* by node: the path that it was called on; TFP_NONE: it does not count */
};
/*
 * Fills them of BASE, whose rows are functions: total has what ran while a function was on PATHS, once even where it
 * calls itself. False when cancelled.
 */
bool tfp_spread_functions(struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
			  const struct tfp_spread_paths *paths, struct tfp_job *job);

#endif
