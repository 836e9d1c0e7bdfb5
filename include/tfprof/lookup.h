/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from a hash to ids, for the tables that give equal things one id. It keeps no keys: the
 * caller compares the candidates.
 *
 *	for (id = tfp_lookup_first(table, hash, &at); id != TFP_NONE; id = tfp_lookup_next(table, hash, &at))
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

struct tfp_lookup *tfp_lookup_new(void);
void tfp_lookup_free(struct tfp_lookup *table);
size_t tfp_lookup_bytes(const struct tfp_lookup *table);

/* Adds ID under HASH; what is there already stays. */
void tfp_lookup_add(struct tfp_lookup *table, uint32_t hash, uint32_t id);

static inline uint32_t tfp_lookup_from(const struct tfp_lookup *table, uint32_t hash, size_t *at)
{
	for (size_t i = *at & (table->room - 1);; i = (i + 1) & (table->room - 1)) {
		if (table->slot[i].id == TFP_NONE)
			return TFP_NONE;
		if (table->slot[i].hash == hash) {
			*at = i;
			return table->slot[i].id;
		}
	}
}

/* The first id added under HASH, TFP_NONE if there is none; AT is where the search stands. */
static inline uint32_t tfp_lookup_first(const struct tfp_lookup *table, uint32_t hash, size_t *at)
{
	*at = hash;
	return tfp_lookup_from(table, hash, at);
}

static inline uint32_t tfp_lookup_next(const struct tfp_lookup *table, uint32_t hash, size_t *at)
{
	++*at;
	return tfp_lookup_from(table, hash, at);
}

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
