/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map of ids: an array where keys are near each other, else open addressing, at most half full. Which of them is chosen anew
 * whenever there is no room left, or no place in the array for a key.
 */
#include "load/idmap.h"

#define FIRST_SPAN 64 /* places that an array has at least */
#define FIRST_ROOM 16
#define APART      16 /* places in the array for each key: it takes about the room of the table then */

static inline struct tfp_idmap_slot *find(const struct tfp_idmap *map, uint64_t key)
{
	size_t i = tfp_idmap_place(map, key);

	for (;; i++) {
		struct tfp_idmap_slot *slot = &map->slot[i & (map->room - 1)];

		if (slot->value == TFP_NONE || slot->key == key)
			return slot;
	}
}

/* ---- growing ------------------------------------------------------------------------------------- */

/* Steps through the values from *AT on; false: there are no more. */
static bool next(const struct tfp_idmap *map, size_t *at, struct tfp_idmap_slot *found)
{
	for (; *at < map->span; ++*at)
		if (map->near[*at]) {
			*found = (struct tfp_idmap_slot){map->first + *at, map->near[*at] - 1};
			++*at;
			return true;
		}
	for (; *at < map->room; ++*at)
		if (map->slot[*at].value != TFP_NONE) {
			*found = map->slot[(*at)++];
			return true;
		}
	return false;
}

/* An array for the keys from LEAST to MOST, and for as many as that again on either side of them. */
static void start_near(struct tfp_idmap *map, uint64_t least, uint64_t most)
{
	uint64_t range = most - least + 1, beside = range / 2 + FIRST_SPAN / 2;

	map->first = least - beside;
	map->span = range + 2 * beside;
	map->near = tfp_alloc_zero(map->span, sizeof(*map->near));
}

static void start_slots(struct tfp_idmap *map)
{
	map->hash = tfp_hash_key_new();
	map->room = FIRST_ROOM;
	while (map->room <= 2 * map->count)
		map->room *= 2;
	map->slot = tfp_realloc_array(NULL, map->room, sizeof(*map->slot));
	for (size_t i = 0; i < map->room; i++)
		map->slot[i].value = TFP_NONE;
}

/* Makes room for one more, KEY. */
static void grow(struct tfp_idmap *map, uint64_t key)
{
	const struct tfp_idmap old = *map;
	struct tfp_idmap_slot it;
	uint64_t least = key, most = key;

	for (size_t at = 0; next(&old, &at, &it);) {
		least = it.key < least ? it.key : least;
		most = it.key > most ? it.key : most;
	}
	*map = (struct tfp_idmap){.count = old.count};
	if (most - least < FIRST_SPAN || (most - least) / APART < old.count)
		start_near(map, least, most);
	else
		start_slots(map);
	for (size_t at = 0; next(&old, &at, &it);) {
		if (map->near)
			map->near[it.key - map->first] = it.value + 1;
		else
			*find(map, it.key) = it;
	}
	tfp_array_release(old.near);
	tfp_array_release(old.slot);
}

/* ---- reading and adding -------------------------------------------------------------------------- */

uint32_t tfp_idmap_search(const struct tfp_idmap *map, uint64_t key)
{
	return map->room ? find(map, key)->value : TFP_NONE;
}

uint32_t tfp_idmap_add(struct tfp_idmap *map, uint64_t key, uint32_t value)
{
	struct tfp_idmap_slot *slot;

	if (map->count * 2 >= map->room && key - map->first >= map->span)
		grow(map, key);
	if (key - map->first < map->span) {
		uint32_t *there = &map->near[key - map->first];

		if (!*there) {
			*there = value + 1;
			map->count++;
		}
		return *there - 1;
	}
	slot = find(map, key);
	if (slot->value == TFP_NONE) {
		*slot = (struct tfp_idmap_slot){key, value};
		map->count++;
	}
	return slot->value;
}

void tfp_idmap_free(struct tfp_idmap *map)
{
	tfp_array_release(map->near);
	tfp_array_release(map->slot);
	*map = (struct tfp_idmap){0};
}
