/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's inside, for the files that it is made of. */
#ifndef TFPROF_VIEW_ENGINE_H
#define TFPROF_VIEW_ENGINE_H

#include "tfprof/view.h"
#include "view/trace/window.h"

#define TFP_CACHED_BASES 6

/* A base, and the query that it was built for. */
struct tfp_cached_base {
	struct tfp_base *base; /* NULL: free */
	struct tfp_query query;
	uint64_t used; /* clock of the last use */
};

/* Another profile, to be compared with. */
struct tfp_other {
	char *text; /* the baseline that means it */
	struct tfp_engine *engine;
	bool itself; /* it is of the same files */
};

struct tfp_engine {
	struct tfp_profile *profile;
	uint32_t *name_order; /* NULL: not needed yet */
	uint32_t *origins;    /* by node: where it comes from, see break_source.c; NULL as above */
	struct tfp_signatures *signatures; /* for breakdowns; NULL as above */
	struct tfp_strips *strips;         /* of the time view; NULL as above */
	struct tfp_window window;
	struct tfp_cached_base bases[TFP_CACHED_BASES];
	uint64_t clock;
	uint64_t page; /* of values in breakdowns */
	TFP_ARRAY(struct tfp_other) others;
};

/* VIEW builds a base for QUERY, which has no baseline. NULL: error in DIAG, or cancelled. */
struct tfp_base *tfp_engine_build(struct tfp_engine *engine, const struct tfp_view *view,
				  const struct tfp_query *query, struct tfp_job *job,
				  struct tfp_diag *diag);
/* The events of all of the recording, whatever range is open. */
const struct tfp_trace *tfp_engine_trace(const struct tfp_engine *engine);
/* What of BASE is shown for QUERY, as a new tree that holds the base. NULL: error in DIAG, or cancelled. */
struct tfp_tree *tfp_tree_make(struct tfp_engine *engine, struct tfp_base *base,
			       const struct tfp_query *query, struct tfp_job *job,
			       struct tfp_diag *diag);

#endif
