/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows go to the clipboard or into a file. */
#ifndef TFP_UI_PICKED_H
#define TFP_UI_PICKED_H

#include "tfprof/report.h"
#include "ui/tree/treepane.h"

enum tfp_picked {
	TFP_MARKED,
	TFP_VISIBLE,
	TFP_ALL,
	TFP_OF_PANE, /* of the pane below the tree, not of the tree */
};

extern const char *const tfp_picked_names[]; /* "marked": of those of the tree */

/* Are there rows that make a table? */
bool tfp_picked_any(const struct tfp_treepane *pane);
/* How many rows are marked. */
size_t tfp_picked_marks(struct tfp_treepane *pane);
/*
 * The marked or the visible rows, to be freed by tfp_array_release; NULL for all: the worker lists them
 * itself.
 */
struct tfp_table_row *tfp_picked_rows(struct tfp_treepane *pane, enum tfp_picked which,
				      size_t *count);

#endif
