/* SPDX-License-Identifier: Apache-2.0 */
/* What a query says about a profile: its words resolved to metrics and steps. */
#ifndef TFPROF_VIEW_CHECK_H
#define TFPROF_VIEW_CHECK_H

#include "tfprof/view.h"

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

/* The part of tfp_query_check that is about words: of select, order_by, minimums. */
bool tfp_query_check_words(const struct tfp_query *query, const struct tfp_profile *profile,
			   struct tfp_diag *diag);
/* Key of the metric that a profile is about, "" if none. */
const char *tfp_main_metric(const struct tfp_profile *profile);
/* The words besides metrics that select takes; ended by NULL. */
const char *const *tfp_other_words(const struct tfp_profile *profile);

#endif
