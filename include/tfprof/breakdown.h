/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view, breakdowns: what one row of a tree is made of, for the drill-down pane.
 */
#ifndef TFPROF_BREAKDOWN_H
#define TFPROF_BREAKDOWN_H

#include "tfprof/view.h"

enum tfp_breakdown_kind {
	TFP_BREAKDOWN_SHAPE, /* by op type and input shapes */
	TFP_BREAKDOWN_NODES,
	TFP_BREAKDOWN_SOURCE, /* own lines, and their callers */
	TFP_BREAKDOWN_DEVICE,
	TFP_BREAKDOWN_STEPS,
	TFP_BREAKDOWN_USERS,      /* nodes that use outputs of the row's */
	TFP_BREAKDOWN_ATTRIBUTES, /* of a single node */
	TFP_BREAKDOWN_VALUES,     /* of the checkpoint's variable that has the row's name */
	TFP_BREAKDOWN_KERNELS,    /* what ran on devices */
	TFP_BREAKDOWN_RUNS,       /* single executions: how long they took */
	TFP_BREAKDOWN_MEANWHILE,  /* what the host did in the gaps of a device */
	TFP_BREAKDOWN_KINDS
};

struct tfp_breakdown_info {
	const char *name; /* "op+shape" */
	const char *
		missing; /* set when the profile can't fill it: what is missing and how to make it */
	bool rare;       /* where it is missing, nobody misses it */
};
/* What KIND is called, and why there is nothing of it in PROFILE. */
struct tfp_breakdown_info tfp_breakdown_about(const struct tfp_profile *profile,
					      enum tfp_breakdown_kind kind);
/* Can ROW itself be broken down so? Attributes are those of a single node. */
bool tfp_breakdown_fits(const struct tfp_tree *tree, uint32_t row, enum tfp_breakdown_kind kind);

struct tfp_breakdown_row {
	const char *label; /* in the breakdown's arena, raw bytes, NUL-ended */
	size_t alike; /* bytes of it that other rows have, too, before what tells them apart; 0: all */
	uint32_t group;        /* private: which of those that were put in order */
	uint32_t depth;        /* indentation of source rows */
	int64_t value;         /* of the lead metric */
	double share;          /* of the row broken down, 0..1; negative: unknown */
	int64_t runs, defined; /* -1: not known */
	uint32_t node;         /* node to jump to, TFP_NONE */
	const char *text;  /* value of an attribute, in place of figures; line of source; or NULL */
	const char *shape; /* op+shape: what --shape must be to leave these; or NULL */
	const char *file;  /* source place, NULL none */
	int32_t line;
	/* that line and some around it, each ended by a line feed, AROUND_LINE the first; NULL: not at hand */
	const char *around;
	int32_t around_line;
	/* compared with the baseline; BASELINE and DIFFERENCE hold unless SIDE is TFP_SIDE_NONE */
	int64_t baseline, difference;
	enum tfp_side side;
};

struct tfp_breakdown {
	struct tfp_arena arena;
	enum tfp_breakdown_kind kind;
	enum tfp_unit unit; /* of value */
	bool absent;        /* the lead metric is unknown: draw "-" */
	/* ordered by value, or when compared by difference, descending (source: each line, then its callers) */
	struct tfp_breakdown_row *rows;
	size_t count;
	bool compared; /* rows have baselines */
	bool nested;   /* rows with a depth are parts of the one before them with less */
	bool counted;  /* runs and defined are worth to be shown */
	bool texts;    /* each row has a text in place of figures */
	size_t others; /* what the last row stands for, none of it worth a row; 0: no such row */
	uint64_t page, pages; /* values: which of how many; see tfp_engine_turn */
	const char *note;     /* one sentence: why it is empty, or what sums it up; or NULL */
};

/*
 * What is below ROW of TREE (its own nodes and those of all its shown descendants), broken down. NULL when
 * cancelled. Free with tfp_breakdown_free.
 */
struct tfp_breakdown *tfp_engine_breakdown(struct tfp_engine *engine, const struct tfp_tree *tree,
					   uint32_t row, enum tfp_breakdown_kind kind,
					   uint32_t lead_metric, struct tfp_job *job,
					   struct tfp_diag *diag);
void tfp_breakdown_free(struct tfp_breakdown *breakdown);

/* What rows can be sorted by: names ascending, numbers descending. */
enum tfp_breakdown_order {
	TFP_BREAKDOWN_AS_MADE,
	TFP_BREAKDOWN_BY_NAME,
	TFP_BREAKDOWN_BY_VALUE,
	TFP_BREAKDOWN_BY_RUNS,
	TFP_BREAKDOWN_BY_DIFFERENCE,
	TFP_BREAKDOWN_BY_RATIO,
	TFP_BREAKDOWN_ORDERS
};
/* Pages of values and attributes stay as they are made, and what is not known orders nothing. */
bool tfp_breakdown_has_order(const struct tfp_breakdown *breakdown, enum tfp_breakdown_order order);
/*
 * Sorts the rows, with REVERSE the other way round: stable, each with those that are parts of it behind it, and
 * the row for all others last. An order that it has not changes nothing.
 */
void tfp_breakdown_sort(struct tfp_breakdown *breakdown, enum tfp_breakdown_order order,
			bool reverse);
/* From now on breakdowns into values show PAGE of them, the first being 0; others are not concerned. */
void tfp_engine_turn(struct tfp_engine *engine, uint64_t page);
/*
 * COUNT (1 or more) shown rows side by side, and their sum: as a breakdown of kind TFP_BREAKDOWN_KINDS, in which
 * each is compared with the first.
 */
struct tfp_breakdown *tfp_tree_marked(const struct tfp_tree *tree, const uint32_t *rows,
				      size_t count, uint32_t metric);

#endif
