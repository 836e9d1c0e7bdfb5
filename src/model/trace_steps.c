/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which step is when: the markers of steps as stretches of time, in each of which one step runs or none.
 * Where steps are open at once, the one that began last counts.
 */
#include <stdlib.h>
#include <string.h>

#include "model/tracing.h"

/* A step with a marker. */
struct marked {
	struct tfp_step_span span;
	uint32_t step;
};

void tfp_trace_add_step(struct tfp_trace *trace, size_t place)
{
	struct tfp_step_span *span;
	size_t count = trace->steps.count;

	if (place > count)
		return;
	tfp_array_push(&trace->steps);
	span = &trace->steps.at[place];
	memmove(span + 1, span, (count - place) * sizeof(*span));
	*span = (struct tfp_step_span){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < trace->stretches.count; i++)
		trace->stretches.at[i].step += trace->stretches.at[i].step != TFP_NONE &&
					       trace->stretches.at[i].step >= place;
}

void tfp_trace_mark_step(struct tfp_profile *profile, int64_t number, tfp_str label, int64_t start,
			 int64_t end)
{
	uint32_t step = tfp_profile_step(profile, number, label);
	struct tfp_step_span *span = &profile->trace->steps.at[step];

	if (start < span->start)
		span->start = start;
	if (end > span->end)
		span->end = end;
}

static int compare_marked(const void *left, const void *right)
{
	const struct marked *a = left, *b = right;

	if (a->span.start != b->span.start)
		return a->span.start < b->span.start ? -1 : 1;
	if (a->span.end != b->span.end)
		return a->span.end > b->span.end ? -1 : 1;
	return a->step < b->step ? -1 : 1;
}

static void begin_stretch(struct tfp_trace *trace, int64_t from, uint32_t step)
{
	size_t count = trace->stretches.count;

	if (count && trace->stretches.at[count - 1].from == from)
		trace->stretches.at[count - 1].step = step;
	else
		*tfp_array_push(&trace->stretches) = (struct tfp_stretch){from, step};
}

/* Ends the OPEN steps that are over at TIME; returns how many stay open. */
static size_t close_steps(struct tfp_trace *trace, const struct marked *open, size_t count,
			  int64_t time)
{
	while (count && open[count - 1].span.end <= time) {
		int64_t end = open[count - 1].span.end;

		while (count && open[count - 1].span.end <= end)
			count--;
		begin_stretch(trace, end, count ? open[count - 1].step : TFP_NONE);
	}
	return count;
}

void tfp_trace_find_stretches(struct tfp_trace *trace)
{
	size_t steps = trace->steps.count, count = 0, opened = 0;
	struct marked *marked = tfp_realloc_array(NULL, steps, sizeof(*marked));
	struct marked *open = tfp_realloc_array(NULL, steps, sizeof(*open));

	for (size_t i = 0; i < steps; i++)
		if (trace->steps.at[i].start <= trace->steps.at[i].end)
			marked[count++] = (struct marked){trace->steps.at[i], (uint32_t)i};
	if (count)
		qsort(marked, count, sizeof(*marked), compare_marked);
	trace->stretches.count = 0;
	for (size_t i = 0; i < count; i++) {
		opened = close_steps(trace, open, opened, marked[i].span.start);
		begin_stretch(trace, marked[i].span.start, marked[i].step);
		open[opened++] = marked[i];
	}
	close_steps(trace, open, opened, INT64_MAX);
	tfp_array_release(open);
	tfp_array_release(marked);
}

/* The last stretch that begins at TIME or before; SIZE_MAX: none does. */
static size_t search(const struct tfp_trace *trace, int64_t time)
{
	size_t low = 0, high = trace->stretches.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->stretches.at[middle].from <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* Whether TIME is in stretch PLACE. */
static inline bool holds(const struct tfp_trace *trace, size_t place, int64_t time)
{
	size_t count = trace->stretches.count;

	return place < count && trace->stretches.at[place].from <= time &&
	       (place + 1 == count || time < trace->stretches.at[place + 1].from);
}

uint32_t tfp_trace_step_at(const struct tfp_trace *trace, int64_t time, size_t *hint)
{
	if (!trace->stretches.count)
		return 0;
	if (!holds(trace, *hint, time))
		*hint = holds(trace, *hint + 1, time) ? *hint + 1 : search(trace, time);
	return *hint == SIZE_MAX ? TFP_NONE : trace->stretches.at[*hint].step;
}

uint32_t tfp_trace_event_step(const struct tfp_trace *trace, uint32_t event, size_t *hint)
{
	uint32_t step = TFP_NONE, launch = trace->link[event];

	if (launch < trace->count && tfp_trace_kind(trace, event) == TFP_LANE_DEVICE)
		step = tfp_trace_step_at(trace, trace->start[launch], hint);
	return step != TFP_NONE ? step : tfp_trace_step_at(trace, trace->start[event], hint);
}

uint32_t tfp_trace_step_of(const struct tfp_profile *profile, uint32_t event)
{
	size_t hint = 0;
	uint32_t step = tfp_trace_event_step(profile->trace, event, &hint);

	return step != TFP_NONE ? step : tfp_profile_find_step(profile, TFP_STEP_OUTSIDE);
}
