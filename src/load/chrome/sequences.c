/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backward ops and the forward ops that they belong to: both have the sequence number, and the backward op a number for the
 * thread of the forward op, which is none that the file has anywhere else. Which thread it is, is learnt from the arrows
 * that lead from one to the other, else from sequence numbers that only one thread has; where there is none of these either,
 * it is the thread that has most ops with the numbers, and where several have as many, one of them, which is told.
 */
#include <stdlib.h>

#include "load/chrome/walk.h"

#define MOST_VOTES   256 /* pairs of a thread's number and a lane */
#define MOST_THREADS 64  /* whose lane is kept; and whose forward ops are, of one sequence number */

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
				(struct forward){.lane = TFP_NONE, .next = TFP_NONE};
	}
	return any;
}

/* NULL: it is not known yet. */
static const struct forward_thread *find_thread(const struct walk *walk, uint32_t number)
{
	for (size_t i = 0; i < walk->threads.count; i++)
		if (walk->threads.at[i].number == number)
			return &walk->threads.at[i];
	return NULL;
}

static void learn_thread(struct walk *walk, uint32_t number, uint32_t lane, bool guessed)
{
	if (walk->threads.count < MOST_THREADS && !find_thread(walk, number))
		*tfp_array_push(&walk->threads) = (struct forward_thread){number, lane, guessed};
}

static void follow_arrows(struct walk *walk)
{
	struct chrome *chrome = walk->chrome;
	struct backward_arrow *arrows;
	size_t count;

	if (!chrome->back.count)
		return;
	arrows = tfp_realloc_array(NULL, chrome->back.count, sizeof(*arrows));
	count = chrome_backward_arrows(chrome, arrows);

	for (size_t i = 0; i < count; i++) {
		const struct op *op = backward_op(chrome, arrows[i].event);

		if (op)
			learn_thread(walk, chrome->rare.at[op->rare].forward, arrows[i].lane,
				     false);
	}
	tfp_array_release(arrows);
}

bool *walk_backward_lanes(struct walk *walk)
{
	const struct chrome *chrome = walk->chrome;
	bool *backward = tfp_alloc_zero(chrome->trace->lanes.count + 1, sizeof(*backward));

	for (uint32_t i = chrome->first_lane; i < chrome->trace->lanes.count; i++)
		if (chrome->trace->lanes.at[i].kind == TFP_LANE_HOST)
			backward[i] = want_sequences(walk, &chrome->trace->lanes.at[i]);
	follow_arrows(walk);
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
	walk->forwards.at[at].ops++;
	walk->forwards.at[at].lane = walk->lane;
	walk->forwards.at[at].stack = open->stack;
	walk->forwards.at[at].path = modules ? walk->modules.at[modules - 1].path : TFP_NONE;
}

/* ---- by most ops ----------------------------------------------------------------------------------- */

static void vote(struct walk *walk, uint32_t number, const struct forward *forward)
{
	size_t i = 0;

	while (i < walk->votes.count &&
	       (walk->votes.at[i].number != number || walk->votes.at[i].lane != forward->lane))
		i++;
	if (i == MOST_VOTES)
		return;
	if (i == walk->votes.count)
		*tfp_array_push(&walk->votes) = (struct forward_votes){number, forward->lane, 0};
	walk->votes.at[i].ops += forward->ops;
}

static int compare_votes(const void *left, const void *right)
{
	const struct forward_votes *a = left, *b = right;

	if (a->ops != b->ops)
		return a->ops > b->ops ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->lane < b->lane ? -1 : a->lane > b->lane;
}

/* The thread that has LANE; NULL: none has it yet. */
static const struct forward_thread *taker_of(const struct walk *walk, uint32_t lane)
{
	for (size_t i = 0; i < walk->threads.count; i++)
		if (walk->threads.at[i].lane == lane)
			return &walk->threads.at[i];
	return NULL;
}

/* Could as well be another lane than that of the vote AT: as many are for it, and it is no other thread's for sure. */
static bool is_tie(const struct walk *walk, size_t at)
{
	const struct forward_votes *votes = walk->votes.at;
	size_t first = at;

	while (first && votes[first - 1].ops == votes[at].ops &&
	       votes[first - 1].number == votes[at].number)
		first--;
	for (size_t i = first; i < walk->votes.count && votes[i].ops == votes[at].ops &&
			       votes[i].number == votes[at].number;
	     i++) {
		const struct forward_thread *taker = taker_of(walk, votes[i].lane);

		if (i != at && (!taker || taker->guessed))
			return true;
	}
	return false;
}

static void vote_for_forwards(struct walk *walk, uint32_t event)
{
	const struct op *op = backward_op(walk->chrome, event);
	uint32_t at = op ? tfp_idmap_get(&walk->sequences, op->sequence) : TFP_NONE;

	for (; at != TFP_NONE; at = walk->forwards.at[at].next)
		if (walk->forwards.at[at].lane != TFP_NONE)
			vote(walk, walk->chrome->rare.at[op->rare].forward, &walk->forwards.at[at]);
}

/* Threads that are not known yet get those lanes, each its own, of which most ops have the numbers. */
static void count_votes(struct walk *walk)
{
	const struct chrome *chrome = walk->chrome;

	walk->voted = true;
	for (uint32_t i = chrome->first_lane; i < chrome->trace->lanes.count; i++) {
		const struct tfp_lane *lane = &chrome->trace->lanes.at[i];

		for (uint32_t event = 0; event < lane->count && lane->kind == TFP_LANE_HOST;
		     event++)
			vote_for_forwards(walk, lane->first + event);
	}
	if (walk->votes.count)
		qsort(walk->votes.at, walk->votes.count, sizeof(*walk->votes.at), compare_votes);
	for (size_t i = 0; i < walk->votes.count; i++)
		if (!taker_of(walk, walk->votes.at[i].lane))
			learn_thread(walk, walk->votes.at[i].number, walk->votes.at[i].lane,
				     is_tie(walk, i));
}

/* ---- what a backward op belongs to ------------------------------------------------------------------- */

/*
 * The forward op of a backward op with THREAD as its number, TFP_NONE: it can't be told. FIRST is the first with its
 * sequence number.
 */
static uint32_t find_forward(struct walk *walk, uint32_t first, uint32_t thread)
{
	const struct forward_thread *known = find_thread(walk, thread);
	uint32_t forward;

	if (walk->forwards.at[first].lane == TFP_NONE)
		return TFP_NONE;
	if (!known && walk->forwards.at[first].next == TFP_NONE) {
		learn_thread(walk, thread, walk->forwards.at[first].lane, false);
		return first;
	}
	if (!known && !walk->voted) {
		count_votes(walk);
		known = find_thread(walk, thread);
	}
	forward = known ? find_lane(walk, first, known->lane) : TFP_NONE;
	walk->guessed += forward != TFP_NONE && known->guessed;
	return forward;
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

void walk_tell_guessed(const struct walk *walk)
{
	if (walk->guessed)
		tfp_diag_add(
			walk->chrome->diag, TFP_WARNING, walk->chrome->source->path, -1, 0,
			"backward ops that stand below the forward ops of one thread, and could as well be those of another: %u",
			walk->guessed);
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
