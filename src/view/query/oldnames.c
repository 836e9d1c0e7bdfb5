/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Old names, of TensorFlow 0.12 to 2.21: one table, from which options, words of options and help texts
 * are understood. What is called today as it always was is not in it.
 */
#include "view/query/oldnames.h"

#include <ctype.h>
#include <string.h>

/* How the value of an old option becomes one of today's. */
enum change {
	CHANGE_NAME,   /* it stays */
	CHANGE_DEVICE, /* lower case; ".*" asks for nothing */
	CHANGE_SWITCH, /* nothing can be made of it */
	CHANGE_FILE,   /* the name of a file to write to */
};

/* What it was. */
enum was {
	WAS_OPTION,
	WAS_INPUT, /* an option that names a file to read */
	WAS_SELECT,
	WAS_ORDER,
	WAS_TYPE,
	WAS_PYTHON, /* of the Python interface: only explained */
	WAS_OTHER,
};

struct old_name {
	const char *name;
	enum was was;
	const char *now;   /* option or word of today; NULL: none */
	const char *today; /* the same for people */
	const char *note;
	struct tfp_option option; /* of options */
	enum change change;
};

#define TIMELINE "--output=timeline:outfile=FILE"
#define OLD_OPTION(text, takes)                                                                    \
	{                                                                                          \
		.name = text, .value = takes, .original = true, .kind = TFP_OPTION_OLD             \
	}

static const struct old_name old_names[] = {
	{"device_regexes", WAS_OPTION, "account_type_regexes", "--account_type_regexes",
	 "takes the same patterns, in lower case: devices are op types",
	 OLD_OPTION("device_regexes", "REGEX,..."), CHANGE_DEVICE},
	{"viz", WAS_OPTION, NULL, TIMELINE, "writes what can be looked at; this option is left out",
	 OLD_OPTION("viz", NULL), CHANGE_SWITCH},
	{"dump_to_file", WAS_OPTION, "output", "--output=file:outfile=FILE", "is what it means",
	 OLD_OPTION("dump_to_file", "FILE"), CHANGE_FILE},
	{"op_type", WAS_OPTION, "account_type_regexes", "--account_type_regexes",
	 "is what warnings of the original mean by it", OLD_OPTION("op_type", "REGEX,..."),
	 CHANGE_NAME},
	{"accounted_type_regexes", WAS_OPTION, "account_type_regexes", "--account_type_regexes",
	 "is its right spelling", OLD_OPTION("accounted_type_regexes", "REGEX,..."), CHANGE_NAME},
	{"run_log_path", WAS_INPUT, "op_log_path", "--op_log_path",
	 "is meant where the original's help says so", OLD_OPTION("run_log_path", "FILE"),
	 CHANGE_NAME},
	{"num_hidden_ops", WAS_SELECT, NULL, "", "never was a column; it is left out", {0}, 0},
	{"depth", WAS_ORDER, "name", "name", "is the order: depth was in texts alone", {0}, 0},
	{"_checkpoint_variable",
	 WAS_TYPE,
	 "_checkpoint_variables",
	 "_checkpoint_variables",
	 "is its right spelling",
	 {0},
	 0},
	{"print_model_analysis",
	 WAS_PYTHON,
	 NULL,
	 "profile()",
	 "in Python; here: tfprof VIEW",
	 {0},
	 0},
	{"tfprof_cmd", WAS_PYTHON, NULL, "cmd=", "in Python; here the first word", {0}, 0},
	{"tfprof_options", WAS_PYTHON, NULL, "options=", "in Python; here --NAME=VALUE", {0}, 0},
	{"TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
	 WAS_PYTHON,
	 NULL,
	 "ProfileOptionBuilder.trainable_variables_parameter()",
	 "in Python; here --account_type_regexes=_trainable_variables --select=params "
	 "--max_depth=10000 --account_displayed_op_only",
	 {0},
	 0},
	{"FLOAT_OPS_OPTIONS",
	 WAS_PYTHON,
	 NULL,
	 "ProfileOptionBuilder.float_operation()",
	 "in Python; here --min_float_ops=1 --select=float_ops --order_by=float_ops "
	 "--max_depth=10000 --account_displayed_op_only",
	 {0},
	 0},
	{"PRINT_ALL_TIMING_MEMORY",
	 WAS_PYTHON,
	 NULL,
	 "ProfileOptionBuilder.time_and_memory()",
	 "in Python; here --min_micros=1 --min_bytes=1 --select=micros,bytes --order_by=micros "
	 "--max_depth=10000 --account_displayed_op_only",
	 {0},
	 0},
	{"PRINT_PARAMS_ON_DEVICE",
	 WAS_PYTHON,
	 NULL,
	 "scope --max_depth=1 --account_type_regexes='.*ps.*task:0.*' --select=device,params",
	 "prints the same",
	 {0},
	 0},
	{"tensorflow/tools/tfprof/tfprof", WAS_OTHER, NULL, "tfprof", "is the program", {0}, 0},
	{"tensorflow/contrib/tfprof/tools/tfprof/tfprof",
	 WAS_OTHER,
	 NULL,
	 "tfprof",
	 "is the program",
	 {0},
	 0},
	{"tensorflow/core/profiler/profiler", WAS_OTHER, NULL, "tfprof", "is the program", {0}, 0},
	{".tfprof_history.txt",
	 WAS_OTHER,
	 NULL,
	 "$XDG_STATE_HOME/tfprof/history",
	 "holds the lines typed before",
	 {0},
	 0},
};

#define COUNT (sizeof(old_names) / sizeof(*old_names))

static const struct old_name *find(const char *name, enum was was)
{
	for (size_t i = 0; i < COUNT; i++)
		if (old_names[i].was == was && !strcmp(old_names[i].name, name))
			return &old_names[i];
	return NULL;
}

static void note(const struct old_name *old, struct tfp_diag *diag)
{
	struct tfp_arena arena = {0};
	const char *dashes = old->was == WAS_OPTION || old->was == WAS_INPUT ? "--" : "";

	/* as one text: each old name is a note of its own */
	tfp_diag_note(diag, "%s",
		      tfp_arena_printf(&arena, "%s%s is obsolete: %s%s%s", dashes, old->name,
				       old->today, *old->today ? " " : "it ", old->note));
	tfp_arena_free(&arena);
}

/* ---- options ------------------------------------------------------------------------------------ */

const struct tfp_option *tfp_old_option_find(const char *name)
{
	const struct old_name *old = find(name, WAS_OPTION);

	return old ? &old->option : NULL;
}

/* Letters behind a backslash stay: \S is not \s. */
static char *lower(struct tfp_arena *arena, const char *value)
{
	char *text = tfp_arena_text(arena, value, strlen(value));

	for (char *at = text; *at; at++) {
		if (*at == '\\' && at[1])
			at++;
		else
			*at = (char)tolower((unsigned char)*at);
	}
	return text;
}

/* FILE as a value of --output, without the quotes around it; "" where there is no file. */
static char *to_output(struct tfp_arena *arena, const char *file)
{
	size_t size;

	file += strspn(file, "'\"");
	size = strlen(file);
	while (size && (file[size - 1] == '\'' || file[size - 1] == '"'))
		size--;
	return size ? tfp_arena_printf(arena, "file:outfile=%.*s", (int)size, file)
		    : tfp_arena_text(arena, "", 0);
}

/* The value of today's option; NULL: nothing is to be set. */
static const char *change_value(const struct old_name *old, const char *value,
				struct tfp_arena *arena)
{
	switch (old->change) {
	case CHANGE_DEVICE:
		value = lower(arena, value);
		return strcmp(value, ".*") ? value : NULL;
	case CHANGE_FILE:
		value = to_output(arena, value);
		return *value ? value : NULL;
	case CHANGE_SWITCH:
		return NULL;
	case CHANGE_NAME:
		break;
	}
	return value;
}

bool tfp_old_option_set(struct tfp_query *query, const struct tfp_option *option, const char *value,
			struct tfp_diag *diag)
{
	const struct old_name *old = find(option->name, WAS_OPTION);
	struct tfp_arena arena = {0};
	bool wanted = true, done = true;

	if (!old || (old->change == CHANGE_SWITCH &&
		     !tfp_option_read_flag(option->name, value, &wanted, diag)))
		return false;
	if (wanted)
		note(old, diag);
	value = change_value(old, value, &arena);
	if (value)
		done = tfp_query_set(query, old->now, value, diag);
	tfp_arena_free(&arena);
	return done;
}

const char *tfp_old_input(const char *name, struct tfp_diag *diag)
{
	const struct old_name *old = find(name, WAS_INPUT);

	if (!old)
		return name;
	note(old, diag);
	return old->now;
}

/* ---- words -------------------------------------------------------------------------------------- */

static enum was kind_of_word(const struct tfp_option *option)
{
	switch ((enum tfp_option_kind)option->kind) {
	case TFP_OPTION_SELECT:
		return WAS_SELECT;
	case TFP_OPTION_ORDER:
		return WAS_ORDER;
	default:
		return option->kind == TFP_OPTION_LIST && option->which == TFP_ACCOUNT ? WAS_TYPE
										       : WAS_OTHER;
	}
}

const char *tfp_old_word(const struct tfp_option *option, const char *word, struct tfp_diag *diag)
{
	enum was was = kind_of_word(option);
	const struct old_name *old = was == WAS_OTHER ? NULL : find(word, was);

	if (!old)
		return word;
	note(old, diag);
	return old->now;
}

void tfp_old_words(const struct tfp_option *option, struct tfp_words *words, struct tfp_diag *diag)
{
	size_t kept = 0;

	for (size_t i = 0; i < words->count; i++) {
		const char *word = tfp_old_word(option, words->at[i], diag);

		if (word)
			words->at[kept++] = word;
	}
	words->count = kept;
}

/* ---- help --------------------------------------------------------------------------------------- */

char *tfp_old_name_text(struct tfp_arena *arena, const char *name)
{
	for (size_t i = 0; i < COUNT; i++)
		if (!strcmp(old_names[i].name, name))
			return tfp_arena_printf(arena, "%s is an old name: %s%s%s", name,
						old_names[i].today, *old_names[i].today ? " " : "",
						old_names[i].note);
	return NULL;
}
