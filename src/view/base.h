/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the views share: how a base is allocated, filled and summed, and the rules by which a view's rows
 * are filtered. A view is a build function and a row of rules:
 *
 *	tfp_base_new      once the number of rows is known; rows in preorder, row 0 the root
 *	tfp_base_add      values of the nodes that count
 *	tfp_base_sum      totals, bottom up
 */
#ifndef TFPROF_VIEW_BASE_H
#define TFPROF_VIEW_BASE_H

#include "tfprof/trace.h"
#include "tfprof/view.h"
#include "view/match/match.h"

#define TFP_ROOT_LABEL "_TFProfRoot"

/* What views of single events say of files that have none. */
#define TFP_NO_EVENTS                                                                              \
	"No single events in these files; a trace has them: jax.profiler.trace(), "                \
	"torch.profiler.profile()"

/* What TensorFlow's run count ("occurrence") means to a view as a minimum and as an order. */
enum tfp_count_rule {
	TFP_COUNT_RUNS,    /* minimum of the row's own run count; no order */
	TFP_COUNT_IGNORED, /* no minimum; order by nodes */
	TFP_COUNT_NODES,   /* minimum of the picked nodes; order by nodes */
};

/* Options that change the rows of some views. */
enum tfp_use {
	TFP_USES_MERGE = 1,     /* merge_gradients */
	TFP_USES_FOLD = 2,      /* fold_siblings */
	TFP_USES_LIBRARY = 4,   /* fold_library */
	TFP_USES_CONSUMERS = 8, /* consumers */
	TFP_USES_LINKS = 16,    /* links */
	TFP_USES_MODULES = 32,  /* modules */
};

/* What filters do in a view, where views differ. */
struct tfp_view_rules {
	bool list;       /* the report is a list: depth is a row number, totals run from the end */
	bool trim_drops; /* a trimmed row goes with what is below it, instead of staying itself */
	bool self_minimums;    /* params and float_ops are compared by self value */
	bool ignore_displayed; /* account_displayed_op_only has no effect */
	bool natural;          /* rows keep the view's own order where none is asked for */
	bool unites;           /* builds metrics of the kind TFP_UNION itself */
	bool scoped;           /* has nothing of what is in no scope (TFP_NODE_UNSCOPED) */
	bool whole; /* a row stands for those below it: names that filters show or hide take them along */
	bool by_step; /* is about single steps, whichever is asked for */
	bool held; /* rows are of what is held, be it of ops that ran in the range of time or before it */
	bool drawn; /* rows are drawn against time: no list, in their own order, compared with nothing */
	enum tfp_count_rule count;
	unsigned uses; /* enum tfp_use: options that change the base */
};

extern const struct tfp_view tfp_view_scope, tfp_view_graph, tfp_view_op, tfp_view_code,
	tfp_view_functions, tfp_view_steps, tfp_view_summary, tfp_view_memory, tfp_view_model,
	tfp_view_files, tfp_view_printed, tfp_view_idle, tfp_view_device, tfp_view_time;

/* ---- building ------------------------------------------------------------------------------------- */

/* What a build function works with. */
struct tfp_build {
	struct tfp_engine *engine;
	struct tfp_profile *profile;
	const struct tfp_query *query;
	struct tfp_job *job;
	struct tfp_diag *diag;
	uint32_t step; /* index of a step, or TFP_STEP_MEAN */
	/* by node: its cell in STEP, TFP_NONE; for who has them at hand. NULL: they are sought */
	const uint32_t *cell;
	unsigned quirks; /* enum tfp_quirk */
	struct tfp_account account;
};

/* Resolves step and account, and asks for PARTS (SHAPES and EDGES as needed come by themselves). */
bool tfp_build_begin(struct tfp_build *build, struct tfp_engine *engine,
		     const struct tfp_query *query, unsigned parts, struct tfp_job *job,
		     struct tfp_diag *diag);
void tfp_build_end(struct tfp_build *build);
/* The base that MAKE builds between the two. NULL with an error, or without one when cancelled. */
struct tfp_base *tfp_build_base(struct tfp_engine *engine, const struct tfp_query *query,
				unsigned parts, struct tfp_base *(*make)(struct tfp_build *build),
				struct tfp_job *job, struct tfp_diag *diag);

/*
 * Nodes in bytewise order of their names (equal names: by index), profile->nodes.count of them. Kept by
 * the engine. NULL when cancelled.
 */
const uint32_t *tfp_engine_name_order(struct tfp_engine *engine, struct tfp_job *job);

/*
 * A base of COUNT rows with one reference; all columns zero except parent and node (TFP_NONE), end
 * (TFP_NONE: tfp_base_sum finds it from the parents) and the root's name, flags and key.
 */
struct tfp_base *tfp_base_new(const struct tfp_view *view, const struct tfp_build *build,
			      uint32_t count);
/* Adds the columns for COUNT picks (pick_first all 0), a column of stacks, of label sizes, of steps. */
void tfp_base_add_picks(struct tfp_base *base, uint32_t count);
void tfp_base_add_stacks(struct tfp_base *base);
void tfp_base_add_sizes(struct tfp_base *base);
void tfp_base_add_steps(struct tfp_base *base);
void tfp_base_add_alike(struct tfp_base *base);
/* The metrics of BASE as a copy of its own, for a view in which they are about something else. */
struct tfp_metric *tfp_base_own_metrics(struct tfp_base *base);
/* Does any row stand for nodes? */
bool tfp_base_has_nodes(const struct tfp_base *base);
struct tfp_base *tfp_base_hold(struct tfp_base *base);
void tfp_base_release(struct tfp_base *base);

/* Writes the values of NODE as the self values of ROW. */
void tfp_base_set(struct tfp_base *base, const struct tfp_build *build, uint32_t row,
		  uint32_t node);
/* Adds the values of NODE, TIMES times, to the self values of ROW. */
void tfp_base_add(struct tfp_base *base, const struct tfp_build *build, uint32_t row, uint32_t node,
		  int times);
/*
 * Finds end, keeps the ancestors of accounted rows (TFP_ROW_KEPT), and sums: total = self + totals of the
 * kept children (TFP_MAX metrics: the largest; TFP_OWN: self alone, in a list also of what is below an
 * entry; TFP_UNION: nothing, see union.h), for the root without its self. With COUNT_ROWS, defined
 * likewise becomes the number of kept rows in the subtree that count (root not counted); else it is left alone.
 */
void tfp_base_sum(struct tfp_base *base, bool count_rows);
/* Is ROW one of what is defined? Scopes are, as to TensorFlow's profiler, but not those of variables or of recordings. */
bool tfp_base_counts(const struct tfp_base *base, uint32_t row);

/*
 * The step that the values of BASE are of, which QUERY asked for: an index, TFP_STEP_MEAN; of memory that of its curve. Rows that
 * are of one step each have what ran in it, whichever is asked for: all of them together are of all steps.
 */
uint32_t tfp_base_step(const struct tfp_base *base, const struct tfp_profile *profile,
		       const struct tfp_query *query);

/* Puts the values FROM into TO, by the kinds of the metrics: what a sum over rows is made of. */
void tfp_base_merge(const struct tfp_base *base, int64_t *to, const int64_t *from);

/* What to say of what PROFILE lacks: the text of its format in FORMATS, pairs of both up to a NULL, else OTHER. */
const char *tfp_missing_by_format(const struct tfp_profile *profile, const char *const formats[][2],
				  const char *other);

/* What a node is called where none is a node of a graph: "stack", "op". Samples are what a stack of a pprof file counts. */
const char *tfp_node_word(const struct tfp_profile *profile);

/* ---- keys: identity of a row across queries and views ------------------------------------------------ */

/* Whatever has a whole name: a node, a scope, a function. */
uint64_t tfp_key_name(struct tfp_span name);
/* A row of an op type, and one that is LABEL below the row with PARENT's key. */
uint64_t tfp_key_type(struct tfp_span type);
uint64_t tfp_key_below(uint64_t parent, struct tfp_span label);

#endif
