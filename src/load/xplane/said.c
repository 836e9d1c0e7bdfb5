/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as TraceMe writes them, "name#key=value,key=value#". The profiler makes stats of what they say
 * before it saves them; in what it could not finish they are as they were.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "load/xplane/space.h"

struct tfp_span tfp_xsaid_split(struct tfp_span *name)
{
	struct tfp_span said = {"", 0};
	const char *open;

	if (name->size < 3 || name->at[name->size - 1] != '#')
		return said;
	open = memchr(name->at, '#', name->size - 1);
	if (!open || open == name->at)
		return said;
	said = (struct tfp_span){open + 1, (size_t)(name->at + name->size - open) - 2};
	name->size = (size_t)(open - name->at);
	return said;
}

/* Where the next comma is that stands in no quotes and no brackets. */
static size_t find_end(struct tfp_span text)
{
	size_t depth = 0, i;
	char quote = 0;

	for (i = 0; i < text.size; i++) {
		char c = text.at[i];

		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '(' || c == '[' || c == '{')
			depth++;
		else if ((c == ')' || c == ']' || c == '}') && depth)
			depth--;
		else if (c == ',' && !depth)
			break;
	}
	return i;
}

struct tfp_xvalue tfp_xvalue_of(struct tfp_span text)
{
	struct tfp_xvalue value = {.type = STAT_TEXT, .text = text};
	char digits[32], *end;

	if (!text.size || text.size >= sizeof(digits))
		return value;
	memcpy(digits, text.at, text.size);
	digits[text.size] = '\0';
	errno = 0;
	value.value =
		*digits == '-' ? (uint64_t)strtoll(digits, &end, 10) : strtoull(digits, &end, 10);
	if (!*end && !errno)
		value.type = *digits == '-' ? STAT_INT : STAT_UINT;
	return value;
}

static void take(struct tfp_span key, struct tfp_span value, struct tfp_xvalues *values)
{
	enum tfp_xstat stat = tfp_xstat_named(tfp_span_trim(key));

	if (stat == XSTAT_NONE || tfp_xvalues_have(values, stat))
		return;
	values->at[stat] = tfp_xvalue_of(tfp_span_trim(value));
	values->seen |= TFP_XSTAT(stat);
}

void tfp_xsaid_read(struct tfp_span said, struct tfp_xvalues *values)
{
	while (said.size) {
		size_t size = find_end(said);
		const char *equals = size ? memchr(said.at, '=', size) : NULL;
		size_t key = equals ? (size_t)(equals - said.at) : 0;

		if (key)
			take((struct tfp_span){said.at, key},
			     (struct tfp_span){equals + 1, size - key - 1}, values);
		size += size < said.size;
		said = tfp_span_from(said, size);
	}
}
