/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures as tfprof prints them: "930.58k" is any of the numbers that it prints so. The ends of that
 * interval are found by printing.
 */
#include <string.h>

#include "load/printed/printed.h"

/* By unit: what follows the digits, and how much it is. Scaled figures have two decimals. */
static const struct scale {
	const char *suffix;
	enum tfp_unit unit;
	int64_t scale, end; /* figures below END are printed with it */
} scales[] = {
	{"us", TFP_MICROS, 1, 1000},
	{"ms", TFP_MICROS, 1000, 1000000},
	{"sec", TFP_MICROS, 1000000, INT64_MAX},
	{"B", TFP_BYTES, 1, 1000},
	{"KB", TFP_BYTES, 1000, 1000000},
	{"MB", TFP_BYTES, 1000000, INT64_MAX},
	{"", TFP_COUNT, 1, 1000},
	{"k", TFP_COUNT, 1000, 1000000},
	{"m", TFP_COUNT, 1000000, 1000000000},
	{"b", TFP_COUNT, 1000000000, INT64_MAX},
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Where the digits of TEXT end, a sign and a point among them. */
static size_t digits_end(struct tfp_span text)
{
	size_t at = text.size && text.at[0] == '-';
	size_t begin = at;

	while (at < text.size && (is_digit(text.at[at]) || (text.at[at] == '.' && at > begin)))
		at++;
	return at > begin ? at : 0;
}

static const struct scale *find_scale(struct tfp_span text)
{
	size_t end = digits_end(text);
	struct tfp_span suffix = {text.at + end, text.size - end};

	for (size_t i = 0; end && i < sizeof(scales) / sizeof(*scales); i++)
		if (tfp_span_is(suffix, scales[i].suffix))
			return &scales[i];
	return NULL;
}

bool tfp_printed_unit(struct tfp_span text, enum tfp_unit *unit)
{
	const struct scale *scale = find_scale(text);

	if (scale)
		*unit = scale->unit;
	return scale != NULL;
}

bool tfp_printed_integer(struct tfp_span text, int64_t *value)
{
	char digits[20];
	size_t size = text.size;

	if (!size || size >= sizeof(digits) || digits_end(text) != size ||
	    memchr(text.at, '.', size))
		return false;
	memcpy(digits, text.at, size);
	digits[size] = 0;
	return tfp_number_parse(digits, value);
}

/* "930.58" as 93058. */
static bool hundredths(struct tfp_span digits, int64_t *value)
{
	struct tfp_span whole = {digits.at, digits.size - 3},
			part = {digits.at + digits.size - 2, 2};
	int64_t more;

	if (digits.size < 4 || digits.at[digits.size - 3] != '.' || digits.at[0] == '-' ||
	    !tfp_printed_integer(whole, value) || !tfp_printed_integer(part, &more))
		return false;
	return !__builtin_mul_overflow(*value, 100, value) &&
	       !__builtin_add_overflow(*value, more, value);
}

/* How VALUE would be printed, against TEXT: -1 less, 0 as TEXT, 1 more. */
static int compare(int64_t value, struct tfp_span text, const struct scale *scale, int64_t wanted)
{
	char printed[TFP_NUMBER_ROOM];
	struct tfp_span span = tfp_span_of(tfp_number_compat(printed, scale->unit, value));
	int64_t number;

	if (tfp_span_equal(span, text))
		return 0;
	if (value < scale->scale)
		return -1;
	span.size -= strlen(scale->suffix);
	if (value >= scale->end || !hundredths(span, &number))
		return 1;
	return number < wanted ? -1 : 1;
}

/*
 * The least number above LOW that compares as SIDE or more: LOW is less than that, HIGH is not. The
 * place that is right but for rounding is tried first.
 */
static int64_t find_end(int64_t low, int64_t high, int64_t likely, int side, struct tfp_span text,
			const struct scale *scale, int64_t wanted)
{
	for (int64_t at = likely - 1; at <= likely + 1; at++) {
		if (at <= low || at >= high)
			continue;
		if (compare(at, text, scale, wanted) >= side)
			high = at;
		else
			low = at;
	}
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (compare(middle, text, scale, wanted) >= side)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* VALUE plus MORE, kept within what can be. */
static int64_t add_within(int64_t value, int64_t more, int64_t most)
{
	int64_t sum;

	return __builtin_add_overflow(value, more, &sum) || sum > most ? most : sum;
}

static bool read_scaled(struct tfp_span text, const struct scale *scale, struct tfp_figure *figure)
{
	struct tfp_span digits = {text.at, text.size - strlen(scale->suffix)};
	int64_t wanted, step = scale->scale / 100, low, high;

	if (!hundredths(digits, &wanted) || __builtin_mul_overflow(wanted, step, &figure->value))
		return false;
	low = figure->value - 2 * step > scale->scale ? figure->value - 2 * step : scale->scale - 1;
	high = add_within(figure->value, 2 * step, scale->end);
	if (high <= low)
		return false;
	figure->low = find_end(low, high, figure->value - step / 2, 0, text, scale, wanted);
	figure->high = find_end(low, high, add_within(figure->value, step / 2, high), 1, text,
				scale, wanted) -
		       1;
	return figure->low <= figure->high;
}

bool tfp_printed_figure(struct tfp_span text, enum tfp_unit unit, struct tfp_figure *figure)
{
	const struct scale *scale = find_scale(text);

	if (!scale || scale->unit != unit)
		return false;
	if (scale->scale > 1)
		return read_scaled(text, scale, figure);
	text.size -= strlen(scale->suffix);
	if (!tfp_printed_integer(text, &figure->value))
		return false;
	figure->low = figure->high = figure->value;
	return true;
}
