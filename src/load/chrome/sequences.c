/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backward ops and the forward ops that they belong to: both have the sequence number, and the backward op a number for the
 * thread of the forward op, which is none that the file has anywhere else. Which thread it is, is learnt from sequence
 * numbers that only one thread has.
 */
#include "load/chrome/walk.h"

#define MOST_THREADS 1024 /* whose lane is kept */

bool *walk_sequences(struct walk *walk)
{
	const struct chrome *chrome = walk->chrome;
	bool *backward = tfp_alloc_zero(chrome->trace->lanes.count + 1, sizeof(*backward));

	for (size_t i = 0; i < chrome->ops.count; i++) {
		const struct op *op = &chrome->ops.at[i];
		uint32_t next = (uint32_t)walk->forwards.count;

		if (!op->forward || op->sequence == TFP_NONE)
			continue;
		if (tfp_idmap_add(&walk->sequences, op->sequence, next) == next)
			*tfp_array_push(&walk->forwards) =
				(struct forward){TFP_NONE, TFP_NONE, TFP_NONE, TFP_NONE};
		backward[chrome->trace->lane[op->event]] = true;
	}
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
	size_t modules = walk->modules.count;

	if (at == TFP_NONE && walk->forwards.at[first].lane == TFP_NONE) {
		at = first;
	} else if (at == TFP_NONE) {
		at = (uint32_t)walk->forwards.count;
		*tfp_array_push(&walk->forwards) =
			(struct forward){.next = walk->forwards.at[first].next};
		walk->forwards.at[first].next = at;
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

/* The forward op of the backward op OP, TFP_NONE: it can't be told. FIRST is the first with its sequence number. */
static uint32_t find_forward(struct walk *walk, uint32_t first, const struct op *op)
{
	uint32_t lane = known_lane(walk, op->forward);

	if (walk->forwards.at[first].lane == TFP_NONE)
		return TFP_NONE;
	if (lane != TFP_NONE)
		return find_lane(walk, first, lane);
	if (walk->forwards.at[first].next != TFP_NONE)
		return TFP_NONE;
	if (walk->threads.count < MOST_THREADS)
		*tfp_array_push(&walk->threads) =
			(struct forward_thread){op->forward, walk->forwards.at[first].lane};
	return first;
}

void walk_sequence(struct walk *walk, const struct op *op, struct open_event *open)
{
	uint32_t first, forward = TFP_NONE;
	tfp_str part;

	if (op->sequence == TFP_NONE || (op->forward && open->backward))
		return;
	first = tfp_idmap_get(&walk->sequences, op->sequence);
	if (first != TFP_NONE && !op->forward)
		keep_forward(walk, first, open);
	if (!op->forward)
		return;
	if (first != TFP_NONE)
		forward = find_forward(walk, first, op);
	part = tfp_strings_add_text(walk->chrome->profile->strings, "backward");
	open->backward = true;
	walk->lost += forward == TFP_NONE;
	open->path = walk_path(
		walk, forward == TFP_NONE ? TFP_NONE : walk->forwards.at[forward].path, part);
	if (forward != TFP_NONE)
		open->stack = walk->forwards.at[forward].stack;
}
