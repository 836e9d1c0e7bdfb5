/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of the command line to a struct tfp_command. Which options exist, what they take and what they
 * mean is the view room's option table; here are only the words that choose files and what to do.
 */
#include "app/command.h"

#include <string.h>
#include <unistd.h>

#include "tfprof/report.h"

/* Options that name input files, as in the original. A comma separates several run metadata. */
struct file_option {
	const char *name;
	enum tfp_role role;
	const char *help;
};

static const struct file_option file_options[] = {
	{"graph_path", TFP_ROLE_GRAPH, "GraphDef, MetaGraphDef or SavedModel, binary or text"},
	{"run_meta_path", TFP_ROLE_RUN_META,
	 "RunMetadata, the first is step 0, the second step 1 …"},
	{"op_log_path", TFP_ROLE_OP_LOG, "OpLogProto: types, float operations, code traces"},
	{"profile_path", TFP_ROLE_PROFILE, "ProfileProto: all of these in one saved file"},
	{"checkpoint_path", TFP_ROLE_CHECKPOINT,
	 "checkpoint: its prefix, folder, or one of its files"},
};

/* Options of the program itself. */
enum app_option {
	APP_DEMO,
	APP_OUT,
	APP_FORCE,
	APP_VIEW,
	APP_TAGS,
	APP_THEME,
	APP_CONFIG,
	APP_NO_CONFIG,
	APP_PRINT_CONFIG,
	APP_HELP,
	APP_VERSION
};

struct app_option_row {
	const char *name;
	enum app_option option;
	const char *value;
	const char *help;
};

static const struct app_option_row app_options[] = {
	{"demo", APP_DEMO, NULL, "open the bundled profile of a ResNet-32 in training"},
	{"out", APP_OUT, "FILE", "merge: the file to write; gzip if it ends in .gz"},
	{"o", APP_OUT, "FILE", NULL},
	{"force", APP_FORCE, NULL, "merge: write over a file that is there"},
	{"f", APP_FORCE, NULL, NULL},
	{"view", APP_VIEW, "VIEW", "view that the screen opens with"},
	{"tags", APP_TAGS, "TAG,…",
	 "of a SavedModel: the graph with these tags; else serve, or the first"},
	{"theme", APP_THEME, "NAME", "how the screen looks: a theme, or the path of its file"},
	{"config", APP_CONFIG, "FILE", "settings from this file instead of the usual ones"},
	{"no-config", APP_NO_CONFIG, NULL, "no settings from files"},
	{"print-config", APP_PRINT_CONFIG, NULL, "all settings, as a file of settings"},
	{"help", APP_HELP, NULL, "this text"},
	{"h", APP_HELP, NULL, NULL},
	{"version", APP_VERSION, NULL, "version of the program"},
	{"V", APP_VERSION, NULL, NULL},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The words still to be read. */
struct words {
	int count;
	char *const *at;
};

void tfp_command_add_file(struct tfp_command *command, const char *path, enum tfp_role role)
{
	*tfp_array_push(&command->files) = (struct tfp_named_file){
		.path = tfp_arena_text(&command->arena, path, strlen(path)),
		.role = role,
	};
}

static void add_file_list(struct tfp_command *command, const char *list, enum tfp_role role)
{
	while (*list) {
		size_t size = strcspn(list, ",");
		char *path = tfp_arena_text(&command->arena, list, size);

		if (size)
			tfp_command_add_file(command, path, role);
		list += size + (list[size] == ',');
	}
}

static bool set_file_option(struct tfp_command *command, const struct file_option *option,
			    const char *value)
{
	if (option->role == TFP_ROLE_RUN_META)
		add_file_list(command, value, option->role);
	else if (*value)
		tfp_command_add_file(command, value, option->role);
	return true;
}

static bool set_view(struct tfp_command *command, const char *name, struct tfp_diag *diag)
{
	const struct tfp_view *view = tfp_view_find(name);

	if (!view) {
		tfp_diag_error(diag, "there is no view '%s'; --help lists them", name);
		return false;
	}
	command->query.view = command->given.texts[TFP_SETTING_VIEW] = view->name;
	return true;
}

static bool set_app_option(struct tfp_command *command, enum app_option option, const char *value,
			   struct tfp_diag *diag)
{
	switch (option) {
	case APP_DEMO:
		command->demo = true;
		return true;
	case APP_OUT:
		command->out = value;
		return true;
	case APP_FORCE:
		command->force = true;
		return true;
	case APP_HELP:
		command->mode = TFP_MODE_HELP;
		return true;
	case APP_VERSION:
		command->mode = TFP_MODE_VERSION;
		return true;
	case APP_VIEW:
		return set_view(command, value, diag);
	case APP_TAGS:
		command->tags = value;
		return true;
	case APP_THEME:
		command->given.texts[TFP_SETTING_THEME] = value;
		return true;
	case APP_CONFIG:
		command->config = value;
		return true;
	case APP_NO_CONFIG:
		command->no_config = true;
		return true;
	case APP_PRINT_CONFIG:
		command->mode = TFP_MODE_CONFIG;
		return true;
	}
	return false;
}

/*
 * The value of an option that takes one: what stands after '=', else the next word. A flag has a value
 * only by '=', or where the next word is a boolean word and the flag takes one.
 */
static const char *option_value(const char *inline_value, bool needs_value, bool takes_boolean,
				struct words *words)
{
	bool ignored;

	if (inline_value)
		return inline_value;
	if (needs_value || (takes_boolean && words->count &&
			    tfp_option_boolean(tfp_span_of(words->at[0]), &ignored))) {
		if (!words->count)
			return NULL;
		words->count--;
		return *words->at++;
	}
	return NULL;
}

static bool missing_value(const char *name, const char *what, struct tfp_diag *diag)
{
	tfp_diag_error(diag, "option --%s needs a value (%s)", name, what);
	return false;
}

/* The columns of each view that VALUE, which is valid, names: several such options add up. */
static void give_columns(struct tfp_command *command, const char *value, struct tfp_diag *diag)
{
	static const char unnamed[] = "";
	struct tfp_query named;

	tfp_query_init(&named);
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		named.choices[i] = unnamed;
	tfp_query_set(&named, "columns", value, diag);
	for (size_t i = 0; tfp_views[i]; i++)
		if (named.choices[i] != unnamed)
			tfp_settings_columns(&command->given, tfp_views[i]->name,
					     command->query.choices[i]);
	tfp_query_free(&named);
}

static bool unknown_option(struct tfp_command *command, const char *name, struct tfp_diag *diag)
{
	struct tfp_option_help option;
	struct tfp_words names = {0};
	const char *near;

	while (tfp_command_option(names.count, &option))
		names.count++;
	names.at = tfp_arena_zero(&command->arena, names.count, sizeof(*names.at));
	for (size_t i = 0; tfp_command_option(i, &option); i++)
		names.at[i] = option.name;
	near = tfp_nearest(name, names);
	if (near)
		tfp_diag_error(diag, "unknown option --%s; did you mean --%s?", name, near);
	else
		tfp_diag_error(diag, "unknown option --%s; --help lists all options", name);
	return false;
}

static bool parse_query_option(struct tfp_command *command, const char *name,
			       const char *inline_value, struct words *words, struct tfp_diag *diag)
{
	const struct tfp_option *option = tfp_option_find(name);
	const char *value;

	if (!option)
		return unknown_option(command, name, diag);
	value = option_value(inline_value, option->value != NULL, option->original, words);
	if (!value && option->value)
		return missing_value(name, option->value, diag);
	if (!tfp_query_set(&command->query, name, value, diag))
		return false;
	if (!strcmp(name, "columns"))
		give_columns(command, value, diag);
	else
		tfp_settings_option(&command->given, name, value ? value : "true");
	return true;
}

static bool parse_option(struct tfp_command *command, const char *word, struct words *words,
			 struct tfp_diag *diag)
{
	const char *start = word + (word[1] == '-' ? 2 : 1);
	const char *equals = strchr(start, '=');
	const char *inline_value = equals ? equals + 1 : NULL, *value;
	const char *name = tfp_arena_text(&command->arena, start,
					  equals ? (size_t)(equals - start) : strlen(start));

	name = tfp_old_input(name, diag);
	for (size_t i = 0; i < COUNT(file_options); i++) {
		if (strcmp(name, file_options[i].name))
			continue;
		value = option_value(inline_value, true, false, words);
		return value ? set_file_option(command, &file_options[i], value)
			     : missing_value(name, "a file", diag);
	}
	for (size_t i = 0; i < COUNT(app_options); i++) {
		if (strcmp(name, app_options[i].name))
			continue;
		value = option_value(inline_value, app_options[i].value != NULL, false, words);
		if (!value && app_options[i].value)
			return missing_value(name, app_options[i].value, diag);
		return set_app_option(command, app_options[i].option, value, diag);
	}
	return parse_query_option(command, name, inline_value, words, diag);
}

/* What can come first besides the names of views. */
static const struct {
	const char *word;
	enum tfp_command_mode mode;
	const char *help;
} first_words[] = {
	{"advise", TFP_MODE_ADVISE, "advise FILE...: what TensorFlow's checkers find"},
	{"merge", TFP_MODE_MERGE,
	 "merge -o FILE FILE...: saves graph, steps and op log in one file, a ProfileProto, which "
	 "TensorFlow reads, too; --force writes over one that is there"},
	{"shell", TFP_MODE_SHELL, "shell [OPTIONS] FILE...: commands from standard input"},
	{"help", TFP_MODE_HELP, "help [NAME]...: what a command, a view or an option is"},
};

const char *tfp_command_word(size_t index)
{
	return index < COUNT(first_words) ? first_words[index].word : NULL;
}

const char *tfp_command_word_help(const char *word)
{
	for (size_t i = 0; i < COUNT(first_words); i++)
		if (!strcmp(word, first_words[i].word))
			return first_words[i].help;
	return NULL;
}

/* Is WORD a view's name, or what else can come first? */
static bool take_command(struct tfp_command *command, const char *word)
{
	const struct tfp_view *view = tfp_view_find(word);

	if (view) {
		command->query.view = view->name;
		command->mode = TFP_MODE_REPORT;
		return true;
	}
	for (size_t i = 0; i < COUNT(first_words); i++)
		if (!strcmp(word, first_words[i].word)) {
			command->mode = first_words[i].mode;
			return true;
		}
	return false;
}

/* A command behind files is meant as one, unless there is such a file. */
static bool check_file(const struct tfp_command *command, const char *word, struct tfp_diag *diag)
{
	bool late = tfp_view_find(word);

	for (size_t i = 0; i < COUNT(first_words); i++)
		late = late || !strcmp(word, first_words[i].word);
	if (!late || command->mode == TFP_MODE_HELP || !access(word, F_OK))
		return true;
	tfp_diag_error(diag,
		       "%s stands before the files where it is a command: tfprof %s [OPTIONS] "
		       "FILE...",
		       word, word);
	return false;
}

/* Is WORD, which is no file, the command behind options, where the original has it? */
static bool take_late(struct tfp_command *command, const char *word)
{
	for (size_t i = 0; i < command->files.count; i++)
		if (command->files.at[i].role == TFP_ROLE_ANY)
			return false;
	return command->mode == TFP_MODE_AUTO && access(word, F_OK) && take_command(command, word);
}

/* A word that is no option: the command, or a file. */
static bool take_word(struct tfp_command *command, const char *word, struct tfp_diag *diag)
{
	if (take_late(command, word))
		return true;
	tfp_command_add_file(command, word, TFP_ROLE_ANY);
	return check_file(command, word, diag);
}

/* Is PATH there, or the prefix of a checkpoint? */
static bool is_there(struct tfp_command *command, const char *path)
{
	return !access(path, F_OK) ||
	       !access(tfp_arena_printf(&command->arena, "%s.index", path), F_OK);
}

/* A first word that is no file, but nearly a command, is a command mistyped. */
static bool check_first(struct tfp_command *command, const char *word, struct tfp_diag *diag)
{
	const char *names[TFP_MAX_VIEWS + COUNT(first_words)], *near;
	size_t count = 0;

	if (word[0] == '-' || strpbrk(word, "/.") || is_there(command, word))
		return true;
	for (size_t i = 0; tfp_views[i]; i++)
		names[count++] = tfp_views[i]->name;
	for (size_t i = 0; i < COUNT(first_words); i++)
		names[count++] = first_words[i].word;
	near = tfp_nearest(word, (struct tfp_words){names, count});
	if (near)
		tfp_diag_error(diag, "there is no file and no command '%s'; did you mean %s?", word,
			       near);
	return !near;
}

/* The file that is written is named where merge is, and nowhere else. */
static bool check_out(const struct tfp_command *command, struct tfp_diag *diag)
{
	bool merge = command->mode == TFP_MODE_MERGE;

	if (merge && (!command->out || !*command->out))
		tfp_diag_error(diag, "merge needs the file to write: tfprof merge -o FILE FILE...");
	else if (merge && !strcmp(command->out, "-"))
		tfp_diag_error(diag, "merge writes a file, not standard output: tfprof merge -o "
				     "FILE FILE...");
	else if (!merge && command->mode < TFP_MODE_HELP && (command->out || command->force))
		tfp_diag_error(diag, "%s is an option of tfprof merge",
			       command->out ? "--out" : "--force");
	else
		return true;
	return false;
}

/* What cannot be written is said before anything is read. */
static bool check_output(struct tfp_command *command, struct tfp_diag *diag)
{
	struct tfp_output output;

	return tfp_output_parse(command->query.output, &output, &command->arena, diag);
}

bool tfp_command_parse(struct tfp_command *command, int argc, char *const *argv,
		       struct tfp_diag *diag)
{
	struct words words = {argc > 1 ? argc - 1 : 0, argv + 1};
	bool options_end = false;

	memset(command, 0, sizeof(*command));
	tfp_query_init(&command->query);
	command->query.view = NULL;
	if (words.count && take_command(command, words.at[0])) {
		words.count--;
		words.at++;
	} else if (words.count && !check_first(command, words.at[0], diag)) {
		return false;
	}
	while (words.count) {
		const char *word = *words.at++;

		words.count--;
		if (!options_end && !strcmp(word, "--"))
			options_end = true;
		else if (options_end)
			tfp_command_add_file(command, word, TFP_ROLE_ANY);
		else if (word[0] != '-' || !word[1] ? !take_word(command, word, diag)
						    : !parse_option(command, word, &words, diag))
			return false;
	}
	for (size_t i = 0; i < command->files.count; i++)
		command->files.at[i].tags = command->tags;
	return check_out(command, diag) && check_output(command, diag);
}

void tfp_command_free(struct tfp_command *command)
{
	tfp_query_free(&command->query);
	tfp_array_free(&command->files);
	tfp_settings_free(&command->given);
	tfp_arena_free(&command->arena);
}

/* The program's own option INDEX of those that the help describes; NULL behind the last. */
static const struct app_option_row *described_option(size_t index)
{
	for (size_t i = 0; i < COUNT(app_options); i++)
		if (app_options[i].help && index-- == 0)
			return &app_options[i];
	return NULL;
}

bool tfp_command_option(size_t index, struct tfp_option_help *option)
{
	const struct app_option_row *row;

	if (index < COUNT(file_options)) {
		*option = (struct tfp_option_help){file_options[index].name, "FILE",
						   file_options[index].help, false};
		return true;
	}
	index -= COUNT(file_options);
	row = described_option(index);
	if (row) {
		*option = (struct tfp_option_help){row->name, row->value, row->help, !index};
		return true;
	}
	for (size_t i = 0; described_option(i); i++)
		index--;
	*option = (struct tfp_option_help){tfp_options[index].name, tfp_options[index].value,
					   tfp_options[index].help, false};
	return option->name != NULL;
}
