/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting rows by value or name. */
#ifndef TFPROF_VIEW_ORDER_H
#define TFPROF_VIEW_ORDER_H

#include "tfprof/view.h"

/* What rows are sorted by. */
struct tfp_order {
	const struct tfp_base *base;
	const int64_t *values;   /* values[row * metric_count + metric] */
	const int64_t *baseline; /* the same of the baseline; NULL: nothing is compared */
	const int64_t *defined;
	int by; /* a metric or one of TFP_ORDER_ */
	bool reverse;
	bool flat; /* rows stand for themselves */
};

/*
 * Sorts ROWS: names ascending, numbers descending, with REVERSE the other way round; what does not differ from the
 * baseline is behind what does. Stable: rows that tie keep the order they came in, which must be ascending for names.
 */
void tfp_order_rows(const struct tfp_order *order, uint32_t *rows, uint32_t count);

#endif
