/* SPDX-License-Identifier: Apache-2.0 */
/* A short text that is looked for in very many names. */
#ifndef TFPROF_VIEW_NEEDLE_H
#define TFPROF_VIEW_NEEDLE_H

#include "tfprof/base.h"

struct tfp_needle {
	struct tfp_span text; /* borrowed */
	size_t rarest;        /* place of the byte of it that names hold least often */
};

/* TEXT must outlive the needle. */
struct tfp_needle tfp_needle_of(struct tfp_span text);
/* Where TEXT first stands in the SIZE bytes at AT, NULL if nowhere. */
const char *tfp_needle_find(const struct tfp_needle *needle, const char *at, size_t size);
/* Does TEXT, which has no capital letter, stand there in any case (of ASCII letters)? */
bool tfp_needle_find_any_case(const struct tfp_needle *needle, struct tfp_span name);

#endif
