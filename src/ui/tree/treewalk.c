/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going through the tree: open and close, in and out, from sibling to sibling.
 */
#include "ui/tree/treepane.h"

static bool move_to(struct tfp_treepane *pane, size_t index)
{
	bool moved = index != pane->list.cursor;

	pane->list.count = pane->rows.count;
	pane->list.cursor = index;
	tfp_scroll_settle(&pane->list);
	return moved;
}

/* Opens the cursor's row, or goes to its first child when it is open. */
bool tfp_treepane_forward(struct tfp_treepane *pane)
{
	size_t cursor = pane->list.cursor;

	if (tfp_treepane_row(pane) == TFP_NONE ||
	    !tfp_rows_can_open(&pane->rows, tfp_treepane_row(pane)))
		return false;
	if (tfp_rows_is_open(&pane->rows, cursor))
		return move_to(pane, cursor + 1);
	tfp_rows_open(&pane->rows, cursor);
	move_to(pane, cursor);
	return true;
}

/* Closes the cursor's row, or goes to its parent when it is closed. */
bool tfp_treepane_back(struct tfp_treepane *pane)
{
	size_t cursor = pane->list.cursor;

	if (tfp_treepane_row(pane) == TFP_NONE)
		return false;
	if (!tfp_rows_is_open(&pane->rows, cursor))
		return tfp_treepane_parent(pane);
	tfp_rows_close(&pane->rows, cursor);
	move_to(pane, cursor);
	return true;
}

bool tfp_treepane_toggle(struct tfp_treepane *pane)
{
	size_t cursor = pane->list.cursor;

	if (tfp_treepane_row(pane) == TFP_NONE ||
	    !tfp_rows_can_open(&pane->rows, tfp_treepane_row(pane)))
		return false;
	if (tfp_rows_is_open(&pane->rows, cursor))
		tfp_rows_close(&pane->rows, cursor);
	else
		tfp_rows_open(&pane->rows, cursor);
	move_to(pane, cursor);
	return true;
}

bool tfp_treepane_parent(struct tfp_treepane *pane)
{
	if (tfp_treepane_row(pane) == TFP_NONE)
		return false;
	return move_to(pane, tfp_rows_parent(&pane->rows, pane->list.cursor));
}

bool tfp_treepane_sibling(struct tfp_treepane *pane, bool next)
{
	const struct tfp_rows *rows = &pane->rows;
	size_t cursor = pane->list.cursor, index;
	uint32_t level;

	if (tfp_treepane_row(pane) == TFP_NONE)
		return false;
	if (!next)
		return move_to(pane, tfp_rows_before(rows, cursor));
	level = tfp_rows_at(rows, cursor).level;
	index = tfp_rows_end(rows, cursor);
	if (index >= rows->count || tfp_rows_at(rows, index).level != level)
		return false;
	return move_to(pane, index);
}

bool tfp_treepane_open_below(struct tfp_treepane *pane)
{
	size_t before = pane->rows.count;

	if (tfp_treepane_row(pane) == TFP_NONE)
		return false;
	tfp_rows_set_below(&pane->rows, pane->list.cursor, true);
	move_to(pane, pane->list.cursor);
	return pane->rows.count != before;
}

/* Opens all; or closes all but the root, with the cursor on what then stands for its row. */
bool tfp_treepane_set_all(struct tfp_treepane *pane, bool open)
{
	uint32_t row = tfp_treepane_row(pane);
	size_t index = pane->list.cursor, parent, before = pane->rows.count;

	if (row == TFP_NONE || pane->rows.tree->query.flat)
		return false;
	if (!open)
		while ((parent = tfp_rows_parent(&pane->rows, index)) != index && parent > 0)
			index = parent;
	row = tfp_rows_at(&pane->rows, index).row;
	tfp_rows_set_below(&pane->rows, 0, open);
	if (!open)
		tfp_rows_open(&pane->rows, 0);
	move_to(pane, tfp_rows_find(&pane->rows, row));
	return pane->rows.count != before;
}
