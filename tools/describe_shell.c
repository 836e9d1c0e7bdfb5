/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completions for bash, zsh and fish: commands as the first word, options, their values, files.
 */
#include <string.h>

#include "app/command.h"
#include "describe.h"

/* TEXT within single quotes of a shell; what stands in SPECIAL gets a backslash. */
static void put_quoted(FILE *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
	}
}

static void put_words(FILE *out, struct tfp_words words, const char *special)
{
	for (size_t i = 0; i < words.count; i++) {
		fputs(i ? " " : "", out);
		put_quoted(out, words.at[i], special);
	}
}

/* What can come first: views and other commands. */
static void put_commands(FILE *out)
{
	struct tfp_arena arena = {0};

	put_words(out, describe_views(&arena), "");
	for (size_t i = 0; tfp_command_word(i); i++)
		fprintf(out, " %s", tfp_command_word(i));
	tfp_arena_free(&arena);
}

/* Writes one option; THEMES are what its value may be where it is a theme. */
typedef void put_option_fn(FILE *out, const struct tfp_option_help *option, struct value value);

static void put_options(FILE *out, struct tfp_words themes, put_option_fn *put)
{
	struct tfp_arena arena = {0};
	struct tfp_option_help option;

	for (size_t i = 0; tfp_command_option(i, &option); i++)
		put(out, &option, describe_value(&option, themes, &arena));
	tfp_arena_free(&arena);
}

/* ---- bash --------------------------------------------------------------------------------------- */

static void bash_name(FILE *out, const struct tfp_option_help *option, struct value value)
{
	fprintf(out, " --%s%s", option->name, value.kind == VALUE_NONE ? "" : "=");
}

/* A branch of the function's case: what completes the value. */
static void bash_case(FILE *out, const struct tfp_option_help *option, struct value value)
{
	static const char *const calls[] = {
		[VALUE_FREE] = ":",
		[VALUE_FILE] = "_tfprof_files",
		[VALUE_WORD] = "_tfprof_words '",
		[VALUE_LIST] = "_tfprof_list '",
	};

	if (value.kind == VALUE_NONE)
		return;
	fprintf(out, "\t--%s | -%s) %s", option->name, option->name, calls[value.kind]);
	put_words(out, value.words, "");
	fputs(value.words.count ? "' ;;\n" : " ;;\n", out);
}

/* Bash takes "--select=a,b" for three words: option, sign and value; and divides values at colons. */
static const char bash_helpers[] =
	"_tfprof_words() {\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
	"\t[[ ${COMPREPLY[0]-} != *[=:] ]] || compopt -o nospace\n"
	"}\n"
	"\n"
	"_tfprof_list() {\n"
	"\tlocal before=\n"
	"\t[[ $cur != *,* ]] || before=${cur%,*},\n"
	"\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\")\n"
	"\tcompopt -o nospace\n"
	"}\n"
	"\n"
	"_tfprof_files() {\n"
	"\tmapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
	"\tcompopt -o filenames\n"
	"}\n"
	"\n"
	"_tfprof() {\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tif [[ $cur == = ]]; then\n"
	"\t\tcur=\n"
	"\telif [[ $option == = ]]; then\n"
	"\t\toption=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\telif [[ $cur == : || $option == : ]]; then\n"
	"\t\tcur=${cur#:}\n"
	"\t\t_tfprof_files\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tCOMPREPLY=()\n"
	"\tcase $option in\n";

void describe_bash(FILE *out, struct tfp_words themes)
{
	fprintf(out, "# Completion of tfprof for bash, made from its tables.\n\n%s", bash_helpers);
	put_options(out, themes, bash_case);
	fputs("\t*)\n"
	      "\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\t_tfprof_words '",
	      out);
	put_options(out, themes, bash_name);
	fputs("'\n"
	      "\t\t\treturn\n"
	      "\t\tfi\n"
	      "\t\t_tfprof_files\n"
	      "\t\t((COMP_CWORD > 1)) || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W '",
	      out);
	put_commands(out);
	fputs("' -- \"$cur\")\n"
	      "\t\t;;\n"
	      "\tesac\n"
	      "}\n"
	      "\n"
	      "complete -F _tfprof tfprof\n",
	      out);
}

/* ---- zsh ---------------------------------------------------------------------------------------- */

static void zsh_option(FILE *out, const struct tfp_option_help *option, struct value value)
{
	fprintf(out, "\t\t'--%s%s[", option->name, value.kind == VALUE_NONE ? "" : "=");
	put_quoted(out, option->help, "[]:\\");
	fputs("]", out);
	if (value.kind != VALUE_NONE) {
		fputs(":", out);
		put_quoted(out, option->value, "[]:\\");
		fputs(":", out);
	}
	if (value.kind == VALUE_FILE)
		fputs("_files", out);
	if (value.kind == VALUE_WORD || value.kind == VALUE_LIST) {
		fputs(value.kind == VALUE_LIST ? "_sequence compadd - " : "(", out);
		put_words(out, value.words, ":\\");
		fputs(value.kind == VALUE_LIST ? "" : ")", out);
	}
	fputs("' \\\n", out);
}

void describe_zsh(FILE *out, struct tfp_words themes)
{
	fputs("#compdef tfprof\n"
	      "# Completion of tfprof for zsh, made from its tables.\n\n"
	      "_tfprof_first() {\n"
	      "\t_alternative 'commands:command:(",
	      out);
	put_commands(out);
	fputs(")' 'files:file:_files'\n"
	      "}\n\n"
	      "_tfprof() {\n"
	      "\t_arguments \\\n",
	      out);
	put_options(out, themes, zsh_option);
	fputs("\t\t'1:command or file:_tfprof_first' \\\n"
	      "\t\t'*:file:_files'\n"
	      "}\n\n"
	      "_tfprof \"$@\"\n",
	      out);
}

/* ---- fish --------------------------------------------------------------------------------------- */

static void fish_option(FILE *out, const struct tfp_option_help *option, struct value value)
{
	static const char *const takes[] = {
		[VALUE_NONE] = "",
		[VALUE_FREE] = " -x",
		[VALUE_FILE] = " -r -F",
		[VALUE_WORD] = " -x -a '",
		[VALUE_LIST] = " -x -a '(__fish_append , ",
	};

	fprintf(out, "complete -c tfprof -l %s -d '", option->name);
	put_quoted(out, option->help, "\\");
	fprintf(out, "'%s", takes[value.kind]);
	put_words(out, value.words, "\\");
	fputs(value.kind == VALUE_LIST ? ")'\n" : value.kind == VALUE_WORD ? "'\n" : "\n", out);
}

void describe_fish(FILE *out, struct tfp_words themes)
{
	fputs("# Completion of tfprof for fish, made from its tables.\n\n"
	      "complete -c tfprof -n 'test (count (commandline -opc)) -eq 1' -d command -a '",
	      out);
	put_commands(out);
	fputs("'\n", out);
	put_options(out, themes, fish_option);
}
