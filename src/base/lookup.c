/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash table behind whatever gives equal things one id: open addressing, at most three
 * quarters full.
 */
#include "tfprof/lookup.h"

enum { FIRST_ROOM = 64 };

static void clear(struct tfp_lookup *table, size_t room)
{
	table->slot = tfp_realloc_array(NULL, room, sizeof(*table->slot));
	table->room = room;
	for (size_t i = 0; i < room; i++)
		table->slot[i] = (struct tfp_lookup_slot){0, TFP_NONE};
}

struct tfp_lookup *tfp_lookup_new(void)
{
	struct tfp_lookup *table = tfp_alloc_zero(1, sizeof(*table));

	clear(table, FIRST_ROOM);
	return table;
}

void tfp_lookup_free(struct tfp_lookup *table)
{
	if (!table)
		return;
	tfp_array_release(table->slot);
	tfp_array_release(table);
}

size_t tfp_lookup_bytes(const struct tfp_lookup *table)
{
	return sizeof(*table) + table->room * sizeof(*table->slot);
}

static void place(struct tfp_lookup *table, struct tfp_lookup_slot slot)
{
	size_t i = slot.hash & (table->room - 1);

	while (table->slot[i].id != TFP_NONE)
		i = (i + 1) & (table->room - 1);
	table->slot[i] = slot;
}

static void grow(struct tfp_lookup *table)
{
	struct tfp_lookup_slot *old = table->slot;
	size_t old_room = table->room;

	clear(table, old_room * 2);
	for (size_t i = 0; i < old_room; i++)
		if (old[i].id != TFP_NONE)
			place(table, old[i]);
	tfp_array_release(old);
}

void tfp_lookup_add(struct tfp_lookup *table, uint32_t hash, uint32_t id)
{
	if (table->count * 4 >= table->room * 3)
		grow(table);
	place(table, (struct tfp_lookup_slot){hash, id});
	table->count++;
}
