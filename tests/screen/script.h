/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key script that is being played: what screen.c and pictures.c share.
 */
#ifndef TFPROF_TESTS_SCRIPT_H
#define TFPROF_TESTS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "scratch.h"
#include "vt.h"

/* A check that does not hold yet may within HOLD_MS; machines that run tests are slow at times. */
enum { QUIET_MS = 160, HOLD_MS = 5000, LIMIT_MS = 20000, MAX_WORDS = 64, MAX_ENV = 15 };

struct script {
	const char *path;
	int line;
	struct vt_options options;
	struct vt *vt;
	int tests, failed;
	size_t written; /* bytes before the last keys */
	bool generate;
	char term[64], locale[64];
	char extra_text[MAX_ENV][640];
	const char *extra[MAX_ENV + 1];
	int extra_count;
	struct scratch scratch;
};

/* One test's line, with the screen below it where the test failed. */
void script_result(struct script *script, bool good, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The screen is as in pictures/NAME.txt: its text, or how its cells are drawn. Or that is written anew. */
void script_picture(struct script *script, char *name);
void script_looks(struct script *script, char *name);

#endif
