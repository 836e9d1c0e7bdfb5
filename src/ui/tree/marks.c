/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks by key, and where they are in the tree that is shown.
 */
#include <string.h>

#include "ui/tree/marks.h"

void tfp_marks_free(struct tfp_marks *marks)
{
	tfp_array_free(&marks->keys);
	tfp_array_free(&marks->rows);
}

static size_t find(const struct tfp_marks *marks, uint64_t key)
{
	size_t i = 0;

	while (i < marks->keys.count && marks->keys.at[i] != key)
		i++;
	return i;
}

bool tfp_marks_has(const struct tfp_marks *marks, uint64_t key)
{
	return find(marks, key) < marks->keys.count;
}

bool tfp_marks_turn(struct tfp_marks *marks, uint64_t key)
{
	size_t i = find(marks, key);

	marks->tree = NULL;
	if (i == marks->keys.count) {
		*tfp_array_push(&marks->keys) = key;
		return true;
	}
	marks->keys.count--;
	memmove(marks->keys.at + i, marks->keys.at + i + 1,
		(marks->keys.count - i) * sizeof(*marks->keys.at));
	return false;
}

void tfp_marks_clear(struct tfp_marks *marks)
{
	marks->keys.count = 0;
	marks->tree = NULL;
}

void tfp_marks_forget_tree(struct tfp_marks *marks)
{
	marks->tree = NULL;
}

/* Puts the row of each mark at the mark's place, TFP_NONE where there is none. */
static void locate(struct tfp_marks *marks, const struct tfp_tree *tree)
{
	uint64_t some = 0; /* bit n: a key ends in n; spares most rows the search */

	for (size_t i = 0; i < marks->keys.count; i++) {
		some |= UINT64_C(1) << (marks->keys.at[i] & 63);
		*tfp_array_push(&marks->rows) = TFP_NONE;
	}
	for (uint32_t row = 0; some && row < tree->base->count; row++) {
		uint64_t key = tree->base->key[row];
		size_t i;

		if (!(some >> (key & 63) & 1) || !tree->shown[row])
			continue;
		i = find(marks, key);
		if (i < marks->keys.count && marks->rows.at[i] == TFP_NONE)
			marks->rows.at[i] = row;
	}
}

const uint32_t *tfp_marks_rows(struct tfp_marks *marks, const struct tfp_tree *tree, size_t *count)
{
	size_t kept = 0;

	*count = 0;
	if (!tree || tree->base->view->text)
		return NULL;
	if (marks->tree != tree) {
		marks->rows.count = 0;
		locate(marks, tree);
		for (size_t i = 0; i < marks->rows.count; i++)
			if (marks->rows.at[i] != TFP_NONE)
				marks->rows.at[kept++] = marks->rows.at[i];
		marks->rows.count = kept;
		marks->tree = tree;
	}
	*count = marks->rows.count;
	return marks->rows.at;
}
