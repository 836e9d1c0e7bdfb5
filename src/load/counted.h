/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations of a recording whose allocator says with each of them how much it holds. A recording begins in the middle: what is
 * held from before is known by that alone.
 */
#ifndef TFPROF_LOAD_COUNTED_H
#define TFPROF_LOAD_COUNTED_H

#include "load/idmap.h"
#include "tfprof/trace.h"

/* What the records of one allocator in one step add up to so far. */
struct tfp_account_held {
	int64_t held;
	bool begun;
};

/* Places by a key; nearly all are asked for again and again. */
struct tfp_counted_places {
	struct tfp_idmap map;
	uint64_t key; /* asked for last, */
	uint32_t place;
	bool asked; /* if any was */
};

/* Zero-initialise but for PROFILE and BEFORE to start. */
struct tfp_counting {
	struct tfp_profile *profile;
	uint32_t before; /* the node of what was held before */
	/* private */
	struct tfp_counted_places tellers; /* by file and allocator */
	TFP_ARRAY(bool) tells;
	TFP_ARRAY(int64_t) sums;          /* the same */
	struct tfp_counted_places places; /* by step and teller */
	TFP_ARRAY(struct tfp_account_held) accounts;
};

/* ALLOC comes with TOTAL, what its allocator holds behind it; below 0: not given. Of each, before the first is added. */
void tfp_counting_tell(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total);
/*
 * Adds ALLOC, those of one file in the order in which they happened, to the profile. What an allocator held before a step,
 * and whatever else of its totals no record of the step accounts for, is that of BEFORE. Where an allocator never says a total
 * above 0 the profile says held_unknown, and all that is known to be BEFORE's is what the records of earlier steps left. Not
 * RECORDED: what is given back was taken before the recording. One of no step is not added.
 */
void tfp_counting_add(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total,
		      bool recorded);
/*
 * For who adds them: MISSING is what is to be added before ALLOC, unless it has no bytes. False: ALLOC itself is not to be. Where
 * an allocator says no total nothing is BEFORE's.
 */
bool tfp_counting_count(struct tfp_counting *counting, const struct tfp_alloc *alloc, int64_t total,
			struct tfp_alloc *missing);
void tfp_counting_end(struct tfp_counting *counting);
/* The place of who tells ALLOC, in TELLS. */
uint32_t tfp_counting_teller(struct tfp_counting *counting, const struct tfp_alloc *alloc);
/* Was any of TELLER's added in STEP? */
bool tfp_counting_has(const struct tfp_counting *counting, uint32_t step, uint32_t teller);

#endif
