/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree pane: a tree as rows with columns, a cursor that stays on its row whatever the tree
 * becomes, and what each view had open when it was left.
 */
#ifndef TFP_UI_TREEPANE_H
#define TFP_UI_TREEPANE_H

#include "ui/terminal/draw.h"
#include "ui/tree/marks.h"
#include "ui/tree/scroll.h"
#include "ui/pane/timepane.h"
#include "ui/tree/rows.h"
#include "ui/worker.h"

#define TFP_ROW_INDENT 2 /* cells */
#define TFP_ROW_LEAD   3 /* of the cursor's mark and the sign of an open row */

/* What is remembered of a view that is not shown. */
struct tfp_left_view {
	bool seen;      /* it has been shown as a tree */
	bool recalled;  /* so it was the last time */
	uint64_t *keys; /* open rows */
	size_t key_count;
	uint64_t cursor; /* key */
};

struct tfp_treepane {
	struct tfp_rows rows;
	struct tfp_scroll list;
	struct tfp_lens lens; /* of the tree shown */
	struct tfp_column columns[TFP_MAX_COLUMNS];
	size_t column_count;
	double largest;             /* share of the root that its heaviest child has */
	int widest;                 /* cells that the widest name met so far wants */
	int lanes;                  /* time view: cells that the longest name wants */
	int words[TFP_MAX_METRICS]; /* of metrics of words: cells that the longest wants */
	int sideways;               /* cells that names are pushed to the left */
	bool of_root;               /* shares of the whole, not of the parent */
	bool no_bars;
	bool exact;        /* every digit of figures */
	bool roomy;        /* opened for the first time: more is opened where there is room */
	bool fresh;        /* a view that was opened anew: the cursor may stand anywhere */
	bool anew;         /* the next tree opens as if it were the first */
	const char *match; /* text to point out in names; may be NULL. Borrowed */
	struct tfp_left_view views[TFP_MAX_VIEWS];
	struct tfp_marks marks;
	struct tfp_timepane time; /* of the time view */
};

void tfp_treepane_free(struct tfp_treepane *pane);
/* Shows TREE (NULL: nothing) under LENS; the cursor finds its row, or the nearest above it. */
void tfp_treepane_show(struct tfp_treepane *pane, struct tfp_tree *tree,
		       const struct tfp_lens *lens);
/* The next tree opens as if there had been none before. */
void tfp_treepane_restart(struct tfp_treepane *pane);
/* What is open in VIEW, and its cursor, when it comes first; KEYS are ascending. */
void tfp_treepane_recall(struct tfp_treepane *pane, const struct tfp_view *view,
			 const uint64_t *keys, size_t count, uint64_t cursor);
/* Sets the columns anew, as QUERY has them for the view shown. */
void tfp_treepane_columns(struct tfp_treepane *pane, const struct tfp_query *query);
/* Closes lanes that there is no room for with all that is nested in them. */
void tfp_treepane_fit_lanes(struct tfp_treepane *pane);
/* Opens the heaviest rows that are closed, as long as all that is open is in sight. */
void tfp_treepane_use_room(struct tfp_treepane *pane);
/* The row of the tree under the cursor, TFP_NONE if there is none. */
uint32_t tfp_treepane_row(const struct tfp_treepane *pane);
/* Puts the cursor on ROW of the tree, opening what is above. */
void tfp_treepane_go(struct tfp_treepane *pane, uint32_t row);
/* ROW, or the nearest above it that no closed row hides. */
uint32_t tfp_treepane_seen(const struct tfp_treepane *pane, uint32_t row);
/* The shown row that stands for NODE, or for the nearest thing above it; TFP_NONE: none. */
uint32_t tfp_treepane_find_node(const struct tfp_treepane *pane, uint32_t node);
void tfp_treepane_sort(struct tfp_treepane *pane, int order, bool reverse);
/* Opens the heaviest path from list index INDEX; returns the last index opened. */
size_t tfp_treepane_hot_path(struct tfp_treepane *pane, size_t index);

/* Is more open than the top rows? */
bool tfp_treepane_is_opened(const struct tfp_treepane *pane);
/* Opens what a view opens when it is seen for the first time. */
void tfp_treepane_open_first(struct tfp_treepane *pane);

/* Ways to go through the tree (treewalk.c). They return false where there is nothing to do. */
bool tfp_treepane_forward(struct tfp_treepane *pane);
bool tfp_treepane_back(struct tfp_treepane *pane);
bool tfp_treepane_toggle(struct tfp_treepane *pane);
bool tfp_treepane_parent(struct tfp_treepane *pane);
bool tfp_treepane_sibling(struct tfp_treepane *pane, bool next);
bool tfp_treepane_open_below(struct tfp_treepane *pane);
bool tfp_treepane_set_all(struct tfp_treepane *pane, bool open);

/* What to sort by for COLUMN: a metric; TFP_ORDER_NONE where a tree has no such order. */
int tfp_column_order(const struct tfp_column *column);
/* Whether COLUMN, one of the pane's, has room in so many columns of the screen (treedraw.c). */
bool tfp_treepane_fits(const struct tfp_treepane *pane, int cols, const struct tfp_column *column);
/* What stands at a place of the pane. */
struct tfp_tree_spot {
	bool header;
	int order;    /* of the column whose title is there; TFP_ORDER_NONE */
	size_t index; /* of the row */
	bool sign;    /* it is the sign that opens and closes the row */
};

/* What was drawn in AREA at line Y, column X of the screen; false: nothing (treedraw.c). */
bool tfp_treepane_spot(const struct tfp_treepane *pane, struct tfp_area area, int y, int x,
		       struct tfp_tree_spot *spot);
/* Cells that the names of lanes have of COLS: what the longest wants, within limits. What is behind them is time. */
int tfp_treepane_lane_cells(const struct tfp_treepane *pane, int cols);
/* Draws header and rows (treedraw.c). */
void tfp_treepane_draw(struct tfp_treepane *pane, struct tfp_pen *pen, struct tfp_area area,
		       bool focused);

#endif
