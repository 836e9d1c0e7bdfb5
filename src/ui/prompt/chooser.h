/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chooser of columns: a list in place of the pane, while the tree above it shows what is chosen.
 */
#ifndef TFP_UI_CHOOSER_H
#define TFP_UI_CHOOSER_H

#include "tfprof/columns.h"
#include "ui/terminal/draw.h"
#include "ui/tree/scroll.h"

struct tfp_screen;

struct tfp_chooser {
	bool open;
	struct tfp_query before; /* whose columns Esc goes back to */
	struct tfp_arena arena;  /* of the offers' texts */
	struct tfp_offer offers[TFP_MAX_OFFERS];
	struct tfp_scroll list;
};

/* The tree is another: its columns are offered. */
void tfp_chooser_renew(struct tfp_screen *screen);
/* Lines that the list takes of FREE_ROWS that tree and list share. */
int tfp_chooser_rows(const struct tfp_chooser *chooser, int free_rows);
void tfp_chooser_draw(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area);
void tfp_chooser_free(struct tfp_chooser *chooser);

#endif
