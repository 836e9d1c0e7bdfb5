/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A column of numbers in half of their room, for millions of them: ids of which there are few, or indices of what lies
 * near by. A page of them has a base, and each says how far above that it is; where one is too far the page
 * keeps whole numbers. What was never set is TFP_NONE, and takes no memory by whole pages.
 */
#ifndef TFPROF_NEAR_H
#define TFPROF_NEAR_H

#include "tfprof/base.h"

#define TFP_NEAR_BITS 8 /* numbers of a page, as a power of two */

struct tfp_near_page {
	uint32_t *wide; /* the numbers themselves, else NULL */
	uint32_t base;
	bool near; /* they are above the base; with neither, all are TFP_NONE */
};

/* Zero: without room. */
struct tfp_near {
	uint16_t *low; /* UINT16_MAX: TFP_NONE */
	struct tfp_near_page *pages;
	size_t room;
};

/* Makes room for ROOM numbers, which is not less than before. */
void tfp_near_resize(struct tfp_near *column, size_t room);
void tfp_near_free(struct tfp_near *column);
/* What it takes of memory. */
size_t tfp_near_bytes(const struct tfp_near *column);
/* Sets the COUNT numbers from FROM on: of whole pages what they were takes no more room. */
void tfp_near_fill(struct tfp_near *column, size_t from, size_t count, const uint32_t *values);
/* Makes those TFP_NONE again: whole pages take no more memory then. */
void tfp_near_clear(struct tfp_near *column, size_t from, size_t count);
/* As tfp_near_set, of whatever does not fit. */
void tfp_near_fit(struct tfp_near *column, size_t at, uint32_t value);

static inline uint32_t tfp_near_get(const struct tfp_near *column, size_t at)
{
	const struct tfp_near_page *page = &column->pages[at >> TFP_NEAR_BITS];
	uint16_t low;

	if (!page->near)
		return page->wide ? page->wide[at & ((1u << TFP_NEAR_BITS) - 1)] : TFP_NONE;
	low = column->low[at];
	return low == UINT16_MAX ? TFP_NONE : page->base + low;
}

static inline void tfp_near_set(struct tfp_near *column, size_t at, uint32_t value)
{
	const struct tfp_near_page *page = &column->pages[at >> TFP_NEAR_BITS];

	if (page->near && value - page->base < UINT16_MAX)
		column->low[at] = (uint16_t)(value - page->base);
	else
		tfp_near_fit(column, at, value);
}

/*
 * Sets numbers one after another, a page at once: of a page that holds others, far from them, each alone would be fitted in anew. Those that are
 * there are read until then. Start with COLUMN and AT, where the first goes; end with tfp_near_flush.
 */
struct tfp_near_writer {
	struct tfp_near *column;
	size_t at, count;
	uint32_t values[1u << TFP_NEAR_BITS];
};

void tfp_near_flush(struct tfp_near_writer *writer);

static inline void tfp_near_write(struct tfp_near_writer *writer, uint32_t value)
{
	writer->values[writer->count++] = value;
	if (((writer->at + writer->count) & ((1u << TFP_NEAR_BITS) - 1)) == 0)
		tfp_near_flush(writer);
}

#endif
