/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences about idle devices: the line about a row of the idle view, and the finding that names what a
 * device waits for.
 */
#include <stdlib.h>

#include "view/idle.h"
#include "view/line.h"

#define WORTH 0.1 /* of a device's time: from here on that it is idle is a finding */

static int64_t length_of(const struct tfp_idleness *device)
{
	return (int64_t)((uint64_t)device->last - (uint64_t)device->first);
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
	uint32_t launch = trace->link[gap->event];
	char length[TFP_NUMBER_ROOM], when[TFP_NUMBER_ROOM];
	bool late;
	int64_t wait;

	tfp_number_screen(length, trace->unit, tfp_gap_length(gap));
	if (launch >= trace->count)
		return tfp_arena_printf(arena, "%s; its launch is not recorded", length);
	wait = (int64_t)((uint64_t)trace->start[launch] - (uint64_t)gap->begin);
	late = wait >= 0;
	tfp_number_screen(when, trace->unit, late ? wait : -wait);
	return tfp_arena_printf(
		arena, "%s; launched %s %s, by %s on %s", length, when, late ? "late" : "early",
		tfp_strings_text(profile->strings, tfp_event_label(profile, launch)),
		tfp_strings_text(profile->strings, trace->lanes.at[trace->lane[launch]].name));
}

char *tfp_idle_facts(const struct tfp_profile *profile, const struct tfp_tree *tree, uint32_t row,
		     struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	const struct tfp_idleness *device = device_of(profile, base, row);
	int64_t idle = tfp_tree_total(tree, row, TFP_TRACE_DEVICE);
	int64_t gaps = tfp_tree_total(tree, row, TFP_TRACE_LAUNCHES);
	char time[TFP_NUMBER_ROOM], count[TFP_NUMBER_ROOM], whole[TFP_NUMBER_ROOM];

	if (base->gap[row] != TFP_NONE)
		return gap_facts(profile, &base->idle->gaps[base->gap[row]], arena);
	tfp_number_screen(time, profile->trace->unit, idle);
	tfp_number_exact(count, gaps);
	if (!device)
		return tfp_arena_printf(arena, "%s idle in %s gap%s", time, count,
					gaps == 1 ? "" : "s");
	tfp_number_screen(whole, profile->trace->unit, length_of(device));
	return tfp_arena_printf(arena, "%s idle in %s gap%s, %.1f%% of the device's %s", time,
				count, gaps == 1 ? "" : "s", share(idle, length_of(device)), whole);
}

/* ---- the finding --------------------------------------------------------------------------- */

/* The device that is idle longest; TFP_NONE: none is. */
static uint32_t most_idle(const struct tfp_gaps *gaps)
{
	uint32_t best = TFP_NONE;

	for (uint32_t i = 0; i < gaps->profile->trace->devices.count; i++)
		if (gaps->device[i].idle > 0 &&
		    (best == TFP_NONE || gaps->device[i].idle > gaps->device[best].idle))
			best = i;
	return best;
}

static uint32_t main_cause(const struct tfp_gaps *gaps, uint32_t device)
{
	uint32_t best = TFP_NONE;

	for (uint32_t i = 0; i < gaps->causes.count; i++)
		if (gaps->causes.at[i].device == device &&
		    (best == TFP_NONE || gaps->causes.at[i].time > gaps->causes.at[best].time))
			best = i;
	return best;
}

/* "; the host was in command_buffer::update for 64% of that", or nothing. */
static const char *say_meanwhile(const struct tfp_gaps *gaps, uint32_t cause,
				 struct tfp_arena *arena)
{
	struct tfp_meanwhile meanwhile;
	const char *text = "";
	size_t best = 0;

	tfp_meanwhile_start(&meanwhile);
	for (size_t i = 0; i < gaps->list.count; i++)
		if (gaps->list.at[i].cause == cause)
			tfp_meanwhile_add(&meanwhile, gaps->profile, gaps->python,
					  &gaps->list.at[i]);
	for (size_t i = 1; i < meanwhile.time.count; i++)
		if (meanwhile.time.at[i] > meanwhile.time.at[best])
			best = i;
	if (meanwhile.time.count && meanwhile.labels.keys.at[best])
		text = tfp_arena_printf(
			arena, "; the host was in %s for %.0f%% of that",
			tfp_strings_text(gaps->profile->strings,
					 (tfp_str)meanwhile.labels.keys.at[best]),
			share(meanwhile.time.at[best], gaps->causes.at[cause].time));
	tfp_meanwhile_end(&meanwhile);
	return text;
}

static void tell(const struct tfp_gaps *gaps, uint32_t device, struct tfp_arena *arena,
		 struct tfp_finding *out)
{
	const struct tfp_profile *profile = gaps->profile;
	const struct tfp_idleness *idleness = &gaps->device[device];
	uint32_t index = main_cause(gaps, device);
	const struct tfp_cause *cause = &gaps->causes.at[index];
	struct tfp_span name =
		tfp_strings_get(profile->strings, profile->trace->devices.at[device].name);
	uint64_t key = tfp_key_below(tfp_key_below(0, TFP_SPAN(TFP_ROOT_LABEL)), name);
	bool host = cause->kind == TFP_CAUSE_HOST;
	char part[TFP_NUMBER_ROOM], whole[TFP_NUMBER_ROOM], *why;
	double idle = share(idleness->idle, length_of(idleness));

	why = tfp_cause_text(gaps, cause, arena);
	tfp_number_screen(part, profile->trace->unit, cause->time);
	tfp_number_screen(whole, profile->trace->unit, idleness->idle);
	out->target = (struct tfp_target){"idle", tfp_key_below(key, tfp_span_of(why))};
	if (host)
		why = tfp_arena_printf(
			arena, "before %s%s",
			tfp_strings_text(profile->strings, tfp_event_label(profile, cause->launch)),
			say_meanwhile(gaps, index, arena));
	out->brief =
		tfp_arena_printf(arena, "idle %.0f%%, %s of %s in %u gap%s of one cause: 7", idle,
				 part, whole, cause->count, cause->count == 1 ? "" : "s");
	out->text = tfp_arena_printf(arena,
				     "%.*s is idle for %.1f%% of its time: %s of %s in %u "
				     "gap%s %s%s",
				     (int)name.size, name.at, idle, part, whole, cause->count,
				     cause->count == 1 ? "" : "s", why, host ? "" : " (one cause)");
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
