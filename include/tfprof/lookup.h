/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from a hash to ids, for the tables that give equal things one id. It keeps no keys: the
 * caller compares the candidates.
 *
 *	TFP_LOOKUP_EACH(id, table, hash)
 *		if (same(id))
 *			return id;
 *	tfp_lookup_add(table, hash, new_id);
 */
#ifndef TFPROF_LOOKUP_H
#define TFPROF_LOOKUP_H

#include "tfprof/base.h"

struct tfp_lookup_slot {
	uint32_t hash;
	uint32_t id; /* TFP_NONE: free */
};

struct tfp_lookup {
	struct tfp_lookup_slot *slot;
	size_t room; /* a power of two */
	size_t count;
};

/* An empty table, to be freed by tfp_lookup_free. */
struct tfp_lookup *tfp_lookup_new(void);
void tfp_lookup_free(struct tfp_lookup *table);
size_t tfp_lookup_bytes(const struct tfp_lookup *table); /* of memory */

/* Adds ID under HASH; what is there already stays. */
void tfp_lookup_add(struct tfp_lookup *table, uint32_t hash, uint32_t id);

/* Where a search under a hash stands. */
struct tfp_lookup_place {
	uint32_t hash;
	size_t at;
};

static inline struct tfp_lookup_place tfp_lookup_begin(uint32_t hash)
{
	return (struct tfp_lookup_place){hash, hash};
}

/* The first id from PLACE on that was added under its hash, TFP_NONE if there is none; PLACE stands on it then. */
static inline uint32_t tfp_lookup_find(const struct tfp_lookup *table,
				       struct tfp_lookup_place *place)
{
	for (size_t i = place->at & (table->room - 1);; i = (i + 1) & (table->room - 1)) {
		if (table->slot[i].id == TFP_NONE)
			return TFP_NONE;
		if (table->slot[i].hash == place->hash) {
			place->at = i;
			return table->slot[i].id;
		}
	}
}

/* A loop over what was added under HASH, ID being each of it; TFP_NONE when it has ended by itself. */
#define TFP_LOOKUP_EACH(id, table, hash)                                                           \
	for (struct tfp_lookup_place place_ = tfp_lookup_begin(hash);                              \
	     ((id) = tfp_lookup_find((table), &place_)) != TFP_NONE; place_.at++)

/* Tells the processor that HASH is about to be looked for. */
static inline void tfp_lookup_fetch(const struct tfp_lookup *table, uint32_t hash)
{
	__builtin_prefetch(&table->slot[hash & (table->room - 1)]);
}

/* The id that a search for HASH meets first, whether or not it is under HASH; TFP_NONE for none. */
static inline uint32_t tfp_lookup_guess(const struct tfp_lookup *table, uint32_t hash)
{
	return table->slot[hash & (table->room - 1)].id;
}

/* Mixes 64 bits to 32. */
static inline uint32_t tfp_lookup_mix(uint64_t key)
{
	key *= 0x9e3779b97f4a7c15u;
	key ^= key >> 29;
	key *= 0xbf58476d1ce4e5b9u;
	return (uint32_t)(key >> 32);
}

#endif
