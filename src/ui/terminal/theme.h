/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inks: what a piece of text on the screen is for. The code names inks, a theme says how they look.
 */
#ifndef TFP_UI_THEME_H
#define TFP_UI_THEME_H

#include <curses.h>

#include "ui/ui.h"

enum tfp_ink {
	TFP_INK_PLAIN,
	TFP_INK_TAB,
	TFP_INK_TAB_ON,
	TFP_INK_TAB_OFF, /* a view that this file can't fill */
	TFP_INK_QUERY,
	TFP_INK_HEADER,
	TFP_INK_HEADER_ON, /* the column sorted by */
	TFP_INK_NAME,
	TFP_INK_CONTEXT, /* a row that is there for what is below it only */
	TFP_INK_NUMBER,
	TFP_INK_DIM, /* zero, unknown, or about to be replaced */
	TFP_INK_BAR,
	TFP_INK_CURSOR,
	TFP_INK_CURSOR_IDLE, /* cursor of a pane without the focus */
	TFP_INK_MATCH,       /* text searched for */
	TFP_INK_RULE,
	TFP_INK_RULE_ON, /* what is chosen in a rule */
	TFP_INK_FACTS,
	TFP_INK_MESSAGE,
	TFP_INK_ERROR,
	TFP_INK_KEY,
	TFP_INK_KEY_TEXT,
	TFP_INK_FIELD,
	TFP_INKS
};

/* One ink. The background is always the terminal's own. */
struct tfp_style {
	const char *name;  /* of the ink, as a theme file spells it */
	int32_t color;     /* see struct tfp_look */
	attr_t attributes; /* with colours */
	attr_t plain;      /* without colours */
};

struct tfp_theme {
	const struct tfp_style *styles; /* TFP_INKS of them */
	attr_t ready[TFP_INKS];         /* made by tfp_theme_apply */
	struct tfp_style made[TFP_INKS];
};

/* The theme that is compiled in. */
extern const struct tfp_style tfp_theme_default[TFP_INKS];

/* THEME gets the styles of LOOKS, NULL: those that are compiled in. LOOKS is not kept. */
void tfp_theme_use(struct tfp_theme *theme, const struct tfp_ui_theme *looks);

/*
 * Turns THEME's styles into what this terminal can do (256 colours, 8, or none; none too where the
 * environment sets NO_COLOR). Curses must run.
 */
void tfp_theme_apply(struct tfp_theme *theme);

#endif
