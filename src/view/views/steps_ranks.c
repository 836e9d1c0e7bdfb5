/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of several ranks: below each step a row for each rank, so that the slow one is seen, and below that what
 * ran in it there. The view is built of each rank alone, and these are put together.
 */
#include <stdlib.h>
#include <string.h>

#include "view/base.h"
#include "view/engine.h"
#include "view/trace/window.h"
#include "view/views/steps.h"

#define NAME_ROOM 300

struct maker {
	struct tfp_build *build;
	const struct tfp_profile *profile;
	struct tfp_rank_of *ranks;
	size_t count;
	struct tfp_base **parts; /* by rank */
	uint32_t *first;         /* by rank and step: the step's row in the rank's part; TFP_NONE */
	struct tfp_base *base;
	uint32_t row; /* the next one */
};

static size_t find_ranks(const struct tfp_trace *trace, int64_t **ranks)
{
	*ranks = tfp_realloc_array(NULL, trace->devices.count + 1, sizeof(**ranks));
	return tfp_ranks(trace, *ranks, trace->devices.count);
}

bool tfp_steps_have_ranks(const struct tfp_profile *profile)
{
	int64_t *ranks;
	size_t count;

	if (!profile->trace || tfp_view_steps.missing(profile))
		return false;
	count = find_ranks(profile->trace, &ranks);
	free(ranks);
	return count > 1;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* A part for each rank. False when one can't be built. */
static bool build_parts(struct maker *maker, const struct tfp_build *build)
{
	const struct tfp_trace *trace = build->profile->trace;
	struct tfp_query of_rank = *build->query; /* borrows the texts */
	int64_t *numbers;

	maker->profile = build->profile;
	maker->count = find_ranks(trace, &numbers);
	maker->ranks = tfp_alloc_zero(maker->count, sizeof(*maker->ranks));
	maker->parts = tfp_alloc_zero(maker->count, sizeof(struct tfp_base *));
	for (size_t i = 0; i < maker->count; i++)
		maker->ranks[i] =
			(struct tfp_rank_of){tfp_rank_file(trace, numbers[i]), numbers[i]};
	free(numbers);
	for (size_t i = 0; i < maker->count; i++) {
		of_rank.rank = maker->ranks[i].number;
		maker->parts[i] = tfp_build_base(build->engine, &of_rank, 0, tfp_steps_build,
						 build->job, build->diag);
		if (!maker->parts[i])
			return false;
	}
	return true;
}

static uint32_t *first_of(const struct maker *maker, size_t rank, uint32_t step)
{
	return &maker->first[rank * maker->profile->steps.count + step];
}

/* Finds the rows of steps in all parts; returns how many rows all of them together need. */
static uint32_t find_steps(struct maker *maker)
{
	size_t steps = maker->profile->steps.count, rows = 1;

	maker->first = tfp_realloc_array(NULL, maker->count * steps + 1, sizeof(*maker->first));
	memset(maker->first, 0xff, maker->count * steps * sizeof(*maker->first));
	for (size_t rank = 0; rank < maker->count; rank++) {
		const struct tfp_base *part = maker->parts[rank];

		for (uint32_t row = 1; row < part->count; row = part->end[row])
			*first_of(maker, rank, part->step[row]) = row;
		rows += part->count - 1;
	}
	return (uint32_t)(rows + steps);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void copy_picks(struct maker *maker, const struct tfp_base *part, uint32_t from, uint32_t to)
{
	struct tfp_base *base = maker->base;
	uint32_t first = part->pick_first[from], count = part->pick_first[from + 1] - first;

	base->pick_first[to + 1] = base->pick_first[to] + count;
	if (count)
		memcpy(base->picks + base->pick_first[to], part->picks + first,
		       count * sizeof(*base->picks));
}

/* What row FROM of PART has of its own goes to the next row, below PARENT. */
static uint32_t add_row(struct maker *maker, const struct tfp_base *part, uint32_t from,
			uint32_t parent, uint32_t rank)
{
	struct tfp_base *base = maker->base;
	size_t metrics = base->metric_count;
	uint32_t row = maker->row++;

	base->parent[row] = parent;
	base->node[row] = part->node[from];
	base->name[row] = part->name[from];
	base->name_size[row] = part->name_size[from];
	base->thing[row] = part->thing[from];
	base->key[row] = part->key[from];
	base->flags[row] = part->flags[from];
	base->step[row] = part->step[from];
	base->rank[row] = rank;
	memcpy(base->self + row * metrics, part->self + from * metrics, metrics * sizeof(int64_t));
	copy_picks(maker, part, from, row);
	return row;
}

/* "rank 1  host-b" */
static void name_rank(struct maker *maker, uint32_t row, const struct tfp_rank_of *rank, bool empty)
{
	struct tfp_span prefix = tfp_rank_host(maker->profile, rank->number);
	struct tfp_base *base = maker->base;
	char name[NAME_ROOM], number[32];
	int size = snprintf(number, sizeof(number), "rank %lld", (long long)rank->number);

	base->key[row] = tfp_key_below(base->key[base->parent[row]],
				       (struct tfp_span){number, (size_t)size});
	size = snprintf(name, sizeof(name), "%s%s%.*s", number, prefix.size ? "  " : "",
			(int)(prefix.size < 200 ? prefix.size : 200), prefix.at);
	if (empty)
		size += snprintf(name + size, sizeof(name) - (size_t)size,
				 ": nothing of this step");
	base->name[row] = tfp_strings_add(maker->profile->strings, name, (size_t)size);
	base->name_size[row] = (uint32_t)size;
}

/* The row of RANK below STEP_ROW, with all that is below its step in its part. */
static void add_rank(struct maker *maker, uint32_t step_row, uint32_t rank, uint32_t first)
{
	const struct tfp_base *part = maker->parts[rank];
	struct tfp_base *base = maker->base;
	uint32_t top = add_row(maker, part, first, step_row, rank), offset = top - first;
	uint64_t above;

	name_rank(maker, top, &maker->ranks[rank], part->end[first] == first + 1);
	above = base->key[top];
	for (uint32_t from = first + 1; from < part->end[first]; from++) {
		uint32_t row = add_row(maker, part, from, part->parent[from] + offset, rank);
		uint64_t key = base->key[row];

		base->key[row] =
			tfp_key_below(above, (struct tfp_span){(const char *)&key, sizeof(key)});
	}
}

/* The step has a row if any rank has one. */
static void add_step(struct maker *maker, uint32_t step)
{
	struct tfp_base *base = maker->base;
	uint32_t row = TFP_NONE;

	for (uint32_t rank = 0; rank < maker->count; rank++) {
		uint32_t first = *first_of(maker, rank, step);

		if (first == TFP_NONE)
			continue;
		if (row == TFP_NONE) {
			row = add_row(maker, maker->parts[rank], first, 0, TFP_NONE);
			memset(base->self + (size_t)row * base->metric_count, 0,
			       base->metric_count * sizeof(int64_t));
			base->flags[row] = TFP_ROW_KEPT;
			base->pick_first[row + 1] = base->pick_first[row];
		}
		add_rank(maker, row, rank, first);
	}
}

static bool add_rows(struct maker *maker)
{
	maker->row = 1;
	for (uint32_t step = 0; step < maker->profile->steps.count; step++) {
		if (tfp_job_cancelled(maker->build->job))
			return false;
		add_step(maker, step);
	}
	maker->base->count = maker->row;
	return true;
}

/* ---- the base ------------------------------------------------------------------------------ */

static void make_columns(struct maker *maker, uint32_t rows)
{
	struct tfp_base *base = tfp_base_new(&tfp_view_steps, maker->build, rows);
	uint32_t picks = 0;

	for (size_t rank = 0; rank < maker->count; rank++) {
		const struct tfp_base *part = maker->parts[rank];

		picks += part->pick_first ? part->pick_first[part->count] : 0;
	}
	tfp_base_add_sizes(base);
	tfp_base_add_steps(base);
	tfp_base_add_picks(base, picks);
	base->rank = tfp_arena_alloc(&base->arena, rows * sizeof(*base->rank));
	base->rank[0] = TFP_NONE;
	base->ranks = memcpy(tfp_arena_alloc(&base->arena, maker->count * sizeof(*maker->ranks)),
			     maker->ranks, maker->count * sizeof(*maker->ranks));
	base->thing[0] = base->key[0];
	maker->base = base;
}

static struct tfp_base *join_parts(struct maker *maker)
{
	make_columns(maker, find_steps(maker));
	if (add_rows(maker)) {
		tfp_base_sum(maker->base, true);
		return maker->base;
	}
	tfp_base_release(maker->base);
	return NULL;
}

struct tfp_base *tfp_steps_build_ranks(struct tfp_build *build)
{
	struct tfp_build all;
	struct maker maker = {.build = &all};
	struct tfp_base *base = NULL;

	/* the parts end with events cut to a rank: what is begun behind them is about all again */
	if (build_parts(&maker, build) &&
	    tfp_build_begin(&all, build->engine, build->query, 0, build->job, build->diag)) {
		base = join_parts(&maker);
		tfp_build_end(&all);
	}
	for (size_t i = 0; i < maker.count; i++)
		tfp_base_release(maker.parts[i]);
	free(maker.parts);
	free(maker.ranks);
	free(maker.first);
	return base;
}
