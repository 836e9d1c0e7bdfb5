/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of the time view is in sight: the piece of time that its columns share, and a cursor in it; and what is
 * drawn in the columns. Times are by the clock of the trace.
 */
#ifndef TFP_UI_TIMEPANE_H
#define TFP_UI_TIMEPANE_H

#include "tfprof/strips.h"
#include "tfprof/view.h"
#include "ui/terminal/draw.h"

#define TFP_TIME_STRIPS 64 /* that are drawn as one */

/* From FROM to TO: a real number, of the difference, since one of each time may be off by more than that. */
static inline double tfp_timepane_length(int64_t from, int64_t to)
{
	return (double)((__int128)to - from);
}

struct tfp_timepane {
	bool set; /* what follows is valid */
	int64_t from, to, cursor;
	int64_t step; /* number of the step that was shown last; negative: none was */
	int cols;     /* columns that were drawn last */
	bool opened;  /* all lanes are open, for the first time */
	bool begun;   /* a range begins at MARK, and has no end yet */
	int64_t mark;
	/* what was shown first, and what that is, ", the steps" */
	int64_t first_from, first_to;
	const char *first_what;
	bool wanted; /* the next tree is to be shown from WANT_FROM to WANT_TO */
	int64_t want_from, want_to;
	bool returns; /* it is shown next with the cursor on RETURN_TO, where one left it */
	int64_t return_to;
	uint32_t *lit; /* places of events that are pointed out: see tfp_strips_behind */
	size_t lit_count;
	bool filtered;      /* they are those that a filter of names shows */
	uint32_t place;     /* of the event that was gone to last; TFP_NONE */
	uint32_t lit_place; /* the last one that was gone to as pointed out; TFP_NONE */
	bool arrived;       /* that is where the cursor's row should be */
	const struct tfp_view *from_view; /* where the row is that they are behind; NULL: none is */
	uint64_t from_key;
	char from_name[256]; /* raw bytes */
};

void tfp_timepane_free(struct tfp_timepane *pane);
/* Begins to show TREE; what ran below ROW of the tree BEFORE (NULL: none) is pointed out from now on. */
void tfp_timepane_show(struct tfp_timepane *pane, const struct tfp_tree *tree,
		       const struct tfp_tree *before, uint32_t row);
/* The next tree is to be shown with the time FROM .. TO in the middle. */
void tfp_timepane_want(struct tfp_timepane *pane, int64_t from, int64_t to);
/* Where the time view is what is shown next, its cursor is on TIME, as one left it. */
void tfp_timepane_return(struct tfp_timepane *pane, int64_t time);

/* Moves the cursor by columns, or by halves of what is in sight. */
void tfp_timepane_move(struct tfp_timepane *pane, const struct tfp_strips *strips, int columns);
void tfp_timepane_turn(struct tfp_timepane *pane, const struct tfp_strips *strips, int halves);
/* Shows half of the time, or twice as much. */
void tfp_timepane_zoom(struct tfp_timepane *pane, const struct tfp_strips *strips, bool in);
/* Shows FROM .. TO and a little more, the cursor at its beginning. */
void tfp_timepane_fit(struct tfp_timepane *pane, const struct tfp_strips *strips, int64_t from,
		      int64_t to);
/* Puts the cursor on TIME, which comes into sight. */
void tfp_timepane_go(struct tfp_timepane *pane, const struct tfp_strips *strips, int64_t time);

/* From now on the COUNT places LIT are pointed out, which belong to the pane then. */
void tfp_timepane_light(struct tfp_timepane *pane, uint32_t *lit, size_t count);
/* Goes to where the event at PLACE begins: that one is told from others there. */
void tfp_timepane_go_place(struct tfp_timepane *pane, const struct tfp_strips *strips,
			   uint32_t place);
/* Goes to the next of what is pointed out, from TIME on, or the last before it; false: there is none. */
bool tfp_timepane_next_lit(struct tfp_timepane *pane, const struct tfp_strips *strips, bool back);
/* The row of TREE that the place is in that was gone to last; TFP_NONE: there is none. */
uint32_t tfp_timepane_lit_row(const struct tfp_timepane *pane, const struct tfp_tree *tree);
/* Is the cursor still on it? */
bool tfp_timepane_on_place(const struct tfp_timepane *pane, const struct tfp_tree *tree,
			   uint32_t row, bool open);

/* The cursor's column, where COUNT columns share the time in sight. */
uint32_t tfp_timepane_cursor(const struct tfp_timepane *pane, uint32_t count);
/* The time that the cursor's column begins at, and ends. */
void tfp_timepane_column(const struct tfp_timepane *pane, int64_t *from, int64_t *to);
/* The strips that are drawn in ROW of TREE, which is OPEN or not, into STRIPS; returns how many. */
size_t tfp_timepane_strips(const struct tfp_tree *tree, uint32_t row, bool open,
			   uint32_t strips[TFP_TIME_STRIPS]);
/* The file whose clock ROW of TREE, or what is first below it, goes by. */
uint32_t tfp_timepane_file(const struct tfp_tree *tree, uint32_t row);
/* What is under the cursor there. */
struct tfp_piece tfp_timepane_piece(const struct tfp_timepane *pane, const struct tfp_tree *tree,
				    uint32_t row, bool open);

/* ---- drawing, up to the pen's end (timedraw.c) ---- */

/* Times; RANGE of the query is brighter. */
void tfp_timepane_ruler(const struct tfp_timepane *pane, const struct tfp_tree *tree,
			struct tfp_pen *pen);
/* The names of steps where they begin, by the clock of the file that ROW is of. */
void tfp_timepane_steps(const struct tfp_timepane *pane, const struct tfp_tree *tree, uint32_t row,
			struct tfp_pen *pen);
/* ROW, which is OPEN or not; with the cursor in it where it is the CURSOR's row. */
void tfp_timepane_row(const struct tfp_timepane *pane, const struct tfp_tree *tree, uint32_t row,
		      bool open, bool cursor, struct tfp_pen *pen);

#endif
