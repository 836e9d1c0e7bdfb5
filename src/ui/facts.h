/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of the cursor's row, in the lines below the rows. */
#ifndef TFP_UI_FACTS_H
#define TFP_UI_FACTS_H

#include "ui/screen.h"

/* Draws it into LINES lines from the pen's on. */
void tfp_facts_draw(struct tfp_screen *screen, struct tfp_pen *pen, int lines);
/* How many lines of COLS columns it takes where rows are sentences. */
int tfp_facts_rows(const struct tfp_screen *screen, int cols);

#endif
