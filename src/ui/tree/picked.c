/* SPDX-License-Identifier: Apache-2.0 */
/* Rows for tables: see picked.h. */
#include "ui/tree/picked.h"

#include "ui/tree/marks.h"

const char *const tfp_picked_names[] = {"marked", "visible", "all"};

bool tfp_picked_any(const struct tfp_treepane *pane)
{
	return pane->rows.tree && !pane->rows.tree->base->view->text;
}

size_t tfp_picked_marks(struct tfp_treepane *pane)
{
	size_t count;

	tfp_marks_rows(&pane->marks, pane->rows.tree, &count);
	return count;
}

static uint32_t depth_of(const struct tfp_rows *rows, uint32_t row)
{
	uint32_t depth = 0;

	while ((row = tfp_rows_above(rows, row)) != TFP_NONE)
		depth++;
	return depth;
}

static struct tfp_table_row *marked_rows(struct tfp_treepane *pane, size_t *count)
{
	const uint32_t *marks = tfp_marks_rows(&pane->marks, pane->rows.tree, count);
	struct tfp_table_row *rows = tfp_array_grow(NULL, &(size_t){0}, *count, sizeof(*rows));
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		if (tfp_table_holds(pane->rows.tree, marks[i]))
			rows[kept++] = (struct tfp_table_row){marks[i],
							      tfp_rows_above(&pane->rows, marks[i]),
							      depth_of(&pane->rows, marks[i])};
	*count = kept;
	return rows;
}

static struct tfp_table_row *visible_rows(const struct tfp_treepane *pane, size_t *count)
{
	struct tfp_table_row *rows;
	size_t all = pane->rows.count;

	rows = tfp_array_grow(NULL, &(size_t){0}, all, sizeof(*rows));
	*count = 0;
	for (size_t i = 0; i < all; i++) {
		struct tfp_visible at = tfp_rows_at(&pane->rows, i);

		if (tfp_table_holds(pane->rows.tree, at.row))
			rows[(*count)++] = (struct tfp_table_row){
				at.row, tfp_rows_above(&pane->rows, at.row), at.level};
	}
	return rows;
}

struct tfp_table_row *tfp_picked_rows(struct tfp_treepane *pane, enum tfp_picked which,
				      size_t *count)
{
	*count = 0;
	if (which == TFP_ALL)
		return NULL;
	return which == TFP_MARKED ? marked_rows(pane, count) : visible_rows(pane, count);
}
