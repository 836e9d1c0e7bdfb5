/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backward ops and the forward ops that they belong to: both have the sequence number, and the backward op a number for the
 * thread of the forward op, which is none that the file has anywhere else. Which thread it is, is learnt from sequence
 * numbers that only one thread has.
 */
#include "load/chrome/walk.h"

#define MOST_THREADS 64 /* whose lane is kept; and whose forward ops are, of one sequence number */

/* The op that is kept of EVENT where it is a backward op with a sequence number, else NULL. */
static const struct op *backward_op(const struct chrome *chrome, uint32_t event)
{
	uint32_t place = tfp_trace_work_of(chrome->trace, event);
	const struct op *op = place == TFP_NONE ? NULL : &chrome->ops.at[place];

	if (!op || op->rare == TFP_NONE || op->sequence == TFP_NONE)
		return NULL;
	return chrome->rare.at[op->rare].forward ? op : NULL;
}

static bool want_sequences(struct walk *walk, const struct tfp_lane *lane)
{
	bool any = false;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		const struct op *op = backward_op(walk->chrome, i);
		uint32_t next = (uint32_t)walk->forwards.count;

		if (!op)
			continue;
		any = true;
		if (tfp_idmap_add(&walk->sequences, op->sequence, next) == next)
			*tfp_array_push(&walk->forwards) =
				(struct forward){TFP_NONE, TFP_NONE, TFP_NONE, TFP_NONE, 0};
	}
	return any;
}

bool *walk_backward_lanes(struct walk *walk)
{
	const struct chrome *chrome = walk->chrome;
	bool *backward = tfp_alloc_zero(chrome->trace->lanes.count + 1, sizeof(*backward));

	for (uint32_t i = chrome->first_lane; i < chrome->trace->lanes.count; i++)
		if (chrome->trace->lanes.at[i].kind == TFP_LANE_HOST)
			backward[i] = want_sequences(walk, &chrome->trace->lanes.at[i]);
	return backward;
}

/* Of the forward ops with one sequence number, AT and those behind it, that of LANE; TFP_NONE. */
static uint32_t find_lane(const struct walk *walk, uint32_t at, uint32_t lane)
{
	while (at != TFP_NONE && walk->forwards.at[at].lane != lane)
		at = walk->forwards.at[at].next;
	return at;
}

static void keep_forward(struct walk *walk, uint32_t first, const struct open_event *open)
{
	uint32_t at = find_lane(walk, first, walk->lane);
	struct forward *head = &walk->forwards.at[first];
	size_t modules = walk->modules.count;

	if (at == TFP_NONE && head->lane == TFP_NONE) {
		at = first;
	} else if (at == TFP_NONE) {
		struct forward forward = {.next = head->next};

		if (head->threads == MOST_THREADS)
			return;
		head->threads++;
		head->next = at = (uint32_t)walk->forwards.count;
		*tfp_array_push(&walk->forwards) = forward;
	}
	walk->forwards.at[at].lane = walk->lane;
	walk->forwards.at[at].stack = open->stack;
	walk->forwards.at[at].path = modules ? walk->modules.at[modules - 1].path : TFP_NONE;
}

/* The lane that is known for the thread NUMBER, TFP_NONE. */
static uint32_t known_lane(const struct walk *walk, uint32_t number)
{
	for (size_t i = 0; i < walk->threads.count; i++)
		if (walk->threads.at[i].number == number)
			return walk->threads.at[i].lane;
	return TFP_NONE;
}

/*
 * The forward op of a backward op with THREAD as its number, TFP_NONE: it can't be told. FIRST is the first with its
 * sequence number.
 */
static uint32_t find_forward(struct walk *walk, uint32_t first, uint32_t thread)
{
	uint32_t lane = known_lane(walk, thread);

	if (walk->forwards.at[first].lane == TFP_NONE)
		return TFP_NONE;
	if (lane != TFP_NONE)
		return find_lane(walk, first, lane);
	if (walk->forwards.at[first].next != TFP_NONE)
		return TFP_NONE;
	if (walk->threads.count < MOST_THREADS)
		*tfp_array_push(&walk->threads) =
			(struct forward_thread){thread, walk->forwards.at[first].lane};
	return first;
}

static void enter_backward(struct walk *walk, uint32_t first, uint32_t thread,
			   struct open_event *open)
{
	struct tfp_strings *strings = walk->chrome->profile->strings;
	uint32_t forward = find_forward(walk, first, thread), above = TFP_NONE;

	if (forward != TFP_NONE) {
		above = walk->forwards.at[forward].path;
		open->stack = walk->forwards.at[forward].stack;
	}
	open->path = walk_path(walk, above, tfp_strings_add_text(strings, "backward"));
	open->backward = true;
}

void walk_op(struct walk *walk, const struct op *op, struct open_event *open)
{
	const struct rare_op *rare = op->rare == TFP_NONE ? NULL : &walk->chrome->rare.at[op->rare];
	uint32_t first =
		op->sequence == TFP_NONE ? TFP_NONE : tfp_idmap_get(&walk->sequences, op->sequence);

	if (rare && rare->calls != TFP_NONE)
		open->stack = rare->numbered ? chrome_numbered_stack(walk->chrome, rare->calls)
					     : rare->calls;
	if (first == TFP_NONE)
		return;
	if (!rare || !rare->forward)
		keep_forward(walk, first, open);
	else if (!open->backward)
		enter_backward(walk, first, rare->forward, open);
}
