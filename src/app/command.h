/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line as one value: what to do, with which query, on which files.
 */
#ifndef TFPROF_APP_COMMAND_H
#define TFPROF_APP_COMMAND_H

#include "app/settings/config.h"
#include "tfprof/load.h"
#include "tfprof/view.h"

enum tfp_command_mode {
	TFP_MODE_AUTO,   /* no command word: the screen where there is a terminal, else a report */
	TFP_MODE_REPORT, /* a view was the command */
	TFP_MODE_ADVISE, /* the command was "advise" */
	TFP_MODE_SHELL,  /* … "shell" */
	TFP_MODE_MERGE,  /* … "merge" */
	TFP_MODE_HELP,
	TFP_MODE_VERSION,
	TFP_MODE_CONFIG, /* the settings are printed */
};

struct tfp_command {
	enum tfp_command_mode mode;
	struct tfp_query query;                 /* query.view is NULL where none was named */
	TFP_ARRAY(struct tfp_named_file) files; /* paths live in the arena */
	const char *tags;                       /* of a SavedModel; NULL: none were named */
	bool demo;
	const char *out;             /* the file that merge writes; NULL: none named */
	bool force;                  /* even if it is there */
	struct tfp_settings given;   /* what it sets over the files of settings */
	const char *config;          /* the file to read instead of them; NULL: none named */
	bool no_config;              /* they are not read */
	struct tfp_opening *opening; /* on the screen: what comes after what; else NULL */
	struct tfp_arena arena;
};

/*
 * Parses ARGV[1..]. `--x=v`, `--x v` and `-x v` are the same; `--` ends the options; the first word
 * that is no option can be the name of a view. False with an error in DIAG that names the word and what would be valid.
 * COMMAND is initialised either way; free it with tfp_command_free.
 */
bool tfp_command_parse(struct tfp_command *command, int argc, char *const *argv,
		       struct tfp_diag *diag);
void tfp_command_free(struct tfp_command *command);
/* Adds a file that the command line did not name. The path is copied. */
void tfp_command_add_file(struct tfp_command *command, const char *path, enum tfp_role role);

/* An option as the help describes it. */
struct tfp_option_help {
	const char *name;  /* without dashes */
	const char *value; /* what it takes; NULL: nothing */
	const char *help;
	bool first; /* of those that do not name files */
};

/* Option INDEX of all, in the order of the help: of files, of the program, of queries. False behind the last. */
bool tfp_command_option(size_t index, struct tfp_option_help *option);

/* Word INDEX of those that can come first besides the names of views; NULL behind the last. */
const char *tfp_command_word(size_t index);
/* "merge -o FILE FILE...: …", of such a WORD; NULL: it is none. */
const char *tfp_command_word_help(const char *word);

#endif
