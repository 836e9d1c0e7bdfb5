/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind the figures of columns. */
#ifndef TFPROF_VIEW_CELLS_H
#define TFPROF_VIEW_CELLS_H

#include "tfprof/columns.h"

/* The title of the column of float operations that is as narrow as their rate's. Compared by address. */
extern const char tfp_column_flop[];

/* The metric of the time that rates are by. */
uint32_t tfp_rate_time(const struct tfp_base *base);
/* The nodes that ROW counts with those below it; with FLAT its own. DEFINED: those of each row. */
int64_t tfp_nodes_of(const struct tfp_base *base, const int64_t *defined, bool flat, uint32_t row);
/* What ROW has of METRIC a second; 0 unknown. */
double tfp_rate(const struct tfp_tree *tree, uint32_t row, uint32_t metric);
/* The most of METRIC that a device can do in a second; 0 unknown. */
double tfp_rate_peak(const struct tfp_base *base, uint32_t metric);

#endif
