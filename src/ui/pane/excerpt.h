/* SPDX-License-Identifier: Apache-2.0 */
/* What stands around a source line, at the foot of a large pane. */
#ifndef TFP_UI_EXCERPT_H
#define TFP_UI_EXCERPT_H

#include "tfprof/breakdown.h"
#include "ui/terminal/draw.h"

/* Lines that the excerpt of ROW (may be NULL) takes in a pane of so many; 0: there is none, or no room. */
int tfp_excerpt_rows(const struct tfp_breakdown_row *row, int rows);
/* Draws the lines around that of ROW, which has some, into AREA: the line itself is marked. */
void tfp_excerpt_draw(struct tfp_pen *pen, const struct tfp_breakdown_row *row,
		      struct tfp_area area);

#endif
