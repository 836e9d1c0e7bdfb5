/* SPDX-License-Identifier: Apache-2.0 */
/* Median and percentile without sorting: see quantiles.h. */
#include "view/trace/quantiles.h"

static void exchange(int64_t *a, int64_t *b)
{
	int64_t kept = *a;

	*a = *b;
	*b = kept;
}

static size_t pick(uint64_t *chance, size_t count)
{
	*chance ^= *chance << 13;
	*chance ^= *chance >> 7;
	*chance ^= *chance << 17;
	return *chance % count;
}

/* What stands at place WANTED of AT[0 .. COUNT) when they are in order: puts what is less before it, what is more behind. */
static int64_t select_place(int64_t *at, size_t count, size_t wanted, uint64_t *chance)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		int64_t pivot = at[low + pick(chance, high - low)];
		size_t less = low, more = high, i = low;

		while (i < more) {
			if (at[i] < pivot)
				exchange(&at[i++], &at[less++]);
			else if (at[i] > pivot)
				exchange(&at[i], &at[--more]);
			else
				i++;
		}
		if (wanted < less)
			high = less;
		else if (wanted >= more)
			low = more;
		else
			return pivot;
	}
	return at[low];
}

void tfp_quantiles_find(int64_t *at, size_t count, uint64_t *chance, int64_t found[TFP_QUANTILES])
{
	size_t middle = count / 2, place = count - count / 100 - 1;
	int64_t low, high;

	found[TFP_LEAST] = found[TFP_MOST] = at[0];
	for (size_t i = 1; i < count; i++) {
		found[TFP_LEAST] = at[i] < found[TFP_LEAST] ? at[i] : found[TFP_LEAST];
		found[TFP_MOST] = at[i] > found[TFP_MOST] ? at[i] : found[TFP_MOST];
	}
	high = low = select_place(at, count, middle, chance);
	/* of an even number the other middle is the largest before it */
	for (size_t i = 0; i < middle && count % 2 == 0; i++)
		low = i == 0 || at[i] > low ? at[i] : low;
	found[TFP_MEDIAN] = low + (high - low) / 2;
	found[TFP_P99] =
		place < middle ? high
			       : select_place(at + middle, count - middle, place - middle, chance);
}
