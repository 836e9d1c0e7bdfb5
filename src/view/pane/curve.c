/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes over time: allocations and releases in the order of time, added up. Times are whole microseconds since the step
 * began, rounded up: at each is what happened by then. What happens in one of them happens at once.
 */
#include "view/pane/curve.h"

#include "view/pane/allocators.h"
#include "view/query/line.h"
#include "view/trace/lengths.h"

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
static bool find_allocators(struct tfp_allocators *all, const struct tfp_alloc_runs *runs,
			    struct tfp_job *job)
{
	all->outside = tfp_step_outside(runs->profile);
	for (uint32_t step = 0; step < runs->profile->steps.count; step++) {
		if (tfp_job_cancelled(job))
			return false;
		if (!is_beyond(runs->profile, step))
			tfp_allocators_add(all, tfp_alloc_list_of(runs, step), step);
	}
	tfp_allocators_end(all);
	return true;
}

/* ---- the curve ------------------------------------------------------------------------------- */

static int64_t since(int64_t begin, int64_t time)
{
	uint64_t ticks = (uint64_t)time - (uint64_t)begin;

	return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

/* When TIME, of an allocation or of the range, is on CURVE. */
static int64_t passed(const struct tfp_curve *curve, int64_t time)
{
	int64_t ticks = since(curve->begin, time);

	return curve->recorded ? ticks / 1000 + (ticks % 1000 > 0) : ticks;
}

int64_t tfp_curve_time(const struct tfp_curve *curve, const struct tfp_alloc *alloc)
{
	return passed(curve, alloc->time);
}

/* A step is as long as its marker says, even where memory changes no more; to the digit, as everywhere else. */
static void keep_length(struct tfp_curve *curve, const struct tfp_profile *profile, uint32_t file,
			uint32_t step, bool ranged)
{
	const struct tfp_trace *trace = profile->trace;
	struct tfp_step_span span;
	int64_t end;

	if (!trace || !tfp_trace_step_span(profile, tfp_trace_whole(trace), file, step, &span))
		return;
	end = span.end / tfp_alloc_unit(trace);
	if (!ranged && end > curve->begin && passed(curve, end) > curve->length)
		curve->length = passed(curve, end);
	if (curve->begin == span.start / tfp_alloc_unit(trace) &&
	    passed(curve, end) >= curve->length) {
		curve->marked = since(span.start, span.end);
		curve->unit = trace->unit;
	}
}

/* The first start of STEP for the file of LIST; allocations, which LIST has, may be earlier still. */
static int64_t begin_of(const struct tfp_profile *profile, struct tfp_alloc_list list,
			uint32_t step)
{
	const struct tfp_cells *cells = &profile->cells;
	struct tfp_alloc first;
	bool any = tfp_alloc_list_next(&list, &first);
	int64_t begin = any ? first.time : 0;

	if (profile->trace) {
		int64_t marked = tfp_trace_step_begin(profile, list.file, step) /
				 tfp_alloc_unit(profile->trace);

		return marked < begin || !any ? marked : begin;
	}
	for (uint32_t cell = 0; cell < cells->count; cell++) {
		int64_t start =
			cells->value[(size_t)cell * profile->cell_columns + TFP_CELL_ALL_START];

		if (cells->step[cell] == step && start > 0 && start < begin)
			begin = start;
	}
	return begin;
}

/* ---- its points ------------------------------------------------------------------------------ */

/* What is live from one time at which it changes to the next. */
struct points {
	const struct tfp_curve *curve;
	struct tfp_alloc_list list;
	struct tfp_alloc next;
	bool more; /* NEXT is one */
	int64_t time, live;
};

static struct points start_points(const struct tfp_curve *curve, const struct tfp_alloc_list *list)
{
	struct points points = {.curve = curve, .list = *list};

	points.more = tfp_alloc_list_next(&points.list, &points.next);
	return points;
}

/* Adds up what happens at the next time. */
static void pass_time(struct points *points)
{
	int64_t time = tfp_curve_time(points->curve, &points->next);

	points->time = time < points->curve->from ? points->curve->from : time;
	while (points->more && tfp_curve_time(points->curve, &points->next) == time) {
		points->live = tfp_wrap_add(points->live, points->next.bytes);
		points->more = tfp_alloc_list_next(&points->list, &points->next);
	}
}

/* False: there is none. What is over before the range begins is no point. */
static bool next_point(struct points *points)
{
	bool any = points->more;

	if (any)
		pass_time(points);
	while (points->more && points->next.time <= points->list.from)
		pass_time(points);
	return any;
}

static void measure(struct tfp_curve *curve, const struct tfp_alloc_list *list)
{
	struct points points = start_points(curve, list);

	while (next_point(&points)) {
		curve->count++;
		if (points.live > curve->peak) {
			curve->peak = points.live;
			curve->peak_at = points.time;
		}
		curve->length = points.time;
	}
}

void tfp_curve_points(struct tfp_curve *curve, const struct tfp_alloc_list *list,
		      struct tfp_arena *arena)
{
	struct points points = start_points(curve, list);
	size_t room = curve->count * sizeof(*curve->time);

	curve->time = tfp_arena_alloc(arena, room);
	curve->bytes = tfp_arena_alloc(arena, room);
	for (uint32_t i = 0; next_point(&points); i++) {
		curve->time[i] = points.time;
		curve->bytes[i] = points.live;
	}
}

static void set_time(struct tfp_curve *curve, const struct tfp_alloc_list *list, int64_t at)
{
	struct points points = start_points(curve, list);

	curve->at = at < 0 ? curve->peak_at : at < curve->length ? at : curve->length;
	if (curve->at < curve->from)
		curve->at = curve->from;
	while (next_point(&points) && points.time <= curve->at)
		curve->live = points.live;
}

/* ---- what else is said of it ----------------------------------------------------------------- */

/* Is IN_USE of LIST, which is of one allocator, or of all? */
static bool is_shown(const struct tfp_in_use *in_use, const struct tfp_alloc_list *list)
{
	return (list->file == TFP_NONE || list->file == in_use->file) &&
	       (list->allocator == TFP_NONE || list->allocator == in_use->allocator);
}

/* What the allocator says of a step is not about a range of time in it: RANGED. */
static void add_reserved(struct tfp_curve *curve, const struct tfp_profile *profile, uint32_t step,
			 const struct tfp_alloc_list *list, bool ranged)
{
	curve->held_unknown = profile->held_unknown;
	for (size_t i = 0; i < profile->in_use.count; i++) {
		const struct tfp_in_use *in_use = &profile->in_use.at[i];

		if (!is_shown(in_use, list))
			continue;
		if (list->allocator !=
		    TFP_NONE) /* what another does not say is nothing of this one */
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

	curve->device = tfp_allocator_name(all, shown, profile, arena);
	tfp_allocators_add(&here, *list, 0);
	tfp_allocators_end(&here);
	curve->others = tfp_allocators_others(&here, shown, profile, arena);
	tfp_allocators_free(&here);
	list->file = shown->file;
	list->allocator = shown->name;
}

/* LIST is of step STEP, and of all allocators, of which SHOWN counts. NULL: there is none. */
static void make_curve(struct tfp_curve *curve, struct tfp_alloc_list *list,
		       const struct tfp_allocators *all, const struct tfp_allocator *shown,
		       const struct tfp_profile *profile, uint32_t step, struct tfp_arena *arena)
{
	bool ranged = list->from != INT64_MIN;
	struct tfp_alloc_list of_file = *list;

	curve->step = step < profile->steps.count ? profile->steps.at[step].number : 0;
	curve->beyond = is_beyond(profile, step);
	if (curve->beyond)
		list->run = list->last;
	curve->recorded = profile->trace != NULL;
	curve->stepless = profile->trace && !tfp_trace_marks_steps(profile->trace);
	if (shown)
		of_file.file = shown->file;
	curve->file = profile->trace ? of_file.file : TFP_NONE;
	/* one beginning for all allocators of a rank, so that their times mean the same */
	curve->begin = begin_of(profile, of_file, step);
	curve->from = ranged && list->from > curve->begin ? passed(curve, list->from) : 0;
	if (all->list.count > 1)
		keep_shown(curve, list, all, shown, profile, arena);
	measure(curve, list);
	keep_length(curve, profile, of_file.file, step, ranged);
	add_reserved(curve, profile, step, list, ranged);
	add_own_peaks(curve, profile, step);
}

bool tfp_curve_make(struct tfp_curve *curve, struct tfp_alloc_list *list,
		    const struct tfp_alloc_runs *runs, const struct tfp_build *build,
		    uint32_t *step, struct tfp_arena *arena)
{
	const struct tfp_profile *profile = build->profile;
	const struct tfp_allocator *shown;
	struct tfp_allocators all = {0};
	bool made = find_allocators(&all, runs, build->job);

	*curve = (struct tfp_curve){.marked = -1};
	curve->allocators = tfp_allocator_names(&all, profile, arena);
	shown = tfp_allocators_pick(&all, profile, build->query->allocator);
	if (made && !shown && all.list.count) {
		tfp_allocators_refuse(&all, profile, build->query->allocator, build->diag);
		made = false;
	}
	if (*step == TFP_STEP_MEAN)
		*step = shown ? shown->step : 0;
	*list = tfp_alloc_list_of(runs, *step);
	if (made) {
		make_curve(curve, list, &all, shown, profile, *step, arena);
		set_time(curve, list, build->query->at);
	}
	tfp_allocators_free(&all);
	return made;
}

/* ---- for those who show it ------------------------------------------------------------------- */

static size_t part_of(const struct tfp_curve *curve, int64_t time, size_t count)
{
	double gone = (double)time - (double)curve->from,
	       all = (double)curve->length - (double)curve->from + 1;
	size_t part = (size_t)(gone / all * (double)count);

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

bool tfp_curve_knows(const struct tfp_curve *curve)
{
	return !curve->beyond && curve->count;
}

char *tfp_curve_when(const struct tfp_curve *curve, int brief, struct tfp_arena *arena)
{
	bool peak = curve->at == curve->peak_at;
	const char *at = tfp_arena_printf(arena, " at %s", time_text(arena, curve->at));

	if (curve->beyond)
		return tfp_arena_printf(arena, "nothing of step %lld is in this range",
					(long long)curve->step);
	if (!tfp_curve_knows(curve))
		return tfp_arena_printf(arena, "no allocation is recorded by then%s",
					step_text(curve, arena));
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

	if (!tfp_curve_knows(curve))
		return tfp_arena_text(arena, "", 0);
	if (curve->at != curve->peak_at)
		tfp_line_add(&line, "",
			     tfp_arena_printf(arena, "peak %s", bytes_text(arena, curve->peak)));
	if (curve->recorded)
		tfp_line_add(&line, "; ",
			     curve->held_unknown
				     ? "without what was held before the recording, which the file "
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
