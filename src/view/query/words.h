/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words in option values: cutting at commas, and writing so that a shell gives them back. */
#ifndef TFPROF_VIEW_WORDS_H
#define TFPROF_VIEW_WORDS_H

#include "tfprof/view.h"

/*
 * Cuts VALUE at commas into ARENA; empty pieces are dropped. A pair of quotes around the whole goes; a
 * comma stays when it stands in a quoted piece or behind a backslash (which goes).
 */
struct tfp_words tfp_words_parse(struct tfp_arena *arena, const char *value);
bool tfp_words_equal(struct tfp_words a, struct tfp_words b);
struct tfp_words tfp_words_copy(struct tfp_arena *arena, struct tfp_words words);

#endif
