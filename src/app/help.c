/* SPDX-License-Identifier: Apache-2.0 */
/* What --help and the command help say: see help.h. */
#include "app/help.h"

#include <string.h>

#include "app/command.h"
#include "app/wrap.h"

#define USUAL_WIDTH 80

static size_t width_of(FILE *out)
{
	return tfp_wrap_width(out, USUAL_WIDTH);
}

static void put_view(FILE *out, const struct tfp_view *view)
{
	char head[40];

	snprintf(head, sizeof(head), "  %-10s %c ", view->name,
		 view->digit <= '9' ? view->digit : ' ');
	tfp_wrap(out, head, view->about, 15, width_of(out));
}

static void put_option(FILE *out, const struct tfp_option_help *option)
{
	struct tfp_arena arena = {0};
	char *head = tfp_arena_printf(&arena, "  --%s%s%s ", option->name, option->value ? "=" : "",
				      option->value ? option->value : "");

	tfp_wrap(out, head, option->help, 33, width_of(out));
	tfp_arena_free(&arena);
}

void tfp_help_all(FILE *out)
{
	struct tfp_option_help option;

	fputs("Usage: tfprof [OPTIONS] FILE...          open the profile full-screen\n"
	      "       tfprof VIEW [OPTIONS] FILE...     print the report of a view\n"
	      "       tfprof advise FILE...             what TensorFlow's checkers find\n"
	      "       tfprof merge -o FILE FILE...      save all in one file\n"
	      "       tfprof shell [OPTIONS] FILE...    commands from standard input\n"
	      "       tfprof help [NAME]...             this text; what NAME is\n"
	      "\nViews, and their keys on the screen:\n",
	      out);
	for (size_t i = 0; tfp_views[i]; i++)
		put_view(out, tfp_views[i]);
	fputs("\nFiles are recognised by their content; these options name what they are:\n", out);
	for (size_t i = 0; tfp_command_option(i, &option); i++) {
		if (option.first)
			fputs("\nOptions (--name=value, --name value and -name value are the "
			      "same):\n",
			      out);
		put_option(out, &option);
	}
	fputs("\nExit status: 0 printed, 1 nothing readable or the view failed, 2 usage.\n"
	      "The manual page tfprof(1) has the details.\n",
	      out);
}

void tfp_help_lines(FILE *out)
{
	struct tfp_arena arena = {0};
	struct tfp_words commands = tfp_typed_commands(&arena);

	fputs("COMMAND [-OPTION VALUE]...   an empty line lists the options as they are\n\n", out);
	for (size_t i = 0; i < commands.count; i++)
		tfp_wrap(out, "", tfp_typed_help(&arena, commands.at[i]), 2, width_of(out));
	fputs("\nOptions, for one command or by set for all after it:\n", out);
	for (const struct tfp_option *option = tfp_options; option->name; option++)
		tfp_wrap(out, "", tfp_typed_help(&arena, option->name), 2, width_of(out));
	fputs("\nA value with blanks or commas is quoted: -show_name_regexes 'a b','c,d'.\n"
	      "help NAME says more. The manual page tfprof(1) has the details.\n",
	      out);
	tfp_arena_free(&arena);
}

/* What NAME is on the command line alone; NULL: nothing. */
static char *on_command_line(struct tfp_arena *arena, const char *name)
{
	const char *bare = name + strspn(name, "-"), *text = tfp_command_word_help(name);
	struct tfp_option_help option;

	if (text)
		return tfp_arena_printf(arena, "tfprof %s", text);
	for (size_t i = 0; tfp_command_option(i, &option); i++)
		if (!strcmp(option.name, bare))
			return tfp_arena_printf(arena,
						"--%s%s%s: %s\nof the command line of tfprof, not "
						"of commands in a shell",
						bare, option.value ? "=" : "",
						option.value ? option.value : "", option.help);
	return NULL;
}

bool tfp_help_about(FILE *out, const char *name)
{
	struct tfp_arena arena = {0};
	char *text = tfp_typed_help(&arena, name), *more = tfp_typed_more(&arena, name);

	if (!text)
		text = on_command_line(&arena, name);
	if (text)
		tfp_wrap(out, "", text, 0, width_of(out));
	if (more)
		tfp_wrap(out, "", more, 2, width_of(out));
	tfp_arena_free(&arena);
	return text;
}
