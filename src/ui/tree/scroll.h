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
	size_t wish; /* rows that the cursor stands below the top where there is room */
};

/* Moves the cursor; tfp_scroll_view moves the rows in sight. */
void tfp_scroll_move(struct tfp_scroll *list, enum tfp_move move);
void tfp_scroll_view(struct tfp_scroll *list, enum tfp_move move);
/* Moves the rows in sight, and the cursor as far as it must stay in sight. */
void tfp_scroll_turn(struct tfp_scroll *list, bool down, size_t rows);
/* Brings the cursor into the rows and into sight. */
void tfp_scroll_settle(struct tfp_scroll *list);
/* Says how many rows are in sight; one that shrinks and grows again is as before. */
void tfp_scroll_resize(struct tfp_scroll *list, size_t height);

#endif
