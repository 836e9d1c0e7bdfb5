/* SPDX-License-Identifier: Apache-2.0 */
/* Views of text as an outline: sections and their lines, before there is a base of them. */
#ifndef TFPROF_VIEW_OVERVIEW_H
#define TFPROF_VIEW_OVERVIEW_H

#include "view/base.h"

struct tfp_outline_row {
	const char *text; /* in the outline's arena, or constant */
	uint32_t parent;
	struct tfp_target target;
	struct tfp_contrast contrast;
	uint32_t place; /* row before it where the thing itself stands; 0: none */
};

struct tfp_outline {
	struct tfp_arena arena;
	struct tfp_build *build;
	TFP_ARRAY(struct tfp_outline_row) rows; /* in preorder; row 0 is the root */
};

/* Adds a line TEXT below PARENT that leads to TARGET; returns its row. */
uint32_t tfp_outline_add(struct tfp_outline *outline, uint32_t parent, const char *text,
			 struct tfp_target target);
/* Where a line leads that is about a whole view. */
struct tfp_target tfp_outline_view(const char *view);

/* The base of VIEW, which OUTLINE is all of; row 0 is called TITLE. */
struct tfp_base *tfp_outline_base(const struct tfp_outline *outline, const struct tfp_view *view,
				  const char *title);

/* How much of the time the files say more of: shapes, source, float operations. */
void tfp_outline_coverage(struct tfp_outline *outline);
/* Of a recording: its devices, what was recorded, how much of the time is explained. */
void tfp_outline_trace(struct tfp_outline *outline);
/* What DEVICE of it was busy with, below ROW. */
void tfp_outline_classes(struct tfp_outline *outline, uint32_t row, uint32_t device);
/* What the files lack, and the lines of Python that make it. */
void tfp_outline_missing(struct tfp_outline *outline);

#endif
