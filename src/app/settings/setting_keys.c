/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The setting that is a map of keys: an action, and the keys that it has instead of its own.
 */
#include "app/settings/settings.h"

#include <string.h>

static const struct tfp_ui_keys *keys_of(const struct tfp_settings *settings, const char *action)
{
	for (size_t i = 0; i < settings->keys.count; i++)
		if (!strcmp(settings->keys.at[i].action, action))
			return &settings->keys.at[i];
	return NULL;
}

void tfp_settings_keys(struct tfp_settings *settings, const char *action, const char *keys)
{
	size_t at = 0;

	while (at < settings->keys.count && strcmp(settings->keys.at[at].action, action) != 0)
		at++;
	if (at == settings->keys.count)
		(void)tfp_array_push(&settings->keys);
	settings->keys.at[at] = (struct tfp_ui_keys){action, keys};
}

/* ---- reading ---- */

/* The size of the first word of TEXT. */
static size_t word_size(const char *text)
{
	return strcspn(text, " ");
}

static bool has_word(const char *words, const char *word, size_t size)
{
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = word_size(words);
		if (length == size && !memcmp(words, word, size))
			return true;
	}
	return false;
}

/* The action other than ACTION to which the settings give KEY; NULL. */
static const char *given_to(const struct tfp_settings *settings, const char *action,
			    const char *key, size_t size)
{
	for (size_t i = 0; i < settings->keys.count; i++)
		if (strcmp(settings->keys.at[i].action, action) != 0 &&
		    has_word(settings->keys.at[i].keys, key, size))
			return settings->keys.at[i].action;
	return NULL;
}

/* May ACTION have the key KEY? Else a warning at NODE. */
static bool check_key(struct tfp_reading *reading, const struct tfp_settings *settings,
		      const char *action, const char *key, size_t size, const struct tfp_yaml *node)
{
	const char *other = given_to(settings, action, key, size);

	if (!tfp_ui_is_key(key, size))
		tfp_reading_warn(
			reading, node,
			"%.60s: '%.*s' is not a key; a key is a character, C-x, F1 to F63, Up, "
			"Down, Left, Right, PgUp, PgDn, Home, End, Enter, Tab, S-Tab, Esc, "
			"Space, Backspace or Delete",
			action, (int)(size < 40 ? size : 40), key);
	else if (other)
		tfp_reading_warn(reading, node, "%.60s: %.*s is given to %.60s already", action,
				 (int)size, key, other);
	else
		return true;
	return false;
}

/* Those of the keys in TEXT that ACTION may have, added to KEYS. */
static char *add_keys(struct tfp_reading *reading, const struct tfp_settings *settings,
		      const char *action, const struct tfp_yaml *node, char *keys)
{
	const char *text = node->text;

	for (size_t size; *(text += strspn(text, " ")); text += size) {
		size = word_size(text);
		if (check_key(reading, settings, action, text, size, node) &&
		    !has_word(keys, text, size))
			keys = tfp_arena_printf(reading->arena, "%s%s%.*s", keys, *keys ? " " : "",
						(int)size, text);
	}
	return keys;
}

static void take_keys(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
		      const struct tfp_yaml *node)
{
	struct tfp_settings *settings = data;
	char *keys = tfp_arena_text(reading->arena, "", 0);

	if (!tfp_ui_action_keys(key->text)) {
		tfp_reading_unknown(reading, key, key->text, "an action",
				    tfp_action_names(reading->arena));
		return;
	}
	if (node->kind == TFP_YAML_MAP) {
		tfp_reading_warn(reading, node, "%.60s: expected keys, as 'j Down' or [j, Down]",
				 key->text);
		return;
	}
	if (node->kind == TFP_YAML_SCALAR && !tfp_yaml_is_null(node))
		keys = add_keys(reading, settings, key->text, node, keys);
	for (size_t i = 0; node->kind == TFP_YAML_LIST && i < node->count; i++)
		if (node->items[i]->kind == TFP_YAML_SCALAR)
			keys = add_keys(reading, settings, key->text, node->items[i], keys);
		else
			tfp_reading_warn(reading, node->items[i], "expected one key");
	if (*keys || tfp_yaml_is_null(node))
		tfp_settings_keys(settings, key->text, keys);
}

/* Are all keys that ACTION has by itself given to others, and is nothing said of it? */
static bool is_left_without(const struct tfp_settings *settings, const char *action)
{
	const char *keys = tfp_ui_action_keys(action);

	if (keys_of(settings, action))
		return false;
	for (size_t size; *keys; keys += size + (keys[size] == ' ')) {
		size = word_size(keys);
		if (!given_to(settings, action, keys, size))
			return false;
	}
	return true;
}

/* Whoever gives an action's only key away may not know that it was one. */
static void warn_of_lost(struct tfp_reading *reading, const struct tfp_yaml *key,
			 const struct tfp_settings *settings)
{
	const struct tfp_ui_keys *given =
		key->kind == TFP_YAML_SCALAR ? keys_of(settings, key->text) : NULL;
	const char *keys = given ? given->keys : "";

	for (size_t size; *keys; keys += size + (keys[size] == ' ')) {
		const char *owner;

		size = word_size(keys);
		owner = tfp_ui_key_owner(keys, size);
		if (owner && is_left_without(settings, owner))
			tfp_reading_warn(
				reading, key,
				"%.*s was the key of %s, which has none now; give it another "
				"one, or ~ if that is meant",
				(int)size, keys, owner);
	}
}

static void read_keys(struct tfp_reading *reading, const struct tfp_setting *setting,
		      const struct tfp_yaml *key, const struct tfp_yaml *node,
		      struct tfp_settings *settings)
{
	(void)setting;
	(void)key;
	tfp_reading_map(reading, node, "actions and their keys", take_keys, settings);
	for (size_t i = 0; node->kind == TFP_YAML_MAP && i < node->count; i += 2)
		warn_of_lost(reading, node->items[i], settings);
}

/* ---- writing ---- */

/* "j Down C-n", or what else stands for no key. */
static void write_keys(FILE *out, const char *indent, const char *action, const char *keys)
{
	tfp_setting_write(out, indent, action, *keys ? keys : NULL);
}

static void print_keys(FILE *out, const struct tfp_setting *setting,
		       const struct tfp_settings *settings)
{
	struct tfp_arena arena = {0};
	struct tfp_words actions = tfp_action_names(&arena);

	fprintf(out, "\n# %s\n# If not set: %s.\n%s:\n", setting->help, setting->standard,
		setting->key);
	for (size_t i = 0; i < actions.count; i++) {
		const struct tfp_ui_keys *given = keys_of(settings, actions.at[i]);

		if (given)
			write_keys(out, "  ", given->action, given->keys);
		else
			write_keys(out, "  #", actions.at[i], tfp_ui_action_keys(actions.at[i]));
	}
	tfp_arena_free(&arena);
}

static void save_keys(FILE *out, const struct tfp_setting *setting,
		      const struct tfp_settings *settings, const struct tfp_settings *base)
{
	bool begun = false;

	for (size_t i = 0; i < settings->keys.count; i++) {
		const struct tfp_ui_keys *keys = &settings->keys.at[i];
		const struct tfp_ui_keys *before = keys_of(base, keys->action);

		if (before && !strcmp(before->keys, keys->keys))
			continue;
		if (!begun)
			fprintf(out, "%s:\n", setting->key);
		write_keys(out, "  ", keys->action, keys->keys);
		begun = true;
	}
}

const struct tfp_setting_kind tfp_setting_keys = {read_keys, print_keys, save_keys, NULL};
