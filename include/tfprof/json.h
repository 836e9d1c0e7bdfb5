/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cursor over JSON text: one token at a time, where it lies, without building objects. It takes
 * what programs write besides JSON: a comma before a closing bracket, NaN, Infinity, and a text that
 * ends early.
 */
#ifndef TFPROF_CODEC_JSON_H
#define TFPROF_CODEC_JSON_H

#include "tfprof/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#else
#include <string.h>
#endif

enum tfp_json_kind {
	TFP_JSON_END, /* of the text; or what follows can't be read: see error */
	TFP_JSON_OBJECT,
	TFP_JSON_OBJECT_END,
	TFP_JSON_ARRAY,
	TFP_JSON_ARRAY_END,
	TFP_JSON_KEY, /* its value is the next token */
	TFP_JSON_STRING,
	TFP_JSON_NUMBER,
	TFP_JSON_TRUE,
	TFP_JSON_FALSE,
	TFP_JSON_NULL,
};

struct tfp_json_bytes {
	char *at;
	size_t count, room;
};

struct tfp_json {
	const char *begin, *at, *end;
	TFP_ARRAY(char) open;      /* the brackets that are open: '{' or '[' */
	bool value_done;           /* a value ended here: next comes a comma or a closing bracket */
	bool key_done;             /* next comes the value of a key */
	const char *error;         /* why reading ended, NULL: at the end */
	struct tfp_json_bytes key; /* the one read last, where it has backslashes */
};

struct tfp_json_token {
	enum tfp_json_kind kind;
	/* of a string what is between the quotes, as it stands; of a key without its backslashes, until the next key */
	struct tfp_span text;
	bool escaped; /* there are backslashes in it */
};

/* To be ended by tfp_json_stop. TEXT must outlive it. */
void tfp_json_start(struct tfp_json *json, struct tfp_span text);
void tfp_json_stop(struct tfp_json *json);
/* Reads the next token; its kind. After an error all are TFP_JSON_END. */
enum tfp_json_kind tfp_json_next(struct tfp_json *json, struct tfp_json_token *token);
/* Passes over what TOKEN, an object or array just opened, holds, and over nothing else. False: it does not end. */
bool tfp_json_skip(struct tfp_json *json, const struct tfp_json_token *token);
/* Where the cursor is, in bytes. */
static inline size_t tfp_json_offset(const struct tfp_json *json)
{
	return (size_t)(json->at - json->begin);
}

/* The bytes of a string: where they stand, or without its backslashes in ROOM, which is then written over. */
struct tfp_span tfp_json_string(const struct tfp_json_token *token, struct tfp_json_bytes *room);
/* The same of TEXT, what is between the quotes. */
struct tfp_span tfp_json_unescape(struct tfp_span text, struct tfp_json_bytes *room);
/*
 * TEXT, any JSON, with letters for numbers of letters: a list of strings may then be compared with what programs write. In ROOM
 * where it has some.
 */
struct tfp_span tfp_json_plain(struct tfp_span text, struct tfp_json_bytes *room);
/*
 * What is behind the first string of TEXT, any JSON or a part of it, that says WORD, letters for letters or by their numbers; NULL:
 * none does.
 */
const char *tfp_json_find_string(struct tfp_span text, struct tfp_span word);
/*
 * The number TOKEN times 10 to the power of DIGITS (0 to 9), cut to an integer. False when it is no number or too large.
 */
bool tfp_json_integer(const struct tfp_json_token *token, unsigned int digits, int64_t *value);

/* ---- for readers of one layout, which step over the text themselves -------------------------------- */

/* The first quote or backslash from AT on; END if there is none. */
static inline const char *tfp_json_find_special(const char *at, const char *end)
{
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');

	for (; end - at >= 16; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote),
					     _mm_cmpeq_epi8(bytes, backslash));
		unsigned int mask = (unsigned int)_mm_movemask_epi8(found);

		if (mask)
			return at + __builtin_ctz(mask);
	}
#else
	const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;

	for (; end - at >= 8; at += 8) {
		uint64_t quotes, backslashes;

		memcpy(&quotes, at, sizeof(quotes));
		backslashes = quotes ^ ones * '\\';
		quotes ^= ones * '"';
		if ((((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes)) & highs)
			break;
	}
#endif
	while (at < end && *at != '"' && *at != '\\')
		at++;
	return at;
}

/* The quote that ends the string whose content begins AT; NULL when there is none. */
static inline const char *tfp_json_string_end(const char *at, const char *end, bool *escaped)
{
	*escaped = false;
	while ((at = tfp_json_find_special(at, end)) < end) {
		if (*at == '"')
			return at;
		*escaped = true;
		if (end - at < 2)
			return NULL;
		at += 2;
	}
	return NULL;
}

/* The first byte from AT on that is more than a blank; control characters pass for blanks. END if there is none. */
static inline const char *tfp_json_pass_blanks(const char *at, const char *end)
{
	if (at < end && (unsigned char)*at > ' ')
		return at;
#ifdef __SSE2__
	for (; end - at >= 16; at += 16) {
		const __m128i blank = _mm_set1_epi8(' ');
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		unsigned int mask = (unsigned int)_mm_movemask_epi8(
			_mm_cmpeq_epi8(_mm_max_epu8(bytes, blank), blank));

		if (mask != 0xffff)
			return at + __builtin_ctz(~mask);
	}
#endif
	while (at < end && (unsigned char)*at <= ' ')
		at++;
	return at;
}

/* What follows the object or array whose bracket is AT; NULL when it does not end. Only quotes and brackets matter. */
const char *tfp_json_pass_nested(const char *at, const char *end);

#endif
