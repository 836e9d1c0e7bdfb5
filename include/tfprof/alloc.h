/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloc: memory that was taken and given back, piece by piece. There may be millions of them: each is kept in 16 bytes,
 * and what many have in common, the upper halves of their numbers, too, is kept once, as a kind.
 */
#ifndef TFPROF_ALLOC_H
#define TFPROF_ALLOC_H

#include "tfprof/lookup.h"

/* Memory taken (bytes above 0) or given back (below 0) by a run of a node; 0 bytes say nothing. */
struct tfp_alloc {
	uint32_t node, step;
	tfp_str allocator; /* 0: the file does not say */
	uint32_t file; /* of a recording: index in profile.files, by which ranks are told apart */
	int64_t time;  /* us, of a recording ns, by the same clock as starts */
	int64_t bytes;
};

/* What allocations have in common. Bytes have the upper half of their number less its lower half, which has a sign. */
struct tfp_alloc_kind {
	uint32_t step;
	tfp_str allocator;
	uint32_t file, time_high, bytes_high;
};

struct tfp_kept_alloc {
	uint32_t node, kind;
	uint32_t time_low;
	int32_t bytes_low;
};

/* Zero-initialise to start. It is an array of them, too; its other members are private to model. */
struct tfp_allocs {
	struct tfp_kept_alloc *at;
	size_t count, room;
	TFP_ARRAY(struct tfp_alloc_kind) kinds;
	struct tfp_lookup *kind_table;
	uint32_t last; /* kind that was met last */
};

/* How ALLOC is kept in ALLOCS; the caller puts it there, or into an array for tfp_profile_take_allocs. */
struct tfp_kept_alloc tfp_allocs_pack(struct tfp_allocs *allocs, const struct tfp_alloc *alloc);
/* Steps from FROM on are one further on. */
void tfp_allocs_renumber(struct tfp_allocs *allocs, uint32_t from);
void tfp_allocs_free(struct tfp_allocs *allocs);
size_t tfp_allocs_bytes(const struct tfp_allocs *allocs); /* of memory */

static inline struct tfp_alloc tfp_allocs_unpack(const struct tfp_allocs *allocs,
						 const struct tfp_kept_alloc *kept)
{
	const struct tfp_alloc_kind *kind = &allocs->kinds.at[kept->kind];

	return (struct tfp_alloc){
		.node = kept->node,
		.step = kind->step,
		.allocator = kind->allocator,
		.file = kind->file,
		.time = (int64_t)((uint64_t)kind->time_high << 32 | kept->time_low),
		.bytes = (int64_t)(((uint64_t)kind->bytes_high << 32) + (uint64_t)kept->bytes_low),
	};
}

static inline struct tfp_alloc tfp_allocs_get(const struct tfp_allocs *allocs, size_t index)
{
	return tfp_allocs_unpack(allocs, &allocs->at[index]);
}

#endif
