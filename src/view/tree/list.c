/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists: the op view, and any view flat. Rows are sorted first; of the op view totals are then summed up
 * from the end, and start, trim and depth go by the place in the list. So do minimums in TensorFlow's profiles, as in its
 * reports; else they are about the rows themselves.
 */
#include <stdlib.h>

#include "view/tree/order.h"
#include "view/tree/pass.h"

struct list {
	struct tfp_pass *pass;
	uint32_t *rows, count;
	const int64_t *values; /* of the rows by themselves */
	int64_t *running;      /* of the op view */
};

/* In a flat list whatever has values of its own; else what is directly below the root. */
static bool is_listed(const struct tfp_pass *pass, uint32_t row)
{
	uint8_t flags = pass->base->flags[row];

	if (!(flags & TFP_ROW_ACCOUNTED) && !(pass->rules->list && flags & TFP_ROW_KEPT))
		return false;
	return pass->query->flat ? flags & TFP_ROW_LEAF : pass->base->parent[row] == 0;
}

static void gather(struct list *list)
{
	const struct tfp_pass *pass = list->pass;
	uint32_t root = pass->tree->root, end = pass->base->end[root];

	list->rows = tfp_realloc_array(NULL, end - root, sizeof(*list->rows));
	for (uint32_t row = root + 1; row < end; row++)
		if (is_listed(pass, row))
			list->rows[list->count++] = row;
}

/* Running totals of ROWS from the last to the first, and of the root, into what is all zero there. */
static void run_up(const struct list *list, const uint32_t *rows, uint32_t count)
{
	const struct tfp_base *base = list->pass->base;
	size_t metrics = base->metric_count;
	const int64_t *values = list->values;
	int64_t *root = list->running + list->pass->tree->root * metrics;

	for (uint32_t i = count; i-- > 0;) {
		int64_t *to = list->running + rows[i] * metrics;

		for (size_t metric = 0; metric < metrics; metric++)
			to[metric] = 0;
		if (i + 1 < count)
			tfp_base_merge(base, to, list->running + rows[i + 1] * metrics);
		tfp_base_merge(base, to, values + rows[i] * metrics);
	}
	for (size_t metric = 0; metric < metrics; metric++)
		root[metric] = count ? list->running[rows[0] * metrics + metric] : 0;
}

/* Where the list starts: its end when a start pattern is given that matches nothing. */
static int64_t find_start(const struct list *list)
{
	const struct tfp_patterns *start = &list->pass->start;

	if (start->all || (!start->count && !start->text))
		return 0;
	for (uint32_t i = 0; i < list->count; i++) {
		int found =
			tfp_patterns_match(start, tfp_base_label(list->pass->base, list->rows[i]));

		if (found)
			return found < 0 ? -1 : (int64_t)i;
		if (tfp_job_cancelled(list->pass->job))
			return -1;
	}
	return list->count;
}

/* Shows the rows from START on, until one is trimmed. False on a match limit or cancel. */
static bool show_rows(struct list *list, uint32_t start)
{
	struct tfp_pass *pass = list->pass;

	for (uint32_t i = start; i < list->count; i++) {
		uint32_t row = list->rows[i];
		int trimmed = 0, shown;

		if (i + TFP_AHEAD < list->count)
			tfp_pass_fetch(pass->base, list->rows[i + TFP_AHEAD]);
		if (!pass->trim.none)
			trimmed = tfp_patterns_match(&pass->trim, tfp_base_label(pass->base, row));
		if (trimmed > 0)
			return true;
		shown = tfp_pass_shows(pass, row);
		if (trimmed < 0 || shown < 0 || tfp_job_cancelled(pass->job))
			return false;
		if ((int64_t)(i - start) > pass->query->max_depth)
			tfp_pass_deep(pass, row, shown);
		else
			pass->tree->shown[row] = (uint8_t)shown;
	}
	return true;
}

/* Whatever is below a row shown is shown as well, and counts where that counts. */
static void show_inside(struct tfp_pass *pass)
{
	const struct tfp_base *base = pass->base;
	struct tfp_tree *tree = pass->tree;

	for (uint32_t row = 1; row < base->count; row++) {
		uint32_t parent = base->parent[row];

		if (!(base->flags[row] & TFP_ROW_KEPT) || !parent)
			continue;
		if (tree->shown[parent])
			tree->shown[row] = 1;
		else if (tree->deep && tree->deep[parent])
			tree->deep[row] = true;
	}
}

/* Running totals of the rows shown alone. */
static void run_up_shown(struct list *list)
{
	uint32_t *rows = tfp_realloc_array(NULL, list->count, sizeof(*rows)), count = 0;

	for (uint32_t i = 0; i < list->count; i++)
		if (list->pass->tree->shown[list->rows[i]])
			rows[count++] = list->rows[i];
	run_up(list, rows, count);
	free(rows);
}

static bool show_list(struct list *list)
{
	int64_t start = find_start(list);

	if (start < 0 || !show_rows(list, (uint32_t)start))
		return false;
	if (list->running && list->pass->query->account_displayed_op_only)
		run_up_shown(list);
	return true;
}

/* Does what is shown depend on where in the list a row stands? */
static bool needs_order(const struct list *list)
{
	const struct tfp_pass *pass = list->pass;

	return pass->rules->list || pass->query->max_depth < list->count || !pass->start.all ||
	       !pass->trim.none;
}

bool tfp_pass_list(struct tfp_pass *pass)
{
	const struct tfp_base *base = pass->base;
	struct list list = {.pass = pass, .values = pass->total};
	struct tfp_order order = {
		.base = base,
		.values = pass->total,
		.baseline = pass->total == base->self ? base->baseline_self : base->baseline_total,
		.defined = base->defined,
		.by = pass->tree->order_metric,
		.reverse = pass->tree->reverse,
		.flat = pass->query->flat,
	};
	bool done;

	gather(&list);
	if (needs_order(&list))
		tfp_order_rows(&order, list.rows, list.count);
	if (pass->rules->list) {
		list.running = tfp_pass_column(pass, (size_t)base->count * base->metric_count,
					       sizeof(*list.running));
		run_up(&list, list.rows, list.count);
		pass->tree->running = list.running;
		if (pass->profile->tensorflow)
			pass->total = list.running;
	}
	done = show_list(&list);
	if (done && pass->rules->list && !pass->query->flat)
		show_inside(pass);
	free(list.rows);
	return done;
}
