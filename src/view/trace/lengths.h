/* SPDX-License-Identifier: Apache-2.0 */
/* How long steps are, from marker to marker (the metric of the kind TFP_LENGTH), and how busy devices are meanwhile. */
#ifndef TFPROF_VIEW_LENGTHS_H
#define TFPROF_VIEW_LENGTHS_H

#include "view/base.h"

/* The metric of lengths among the COUNT METRICS; TFP_NONE: no step is marked. */
uint32_t tfp_length_metric(const struct tfp_metric *metrics, uint32_t count);
/* Does ROW of BASE stand for a step, or for what a rank has of it? */
bool tfp_row_is_step(const struct tfp_base *base, uint32_t row);
/* Does any of STEP, by its marker, lie in the range that the trace of PROFILE is cut to? Uncut: true. */
bool tfp_step_in_range(const struct tfp_profile *profile, uint32_t step);
/*
 * Writes the lengths into BASE: of steps of several ranks that of the longest, of the root their sum. In views without
 * steps they become absent.
 */
void tfp_base_lengths(struct tfp_base *base, const struct tfp_profile *profile);
/* Is BUSY a part of what ROW has, with some of cores that help in it? How much of it is theirs is known of all together. */
bool tfp_busy_is_mixed(const struct tfp_base *base, uint32_t row, int64_t busy);
/* The part of the length of ROW that BUSY is, which is of all its devices, as below; it may be more than all. */
double tfp_busy_ratio(const struct tfp_base *base, uint32_t row, int64_t busy);
/*
 * The part of the length of ROW in which a device is busy with what was launched in it, of several devices on the
 * average, without those that stand aside; negative: not known, also where devices were busy for longer than the step, as
 * they may run on behind it.
 */
double tfp_busy_share(const struct tfp_tree *tree, uint32_t row);

#endif
