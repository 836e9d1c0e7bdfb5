/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A range of time as a filter of every view: while one is asked for, the profile has the events cut to it, and
 * the cells that these give, in place of its own. Nothing else need know of it.
 */
#ifndef TFPROF_VIEW_WINDOW_H
#define TFPROF_VIEW_WINDOW_H

#include "tfprof/query.h"
#include "tfprof/trace.h"

struct tfp_window {
	int64_t from, to;            /* ns since the recording began */
	uint32_t file;               /* whose events count alone; TFP_NONE: all */
	struct tfp_trace *whole;     /* the profile's own; NULL: no range is open */
	struct tfp_trace cut;        /* its copy, with columns of its own for what is cut */
	struct tfp_kept_cells cells; /* the profile's own */
};

/*
 * Gives PROFILE the events and cells of the range that QUERY asks for, or its own back, and cells of single steps where its
 * step or view is about such. False when cancelled: then it has its own.
 */
bool tfp_window_set(struct tfp_window *window, struct tfp_profile *profile,
		    const struct tfp_query *query, struct tfp_job *job);
/* The same, with cells of single steps whatever QUERY is about. */
bool tfp_window_set_steps(struct tfp_window *window, struct tfp_profile *profile,
			  const struct tfp_query *query, struct tfp_job *job);
/* Gives PROFILE its own back. */
void tfp_window_end(struct tfp_window *window, struct tfp_profile *profile);

/* Does EVENT count in TRACE, which may be cut? */
bool tfp_window_holds(const struct tfp_trace *trace, uint32_t event);

/* The file of RANK: by the numbers that files have, or else the RANKth of them; TFP_NONE: there is none. */
uint32_t tfp_rank_file(const struct tfp_trace *trace, int64_t rank);

#endif
