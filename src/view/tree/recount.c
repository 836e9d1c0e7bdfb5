/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from which rows are shown: totals of those alone, and what the filters took away.
 */
#include <string.h>

#include "view/tree/pass.h"
#include "view/trace/union.h"

/* ---- totals of what is shown --------------------------------------------------------------- */

struct recount {
	struct tfp_pass *pass;
	const int64_t *self, *whole; /* of the base, or of its baseline */
	int64_t *total, *defined;    /* DEFINED: NULL where it is not a count of rows */
	size_t metrics;
};

/* A row's own values; one kept only for those below it has none. */
static void take_self(const struct recount *count, uint32_t row)
{
	const int64_t *self = count->self + row * count->metrics;

	if (count->pass->tree->shown[row] != 1)
		return;
	memcpy(count->total + row * count->metrics, self, count->metrics * sizeof(*self));
	if (count->defined)
		count->defined[row] = tfp_base_counts(count->pass->base, row);
}

static void add_up(const struct recount *count, uint32_t row, uint32_t parent)
{
	tfp_base_merge(count->pass->base, count->total + parent * count->metrics,
		       count->total + row * count->metrics);
	if (count->defined)
		count->defined[parent] += count->defined[row];
}

static void keep_root(const struct recount *count)
{
	uint32_t root = count->pass->tree->root;

	memcpy(count->total + root * count->metrics, count->whole + root * count->metrics,
	       count->metrics * sizeof(*count->total));
	if (count->defined)
		count->defined[root] = count->pass->base->defined[root];
}

/* Times that overlap are found anew; those of the baseline are of events that are not at hand. */
static void unite(const struct recount *count)
{
	const struct tfp_pass *pass = count->pass;
	const struct tfp_base *base = pass->base;
	uint32_t step = tfp_base_step(base, pass->profile, pass->query);
	uint32_t *above;

	if (count->self != base->self) {
		for (size_t i = TFP_TRACE_BUSY; i < base->count * count->metrics;
		     i += count->metrics)
			count->total[i] = count->whole[i];
		return;
	}
	above = tfp_realloc_array(NULL, base->count, sizeof(*above));
	above[pass->tree->root] = TFP_NONE;
	for (uint32_t i = 0; i < pass->count; i++)
		above[pass->row[i]] = pass->parent[i];
	tfp_union_shown(base, pass->profile, step, pass->tree->shown, above, count->total,
			pass->job);
	tfp_array_release(above);
}

/* What single events took is that of all below a row, displayed or not, and a step is as long. */
static void keep_spread(const struct recount *count)
{
	const struct tfp_base *base = count->pass->base;

	for (uint32_t metric = 0; metric < count->metrics; metric++)
		for (size_t at = metric; base->metrics[metric].kind >= TFP_SPREAD &&
					 at < (size_t)base->count * count->metrics;
		     at += count->metrics)
			count->total[at] = count->whole[at];
}

/* Adds up what is DISPLAYED, or takes the rows of a flat list for themselves. */
static void make_totals(struct recount *count, bool displayed)
{
	struct tfp_pass *pass = count->pass;

	count->total =
		tfp_pass_column(pass, pass->base->count * count->metrics, sizeof(*count->total));
	for (uint32_t i = 0; i < pass->count; i++)
		take_self(count, pass->row[i]);
	if (!displayed) {
		keep_root(count);
		return;
	}
	take_self(count, pass->tree->root);
	for (uint32_t i = pass->count; i-- > 0;)
		add_up(count, pass->row[i], pass->parent[i]);
	if (pass->profile->trace)
		unite(count);
	keep_spread(count);
}

void tfp_pass_recount(struct tfp_pass *pass)
{
	const struct tfp_base *base = pass->base;
	bool displayed = pass->query->account_displayed_op_only && !pass->rules->ignore_displayed;
	struct recount count = {pass, base->self, base->total, NULL, NULL, base->metric_count};

	if (pass->rules->list || (!pass->query->flat && !displayed))
		return;
	if (pass->rules->count == TFP_COUNT_RUNS)
		count.defined = tfp_pass_column(pass, base->count, sizeof(*count.defined));
	make_totals(&count, displayed);
	pass->tree->total = count.total;
	if (count.defined)
		pass->tree->defined = count.defined;
	if (!base->baseline_self)
		return;
	count = (struct recount){.pass = pass,
				 .self = base->baseline_self,
				 .whole = base->baseline_total,
				 .metrics = base->metric_count};
	make_totals(&count, displayed);
	pass->tree->baseline = count.total;
}

/* ---- what is hidden ------------------------------------------------------------------------ */

static void add_self(const struct tfp_base *base, uint32_t row, int64_t *sums)
{
	const int64_t *self = base->self + (size_t)row * base->metric_count;

	for (uint32_t i = 0; i < base->metric_count; i++)
		sums[i] = tfp_wrap_add(sums[i], self[i]);
}

static bool is_hidden(const struct tfp_pass *pass, uint32_t row)
{
	return pass->base->flags[row] & TFP_ROW_ACCOUNTED && !tfp_tree_passes(pass->tree, row);
}

/* Adds up what is hidden, row by row. */
static void sum_hidden(const struct tfp_pass *pass)
{
	struct tfp_tree *tree = pass->tree;
	uint32_t end = pass->base->end[tree->root];

	for (uint32_t row = tree->root + 1; row < end; row++) {
		if (!is_hidden(pass, row))
			continue;
		tree->hidden_count++;
		add_self(pass->base, row, tree->hidden);
	}
}

/* Takes what is shown from the sums over all: for when little is shown. */
static void subtract_shown(const struct tfp_pass *pass)
{
	const struct tfp_base *base = pass->base;
	struct tfp_tree *tree = pass->tree;
	int64_t shown[TFP_MAX_METRICS] = {0};

	tree->hidden_count = base->accounted_count;
	for (uint32_t i = 0; i < pass->count; i++) {
		uint32_t row = pass->row[i];

		if (tree->shown[row] != 1 || !(base->flags[row] & TFP_ROW_ACCOUNTED))
			continue;
		tree->hidden_count--;
		add_self(base, row, shown);
	}
	for (uint32_t i = 0; i < base->metric_count; i++)
		tree->hidden[i] = (int64_t)((uint64_t)base->accounted[i] - (uint64_t)shown[i]);
}

void tfp_pass_count_hidden(struct tfp_pass *pass)
{
	if (pass->tree->root == 0 && !pass->tree->deep && pass->count < pass->base->count / 2)
		subtract_shown(pass);
	else
		sum_hidden(pass);
}
