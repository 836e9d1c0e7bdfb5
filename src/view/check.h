/* SPDX-License-Identifier: Apache-2.0 */
/* What a query says about a profile: its words resolved to metrics and steps. */
#ifndef TFPROF_VIEW_CHECK_H
#define TFPROF_VIEW_CHECK_H

#include "tfprof/view.h"

/* The metric with KEY, or TFP_NONE. */
uint32_t tfp_metric_find(const struct tfp_profile *profile, const char *key);
/* The view of QUERY, the profile's default if it names none; NULL if it is unknown. */
const struct tfp_view *tfp_query_view(const struct tfp_query *query,
				      const struct tfp_profile *profile);
/* What rows are sorted by: a metric or one of TFP_ORDER_. */
int tfp_query_order(const struct tfp_query *query, const struct tfp_profile *profile);
/* The minimum of METRIC, 0 if none was given. */
int64_t tfp_query_minimum(const struct tfp_query *query, const struct tfp_profile *profile,
			  uint32_t metric);
/* Does QUERY show, sort or filter by METRIC? */
bool tfp_query_uses(const struct tfp_query *query, const struct tfp_profile *profile,
		    uint32_t metric);

#endif
