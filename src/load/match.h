/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the nodes that a file's records name. Records mostly come in the order of the nodes, so
 * the nodes after the last one found are compared first, which spares the hash table.
 */
#ifndef TFPROF_LOAD_MATCH_H
#define TFPROF_LOAD_MATCH_H

#include <string.h>

#include "tfprof/model.h"

/* How many nodes ahead are compared. */
#define TFP_MATCH_AHEAD 4

struct tfp_match {
	const struct tfp_profile *profile;
	uint32_t next; /* node after the one found last */
};

/* The node of that name, TFP_NONE if there is none. */
static inline uint32_t tfp_match_node(struct tfp_match *match, const char *name, size_t size)
{
	const struct tfp_profile *profile = match->profile;
	tfp_str id;

	for (uint32_t node = match->next;
	     node < profile->nodes.count && node - match->next < TFP_MATCH_AHEAD; node++) {
		struct tfp_span span = tfp_strings_get(profile->strings, profile->nodes.name[node]);

		if (span.size == size && !memcmp(span.at, name, size)) {
			match->next = node + 1;
			return node;
		}
	}
	id = tfp_strings_find(profile->strings, name, size);
	if (id == TFP_NONE)
		return TFP_NONE;
	id = tfp_profile_find_node(profile, id);
	if (id != TFP_NONE)
		match->next = id + 1;
	return id;
}

#endif
