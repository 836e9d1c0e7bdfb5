/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as paths: what is made of names that come in the order of paths (TFP_NAMES_PATHS) is rows in
 * preorder, one for each name and one for each scope that is no name itself.
 */
#ifndef TFPROF_VIEW_SCOPES_H
#define TFPROF_VIEW_SCOPES_H

#include "view/base.h"

#define TFP_SCOPE_TYPE "_kTFScopeParent" /* TensorFlow's op type of a scope that is no node */

/* A row before there are columns. */
struct tfp_scope_row {
	uint32_t parent;
	uint32_t node; /* whose name the label is the head of */
	uint32_t size; /* of the label */
	bool is_node;
};

struct tfp_scopes {
	const struct tfp_profile *profile;
	TFP_ARRAY(struct tfp_scope_row) rows;
	TFP_ARRAY(uint32_t) open; /* rows from the one that all are below to the last row */
	struct tfp_span last;     /* name */
};

/* Begins with a row that the names to come are below. Its PARENT is TFP_NONE for the first. */
void tfp_scopes_begin(struct tfp_scopes *scopes, uint32_t parent);
/* Adds NODE with all scopes it is in, below the row begun. */
void tfp_scopes_add(struct tfp_scopes *scopes, uint32_t node);
void tfp_scopes_free(struct tfp_scopes *scopes);
/* Label, node and values of row ROW of BASE, which has label sizes; its account is left to do. */
void tfp_scopes_fill(const struct tfp_scopes *scopes, const struct tfp_build *build,
		     struct tfp_base *base, uint32_t row);

#endif
