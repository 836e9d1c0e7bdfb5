/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that a script fills, with files whose dates are known, and that goes with the script. */
#ifndef TESTS_SCREEN_SCRATCH_H
#define TESTS_SCREEN_SCRATCH_H

#include <stdbool.h>

struct scratch {
	char path[4096]; /* "": there is none */
};

/* False with errno set. */
bool scratch_make(struct scratch *scratch);
void scratch_remove(struct scratch *scratch);
/* Copies FROM to NAME in the folder, made with the folders above it at noon of DATE ("2026-11-28"), UTC. */
bool scratch_copy(const struct scratch *scratch, const char *from, const char *name,
		  const char *date);
/*
 * A trace NAME in the folder, whose first 9 MB are 60,000 calls of op_0 to op_4; a call of last_0, with an argument
 * of so many BYTES, zeros that take no room on disk, is behind them. All are in a step of the number STEP, if that
 * is not NULL.
 */
bool scratch_trace(const struct scratch *scratch, const char *name, long bytes, const char *step);

#endif
