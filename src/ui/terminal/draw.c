/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pen: inks, cells, clipping, and the two sets of signs (Unicode, ASCII).
 */
#include <stdarg.h>
#include <string.h>

#include "ui/terminal/draw.h"

static const char *const symbols[TFP_SYMBOLS][2] = {
	[TFP_SYMBOL_OPEN] = {"-", "▾"}, [TFP_SYMBOL_CLOSED] = {"+", "▸"},
	[TFP_SYMBOL_DOWN] = {"v", "▼"}, [TFP_SYMBOL_UP] = {"^", "▲"},
	[TFP_SYMBOL_RULE] = {"-", "─"}, [TFP_SYMBOL_SIGHT] = {"=", "═"},
	[TFP_SYMBOL_FORK] = {"+", "┬"}, [TFP_SYMBOL_BETWEEN] = {"|", "│"},
	[TFP_SYMBOL_GAP] = {"~", "…"},  [TFP_SYMBOL_CHAIN] = {"`", "└"},
	[TFP_SYMBOL_LINK] = {">", "→"}, [TFP_SYMBOL_LOOP] = {"@", "↻"},
};

/* Signs that our own texts hold, and what stands for them in ASCII. */
static const struct {
	struct tfp_span sign;
	char ascii;
} plain_signs[] = {
	{TFP_SPAN("·"), '.'}, {TFP_SPAN("←"), '<'}, {TFP_SPAN("→"), '>'}, {TFP_SPAN("×"), 'x'},
	{TFP_SPAN("…"), '~'}, {TFP_SPAN("│"), '|'}, {TFP_SPAN("▁"), '_'}, {TFP_SPAN("▂"), '.'},
	{TFP_SPAN("▃"), ':'}, {TFP_SPAN("▄"), '-'}, {TFP_SPAN("▅"), '='}, {TFP_SPAN("▆"), '+'},
	{TFP_SPAN("▇"), '*'}, {TFP_SPAN("█"), '#'}, {TFP_SPAN("└"), '`'},
};

/* Raw bytes that may become three times as many and still fit. */
#define RAW_ROOM ((TFP_CLEAN_ROOM - 1) / 3)

const char *tfp_symbol(const struct tfp_pen *pen, enum tfp_symbol symbol)
{
	return symbols[symbol][pen->utf8];
}

/* The sign that TEXT begins with, as ASCII; 0 if none. */
static char plain_sign(const char *text, size_t size, size_t *bytes)
{
	for (size_t i = 0; i < sizeof(plain_signs) / sizeof(*plain_signs); i++) {
		struct tfp_span sign = plain_signs[i].sign;

		if (sign.size <= size && !memcmp(text, sign.at, sign.size)) {
			*bytes = sign.size;
			return plain_signs[i].ascii;
		}
	}
	return 0;
}

static size_t replace_signs(char *text, size_t size)
{
	size_t used = 0, bytes = 1;

	for (size_t i = 0; i < size; i += bytes) {
		char sign =
			(unsigned char)text[i] < 0x80 ? 0 : plain_sign(text + i, size - i, &bytes);

		if (!sign)
			bytes = 1;
		text[used++] = sign ? sign : text[i];
	}
	return used;
}

size_t tfp_pen_clean(const struct tfp_pen *pen, char *buffer, struct tfp_span raw)
{
	char cut[RAW_ROOM];
	size_t size = raw.size;

	if (size > RAW_ROOM) {
		size = RAW_ROOM;
		memcpy(cut, raw.at, size / 2);
		memcpy(cut + size / 2, raw.at + raw.size - (size - size / 2), size - size / 2);
	} else if (size) {
		memcpy(cut, raw.at, size);
	}
	if (!pen->utf8)
		size = replace_signs(cut, size);
	return tfp_text_clean(buffer, TFP_CLEAN_ROOM, (struct tfp_span){cut, size}, !pen->utf8);
}

static attr_t attributes(const struct tfp_pen *pen, enum tfp_ink ink)
{
	return pen->theme->ready[pen->faded ? TFP_INK_DIM : ink];
}

void tfp_pen_start(struct tfp_pen *pen, int y, int x, int end)
{
	pen->y = y;
	pen->x = x;
	pen->end = y < 0 || y >= LINES ? x : end > COLS ? COLS : end;
}

void tfp_pen_size(struct tfp_pen *pen, enum tfp_ink ink, const char *text, size_t size)
{
	size_t cells = 0, fit;

	if (pen->x >= pen->end)
		return;
	fit = tfp_text_fit(text, size, (size_t)(pen->end - pen->x), &cells);
	(void)attrset((int)attributes(pen, ink));
	mvaddnstr(pen->y, pen->x, text, (int)fit);
	pen->x += (int)cells;
	if (fit < size)
		tfp_pen_finish(pen);
}

void tfp_pen_text(struct tfp_pen *pen, enum tfp_ink ink, const char *text)
{
	tfp_pen_size(pen, ink, text, strlen(text));
}

const char *tfp_match_find(const char *text, const char *match)
{
	bool capitals = false;

	for (const char *at = match; *at; at++)
		capitals |= *at >= 'A' && *at <= 'Z';
	return capitals ? strstr(text, match) : strcasestr(text, match);
}

void tfp_pen_match(struct tfp_pen *pen, enum tfp_ink ink, const char *text, const char *match)
{
	size_t size = match ? strlen(match) : 0;
	const char *found;

	while (size && (found = tfp_match_find(text, match))) {
		tfp_pen_size(pen, ink, text, (size_t)(found - text));
		tfp_pen_size(pen, TFP_INK_MATCH, found, size);
		text = found + size;
	}
	tfp_pen_text(pen, ink, text);
}

void tfp_pen_raw(struct tfp_pen *pen, enum tfp_ink ink, struct tfp_span raw)
{
	char clean[TFP_CLEAN_ROOM];
	size_t size = tfp_pen_clean(pen, clean, raw), room;

	if (pen->x >= pen->end)
		return;
	room = (size_t)(pen->end - pen->x);
	if (tfp_text_cells(clean, size) > room) {
		size = tfp_text_fit(clean, size, room - 1, NULL);
		tfp_pen_size(pen, ink, clean, size);
		tfp_pen_text(pen, ink, tfp_symbol(pen, TFP_SYMBOL_GAP));
		return;
	}
	tfp_pen_size(pen, ink, clean, size);
}

void tfp_pen_printf(struct tfp_pen *pen, enum tfp_ink ink, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tfp_pen_raw(pen, ink, tfp_span_of(text));
}

bool tfp_pen_hint(struct tfp_pen *pen, const char *key, const char *text, int end)
{
	size_t cells = tfp_text_cells(key, strlen(key)) + tfp_text_cells(text, strlen(text)) + 2;

	if (pen->x + (int)cells > end)
		return false;
	tfp_pen_printf(pen, TFP_INK_KEY, " %s", key);
	tfp_pen_printf(pen, TFP_INK_KEY_TEXT, " %s", text);
	tfp_pen_fill(pen, TFP_INK_KEY_TEXT, 1);
	return true;
}

void tfp_pen_right(struct tfp_pen *pen, enum tfp_ink ink, const char *text, int width)
{
	size_t size = strlen(text), cells = tfp_text_cells(text, size);
	bool cut = width > 0 && cells > (size_t)width;

	if (width <= 0)
		return;
	if (cut) {
		size = tfp_text_fit(text, size, (size_t)width - 1, &cells);
		cells++;
	}
	tfp_pen_blank(pen, width - (int)cells);
	tfp_pen_size(pen, ink, text, size);
	if (cut)
		tfp_pen_text(pen, ink, tfp_symbol(pen, TFP_SYMBOL_GAP));
}

/*
 * Blanks are written as any text: a line that curses draws takes the half before it away with the half of a wide
 * character that it covers, though something else was written there meanwhile.
 */
static void fill(struct tfp_pen *pen, attr_t look, int count)
{
	static const char blanks[] = "                                ";
	int most = (int)sizeof(blanks) - 1;

	if (count > pen->end - pen->x)
		count = pen->end - pen->x;
	if (count <= 0)
		return;
	(void)attrset((int)look);
	for (; count > 0; count -= most) {
		mvaddnstr(pen->y, pen->x, blanks, count < most ? count : most);
		pen->x += count < most ? count : most;
	}
}

void tfp_pen_fill(struct tfp_pen *pen, enum tfp_ink ink, int count)
{
	fill(pen, attributes(pen, ink), count);
}

void tfp_pen_blank(struct tfp_pen *pen, int count)
{
	fill(pen, pen->theme->ready[TFP_INK_PLAIN], count);
}

void tfp_pen_repeat(struct tfp_pen *pen, enum tfp_ink ink, enum tfp_symbol symbol, int count)
{
	for (; count > 0 && pen->x < pen->end; count--)
		tfp_pen_text(pen, ink, tfp_symbol(pen, symbol));
}

void tfp_pen_to(struct tfp_pen *pen, int x)
{
	tfp_pen_blank(pen, x - pen->x);
}

void tfp_pen_bar(struct tfp_pen *pen, double fraction, int width)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	int parts, start = pen->x;

	if (fraction > 1)
		fraction = 1;
	parts = fraction > 0 ? (int)(fraction * width * 8 + 0.5) : 0;
	if (!pen->utf8)
		parts = (parts + 4) / 8 * 8;
	for (; parts >= 8; parts -= 8)
		tfp_pen_text(pen, TFP_INK_BAR, pen->utf8 ? "█" : "#");
	tfp_pen_text(pen, TFP_INK_BAR, eighths[parts]);
	tfp_pen_to(pen, start + width);
}

void tfp_pen_finish(struct tfp_pen *pen)
{
	tfp_pen_blank(pen, pen->end - pen->x);
}

/* Bytes of TEXT, which has SIZE, that go into a line of COLS columns with a blank at either end. */
static size_t wrap(const char *text, size_t size, int cols)
{
	size_t fits = tfp_text_fit(text, size, cols > 2 ? (size_t)(cols - 2) : 1, NULL);
	size_t next = fits;

	while (next && next < size && text[next] != ' ')
		next--;
	if (next)
		return next;
	return fits ? fits : size; /* a character that is wider than the line */
}

static size_t skip_blanks(const char *text)
{
	return strspn(text, " ");
}

void tfp_pen_wrapped(struct tfp_pen *pen, enum tfp_ink ink, const char *text, int lines)
{
	int y = pen->y, x = pen->x, end = pen->end;

	for (int line = 0; line < lines; line++) {
		size_t size = strlen(text);
		size_t fits = line + 1 < lines ? wrap(text, size, end - x) : size;

		tfp_pen_start(pen, y + line, x, end);
		tfp_pen_blank(pen, 1);
		tfp_pen_raw(pen, ink, (struct tfp_span){text, fits});
		tfp_pen_finish(pen);
		text += fits;
		text += skip_blanks(text);
	}
}

int tfp_text_lines(const char *text, int cols)
{
	int lines = 0;

	for (; *text; lines++) {
		text += wrap(text, strlen(text), cols);
		text += skip_blanks(text);
	}
	return lines;
}
