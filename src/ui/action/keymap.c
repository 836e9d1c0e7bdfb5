/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key map: see keymap.h. What the settings may say is checked by those who read them.
 */
#include "ui/action/keymap.h"

#include <stdio.h>
#include <string.h>

#include "ui/action/actions.h"
#include "ui/action/keys.h"

static const char *default_keys(const char *action)
{
	const struct tfp_action *found = tfp_action_find(action);

	return found ? found->keys : NULL;
}

/* ---- what the settings are checked by ---- */

const char *tfp_ui_action_keys(const char *action)
{
	return default_keys(action);
}

const char *tfp_ui_key_owner(const char *key, size_t size)
{
	int32_t number = tfp_keys_of_name(key, size);

	for (const struct tfp_action *action = tfp_actions; action->help; action++)
		if (action->name && number && tfp_keys_include(action->keys, number))
			return action->name;
	return NULL;
}

bool tfp_ui_is_key(const char *key, size_t size)
{
	return tfp_keys_of_name(key, size) != 0;
}

/* ---- making ---- */

static const struct tfp_ui_keys *setting_of(const struct tfp_ui_keys *settings, size_t count,
					    const char *action)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(settings[i].action, action))
			return &settings[i];
	return NULL;
}

static bool is_taken(const struct tfp_ui_keys *settings, size_t count, int32_t key)
{
	for (size_t i = 0; i < count; i++)
		if (tfp_keys_include(settings[i].keys, key))
			return true;
	return false;
}

/* KEYS without those that SETTINGS give away. */
static const char *left_of(struct tfp_keymap *map, const char *keys,
			   const struct tfp_ui_keys *settings, size_t count)
{
	char *left = tfp_arena_text(&map->arena, "", 0);

	for (size_t size; *keys; keys += size + (keys[size] == ' ')) {
		size = strcspn(keys, " ");
		if (!is_taken(settings, count, tfp_keys_of_name(keys, size)))
			left = tfp_arena_printf(&map->arena, "%s%s%.*s", left, *left ? " " : "",
						(int)size, keys);
	}
	return left;
}

void tfp_keymap_make(struct tfp_keymap *map, const struct tfp_ui_keys *settings, size_t count)
{
	size_t actions = 0;

	*map = (struct tfp_keymap){0};
	while (tfp_actions[actions].help)
		actions++;
	map->keys = tfp_arena_zero(&map->arena, actions, sizeof(*map->keys));
	for (size_t i = 0; i < actions; i++) {
		const struct tfp_action *action = &tfp_actions[i];
		const struct tfp_ui_keys *setting =
			action->name ? setting_of(settings, count, action->name) : NULL;

		if (setting)
			map->keys[i] = setting->keys;
		else if (action->name)
			map->keys[i] = left_of(map, action->keys, settings, count);
		else
			map->keys[i] = "";
	}
}

void tfp_keymap_free(struct tfp_keymap *map)
{
	tfp_arena_free(&map->arena);
}

/* ---- asking ---- */

/* Are keys of ACTION those of the time view? */
static bool is_of_time(const struct tfp_action *action)
{
	return action->name && !strncmp(action->name, "time-", strlen("time-"));
}

static const struct tfp_action *find(const struct tfp_keymap *map, int32_t key, bool in_time)
{
	for (size_t i = 0; tfp_actions[i].help; i++)
		if (is_of_time(&tfp_actions[i]) == in_time && tfp_keys_include(map->keys[i], key))
			return &tfp_actions[i];
	return NULL;
}

const struct tfp_action *tfp_keymap_action(const struct tfp_keymap *map, int32_t key, bool in_time)
{
	const struct tfp_action *action = in_time ? find(map, key, true) : NULL;

	return action ? action : find(map, key, false);
}

const char *tfp_keymap_keys(const struct tfp_keymap *map, const struct tfp_action *action)
{
	return map->keys[action - tfp_actions];
}

/* What stands now for the key called NAME in the table. */
static struct tfp_span now(const struct tfp_keymap *map, const char *name, size_t size)
{
	const char *owner = tfp_ui_key_owner(name, size), *keys;

	if (!owner)
		return (struct tfp_span){name, size};
	keys = tfp_keymap_keys(map, tfp_action_find(owner));
	if (tfp_keys_include(keys, tfp_keys_of_name(name, size)))
		return (struct tfp_span){name, size};
	return (struct tfp_span){keys, strcspn(keys, " ")};
}

char *tfp_keymap_now(const struct tfp_keymap *map, const char *keys, char *buffer, size_t room)
{
	size_t used = 0;

	*buffer = '\0';
	for (size_t size; *keys; keys += size + (keys[size] == ' ')) {
		struct tfp_span name;

		size = strcspn(keys, " ");
		name = now(map, keys, size);
		if (name.size && used + name.size + 2 < room)
			used += (size_t)snprintf(buffer + used, room - used, "%s%.*s",
						 used ? " " : "", (int)name.size, name.at);
	}
	return buffer;
}
