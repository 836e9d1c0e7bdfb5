/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line about a row: what it is, how many nodes are behind it, where they ran.
 */
#include <string.h>

#include "view/base.h"
#include "view/tree/cells.h"
#include "view/group/device.h"
#include "view/engine.h"
#include "view/views/idle.h"
#include "view/query/line.h"
#include "view/trace/coverage.h"
#include "view/trace/lengths.h"
#include "view/trace/track.h"
#include "view/group/modules.h"
#include "view/match/shape.h"
#include "tfprof/columns.h"

#define MOST_DEVICES 3 /* that a line names */
#define MOST_INPUTS  8

struct below {
	const struct tfp_profile *profile;
	uint32_t step;
	size_t nodes, ran;
	struct tfp_coverage coverage; /* of a recording */
	tfp_str device[MOST_DEVICES];
	size_t devices; /* distinct ones, up to one more than are named */
};

static bool has_run(const struct below *below, uint32_t node)
{
	const struct tfp_cells *cells = &below->profile->cells;
	uint32_t cell = below->profile->nodes.cell[node];

	while (below->step != TFP_STEP_MEAN && cell != TFP_NONE && cells->step[cell] != below->step)
		cell = cells->older[cell];
	return cell != TFP_NONE;
}

static void add_device(struct below *below, tfp_str device)
{
	if (!device)
		return;
	for (size_t i = 0; i < below->devices && i < MOST_DEVICES; i++)
		if (below->device[i] == device)
			return;
	if (below->devices < MOST_DEVICES)
		below->device[below->devices] = device;
	if (below->devices <= MOST_DEVICES)
		below->devices++;
}

static void look_at(struct below *below, uint32_t node)
{
	below->nodes++;
	below->ran += has_run(below, node);
	add_device(below, below->profile->nodes.device[node]);
	if (below->profile->trace)
		tfp_coverage_add(&below->coverage, below->profile, node, below->step);
}

/* The nodes of ROW and of what is below it, up to END; rows with picks have theirs in one piece. */
static void look_below(struct below *below, const struct tfp_base *base, uint32_t row, uint32_t end)
{
	if (base->picks) {
		for (uint32_t i = base->pick_first[row]; i < base->pick_first[end]; i++)
			look_at(below, base->picks[i]);
		return;
	}
	for (; row < end; row++)
		if (base->node[row] != TFP_NONE && base->flags[row] & TFP_ROW_ACCOUNTED)
			look_at(below, base->node[row]);
}

static void name_devices(struct tfp_line *line, const struct below *below)
{
	char name[128];

	for (size_t i = 0; i < below->devices && i < MOST_DEVICES; i++) {
		tfp_device_name(name, sizeof(name),
				tfp_strings_get(below->profile->strings, below->device[i]));
		tfp_line_add(line, i ? " " : ", on ", name);
	}
	if (below->devices > MOST_DEVICES)
		tfp_line_add(line, " ", "and others");
}

static void count_nodes(struct tfp_line *line, const struct below *below)
{
	const char *plural = below->nodes == 1 ? "" : "s";
	char nodes[TFP_NUMBER_ROOM], ran[TFP_NUMBER_ROOM];

	tfp_number_exact(nodes, (int64_t)below->nodes);
	tfp_number_exact(ran, (int64_t)below->ran);
	if (!below->profile->tensorflow) {
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "%s %s%s", nodes,
					      tfp_node_word(below->profile), plural));
		return;
	}
	tfp_line_add(line, ", ", tfp_arena_printf(line->arena, "%s node%s", nodes, plural));
	if (below->profile->steps.count)
		tfp_line_add(line, ", ", tfp_arena_printf(line->arena, "%s ran", ran));
}

/*
 * "busy 10.10ms, 12.30ms with overlaps, 3.20ms on the host, 24 runs, 96 device events"; what runs on devices at once counts once in
 * the first, and is told again where that makes a difference.
 */
static void add_times(struct tfp_line *line, const struct tfp_tree *tree, uint32_t row)
{
	static const struct {
		enum tfp_trace_metric metric;
		const char *before, *after;
	} parts[] = {
		{TFP_TRACE_BUSY, "busy ", ""},
		{TFP_TRACE_DEVICE, "", " with overlaps"},
		{TFP_TRACE_HOST, "", " on the host"},
		{TFP_TRACE_RUNS, "", " run"},
		{TFP_TRACE_LAUNCHES, "", " device event"},
	};

	char busy[TFP_NUMBER_ROOM] = "";

	for (size_t i = 0; tree->base->traced && i < sizeof(parts) / sizeof(*parts); i++) {
		const struct tfp_metric *metric = &tree->base->metrics[parts[i].metric];
		int64_t value = tfp_tree_total(tree, row, parts[i].metric);
		char number[TFP_NUMBER_ROOM];

		if (metric->absent || !value)
			continue;
		if (metric->unit == TFP_COUNT)
			tfp_number_exact(number, value);
		else
			tfp_number_screen(number, metric->unit, value);
		if (parts[i].metric == TFP_TRACE_BUSY)
			strcpy(busy, number);
		if (parts[i].metric == TFP_TRACE_DEVICE && !strcmp(number, busy))
			continue;
		tfp_line_add(line, ", ",
			     tfp_arena_printf(line->arena, "%s%s%s%s", parts[i].before, number,
					      parts[i].after,
					      metric->unit == TFP_COUNT && value != 1 ? "s" : ""));
	}
}

/* Why a step has no BUSY% while a part of its ops is shown. */
static void add_mixed(struct tfp_line *line, const struct tfp_tree *tree, uint32_t row)
{
	if (tfp_busy_is_mixed(tree->base, row, tfp_tree_total(tree, row, TFP_TRACE_BUSY)))
		tfp_line_add(line, "; ",
			     "no BUSY%: how much of that cores do that only help is not known");
}

/* Of rows that are sums of nodes: others have but a part of what their nodes took. */
static void add_coverage(struct tfp_line *line, const struct tfp_tree *tree,
			 const struct below *below)
{
	const struct tfp_profile *profile = below->profile;
	const char *text, *of;

	if (!profile->trace || tree->base->track || tree->base->strips)
		return;
	of = tfp_arena_printf(line->arena, " of the %s",
			      profile->metrics[profile->default_metric].label);
	text = tfp_coverage_text(&below->coverage, of, line->arena);
	if (text)
		tfp_line_add(line, ", ", text);
}

/* What stands out in the whole, and how far its sums can be trusted: first, where something is missing. */
static char *whole_facts(const struct tfp_tree *tree, const struct tfp_profile *profile,
			 struct tfp_arena *arena)
{
	const char *findings = tfp_findings(profile, arena);
	const char *coverage = tfp_tree_coverage(tree, profile, arena);
	bool missing = tfp_coverage_text(&tree->base->coverage, "", arena);
	struct tfp_line line = {.arena = arena};

	if (!findings)
		return NULL;
	if (coverage && missing)
		tfp_line_add(&line, "; ", coverage);
	if (tree->query.step >= 0) /* they tell steps apart, too */
		findings = tfp_arena_printf(arena, "in all steps: %s", findings);
	tfp_line_add(&line, "; ", findings);
	if (coverage && !missing)
		tfp_line_add(&line, "; ", coverage);
	return line.text;
}

/* Whoever estimates says so in the label. */
static bool is_estimate(const struct tfp_metric *metric)
{
	return strstr(metric->label, "estimate") != NULL;
}

/* No device does more than it can: then the operations, or the peak, are told wrong. */
static void add_peak(struct tfp_line *line, const struct tfp_tree *tree, uint32_t row,
		     struct tfp_column column)
{
	double peak = tfp_rate_peak(tree->base, column.metric);
	struct tfp_cell cell;

	if (peak <= 0)
		return;
	column.kind = TFP_COLUMN_PEAK;
	tfp_tree_cell(tree, row, tree->root, &column, &cell);
	tfp_line_add(line, ", ",
		     tfp_arena_printf(line->arena, "%s%% of the peak%s", cell.text,
				      tfp_rate(tree, row, column.metric) > peak
					      ? ", more than a device can"
					      : ""));
}

static void add_rate(struct tfp_line *line, const struct tfp_tree *tree, uint32_t row)
{
	struct tfp_column column = {.kind = TFP_COLUMN_RATE, .metric = TFP_TF_FLOAT_OPS};
	struct tfp_cell cell;
	const char *unit;

	if (tree->base->traced)
		column.metric = TFP_TRACE_FLOPS;
	else if (!tree->base->tensorflow)
		return;
	if (tree->base->metrics[column.metric].absent)
		return;
	tfp_tree_cell(tree, row, tree->root, &column, &cell);
	if (cell.dim)
		return;
	unit = cell.text + strcspn(cell.text, "kMGTPE"); /* "868.50T" */
	tfp_line_add(
		line, ", ",
		tfp_arena_printf(
			line->arena, "%.*s %sFLOP/s%s", (int)(unit - cell.text), cell.text, unit,
			is_estimate(&tree->base->metrics[column.metric]) ? " by an estimate" : ""));
	add_peak(line, tree, row, column);
}

static uint32_t input_count(const struct tfp_profile *profile, uint32_t node)
{
	const struct tfp_nodes *nodes = &profile->nodes;

	/* Only where these parts are there already: a line of facts is not worth a wait. */
	if (!nodes->input_first || !nodes->output_first)
		return 0;
	return nodes->input_first[node + 1] - nodes->input_first[node];
}

/* "Conv2D 0:128x32x32x16|1:3x3x16x16", as reports write shapes. */
static void describe_node(struct tfp_line *line, const struct tfp_profile *profile, uint32_t node,
			  unsigned quirks)
{
	uint32_t count = input_count(profile, node);

	tfp_line_add(line, "", tfp_strings_text(profile->strings, profile->nodes.op[node]));
	for (uint32_t i = 0; i < count && i < MOST_INPUTS; i++) {
		uint32_t shape = tfp_profile_input_shape(profile, node, i, quirks);
		char text[64] = "";

		if (shape != TFP_NONE)
			tfp_profile_shape_text(profile, shape, text, sizeof(text));
		tfp_line_add(line, i ? "|" : " ",
			     tfp_arena_printf(line->arena, "%u:%s", i, *text ? text : "?"));
	}
	if (count > MOST_INPUTS)
		tfp_line_add(line, "|", "...");
}

/* The whole path of a frame: labels have the last part of it. */
static void describe_frame(struct tfp_line *line, const struct tfp_profile *profile, uint32_t stack)
{
	const struct tfp_frame *frame = &profile->frames.at[profile->stacks.at[stack].frame];
	const char *file = tfp_strings_text(profile->strings, frame->file);

	if (!frame->file) /* there is no source of what the runtime does by itself */
		return;
	if (frame->line > 0)
		tfp_line_add(line, "", tfp_arena_printf(line->arena, "%s:%d", file, frame->line));
	else
		tfp_line_add(line, "", file);
}

static void describe(struct tfp_line *line, const struct tfp_profile *profile,
		     const struct tfp_tree *tree, uint32_t row)
{
	const struct tfp_base *base = tree->base;

	if (base->node[row] != TFP_NONE && profile->nodes.op[base->node[row]])
		describe_node(line, profile, base->node[row],
			      tree->query.compat ? TFP_QUIRKS_TF : 0);
	else if (base->stack && base->stack[row] != TFP_NONE)
		describe_frame(line, profile, base->stack[row]);
}

/* How a kernel was launched, where ROW of the device view has one variant of one. */
static void add_launch(struct tfp_line *line, const struct tfp_base *base, uint32_t row,
		       const struct tfp_trace *trace)
{
	char text[TFP_VARIANT_ROOM] = "";
	const struct tfp_track *track;

	if (!base->track || !row)
		return;
	track = &base->track[base->end[row] == row + 2 ? row + 1 : row];
	/* what only the baseline has is on no device */
	if (track->device < trace->devices.count && track->work < trace->works.count)
		tfp_launch_text(text, &trace->works.at[track->work]);
	if (*text)
		tfp_line_add(line, ", ", text);
}

static bool lacks_accelerator(const struct tfp_profile *profile)
{
	return profile->tensorflow && profile->steps.count &&
	       profile->metrics[TFP_TF_ACCELERATOR_MICROS].absent;
}

/* "pprof profile, 12,345 bytes, 1 files": of the whole what the loader says of it. */
static char *listed_facts(const struct tfp_tree *tree, uint32_t row,
			  const struct tfp_profile *profile, struct tfp_arena *arena)
{
	struct tfp_line line = {.arena = arena};
	char number[TFP_NUMBER_ROOM];

	if (row == tree->root)
		return tfp_arena_printf(arena, "%s", tree->shown_count ? "" : profile->listing);
	for (uint32_t i = 0; i < profile->metric_count; i++) {
		const struct tfp_metric *metric = &profile->metrics[i];
		int64_t value = tfp_tree_self(tree, row, i);

		if (metric->unit == TFP_WORDS && value)
			tfp_line_add(&line, ", ",
				     tfp_strings_text(profile->strings, metric->words[value]));
		if (metric->unit == TFP_BYTES)
			tfp_line_add(&line, ", ",
				     tfp_arena_printf(arena, "%s bytes",
						      tfp_number_exact(number, value)));
	}
	return line.text ? line.text : tfp_arena_text(arena, "", 0);
}

/* Where the line ROW leads to, and what is compared there. */
static char *target_facts(const struct tfp_base *base, uint32_t row, struct tfp_arena *arena)
{
	const struct tfp_contrast *contrast = base->contrast ? &base->contrast[row] : NULL;
	const char *view = base->target[row].view;

	if (!contrast || contrast->rank < 0)
		return tfp_arena_printf(arena, "in the %s view", view);
	if (contrast->other < 0)
		return tfp_arena_printf(arena, "in the %s view, rank %lld against the median", view,
					(long long)contrast->rank);
	return tfp_arena_printf(arena, "in the %s view, rank %lld against rank %lld", view,
				(long long)contrast->rank, (long long)contrast->other);
}

char *tfp_engine_facts(struct tfp_engine *engine, const struct tfp_tree *tree, uint32_t row,
		       struct tfp_arena *arena)
{
	const struct tfp_profile *profile = tfp_engine_profile(engine);
	struct tfp_line line = {.arena = arena};
	struct below below = {.profile = profile};
	const struct tfp_target *target = tree->base->target;
	uint32_t end;

	if (!tfp_window_set(&engine->window, engine->profile, &tree->query, NULL))
		return tfp_arena_text(arena, "", 0);
	row = tfp_base_place(tree->base, row);
	end = tree->query.flat ? row + 1 : tree->base->end[row];
	if (tree->base->view->listing)
		return listed_facts(tree, row, profile, arena);
	if (tree->base->idle)
		return tfp_idle_facts(profile, tree, row, arena);
	if (tree->base->flags[row] & TFP_ROW_PART)
		return tfp_module_part_facts(profile, tree->base, row, arena);
	if (target && row && target[row].view && !strcmp(target[row].view, tree->base->view->name))
		return tfp_arena_printf(arena, "is shown once, in another place");
	if (target && row && target[row].view)
		return target_facts(tree->base, row, arena);
	if (target && row)
		return tfp_arena_text(arena, "", 0);
	if (row == tree->root && tree->base->curve)
		return tfp_curve_text(tree->base->curve, arena);
	if (row == tree->root && !row) {
		char *whole = whole_facts(tree, profile, arena);

		if (whole)
			return whole;
	}
	below.step = tfp_base_step(tree->base, profile, &tree->query);
	if (tree->base->step && tree->base->step[row] != TFP_NONE)
		below.step = tree->base->step[row];
	look_below(&below, tree->base, row, row ? end : tree->base->count);
	describe(&line, profile, tree, row);
	add_launch(&line, tree->base, row, profile->trace);
	if (below.nodes ||
	    (tree->base->view != &tfp_view_functions && !tree->base->track && !tree->base->strips))
		count_nodes(&line, &below);
	add_coverage(&line, tree, &below);
	name_devices(&line, &below);
	add_times(&line, tree, row);
	add_rate(&line, tree, row);
	add_mixed(&line, tree, row);
	if (below.ran && lacks_accelerator(profile))
		tfp_line_add(&line, "; ", "the file has no accelerator time");
	return line.text ? line.text : tfp_arena_text(arena, "", 0);
}

/* The node whose input shapes are those of ROW; TFP_NONE where the row has no single ones. */
static uint32_t shaped_node(const struct tfp_base *base, uint32_t row)
{
	bool signature = base->view == &tfp_view_op && base->picks &&
			 base->parent[row] != TFP_NONE && base->parent[row] != 0;

	if (base->node[row] != TFP_NONE || !signature)
		return base->node[row];
	return base->pick_first[row] < base->pick_first[base->end[row]]
		       ? base->picks[base->pick_first[row]]
		       : TFP_NONE;
}

char *tfp_engine_shape(struct tfp_engine *engine, const struct tfp_tree *tree, uint32_t row,
		       struct tfp_job *job, struct tfp_arena *arena)
{
	struct tfp_profile *profile = tfp_engine_profile(engine);
	uint32_t node = shaped_node(tree->base, row);
	struct tfp_diag *diag;
	char *shape = NULL;

	if (node == TFP_NONE)
		return NULL;
	diag = tfp_diag_new();
	if (tfp_profile_need(profile, TFP_PART_EDGES | TFP_PART_SHAPES, job, diag))
		shape = tfp_shape_text(profile, node, tree->query.compat ? TFP_QUIRKS_TF : 0,
				       arena);
	tfp_diag_free(diag);
	return shape;
}
