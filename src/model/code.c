/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames and stacks: each distinct one once. A stack is a frame and the stack of its caller, so
 * nodes with a common beginning share it.
 */
#include "tfprof/model.h"
#include "tfprof/lookup.h"

static bool same_frame(const struct tfp_frame *a, const struct tfp_frame *b)
{
	return a->file == b->file && a->function == b->function && a->text == b->text &&
	       a->line == b->line && a->start_line == b->start_line;
}

uint32_t tfp_profile_frame(struct tfp_profile *profile, const struct tfp_frame *frame)
{
	uint32_t hash =
		(uint32_t)tfp_hash_bytes(profile->hash_key, (const char *)frame, sizeof(*frame));
	uint32_t id;

	TFP_LOOKUP_EACH(id, profile->frame_table, hash)
		if (same_frame(&profile->frames.at[id], frame))
			return id;
	id = (uint32_t)profile->frames.count;
	*tfp_array_push(&profile->frames) = *frame;
	tfp_lookup_add(profile->frame_table, hash, id);
	return id;
}

static inline uint32_t hash_stack(const struct tfp_profile *profile, uint32_t parent,
				  uint32_t frame)
{
	uint64_t pair = (uint64_t)parent << 32 | frame;

	return (uint32_t)tfp_hash_fold(pair ^ profile->hash_key.a, profile->hash_key.b | 1);
}

static uint32_t add_stack(struct tfp_profile *profile, uint32_t hash, uint32_t parent,
			  uint32_t frame)
{
	uint32_t id = (uint32_t)profile->stacks.count;

	*tfp_array_push(&profile->stacks) = (struct tfp_stack){parent, frame};
	tfp_lookup_add(profile->stack_table, hash, id);
	return id;
}

uint32_t tfp_profile_stack(struct tfp_profile *profile, uint32_t parent, uint32_t frame)
{
	uint32_t hash = hash_stack(profile, parent, frame);
	uint32_t id;

	/* What is called comes after its caller: the last stack has called nothing yet. */
	if (parent + 1 == profile->stacks.count)
		return add_stack(profile, hash, parent, frame);
	TFP_LOOKUP_EACH(id, profile->stack_table, hash)
		if (profile->stacks.at[id].parent == parent &&
		    profile->stacks.at[id].frame == frame)
			return id;
	return add_stack(profile, hash, parent, frame);
}

void tfp_profile_stacks(struct tfp_profile *profile, size_t count, uint32_t *stack,
			const uint32_t *frame)
{
	const struct tfp_lookup *table = profile->stack_table;

	for (size_t i = 0; i < count; i++)
		tfp_lookup_fetch(table, hash_stack(profile, stack[i], frame[i]));
	for (size_t i = 0; i < count; i++) {
		uint32_t id = tfp_lookup_guess(table, hash_stack(profile, stack[i], frame[i]));

		if (id != TFP_NONE)
			__builtin_prefetch(&profile->stacks.at[id]);
	}
	for (size_t i = 0; i < count; i++)
		stack[i] = tfp_profile_stack(profile, stack[i], frame[i]);
}
