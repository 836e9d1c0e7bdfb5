/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of text over the panes: help, problems, exact values; and search in it.
 */
#ifndef TFP_UI_TEXTPANE_H
#define TFP_UI_TEXTPANE_H

#include "ui/terminal/draw.h"
#include "ui/tree/scroll.h"

struct tfp_textline {
	const char *text; /* raw; in the pane's arena */
	bool heading;
};

struct tfp_textpane {
	bool open;
	const char *title;
	struct tfp_arena arena;
	TFP_ARRAY(struct tfp_textline) lines;
	struct tfp_scroll scroll;
	char *match;   /* searched for; NULL: nothing */
	size_t found;  /* the line that the search stands on */
	size_t before; /* the line at the top when it began */
};

/* Begins a page; lines follow. An older page is gone. */
void tfp_textpane_begin(struct tfp_textpane *pane, const char *title);
void tfp_textpane_add(struct tfp_textpane *pane, bool heading, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Searches for TEXT, "": for nothing. Returns how many lines have it. */
size_t tfp_textpane_search(struct tfp_textpane *pane, const char *text);
/* Goes to the next line with the text, round the end; with HERE it may be the one at hand. */
void tfp_textpane_next(struct tfp_textpane *pane, bool forward, bool here);
void tfp_textpane_close(struct tfp_textpane *pane);
void tfp_textpane_draw(struct tfp_textpane *pane, struct tfp_pen *pen, struct tfp_area area);

#endif
