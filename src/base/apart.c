/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shortening of names that would look like others near them. What differs stays, then the last part of a path, then
 * the words that differ; what room is left goes to the beginning and to what is before the last part.
 */
#include <string.h>

#include "tfprof/base.h"
#include "base/text.h"

#define CUT_ROOM 1024 /* for texts that are compared */
#define LETTERS  4096 /* of a text that is taken apart: kernels have names of some thousand */
#define HEAD     6    /* part of the cells for the beginning */
#define CRUMB    2    /* letters of a word that say nothing of it */

/* A character with the marks on it. */
struct letter {
	uint16_t at, bytes;
	uint8_t cells;
	bool kept;
};

/* A text of which some letters are kept. */
struct puzzle {
	const char *text;
	struct letter letters[LETTERS];
	size_t count;
	size_t gap;  /* cells of what stands for letters that are not kept */
	size_t free; /* cells that are left */
};

/* False: there are too many letters. */
static bool take_apart(struct puzzle *puzzle, const char *text, size_t size)
{
	puzzle->text = text;
	puzzle->count = 0;
	if (size > UINT16_MAX)
		return false;
	for (size_t i = 0; i < size;) {
		struct tfp_glyph glyph = tfp_glyph_at(text + i, size - i);

		if (puzzle->count && !glyph.cells) {
			puzzle->letters[puzzle->count - 1].bytes =
				(uint16_t)(puzzle->letters[puzzle->count - 1].bytes + glyph.bytes);
		} else {
			if (puzzle->count == LETTERS)
				return false;
			puzzle->letters[puzzle->count++] = (struct letter){
				(uint16_t)i, (uint16_t)glyph.bytes, (uint8_t)glyph.cells, false};
		}
		i += glyph.bytes;
	}
	return puzzle->count > 0;
}

/* Keeps letter I if there is room for it and the gap that it may make. False: there is none. */
static bool keep(struct puzzle *puzzle, size_t i)
{
	struct letter *letter = &puzzle->letters[i];
	bool left = i == 0 || letter[-1].kept, right = i + 1 == puzzle->count || letter[1].kept;
	size_t need = letter->cells + (left ? 0 : puzzle->gap), given = right ? puzzle->gap : 0;

	if (letter->kept)
		return true;
	if (need > puzzle->free + given)
		return false;
	puzzle->free = puzzle->free + given - need;
	letter->kept = true;
	return true;
}

/* The letter that byte AT is in. */
static size_t letter_at(const struct puzzle *puzzle, size_t at)
{
	size_t i = 0;

	while (i + 1 < puzzle->count && puzzle->letters[i + 1].at <= at)
		i++;
	return i;
}

static char byte_of(const struct puzzle *puzzle, size_t i)
{
	return puzzle->text[puzzle->letters[i].at];
}

static bool is_between(const struct puzzle *puzzle, size_t i)
{
	return strchr(" /:<>(),", byte_of(puzzle, i)) != NULL;
}

static bool is_capital(char byte)
{
	return byte >= 'A' && byte <= 'Z';
}

/* Does a part of a word begin at letter I: "Kernel" of dnnKernel_t? */
static bool begins_part(const struct puzzle *puzzle, size_t i)
{
	char before = i > 0 ? byte_of(puzzle, i - 1) : '_';

	return before == '_' || (is_capital(byte_of(puzzle, i)) && !is_capital(before));
}

/* As much as there is room for of the last part of a path, from its end. */
static void keep_last_part(struct puzzle *puzzle)
{
	size_t start = puzzle->count - 1;

	while (start > 0 && byte_of(puzzle, start) != '/')
		start--;
	for (size_t i = puzzle->count; start && i > start; i--)
		if (!keep(puzzle, i - 1))
			return;
}

/* Where to begin with the word that letter AT is in, or with a part of it, so that AT is at most CELLS further on. */
static size_t beginning_of(const struct puzzle *puzzle, size_t at, size_t cells)
{
	size_t begin = at, i = at;

	while (i > 0 && !is_between(puzzle, i - 1) && puzzle->letters[i - 1].cells <= cells) {
		cells -= puzzle->letters[--i].cells;
		if (begins_part(puzzle, i) || (i > 0 && is_between(puzzle, i - 1)))
			begin = i;
	}
	return i == 0 ? i : begin;
}

/* As much as there is room for, and of that CELLS, of the word that letter AT is in: its beginning, then its end. */
static void keep_word(struct puzzle *puzzle, size_t at, size_t cells)
{
	size_t begin = beginning_of(puzzle, at, cells), rest = puzzle->free - cells, i = at;

	while (i > begin && keep(puzzle, i - 1))
		i--;
	for (i = at + 1; i < puzzle->count && !is_between(puzzle, i) && puzzle->free > rest; i++)
		if (!keep(puzzle, i))
			return;
}

/* Does a piece from letter FROM to END, with gaps around it, tell nobody anything: a letter or two of a longer word? */
static bool is_crumb(const struct puzzle *puzzle, size_t from, size_t end)
{
	bool word = is_between(puzzle, from - 1) && is_between(puzzle, end);

	if (word || end - from > CRUMB)
		return false;
	for (size_t i = from; i < end; i++)
		if ((unsigned char)byte_of(puzzle, i) >= 0x80 ||
		    strchr("0123456789", byte_of(puzzle, i)))
			return false;
	return true;
}

static void drop_crumbs(struct puzzle *puzzle)
{
	size_t from = 0, end;

	for (; from < puzzle->count; from = end + 1) {
		for (end = from; end < puzzle->count && puzzle->letters[end].kept; end++)
			;
		if (from == 0 || end == from || end == puzzle->count ||
		    !is_crumb(puzzle, from, end))
			continue;
		puzzle->free += puzzle->gap;
		for (size_t i = from; i < end; i++) {
			puzzle->free += puzzle->letters[i].cells;
			puzzle->letters[i].kept = false;
		}
	}
}

/* Shares the room that is left among the words that differ. */
static void keep_words(struct puzzle *puzzle, const struct tfp_apart_at *alike)
{
	for (size_t i = 0; i < alike->count; i++) {
		size_t at = letter_at(puzzle, alike->at[i]);

		if (puzzle->letters[at].kept)
			keep_word(puzzle, at, puzzle->free / (alike->count - i));
	}
}

static void keep_rest(struct puzzle *puzzle, size_t cells)
{
	for (size_t i = 0; i < puzzle->count && i < cells / HEAD && keep(puzzle, i); i++)
		;
	for (size_t i = puzzle->count; i > 0; i--)
		if (!keep(puzzle, i - 1))
			return;
}

static size_t put_together(const struct puzzle *puzzle, char *buffer, size_t room,
			   const char *ellipsis)
{
	size_t used = 0, gap = strlen(ellipsis);
	bool before = true;

	for (size_t i = 0; i < puzzle->count; i++) {
		const struct letter *letter = &puzzle->letters[i];
		const char *piece = letter->kept ? puzzle->text + letter->at : ellipsis;
		size_t size = letter->kept ? letter->bytes : before ? gap : 0;

		if (size >= room - used)
			break;
		memcpy(buffer + used, piece, size);
		used += size;
		before = letter->kept;
	}
	buffer[used] = '\0';
	return used;
}

size_t tfp_text_shorten_apart(char *buffer, size_t room, const char *text, size_t size,
			      const struct tfp_apart *apart, size_t cells, const char *ellipsis)
{
	struct puzzle puzzle = {.gap = tfp_text_cells(ellipsis, strlen(ellipsis))};

	const struct tfp_apart_at *alike = &apart->alike, *others = &apart->others;

	if (!alike->count || puzzle.gap > cells || !room || tfp_text_cells(text, size) <= cells ||
	    !take_apart(&puzzle, text, size))
		return tfp_text_shorten(buffer, room, text, size, cells, ellipsis);
	puzzle.free = cells - puzzle.gap;
	for (size_t i = 0; i < alike->count; i++)
		keep(&puzzle, letter_at(&puzzle, alike->at[i]));
	keep_last_part(&puzzle);
	keep_words(&puzzle, alike);
	for (size_t i = 0; i < others->count; i++)
		keep(&puzzle, letter_at(&puzzle, others->at[i]));
	drop_crumbs(&puzzle);
	keep_words(&puzzle, alike);
	keep_rest(&puzzle, cells);
	return put_together(&puzzle, buffer, room, ellipsis);
}

/* The byte from which on two texts differ; 0: they do not, or one is the beginning of the other. */
static size_t shared_start(const char *text, size_t size, const char *other, size_t other_size)
{
	size_t shared = 0;

	while (shared < size && shared < other_size && text[shared] == other[shared])
		shared++;
	return shared < size ? shared : 0;
}

static void add_place(struct tfp_apart_at *places, size_t at)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->at[i] == at)
			return;
	if (places->count < sizeof(places->at) / sizeof(*places->at))
		places->at[places->count++] = at;
}

void tfp_text_compare(struct tfp_apart *apart, const char *text, size_t size, const char *other,
		      size_t other_size, size_t cells, const char *ellipsis)
{
	char cut[CUT_ROOM], other_cut[CUT_ROOM];
	size_t at = shared_start(text, size, other, other_size);

	if (!at || tfp_text_cells(text, size) <= cells ||
	    tfp_text_cells(other, other_size) <= cells)
		return;
	tfp_text_shorten(cut, sizeof(cut), text, size, cells, ellipsis);
	tfp_text_shorten(other_cut, sizeof(other_cut), other, other_size, cells, ellipsis);
	add_place(strcmp(cut, other_cut) == 0 ? &apart->alike : &apart->others, at);
}
