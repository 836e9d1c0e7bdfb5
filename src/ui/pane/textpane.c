/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of text.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/pane/textpane.h"

#define LINE_ROOM 1024
#define LEAST     16 /* cells that a line has on a screen however narrow */
#define INDENT    4  /* of what did not fit on one line */

void tfp_textpane_close(struct tfp_textpane *pane)
{
	tfp_array_free(&pane->lines);
	tfp_arena_free(&pane->arena);
	free(pane->match);
	*pane = (struct tfp_textpane){0};
}

void tfp_textpane_begin(struct tfp_textpane *pane, const char *title)
{
	tfp_textpane_close(pane);
	pane->open = true;
	pane->title = tfp_arena_text(&pane->arena, title, strlen(title));
}

/*
 * Bytes of TEXT that go on a line of ROOM cells: up to the last blank if there is one late enough.
 */
static size_t line_size(const char *text, size_t room)
{
	size_t size = strlen(text), fit = tfp_text_fit(text, size, room, NULL), blank = fit;

	if (fit == size)
		return size;
	while (blank > fit / 2 && text[blank] != ' ')
		blank--;
	return blank > fit / 2 ? blank : fit;
}

void tfp_textpane_add(struct tfp_textpane *pane, bool heading, const char *format, ...)
{
	size_t room = COLS > LEAST ? (size_t)COLS - 1 : LEAST, indent = 0;
	char text[LINE_ROOM], *at = text;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	do {
		size_t size = line_size(at, room - indent);
		char *line =
			tfp_arena_printf(&pane->arena, "%*s%.*s", (int)indent, "", (int)size, at);

		*tfp_array_push(&pane->lines) = (struct tfp_textline){line, heading};
		at += size;
		at += strspn(at, " ");
		indent = INDENT;
	} while (*at);
	pane->scroll.count = pane->lines.count;
}

/* ---- search ---- */

static bool is_found(const struct tfp_textpane *pane, size_t line)
{
	return pane->match && tfp_match_find(pane->lines.at[line].text, pane->match);
}

size_t tfp_textpane_search(struct tfp_textpane *pane, const char *text)
{
	size_t count = 0;

	free(pane->match);
	pane->match = *text ? tfp_strdup(text) : NULL;
	for (size_t i = 0; i < pane->lines.count; i++)
		count += is_found(pane, i);
	return count;
}

void tfp_textpane_next(struct tfp_textpane *pane, bool forward, bool here)
{
	size_t count = pane->lines.count, step = forward ? 1 : count - 1;

	for (size_t i = !here; i < count + !here; i++) {
		size_t line = (pane->found + i * step) % count;

		if (is_found(pane, line)) {
			pane->found = pane->scroll.top = line;
			return;
		}
	}
}

/* ---- drawing ---- */

static void draw_title(const struct tfp_textpane *pane, struct tfp_pen *pen)
{
	size_t last = pane->scroll.top + pane->scroll.height;
	char text[64];

	snprintf(text, sizeof(text), " %zu-%zu/%zu, Esc closes ", pane->scroll.top + 1,
		 last < pane->lines.count ? last : pane->lines.count, pane->lines.count);
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, 2);
	tfp_pen_printf(pen, TFP_INK_RULE_ON, " %s ", pane->title);
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE,
		       pen->end - pen->x - (int)strlen(text) - 2);
	tfp_pen_text(pen, TFP_INK_RULE, text);
	tfp_pen_repeat(pen, TFP_INK_RULE, TFP_SYMBOL_RULE, 2);
}

/* The line that the search stands on has a mark in its first cell, which is blank in all. */
static void draw_line(const struct tfp_textpane *pane, struct tfp_pen *pen, size_t index)
{
	const struct tfp_textline *line = &pane->lines.at[index];
	enum tfp_ink ink = line->heading ? TFP_INK_RULE_ON : TFP_INK_PLAIN;
	char clean[TFP_CLEAN_ROOM];

	if (!is_found(pane, index)) {
		tfp_pen_raw(pen, ink, tfp_span_of(line->text));
		return;
	}
	tfp_pen_clean(pen, clean, tfp_span_of(line->text));
	if (index == pane->found && *clean == ' ')
		*clean = '>';
	tfp_pen_match(pen, ink, clean, pane->match);
}

void tfp_textpane_draw(struct tfp_textpane *pane, struct tfp_pen *pen, struct tfp_area area)
{
	size_t height = area.rows > 1 ? (size_t)area.rows - 1 : 0;

	pane->scroll.height = height;
	if (pane->scroll.top + height > pane->lines.count)
		pane->scroll.top = pane->lines.count > height ? pane->lines.count - height : 0;
	tfp_pen_start(pen, area.y, area.x, area.x + area.cols);
	draw_title(pane, pen);
	tfp_pen_finish(pen);
	for (int y = 1; y < area.rows; y++) {
		size_t index = pane->scroll.top + (size_t)(y - 1);

		tfp_pen_start(pen, area.y + y, area.x, area.x + area.cols);
		if (index < pane->lines.count)
			draw_line(pane, pen, index);
		tfp_pen_finish(pen);
	}
}
