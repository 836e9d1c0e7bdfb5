/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three-way quicksort on eight bytes of the names at a time, which are kept beside each item. Only names
 * that agree in eight bytes are looked at again, eight bytes further on. No recursion: what is left to
 * do lies on a list.
 */
#include "view/group/names.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 12   /* fewer items are inserted one by one */
#define LARGE 4096 /* more items are worth a look at the cancel flag */

/* Items from FIRST on that agree in their first DEPTH bytes; keys hold the eight bytes behind those. */
struct part {
	size_t first, count, depth;
};

struct sorter {
	struct tfp_named *items;
	enum tfp_name_order order;
	uint64_t random; /* so that no file can be written that always splits badly */
	TFP_ARRAY(struct part) parts;
};

/* Paths: of each byte of KEY its rank, 0 for a slash, one more for what is below it, so that a scope comes right before what is in it. */
static inline uint64_t path_ranks(uint64_t key)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
	uint64_t low = ~(((key & ~highs) + ones * (0x80 - '/' - 1)) | key) & highs; /* up to it */
	uint64_t slash = low & ~(((key ^ ones * '/') & ~highs) + ~highs);

	return (key + (low >> 7)) & ~((slash >> 7) * 0xff);
}

/* A name that ends counts as zero bytes; the sizes settle what is then equal. */
static inline uint64_t load_key(struct tfp_span name, size_t depth, enum tfp_name_order order)
{
	size_t left = name.size > depth ? name.size - depth : 0;
	uint64_t key = 0;

	if (!left)
		return 0;
	memcpy(&key, name.at + depth, left < sizeof(key) ? left : sizeof(key));
	key = be64toh(key);
	if (order == TFP_NAMES_PATHS)
		key = path_ranks(key);
	return left < sizeof(key) ? key & ~(UINT64_MAX >> 8 * left) : key;
}

static void load_keys(const struct sorter *sorter, size_t first, size_t count, size_t depth)
{
	for (size_t i = first; i < first + count; i++)
		sorter->items[i].key = load_key(sorter->items[i].name, depth, sorter->order);
}

static int compare_ends(const void *left, const void *right)
{
	const struct tfp_named *a = left, *b = right;

	if (a->name.size != b->name.size)
		return a->name.size < b->name.size ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Names that agree up to DEPTH, keys included in the comparison. */
static bool is_before(const struct tfp_named *a, const struct tfp_named *b, size_t depth,
		      enum tfp_name_order order)
{
	size_t shared = a->name.size < b->name.size ? a->name.size : b->name.size;

	if (a->key != b->key)
		return a->key < b->key;
	for (size_t at = depth + sizeof(a->key); at < shared; at += sizeof(a->key)) {
		uint64_t left = load_key(a->name, at, order), right = load_key(b->name, at, order);

		if (left != right)
			return left < right;
	}
	return compare_ends(a, b) < 0;
}

static void insert_all(const struct sorter *sorter, const struct part *part)
{
	struct tfp_named *items = sorter->items + part->first;

	for (size_t i = 1; i < part->count; i++) {
		struct tfp_named item = items[i];
		size_t at = i;

		for (; at > 0 && is_before(&item, &items[at - 1], part->depth, sorter->order); at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static inline void swap(struct tfp_named *a, struct tfp_named *b)
{
	struct tfp_named item = *a;

	*a = *b;
	*b = item;
}

static uint64_t key_anywhere(struct sorter *sorter, const struct part *part)
{
	sorter->random = sorter->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return sorter->items[part->first + (sorter->random >> 32) % part->count].key;
}

/* The middle one of three. */
static uint64_t pick_pivot(struct sorter *sorter, const struct part *part)
{
	uint64_t a = key_anywhere(sorter, part), b = key_anywhere(sorter, part);
	uint64_t c = key_anywhere(sorter, part);

	if (a > b) {
		uint64_t other = a;

		a = b;
		b = other;
	}
	return c <= a ? a : c >= b ? b : c;
}

/* Brings the names that end within the key's bytes to the front, in order; returns how many. */
static size_t sort_ended(struct tfp_named *items, size_t count, size_t depth)
{
	size_t ended = 0;

	for (size_t i = 0; i < count; i++)
		if (items[i].name.size <= depth)
			swap(&items[i], &items[ended++]);
	if (ended > 1)
		qsort(items, ended, sizeof(*items), compare_ends);
	return ended;
}

static void split(struct sorter *sorter, struct part part)
{
	struct tfp_named *items = sorter->items + part.first;
	uint64_t pivot = pick_pivot(sorter, &part);
	size_t below = 0, i = 0, above = part.count, depth = part.depth + sizeof(pivot), ended;

	while (i < above) {
		if (items[i].key < pivot)
			swap(&items[i++], &items[below++]);
		else if (items[i].key > pivot)
			swap(&items[i], &items[--above]);
		else
			i++;
	}
	*tfp_array_push(&sorter->parts) =
		(struct part){part.first + above, part.count - above, part.depth};
	*tfp_array_push(&sorter->parts) = (struct part){part.first, below, part.depth};
	ended = sort_ended(items + below, above - below, depth);
	below += ended;
	load_keys(sorter, part.first + below, above - below, depth);
	*tfp_array_push(&sorter->parts) = (struct part){part.first + below, above - below, depth};
}

bool tfp_names_sort(struct tfp_named *items, size_t count, enum tfp_name_order order,
		    struct tfp_job *job)
{
	struct sorter sorter = {.items = items, .order = order, .random = (uintptr_t)&sorter >> 4};
	bool done = true;

	load_keys(&sorter, 0, count, 0);
	*tfp_array_push(&sorter.parts) = (struct part){0, count, 0};
	while (sorter.parts.count && done) {
		struct part part = sorter.parts.at[--sorter.parts.count];

		if (part.count > SMALL)
			split(&sorter, part);
		else
			insert_all(&sorter, &part);
		if (part.count > LARGE)
			done = !tfp_job_cancelled(job);
	}
	tfp_array_free(&sorter.parts);
	return done;
}
