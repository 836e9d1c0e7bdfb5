/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the rows of the tree pane. */
#ifndef TFP_UI_TREENAME_H
#define TFP_UI_TREENAME_H

#include "ui/tree/treepane.h"

/*
 * The name of ROW, as it stands in the list, into CLEAN. Returns its size. The first KEPT bytes of it no narrow column
 * takes anything from: the place of a frame, in lists the step.
 */
size_t tfp_treename_clean(const struct tfp_treepane *pane, const struct tfp_pen *pen,
			  const struct tfp_visible *row, char clean[TFP_CLEAN_ROOM], size_t *kept);
/* Draws that of the row at INDEX in CELLS cells: the middle is lost; of a file, or of names pushed sideways, the start. */
void tfp_treename_draw(const struct tfp_treepane *pane, struct tfp_pen *pen, enum tfp_ink ink,
		       size_t index, int cells);

#endif
