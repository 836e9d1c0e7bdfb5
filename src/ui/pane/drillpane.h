/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drill-down pane below the tree: what the cursor's row consists of, in one breakdown, or in
 * two side by side where there is room.
 */
#ifndef TFP_UI_DRILLPANE_H
#define TFP_UI_DRILLPANE_H

#include "ui/terminal/draw.h"
#include "ui/tree/scroll.h"
#include "ui/worker.h"

enum tfp_pane_size { TFP_PANE_SMALL, TFP_PANE_LARGE, TFP_PANE_OFF };

#define TFP_SPLIT_COLS 110 /* from here on two breakdowns are side by side */

struct tfp_drillpane {
	enum tfp_pane_size size;
	enum tfp_breakdown_kind kind, usual; /* that is shown, and the one of the view */
	struct tfp_breakdown *details[TFP_DETAILS];
	struct tfp_scroll scrolls[TFP_DETAILS];
	size_t count;  /* breakdowns that are shown */
	uint64_t page; /* of values, that is wanted */
	bool to_end;   /* the next rows are shown from their end on: a page was turned back */
	uint32_t row;  /* of the tree that they are about, TFP_NONE: nothing is shown */
	char *name;    /* of that row, raw; may be NULL */
	char *facts;   /* may be NULL */
	int sideways;  /* cells that long names and values are pushed to the left */
	bool marked;   /* it is about all marked rows instead */
	/* what the rows of each kind are sorted by */
	struct {
		enum tfp_breakdown_order by;
		bool reverse;
	} orders[TFP_BREAKDOWN_KINDS];
};

void tfp_drillpane_free(struct tfp_drillpane *pane);
/* Forgets what is shown (the tree it was about is gone). */
void tfp_drillpane_clear(struct tfp_drillpane *pane);
/* The same, but breakdowns go into ANSWER, which has none, to be freed with it. */
void tfp_drillpane_give(struct tfp_drillpane *pane, struct tfp_answer *answer);
/* Takes the breakdowns out of ANSWER, about the row called NAME; those before go into it. */
void tfp_drillpane_take(struct tfp_drillpane *pane, struct tfp_answer *answer,
			struct tfp_span name);
/* Shows MARKED, which it takes over, in place of breakdowns; the facts stay. */
void tfp_drillpane_take_marked(struct tfp_drillpane *pane, struct tfp_breakdown *marked);
/* The kind that a view opens with, as far as the file has it. */
void tfp_drillpane_for_view(struct tfp_drillpane *pane, const struct tfp_about *about,
			    const struct tfp_view *view);
/* Goes to the next kind that the file has, or the one before. */
void tfp_drillpane_turn(struct tfp_drillpane *pane, const struct tfp_about *about, bool back);
/* The kinds to show in COLS columns. Returns how many. */
size_t tfp_drillpane_kinds(const struct tfp_drillpane *pane, const struct tfp_about *about,
			   int cols, enum tfp_breakdown_kind kinds[TFP_DETAILS]);
/* The row under the cursor of side WHICH; NULL if there is none. */
const struct tfp_breakdown_row *tfp_drillpane_row(const struct tfp_drillpane *pane, size_t which);

/*
 * The side of a pane in AREA that column X is in, and the index of what stands at line Y there; false: no row.
 */
bool tfp_drillpane_spot(const struct tfp_drillpane *pane, struct tfp_area area, int y, int x,
			size_t *side, size_t *index);
/* Draws a rule with the title, and the rows. FOCUSED: the side that has the cursor, or -1. */
void tfp_drillpane_draw(struct tfp_drillpane *pane, const struct tfp_about *about,
			struct tfp_pen *pen, struct tfp_area area, int focused);

#endif
