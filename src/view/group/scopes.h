/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as paths: what is made of names that come in the order of paths (TFP_NAMES_PATHS) is rows in
 * preorder, one for each name and one for each scope that is no name itself.
 */
#ifndef TFPROF_VIEW_SCOPES_H
#define TFPROF_VIEW_SCOPES_H

#include "view/group/merge.h"

#define TFP_SCOPE_TYPE "_kTFScopeParent" /* TensorFlow's op type of a scope that is no node */

/* A row before there are columns. */
struct tfp_scope_row {
	uint32_t parent;
	uint32_t node; /* whose name the label is the head of */
	uint32_t size; /* of the label */
	bool is_node;
	uint32_t first,
		count; /* its nodes, in struct tfp_scopes: those of one name, if they are joined */
	tfp_str fold; /* siblings as one row: its label, of which the first SIZE bytes say which; else 0 */
};

struct tfp_scopes {
	struct tfp_profile *profile;
	/* by node, and behind those of what is only named and has no figures; NULL: the nodes' own names */
	const tfp_str *names;
	TFP_ARRAY(struct tfp_scope_row) rows;
	TFP_ARRAY(uint32_t) open; /* rows from the one that all are below to the last row */
	struct tfp_span last;     /* name */
	const uint32_t *forward;  /* by node, of struct tfp_merge; NULL: nothing is merged */
	uint32_t above;           /* node added last that went into a scope */
	/*
	 * Recordings have nodes of one name that differ in shapes or stack: they are one row, or what is
	 * below them would seem to be below the last of them
	 */
	bool joins;                /* asked for by whoever makes the rows */
	uint32_t before;           /* rows that the base has before the first of ROWS */
	TFP_ARRAY(uint32_t) nodes; /* all that were added, where they are joined */
	uint32_t named;            /* row of the node added last, TFP_NONE */
};

/* What NODE goes by. */
struct tfp_span tfp_scopes_name(const struct tfp_scopes *scopes, uint32_t node);
/* Begins with a row that the names to come are below. Its PARENT is TFP_NONE for the first. */
void tfp_scopes_begin(struct tfp_scopes *scopes, uint32_t parent);
/*
 * Adds NODE with all scopes it is in, below the row begun; right behind its forward op, a gradient goes
 * below that instead.
 */
void tfp_scopes_add(struct tfp_scopes *scopes, uint32_t node);
/*
 * When all are added: puts a row above siblings that differ only in a number (fold.c). False when
 * cancelled.
 */
bool tfp_scopes_fold(struct tfp_scopes *scopes, struct tfp_job *job);
/*
 * All of this for a tree of the COUNT different NODES, which are put into order; siblings are folded where the query says so.
 * A MERGE that is not NULL puts gradients below their forward ops. SCOPES is empty but for names. False when cancelled.
 */
bool tfp_scopes_make(struct tfp_scopes *scopes, struct tfp_build *build, struct tfp_merge *merge,
		     uint32_t *nodes, uint32_t count);
/* Does row ROW stand for what is only named? */
bool tfp_scopes_is_part(const struct tfp_scopes *scopes, uint32_t row);
void tfp_scopes_free(struct tfp_scopes *scopes);
/* Label, node and values of row ROW of BASE, which has label sizes; its account is left to do. */
void tfp_scopes_fill(const struct tfp_scopes *scopes, const struct tfp_build *build,
		     struct tfp_base *base, uint32_t row);
/*
 * Where nodes are joined: those of row ROW that count become its picks, and give it its values. Rows are taken
 * in their order, from 1. Returns how many count, 0 for a scope; -1 when a match limit was reached.
 */
int tfp_scopes_take(const struct tfp_scopes *scopes, struct tfp_build *build, struct tfp_base *base,
		    uint32_t row);
/*
 * Marks row ROW of BASE, filled, where it counts: a scope does where OF_SCOPES is above 0, joined nodes are
 * taken, see above. False when a match limit was reached.
 */
bool tfp_scopes_account(const struct tfp_scopes *scopes, struct tfp_build *build,
			struct tfp_base *base, uint32_t row, int of_scopes);
/* What a key of row ROW of BASE, filled, is made of: the label, but for how many rows a fold has. */
struct tfp_span tfp_scopes_identity(const struct tfp_scopes *scopes, const struct tfp_base *base,
				    uint32_t row);

#endif
