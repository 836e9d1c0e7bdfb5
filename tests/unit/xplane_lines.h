/* SPDX-License-Identifier: Apache-2.0 */
/* What loading adds to the lines of a recording. */
#ifndef TFPROF_TESTS_XPLANE_LINES_H
#define TFPROF_TESTS_XPLANE_LINES_H

#include "tfprof/trace.h"

/* Lines that are made at loading stand last, and in no table. */
static inline void leave_out_made(struct tfp_trace *trace)
{
	while (trace->lanes.count &&
	       trace->lanes.at[trace->lanes.count - 1].kind == TFP_LANE_DERIVED)
		trace->count -= trace->lanes.at[--trace->lanes.count].count;
}

#endif
