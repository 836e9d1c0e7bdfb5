/* SPDX-License-Identifier: Apache-2.0 */
/* What a person may have meant by a word that is not known. */
#ifndef TFPROF_APP_NEAREST_H
#define TFPROF_APP_NEAREST_H

#include "tfprof/view.h"

/* The word of VALID that is written most like WORD; NULL if none is near. */
const char *tfp_nearest(const char *word, struct tfp_words valid);

/*
 * The end of a message about WORD: "; did you mean scope? (scope, graph, op, code)". The list is left
 * out where it is long and one of it is near. In ARENA.
 */
char *tfp_nearest_hint(struct tfp_arena *arena, const char *word, struct tfp_words valid);

#endif
