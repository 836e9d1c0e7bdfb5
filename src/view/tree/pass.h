/* SPDX-License-Identifier: Apache-2.0 */
/* The pass that decides which rows of a base a query shows, and the steps that come after it. */
#ifndef TFPROF_VIEW_PASS_H
#define TFPROF_VIEW_PASS_H

#include "view/base.h"
#include "view/engine.h"

/* A tree being made. */
struct tfp_pass {
	struct tfp_tree *tree;
	struct tfp_base *base;
	const struct tfp_profile *profile;
	const struct tfp_query *query;
	const struct tfp_view_rules *rules;
	struct tfp_job *job;
	struct tfp_patterns start, trim, show, hide;
	int64_t minimum[TFP_MAX_METRICS];
	uint32_t tested;      /* bit m: the minimum of metric m can hide a row */
	const int64_t *total; /* what minimums are compared with */
	bool *top;            /* by row: found by the start search; NULL without one */
	/* by row: 1 deeper than is shown, 2 and it, or one below it, passes the filters; NULL: nobody asks */
	uint8_t *beyond;
	TFP_ARRAY(uint32_t) open;
	/* the rows shown, ascending, and the shown row above each */
	uint32_t *row, *parent, count;
};

/* 1: the filters show ROW, 0: they don't, -1: a match limit was reached. Depth is not looked at. */
int tfp_pass_shows(const struct tfp_pass *pass, uint32_t row);

/* ROW, which the filters let pass or not, is deeper than is shown: what passes still counts above it. */
void tfp_pass_deep(struct tfp_pass *pass, uint32_t row, bool passes);

/* Marks the rows shown in tree->shown of a list (op view, or flat). False: failed, cancelled. */
bool tfp_pass_list(struct tfp_pass *pass);
/* Makes totals of its own where the query asks for those of the rows shown. */
void tfp_pass_recount(struct tfp_pass *pass);
void tfp_pass_count_hidden(struct tfp_pass *pass);

#define TFP_AHEAD 12 /* rows */

/* Names lie all over memory: that of a row to come is sent for. */
static inline void tfp_pass_fetch(const struct tfp_base *base, uint32_t row)
{
	__builtin_prefetch(tfp_base_label(base, row).at);
}

/* Zeroed memory that belongs to the tree; pages that are never written cost nothing. */
void *tfp_pass_column(struct tfp_pass *pass, size_t count, size_t size);
/* The row that --zoom names, TFP_NONE. */
uint32_t tfp_zoom_find(const struct tfp_base *base, const char *name);

#endif
