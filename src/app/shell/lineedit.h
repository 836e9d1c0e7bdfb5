/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines typed at a terminal, edited and completed, with those typed before; without a terminal the lines of
 * standard input.
 */
#ifndef TFPROF_APP_LINEEDIT_H
#define TFPROF_APP_LINEEDIT_H

#include "tfprof/base.h"

/* What the lines are for. */
struct tfp_lineedit_kind {
	const char *prompt;
	const char *history; /* the file with the lines typed before; NULL: none is kept */
	/* How the line TEXT, up to the cursor, can go on from *FROM on; in ARENA. */
	struct tfp_words (*ends)(void *data, const char *text, size_t *from,
				 struct tfp_arena *arena);
	void *data;
};

struct tfp_lineedit;

/* KIND must outlive it. Never NULL. */
struct tfp_lineedit *tfp_lineedit_new(const struct tfp_lineedit_kind *kind);
/* The next line without its end, valid until the next call; NULL: there is none. */
const char *tfp_lineedit_read(struct tfp_lineedit *edit);
void tfp_lineedit_free(struct tfp_lineedit *edit);

#endif
