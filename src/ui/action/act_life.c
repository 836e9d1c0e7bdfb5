/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions on the screen as a whole: closing, stopping, quitting.
 */
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
	if (!close_one(screen) && !tfp_screen_forget_later(screen) && !tfp_time_forget(screen))
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

/*
 * True at the first time where leaving by the key NAME costs something: a file that is being written would not
 * be there, and what took long to read would be gone. THEN is what else leaving does; NULL: never mind that.
 */
static bool asks_to_leave(struct tfp_screen *screen, const void *what, const char *name,
			  const char *then)
{
	bool writing = tfp_worker_busy(screen->worker, TFP_TASK_WRITE);
	bool dear =
		then && screen->loaded && !tfp_screen_has_part(screen) && screen->load_time > DEAR;
	char key[TFP_KEY_ROOM];

	if ((!writing && !dear) || asked_already(screen, what))
		return false;
	tfp_keymap_now(&screen->keymap, name, key, sizeof(key));
	if (writing)
		tfp_screen_say(screen, "a file is being written; %s again leaves without it", key);
	else
		tfp_screen_say(screen, "reading took %d s; %s again %s",
			       (int)(screen->load_time / 1000000000), key, then);
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

void tfp_screen_go_before(struct tfp_screen *screen)
{
	if (!screen->config->has_before)
		tfp_screen_say(screen, "there is nowhere to go back to");
	else if (!asks_to_leave(screen, tfp_act_jump_back, "C-o",
				"goes back to what was open before"))
		tfp_screen_leave(screen, TFP_UI_BACK);
}

void tfp_act_close(struct tfp_screen *screen, int unused)
{
	bool searched = screen->search.text != NULL;

	(void)unused;
	if (close_one(screen)) {
		if (searched && !screen->search.text)
			say_search_ended(screen);
		return;
	}
	if (!asks_to_leave(screen, tfp_act_close, "q", what_leaving_does(screen)))
		tfp_screen_leave(screen, screen->config->has_list ? TFP_UI_LIST : TFP_UI_QUIT);
}

void tfp_act_quit(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->quit = !asks_to_leave(screen, tfp_act_quit, "Q", NULL);
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
	} else if (close_one(screen)) {
		tfp_screen_say(screen, "closed; {C-c} again quits");
	} else {
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
	if (tfp_worker_busy(screen->worker, TFP_TASK_LOAD))
		tfp_screen_say(screen, "they are being read");
	if (!screen->loaded || tfp_worker_busy(screen->worker, TFP_TASK_LOAD))
		return;
	screen->load_time = tfp_screen_now();
	tfp_worker_ask(screen->worker, &request);
}
