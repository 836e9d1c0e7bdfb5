/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving in rows.
 */
#include "ui/tree/scroll.h"

static size_t moved(size_t from, size_t last, size_t page, enum tfp_move move)
{
	size_t half = page / 2 ? page / 2 : 1;
	const size_t steps[] = {
		[TFP_MOVE_DOWN] = 1,       [TFP_MOVE_UP] = 1,           [TFP_MOVE_HALF_DOWN] = half,
		[TFP_MOVE_HALF_UP] = half, [TFP_MOVE_PAGE_DOWN] = page, [TFP_MOVE_PAGE_UP] = page,
		[TFP_MOVE_FIRST] = last,   [TFP_MOVE_LAST] = last,
	};
	bool up = move == TFP_MOVE_UP || move == TFP_MOVE_HALF_UP || move == TFP_MOVE_PAGE_UP ||
		  move == TFP_MOVE_FIRST;
	size_t left = up ? from : last - from, step = steps[move] < left ? steps[move] : left;

	return up ? from - step : from + step;
}

static void clamp(struct tfp_scroll *list)
{
	size_t height = list->height;

	if (list->cursor >= list->count)
		list->cursor = list->count ? list->count - 1 : 0;
	if (!height)
		return; /* not drawn yet */
	if (list->top > list->cursor)
		list->top = list->cursor;
	if (list->cursor - list->top >= height)
		list->top = list->cursor - height + 1;
	if (list->top && list->top + height > list->count)
		list->top = list->count > height ? list->count - height : 0;
}

void tfp_scroll_settle(struct tfp_scroll *list)
{
	clamp(list);
	if (list->height != 1) /* one row is no place to stand in */
		list->wish = list->cursor - list->top;
}

void tfp_scroll_resize(struct tfp_scroll *list, size_t height)
{
	if (height != list->height)
		list->top = list->cursor > list->wish ? list->cursor - list->wish : 0;
	list->height = height;
	clamp(list);
}

/* A page moves the rows as well, so that the cursor keeps its place on the screen. */
void tfp_scroll_move(struct tfp_scroll *list, enum tfp_move move)
{
	size_t page = list->height > 1 ? list->height - 1 : 1, before = list->cursor;

	if (!list->count)
		return;
	list->cursor = moved(list->cursor, list->count - 1, page, move);
	if (move >= TFP_MOVE_HALF_DOWN && move <= TFP_MOVE_PAGE_UP) {
		if (list->cursor > before)
			list->top += list->cursor - before;
		else
			list->top -= list->top < before - list->cursor ? list->top
								       : before - list->cursor;
	}
	tfp_scroll_settle(list);
}

void tfp_scroll_view(struct tfp_scroll *list, enum tfp_move move)
{
	size_t page = list->height > 1 ? list->height - 1 : 1;
	size_t last = list->count > list->height ? list->count - list->height : 0;

	if (list->top > last)
		list->top = last;
	list->top = moved(list->top, last, page, move);
}

void tfp_scroll_turn(struct tfp_scroll *list, bool down, size_t rows)
{
	for (; rows; rows--)
		tfp_scroll_view(list, down ? TFP_MOVE_DOWN : TFP_MOVE_UP);
	if (list->cursor < list->top)
		list->cursor = list->top;
	if (list->height && list->cursor >= list->top + list->height)
		list->cursor = list->top + list->height - 1;
	tfp_scroll_settle(list);
}
