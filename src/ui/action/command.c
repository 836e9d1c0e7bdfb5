/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line behind ":": names of actions and what they take, completed by Tab; what other
 * programs call them is understood, too.
 */
#include <string.h>

#include "ui/action/actions.h"
#include "ui/action/habits.h"
#include "ui/tree/listing.h"

/* A command: the size of its name, and where what stands behind it begins. */
struct parts {
	size_t name;
	const char *rest;
};

static struct parts split(const char *text)
{
	size_t size = strcspn(text, " ");

	return (struct parts){size, text + size + strspn(text + size, " ")};
}

/* TEXT without the blanks around it, in ARENA. */
static char *trim(const char *text, struct tfp_arena *arena)
{
	size_t size;

	text += strspn(text, " :");
	size = strlen(text);
	while (size && text[size - 1] == ' ')
		size--;
	return tfp_arena_text(arena, text, size);
}

static const struct tfp_action *find(const char *name)
{
	const struct tfp_action *action = tfp_action_find(name);

	return action ? action : tfp_habit_command(name);
}

/* ---- running ---- */

static void say_unknown(struct tfp_screen *screen, const char *name, struct tfp_arena *arena)
{
	const char *near = tfp_nearest(name, tfp_action_names(arena));
	const struct tfp_option *option = tfp_option_find(name);

	if (option)
		tfp_screen_fail(screen, "%s is an option, not an action: :set %s=%s", name, name,
				option->value ? option->value : "true");
	else if (near)
		tfp_screen_fail(screen, "there is no action \"%s\"; did you mean %s?", name, near);
	else
		tfp_screen_fail(screen, "there is no action \"%s\"; : and Tab shows what there is",
				name);
}

/* What the action of a shell's command leaves to it: "help scope", "set" alone. */
static void run_in_shell(struct tfp_screen *screen, const char *name, const char *rest)
{
	struct tfp_arena arena = {0};

	tfp_screen_typed(screen, tfp_arena_printf(&arena, "%s %s", name, rest));
	tfp_arena_free(&arena);
}

static void run_action(struct tfp_screen *screen, const struct tfp_action *action, const char *rest)
{
	bool in_shell = tfp_typed_is_command(action->name, strlen(action->name));

	if (tfp_listing_refuses(screen, action))
		return;
	if (!*rest && action->run)
		action->run(screen, action->argument);
	else if (in_shell && (!*rest || !action->takes))
		run_in_shell(screen, action->name, rest);
	else if (!*rest)
		tfp_screen_fail(screen, ":%s %s: what? Tab shows what there is", action->name,
				action->takes->value);
	else if (action->takes)
		action->takes->run(screen, rest);
	else
		tfp_screen_fail(screen, ":%s takes nothing behind its name", action->name);
}

static void run_command(struct tfp_screen *screen, const char *typed)
{
	struct tfp_arena arena = {0};
	char *text = trim(typed, &arena);
	struct parts parts = split(text);
	char *name = tfp_arena_text(&arena, text, parts.name);
	const struct tfp_action *action = find(name);

	if (action)
		run_action(screen, action, parts.rest);
	else if (tfp_typed_is_command(name, parts.name))
		tfp_screen_typed(screen, text);
	else if (*name)
		say_unknown(screen, name, &arena);
	tfp_arena_free(&arena);
}

/* ---- completing ---- */

/* The words of VALID that begin with TEXT. */
static struct tfp_words beginning_with(struct tfp_words valid, const char *text,
				       struct tfp_arena *arena)
{
	struct tfp_words words = {tfp_arena_zero(arena, valid.count + 1, sizeof(*words.at)), 0};

	for (size_t i = 0; i < valid.count; i++)
		if (!strncmp(valid.at[i], text, strlen(text)))
			words.at[words.count++] = valid.at[i];
	return words;
}

/* Bytes that all WORDS begin with. */
static size_t shared_start(struct tfp_words words)
{
	size_t shared = strlen(words.at[0]);

	for (size_t i = 1; i < words.count; i++) {
		size_t same = 0;

		while (same < shared && words.at[i][same] == words.at[0][same])
			same++;
		shared = same;
	}
	while (shared && (words.at[0][shared] & 0xc0) == 0x80)
		shared--;
	return shared;
}

/* WORDS on the message line, as many as there is room for. */
static void say_words(struct tfp_screen *screen, struct tfp_words words, struct tfp_arena *arena)
{
	char *line = tfp_arena_printf(arena, "%s", words.at[0]);
	size_t room = COLS > 20 ? (size_t)COLS - 12 : 8, i = 1;

	for (; i < words.count && strlen(line) + strlen(words.at[i]) + 2 < room; i++)
		line = tfp_arena_printf(arena, "%s  %s", line, words.at[i]);
	if (i < words.count)
		tfp_screen_say(screen, "%s  %zu more", line, words.count - i);
	else
		tfp_screen_say(screen, "%s", line);
}

/* Lengthens WHAT, at the end of EDIT behind BEFORE, to what all WORDS share, or shows them. */
static void lengthen(struct tfp_screen *screen, struct tfp_edit *edit, const char *before,
		     const char *what, struct tfp_words words, const char *after,
		     struct tfp_arena *arena)
{
	size_t shared = words.count ? shared_start(words) : 0;

	if (!words.count)
		tfp_screen_say(screen, "nothing begins with \"%s\"", what);
	else if (words.count > 1 && shared == strlen(what))
		say_words(screen, words, arena);
	else
		tfp_edit_set(edit, tfp_arena_printf(arena, "%s%.*s%s", before, (int)shared,
						    words.at[0], words.count == 1 ? after : ""));
}

/* As in the shell; what takes options of the query, by whatever name, is its "set". */
static void complete_line(struct tfp_screen *screen, struct tfp_edit *edit, struct parts parts,
			  struct tfp_arena *arena)
{
	bool command = tfp_typed_is_command(edit->text, parts.name);
	char *text = tfp_arena_printf(arena, "%s%s", command ? "" : "set ",
				      command ? edit->text : parts.rest);
	size_t from;
	struct tfp_words words = tfp_screen_typed_ends(screen, text, &from, arena);
	const char *what = text + from;
	bool more = words.count == 1 && strchr("=:/", words.at[0][strlen(words.at[0]) - 1]);
	size_t before = strlen(edit->text) - strlen(what);

	lengthen(screen, edit, tfp_arena_text(arena, edit->text, before), what, words,
		 more ? "" : " ", arena);
}

static bool is_line(const struct tfp_action *action, struct parts parts, const char *text)
{
	return action ? action->takes && !action->takes->valid
		      : tfp_typed_is_command(text, parts.name);
}

static void complete_rest(struct tfp_screen *screen, struct tfp_edit *edit,
			  const struct tfp_action *action, const char *rest,
			  struct tfp_arena *arena)
{
	char *text = tfp_arena_text(arena, rest, strlen(rest));
	char *before = tfp_arena_text(arena, edit->text, (size_t)(rest - edit->text));
	struct tfp_words words;

	if (!action || !action->takes) {
		tfp_screen_say(screen, "nothing stands behind this name");
		return;
	}
	words = beginning_with(action->takes->valid(screen, text, arena), text, arena);
	lengthen(screen, edit, before, text, words, "", arena);
}

static void complete(struct tfp_screen *screen, struct tfp_edit *edit)
{
	struct tfp_arena arena = {0};
	struct parts parts = split(edit->text);
	char *name = tfp_arena_text(&arena, edit->text, parts.name);
	struct tfp_words words;

	if (edit->text[parts.name] && is_line(find(name), parts, edit->text)) {
		complete_line(screen, edit, parts, &arena);
	} else if (edit->text[parts.name]) {
		complete_rest(screen, edit, find(name), parts.rest, &arena);
	} else {
		words = beginning_with(tfp_action_names(&arena), name, &arena);
		lengthen(screen, edit, "", name, words,
			 words.count == 1 && tfp_action_find(words.at[0])->takes ? " " : "",
			 &arena);
	}
	tfp_arena_free(&arena);
}

static const struct tfp_prompt_kind command_prompt = {
	.sign = ":",
	.remembers = TFP_PAST_COMMANDS,
	.entered = run_command,
	.complete = complete,
};

void tfp_command_open(struct tfp_screen *screen, const char *text)
{
	tfp_prompt_open(screen, &command_prompt);
	tfp_edit_set(&screen->prompt.edit, text);
}

void tfp_act_command(struct tfp_screen *screen, int unused)
{
	(void)unused;
	tfp_prompt_open(screen, &command_prompt);
}
