/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The largest of many: a million nodes are not sorted for a pane that shows twenty of them. The
 * best so far are a heap with the worst of them on top, which most of the others do not even beat.
 */
#include <stdlib.h>

#include "view/pane/breakdown.h"

/* Does A come before B? */
static bool before(struct tfp_rank a, struct tfp_rank b)
{
	return a.value != b.value ? a.value > b.value : a.id < b.id;
}

static int compare(const void *left, const void *right)
{
	const struct tfp_rank *a = left, *b = right;

	return before(*a, *b) ? -1 : before(*b, *a);
}

/* Lets ITEM sink from place I of the heap to where nothing below comes after it. */
static void sink(struct tfp_rank *heap, size_t count, size_t i, struct tfp_rank item)
{
	for (size_t child; (child = 2 * i + 1) < count; i = child) {
		if (child + 1 < count && before(heap[child], heap[child + 1]))
			child++;
		if (before(heap[child], item))
			break;
		heap[i] = heap[child];
	}
	heap[i] = item;
}

size_t tfp_rank_largest(struct tfp_rank *items, size_t count)
{
	size_t most = count < TFP_RANK_MOST ? count : TFP_RANK_MOST;

	if (count > most)
		for (size_t i = most / 2; i-- > 0;)
			sink(items, most, i, items[i]);
	for (size_t i = most; i < count; i++) {
		struct tfp_rank worst = items[0];

		if (!before(items[i], worst))
			continue;
		sink(items, most, 0, items[i]);
		items[i] = worst;
	}
	if (most)
		qsort(items, most, sizeof(*items), compare);
	return most;
}
