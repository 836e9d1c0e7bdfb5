/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A map from 64-bit keys, as files use them to name their parts, to indices of our own. Most files number what they hold one
 * after another: keys that are near each other are places in an array, all others are hashed. The hash is keyed at random: no file
 * can choose ids that all fall into one place.
 */
#ifndef TFPROF_LOAD_IDMAP_H
#define TFPROF_LOAD_IDMAP_H

#include "tfprof/hash.h"
#include "tfprof/base.h"

struct tfp_idmap_slot {
	uint64_t key;
	uint32_t value; /* TFP_NONE: free */
};

/* Zero-initialise to start. Of the array and the table one is there at most. */
struct tfp_idmap {
	uint32_t *near; /* the values of the keys from FIRST on, and 1; 0: none */
	uint64_t first;
	size_t span; /* how many keys have their place there */
	struct tfp_idmap_slot *slot;
	size_t count, room; /* all values; slots, a power of two, or 0 */
	struct tfp_hash_key hash;
};

/* Where the search for KEY begins; room must not be 0. */
static inline size_t tfp_idmap_place(const struct tfp_idmap *map, uint64_t key)
{
	return tfp_hash_fold(key ^ map->hash.a, map->hash.b | 1) & (map->room - 1);
}

/* For tfp_idmap_get, of what is not in the array. */
uint32_t tfp_idmap_search(const struct tfp_idmap *map, uint64_t key);

/* The value under KEY, TFP_NONE if there is none. */
static inline uint32_t tfp_idmap_get(const struct tfp_idmap *map, uint64_t key)
{
	uint64_t place = key - map->first;

	return place < map->span ? map->near[place] - 1 : tfp_idmap_search(map, key);
}

/*
 * Puts VALUE (not TFP_NONE) under KEY unless the key has one already; returns the value it has now.
 */
uint32_t tfp_idmap_add(struct tfp_idmap *map, uint64_t key, uint32_t value);
/* Tells the processor that KEY is about to be looked for. */
static inline void tfp_idmap_fetch(const struct tfp_idmap *map, uint64_t key)
{
	if (key - map->first < map->span)
		__builtin_prefetch(&map->near[key - map->first]);
	else if (map->room)
		__builtin_prefetch(&map->slot[tfp_idmap_place(map, key)]);
}
void tfp_idmap_free(struct tfp_idmap *map);

#endif
