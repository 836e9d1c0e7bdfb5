/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queries that were asked, for undo and redo.
 */
#ifndef TFP_UI_HISTORY_H
#define TFP_UI_HISTORY_H

#include "tfprof/view.h"

#define TFP_HISTORY_ROOM 100

struct tfp_past {
	struct tfp_query query;
	const char *lens; /* its name, in the query's arena */
};

struct tfp_history {
	struct tfp_past list[TFP_HISTORY_ROOM]; /* oldest first */
	size_t count, at;                       /* list[at] is the query that is wanted now */
	bool typing;                            /* that is the query of a text being typed */
};

void tfp_history_free(struct tfp_history *history);
/*
 * QUERY is wanted now, under the lens called LENS. What was undone before is gone, unless QUERY is no
 * change. All that is asked while TYPING is one change.
 */
void tfp_history_note(struct tfp_history *history, const struct tfp_query *query, const char *lens,
		      bool typing);
/* The query that was wanted last could not be run, and it is QUERY again. */
void tfp_history_take_back(struct tfp_history *history, const struct tfp_query *query);
/* Goes one query back, or forth; NULL where there is none. */
const struct tfp_past *tfp_history_step(struct tfp_history *history, bool back);

#endif
