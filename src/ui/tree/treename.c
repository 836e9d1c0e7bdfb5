/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of rows in the width that there is for them: what tells a row from those near it is not lost.
 */
#include <stdio.h>
#include <string.h>

#include "ui/tree/treename.h"

#define ALIKE_ROWS 20 /* before a row and behind it, from which its name is told apart */

/* Bytes of "file.py:12:" in front of the function of a frame; 0: NAME is not of a frame. */
static size_t place_size(const char *name)
{
	const char *colon = strchr(name, ':'), *dot = strchr(name, '.');
	size_t digits;

	if (!colon || !dot || dot > colon)
		return 0;
	digits = strspn(colon + 1, "0123456789");
	return digits && colon[1 + digits] == ':' ? (size_t)(colon - name) + digits + 2 : 0;
}

size_t tfp_treename_clean(const struct tfp_treepane *pane, const struct tfp_pen *pen,
			  const struct tfp_visible *row, char clean[TFP_CLEAN_ROOM], size_t *kept)
{
	const struct tfp_tree *tree = pane->rows.tree;
	uint32_t above = tfp_rows_above(&pane->rows, row->row);
	struct tfp_arena arena = {0};
	struct tfp_span name =
		tree->query.flat
			? tfp_tree_full_name(tree, row->row, &arena)
			: tfp_tree_name(tree, row->row, above == TFP_NONE ? row->row : above);
	size_t size = tfp_pen_clean(pen, clean, name);

	if (tree->query.flat && tree->base->step)
		*kept = name.size - tfp_base_label(tree->base, row->row).size;
	else
		*kept = place_size(clean);
	tfp_arena_free(&arena);
	return size;
}

/*
 * Where NAME, which is of the row at INDEX (in lists without its step), differs from those of rows near it that would look
 * the same in CELLS cells. Which rows are in sight is no matter: a name does not change when the list is scrolled.
 */
static struct tfp_apart compare_near(const struct tfp_treepane *pane, struct tfp_pen *pen,
				     size_t index, const char *name, size_t size, int cells)
{
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);
	uint32_t row = tfp_rows_at(&pane->rows, index).row,
		 above = tfp_rows_above(&pane->rows, row);
	size_t first = index > ALIKE_ROWS ? index - ALIKE_ROWS : 0;
	struct tfp_apart apart = {{{0}, 0}, {{0}, 0}};

	for (size_t i = first; i < pane->rows.count && i <= index + ALIKE_ROWS; i++) {
		struct tfp_visible near = tfp_rows_at(&pane->rows, i);
		char other[TFP_CLEAN_ROOM];
		size_t kept, all;

		if (i == index || tfp_rows_above(&pane->rows, near.row) != above)
			continue;
		all = tfp_treename_clean(pane, pen, &near, other, &kept);
		if (!pane->rows.tree->base->step)
			kept = 0;
		tfp_text_compare(&apart, name, size, other + kept, all - kept, (size_t)cells, gap);
	}
	return apart;
}

/* Of a gap the beginning says which it is. */
static bool is_gap(const struct tfp_treepane *pane, size_t index)
{
	const struct tfp_base *base = pane->rows.tree->base;

	return base->gap && base->gap[tfp_rows_at(&pane->rows, index).row] != TFP_NONE;
}

/* Of a file the start is lost, of a sentence the end, of a frame a part of its function, else the middle. */
static void shorten(const struct tfp_treepane *pane, struct tfp_pen *pen, size_t index,
		    const char *name, size_t size, size_t kept, int cells, char cut[TFP_CLEAN_ROOM])
{
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);
	const struct tfp_base *base = pane->rows.tree->base;
	const struct tfp_view *view = base->view;
	size_t taken = 0;

	if (view->listing) {
		tfp_text_shorten_start(cut, TFP_CLEAN_ROOM, name, size, (size_t)cells, gap);
		return;
	}
	if ((view->text || is_gap(pane, index)) && tfp_text_cells(name, size) > (size_t)cells) {
		kept = tfp_text_fit(name, size, (size_t)cells - 1, NULL);
		snprintf(cut, TFP_CLEAN_ROOM, "%.*s%s", (int)kept, name, gap);
		return;
	}
	if (kept && tfp_text_fit(name, kept, (size_t)cells, &taken) < kept)
		kept = taken = 0;
	memcpy(cut, name, kept);
	name += kept;
	size -= kept;
	cells -= (int)taken;
	if ((!kept || base->step) && tfp_text_cells(name, size) > (size_t)cells) {
		struct tfp_apart apart = compare_near(pane, pen, index, name, size, cells);

		tfp_text_shorten_apart(cut + kept, TFP_CLEAN_ROOM - kept, name, size, &apart,
				       (size_t)cells, gap);
		return;
	}
	tfp_text_shorten(cut + kept, TFP_CLEAN_ROOM - kept, name, size, (size_t)cells, gap);
}

void tfp_treename_draw(const struct tfp_treepane *pane, struct tfp_pen *pen, enum tfp_ink ink,
		       size_t index, int cells)
{
	const struct tfp_visible row = tfp_rows_at(&pane->rows, index);
	char clean[TFP_CLEAN_ROOM], cut[TFP_CLEAN_ROOM];
	const char *gap = tfp_symbol(pen, TFP_SYMBOL_GAP);
	size_t kept, size = tfp_treename_clean(pane, pen, &row, clean, &kept);

	if (cells <= 0)
		return;
	if (pane->sideways)
		tfp_text_shorten_from(cut, sizeof(cut), clean, size, (size_t)pane->sideways,
				      (size_t)cells, gap);
	else
		shorten(pane, pen, index, clean, size, kept, cells, cut);
	tfp_pen_match(pen, ink, cut, pane->match);
}
