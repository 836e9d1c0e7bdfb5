/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pages of text.
 */
#include <string.h>

#include "ui/textpane.h"

#define LINE_ROOM 1024
#define LEAST     16 /* cells that a line has on a screen however narrow */
#define INDENT    4  /* of what did not fit on one line */

void tfp_textpane_close(struct tfp_textpane *pane)
{
	tfp_array_free(&pane->lines);
	tfp_arena_free(&pane->arena);
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
			tfp_pen_raw(pen,
				    pane->lines.at[index].heading ? TFP_INK_RULE_ON : TFP_INK_PLAIN,
				    tfp_span_of(pane->lines.at[index].text));
		tfp_pen_finish(pen);
	}
}
