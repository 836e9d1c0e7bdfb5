/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which step is when: the markers of steps as stretches of time, in each of which one step runs or none.
 * Where steps are open at once, the one that began last counts. Files whose clocks differ have stretches of their own.
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

void tfp_trace_widen_step(struct tfp_step_span *span, const struct tfp_step_span *by)
{
	if (by->start < span->start)
		span->start = by->start;
	if (by->end > span->end)
		span->end = by->end;
}

static int compare_marks(const void *left, const void *right)
{
	const struct tfp_step_mark *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return 0;
}

void tfp_trace_mark_step(struct tfp_profile *profile, uint32_t file, uint32_t lane, int64_t number,
			 tfp_str label, int64_t start, int64_t end)
{
	struct tfp_trace *trace = profile->trace;
	struct tfp_step_mark mark = {
		.span = {start, end}, .number = number, .file = file, .lane = lane, .label = label};
	uint32_t step = tfp_profile_step(profile, number, label);

	tfp_trace_widen_step(&trace->steps.at[step], &mark.span);
	*tfp_array_push(&trace->marks) = mark;
}

void tfp_trace_count_steps(struct tfp_trace *trace, uint32_t file)
{
	for (size_t i = trace->marks.count; i-- > 0 && trace->marks.at[i].file == file;)
		trace->marks.at[i].counted = true;
}

/* ---- stretches ------------------------------------------------------------------------------ */

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
	size_t first = trace->timelines.at[trace->timelines.count - 1].first;

	if (count > first && trace->stretches.at[count - 1].from == from)
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

/* A timeline of the COUNT steps of MARKED, which are sorted; OPEN is room for as many. */
static void add_timeline(struct tfp_trace *trace, struct marked *marked, size_t count,
			 struct marked *open)
{
	size_t opened = 0;
	struct tfp_timeline *line = tfp_array_push(&trace->timelines);

	line->first = trace->stretches.count;
	if (count)
		qsort(marked, count, sizeof(*marked), compare_marked);
	for (size_t i = 0; i < count; i++) {
		opened = close_steps(trace, open, opened, marked[i].span.start);
		begin_stretch(trace, marked[i].span.start, marked[i].step);
		open[opened++] = marked[i];
	}
	close_steps(trace, open, opened, INT64_MAX);
	line->end = trace->stretches.count;
}

void tfp_trace_join_marks(struct tfp_trace *trace)
{
	struct tfp_step_mark *marks = trace->marks.at;
	size_t kept = 0;

	if (trace->marks.count)
		qsort(marks, trace->marks.count, sizeof(*marks), compare_marks);
	for (size_t i = 0; i < trace->marks.count; i++)
		if (kept && !compare_marks(&marks[kept - 1], &marks[i]))
			tfp_trace_widen_step(&marks[kept - 1].span, &marks[i].span);
		else
			marks[kept++] = marks[i];
	trace->marks.count = kept;
}

uint32_t tfp_trace_files(const struct tfp_trace *trace)
{
	size_t marks = trace->marks.count;
	uint32_t last = marks ? trace->marks.at[marks - 1].file : 0;

	for (size_t i = 0; i < trace->devices.count; i++)
		if (trace->devices.at[i].file > last)
			last = trace->devices.at[i].file;
	return last + 1;
}

/* A timeline of each file, where there are several: one that marks nothing has no steps. */
static void add_files(struct tfp_profile *profile, struct marked *marked, struct marked *open)
{
	struct tfp_trace *trace = profile->trace;
	size_t at = 0, count;
	uint32_t files;

	tfp_trace_join_marks(trace);
	files = tfp_trace_files(trace);
	for (uint32_t file = 0; files > 1 && trace->marks.count && file < files; file++) {
		for (count = 0; at < trace->marks.count && trace->marks.at[at].file == file; at++) {
			const struct tfp_step_mark *mark = &trace->marks.at[at];
			uint32_t step = tfp_profile_find_step(profile, mark->number);

			if (mark->span.start <= mark->span.end)
				marked[count++] = (struct marked){mark->span, step};
		}
		add_timeline(trace, marked, count, open);
	}
}

void tfp_trace_find_stretches(struct tfp_profile *profile)
{
	struct tfp_trace *trace = profile->trace;
	size_t steps = trace->steps.count, count = 0;
	struct marked *marked = tfp_realloc_array(NULL, steps, sizeof(*marked));
	struct marked *open = tfp_realloc_array(NULL, steps, sizeof(*open));

	for (size_t i = 0; i < steps; i++)
		if (trace->steps.at[i].start <= trace->steps.at[i].end)
			marked[count++] = (struct marked){trace->steps.at[i], (uint32_t)i};
	trace->stretches.count = trace->timelines.count = 0;
	add_timeline(trace, marked, count, open);
	add_files(profile, marked, open);
	tfp_array_release(open);
	tfp_array_release(marked);
}

/* ---- searching ------------------------------------------------------------------------------ */

/* What the file of EVENT goes by; one that came later, until all is tallied anew, by the steps of all. */
static const struct tfp_timeline *timeline_of(const struct tfp_trace *trace, uint32_t event)
{
	size_t place = 0;

	if (trace->timelines.count > 1)
		place = 1 + (size_t)trace->devices
				    .at[trace->lanes.at[tfp_trace_lane(trace, event)].device]
				    .file;
	return &trace->timelines.at[place < trace->timelines.count ? place : 0];
}

/* The mark that FILE has of the step NUMBER; NULL: none. */
static const struct tfp_step_mark *find_mark(const struct tfp_trace *trace, uint32_t file,
					     int64_t number)
{
	const struct tfp_step_mark wanted = {.file = file, .number = number};

	return trace->marks.count ? bsearch(&wanted, trace->marks.at, trace->marks.count,
					    sizeof(wanted), compare_marks)
				  : NULL;
}

bool tfp_trace_step_span(const struct tfp_profile *profile, const struct tfp_trace *trace,
			 uint32_t file, uint32_t step, struct tfp_step_span *span)
{
	const struct tfp_step_mark *mark;

	if (step >= trace->steps.count)
		return false;
	*span = trace->steps.at[step];
	if (trace->timelines.count > 1) {
		mark = find_mark(trace, file, profile->steps.at[step].number);
		if (!mark)
			return false;
		*span = mark->span;
	}
	return span->start <= span->end;
}

bool tfp_trace_counts_steps(const struct tfp_trace *trace, uint32_t file)
{
	const struct tfp_step_mark *marks = trace->marks.at;
	size_t low = 0, high = trace->marks.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (marks[middle].file < file)
			low = middle + 1;
		else
			high = middle;
	}
	return low < trace->marks.count && marks[low].file == file && marks[low].counted;
}

int64_t tfp_trace_step_begin(const struct tfp_profile *profile, uint32_t file, uint32_t step)
{
	const struct tfp_trace *trace = tfp_trace_whole(profile->trace);
	struct tfp_step_span span;

	return tfp_trace_step_span(profile, trace, file, step, &span) ? span.start : trace->begin;
}

/* The last stretch of LINE that begins at TIME or before; SIZE_MAX: none does. */
static size_t search(const struct tfp_trace *trace, const struct tfp_timeline *line, int64_t time)
{
	size_t low = line->first, high = line->end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->stretches.at[middle].from <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low == line->first ? SIZE_MAX : low - 1;
}

uint32_t tfp_trace_search_step(const struct tfp_trace *trace, uint32_t event, size_t *hint)
{
	const struct tfp_timeline *line;
	int64_t time = tfp_trace_start(trace, event);

	if (!trace->stretches.count)
		return 0;
	line = timeline_of(trace, event);
	if (!tfp_stretch_holds(trace, line, *hint, time))
		*hint = tfp_stretch_holds(trace, line, *hint + 1, time) ? *hint + 1
									: search(trace, line, time);
	return *hint == SIZE_MAX ? TFP_NONE : trace->stretches.at[*hint].step;
}

bool tfp_trace_any_outside(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	uint32_t end = lane->first + lane->count;
	size_t hint = 0;

	for (uint32_t i = lane->first; i < end && trace->stretches.count;) {
		const struct tfp_timeline *line = timeline_of(trace, i);

		if (tfp_trace_step_at(trace, i, &hint) == TFP_NONE) {
			if (tfp_trace_node(trace, i++) != TFP_NONE)
				return true;
			continue;
		}
		if (hint + 1 >= line->end)
			return false;
		i = tfp_trace_after_from(trace, i, end, trace->stretches.at[hint + 1].from - 1);
	}
	return false;
}

uint32_t tfp_trace_event_step(const struct tfp_trace *trace, uint32_t event, size_t *hint)
{
	uint32_t launch = tfp_trace_link(trace, event), loop;

	if (launch < trace->count && tfp_trace_kind(trace, event) == TFP_LANE_DEVICE)
		return tfp_trace_step_at(trace, launch, hint);
	/* a run is of one step, however many pieces it has */
	loop = tfp_trace_is_joined(trace, event) ? tfp_trace_loop(trace, event) : TFP_NONE;
	return tfp_trace_step_at(trace, loop == TFP_NONE ? event : loop, hint);
}

uint32_t tfp_trace_step_of(const struct tfp_profile *profile, uint32_t event)
{
	size_t hint = 0;
	uint32_t step = tfp_trace_event_step(profile->trace, event, &hint);

	return step != TFP_NONE ? step : tfp_profile_find_step(profile, TFP_STEP_OUTSIDE);
}

bool tfp_trace_numbers_steps(const struct tfp_trace *trace)
{
	for (size_t i = 0; i < trace->marks.count; i++)
		if (!trace->marks.at[i].counted)
			return true;
	return false;
}

bool tfp_trace_marks_steps(const struct tfp_trace *trace)
{
	for (size_t i = 0; i < trace->steps.count; i++)
		if (trace->steps.at[i].start <= trace->steps.at[i].end)
			return true;
	return false;
}
