/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns made of literal text and ".*" alone: what nearly everybody types. They are matched by looking
 * for the literals in order, which is linear where a backtracking matcher is not.
 */
#ifndef TFPROF_VIEW_GLOB_H
#define TFPROF_VIEW_GLOB_H

#include "view/match/needle.h"

struct tfp_glob {
	char *text;               /* the literals one after another */
	struct tfp_needle *parts; /* NULL: the pattern is not of this kind */
	size_t count;             /* ".*" stands between the parts; first and last may be empty */
};

/* Reads PATTERN. False, and nothing to free, when it holds anything but literals and ".*". */
bool tfp_glob_init(struct tfp_glob *glob, const char *pattern);
void tfp_glob_free(struct tfp_glob *glob);
/* Does the whole of NAME, which has no line end, match? */
bool tfp_glob_match(const struct tfp_glob *glob, struct tfp_span name);

#endif
