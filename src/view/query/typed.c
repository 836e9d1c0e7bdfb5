/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of commands as a person types them: in the shell, and behind ":" on the screen.
 */
#include "view/query/typed.h"

#include <string.h>

#include "view/base.h"
#include "view/query/check.h"

#define BLANKS " \t\r\n"
#define QUOTES "'\""

static const struct tfp_typed_verb verbs[] = {
	{"advise", TFP_VERB_ADVISE, true, "what TensorFlow's checkers find", NULL},
	{"set", TFP_VERB_SET, true,
	 "options that stay for the commands after it; alone, what they are",
	 "set -max_depth 4 -select micros"},
	{"help", TFP_VERB_HELP, true, "what there is; of a command, an option, an old name",
	 "help -order_by"},
	{"quit", TFP_VERB_END, false, "ends, as C-d does", NULL},
	{"exit", TFP_VERB_END, false, "ends, as C-d does", NULL},
};

#define VERBS (sizeof(verbs) / sizeof(*verbs))

/* The views of the original, in its order. */
static const char *const original_views[] = {"scope", "graph", "code", "op"};

#define ORIGINAL_VIEWS (sizeof(original_views) / sizeof(*original_views))

/* ---- words -------------------------------------------------------------------------------------- */

static bool is_one_of(char letter, const char *letters)
{
	return letter && strchr(letters, letter);
}

/* The end of the quoted piece at AT; NULL: the quote is a letter like any other. */
static const char *quoted_end(const char *at)
{
	const char *close = at;

	while ((close = strchr(close + 1, *at)))
		if (!close[1] || is_one_of(close[1], BLANKS ","))
			return close;
	return NULL;
}

struct tfp_span tfp_typed_word(const char **text)
{
	const char *start = *text + strspn(*text, BLANKS), *at = start;

	while (*at && !is_one_of(*at, BLANKS)) {
		bool opens = at == start || is_one_of(at[-1], "=:,");
		const char *close = opens && is_one_of(*at, QUOTES) ? quoted_end(at) : NULL;

		at = close ? close + 1 : at + 1;
	}
	*text = at;
	return (struct tfp_span){start, (size_t)(at - start)};
}

struct tfp_typed_option tfp_typed_option_of(struct tfp_span word, struct tfp_arena *arena)
{
	char *text = tfp_arena_text(arena, word.at, word.size), *sign;
	struct tfp_typed_option typed = {.dashes = strspn(text, "-")};

	typed.name = text + typed.dashes;
	sign = strchr(typed.name, '=');
	if (sign) {
		*sign = '\0';
		typed.value = sign + 1;
	}
	typed.option = tfp_option_find(typed.name);
	return typed;
}

bool tfp_typed_takes(const struct tfp_option *option, struct tfp_span next)
{
	bool ignored;

	return next.size && (option->value || tfp_option_boolean(next, &ignored));
}

/* ---- values ------------------------------------------------------------------------------------- */

/* Is a quote in VALUE that belongs to one piece of several? Then all quotes are for the reader of lists. */
static bool has_quoted_pieces(const char *value)
{
	for (; *value; value++)
		if ((*value == ',' && is_one_of(value[1], QUOTES)) ||
		    (is_one_of(*value, QUOTES) && value[1] == ','))
			return true;
	return false;
}

/* VALUE of a list: as in the original without any quotes around it, where it is not one of quoted pieces. */
static void strip_list(char **value)
{
	char *end = *value + strlen(*value);

	if (has_quoted_pieces(*value))
		return;
	while (end > *value && is_one_of(end[-1], QUOTES))
		*--end = '\0';
	*value += strspn(*value, QUOTES);
}

/* Any other VALUE: the quotes that begin it, or a piece of it, and those that end that. */
static void unquote(char *value)
{
	char *to = value;

	for (const char *at = value; *at;) {
		bool opens = at == value || is_one_of(at[-1], "=:,");
		const char *close = opens && is_one_of(*at, QUOTES) ? quoted_end(at) : NULL;

		if (close) {
			memmove(to, at + 1, (size_t)(close - at - 1));
			to += close - at - 1;
			at = close + 1;
		} else {
			*to++ = *at++;
		}
	}
	*to = '\0';
}

static const char *clean_value(const struct tfp_option *option, struct tfp_span word,
			       struct tfp_arena *arena)
{
	char *value = tfp_arena_text(arena, word.at, word.size);
	bool is_list = option->kind == TFP_OPTION_LIST || option->kind == TFP_OPTION_SELECT;

	if (is_list)
		strip_list(&value);
	else
		unquote(value);
	return value;
}

/* ---- options ------------------------------------------------------------------------------------ */

/* What is being read. */
struct reading {
	const char *rest;
	bool strict;
	const struct tfp_profile *profile;
	struct tfp_query *query;
	struct tfp_arena arena;
	struct tfp_diag *diag;
};

/* What the original would not take. */
static bool refuse_new(const struct tfp_typed_option *typed, const char *value,
		       struct tfp_diag *diag)
{
	const char *word = typed->option->kind == TFP_OPTION_ORDER && value ? value : "";
	bool old = typed->option->kind == TFP_OPTION_OLD || !strcmp(word, "depth") ||
		   (typed->option->kind == TFP_OPTION_SELECT && value &&
		    strstr(value, "num_hidden_ops"));

	if (!old && typed->dashes == 1 && !typed->value)
		return true;
	tfp_diag_error(diag, "--compat=tf takes no '%s' as the original: write -NAME VALUE",
		       old && *word ? word : typed->name);
	return false;
}

static bool unknown_option(struct reading *reading, const char *name)
{
	tfp_diag_error(reading->diag, "there is no option '%s'%s", name,
		       tfp_nearest_hint(&reading->arena, name, tfp_option_names(&reading->arena)));
	return false;
}

static bool read_option(struct reading *reading, struct tfp_span word)
{
	struct tfp_typed_option typed = tfp_typed_option_of(word, &reading->arena);
	const char *behind = reading->rest, *value = NULL;
	struct tfp_span next;

	if (!typed.option)
		return unknown_option(reading, typed.name);
	if (typed.value) {
		value = clean_value(typed.option, tfp_span_of(typed.value), &reading->arena);
	} else {
		next = tfp_typed_word(&behind);
		if (tfp_typed_takes(typed.option, next)) {
			value = clean_value(typed.option, next, &reading->arena);
			reading->rest = behind;
		}
	}
	if (reading->strict && !refuse_new(&typed, value, reading->diag))
		return false;
	return tfp_query_set(reading->query, typed.name, value, reading->diag) &&
	       (!reading->profile ||
		tfp_query_check_words(reading->query, reading->profile, reading->diag));
}

/* ---- commands ----------------------------------------------------------------------------------- */

static const struct tfp_view *find_view(struct tfp_span word)
{
	for (size_t i = 0; tfp_views[i]; i++)
		if (!tfp_views[i]->listing && tfp_span_is(word, tfp_views[i]->name))
			return tfp_views[i];
	return NULL;
}

const struct tfp_typed_verb *tfp_typed_verb_find(struct tfp_span word)
{
	for (size_t i = 0; i < VERBS; i++)
		if (tfp_span_is(word, verbs[i].name))
			return &verbs[i];
	return NULL;
}

bool tfp_typed_is_command(const char *text, size_t size)
{
	struct tfp_span word = {text, size};

	return find_view(word) || tfp_typed_verb_find(word);
}

struct tfp_words tfp_typed_commands(struct tfp_arena *arena)
{
	struct tfp_words names = {tfp_arena_zero(arena, TFP_MAX_VIEWS + VERBS, sizeof(char *)), 0};

	for (size_t i = 0; i < ORIGINAL_VIEWS; i++)
		names.at[names.count++] = original_views[i];
	for (size_t i = 0; i < VERBS; i++)
		names.at[names.count++] = verbs[i].name;
	for (size_t i = 0; tfp_views[i]; i++) {
		size_t known = 0;

		while (known < ORIGINAL_VIEWS && strcmp(original_views[known], tfp_views[i]->name))
			known++;
		if (known == ORIGINAL_VIEWS && !tfp_views[i]->listing)
			names.at[names.count++] = tfp_views[i]->name;
	}
	return names;
}

static bool take_command(struct reading *reading, struct tfp_span word, struct tfp_typed *typed)
{
	const struct tfp_view *view = find_view(word);
	const struct tfp_typed_verb *verb = tfp_typed_verb_find(word);
	char *name;

	if (view) {
		typed->verb = TFP_VERB_VIEW;
		reading->query->view = view->name;
		return true;
	}
	if (verb && (verb->original || !reading->strict)) {
		typed->verb = verb->verb;
		return true;
	}
	name = tfp_arena_text(&reading->arena, word.at, word.size);
	tfp_diag_error(
		reading->diag, "there is no command '%s'%s", name,
		tfp_nearest_hint(&reading->arena, name, tfp_typed_commands(&reading->arena)));
	return false;
}

static bool refuse_rest(struct reading *reading, struct tfp_span command)
{
	tfp_diag_error(reading->diag, "%.*s takes nothing behind its name", (int)command.size,
		       command.at);
	return false;
}

static bool read_line(struct reading *reading, struct tfp_typed *typed)
{
	struct tfp_span command = tfp_typed_word(&reading->rest), word;

	if (!command.size || !take_command(reading, command, typed))
		return !command.size;
	for (;;) {
		word = tfp_typed_word(&reading->rest);
		if (!word.size)
			return true;
		if (typed->verb == TFP_VERB_END)
			return refuse_rest(reading, command);
		if (typed->verb == TFP_VERB_HELP && !(reading->strict && *word.at == '-'))
			typed->about = tfp_arena_text(&reading->query->arena, word.at, word.size);
		else if (!read_option(reading, word))
			return false;
		else
			typed->options = true;
	}
}

bool tfp_typed_parse(const char *text, bool strict, const struct tfp_profile *profile,
		     struct tfp_query *query, struct tfp_typed *typed, struct tfp_diag *diag)
{
	struct reading reading = {
		.rest = text, .strict = strict, .profile = profile, .query = query, .diag = diag};
	bool done;

	*typed = (struct tfp_typed){0};
	done = read_line(&reading, typed);
	if (done && !typed->verb && *text) {
		tfp_diag_error(diag, "blanks are no command");
		done = false;
	}
	tfp_arena_free(&reading.arena);
	return done;
}
