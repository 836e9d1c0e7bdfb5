/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The visible list: expansion of what is open, without recursion, and splicing.
 */
#include <stdlib.h>
#include <string.h>

#include "ui/rows.h"

#define INDENT_MOST 10000 /* deeper than any screen is wide */

void tfp_rows_free(struct tfp_rows *rows)
{
	if (rows->tree)
		tfp_tree_release(rows->tree);
	tfp_array_free(&rows->list);
	tfp_array_free(&rows->spare);
	free(rows->open);
	*rows = (struct tfp_rows){0};
}

bool tfp_rows_can_open(const struct tfp_rows *rows, uint32_t row)
{
	return rows->tree->child_count[row] > 0 && !rows->tree->query.flat;
}

bool tfp_rows_is_open(const struct tfp_rows *rows, size_t index)
{
	uint32_t row = rows->list.at[index].row;

	return rows->open[row] && tfp_rows_can_open(rows, row);
}

static uint32_t child_indent(const struct tfp_visible *parent, bool only)
{
	bool chain = only && parent->only && parent->level;

	return parent->indent < INDENT_MOST && !chain ? parent->indent + 1u : parent->indent;
}

uint32_t tfp_rows_above(const struct tfp_rows *rows, uint32_t row)
{
	const struct tfp_tree *tree = rows->tree;

	if (row == tree->root)
		return TFP_NONE;
	return tree->query.flat ? tree->root : tfp_tree_shown_parent(tree, tree->base->parent[row]);
}

/* A row whose children are being listed. */
struct level {
	struct tfp_visible parent;
	const uint32_t *child;
	uint32_t count, next;
};

/* Rows whose children are listed, outermost first. */
struct listing {
	TFP_ARRAY(struct level) levels;
	/* those of open rows, sorted, each row's where the tree has them, less FIRST */
	uint32_t *children;
	uint32_t first;
};

/* The first open row from ROW on, END if there is none before it. */
static uint32_t next_open(const struct tfp_rows *rows, uint32_t row, uint32_t end)
{
	const uint8_t *at = memchr(rows->open + row, 1, end - row);

	return at ? (uint32_t)(at - rows->open) : end;
}

/*
 * Sorts the children of TOP and of all open rows below it, as they lie in memory: on the way through a
 * sorted tree each value would have to be waited for.
 */
static void sort_children(struct listing *listing, const struct tfp_rows *rows, uint32_t top)
{
	const struct tfp_tree *tree = rows->tree;
	uint32_t end = tree->base->end[top];

	listing->first = tree->child_first[top];
	listing->children = tfp_realloc_array(NULL, end - top, sizeof(*listing->children));
	for (uint32_t row = top; row < end; row = next_open(rows, row + 1, end))
		if (row == top || tfp_rows_can_open(rows, row))
			tfp_tree_children_by(tree, row, rows->order, rows->reverse,
					     listing->children +
						     (tree->child_first[row] - listing->first));
}

static void begin_level(struct listing *listing, const struct tfp_rows *rows,
			const struct tfp_visible *parent)
{
	*tfp_array_push(&listing->levels) = (struct level){
		.parent = *parent,
		.child =
			listing->children + (rows->tree->child_first[parent->row] - listing->first),
		.count = rows->tree->child_count[parent->row],
	};
}

static struct tfp_visible next_child(struct listing *listing, bool flat)
{
	struct level *level = &listing->levels.at[listing->levels.count - 1];
	bool only = level->count == 1;
	struct tfp_visible child = {
		.row = level->child[level->next++],
		.level = level->parent.level + !flat,
		.only = only,
	};

	if (!flat)
		child.indent = child_indent(&level->parent, only);
	return child;
}

/* Lists what is visible below TOP, an open row, into the spare array. */
static void list_below(struct tfp_rows *rows, const struct tfp_visible *top)
{
	struct listing listing = {0};
	bool flat = rows->tree->query.flat;

	rows->spare.count = 0;
	sort_children(&listing, rows, top->row);
	begin_level(&listing, rows, top);
	while (listing.levels.count) {
		struct level *level = &listing.levels.at[listing.levels.count - 1];
		struct tfp_visible child;

		if (level->next == level->count) {
			listing.levels.count--;
			continue;
		}
		child = next_child(&listing, flat);
		*tfp_array_push(&rows->spare) = child;
		if (rows->open[child.row] && tfp_rows_can_open(rows, child.row))
			begin_level(&listing, rows, &child);
	}
	tfp_array_free(&listing.levels);
	free(listing.children);
}

/* Replaces the rows FROM to TO - 1 of the list by the spare array. */
static void splice(struct tfp_rows *rows, size_t from, size_t to)
{
	size_t added = rows->spare.count, kept = rows->list.count - to;

	tfp_array_reserve(&rows->list, from + added + kept);
	if (kept)
		memmove(rows->list.at + from + added, rows->list.at + to,
			kept * sizeof(*rows->list.at));
	if (added)
		memcpy(rows->list.at + from, rows->spare.at, added * sizeof(*rows->list.at));
	rows->list.count = from + added + kept;
}

/* Makes the whole list anew. */
static void list_all(struct tfp_rows *rows)
{
	struct tfp_visible root = {.row = rows->tree->root, .only = 1};

	rows->list.count = 0;
	rows->spare.count = 0;
	if (rows->tree->query.flat) {
		list_below(rows, &root);
		splice(rows, 0, 0);
		return;
	}
	*tfp_array_push(&rows->list) = root;
	if (rows->open[root.row] && tfp_rows_can_open(rows, root.row)) {
		list_below(rows, &root);
		splice(rows, 1, 1);
	}
}

size_t tfp_rows_end(const struct tfp_rows *rows, size_t index)
{
	size_t end = index + 1;

	while (end < rows->list.count && rows->list.at[end].level > rows->list.at[index].level)
		end++;
	return end;
}

void tfp_rows_open(struct tfp_rows *rows, size_t index)
{
	struct tfp_visible row = rows->list.at[index];

	if (tfp_rows_is_open(rows, index) || !tfp_rows_can_open(rows, row.row))
		return;
	rows->open[row.row] = 1;
	list_below(rows, &row);
	splice(rows, index + 1, index + 1);
}

void tfp_rows_close(struct tfp_rows *rows, size_t index)
{
	size_t end = tfp_rows_end(rows, index);

	rows->open[rows->list.at[index].row] = 0;
	rows->spare.count = 0;
	splice(rows, index + 1, end);
}

void tfp_rows_set_below(struct tfp_rows *rows, size_t index, bool open)
{
	struct tfp_visible row = rows->list.at[index];
	size_t end = tfp_rows_end(rows, index);

	if (!tfp_rows_can_open(rows, row.row))
		return;
	memset(rows->open + row.row, open, rows->tree->base->end[row.row] - row.row);
	rows->spare.count = 0;
	if (open) {
		tfp_array_reserve(&rows->spare, rows->tree->base->end[row.row] - row.row);
		list_below(rows, &row);
	}
	splice(rows, index + 1, end);
}

size_t tfp_rows_parent(const struct tfp_rows *rows, size_t index)
{
	size_t parent = index;

	while (parent > 0 && rows->list.at[parent].level >= rows->list.at[index].level)
		parent--;
	return rows->list.at[parent].level < rows->list.at[index].level ? parent : index;
}

size_t tfp_rows_find(const struct tfp_rows *rows, uint32_t row)
{
	size_t index = 0;

	while (index < rows->list.count && rows->list.at[index].row != row)
		index++;
	return index;
}

size_t tfp_rows_reveal(struct tfp_rows *rows, uint32_t row)
{
	const struct tfp_tree *tree = rows->tree;
	TFP_ARRAY(uint32_t) above = {0};
	size_t index = tfp_rows_find(rows, row);

	if (index == rows->list.count && !tree->query.flat) {
		for (uint32_t at = row; at != tree->root && at != TFP_NONE;) {
			at = tfp_tree_shown_parent(tree, tree->base->parent[at]);
			if (at != TFP_NONE)
				*tfp_array_push(&above) = at;
		}
		while (above.count) {
			index = tfp_rows_find(rows, above.at[--above.count]);
			if (index < rows->list.count)
				tfp_rows_open(rows, index);
		}
		index = tfp_rows_find(rows, row);
	}
	tfp_array_free(&above);
	return index < rows->list.count ? index : 0;
}

/* Rows without any below them are left out: there are many, and open or closed they look alike. */
uint64_t *tfp_rows_keys(const struct tfp_rows *rows, size_t *count)
{
	const struct tfp_base *base = rows->tree ? rows->tree->base : NULL;
	TFP_ARRAY(uint64_t) keys = {0};

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

/* Where KEY, which is not 0, stands or would. */
static uint64_t *find_in_set(const struct key_set *set, uint64_t key)
{
	size_t i = key * UINT64_C(0x9e3779b97f4a7c15) >> 32 & set->mask;

	while (set->at[i] && set->at[i] != key)
		i = (i + 1) & set->mask;
	return &set->at[i];
}

static struct key_set make_set(const uint64_t *keys, size_t count)
{
	struct key_set set = {.mask = 15};

	while (set.mask < 2 * count)
		set.mask = 2 * set.mask + 1;
	set.at = tfp_alloc_zero(set.mask + 1, sizeof(*set.at));
	for (size_t i = 0; i < count; i++)
		if (keys[i])
			*find_in_set(&set, keys[i]) = keys[i];
	return set;
}

static void open_by_keys(struct tfp_rows *rows, const uint64_t *keys, size_t count)
{
	const struct tfp_base *base = rows->tree->base;
	struct key_set set;

	memset(rows->open, 0, base->count);
	if (!count)
		return;
	set = make_set(keys, count);
	for (uint32_t row = 0; row < base->count; row++)
		rows->open[row] = base->end[row] > row + 1 && base->key[row] &&
				  *find_in_set(&set, base->key[row]);
	free(set.at);
}

void tfp_rows_open_keys(struct tfp_rows *rows, const uint64_t *keys, size_t count)
{
	open_by_keys(rows, keys, count);
	list_all(rows);
}

void tfp_rows_sort(struct tfp_rows *rows, int order, bool reverse)
{
	rows->order = order;
	rows->reverse = reverse;
	rows->chosen = true;
	if (rows->tree)
		list_all(rows);
}

void tfp_rows_show(struct tfp_rows *rows, struct tfp_tree *tree)
{
	struct tfp_tree *before = rows->tree;
	bool same = before && tree && before->base == tree->base;
	size_t count = 0;
	uint64_t *keys = same ? NULL : tfp_rows_keys(rows, &count);

	if (tree)
		tfp_tree_hold(tree);
	rows->tree = tree;
	rows->list.count = 0;
	if (tree && !same) {
		free(rows->open);
		rows->open = tfp_alloc_zero((size_t)tree->base->count + 1, 1);
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
		list_all(rows);
	}
	tfp_array_release(keys);
	if (before)
		tfp_tree_release(before);
}
