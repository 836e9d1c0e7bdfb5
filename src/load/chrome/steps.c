/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of recordings that mark none: what a program does over and over is a step from one time to the next, up to the end of what
 * its optimizer does (which PyTorch's optimizers note themselves), or from the beginning of a call of its model.
 */
#include "load/chrome/walk.h"

#define MOST_TURNS 65536 /* of a recording: more tell nobody anything */

enum {
	LEAST_TURNS = 2, /* that are steps, */
};

#define LEAST_SHARE 0.75 /* and of models that take so much of the time of all such calls */

void walk_note_turn(struct walk *walk, uint32_t event)
{
	struct chrome *chrome = walk->chrome;
	const struct tfp_trace *trace = chrome->trace;
	const struct site *what = &chrome->sites.at[tfp_trace_node(trace, event)];

	if (!what->optimizer && walk->modules.count)
		return;
	if (walk->lane == TFP_NONE || walk->parts->turns.count == MOST_TURNS)
		return;
	*tfp_array_push(&walk->parts->turns) = (struct turn){
		.label = what->title,
		.file = chrome->file,
		.lane = walk->lane,
		.model = !what->optimizer,
		.start = tfp_trace_start(trace, event),
		.end = tfp_trace_end(trace, event),
	};
}

/* ---- which of them are steps -------------------------------------------------------------------- */

/* In each file those of an optimizer before those of models; of each label those of one thread, in time. */
static int compare(const void *left, const void *right)
{
	const struct turn *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->model != b->model)
		return a->model - b->model;
	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static bool goes_on(const struct turn *a, const struct turn *b)
{
	return a->file == b->file && a->model == b->model && a->label == b->label &&
	       a->lane == b->lane;
}

/* One that begins before the one before it is over is part of that. Returns how many are left. */
static size_t join(struct turn *turns, size_t count)
{
	size_t kept = 1;

	for (size_t i = 1; i < count; i++)
		if (turns[i].start >= turns[kept - 1].end)
			turns[kept++] = turns[i];
	return kept;
}

struct choice {
	struct turn *turns;
	size_t count;
	double time;
};

static double time_of(const struct turn *turns, size_t count)
{
	double time = 0;

	for (size_t i = 0; i < count; i++)
		time += (double)turns[i].end - (double)turns[i].start;
	return time;
}

/* Of optimizers that with the most turns counts, of models that with the most time. */
static bool is_better(const struct choice *a, const struct choice *b)
{
	if (!b->count)
		return a->count >= LEAST_TURNS;
	if (a->turns->model)
		return b->turns->model && a->time > b->time;
	return a->count > b->count;
}

/* Chooses among the COUNT turns of one file; count 0: none are steps. */
static struct choice choose(struct turn *turns, size_t count)
{
	struct choice best = {0};
	double models = 0;

	for (size_t i = 0, end; i < count; i = end) {
		struct choice choice = {.turns = turns + i};

		for (end = i + 1; end < count && goes_on(turns + i, turns + end); end++)
			;
		choice.count = join(choice.turns, end - i);
		choice.time = time_of(choice.turns, choice.count);
		models += turns[i].model ? choice.time : 0;
		if (is_better(&choice, &best))
			best = choice;
	}
	if (best.count && best.turns->model && best.time < LEAST_SHARE * models)
		best.count = 0;
	return best;
}

/* ---- steps ---------------------------------------------------------------------------------------- */

/* What a step lasts from or to where no turn says it: the first event of the thread, or the end of its last. */
static int64_t edge_of(const struct tfp_trace *trace, uint32_t lane, bool last)
{
	const struct tfp_lane *of = &trace->lanes.at[lane];
	int64_t edge = tfp_trace_start(trace, of->first);

	for (uint32_t i = of->first; last && i < of->first + of->count; i++)
		if (tfp_trace_end(trace, i) > edge)
			edge = tfp_trace_end(trace, i);
	return edge;
}

static void mark(struct tfp_profile *profile, const struct choice *choice)
{
	const struct turn *turns = choice->turns;
	bool model = turns->model;

	for (size_t i = 0; i < choice->count; i++) {
		int64_t start = model ? turns[i].start
				: i   ? turns[i - 1].end
				      : edge_of(profile->trace, turns->lane, false);
		int64_t end = !model                  ? turns[i].end
			      : i + 1 < choice->count ? turns[i + 1].start
						      : edge_of(profile->trace, turns->lane, true);

		tfp_trace_mark_step(profile, turns->file, turns->lane, (int64_t)i, turns->label,
				    start, end);
	}
}

/* What they are is said wherever they are spoken of. */
static void name_steps(struct tfp_profile *profile, const struct turn *turn)
{
	if (profile->steps_by)
		return;
	profile->steps_by = turn->model ? turn->label
					: tfp_strings_add_text(profile->strings, "Optimizer.step");
	profile->steps_between = true;
}

void chrome_make_steps(struct tfp_profile *profile, struct chrome_parts *parts)
{
	struct turn *turns = parts->turns.at;
	size_t count = parts->turns.count;

	if (profile->trace->marks.count || !count)
		return;
	qsort(turns, count, sizeof(*turns), compare);
	for (size_t i = 0, end; i < count; i = end) {
		struct choice choice;

		for (end = i + 1; end < count && turns[end].file == turns[i].file; end++)
			;
		choice = choose(turns + i, end - i);
		if (!choice.count)
			continue;
		mark(profile, &choice);
		tfp_trace_count_steps(profile->trace, choice.turns->file);
		name_steps(profile, choice.turns);
	}
}
