/* SPDX-License-Identifier: Apache-2.0 */
/* How long events took: what stands where among their durations, when these are in order. */
#ifndef TFPROF_VIEW_QUANTILES_H
#define TFPROF_VIEW_QUANTILES_H

#include "tfprof/model.h"

/* In the order of the metrics and of the pane. */
enum tfp_quantile { TFP_LEAST, TFP_MEDIAN, TFP_P99, TFP_MOST, TFP_QUANTILES };

/* Where pivots are taken from, so that no file can be written for which they are always bad ones. */
static inline uint64_t tfp_quantiles_chance(const struct tfp_profile *profile)
{
	return tfp_hash_bytes(profile->hash_key, "", 0) | 1;
}

/*
 * Fills FOUND of the COUNT (one or more) durations AT, which are put into another order: of an even number the median is
 * between the middle two, and 99 of 100 do not exceed P99. CHANCE goes on.
 */
void tfp_quantiles_find(int64_t *at, size_t count, uint64_t *chance, int64_t found[TFP_QUANTILES]);

#endif
