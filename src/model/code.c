/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames and stacks: each distinct one once. A stack is a frame and the stack of its caller, so nodes
 * with a common beginning share it.
 */
#include "tfprof/model.h"
#include "tfprof/lookup.h"

static bool same_frame(const struct tfp_frame *a, const struct tfp_frame *b)
{
	return a->file == b->file && a->function == b->function && a->text == b->text &&
	       a->line == b->line && a->start_line == b->start_line;
}

static uint32_t hash_frame(const struct tfp_frame *frame)
{
	uint64_t place = (uint64_t)frame->file << 32 | (uint32_t)frame->line;
	uint64_t rest = (uint64_t)frame->function << 32 | frame->text;

	return tfp_lookup_mix(place ^ tfp_lookup_mix(rest) ^
			      (uint64_t)(uint32_t)frame->start_line << 40);
}

uint32_t tfp_profile_frame(struct tfp_profile *profile, const struct tfp_frame *frame)
{
	uint32_t hash = hash_frame(frame), id;
	size_t at;

	for (id = tfp_lookup_first(profile->frame_table, hash, &at); id != TFP_NONE;
	     id = tfp_lookup_next(profile->frame_table, hash, &at))
		if (same_frame(&profile->frames.at[id], frame))
			return id;
	id = (uint32_t)profile->frames.count;
	*tfp_array_push(&profile->frames) = *frame;
	tfp_lookup_add(profile->frame_table, hash, id);
	return id;
}

uint32_t tfp_profile_stack(struct tfp_profile *profile, uint32_t parent, uint32_t frame)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)parent << 32 | frame), id;
	size_t at;

	for (id = tfp_lookup_first(profile->stack_table, hash, &at); id != TFP_NONE;
	     id = tfp_lookup_next(profile->stack_table, hash, &at))
		if (profile->stacks.at[id].parent == parent &&
		    profile->stacks.at[id].frame == frame)
			return id;
	id = (uint32_t)profile->stacks.count;
	*tfp_array_push(&profile->stacks) = (struct tfp_stack){parent, frame};
	tfp_lookup_add(profile->stack_table, hash, id);
	return id;
}
