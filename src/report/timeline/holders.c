/* SPDX-License-Identifier: Apache-2.0 */
/* Who holds most: see holders.h. */
#include "report/timeline/holders.h"

#include <stdlib.h>
#include <string.h>

#define BITS 64

static int compare_held(const void *left, const void *right)
{
	const struct tfp_held *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->change < b->change ? -1 : a->change > b->change;
}

void tfp_holders_start(struct tfp_holders *holders, struct tfp_held *changes, uint32_t count,
		       uint32_t nodes)
{
	uint32_t words = count;

	*holders = (struct tfp_holders){.held = changes, .count = count};
	if (count)
		qsort(changes, count, sizeof(*changes), compare_held);
	holders->rank = tfp_realloc_array(NULL, (size_t)count + 1, sizeof(*holders->rank));
	for (uint32_t i = 0; i < count; i++)
		holders->rank[changes[i].change] = i;
	holders->now = tfp_realloc_array(NULL, (size_t)nodes + 1, sizeof(*holders->now));
	memset(holders->now, 0xff, ((size_t)nodes + 1) * sizeof(*holders->now));
	do {
		words = words / BITS + 1;
		holders->words[holders->levels] = words;
		holders->level[holders->levels++] = tfp_alloc_zero(words, sizeof(uint64_t));
	} while (words > 1);
}

void tfp_holders_free(struct tfp_holders *holders)
{
	tfp_array_release(holders->held);
	tfp_array_release(holders->rank);
	tfp_array_release(holders->now);
	for (int i = 0; i < holders->levels; i++)
		free(holders->level[i]);
	*holders = (struct tfp_holders){0};
}

static void set_bit(struct tfp_holders *holders, uint32_t at)
{
	for (int i = 0; i < holders->levels; i++, at /= BITS) {
		uint64_t *word = &holders->level[i][at / BITS], before = *word;

		*word |= (uint64_t)1 << at % BITS;
		if (before)
			return;
	}
}

static void clear_bit(struct tfp_holders *holders, uint32_t at)
{
	for (int i = 0; i < holders->levels; i++, at /= BITS) {
		uint64_t *word = &holders->level[i][at / BITS];

		*word &= ~((uint64_t)1 << at % BITS);
		if (*word)
			return;
	}
}

/* The first bit from AT on; TFP_NONE: none. */
static uint32_t next_bit(const struct tfp_holders *holders, uint32_t at)
{
	for (int i = 0; i < holders->levels && at / BITS < holders->words[i]; i++) {
		uint64_t bits = holders->level[i][at / BITS] >> at % BITS;

		if (!bits) {
			at = at / BITS + 1;
			continue;
		}
		at += (uint32_t)__builtin_ctzll(bits);
		while (i-- > 0)
			at = at * BITS + (uint32_t)__builtin_ctzll(holders->level[i][at]);
		return at;
	}
	return TFP_NONE;
}

void tfp_holders_change(struct tfp_holders *holders, uint32_t change)
{
	uint32_t rank = holders->rank[change];
	uint32_t *now = &holders->now[holders->held[rank].node];

	if (*now != TFP_NONE)
		clear_bit(holders, *now);
	*now = holders->held[rank].value > 0 ? rank : TFP_NONE;
	if (*now != TFP_NONE)
		set_bit(holders, rank);
}

/* The first rank from LOW on whose value is at most BYTES. */
static uint32_t find_rank(const struct tfp_holders *holders, uint32_t low, int64_t bytes)
{
	uint32_t high = holders->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (holders->held[middle].value > bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t tfp_holders_top(const struct tfp_holders *holders, int64_t bytes,
		       const struct tfp_held **top, size_t room, int64_t *rest)
{
	uint32_t rank = 0;
	size_t count = 0;

	while (count < room) {
		rank = next_bit(holders, find_rank(holders, rank, bytes));
		if (rank == TFP_NONE)
			break;
		top[count++] = &holders->held[rank++];
		bytes -= top[count - 1]->value;
	}
	*rest = bytes;
	return count;
}
