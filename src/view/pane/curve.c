/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time: allocations and releases in the order of time, added up. What happens in
 * one microsecond happens at once, as the records do not say in which order it did.
 */
#include "view/pane/curve.h"

#include <stdlib.h>

#include "tfprof/trace.h"
#include "view/pane/allocators.h"
#include "view/query/line.h"
#include "view/trace/lengths.h"

/* ---- one step -------------------------------------------------------------------------------- */

static int by_time(const void *left, const void *right)
{
	const struct tfp_alloc *a = *(const struct tfp_alloc *const *)left;
	const struct tfp_alloc *b = *(const struct tfp_alloc *const *)right;

	return a->time < b->time ? -1 : a->time > b->time;
}

/* Nearly all files have them in order. */
static void sort_by_time(struct tfp_alloc_list *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->at[i]->time < list->at[i - 1]->time) {
			qsort(list->at, list->count, sizeof(*list->at), by_time);
			return;
		}
}

static int64_t unit_of(const struct tfp_trace *trace)
{
	return trace->unit == TFP_PICOS ? 1000000 : 1000;
}

/* Does FILE count? */
static bool takes_file(const struct tfp_profile *profile, uint32_t file)
{
	const struct tfp_trace *trace = profile->trace;

	return !trace || !trace->whole || trace->file == TFP_NONE || trace->file == file;
}

/* The range of time, of which the curve is; what is held when it begins is that of allocations before it. */
static void set_range(struct tfp_alloc_list *list, const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;

	list->from = INT64_MIN;
	list->to = INT64_MAX;
	if (!trace || !trace->whole || trace->from == INT64_MIN)
		return;
	list->from = trace->from / unit_of(trace);
	list->to = trace->to / unit_of(trace);
}

/* Allocations by the step that they are of, each of which is looked at. */
struct by_step {
	uint32_t *first; /* by step: its first in order; one more at the end */
	uint32_t *order;
};

static bool says_something(const struct tfp_profile *profile, size_t alloc)
{
	return profile->allocs.at[alloc].bytes &&
	       profile->allocs.at[alloc].step < profile->steps.count;
}

static void sort_by_step(struct by_step *by, const struct tfp_profile *profile)
{
	size_t steps = profile->steps.count, count = profile->allocs.count;

	by->first = tfp_alloc_zero(steps + 2, sizeof(*by->first));
	by->order = tfp_realloc_array(NULL, count, sizeof(*by->order));
	for (size_t i = 0; i < count; i++)
		if (says_something(profile, i))
			by->first[profile->allocs.at[i].step + 2]++;
	for (size_t i = 2; i < steps + 2; i++)
		by->first[i] += by->first[i - 1];
	for (size_t i = 0; i < count; i++)
		if (says_something(profile, i))
			by->order[by->first[profile->allocs.at[i].step + 1]++] = (uint32_t)i;
}

static void list_allocs(struct tfp_alloc_list *list, const struct tfp_profile *profile,
			const struct by_step *by, uint32_t step)
{
	uint32_t end = step < profile->steps.count ? by->first[step + 1] : 0;

	list->count = 0;
	for (uint32_t i = end ? by->first[step] : 0; i < end; i++) {
		const struct tfp_alloc *alloc = &profile->allocs.at[by->order[i]];

		if (alloc->time <= list->to && takes_file(profile, alloc->file))
			list->at[list->count++] = alloc;
	}
	sort_by_time(list);
}

/* The index behind those of LIST that have the time of the one at FROM; their sum is added to LIVE. */
static size_t next_time(const struct tfp_alloc_list *list, size_t from, int64_t *live)
{
	int64_t time = list->at[from]->time;

	for (; from < list->count && list->at[from]->time == time; from++)
		*live = tfp_wrap_add(*live, list->at[from]->bytes);
	return from;
}

/* ---- which step ------------------------------------------------------------------------------ */

static bool is_marked(const struct tfp_trace *trace, uint32_t step)
{
	return trace && step < trace->steps.count &&
	       trace->steps.at[step].start <= trace->steps.at[step].end;
}

/* Is nothing of STEP, as far as its markers say, in the range of time that is looked at? */
static bool is_beyond(const struct tfp_profile *profile, uint32_t step)
{
	return is_marked(profile->trace, step) && !tfp_step_in_range(profile, step);
}

/* What each allocator held in all steps that are looked at. False when cancelled. */
static bool find_allocators(struct tfp_allocators *all, struct tfp_alloc_list *list,
			    const struct tfp_profile *profile, const struct by_step *by,
			    struct tfp_job *job)
{
	for (uint32_t step = 0; step < profile->steps.count; step++) {
		if (tfp_job_cancelled(job))
			return false;
		if (by->first[step] == by->first[step + 1] || is_beyond(profile, step))
			continue;
		list_allocs(list, profile, by, step);
		tfp_allocators_add(all, list->at, list->count, step, list->from);
	}
	tfp_allocators_end(all);
	return true;
}

/* ---- the curve ------------------------------------------------------------------------------- */

static int64_t since(int64_t begin, int64_t time)
{
	uint64_t passed = (uint64_t)time - (uint64_t)begin;

	return passed > INT64_MAX ? INT64_MAX : (int64_t)passed;
}

int64_t tfp_curve_time(const struct tfp_curve *curve, const struct tfp_alloc *alloc)
{
	return since(curve->begin, alloc->time);
}

/* When STEP of a recording begins, in the unit of allocations: by its marker, else with all of it. */
static int64_t begin_of_marked(const struct tfp_trace *trace, uint32_t step)
{
	if (is_marked(trace, step))
		return trace->steps.at[step].start / unit_of(trace);
	return trace->begin / unit_of(trace);
}

/* A step is as long as its marker says, even where memory changes no more; to the digit, as everywhere else. */
static void keep_length(struct tfp_curve *curve, const struct tfp_profile *profile, uint32_t step,
			bool ranged)
{
	const struct tfp_trace *trace = profile->trace;
	const struct tfp_step_span *span;
	int64_t end;

	if (!is_marked(trace, step))
		return;
	span = &trace->steps.at[step];
	end = span->end / unit_of(trace);
	if (!ranged && end > curve->begin && since(curve->begin, end) > curve->length)
		curve->length = since(curve->begin, end);
	if (curve->begin == span->start / unit_of(trace) &&
	    since(curve->begin, end) >= curve->length) {
		curve->marked = since(span->start, span->end);
		curve->unit = trace->unit;
	}
}

/* The first start of STEP; allocations may be earlier still. */
static int64_t begin_of(const struct tfp_profile *profile, const struct tfp_alloc_list *list,
			uint32_t step)
{
	const struct tfp_cells *cells = &profile->cells;
	int64_t begin = list->count ? list->at[0]->time : 0;

	if (profile->trace) {
		int64_t marked = begin_of_marked(profile->trace, step);

		return marked < begin || !list->count ? marked : begin;
	}
	for (uint32_t cell = 0; cell < cells->count; cell++) {
		int64_t start =
			cells->value[(size_t)cell * profile->cell_columns + TFP_CELL_ALL_START];

		if (cells->step[cell] == step && start > 0 && start < begin)
			begin = start;
	}
	return begin;
}

static void fill_points(struct tfp_curve *curve, const struct tfp_alloc_list *list)
{
	int64_t live = 0;

	for (size_t i = 0; i < list->count;) {
		int64_t time = tfp_curve_time(curve, list->at[i]);

		i = next_time(list, i, &live);
		if (i < list->count && list->at[i]->time <= list->from)
			continue; /* over before the range begins */
		time = time < curve->from ? curve->from : time;
		curve->time[curve->count] = time;
		curve->bytes[curve->count++] = live;
		if (live > curve->peak) {
			curve->peak = live;
			curve->peak_at = time;
		}
		curve->length = time;
	}
}

static void set_time(struct tfp_curve *curve, int64_t at)
{
	curve->at = at < 0 ? curve->peak_at : at < curve->length ? at : curve->length;
	if (curve->at < curve->from)
		curve->at = curve->from;
	for (uint32_t i = 0; i < curve->count && curve->time[i] <= curve->at; i++)
		curve->live = curve->bytes[i];
}

/* Is IN_USE of the allocator that is shown? SHOWN is NULL where there is only one. */
static bool is_shown(const struct tfp_in_use *in_use, const struct tfp_profile *profile,
		     const struct tfp_allocator *shown)
{
	return shown ? tfp_allocator_has(shown, in_use->allocator, in_use->file)
		     : takes_file(profile, in_use->file);
}

/* What the allocator says of a step is not about a range of time in it: RANGED. */
static void add_reserved(struct tfp_curve *curve, const struct tfp_profile *profile, uint32_t step,
			 const struct tfp_allocator *shown, bool ranged)
{
	curve->held_unknown = profile->held_unknown;
	for (size_t i = 0; i < profile->in_use.count; i++) {
		const struct tfp_in_use *in_use = &profile->in_use.at[i];

		if (!is_shown(in_use, profile, shown))
			continue;
		if (shown) /* what another does not say is nothing of this one */
			curve->held_unknown = false;
		if (in_use->step == step && !ranged)
			curve->allocator = tfp_wrap_add(curve->allocator, in_use->bytes);
	}
}

/* What the ops say of themselves. */
static void add_own_peaks(struct tfp_curve *curve, const struct tfp_profile *profile, uint32_t step)
{
	const struct tfp_cells *cells = &profile->cells;

	curve->own_peaks = profile->tensorflow ? 0 : -1;
	for (uint32_t cell = 0; profile->tensorflow && cell < cells->count; cell++)
		if (cells->step[cell] == step)
			curve->own_peaks =
				tfp_wrap_add(curve->own_peaks,
					     cells->value[(size_t)cell * profile->cell_columns +
							  TFP_CELL_PEAK_BYTES]);
}

/* Leaves those of SHOWN in LIST, and says which others there are in it. */
static void keep_shown(struct tfp_curve *curve, struct tfp_alloc_list *list,
		       const struct tfp_allocators *all, const struct tfp_allocator *shown,
		       const struct tfp_profile *profile, struct tfp_arena *arena)
{
	struct tfp_allocators here = {0};
	size_t kept = 0;

	curve->device = tfp_allocator_name(all, shown, profile, arena);
	tfp_allocators_add(&here, list->at, list->count, 0, list->from);
	tfp_allocators_end(&here);
	curve->others = tfp_allocators_others(&here, shown, profile, arena);
	tfp_allocators_free(&here);
	for (size_t i = 0; i < list->count; i++)
		if (tfp_allocator_has(shown, list->at[i]->allocator, list->at[i]->file))
			list->at[kept++] = list->at[i];
	list->count = kept;
}

/* LIST is of step STEP, and of all allocators. */
static void make_curve(struct tfp_curve *curve, struct tfp_alloc_list *list,
		       const struct tfp_allocators *all, const struct tfp_allocator *shown,
		       const struct tfp_profile *profile, uint32_t step, struct tfp_arena *arena)
{
	bool ranged = list->from != INT64_MIN;

	curve->step = step < profile->steps.count ? profile->steps.at[step].number : 0;
	curve->beyond = is_beyond(profile, step);
	if (curve->beyond)
		list->count = 0;
	curve->recorded = profile->trace != NULL;
	curve->stepless = profile->trace && !tfp_trace_marks_steps(profile->trace);
	/* one beginning for all allocators, so that their times mean the same */
	curve->begin = begin_of(profile, list, step);
	curve->from = ranged && list->from > curve->begin ? since(curve->begin, list->from) : 0;
	if (shown)
		keep_shown(curve, list, all, shown, profile, arena);
	curve->time = tfp_arena_zero(arena, list->count, sizeof(*curve->time));
	curve->bytes = tfp_arena_zero(arena, list->count, sizeof(*curve->bytes));
	fill_points(curve, list);
	keep_length(curve, profile, step, ranged);
	add_reserved(curve, profile, step, shown, ranged);
	add_own_peaks(curve, profile, step);
}

bool tfp_curve_make(struct tfp_curve *curve, struct tfp_alloc_list *list,
		    const struct tfp_build *build, uint32_t *step, struct tfp_arena *arena)
{
	const struct tfp_profile *profile = build->profile;
	const struct tfp_allocator *shown;
	struct tfp_allocators all = {0};
	struct by_step by;
	bool made;

	*curve = (struct tfp_curve){.marked = -1};
	list->at = tfp_realloc_array(NULL, profile->allocs.count, sizeof(*list->at));
	set_range(list, profile);
	sort_by_step(&by, profile);
	made = find_allocators(&all, list, profile, &by, build->job);
	curve->allocators = tfp_allocator_names(&all, profile, arena);
	shown = tfp_allocators_pick(&all, profile, build->query->allocator);
	if (made && !shown && all.list.count) {
		tfp_allocators_refuse(&all, profile, build->query->allocator, build->diag);
		made = false;
	}
	if (*step == TFP_STEP_MEAN)
		*step = shown ? shown->step : 0;
	if (made) {
		list_allocs(list, profile, &by, *step);
		make_curve(curve, list, &all, all.list.count > 1 ? shown : NULL, profile, *step,
			   arena);
		set_time(curve, build->query->at);
	}
	tfp_allocators_free(&all);
	free(by.first);
	tfp_array_release(by.order);
	return made;
}

/* ---- for those who show it ------------------------------------------------------------------- */

static size_t part_of(const struct tfp_curve *curve, int64_t time, size_t count)
{
	double passed = (double)time - (double)curve->from,
	       all = (double)curve->length - (double)curve->from + 1;
	size_t part = (size_t)(passed / all * (double)count);

	return part < count ? part : count - 1;
}

size_t tfp_curve_cursor(const struct tfp_curve *curve, size_t count)
{
	return part_of(curve, curve->at, count);
}

void tfp_curve_parts(const struct tfp_curve *curve, int64_t *out, size_t count)
{
	int64_t live = 0;
	uint32_t next = 0;

	for (size_t part = 0; part < count; part++) {
		out[part] = live;
		for (; next < curve->count && part_of(curve, curve->time[next], count) <= part;
		     next++) {
			live = curve->bytes[next];
			out[part] = live > out[part] ? live : out[part];
		}
	}
}

bool tfp_curve_before(const struct tfp_curve *curve, int64_t since)
{
	return curve->recorded && since <= curve->from;
}

int64_t tfp_curve_turn(const struct tfp_curve *curve, size_t count, int parts)
{
	double part = ((double)curve->length - (double)curve->from + 1) / (double)count;
	double at = (double)curve->at + part * parts;

	if (at <= (double)curve->from)
		return curve->from;
	return at >= (double)curve->length ? curve->length : (int64_t)at;
}

static const char *bytes_text(struct tfp_arena *arena, int64_t bytes)
{
	char text[TFP_NUMBER_ROOM];

	return tfp_arena_printf(arena, "%s", tfp_number_screen(text, TFP_BYTES, bytes));
}

static const char *time_text(struct tfp_arena *arena, int64_t time)
{
	char text[TFP_NUMBER_ROOM];

	return tfp_arena_printf(arena, "%s", tfp_number_screen(text, TFP_MICROS, time));
}

static const char *length_text(const struct tfp_curve *curve, struct tfp_arena *arena)
{
	char text[TFP_NUMBER_ROOM];

	if (curve->marked < 0)
		return time_text(arena, curve->length);
	return tfp_arena_printf(arena, "%s", tfp_number_screen(text, curve->unit, curve->marked));
}

/* ", step 3", where there are steps. */
static const char *step_text(const struct tfp_curve *curve, struct tfp_arena *arena)
{
	if (curve->stepless)
		return "";
	if (curve->step == TFP_STEP_OUTSIDE)
		return ", outside the steps";
	return tfp_arena_printf(arena, ", step %lld", (long long)curve->step);
}

char *tfp_curve_when(const struct tfp_curve *curve, int brief, struct tfp_arena *arena)
{
	bool peak = curve->at == curve->peak_at;
	const char *at = tfp_arena_printf(arena, " at %s", time_text(arena, curve->at));

	if (curve->beyond)
		return tfp_arena_printf(arena, "nothing of step %lld is in this range",
					(long long)curve->step);
	if (!brief)
		at = tfp_arena_printf(arena, "%s of %s", at, length_text(curve, arena));
	return tfp_arena_printf(arena, "%s live%s%s%s%s%s", bytes_text(arena, curve->live),
				curve->device ? " on " : "", curve->device ? curve->device : "",
				step_text(curve, arena), brief > 1 && peak ? "" : at,
				peak ? ", the peak" : "");
}

char *tfp_curve_text(const struct tfp_curve *curve, struct tfp_arena *arena)
{
	int64_t difference = tfp_wrap_add(curve->allocator, tfp_wrap_mul(curve->peak, -1));
	struct tfp_line line = {.arena = arena};

	if (curve->beyond)
		return tfp_arena_text(arena, "", 0);
	if (curve->at != curve->peak_at)
		tfp_line_add(&line, "",
			     tfp_arena_printf(arena, "peak %s", bytes_text(arena, curve->peak)));
	if (curve->recorded)
		tfp_line_add(&line, "; ",
			     curve->held_unknown ? "without what was held before, which the file "
						   "does not say"
						 : "with all that was held before");
	if (curve->allocator && curve->recorded)
		tfp_line_add(&line, "; ",
			     tfp_arena_printf(arena, "%s reserved by the allocator",
					      bytes_text(arena, curve->allocator)));
	else if (curve->allocator)
		tfp_line_add(&line, "; ",
			     tfp_arena_printf(arena, "allocator's own peak %s, %s%s",
					      bytes_text(arena, curve->allocator),
					      difference > 0 ? "+" : "",
					      bytes_text(arena, difference)));
	if (curve->own_peaks >= 0)
		tfp_line_add(&line, "; ",
			     tfp_arena_printf(arena, "sum of op peaks %s%s",
					      bytes_text(arena, curve->own_peaks),
					      /* ops do not say whose */
					      curve->device ? " in all allocators" : ""));
	if (curve->others)
		tfp_line_add(&line, "; ", curve->others);
	return line.text ? line.text : tfp_arena_text(arena, "", 0);
}
