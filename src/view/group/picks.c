/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Picks: the nodes behind the rows of op, code and functions views.
 */
#include <stdlib.h>

#include "view/group/picks.h"

#define POLL  4096 /* nodes between looks at the cancel flag */
#define AHEAD 16   /* nodes between sending for values and adding to them */

uint32_t *tfp_picks_weigh(struct tfp_build *build, const uint32_t *row)
{
	uint32_t count = build->profile->nodes.count;
	uint32_t *weight = tfp_alloc_zero(count, sizeof(*weight));

	for (uint32_t node = 0; node < count; node++) {
		int times;

		if (node % POLL == 0 && tfp_job_cancelled(build->job))
			goto fail;
		if (row && row[node] == TFP_NONE)
			continue;
		times = build->account.all ? 1 : tfp_account_node(&build->account, node);
		if (times < 0)
			goto fail;
		weight[node] = (uint32_t)times;
	}
	return weight;
fail:
	free(weight);
	return NULL;
}

static uint32_t count_picks(const uint32_t *weight, uint32_t nodes)
{
	uint32_t count = 0;

	for (uint32_t node = 0; node < nodes; node++)
		count += weight[node] > 0;
	return count;
}

/* Makes pick_first the end of each row's picks, to be counted back down while they are put in. */
static void find_ends(struct tfp_base *base, const uint32_t *row, const uint32_t *weight,
		      uint32_t nodes)
{
	for (uint32_t node = 0; node < nodes; node++)
		if (weight[node])
			base->pick_first[row[node]]++;
	for (uint32_t i = 1; i <= base->count; i++)
		base->pick_first[i] += base->pick_first[i - 1];
}

/* Rows of nodes that follow each other lie all over memory: the values of one to come are sent for. */
static inline void fetch_row(const struct tfp_base *base, uint32_t row)
{
	const int64_t *self;

	if (row == TFP_NONE)
		return;
	self = base->self + (size_t)row * base->metric_count;
	__builtin_prefetch(self, 1);
	__builtin_prefetch(self + base->metric_count - 1, 1);
}

bool tfp_picks_fill(struct tfp_base *base, const struct tfp_build *build, const uint32_t *row,
		    const uint32_t *weight, const uint32_t *order)
{
	uint32_t nodes = build->profile->nodes.count;

	tfp_base_add_picks(base, count_picks(weight, nodes));
	find_ends(base, row, weight, nodes);
	for (uint32_t i = nodes; i-- > 0;) {
		uint32_t node = order ? order[i] : i;

		if (i % POLL == 0 && tfp_job_cancelled(build->job))
			return false;
		if (i >= AHEAD)
			fetch_row(base, row[order ? order[i - AHEAD] : i - AHEAD]);
		if (!weight[node])
			continue;
		base->picks[--base->pick_first[row[node]]] = node;
		base->flags[row[node]] |= TFP_ROW_ACCOUNTED | TFP_ROW_LEAF;
		base->defined[row[node]]++;
		tfp_base_add(base, build, row[node], node, (int)weight[node]);
	}
	return true;
}
