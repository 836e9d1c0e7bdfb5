/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes tfprof from its own tables while it is built, so that nobody writes a table twice: tables of
 * the manual pages, and completions of three shells. `describe WHAT [THEME...]`, to standard output.
 */
#include "app/command.h"
#include "describe.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct tfp_words words_of(struct tfp_arena *arena, size_t room)
{
	return (struct tfp_words){tfp_arena_zero(arena, room + 1, sizeof(const char *)), 0};
}

struct tfp_words describe_views(struct tfp_arena *arena)
{
	struct tfp_words words = words_of(arena, TFP_MAX_VIEWS);

	for (size_t i = 0; tfp_views[i]; i++)
		words.at[words.count++] = tfp_views[i]->name;
	return words;
}

/* The words of FIRST, the metrics of TensorFlow's profiles, and those of LAST; both end in NULL. */
static struct tfp_words metric_words(struct tfp_arena *arena, const char *const *first,
				     const char *const *last)
{
	struct tfp_words words = words_of(arena, TFP_MAX_METRICS + 16);
	struct tfp_profile *profile = tfp_profile_new();

	tfp_profile_make_tensorflow(profile);
	for (; *first; first++)
		words.at[words.count++] = *first;
	for (uint32_t i = 0; i < profile->metric_count; i++)
		words.at[words.count++] = tfp_arena_printf(arena, "%s", profile->metrics[i].key);
	for (; *last; last++)
		words.at[words.count++] = *last;
	tfp_profile_free(profile);
	return words;
}

static struct tfp_words fixed_words(struct tfp_arena *arena, const char *const *list)
{
	struct tfp_words words = words_of(arena, 16);

	for (; *list; list++)
		words.at[words.count++] = *list;
	return words;
}

static const char *const nothing[] = {NULL};

static struct tfp_words order_words(struct tfp_arena *arena)
{
	static const char *const first[] = {"name", NULL};
	static const char *const last[] = {"self",  "rate",     "defined", "difference",
					   "ratio", "baseline", NULL};

	return metric_words(arena, first, last);
}

static struct tfp_words select_words(struct tfp_arena *arena)
{
	return metric_words(arena, nothing, tfp_select_words);
}

static struct tfp_words output_words(struct tfp_arena *arena)
{
	struct tfp_words words = {0};

	while (tfp_output_kinds[words.count].type)
		words.count++;
	words.at = tfp_arena_zero(arena, words.count, sizeof(*words.at));
	for (size_t i = 0; i < words.count; i++) {
		const struct tfp_output_kind *kind = &tfp_output_kinds[i];

		words.at[i] = tfp_arena_printf(arena, "%s%s%s%s", kind->type, kind->key ? ":" : "",
					       kind->key ? kind->key : "", kind->key ? "=" : "");
	}
	return words;
}

static struct tfp_words compat_words(struct tfp_arena *arena)
{
	static const char *const list[] = {"tf", "none", NULL};

	return fixed_words(arena, list);
}

static struct tfp_words baseline_words(struct tfp_arena *arena)
{
	static const char *const list[] = {"mean", "median", "step:", "file:", NULL};

	return fixed_words(arena, list);
}

/* Options whose values are words; themes are known to the caller alone. */
static const struct {
	const char *name;
	struct tfp_words (*words)(struct tfp_arena *arena);
} worded[] = {
	{"view", describe_views},      {"order_by", order_words}, {"select", select_words},
	{"output", output_words},      {"compat", compat_words},  {"baseline", baseline_words},
	{"columns", tfp_column_names},
};

struct value describe_value(const struct tfp_option_help *option, struct tfp_words themes,
			    struct tfp_arena *arena)
{
	struct value value = {VALUE_FREE, {NULL, 0}};

	if (!option->value)
		value.kind = VALUE_NONE;
	else if (strncmp(option->value, "FILE", 4) == 0)
		value.kind = VALUE_FILE;
	else if (strcmp(option->name, "theme") == 0)
		value = (struct value){VALUE_WORD, themes};
	for (size_t i = 0; i < COUNT(worded); i++)
		if (strcmp(option->name, worded[i].name) == 0)
			value = (struct value){strchr(option->value, ',') ? VALUE_LIST : VALUE_WORD,
					       worded[i].words(arena)};
	return value;
}

/* ---- the program -------------------------------------------------------------------------------- */

static const struct {
	const char *what;
	void (*print)(FILE *out);
	void (*print_completion)(FILE *out, struct tfp_words themes);
} descriptions[] = {
	{"man-options", describe_man_options, NULL},
	{"man-outputs", describe_man_outputs, NULL},
	{"man-keys", describe_man_keys, NULL},
	{"man-settings", describe_man_settings, NULL},
	{"bash", NULL, describe_bash},
	{"zsh", NULL, describe_zsh},
	{"fish", NULL, describe_fish},
};

static bool describe(const char *what, struct tfp_words themes)
{
	for (size_t i = 0; i < COUNT(descriptions); i++) {
		if (strcmp(what, descriptions[i].what) != 0)
			continue;
		if (descriptions[i].print)
			descriptions[i].print(stdout);
		else
			descriptions[i].print_completion(stdout, themes);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct tfp_arena arena = {0};
	struct tfp_words themes = words_of(&arena, (size_t)argc);
	bool known;

	for (int i = 2; i < argc; i++)
		themes.at[themes.count++] = argv[i];
	known = argc > 1 && describe(argv[1], themes);
	if (!known)
		fputs("usage: describe man-options|man-outputs|man-keys|man-settings|bash|zsh|fish [THEME...]\n",
		      stderr);
	tfp_arena_free(&arena);
	return known && fflush(stdout) == 0 ? 0 : 2;
}
