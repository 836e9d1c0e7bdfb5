/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the words of command lines are, for people: commands, views, options, old names, metrics, columns.
 */
#include <string.h>

#include "view/base.h"
#include "view/query/oldnames.h"
#include "view/query/options.h"
#include "view/query/typed.h"
#include "tfprof/columns.h"

/* What a word of -select or a column is; NULL: NAME is none. */
static char *about_word(struct tfp_arena *arena, const char *name)
{
	const char *word = tfp_word_text(name), *column = tfp_column_help(name);

	if (word)
		return tfp_arena_printf(arena, "%s, a word of -select: %s", name, word);
	if (column)
		return tfp_arena_printf(arena, "%s, a column: %s", name, column);
	return NULL;
}

char *tfp_typed_help(struct tfp_arena *arena, const char *name)
{
	const char *bare = name + strspn(name, "-");
	const struct tfp_option *option = tfp_option_find(bare);
	const struct tfp_view *view = tfp_view_find(name);
	const struct tfp_typed_verb *verb = tfp_typed_verb_find(tfp_span_of(name));
	char *old = tfp_old_name_text(arena, bare);

	if (old)
		return old;
	if (view)
		return tfp_arena_printf(arena, "%s: %s", name, view->about);
	if (verb)
		return tfp_arena_printf(arena, "%s: %s", name, verb->help);
	if (!option)
		return about_word(arena, name);
	return tfp_arena_printf(arena, "-%s%s%s: %s", bare, option->value ? " " : "",
				option->value ? option->value : "", option->help);
}

/* The options that only VIEW has a use for: their help begins with its name. */
static char *own_options(struct tfp_arena *arena, const struct tfp_view *view)
{
	char *list = tfp_arena_text(arena, "", 0);
	char *begins = tfp_arena_printf(arena, "%s view: ", view->name);

	for (const struct tfp_option *option = tfp_options; option->name; option++)
		if (!strncmp(option->help, begins, strlen(begins)))
			list = tfp_arena_printf(arena, "%s, -%s", list, option->name);
	return list;
}

char *tfp_typed_more(struct tfp_arena *arena, const char *name)
{
	const struct tfp_view *view = tfp_view_find(name);
	const struct tfp_typed_verb *verb = tfp_typed_verb_find(tfp_span_of(name));

	if (view && view->text)
		return tfp_arena_printf(arena, "example: %s", view->example);
	if (view && view->example)
		return tfp_arena_printf(arena,
					"options: -max_depth, -select, -order_by, -min_METRIC, "
					"-step, -account_type_regexes, those that choose by name"
					"%s\nexample: %s",
					own_options(arena, view), view->example);
	if (verb && verb->example)
		return tfp_arena_printf(arena, "example: %s", verb->example);
	return NULL;
}
