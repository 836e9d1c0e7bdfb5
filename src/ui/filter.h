/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filter form: every keystroke in a field is a new query; the last valid result stays while
 * the text is not valid.
 */
#ifndef TFP_UI_FILTER_H
#define TFP_UI_FILTER_H

#include "tfprof/view.h"
#include "ui/edit.h"

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
	struct tfp_query before; /* the query that Esc goes back to */
};

/* Lines that the form wants, its rule included. */
#define TFP_FILTER_ROWS (TFP_FIELDS + 1)

void tfp_filter_open(struct tfp_screen *screen);
/* Takes every filter, zoom and bound of depth out of the wanted query. */
void tfp_filter_reset(struct tfp_screen *screen);
void tfp_filter_free(struct tfp_filter *filter);
void tfp_filter_draw(struct tfp_screen *screen, struct tfp_pen *pen, struct tfp_area area);

#endif
