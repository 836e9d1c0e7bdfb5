/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter form: every keystroke in a field is a new query; the last valid result stays while
 * the text is not valid.
 */
#ifndef TFP_UI_FILTER_H
#define TFP_UI_FILTER_H

#include "tfprof/view.h"
#include "ui/prompt/edit.h"

struct tfp_screen;

enum tfp_filter_field {
	TFP_FIELD_SHOW,
	TFP_FIELD_HIDE,
	TFP_FIELD_START,
	TFP_FIELD_TRIM,
	TFP_FIELD_ACCOUNT,
	TFP_FIELD_MINIMUM,
	TFP_FIELD_SHAPE,
	TFP_FIELDS
};

struct tfp_filter {
	bool open;
	enum tfp_filter_field field;
	struct tfp_edit edits[TFP_FIELDS];
	bool regex[TFP_FIELDS];
	bool wrong;              /* a field is not valid by itself, so no query was asked */
	bool leaving;            /* closed before it was known whether the query is valid */
	struct tfp_query before; /* the query that Esc goes back to; while open or leaving */
	uint64_t row;            /* key of the row that the cursor goes back to then; 0: none */
};

/* Lines that the form wants, its rule included. */
#define TFP_FILTER_ROWS (TFP_FIELDS + 1)

void tfp_filter_open(struct tfp_screen *screen);
/* The query asked last is valid, or not: a form that was closed too early comes back with its text. */
void tfp_filter_settle(struct tfp_screen *screen, bool valid);
/* Takes every filter, zoom and bound of depth out of the wanted query. */
void tfp_filter_reset(struct tfp_screen *screen);
void tfp_filter_free(struct tfp_filter *filter);
void tfp_filter_draw(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area);

#endif
