/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bases: columns in one region, and the pass from the last row to the first in which every sum of a view
 * is made (rows stand in preorder, so the rows below a row have all been seen before it).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view/base.h"
#include "view/engine.h"
#include "view/trace/spread.h"

#define LONG_END 256 /* bytes of each end that tell a long text from others */

static void *none_column(struct tfp_arena *arena, size_t count)
{
	size_t size = count * sizeof(uint32_t);

	return memset(tfp_arena_alloc(arena, size), 0xff, size);
}

/* What PEAK, INFINITY before the first, and that of one more device have in common: 0 unless they are equal. */
static void meet_peak(double *peak, double other)
{
	if (*peak > other || *peak < other)
		*peak = isinf(*peak) ? other : 0;
}

/* Cores that help a device, and what a file calls one beside it, say of no peak, and do not hide that of the device. */
static void find_peaks(struct tfp_base *base, const struct tfp_trace *trace)
{
	double flops = INFINITY, bandwidth = INFINITY;

	for (size_t i = 0; trace && i < trace->devices.count; i++) {
		const struct tfp_trace_device *device = &trace->devices.at[i];

		if (device->host || (device->peak_flops <= 0 && device->peak_bandwidth <= 0))
			continue;
		meet_peak(&flops, device->peak_flops);
		meet_peak(&bandwidth, device->peak_bandwidth);
	}
	base->peak_flops = isinf(flops) ? 0 : flops;
	base->peak_bandwidth = isinf(bandwidth) ? 0 : bandwidth;
}

/* How many of the metrics of a profile a base of VIEW holds; see struct tfp_base. */
static uint32_t held_metrics(const struct tfp_view *view, const struct tfp_build *build)
{
	const struct tfp_profile *profile = build->profile;
	uint32_t count = profile->metric_count;

	if (!view->of_steps || tfp_spread_wanted(build->query, view, profile))
		return count;
	while (count && profile->metrics[count - 1].kind == TFP_SPREAD)
		count--;
	return count;
}

struct tfp_base *tfp_base_new(const struct tfp_view *view, const struct tfp_build *build,
			      uint32_t count)
{
	struct tfp_base *base = tfp_alloc_zero(1, sizeof(*base));
	struct tfp_profile *profile = build->profile;
	struct tfp_arena *arena = &base->arena;
	uint32_t held = held_metrics(view, build);
	size_t values = (size_t)count * held;

	base->references = 1;
	base->view = view;
	base->strings = profile->strings;
	base->metric_count = held;
	base->metric_all = profile->metric_count;
	base->metrics = profile->metrics;
	base->tensorflow = profile->tensorflow;
	base->traced = profile->trace != NULL;
	base->count = count;
	base->shapes = profile->filled & TFP_PART_SHAPES;
	base->parent = none_column(arena, count);
	base->end = none_column(arena, count);
	base->node = none_column(arena, count);
	base->name = tfp_arena_zero(arena, count, sizeof(*base->name));
	base->key = tfp_arena_zero(arena, count, sizeof(*base->key));
	base->flags = tfp_arena_zero(arena, count, sizeof(*base->flags));
	base->self = tfp_arena_zero(arena, values, sizeof(*base->self));
	base->total = tfp_arena_zero(arena, values, sizeof(*base->total));
	base->defined = tfp_arena_zero(arena, count, sizeof(*base->defined));
	base->name[0] = tfp_strings_add_text(profile->strings, TFP_ROOT_LABEL);
	base->key[0] = tfp_key_below(0, TFP_SPAN(TFP_ROOT_LABEL));
	base->flags[0] = TFP_ROW_KEPT;
	find_peaks(base, profile->trace);
	return base;
}

void tfp_base_add_picks(struct tfp_base *base, uint32_t count)
{
	base->pick_first =
		tfp_arena_zero(&base->arena, (size_t)base->count + 1, sizeof(*base->pick_first));
	base->picks = tfp_arena_alloc(&base->arena, (size_t)count * sizeof(*base->picks));
}

void tfp_base_add_stacks(struct tfp_base *base)
{
	base->stack = none_column(&base->arena, base->count);
}

void tfp_base_add_sizes(struct tfp_base *base)
{
	base->name_size = tfp_arena_zero(&base->arena, base->count, sizeof(*base->name_size));
	base->name_size[0] = sizeof(TFP_ROOT_LABEL) - 1;
}

void tfp_base_add_steps(struct tfp_base *base)
{
	base->step = none_column(&base->arena, base->count);
	base->thing = tfp_arena_zero(&base->arena, base->count, sizeof(*base->thing));
}

void tfp_base_add_alike(struct tfp_base *base)
{
	for (size_t i = 0; i < 2; i++) {
		base->alike[i] = tfp_arena_zero(&base->arena, base->count, sizeof(uint64_t));
		base->alike[i][0] = base->key[0];
	}
}

struct tfp_metric *tfp_base_own_metrics(struct tfp_base *base)
{
	size_t size = base->metric_all * sizeof(*base->metrics);
	struct tfp_metric *metrics =
		memcpy(tfp_arena_alloc(&base->arena, size), base->metrics, size);

	base->metrics = metrics;
	return metrics;
}

bool tfp_base_has_nodes(const struct tfp_base *base)
{
	if (base->picks)
		return true;
	for (uint32_t row = 0; row < base->count; row++)
		if (base->node[row] != TFP_NONE)
			return true;
	return false;
}

struct tfp_base *tfp_base_hold(struct tfp_base *base)
{
	base->references++;
	return base;
}

void tfp_base_release(struct tfp_base *base)
{
	if (!base || --base->references)
		return;
	for (size_t i = 0; i < sizeof(base->holds) / sizeof(*base->holds); i++)
		tfp_base_release(base->holds[i]);
	tfp_arena_free(&base->arena);
	free(base);
}

const char *tfp_node_word(const struct tfp_profile *profile)
{
	if (profile->trace)
		return "op";
	if (profile->given.rows.count)
		return "row";
	return profile->has_scopes ? "variable" : "stack";
}

/* ---- steps -------------------------------------------------------------------------------------- */

uint32_t tfp_base_step(const struct tfp_base *base, const struct tfp_profile *profile,
		       const struct tfp_query *query)
{
	if (base->curve)
		return tfp_profile_find_step(profile, base->curve->step);
	if (base->step)
		return TFP_STEP_MEAN;
	return query->step < 0 ? TFP_STEP_MEAN : tfp_profile_find_step(profile, query->step);
}

/* ---- values ------------------------------------------------------------------------------------- */

static int64_t *self_of(const struct tfp_base *base, uint32_t row)
{
	return base->self + (size_t)row * base->metric_count;
}

static void find_values(const struct tfp_build *build, uint32_t node, int64_t *values)
{
	if (build->cell)
		tfp_profile_cell_values(build->profile, node, build->cell[node], build->quirks,
					values);
	else
		tfp_profile_values(build->profile, node, build->step, build->quirks, values);
}

void tfp_base_set(struct tfp_base *base, const struct tfp_build *build, uint32_t row, uint32_t node)
{
	int64_t values[TFP_MAX_METRICS];

	if (base->metric_count == base->metric_all) {
		find_values(build, node, self_of(base, row));
		return;
	}
	find_values(build, node, values);
	memcpy(self_of(base, row), values, base->metric_count * sizeof(*values));
}

void tfp_base_add(struct tfp_base *base, const struct tfp_build *build, uint32_t row, uint32_t node,
		  int times)
{
	int64_t values[TFP_MAX_METRICS], *self = self_of(base, row);

	find_values(build, node, values);
	for (uint32_t i = 0; i < base->metric_count; i++) {
		if (base->metrics[i].kind != TFP_MAX)
			self[i] = tfp_wrap_add(self[i], tfp_wrap_mul(values[i], times));
		else if (self[i] < values[i])
			self[i] = values[i];
	}
}

/* ---- sums --------------------------------------------------------------------------------------- */

static void add_values(int64_t *restrict to, const int64_t *restrict from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		to[i] = tfp_wrap_add(to[i], from[i]);
}

/* Given totals stay as they are. */
void tfp_base_merge(const struct tfp_base *base, int64_t *to, const int64_t *from)
{
	for (uint32_t i = 0; i < base->metric_count; i++) {
		if (base->metrics[i].kind == TFP_SUM)
			to[i] = tfp_wrap_add(to[i], from[i]);
		else if (base->metrics[i].kind == TFP_MAX && to[i] < from[i])
			to[i] = from[i];
	}
}

/* The metrics of a base by how they add up: there is one look at that, and not one for each row. */
struct sorts {
	int64_t adds[TFP_MAX_METRICS]; /* all bits of those that do, else 0 */
	uint32_t most[TFP_MAX_METRICS], own[TFP_MAX_METRICS];
	size_t most_count, own_count;
};

static void sort_metrics(const struct tfp_base *base, struct sorts *sorts)
{
	*sorts = (struct sorts){0};
	for (uint32_t i = 0; i < base->metric_count; i++) {
		enum tfp_metric_kind kind = base->metrics[i].kind;

		sorts->adds[i] = kind == TFP_SUM ? -1 : 0;
		if (kind == TFP_MAX)
			sorts->most[sorts->most_count++] = i;
		else if (kind == TFP_OWN)
			sorts->own[sorts->own_count++] = i;
	}
}

/* In a list of ops, entries do not nest: what is below one adds up. */
static void add_own(const struct tfp_base *base, const struct sorts *sorts, uint32_t row)
{
	size_t at = (size_t)row * base->metric_count;
	size_t above = (size_t)base->parent[row] * base->metric_count;

	for (size_t n = 0; n < sorts->own_count; n++) {
		uint32_t i = sorts->own[n];

		base->total[at + i] = tfp_wrap_add(base->total[at + i], base->self[at + i]);
		if (base->view->rules->list && base->parent[row])
			base->total[above + i] =
				tfp_wrap_add(base->total[above + i], base->total[at + i]);
	}
}

static void take_most(int64_t *to, const int64_t *from, const struct sorts *sorts)
{
	for (size_t n = 0; n < sorts->most_count; n++) {
		uint32_t i = sorts->most[n];

		to[i] = to[i] < from[i] ? from[i] : to[i];
	}
}

static void find_end(struct tfp_base *base, uint32_t row)
{
	uint32_t parent = base->parent[row];

	if (base->end[row] == TFP_NONE)
		base->end[row] = row + 1;
	if (parent != TFP_NONE && base->end[parent] == TFP_NONE)
		base->end[parent] = base->end[row];
}

/* Adds one kept row to its parent, everything below it being done. */
static void sum_row(struct tfp_base *base, uint32_t row, const struct sorts *sorts, int64_t *signs)
{
	size_t count = base->metric_count;
	int64_t *restrict self = base->self + row * count, *restrict total =
								   base->total + row * count;
	int64_t *restrict above = base->total + base->parent[row] * count;

	for (size_t i = 0; i < count; i++) {
		total[i] = tfp_wrap_add(total[i], self[i] & sorts->adds[i]);
		above[i] = tfp_wrap_add(above[i], total[i] & sorts->adds[i]);
	}
	take_most(total, self, sorts);
	take_most(above, total, sorts);
	add_own(base, sorts, row);
	for (size_t i = 0; i < count; i++)
		signs[i] |= self[i] | total[i];
	if (base->flags[row] & TFP_ROW_ACCOUNTED) {
		base->accounted_count++;
		add_values(base->accounted, self, base->metric_count);
	}
}

bool tfp_base_counts(const struct tfp_base *base, uint32_t row)
{
	uint8_t flags = base->flags[row];

	if (flags & (TFP_ROW_FOLD | TFP_ROW_LINK | TFP_ROW_PART))
		return false;
	if (base->traced)
		return flags & TFP_ROW_LEAF;
	return base->tensorflow || base->view != &tfp_view_scope || base->node[row] != TFP_NONE;
}

void tfp_base_sum(struct tfp_base *base, bool count_rows)
{
	int64_t signs[TFP_MAX_METRICS] = {0};
	struct sorts sorts;

	sort_metrics(base, &sorts);
	for (uint32_t row = base->count; --row > 0;) {
		uint32_t parent = base->parent[row];

		find_end(base, row);
		if (base->flags[row] & TFP_ROW_ACCOUNTED)
			base->flags[row] |= TFP_ROW_KEPT;
		if (!(base->flags[row] & TFP_ROW_KEPT))
			continue;
		base->flags[parent] |= TFP_ROW_KEPT;
		sum_row(base, row, &sorts, signs);
		if (count_rows) {
			base->defined[row] += tfp_base_counts(base, row);
			base->defined[parent] += base->defined[row];
		}
	}
	find_end(base, 0);
	for (uint32_t i = 0; i < base->metric_count; i++)
		if (signs[i] < 0 || base->total[i] < 0)
			base->negative |= UINT32_C(1) << i;
}

/* ---- keys --------------------------------------------------------------------------------------- */

static uint64_t mix_all(uint64_t hash, const char *bytes, size_t size)
{
	uint64_t word = 0;
	size_t at = 0;

	for (; size - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	word = size;
	for (; at < size; at++)
		word = word << 8 | (unsigned char)bytes[at];
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/*
 * Very long texts are told by their size and both ends: a name of a million parts has a row for each, and
 * the bytes of all their labels are half of a million times its own.
 */
static uint64_t mix(uint64_t hash, struct tfp_span bytes)
{
	if (bytes.size <= 2 * LONG_END)
		return mix_all(hash, bytes.at, bytes.size);
	hash = mix_all(hash ^ bytes.size, bytes.at, LONG_END);
	return mix_all(hash, bytes.at + bytes.size - LONG_END, LONG_END);
}

uint64_t tfp_key_name(struct tfp_span name)
{
	return mix(UINT64_C(0xcbf29ce484222325), name);
}

uint64_t tfp_key_type(struct tfp_span type)
{
	return mix(UINT64_C(0x9ae16a3b2f90404f), type);
}

uint64_t tfp_key_below(uint64_t parent, struct tfp_span label)
{
	return mix(parent * UINT64_C(0xc949d7c7509e6557) + 1, label);
}

const char *tfp_missing_by_format(const struct tfp_profile *profile, const char *const formats[][2],
				  const char *other)
{
	for (; profile->format && formats[0][0]; formats++)
		if (!strcmp(profile->format, formats[0][0]))
			return formats[0][1];
	return other;
}
