/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of settings, and those that are one text: how one is read from YAML and written to it. A new
 * setting is one row; what it means is up to whoever reads it from struct tfp_settings.
 */
#include "app/settings/settings.h"

#include <string.h>

#include "app/files/places.h"
#include "app/settings/themefile.h"
#include "ui/ui.h"

/* ---- what a text may be --------------------------------------------------------------------------- */

static const char *take_theme(struct tfp_reading *reading, const struct tfp_yaml *key,
			      const struct tfp_yaml *node)
{
	const char *name = tfp_reading_text(reading, key, node);
	char *folder = tfp_place_folder(reading->arena, reading->file);

	if (name && strchr(name, '/'))
		name = tfp_place_path(reading->arena, name, folder);
	if (!name || tfp_themefile_find(reading->arena, name))
		return name;
	if (strchr(name, '/'))
		tfp_reading_warn(reading, node, "theme: there is no file %s", name);
	else
		tfp_reading_unknown(reading, node, name, "a theme",
				    tfp_themefile_names(reading->arena));
	return NULL;
}

static const char *take_view(struct tfp_reading *reading, const struct tfp_yaml *key,
			     const struct tfp_yaml *node)
{
	const char *name = tfp_reading_text(reading, key, node), *names[16];
	struct tfp_words views = {names, 0};

	if (!name)
		return NULL;
	if (tfp_view_find(name))
		return tfp_view_find(name)->name;
	for (; views.count < 16 && tfp_views[views.count]; views.count++)
		names[views.count] = tfp_views[views.count]->name;
	tfp_reading_unknown(reading, node, name, "a view", views);
	return NULL;
}

/* One of the WORDS, which end with NULL. */
static const char *take_word(struct tfp_reading *reading, const struct tfp_yaml *key,
			     const struct tfp_yaml *node, const char *const *words)
{
	const char *text = tfp_reading_text(reading, key, node), *names[8];
	struct tfp_words valid = {names, 0};

	if (!text)
		return NULL;
	for (; words[valid.count]; valid.count++) {
		if (!strcmp(words[valid.count], text))
			return text;
		names[valid.count] = words[valid.count];
	}
	tfp_reading_unknown(reading, node, text, "what this takes", valid);
	return NULL;
}

static const char *take_pane(struct tfp_reading *reading, const struct tfp_yaml *key,
			     const struct tfp_yaml *node)
{
	return take_word(reading, key, node, tfp_pane_sizes);
}

static const char *take_flag(struct tfp_reading *reading, const struct tfp_yaml *key,
			     const struct tfp_yaml *node)
{
	static const char *const words[] = {"true", "false", NULL};

	return take_word(reading, key, node, words);
}

static const char *take_units(struct tfp_reading *reading, const struct tfp_yaml *key,
			      const struct tfp_yaml *node)
{
	static const char *const words[] = {"short", "exact", NULL};

	return take_word(reading, key, node, words);
}

static const char *take_shares(struct tfp_reading *reading, const struct tfp_yaml *key,
			       const struct tfp_yaml *node)
{
	static const char *const words[] = {"parent", "root", NULL};

	return take_word(reading, key, node, words);
}

/* Texts that paths hold: one, or a list. */
static const char *take_paths(struct tfp_reading *reading, const struct tfp_yaml *key,
			      const struct tfp_yaml *node)
{
	return node->kind == TFP_YAML_LIST ? tfp_setting_join(reading, node)
					   : tfp_reading_text(reading, key, node);
}

/* ---- writing ------------------------------------------------------------------------------------ */

void tfp_setting_write(FILE *out, const char *indent, const char *key, const char *value)
{
	struct tfp_arena arena = {0};
	const char *name = tfp_yaml_quote(&arena, key);
	const char *text = value ? tfp_yaml_quote(&arena, value) : "~";

	if (name && text)
		fprintf(out, "%s%s: %s\n", indent, name, text);
	else
		fprintf(out, "%s# %s has a value that is not UTF-8, which YAML can't hold\n",
			indent, name ? name : "an option");
	tfp_arena_free(&arena);
}

bool tfp_setting_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* ---- texts -------------------------------------------------------------------------------------- */

static void read_text(struct tfp_reading *reading, const struct tfp_setting *setting,
		      const struct tfp_yaml *key, const struct tfp_yaml *node,
		      struct tfp_settings *settings)
{
	const char *text;

	if (tfp_yaml_is_null(node)) {
		settings->texts[setting->which] = NULL;
		return;
	}
	text = setting->take(reading, key, node);
	if (text)
		settings->texts[setting->which] = text;
}

static void print_text(FILE *out, const struct tfp_setting *setting,
		       const struct tfp_settings *settings)
{
	const char *text = settings->texts[setting->which];

	fprintf(out, "\n# %s\n# If not set: %s.\n", setting->help, setting->standard);
	if (text)
		tfp_setting_write(out, "", setting->key, text);
	else
		fprintf(out, "#%s: %s\n", setting->key, setting->value);
}

static void save_text(FILE *out, const struct tfp_setting *setting,
		      const struct tfp_settings *settings, const struct tfp_settings *base)
{
	const char *text = settings->texts[setting->which];

	if (!tfp_setting_same(text, base->texts[setting->which]))
		tfp_setting_write(out, "", setting->key, text);
}

static void change_text(struct tfp_settings *settings, const struct tfp_setting *setting,
			const char *name, const char *value)
{
	(void)name;
	settings->texts[setting->which] = value;
}

static const struct tfp_setting_kind text_kind = {read_text, print_text, save_text, change_text};

/* ---- the table ------------------------------------------------------------------------------------ */

const struct tfp_setting tfp_setting_table[] = {
	{"theme", "NAME", "the theme that is compiled in",
	 "How the screen looks: the name of a theme, or the path of its file.", &text_kind,
	 TFP_SETTING_THEME, take_theme},
	{"view", "NAME", "the view that suits the file",
	 "View that the screen opens with, as tfprof --help lists them.", &text_kind,
	 TFP_SETTING_VIEW, take_view},
	{"editor", "COMMAND", "$VISUAL, $EDITOR or vi",
	 "Command that opens a source file; it gets +LINE and the file.", &text_kind,
	 TFP_SETTING_EDITOR, tfp_reading_text},
	{"lens", "NAME", "the one that suits the file",
	 "Metric that leads, where the file has it: time, memory, params, flops, count, or a "
	 "sample type.",
	 &text_kind, TFP_SETTING_LENS, tfp_reading_text},
	{"pane", "small|large|off", "small", "Size of the pane below the tree.", &text_kind,
	 TFP_SETTING_PANE, take_pane},
	{"bars", "true|false", "true", "Shares as bars, too.", &text_kind, TFP_SETTING_BARS,
	 take_flag},
	{"mouse", "true|false", "false", "The mouse is on from the start, as :mouse turns it on.",
	 &text_kind, TFP_SETTING_MOUSE, take_flag},
	{"units", "short|exact", "short", "Figures in short units, or with every digit.",
	 &text_kind, TFP_SETTING_UNITS, take_units},
	{"shares", "parent|root", "parent", "What shares are of in a tree.", &text_kind,
	 TFP_SETTING_SHARES, take_shares},
	{"library-paths", "LIST", "folders of packages, TensorFlow, PyTorch, JAX and Python",
	 "Files with one of these texts in their path, or at its beginning after ^, are a "
	 "library's: option fold_library and the pane's sources leave their frames out. tfprof(1) "
	 "has the usual ones.",
	 &text_kind, TFP_SETTING_LIBRARIES, take_paths},
	{"columns", "MAP", "those that come with the metric",
	 "Columns of each view, from left to right; self:30 has a priority.", &tfp_setting_columns,
	 0, NULL},
	{"options", "MAP", "all levels, folded, filtered rows keep those above them",
	 "What the screen begins with: options by their names on the command line.",
	 &tfp_setting_options, 0, NULL},
	{"keys", "MAP", "the keys that the help page shows",
	 "Keys of actions, in place of their own: 'down: j Down'; ~ for none.", &tfp_setting_keys,
	 0, NULL},
	{"source-roots", "LIST", "where the profile says that they are",
	 "Where the sources of other machines lie, as :source-root takes it: folders, or OLD=NEW.",
	 &tfp_setting_sources, 0, NULL},
	{NULL, NULL, NULL, NULL, NULL, 0, NULL},
};

void tfp_settings_add(struct tfp_settings *to, const struct tfp_settings *from)
{
	for (size_t i = 0; i < TFP_SETTING_TEXTS; i++)
		if (from->texts[i])
			to->texts[i] = from->texts[i];
	for (size_t i = 0; i < from->options.count; i++)
		tfp_settings_option(to, from->options.at[i].name, from->options.at[i].value);
	for (size_t i = 0; i < from->keys.count; i++)
		tfp_settings_keys(to, from->keys.at[i].action, from->keys.at[i].keys);
	if (from->sources.count)
		to->sources.count = 0;
	for (size_t i = 0; i < from->sources.count; i++)
		*tfp_array_push(&to->sources) = from->sources.at[i];
	for (size_t i = 0; i < from->columns.count; i++)
		tfp_settings_columns(to, from->columns.at[i].name, from->columns.at[i].value);
}

void tfp_settings_free(struct tfp_settings *settings)
{
	tfp_array_free(&settings->options);
	tfp_array_free(&settings->keys);
	tfp_array_free(&settings->sources);
	tfp_array_free(&settings->columns);
}

void tfp_settings_print(FILE *out, const struct tfp_settings *settings, const char *files)
{
	char clean[1024];

	tfp_text_clean(clean, sizeof(clean), tfp_span_of(files), false);
	fprintf(out, "# Settings of tfprof; tfprof-config(5) explains them. Read from: %s\n",
		*clean ? clean : "no file");
	for (const struct tfp_setting *setting = tfp_setting_table; setting->key; setting++)
		setting->kind->print(out, setting, settings);
}
