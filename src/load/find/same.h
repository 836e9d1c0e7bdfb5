/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two files are one. */
#ifndef TFPROF_LOAD_SAME_H
#define TFPROF_LOAD_SAME_H

#include "tfprof/codec.h"

/*
 * Are A and B the same file under two names, or equal byte by byte, neither of them packed? Pipes are not. The system is asked
 * nothing, as each of a thousand ranks is compared with each.
 */
bool tfp_same_file(const struct tfp_source *a, const struct tfp_source *b);

/* Is one of A and B, or both, packed, and what is in them equal? False, too, when JOB was cancelled. */
bool tfp_same_unpacked(struct tfp_source *a, struct tfp_source *b, struct tfp_job *job);

#endif
