/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identity: which row the cursor stands on and what is open, through sort, filter, another view,
 * another file.
 */
#include <string.h>

#include "ui/tree/treepane.h"

/* Ancestors that are looked for in a new tree when the cursor's own row is gone. */
#define ANCESTORS 32

#define WORTH_ROOM 100 /* a row with this part of all, and more, is opened where there is room */

/* Where the cursor was: its row and what is above it, nearest first. */
struct place {
	uint64_t keys[ANCESTORS];
	size_t count;
	uint32_t node;
	uint32_t row;
	size_t index, from_top;
};

static void forget_views(struct tfp_treepane *pane)
{
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		tfp_array_release(pane->views[i].keys);
	memset(pane->views, 0, sizeof(pane->views));
}

void tfp_treepane_free(struct tfp_treepane *pane)
{
	forget_views(pane);
	tfp_marks_free(&pane->marks);
	tfp_timepane_free(&pane->time);
	tfp_rows_free(&pane->rows);
}

void tfp_treepane_restart(struct tfp_treepane *pane)
{
	for (size_t i = 0; i < TFP_MAX_VIEWS; i++)
		pane->views[i].seen = pane->views[i].recalled;
	pane->time.set = false;
	pane->anew = true;
}

uint32_t tfp_treepane_row(const struct tfp_treepane *pane)
{
	if (!pane->rows.tree || pane->list.cursor >= pane->rows.count)
		return TFP_NONE;
	return tfp_rows_at(&pane->rows, pane->list.cursor).row;
}

static struct tfp_left_view *left_view(struct tfp_treepane *pane, const struct tfp_view *view)
{
	size_t i = 0;

	while (tfp_views[i] && tfp_views[i] != view && i < TFP_MAX_VIEWS - 1)
		i++;
	return &pane->views[i];
}

void tfp_treepane_recall(struct tfp_treepane *pane, const struct tfp_view *view,
			 const uint64_t *keys, size_t count, uint64_t cursor)
{
	struct tfp_left_view *left = left_view(pane, view);

	tfp_array_release(left->keys);
	left->keys = tfp_realloc_array(NULL, count + 1, sizeof(*keys));
	if (count)
		memcpy(left->keys, keys, count * sizeof(*keys));
	left->key_count = count;
	left->cursor = cursor;
	left->seen = left->recalled = true;
}

/* Its keys: those of this view, or in ANOTHER those of the same things. */
static struct place place_of_cursor(const struct tfp_treepane *pane, bool another)
{
	struct place place = {.node = TFP_NONE,
			      .index = pane->list.cursor,
			      .from_top = pane->list.cursor - pane->list.top};
	uint32_t row = tfp_treepane_row(pane);
	const struct tfp_base *base;

	if (row == TFP_NONE)
		return place;
	base = pane->rows.tree->base;
	place.node = base->node[row];
	place.row = row;
	for (; row != TFP_NONE && place.count < ANCESTORS; row = base->parent[row])
		place.keys[place.count++] =
			another && base->thing ? base->thing[row] : base->key[row];
	return place;
}

/* The shown row of TREE that has the nearest of the place's keys; TFP_NONE. */
static uint32_t find_keys(const struct tfp_tree *tree, const struct place *place)
{
	const struct tfp_base *base = tree->base;
	size_t best = place->count;
	uint32_t found = TFP_NONE;

	for (uint32_t row = 0; row < base->count && best > 0; row++)
		for (size_t i = 0; i < best; i++)
			if (base->key[row] == place->keys[i] && tree->shown[row]) {
				best = i;
				found = row;
			}
	return found;
}

uint32_t tfp_treepane_find_node(const struct tfp_treepane *pane, uint32_t node)
{
	const struct tfp_tree *tree = pane->rows.tree;
	uint32_t row = 0;

	if (!tree || node == TFP_NONE)
		return TFP_NONE;
	while (row < tree->base->count && tree->base->node[row] != node)
		row++;
	return row < tree->base->count ? tfp_tree_shown_parent(tree, row) : TFP_NONE;
}

/* The cursor keeps its place on the screen; no row is scrolled away that need not be. */
static void put_cursor(struct tfp_treepane *pane, size_t index, size_t from_top)
{
	bool at_top = !pane->list.top && index < pane->list.height;

	pane->list.count = pane->rows.count;
	pane->list.cursor = index;
	pane->list.top = index > from_top && !at_top ? index - from_top : 0;
	tfp_scroll_settle(&pane->list);
}

/* Whoever stands on the first row of a list and sorts it wants to see what is first then. */
static bool stays_first(const struct tfp_treepane *pane, const struct place *place)
{
	return pane->rows.tree->query.flat && !place->index;
}

void tfp_treepane_go(struct tfp_treepane *pane, uint32_t row)
{
	size_t index = tfp_rows_reveal(&pane->rows, row), height = pane->list.height;

	pane->list.count = pane->rows.count;
	pane->list.cursor = index;
	if (index < pane->list.top || index - pane->list.top >= height)
		pane->list.top = index > height / 3 ? index - height / 3 : 0;
	tfp_scroll_settle(&pane->list);
}

uint32_t tfp_treepane_seen(const struct tfp_treepane *pane, uint32_t row)
{
	const struct tfp_rows *rows = &pane->rows;

	while (row != TFP_NONE && tfp_rows_find(rows, row) == rows->count)
		row = tfp_rows_above(rows, row);
	return row;
}

static double share_of_parent(const struct tfp_treepane *pane, uint32_t row, uint32_t parent)
{
	struct tfp_column column = {.kind = TFP_COLUMN_PERCENT, .metric = pane->lens.metric};
	struct tfp_cell cell;

	tfp_tree_cell(pane->rows.tree, row, parent, &column, &cell);
	return cell.fraction;
}

/* The largest share of the root that a child of it has; 0 without children. */
static double largest_share(const struct tfp_treepane *pane)
{
	const struct tfp_tree *tree = pane->rows.tree;
	const uint32_t *child = tree->child + tree->child_first[tree->root];
	uint32_t best = 0, metric = pane->lens.metric;

	if (!tree->child_count[tree->root])
		return 0;
	for (uint32_t i = 1; i < tree->child_count[tree->root]; i++)
		if (tfp_tree_total(tree, child[i], metric) >
		    tfp_tree_total(tree, child[best], metric))
			best = i;
	return share_of_parent(pane, child[best], tree->root);
}

size_t tfp_treepane_hot_path(struct tfp_treepane *pane, size_t index)
{
	struct tfp_rows *rows = &pane->rows;

	while (index < rows->count) {
		double share;
		uint32_t row = tfp_rows_at(rows, index).row, child;

		if (!tfp_rows_can_open(rows, row))
			break;
		child = tfp_tree_heaviest(rows->tree, row, pane->lens.metric, &share);

		tfp_rows_open(rows, index);
		if (!tfp_rows_can_open(rows, child) || share < 0.5)
			break;
		index = tfp_rows_find(rows, child);
	}
	pane->list.count = rows->count;
	return index;
}

/* A view that is seen for the first time: its heaviest path, or the heaviest of its top rows. */
static size_t open_first(struct tfp_treepane *pane)
{
	const struct tfp_tree *tree = pane->rows.tree;
	double share;
	uint32_t row;

	if (!tree->base->view->shallow)
		return tfp_treepane_hot_path(pane, 0);
	row = tfp_tree_heaviest(tree, tree->root, pane->lens.metric, &share);
	return row == TFP_NONE ? 0 : tfp_rows_reveal(&pane->rows, row);
}

bool tfp_treepane_is_opened(const struct tfp_treepane *pane)
{
	const struct tfp_tree *tree = pane->rows.tree;

	return tree && !tree->query.flat &&
	       pane->rows.count > 1 + (size_t)tree->child_count[tree->root];
}

void tfp_treepane_open_first(struct tfp_treepane *pane)
{
	put_cursor(pane, open_first(pane), 0);
}

/* Remembers what is open in the view that is shown, before another comes. */
static void leave_view(struct tfp_treepane *pane)
{
	struct tfp_left_view *left = left_view(pane, pane->rows.tree->base->view);
	uint32_t row = tfp_treepane_row(pane);

	tfp_array_release(left->keys);
	left->keys = tfp_rows_keys(&pane->rows, &left->key_count);
	left->cursor = row == TFP_NONE ? 0 : pane->rows.tree->base->key[row];
}

/* Opens all of a text; the cursor stands on the first line that leads somewhere. */
static size_t open_text(struct tfp_treepane *pane)
{
	const struct tfp_target *target = pane->rows.tree->base->target;
	size_t index = 0;

	tfp_rows_set_below(&pane->rows, 0, true);
	while (index < pane->rows.count && !target[tfp_rows_at(&pane->rows, index).row].view)
		index++;
	return index < pane->rows.count ? index : 0;
}

/* Is what is below the row at INDEX another lane, or does it not nest? */
static bool is_plain(const struct tfp_rows *rows, size_t index)
{
	const struct tfp_base *base = rows->tree->base;
	uint32_t strip = base->strip[tfp_rows_at(rows, index).row];

	return strip == TFP_NONE ||
	       base->strips->trace->lanes.at[base->strips->list.at[strip].lane].kind !=
		       TFP_LANE_DEVICE;
}

void tfp_treepane_fit_lanes(struct tfp_treepane *pane)
{
	struct tfp_rows *rows = &pane->rows;
	uint32_t row = tfp_treepane_row(pane);

	pane->time.opened = false;
	if (!rows->tree || !rows->tree->base->strips) /* another view came first */
		return;
	for (size_t i = rows->count; i-- > 0;)
		if (!is_plain(rows, i))
			tfp_rows_close(rows, i);
	for (size_t i = rows->count; rows->count > pane->list.height && i-- > 0;)
		if (rows->tree->base->strip[tfp_rows_at(rows, i).row] != TFP_NONE)
			tfp_rows_close(rows, i);
	pane->list.count = rows->count;
	if (row != TFP_NONE)
		tfp_treepane_go(pane, row);
}

/* The listed row whose children fit in ROOM rows, the heaviest of those that are worth it; the list's count: none. */
static size_t find_to_open(const struct tfp_treepane *pane, size_t room)
{
	const struct tfp_rows *rows = &pane->rows;
	const struct tfp_tree *tree = rows->tree;
	int64_t most = tfp_tree_total(tree, tree->root, pane->lens.metric) / WORTH_ROOM;
	size_t best = rows->count;

	for (size_t i = 0; i < rows->count; i++) {
		uint32_t row = tfp_rows_at(rows, i).row;
		int64_t total = tfp_tree_total(tree, row, pane->lens.metric);

		if (total <= most || !tfp_rows_can_open(rows, row) || tfp_rows_is_open(rows, i) ||
		    tree->child_count[row] > room)
			continue;
		most = total;
		best = i;
	}
	return best;
}

void tfp_treepane_use_room(struct tfp_treepane *pane)
{
	struct tfp_rows *rows = &pane->rows;
	uint32_t row = tfp_treepane_row(pane);
	size_t index;

	pane->roomy = false;
	while (rows->count < pane->list.height &&
	       (index = find_to_open(pane, pane->list.height - rows->count)) < rows->count)
		tfp_rows_open(rows, index);
	pane->list.count = rows->count;
	if (row != TFP_NONE)
		tfp_treepane_go(pane, row);
}

/* All is open until it is known how much room there is. */
static size_t open_lanes(struct tfp_treepane *pane)
{
	tfp_rows_set_below(&pane->rows, 0, true);
	pane->time.opened = true;
	return pane->rows.count > 2 ? 2 : 0;
}

/* Opens a view as it was left, or as a view opens first. Returns the cursor's index. */
static size_t open_view(struct tfp_treepane *pane, bool changed)
{
	struct tfp_tree *tree = pane->rows.tree;
	struct tfp_left_view *left = left_view(pane, tree->base->view);
	struct place place = {.count = 1, .keys = {left->cursor}};
	uint32_t row;

	if (changed)
		tfp_rows_open_keys(&pane->rows, left->keys, left->key_count);
	if (!left->seen && tree->base->view->text && !tree->base->view->shallow) {
		left->seen = true;
		return open_text(pane);
	}
	if (!left->seen && tree->base->strips) {
		left->seen = true;
		return open_lanes(pane);
	}
	if (!left->seen && !tree->query.flat) {
		left->seen = true;
		pane->roomy = tree->base->curve != NULL;
		return open_first(pane);
	}
	row = changed ? find_keys(tree, &place) : TFP_NONE;
	return row == TFP_NONE ? 0 : tfp_rows_reveal(&pane->rows, row);
}

/*
 * The row of the new tree for the cursor; TFP_NONE when nothing of the old place is there. SAME:
 * the rows are those of the old tree, only others of them are shown.
 */
static uint32_t new_row(struct tfp_treepane *pane, const struct place *place, bool same,
			bool changed)
{
	uint32_t row;

	if (same)
		return tfp_tree_shown_parent(pane->rows.tree, place->row);
	if (!changed)
		return find_keys(pane->rows.tree, place);
	if (pane->rows.tree->base->thing) /* a thing has a row in each step */
		return TFP_NONE;
	row = tfp_treepane_find_node(pane, place->node);
	return row == pane->rows.tree->root ? TFP_NONE : row;
}

void tfp_treepane_columns(struct tfp_treepane *pane, const struct tfp_query *query)
{
	const struct tfp_tree *tree = pane->rows.tree;

	if (!tree)
		return;
	pane->column_count = tfp_columns(tree, pane->lens.metric,
					 query->choices[tfp_view_index(tree->base->view)],
					 pane->columns, TFP_MAX_COLUMNS);
	if (pane->exact)
		tfp_columns_exact(pane->columns, pane->column_count);
}

/* Finds how many cells the longest name of a lane wants, of the tree that is shown. */
static void measure_lanes(struct tfp_treepane *pane)
{
	const struct tfp_base *base = pane->rows.tree->base;

	pane->lanes = 0;
	for (uint32_t row = 0; row < base->count; row++) {
		struct tfp_span label = tfp_base_label(base, row);
		int cells = TFP_ROW_LEAD + 1 + (int)tfp_text_cells(label.at, label.size);

		for (uint32_t above = base->parent[row]; above != TFP_NONE;
		     above = base->parent[above])
			cells += TFP_ROW_INDENT;
		if (cells > pane->lanes)
			pane->lanes = cells;
	}
}

/* The same of words, which are cut only where there is no room. */
static void measure_words(struct tfp_treepane *pane)
{
	const struct tfp_base *base = pane->rows.tree->base;

	for (uint32_t m = 0; m < base->metric_all; m++) {
		const struct tfp_metric *metric = &base->metrics[m];

		pane->words[m] = 0;
		for (uint32_t i = 1; metric->unit == TFP_WORDS && i < metric->word_count; i++) {
			struct tfp_span word = tfp_strings_get(base->strings, metric->words[i]);
			int cells = (int)tfp_text_cells(word.at, word.size);

			pane->words[m] = cells > pane->words[m] ? cells : pane->words[m];
		}
	}
}

static uint32_t metric_of(const struct tfp_base *base, const char *key)
{
	for (uint32_t i = 0; i < base->metric_all; i++)
		if (!strcmp(base->metrics[i].key, key))
			return i;
	return 0;
}

void tfp_treepane_show(struct tfp_treepane *pane, struct tfp_tree *tree,
		       const struct tfp_lens *lens)
{
	struct tfp_tree *before = pane->anew ? NULL : pane->rows.tree;
	bool changed = !before || !tree || before->base->view != tree->base->view;
	bool of_steps = before && before->base->thing;
	struct place place = place_of_cursor(pane, changed);
	bool same = before && tree && place.count && before->base == tree->base;
	bool sorted =
		before && tree && !changed && before->query.flat &&
		(pane->rows.order != tree->order_metric || pane->rows.reverse != tree->reverse);
	size_t index;
	uint32_t row;

	pane->anew = false;
	if (tree && tree->base->strips)
		tfp_timepane_show(&pane->time, tree, before, tfp_treepane_row(pane));
	if (before && changed)
		leave_view(pane);
	tfp_rows_show(&pane->rows, tree);
	tfp_marks_forget_tree(&pane->marks);
	pane->list.count = 0;
	if (!tree)
		return;
	pane->lens = *lens;
	if (tree->base->view->leads)
		pane->lens.metric = metric_of(tree->base, tree->base->view->leads);
	tfp_treepane_columns(pane, &tree->query);
	if (tree->base->strips)
		measure_lanes(pane);
	measure_words(pane);
	pane->largest = largest_share(pane);
	pane->widest = 0;
	pane->sideways = 0;
	index = open_view(pane, changed);
	row = before ? new_row(pane, &place, same, changed) : TFP_NONE;
	if (row == TFP_NONE && changed && of_steps)
		row = find_keys(tree, &place);
	if (tree->base->strips && pane->time.arrived)
		row = tfp_treepane_seen(pane, tfp_timepane_lit_row(&pane->time, tree));
	pane->time.arrived = false;
	if (row != TFP_NONE)
		index = tfp_rows_reveal(&pane->rows, row);
	if (sorted && stays_first(pane, &place))
		index = 0;
	pane->fresh = row == TFP_NONE;
	put_cursor(pane, index, pane->fresh ? index : place.from_top);
}

void tfp_treepane_sort(struct tfp_treepane *pane, int order, bool reverse)
{
	struct place place = place_of_cursor(pane, false);

	tfp_rows_sort(&pane->rows, order, reverse);
	if (place.count)
		put_cursor(pane,
			   stays_first(pane, &place) ? 0 : tfp_rows_find(&pane->rows, place.row),
			   place.from_top);
}
