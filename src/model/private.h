/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the model share and nobody else needs.
 */
#ifndef TFPROF_MODEL_PRIVATE_H
#define TFPROF_MODEL_PRIVATE_H

#include "tfprof/trace.h"

/* Columns that have no more than so much ROOM get this: half as much again, and twice that while it is little. */
static inline uint32_t tfp_room_after(uint32_t room)
{
	size_t wanted = room < 1 << 17 ? room * 2 + 64 : (size_t)room + room / 2;

	return wanted > TFP_NONE ? TFP_NONE : (uint32_t)wanted;
}

void tfp_cells_release(struct tfp_cells *cells);

/* Sets the marks of metrics that come from shapes, once shapes are filled. */
void tfp_metrics_shapes_known(struct tfp_profile *profile);

/* What follows from the calls, once functions are filled (functions.c). */
void tfp_functions_settle(struct tfp_profile *profile);

/* Either may be NULL. */
void tfp_trace_release(struct tfp_trace *trace);
size_t tfp_trace_bytes(const struct tfp_trace *trace);
/* A step was put in at PLACE: what the trace has by step moves along. */
void tfp_trace_add_step(struct tfp_trace *trace, size_t place);
/* As tfp_metric_known, of recordings alone. */
const struct tfp_metric *tfp_trace_metric_known(size_t index);
/* Marks metrics of a trace that no event has a value of. */
void tfp_trace_mark_metrics(struct tfp_profile *profile);

#endif
