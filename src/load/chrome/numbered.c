/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts events by their numbers, and finds them: see numbered.h. */
#include "load/chrome/numbered.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

static inline uint32_t digit_of(const struct numbered *it, int shift)
{
	return it->number >> shift & (DIGITS - 1);
}

/* Puts the COUNT at FROM to TO by one digit of their numbers; those in which it is equal keep their order. */
static void sort_digit(const struct numbered *from, struct numbered *to, size_t count, int shift)
{
	size_t place[DIGITS + 1] = {0};

	for (size_t i = 0; i < count; i++)
		place[digit_of(&from[i], shift) + 1]++;
	for (size_t i = 1; i < DIGITS; i++)
		place[i] += place[i - 1];
	for (size_t i = 0; i < count; i++)
		to[place[digit_of(&from[i], shift)]++] = from[i];
}

void numbered_sort(struct numbered *at, size_t count)
{
	struct numbered *other;
	size_t i = 1;

	while (i < count && at[i - 1].number <= at[i].number)
		i++;
	if (i >= count)
		return;
	other = tfp_realloc_array(NULL, count, sizeof(*other));
	sort_digit(at, other, count, 0);
	sort_digit(other, at, count, DIGIT_BITS);
	sort_digit(at, other, count, 2 * DIGIT_BITS);
	memcpy(at, other, count * sizeof(*at));
	tfp_array_release(other);
}

/* Events near each other have numbers near each other: steps from HINT on grow. */
size_t numbered_place(const struct numbered *at, size_t count, uint32_t number, size_t hint)
{
	size_t low = 0, high = count, step = 1;

	if (hint < count && at[hint].number < number) {
		for (low = hint + 1; low + step < count && at[low + step].number < number;
		     step *= 2)
			low += step;
		high = low + step < count ? low + step : count;
	} else if (hint < count) {
		for (high = hint; high >= step && at[high - step].number >= number; step *= 2)
			high -= step;
		low = high >= step ? high - step : 0;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t numbered_find(const struct numbered *at, size_t count, uint32_t number, size_t *hint)
{
	size_t place = numbered_place(at, count, number, *hint);

	*hint = place;
	return place < count && at[place].number == number ? at[place].event : TFP_NONE;
}
