/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all panes with rows share: a cursor, the row at the top, and the ways to move.
 */
#ifndef TFP_UI_SCROLL_H
#define TFP_UI_SCROLL_H

#include <stdbool.h>
#include <stddef.h>

enum tfp_move {
	TFP_MOVE_DOWN,
	TFP_MOVE_UP,
	TFP_MOVE_HALF_DOWN,
	TFP_MOVE_HALF_UP,
	TFP_MOVE_PAGE_DOWN,
	TFP_MOVE_PAGE_UP,
	TFP_MOVE_FIRST,
	TFP_MOVE_LAST,
};

struct tfp_scroll {
	size_t count;  /* rows there are */
	size_t height; /* rows in sight, set when drawn */
	size_t top, cursor;
};

/* Moves the cursor; tfp_scroll_view moves the rows in sight. */
void tfp_scroll_move(struct tfp_scroll *list, enum tfp_move move);
void tfp_scroll_view(struct tfp_scroll *list, enum tfp_move move);
/* Brings the cursor into the rows and into sight. */
void tfp_scroll_settle(struct tfp_scroll *list);

#endif
