/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often frames are drawn while keys keep coming, so that a slow line never has more before it than it
 * carries in a moment: where a key that was held led to is then seen soon after it is let go.
 */
#ifndef TFP_UI_PACE_H
#define TFP_UI_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many frames that scroll by a row are the bytes of one with rows that were not there before. */
#define TFP_PAGE_FRAMES 4

enum tfp_paint {
	TFP_PAINT_NONE,
	TFP_PAINT_WHOLE,
	TFP_PAINT_PART, /* one of TFP_PAGE_FRAMES parts of the rows */
};

/* All times are nanoseconds of one clock. */
struct tfp_pace {
	int64_t key;   /* time of the last key */
	int64_t paint; /* up to here frames have been earned */
	int frames;    /* that may be drawn at once; below 0: the last one is owed for */
	int run;       /* keys that each came soon after the one before */
	bool fresh;    /* nothing was drawn or refused since that key */
	bool mixed;    /* a page is held: the rows in sight are of several frames */
};

void tfp_pace_start(struct tfp_pace *pace, int64_t now);
/* A key has come. */
void tfp_pace_key(struct tfp_pace *pace, int64_t now);
/* When what has changed may be drawn, as far as only time goes by. */
int64_t tfp_pace_due(const struct tfp_pace *pace);
/*
 * What of a frame is to be drawn now; it counts as drawn. PAGE: most of its rows were not in the one before. After
 * a part something is left to be drawn.
 */
enum tfp_paint tfp_pace_paint(struct tfp_pace *pace, int64_t now, bool page);

#endif
