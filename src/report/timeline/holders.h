/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds most, while that changes. All changes are known before: each gets its rank among all values,
 * and what is held now is a set of ranks, in which the next one is found at once.
 */
#ifndef TFPROF_REPORT_HOLDERS_H
#define TFPROF_REPORT_HOLDERS_H

#include "tfprof/base.h"

#define TFP_HOLDER_LEVELS 6

/* From some time on NODE holds VALUE, nothing where that is not above 0. */
struct tfp_held {
	int64_t value;
	uint32_t node, change; /* its index in the order of time */
};

struct tfp_holders {
	struct tfp_held *held; /* by rank: the largest value first, then by node */
	uint32_t count;
	uint32_t *rank; /* by change */
	uint32_t *now;  /* by node: the rank of what it holds; TFP_NONE: nothing */
	/* bit R of the first: rank R is held now. Bit W of the next: word W of the one below is not 0 */
	uint64_t *level[TFP_HOLDER_LEVELS];
	uint32_t words[TFP_HOLDER_LEVELS];
	int levels;
};

/* HOLDERS of COUNT changes, which it takes over; each has its index as CHANGE. Nodes are below NODES. */
void tfp_holders_start(struct tfp_holders *holders, struct tfp_held *changes, uint32_t count,
		       uint32_t nodes);
void tfp_holders_free(struct tfp_holders *holders);
/* The change with this index happens. */
void tfp_holders_change(struct tfp_holders *holders, uint32_t change);
/*
 * Those that together make up BYTES, the largest first, as far as each fits in what is left of it; ROOM at most.
 * Returns how many, and in *REST what is left.
 */
size_t tfp_holders_top(const struct tfp_holders *holders, int64_t bytes,
		       const struct tfp_held **top, size_t room, int64_t *rest);

#endif
