/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is odd about the times of a recording's events, for readers to tell: it is kept as it is.
 */
#ifndef TFPROF_LOAD_TIMES_H
#define TFPROF_LOAD_TIMES_H

#include "tfprof/trace.h"

#define TFP_TIMES_ASTRAY  "events more than a day away from the others, whose times may be wrong: %u"
#define TFP_TIMES_PARTIAL "events that begin inside another of their thread and end after it: %u"

/* Events from FIRST on that begin before FROM or end after TO. */
uint32_t tfp_times_outside(const struct tfp_trace *trace, uint32_t first, int64_t from, int64_t to);

/* Events from FIRST on that are more than FAR away from most. */
uint32_t tfp_times_astray(const struct tfp_trace *trace, uint32_t first, int64_t far);

#endif
