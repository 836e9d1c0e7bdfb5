/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words: see words.h. */
#include "view/query/words.h"

#include <string.h>

/* VALUE without the pair of quotes around all of it; a quote inside means that there are several. */
static struct tfp_span strip_quotes(const char *value)
{
	size_t size = strlen(value);
	bool pair = size >= 2 && (value[0] == '\'' || value[0] == '"') &&
		    value[size - 1] == value[0] && !memchr(value + 1, value[0], size - 2);

	return pair ? (struct tfp_span){value + 1, size - 2} : (struct tfp_span){value, size};
}

/* Bytes of a quoted piece at AT, quotes included; 0 when the piece is not quoted from end to end. */
static size_t quoted_size(const char *at, const char *end)
{
	const char *close;

	if (*at != '\'' && *at != '"')
		return 0;
	close = memchr(at + 1, *at, (size_t)(end - at - 1));
	return close && (close + 1 == end || close[1] == ',') ? (size_t)(close + 1 - at) : 0;
}

/* Copies an unquoted piece to TO and returns where it ended in the value. */
static const char *copy_piece(const char *at, const char *end, char **to)
{
	for (; at < end && *at != ','; at++) {
		if (*at == '\\' && at + 1 < end) {
			if (at[1] != ',')
				*(*to)++ = *at;
			at++;
		}
		*(*to)++ = *at;
	}
	return at;
}

struct tfp_words tfp_words_parse(struct tfp_arena *arena, const char *value)
{
	struct tfp_span span = strip_quotes(value);
	const char *at = span.at, *end = span.at + span.size;
	char *to = tfp_arena_alloc(arena, span.size + 2);
	struct tfp_words words = {0};

	words.at = tfp_arena_zero(arena, span.size / 2 + 1, sizeof(*words.at));
	while (at < end) {
		size_t quoted = quoted_size(at, end);
		char *word = to;

		if (quoted) {
			to = (char *)mempcpy(to, at + 1, quoted - 2);
			at += quoted;
		} else {
			at = copy_piece(at, end, &to);
		}
		if (to > word)
			words.at[words.count++] = word;
		*to++ = '\0';
		at += at < end;
	}
	return words;
}

static size_t print_word(char *to, const char *word)
{
	char *start = to;

	if (*word == '\'' || *word == '"')
		*to++ = '\\';
	for (; *word; word++) {
		if (*word == '\\' && word[1])
			*to++ = *word++;
		else if (*word == ',')
			*to++ = '\\';
		*to++ = *word;
	}
	return (size_t)(to - start);
}

char *tfp_words_print(struct tfp_arena *arena, struct tfp_words words)
{
	size_t room = 1;
	char *text, *to;

	for (size_t i = 0; i < words.count; i++)
		room += 2 * strlen(words.at[i]) + 2;
	text = to = tfp_arena_alloc(arena, room);
	for (size_t i = 0; i < words.count; i++) {
		if (i)
			*to++ = ',';
		to += print_word(to, words.at[i]);
	}
	*to = '\0';
	return text;
}

bool tfp_words_equal(struct tfp_words a, struct tfp_words b)
{
	if (a.count != b.count)
		return false;
	for (size_t i = 0; i < a.count; i++)
		if (strcmp(a.at[i], b.at[i]) != 0)
			return false;
	return true;
}

struct tfp_words tfp_words_copy(struct tfp_arena *arena, struct tfp_words words)
{
	struct tfp_words copy = {0};

	if (!words.at)
		return copy;
	copy.at = tfp_arena_zero(arena, words.count + 1, sizeof(*copy.at));
	for (; copy.count < words.count; copy.count++) {
		const char *word = words.at[copy.count];

		copy.at[copy.count] = tfp_arena_text(arena, word, strlen(word));
	}
	return copy;
}

static bool is_harmless(const char *text)
{
	size_t size = strlen(text);

	return size && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./,:=+-@%") == size;
}

char *tfp_shell_quote(struct tfp_arena *arena, const char *text)
{
	char *quoted, *to;

	if (is_harmless(text))
		return tfp_arena_text(arena, text, strlen(text));
	quoted = to = tfp_arena_alloc(arena, 4 * strlen(text) + 3);
	*to++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			to = (char *)mempcpy(to, "'\\'", 3);
		*to++ = *text;
	}
	*to++ = '\'';
	*to = '\0';
	return quoted;
}
