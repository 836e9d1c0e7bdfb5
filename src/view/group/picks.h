/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that stand for several nodes: which nodes count, and their values in the row of each.
 */
#ifndef TFPROF_VIEW_PICKS_H
#define TFPROF_VIEW_PICKS_H

#include "view/base.h"

/*
 * How often each node counts, by node; only nodes that have a ROW (not TFP_NONE) are looked at, all
 * if ROW is NULL. NULL when cancelled, or on a match limit (an error is in the diag). The caller
 * frees it.
 */
uint32_t *tfp_picks_weigh(struct tfp_build *build, const uint32_t *row);

/*
 * Fills picks, self values, defined counts and the flags ACCOUNTED and LEAF of BASE: each node with
 * a weight goes to its ROW. Picks of a row come in the order of ORDER (all nodes; NULL: by index).
 * False when cancelled.
 */
bool tfp_picks_fill(struct tfp_base *base, const struct tfp_build *build, const uint32_t *row,
		    const uint32_t *weight, const uint32_t *order);

#endif
