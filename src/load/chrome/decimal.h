/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as they stand in records: without exponent, most of them whole and short. Read eight digits at a time. */
#ifndef TFPROF_LOAD_CHROME_DECIMAL_H
#define TFPROF_LOAD_CHROME_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DECIMAL_ROOM 32 /* bytes that there must be for those that are read at once */

/* A number without exponent: sign, what is before the point, and four places behind it. */
struct decimal {
	bool minus, large;
	uint64_t whole;
	unsigned int places;
};

static inline bool decimal_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline const char *decimal_take_slowly(struct decimal *decimal, const char *at,
					      const char *end)
{
	const char *begin = at;
	unsigned int scale = 1000;

	while (at < end && decimal_is_digit(*at))
		decimal->whole = decimal->whole * 10 + (uint64_t)(*at++ - '0');
	if (at == begin)
		return NULL;
	decimal->large = at - begin > 18;
	if (at < end && *at == '.')
		for (at++; at < end && decimal_is_digit(*at); at++, scale /= 10)
			decimal->places += scale * (unsigned int)(*at - '0');
	return at;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The eight bytes AT, and how many of them are digits before another byte. All at once: that can't be foreseen. */
static inline unsigned int decimal_count_digits(const char *at, uint64_t *word)
{
	uint64_t others;

	memcpy(word, at, sizeof(*word));
	*word -= UINT64_C(0x3030303030303030);
	others = ((*word + UINT64_C(0x7676767676767676)) | *word) & UINT64_C(0x8080808080808080);
	return others ? (unsigned int)__builtin_ctzll(others) / 8 : 8;
}

/* The value of the first COUNT digits, one at least, of such a WORD. */
static inline uint64_t decimal_value(uint64_t word, unsigned int count)
{
	word <<= 64 - 8 * count;
	word = word * 10 + (word >> 8);
	return ((word & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
		(word >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
	       32;
}

/* How many digits stand AT, eight at most, and their VALUE. */
static inline unsigned int decimal_take_digits(const char *at, uint64_t *value)
{
	uint64_t word;
	unsigned int count = decimal_count_digits(at, &word);

	*value = count ? decimal_value(word, count) : 0;
	return count;
}

/* The same as decimal_take_slowly, where there are DECIMAL_ROOM bytes. NULL, too, where there may be more digits than that. */
static inline const char *decimal_take_at_once(struct decimal *decimal, const char *at)
{
	static const uint64_t power[] = {1,      10,      100,      1000,     10000,
					 100000, 1000000, 10000000, 100000000};
	uint64_t more;
	unsigned int count = decimal_take_digits(at, &decimal->whole);

	at += count;
	if (count == 8) {
		count = decimal_take_digits(at, &more);
		decimal->whole = decimal->whole * power[count] + more;
		at += count;
		if (count == 8)
			return NULL;
	} else if (!count) {
		return NULL;
	}
	if (*at != '.')
		return at;
	count = decimal_take_digits(++at, &more);
	decimal->places =
		(unsigned int)(count < 4 ? more * power[4 - count] : more / power[count - 4]);
	return count == 8 ? NULL : at + count;
}
#endif

/* The number AT. Returns what follows it; NULL when there is none. */
static inline const char *decimal_take(struct decimal *decimal, const char *at, const char *end)
{
	bool minus = *at == '-';

	*decimal = (struct decimal){.minus = minus};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (end - at > DECIMAL_ROOM) {
		const char *after = decimal_take_at_once(decimal, at + minus);

		if (after)
			return after;
		*decimal = (struct decimal){.minus = minus};
	}
#endif
	return decimal_take_slowly(decimal, at + minus, end);
}

/*
 * A whole number of one to seven digits, with DECIMAL_ROOM bytes before the end and a comma or blank behind it: what most are.
 * Returns what follows it; NULL: it is another.
 */
static inline const char *decimal_take_short(int64_t *value, const char *at)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t word;
	unsigned int count = decimal_count_digits(at, &word);

	if (count - 1 >= 7 || (unsigned char)at[count] > ',' || at[count] == '+')
		return NULL;
	*value = (int64_t)decimal_value(word, count);
	return at + count;
#else
	(void)value;
	(void)at;
	return NULL;
#endif
}

#endif
