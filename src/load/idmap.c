/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map of ids: an array where keys are near each other, else open addressing, at most half full. Which of them is chosen anew
 * whenever there is no room left, or no place in the array for a key.
 */
#include "load/idmap.h"

#include <string.h>

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

/* An array for the keys from LEAST to MOST, and for half as many on either side of them. */
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

static bool is_near(uint64_t range, size_t count)
{
	return range < FIRST_SPAN || range / APART < count;
}

/* Ids mostly go up: the array gets as many places behind KEY as it has before it. False: that is too many. */
static bool extend(struct tfp_idmap *map, uint64_t key)
{
	uint64_t range = key - map->first;
	size_t span = map->span;

	if (!map->near || key < map->first || !is_near(range, map->count))
		return false;
	map->span = 2 * range;
	map->near = tfp_realloc_array(map->near, map->span, sizeof(*map->near));
	memset(map->near + span, 0, (map->span - span) * sizeof(*map->near));
	return true;
}

/* Makes room for one more, KEY. */
static void grow(struct tfp_idmap *map, uint64_t key)
{
	const struct tfp_idmap old = *map;
	struct tfp_idmap_slot it;
	uint64_t least = key, most = key;

	if (extend(map, key))
		return;
	for (size_t at = 0; next(&old, &at, &it);) {
		least = it.key < least ? it.key : least;
		most = it.key > most ? it.key : most;
	}
	*map = (struct tfp_idmap){.count = old.count};
	if (is_near(most - least, old.count))
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
