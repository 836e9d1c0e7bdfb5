/* SPDX-License-Identifier: Apache-2.0 */
/* The steps or ranks that a query is compared with, and how each is asked. */
#include <stdlib.h>

#include "tfprof/trace.h"
#include "view/query/baseline.h"

void tfp_others_keep(struct tfp_others *others, const struct tfp_profile *profile, uint32_t step)
{
	size_t kept = 0;

	for (size_t i = 0; i < others->count; i++)
		if (!others->ranks || tfp_rank_has(profile, others->number[i], step))
			others->number[kept++] = others->number[i];
	others->count = kept;
}

struct tfp_others tfp_others_find(const struct tfp_profile *profile, const struct tfp_query *query,
				  const struct tfp_baseline *baseline)
{
	struct tfp_others others = {NULL, 0, tfp_baseline_is_of_ranks(query, baseline)};
	struct tfp_rank_set ranks;
	struct tfp_step_set steps;
	bool many = baseline->kind != TFP_BASELINE_STEP, *beyond;

	if (others.ranks) {
		ranks = tfp_baseline_ranks(profile, query, baseline);
		others.number = ranks.at;
		others.count = ranks.count;
		return others;
	}
	steps = tfp_baseline_steps(profile, baseline,
				   query->step < 0 ? TFP_STEP_MEAN
						   : tfp_profile_find_step(profile, query->step));
	others.number = tfp_realloc_array(NULL, steps.count, sizeof(*others.number));
	beyond = many && tfp_trace_is_cut(profile) ? tfp_steps_beyond(profile) : NULL;
	for (size_t i = 0; i < steps.count; i++)
		if (!beyond || !beyond[steps.at[i]])
			others.number[others.count++] = profile->steps.at[steps.at[i]].number;
	free(beyond);
	free(steps.at);
	return others;
}

/* The only step that BASE shows of, by its number; -1: it shows more, or is of what is in no step. */
static int64_t step_shown(const struct tfp_base *base, const struct tfp_profile *profile,
			  const struct tfp_query *query)
{
	size_t count;
	bool *ran;
	int64_t number = -1;

	if (!base->step && query->step >= 0)
		return query->step;
	if (base->curve)
		return base->curve->step;
	ran = tfp_steps_that_ran(profile, &count);
	for (uint32_t step = 0; count == 1 && step < profile->steps.count; step++)
		if (ran[step])
			number = profile->steps.at[step].number;
	free(ran);
	return number;
}

bool tfp_others_are(const struct tfp_others *others, const struct tfp_base *base,
		    const struct tfp_profile *profile, const struct tfp_query *query)
{
	if (others->count != 1)
		return false;
	if (others->ranks)
		return others->number[0] == query->rank;
	return others->number[0] >= 0 && others->number[0] == step_shown(base, profile, query);
}

struct tfp_query tfp_others_query(const struct tfp_query *query, const struct tfp_others *others,
				  size_t i)
{
	struct tfp_query other = *query;

	other.baseline = NULL;
	if (others->ranks)
		other.rank = others->number[i];
	else
		other.step = others->number[i];
	return other;
}
