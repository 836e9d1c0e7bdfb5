/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two profiles as one base. Rows are matched by their keys; what only the baseline has goes behind
 * the other rows of the same parent, and what was measured there becomes the columns of the
 * baseline.
 */
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/compare/rowkeys.h"
#include "view/trace/launch.h"
#include "view/trace/track.h"

/* ---- matching ------------------------------------------------------------------------------ */

static bool same_rows(const struct tfp_base *a, const struct tfp_base *b)
{
	return a->count == b->count && memcmp(a->key, b->key, a->count * sizeof(*a->key)) == 0;
}

/* Rows of one key, in lists by the key's number. */
struct rows {
	struct tfp_rowkeys keys;
	TFP_ARRAY(uint32_t) first; /* by number; TFP_NONE: all are taken */
	uint32_t *next;            /* by row */
};

/* Those of the COUNT rows with KEY that are not TAKEN. */
static void list_rows(struct rows *rows, const uint64_t *key, uint32_t count, const bool *taken)
{
	tfp_rowkeys_start(&rows->keys);
	rows->next = tfp_realloc_array(NULL, count, sizeof(*rows->next));
	for (uint32_t row = count; row-- > 1;) {
		uint32_t number;

		if (taken[row])
			continue;
		number = tfp_rowkeys_add(&rows->keys, key[row]);
		if (number == rows->first.count)
			*tfp_array_push(&rows->first) = TFP_NONE;
		rows->next[row] = rows->first.at[number];
		rows->first.at[number] = row;
	}
}

static void free_rows(struct rows *rows)
{
	tfp_rowkeys_end(&rows->keys);
	tfp_array_free(&rows->first);
	free(rows->next);
}

/* The first row of KEY; where PARENTS is not NULL, the first below PARENT. */
static uint32_t take_row(struct rows *rows, uint64_t key, const uint32_t *parents, uint32_t parent)
{
	uint32_t number = tfp_rowkeys_find(&rows->keys, key), row;
	uint32_t *link;

	if (number == TFP_NONE)
		return TFP_NONE;
	link = &rows->first.at[number];
	while (*link != TFP_NONE && parents && parents[*link] != parent)
		link = &rows->next[*link];
	row = *link;
	if (row != TFP_NONE)
		*link = rows->next[row];
	return row;
}

/* What no key matches is matched with what is ALIKE (of HERE) below the same row: another rank's, or run's. */
static void match_alike(const struct tfp_base *here, const uint64_t *alike,
			const struct tfp_base *there, const uint64_t *alike_there, bool *taken,
			uint32_t *match)
{
	struct rows rows = {0};

	for (uint32_t row = 1; row < there->count; row++)
		if (match[row] != TFP_NONE)
			taken[match[row]] = true;
	list_rows(&rows, alike, here->count, taken);
	for (uint32_t row = 1; row < there->count; row++)
		if (match[row] == TFP_NONE && match[there->parent[row]] != TFP_NONE)
			match[row] = take_row(&rows, alike_there[row], here->parent,
					      match[there->parent[row]]);
	free_rows(&rows);
}

uint32_t *tfp_base_match(const struct tfp_base *here, const struct tfp_base *there)
{
	uint32_t *match = tfp_realloc_array(NULL, there->count, sizeof(*match));
	struct rows rows = {0};
	bool *taken;

	match[0] = 0;
	if (same_rows(here, there)) {
		for (uint32_t row = 1; row < there->count; row++)
			match[row] = row;
		return match;
	}
	taken = tfp_alloc_zero(here->count, sizeof(*taken));
	list_rows(&rows, here->key, here->count, taken);
	for (uint32_t row = 1; row < there->count; row++)
		match[row] = take_row(&rows, there->key[row], NULL, 0);
	free_rows(&rows);
	for (size_t i = 0; i < 2; i++)
		if (here->alike[i] && there->alike[i])
			match_alike(here, here->alike[i], there, there->alike[i], taken, match);
	free(taken);
	return match;
}

/* ---- places of the rows -------------------------------------------------------------------- */

/*
 * The joined rows are numbered twice: by id, those of HERE as they are and behind them those that
 * only THERE has; and by place, in preorder.
 */
struct join {
	struct tfp_base *here, *there, *base;
	uint32_t *id;     /* by row of THERE: of the joined row; TFP_NONE: not kept, left out */
	uint32_t *parent; /* by id: an id */
	uint32_t *place;  /* by id */
	uint32_t count;
};

/* Gives ids to what only THERE has. A row that is kept is below rows that are. */
static void number_rows(struct join *join)
{
	join->id = tfp_base_match(join->here, join->there);
	join->count = join->here->count;
	for (uint32_t row = 1; row < join->there->count; row++)
		if (join->id[row] == TFP_NONE && join->there->flags[row] & TFP_ROW_KEPT)
			join->id[row] = join->count++;
}

static void find_parents(struct join *join)
{
	uint32_t count = join->here->count;

	join->parent = tfp_realloc_array(NULL, join->count, sizeof(*join->parent));
	memcpy(join->parent, join->here->parent, count * sizeof(*join->parent));
	for (uint32_t row = 1; row < join->there->count; row++)
		if (join->id[row] != TFP_NONE && join->id[row] >= count)
			join->parent[join->id[row]] = join->id[join->there->parent[row]];
}

/*
 * Rows below each: by id, itself included. Children have larger ids than their parents, save for
 * those of HERE, which stand in preorder themselves.
 */
static uint32_t *count_below(const struct join *join)
{
	uint32_t *below = tfp_realloc_array(NULL, join->count, sizeof(*below));

	for (uint32_t id = 0; id < join->count; id++)
		below[id] = 1;
	for (uint32_t id = join->count; --id > 0;)
		below[join->parent[id]] += below[id];
	return below;
}

/* In the order of ids a row goes where its parent's last child so far ends. */
static void find_places(struct join *join)
{
	uint32_t *below = count_below(join);
	uint32_t *next = tfp_realloc_array(NULL, join->count, sizeof(*next));

	join->place = tfp_realloc_array(NULL, join->count, sizeof(*join->place));
	join->place[0] = 0;
	next[0] = 1;
	for (uint32_t id = 1; id < join->count; id++) {
		uint32_t parent = join->parent[id];

		join->place[id] = next[parent];
		next[parent] += below[id];
		next[id] = join->place[id] + 1;
	}
	free(below);
	free(next);
}

/* ---- columns ------------------------------------------------------------------------------- */

/* A column of HERE (NULL: none) at the places of the joined rows, zero in the others. */
static void *spread(const struct join *join, const void *column, size_t size)
{
	char *to = column ? tfp_arena_zero(&join->base->arena, join->count, size) : NULL;

	for (uint32_t id = 0; column && id < join->here->count; id++)
		memcpy(to + join->place[id] * size, (const char *)column + id * size, size);
	return to;
}

static void spread_picks(const struct join *join)
{
	const struct tfp_base *here = join->here;
	struct tfp_base *base = join->base;

	if (!here->picks)
		return;
	tfp_base_add_picks(base, here->pick_first[here->count]);
	for (uint32_t id = 0; id < here->count; id++)
		base->pick_first[join->place[id] + 1] =
			here->pick_first[id + 1] - here->pick_first[id];
	for (uint32_t row = 0; row < base->count; row++)
		base->pick_first[row + 1] += base->pick_first[row];
	for (uint32_t id = 0; id < here->count; id++) {
		uint32_t first = here->pick_first[id], count = here->pick_first[id + 1] - first;

		if (count)
			memcpy(base->picks + base->pick_first[join->place[id]], here->picks + first,
			       count * sizeof(*base->picks));
	}
}

static void spread_columns(struct join *join)
{
	const struct tfp_base *here = join->here;
	struct tfp_base *base = join->base;
	size_t values = here->metric_count * sizeof(int64_t);

	base->parent = spread(join, here->parent, sizeof(*base->parent));
	base->end = spread(join, here->end, sizeof(*base->end));
	base->name = spread(join, here->name, sizeof(*base->name));
	base->name_size = spread(join, here->name_size, sizeof(*base->name_size));
	base->node = spread(join, here->node, sizeof(*base->node));
	base->key = spread(join, here->key, sizeof(*base->key));
	for (size_t i = 0; i < 2; i++)
		base->alike[i] = spread(join, here->alike[i], sizeof(uint64_t));
	base->flags = spread(join, here->flags, sizeof(*base->flags));
	base->self = spread(join, here->self, values);
	base->total = spread(join, here->total, values);
	base->defined = spread(join, here->defined, sizeof(*base->defined));
	base->stack = spread(join, here->stack, sizeof(*base->stack));
	base->step = spread(join, here->step, sizeof(*base->step));
	base->step_room = spread(join, here->step_room, sizeof(*base->step_room));
	base->step_aside = spread(join, here->step_aside, sizeof(*base->step_aside));
	base->since = spread(join, here->since, sizeof(*base->since));
	base->gap = spread(join, here->gap, sizeof(*base->gap));
	base->target = spread(join, here->target, sizeof(*base->target));
	base->thing = spread(join, here->thing, sizeof(*base->thing));
	base->rank = spread(join, here->rank, sizeof(*base->rank));
	base->track = spread(join, here->track, sizeof(*base->track));
	base->launch = spread(join, here->launch, sizeof(*base->launch));
	base->precision = spread(join, here->precision, here->metric_count);
	spread_picks(join);
}

/* Parents and ends anew: rows have moved. */
static void find_ends(const struct join *join)
{
	struct tfp_base *base = join->base;

	for (uint32_t id = 0; id < join->count; id++) {
		uint32_t parent = join->parent[id];

		base->parent[join->place[id]] = parent == TFP_NONE ? TFP_NONE : join->place[parent];
		base->end[join->place[id]] = join->place[id] + 1;
	}
	for (uint32_t row = base->count; --row > 0;)
		if (base->end[base->parent[row]] < base->end[row])
			base->end[base->parent[row]] = base->end[row];
}

/* What is kept, or counts, on the other side does in the row TO, too: it may be nothing here. */
static void keep_row(struct tfp_base *base, uint32_t to, uint8_t there)
{
	if (there & TFP_ROW_KEPT && there & (uint8_t)~base->flags[to] & TFP_ROW_ACCOUNTED) {
		base->flags[to] |= TFP_ROW_ACCOUNTED;
		base->accounted_count++;
	}
	base->flags[to] |= there & TFP_ROW_KEPT;
}

void tfp_base_keep(struct tfp_base *base, const struct tfp_base *there, const uint32_t *match)
{
	for (uint32_t row = 0; row < there->count; row++)
		if (!match || match[row] != TFP_NONE)
			keep_row(base, match ? match[row] : row, there->flags[row]);
}

/* What a row that only THERE has says of itself. Its nodes and stacks are of another profile. */
static void fill_row(const struct join *join, struct tfp_strings *strings, uint32_t row)
{
	struct tfp_base *base = join->base;
	struct tfp_span label = tfp_base_label(join->there, row);
	uint32_t to = join->place[join->id[row]];

	base->name[to] = tfp_strings_add(strings, label.at, label.size);
	if (base->name_size)
		base->name_size[to] = (uint32_t)label.size;
	base->key[to] = join->there->key[row];
	for (size_t i = 0; i < 2; i++)
		if (base->alike[i])
			base->alike[i][to] = join->there->alike[i] ? join->there->alike[i][row] : 0;
	base->flags[to] = join->there->flags[row] & (uint8_t)~TFP_ROW_NODE;
	base->node[to] = TFP_NONE;
	if (base->stack)
		base->stack[to] = TFP_NONE;
	if (base->step)
		base->step[to] = TFP_NONE;
	if (base->rank)
		base->rank[to] = TFP_NONE;
	if (base->track)
		base->track[to] = (struct tfp_track){.device = TFP_NONE - 1,
						     .work = join->there->track[row].work};
	if (base->gap)
		base->gap[to] = TFP_NONE;
	if (base->thing && join->there->thing)
		base->thing[to] = join->there->thing[row];
	base->accounted_count += (base->flags[to] & TFP_ROW_ACCOUNTED) != 0;
}

/* Values of a row of THERE as those of the baseline, and which sides have the row. */
static void fill_baseline(const struct join *join, const uint32_t *metric, uint32_t row)
{
	struct tfp_base *base = join->base;
	const struct tfp_base *there = join->there;
	uint32_t to = join->place[join->id[row]];
	size_t count = base->metric_count;

	if (!(there->flags[row] & TFP_ROW_KEPT))
		return;
	for (uint32_t i = 0; i < count; i++) {
		size_t at = (size_t)row * there->metric_count + metric[i];

		if (metric[i] >= there->metric_count) /* TFP_NONE, or not held */
			continue;
		base->baseline_self[to * count + i] = tfp_unit_convert(
			base->metrics[i].unit, there->metrics[metric[i]].unit, there->self[at]);
		base->baseline_total[to * count + i] = tfp_unit_convert(
			base->metrics[i].unit, there->metrics[metric[i]].unit, there->total[at]);
	}
	base->side[to] = base->flags[to] & TFP_ROW_KEPT && join->id[row] < join->here->count
				 ? TFP_SIDE_BOTH
				 : TFP_SIDE_THERE;
	keep_row(base, to, there->flags[row]);
}

static void fill(struct join *join, struct tfp_strings *strings, const uint32_t *metric)
{
	struct tfp_base *base = join->base;
	size_t values = (size_t)base->count * base->metric_count;

	base->baseline_self = tfp_arena_zero(&base->arena, values, sizeof(int64_t));
	base->baseline_total = tfp_arena_zero(&base->arena, values, sizeof(int64_t));
	base->side = tfp_arena_alloc(&base->arena, base->count);
	memset(base->side, TFP_SIDE_HERE, base->count);
	for (uint32_t row = 0; row < join->there->count; row++) {
		if (join->id[row] == TFP_NONE)
			continue;
		if (join->id[row] >= join->here->count)
			fill_row(join, strings, row);
		fill_baseline(join, metric, row);
	}
	base->side[0] = TFP_SIDE_BOTH;
	for (uint32_t i = 0; i < base->metric_all; i++)
		if (metric[i] == TFP_NONE || join->there->metrics[metric[i]].absent)
			base->baseline_absent |= UINT32_C(1) << i;
}

struct tfp_base *tfp_base_join(struct tfp_base *here, struct tfp_base *there,
			       struct tfp_strings *strings, const uint32_t *metric)
{
	struct join join = {.here = here, .there = there, .base = tfp_base_share(here)};

	number_rows(&join);
	find_parents(&join);
	find_places(&join);
	join.base->count = join.count;
	join.base->shapes &= there->shapes;
	join.base->spread &= there->spread;
	spread_columns(&join);
	find_ends(&join);
	fill(&join, strings, metric);
	free(join.id);
	free(join.parent);
	free(join.place);
	return join.base;
}
