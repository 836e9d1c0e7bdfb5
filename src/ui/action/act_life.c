/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions on the screen as a whole: closing, stopping, quitting.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/action/actions.h"
#include "ui/action/keys.h"
#include "ui/tree/listing.h"

/* Nanoseconds of loading from which on quitting asks first. */
#define DEAR 2000000000

/* ---- closing and quitting ---- */

/* Closes the innermost thing that is open; false if nothing is. */
static bool close_one(struct tfp_screen *screen)
{
	if (screen->page.open && screen->page.match)
		tfp_textpane_search(&screen->page, "");
	else if (screen->page.open)
		tfp_textpane_close(&screen->page);
	else if (screen->focus != TFP_FOCUS_TREE)
		screen->focus = TFP_FOCUS_TREE;
	else if (screen->search.text)
		tfp_search_end(screen);
	else
		return false;
	return true;
}

void tfp_act_escape(struct tfp_screen *screen, int unused)
{
	(void)unused;
	if (!close_one(screen) && !tfp_time_forget(screen))
		tfp_screen_say(screen, "nothing is open: {q} quits, {?} lists the keys");
}

/* True at the second time in a row. */
static bool asked_already(struct tfp_screen *screen, const void *what)
{
	if (screen->armed == what)
		return true;
	screen->armed = what;
	return false;
}

/* A file that is being written would not be there: KEY leaves at the second time only. */
static bool asks_for_writing(struct tfp_screen *screen, char key)
{
	static const char asked[] = "a file is being written; %c again leaves without it";

	if (!tfp_worker_busy(screen->worker, TFP_TASK_WRITE) || asked_already(screen, asked))
		return false;
	tfp_screen_say(screen, asked, key);
	return true;
}

static const char *what_leaving_does(const struct tfp_screen *screen)
{
	return screen->config->has_list ? "goes back to the list" : "quits";
}

/* It is the one thing that q closes out of sight. */
static void say_search_ended(struct tfp_screen *screen)
{
	tfp_screen_say(screen, "the search has ended; {q} again %s", what_leaving_does(screen));
	screen->armed = tfp_act_close;
}

void tfp_act_close(struct tfp_screen *screen, int unused)
{
	int seconds = (int)(screen->load_time / 1000000000);
	bool searched = screen->search.text != NULL;

	(void)unused;
	if (close_one(screen)) {
		if (searched && !screen->search.text)
			say_search_ended(screen);
		return;
	}
	if (asks_for_writing(screen, 'q'))
		return;
	if (screen->loaded && screen->load_time > DEAR && !asked_already(screen, tfp_act_close))
		tfp_screen_say(screen, "reading took %d s; {q} again %s", seconds,
			       what_leaving_does(screen));
	else
		tfp_screen_leave(screen, screen->config->has_list ? TFP_UI_LIST : TFP_UI_QUIT);
}

void tfp_act_quit(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->quit = !asks_for_writing(screen, 'Q');
}

/* Stops what runs: the older is worth more, so the newest goes first. */
void tfp_act_stop(struct tfp_screen *screen, int unused)
{
	static const enum tfp_task order[] = {TFP_TASK_WRITE, TFP_TASK_PLACE, TFP_TASK_MATCH,
					      TFP_TASK_QUERY, TFP_TASK_LOAD};
	bool stopped = false;

	(void)unused;
	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !stopped; i++)
		stopped = tfp_worker_cancel(screen->worker, order[i]);
	if (stopped) {
		tfp_screen_take_back(screen);
		tfp_screen_say(screen, "stopped");
	} else if (asked_already(screen, tfp_act_stop)) {
		screen->quit = true;
	} else {
		close_one(screen);
		tfp_screen_say(screen, "nothing to stop; {C-c} again quits");
	}
}

void tfp_act_suspend(struct tfp_screen *screen, int unused)
{
	(void)unused;
	tfp_term_suspend(&screen->term);
	screen->dirty = true;
}

void tfp_act_redraw(struct tfp_screen *screen, int unused)
{
	(void)unused;
	tfp_term_resize(&screen->term);
	tfp_term_redraw(&screen->term);
}

void tfp_act_reload(struct tfp_screen *screen, int unused)
{
	struct tfp_request request = {.task = TFP_TASK_LOAD};

	(void)unused;
	if (!screen->loaded || screen->outdated || tfp_worker_busy(screen->worker, TFP_TASK_LOAD))
		return;
	screen->load_time = tfp_screen_now();
	tfp_worker_ask(screen->worker, &request);
}
