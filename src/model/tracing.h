/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of traces share: steps as stretches of time, and the order of events. */
#ifndef TFPROF_MODEL_TRACING_H
#define TFPROF_MODEL_TRACING_H

#include "model/private.h"

/* Makes SPAN hold BY, too. */
void tfp_trace_widen_step(struct tfp_step_span *span, const struct tfp_step_span *by);
/* Makes one mark of each step of each file out of all, by file, then number. */
void tfp_trace_join_marks(struct tfp_trace *trace);
/* Makes trace.stretches and trace.timelines of the markers of steps. */
void tfp_trace_find_stretches(struct tfp_profile *profile);
/* The step that runs when EVENT begins, in the file of that; as tfp_trace_event_step. */
uint32_t tfp_trace_step_at(const struct tfp_trace *trace, uint32_t event, size_t *hint);

/* The COUNT events FROM on start at STARTS. */
void tfp_trace_put_starts(struct tfp_trace *trace, uint32_t from, uint32_t count,
			  const int64_t *starts);
/* What starts take of memory. */
size_t tfp_trace_start_bytes(const struct tfp_trace *trace);
/* Once they lie as they are to: pages whose starts have come to be near each other take less room. */
void tfp_trace_narrow_starts(struct tfp_trace *trace);

/* Events from FIRST on, which is before those that have works, get room for one. */
void tfp_trace_cover_works(struct tfp_trace *trace, uint32_t first);

/* Sorts the events ORDER[0 .. COUNT) as those of one lane; OTHER is room for as many. */
void tfp_trace_sort(const struct tfp_trace *trace, uint32_t *order, uint32_t *other, size_t count);

#endif
