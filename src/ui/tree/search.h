/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search in the tree, also inside closed nodes.
 */
#ifndef TFP_UI_SEARCH_H
#define TFP_UI_SEARCH_H

#include "tfprof/view.h"

struct tfp_screen;

struct tfp_search {
	char *text;            /* searched for; NULL: nothing */
	struct tfp_tree *tree; /* held: that the matches are of */
	struct tfp_matches matches;
	bool waiting;               /* a jump waits for the matches: */
	bool forward, typing;       /* which way; from the origin, while the text is being typed */
	uint64_t origin;            /* key of the row that the search began at */
	int64_t origin_time;        /* in the time view also when */
	TFP_ARRAY(uint32_t) opened; /* rows of the tree that the search opened, outermost first */
};

void tfp_search_prompt(struct tfp_screen *screen);
/* Goes to the next match, or the one before. */
void tfp_search_next(struct tfp_screen *screen, bool forward);
/* The same in the page of text that is open (pagesearch.c). */
void tfp_page_search_prompt(struct tfp_screen *screen);
void tfp_page_search_next(struct tfp_screen *screen, bool forward);
/* An entered search has not gone to its row yet, and will. */
bool tfp_search_is_late(const struct tfp_screen *screen);
/* Takes the matches out of ANSWER and makes the jump that waited for them. */
struct tfp_answer;
void tfp_search_take(struct tfp_screen *screen, struct tfp_answer *answer);
/*
 * A new tree is shown: lets go of what was found in the old one, and asks again for the matches that a jump
 * waits for.
 */
void tfp_search_follow(struct tfp_screen *screen);
/* Forgets the text; names are drawn plain again. */
void tfp_search_end(struct tfp_screen *screen);
/* Lets go of the tree. */
void tfp_search_drop(struct tfp_search *search);

#endif
