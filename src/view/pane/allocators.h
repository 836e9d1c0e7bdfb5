/* SPDX-License-Identifier: Apache-2.0 */
/* Allocators of a profile, each with its device and rank, and the most that each of them held. */
#ifndef TFPROF_VIEW_ALLOCATORS_H
#define TFPROF_VIEW_ALLOCATORS_H

#include "tfprof/lookup.h"
#include "view/pane/alloclist.h"

struct tfp_allocator {
	tfp_str name;
	uint32_t file; /* of a recording */
	uint32_t step; /* in which it held most; of several the first, but for what is outside */
	int64_t peak;
	/* private: what it holds, since when, in which step */
	int64_t live, time;
	uint32_t now;
};

/* Zero-initialise to start. */
struct tfp_allocators {
	TFP_ARRAY(struct tfp_allocator) list;
	struct tfp_lookup *places;
	uint32_t last; /* met last */
	uint32_t
		outside; /* what stands for no step; the first of equal peaks is said of another, if there is one */
};

/* All of LIST, which is of STEP. What was over before its range of time is no peak. */
void tfp_allocators_add(struct tfp_allocators *all, struct tfp_alloc_list list, uint32_t step);
/* After the last of them. */
void tfp_allocators_end(struct tfp_allocators *all);
void tfp_allocators_free(struct tfp_allocators *all);
/*
 * The one that memory is shown of: of those with the name TEXT, with a rank or without, or else with TEXT in it (NULL or "":
 * of all, a GPU's where one held anything), that with the highest peak. NULL: there is none.
 */
const struct tfp_allocator *tfp_allocators_pick(const struct tfp_allocators *all,
						const struct tfp_profile *profile,
						const char *text);
bool tfp_allocator_has(const struct tfp_allocator *allocator, tfp_str name, uint32_t file);
/* "GPU 0"; "rank 1 GPU 0" where others are of other ranks. In ARENA. */
const char *tfp_allocator_name(const struct tfp_allocators *all,
			       const struct tfp_allocator *allocator,
			       const struct tfp_profile *profile, struct tfp_arena *arena);
/* The names of all, by their highest peaks. In ARENA. */
struct tfp_words tfp_allocator_names(struct tfp_allocators *all, const struct tfp_profile *profile,
				     struct tfp_arena *arena);
/* "not shown (--allocator): CPU with 8.11GB at its peak": those but SHOWN that held anything; NULL: none did. In ARENA. */
const char *tfp_allocators_others(struct tfp_allocators *all, const struct tfp_allocator *shown,
				  const struct tfp_profile *profile, struct tfp_arena *arena);
/* Says that none is what TEXT asks for, and which there are. */
void tfp_allocators_refuse(const struct tfp_allocators *all, const struct tfp_profile *profile,
			   const char *text, struct tfp_diag *diag);

#endif
