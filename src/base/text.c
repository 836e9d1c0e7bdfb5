/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in a terminal: which characters may be drawn, and how many cells they take. This is the one
 * place that knows widths. Characters of ambiguous width take one cell.
 */
#include <string.h>
#include <utf8proc.h>

#include "tfprof/base.h"
#include "base/text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Terminals keep a few marks a cell; a pile of them on one letter hides the rest of a line. */
#define MARKS_MAX 4

/*
 * Controls, format characters (all the invisible ones: bidi controls, joiners, tags, the byte order
 * mark), line separators and what is no character at all.
 */
static bool safe_to_draw(utf8proc_int32_t code)
{
	switch (utf8proc_category(code)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	default:
		return true;
	}
}

/* utf8proc's widths where terminals and the C library, on which curses relies, agree with them. */
static size_t cells_of(utf8proc_int32_t code)
{
	if (utf8proc_category(code) == UTF8PROC_CATEGORY_MC)
		return 1;
	/* The later letters of a Korean syllable join the first. */
	if ((code >= 0x1160 && code <= 0x11ff) || (code >= 0xd7b0 && code <= 0xd7fb))
		return 0;
	return (size_t)utf8proc_charwidth(code);
}

struct tfp_glyph tfp_glyph_at(const char *at, size_t size)
{
	const utf8proc_uint8_t *byte = (const utf8proc_uint8_t *)at;
	utf8proc_int32_t code;
	utf8proc_ssize_t bytes;

	if (*byte < 0x80)
		return (struct tfp_glyph){1, 1, *byte >= 0x20 && *byte != 0x7f};
	bytes = utf8proc_iterate(byte, size < 4 ? (utf8proc_ssize_t)size : 4, &code);
	if (bytes <= 0)
		return (struct tfp_glyph){1, 1, false};
	if (!safe_to_draw(code))
		return (struct tfp_glyph){(size_t)bytes, 1, false};
	return (struct tfp_glyph){(size_t)bytes, cells_of(code), true};
}

size_t tfp_text_clean(char *buffer, size_t room, struct tfp_span raw, bool ascii)
{
	struct tfp_span replacement = ascii ? TFP_SPAN("?") : TFP_SPAN(REPLACEMENT);
	size_t used = 0, marks = MARKS_MAX; /* a mark at the start has nothing to stand on */

	if (room == 0)
		return 0;
	for (size_t i = 0; i < raw.size;) {
		struct tfp_glyph glyph = tfp_glyph_at(raw.at + i, raw.size - i);
		struct tfp_span piece = {raw.at + i, glyph.bytes};

		marks = glyph.cells ? 0 : marks + 1;
		if (!glyph.safe || marks > MARKS_MAX || (ascii && glyph.bytes > 1)) {
			piece = replacement;
			marks = 0;
		}
		if (piece.size > room - 1 - used)
			break;
		memcpy(buffer + used, piece.at, piece.size);
		used += piece.size;
		i += glyph.bytes;
	}
	buffer[used] = '\0';
	return used;
}

bool tfp_text_is_utf8(struct tfp_span text)
{
	for (size_t i = 0; i < text.size;) {
		struct tfp_glyph glyph = tfp_glyph_at(text.at + i, text.size - i);

		if (glyph.bytes == 1 && (unsigned char)text.at[i] >= 0x80)
			return false;
		i += glyph.bytes;
	}
	return true;
}

size_t tfp_text_cells(const char *text, size_t size)
{
	size_t cells = 0;

	for (size_t i = 0; i < size;) {
		struct tfp_glyph glyph = tfp_glyph_at(text + i, size - i);

		i += glyph.bytes;
		cells += glyph.cells;
	}
	return cells;
}

size_t tfp_text_fit(const char *text, size_t size, size_t cells, size_t *taken)
{
	size_t sum = 0, i = 0;

	while (i < size) {
		struct tfp_glyph glyph = tfp_glyph_at(text + i, size - i);

		if (glyph.cells > cells - sum)
			break;
		sum += glyph.cells;
		i += glyph.bytes;
	}
	if (taken)
		*taken = sum;
	return i;
}
