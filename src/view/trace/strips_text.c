/* SPDX-License-Identifier: Apache-2.0 */
/* Events in words: what they are called, and a line about one of them. */
#include "view/trace/hostwalk.h"
#include "view/trace/strips.h"
#include "view/query/line.h"

/* What EVENT is, of a piece of a loop that. */
static uint32_t whole_of(const struct tfp_trace *trace, uint32_t event)
{
	uint32_t loop = tfp_trace_loop(trace, event);

	return loop == TFP_NONE ? event : loop;
}

struct tfp_span tfp_event_name(const struct tfp_profile *profile, const struct tfp_trace *trace,
			       uint32_t event)
{
	uint32_t whole = whole_of(trace, event), work = tfp_trace_work_of(trace, whole),
		 node = tfp_trace_node(trace, whole);

	if (work < trace->works.count)
		return tfp_strings_get(profile->strings, trace->works.at[work].name);
	if (node == TFP_NONE)
		return TFP_SPAN("?");
	return tfp_strings_get(profile->strings, tfp_node_label(profile, node));
}

struct tfp_span tfp_strips_name(const struct tfp_strips *strips, uint32_t event)
{
	return tfp_event_name(strips->profile, strips->trace, event);
}

/* The op that a device's event is owned by, or the path that a host's has. */
static void add_owner(struct tfp_line *line, const struct tfp_strips *strips, uint32_t event)
{
	const struct tfp_profile *profile = strips->profile;
	uint32_t node = tfp_trace_node(strips->trace, event);
	tfp_str name;

	if (node == TFP_NONE)
		return;
	name = profile->nodes.name[node];
	if (!tfp_span_equal(tfp_strings_get(profile->strings, name),
			    tfp_strips_name(strips, event)))
		tfp_line_add(line, "  ", tfp_strings_text(profile->strings, name));
}

static void add_step(struct tfp_line *line, const struct tfp_strips *strips, uint32_t event)
{
	const struct tfp_profile *profile = strips->profile;
	size_t hint = 0;
	uint32_t step = tfp_trace_event_step(strips->trace, event, &hint);

	if (profile->steps.count < 2 || step == TFP_NONE ||
	    profile->steps.at[step].number == TFP_STEP_OUTSIDE)
		return;
	tfp_line_add(line, "  ",
		     tfp_arena_printf(line->arena, "step %lld",
				      (long long)profile->steps.at[step].number));
}

static void add_launch(struct tfp_line *line, const struct tfp_strips *strips, uint32_t event)
{
	const struct tfp_trace *trace = strips->trace;
	uint32_t launch = tfp_trace_link(strips->trace, event);
	char text[TFP_NUMBER_ROOM];

	if (trace->lanes.at[tfp_trace_lane(trace, event)].kind != TFP_LANE_DEVICE ||
	    launch >= trace->count ||
	    tfp_trace_start(strips->trace, launch) > tfp_trace_start(strips->trace, event))
		return;
	tfp_number_screen(text, trace->unit,
			  (int64_t)((uint64_t)tfp_trace_start(strips->trace, event) -
				    (uint64_t)tfp_trace_start(strips->trace, launch)));
	tfp_line_add(line, "  ", tfp_arena_printf(line->arena, "launched %s before", text));
}

/* Its time is not that of its file. */
static void add_moved(struct tfp_line *line, const struct tfp_trace *trace, uint32_t event)
{
	uint32_t device = trace->lanes.at[tfp_trace_lane(trace, event)].device;
	int64_t moved = trace->devices.at[device].moved;
	char text[TFP_NUMBER_ROOM];

	if (!moved)
		return;
	tfp_number_screen(text, trace->unit, moved < 0 ? tfp_wrap_add(0, -moved) : moved);
	tfp_line_add(
		line, "  ",
		tfp_arena_printf(line->arena, "clock moved by %s%s", moved < 0 ? "-" : "", text));
}

char *tfp_strips_text(const struct tfp_strips *strips, uint32_t event, struct tfp_arena *arena)
{
	const struct tfp_trace *trace = strips->trace;
	struct tfp_span name = tfp_strips_name(strips, event);
	uint32_t whole = whole_of(trace, event);
	struct tfp_line line = {.arena = arena};
	char start[TFP_NUMBER_ROOM], duration[TFP_NUMBER_ROOM];

	tfp_number_screen(
		start, trace->unit,
		(int64_t)((uint64_t)tfp_trace_start(trace, whole) - (uint64_t)trace->begin));
	tfp_number_screen(duration, trace->unit, tfp_trace_duration(trace, whole));
	tfp_line_add(&line, "",
		     tfp_arena_printf(arena, "%s at %s  %.*s", duration, start,
				      (int)(name.size < 4096 ? name.size : 4096), name.at));
	add_step(&line, strips, event);
	add_launch(&line, strips, event);
	add_owner(&line, strips, event);
	add_moved(&line, trace, event);
	return line.text;
}
