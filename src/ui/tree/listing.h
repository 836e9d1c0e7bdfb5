/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of profiles to be opened, and going from one thing that is open to another.
 */
#ifndef TFP_UI_LISTING_H
#define TFP_UI_LISTING_H

#include "ui/screen.h"

/* This screen is a list. */
static inline bool tfp_listing_is(const struct tfp_screen *screen)
{
	return screen->config->choose != NULL;
}

/*
 * The query that a list begins with: what was asked for is for profiles, so it is what the list had
 * when a profile was opened from it.
 */
void tfp_listing_begin(struct tfp_screen *screen);
/* Opens the marked rows, or the cursor's. False where this is no list. */
bool tfp_listing_enter(struct tfp_screen *screen);
struct tfp_action;

/* Is ACTION none for a list, and this is one? Then it is said. */
bool tfp_listing_refuses(struct tfp_screen *screen, const struct tfp_action *action);
/* Leaves the screen for NEXT. */
void tfp_screen_leave(struct tfp_screen *screen, enum tfp_ui_next next);
/* Leaves the screen for what was open before, if there was anything; asks first where that is dear. */
void tfp_screen_go_before(struct tfp_screen *screen);
/* Leaves for the profile or the folder PATH, or says why not. */
void tfp_screen_open(struct tfp_screen *screen, const char *path);

/* Puts into the tree pane where the person was the last time; returns that view, NULL: none. */
const struct tfp_view *tfp_place_recall(struct tfp_screen *screen);
/* Adds to the query what it was the last time, if that is known. */
void tfp_place_resume(struct tfp_screen *screen);
/* Keeps where the person is now. */
void tfp_place_keep(struct tfp_screen *screen);

/* Opens the row, or the second of two that are marked, and compares it with the (first) marked one. */
void tfp_listing_compare(struct tfp_screen *screen);

#endif
