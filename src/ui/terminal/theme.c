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

static int of_256(int32_t color)
{
	return tfp_color_of_256(color);
}

static int of_8(int32_t color)
{
	return tfp_color_of_8(color);
}

/* What a colour is on this terminal; NULL: it has none, or they are not wanted. */
static int (*reduction(void))(int32_t color)
{
	const char *no_color = getenv("NO_COLOR");

	if ((no_color && *no_color) || !has_colors())
		return NULL;
	if (start_color() == ERR || use_default_colors() == ERR)
		return NULL;
	if (COLORS > 256)
		return tfp_color_of_direct;
	return COLORS == 256 ? of_256 : COLORS >= 8 ? of_8 : NULL;
}

/* The pair of the colour on the terminal's own background, made when first met; 0: none. */
static short pair_of(int color, int *colors, short *count)
{
	for (short i = 0; i < *count; i++)
		if (colors[i] == color)
			return (short)(i + 1);
	if (init_extended_pair(*count + 1, color, -1) == ERR)
		return 0;
	colors[*count] = color;
	return ++*count;
}

void tfp_theme_apply(struct tfp_theme *theme)
{
	int (*number)(int32_t color) = reduction();
	int colors[TFP_INKS];
	short count = 0;

	for (size_t i = 0; i < TFP_INKS; i++) {
		const struct tfp_style *style = &theme->styles[i];

		if (!number)
			theme->ready[i] = style->plain;
		else
			theme->ready[i] =
				style->attributes |
				(attr_t)COLOR_PAIR(pair_of(number(style->color), colors, &count));
	}
}
