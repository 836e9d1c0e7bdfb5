/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a tree one after the other as they are listed: each before the rows below it.
 */
#ifndef TFPROF_REPORT_LISTING_H
#define TFPROF_REPORT_LISTING_H

#include "tfprof/report.h"

struct tfp_listing {
	const struct tfp_tree *tree;
	int order;
	bool reverse;
	TFP_ARRAY(struct tfp_table_row) waiting; /* the next one last */
	TFP_ARRAY(uint32_t) children;
};

/* Begins with the tree's root, in the tree's order. To be freed by tfp_listing_free. */
void tfp_listing_start(struct tfp_listing *listing, const struct tfp_tree *tree);
/* The next row; false when there is none. */
bool tfp_listing_next(struct tfp_listing *listing, struct tfp_table_row *row);
/* Steps over what is below ROW, which came last. */
void tfp_listing_skip(struct tfp_listing *listing, const struct tfp_table_row *row);
void tfp_listing_free(struct tfp_listing *listing);

#endif
