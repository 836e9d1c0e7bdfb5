/* SPDX-License-Identifier: Apache-2.0 */
/* The curve above the tree of the memory view: live bytes over the time of a step. */
#ifndef TFP_UI_CURVE_H
#define TFP_UI_CURVE_H

#include "ui/screen.h"

/* The curve of the view that is shown; NULL: it has none. */
const struct tfp_curve *tfp_curve_of(const struct tfp_screen *screen);
/* Lines that the curve takes of FREE_ROWS; 0 in other views and on small screens. */
int tfp_curve_rows(const struct tfp_screen *screen, int free_rows);
void tfp_curve_draw(const struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area);

#endif
