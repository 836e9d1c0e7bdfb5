/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The visible list: where a row stands by counts of what is open, and the part of it that is looked
 * at, without recursion.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/tree/rows.h"

#define INDENT_MOST 10000 /* deeper than any screen is wide */
#define WINDOW      256

/* A row whose children are being listed. */
struct level {
	struct tfp_visible parent;
	const uint32_t *child;
	uint32_t count, next;
};

/* Rows that follow each other in the list, and the way to go on behind them, outermost first. */
struct tfp_rows_window {
	size_t first, count;
	struct tfp_visible at[WINDOW];
	TFP_ARRAY(struct level) levels;
};

/* ---- the tree -------------------------------------------------------------------------------- */

static void free_columns(struct tfp_rows *rows)
{
	free(rows->open);
	free(rows->sorted);
	free(rows->size);
	free(rows->child);
}

/* Room for the columns of COUNT rows, whatever they hold. */
static void make_columns(struct tfp_rows *rows, uint32_t count)
{
	if (!rows->window || rows->room < count) {
		free_columns(rows);
		rows->open = tfp_realloc_array(NULL, (size_t)count + 1, sizeof(*rows->open));
		rows->sorted = tfp_realloc_array(NULL, (size_t)count + 1, sizeof(*rows->sorted));
		rows->size = tfp_realloc_array(NULL, (size_t)count + 1, sizeof(*rows->size));
		rows->child = tfp_realloc_array(NULL, (size_t)count + 1, sizeof(*rows->child));
		rows->room = count;
	}
	if (!rows->window)
		rows->window = tfp_alloc_zero(1, sizeof(*rows->window));
}

void tfp_rows_free(struct tfp_rows *rows)
{
	if (rows->tree)
		tfp_tree_release(rows->tree);
	if (rows->window)
		tfp_array_free(&rows->window->levels);
	free(rows->window);
	free_columns(rows);
	*rows = (struct tfp_rows){0};
}

bool tfp_rows_can_open(const struct tfp_rows *rows, uint32_t row)
{
	return rows->tree->child_count[row] > 0 && !rows->tree->query.flat;
}

/* Whether what is below ROW is listed wherever ROW is. */
static bool lists_children(const struct tfp_rows *rows, uint32_t row)
{
	if (rows->tree->query.flat)
		return row == rows->tree->root;
	return rows->open[row] && rows->tree->child_count[row] > 0;
}

uint32_t tfp_rows_above(const struct tfp_rows *rows, uint32_t row)
{
	const struct tfp_tree *tree = rows->tree;

	if (row == tree->root)
		return TFP_NONE;
	return tree->query.flat ? tree->root : tfp_tree_shown_parent(tree, tree->base->parent[row]);
}

const uint32_t *tfp_rows_children(const struct tfp_rows *rows, uint32_t row)
{
	uint32_t *child = rows->child + rows->tree->child_first[row];

	if (!rows->sorted[row])
		tfp_tree_children_by(rows->tree, row, rows->order, rows->reverse, child);
	rows->sorted[row] = 1;
	return child;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* What was looked at is no longer so. */
static void changed(struct tfp_rows *rows)
{
	const struct tfp_tree *tree = rows->tree;

	rows->count = tree ? rows->size[tree->root] - tree->query.flat : 0;
	rows->window->count = rows->window->levels.count = 0;
}

static uint32_t size_of(const struct tfp_rows *rows, uint32_t row)
{
	const uint32_t *child = rows->tree->child + rows->tree->child_first[row];
	uint32_t count = lists_children(rows, row) ? rows->tree->child_count[row] : 0, size = 1;

	for (uint32_t i = 0; i < count; i++)
		size += rows->size[child[i]];
	return size;
}

/* Counts ROW, which was opened or closed, and so what is above it. */
static void recount(struct tfp_rows *rows, uint32_t row)
{
	uint32_t more = size_of(rows, row) - rows->size[row]; /* wraps where it is less */

	for (; row != TFP_NONE; row = tfp_rows_above(rows, row))
		rows->size[row] += more;
	changed(rows);
}

/* Counts all rows below TOP; children have greater numbers than what they are below. */
static void count_below(struct tfp_rows *rows, uint32_t top)
{
	for (uint32_t row = rows->tree->base->end[top] - 1; row > top; row--)
		rows->size[row] = size_of(rows, row);
}

static void count_all(struct tfp_rows *rows)
{
	count_below(rows, rows->tree->root);
	rows->size[rows->tree->root] = size_of(rows, rows->tree->root);
	changed(rows);
}

/* No child of ROW, whose children are listed, has listed ones. */
static bool all_closed(const struct tfp_rows *rows, uint32_t row)
{
	return rows->size[row] - 1 == rows->tree->child_count[row];
}

/* ---- the window ------------------------------------------------------------------------------ */

static void indent(struct tfp_visible *child, const struct tfp_visible *parent)
{
	child->chain = child->only && parent->only && parent->level;
	child->indent = parent->indent + (parent->indent < INDENT_MOST && !child->chain);
}

static void begin_level(const struct tfp_rows *rows, const struct tfp_visible *parent)
{
	*tfp_array_push(&rows->window->levels) = (struct level){
		.parent = *parent,
		.child = tfp_rows_children(rows, parent->row),
		.count = rows->tree->child_count[parent->row],
	};
}

/* The next child of the innermost level, whose own are then the next to be listed. */
static struct tfp_visible next_child(const struct tfp_rows *rows)
{
	struct level *level = &rows->window->levels.at[rows->window->levels.count - 1];
	bool only = level->count == 1, flat = rows->tree->query.flat;
	struct tfp_visible child = {
		.row = level->child[level->next++],
		.level = level->parent.level + !flat,
		.only = only,
	};

	if (!flat)
		indent(&child, &level->parent);
	if (lists_children(rows, child.row))
		begin_level(rows, &child);
	return child;
}

/* Goes behind so many rows, from the first child of a row on. */
static void skip_rows(const struct tfp_rows *rows, size_t count)
{
	while (count) {
		struct level *level = &rows->window->levels.at[rows->window->levels.count - 1];

		if (all_closed(rows, level->parent.row)) {
			level->next += (uint32_t)count;
			return;
		}
		while (count && rows->size[level->child[level->next]] <= count)
			count -= rows->size[level->child[level->next++]];
		if (count) {
			next_child(rows);
			count--;
		}
	}
}

/* Starts a window at INDEX, with nothing in it but the root. */
static void start_window(const struct tfp_rows *rows, size_t index)
{
	struct tfp_rows_window *window = rows->window;
	struct tfp_visible root = {.row = rows->tree->root, .only = 1};
	bool listed = !rows->tree->query.flat;

	window->levels.count = 0;
	window->first = index;
	window->count = 0;
	if (listed && !index)
		window->at[window->count++] = root;
	if (lists_children(rows, root.row)) {
		begin_level(rows, &root);
		skip_rows(rows, index - (listed && index));
	}
}

static void fill_window(const struct tfp_rows *rows)
{
	struct tfp_rows_window *window = rows->window;

	while (window->count < WINDOW && window->levels.count) {
		const struct level *level = &window->levels.at[window->levels.count - 1];

		if (level->next == level->count)
			window->levels.count--;
		else
			window->at[window->count++] = next_child(rows);
	}
}

struct tfp_visible tfp_rows_at(const struct tfp_rows *rows, size_t index)
{
	struct tfp_rows_window *window = rows->window;

	if (window->count && index == window->first + window->count) {
		window->first = index;
		window->count = 0;
		fill_window(rows);
	} else if (index < window->first || index >= window->first + window->count) {
		start_window(rows, index);
		fill_window(rows);
	}
	return window->at[index - window->first];
}

/* ---- where rows stand ------------------------------------------------------------------------ */

bool tfp_rows_is_open(const struct tfp_rows *rows, size_t index)
{
	uint32_t row = tfp_rows_at(rows, index).row;

	return rows->open[row] && tfp_rows_can_open(rows, row);
}

size_t tfp_rows_end(const struct tfp_rows *rows, size_t index)
{
	return index + rows->size[tfp_rows_at(rows, index).row];
}

/* How many rows are listed between ABOVE and its child ROW; false when that is none of its children. */
static bool rows_between(const struct tfp_rows *rows, uint32_t above, uint32_t row, size_t *between)
{
	const uint32_t *child = tfp_rows_children(rows, above);
	uint32_t count = rows->tree->child_count[above], i = 0;

	while (i < count && child[i] != row)
		i++;
	*between = 0;
	if (all_closed(rows, above))
		*between = i;
	else
		for (uint32_t before = 0; before < i; before++)
			*between += rows->size[child[before]];
	return i < count;
}

size_t tfp_rows_find(const struct tfp_rows *rows, uint32_t row)
{
	bool flat = rows->tree->query.flat;
	size_t index = 0, between;
	uint32_t above;

	if (flat && row == rows->tree->root)
		return rows->count;
	for (; (above = tfp_rows_above(rows, row)) != TFP_NONE; row = above) {
		if (!lists_children(rows, above) || !rows_between(rows, above, row, &between))
			return rows->count;
		index += between + !flat;
	}
	return index;
}

size_t tfp_rows_parent(const struct tfp_rows *rows, size_t index)
{
	uint32_t above = tfp_rows_above(rows, tfp_rows_at(rows, index).row);

	return above == TFP_NONE || rows->tree->query.flat ? index : tfp_rows_find(rows, above);
}

size_t tfp_rows_before(const struct tfp_rows *rows, size_t index)
{
	uint32_t row = tfp_rows_at(rows, index).row, above = tfp_rows_above(rows, row), i = 0;
	const uint32_t *child;

	if (above == TFP_NONE)
		return index;
	child = tfp_rows_children(rows, above);
	while (child[i] != row)
		i++;
	return i ? index - rows->size[child[i - 1]] : index;
}

/* ---- opening and closing --------------------------------------------------------------------- */

void tfp_rows_open(struct tfp_rows *rows, size_t index)
{
	uint32_t row = tfp_rows_at(rows, index).row;

	if (rows->open[row] || !tfp_rows_can_open(rows, row))
		return;
	rows->open[row] = 1;
	recount(rows, row);
}

void tfp_rows_close(struct tfp_rows *rows, size_t index)
{
	uint32_t row = tfp_rows_at(rows, index).row;

	rows->open[row] = 0;
	recount(rows, row);
}

void tfp_rows_set_below(struct tfp_rows *rows, size_t index, bool open)
{
	uint32_t row = tfp_rows_at(rows, index).row;

	if (!tfp_rows_can_open(rows, row))
		return;
	memset(rows->open + row, open, rows->tree->base->end[row] - row);
	count_below(rows, row);
	recount(rows, row);
}

size_t tfp_rows_reveal(struct tfp_rows *rows, uint32_t row)
{
	const struct tfp_tree *tree = rows->tree;
	TFP_ARRAY(uint32_t) above = {0};
	size_t index = tfp_rows_find(rows, row);

	if (index == rows->count && !tree->query.flat) {
		for (uint32_t at = row; (at = tfp_rows_above(rows, at)) != TFP_NONE;)
			*tfp_array_push(&above) = at;
		while (above.count) {
			index = tfp_rows_find(rows, above.at[--above.count]);
			if (index < rows->count)
				tfp_rows_open(rows, index);
		}
		index = tfp_rows_find(rows, row);
	}
	tfp_array_free(&above);
	return index < rows->count ? index : 0;
}

/* ---- what was open --------------------------------------------------------------------------- */

/* Rows without any below them are left out: there are many, and open or closed they look alike. */
uint64_t *tfp_rows_keys(const struct tfp_rows *rows, size_t *count)
{
	const struct tfp_base *base = rows->tree ? rows->tree->base : NULL;
	TFP_ARRAY(uint64_t) keys = {0};
	size_t open = 0;

	for (uint32_t row = 0; base && row < base->count; row++)
		open += rows->open[row];
	tfp_array_reserve(&keys, open);
	for (uint32_t row = 0; base && row < base->count; row++)
		if (rows->open[row] && base->end[row] > row + 1)
			*tfp_array_push(&keys) = base->key[row];
	*count = keys.count;
	return keys.at;
}

/* Keys, each where its hash says or behind that; 0 stands where there is none. */
struct key_set {
	uint64_t *at;
	size_t mask;
};

/* Keys that are asked for ahead, so that memory has them when it is their turn. */
#define AHEAD 16

static size_t slot_of(const struct key_set *set, uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & set->mask;
}

/* Where KEY, which is not 0, stands or would. */
static uint64_t *find_in_set(const struct key_set *set, uint64_t key)
{
	size_t i = slot_of(set, key);

	while (set->at[i] && set->at[i] != key)
		i = (i + 1) & set->mask;
	return &set->at[i];
}

/* Has memory fetch what find_in_set will look at for a later one of the COUNT keys. */
static void fetch(const struct key_set *set, const uint64_t *keys, size_t count, size_t at)
{
	if (at + AHEAD < count)
		__builtin_prefetch(&set->at[slot_of(set, keys[at + AHEAD])], 1);
}

static struct key_set make_set(const uint64_t *keys, size_t count)
{
	struct key_set set = {.mask = 15};

	while (set.mask < count + count / 2)
		set.mask = 2 * set.mask + 1;
	set.at = tfp_alloc_zero(set.mask + 1, sizeof(*set.at));
	for (size_t i = 0; i < count; i++) {
		fetch(&set, keys, count, i);
		if (keys[i])
			*find_in_set(&set, keys[i]) = keys[i];
	}
	return set;
}

/* Opens rows as they come, as long as the keys come in the same order: the tree as it was left. True for all. */
static bool open_in_order(struct tfp_rows *rows, const uint64_t *keys, size_t count)
{
	const struct tfp_base *base = rows->tree->base;
	size_t found = 0;

	for (uint32_t row = 0; row < base->count && found < count; row++)
		if (base->key[row] == keys[found] && base->end[row] > row + 1) {
			rows->open[row] = 1;
			found++;
		}
	return found == count;
}

static void open_by_keys(struct tfp_rows *rows, const uint64_t *keys, size_t count)
{
	const struct tfp_base *base = rows->tree->base;
	struct key_set set;

	memset(rows->open, 0, base->count);
	if (open_in_order(rows, keys, count))
		return;
	set = make_set(keys, count);
	for (uint32_t row = 0; row < base->count; row++) {
		fetch(&set, base->key, base->count, row);
		rows->open[row] = base->end[row] > row + 1 && base->key[row] &&
				  *find_in_set(&set, base->key[row]);
	}
	free(set.at);
}

void tfp_rows_open_keys(struct tfp_rows *rows, const uint64_t *keys, size_t count)
{
	open_by_keys(rows, keys, count);
	count_all(rows);
}

/* ---- another tree, another order ------------------------------------------------------------- */

static void forget_order(struct tfp_rows *rows)
{
	memset(rows->sorted, 0, rows->tree->base->count);
}

void tfp_rows_sort(struct tfp_rows *rows, int order, bool reverse)
{
	rows->order = order;
	rows->reverse = reverse;
	rows->chosen = true;
	if (!rows->tree)
		return;
	forget_order(rows);
	changed(rows);
}

void tfp_rows_show(struct tfp_rows *rows, struct tfp_tree *tree)
{
	struct tfp_tree *before = rows->tree;
	bool same = before && tree && before->base == tree->base;
	bool follows = before && tree && !same && before->base->view == tree->base->view;
	size_t count = 0;
	uint64_t *keys = follows ? tfp_rows_keys(rows, &count) : NULL;

	if (tree)
		tfp_tree_hold(tree);
	rows->tree = tree;
	rows->count = 0;
	if (tree && !same) {
		make_columns(rows, tree->base->count);
		open_by_keys(rows, keys, count);
	}
	if (tree && tree->base->view->text)
		rows->chosen = false;
	if (tree && !rows->chosen) {
		rows->order = tree->order_metric;
		rows->reverse = tree->reverse;
	}
	if (tree) {
		rows->open[tree->root] = 1;
		forget_order(rows);
		count_all(rows);
	}
	tfp_array_release(keys);
	if (before)
		tfp_tree_release(before);
}
