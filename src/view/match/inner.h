/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ".*X.*" on a whole name is X anywhere in it, and that is what a matcher does fastest: it looks for the
 * first character of X instead of going back over the name from its end.
 */
#ifndef TFPROF_VIEW_INNER_H
#define TFPROF_VIEW_INNER_H

#include <stdbool.h>

struct tfp_inner {
	char *text; /* X; to be freed */
	bool head;  /* ".*" stood before it */
	bool tail;  /* and behind it */
};

/* False, and nothing to free, when PATTERN, which is a valid one, neither begins nor ends so. */
bool tfp_inner_init(struct tfp_inner *inner, const char *pattern);

#endif
