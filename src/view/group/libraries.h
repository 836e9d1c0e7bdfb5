/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are a library's or an interpreter's rather than those of the people whose program it is.
 */
#ifndef TFPROF_VIEW_LIBRARIES_H
#define TFPROF_VIEW_LIBRARIES_H

#include "view/query/words.h"

/*
 * Texts that paths of libraries hold, where one begins with '^' at their beginning; in ARENA.
 * PATHS: what the query has, NULL: the usual.
 */
struct tfp_words tfp_libraries_parse(struct tfp_arena *arena, const char *paths);
/* Is PATH a library's by one of TEXTS? */
bool tfp_libraries_hold(const struct tfp_words *texts, struct tfp_span path);

#endif
