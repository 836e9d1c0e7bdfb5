/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small gate in front of PCRE2: it walks a pattern and names the first thing that RE2, being without
 * backtracking, does not have. What both refuse is left to the compiler.
 */
#include "view/match/re2syntax.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_COUNT 1000

static bool is_octal(char byte)
{
	return byte >= '0' && byte <= '7';
}

/* After a backslash. Letters stand for the classes and characters that RE2 knows. */
static const char *check_escape(const char *at)
{
	if (*at >= '1' && *at <= '9')
		return is_octal(at[0]) && is_octal(at[1]) ? NULL : "back reference";
	if (*at == '_' || (isalpha((unsigned char)*at) && !strchr("AaBbCDdEfnPpQrSstvWwxz", *at)))
		return "escape sequence";
	return NULL;
}

/* After an opening parenthesis: a plain group, (?:, (?P<name>, or flags. */
static const char *check_group(const char *at)
{
	if (at[0] == '*')
		return "control verb";
	if (at[0] != '?')
		return NULL;
	at++;
	if (at[0] == 'P' && at[1] == '<')
		return NULL;
	if (at[0] == '=' || at[0] == '!' || (at[0] == '<' && (at[1] == '=' || at[1] == '!')))
		return "look-around";
	at += strspn(at, "imsU-");
	return *at == ':' || *at == ')' ? NULL : "group";
}

/* Length of a quantifier at AT, 0 for none; *count gets the largest number in it. */
static size_t quantifier(const char *at, unsigned long *count)
{
	const char *from = at;
	char *end;

	*count = 0;
	if (*at && strchr("*+?", *at))
		return 1;
	if (*at != '{' || !isdigit((unsigned char)at[1]))
		return 0;
	*count = strtoul(at + 1, &end, 10);
	if (*end == ',' && isdigit((unsigned char)end[1])) {
		unsigned long upper = strtoul(end + 1, &end, 10);

		*count = upper > *count ? upper : *count;
	} else if (*end == ',') {
		end++;
	}
	return *end == '}' ? (size_t)(end + 1 - from) : 0;
}

/* A quantifier may be made lazy, but not possessive nor repeated. */
static const char *check_quantifier(const char **at)
{
	unsigned long count;
	size_t size = quantifier(*at, &count);

	if (!size)
		return NULL;
	if (count > LARGEST_COUNT)
		return "count over 1000";
	*at += size;
	if (**at == '?')
		(*at)++;
	return quantifier(*at, &count) ? "repeated or possessive quantifier" : NULL;
}

/* Behind a character class that begins at AT. */
static const char *skip_class(const char *at)
{
	at++;
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		const char *named = at[0] == '[' && at[1] == ':' ? strstr(at, ":]") : NULL;

		if (named)
			at = named + 2;
		else
			at += at[0] == '\\' && at[1] ? 2 : 1;
	}
	return *at ? at + 1 : at;
}

static const char *skip_quoted(const char *at)
{
	const char *end = strstr(at, "\\E");

	return end ? end + 2 : at + strlen(at);
}

/* Looks at one element and moves *at behind it and its quantifier. */
static const char *check_element(const char **at)
{
	const char *from = *at, *refused = NULL;

	if (from[0] == '\\' && from[1] == 'Q') {
		*at = skip_quoted(from + 2);
		return NULL;
	}
	if (from[0] == '\\' && from[1]) {
		refused = check_escape(from + 1);
		*at = from + 2;
	} else if (from[0] == '[') {
		*at = skip_class(from);
	} else if (from[0] == '(') {
		refused = check_group(from + 1);
		*at = from + (from[1] == '?' ? 2 : 1);
		return refused;
	} else {
		*at = from + 1;
	}
	return refused ? refused : check_quantifier(at);
}

const char *tfp_re2_refuses(const char *pattern, size_t *offset)
{
	const char *at = pattern;

	while (*at) {
		const char *from = at, *refused = check_element(&at);

		if (refused) {
			*offset = (size_t)(from - pattern);
			return refused;
		}
	}
	return NULL;
}
