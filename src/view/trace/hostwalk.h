/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a host thread does at a time: walks its events, and beside them its Python calls where those have
 * a lane of their own.
 */
#ifndef TFPROF_VIEW_HOSTWALK_H
#define TFPROF_VIEW_HOSTWALK_H

#include "tfprof/trace.h"

#define TFP_STACK_MOST 256 /* events of a stack that are looked at, from the innermost */

/* One lane: what is innermost NOW, and the event that begins next. */
struct tfp_lane_walk {
	uint32_t top;       /* TFP_NONE: nothing */
	uint32_t next, end; /* events that begin later are next .. end - 1 */
};

struct tfp_host_walk {
	const struct tfp_trace *trace;
	struct tfp_lane_walk lane[2];
	size_t count; /* of lanes: with that of the Python calls 2 */
	int64_t now;
};

/* By lane: that of the Python calls of the thread whose ops are on it; TFP_NONE: none. Freed by tfp_array_release. */
uint32_t *tfp_lanes_python(const struct tfp_trace *trace);

/* Begins at TIME with LANE, and the lane PYTHON unless that is TFP_NONE. */
void tfp_host_walk_start(struct tfp_host_walk *walk, const struct tfp_trace *trace, uint32_t lane,
			 uint32_t python, int64_t time);
/* The innermost event now; TFP_NONE: nothing is recorded. */
uint32_t tfp_host_walk_top(const struct tfp_host_walk *walk);
/* Goes on to when that may change, at most to LIMIT, which is later than now. */
void tfp_host_walk_on(struct tfp_host_walk *walk, int64_t limit);

/*
 * The stack that EVENT of a host is on, outermost first, itself last, with the Python calls around it, into
 * OUT. Returns how many there are.
 */
size_t tfp_host_stack(const struct tfp_trace *trace, uint32_t event, uint32_t python,
		      uint32_t out[TFP_STACK_MOST]);

/* What events of NODE are called. */
tfp_str tfp_node_label(const struct tfp_profile *profile, uint32_t node);
/* What EVENT is called: its op, or the whole name where that is no path; 0: no node is known. */
tfp_str tfp_event_label(const struct tfp_profile *profile, uint32_t event);

#endif
