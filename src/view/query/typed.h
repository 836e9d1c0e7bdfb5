/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a line of commands: how they are cut, and which of them is the value of which. */
#ifndef TFPROF_VIEW_TYPED_H
#define TFPROF_VIEW_TYPED_H

#include "view/query/options.h"

/*
 * The next word of *TEXT, behind which *TEXT is set; size 0 at the end. Blanks part words, but not those in a
 * quoted piece, which begins a word or stands behind '=', ':' or ','.
 */
struct tfp_span tfp_typed_word(const char **text);

/* An option's word in parts. */
struct tfp_typed_option {
	char *name;                      /* without dashes */
	const char *value;               /* behind '='; NULL: the next word, if any */
	const struct tfp_option *option; /* NULL: there is none such */
	size_t dashes;
};

/* Cuts WORD. In ARENA. */
struct tfp_typed_option tfp_typed_option_of(struct tfp_span word, struct tfp_arena *arena);
/* Does the word NEXT (size 0: none) belong to OPTION, which came without a value of its own? */
bool tfp_typed_takes(const struct tfp_option *option, struct tfp_span next);

/* A command besides the views. */
struct tfp_typed_verb {
	const char *name;
	enum tfp_verb verb;
	bool original; /* the original has it, too */
	const char *help;
	const char *example; /* NULL: the name says it all */
};

/* NULL: WORD is none. */
const struct tfp_typed_verb *tfp_typed_verb_find(struct tfp_span word);

#endif
