/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The setting that is a list of folders where sources lie, each as :source-root takes it. Whether a folder
 * is there is asked when the screen begins: it may be one that is mounted now and then.
 */
#include "app/settings/settings.h"

#include <string.h>

static void add_root(struct tfp_reading *reading, struct tfp_settings *settings,
		     const struct tfp_yaml *node)
{
	const char *sign = node->kind == TFP_YAML_SCALAR ? strchr(node->text, '=') : NULL;

	if (node->kind != TFP_YAML_SCALAR || !*node->text ||
	    (sign && (!sign[1] || sign == node->text)))
		tfp_reading_warn(reading, node,
				 "expected a folder, or OLD=NEW: a folder there and the one here");
	else
		*tfp_array_push(&settings->sources) = node->text;
}

static void read_sources(struct tfp_reading *reading, const struct tfp_setting *setting,
			 const struct tfp_yaml *key, const struct tfp_yaml *node,
			 struct tfp_settings *settings)
{
	(void)key;
	settings->sources.count = 0;
	if (tfp_yaml_is_null(node))
		return;
	if (node->kind == TFP_YAML_SCALAR)
		add_root(reading, settings, node);
	else if (node->kind == TFP_YAML_MAP)
		tfp_reading_warn(reading, node, "%s: expected a list of folders", setting->key);
	for (size_t i = 0; node->kind == TFP_YAML_LIST && i < node->count; i++)
		add_root(reading, settings, node->items[i]);
}

static void print_sources(FILE *out, const struct tfp_setting *setting,
			  const struct tfp_settings *settings)
{
	struct tfp_arena arena = {0};

	fprintf(out, "\n# %s\n# If not set: %s.\n", setting->help, setting->standard);
	if (!settings->sources.count)
		fprintf(out, "#%s: [~/src, /build/app=~/app]\n", setting->key);
	else
		fprintf(out, "%s:\n", setting->key);
	for (size_t i = 0; i < settings->sources.count; i++)
		fprintf(out, "  - %s\n", tfp_yaml_quote(&arena, settings->sources.at[i]));
	tfp_arena_free(&arena);
}

static void save_sources(FILE *out, const struct tfp_setting *setting,
			 const struct tfp_settings *settings, const struct tfp_settings *base)
{
	bool same = settings->sources.count == base->sources.count;

	for (size_t i = 0; same && i < base->sources.count; i++)
		same = !strcmp(settings->sources.at[i], base->sources.at[i]);
	if (!same && settings->sources.count)
		print_sources(out, setting, settings);
}

const struct tfp_setting_kind tfp_setting_sources = {read_sources, print_sources, save_sources,
						     NULL};
