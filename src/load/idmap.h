/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash map from 64-bit keys, as files use them to name their parts, to indices of our own. The
 * hash is keyed at random: no file can choose ids that all fall into one place.
 */
#ifndef TFPROF_LOAD_IDMAP_H
#define TFPROF_LOAD_IDMAP_H

#include "tfprof/hash.h"
#include "tfprof/base.h"

struct tfp_idmap_slot {
	uint64_t key;
	uint32_t value; /* TFP_NONE: free */
};

/* Zero-initialise to start. */
struct tfp_idmap {
	struct tfp_idmap_slot *slot;
	size_t count, room; /* room is a power of two, or 0 */
	struct tfp_hash_key hash;
};

/* Where the search for KEY begins; room must not be 0. */
static inline size_t tfp_idmap_place(const struct tfp_idmap *map, uint64_t key)
{
	return tfp_hash_fold(key ^ map->hash.a, map->hash.b | 1) & (map->room - 1);
}

/* The value under KEY, TFP_NONE if there is none. */
uint32_t tfp_idmap_get(const struct tfp_idmap *map, uint64_t key);
/*
 * Puts VALUE (not TFP_NONE) under KEY unless the key has one already; returns the value it has now.
 */
uint32_t tfp_idmap_add(struct tfp_idmap *map, uint64_t key, uint32_t value);
/* Tells the processor that KEY is about to be looked for. */
static inline void tfp_idmap_fetch(const struct tfp_idmap *map, uint64_t key)
{
	if (map->room)
		__builtin_prefetch(&map->slot[tfp_idmap_place(map, key)]);
}
void tfp_idmap_free(struct tfp_idmap *map);

#endif
