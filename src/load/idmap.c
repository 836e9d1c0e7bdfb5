/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map of ids: open addressing, at most half full.
 */
#include "load/idmap.h"

enum { FIRST_ROOM = 64 };

static inline struct tfp_idmap_slot *find(const struct tfp_idmap *map, uint64_t key)
{
	size_t i = tfp_idmap_place(map, key);

	for (;; i++) {
		struct tfp_idmap_slot *slot = &map->slot[i & (map->room - 1)];

		if (slot->value == TFP_NONE || slot->key == key)
			return slot;
	}
}

static void grow(struct tfp_idmap *map)
{
	struct tfp_idmap old = *map;

	if (!old.room)
		map->hash = tfp_hash_key_new();
	map->room = old.room ? old.room * 2 : FIRST_ROOM;
	map->slot = tfp_realloc_array(NULL, map->room, sizeof(*map->slot));
	for (size_t i = 0; i < map->room; i++)
		map->slot[i].value = TFP_NONE;
	for (size_t i = 0; i < old.room; i++)
		if (old.slot[i].value != TFP_NONE)
			*find(map, old.slot[i].key) = old.slot[i];
	tfp_array_release(old.slot);
}

uint32_t tfp_idmap_get(const struct tfp_idmap *map, uint64_t key)
{
	return map->room ? find(map, key)->value : TFP_NONE;
}

uint32_t tfp_idmap_add(struct tfp_idmap *map, uint64_t key, uint32_t value)
{
	struct tfp_idmap_slot *slot;

	if (map->count * 2 >= map->room)
		grow(map);
	slot = find(map, key);
	if (slot->value == TFP_NONE) {
		*slot = (struct tfp_idmap_slot){key, value};
		map->count++;
	}
	return slot->value;
}

void tfp_idmap_free(struct tfp_idmap *map)
{
	tfp_array_release(map->slot);
	*map = (struct tfp_idmap){0};
}
