/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Literal text anywhere in a name, with smart case: small letters find both cases, a capital letter asks
 * for exactly what was typed. Eight bytes are looked at together for the first letter.
 */
#include <stdlib.h>
#include <string.h>

#include "view/match.h"

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)
#define CASES UINT64_C(0x2020202020202020)

struct tfp_finder {
	bool exact;
	size_t size;
	char text[];
};

static inline char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte + ('a' - 'A')) : byte;
}

struct tfp_finder *tfp_finder_new(const char *text)
{
	size_t size = strlen(text);
	struct tfp_finder *finder = tfp_alloc(sizeof(*finder) + size + 1);

	finder->size = size;
	finder->exact = false;
	for (size_t i = 0; i < size; i++)
		finder->exact |= text[i] != lower(text[i]);
	memcpy(finder->text, text, size + 1);
	return finder;
}

void tfp_finder_free(struct tfp_finder *finder)
{
	free(finder);
}

static inline bool equal_lower(const char *name, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (lower(name[i]) != text[i])
			return false;
	return true;
}

/* Is FIRST or its capital among the eight bytes at NAME? May say yes when it is not. */
static inline bool maybe_in_word(const char *name, char first)
{
	uint64_t word, wanted = ONES * (unsigned char)(first | 0x20);

	memcpy(&word, name, sizeof(word));
	word = (word | CASES) ^ wanted;
	return (word - ONES) & ~word & HIGHS;
}

static bool find_lower(const struct tfp_finder *finder, struct tfp_span name)
{
	size_t places = name.size - finder->size + 1, at = 0;

	while (at < places) {
		size_t stop = at + 8;

		if (stop <= name.size && !maybe_in_word(name.at + at, finder->text[0])) {
			at = stop;
			continue;
		}
		for (stop = stop < places ? stop : places; at < stop; at++)
			if (equal_lower(name.at + at, finder->text, finder->size))
				return true;
	}
	return false;
}

bool tfp_finder_match(const struct tfp_finder *finder, struct tfp_span name)
{
	if (name.size < finder->size)
		return false;
	if (!finder->size)
		return true;
	if (finder->exact)
		return memmem(name.at, name.size, finder->text, finder->size) != NULL;
	return find_lower(finder, name);
}
