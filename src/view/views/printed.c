/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The printed view: the rows of a printed report as they stand there. Totals are those printed; what
 * the rows below a row do not explain of it is a row of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "view/base.h"
#include "view/views/printed.h"

struct maker {
	const struct tfp_profile *profile;
	const struct tfp_given *given;
	int64_t *low,
		*high;   /* by row and metric: what is not explained of it, at least and at most */
	bool *rest;      /* by row: some of it is worth a row */
	uint32_t *at;    /* by row of the report: its row in the base */
	uint32_t *close; /* by row: the last row below it */
	bool *inner;     /* by row: there are rows below it */
};

static const struct tfp_figure *figures(const struct maker *maker, uint32_t row, uint32_t metric)
{
	size_t at = 2 * ((size_t)row * maker->profile->metric_count + metric);

	return &maker->given->figures.at[at];
}

/* ---- what is not explained --------------------------------------------------------------------- */

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static void find_rests(struct maker *maker)
{
	uint32_t metrics = maker->profile->metric_count;
	uint32_t count = (uint32_t)maker->given->rows.count;

	for (uint32_t row = count; row-- > 0;) {
		const struct tfp_given_row *given = &maker->given->rows.at[row];

		if (!maker->close[row])
			maker->close[row] = row;
		for (uint32_t i = 0; i < metrics; i++) {
			const struct tfp_figure *figure = figures(maker, row, i);
			size_t at = (size_t)row * metrics + i;

			/* So far there are the rows below it, with a minus. */
			maker->low[at] =
				tfp_wrap_add(maker->low[at], minus(figure[1].low, figure[0].high));
			maker->high[at] =
				tfp_wrap_add(maker->high[at], minus(figure[1].high, figure[0].low));
			if (maker->inner[row] && maker->low[at] > 0 && given->figures >> i & 1)
				maker->rest[row] = true;
			if (given->parent == TFP_NONE)
				continue;
			at = (size_t)given->parent * metrics + i;
			maker->low[at] = minus(maker->low[at], figure[1].high);
			maker->high[at] = minus(maker->high[at], figure[1].low);
		}
		if (given->parent == TFP_NONE)
			continue;
		maker->inner[given->parent] = true;
		if (maker->close[given->parent] < maker->close[row])
			maker->close[given->parent] = maker->close[row];
	}
}

/* The number from LOW to HIGH with the fewest digits: to show more would claim more. */
static int64_t round_number(int64_t low, int64_t high)
{
	int64_t best = low;

	for (int64_t step = 10; step <= high; step *= 10) {
		int64_t least = low / step * step;

		if ((low % step && __builtin_add_overflow(least, step, &least)) || least > high)
			break;
		best = least;
		if (step > INT64_MAX / 20)
			break;
	}
	return best;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static void set_value(struct tfp_base *base, uint32_t row, uint32_t metric, int64_t self,
		      int64_t total)
{
	size_t at = (size_t)row * base->metric_count + metric;

	base->self[at] = self;
	base->total[at] = total;
}

static void set_precision(struct tfp_base *base, uint32_t row, uint32_t metric, bool known,
			  const struct tfp_figure *figure)
{
	size_t at = (size_t)row * base->metric_count + metric;
	unsigned int bits = known ? 0 : TFP_UNKNOWN;

	if (figure[0].low != figure[0].high)
		bits |= TFP_SELF_ROUNDED;
	if (figure[1].low != figure[1].high)
		bits |= TFP_TOTAL_ROUNDED;
	base->precision[at] = (uint8_t)bits;
	memcpy(base->bounds + 2 * at, figure, 2 * sizeof(*figure));
}

static void fill_row(const struct maker *maker, struct tfp_base *base, uint32_t from, uint32_t row)
{
	const struct tfp_given_row *given = &maker->given->rows.at[from];

	base->name[row] = maker->profile->nodes.name[from];
	base->node[row] = from;
	base->defined[row] = given->defined;
	base->flags[row] = TFP_ROW_KEPT | TFP_ROW_NODE;
	if (given->accounted)
		base->flags[row] |= TFP_ROW_ACCOUNTED | TFP_ROW_LEAF;
	for (uint32_t i = 0; i < base->metric_count; i++) {
		const struct tfp_figure *figure = figures(maker, from, i);

		set_value(base, row, i, figure[0].value, figure[1].value);
		set_precision(base, row, i, given->figures >> i & 1, figure);
	}
	if (!row)
		return;
	base->parent[row] = maker->at[given->parent];
	base->key[row] = tfp_key_below(base->key[base->parent[row]], tfp_base_label(base, row));
}

static void fill_rest(const struct maker *maker, struct tfp_base *base, uint32_t of, uint32_t row)
{
	base->parent[row] = maker->at[of];
	base->name[row] = tfp_strings_add_text(maker->profile->strings, TFP_PRINTED_REST);
	base->key[row] = tfp_key_below(base->key[base->parent[row]], TFP_SPAN(TFP_PRINTED_REST));
	base->flags[row] = TFP_ROW_KEPT | TFP_ROW_ACCOUNTED | TFP_ROW_LEAF;
	for (uint32_t i = 0; i < base->metric_count; i++) {
		size_t at = (size_t)of * base->metric_count + i;
		bool known = maker->low[at] > 0 && maker->given->rows.at[of].figures >> i & 1;
		int64_t value = known ? round_number(maker->low[at], maker->high[at]) : 0;
		struct tfp_figure rest = {value, maker->low[at], maker->high[at]};

		set_value(base, row, i, value, value);
		set_precision(base, row, i, known, (const struct tfp_figure[]){rest, rest});
	}
}

/* Rests stand behind the last row that is below theirs, those of inner rows first. */
static void fill_rows(struct maker *maker, struct tfp_base *base)
{
	uint32_t at = 0, count = (uint32_t)maker->given->rows.count;

	for (uint32_t row = 0; row < count; row++) {
		maker->at[row] = at;
		fill_row(maker, base, row, at++);
		for (uint32_t of = row; of != TFP_NONE && maker->close[of] == row;
		     of = maker->given->rows.at[of].parent)
			if (maker->rest[of])
				fill_rest(maker, base, of, at++);
	}
}

static void start(struct maker *maker, const struct tfp_profile *profile)
{
	size_t count = profile->given.rows.count, values = count * profile->metric_count;

	*maker = (struct maker){.profile = profile, .given = &profile->given};
	maker->low = tfp_alloc_zero(values + 1, sizeof(*maker->low));
	maker->high = tfp_alloc_zero(values + 1, sizeof(*maker->high));
	maker->rest = tfp_alloc_zero(count, sizeof(*maker->rest));
	maker->inner = tfp_alloc_zero(count, sizeof(*maker->inner));
	maker->at = tfp_alloc_zero(count, sizeof(*maker->at));
	maker->close = tfp_alloc_zero(count, sizeof(*maker->close));
}

static void stop(struct maker *maker)
{
	free(maker->low);
	free(maker->high);
	free(maker->rest);
	free(maker->inner);
	free(maker->at);
	free(maker->close);
}

static uint32_t count_rests(const struct maker *maker)
{
	uint32_t count = 0;

	for (size_t i = 0; i < maker->given->rows.count; i++)
		count += maker->rest[i];
	return count;
}

static struct tfp_base *build_printed(struct tfp_build *build)
{
	struct tfp_base *base;
	struct maker maker;

	start(&maker, build->profile);
	find_rests(&maker);
	base = tfp_base_new(&tfp_view_printed, build,
			    (uint32_t)maker.given->rows.count + count_rests(&maker));
	base->precision = tfp_arena_zero(&base->arena, (size_t)base->count * base->metric_count, 1);
	base->bounds = tfp_arena_zero(&base->arena, (size_t)base->count * base->metric_count * 2,
				      sizeof(*base->bounds));
	fill_rows(&maker, base);
	tfp_base_sum(base, false);
	stop(&maker);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->given.rows.count ? NULL : "The file is no printed report";
}

static const struct tfp_view_rules rules = {
	.natural = true,
	.ignore_displayed = true,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_printed = {
	.name = "printed",
	.title = "printed",
	.about = "the rows of a printed report, with the figures as they were printed",
	.example = "printed -max_depth 3",
	.digit = '1',
	.missing = missing,
	.build = build_printed,
	.rules = &rules,
};
