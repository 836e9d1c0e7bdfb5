/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences about idle devices: the line about a row of the idle view, and the finding that names what a
 * device waits for.
 */
#include <stdlib.h>

#include "view/views/idle.h"
#include "view/query/line.h"
#include "view/trace/roles.h"

#define WORTH 0.1 /* of a device's time: from here on that it is idle is a finding */
#define WORTH_WORD                                                                                 \
	1 /* percent of what there is of a device: less before its events, or behind them, is not told */

/* Of its time what was asked for. */
static int64_t length_of(const struct tfp_idleness *device)
{
	return tfp_wrap_add(device->idle, device->busy);
}

static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* ---- rows ---------------------------------------------------------------------------------- */

bool tfp_tree_gap(const struct tfp_tree *tree, uint32_t row, int64_t *begin, int64_t *end)
{
	const struct tfp_base *base = tree->base;

	if (!base->gap || base->gap[row] == TFP_NONE)
		return false;
	*begin = base->idle->gaps[base->gap[row]].begin;
	*end = base->idle->gaps[base->gap[row]].end;
	return true;
}

/* What is known of the device that ROW is of; NULL. */
static const struct tfp_idleness *device_of(const struct tfp_profile *profile,
					    const struct tfp_base *base, uint32_t row)
{
	const struct tfp_trace *trace = profile->trace;

	while (row && base->parent[row])
		row = base->parent[row];
	for (size_t i = 0; row && i < trace->devices.count; i++)
		if (trace->devices.at[i].name == base->name[row] && base->idle->device[i].events)
			return &base->idle->device[i];
	return NULL;
}

/* "10.69ms; launched 10.16ms late, by cuGraphLaunch on python3": since it began */
static char *gap_facts(const struct tfp_profile *profile, const struct tfp_gap *gap,
		       struct tfp_arena *arena)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t launch = gap->event == TFP_NONE ? TFP_NONE : tfp_trace_link(trace, gap->event);
	char length[TFP_NUMBER_ROOM], when[TFP_NUMBER_ROOM];
	bool late;
	int64_t wait;

	tfp_number_screen(length, trace->unit, tfp_gap_length(gap));
	if (gap->event == TFP_NONE)
		return tfp_arena_printf(arena, "%s; no event ended it", length);
	if (launch >= trace->count)
		return tfp_arena_printf(arena, "%s; its launch is not recorded", length);
	wait = (int64_t)((uint64_t)tfp_trace_start(trace, launch) - (uint64_t)gap->begin);
	late = wait >= 0;
	tfp_number_screen(when, trace->unit, late ? wait : -wait);
	return tfp_arena_printf(
		arena, "%s; launched %s %s, by %s on %s", length, when, late ? "late" : "early",
		tfp_strings_text(profile->strings, tfp_event_label(profile, launch)),
		tfp_strings_text(profile->strings,
				 trace->lanes.at[tfp_trace_lane(trace, launch)].name));
}

/* Is ROW a cause, with its gaps below it, rather than what several have in common? */
static bool is_cause(const struct tfp_base *base, uint32_t row)
{
	return row + 1 < base->end[row] && base->parent[row + 1] == row &&
	       base->gap[row + 1] != TFP_NONE;
}

/* The shown row below ROW, a device's, that is worth a word; TFP_NONE. */
static uint32_t main_row(const struct tfp_tree *tree, uint32_t row, uint64_t key)
{
	const struct tfp_base *base = tree->base;

	for (uint32_t at = row + 1; at < base->end[row]; at++)
		if (base->key[at] == key)
			return tree->shown[at] ? at : TFP_NONE;
	return TFP_NONE;
}

/* "4,027 gaps" */
static char *print_count(int64_t gaps, struct tfp_arena *arena)
{
	return tfp_number_count(arena, gaps, "gap");
}

static char *count_gaps(const struct tfp_tree *tree, uint32_t row, struct tfp_arena *arena)
{
	return print_count(tfp_tree_total(tree, row, TFP_TRACE_LAUNCHES), arena);
}

/* What ROW makes up; in a flat list a row has what is its own, but a device is idle for all of its gaps. */
static char *idle_time(const struct tfp_profile *profile, const struct tfp_tree *tree, uint32_t row,
		       struct tfp_arena *arena)
{
	const int64_t *total =
		tree->query.flat && row != tree->root ? tree->base->total : tree->total;
	char time[TFP_NUMBER_ROOM];

	tfp_number_screen(time, profile->trace->unit,
			  total[(size_t)row * tree->base->metric_count + TFP_TRACE_DEVICE]);
	return tfp_arena_printf(arena, "%s", time);
}

/* "; not counted: 11.20ms before its first event, 3.10ms after its last": in the step, or else all of the recording. */
static const char *left_out(const struct tfp_profile *profile, const struct tfp_tree *tree,
			    const struct tfp_idleness *device, struct tfp_arena *arena)
{
	const struct tfp_trace *trace = tfp_trace_whole(profile->trace);
	uint32_t file = trace->devices.at[device - tree->base->idle->device].file;
	uint32_t step = tfp_profile_find_step(profile, tree->query.step);
	struct tfp_step_span span = {.start = trace->begin, .end = trace->end};
	char before[TFP_NUMBER_ROOM], after[TFP_NUMBER_ROOM];
	int64_t early, late, least;

	/* of a range all counts */
	if (tfp_trace_is_ranged(profile->trace))
		return "";
	if (tree->query.step >= 0 && !tfp_trace_step_span(profile, trace, file, step, &span))
		return "";
	if (device->first >= span.end || device->last <= span.start)
		return "";
	early = device->first > span.start
			? (int64_t)((uint64_t)device->first - (uint64_t)span.start)
			: 0;
	late = device->last < span.end ? (int64_t)((uint64_t)span.end - (uint64_t)device->last) : 0;
	least = length_of(device) / 100 * WORTH_WORD;
	tfp_number_screen(before, trace->unit, early);
	tfp_number_screen(after, trace->unit, late);
	if (early > least && late > least)
		return tfp_arena_printf(
			arena, "; not counted: %s before its first event, %s after its last",
			before, after);
	if (early > least)
		return tfp_arena_printf(arena, "; not counted: %s before its first event", before);
	return late > least
		       ? tfp_arena_printf(arena, "; not counted: %s after its last event", after)
		       : "";
}

/* "134.11ms idle, 58.8% of 227.94ms; 131.40ms of it are 19 gaps in one cause" */
static char *device_facts(const struct tfp_profile *profile, const struct tfp_tree *tree,
			  uint32_t row, const struct tfp_idleness *device, struct tfp_arena *arena)
{
	const struct tfp_idle *of = tree->base->idle;
	const char *rest = left_out(profile, tree, device, arena);
	uint32_t cause = main_row(tree, row, of->main[device - of->device]);
	int64_t idle = tfp_tree_total(tree, row, TFP_TRACE_DEVICE);
	char whole[TFP_NUMBER_ROOM];
	char *text;

	tfp_number_screen(whole, profile->trace->unit, length_of(device));
	text = tfp_arena_printf(arena, "%s idle, %.1f%% of %s",
				idle_time(profile, tree, row, arena),
				share(idle, length_of(device)), whole);
	if (cause == TFP_NONE)
		return tfp_arena_printf(arena, "%s%s", text, rest);
	return tfp_arena_printf(
		arena, "%s; %s of it are %s in %s%s", text, idle_time(profile, tree, cause, arena),
		count_gaps(tree, cause, arena),
		is_cause(tree->base, cause) ? "one cause" : "causes that begin alike", rest);
}

/* "35.40ms idle in 102 gaps", of several devices more than the recording is long. */
static char *whole_facts(const struct tfp_profile *profile, const struct tfp_tree *tree,
			 uint32_t row, struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	char *text = tfp_arena_printf(arena, "%s idle in %s", idle_time(profile, tree, row, arena),
				      count_gaps(tree, row, arena));
	size_t devices = 0;

	for (size_t i = 0; i < profile->trace->devices.count; i++)
		devices += base->idle->device[i].events > 0;
	return devices < 2 ? text
			   : tfp_arena_printf(arena, "%s of %zu devices, added up", text, devices);
}

char *tfp_idle_facts(const struct tfp_profile *profile, const struct tfp_tree *tree, uint32_t row,
		     struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	const struct tfp_idleness *device = device_of(profile, base, row);
	uint32_t above = row;

	if (base->gap[row] != TFP_NONE)
		return gap_facts(profile, &base->idle->gaps[base->gap[row]], arena);
	if (!device)
		return whole_facts(profile, tree, row, arena);
	if (!base->parent[row])
		return device_facts(profile, tree, row, device, arena);
	while (base->parent[above])
		above = base->parent[above];
	return tfp_arena_printf(
		arena, "%s of %s idle are %s %s", idle_time(profile, tree, row, arena),
		idle_time(profile, tree, above, arena), count_gaps(tree, row, arena),
		is_cause(base, row)           ? "in one cause"
		: tfp_idle_is_rest(base, row) ? "shorter than those of this cause that have a row"
					      : "in causes that begin so");
}

/* ---- the finding --------------------------------------------------------------------------- */

/* The device that is idle longest; TFP_NONE: none is. */
static uint32_t most_idle(const struct tfp_gaps *gaps)
{
	uint32_t best = TFP_NONE;

	for (uint32_t i = 0; i < gaps->profile->trace->devices.count; i++)
		if (gaps->device[i].idle > 0 && !tfp_stands_aside(gaps->profile->trace, i) &&
		    (best == TFP_NONE || gaps->device[i].idle > gaps->device[best].idle))
			best = i;
	return best;
}

/* "; the host was in command_buffer::update for 64% of that", or nothing. */
static const char *say_meanwhile(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
				 struct tfp_arena *arena)
{
	bool *wanted = tfp_alloc_zero(gaps->causes.count + 1, sizeof(*wanted));
	struct tfp_meanwhile meanwhile;
	const char *text = "";
	int64_t whole = 0;
	size_t best = 0;

	for (uint32_t i = row->first; i < row->end; i++)
		wanted[gaps->sorted[i]] = true;
	tfp_meanwhile_start(&meanwhile);
	for (size_t i = 0; i < gaps->list.count; i++)
		if (wanted[gaps->list.at[i].cause]) {
			tfp_meanwhile_add(&meanwhile, gaps->profile, gaps->python,
					  &gaps->list.at[i]);
			whole = tfp_wrap_add(whole, tfp_gap_length(&gaps->list.at[i]));
		}
	for (size_t i = 1; i < meanwhile.time.count; i++)
		if (meanwhile.time.at[i] > meanwhile.time.at[best])
			best = i;
	if (meanwhile.time.count && meanwhile.labels.keys.at[best])
		text = tfp_arena_printf(arena, "; the host was in %s for %.0f%% of that",
					tfp_strings_text(gaps->profile->strings,
							 (tfp_str)meanwhile.labels.keys.at[best]),
					share(meanwhile.time.at[best], whole));
	tfp_meanwhile_end(&meanwhile);
	free(wanted);
	return text;
}

/*
 * "in aten::fill_ before cudaLaunchKernel; the host was in …" of a stack, "in forward; …" of what several have in
 * common.
 */
static char *say_why(const struct tfp_gaps *gaps, const struct tfp_cause_row *row,
		     struct tfp_arena *arena)
{
	const struct tfp_cause *cause = &gaps->causes.at[gaps->sorted[row->first]];
	const struct tfp_strings *strings = gaps->profile->strings;
	bool one = row->end - row->first == 1;
	const char *in = "";
	const tfp_str *labels;

	if (cause->kind != TFP_CAUSE_HOST || !cause->labels)
		return tfp_cause_clause(gaps, row, arena);
	labels = gaps->labels.at + cause->label_first;
	if (!one)
		return tfp_arena_printf(arena, "in %s%s",
					tfp_strings_text(strings, labels[row->above]),
					say_meanwhile(gaps, row, arena));
	if (row->depth > 1)
		in = tfp_arena_printf(arena, "in %s ",
				      tfp_strings_text(strings, labels[row->depth - 2]));
	return tfp_arena_printf(arena, "%sbefore %s%s", in,
				tfp_strings_text(strings, labels[row->depth - 1]),
				say_meanwhile(gaps, row, arena));
}

/* "one cause", "312 causes": they begin alike. */
static const char *say_causes(const struct tfp_cause_row *row, struct tfp_arena *arena)
{
	char count[TFP_NUMBER_ROOM];

	if (row->end - row->first == 1)
		return "one cause";
	return tfp_arena_printf(arena, "%s causes", tfp_number_exact(count, row->end - row->first));
}

static void tell(const struct tfp_gaps *gaps, uint32_t device, struct tfp_arena *arena,
		 struct tfp_finding *out)
{
	const struct tfp_profile *profile = gaps->profile;
	const struct tfp_idleness *idleness = &gaps->device[device];
	const struct tfp_cause_row *row = &gaps->tree.at[tfp_gaps_main(gaps, device)];
	struct tfp_span name =
		tfp_strings_get(profile->strings, profile->trace->devices.at[device].name);
	uint64_t key = tfp_key_below(tfp_key_below(0, TFP_SPAN(TFP_ROOT_LABEL)), name);
	const char *count = print_count(row->count, arena);
	char part[TFP_NUMBER_ROOM], whole[TFP_NUMBER_ROOM];
	double idle = share(idleness->idle, length_of(idleness));

	tfp_number_screen(part, profile->trace->unit, row->time);
	tfp_number_screen(whole, profile->trace->unit, idleness->idle);
	out->target = (struct tfp_target){"idle", tfp_cause_key(gaps, row, key)};
	out->brief = tfp_arena_printf(arena, "idle %.0f%%: %s, %s of it in %s of %s", idle, whole,
				      part, count, say_causes(row, arena));
	out->text = tfp_arena_printf(
		arena, "%.*s is idle for %s, %.1f%% of its time; %s of that in %s %s",
		(int)name.size, name.at, whole, idle, part, count, say_why(gaps, row, arena));
}

bool tfp_idle_finding(const struct tfp_profile *profile, struct tfp_arena *arena,
		      struct tfp_finding *out)
{
	struct tfp_gaps gaps;
	uint32_t device;
	bool found = false;

	if (tfp_view_idle.missing(profile))
		return false;
	tfp_gaps_find(&gaps, profile, TFP_STEP_MEAN, NULL);
	device = most_idle(&gaps);
	if (device != TFP_NONE &&
	    (double)gaps.device[device].idle >= WORTH * (double)length_of(&gaps.device[device])) {
		tell(&gaps, device, arena, out);
		found = true;
	}
	tfp_gaps_free(&gaps);
	return found;
}
