/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a list in JSON: see lists.h. */
#include "load/chrome/lists.h"

#include <string.h>

struct elements list_elements(struct tfp_span list)
{
	if (list.size < 2 || *list.at != '[')
		return (struct elements){list.at, list.at};
	return (struct elements){list.at + 1, list.at + list.size - 1};
}

bool list_next(struct elements *elements, struct tfp_span *element)
{
	const char *at = tfp_json_pass_blanks(elements->at, elements->end), *end = elements->end,
		   *after;
	bool escaped;

	if (at == end)
		return false;
	if (*at == '[' || *at == '{') {
		after = tfp_json_pass_nested(at, end);
	} else if (*at == '"') {
		after = tfp_json_string_end(at + 1, end, &escaped);
		after = after ? after + 1 : NULL;
	} else {
		after = memchr(at, ',', (size_t)(end - at));
	}
	if (!after)
		after = end;
	*element = (struct tfp_span){at, (size_t)(after - at)};
	at = tfp_json_pass_blanks(after, end);
	elements->at = at < end && *at == ',' ? at + 1 : at;
	return true;
}

struct tfp_span list_text(struct tfp_span text)
{
	if (text.size < 2 || *text.at != '"')
		return (struct tfp_span){"", 0};
	return (struct tfp_span){text.at + 1, text.size - 2};
}

struct tfp_span list_of_text(struct tfp_span text, char open, char close,
			     struct tfp_json_bytes *room)
{
	room->count = 0;
	*tfp_array_push(room) = '[';
	*tfp_array_push(room) = open;
	for (size_t i = 0; i < text.size; i++) {
		if (text.at[i] != ';') {
			*tfp_array_push(room) = text.at[i];
			continue;
		}
		*tfp_array_push(room) = close;
		*tfp_array_push(room) = ',';
		*tfp_array_push(room) = open;
	}
	*tfp_array_push(room) = close;
	*tfp_array_push(room) = ']';
	return (struct tfp_span){room->at, room->count};
}
