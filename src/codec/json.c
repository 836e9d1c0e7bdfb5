/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor over JSON text: see json.h. What is passed over is looked at 64 bytes at a time. */
#include "tfprof/json.h"

#include <string.h>

#define NUMBERED 6 /* bytes of a letter by its number */

void tfp_json_start(struct tfp_json *json, struct tfp_span text)
{
	*json = (struct tfp_json){.begin = text.at, .at = text.at, .end = text.at + text.size};
	if (text.size >= 3 && !memcmp(text.at, "\xef\xbb\xbf", 3))
		json->at += 3;
}

void tfp_json_stop(struct tfp_json *json)
{
	tfp_array_free(&json->open);
	tfp_array_free(&json->key);
}

static enum tfp_json_kind fail(struct tfp_json *json, const char *error)
{
	json->error = error;
	return TFP_JSON_END;
}

static void skip_blanks(struct tfp_json *json)
{
	while (json->at < json->end &&
	       (*json->at == ' ' || *json->at == '\n' || *json->at == '\r' || *json->at == '\t'))
		json->at++;
}

/* ---- strings ---------------------------------------------------------------------------------- */

static enum tfp_json_kind take_string(struct tfp_json *json, struct tfp_json_token *token,
				      enum tfp_json_kind kind)
{
	const char *begin = json->at + 1;
	const char *end = tfp_json_string_end(begin, json->end, &token->escaped);

	if (!end)
		return fail(json, "a string does not end");
	token->text = (struct tfp_span){begin, (size_t)(end - begin)};
	json->at = end + 1;
	return kind;
}

/* ---- other values ------------------------------------------------------------------------------ */

static bool is_word_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '.' || c == '+' || c == '-';
}

static const struct word {
	const char *text;
	enum tfp_json_kind kind;
} words[] = {
	{"true", TFP_JSON_TRUE},  {"false", TFP_JSON_FALSE},     {"null", TFP_JSON_NULL},
	{"NaN", TFP_JSON_NUMBER}, {"Infinity", TFP_JSON_NUMBER}, {"-Infinity", TFP_JSON_NUMBER},
};

/* Digits with a sign, a point and an exponent at their places. */
static bool is_number(struct tfp_span text)
{
	const char *at = text.at, *end = at + text.size, *digits;

	at += at < end && *at == '-';
	digits = at;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	if (at == digits)
		return false;
	if (at < end && *at == '.')
		for (at++; at < end && *at >= '0' && *at <= '9';)
			at++;
	if (at < end && (*at == 'e' || *at == 'E')) {
		at++;
		at += at < end && (*at == '+' || *at == '-');
		digits = at;
		while (at < end && *at >= '0' && *at <= '9')
			at++;
		if (at == digits)
			return false;
	}
	return at == end;
}

static enum tfp_json_kind take_word(struct tfp_json *json, struct tfp_json_token *token)
{
	const char *at = json->at;

	while (at < json->end && is_word_byte(*at))
		at++;
	token->text = (struct tfp_span){json->at, (size_t)(at - json->at)};
	if (is_number(token->text)) {
		json->at = at;
		return TFP_JSON_NUMBER;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (tfp_span_is(token->text, words[i].text)) {
			json->at = at;
			return words[i].kind;
		}
	return fail(json, at == json->end ? "the text ends in the middle of a value"
					  : "there is no value here");
}

/* ---- structure --------------------------------------------------------------------------------- */

static char innermost(const struct tfp_json *json)
{
	return json->open.count ? json->open.at[json->open.count - 1] : 0;
}

static enum tfp_json_kind close(struct tfp_json *json, char bracket)
{
	if (innermost(json) != (bracket == '}' ? '{' : '['))
		return fail(json, "this bracket closes none that is open");
	json->open.count--;
	json->at++;
	json->value_done = true;
	return bracket == '}' ? TFP_JSON_OBJECT_END : TFP_JSON_ARRAY_END;
}

static enum tfp_json_kind take_value(struct tfp_json *json, struct tfp_json_token *token)
{
	char c = *json->at;

	json->key_done = false;
	if (c == '{' || c == '[') {
		*tfp_array_push(&json->open) = c;
		json->at++;
		return c == '{' ? TFP_JSON_OBJECT : TFP_JSON_ARRAY;
	}
	json->value_done = true;
	return c == '"' ? take_string(json, token, TFP_JSON_STRING) : take_word(json, token);
}

static enum tfp_json_kind take_key(struct tfp_json *json, struct tfp_json_token *token)
{
	if (*json->at != '"')
		return fail(json, "a key in quotes is missing here");
	if (!take_string(json, token, TFP_JSON_KEY))
		return TFP_JSON_END;
	if (token->escaped)
		token->text = tfp_json_unescape(token->text, &json->key);
	token->escaped = false;
	skip_blanks(json);
	if (json->at == json->end || *json->at != ':')
		return fail(json, "a colon is missing here");
	json->at++;
	json->key_done = true;
	return TFP_JSON_KEY;
}

static enum tfp_json_kind at_end(struct tfp_json *json)
{
	return json->open.count || json->key_done ? fail(json, "the text ends too early")
						  : TFP_JSON_END;
}

static enum tfp_json_kind read_token(struct tfp_json *json, struct tfp_json_token *token)
{
	skip_blanks(json);
	if (json->at < json->end && json->value_done) {
		if (!json->open.count)
			return fail(json, "something follows the end");
		if (*json->at != ',' && *json->at != '}' && *json->at != ']')
			return fail(json, "a comma is missing here");
		if (*json->at == ',') {
			json->at++;
			json->value_done = false;
			skip_blanks(json);
		}
	}
	if (json->at == json->end)
		return at_end(json);
	if (!json->key_done && (*json->at == '}' || *json->at == ']'))
		return close(json, *json->at);
	if (!json->key_done && innermost(json) == '{')
		return take_key(json, token);
	return take_value(json, token);
}

enum tfp_json_kind tfp_json_next(struct tfp_json *json, struct tfp_json_token *token)
{
	*token = (struct tfp_json_token){.text = {"", 0}};
	if (!json->error)
		token->kind = read_token(json, token);
	return token->kind;
}

/* ---- passing over ------------------------------------------------------------------------------ */

/* Where a walk that only looks for quotes and brackets stands. */
struct passing {
	size_t depth;
	uint64_t inside; /* all ones: in a string */
};

/* One byte at a time. NULL: no end up to END, and STATE is what it is there; ENDS in the middle of an escape moves END. */
static const char *pass_bytes(struct passing *state, const char *at, const char **end,
			      const char *limit)
{
	for (; at < *end; at++) {
		if (state->inside) {
			if (*at == '\\') {
				at++;
				if (at == *end && *end < limit)
					++*end;
			} else if (*at == '"') {
				state->inside = 0;
			}
			continue;
		}
		if (*at == '"')
			state->inside = ~UINT64_C(0);
		else if (*at == '{' || *at == '[')
			state->depth++;
		else if ((*at == '}' || *at == ']') && !--state->depth)
			return at + 1;
	}
	return NULL;
}

#ifdef __SSE2__
#define BLOCK 64
#define FIRST 32 /* most of what is passed ends in it */

struct masks {
	uint64_t quotes, backslashes, opens, closes;
};

static inline struct masks masks_of(const char *at, int size)
{
	struct masks masks = {0};

	for (int i = 0; i < size; i += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
		/* Curly and square brackets differ in this bit only. */
		__m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));

		masks.quotes |= (uint64_t)(unsigned int)_mm_movemask_epi8(
					_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')))
				<< i;
		masks.backslashes |= (uint64_t)(unsigned int)_mm_movemask_epi8(
					     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')))
				     << i;
		masks.opens |= (uint64_t)(unsigned int)_mm_movemask_epi8(
				       _mm_cmpeq_epi8(folded, _mm_set1_epi8('{')))
			       << i;
		masks.closes |= (uint64_t)(unsigned int)_mm_movemask_epi8(
					_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')))
				<< i;
	}
	return masks;
}

/* Bit i of the result: an odd number of bits up to bit i are set. */
static uint64_t odd_up_to(uint64_t bits)
{
	for (int shift = 1; shift < BLOCK; shift *= 2)
		bits ^= bits << shift;
	return bits;
}

/* Where the depth becomes 0 in what has no backslashes; NULL: it does not. */
static inline const char *pass_masks(struct passing *state, const char *at,
				     const struct masks *masks)
{
	uint64_t inside = odd_up_to(masks->quotes) ^ state->inside;
	uint64_t brackets = (masks->opens | masks->closes) & ~inside;

	/* behind the last quote all is as at the end */
	state->inside = (uint64_t)((int64_t)inside >> (BLOCK - 1));
	for (; brackets; brackets &= brackets - 1) {
		unsigned int bit = (unsigned int)__builtin_ctzll(brackets);

		if (masks->opens >> bit & 1)
			state->depth++;
		else if (!--state->depth)
			return at + bit + 1;
	}
	return NULL;
}

/* The SIZE bytes AT, which moves behind them, and behind an escape that they end in. */
static inline const char *pass_block(struct passing *state, const char **at, const char *end,
				     int size)
{
	struct masks masks = masks_of(*at, size);
	const char *begin = *at;

	*at += size;
	return masks.backslashes ? pass_bytes(state, begin, at, end)
				 : pass_masks(state, begin, &masks);
}
#endif

/* From AT, where STATE is, to behind the bracket that makes the depth 0; NULL when there is none. */
static const char *pass(struct passing *state, const char *at, const char *end)
{
	const char *found = NULL;

#ifdef __SSE2__
	if (end - at >= FIRST)
		found = pass_block(state, &at, end, FIRST);
	while (!found && end - at >= BLOCK)
		found = pass_block(state, &at, end, BLOCK);
#endif
	return found ? found : pass_bytes(state, at, &end, end);
}

const char *tfp_json_pass_nested(const char *at, const char *end)
{
	return pass(&(struct passing){0, 0}, at, end);
}

bool tfp_json_skip(struct tfp_json *json, const struct tfp_json_token *token)
{
	const char *after;

	if (token->kind != TFP_JSON_OBJECT && token->kind != TFP_JSON_ARRAY)
		return true;
	after = pass(&(struct passing){1, 0}, json->at, json->end);
	if (!after) {
		json->at = json->end;
		fail(json, "the text ends too early");
		return false;
	}
	json->open.count--;
	json->at = after;
	json->value_done = true;
	return true;
}

/* ---- what tokens mean -------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Four hexadecimal digits; -1 when they are not there. */
static long read_unit(const char *at, const char *end)
{
	long unit = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(at[i]);

		if (digit < 0)
			return -1;
		unit = unit * 16 + digit;
	}
	return unit;
}

static char *put_utf8(char *to, long code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
	} else {
		if (code < 0x10000) {
			*to++ = (char)(0xe0 | code >> 12);
		} else {
			*to++ = (char)(0xf0 | code >> 18);
			*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (code & 0x3f));
	return to;
}

/* Reads what follows "\u", maybe a pair of them; half a pair is no character. */
static const char *take_unicode(const char *at, const char *end, char **to)
{
	long code = read_unit(at, end), low;

	if (code < 0) {
		*to = put_utf8(*to, 0xfffd);
		return at;
	}
	at += 4;
	if (code >= 0xd800 && code < 0xe000) {
		low = end - at > 6 && at[0] == '\\' && at[1] == 'u' ? read_unit(at + 2, end) : -1;
		if (end - at == 6 && at[0] == '\\' && at[1] == 'u')
			low = read_unit(at + 2, end);
		if (code < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
			code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
			at += 6;
		} else {
			code = 0xfffd;
		}
	}
	*to = put_utf8(*to, code);
	return at;
}

struct tfp_span tfp_json_unescape(struct tfp_span text, struct tfp_json_bytes *room)
{
	static const char from[] = "bfnrt", become[] = "\b\f\n\r\t";
	const char *at = text.at, *end = at + text.size;
	char *to;

	/* "\u" without digits, two bytes, becomes three. */
	tfp_array_reserve(room, text.size * 3 / 2 + 4);
	to = room->at;
	while (at < end) {
		const char *letter;

		if (*at != '\\' || end - at < 2) {
			*to++ = *at++;
			continue;
		}
		if (at[1] == 'u') {
			at = take_unicode(at + 2, end, &to);
			continue;
		}
		letter = strchr(from, at[1]);
		*to++ = letter && at[1] ? become[letter - from] : at[1];
		at += 2;
	}
	room->count = (size_t)(to - room->at);
	return (struct tfp_span){room->at, room->count};
}

struct tfp_span tfp_json_string(const struct tfp_json_token *token, struct tfp_json_bytes *room)
{
	return token->escaped ? tfp_json_unescape(token->text, room) : token->text;
}

struct tfp_span tfp_json_plain(struct tfp_span text, struct tfp_json_bytes *room)
{
	const char *at = text.at, *end = at + text.size;

	if (!tfp_span_holds(text, "\\u00"))
		return text;
	room->count = 0;
	tfp_array_reserve(room, text.size);
	while (at < end) {
		long letter =
			end - at > 2 && at[0] == '\\' && at[1] == 'u' ? read_unit(at + 2, end) : -1;

		if (letter >= ' ' && letter < 0x7f && letter != '"' && letter != '\\') {
			room->at[room->count++] = (char)letter;
			at += 6;
			continue;
		}
		/* what a backslash stands before is no backslash itself */
		if (*at == '\\' && end - at > 1)
			room->at[room->count++] = *at++;
		room->at[room->count++] = *at++;
	}
	return (struct tfp_span){room->at, room->count};
}

/* Behind the string whose quote is AT, where it says WORD; NULL: it does not. */
static const char *pass_word(const char *at, const char *end, struct tfp_span word)
{
	if (*at++ != '"')
		return NULL;
	for (size_t i = 0; i < word.size && at < end; i++) {
		long letter = (unsigned char)*at;

		if (letter == '\\' && end - at > 2 && at[1] == 'u') {
			letter = read_unit(at + 2, end);
			at += 5;
		}
		if (letter != (unsigned char)word.at[i])
			return NULL;
		at++;
	}
	return at < end && *at == '"' ? at + 1 : NULL;
}

/* Where WORD stands in quotes as it is; the end: nowhere. */
static const char *find_word(struct tfp_span text, struct tfp_span word)
{
	const char *at = text.at, *end = text.at + text.size;

	while ((at = memmem(at, (size_t)(end - at), word.at, word.size))) {
		if (at > text.at && pass_word(at - 1, end, word))
			return at - 1;
		at++;
	}
	return end;
}

const char *tfp_json_find_string(struct tfp_span text, struct tfp_span word)
{
	const char *plain = find_word(text, word), *end = text.at + text.size, *at = text.at;

	/* one before it has a letter by its number */
	while ((at = memmem(at, (size_t)(plain - at), "\\u", 2))) {
		const char *quote = at, *behind;

		while (quote > text.at && *quote != '"' &&
		       (size_t)(at - quote) < NUMBERED * word.size)
			quote--;
		behind = pass_word(quote, end, word);
		if (behind)
			return behind;
		at += 2;
	}
	return plain < end ? pass_word(plain, end, word) : NULL;
}

/* The exponent that ends TEXT, cut to what can matter. */
static long take_exponent(struct tfp_span *text)
{
	long exponent = 0;
	bool minus;
	size_t at = 0;

	while (at < text->size && (text->at[at] | 0x20) != 'e')
		at++;
	if (at == text->size)
		return 0;
	minus = text->at[at + 1] == '-';
	for (size_t i = at + 1; i < text->size; i++)
		if (text->at[i] >= '0' && text->at[i] <= '9' && exponent < 1000)
			exponent = exponent * 10 + (text->at[i] - '0');
	text->size = at;
	return minus ? -exponent : exponent;
}

bool tfp_json_integer(const struct tfp_json_token *token, unsigned int digits, int64_t *value)
{
	struct tfp_span text = token->text;
	bool minus = text.size && text.at[0] == '-', point = false;
	long places;
	int64_t sum = 0;
	bool full = false;

	if (token->kind != TFP_JSON_NUMBER || !is_number(text))
		return false;
	places = (long)digits + take_exponent(&text);
	/* Digits behind the point count as long as there are places; those before it always would. */
	for (size_t i = minus; i < text.size; i++) {
		int digit = text.at[i] - '0';

		if (text.at[i] == '.') {
			point = true;
			continue;
		}
		if (point && places <= 0)
			break;
		full = full || __builtin_mul_overflow(sum, 10, &sum) ||
		       __builtin_add_overflow(sum, minus ? -digit : digit, &sum);
		places -= point;
	}
	for (; sum && places > 0 && !full; places--)
		full = __builtin_mul_overflow(sum, 10, &sum);
	for (; sum && places < 0 && !full; places++)
		sum /= 10;
	*value = sum;
	return !full;
}
