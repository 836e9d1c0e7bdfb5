/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an allocator holds in a step in which it neither takes nor gives anything: what it held when the step began. It has no record
 * there that could say so.
 */
#ifndef TFPROF_LOAD_CARRIED_H
#define TFPROF_LOAD_CARRIED_H

#include "load/counted.h"

struct tfp_begun_step {
	int64_t begin; /* us */
	uint32_t step;
};

/* An allocator at the record that was passed last. */
struct tfp_carried {
	tfp_str allocator;
	uint32_t file;
	size_t next; /* of the steps of its file: the first that begins later */
	int64_t held;
	bool met;
};

/* Zero-initialise but for COUNTING, to which all records were added, to start. */
struct tfp_carrying {
	struct tfp_counting *counting;
	/* private */
	TFP_ARRAY(struct tfp_begun_step) steps; /* of FILE, as they begin */
	TFP_ARRAY(struct tfp_carried) all;      /* by teller */
	uint32_t file;
	bool begun;
};

/* All records once more, as they were given to tfp_counting_add; what is held in other steps is added to the profile as they are passed. */
void tfp_carrying_pass(struct tfp_carrying *carrying, const struct tfp_alloc *alloc, int64_t total,
		       bool recorded);
/* Behind the last. */
void tfp_carrying_end(struct tfp_carrying *carrying);

#endif
