/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How inks look: the theme that is compiled in, and its reduction to the terminal. Colours of the
 * middle of the scale, so that the same ones are read on a light and on a dark background.
 */
#include <stdlib.h>

#include "ui/terminal/color.h"
#include "ui/terminal/theme.h"

#define STYLE(ink, text, color, attributes, plain)                                                 \
	[TFP_INK_##ink] = {text, color, attributes, plain}

const struct tfp_style tfp_theme_default[TFP_INKS] = {
	STYLE(PLAIN, "plain", -1, A_NORMAL, A_NORMAL),
	STYLE(TAB, "tab", -1, A_NORMAL, A_NORMAL),
	STYLE(TAB_ON, "tab-chosen", -1, A_BOLD, A_BOLD),
	STYLE(TAB_OFF, "tab-missing", 244, A_NORMAL, A_NORMAL),
	STYLE(QUERY, "query", -1, A_NORMAL, A_NORMAL),
	STYLE(HEADER, "header", 6, A_NORMAL, A_NORMAL),
	STYLE(HEADER_ON, "header-sorted", 6, A_BOLD, A_BOLD),
	STYLE(NAME, "name", -1, A_NORMAL, A_NORMAL),
	STYLE(CONTEXT, "context", 244, A_NORMAL, A_NORMAL),
	STYLE(NUMBER, "number", -1, A_NORMAL, A_NORMAL),
	STYLE(DIM, "dimmed", 244, A_NORMAL, A_NORMAL),
	STYLE(BAR, "bar", 6, A_NORMAL, A_NORMAL),
	STYLE(CURSOR, "cursor", -1, A_REVERSE, A_REVERSE),
	STYLE(CURSOR_IDLE, "cursor-idle", -1, A_BOLD, A_BOLD),
	STYLE(MATCH, "match", 172, A_BOLD, A_UNDERLINE),
	STYLE(RULE, "rule", 6, A_NORMAL, A_NORMAL),
	STYLE(RULE_ON, "rule-chosen", -1, A_BOLD, A_BOLD),
	STYLE(FACTS, "facts", -1, A_NORMAL, A_NORMAL),
	STYLE(MESSAGE, "message", -1, A_NORMAL, A_NORMAL),
	STYLE(ERROR, "error", 160, A_BOLD, A_BOLD),
	STYLE(KEY, "key", -1, A_BOLD, A_BOLD),
	STYLE(KEY_TEXT, "key-text", -1, A_NORMAL, A_NORMAL),
	STYLE(FIELD, "field", -1, A_UNDERLINE, A_UNDERLINE),
};

/* 256, 8 or 0 colours. */
static int colors_wanted(void)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors())
		return 0;
	if (start_color() == ERR || use_default_colors() == ERR)
		return 0;
	return COLORS >= 256 ? 256 : COLORS >= 8 ? 8 : 0;
}

/* The pair of the colour on the terminal's own background, made when first met; 0: none. */
static short pair_of(short color, short *colors, short *count)
{
	if (color < 0)
		return 0;
	for (short i = 0; i < *count; i++)
		if (colors[i] == color)
			return (short)(i + 1);
	if (init_pair((short)(*count + 1), color, -1) == ERR)
		return 0;
	colors[*count] = color;
	return ++*count;
}

void tfp_theme_apply(struct tfp_theme *theme)
{
	int wanted = colors_wanted();
	short colors[TFP_INKS], count = 0;

	for (size_t i = 0; i < TFP_INKS; i++) {
		const struct tfp_style *style = &theme->styles[i];
		short color = wanted == 256 ? tfp_color_of_256(style->color)
					    : tfp_color_of_8(style->color);

		if (!wanted)
			theme->ready[i] = style->plain;
		else
			theme->ready[i] = style->attributes |
					  (attr_t)COLOR_PAIR(pair_of(color, colors, &count));
	}
}
