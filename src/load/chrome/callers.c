/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who called a Python call. Times tell it, as calls are nested; but of calls that take no time, or began before the recording,
 * times are equal or lie. PyTorch gives each call a number and says that of its caller, which tells it then.
 */
#include "load/chrome/walk.h"

#define DEEPEST 10000 /* callers of callers that are looked for */

/* The event of the caller with NUMBER; TFP_NONE: it can't be told, as none has the number, or several. */
static uint32_t find_caller(const struct chrome *chrome, uint32_t event, uint32_t number,
			    size_t *hint)
{
	const struct numbered *calls = chrome->calls.at;
	size_t count = chrome->calls.count;
	uint32_t caller = numbered_find(calls, count, number, hint);

	if (caller == TFP_NONE ||
	    tfp_trace_lane(chrome->trace, caller) != tfp_trace_lane(chrome->trace, event) ||
	    (*hint + 1 < count && calls[*hint + 1].number == number))
		return TFP_NONE;
	return caller;
}

/* What is no call, or names no caller, waits with NO_ID. */
void chrome_find_callers(struct chrome *chrome)
{
	const struct tfp_trace *trace = chrome->trace;
	struct tfp_near_writer writer = tfp_trace_write_links(chrome->trace, chrome->first_event);
	uint32_t missing = 0;
	size_t hint = 0;

	if (!chrome->calls.count)
		return;
	numbered_sort(chrome->calls.at, chrome->calls.count);
	for (uint32_t i = chrome->first_event; i < trace->count; i++) {
		uint32_t caller = tfp_trace_link(trace, i);

		if (caller != NO_ID) {
			caller = find_caller(chrome, i, caller, &hint);
			missing += caller == TFP_NONE;
		}
		tfp_near_write(&writer, caller);
	}
	tfp_near_flush(&writer);
	if (missing)
		tfp_diag_add(
			chrome->diag, TFP_NOTE, chrome->source->path, -1, 0,
			"Python calls whose caller is not in the file, and is told by times: %u",
			missing);
	tfp_array_free(&chrome->calls);
}

/* ---- what times say -------------------------------------------------------------------------------- */

/* How many calls of LANE times put below another caller than they name. */
static uint32_t count_differing(struct walk *walk, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = walk->chrome->trace;
	uint32_t differing = 0;

	walk->chain.count = 0;
	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t around = TFP_NONE, caller = tfp_trace_link(trace, i);

		while (walk->chain.count &&
		       tfp_trace_end(trace, walk->chain.at[walk->chain.count - 1]) <=
			       tfp_trace_start(trace, i))
			walk->chain.count--;
		if (walk->chain.count)
			around = walk->chain.at[walk->chain.count - 1];
		differing += caller != TFP_NONE && caller != around;
		*tfp_array_push(&walk->chain) = i;
	}
	return differing;
}

/* ---- calls of one time ----------------------------------------------------------------------------- */

struct run {
	uint32_t first, count;
	uint32_t order[MOST_EQUAL]; /* by new place, the event */
	bool listed[MOST_EQUAL];    /* by event */
	uint32_t used;
};

static bool is_in_run(const struct run *run, uint32_t event)
{
	return event >= run->first && event - run->first < run->count;
}

/* Lists EVENT behind its callers of the run. */
static void list_call(struct run *run, const struct tfp_trace *trace, uint32_t event)
{
	uint32_t chain[MOST_EQUAL], count = 0;

	while (is_in_run(run, event) && !run->listed[event - run->first]) {
		run->listed[event - run->first] = true;
		chain[count++] = event;
		event = tfp_trace_link(trace, event);
	}
	while (count)
		run->order[run->used++] = chain[--count];
}

/* Moves the calls of RUN, which begin and end together; PLACES, by event from BASE on, says where they go. */
static void move_calls(struct tfp_trace *trace, const struct run *run, uint32_t *places,
		       uint32_t base)
{
	uint32_t node[MOST_EQUAL], link[MOST_EQUAL];

	for (uint32_t i = 0; i < run->count; i++) {
		node[i] = tfp_trace_node(trace, run->order[i]);
		link[i] = tfp_trace_link(trace, run->order[i]);
		places[run->order[i] - base] = run->first + i;
	}
	for (uint32_t i = 0; i < run->count; i++) {
		tfp_trace_set_node(trace, run->first + i, node[i]);
		tfp_trace_set_link(trace, run->first + i, link[i]);
	}
}

/* Puts the calls from FIRST to END behind their callers, where one is not. */
static void settle_run(struct tfp_trace *trace, uint32_t first, uint32_t end, uint32_t *places,
		       uint32_t base)
{
	struct run run = {.first = first, .count = end - first};
	bool moves = false;

	if (run.count > MOST_EQUAL)
		return;
	for (uint32_t i = first; i < end; i++) {
		uint32_t caller = tfp_trace_link(trace, i);

		moves |= is_in_run(&run, caller) && caller > i;
	}
	if (!moves)
		return;
	for (uint32_t i = first; i < end; i++)
		list_call(&run, trace, i);
	move_calls(trace, &run, places, base);
}

static void settle_equal(struct tfp_trace *trace, const struct tfp_lane *lane)
{
	uint32_t *places = tfp_realloc_array(NULL, lane->count, sizeof(*places));
	uint32_t lane_end = lane->first + lane->count;

	for (uint32_t i = 0; i < lane->count; i++)
		places[i] = lane->first + i;
	for (uint32_t first = lane->first, end; first < lane_end; first = end) {
		end = chrome_equal_end(trace, first, lane_end);
		settle_run(trace, first, end, places, lane->first);
	}
	for (uint32_t i = lane->first; i < lane_end; i++) {
		uint32_t caller = tfp_trace_link(trace, i);

		if (caller != TFP_NONE)
			tfp_trace_set_link(trace, i, places[caller - lane->first]);
	}
	tfp_array_release(places);
}

/* ---- what calls say -------------------------------------------------------------------------------- */

void walk_start_calls(struct walk *walk, const struct tfp_lane *lane)
{
	uint32_t differing = count_differing(walk, lane);

	tfp_array_release(walk->told);
	walk->told = NULL;
	walk->first = lane->first;
	walk->differing += differing;
	if (!differing)
		return;
	settle_equal(walk->chrome->trace, lane);
	walk->told = tfp_alloc_zero(lane->count, sizeof(*walk->told));
}

/* What is open by the times. */
static struct call open_call(const struct walk *walk)
{
	size_t calls = walk->python.count, modules = walk->modules.count;

	return (struct call){calls ? walk->python.at[calls - 1].stack : TFP_NONE,
			     modules ? walk->modules.at[modules - 1].path : TFP_NONE};
}

/* The call EVENT in what is AROUND it. */
static struct call call_in(struct walk *walk, uint32_t event, struct call around)
{
	const struct site *what =
		&walk->chrome->sites.at[tfp_trace_node(walk->chrome->trace, event)];

	if (what->frame != TFP_NONE)
		around.stack = tfp_profile_stack(walk->chrome->profile, around.stack, what->frame);
	if (what->module)
		around.path = walk_path(walk, around.path, what->title);
	return around;
}

static void tell_call(struct walk *walk, uint32_t event, struct call around)
{
	struct told_call *told = &walk->told[event - walk->first];

	if (told->state != CALL_KNOWN)
		*told = (struct told_call){call_in(walk, event, around), CALL_KNOWN};
}

/* Callers come first: by the times some are entered only later. Where they go in a circle the one that is met again is by times. */
static struct call find_call(struct walk *walk, uint32_t event)
{
	struct told_call *told = walk->told;
	struct call call = open_call(walk);

	walk->chain.count = 0;
	while (event != TFP_NONE && told[event - walk->first].state == CALL_NEW &&
	       walk->chain.count < DEEPEST) {
		told[event - walk->first].state = CALL_SOUGHT;
		*tfp_array_push(&walk->chain) = event;
		event = tfp_trace_link(walk->chrome->trace, event);
	}
	walk->long_chains += event != TFP_NONE && told[event - walk->first].state == CALL_NEW;
	if (event != TFP_NONE && told[event - walk->first].state != CALL_NEW) {
		walk->circular += told[event - walk->first].state == CALL_SOUGHT;
		tell_call(walk, event, call);
		call = told[event - walk->first].call;
	}
	while (walk->chain.count) {
		event = walk->chain.at[--walk->chain.count];
		tell_call(walk, event, call);
		call = told[event - walk->first].call;
	}
	return call;
}

struct call walk_call(struct walk *walk, uint32_t event)
{
	return walk->told ? find_call(walk, event) : call_in(walk, event, open_call(walk));
}

static bool is_called_by(const struct walk *walk, uint32_t event, uint32_t caller)
{
	for (int depth = 0; depth < MOST_EQUAL && event != TFP_NONE && event != caller; depth++)
		event = tfp_trace_link(walk->chrome->trace, event);
	return event == caller;
}

void walk_enter_call(struct walk *walk, const struct open_event *open)
{
	size_t at = walk->python.count;

	*tfp_array_push(&walk->python) = *open;
	if (!walk->told)
		return;
	for (; at && is_called_by(walk, walk->python.at[at - 1].event, open->event) &&
	       !is_called_by(walk, open->event, walk->python.at[at - 1].event);
	     at--)
		walk->python.at[at] = walk->python.at[at - 1];
	walk->python.at[at] = *open;
}

void walk_end_calls(struct walk *walk)
{
	struct chrome *chrome = walk->chrome;

	if (walk->differing)
		tfp_diag_add(
			chrome->diag, TFP_NOTE, chrome->source->path, -1, 0,
			"Python calls that times put into another call than the caller that they name, which counts: %u",
			walk->differing);
	if (walk->circular)
		tfp_diag_add(
			chrome->diag, TFP_WARNING, chrome->source->path, -1, 0,
			"circles of Python calls that name each other as callers, in each of which times tell one: %u",
			walk->circular);
	if (walk->long_chains)
		tfp_diag_add(
			chrome->diag, TFP_WARNING, chrome->source->path, -1, 0,
			"chains of more than %d Python calls that name each other as callers, of which times tell the rest: %u",
			DEEPEST, walk->long_chains);
	tfp_array_release(walk->told);
	tfp_array_free(&walk->chain);
}
