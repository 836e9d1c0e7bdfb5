/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving: what a person changed on the screen becomes settings. What is as it was at the start, or
 * when it was saved last, is not touched, whoever said it.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/action/actions.h"

/* Where a thing that can be saved is kept. */
struct kept {
	const char *setting, *name; /* NAME: of one in a map */
	/* Its value as settings have it, in ARENA; NULL: not set. */
	const char *(*value)(const struct tfp_screen *screen, struct tfp_arena *arena);
};

static const char *bool_text(bool flag)
{
	return flag ? "true" : "false";
}

static const char *theme_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return screen->theme_name;
}

static const char *lens_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return screen->lens.name;
}

static const char *pane_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return tfp_pane_sizes[screen->drill.size];
}

static const char *bars_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return bool_text(!screen->tree.no_bars);
}

static const char *mouse_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return bool_text(screen->term.mouse);
}

static const char *units_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return screen->tree.exact ? "exact" : "short";
}

static const char *shares_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return screen->tree.of_root ? "root" : "parent";
}

static const char *libraries_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return screen->query.library_paths;
}

static const char *merge_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return bool_text(screen->query.merge_gradients);
}

static const char *siblings_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return bool_text(screen->query.fold_siblings);
}

static const char *library_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return bool_text(screen->query.fold_library);
}

static const char *context_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return bool_text(screen->query.context);
}

/* An order that the metric does not bring with it, and that needs no baseline. */
static const char *order_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	const char *order = screen->query.order_by;
	const char *key =
		screen->about.metric_count ? screen->about.metrics[screen->lens.metric].key : "";

	(void)arena;
	if (!order || !strcmp(order, key) || screen->query.baseline)
		return NULL;
	return order;
}

static const char *reverse_value(const struct tfp_screen *screen, struct tfp_arena *arena)
{
	(void)arena;
	return screen->query.reverse ? "true" : NULL;
}

static const struct kept kept[] = {
	{"theme", NULL, theme_value},
	{"lens", NULL, lens_value},
	{"pane", NULL, pane_value},
	{"bars", NULL, bars_value},
	{"mouse", NULL, mouse_value},
	{"units", NULL, units_value},
	{"shares", NULL, shares_value},
	{"library-paths", NULL, libraries_value},
	{"options", "merge_gradients", merge_value},
	{"options", "fold_siblings", siblings_value},
	{"options", "fold_library", library_value},
	{"options", "context", context_value},
	{"options", "order_by", order_value},
	{"options", "reverse", reverse_value},
};

#define KEPT (sizeof(kept) / sizeof(*kept))
_Static_assert(KEPT + TFP_MAX_VIEWS <= TFP_KEPT_ROOM, "room for all that is kept");

/* All that can be saved, as it is now, into OUT; texts are in ARENA. Returns how much. */
static size_t collect(const struct tfp_screen *screen, struct tfp_arena *arena,
		      struct tfp_ui_change out[TFP_KEPT_ROOM])
{
	size_t count = 0;

	for (; count < KEPT; count++)
		out[count] = (struct tfp_ui_change){kept[count].setting, kept[count].name,
						    kept[count].value(screen, arena)};
	for (size_t i = 0; tfp_views[i]; i++)
		out[count++] = (struct tfp_ui_change){"columns", tfp_views[i]->name,
						      screen->query.choices[i]};
	return count;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

void tfp_screen_keep(struct tfp_screen *screen)
{
	struct tfp_arena arena = {0};
	struct tfp_ui_change now[TFP_KEPT_ROOM];
	size_t count = collect(screen, &arena, now);

	for (size_t i = 0; i < count; i++) {
		free(screen->kept[i]);
		screen->kept[i] = now[i].value ? tfp_strdup(now[i].value) : NULL;
	}
	tfp_arena_free(&arena);
}

void tfp_screen_keep_nothing(struct tfp_screen *screen)
{
	for (size_t i = 0; i < TFP_KEPT_ROOM; i++)
		free(screen->kept[i]);
	memset(screen->kept, 0, sizeof(screen->kept));
}

/* Why first: it is what must be read where the name of the file is too long. */
static void fail(struct tfp_screen *screen, const struct tfp_diag *diag)
{
	struct tfp_problem problem = {.text = "cannot be saved", .file = NULL};

	if (tfp_diag_count(diag))
		problem = tfp_diag_get(diag, tfp_diag_count(diag) - 1);
	tfp_screen_fail(screen, "%s%s%s", problem.text, problem.file ? ": " : "",
			problem.file ? problem.file : "");
}

static void save(struct tfp_screen *screen, const struct tfp_ui_change *changes, size_t count)
{
	const struct tfp_ui_config *config = screen->config;
	struct tfp_diag *diag = tfp_diag_new();
	const char *path = NULL;

	if (config->save(config->save_data, changes, count, &path, diag)) {
		tfp_screen_keep(screen);
		tfp_screen_say(screen, "%zu setting%s saved in %s", count, count == 1 ? "" : "s",
			       path);
		tfp_diag_free(diag);
		return;
	}
	fail(screen, diag);
	tfp_diag_free(diag);
}

void tfp_act_save(struct tfp_screen *screen, int unused)
{
	struct tfp_ui_change changes[TFP_KEPT_ROOM];
	struct tfp_arena arena = {0};
	size_t count = 0, all;

	(void)unused;
	if (!screen->loaded || !screen->config->save) {
		tfp_screen_say(screen, "there is nothing to save yet");
		return;
	}
	all = collect(screen, &arena, changes);
	for (size_t i = 0; i < all; i++)
		if (!is_same(changes[i].value, screen->kept[i]))
			changes[count++] = changes[i];
	if (count)
		save(screen, changes, count);
	else
		tfp_screen_say(screen, "nothing that is saved was changed on the screen");
	tfp_arena_free(&arena);
}
