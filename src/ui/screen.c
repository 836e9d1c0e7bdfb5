/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of the screen: start, the loop over keys, signals and answers, and the end.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ui/action/actions.h"
#include "ui/action/habits.h"
#include "ui/action/keys.h"
#include "ui/tree/listing.h"
#include "ui/terminal/restore.h"
#include "ui/screen.h"

#define MS INT64_C(1000000)

/* The pane waits for so long a rest of the keys. */
#define PANE_AFTER (80 * MS)
/*
 * Keys typed after a change of the query mean its rows: they wait so long for them, and then take
 * what is there.
 */
#define ROWS_AFTER (200 * MS)
/* A file that is read so fast is shown without a screen that says "reading" first. */
#define FIRST_WAIT (20 * MS)
/* The message line turns, and the time left counts, so often. */
#define TURN_EVERY (250 * MS)

int64_t tfp_screen_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- messages ---- */

#define MESSAGE_ROOM 1024

/* The key that is NAME in the action table as it is now, or the command where it has none, into BUFFER. */
static void name_key(const struct tfp_screen *screen, struct tfp_span name, char *buffer,
		     size_t room)
{
	const char *owner = tfp_ui_key_owner(name.at, name.size), *keys;

	keys = owner ? tfp_keymap_keys(&screen->keymap, tfp_action_find(owner)) : "";
	if (owner && !*keys)
		snprintf(buffer, room, ":%s", owner);
	else if (owner && !tfp_keys_include(keys, tfp_keys_of_name(name.at, name.size)))
		snprintf(buffer, room, "%.*s", (int)strcspn(keys, " "), keys);
	else
		snprintf(buffer, room, "%.*s", (int)name.size, name.at);
}

/* FORMAT with the keys that stand in braces as they are now, "{n} next", in BUFFER. */
static const char *__attribute__((format_arg(2)))
name_keys(const struct tfp_screen *screen, const char *format, char buffer[MESSAGE_ROOM])
{
	size_t used = 0;
	char key[64];

	while (*format && used + 2 * sizeof(key) < MESSAGE_ROOM) {
		size_t size = *format == '{' ? strcspn(format + 1, "}") : 0;

		if (!size) {
			buffer[used++] = *format++;
			continue;
		}
		name_key(screen, (struct tfp_span){format + 1, size}, key, sizeof(key));
		for (const char *at = key; *at; at++) {
			if (*at == '%')
				buffer[used++] = '%';
			buffer[used++] = *at;
		}
		format += size + 2;
	}
	buffer[used] = '\0';
	return buffer;
}

static void __attribute__((format(printf, 3, 0)))
set_message(struct tfp_screen *screen, bool is_error, const char *format, va_list arguments)
{
	char text[MESSAGE_ROOM], named[MESSAGE_ROOM];

	vsnprintf(text, sizeof(text), name_keys(screen, format, named), arguments);
	free(screen->message);
	screen->message = *text ? tfp_strdup(text) : NULL;
	screen->is_error = is_error;
	screen->dirty = true;
}

void tfp_screen_say(struct tfp_screen *screen, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_message(screen, false, format, arguments);
	va_end(arguments);
}

void tfp_screen_fail(struct tfp_screen *screen, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	set_message(screen, true, format, arguments);
	va_end(arguments);
}

void tfp_screen_fail_with(struct tfp_screen *screen, struct tfp_diag *diag)
{
	size_t count = tfp_diag_count(diag);

	if (count)
		tfp_screen_fail(screen, "%s", tfp_diag_get(diag, count - 1).text);
	tfp_diag_free(diag);
}

/* ---- keys ---- */

/* Says what does what KEY was meant for, as far as somebody knows. */
static void say_unbound(struct tfp_screen *screen, int32_t key)
{
	const struct tfp_action *meant = tfp_habit_key(key);
	const char *keys = meant ? tfp_keymap_keys(&screen->keymap, meant) : "";
	char name[TFP_KEY_ROOM], help[TFP_KEY_ROOM];

	tfp_keys_name(name, key);
	if (*keys)
		tfp_screen_say(screen, "%s does nothing here; perhaps %.*s is meant: %s", name,
			       (int)strcspn(keys, " "), keys, meant->help);
	else
		tfp_screen_say(screen, "%s does nothing here; %s shows the keys", name,
			       tfp_keymap_now(&screen->keymap, "?", help, sizeof(help)));
}

/* A key that no mode took: runs its action, or says that it has none. */
static void act(struct tfp_screen *screen, int32_t key)
{
	const struct tfp_action *action =
		tfp_keymap_action(&screen->keymap, key, tfp_time_is(screen));

	if (action)
		tfp_action_run(screen, action);
	else
		say_unbound(screen, key);
}

/* Suspending and drawing anew work everywhere. */
static bool passes_modes(int32_t key)
{
	return key == TFP_KEY_CONTROL('z') || key == TFP_KEY_CONTROL('l');
}

static void take_key(struct tfp_screen *screen, int32_t key)
{
	const void *armed = screen->armed;

	tfp_pace_key(&screen->pace, tfp_screen_now());
	screen->dirty = true;
	screen->touched |= tfp_screen_has_part(screen);
	if (!screen->filter.open) {
		free(screen->message);
		screen->message = NULL;
	}
	if (key == TFP_KEY_MOUSE)
		tfp_mouse_take(screen);
	else if (tfp_menu_refuses(screen, key))
		return;
	else if (passes_modes(key) || !screen->mode || !screen->mode->key(screen, key))
		act(screen, key);
	if (screen->armed == armed)
		screen->armed = NULL;
}

/* What is typed into a page that covers the rows is not for them. */
static bool rows_are_late(const struct tfp_screen *screen)
{
	return !screen->mode && !screen->page.open &&
	       tfp_worker_busy(screen->worker, TFP_TASK_QUERY) &&
	       tfp_screen_now() - screen->ask_time < ROWS_AFTER;
}

/* Nothing is there yet for keys to act on. */
static bool is_starting(const struct tfp_screen *screen)
{
	return !screen->mode && !screen->page.open && !screen->tree.rows.tree &&
	       (tfp_worker_busy(screen->worker, TFP_TASK_LOAD) ||
		tfp_worker_busy(screen->worker, TFP_TASK_QUERY));
}

static bool keys_wait(const struct tfp_screen *screen)
{
	return tfp_search_is_late(screen) || rows_are_late(screen) || is_starting(screen);
}

/* What needs no rows does not wait for them, unless it may be a part of what waits: "/eq". */
static bool acts_at_once(const struct tfp_screen *screen, int32_t key)
{
	static void (*const needing_none[])(struct tfp_screen *, int) = {
		tfp_act_close, tfp_act_quit, tfp_act_help, tfp_act_command};
	const struct tfp_action *action =
		tfp_keymap_action(&screen->keymap, key, tfp_time_is(screen));

	if (key == TFP_KEY_CONTROL('c') || passes_modes(key))
		return true;
	for (size_t i = 0; action && i < sizeof(needing_none) / sizeof(*needing_none); i++)
		if (action->run == needing_none[i])
			return !screen->ahead.count && !tfp_search_is_late(screen);
	return false;
}

/* The line of progress counts the keys that wait, at once: nothing else shows that they were taken. */
static void set_aside(struct tfp_screen *screen, int32_t key)
{
	struct tfp_ahead *ahead = &screen->ahead;

	if (key == TFP_KEY_MOUSE || ahead->count == TFP_AHEAD_ROOM)
		return;
	ahead->keys[(ahead->first + ahead->count++) % TFP_AHEAD_ROOM] = key;
	screen->dirty |= is_starting(screen);
}

/*
 * The next key that may act now; 0: none. C-c does not wait, and those before it are void. The mouse was
 * meant for what was in sight.
 */
static int32_t next_key(struct tfp_screen *screen)
{
	struct tfp_ahead *ahead = &screen->ahead;
	int32_t key;

	while (keys_wait(screen)) {
		key = tfp_term_key(&screen->term);
		if (key == TFP_KEY_CONTROL('c') && ahead->count) {
			ahead->count = 0;
			screen->armed = NULL; /* those stood between this C-c and one before */
		}
		if (!key || acts_at_once(screen, key))
			return key;
		set_aside(screen, key);
	}
	if (!ahead->count)
		return tfp_term_key(&screen->term);
	key = ahead->keys[ahead->first];
	ahead->first = (ahead->first + 1) % TFP_AHEAD_ROOM;
	ahead->count--;
	return key;
}

/* True if there were any. */
static bool take_keys(struct tfp_screen *screen)
{
	bool any = false;
	int32_t key;

	for (; !screen->quit && (key = next_key(screen)); any = true)
		take_key(screen, key);
	return any;
}

static void take_signals(struct tfp_screen *screen)
{
	unsigned events = tfp_restore_events();

	if (events & TFP_EVENT_SUSPEND) {
		tfp_term_suspend(&screen->term);
	} else if (events & TFP_EVENT_CONTINUE) {
		tfp_term_resize(&screen->term);
		tfp_term_redraw(&screen->term);
	}
	if (events & TFP_EVENT_RESIZE)
		tfp_term_resize(&screen->term);
	screen->dirty |= events != 0;
}

/* ---- time ---- */

/* Whether most rows in sight were not there in the frame before. */
static bool is_page(const struct tfp_screen *screen)
{
	const struct tfp_scroll *list =
		screen->page.open ? &screen->page.scroll : &screen->tree.list;
	size_t before = screen->painted_top;
	size_t moved = list->top > before ? list->top - before : before - list->top;

	return moved * 2 > list->height;
}

/* Draws what has changed, or a part of it, as far as that is due. What is read shows by itself: no key has to wait for that. */
static void paint(struct tfp_screen *screen, int64_t now)
{
	bool reading = screen->painted_key == screen->pace.key &&
		       tfp_worker_busy(screen->worker, TFP_TASK_LOAD);
	enum tfp_paint frame =
		reading ? TFP_PAINT_WHOLE : tfp_pace_paint(&screen->pace, now, is_page(screen));

	if (frame == TFP_PAINT_NONE)
		return;
	tfp_screen_paint(screen, frame == TFP_PAINT_PART);
	screen->painted_key = screen->pace.key;
}

static bool is_turning(const struct tfp_screen *screen)
{
	return tfp_worker_busy(screen->worker, TFP_TASK_LOAD) ||
	       tfp_worker_busy(screen->worker, TFP_TASK_QUERY) ||
	       tfp_worker_busy(screen->worker, TFP_TASK_WRITE);
}

/* Nanoseconds until something is due without any event; -1: never. */
static int64_t next_due(const struct tfp_screen *screen, int64_t now)
{
	int64_t due = INT64_MAX;

	if (screen->dirty)
		due = tfp_pace_due(&screen->pace);
	if (due < screen->hold)
		due = screen->hold;
	if (screen->want_detail && screen->pace.key + PANE_AFTER < due)
		due = screen->pace.key + PANE_AFTER;
	if (screen->ahead.count && screen->ask_time + ROWS_AFTER > now &&
	    screen->ask_time + ROWS_AFTER < due)
		due = screen->ask_time + ROWS_AFTER;
	if (is_turning(screen) && now + TURN_EVERY < due)
		due = now + TURN_EVERY;
	if (due == INT64_MAX)
		return -1;
	return due > now ? due - now : 0;
}

/* Waits for a key, a signal, an answer, or for what is due. False when no more keys will come. */
static bool wait_for_events(struct tfp_screen *screen)
{
	struct pollfd fds[] = {
		{.fd = tfp_term_fd(&screen->term), .events = POLLIN},
		{.fd = tfp_restore_fd(), .events = POLLIN},
		{.fd = tfp_worker_fd(screen->worker), .events = POLLIN},
	};
	int64_t wait = next_due(screen, tfp_screen_now());
	int ready = poll(fds, 3, wait < 0 ? -1 : (int)((wait + MS - 1) / MS));

	if (ready == 0 && is_turning(screen))
		screen->dirty = true;
	if (ready < 0)
		return errno == EINTR;
	if (fds[1].revents)
		take_signals(screen);
	if (fds[2].revents)
		tfp_screen_take_answers(screen);
	return !(fds[0].revents & (POLLERR | POLLHUP | POLLNVAL));
}

static void loop(struct tfp_screen *screen)
{
	while (!screen->quit) {
		bool there;
		int64_t now;

		tfp_screen_check_pane(screen);
		there = wait_for_events(screen);

		if (!take_keys(screen) && !there) {
			screen->status = 1;
			return;
		}
		now = tfp_screen_now();
		if (screen->want_detail && now - screen->pace.key >= PANE_AFTER)
			tfp_screen_ask_detail(screen);
		if (screen->dirty && !screen->quit && now >= screen->hold)
			paint(screen, now);
	}
}

/* ---- start and end ---- */

void tfp_ui_query(struct tfp_query *query)
{
	tfp_query_init(query);
	query->max_depth = INT32_MAX;
	query->context = query->deep = true;
	query->fold_siblings = query->fold_library = true;
	query->links = true;
}

void tfp_screen_wear(struct tfp_screen *screen, const struct tfp_ui_theme *theme)
{
	tfp_theme_use(&screen->theme, theme);
	tfp_theme_apply(&screen->theme);
	screen->utf8 = screen->term.utf8 && !(theme && theme->ascii);
	screen->dirty = true;
}

static void init_display(struct tfp_screen *screen)
{
	const struct tfp_ui_config *config = screen->config;

	screen->tree.no_bars = config->no_bars;
	screen->tree.exact = config->exact;
	screen->tree.of_root = config->of_root;
	for (unsigned i = 0; config->pane && tfp_pane_sizes[i]; i++)
		if (!strcmp(config->pane, tfp_pane_sizes[i]))
			screen->drill.size = (enum tfp_pane_size)i;
}

/* A folder that is not there is a warning, and :source-root can name it later. */
static void init_sources(struct tfp_screen *screen)
{
	const struct tfp_ui_config *config = screen->config;

	for (size_t i = 0; i < config->source_count; i++) {
		struct tfp_diag *diag = tfp_diag_new();

		if (!tfp_sources_add(&screen->sources, config->sources[i], diag))
			tfp_diag_add(screen->diag, TFP_WARNING, NULL, -1, 0, "source-roots: %s",
				     tfp_diag_get(diag, 0).text);
		tfp_diag_free(diag);
	}
}

/* Starts with reading the files. */
static bool start(struct tfp_screen *screen)
{
	const struct tfp_request load = {.task = TFP_TASK_LOAD};

	if (!tfp_term_start(&screen->term, screen->config->guard, screen->diag))
		return false;
	tfp_screen_wear(screen, screen->config->theme);
	if (screen->config->mouse)
		tfp_term_mouse(&screen->term, true);
	screen->load_time = tfp_screen_now();
	screen->hold = screen->load_time + FIRST_WAIT;
	tfp_pace_start(&screen->pace, screen->load_time);
	screen->dirty = true;
	tfp_worker_ask(screen->worker, &load);
	return true;
}

/* The terminal first: the worker may take a while to notice that it is cancelled. */
static void end(struct tfp_screen *screen)
{
	tfp_term_stop(&screen->term);
	tfp_place_keep(screen);
	tfp_screen_drop_trees(screen);
	tfp_search_end(screen);
	tfp_treepane_free(&screen->tree);
	tfp_drillpane_free(&screen->drill);
	tfp_textpane_close(&screen->page);
	free(screen->about.steps);
	for (int brief = 0; brief <= TFP_BRIEFEST; brief++)
		free(screen->summary[brief]);
	free(screen->part);
	free(screen->resume);
	free(screen->message);
	free(screen->theme_name);
}

/* What the screen is for, and how it ended. */
struct life {
	const struct tfp_ui_config *config;
	struct tfp_diag *diag;
	struct tfp_worker *worker;
	int status;
};

static struct tfp_screen *new_screen(const struct life *life)
{
	const struct tfp_ui_config *config = life->config;
	struct tfp_screen *screen = tfp_alloc_zero(1, sizeof(*screen));

	screen->config = config;
	screen->diag = life->diag;
	screen->worker = life->worker;
	screen->jump = screen->drill.row = TFP_NONE;
	screen->silent = true;
	tfp_screen_first_query(screen);
	tfp_keymap_make(&screen->keymap, config->keys, config->key_count);
	init_display(screen);
	init_sources(screen);
	if (config->place && config->place->query)
		screen->resume = tfp_strdup(config->place->query);
	return screen;
}

static void free_screen(struct tfp_screen *screen)
{
	tfp_filter_free(&screen->filter);
	tfp_chooser_free(&screen->chooser);
	tfp_screen_keep_nothing(screen);
	tfp_history_free(&screen->history);
	tfp_sources_free(&screen->sources);
	tfp_wish_free(&screen->wish);
	tfp_keymap_free(&screen->keymap);
	tfp_query_free(&screen->query);
	free(screen);
}

static void live(void *data)
{
	struct life *life = data;
	struct tfp_screen *screen = new_screen(life);

	if (start(screen)) {
		loop(screen);
		end(screen);
		life->status = screen->status;
	}
	free_screen(screen);
}

int tfp_ui_run(const struct tfp_ui_config *config, struct tfp_diag *diag)
{
	struct tfp_worker *worker = tfp_worker_new(config, diag);
	struct life life = {config, diag, worker, 1};

	if (!worker)
		return life.status;
	tfp_worker_run(worker, live, &life);
	tfp_worker_free(worker);
	return life.status;
}
