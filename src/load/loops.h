/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops and calls of a chip, which are events around those of the ops in them, on one lane. Those that hold others go to a lane of
 * their own, which is drawn and not summed; else time in loops would count twice. What a loop takes between the ops that it
 * holds is its own, and becomes events: its pieces, of which the first is there even if it takes no time.
 */
#ifndef TFPROF_LOAD_LOOPS_H
#define TFPROF_LOAD_LOOPS_H

#include "tfprof/trace.h"

struct tfp_loops {
	struct tfp_profile *profile;
	/* What the pieces of LOOP, an event, are added with. */
	void (*between)(void *data, uint32_t loop, uint32_t *tag, uint32_t *work);
	/* Is EVENT called as loops are? Of two with one time it is around the other. */
	bool (*named)(void *data, uint32_t event);
	void *data;
	TFP_ARRAY(struct tfp_trace_piece) pieces; /* of all lanes; see struct tfp_arranging */
};

/* Is an op that is called, or of the kind, NAME one that holds others, as "while.1"? */
bool tfp_loop_named(struct tfp_span name);
/*
 * Finds those of LANE, whose COUNT events are EVENTS, with NULL those from FIRST on. All of them have been added, in any
 * order, and are not arranged.
 */
void tfp_loops_set_apart(struct tfp_loops *loops, uint32_t lane, const uint32_t *events,
			 uint32_t first, uint32_t count);

#endif
