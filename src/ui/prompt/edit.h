/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line of text being typed.
 */
#ifndef TFP_UI_EDIT_H
#define TFP_UI_EDIT_H

#include "ui/terminal/draw.h"

#define TFP_EDIT_ROOM 512

struct tfp_edit {
	char text[TFP_EDIT_ROOM];
	size_t size, cursor; /* bytes */
	bool selected;       /* a character typed next replaces all; any other key edits it */
};

enum tfp_edit_result {
	TFP_EDIT_IGNORED, /* not a key for typing */
	TFP_EDIT_MOVED,
	TFP_EDIT_CHANGED,
};

enum tfp_edit_result tfp_edit_key(struct tfp_edit *edit, int32_t key);
void tfp_edit_set(struct tfp_edit *edit, const char *text);
/* Adds TEXT at the end, after BETWEEN where there is something already, as far as there is room. */
void tfp_edit_add(struct tfp_edit *edit, const char *between, const char *text);
/* Draws the end of the text that fits; returns the column of the cursor. */
int tfp_edit_draw(const struct tfp_edit *edit, struct tfp_pen *pen, enum tfp_ink ink);

#endif
