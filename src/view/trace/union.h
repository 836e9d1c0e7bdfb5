/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time in which at least one event of a row's nodes runs on a device (metrics of the kind TFP_UNION):
 * one sweep over the device events by their start, in which each adds to the rows above its node what it
 * lasts longer than all before it.
 */
#ifndef TFPROF_VIEW_UNION_H
#define TFPROF_VIEW_UNION_H

#include "view/base.h"

/*
 * How far the events of a row reach so far, on the device that it was last met on, and how long they are together.
 * With what is above it, as an event is added to one after another.
 */
struct tfp_reach {
	int64_t end, sum;
	uint32_t device;
	uint32_t above; /* where places are rows */
};

/* Which node counts for which rows. Places are rows, unless ROW says which row a place is. */
struct tfp_sweep {
	const struct tfp_profile *profile;
	uint32_t step; /* index, or TFP_STEP_MEAN: all */
	struct tfp_job *job;
	const uint32_t *place;       /* by node; TFP_NONE: it does not count */
	const uint32_t *event_place; /* by place in the events swept over, instead; or NULL */
	const uint32_t *above;       /* by place: the next that has what this one has; TFP_NONE */
	const uint32_t *row;         /* by place, a row more than once, TFP_NONE none; or NULL */
	size_t stride;               /* values of a row */
	int64_t *total, *self;       /* by row, added to in the end; SELF may be NULL */
	struct tfp_reach *reach, *self_reach; /* by row */
	size_t rows;
};

/* Room for ROWS rows, of which none has been met. */
void tfp_sweep_start(struct tfp_sweep *sweep, size_t rows);
/* Adds what was found to the rows. */
void tfp_sweep_end(struct tfp_sweep *sweep);
/* Sweeps over the COUNT events of devices from FROM on, in their order. False when cancelled. */
bool tfp_sweep_run(struct tfp_sweep *sweep, uint32_t from, uint32_t count);

/* Sweeps over all device events, whose places FIND says. False when cancelled. */
bool tfp_sweep_find(struct tfp_sweep *sweep, uint32_t (*find)(void *data, uint32_t event),
		    void *data);

/*
 * Writes metrics of the kind TFP_UNION into the columns of BASE, which is for STEP (an index, or
 * TFP_STEP_MEAN). Bases whose rows have no nodes are left alone. False when cancelled.
 */
bool tfp_base_unite(struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
		    struct tfp_job *job);

/*
 * The same into TOTAL, of which the rows SHOWN (1) count, each for those above it by ABOVE. What was in TOTAL is
 * the rows' own.
 */
bool tfp_union_shown(const struct tfp_base *base, const struct tfp_profile *profile, uint32_t step,
		     const uint8_t *shown, const uint32_t *above, int64_t *total,
		     struct tfp_job *job);

#endif
