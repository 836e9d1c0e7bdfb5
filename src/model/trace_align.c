/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks of files: ranks of one run are in the same step at nearly the same time, since they wait for each other. A file in which
 * no step runs when it does elsewhere has another clock, which is put right by the first step that both have.
 */
#include "model/tracing.h"

/* The marks of one file. */
struct marks {
	const struct tfp_step_mark *at, *end;
};

static struct marks next_marks(const struct tfp_trace *trace, const struct tfp_step_mark *from)
{
	struct marks marks = {from, from};
	const struct tfp_step_mark *end = trace->marks.at + trace->marks.count;

	while (marks.end < end && marks.end->file == from->file)
		marks.end++;
	return marks;
}

static bool overlap(const struct tfp_step_span *a, const struct tfp_step_span *b)
{
	return a->start <= b->end && b->start <= a->end;
}

/* The first step that both have; NULL: there is none, or one runs in both at once. OTHER gets its mark in the other. */
static const struct tfp_step_mark *first_apart(struct marks mine, struct marks others,
					       const struct tfp_step_mark **other)
{
	const struct tfp_step_mark *first = NULL;

	while (mine.at < mine.end && others.at < others.end) {
		if (mine.at->number < others.at->number) {
			mine.at++;
		} else if (mine.at->number > others.at->number) {
			others.at++;
		} else {
			if (overlap(&mine.at->span, &others.at->span))
				return NULL;
			if (!first)
				first = mine.at, *other = others.at;
			mine.at++, others.at++;
		}
	}
	return first;
}

static void move(int64_t *time, int64_t by)
{
	*time = tfp_wrap_add(*time, by);
}

static void move_file(struct tfp_trace *trace, uint32_t file, int64_t by)
{
	for (size_t i = 0; i < trace->devices.count; i++)
		if (trace->devices.at[i].file == file)
			move(&trace->devices.at[i].moved, by);
	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (trace->devices.at[lane->device].file != file)
			continue;
		tfp_trace_move_starts(trace, lane->first, lane->count, by);
	}
	for (size_t i = 0; i < trace->marks.count; i++)
		if (trace->marks.at[i].file == file) {
			move(&trace->marks.at[i].span.start, by);
			move(&trace->marks.at[i].span.end, by);
		}
}

static void tell(const struct tfp_profile *profile, const struct tfp_step_mark *mark, int64_t by,
		 struct tfp_diag *diag)
{
	char text[TFP_NUMBER_ROOM];
	const char *path =
		mark->file < profile->files.count ? profile->files.at[mark->file].path : NULL;

	tfp_number_screen(text, profile->trace->unit, by < 0 ? tfp_wrap_add(0, -by) : by);
	tfp_diag_add(
		diag, TFP_NOTE, path, -1, 0,
		"no step runs there when it does in the first file: its clock differs, and all of it was moved by %s%s, so that step %lld begins together",
		by < 0 ? "-" : "", text, (long long)mark->number);
}

/* Steps are as long as their marks in all files. */
static void widen_steps(struct tfp_profile *profile)
{
	struct tfp_trace *trace = profile->trace;

	for (size_t i = 0; i < trace->steps.count; i++)
		trace->steps.at[i] = (struct tfp_step_span){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < trace->marks.count; i++) {
		const struct tfp_step_mark *mark = &trace->marks.at[i];
		uint32_t step = tfp_profile_find_step(profile, mark->number);

		if (step < trace->steps.count)
			tfp_trace_widen_step(&trace->steps.at[step], &mark->span);
	}
}

void tfp_trace_align(struct tfp_profile *profile, struct tfp_diag *diag)
{
	struct tfp_trace *trace = profile->trace;
	const struct tfp_step_mark *mark, *other = NULL;
	struct marks first, marks;
	bool moved = false;

	tfp_trace_join_marks(trace);
	if (!trace->marks.count || profile->steps_by)
		return;
	first = next_marks(trace, trace->marks.at);
	for (marks = first; marks.end < trace->marks.at + trace->marks.count;) {
		int64_t by;

		marks = next_marks(trace, marks.end);
		mark = first_apart(marks, first, &other);
		if (!mark)
			continue;
		by = (int64_t)((uint64_t)other->span.start - (uint64_t)mark->span.start);
		move_file(trace, mark->file, by);
		tell(profile, mark, by, diag);
		moved = true;
	}
	if (moved)
		widen_steps(profile);
}
