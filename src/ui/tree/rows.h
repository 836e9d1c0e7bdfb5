/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a tree that stand on the screen's list: all whose ancestors are open, in display
 * order. The list itself is never made: counts of what is open below each row say where a row
 * stands, and children are sorted when they are first looked at. Which rows are open belongs to
 * the rows' keys, and so survives a new tree.
 */
#ifndef TFP_UI_ROWS_H
#define TFP_UI_ROWS_H

#include "tfprof/view.h"

struct tfp_visible {
	uint32_t row;         /* of the tree's base */
	uint32_t level;       /* depth in the tree */
	uint32_t indent : 30; /* depth as drawn: a chain of only children stays in one column */
	uint32_t only : 1;    /* has no sibling */
	uint32_t chain : 1;   /* and neither has the row above it, in whose column it stands */
};

struct tfp_rows_window;

struct tfp_rows {
	struct tfp_tree *tree; /* held; NULL before the first */
	size_t count;          /* of the list */
	/* by base row, of which there is room for so many: memory that is new costs more than all else */
	uint32_t room;
	uint8_t *open;
	uint8_t *sorted; /* its children are */
	uint32_t *
		size; /* rows of the list that it stands for when it is listed: itself, what is open */
	uint32_t *child;                /* sorted children, each row's where the tree has them */
	struct tfp_rows_window *window; /* part of the list that was looked at last */
	int order;                      /* metric, TFP_ORDER_NAME or TFP_ORDER_NONE */
	bool reverse;
	bool chosen; /* order and reverse are the person's, and outlive a tree */
};

void tfp_rows_free(struct tfp_rows *rows);
/* Takes TREE (holds it), with the rows open that were open before in the same view; TREE NULL: none. */
void tfp_rows_show(struct tfp_rows *rows, struct tfp_tree *tree);
/* Keys of the open rows that have rows below them, for tfp_rows_open_keys; freed by tfp_array_release. */
uint64_t *tfp_rows_keys(const struct tfp_rows *rows, size_t *count);
/* Opens exactly the rows with these keys. */
void tfp_rows_open_keys(struct tfp_rows *rows, const uint64_t *keys, size_t count);
/* Sorts anew, and in this order from now on until `chosen` is taken back. */
void tfp_rows_sort(struct tfp_rows *rows, int order, bool reverse);

/* The row at INDEX, which is below the count. */
struct tfp_visible tfp_rows_at(const struct tfp_rows *rows, size_t index);
/* All children that ROW has in the tree, open or not, in the order of the list. Valid until it changes. */
const uint32_t *tfp_rows_children(const struct tfp_rows *rows, uint32_t row);
/* The row of the tree below which ROW is listed; TFP_NONE for the tree's root. */
uint32_t tfp_rows_above(const struct tfp_rows *rows, uint32_t row);
bool tfp_rows_can_open(const struct tfp_rows *rows, uint32_t row);
bool tfp_rows_is_open(const struct tfp_rows *rows, size_t index);
void tfp_rows_open(struct tfp_rows *rows, size_t index);
void tfp_rows_close(struct tfp_rows *rows, size_t index);
/* Opens, or closes, all that is below INDEX, and INDEX. */
void tfp_rows_set_below(struct tfp_rows *rows, size_t index, bool open);
/* The first index behind INDEX that is not below it. */
size_t tfp_rows_end(const struct tfp_rows *rows, size_t index);
/* Index of the parent; INDEX itself at the top. */
size_t tfp_rows_parent(const struct tfp_rows *rows, size_t index);
/* Index of the sibling before; INDEX itself at the first. */
size_t tfp_rows_before(const struct tfp_rows *rows, size_t index);
/* Index of ROW; count of the list when it is not there. */
size_t tfp_rows_find(const struct tfp_rows *rows, uint32_t row);
/* Opens what is above ROW, a shown row, and returns its index (0 when it cannot be shown). */
size_t tfp_rows_reveal(struct tfp_rows *rows, uint32_t row);

#endif
