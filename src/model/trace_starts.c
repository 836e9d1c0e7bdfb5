/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When events start: there are millions of times, and those of events that lie together are near each other. So a
 * page of events has a base, and each event how far from it it starts, in half the room of a time. Where that is
 * too far for the room the page keeps whole times.
 */
#include <string.h>

#include "model/tracing.h"

#define PAGE   (1u << TFP_START_PAGE_BITS)
#define COARSE 1000 /* picoseconds that most clocks tick in */

static size_t pages_of(size_t events)
{
	return (events + PAGE - 1) / PAGE;
}

void tfp_trace_resize_starts(struct tfp_trace *trace, size_t before, size_t room)
{
	size_t old = pages_of(before), pages = pages_of(room);

	trace->start_low = tfp_realloc_array(trace->start_low, room, sizeof(*trace->start_low));
	trace->start_pages =
		tfp_realloc_array(trace->start_pages, pages, sizeof(*trace->start_pages));
	if (pages > old)
		memset(trace->start_pages + old, 0, (pages - old) * sizeof(*trace->start_pages));
}

void tfp_trace_copy_starts(struct tfp_trace *to, const struct tfp_trace *from, uint32_t first,
			   uint32_t end)
{
	to->start_low = NULL;
	to->start_pages = NULL;
	tfp_trace_resize_starts(to, 0, from->count + (size_t)1);
	if (end > first)
		memcpy(to->start_low + first, from->start_low + first,
		       (end - first) * sizeof(*to->start_low));
	for (size_t i = first / PAGE; i < pages_of(end); i++) {
		to->start_pages[i] = from->start_pages[i];
		if (!to->start_pages[i].wide)
			continue;
		to->start_pages[i].wide = tfp_realloc_array(NULL, PAGE, sizeof(int64_t));
		memcpy(to->start_pages[i].wide, from->start_pages[i].wide, PAGE * sizeof(int64_t));
	}
}

void tfp_trace_free_starts(struct tfp_trace *trace, size_t room)
{
	for (size_t i = 0; trace->start_pages && i < pages_of(room); i++)
		tfp_array_release(trace->start_pages[i].wide);
	tfp_array_release(trace->start_pages);
	tfp_array_release(trace->start_low);
}

size_t tfp_trace_start_bytes(const struct tfp_trace *trace)
{
	size_t pages = pages_of(trace->room), wide = 0;

	for (size_t i = 0; i < pages; i++)
		wide += trace->start_pages[i].wide != NULL;
	return trace->room * sizeof(*trace->start_low) + pages * sizeof(*trace->start_pages) +
	       wide * PAGE * sizeof(int64_t);
}

/* ---- a page ----------------------------------------------------------------------------------- */

/* The least and the most of COUNT times; whether all are whole ticks of COARSE away from each other. */
static bool measure(const int64_t *values, uint32_t count, int64_t *least, int64_t *most)
{
	bool coarse = true;

	*least = *most = values[0];
	for (uint32_t i = 1; i < count; i++) {
		*least = values[i] < *least ? values[i] : *least;
		*most = values[i] > *most ? values[i] : *most;
	}
	for (uint32_t i = 0; i < count && coarse; i++)
		coarse = ((uint64_t)values[i] - (uint64_t)*least) % COARSE == 0;
	return coarse;
}

/* The room that is left goes to both sides. */
static void set_base(struct tfp_start_page *page, int64_t least, uint64_t ticks, uint32_t tick)
{
	page->tick = tick;
	page->base = (int64_t)((uint64_t)least - (UINT32_MAX - ticks) / 2 * tick);
}

/* Chooses what PAGE counts from, and in what, so that COUNT times fit; false: they do not. COARSE is tried first where it was used. */
static bool choose_base(struct tfp_start_page *page, const int64_t *values, uint32_t count)
{
	int64_t least, most;
	bool coarse = measure(values, count, &least, &most);
	uint64_t range = (uint64_t)most - (uint64_t)least;

	if (coarse && range / COARSE <= UINT32_MAX && (page->tick == COARSE || range > INT32_MAX))
		set_base(page, least, range / COARSE, COARSE);
	else if (range <= UINT32_MAX)
		set_base(page, least, range, 1);
	else
		return false;
	return true;
}

/* Makes COUNT times, of which there are LOW places, all that PAGE has. */
static void pack(struct tfp_start_page *page, uint32_t *low, const int64_t *values, uint32_t count)
{
	page->used = count;
	if (choose_base(page, values, count)) {
		tfp_array_release(page->wide);
		page->wide = NULL;
		for (uint32_t i = 0; i < count; i++)
			tfp_start_low(page, values[i], &low[i]);
		return;
	}
	if (!page->wide)
		page->wide = tfp_realloc_array(NULL, PAGE, sizeof(*page->wide));
	memcpy(page->wide, values, count * sizeof(*values));
}

/* Puts all of the first COUNT times of the page NUMBER. */
static void put_page(struct tfp_trace *trace, size_t number, const int64_t *values, uint32_t count)
{
	pack(&trace->start_pages[number], &trace->start_low[number * PAGE], values, count);
}

/* The times of the page NUMBER. */
static void unpack(const struct tfp_trace *trace, size_t number, int64_t *values)
{
	for (uint32_t i = 0; i < trace->start_pages[number].used; i++)
		values[i] = tfp_trace_start(trace, (uint32_t)(number * PAGE + i));
}

/* ---- times ------------------------------------------------------------------------------------ */

/* The first of a page, or one that does not fit. */
static void set_anew(struct tfp_trace *trace, uint32_t event, int64_t start)
{
	size_t number = event / PAGE;
	struct tfp_start_page *page = &trace->start_pages[number];
	uint32_t at = event % PAGE;
	int64_t values[PAGE];

	if (!page->used && number)
		page->tick = page[-1].tick;
	unpack(trace, number, values);
	for (uint32_t i = page->used; i < at; i++)
		values[i] = start;
	values[at] = start;
	put_page(trace, number, values, at < page->used ? page->used : at + 1);
}

void tfp_trace_set_start(struct tfp_trace *trace, uint32_t event, int64_t start)
{
	struct tfp_start_page *page = &trace->start_pages[event / PAGE];
	uint32_t at = event % PAGE;

	if (page->used && !page->wide && tfp_start_low(page, start, &trace->start_low[event])) {
		page->used = at < page->used ? page->used : at + 1;
	} else if (page->wide) {
		page->wide[at] = start;
		page->used = at < page->used ? page->used : at + 1;
	} else {
		set_anew(trace, event, start);
	}
}

/* Which of the events from FROM to END are in the page NUMBER. */
static void find_part(size_t number, uint32_t from, uint32_t end, uint32_t *first, uint32_t *last)
{
	size_t begin = number * PAGE;

	*first = from > begin ? (uint32_t)(from - begin) : 0;
	*last = end < begin + PAGE ? (uint32_t)(end - begin) : PAGE;
}

/* The time at place AT of PAGE, of which LOW is there. */
static int64_t start_in(const struct tfp_start_page *page, uint32_t low, uint32_t at)
{
	return page->wide ? page->wide[at]
			  : (int64_t)((uint64_t)page->base + (uint64_t)low * page->tick);
}

/* The page NUMBER gets the times of FRESH, at LOW, from its place FIRST to LAST. */
static void take_part(struct tfp_trace *trace, size_t number, struct tfp_start_page *fresh,
		      const uint32_t *low, uint32_t first, uint32_t last)
{
	struct tfp_start_page *page = &trace->start_pages[number];

	if (!first && last == PAGE) {
		tfp_array_release(page->wide);
		*page = *fresh;
		memcpy(&trace->start_low[number * PAGE], low, PAGE * sizeof(*low));
		return;
	}
	for (uint32_t i = first; i < last; i++)
		tfp_trace_set_start(trace, (uint32_t)(number * PAGE + i),
				    start_in(fresh, low[i - first], i - first));
	tfp_array_release(fresh->wide);
}

void tfp_trace_reorder_starts(struct tfp_trace *trace, uint32_t from, uint32_t count,
			      const uint32_t *order, uint32_t *spare)
{
	uint32_t end = from + count, first, last;
	size_t page = from / PAGE, pages = pages_of(end) - page;
	struct tfp_start_page *fresh = tfp_alloc_zero(pages, sizeof(*fresh));
	int64_t values[PAGE];

	for (size_t i = 0; i < pages; i++) {
		uint32_t begin = (uint32_t)((page + i) * PAGE);

		find_part(page + i, from, end, &first, &last);
		for (uint32_t j = first; j < last; j++)
			values[j - first] = tfp_trace_start(trace, order[begin + j - from]);
		fresh[i].tick = trace->start_pages[page + i].tick;
		pack(&fresh[i], &spare[begin + first - from], values, last - first);
	}
	for (size_t i = 0; i < pages; i++) {
		find_part(page + i, from, end, &first, &last);
		take_part(trace, page + i, &fresh[i], &spare[(page + i) * PAGE + first - from],
			  first, last);
	}
	tfp_array_release(fresh);
}

void tfp_trace_move_starts(struct tfp_trace *trace, uint32_t from, uint32_t count, int64_t by)
{
	uint32_t end = from + count, first, last;
	int64_t values[PAGE];

	for (size_t number = from / PAGE; count && number * PAGE < end; number++) {
		uint32_t used = trace->start_pages[number].used;

		find_part(number, from, end, &first, &last);
		unpack(trace, number, values);
		for (uint32_t i = first; i < last; i++)
			values[i] = tfp_wrap_add(values[i], by);
		put_page(trace, number, values, used);
	}
}

void tfp_trace_narrow_starts(struct tfp_trace *trace)
{
	int64_t values[PAGE];

	for (size_t number = 0; number < pages_of(trace->count); number++)
		if (trace->start_pages[number].wide) {
			unpack(trace, number, values);
			put_page(trace, number, values, trace->start_pages[number].used);
		}
}
