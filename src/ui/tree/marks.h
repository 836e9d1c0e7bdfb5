/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that the person marked. Marks belong to what rows stand for, not to the rows of one tree: they survive
 * sort, filter, another view, another file.
 */
#ifndef TFP_UI_MARKS_H
#define TFP_UI_MARKS_H

#include "tfprof/view.h"

struct tfp_marks {
	TFP_ARRAY(uint64_t) keys;    /* in the order in which they were marked */
	TFP_ARRAY(uint32_t) rows;    /* those of them that `tree` shows, in the same order */
	const struct tfp_tree *tree; /* that `rows` are of; NULL: they are to be looked for */
};

void tfp_marks_free(struct tfp_marks *marks);
/* Marks, or unmarks. Returns whether KEY is marked now. */
bool tfp_marks_turn(struct tfp_marks *marks, uint64_t key);
void tfp_marks_clear(struct tfp_marks *marks);
bool tfp_marks_has(const struct tfp_marks *marks, uint64_t key);
/* Another tree may come to lie where the last one was. */
void tfp_marks_forget_tree(struct tfp_marks *marks);
/* The marked rows that TREE (NULL: none) shows, in the order of the marks. */
const uint32_t *tfp_marks_rows(struct tfp_marks *marks, const struct tfp_tree *tree, size_t *count);

#endif
