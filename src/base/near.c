/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of numbers in half of their room: how the base of a page is chosen, and when it has none. */
#include "tfprof/near.h"

#include <string.h>

#define PAGE ((size_t)1 << TFP_NEAR_BITS)
#define MOST (UINT16_MAX - 1) /* a number above its base */

static size_t pages_of(size_t numbers)
{
	return (numbers + PAGE - 1) / PAGE;
}

void tfp_near_resize(struct tfp_near *column, size_t room)
{
	size_t before = pages_of(column->room), pages = pages_of(room);

	column->room = room;
	if (pages <= before)
		return;
	column->low = tfp_realloc_array(column->low, pages * PAGE, sizeof(*column->low));
	column->pages = tfp_realloc_array(column->pages, pages, sizeof(*column->pages));
	memset(column->pages + before, 0, (pages - before) * sizeof(*column->pages));
}

void tfp_near_free(struct tfp_near *column)
{
	for (size_t i = 0; i < pages_of(column->room); i++)
		tfp_array_release(column->pages[i].wide);
	tfp_array_release(column->pages);
	tfp_array_release(column->low);
	*column = (struct tfp_near){0};
}

size_t tfp_near_bytes(const struct tfp_near *column)
{
	size_t bytes = pages_of(column->room) * sizeof(*column->pages);

	for (size_t i = 0; i < pages_of(column->room); i++) {
		if (column->pages[i].near)
			bytes += PAGE * sizeof(*column->low);
		if (column->pages[i].wide)
			bytes += PAGE * sizeof(*column->pages[i].wide);
	}
	return bytes;
}

/* ---- a page ----------------------------------------------------------------------------------- */

/* The least and the most of VALUES that are numbers. False: none is. */
static bool measure(const uint32_t values[PAGE], uint32_t *least, uint32_t *most)
{
	*least = TFP_NONE;
	*most = 0;
	for (size_t i = 0; i < PAGE; i++) {
		if (values[i] == TFP_NONE)
			continue;
		*least = values[i] < *least ? values[i] : *least;
		*most = values[i] > *most ? values[i] : *most;
	}
	return *least <= *most;
}

/* The room that is left goes to both sides, as far as there are numbers. */
static uint32_t base_for(uint32_t least, uint32_t most)
{
	uint32_t side = (MOST - (most - least)) / 2, last = TFP_NONE - UINT16_MAX;

	if (least < side)
		return 0;
	return least - side < last ? least - side : last;
}

static void pack(struct tfp_near *column, size_t number, const uint32_t values[PAGE])
{
	struct tfp_near_page *page = &column->pages[number];
	uint16_t *low = column->low + number * PAGE;
	uint32_t least, most;
	bool any = measure(values, &least, &most);

	page->near = any && most - least <= MOST;
	if (any && !page->near) {
		if (!page->wide)
			page->wide = tfp_realloc_array(NULL, PAGE, sizeof(*page->wide));
		memcpy(page->wide, values, PAGE * sizeof(*values));
		return;
	}
	tfp_array_release(page->wide);
	page->wide = NULL;
	if (!any)
		return;
	page->base = base_for(least, most);
	for (size_t i = 0; i < PAGE; i++)
		low[i] = values[i] == TFP_NONE ? UINT16_MAX : (uint16_t)(values[i] - page->base);
}

void tfp_near_fit(struct tfp_near *column, size_t at, uint32_t value)
{
	struct tfp_near_page *page = &column->pages[at / PAGE];
	uint32_t values[PAGE];

	if (page->wide) {
		page->wide[at % PAGE] = value;
	} else if (page->near && value != TFP_NONE) {
		for (size_t i = 0; i < PAGE; i++)
			values[i] = tfp_near_get(column, at / PAGE * PAGE + i);
		values[at % PAGE] = value;
		pack(column, at / PAGE, values);
	} else if (page->near) {
		column->low[at] = UINT16_MAX;
	} else if (value != TFP_NONE) {
		memset(column->low + at / PAGE * PAGE, 0xff, PAGE * sizeof(*column->low));
		page->near = true;
		page->base = base_for(value, value);
		column->low[at] = (uint16_t)(value - page->base);
	}
}

void tfp_near_fill(struct tfp_near *column, size_t from, size_t count, const uint32_t *values)
{
	size_t end = from + count;

	while (from < end) {
		if (from % PAGE || end - from < PAGE) {
			tfp_near_set(column, from++, *values++);
			continue;
		}
		pack(column, from / PAGE, values);
		from += PAGE;
		values += PAGE;
	}
}

void tfp_near_flush(struct tfp_near_writer *writer)
{
	tfp_near_fill(writer->column, writer->at, writer->count, writer->values);
	writer->at += writer->count;
	writer->count = 0;
}

void tfp_near_clear(struct tfp_near *column, size_t from, size_t count)
{
	size_t end = from + count;

	while (from < end) {
		struct tfp_near_page *page = &column->pages[from / PAGE];

		if (from % PAGE || end - from < PAGE) {
			tfp_near_set(column, from++, TFP_NONE);
			continue;
		}
		tfp_array_release(page->wide);
		*page = (struct tfp_near_page){0};
		from += PAGE;
	}
}
