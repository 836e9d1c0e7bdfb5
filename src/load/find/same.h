/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two files are one. */
#ifndef TFPROF_LOAD_SAME_H
#define TFPROF_LOAD_SAME_H

#include <stdbool.h>

/* Are A and B the same file under two names, or equal byte by byte? Pipes and what can't be read are not. */
bool tfp_same_file(const char *a, const char *b);

#endif
