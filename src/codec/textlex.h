/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words of protobuf text: what textproto.c reads, piece by piece. Private to codec.
 */
#ifndef TFPROF_CODEC_TEXTLEX_H
#define TFPROF_CODEC_TEXTLEX_H

#include "tfprof/base.h"

#include <locale.h>

struct tfp_textlex {
	const uint8_t *at, *end;
	bool odd_escape; /* a string had an escape that does not exist; its character was kept */
};

struct tfp_textlex_bytes {
	uint8_t *at;
	size_t count, room;
};

/* Steps over white space and comments. */
void tfp_textlex_blank(struct tfp_textlex *lex);
/* The byte at the cursor, 0 at the end. */
static inline uint8_t tfp_textlex_peek(const struct tfp_textlex *lex)
{
	return lex->at < lex->end ? *lex->at : 0;
}
/* Steps over BYTE if it is the next one. */
static inline bool tfp_textlex_accept(struct tfp_textlex *lex, uint8_t byte)
{
	if (tfp_textlex_peek(lex) != byte || !byte)
		return false;
	lex->at++;
	return true;
}
static inline bool tfp_textlex_quote(uint8_t byte)
{
	return byte == '"' || byte == '\'';
}

/* A name: letters, digits and '_', not beginning with a digit. Empty when there is none. */
struct tfp_span tfp_textlex_name(struct tfp_textlex *lex);
/* A number without its sign, or a word. Empty when there is none. */
struct tfp_span tfp_textlex_scalar(struct tfp_textlex *lex);
/*
 * Strings, one or more in a row, decoded and appended to OUT, which may be NULL. False when one
 * does not end in its line; the cursor is at the end of that line.
 */
bool tfp_textlex_strings(struct tfp_textlex *lex, struct tfp_textlex_bytes *out);
/*
 * Steps over any value, nested ones as a whole. False when there is none or it does not end; the
 * cursor is where that shows.
 */
bool tfp_textlex_skip_value(struct tfp_textlex *lex);

/* Decimal, hexadecimal (0x) or octal (0) digits; false for anything else or beyond 64 bits. */
bool tfp_textlex_integer(struct tfp_span word, uint64_t *value);
/* A number without sign, inf or nan, written as in LOCALE (the C locale). */
bool tfp_textlex_real(struct tfp_span word, locale_t locale, double *value);

#endif
