/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings. Three parts: the bytes, in a region; a directory from id to bytes, in pieces
 * that double and never move, so that readers need no lock; and a hash table of (hash, id) with
 * open addressing, which only the thread that interns touches.
 *
 * A slot's place is the top bits of the hash. When the table doubles, slot i thus goes to 2i or
 * 2i+1: both tables are walked in order, and the strings themselves are not read.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/base.h"
#include "tfprof/hash.h"
#include "base/memory.h"

#define FIRST_BITS 10 /* of the table, and of the first piece of the directory */
#define LAST_BITS  32
#define GROUP      16 /* strings looked up together by tfp_strings_add_many */
#define PIECES     (LAST_BITS - FIRST_BITS + 1)

struct slot {
	uint32_t hash;
	tfp_str id; /* 0: free; the empty string is not in the table */
};

struct tfp_strings {
	struct slot *slots;
	unsigned int bits; /* there are 1 << bits slots, at most half of them taken */
	uint32_t count;
	struct tfp_hash_key key;
	struct tfp_span *pieces[PIECES];
	struct tfp_arena bytes;
};

/*
 * Where id N stands: pieces hold 2^10, 2^10, 2^11, 2^12 … spans, that is, piece 0 has all ids below
 * 2^10 and each later one the ids with the same highest bit.
 */
static inline unsigned int piece_of(tfp_str id)
{
	unsigned int top = 31 - (unsigned int)__builtin_clz(id | 1);

	return top < FIRST_BITS ? 0 : top - FIRST_BITS + 1;
}

static inline uint32_t piece_start(unsigned int piece)
{
	return piece ? UINT32_C(1) << (piece + FIRST_BITS - 1) : 0;
}

static inline struct tfp_span *directory_at(const struct tfp_strings *strings, tfp_str id)
{
	unsigned int piece = piece_of(id);

	return &strings->pieces[piece][id - piece_start(piece)];
}

static void directory_put(struct tfp_strings *strings, tfp_str id, struct tfp_span span)
{
	unsigned int piece = piece_of(id);
	uint32_t start = piece_start(piece);

	if (!strings->pieces[piece]) {
		size_t room = piece ? start : (size_t)1 << FIRST_BITS;

		strings->pieces[piece] = tfp_realloc_array(NULL, room, sizeof(span));
	}
	strings->pieces[piece][id - start] = span;
}

struct tfp_strings *tfp_strings_new(void)
{
	struct tfp_strings *strings = tfp_alloc_zero(1, sizeof(*strings));

	strings->bits = FIRST_BITS;
	strings->slots = tfp_alloc_zero((size_t)1 << FIRST_BITS, sizeof(struct slot));
	strings->key = tfp_hash_key_new();
	directory_put(strings, 0, (struct tfp_span){tfp_arena_text(&strings->bytes, "", 0), 0});
	strings->count = 1;
	return strings;
}

void tfp_strings_free(struct tfp_strings *strings)
{
	if (!strings)
		return;
	for (size_t i = 0; i < PIECES; i++)
		free(strings->pieces[i]);
	tfp_arena_free(&strings->bytes);
	free(strings->slots);
	free(strings);
}

static void table_double(struct tfp_strings *strings)
{
	size_t old_size = (size_t)1 << strings->bits, mask = old_size * 2 - 1;
	struct slot *slots;
	unsigned int shift;

	if (strings->bits >= LAST_BITS)
		tfp_memory_end();
	slots = tfp_alloc_zero(old_size * 2, sizeof(*slots));
	shift = 32 - ++strings->bits;
	for (size_t i = 0; i < old_size; i++) {
		struct slot slot = strings->slots[i];
		size_t at = slot.hash >> shift;

		if (!slot.id)
			continue;
		while (slots[at].id)
			at = (at + 1) & mask;
		slots[at] = slot;
	}
	free(strings->slots);
	strings->slots = slots;
}

/* The slot that holds the string, or the free one where it belongs. */
static inline struct slot *table_find(const struct tfp_strings *strings, uint32_t hash,
				      const char *at, size_t size)
{
	size_t mask = ((size_t)1 << strings->bits) - 1;
	struct slot *slot;

	for (size_t i = hash >> (32 - strings->bits);; i = (i + 1) & mask) {
		slot = &strings->slots[i];
		if (!slot->id)
			return slot;
		if (slot->hash == hash) {
			struct tfp_span have = *directory_at(strings, slot->id);

			if (have.size == size && memcmp(have.at, at, size) == 0)
				return slot;
		}
	}
}

static inline uint32_t hash_of(const struct tfp_strings *strings, const char *at, size_t size)
{
	return (uint32_t)(tfp_hash_bytes(strings->key, at, size) >> 32);
}

static tfp_str add_hashed(struct tfp_strings *strings, uint32_t hash, struct tfp_span span)
{
	struct slot *slot = table_find(strings, hash, span.at, span.size);

	if (slot->id)
		return slot->id;
	span.at = tfp_arena_text(&strings->bytes, span.at, span.size);
	directory_put(strings, strings->count, span);
	*slot = (struct slot){hash, strings->count};
	if ((size_t)strings->count * 2 >= (size_t)1 << strings->bits)
		table_double(strings);
	return strings->count++;
}

tfp_str tfp_strings_add(struct tfp_strings *strings, const char *at, size_t size)
{
	if (size == 0)
		return 0;
	return add_hashed(strings, hash_of(strings, at, size), (struct tfp_span){at, size});
}

/*
 * Hashes COUNT strings and asks for the memory that they will be looked up in, in three rounds
 * (slot, directory, bytes), so that the waits of a group overlap instead of adding up. (Hashing
 * stands here because GCC drops calls of a function that does nothing but prefetch.)
 */
static void look_ahead(const struct tfp_strings *strings, const struct tfp_span *spans,
		       size_t count, uint32_t *hashes)
{
	const struct slot *slots[GROUP];
	const struct tfp_span *places[GROUP];

	for (size_t i = 0; i < count; i++) {
		hashes[i] = hash_of(strings, spans[i].at, spans[i].size);
		slots[i] = &strings->slots[hashes[i] >> (32 - strings->bits)];
		__builtin_prefetch(slots[i]);
	}
	for (size_t i = 0; i < count; i++) {
		places[i] = directory_at(strings, slots[i]->id);
		if (slots[i]->hash == hashes[i])
			__builtin_prefetch(places[i]);
	}
	for (size_t i = 0; i < count; i++)
		if (slots[i]->hash == hashes[i])
			__builtin_prefetch(places[i]->at);
}

void tfp_strings_add_many(struct tfp_strings *strings, const struct tfp_span *spans, size_t count,
			  tfp_str *ids)
{
	uint32_t hashes[GROUP];

	for (size_t done = 0, group; done < count; done += group) {
		group = count - done < GROUP ? count - done : GROUP;
		look_ahead(strings, spans + done, group, hashes);
		for (size_t i = 0; i < group; i++) {
			struct tfp_span span = spans[done + i];

			ids[done + i] = span.size ? add_hashed(strings, hashes[i], span) : 0;
		}
	}
}

tfp_str tfp_strings_add_text(struct tfp_strings *strings, const char *text)
{
	return tfp_strings_add(strings, text, strlen(text));
}

tfp_str tfp_strings_find(const struct tfp_strings *strings, const char *at, size_t size)
{
	tfp_str id;

	if (size == 0)
		return 0;
	id = table_find(strings, hash_of(strings, at, size), at, size)->id;
	return id ? id : TFP_NONE;
}

struct tfp_span tfp_strings_get(const struct tfp_strings *strings, tfp_str id)
{
	return *directory_at(strings, id);
}

const char *tfp_strings_text(const struct tfp_strings *strings, tfp_str id)
{
	return tfp_strings_get(strings, id).at;
}

uint32_t tfp_strings_count(const struct tfp_strings *strings)
{
	return strings->count;
}

size_t tfp_strings_bytes(const struct tfp_strings *strings)
{
	size_t bytes = strings->bytes.bytes + (sizeof(struct slot) << strings->bits);

	for (unsigned int i = 0; i < PIECES && strings->pieces[i]; i++)
		bytes += (i ? piece_start(i) : (size_t)1 << FIRST_BITS) * sizeof(struct tfp_span);
	return bytes;
}
