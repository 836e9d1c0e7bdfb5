/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kinds of breakdown share: the nodes behind a row, their values, and the way from groups
 * of nodes to rows. A kind is a function that fills the rows and a line in the table of
 * breakdown.c.
 */
#ifndef TFPROF_VIEW_BREAKDOWN_H
#define TFPROF_VIEW_BREAKDOWN_H

#include "view/base.h"
#include "tfprof/breakdown.h"

/* What is asked for. */
struct tfp_break {
	struct tfp_engine *engine;
	const struct tfp_tree *tree;
	uint32_t row;
	enum tfp_breakdown_kind kind;
	uint32_t metric; /* the lead */
};

/* A breakdown in the making. */
struct tfp_work {
	struct tfp_build build;
	const struct tfp_tree *tree;
	uint32_t row;
	uint32_t metric;           /* the lead */
	uint32_t runs;             /* metric that counts runs, TFP_NONE */
	int64_t whole;             /* what shares are shares of */
	TFP_ARRAY(uint32_t) nodes; /* behind the row */
	int64_t *of_events; /* device view: by node, what its events there measured; else NULL */
	bool *seen;         /* by node: is in nodes already; NULL: none comes twice */
	struct tfp_breakdown *out;
};

#define TFP_RANK_MOST 10000 /* rows that are worth an order */

/* What there is to be put in order. */
struct tfp_rank {
	int64_t value;
	uint32_t id;
};

/* Nodes that go into one row. */
struct tfp_group {
	int64_t value, runs;
	uint32_t nodes;
	uint32_t best; /* the node with the largest value */
	int64_t best_value;
};

/* As a step: what a node measured in all steps together. */
#define TFP_STEP_EACH (TFP_STEP_MEAN - 1)

/* The rows of what is asked for as they are in STEP. NULL as tfp_engine_breakdown. */
struct tfp_breakdown *tfp_break_run(const struct tfp_break *asked, uint32_t step,
				    struct tfp_job *job, struct tfp_diag *diag);
/* Gives OUT, which is the answer, the values of the tree's baseline. False when cancelled. */
bool tfp_break_compare(const struct tfp_break *asked, uint32_t step, struct tfp_breakdown *out,
		       struct tfp_job *job, struct tfp_diag *diag);

/* What the rows of a printed report leave out of the row's total; 0 in other views. */
int64_t tfp_work_rest(const struct tfp_work *work);
/* How many times the tree counts what NODE has. */
int tfp_work_times(struct tfp_work *work, uint32_t node);
/* Values of all metrics of NODE, as the tree counts it. */
void tfp_work_values(struct tfp_work *work, uint32_t node, int64_t *values);
/* Adds NODE to GROUP, which begins all zero; VALUES are its own. */
void tfp_group_add(struct tfp_group *group, const struct tfp_work *work, uint32_t node,
		   const int64_t *values);
void tfp_group_merge(struct tfp_group *group, const struct tfp_group *other);
/* Looks at the cancel flag each few thousand positions. */
bool tfp_work_stopped(const struct tfp_work *work, size_t position);

/* A new row of the breakdown, from GROUP; LABEL must live as long as the breakdown. */
struct tfp_breakdown_row *tfp_work_row(struct tfp_work *work, const struct tfp_group *group,
				       const char *label);
/* A row at the end for what is not worth one of its own: COUNT groups that ITEMS name. */
void tfp_work_others(struct tfp_work *work, const struct tfp_group *groups,
		     const struct tfp_rank *items, size_t count);
/*
 * Rows for COUNT groups, largest first, LABEL[i] naming group i by its string id. What nobody would
 * scroll to becomes one row at the end.
 */
void tfp_work_rows(struct tfp_work *work, const struct tfp_group *groups, const tfp_str *label,
		   size_t count);

/*
 * Shows rows whose labels are the same to TELL, a bunch at a time, which puts behind each what tells it apart. False:
 * there are none.
 */
bool tfp_work_tell_apart(struct tfp_work *work,
			 void (*tell)(void *data, struct tfp_breakdown_row **alike, size_t count),
			 void *data);
/* Puts TEXT behind the label of ROW. */
void tfp_row_tell(struct tfp_work *work, struct tfp_breakdown_row *row, const char *text);
/* The part of the label of ROW by which it is matched with rows of other breakdowns. */
struct tfp_span tfp_row_name(const struct tfp_breakdown_row *row);

/* Brings the largest to the front and in order, equal ones by id; returns how many are in order. */
size_t tfp_rank_largest(struct tfp_rank *items, size_t count);

/* By kind: fills work->out. False when cancelled. */
bool tfp_break_shapes(struct tfp_work *work);
bool tfp_break_nodes(struct tfp_work *work);
bool tfp_break_source(struct tfp_work *work);
bool tfp_break_devices(struct tfp_work *work);
bool tfp_break_steps(struct tfp_work *work);
bool tfp_break_users(struct tfp_work *work);
bool tfp_break_attributes(struct tfp_work *work);
bool tfp_break_values(struct tfp_work *work);
bool tfp_break_meanwhile(struct tfp_work *work);
bool tfp_break_kernels(struct tfp_work *work);
bool tfp_break_runs(struct tfp_work *work);

#endif
