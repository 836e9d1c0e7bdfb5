/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The setting that is a map: options of the first query, each by its name on the command line and checked
 * as there.
 */
#include "app/settings/settings.h"

#include <string.h>

static const char *option_value(const struct tfp_settings *settings, const char *name)
{
	for (size_t i = 0; i < settings->options.count; i++)
		if (!strcmp(settings->options.at[i].name, name))
			return settings->options.at[i].value;
	return NULL;
}

void tfp_settings_option(struct tfp_settings *settings, const char *name, const char *value)
{
	size_t at = 0;

	while (at < settings->options.count && strcmp(settings->options.at[at].name, name) != 0)
		at++;
	if (value && at == settings->options.count)
		(void)tfp_array_push(&settings->options);
	if (value)
		settings->options.at[at] = (struct tfp_option_value){name, value};
	else if (at < settings->options.count)
		settings->options.at[at] = settings->options.at[--settings->options.count];
}

bool tfp_settings_has(const struct tfp_settings *settings, const char *name)
{
	return option_value(settings, name) != NULL;
}

void tfp_settings_query(const struct tfp_settings *settings, struct tfp_query *query,
			struct tfp_diag *diag)
{
	struct tfp_diag *faults = tfp_diag_new();

	for (size_t i = 0; i < settings->options.count; i++)
		tfp_query_set(query, settings->options.at[i].name, settings->options.at[i].value,
			      faults);
	for (size_t i = 0; i < tfp_diag_count(faults); i++)
		tfp_diag_add(diag, TFP_WARNING, NULL, -1, 0, "options of the settings: %s",
			     tfp_diag_get(faults, i).text);
	tfp_diag_free(faults);
}

const char *tfp_setting_join(struct tfp_reading *reading, const struct tfp_yaml *list)
{
	struct tfp_words words = {
		tfp_arena_zero(reading->arena, list->count + 1, sizeof(*words.at)), 0};

	for (; words.count < list->count; words.count++) {
		const struct tfp_yaml *item = list->items[words.count];

		if (item->kind != TFP_YAML_SCALAR || !item->text[0]) {
			tfp_reading_warn(reading, item, "expected one text");
			return NULL;
		}
		words.at[words.count] = item->text;
	}
	return tfp_words_print(reading->arena, words);
}

/* The value of OPTION as the command line would have it. NULL with a warning. */
static const char *option_text(struct tfp_reading *reading, const struct tfp_option *option,
			       const struct tfp_yaml *key, const struct tfp_yaml *node)
{
	bool takes_list = option->value && strchr(option->value, ',');

	if (node->kind == TFP_YAML_SCALAR)
		return node->text;
	if (node->kind == TFP_YAML_LIST && takes_list)
		return tfp_setting_join(reading, node);
	tfp_reading_warn(reading, node, "%.60s: expected %s", key->text,
			 option->value ? option->value : "true or false");
	return NULL;
}

/* Would the command line take it? Else a warning. */
static bool check_option(struct tfp_reading *reading, const char *name, const char *value,
			 const struct tfp_yaml *node)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;
	bool valid;

	tfp_query_init(&query);
	valid = tfp_query_set(&query, name, value, diag);
	if (!valid)
		tfp_reading_warn(reading, node, "%s", tfp_diag_get(diag, 0).text);
	tfp_query_free(&query);
	tfp_diag_free(diag);
	return valid;
}

static void take_option(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
			const struct tfp_yaml *node)
{
	const struct tfp_option *option = tfp_option_find(key->text);
	struct tfp_settings *settings = data;
	const char *value;

	if (!option) {
		tfp_reading_unknown(reading, key, key->text, "an option",
				    tfp_option_names(reading->arena));
		return;
	}
	value = tfp_yaml_is_null(node) ? NULL : option_text(reading, option, key, node);
	if (tfp_yaml_is_null(node) || (value && check_option(reading, key->text, value, node)))
		tfp_settings_option(settings, key->text, value);
}

static void read_options(struct tfp_reading *reading, const struct tfp_setting *setting,
			 const struct tfp_yaml *key, const struct tfp_yaml *node,
			 struct tfp_settings *settings)
{
	(void)setting;
	(void)key;
	tfp_reading_map(reading, node, "options", take_option, settings);
}

static bool is_in_table(const char *name)
{
	for (const struct tfp_option *option = tfp_options; option->name; option++)
		if (!strcmp(option->name, name))
			return true;
	return false;
}

static void print_options(FILE *out, const struct tfp_setting *setting,
			  const struct tfp_settings *settings)
{
	fprintf(out, "\n# %s\n# If not set: %s.\n%s:\n", setting->help, setting->standard,
		setting->key);
	for (const struct tfp_option *option = tfp_options; option->name; option++) {
		const char *value = option_value(settings, option->name);

		fprintf(out, "  # %s\n", option->help);
		if (value)
			tfp_setting_write(out, "  ", option->name, value);
		else
			fprintf(out, "  #%s: %s\n", option->name,
				option->value ? option->value : "true");
	}
	for (size_t i = 0; i < settings->options.count; i++)
		if (!is_in_table(settings->options.at[i].name))
			tfp_setting_write(out, "  ", settings->options.at[i].name,
					  settings->options.at[i].value);
}

/* Writes one option, in front of the first the HEADING; returns that of the next. */
static const char *save_option(FILE *out, const char *heading, const char *name, const char *value)
{
	if (heading)
		fprintf(out, "%s:\n", heading);
	tfp_setting_write(out, "  ", name, value);
	return NULL;
}

static void save_options(FILE *out, const struct tfp_setting *setting,
			 const struct tfp_settings *settings, const struct tfp_settings *base)
{
	const char *heading = setting->key;

	for (size_t i = 0; i < settings->options.count; i++) {
		const struct tfp_option_value *option = &settings->options.at[i];

		if (!tfp_setting_same(option->value, option_value(base, option->name)))
			heading = save_option(out, heading, option->name, option->value);
	}
	for (size_t i = 0; i < base->options.count; i++)
		if (!option_value(settings, base->options.at[i].name))
			heading = save_option(out, heading, base->options.at[i].name, NULL);
}

static void change_option(struct tfp_settings *settings, const struct tfp_setting *setting,
			  const char *name, const char *value)
{
	(void)setting;
	tfp_settings_option(settings, name, value);
}

const struct tfp_setting_kind tfp_setting_options = {read_options, print_options, save_options,
						     change_option};
