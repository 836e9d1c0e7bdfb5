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

#endif
