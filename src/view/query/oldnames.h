/* SPDX-License-Identifier: Apache-2.0 */
/* What options and their words were called in versions of TensorFlow's profiler from 0.12 on. */
#ifndef TFPROF_VIEW_OLDNAMES_H
#define TFPROF_VIEW_OLDNAMES_H

#include "view/query/options.h"

/* The old option NAME as a row like those of today's; NULL: it never was one, or is one still. */
const struct tfp_option *tfp_old_option_find(const char *name);
/* Sets what OPTION, one of those, is today. A note in DIAG says what that is. */
bool tfp_old_option_set(struct tfp_query *query, const struct tfp_option *option, const char *value,
			struct tfp_diag *diag);
/*
 * What WORD of today's option OPTION (of which kind it has to be) is today: itself, or another word with a
 * note in DIAG; NULL, with a note, where it means nothing any more.
 */
const char *tfp_old_word(const struct tfp_option *option, const char *word, struct tfp_diag *diag);
/* The same for all WORDS, in place. */
void tfp_old_words(const struct tfp_option *option, struct tfp_words *words, struct tfp_diag *diag);

#endif
