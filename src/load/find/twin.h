/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether two files of a list are one: what shows at their ends tells nearly all apart, and of the others all bytes are compared. What gzip
 * says of what it packed is what it was, which damage does not change: packed files that differ are unpacked.
 */
#ifndef TFPROF_LOAD_TWIN_H
#define TFPROF_LOAD_TWIN_H

#include "tfprof/codec.h"

/* What tells a file from others. */
struct tfp_twin {
	const char *path;   /* the caller's */
	bool packed, known; /* known: so is what follows */
	uint64_t begin;     /* a hash of the first bytes, unpacked */
	uint64_t end;       /* of the last ones; packed: gzip's sum of all */
	uint64_t size;      /* packed: what gzip says of it, in 32 bits */
};

/* Of the file at PATH, of which HEAD is what tfp_source_head gives. */
void tfp_twin_read(struct tfp_twin *twin, const struct tfp_source *head, const char *path);
/* Do A and B say the same? Of a plain one and a packed one only where their names are equal but for ".gz". */
bool tfp_twins(const struct tfp_twin *a, const struct tfp_twin *b);

#endif
