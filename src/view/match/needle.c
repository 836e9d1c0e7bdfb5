/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names are short and so is what is looked for: most of the time goes into places that begin well and then
 * differ. So the search is for the byte of the text that is rarest in names, and only there is it
 * compared.
 */
#include "view/match/needle.h"

#include <endian.h>
#include <string.h>

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)
#define CASES UINT64_C(0x2020202020202020)

#define LONG 64 /* from here on the C library's search, which is linear, is the better one */

/* Bytes of names, the most frequent first; what is not here is rare. */
static const char frequent[] = "/_aeitrondslcmupgbv0123456789hfwyxkqBCMAGRSTVDLP";

static size_t rarity(char byte)
{
	const char *at = byte ? strchr(frequent, byte) : NULL;

	return at ? (size_t)(at - frequent) : sizeof(frequent);
}

struct tfp_needle tfp_needle_of(struct tfp_span text)
{
	struct tfp_needle needle = {text, 0};

	for (size_t i = 1; i < text.size; i++)
		if (rarity(text.at[i]) > rarity(text.at[needle.rarest]))
			needle.rarest = i;
	return needle;
}

const char *tfp_needle_find(const struct tfp_needle *needle, const char *at, size_t size)
{
	struct tfp_span text = needle->text;
	const char *from = at + needle->rarest, *end = at + size;

	if (size < text.size)
		return NULL;
	if (text.size == 0)
		return at;
	if (text.size >= LONG)
		return memmem(at, size, text.at, text.size);
	end -= text.size - 1 - needle->rarest;
	while ((from = memchr(from, text.at[needle->rarest], (size_t)(end - from)))) {
		if (memcmp(from - needle->rarest, text.at, text.size) == 0)
			return from - needle->rarest;
		from++;
	}
	return NULL;
}

static inline char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte + ('a' - 'A')) : byte;
}

static inline bool equal_lower(const char *name, struct tfp_span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (lower(name[i]) != text.at[i])
			return false;
	return true;
}

/* A high bit for each of the eight bytes at AT that is BYTE, its capital, or a stray. */
static inline uint64_t candidates(const char *at, char byte)
{
	uint64_t word, differs;

	memcpy(&word, at, sizeof(word));
	differs = (le64toh(word) | CASES) ^ (ONES * (unsigned char)(byte | 0x20));
	return (differs - ONES) & ~differs & HIGHS;
}

/* Looks at the places of NAME for which the rarest byte may stand in the eight bytes from AT on. */
static bool find_in_word(const struct tfp_needle *needle, struct tfp_span name, size_t at)
{
	uint64_t places = candidates(name.at + at, needle->text.at[needle->rarest]);

	for (; places; places &= places - 1) {
		size_t place = at + (size_t)__builtin_ctzll(places) / 8;

		if (place < needle->rarest)
			continue;
		place -= needle->rarest;
		if (place <= name.size - needle->text.size &&
		    equal_lower(name.at + place, needle->text))
			return true;
	}
	return false;
}

static bool find_bytewise(const struct tfp_needle *needle, struct tfp_span name)
{
	for (size_t at = 0; at <= name.size - needle->text.size; at++)
		if (equal_lower(name.at + at, needle->text))
			return true;
	return false;
}

bool tfp_needle_find_any_case(const struct tfp_needle *needle, struct tfp_span name)
{
	if (name.size < needle->text.size)
		return false;
	if (name.size < sizeof(uint64_t) || !needle->text.size)
		return find_bytewise(needle, name);
	for (size_t at = 0; at < name.size - sizeof(uint64_t); at += sizeof(uint64_t))
		if (find_in_word(needle, name, at))
			return true;
	/* The last eight bytes, some of them again. */
	return find_in_word(needle, name, name.size - sizeof(uint64_t));
}
