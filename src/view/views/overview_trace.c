/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary of a recording: its devices and how busy they were, what was recorded where, and how much of the
 * time on devices is explained.
 */
#include <string.h>

#include "view/views/gaps.h"
#include "view/views/overview.h"
#include "view/trace/coverage.h"
#include "view/trace/window.h"

#define MOST_DEVICES 8 /* that are listed one by one, */
#define FEW_DEVICES  3 /* and of more than that */

static const struct tfp_target nowhere = {NULL, 0};

/* TITLE, and of which step, or range, that is. */
static uint32_t add_section(struct tfp_outline *outline, const char *title)
{
	uint32_t step = outline->build->step;
	const struct tfp_profile *profile = outline->build->profile;

	if (step < profile->steps.count)
		title = profile->steps.at[step].number == TFP_STEP_OUTSIDE
				? tfp_arena_printf(&outline->arena, "%s outside the steps", title)
				: tfp_arena_printf(&outline->arena, "%s in step %lld", title,
						   (long long)profile->steps.at[step].number);
	else if (tfp_trace_is_ranged(profile->trace))
		title = tfp_arena_printf(&outline->arena, "%s in the range of time", title);
	return tfp_outline_add(outline, 0, title, nowhere);
}

/* ---- devices ---------------------------------------------------------------------------------- */

/* How long the step that is asked for is where DEVICE is, by its marker; 0: there is none, or a part is asked for, or all. */
static int64_t step_length(const struct tfp_outline *outline, uint32_t device)
{
	const struct tfp_profile *profile = outline->build->profile;
	const struct tfp_trace *trace = tfp_trace_whole(profile->trace);
	struct tfp_step_span span;

	if (tfp_trace_is_ranged(profile->trace))
		return 0;
	if (!tfp_trace_step_span(profile, trace, trace->devices.at[device].file,
				 outline->build->step, &span))
		return 0;
	return tfp_wrap_add(span.end, tfp_wrap_mul(span.start, -1));
}

/* What a device could have been busy for: its step's LENGTH, the range of time, or from its first event to its last. */
static const char *whole_text(struct tfp_outline *outline, int64_t length, int64_t span)
{
	const struct tfp_trace *trace = outline->build->profile->trace;
	char whole[TFP_NUMBER_ROOM];

	tfp_number_screen(whole, trace->unit, span);
	if (length > 0)
		return tfp_arena_printf(&outline->arena, "the step's %s", whole);
	if (tfp_trace_is_ranged(trace) && outline->build->step == TFP_STEP_MEAN)
		return tfp_arena_printf(&outline->arena, "the range's %s", whole);
	if (tfp_trace_is_ranged(trace))
		return tfp_arena_printf(&outline->arena, "the step's %s in the range", whole);
	return tfp_arena_printf(&outline->arena, "%s from its first event to its last", whole);
}

/*
 * "busy 93.83ms, 41.2% of 227.94ms from its first event to its last; 97.52ms with overlaps", where some of it overlaps. No share
 * of a step that its work runs on behind, as in the steps view.
 */
static const char *busy_text(struct tfp_outline *outline, const struct tfp_gaps *gaps,
			     uint32_t device, int64_t sum)
{
	const struct tfp_idleness *idleness = &gaps->device[device];
	enum tfp_unit unit = gaps->profile->trace->unit;
	int64_t length = step_length(outline, device);
	int64_t span = length > 0 ? length : tfp_wrap_add(idleness->busy, idleness->idle);
	double share = span > 0 ? 100 * (double)idleness->busy / (double)span : 100.0;
	const char *whole = whole_text(outline, length, span);
	char total[TFP_NUMBER_ROOM], part[TFP_NUMBER_ROOM];
	char *text;

	tfp_number_screen(total, unit, sum);
	tfp_number_screen(part, unit, idleness->busy);
	text = idleness->busy > span
		       ? tfp_arena_printf(&outline->arena, "busy %s, longer than %s", part, whole)
		       : tfp_arena_printf(&outline->arena, "busy %s, %.1f%% of %s", part, share,
					  whole);
	return strcmp(total, part) == 0
		       ? text
		       : tfp_arena_printf(&outline->arena, "%s; %s with overlaps", text, total);
}

static void add_peaks(struct tfp_outline *outline, uint32_t row,
		      const struct tfp_trace_device *device)
{
	char flops[TFP_NUMBER_ROOM], bytes[TFP_NUMBER_ROOM];

	if (device->peak_flops > 0 && device->peak_flops < 9e18)
		tfp_outline_add(outline, row,
				tfp_arena_printf(&outline->arena, "at most %s float operations",
						 tfp_number_screen(flops, TFP_RATE,
								   (int64_t)device->peak_flops)),
				nowhere);
	if (device->peak_bandwidth > 0 && device->peak_bandwidth < 9e18)
		tfp_outline_add(
			outline, row,
			tfp_arena_printf(&outline->arena, "at most %s/s from its memory",
					 tfp_number_screen(bytes, TFP_BYTES,
							   (int64_t)device->peak_bandwidth)),
			nowhere);
}

static void add_device(struct tfp_outline *outline, uint32_t section, const struct tfp_gaps *gaps,
		       uint32_t index, int64_t sum)
{
	const struct tfp_profile *profile = outline->build->profile;
	const struct tfp_trace_device *device = &profile->trace->devices.at[index];
	const char *model = tfp_strings_text(profile->strings, device->model);
	uint32_t row;

	if (!gaps->device[index].events)
		return;
	row = tfp_outline_add(outline, section,
			      tfp_arena_printf(&outline->arena, "%s%s%s",
					       tfp_strings_text(profile->strings, device->name),
					       *model ? "  " : "", model),
			      tfp_outline_view("device"));
	tfp_outline_add(outline, row, busy_text(outline, gaps, index, sum),
			tfp_outline_view("idle"));
	tfp_outline_classes(outline, row, index);
	add_peaks(outline, row, device);
}

/* Those in which anything ran, of many the first. */
static void list_devices(struct tfp_outline *outline, uint32_t section, const struct tfp_gaps *gaps,
			 const int64_t *sums)
{
	size_t all = gaps->profile->trace->devices.count, count = 0, listed;

	for (size_t i = 0; i < all; i++)
		count += gaps->device[i].events > 0;
	listed = count > MOST_DEVICES ? FEW_DEVICES : count;
	count -= listed;
	for (uint32_t i = 0; i < all && listed; i++) {
		listed -= gaps->device[i].events > 0;
		add_device(outline, section, gaps, i, sums[i]);
	}
	if (count)
		tfp_outline_add(outline, section,
				tfp_arena_printf(&outline->arena, "and %zu more devices", count),
				tfp_outline_view("device"));
}

static void add_devices(struct tfp_outline *outline)
{
	const struct tfp_profile *profile = outline->build->profile;
	const struct tfp_trace *trace = profile->trace;
	int64_t *sums = tfp_alloc_zero(trace->devices.count + 1, sizeof(*sums));
	struct tfp_gaps gaps;
	uint32_t section, step = outline->build->step;

	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);
		uint32_t device = trace->lanes.at[tfp_trace_lane(trace, event)].device;

		if (step == TFP_STEP_MEAN || tfp_gaps_step(profile, event) == step)
			sums[device] = tfp_wrap_add(sums[device], tfp_trace_duration(trace, event));
	}
	section = add_section(outline, "devices");
	if (tfp_gaps_find(&gaps, profile, step, outline->build->job))
		list_devices(outline, section, &gaps, sums);
	tfp_gaps_free(&gaps);
	tfp_array_release(sums);
}

/* ---- what was recorded ------------------------------------------------------------------------ */

/* Are there pieces among the events of LANE? On hosts what is joined was recorded by itself. */
static bool joins(const struct tfp_trace *trace, const struct tfp_lane *lane)
{
	return lane->kind == TFP_LANE_DEVICE && trace->joined.count;
}

/* The events of LANE that are asked for, and recorded. */
static uint32_t count_events(const struct tfp_build *build, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = build->profile->trace;
	uint32_t count = 0;

	if (lane->made)
		return 0;
	if (build->step == TFP_STEP_MEAN && !trace->whole && !joins(trace, lane))
		return lane->count;
	for (uint32_t event = lane->first; event < lane->first + lane->count; event++) {
		uint32_t loop = tfp_trace_loop(trace, event);

		count += tfp_window_holds(trace, loop == TFP_NONE ? event : loop) &&
			 !(joins(trace, lane) && tfp_trace_is_joined(trace, event)) &&
			 (build->step == TFP_STEP_MEAN ||
			  tfp_gaps_step(build->profile, event) == build->step);
	}
	return count;
}

static void add_events(struct tfp_outline *outline)
{
	static const struct {
		enum tfp_lane_kind kind;
		bool samples;
		const char *event, *lane, *view, *more;
	} kinds[] = {
		{TFP_LANE_DEVICE, false, "device event", "stream", "device", ""},
		{TFP_LANE_HOST, false, "host event", "thread", "device", ""},
		{TFP_LANE_HOST, true, "sample", "thread", "device", ""},
		{TFP_LANE_PYTHON, false, "Python call", "thread", NULL, ""},
		/* moments, counters, and what says again what other events say */
		{TFP_LANE_DERIVED, false, "mark", "line", "time",
		 ": drawn against time, in no sum"},
	};
	const struct tfp_trace *trace = outline->build->profile->trace;
	uint32_t section = add_section(outline, "recorded");

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++) {
		char events[TFP_NUMBER_ROOM], lanes[TFP_NUMBER_ROOM];
		int64_t count = 0, lines = 0;

		for (size_t i = 0; i < trace->lanes.count; i++)
			if (trace->lanes.at[i].kind == kinds[kind].kind &&
			    trace->lanes.at[i].samples == kinds[kind].samples) {
				uint32_t here = count_events(outline->build, &trace->lanes.at[i]);

				count += here;
				lines += here > 0;
			}
		if (count)
			tfp_outline_add(
				outline, section,
				tfp_arena_printf(&outline->arena, "%s %s%s on %s %s%s%s",
						 tfp_number_exact(events, count), kinds[kind].event,
						 count == 1 ? "" : "s",
						 tfp_number_exact(lanes, lines), kinds[kind].lane,
						 lines == 1 ? "" : "s", kinds[kind].more),
				kinds[kind].view ? tfp_outline_view(kinds[kind].view) : nowhere);
	}
	if (outline->rows.count == section + 1)
		tfp_outline_add(outline, section, "no event", nowhere);
}

/* ---- coverage --------------------------------------------------------------------------------- */

static void add_coverage(struct tfp_outline *outline)
{
	const struct tfp_profile *profile = outline->build->profile;
	const struct tfp_metric *metric = &profile->metrics[profile->default_metric];
	struct tfp_coverage coverage = tfp_coverage_of(profile, outline->build->step);
	const struct {
		const char *what, *view;
		double part;
	} rows[] = {
		{"has an op", "scope", coverage.op},
		{"has input shapes", "op", coverage.shape},
		{"has a call stack", profile->has_stacks ? "code" : NULL, coverage.stack},
		{"has float operations", "op", coverage.flops},
	};
	/* the last is of interest where some file says something of it */
	size_t count = sizeof(rows) / sizeof(*rows) - profile->metrics[TFP_TRACE_FLOPS].absent;
	uint32_t section;

	if (coverage.whole <= 0)
		return;
	section = tfp_outline_add(
		outline, 0, tfp_arena_printf(&outline->arena, "coverage: of the %s", metric->label),
		nowhere);
	for (size_t i = 0; i < count; i++)
		tfp_outline_add(
			outline, section,
			tfp_arena_printf(&outline->arena, "%5.1f%%  %s",
					 tfp_coverage_percent(rows[i].part, coverage.whole, 0.1),
					 rows[i].what),
			rows[i].view ? tfp_outline_view(rows[i].view) : nowhere);
}

void tfp_outline_trace(struct tfp_outline *outline)
{
	const struct tfp_trace *trace = outline->build->profile->trace;

	if (trace->device_events || (trace->whole && trace->whole->device_events))
		add_devices(outline);
	add_events(outline);
	add_coverage(outline);
}
