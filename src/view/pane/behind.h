/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events behind a row: of its nodes, or of what the row of the device view stands for.
 */
#ifndef TFPROF_VIEW_BEHIND_H
#define TFPROF_VIEW_BEHIND_H

#include "view/pane/breakdown.h"

struct tfp_behind {
	const struct tfp_profile *profile;
	const struct tfp_track *track; /* NULL: nodes */
	bool *of_node;                 /* by node: does it count */
	bool nameless;                 /* events without a node count, too */
	uint32_t step;                 /* TFP_STEP_MEAN: all */
};

/* Of WORK's row; its nodes must have been found, unless the row is one of the device view. */
void tfp_behind_start(struct tfp_behind *behind, struct tfp_work *work);
void tfp_behind_end(struct tfp_behind *behind);

/*
 * Calls TAKE for each event behind, those of devices first, each kind by lane and start. False when
 * cancelled.
 */
bool tfp_behind_each(const struct tfp_behind *behind, struct tfp_work *work,
		     void (*take)(void *data, uint32_t event), void *data);

/* Finds the nodes behind a row of the device view, and what their events there measured. */
bool tfp_behind_nodes(struct tfp_work *work);

#endif
