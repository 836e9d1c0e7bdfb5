/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients counted with their forward ops: see merge.h. */
#include "view/group/merge.h"

#include <stdlib.h>
#include <string.h>

#include "view/group/gradient.h"

#define POLL   4096
#define ABSENT TFP_NONE       /* not in the list */
#define ALONE  (TFP_NONE - 1) /* in the list, without gradients */

bool tfp_merge_start(struct tfp_merge *merge, const struct tfp_build *build)
{
	uint32_t count = build->profile->nodes.count;

	*merge = (struct tfp_merge){0};
	if (!build->query->merge_gradients || !build->profile->tensorflow)
		return true;
	merge->forward = tfp_realloc_array(NULL, count, sizeof(*merge->forward));
	for (uint32_t node = 0; node < count; node++) {
		bool gradient;
		uint32_t forward = tfp_gradient_node(build->profile, node, &gradient);

		if (node % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		merge->forward[node] = forward == TFP_NONE ? node : forward;
	}
	merge->next = tfp_realloc_array(NULL, count, sizeof(*merge->next));
	merge->first = tfp_realloc_array(NULL, count, sizeof(*merge->first));
	memset(merge->first, 0xff, count * sizeof(*merge->first));
	return true;
}

void tfp_merge_end(struct tfp_merge *merge)
{
	free(merge->forward);
	free(merge->first);
	free(merge->next);
}

/* Is NODE listed behind another? */
static bool follows(const struct tfp_merge *merge, uint32_t node)
{
	uint32_t forward = merge->forward[node];

	return forward != node && merge->first[forward] != ABSENT;
}

/* Lists the gradients of each node, in the order in which they stand in NODES. */
static void list_gradients(struct tfp_merge *merge, const uint32_t *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		merge->first[nodes[i]] = ALONE;
	for (size_t i = count; i-- > 0;) {
		uint32_t node = nodes[i];

		if (!follows(merge, node))
			continue;
		merge->next[node] = merge->first[merge->forward[node]];
		merge->first[merge->forward[node]] = node;
	}
}

void tfp_merge_order(struct tfp_merge *merge, uint32_t *nodes, size_t count)
{
	uint32_t *ordered;
	size_t done = 0;

	if (!merge->forward || !count)
		return;
	list_gradients(merge, nodes, count);
	ordered = tfp_realloc_array(NULL, count, sizeof(*ordered));
	for (size_t i = 0; i < count; i++) {
		uint32_t node = nodes[i];

		if (follows(merge, node))
			continue;
		ordered[done++] = node;
		for (node = merge->first[node]; node != ALONE; node = merge->next[node])
			ordered[done++] = node;
	}
	for (size_t i = 0; i < count; i++)
		merge->first[nodes[i]] = ABSENT;
	memcpy(nodes, ordered, count * sizeof(*nodes));
	free(ordered);
}
