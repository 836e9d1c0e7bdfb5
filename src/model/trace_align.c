/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocks of files: ranks of one run are in the same step at nearly the same time, since they wait for each other. A file in which
 * no step runs when it does in the files before has another clock, which is put right by the first step that both have. What has
 * no step in common with any stays where it is, and others are held against it.
 */
#include <stdlib.h>

#include "model/tracing.h"

/* What is known of one file. */
struct clock {
	struct tfp_step_mark *at, *end; /* its marks */
	struct tfp_step_span ran; /* when anything of it begins; start above end: nothing does */
	bool placed;              /* its times are those that it is to have */
};

struct aligner {
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	struct tfp_diag *diag;
	struct clock *clocks;  /* by file */
	uint32_t files, first; /* FIRST: the one that is never moved */
	const struct tfp_step_mark *
		*of_step; /* by step: its mark in the file placed first that has one */
	bool moved;
};

static bool overlap(const struct tfp_step_span *a, const struct tfp_step_span *b)
{
	return a->start <= b->end && b->start <= a->end;
}

/* ---- what there is ---------------------------------------------------------------------------- */

static void find_marks(struct aligner *aligner)
{
	size_t count = aligner->trace->marks.count;
	struct tfp_step_mark *at = aligner->trace->marks.at, *end = count ? at + count : at;

	for (uint32_t file = 0; file < aligner->files; file++) {
		struct clock *clock = &aligner->clocks[file];

		clock->at = clock->end = at;
		while (clock->end < end && clock->end->file == file)
			clock->end++;
		at = clock->end;
	}
}

static void find_times(struct aligner *aligner)
{
	const struct tfp_trace *trace = aligner->trace;

	for (uint32_t file = 0; file < aligner->files; file++)
		aligner->clocks[file].ran = (struct tfp_step_span){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (lane->count)
			tfp_trace_widen_step(
				&aligner->clocks[trace->devices.at[lane->device].file].ran,
				&(struct tfp_step_span){
					tfp_trace_start(trace, lane->first),
					tfp_trace_start(trace, lane->first + lane->count - 1)});
	}
}

/* Does anything of FILE begin while the recording of another that is placed goes on? Of what is empty nobody asks. */
static bool runs_with_others(const struct aligner *aligner, uint32_t file)
{
	const struct tfp_step_span *ran = &aligner->clocks[file].ran;
	bool any = false;

	for (uint32_t i = 0; i < aligner->files; i++) {
		const struct clock *other = &aligner->clocks[i];

		if (i == file || !other->placed || other->ran.start > other->ran.end)
			continue;
		if (overlap(ran, &other->ran))
			return true;
		any = true;
	}
	return !any || ran->start > ran->end;
}

static const struct tfp_step_mark **place_of(const struct aligner *aligner,
					     const struct tfp_step_mark *mark)
{
	return &aligner->of_step[tfp_profile_find_step(aligner->profile, mark->number)];
}

/*
 * The first step of FILE that one placed before has, too; APART: and no such step runs in both at once. Steps that are counted in
 * each file need not be the same: that of recordings which ran at once is no other time.
 */
static const struct tfp_step_mark *first_common(const struct aligner *aligner, uint32_t file,
						bool *apart)
{
	const struct clock *clock = &aligner->clocks[file];
	const struct tfp_step_mark *first = NULL;
	bool together = false;

	*apart = true;
	for (const struct tfp_step_mark *mark = clock->at; mark < clock->end && *apart; mark++) {
		const struct tfp_step_mark *other = *place_of(aligner, mark);

		if (!other)
			continue;
		if (!first) {
			first = mark;
			together = runs_with_others(aligner, file);
		}
		*apart = !overlap(&mark->span, &other->span) &&
			 !(together && (mark->counted || other->counted));
	}
	return first;
}

/* ---- moving ----------------------------------------------------------------------------------- */

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

static const char *path_of(const struct aligner *aligner, uint32_t file)
{
	return tfp_trace_path(aligner->profile, file);
}

static void tell_moved(const struct aligner *aligner, const struct tfp_step_mark *mark,
		       uint32_t other, int64_t by)
{
	const char *path = other == aligner->first ? NULL : path_of(aligner, other);
	char text[TFP_NUMBER_ROOM];

	tfp_number_screen(text, aligner->trace->unit, by < 0 ? tfp_wrap_add(0, -by) : by);
	tfp_diag_add(
		aligner->diag, TFP_NOTE, path_of(aligner, mark->file), -1, 0,
		"no step runs there when it does in %s: its clock differs, and all of it was moved by %s%s, so that step %lld begins together%s",
		path ? path : "the first file", by < 0 ? "-" : "", text, (long long)mark->number,
		mark->counted ? "; steps are counted in each, so it may be another one" : "");
}

static void tell_unknown(const struct aligner *aligner, uint32_t file)
{
	tfp_diag_add(
		aligner->diag, TFP_NOTE, path_of(aligner, file), -1, 0,
		"it ran at another time than the files before, and has no step in common with them: whether its clock differs can't be told");
}

void tfp_trace_widen_steps(struct tfp_profile *profile)
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

/* FILE has the times that it is to have: others are held against its steps. */
static void place(struct aligner *aligner, uint32_t file)
{
	struct clock *clock = &aligner->clocks[file];

	clock->placed = true;
	for (const struct tfp_step_mark *mark = clock->at; mark < clock->end; mark++)
		if (!*place_of(aligner, mark))
			*place_of(aligner, mark) = mark;
}

/* False: FILE has no step in common with those that are placed. */
static bool align_file(struct aligner *aligner, uint32_t file)
{
	struct clock *clock = &aligner->clocks[file];
	bool apart;
	const struct tfp_step_mark *mark = first_common(aligner, file, &apart), *other;
	int64_t by;

	if (!mark)
		return false;
	if (apart) {
		other = *place_of(aligner, mark);
		by = (int64_t)((uint64_t)other->span.start - (uint64_t)mark->span.start);
		move_file(aligner->trace, file, by);
		move(&clock->ran.start, by);
		move(&clock->ran.end, by);
		tell_moved(aligner, mark, other->file, by);
		aligner->moved = true;
	}
	place(aligner, file);
	return true;
}

/* Places all that have steps in common with those that are placed, directly or by another. */
static void align_files(struct aligner *aligner)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t file = 0; file < aligner->files; file++)
			more |= !aligner->clocks[file].placed && align_file(aligner, file);
	}
}

/* Files with marks before those without, which nothing is held against. */
static void align_all(struct aligner *aligner)
{
	for (int marked = 1; marked >= 0; marked--)
		for (uint32_t file = 0; file < aligner->files; file++) {
			const struct clock *clock = &aligner->clocks[file];

			if (clock->placed || (clock->at == clock->end) == marked)
				continue;
			if (!runs_with_others(aligner, file))
				tell_unknown(aligner, file);
			place(aligner, file);
			align_files(aligner);
		}
}

void tfp_trace_align(struct tfp_profile *profile, struct tfp_diag *diag)
{
	struct tfp_trace *trace = profile->trace;
	struct aligner aligner = {.profile = profile, .trace = trace, .diag = diag};

	tfp_trace_number_turns(profile, diag);
	tfp_trace_join_marks(trace);
	aligner.files = tfp_trace_files(trace);
	if (aligner.files < 2)
		return;
	aligner.first = trace->marks.count ? trace->marks.at[0].file : 0;
	aligner.clocks = tfp_alloc_zero(aligner.files, sizeof(*aligner.clocks));
	aligner.of_step = tfp_alloc_zero(profile->steps.count + 1, sizeof(*aligner.of_step));
	find_marks(&aligner);
	find_times(&aligner);
	align_all(&aligner);
	if (aligner.moved)
		tfp_trace_widen_steps(profile);
	free(aligner.of_step);
	free(aligner.clocks);
}
