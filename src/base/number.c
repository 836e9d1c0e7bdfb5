/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of numbers. Digits are written here rather than by printf: a report has millions of
 * them, and a locale must not turn the point into a comma.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tfprof/base.h"

/* One unit of a scale: VALUE of the base unit make one, and so many of it make the next. */
struct step {
	char suffix[7];
	uint8_t suffix_size;
	uint64_t value;
	uint64_t next; /* 0: this is the last */
};

#define STEPS 7
#define K     UINT64_C(1000)
#define M     (1000 * K)
#define G     (1000 * M)
#define T     (1000 * G)
#define P     (1000 * T)

#define STEP(suffix, value, next)                                                                  \
	{                                                                                          \
		suffix, sizeof(suffix) - 1, value, next                                            \
	}

static const struct step compat_scales[][STEPS] = {
	[TFP_COUNT] = {STEP("", 1, K), STEP("k", K, K), STEP("m", M, K), STEP("b", G, 0)},
	[TFP_BYTES] = {STEP("B", 1, K), STEP("KB", K, K), STEP("MB", M, 0)},
	[TFP_MICROS] = {STEP("us", 1, K), STEP("ms", K, K), STEP("sec", M, 0)},
	[TFP_NANOS] = {STEP("ns", 1, K), STEP("us", K, K), STEP("ms", M, K), STEP("sec", G, 0)},
	[TFP_PICOS] = {STEP("ps", 1, K), STEP("ns", K, K), STEP("us", M, K), STEP("ms", G, K),
		       STEP("sec", T, 0)},
	[TFP_RATE] = {STEP("", 1, K), STEP("k", K, K), STEP("m", M, K), STEP("b", G, 0)},
	[TFP_DATE] = {STEP("", 1, 0)},
	[TFP_WORDS] = {STEP("", 1, 0)},
};

/* No text is longer than "-999.99MB", so that a column of figures holds whatever a file says. */
static const struct step screen_scales[][STEPS] = {
	[TFP_COUNT] = {STEP("", 1, K), STEP("k", K, K), STEP("M", M, K), STEP("G", G, K),
		       STEP("T", T, K), STEP("P", P, 0)},
	[TFP_BYTES] = {STEP("B", 1, K), STEP("KB", K, K), STEP("MB", M, K), STEP("GB", G, K),
		       STEP("TB", T, K), STEP("PB", P, 0)},
	[TFP_MICROS] = {STEP("us", 1, K), STEP("ms", K, K), STEP("s", M, 60),
			STEP("min", 60 * M, 60), STEP("h", 3600 * M, 8760),
			STEP("y", 8760 * 3600 * M, 0)},
	[TFP_NANOS] = {STEP("ns", 1, K), STEP("us", K, K), STEP("ms", M, K), STEP("s", G, 60),
		       STEP("min", 60 * G, 60), STEP("h", 3600 * G, 8760),
		       STEP("y", 8760 * 3600 * G, 0)},
	[TFP_PICOS] = {STEP("ps", 1, K), STEP("ns", K, K), STEP("us", M, K), STEP("ms", G, K),
		       STEP("s", T, 60), STEP("min", 60 * T, 60), STEP("h", 3600 * T, 0)},
	[TFP_RATE] = {STEP("/s", 1, K), STEP("k/s", K, K), STEP("M/s", M, K), STEP("G/s", G, K),
		      STEP("T/s", T, K), STEP("P/s", P, 0)},
	[TFP_DATE] = {STEP("", 1, 0)},
	[TFP_WORDS] = {STEP("", 1, 0)},
};

/* Hundredths from which on a text has none. */
#define LARGE (100000 * 100)

/* Writes the digits of VALUE so that they end before END; returns their start. */
static char *digits_before(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return end;
}

/* Writes the digits of VALUE at TO; returns their end. */
static inline char *put_digits(char *to, uint64_t value)
{
	char *end = to + 1;

	for (uint64_t left = value; left >= 10; left /= 10)
		end++;
	digits_before(end, value);
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

/* The two below write a number with the suffix of STEP at TO and return its end. */

static inline char *put_plain(char *to, bool minus, uint64_t value, const struct step *step)
{
	if (minus)
		*to++ = '-';
	to = put_digits(to, value);
	memcpy(to, step->suffix, sizeof(step->suffix));
	return to + step->suffix_size;
}

static inline char *put_hundredths(char *to, bool minus, uint64_t value, const struct step *step)
{
	if (minus)
		*to++ = '-';
	to = put_digits(to, value / 100);
	*to++ = '.';
	*to++ = (char)('0' + value / 10 % 10);
	*to++ = (char)('0' + value % 10);
	memcpy(to, step->suffix, sizeof(step->suffix));
	return to + step->suffix_size;
}

char *tfp_number_put(char to[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value)
{
	const struct step *step = compat_scales[unit];
	uint64_t size = (uint64_t)value;

	if (value < 0)
		return put_plain(to, true, 0 - size, step);
	while (step->next && size >= step->value * step->next)
		step++;
	if (step->value == 1)
		return put_plain(to, false, size, step);
	return put_hundredths(to, false, hundredths(size, step->value), step);
}

char *tfp_number_compat(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value)
{
	*tfp_number_put(buffer, unit, value) = '\0';
	return buffer;
}

/* "2026-11-28 05:31"; false where the calendar has no such time. */
static bool put_date(char buffer[TFP_NUMBER_ROOM], int64_t seconds)
{
	time_t time = (time_t)seconds;
	struct tm parts;

	return localtime_r(&time, &parts) &&
	       strftime(buffer, TFP_NUMBER_ROOM, "%Y-%m-%d %H:%M", &parts);
}

char *tfp_number_screen(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t value)
{
	const struct step *step = screen_scales[unit];
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value, parts;

	if (unit == TFP_DATE && put_date(buffer, value))
		return buffer;
	while (step->next && size / step->value >= step->next)
		step++;
	if (step->value == 1) {
		*put_plain(buffer, value < 0, size, step) = '\0';
		return buffer;
	}
	parts = hundredths(size, step->value);
	if (step->next && parts >= step->next * 100) {
		step++;
		parts = hundredths(size, step->value);
	}
	if (parts >= LARGE)
		*put_plain(buffer, value < 0, (parts + 50) / 100, step) = '\0';
	else
		*put_hundredths(buffer, value < 0, parts, step) = '\0';
	return buffer;
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

char *tfp_number_tick(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t time, int64_t step)
{
	static const char *const units[] = {"ps", "ns", "us", "ms", "s"};
	size_t at = unit == TFP_PICOS ? 0 : 1;
	int64_t scale = 1;

	while (at + 1 < sizeof(units) / sizeof(*units) && step / scale >= 1000) {
		scale *= 1000;
		at++;
	}
	return strcat(tfp_number_exact(buffer, time / scale), units[at]);
}

#define TOLD_APART 100 /* parts of a time that two decimals tell apart, whatever it is */

void tfp_number_times(char from_text[TFP_NUMBER_ROOM], char to_text[TFP_NUMBER_ROOM],
		      enum tfp_unit unit, int64_t from, int64_t to)
{
	int64_t span = (int64_t)((uint64_t)to - (uint64_t)from);

	if (span >= to / TOLD_APART) {
		tfp_number_screen(from_text, unit, from);
		tfp_number_screen(to_text, unit, to);
		return;
	}
	tfp_number_tick(from_text, unit, from, span);
	tfp_number_tick(to_text, unit, to, span);
}

/* "1.503s": TIME in the unit that it has on the screen, seconds at most, with decimals that tell what is APART. */
static char *put_apart(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t time,
		       uint64_t apart)
{
	const struct step *step = screen_scales[unit];
	uint64_t size = time < 0 ? 0 - (uint64_t)time : (uint64_t)time, least;
	char *to = buffer;

	while (step->next == K && size / step->value >= K)
		step++;
	least = step->value / K;
	while (least > 1 && least > apart)
		least /= 10;
	if (time < 0)
		*to++ = '-';
	to = put_digits(to, size / step->value);
	*to++ = '.';
	for (uint64_t digit = step->value / 10; digit && digit >= least; digit /= 10)
		*to++ = (char)('0' + size / digit % 10);
	memcpy(to, step->suffix, sizeof(step->suffix));
	return buffer;
}

uint64_t tfp_number_nearest(enum tfp_unit unit, const int64_t *times, size_t count)
{
	char text[TFP_NUMBER_ROOM], before[TFP_NUMBER_ROOM];
	uint64_t nearest = UINT64_MAX;

	for (size_t i = 1; i < count; i++) {
		uint64_t apart = (uint64_t)times[i] - (uint64_t)times[i - 1];

		if (apart && apart < nearest &&
		    !strcmp(tfp_number_screen(before, unit, times[i - 1]),
			    tfp_number_screen(text, unit, times[i])))
			nearest = apart;
	}
	return nearest;
}

char *tfp_number_time(char buffer[TFP_NUMBER_ROOM], enum tfp_unit unit, int64_t time,
		      uint64_t apart)
{
	return apart == UINT64_MAX ? tfp_number_screen(buffer, unit, time)
				   : put_apart(buffer, unit, time, apart);
}

char *tfp_number_count(struct tfp_arena *arena, int64_t count, const char *what)
{
	char number[TFP_NUMBER_ROOM];

	return tfp_arena_printf(arena, "%s %s%s", tfp_number_exact(number, count), what,
				count == 1 ? "" : "s");
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

int tfp_number_compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}
