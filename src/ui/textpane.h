/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page of text over the panes: help, problems, exact values.
 */
#ifndef TFP_UI_TEXTPANE_H
#define TFP_UI_TEXTPANE_H

#include "ui/draw.h"
#include "ui/scroll.h"

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
};

/* Begins a page; lines follow. An older page is gone. */
void tfp_textpane_begin(struct tfp_textpane *pane, const char *title);
void tfp_textpane_add(struct tfp_textpane *pane, bool heading, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void tfp_textpane_close(struct tfp_textpane *pane);
void tfp_textpane_draw(struct tfp_textpane *pane, struct tfp_pen *pen, struct tfp_area area);

#endif
