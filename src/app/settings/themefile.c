/* SPDX-License-Identifier: Apache-2.0 */
/* Themes in YAML: see themefile.h, and tfprof-config(5) for the format. */
#include "app/settings/themefile.h"

#include <stdlib.h>
#include <string.h>

#include "app/files/reading.h"

static const struct {
	const char *name;
	enum tfp_look_bit bit;
} attributes[] = {
	{"bold", TFP_LOOK_BOLD},
	{"underline", TFP_LOOK_UNDERLINE},
	{"reverse", TFP_LOOK_REVERSE},
	{"italic", TFP_LOOK_ITALIC},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- looks -------------------------------------------------------------------------------------- */

static bool read_color(const char *word, int32_t *color)
{
	char *end;
	long value;

	if (!strcmp(word, "default")) {
		*color = -1;
		return true;
	}
	if (word[0] == '#') {
		*color = TFP_LOOK_RGB + (int32_t)strtol(word + 1, &end, 16);
		return strlen(word) == 7 && strspn(word + 1, "0123456789abcdefABCDEF") == 6;
	}
	value = strtol(word, &end, 10);
	*color = (int32_t)value;
	return word[0] >= '0' && word[0] <= '9' && !*end && value <= 255;
}

static uint8_t attribute_bit(const char *word)
{
	for (size_t i = 0; i < COUNT(attributes); i++)
		if (!strcmp(word, attributes[i].name))
			return (uint8_t)attributes[i].bit;
	return 0;
}

/*
 * "66 bold" into LOOK. False with a warning at a word that is neither a colour nor an attribute, and at a
 * second colour.
 */
static bool read_look(struct tfp_reading *reading, const struct tfp_yaml *key,
		      const struct tfp_yaml *node, struct tfp_look *look)
{
	const char *text = tfp_yaml_is_null(node) ? NULL : tfp_reading_text(reading, key, node);
	struct tfp_look read = {.color = -1};
	bool colored = false;
	char *rest, *word;

	if (tfp_yaml_is_null(node))
		tfp_reading_warn(reading, node,
				 "%.60s: nothing is written here; \"#rrggbb\" needs quotes",
				 key->text);
	if (!text)
		return false;
	rest = tfp_arena_text(reading->arena, text, strlen(text));
	for (word = strtok_r(rest, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		if (attribute_bit(word)) {
			read.attributes |= attribute_bit(word);
		} else if (!colored && read_color(word, &read.color)) {
			colored = true;
		} else {
			tfp_reading_warn(
				reading, node,
				"%.60s: '%.60s' is not understood; give default, 0 to 255 or "
				"\"#rrggbb\", and any of bold, underline, reverse, italic",
				key->text, word);
			return false;
		}
	}
	*look = read;
	return true;
}

/* ---- the parts of a file ------------------------------------------------------------------------ */

/* What one theme file sets. */
struct making {
	struct tfp_ui_theme *theme;
	bool plain[TFP_UI_INKS]; /* set for terminals without colours, too */
};

static struct tfp_words ink_names(struct tfp_arena *arena)
{
	struct tfp_words names = {tfp_arena_zero(arena, TFP_UI_INKS, sizeof(*names.at)), 0};

	while (tfp_ui_ink(names.count)) {
		names.at[names.count] = tfp_ui_ink(names.count);
		names.count++;
	}
	return names;
}

/* The index of the ink that KEY names, and its LOOK; TFP_UI_INKS with a warning if there is none. */
static size_t read_ink(struct tfp_reading *reading, const struct tfp_yaml *key,
		       const struct tfp_yaml *value, struct tfp_look *look)
{
	for (size_t i = 0; tfp_ui_ink(i); i++)
		if (!strcmp(key->text, tfp_ui_ink(i)))
			return read_look(reading, key, value, look) ? i : TFP_UI_INKS;
	tfp_reading_unknown(reading, key, key->text, "an ink", ink_names(reading->arena));
	return TFP_UI_INKS;
}

static void take_ink(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
		     const struct tfp_yaml *value)
{
	struct making *making = data;
	struct tfp_look look;
	size_t ink = read_ink(reading, key, value, &look);

	if (ink == TFP_UI_INKS)
		return;
	look.plain = making->plain[ink] ? making->theme->looks[ink].plain : look.attributes;
	making->theme->looks[ink] = look;
}

static void take_plain(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
		       const struct tfp_yaml *value)
{
	struct making *making = data;
	struct tfp_look look;
	size_t ink = read_ink(reading, key, value, &look);

	if (ink == TFP_UI_INKS)
		return;
	if (look.color >= 0)
		tfp_reading_warn(reading, value, "%.60s: there are no colours here", key->text);
	making->theme->looks[ink].plain = look.attributes;
	making->plain[ink] = true;
}

static void read_inks(struct tfp_reading *reading, struct making *making,
		      const struct tfp_yaml *node)
{
	tfp_reading_map(reading, node, "inks", take_ink, making);
}

static void read_plain(struct tfp_reading *reading, struct making *making,
		       const struct tfp_yaml *node)
{
	tfp_reading_map(reading, node, "inks", take_plain, making);
}

static void read_glyphs(struct tfp_reading *reading, struct making *making,
			const struct tfp_yaml *node)
{
	const char *words[] = {"auto", "ascii"};
	const char *text = node->kind == TFP_YAML_SCALAR ? node->text : "";

	making->theme->ascii = !strcmp(text, words[1]);
	if (strcmp(text, words[0]) != 0 && strcmp(text, words[1]) != 0)
		tfp_reading_unknown(reading, node, text, "a kind of glyphs",
				    (struct tfp_words){words, COUNT(words)});
}

static const struct {
	const char *key;
	void (*read)(struct tfp_reading *reading, struct making *making,
		     const struct tfp_yaml *node);
} parts[] = {
	{"glyphs", read_glyphs},
	{"inks", read_inks},
	{"mono", read_plain},
};

static void take_part(struct tfp_reading *reading, void *data, const struct tfp_yaml *key,
		      const struct tfp_yaml *value)
{
	const char *names[COUNT(parts)];

	for (size_t i = 0; i < COUNT(parts); i++) {
		names[i] = parts[i].key;
		if (!strcmp(key->text, parts[i].key)) {
			parts[i].read(reading, data, value);
			return;
		}
	}
	tfp_reading_unknown(reading, key, key->text, "a part of a theme",
			    (struct tfp_words){names, COUNT(names)});
}

static bool take_theme(struct tfp_reading *reading, const struct tfp_yaml *root,
		       struct tfp_ui_theme *theme)
{
	struct making making = {.theme = theme};

	if (root)
		tfp_reading_map(reading, root, "parts of a theme", take_part, &making);
	return root != NULL;
}

bool tfp_themefile_parse(struct tfp_span bytes, const char *file, struct tfp_ui_theme *theme,
			 struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_reading reading = {.file = file, .arena = &arena, .diag = diag};
	bool taken;

	tfp_ui_theme_default(theme);
	taken = take_theme(&reading, tfp_reading_parse(&reading, bytes), theme);
	tfp_arena_free(&arena);
	return taken;
}

bool tfp_themefile_load(const char *name, struct tfp_ui_theme *theme, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	struct tfp_reading reading = {.arena = &arena, .diag = diag};
	const struct tfp_yaml *root = NULL;
	bool builtin, taken;

	tfp_ui_theme_default(theme);
	reading.file = tfp_themefile_find(&arena, name);
	builtin = reading.file && !*reading.file;
	if (!reading.file || (!builtin && tfp_reading_open(&reading, &root) == TFP_TEXTFILE_ABSENT))
		tfp_diag_add(diag, TFP_WARNING, NULL, -1, 0, "there is no theme '%.60s'%s", name,
			     tfp_nearest_hint(&arena, name, tfp_themefile_names(&arena)));
	taken = builtin || take_theme(&reading, root, theme);
	tfp_arena_free(&arena);
	return taken;
}
