/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of keys: see rowkeys.h. */
#include "view/compare/rowkeys.h"

/* Keys are made from names in a file: which ones share a place is not for the file to say. */
static uint32_t hash_of(const struct tfp_rowkeys *map, uint64_t key)
{
	return (uint32_t)tfp_hash_fold(key ^ map->secret.a, map->secret.b | 1);
}

void tfp_rowkeys_start(struct tfp_rowkeys *map)
{
	*map = (struct tfp_rowkeys){.table = tfp_lookup_new(), .secret = tfp_hash_key_new()};
}

void tfp_rowkeys_end(struct tfp_rowkeys *map)
{
	tfp_lookup_free(map->table);
	tfp_array_free(&map->keys);
}

uint32_t tfp_rowkeys_find(const struct tfp_rowkeys *map, uint64_t key)
{
	uint32_t hash = hash_of(map, key), number;

	TFP_LOOKUP_EACH(number, map->table, hash)
		if (map->keys.at[number] == key)
			break;
	return number;
}

uint32_t tfp_rowkeys_add(struct tfp_rowkeys *map, uint64_t key)
{
	uint32_t number = tfp_rowkeys_find(map, key);

	if (number != TFP_NONE)
		return number;
	number = (uint32_t)map->keys.count;
	tfp_lookup_add(map->table, hash_of(map, key), number);
	*tfp_array_push(&map->keys) = key;
	return number;
}
