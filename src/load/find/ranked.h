/* SPDX-License-Identifier: Apache-2.0 */
/* Which recordings are of one run, each of a rank: by what they say of themselves, and by their names. */
#ifndef TFPROF_LOAD_RANKED_H
#define TFPROF_LOAD_RANKED_H

#include "tfprof/codec.h"
#include "tfprof/json.h"

/* What a recording says of its place in a run. */
struct tfp_ranked {
	int64_t rank, ranks; /* ranks 0: it says nothing, or is not one of several */
	struct tfp_span
		worker; /* of PyTorch's names: "host_123" in "host_123.1790857026000.pt.trace.json"; "" */
	int64_t when; /* ms since 1970, by such a name; 0: it says none */
};

/* Reads the numbers of "distributedInfo", an object that JSON is in the beginning of; those that are not there stay. */
void tfp_ranked_info(struct tfp_json *json, int64_t *rank, int64_t *ranks);
/* What the file at PATH says, of which HEAD is the beginning. The worker is a part of PATH. */
void tfp_ranked_read(struct tfp_ranked *ranked, const struct tfp_source *head, const char *path);
/*
 * Gives each of the COUNT files, in the order of their names, the number of its group, from 0: files of one group
 * are ranks of one run. Many that say nothing are groups of one.
 */
void tfp_ranked_group(const struct tfp_ranked *files, size_t count, uint32_t *group);

#endif
