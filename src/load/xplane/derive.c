/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines that profilers of GPUs do not record, but show: when which module, scope, op, source line and CUDA
 * graph was at work. They are drawn and not summed. A box goes on as long as kernels of the same thing follow each
 * other in the same step.
 */
#include <stdlib.h>
#include <string.h>

#include "load/xplane/reader.h"

#define MOST_EVENTS 200000 /* of devices; lines of more would take more room than they are worth */
#define MOST_PARTS  32     /* of scopes in each other */

enum derived_line {
	LINE_MODULES,
	LINE_SCOPES,
	LINE_OPS,
	LINE_INSTRUCTIONS,
	LINE_SOURCE,
	LINE_GRAPHS,
	LINES
};

static const char *const line_names[LINES] = {
	[LINE_MODULES] = "XLA Modules", [LINE_SCOPES] = "Framework Name Scope",
	[LINE_OPS] = "Framework Ops",   [LINE_INSTRUCTIONS] = "XLA Ops",
	[LINE_SOURCE] = "Source code",  [LINE_GRAPHS] = "Command Buffers",
};

struct box {
	tfp_str label;
	int64_t start, end;
};

struct device {
	uint32_t streams;
	bool has_lines; /* such as are made here, by the file */
};

/* What is under way on a line: boxes in each other, as deep as scopes are. */
struct deriver {
	struct tfp_xreader *reader;
	int64_t step;    /* in which the last event was launched, */
	uint32_t launch; /* by which event of the host, TFP_NONE: not known, */
	tfp_str graph;   /* and what that launches, if it is a CUDA graph; else 0 */
	uint32_t lane[LINES];
	struct box open[LINES][MOST_PARTS];
	uint32_t depth[LINES];
	struct device *devices;    /* of the trace, as their lanes are before any is made */
	struct tfp_xmarker *steps; /* by start */
	size_t step_count;
};

/* ---- boxes ----------------------------------------------------------------------------------- */

/* The lines of the stream LANE; several streams are told apart as xprof does. */
static void add_lanes(struct deriver *deriver, struct tfp_lane lane)
{
	struct tfp_xreader *reader = deriver->reader;
	bool alone = deriver->devices[lane.device].streams < 2;

	lane.kind = TFP_LANE_DERIVED;
	lane.made = true;
	for (int line = 0; line < LINES; line++) {
		lane.name = tfp_strings_add_text(
			reader->profile->strings,
			alone ? line_names[line]
			      : tfp_arena_printf(&reader->facts->arena, "%s - from #%lld",
						 line_names[line], (long long)lane.id));
		deriver->lane[line] = tfp_trace_add_lane(reader->trace, &lane);
	}
}

/* Ends the boxes of LINE that are deeper than DEPTH, before START. */
static void close_boxes(struct deriver *deriver, enum derived_line line, uint32_t depth,
			int64_t start)
{
	struct tfp_xreader *reader = deriver->reader;

	while (deriver->depth[line] > depth) {
		const struct box *box = &deriver->open[line][--deriver->depth[line]];
		struct tfp_trace_work work = {
			.name = box->label,
			.class = TFP_WORK_OTHER,
			.registers = -1,
			.static_shared = -1,
			.dynamic_shared = -1,
			.occupancy = -1,
		};
		int64_t end = box->end < start ? box->end : start;

		tfp_trace_add(reader->trace, deriver->lane[line], box->start,
			      tfp_wrap_add(end, tfp_wrap_mul(box->start, -1)), TFP_NONE,
			      tfp_trace_add_work(reader->profile, &work), TFP_NONE);
	}
}

/* From START to END the COUNT LABELS, outermost first, are at work on LINE. */
static void put_boxes(struct deriver *deriver, enum derived_line line, const tfp_str *labels,
		      uint32_t count, int64_t start, int64_t end)
{
	struct box *open = deriver->open[line];
	uint32_t same = 0;

	while (same < count && same < deriver->depth[line] && open[same].label == labels[same])
		same++;
	close_boxes(deriver, line, same, start);
	for (uint32_t i = 0; i < same; i++)
		open[i].end = end > open[i].end ? end : open[i].end;
	for (; same < count; same++)
		open[deriver->depth[line]++] = (struct box){labels[same], start, end};
}

/* ---- what is at work ------------------------------------------------------------------------- */

/* The parts of a path; of more than there is room for the last ones are left out. */
static uint32_t split(struct tfp_strings *strings, struct tfp_span path, tfp_str parts[MOST_PARTS])
{
	uint32_t count = 0;

	while (path.size && count < MOST_PARTS) {
		const char *slash = memchr(path.at, '/', path.size);
		size_t size = slash ? (size_t)(slash - path.at) : path.size;

		if (size)
			parts[count++] = tfp_strings_add(strings, path.at, size);
		size += slash != NULL;
		path = tfp_span_from(path, size);
	}
	return count;
}

static void put_path(struct deriver *deriver, struct tfp_span path, int64_t start, int64_t end)
{
	tfp_str parts[MOST_PARTS];
	const char *cut = path.size ? memchr(path.at, ';', path.size) : NULL;
	uint32_t count;

	if (cut)
		path.size = (size_t)(cut - path.at);
	count = split(deriver->reader->profile->strings, path, parts);
	put_boxes(deriver, LINE_SCOPES, parts, count ? count - 1 : 0, start, end);
	put_boxes(deriver, LINE_OPS, parts + (count ? count - 1 : 0), count ? 1 : 0, start, end);
}

static void put_module(struct deriver *deriver, uint32_t node, int64_t start, int64_t end)
{
	struct tfp_strings *strings = deriver->reader->profile->strings;
	const tfp_str *module = deriver->reader->profile->nodes.module;
	tfp_str parts[MOST_PARTS];
	uint32_t count = module ? split(strings, tfp_strings_get(strings, module[node]), parts) : 0;

	put_boxes(deriver, LINE_MODULES, parts, count ? 1 : 0, start, end);
	put_boxes(deriver, LINE_INSTRUCTIONS, parts + (count ? count - 1 : 0), count > 1 ? 1 : 0,
		  start, end);
}

static void put_source(struct deriver *deriver, uint32_t node, int64_t start, int64_t end)
{
	struct tfp_xreader *reader = deriver->reader;
	uint32_t stack = reader->stacks.at[node];
	const struct tfp_frame *frame =
		stack == TFP_NONE
			? NULL
			: &reader->profile->frames.at[reader->profile->stacks.at[stack].frame];
	tfp_str label = 0;

	if (frame && frame->file)
		label = tfp_strings_add_text(
			reader->profile->strings,
			tfp_arena_printf(&reader->facts->arena, "%s:%d",
					 tfp_strings_text(reader->profile->strings, frame->file),
					 (int)frame->line));
	put_boxes(deriver, LINE_SOURCE, &label, label ? 1 : 0, start, end);
}

/* "cuGraphLaunch (CudaGraph:2)" launches "Command Buffer 2", as xprof calls it. */
static tfp_str name_graph(const struct deriver *deriver, uint32_t launch)
{
	static const char head[] = "CudaGraph:";
	struct tfp_xreader *reader = deriver->reader;
	const char *label =
		tfp_strings_text(reader->profile->strings, tfp_xhost_label(reader, launch));
	const char *number = strstr(label, head);
	size_t digits = number ? strspn(number += sizeof(head) - 1, "0123456789") : 0;

	return tfp_strings_add_text(
		reader->profile->strings,
		tfp_arena_printf(&reader->facts->arena, "Command Buffer%s%.*s", digits ? " " : "",
				 digits < 20 ? (int)digits : 20, digits ? number : ""));
}

/* A launch of a graph is one box, whatever comes before and behind it. */
static void put_graph(struct deriver *deriver, uint32_t event, bool in_graph, int64_t start,
		      int64_t end)
{
	uint32_t launch = tfp_trace_link(deriver->reader->trace, event);

	if (launch != deriver->launch) {
		close_boxes(deriver, LINE_GRAPHS, 0, start);
		deriver->launch = launch;
		deriver->graph = launch == TFP_NONE ? 0 : name_graph(deriver, launch);
	}
	put_boxes(deriver, LINE_GRAPHS, &deriver->graph, in_graph && deriver->graph ? 1 : 0, start,
		  end);
}

static void close_all(struct deriver *deriver, int64_t start)
{
	for (int line = 0; line < LINES; line++)
		close_boxes(deriver, line, 0, start);
}

/* Which of the steps EVENT was launched in; -1: in none. */
static int64_t step_of(const struct deriver *deriver, uint32_t event)
{
	const struct tfp_trace *trace = deriver->reader->trace;
	uint32_t launch = tfp_trace_link(trace, event);
	int64_t time = tfp_trace_start(trace, launch < trace->count ? launch : event);
	size_t low = 0, high = deriver->step_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (deriver->steps[middle].start <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low && time < deriver->steps[low - 1].end ? (int64_t)low - 1 : -1;
}

static void put_event(struct deriver *deriver, uint32_t event)
{
	struct tfp_xreader *reader = deriver->reader;
	int64_t start = tfp_trace_start(reader->trace, event),
		end = tfp_trace_end(reader->trace, event);
	int64_t step = step_of(deriver, event);
	uint32_t node = tfp_trace_node(reader->trace, event), slot;

	if (step != deriver->step)
		close_all(deriver, start);
	deriver->step = step;
	slot = tfp_idmap_get(&reader->facts->slot_of_node, node);
	if (slot == TFP_NONE || reader->profile->nodes.flags[node] & TFP_NODE_UNOWNED) {
		close_all(deriver, start);
		return;
	}
	put_path(deriver, reader->facts->slots.at[slot].path, start, end);
	put_module(deriver, node, start, end);
	put_source(deriver, node, start, end);
	put_graph(deriver, event, reader->facts->slots.at[slot].in_graph, start, end);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void derive_lane(struct deriver *deriver, const struct tfp_lane *lane)
{
	struct tfp_trace *trace = deriver->reader->trace;
	uint32_t first = lane->first, end = first + lane->count, before = trace->count;

	add_lanes(deriver, *lane);
	deriver->step = -1;
	deriver->launch = TFP_NONE;
	deriver->graph = 0;
	for (uint32_t i = first; i < end; i++)
		put_event(deriver, i);
	close_all(deriver, INT64_MAX);
	if (trace->count == before)
		trace->lanes.count -= LINES;
}

static int by_start(const void *left, const void *right)
{
	const struct tfp_xmarker *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Whose numbers were told before: they are wanted by time from here on. */
static void sort_steps(struct deriver *deriver)
{
	struct tfp_xreader *reader = deriver->reader;

	deriver->steps = reader->markers.at;
	deriver->step_count = reader->markers.count;
	if (deriver->step_count)
		qsort(reader->markers.at, deriver->step_count, sizeof(*deriver->steps), by_start);
}

static void look_at_devices(struct deriver *deriver)
{
	const struct tfp_trace *trace = deriver->reader->trace;

	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];
		struct device *device = &deriver->devices[lane->device];

		device->streams += lane->kind == TFP_LANE_DEVICE;
		device->has_lines |= lane->kind == TFP_LANE_DERIVED && lane->count;
	}
}

/* Is LANE one of a device's that has no such lines? */
static bool is_wanted(const struct deriver *deriver, const struct tfp_lane *lane)
{
	return lane->kind == TFP_LANE_DEVICE && lane->count &&
	       !deriver->devices[lane->device].has_lines;
}

static uint32_t count_events(const struct deriver *deriver)
{
	const struct tfp_xreader *reader = deriver->reader;
	uint32_t count = 0;

	for (size_t i = reader->first_lane; i < reader->trace->lanes.count; i++)
		if (is_wanted(deriver, &reader->trace->lanes.at[i]))
			count += reader->trace->lanes.at[i].count;
	return count;
}

void tfp_xderive(struct tfp_xreader *reader)
{
	struct deriver *deriver = tfp_alloc_zero(1, sizeof(*deriver));
	struct tfp_trace *trace = reader->trace;
	size_t lanes = trace->lanes.count;
	uint32_t count, before = trace->count;

	deriver->reader = reader;
	deriver->devices = tfp_alloc_zero(trace->devices.count + 1, sizeof(*deriver->devices));
	look_at_devices(deriver);
	count = count_events(deriver);
	if (count > MOST_EVENTS)
		tfp_xproblem(
			reader, TFP_NOTE,
			"the time view has no lines of modules, scopes, ops and source lines: they are made of at "
			"most %d events of devices, here are %u",
			MOST_EVENTS, count);
	else
		sort_steps(deriver);
	for (size_t i = reader->first_lane; count <= MOST_EVENTS && i < lanes; i++)
		if (is_wanted(deriver, &trace->lanes.at[i]))
			derive_lane(deriver, &trace->lanes.at[i]);
	if (trace->count != before)
		tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true});
	tfp_array_release(deriver->devices);
	free(deriver);
}
