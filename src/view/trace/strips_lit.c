/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events that the time view points out: those behind a row of another view, or those with a text in their names.
 */
#include <stdlib.h>

#include "view/match/match.h"
#include "view/trace/strips.h"
#include "view/trace/track.h"
#include "view/views/idle.h"

#define PLACES_A_LOOK 65536 /* at the flag that cancels */

/* What belongs to a row. */
struct behind {
	const struct tfp_strips *strips;
	const struct tfp_track *track; /* of the device view */
	bool *nodes;                   /* of views of nodes, by node */
	bool *events;                  /* of the idle view, by event */
	uint32_t step;                 /* TFP_NONE: any */
	uint32_t file;                 /* of a rank; TFP_NONE: any */
	size_t hint;
};

/* ---- what a row stands for ----------------------------------------------------------------- */

static void take_nodes(const struct tfp_base *base, uint32_t row, bool *nodes)
{
	for (uint32_t at = row; at < base->end[row]; at++) {
		if (base->node[at] != TFP_NONE)
			nodes[base->node[at]] = true;
		for (uint32_t i = base->picks ? base->pick_first[at] : 0;
		     base->picks && i < base->pick_first[at + 1]; i++)
			nodes[base->picks[i]] = true;
	}
}

/* Of gaps what ended them, and what launched that. */
static void take_gaps(const struct tfp_strips *strips, const struct tfp_base *base, uint32_t row,
		      bool *events)
{
	for (uint32_t at = row; at < base->end[row]; at++) {
		uint32_t event = base->gap[at] == TFP_NONE ? TFP_NONE
							   : base->idle->gaps[base->gap[at]].event;
		uint32_t launch;

		if (event >= strips->trace->count)
			continue;
		events[event] = true;
		launch = tfp_trace_link(strips->trace, event);
		if (launch < strips->trace->count)
			events[launch] = true;
	}
}

static void begin(struct behind *behind, const struct tfp_strips *strips,
		  const struct tfp_tree *tree, uint32_t row)
{
	const struct tfp_base *base = tree->base;

	*behind = (struct behind){
		.strips = strips,
		.step = tfp_tree_step(tree, row),
		.file = base->rank && base->rank[row] != TFP_NONE
				? base->ranks[base->rank[row]].file
				: TFP_NONE,
	};
	if (behind->step == TFP_NONE && tree->query.step >= 0)
		behind->step = tfp_profile_find_step(strips->profile, tree->query.step);
	if (base->track) {
		behind->track = &base->track[row];
	} else if (base->gap) {
		behind->events =
			tfp_alloc_zero(strips->trace->count + (size_t)1, sizeof(*behind->events));
		take_gaps(strips, base, row, behind->events);
	} else {
		behind->nodes = tfp_alloc_zero(strips->profile->nodes.count + (size_t)1,
					       sizeof(*behind->nodes));
		take_nodes(base, row, behind->nodes);
	}
}

static uint32_t file_of(const struct tfp_trace *trace, uint32_t event)
{
	return trace->devices.at[trace->lanes.at[tfp_trace_lane(trace, event)].device].file;
}

/* The device view has no calls of Python and no marks, which are drawn only. */
static bool is_in_device_view(const struct tfp_trace *trace, uint32_t event)
{
	enum tfp_lane_kind kind = tfp_trace_kind(trace, event);

	return kind == TFP_LANE_DEVICE || kind == TFP_LANE_HOST;
}

static bool has(struct behind *behind, uint32_t event)
{
	const struct tfp_strips *strips = behind->strips;
	uint32_t node = tfp_trace_node(strips->trace, event);

	if (behind->events)
		return behind->events[event];
	if (behind->nodes && (node == TFP_NONE || !behind->nodes[node]))
		return false;
	if (behind->file != TFP_NONE && file_of(strips->trace, event) != behind->file)
		return false;
	if (behind->track &&
	    (!is_in_device_view(strips->trace, event) ||
	     !tfp_track_holds(strips->profile, strips->trace, behind->track, event)))
		return false;
	return behind->step == TFP_NONE ||
	       tfp_trace_event_step(strips->trace, event, &behind->hint) == behind->step;
}

uint32_t *tfp_strips_behind(const struct tfp_strips *strips, const struct tfp_tree *tree,
			    uint32_t row, size_t *count)
{
	TFP_ARRAY(uint32_t) lit = {0};
	struct behind behind;
	uint32_t places = 0;

	begin(&behind, strips, tree, row);
	for (size_t i = 0; i < strips->list.count; i++)
		places += strips->list.at[i].count;
	for (uint32_t place = 0; place < places; place++)
		if (has(&behind, tfp_strips_event(strips, place)))
			*tfp_array_push(&lit) = place;
	free(behind.nodes);
	free(behind.events);
	*count = lit.count;
	return lit.at;
}

/* ---- names --------------------------------------------------------------------------------- */

/* What is known of a name. */
enum seen {
	SEEN_NOT,
	SEEN_OTHER,
	SEEN_MATCH,
};

/* Which names are meant, each looked at once: those of works, then of nodes, then the paths of nodes. */
struct names {
	const struct tfp_strips *strips;
	/* 1: NAME is meant, 0: it is not, -1: nobody can tell */
	int (*match)(const void *data, struct tfp_span name);
	const void *data;
	bool paths; /* where a node stands is a name, too */
	size_t works, nodes;
	uint8_t *seen;
	bool failed;
};

static bool is_meant(struct names *names, size_t index, struct tfp_span name)
{
	if (names->seen[index] == SEEN_NOT) {
		int found = names->match(names->data, name);

		names->failed |= found < 0;
		names->seen[index] = found > 0 ? SEEN_MATCH : SEEN_OTHER;
	}
	return names->seen[index] == SEEN_MATCH;
}

static bool has_name(struct names *names, uint32_t event)
{
	const struct tfp_strips *strips = names->strips;
	const struct tfp_profile *profile = strips->profile;
	uint32_t work = tfp_trace_work_of(strips->trace, event);
	uint32_t node = tfp_trace_node(strips->trace, event);
	size_t name = names->works + (node == TFP_NONE ? names->nodes : node);

	if (is_meant(names, work < names->works ? work : name, tfp_strips_name(strips, event)))
		return true;
	return names->paths && node != TFP_NONE &&
	       is_meant(names, name + names->nodes + 1,
			tfp_strings_get(profile->strings, profile->nodes.name[node]));
}

/* Places of the events that have one of NAMES, ascending, until that fails or the job is cancelled. */
static uint32_t *find_names(struct names *names, struct tfp_job *job, size_t *count)
{
	const struct tfp_strips *strips = names->strips;
	TFP_ARRAY(uint32_t) lit = {0};
	uint32_t places = 0;

	names->works = strips->trace->works.count;
	names->nodes = strips->profile->nodes.count;
	names->seen = tfp_alloc_zero(names->works + 2 * (names->nodes + 1), 1);
	for (size_t i = 0; i < strips->list.count; i++)
		places += strips->list.at[i].count;
	for (uint32_t place = 0; place < places && !names->failed; place++) {
		if (has_name(names, tfp_strips_event(strips, place)))
			*tfp_array_push(&lit) = place;
		if (place % PLACES_A_LOOK == 0 && tfp_job_cancelled(job))
			break;
	}
	free(names->seen);
	*count = lit.count;
	return lit.at;
}

static int match_text(const void *data, struct tfp_span name)
{
	return tfp_finder_match(data, name);
}

uint32_t *tfp_strips_named(const struct tfp_strips *strips, const char *text, size_t *count)
{
	struct tfp_finder *finder = tfp_finder_new(text);
	struct names names = {.strips = strips, .match = match_text, .data = finder};
	uint32_t *lit = find_names(&names, NULL, count);

	tfp_finder_free(finder);
	return lit;
}

static int match_patterns(const void *data, struct tfp_span name)
{
	return tfp_patterns_match(data, name);
}

bool tfp_strips_match(const struct tfp_strips *strips, const struct tfp_patterns *patterns,
		      struct tfp_job *job, uint32_t **lit, size_t *count)
{
	struct names names = {
		.strips = strips, .match = match_patterns, .data = patterns, .paths = true};

	*lit = find_names(&names, job, count);
	return !names.failed && !tfp_job_cancelled(job);
}

/* ---- how many there are -------------------------------------------------------------------- */

size_t tfp_strips_happened(const struct tfp_strips *strips, const uint32_t *at, size_t count)
{
	size_t recorded = 0, marks = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t event = tfp_strips_event(strips, at[i]);

		if (tfp_trace_kind(strips->trace, event) == TFP_LANE_DERIVED)
			marks++;
		else
			recorded += !tfp_trace_is_joined(strips->trace, event);
	}
	return recorded ? recorded : marks;
}

/* ---- places -------------------------------------------------------------------------------- */

/* The first of COUNT places AT that is not below PLACE. */
static size_t search(const uint32_t *at, size_t count, uint32_t place)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at[middle] < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool tfp_piece_is_lit(const struct tfp_piece *piece, const uint32_t *at, size_t count)
{
	size_t place = search(at, count, piece->at);

	return place < count && at[place] - piece->at < piece->count;
}

/* Is PLACE behind the place FROM at TIME, by time and then by place; or with BACK no longer before it? */
static bool is_past(const struct tfp_strips *strips, uint32_t place, int64_t time, uint32_t from,
		    bool back)
{
	int64_t start = tfp_trace_start(strips->trace, tfp_strips_event(strips, place));

	return start == time ? (back ? place >= from : place > from) : start > time;
}

/* Is the place A earlier than B? */
static bool is_earlier(const struct tfp_strips *strips, uint32_t a, uint32_t b)
{
	int64_t start = tfp_trace_start(strips->trace, tfp_strips_event(strips, a));

	return start < tfp_trace_start(strips->trace, tfp_strips_event(strips, b)) ||
	       (start == tfp_trace_start(strips->trace, tfp_strips_event(strips, b)) && a < b);
}

uint32_t tfp_strips_lit_next(const struct tfp_strips *strips, const uint32_t *at, size_t count,
			     int64_t time, uint32_t from, bool back)
{
	uint32_t best = TFP_NONE;

	for (size_t i = 0; i < strips->list.count; i++) {
		const struct tfp_strip *strip = &strips->list.at[i];
		size_t first = search(at, count, strip->first), low = first;
		size_t end = search(at, count, strip->first + strip->count), high = end;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (is_past(strips, at[middle], time, from, back))
				high = middle;
			else
				low = middle + 1;
		}
		if (back ? low == first : low == end)
			continue;
		low -= back;
		if (best == TFP_NONE || is_earlier(strips, at[low], best) != back)
			best = at[low];
	}
	return best;
}

uint32_t tfp_strips_of_place(const struct tfp_strips *strips, uint32_t place)
{
	uint32_t strip = 0;

	while (strip + 1 < strips->list.count && strips->list.at[strip + 1].first <= place)
		strip++;
	return strip;
}

uint32_t tfp_strips_place(const struct tfp_strips *strips, uint32_t event)
{
	uint32_t lane = tfp_trace_lane(strips->trace, event);

	for (uint32_t i = strips->lane_strip[lane]; i < strips->lane_strip[lane + 1]; i++) {
		const struct tfp_strip *strip = &strips->list.at[i];
		uint32_t low = strip->first, end = low + strip->count, high = end;

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			/* events of a lane are by start, and so are those of a strip of it */
			if (tfp_strips_event(strips, middle) < event)
				low = middle + 1;
			else
				high = middle;
		}
		if (low < end && tfp_strips_event(strips, low) == event)
			return low;
	}
	return TFP_NONE;
}

/* ---- what launched what -------------------------------------------------------------------- */

uint32_t tfp_strips_linked(const struct tfp_strips *strips, uint32_t event)
{
	const struct tfp_trace *trace = strips->trace;
	const struct tfp_lane *of = &trace->lanes.at[tfp_trace_lane(trace, event)];
	uint32_t lane = of->kind == TFP_LANE_PYTHON && of->thread != TFP_NONE
				? of->thread
				: tfp_trace_lane(trace, event);
	uint32_t best = TFP_NONE;

	if (of->kind == TFP_LANE_DEVICE) {
		best = tfp_trace_link(trace, event);
		return best < trace->count ? best : TFP_NONE;
	}
	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t other = tfp_trace_device_event(trace, i),
			 launch = tfp_trace_link(trace, other);

		if (launch >= trace->count || tfp_trace_lane(trace, launch) != lane ||
		    tfp_trace_start(trace, launch) < tfp_trace_start(trace, event) ||
		    (launch != event &&
		     tfp_trace_start(trace, launch) >= tfp_trace_end(trace, event)))
			continue;
		if (best == TFP_NONE ||
		    tfp_trace_start(trace, other) < tfp_trace_start(trace, best))
			best = other;
	}
	return best;
}
