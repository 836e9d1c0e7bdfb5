/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the other steps of the steps view have in place of each row. A thing that did not run in a
 * step has no row there and measured nothing: such zeros are counted, never made.
 */
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/compare/rowkeys.h"
#include "view/trace/lengths.h"

#define POLL 4096

/* The rows of each thing: row[first[thing] .. first[thing + 1]). */
struct things {
	uint32_t *of_row, *first, *row;
	uint32_t count;
};

/* The same thing in each step: of ranks in each by itself. */
static uint64_t thing_of(const struct tfp_base *base, uint32_t row)
{
	if (!base->rank)
		return base->thing[row];
	return tfp_key_below(base->thing[row], (struct tfp_span){(const char *)&base->rank[row],
								 sizeof(*base->rank)});
}

static void find_things(struct things *things, const struct tfp_base *base)
{
	struct tfp_rowkeys map;

	tfp_rowkeys_start(&map);
	things->of_row = tfp_realloc_array(NULL, base->count, sizeof(*things->of_row));
	for (uint32_t row = 1; row < base->count; row++)
		things->of_row[row] = tfp_rowkeys_add(&map, thing_of(base, row));
	things->count = (uint32_t)map.keys.count;
	tfp_rowkeys_end(&map);
	things->first = tfp_alloc_zero((size_t)things->count + 2, sizeof(*things->first));
	things->row = tfp_realloc_array(NULL, base->count, sizeof(*things->row));
	for (uint32_t row = 1; row < base->count; row++)
		things->first[things->of_row[row] + 2]++;
	for (uint32_t thing = 0; thing < things->count; thing++)
		things->first[thing + 2] += things->first[thing + 1];
	for (uint32_t row = 1; row < base->count; row++)
		things->row[things->first[things->of_row[row] + 1]++] = row;
}

static void free_things(struct things *things)
{
	free(things->of_row);
	free(things->first);
	free(things->row);
}

/* ---- values of one thing in all steps ------------------------------------------------------ */

struct pool {
	int64_t *value; /* ascending; zeros of steps without the thing are not there */
	size_t count;
	size_t negative; /* values below zero */
	size_t zeros;
	int64_t sum;
};

static void finish(struct pool *pool, size_t steps)
{
	qsort(pool->value, pool->count, sizeof(*pool->value), tfp_number_compare);
	pool->zeros = steps > pool->count ? steps - pool->count : 0;
	pool->sum = 0;
	pool->negative = 0;
	for (size_t i = 0; i < pool->count; i++) {
		pool->sum = tfp_wrap_add(pool->sum, pool->value[i]);
		pool->negative += pool->value[i] < 0;
	}
}

/* Value I of all in ascending order, the zeros among them. */
static int64_t value_at(const struct pool *pool, size_t i)
{
	if (i < pool->negative)
		return pool->value[i];
	return i < pool->negative + pool->zeros ? 0 : pool->value[i - pool->zeros];
}

static size_t place_of(const struct pool *pool, int64_t value)
{
	size_t low = 0, high = pool->count + pool->zeros;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (value_at(pool, middle) < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Their mean or median; without *OWN, unless that is NULL. */
static int64_t fold_others(const struct pool *pool, enum tfp_baseline_kind kind, const int64_t *own)
{
	size_t count = pool->count + pool->zeros - (own != NULL);
	size_t left_out = own ? place_of(pool, *own) : SIZE_MAX, low, high;
	int64_t pair[2], sum = pool->sum;

	if (!count)
		return 0;
	if (kind == TFP_BASELINE_MEAN) {
		if (own)
			sum = (int64_t)((uint64_t)sum - (uint64_t)*own);
		return sum / (int64_t)count;
	}
	low = (count - 1) / 2;
	high = count / 2;
	pair[0] = value_at(pool, low + (low >= left_out));
	pair[1] = value_at(pool, high + (high >= left_out));
	return tfp_median(pair, 2);
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct comparing {
	struct tfp_base *base;
	const bool *ran; /* by step */
	size_t steps;    /* that ran */
	enum tfp_baseline_kind kind;
	uint32_t step; /* compared with */
	size_t *lacks; /* by rank: steps of which it has nothing; NULL: no ranks */
	struct pool pool;
};

/* Is ROW a rank in a step of which it has nothing? */
static bool is_lacking(const struct tfp_base *base, uint32_t row)
{
	return base->rank && base->rank[row] != TFP_NONE && tfp_row_is_step(base, row) &&
	       base->end[row] == row + 1;
}

static size_t *count_lacks(const struct comparing *comparing)
{
	const struct tfp_base *base = comparing->base;
	size_t *lacks;

	if (!base->rank)
		return NULL;
	lacks = tfp_alloc_zero(base->count, sizeof(*lacks)); /* there are fewer ranks than rows */
	for (uint32_t row = 1; row < base->count; row++)
		if (is_lacking(base, row) && comparing->ran[base->step[row]])
			lacks[base->rank[row]]++;
	return lacks;
}

/* Has every rank something of the step ROW? What is one rank's, or there are no ranks, is whole. */
static bool is_whole(const struct tfp_base *base, uint32_t row)
{
	if (!base->rank || base->parent[row] || base->rank[row] != TFP_NONE)
		return true;
	for (uint32_t below = row + 1; below < base->end[row]; below = base->end[below])
		if (is_lacking(base, below))
			return false;
	return true;
}

/* Value I of a row's values, in a column FROM; the result goes to TO. */
static void compare_value(struct comparing *comparing, const uint32_t *row, uint32_t count,
			  const int64_t *from, int64_t *to)
{
	const struct tfp_base *base = comparing->base;
	struct pool *pool = &comparing->pool;

	uint32_t rank = base->rank ? base->rank[row[0]] : TFP_NONE; /* that of all */
	size_t out = rank == TFP_NONE ? 0 : comparing->lacks[rank];

	pool->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (!comparing->ran[base->step[row[i]]])
			continue;
		/* sums of fewer ranks would be taken for less, and what a rank lacks was not measured */
		if (is_whole(base, row[i]) && !is_lacking(base, row[i]))
			pool->value[pool->count++] = from[(size_t)row[i] * base->metric_count];
		else
			out += rank == TFP_NONE;
	}
	finish(pool, comparing->steps - out);
	for (uint32_t i = 0; i < count; i++) {
		size_t at = (size_t)row[i] * base->metric_count;
		bool own = comparing->ran[base->step[row[i]]] && is_whole(base, row[i]) &&
			   !is_lacking(base, row[i]);

		to[at] = fold_others(pool, comparing->kind, own ? &from[at] : NULL);
	}
}

static void copy_step(const struct comparing *comparing, const uint32_t *row, uint32_t count,
		      const int64_t *from, int64_t *to)
{
	const struct tfp_base *base = comparing->base;
	uint32_t other = 0;

	while (other < count && base->step[row[other]] != comparing->step)
		other++;
	for (uint32_t i = 0; i < count && other < count; i++)
		to[(size_t)row[i] * base->metric_count] =
			from[(size_t)row[other] * base->metric_count];
}

static void compare_thing(struct comparing *comparing, const uint32_t *row, uint32_t count)
{
	struct tfp_base *base = comparing->base;

	for (uint32_t i = 0; i < base->metric_count; i++) {
		if (comparing->kind == TFP_BASELINE_STEP) {
			copy_step(comparing, row, count, base->self + i, base->baseline_self + i);
			copy_step(comparing, row, count, base->total + i, base->baseline_total + i);
		} else {
			compare_value(comparing, row, count, base->self + i,
				      base->baseline_self + i);
			compare_value(comparing, row, count, base->total + i,
				      base->baseline_total + i);
		}
	}
}

/* The root is all steps: it is compared with itself. */
static void compare_root(struct tfp_base *base)
{
	for (uint32_t i = 0; i < base->metric_count; i++) {
		base->baseline_self[i] = base->self[i];
		base->baseline_total[i] = base->total[i];
	}
}

bool tfp_steps_compare(struct tfp_base *base, const struct tfp_profile *profile,
		       const struct tfp_baseline *baseline, struct tfp_job *job)
{
	struct things things = {0};
	struct comparing comparing = {.base = base, .kind = baseline->kind};
	bool *ran = tfp_steps_that_ran(profile, &comparing.steps), done = true;

	find_things(&things, base);
	comparing.ran = ran;
	comparing.step = tfp_profile_find_step(profile, baseline->step);
	comparing.lacks = count_lacks(&comparing);
	comparing.pool.value = tfp_realloc_array(NULL, base->count, sizeof(int64_t));
	for (uint32_t thing = 0; thing < things.count && done; thing++) {
		done = thing % POLL != 0 || !tfp_job_cancelled(job);
		compare_thing(&comparing, things.row + things.first[thing],
			      things.first[thing + 1] - things.first[thing]);
	}
	compare_root(base);
	free(comparing.pool.value);
	free(comparing.lacks);
	free_things(&things);
	free(ran);
	return done;
}

/* ---- what is compared with nothing --------------------------------------------------------- */

static void set_apart(struct tfp_base *base, uint32_t row)
{
	size_t at = (size_t)row * base->metric_count, size = base->metric_count * sizeof(int64_t);

	if (base->baseline_self)
		memcpy(base->baseline_self + at, base->self + at, size);
	memcpy(base->baseline_total + at, base->total + at, size);
	base->side[row] = TFP_SIDE_NONE;
}

bool *tfp_steps_beyond(const struct tfp_profile *profile)
{
	size_t count;
	bool *beyond = tfp_steps_that_ran(profile, &count);

	for (uint32_t step = 0; step < profile->steps.count; step++)
		beyond[step] = !beyond[step] && !tfp_step_in_range(profile, step);
	return beyond;
}

bool tfp_step_is_beyond(const struct tfp_profile *profile, int64_t number)
{
	uint32_t step = number < 0 ? TFP_NONE : tfp_profile_find_step(profile, number);
	bool *beyond, found;

	if (step == TFP_NONE || tfp_step_in_range(profile, step))
		return false;
	beyond = tfp_steps_beyond(profile);
	found = beyond[step];
	free(beyond);
	return found;
}

void tfp_steps_set_apart(struct tfp_base *base, const struct tfp_profile *profile,
			 const struct tfp_baseline *baseline)
{
	uint32_t outside = tfp_step_outside(profile);
	uint32_t step = baseline->kind == TFP_BASELINE_STEP
				? tfp_profile_find_step(profile, baseline->step)
				: TFP_NONE;
	bool *beyond = tfp_steps_beyond(profile), none = step != TFP_NONE && beyond[step];
	bool partial = false;

	for (uint32_t row = 1; row < base->count && step != TFP_NONE; row = base->end[row])
		partial |= base->step[row] == step && !is_whole(base, row);
	for (uint32_t row = 1; row < base->count; row++) {
		bool part = !is_whole(base, row) || (partial && !base->parent[row]);

		if (part || none || beyond[base->step[row]] ||
		    (outside != TFP_NONE && base->step[row] == outside))
			set_apart(base, row);
	}
	free(beyond);
}

/* A column of the baseline that is BASE's own, whatever base it was of. */
static int64_t *own_column(struct tfp_base *base, const int64_t *column)
{
	size_t values = (size_t)base->count * base->metric_count;
	int64_t *own;

	if (!column)
		return NULL;
	own = tfp_arena_alloc(&base->arena, values * sizeof(*own));
	memcpy(own, column, values * sizeof(*own));
	return own;
}

void tfp_ranks_set_apart(struct tfp_base *base, const struct tfp_profile *profile,
			 const struct tfp_others *others)
{
	bool own = false;

	for (uint32_t row = 1; row < base->count; row = base->end[row]) {
		size_t i = 0;

		while (i < others->count &&
		       !tfp_rank_has(profile, others->number[i], base->step[row]))
			i++;
		if (i < others->count)
			continue;
		if (!own) {
			base->baseline_self = own_column(base, base->baseline_self);
			base->baseline_total = own_column(base, base->baseline_total);
			own = true;
		}
		for (uint32_t below = row; below < base->end[row]; below++)
			set_apart(base, below);
	}
}
