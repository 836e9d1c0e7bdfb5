/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorting what is nearly in order: the stretches that are in order are merged, two neighbours at a time. Of those that do not
 * overlap nothing is moved.
 */
#include <string.h>

#include "tfprof/base.h"

struct sorter {
	char *at, *other; /* OTHER is scratch */
	size_t size;
	int (*compare)(const void *left, const void *right, void *data);
	void *data;
	TFP_ARRAY(size_t) ends; /* of stretches in order, each behind the one before */
};

static bool in_order(const struct sorter *sorter, const char *left, const char *right)
{
	return sorter->compare(left, right, sorter->data) <= 0;
}

static void find_ends(struct sorter *sorter, size_t count)
{
	const char *at = sorter->at;
	size_t size = sorter->size;

	for (size_t i = 1; i < count; i++)
		if (!in_order(sorter, at + (i - 1) * size, at + i * size))
			*tfp_array_push(&sorter->ends) = i;
	*tfp_array_push(&sorter->ends) = count;
}

/* Merges what is from FROM to MIDDLE with what is from there to END. */
static void merge(struct sorter *sorter, size_t from, size_t middle, size_t end)
{
	size_t size = sorter->size;
	char *to = sorter->at + from * size, *right = sorter->at + middle * size;
	char *last = sorter->at + end * size, *left = sorter->other, *left_end;

	while (to < right && in_order(sorter, to, right))
		to += size;
	left_end = left + (right - to);
	memcpy(left, to, (size_t)(right - to));
	for (; left < left_end && right < last; to += size) {
		char **next = in_order(sorter, left, right) ? &left : &right;

		memcpy(to, *next, size);
		*next += size;
	}
	memcpy(to, left, (size_t)(left_end - left));
}

static void merge_all(struct sorter *sorter)
{
	size_t *ends = sorter->ends.at, count = sorter->ends.count;

	for (; count > 1; count -= count / 2) {
		size_t from = 0;

		for (size_t i = 0; i + 1 < count; i += 2) {
			const char *right = sorter->at + ends[i] * sorter->size;

			if (!in_order(sorter, right - sorter->size, right))
				merge(sorter, from, ends[i], ends[i + 1]);
			from = ends[i / 2] = ends[i + 1];
		}
		if (count % 2)
			ends[count / 2] = ends[count - 1];
	}
}

void tfp_sort_nearly(void *at, size_t count, size_t size,
		     int (*compare)(const void *left, const void *right, void *data), void *data)
{
	struct sorter sorter = {.at = at, .size = size, .compare = compare, .data = data};

	find_ends(&sorter, count);
	if (sorter.ends.count > 1) {
		sorter.other = tfp_realloc_array(NULL, count, size);
		merge_all(&sorter);
		tfp_array_release(sorter.other);
	}
	tfp_array_free(&sorter.ends);
}
