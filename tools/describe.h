/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the program that describes tfprof share: its options, and what they may be given. */
#ifndef TFPROF_TOOLS_DESCRIBE_H
#define TFPROF_TOOLS_DESCRIBE_H

#include <stdio.h>

#include "tfprof/report.h"

struct tfp_option_help;

/* What a value can be, for completion. */
enum value_kind {
	VALUE_NONE, /* the option is a flag */
	VALUE_FREE, /* nothing can be offered */
	VALUE_FILE,
	VALUE_WORD, /* one of some words */
	VALUE_LIST, /* some of some words, between commas */
};

struct value {
	enum value_kind kind;
	struct tfp_words words;
};

/* What the option NAME, which takes TAKES, may be given. THEMES are the themes there are. In ARENA. */
struct value describe_value(const struct tfp_option_help *option, struct tfp_words themes,
			    struct tfp_arena *arena);
/* The names of the views, in ARENA. */
struct tfp_words describe_views(struct tfp_arena *arena);

/* TEXT with what roff takes for its own escaped. */
void describe_man_text(FILE *out, const char *text);
/* Sections of the manual pages, as man(7) macros. */
void describe_man_options(FILE *out);
void describe_man_outputs(FILE *out);
void describe_man_keys(FILE *out);
void describe_man_settings(FILE *out);

/* Completions, whole files. */
void describe_bash(FILE *out, struct tfp_words themes);
void describe_zsh(FILE *out, struct tfp_words themes);
void describe_fish(FILE *out, struct tfp_words themes);

#endif
