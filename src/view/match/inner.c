/* SPDX-License-Identifier: Apache-2.0 */
/* What is between the ".*" at both ends of a pattern: see inner.h. */
#include "view/match/inner.h"

#include <string.h>

#include "tfprof/base.h"

#define ANY_SIZE 2

static bool is_any(const char *at)
{
	return at[0] == '.' && at[1] == '*';
}

/* Things that make it hard to see what is outside of what. */
static bool is_intricate(const char *pattern)
{
	return strstr(pattern, "\\Q") || strstr(pattern, "\\G") || strstr(pattern, "\\K") ||
	       strstr(pattern, "(*") || strchr(pattern, '#') || strstr(pattern, "[[") ||
	       strstr(pattern, "[]") || strstr(pattern, "[^]");
}

/* Does a '|' stand outside of all groups? Flags in the middle count as one: they end with the group. */
static bool has_branches(const char *pattern)
{
	int depth = 0;
	bool in_class = false;

	for (const char *at = pattern; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		else if (in_class)
			in_class = *at != ']';
		else if (*at == '[')
			in_class = true;
		else if (*at == '(')
			depth++;
		else if (*at == ')')
			depth--;
		else if (*at == '|' && depth == 0)
			return true;
	}
	return false;
}

/* Is the ".*" at the end of PATTERN one that is not escaped? */
static bool ends_open(const char *pattern, size_t size)
{
	size_t slashes = 0;

	if (size < ANY_SIZE || !is_any(pattern + size - ANY_SIZE))
		return false;
	while (slashes < size - ANY_SIZE && pattern[size - ANY_SIZE - 1 - slashes] == '\\')
		slashes++;
	return slashes % 2 == 0;
}

bool tfp_inner_init(struct tfp_inner *inner, const char *pattern)
{
	size_t size = strlen(pattern), from = 0;

	*inner = (struct tfp_inner){0};
	if (is_intricate(pattern) || has_branches(pattern))
		return false;
	inner->head = is_any(pattern) && !(size > ANY_SIZE && strchr("?+*{", pattern[ANY_SIZE]));
	from = inner->head ? ANY_SIZE : 0;
	inner->tail = ends_open(pattern + from, size - from);
	size -= from + (inner->tail ? ANY_SIZE : 0);
	if (!inner->head && !inner->tail)
		return false;
	inner->text = tfp_alloc(size + 1);
	memcpy(inner->text, pattern + from, size);
	inner->text[size] = '\0';
	return true;
}
