/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of traces share: steps as stretches of time, and the order of events. */
#ifndef TFPROF_MODEL_TRACING_H
#define TFPROF_MODEL_TRACING_H

#include "model/private.h"

/* Makes trace.stretches of the spans of steps. */
void tfp_trace_find_stretches(struct tfp_trace *trace);
/* The step that runs at TIME, as tfp_trace_event_step. */
uint32_t tfp_trace_step_at(const struct tfp_trace *trace, int64_t time, size_t *hint);

/* Sorts the events ORDER[0 .. COUNT) as those of one lane; OTHER is room for as many. */
void tfp_trace_sort(const struct tfp_trace *trace, uint32_t *order, uint32_t *other, size_t count);

#endif
