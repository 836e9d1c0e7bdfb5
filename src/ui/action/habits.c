/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Habits from htop, less, vim, ncdu, tig and top: see habits.h.
 */
#include <string.h>

#include "ui/action/habits.h"
#include "ui/action/keys.h"

struct habit {
	const char *typed;
	const char *action;
};

static const struct habit keys[] = {
	/* htop, top */
	{"F2", "options"},
	{"F3", "search"},
	{"F5", "flat"},
	{"F7", "sort-previous"},
	{"F8", "sort-next"},
	{"F9", "stop"},
	{"F10", "quit"},
	{"M", "metric"},
	{"T", "metric"},
	{"I", "reverse"},
	{"H", "first"},
	{"W", "write"},
	{"\\", "filter"},
	/* less */
	{"b", "page-up"},
	{"&", "filter"},
	/* vim */
	{"^", "first"},
	{"$", "last"},
	{"#", "search"},
	{"A", "open-all"},
	{"B", "parent"},
	{"J", "sibling-next"},
	{"K", "exact"},
	{"O", "open-all"},
	{"V", "mark"},
	{"X", "unmark-all"},
	{"Y", "copy"},
	{"Z", "quit"},
	{"a", "mark"},
	{"p", "parent"},
	{"'", "mark"},
	{"`", "mark"},
	{"C-e", "down"},
	{"C-y", "up"},
	{"C-w", "focus"},
	/* emacs and the terminal */
	{"C-a", "first"},
	{"C-g", "escape"},
	{"C-s", "search"},
	{"C-v", "page-down"},
	{"C-x", "quit"},
	{"C-\\", "quit"},
	/* tig, mc, visidata */
	{"S-Tab", "focus"},
	{"Delete", "unmark-all"},
	{"|", "filter"},
	{"_", "right"},
	{";", "command"},
};

/* Names that commands have in vim and less. */
static const struct habit commands[] = {
	{"q", "quit-level"},
	{"q!", "quit"},
	{"qa", "quit"},
	{"qa!", "quit"},
	{"x", "quit"},
	{"exit", "quit"},
	{"wq", "quit"},
	{"wq!", "quit"},
	{"e", "open"},
	{"edit!", "reload"},
	{"e!", "reload"},
	{"w", "write"},
	{"w!", "write"},
	{"h", "help"},
	{"se", "set"},
	{"colo", "theme"},
	{"colorscheme", "theme"},
	{"noh", "escape"},
	{"nohlsearch", "escape"},
	{"find", "search"},
	{"tree", "flat"},
};

static const struct tfp_action *look_up(const struct habit *habits, size_t count, const char *typed)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(habits[i].typed, typed))
			return tfp_action_find(habits[i].action);
	return NULL;
}

const struct tfp_action *tfp_habit_key(int32_t key)
{
	char name[TFP_KEY_ROOM];

	return look_up(keys, sizeof(keys) / sizeof(*keys), tfp_keys_name(name, key));
}

const struct tfp_action *tfp_habit_command(const char *name)
{
	return look_up(commands, sizeof(commands) / sizeof(*commands), name);
}
