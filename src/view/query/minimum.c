/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options --min_METRIC: a whole number in the unit that the file has for the metric, or a time with a unit of its
 * own, "1.5ms", which is the same in files that count in other units.
 */
#include <string.h>

#include "tfprof/view.h"
#include "view/query/options.h"

/* The largest first. */
static const struct time_unit {
	const char *name;
	int64_t picos;
} units[] = {
	{"s", 1000000000000}, {"ms", 1000000000}, {"us", 1000000}, {"ns", 1000}, {"ps", 1},
};
#define UNITS (sizeof(units) / sizeof(*units))

/* Picoseconds in one of UNIT; 0: that is no time. */
static int64_t picos_of(enum tfp_unit unit)
{
	return unit == TFP_MICROS ? 1000000 : unit == TFP_NANOS ? 1000 : unit == TFP_PICOS ? 1 : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The digits of a number before the unit, of which one is SCALE; false: too large, or finer than a picosecond. */
static bool read_digits(const char *at, int64_t scale, int64_t *value)
{
	int64_t sum = 0;

	for (; is_digit(*at); at++)
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, *at - '0', &sum))
			return false;
	if (__builtin_mul_overflow(sum, scale, &sum))
		return false;
	for (at += *at == '.'; is_digit(*at); at++) {
		if (scale % 10 && *at != '0')
			return false;
		scale /= 10;
		if (__builtin_add_overflow(sum, (*at - '0') * scale, &sum))
			return false;
	}
	*value = sum;
	return true;
}

bool tfp_minimum_parse(const char *text, struct tfp_minimum *minimum)
{
	const char *end = text;

	minimum->timed = false;
	if (tfp_number_parse(text, &minimum->value))
		return true;
	minimum->timed = true;
	while (is_digit(*end))
		end++;
	if (end == text)
		return false;
	if (*end == '.')
		for (end++; is_digit(*end);)
			end++;
	for (size_t i = 0; i < UNITS; i++)
		if (!strcmp(end, units[i].name))
			return read_digits(text, units[i].picos, &minimum->value);
	return false;
}

bool tfp_minimum_fits(const struct tfp_minimum *minimum, enum tfp_unit unit)
{
	return !minimum->timed || picos_of(unit);
}

int64_t tfp_minimum_in(const struct tfp_minimum *minimum, enum tfp_unit unit)
{
	int64_t picos = picos_of(unit);

	if (!minimum->timed || !picos)
		return minimum->value;
	return minimum->value / picos + (minimum->value % picos > 0);
}

const char *tfp_minimum_print(const struct tfp_minimum *minimum, struct tfp_arena *arena)
{
	size_t i = 0;

	if (!minimum->timed)
		return tfp_arena_printf(arena, "%lld", (long long)minimum->value);
	while (i < UNITS - 1 && (!minimum->value || minimum->value % units[i].picos))
		i++;
	return tfp_arena_printf(arena, "%lld%s", (long long)(minimum->value / units[i].picos),
				units[i].name);
}

/* The same with a unit for a time that was given without. */
static struct tfp_minimum with_unit(const struct tfp_base *base, const struct tfp_minimum *minimum)
{
	struct tfp_minimum timed = *minimum;

	for (uint32_t i = 0; !timed.timed && i < base->metric_count; i++)
		if (!strcmp(base->metrics[i].key, minimum->metric) &&
		    picos_of(base->metrics[i].unit))
			timed.timed = !__builtin_mul_overflow(
				minimum->value, picos_of(base->metrics[i].unit), &timed.value);
	return timed.timed ? timed : *minimum;
}

const char *tfp_minimums_text(const struct tfp_tree *tree, struct tfp_arena *arena)
{
	const struct tfp_query *query = &tree->query;
	const char *text = NULL;

	for (size_t i = 0; i < query->minimum_count; i++) {
		struct tfp_minimum minimum = with_unit(tree->base, &query->minimums[i]);

		if (minimum.value)
			text = tfp_arena_printf(arena, "%s%s%s >= %s", text ? text : "",
						text ? ", " : "", minimum.metric,
						tfp_minimum_print(&minimum, arena));
	}
	return text;
}
