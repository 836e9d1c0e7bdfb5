/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Siblings that differ only in a number as one row above them. What an op is called where nobody named it
 * is its type and a number: "AddN, AddN_1 … AddN_94" are rows that say nothing each. Scopes are left
 * alone: "unit_1, unit_2" are the parts of a model.
 */
#include <stdlib.h>
#include <string.h>

#include "view/compare/rowkeys.h"
#include "view/group/scopes.h"

#define FOLD_FROM   4 /* fewer siblings stay as they are */
#define MOST_DIGITS 9
#define POLL        4096

/* Siblings of one op type whose names are the same but for a number. */
struct fold {
	uint32_t count;
	uint32_t
		row[2]; /* with the lowest numbers, and those: the name without number is below 0 */
	int32_t number[2];
	bool placed;
};

struct folder {
	struct tfp_scopes *scopes;
	struct tfp_rowkeys keys;
	TFP_ARRAY(struct fold) folds; /* by number of the key */
	uint32_t *of_row;             /* fold; TFP_NONE: none */
	bool *has_folds;              /* by row: below it is something to fold */
	/* the tree to be: items are the rows, behind them the folds */
	uint32_t *above, *first, *last, *next;
};

static const struct tfp_scope_row *row_of(const struct folder *folder, uint32_t row)
{
	return &folder->scopes->rows.at[row];
}

static struct tfp_span name_of(const struct folder *folder, uint32_t row)
{
	const struct tfp_scope_row *at = row_of(folder, row);
	struct tfp_span name = tfp_scopes_name(folder->scopes, at->node);

	name.size = at->size;
	return name;
}

/* Takes "_12" off the end of NAME; -1 when it has no number. */
static int32_t take_number(struct tfp_span *name)
{
	int32_t number = 0, scale = 1;
	size_t size = name->size;

	for (; size > 1 && name->size - size < MOST_DIGITS; size--) {
		char digit = name->at[size - 1];

		if (digit < '0' || digit > '9')
			break;
		number += (digit - '0') * scale;
		scale = name->size - size + 1 < MOST_DIGITS ? scale * 10 : scale;
	}
	if (size == name->size || size < 2 || name->at[size - 1] != '_' ||
	    (name->at[size] == '0' && name->size - size > 1))
		return -1;
	name->size = size - 1;
	return number;
}

static uint64_t key_of(const struct folder *folder, uint32_t row, struct tfp_span stem)
{
	const struct tfp_scope_row *at = row_of(folder, row);
	uint64_t place = (uint64_t)at->parent << 32 | folder->scopes->profile->nodes.op[at->node];

	return tfp_hash_bytes(folder->keys.secret, stem.at, stem.size) ^
	       tfp_hash_fold(place ^ folder->keys.secret.b, folder->keys.secret.a | 1);
}

/* ---- what folds ------------------------------------------------------------------------------------ */

static void join(struct folder *folder, uint32_t index, uint32_t row, int32_t number)
{
	struct fold *fold = &folder->folds.at[index];
	int place = fold->count == 0 || number < fold->number[0] ? 0 : 1;

	folder->of_row[row] = index;
	if (place == 0 && fold->count) {
		fold->row[1] = fold->row[0];
		fold->number[1] = fold->number[0];
	}
	if (place == 0 || fold->count == 1 || number < fold->number[1]) {
		fold->row[place] = row;
		fold->number[place] = number;
	}
	fold->count++;
}

/* Rows with a number. False when cancelled. */
static bool find_numbered(struct folder *folder, struct tfp_job *job)
{
	for (uint32_t row = 1; row < folder->scopes->rows.count; row++) {
		struct tfp_span stem;
		int32_t number;
		uint32_t index;

		if (row % POLL == 0 && tfp_job_cancelled(job))
			return false;
		if (!row_of(folder, row)->is_node)
			continue;
		stem = name_of(folder, row);
		number = take_number(&stem);
		if (number < 0)
			continue;
		index = tfp_rowkeys_add(&folder->keys, key_of(folder, row, stem));
		if (index == folder->folds.count)
			*tfp_array_push(&folder->folds) = (struct fold){0};
		join(folder, index, row, number);
		folder->has_folds[row_of(folder, row)->parent] = true;
	}
	return true;
}

/* The first of each fold has the name alone. */
static void find_first(struct folder *folder)
{
	for (uint32_t row = 1; row < folder->scopes->rows.count; row++) {
		uint32_t index;

		if (!row_of(folder, row)->is_node || folder->of_row[row] != TFP_NONE ||
		    !folder->has_folds[row_of(folder, row)->parent])
			continue;
		index = tfp_rowkeys_find(&folder->keys, key_of(folder, row, name_of(folder, row)));
		if (index != TFP_NONE)
			join(folder, index, row, -1);
	}
}

static uint32_t drop_small(struct folder *folder)
{
	uint32_t count = 0;

	for (uint32_t row = 1; row < folder->scopes->rows.count; row++)
		if (folder->of_row[row] != TFP_NONE &&
		    folder->folds.at[folder->of_row[row]].count < FOLD_FROM)
			folder->of_row[row] = TFP_NONE;
	for (size_t i = 0; i < folder->folds.count; i++)
		count += folder->folds.at[i].count >= FOLD_FROM;
	return count;
}

/* ---- the rows anew --------------------------------------------------------------------------------- */

static void append(struct folder *folder, uint32_t above, uint32_t item)
{
	folder->above[item] = above;
	if (folder->first[above] == TFP_NONE)
		folder->first[above] = item;
	else
		folder->next[folder->last[above]] = item;
	folder->last[above] = item;
}

/* A fold stands where the first of its rows stood. */
static void link_items(struct folder *folder)
{
	uint32_t rows = (uint32_t)folder->scopes->rows.count;

	for (uint32_t row = 1; row < rows; row++) {
		uint32_t index = folder->of_row[row], parent = row_of(folder, row)->parent;

		if (index == TFP_NONE) {
			append(folder, parent, row);
			continue;
		}
		if (!folder->folds.at[index].placed)
			append(folder, parent, rows + index);
		folder->folds.at[index].placed = true;
		append(folder, rows + index, row);
	}
}

/* "gradients/AddN, AddN_1 … ×95"; *SIZE gets how much of it does not depend on how many there are. */
static tfp_str make_label(const struct folder *folder, const struct fold *fold, uint32_t *size)
{
	struct tfp_span first = name_of(folder, fold->row[0]);
	struct tfp_span second = name_of(folder, fold->row[1]);
	const char *slash = memrchr(second.at, '/', second.size);
	size_t skip = slash ? (size_t)(slash + 1 - second.at) : 0;
	struct tfp_arena arena = {0};
	char *text = tfp_arena_alloc(&arena, first.size + second.size + 32), *end = text;
	tfp_str label;

	end = mempcpy(end, first.at, first.size);
	end = stpcpy(end, ", ");
	end = mempcpy(end, second.at + skip, second.size - skip);
	end = stpcpy(end, " …");
	*size = (uint32_t)(end - text);
	end += snprintf(end, 24, " ×%u", fold->count);
	label = tfp_strings_add(folder->scopes->profile->strings, text, (size_t)(end - text));
	tfp_arena_free(&arena);
	return label;
}

static struct tfp_scope_row make_row(const struct folder *folder, uint32_t item)
{
	uint32_t rows = (uint32_t)folder->scopes->rows.count;
	struct tfp_scope_row row = {0};

	if (item < rows)
		return *row_of(folder, item);
	row.node = row_of(folder, folder->folds.at[item - rows].row[0])->node;
	row.fold = make_label(folder, &folder->folds.at[item - rows], &row.size);
	return row;
}

/* Goes through the items in preorder; LAST, needed no more, gets the new number of each. */
static void list_items(struct folder *folder, uint32_t folds)
{
	TFP_ARRAY(struct tfp_scope_row) rows = {0};
	uint32_t item = 0, *number = folder->last;

	tfp_array_reserve(&rows, folder->scopes->rows.count + folds);
	for (;;) {
		struct tfp_scope_row row = make_row(folder, item);

		if (item)
			row.parent = number[folder->above[item]];
		number[item] = (uint32_t)rows.count;
		*tfp_array_push(&rows) = row;
		if (folder->first[item] != TFP_NONE) {
			item = folder->first[item];
			continue;
		}
		while (item && folder->next[item] == TFP_NONE)
			item = folder->above[item];
		if (!item)
			break;
		item = folder->next[item];
	}
	tfp_array_free(&folder->scopes->rows);
	folder->scopes->rows.at = rows.at;
	folder->scopes->rows.count = rows.count;
	folder->scopes->rows.room = rows.room;
}

static uint32_t *none_column(size_t count)
{
	return memset(tfp_realloc_array(NULL, count, sizeof(uint32_t)), 0xff,
		      count * sizeof(uint32_t));
}

static void fold_rows(struct folder *folder, uint32_t folds)
{
	size_t items = folder->scopes->rows.count + folder->folds.count;

	folder->above = none_column(items * 4);
	folder->first = folder->above + items;
	folder->last = folder->first + items;
	folder->next = folder->last + items;
	link_items(folder);
	list_items(folder, folds);
	free(folder->above);
}

bool tfp_scopes_fold(struct tfp_scopes *scopes, struct tfp_job *job)
{
	struct folder folder = {.scopes = scopes};
	uint32_t folds = 0;
	bool done;

	tfp_rowkeys_start(&folder.keys);
	folder.of_row = none_column(scopes->rows.count);
	folder.has_folds = tfp_alloc_zero(scopes->rows.count, sizeof(*folder.has_folds));
	done = find_numbered(&folder, job);
	if (done && folder.folds.count) {
		find_first(&folder);
		folds = drop_small(&folder);
	}
	if (folds)
		fold_rows(&folder, folds);
	tfp_rowkeys_end(&folder.keys);
	tfp_array_free(&folder.folds);
	free(folder.of_row);
	free(folder.has_folds);
	return done;
}
