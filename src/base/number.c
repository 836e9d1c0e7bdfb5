/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of numbers. Digits are written here rather than by printf: a report has millions of
 * them, and a locale must not turn the point into a comma.
 */
#include <stdio.h>
#include <string.h>

#include "tfprof/base.h"

/* One unit of a scale: VALUE of the base unit make one, and so many of it make the next. */
struct step {
	const char *suffix;
	uint64_t value;
	uint64_t next; /* 0: this is the last */
};

#define STEPS 7
#define K     UINT64_C(1000)
#define M     (1000 * K)
#define G     (1000 * M)
#define T     (1000 * G)

static const struct step compat_scales[][STEPS] = {
	[TFP_COUNT] = {{"", 1, K}, {"k", K, K}, {"m", M, K}, {"b", G, 0}},
	[TFP_BYTES] = {{"B", 1, K}, {"KB", K, K}, {"MB", M, 0}},
	[TFP_MICROS] = {{"us", 1, K}, {"ms", K, K}, {"sec", M, 0}},
	[TFP_NANOS] = {{"ns", 1, K}, {"us", K, K}, {"ms", M, K}, {"sec", G, 0}},
	[TFP_PICOS] = {{"ps", 1, K}, {"ns", K, K}, {"us", M, K}, {"ms", G, K}, {"sec", T, 0}},
	[TFP_RATE] = {{"", 1, K}, {"k", K, K}, {"m", M, K}, {"b", G, 0}},
};

static const struct step screen_scales[][STEPS] = {
	[TFP_COUNT] = {{"", 1, K}, {"k", K, K}, {"m", M, K}, {"b", G, K}, {"t", T, 0}},
	[TFP_BYTES] = {{"B", 1, K}, {"KB", K, K}, {"MB", M, K}, {"GB", G, K}, {"TB", T, 0}},
	[TFP_MICROS] =
		{{"us", 1, K}, {"ms", K, K}, {"s", M, 60}, {"min", 60 * M, 60}, {"h", 3600 * M, 0}},
	[TFP_NANOS] = {{"ns", 1, K},
		       {"us", K, K},
		       {"ms", M, K},
		       {"s", G, 60},
		       {"min", 60 * G, 60},
		       {"h", 3600 * G, 0}},
	[TFP_PICOS] = {{"ps", 1, K},
		       {"ns", K, K},
		       {"us", M, K},
		       {"ms", G, K},
		       {"s", T, 60},
		       {"min", 60 * T, 60},
		       {"h", 3600 * T, 0}},
	[TFP_RATE] = {{"/s", 1, K}, {"k/s", K, K}, {"M/s", M, K}, {"G/s", G, K}, {"T/s", T, 0}},
};

/* Writes the digits of VALUE so that they end before END; returns their start. */
static char *digits_before(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return end;
}

/* The hundredths of VALUE / UNIT as printf("%.2f") of the double quotient rounds them. */
static uint64_t hundredths_by_printf(uint64_t value, uint64_t unit)
{
	char text[64];
	uint64_t sum = 0;

	snprintf(text, sizeof(text), "%.2f", (double)value / (double)unit);
	for (const char *at = text; *at; at++)
		if (*at >= '0' && *at <= '9')
			sum = sum * 10 + (uint64_t)(*at - '0');
	return sum;
}

/*
 * The same, in integers where that is sure to agree. The double quotient is off by less than one
 * part in 2^53, so it falls on the same side of every half hundredth, unless it is meant to stand
 * exactly on one: then the error decides, and the slow way knows it.
 */
static uint64_t hundredths(uint64_t value, uint64_t unit)
{
	uint64_t rest;

	if (unit > G || value / unit >= M)
		return hundredths_by_printf(value, unit);
	rest = value * 100 % unit;
	if (rest * 2 == unit)
		return hundredths_by_printf(value, unit);
	return value * 100 / unit + (rest * 2 > unit);
}

static char *print_plain(char *buffer, bool minus, uint64_t value, const char *suffix)
{
	char digits[24], *end = digits + sizeof(digits), *start = digits_before(end, value);
	size_t size = (size_t)(end - start);

	if (minus)
		buffer[0] = '-';
	memcpy(buffer + minus, start, size);
	strcpy(buffer + minus + size, suffix);
	return buffer;
}

static char *print_hundredths(char *buffer, bool minus, uint64_t value, const char *suffix)
{
	char digits[28], *end = digits + sizeof(digits), *start;
	size_t size;

	*--end = (char)('0' + value % 10);
	*--end = (char)('0' + value / 10 % 10);
	*--end = '.';
	start = digits_before(end, value / 100);
	size = (size_t)(digits + sizeof(digits) - start);
	if (minus)
		buffer[0] = '-';
	memcpy(buffer + minus, start, size);
	strcpy(buffer + minus + size, suffix);
	return buffer;
}

char *tfp_number_compat(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value)
{
	const struct step *step = compat_scales[unit];
	uint64_t size = (uint64_t)value;

	if (value < 0)
		return print_plain(buffer, true, 0 - size, step->suffix);
	while (step->next && size / step->value >= step->next)
		step++;
	if (step->value == 1)
		return print_plain(buffer, false, size, step->suffix);
	return print_hundredths(buffer, false, hundredths(size, step->value), step->suffix);
}

char *tfp_number_screen(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value)
{
	const struct step *step = screen_scales[unit];
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, parts;

	while (step->next && size / step->value >= step->next)
		step++;
	if (step->value == 1)
		return print_plain(buffer, value < 0, size, step->suffix);
	parts = hundredths(size, step->value);
	if (step->next && parts >= step->next * 100) {
		step++;
		parts = hundredths(size, step->value);
	}
	return print_hundredths(buffer, value < 0, parts, step->suffix);
}

char *tfp_number_exact(char buffer[TFP_NUMBER_ROOM], int64_t value)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char text[TFP_NUMBER_ROOM], *end = text + sizeof(text), *at = end;
	unsigned int count = 0;

	*--at = '\0';
	do {
		if (count && count % 3 == 0)
			*--at = ',';
		*--at = (char)('0' + size % 10);
		size /= 10;
		count++;
	} while (size);
	if (value < 0)
		*--at = '-';
	return memcpy(buffer, at, (size_t)(end - at));
}

bool tfp_number_parse(const char *text, int64_t *value)
{
	bool minus = *text == '-';
	int64_t sum = 0;

	if (*text == '-' || *text == '+')
		text++;
	if (!*text)
		return false;
	for (; *text; text++) {
		int64_t digit = *text - '0';

		if (digit < 0 || digit > 9)
			return false;
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, minus ? -digit : digit, &sum))
			return false;
	}
	*value = sum;
	return true;
}
