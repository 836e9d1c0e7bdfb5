/* SPDX-License-Identifier: Apache-2.0 */
/* Well-formed UTF-8, with eight bytes at a time while they are ASCII, as nearly all names are. */
#include "view/match/utf8.h"

#include <string.h>

#define ONES  UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* A high bit where one of eight bytes is not ASCII or is a line end; strays only besides a true one. */
static inline uint64_t not_plain(uint64_t word)
{
	uint64_t differs = word ^ (ONES * '\n');

	return (word | ((differs - ONES) & ~differs)) & HIGHS;
}

bool tfp_utf8_plain(struct tfp_span text)
{
	uint64_t word, found = 0;
	size_t at = 0;

	for (; text.size - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, text.at + at, sizeof(word));
		found |= not_plain(word);
	}
	for (; at < text.size; at++)
		found |= not_plain((unsigned char)text.at[at]);
	return !found;
}

static size_t ascii_prefix(struct tfp_span text)
{
	size_t at = 0;
	uint64_t word;

	for (; text.size - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, text.at + at, sizeof(word));
		if (word & HIGHS)
			break;
	}
	while (at < text.size && !(text.at[at] & 0x80))
		at++;
	return at;
}

/* Bytes of the character at AT, 0 when there is none. */
static size_t character(const unsigned char *at, size_t size)
{
	size_t length = at[0] < 0xc2   ? 0
			: at[0] < 0xe0 ? 2
			: at[0] < 0xf0 ? 3
			: at[0] < 0xf5 ? 4
				       : 0;

	if (!length || length > size)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
	    (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
		return 0;
	return length;
}

bool tfp_utf8_valid(struct tfp_span text)
{
	for (;;) {
		size_t step = ascii_prefix(text);

		text = (struct tfp_span){text.at + step, text.size - step};
		if (!text.size)
			return true;
		step = character((const unsigned char *)text.at, text.size);
		if (!step)
			return false;
		text = (struct tfp_span){text.at + step, text.size - step};
	}
}
