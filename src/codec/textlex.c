/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of protobuf text. Everything is a walk forward over bytes; nesting is only counted.
 */
#include "codec/textlex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define UNICODE_MOST     0x10ffff
#define REAL_TEXT_MOST   400
#define SURROGATE_HIGH   0xd800
#define SURROGATE_LOW    0xdc00
#define SURROGATE_END    0xe000
#define SUPPLEMENT_START 0x10000

enum {
	BLANK = 1,
	NAME = 2,
	SCALAR = 4,
	STRING_STOP = 8,
	SKIP_STOP = 16, /* what counts when a nested value is skipped */
};

static const uint8_t classes[256] = {
	[' '] = BLANK,
	['\t'] = BLANK,
	['\r'] = BLANK,
	['\n'] = BLANK | STRING_STOP,
	['\v'] = BLANK,
	['\f'] = BLANK,
	['a' ... 'z'] = NAME | SCALAR,
	['A' ... 'Z'] = NAME | SCALAR,
	['0' ... '9'] = NAME | SCALAR,
	['_'] = NAME | SCALAR,
	['.'] = SCALAR,
	['+'] = SCALAR,
	['-'] = SCALAR,
	['\\'] = STRING_STOP,
	['"'] = STRING_STOP | SKIP_STOP,
	['\''] = STRING_STOP | SKIP_STOP,
	['#'] = SKIP_STOP,
	['{'] = SKIP_STOP,
	['}'] = SKIP_STOP,
	['['] = SKIP_STOP,
	[']'] = SKIP_STOP,
	['<'] = SKIP_STOP,
	['>'] = SKIP_STOP,
};

static bool is_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '9';
}

static void skip_line(struct tfp_textlex *lex)
{
	const uint8_t *newline = memchr(lex->at, '\n', (size_t)(lex->end - lex->at));

	lex->at = newline ? newline : lex->end;
}

void tfp_textlex_blank(struct tfp_textlex *lex)
{
	for (;;) {
		while (lex->at < lex->end && classes[*lex->at] & BLANK)
			lex->at++;
		if (tfp_textlex_peek(lex) != '#')
			return;
		skip_line(lex);
	}
}

static struct tfp_span take_class(struct tfp_textlex *lex, uint8_t class)
{
	const uint8_t *start = lex->at;

	while (lex->at < lex->end && classes[*lex->at] & class)
		lex->at++;
	return (struct tfp_span){(const char *)start, (size_t)(lex->at - start)};
}

struct tfp_span tfp_textlex_name(struct tfp_textlex *lex)
{
	if (is_digit(tfp_textlex_peek(lex)))
		return (struct tfp_span){(const char *)lex->at, 0};
	return take_class(lex, NAME);
}

struct tfp_span tfp_textlex_scalar(struct tfp_textlex *lex)
{
	return take_class(lex, SCALAR);
}

/* ---- strings --------------------------------------------------------------------------------- */

static unsigned int digit_value(uint8_t byte)
{
	if (is_digit(byte))
		return byte - '0';
	byte |= 0x20;
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10U : 99;
}

/* Reads up to MOST digits of BASE. Returns how many there were. */
static unsigned int take_digits(struct tfp_textlex *lex, unsigned int base, unsigned int most,
				uint32_t *value)
{
	unsigned int count = 0;

	*value = 0;
	while (count < most && digit_value(tfp_textlex_peek(lex)) < base) {
		*value = *value * base + digit_value(*lex->at++);
		count++;
	}
	return count;
}

/* Appends a code point as UTF-8; the room is there. */
static void put_character(struct tfp_textlex_bytes *out, uint32_t code)
{
	uint8_t *at = out->at + out->count;

	if (code < 0x80) {
		*at++ = (uint8_t)code;
	} else if (code < 0x800) {
		*at++ = (uint8_t)(0xc0 | code >> 6);
		*at++ = (uint8_t)(0x80 | (code & 0x3f));
	} else if (code < SUPPLEMENT_START) {
		*at++ = (uint8_t)(0xe0 | code >> 12);
		*at++ = (uint8_t)(0x80 | (code >> 6 & 0x3f));
		*at++ = (uint8_t)(0x80 | (code & 0x3f));
	} else {
		*at++ = (uint8_t)(0xf0 | code >> 18);
		*at++ = (uint8_t)(0x80 | (code >> 12 & 0x3f));
		*at++ = (uint8_t)(0x80 | (code >> 6 & 0x3f));
		*at++ = (uint8_t)(0x80 | (code & 0x3f));
	}
	out->count = (size_t)(at - out->at);
}

/*
 * The second half of a character written as two surrogates, as JSON does; HIGH itself without one.
 */
static uint32_t join_surrogates(struct tfp_textlex *lex, uint32_t high)
{
	struct tfp_textlex ahead = *lex;
	uint32_t low;

	if (tfp_textlex_accept(&ahead, '\\') && tfp_textlex_accept(&ahead, 'u') &&
	    take_digits(&ahead, 16, 4, &low) == 4 && low >= SURROGATE_LOW && low < SURROGATE_END) {
		*lex = ahead;
		return SUPPLEMENT_START + ((high - SURROGATE_HIGH) << 10) + (low - SURROGATE_LOW);
	}
	return high;
}

/* \uXXXX and \UXXXXXXXX, the cursor behind the letter. False when the digits are not there. */
static bool take_unicode(struct tfp_textlex *lex, unsigned int digits,
			 struct tfp_textlex_bytes *out)
{
	const uint8_t *start = lex->at;
	uint32_t code;

	if (take_digits(lex, 16, digits, &code) != digits || code > UNICODE_MOST) {
		lex->at = start;
		return false;
	}
	if (code >= SURROGATE_HIGH && code < SURROGATE_LOW)
		code = join_surrogates(lex, code);
	put_character(out, code);
	return true;
}

/*
 * Decodes the escape at the cursor, which is behind the backslash. What it gives is shorter than
 * it.
 */
static void take_escape(struct tfp_textlex *lex, struct tfp_textlex_bytes *out)
{
	static const char simple[256] = {
		['n'] = '\n', ['t'] = '\t',  ['r'] = '\r',  ['a'] = '\a',
		['b'] = '\b', ['f'] = '\f',  ['v'] = '\v',  ['?'] = '?',
		['"'] = '"',  ['\''] = '\'', ['\\'] = '\\',
	};
	uint8_t byte = *lex->at;
	uint32_t value;

	if (take_digits(lex, 8, 3, &value)) {
		out->at[out->count++] = (uint8_t)value;
		return;
	}
	lex->at++;
	if ((byte == 'x' || byte == 'X') && take_digits(lex, 16, 2, &value)) {
		out->at[out->count++] = (uint8_t)value;
		return;
	}
	if (byte == 'u' && take_unicode(lex, 4, out))
		return;
	if (byte == 'U' && take_unicode(lex, 8, out))
		return;
	lex->odd_escape |= !simple[byte];
	out->at[out->count++] = simple[byte] ? (uint8_t)simple[byte] : byte;
}

/* One string, the cursor at its quote. */
static bool take_string(struct tfp_textlex *lex, struct tfp_textlex_bytes *out)
{
	uint8_t quote = *lex->at++;

	for (;;) {
		const uint8_t *run = lex->at;
		size_t size;

		while (lex->at < lex->end && !(classes[*lex->at] & STRING_STOP))
			lex->at++;
		size = (size_t)(lex->at - run);
		tfp_array_reserve(out, out->count + size + 4);
		memcpy(out->at + out->count, run, size);
		out->count += size;
		if (lex->at == lex->end || *lex->at == '\n')
			return false;
		if (tfp_textlex_accept(lex, quote))
			return true;
		if (!tfp_textlex_accept(lex, '\\'))
			out->at[out->count++] = *lex->at++;
		else if (lex->at < lex->end && *lex->at != '\n')
			take_escape(lex, out);
	}
}

/* Steps over one string, the cursor at its quote. */
static bool skip_string(struct tfp_textlex *lex)
{
	uint8_t quote = *lex->at++;

	for (; lex->at < lex->end && *lex->at != '\n'; lex->at++) {
		if (*lex->at == quote) {
			lex->at++;
			return true;
		}
		if (*lex->at == '\\' && lex->end - lex->at > 1 && lex->at[1] != '\n')
			lex->at++;
	}
	return false;
}

bool tfp_textlex_strings(struct tfp_textlex *lex, struct tfp_textlex_bytes *out)
{
	const uint8_t *end_of_last = lex->at;

	while (tfp_textlex_quote(tfp_textlex_peek(lex))) {
		if (!(out ? take_string(lex, out) : skip_string(lex)))
			return false;
		end_of_last = lex->at;
		tfp_textlex_blank(lex);
	}
	lex->at = end_of_last;
	return true;
}

/* ---- stepping over values -------------------------------------------------------------------- */

/* From an opening bracket to the one that closes it. The kinds of brackets need not pair. */
static bool skip_nested(struct tfp_textlex *lex)
{
	size_t depth = 0;

	while (lex->at < lex->end) {
		uint8_t byte = *lex->at;

		if (!(classes[byte] & SKIP_STOP)) {
			lex->at++;
		} else if (byte == '#') {
			skip_line(lex);
		} else if (tfp_textlex_quote(byte)) {
			if (!skip_string(lex))
				return false;
		} else {
			lex->at++;
			if (byte == '{' || byte == '[' || byte == '<')
				depth++;
			else if (--depth == 0)
				return true;
		}
	}
	return false;
}

bool tfp_textlex_skip_value(struct tfp_textlex *lex)
{
	uint8_t byte;

	tfp_textlex_blank(lex);
	byte = tfp_textlex_peek(lex);
	if (byte == '{' || byte == '<' || byte == '[')
		return skip_nested(lex);
	if (tfp_textlex_quote(byte))
		return tfp_textlex_strings(lex, NULL);
	if (tfp_textlex_accept(lex, '-'))
		tfp_textlex_blank(lex);
	return tfp_textlex_scalar(lex).size > 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool tfp_textlex_integer(struct tfp_span word, uint64_t *value)
{
	unsigned int base = 10;
	size_t i = 0;

	if (word.size > 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	} else if (word.size > 1 && word.at[0] == '0') {
		base = 8;
		i = 1;
	}
	if (i == word.size)
		return false;
	for (*value = 0; i < word.size; i++) {
		unsigned int digit = digit_value((uint8_t)word.at[i]);

		if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return false;
	}
	return true;
}

static bool word_is(struct tfp_span word, const char *text)
{
	return word.size == strlen(text) && !strncasecmp(word.at, text, word.size);
}

bool tfp_textlex_real(struct tfp_span word, locale_t locale, double *value)
{
	char text[REAL_TEXT_MOST + 1], *end;

	if (word_is(word, "inf") || word_is(word, "infinity")) {
		*value = INFINITY;
		return true;
	}
	if (word_is(word, "nan")) {
		*value = NAN;
		return true;
	}
	if (word.size && (word.at[word.size - 1] | 0x20) == 'f')
		word.size--;
	if (!word.size || word.size > REAL_TEXT_MOST)
		return false;
	if (!is_digit((uint8_t)word.at[0]) && word.at[0] != '.')
		return false;
	memcpy(text, word.at, word.size);
	text[word.size] = '\0';
	*value = strtod_l(text, &end, locale);
	return end == text + word.size;
}
