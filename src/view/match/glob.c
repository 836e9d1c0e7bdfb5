/* SPDX-License-Identifier: Apache-2.0 */
/* Literals and ".*": see glob.h. */
#include "view/match/glob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

/*
 * The literal byte at *at, which moves on. False for what is not a literal. An escaped letter or digit is
 * something else than itself; any other escaped byte is literal.
 */
static bool take_literal(const char **at, char *byte)
{
	const char *from = *at;

	if (*from == '\\') {
		from++;
		if (!*from || is_word(*from) || *from & 0x80)
			return false;
	} else if (strchr("^$.[]|()?*+{}", *from)) {
		return false;
	}
	/* A quantifier after it would make it something else. */
	if (from[1] && strchr("?*+{", from[1]))
		return false;
	*byte = *from;
	*at = from + 1;
	return true;
}

static bool is_quantified(const char *after)
{
	return *after && strchr("?+*{", *after);
}

bool tfp_glob_init(struct tfp_glob *glob, const char *pattern)
{
	size_t size = strlen(pattern), used = 0;
	TFP_ARRAY(size_t) starts = {0};
	bool good = true;

	glob->text = tfp_alloc(size + 1);
	glob->parts = NULL;
	*tfp_array_push(&starts) = 0;
	while (*pattern && good) {
		if (pattern[0] == '.' && pattern[1] == '*' && !is_quantified(pattern + 2)) {
			pattern += 2;
			*tfp_array_push(&starts) = used;
		} else {
			good = take_literal(&pattern, &glob->text[used++]);
		}
	}
	if (good) {
		glob->count = starts.count;
		glob->parts = tfp_alloc_zero(starts.count, sizeof(*glob->parts));
		*tfp_array_push(&starts) = used;
		for (size_t i = 0; i < glob->count; i++)
			glob->parts[i] = tfp_needle_of((struct tfp_span){
				glob->text + starts.at[i], starts.at[i + 1] - starts.at[i]});
	} else {
		free(glob->text);
		glob->text = NULL;
	}
	tfp_array_free(&starts);
	return good;
}

void tfp_glob_free(struct tfp_glob *glob)
{
	free(glob->text);
	free(glob->parts);
	glob->parts = NULL;
}

bool tfp_glob_match(const struct tfp_glob *glob, struct tfp_span name)
{
	struct tfp_span head = glob->parts[0].text, tail = glob->parts[glob->count - 1].text;
	const char *at = name.at, *end = name.at + name.size;

	if (glob->count == 1)
		return tfp_span_equal(name, head);
	if (name.size < head.size + tail.size || memcmp(at, head.at, head.size) != 0 ||
	    memcmp(end - tail.size, tail.at, tail.size) != 0)
		return false;
	at += head.size;
	end -= tail.size;
	for (size_t i = 1; i + 1 < glob->count; i++) {
		at = tfp_needle_find(&glob->parts[i], at, (size_t)(end - at));
		if (!at)
			return false;
		at += glob->parts[i].text.size;
	}
	return true;
}
