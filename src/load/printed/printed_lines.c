/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a printed report: what stands before each of them in a log or a mail is told by the
 * shape of what stands before one, and pieces of wrapped lines are put together again.
 */
#include <string.h>

#include "load/printed/printed.h"

void tfp_printed_split(struct tfp_printed_lines *lines, struct tfp_span text)
{
	const char *at = text.at, *end = text.at + text.size;

	lines->open = text.size && end[-1] != '\n';
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		struct tfp_span line = {at, (size_t)((stop ? stop : end) - at)};

		if (line.size && line.at[line.size - 1] == '\r')
			line.size--;
		*tfp_array_push(&lines->list) = line;
		at = stop ? stop + 1 : end;
	}
}

/* ---- what stands before lines ----------------------------------------------------------------- */

/* Digits, and the blanks that pad them. */
static bool is_number(char c)
{
	return (c >= '0' && c <= '9') || c == ' ';
}

static size_t number_end(struct tfp_span text, size_t at)
{
	while (at < text.size && is_number(text.at[at]))
		at++;
	return at;
}

/* The last run of blanks of PREFIX is followed by the line, whose own blanks count. */
static size_t numbers_size(struct tfp_span prefix)
{
	size_t size = prefix.size;

	while (size && prefix.at[size - 1] == ' ')
		size--;
	return size;
}

/* Bytes of LINE that are like PREFIX, numbers being like each other; SIZE_MAX when it is unlike. */
static size_t match_prefix(struct tfp_span line, struct tfp_span prefix)
{
	size_t numbers = numbers_size(prefix), at = 0, i = 0;

	while (i < numbers) {
		if (at >= line.size)
			return SIZE_MAX;
		if (is_number(prefix.at[i]) && is_number(line.at[at])) {
			i = number_end((struct tfp_span){prefix.at, numbers}, i);
			at = number_end(line, at);
		} else if (prefix.at[i++] != line.at[at++]) {
			return SIZE_MAX;
		}
	}
	for (; i < prefix.size && at < line.size && line.at[at] == ' '; i++)
		at++;
	return i < prefix.size && at < line.size ? SIZE_MAX : at;
}

static struct tfp_span expand_tabs(const struct tfp_printed_lines *lines, struct tfp_span line)
{
	size_t tabs = 0, blanks;
	char *text;

	while (tabs < line.size && line.at[tabs] == '\t')
		tabs++;
	if (!tabs)
		return line;
	blanks = tabs * lines->tab;
	text = tfp_arena_alloc(lines->arena, blanks + line.size);
	memset(text, ' ', blanks);
	memcpy(text + blanks, line.at + tabs, line.size - tabs);
	return (struct tfp_span){text, blanks + line.size - tabs};
}

static struct tfp_span without_prefix(const struct tfp_printed_lines *lines, size_t at)
{
	struct tfp_span line = lines->list.at[at];
	size_t size = match_prefix(line, lines->prefix);

	if (size == SIZE_MAX)
		return line;
	return tfp_span_from(line, size);
}

struct tfp_span tfp_printed_line(const struct tfp_printed_lines *lines, size_t at)
{
	return expand_tabs(lines, without_prefix(lines, at));
}

/* ---- wrapped lines ---------------------------------------------------------------------------- */

static size_t characters(struct tfp_span text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += (text.at[i] & 0xc0) != 0x80;
	return count;
}

void tfp_printed_settle(struct tfp_printed_lines *lines, struct tfp_span prefix, size_t from,
			size_t end)
{
	lines->prefix = prefix;
	lines->tab = 2;
	lines->widest = 0;
	for (size_t i = from; i < end; i++) {
		struct tfp_span line = without_prefix(lines, i);
		size_t wide = characters(line);

		if (wide > lines->widest)
			lines->widest = wide;
		/* Where every blank could have become part of a tab, a tab is one level. */
		if (line.size > 2 && line.at[0] == ' ' && line.at[1] == ' ')
			lines->tab = 8;
	}
}

/* A line was continued when the first word of the next had no room in it. */
bool tfp_printed_continues(const struct tfp_printed_lines *lines, struct tfp_span last,
			   struct tfp_span next)
{
	const char *blank = next.size ? memchr(next.at, ' ', next.size) : NULL;
	struct tfp_span word = {next.at, blank ? (size_t)(blank - next.at) + 1 : next.size};

	return next.size && characters(last) + characters(word) >= lines->widest;
}
