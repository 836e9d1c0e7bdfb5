/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a text a printed report? Most say so; what was cut out of the middle of one is known by its rows.
 */
#include <ctype.h>
#include <string.h>

#include "load/printed/printed.h"
#include "load/printed/printed_cells.h"

#define SNIFF_BYTES (256 << 10)
#define SNIFF_LINES 1000

/* Lines of a text by what they can be. */
struct census {
	size_t lines; /* that are not empty */
	size_t sure;  /* rows with cells that are in no other text */
	size_t bare;  /* "  name ()" */
};

/* An indented name and a pair of brackets with nothing in it: a row where nothing was selected. */
static bool is_bare(struct tfp_span line)
{
	static const char end[] = " ()";
	size_t size = sizeof(end) - 1, blanks = 0;

	while (blanks < line.size && line.at[blanks] == ' ')
		blanks++;
	return blanks && blanks % 2 == 0 && line.size > blanks + size &&
	       !memcmp(line.at + line.size - size, end, size);
}

static struct census count_lines(struct tfp_span text)
{
	struct census census = {0};
	struct tfp_printed_guess guess;
	struct tfp_span line;
	bool more = true;

	while (more && census.lines < SNIFF_LINES) {
		more = tfp_span_split(text, TFP_SPAN("\n"), &line, &text);
		if (line.size && line.at[line.size - 1] == '\r')
			line.size--;
		if (!line.size)
			continue;
		census.lines++;
		if (tfp_span_holds(line, "\\n\"")) /* a row in a program's source */
			continue;
		if ((tfp_printed_tree_guess(line, &guess) || tfp_printed_op_guess(line, &guess)) &&
		    guess.count && guess.sure)
			census.sure++;
		else if (is_bare(line))
			census.bare++;
	}
	return census;
}

/*
 * Rows without a header or a root: three that could be nothing else; two, or many without cells, if no
 * more than the first and the last line are anything else, which may be cut.
 */
static bool has_rows(struct tfp_span text)
{
	struct census census = count_lines(text);

	if (census.sure >= 3)
		return true;
	return (census.sure >= 2 || census.bare >= 8) &&
	       census.sure + census.bare + 2 >= census.lines;
}

/* An object of JSON, or a list of them: a timeline names the root of reports, too. */
static bool is_json(struct tfp_span text)
{
	const char *end = text.at + text.size, *at = text.at;

	while (at < end && strchr(" \t\r\n[", *at))
		at++;
	if (at == end || *at++ != '{')
		return false;
	while (at < end && strchr(" \t\r\n", *at))
		at++;
	return at < end && *at == '"';
}

/*
 * Where WORD stands in TEXT, from AT on; NULL: nowhere. Before it may be whatever a log or a mail puts before a line, but no quote
 * or letter: sources of programs that speak of reports have these.
 */
static const char *find_word(struct tfp_span text, const char *at, struct tfp_span word)
{
	const char *end = text.at + text.size;

	while ((at = memmem(at, (size_t)(end - at), word.at, word.size))) {
		if (at == text.at || (!strchr("\"'`", at[-1]) && !isalnum((unsigned char)at[-1])))
			return at;
		at += word.size;
	}
	return NULL;
}

/* A line that ends in the name of the root, or goes on with its cells. */
static bool has_root(struct tfp_span text)
{
	const struct tfp_span name = TFP_SPAN("_TFProfRoot");
	const char *end = text.at + text.size, *at = text.at;

	while ((at = find_word(text, at, name))) {
		at += name.size;
		if (at == end || *at == '\n' || *at == '\r' ||
		    (end - at > 1 && at[0] == ' ' && at[1] == '('))
			return true;
	}
	return false;
}

int tfp_printed_sniff(const struct tfp_source *source)
{
	size_t size = source->size < SNIFF_BYTES ? source->size : SNIFF_BYTES;
	struct tfp_span text = {(const char *)source->data, size};

	if (!size || memchr(text.at, 0, size) || is_json(text))
		return 0;
	if (find_word(text, text.at, TFP_SPAN("node name | ")))
		return 90;
	if (has_root(text))
		return 80;
	return has_rows(text) ? 40 : 0;
}
