/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allocations of a step in the order of time. There may be millions, and files have most of them in order: what is kept are
 * the stretches that are so, not each of them.
 */
#ifndef TFPROF_VIEW_ALLOCLIST_H
#define TFPROF_VIEW_ALLOCLIST_H

#include "tfprof/trace.h"

/* Allocations of the profile from FIRST to END: of one step, and in the order of time. */
struct tfp_alloc_run {
	uint32_t first, end;
};

/* All that say something, by step, those of a step by time, and those of one time as they were added. */
struct tfp_alloc_runs {
	const struct tfp_profile *profile;
	TFP_ARRAY(struct tfp_alloc_run) list;
	uint32_t *first; /* by step: its first in LIST; one more at the end */
};

/* Those of one step up to the end of the range of time that is looked at; copied, it is walked again from where it stands. */
struct tfp_alloc_list {
	int64_t from, to;  /* that range, both included; what it begins with was taken before */
	uint32_t file;     /* which counts alone, */
	tfp_str allocator; /* and of it this one; TFP_NONE: all */
	int64_t micro;     /* a microsecond of its times */
	/* private: what is still to come */
	const struct tfp_allocs *allocs;
	const struct tfp_alloc_run *run, *last; /* LAST is behind the last run */
	uint32_t at;
};

/* PROFILE has TFP_PART_ALLOCS, and outlives RUNS. */
void tfp_alloc_runs_make(struct tfp_alloc_runs *runs, const struct tfp_profile *profile);
void tfp_alloc_runs_free(struct tfp_alloc_runs *runs);
/* The list of STEP, which has none where there is no such step. RUNS outlive it. */
struct tfp_alloc_list tfp_alloc_list_of(const struct tfp_alloc_runs *runs, uint32_t step);

/* Steps to the next of LIST; false: there is none. */
static inline bool tfp_alloc_list_next(struct tfp_alloc_list *list, struct tfp_alloc *alloc)
{
	while (list->run != list->last) {
		*alloc = tfp_allocs_get(list->allocs, list->at++);
		if (list->at == list->run->end && ++list->run != list->last)
			list->at = list->run->first;
		if (alloc->time <= list->to &&
		    (list->file == TFP_NONE || list->file == alloc->file) &&
		    (list->allocator == TFP_NONE || list->allocator == alloc->allocator))
			return true;
	}
	return false;
}

/* How much of the unit of TRACE is one of the unit of allocations. */
static inline int64_t tfp_alloc_unit(const struct tfp_trace *trace)
{
	return trace->unit == TFP_PICOS ? 1000 : 1;
}

#endif
