/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage: how far a total can be trusted to say what took the time. Work of which no op is known, or an op
 * without shapes, is in it all the same.
 */
#ifndef TFPROF_VIEW_TRACE_COVERAGE_H
#define TFPROF_VIEW_TRACE_COVERAGE_H

#include "tfprof/view.h"

/*
 * Is NODE no op, but around ops on a host: Python, marks, and what programs write of themselves? Where devices are what
 * counts all that has time there is an op, or has none.
 */
bool tfp_is_around(const struct tfp_profile *profile, uint32_t node);

/* Adds NODE of a recording, in STEP (index or TFP_STEP_MEAN). */
void tfp_coverage_add(struct tfp_coverage *coverage, const struct tfp_profile *profile,
		      uint32_t node, uint32_t step);

/* Of all nodes. */
struct tfp_coverage tfp_coverage_of(const struct tfp_profile *profile, uint32_t step);

/* PART of WHOLE in percent, to the nearest multiple of DIGIT; what is not all is never 100. */
double tfp_coverage_percent(double part, double whole, double digit);

/*
 * "93% of the device time has an op, 71% a shape", with OF " of the device time"; a share that is all is not told,
 * nor that nothing has shapes where all has an op. NULL: nothing is to be told. In ARENA.
 */
char *tfp_coverage_text(const struct tfp_coverage *coverage, const char *of,
			struct tfp_arena *arena);

/* Does the view of TREE, one of scopes, leave out time of hosts that is in none? */
bool tfp_leaves_unscoped(const struct tfp_tree *tree);

#endif
