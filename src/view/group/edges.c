/* SPDX-License-Identifier: Apache-2.0 */
/* Edges towards users are those of the inputs, sorted by producer in one counting pass. */
#include "view/group/edges.h"

#include <stdlib.h>

/* The first edge of each node: as many as inputs name it. */
static uint32_t *count_users(const struct tfp_profile *profile)
{
	uint32_t nodes = profile->nodes.count;
	uint32_t *first = tfp_alloc_zero((size_t)nodes + 1, sizeof(*first));

	for (size_t i = 0; i < profile->inputs.count; i++)
		if (profile->inputs.at[i].node != TFP_NONE)
			first[profile->inputs.at[i].node + 1]++;
	for (uint32_t node = 0; node < nodes; node++)
		first[node + 1] += first[node];
	return first;
}

/* Users in the order in which the graph has them. Leaves *first as it was. */
static uint32_t *find_users(const struct tfp_profile *profile, uint32_t *first)
{
	const uint32_t *input_first = profile->nodes.input_first;
	uint32_t nodes = profile->nodes.count;
	uint32_t *users = tfp_alloc_zero((size_t)first[nodes] + 1, sizeof(*users));

	for (uint32_t node = 0; node < nodes; node++)
		for (uint32_t i = input_first[node]; i < input_first[node + 1]; i++)
			if (profile->inputs.at[i].node != TFP_NONE)
				users[first[profile->inputs.at[i].node]++] = node;
	for (uint32_t node = nodes; node > 0; node--)
		first[node] = first[node - 1];
	first[0] = 0;
	return users;
}

void tfp_edges_start(struct tfp_edges *edges, const struct tfp_profile *profile, bool to_users)
{
	*edges = (struct tfp_edges){.first = profile->nodes.input_first,
				    .inputs = profile->inputs.at};
	if (!to_users)
		return;
	edges->users_first = count_users(profile);
	edges->users = find_users(profile, edges->users_first);
	edges->first = edges->users_first;
}

void tfp_edges_end(struct tfp_edges *edges)
{
	free(edges->users);
	free(edges->users_first);
}
