/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions on the screen as a whole: commands by name, closing, stopping, quitting.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/actions.h"
#include "ui/keys.h"

/* Nanoseconds of loading from which on quitting asks first. */
#define DEAR 2000000000

/* ---- commands by name ---- */

static void run_command(struct tfp_screen *screen, const char *text)
{
	const struct tfp_action *action = tfp_action_find(text);

	if (action)
		action->run(screen, action->argument);
	else if (*text)
		tfp_screen_fail(screen, "there is no action \"%s\": Tab completes, ? lists all",
				text);
}

/* Bytes that all action names beginning with TEXT share; *FIRST gets one of the names. */
static size_t shared_start(const char *text, const char **first, size_t *count)
{
	size_t size = strlen(text), shared = size;

	*count = 0;
	for (const struct tfp_action *action = tfp_actions; action->name || action->group;
	     action++) {
		size_t same = 0;

		if (!action->name || strncmp(action->name, text, size))
			continue;
		if (!(*count)++) {
			*first = action->name;
			shared = strlen(action->name);
		}
		while (same < shared && action->name[same] == (*first)[same])
			same++;
		shared = same;
	}
	return shared;
}

/* The actions that begin with TEXT, on the message line. */
static void say_candidates(struct tfp_screen *screen, const char *text)
{
	struct tfp_arena arena = {0};
	char *line = tfp_arena_printf(&arena, "%s", "");

	for (const struct tfp_action *action = tfp_actions; action->name || action->group; action++)
		if (action->name && !strncmp(action->name, text, strlen(text)))
			line = tfp_arena_printf(&arena, "%s%s  ", line, action->name);
	tfp_screen_say(screen, "%s", line);
	tfp_arena_free(&arena);
}

static void complete(struct tfp_screen *screen, struct tfp_edit *edit)
{
	const char *first = NULL;
	char name[64];
	size_t count, shared = shared_start(edit->text, &first, &count);

	if (!count)
		return;
	if (count > 1 && shared == edit->size) {
		say_candidates(screen, edit->text);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)shared, first);
	tfp_edit_set(edit, name);
}

static const struct tfp_prompt_kind command_prompt = {
	.sign = ":",
	.entered = run_command,
	.complete = complete,
};

void tfp_act_command(struct tfp_screen *screen, int unused)
{
	(void)unused;
	tfp_prompt_open(screen, &command_prompt);
}

/* ---- closing and quitting ---- */

/* Closes the innermost thing that is open; false if nothing is. */
static bool close_one(struct tfp_screen *screen)
{
	if (screen->page.open)
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
	if (!close_one(screen))
		tfp_screen_say(screen, "nothing is open: q quits, ? lists the keys");
}

/* True at the second time in a row. */
static bool asked_already(struct tfp_screen *screen, const void *what)
{
	if (screen->armed == what)
		return true;
	screen->armed = what;
	return false;
}

void tfp_act_close(struct tfp_screen *screen, int unused)
{
	int seconds = (int)(screen->load_time / 1000000000);

	(void)unused;
	if (close_one(screen))
		return;
	if (screen->loaded && screen->load_time > DEAR && !asked_already(screen, tfp_act_close))
		tfp_screen_say(screen, "reading took %d s; q again quits", seconds);
	else
		screen->quit = true;
}

void tfp_act_quit(struct tfp_screen *screen, int unused)
{
	(void)unused;
	screen->quit = true;
}

/* Stops what runs: the older is worth more, so the newest goes first. */
void tfp_act_stop(struct tfp_screen *screen, int unused)
{
	static const enum tfp_task order[] = {TFP_TASK_PLACE, TFP_TASK_MATCH, TFP_TASK_QUERY,
					      TFP_TASK_LOAD};
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
		tfp_screen_say(screen, "nothing to stop; C-c again quits");
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
