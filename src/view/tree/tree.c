/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees: from a base and a query to the rows that are shown. Rows stand in preorder, so every step is a
 * walk over them from one end to the other.
 */
#include <stdlib.h>

#include "view/query/check.h"
#include "view/trace/strips.h"
#include "view/tree/order.h"
#include "view/tree/pass.h"

void *tfp_pass_column(struct tfp_pass *pass, size_t count, size_t size)
{
	void *column = tfp_alloc_zero(count, size);

	pass->tree->owned[pass->tree->owned_count++] = column;
	return column;
}

static int64_t tested_value(const struct tfp_pass *pass, uint32_t row, uint32_t metric)
{
	const struct tfp_base *base = pass->base;
	size_t at = (size_t)row * base->metric_count + metric;
	bool runs = metric == TFP_TF_RUNS;

	if (!pass->profile->tensorflow)
		return pass->total[at];
	if (runs && pass->rules->count == TFP_COUNT_NODES)
		return base->defined[row];
	if (pass->rules->self_minimums &&
	    (runs || metric == TFP_TF_PARAMS || metric == TFP_TF_FLOAT_OPS))
		return base->self[at];
	return pass->total[at];
}

void tfp_pass_deep(struct tfp_pass *pass, uint32_t row, bool passes)
{
	struct tfp_tree *tree = pass->tree;

	tree->deep_count += passes;
	if (pass->beyond)
		pass->beyond[row] = passes ? 2 : 1;
	if (pass->query->account_displayed_op_only && !pass->rules->ignore_displayed)
		return;
	if (!tree->deep)
		tree->deep = tfp_pass_column(pass, pass->base->count, sizeof(*tree->deep));
	tree->deep[row] = passes;
}

static bool is_root_name(const struct tfp_base *base, uint32_t row)
{
	return base->name[row] == base->name[0] &&
	       (!base->name_size || base->name_size[row] == base->name_size[0]);
}

/* Is the name of ROW, or where rows stand for those below them that of one above it, one of PATTERNS? */
static int matches(const struct tfp_pass *pass, const struct tfp_patterns *patterns, uint32_t row)
{
	int found;

	do {
		found = tfp_patterns_match(patterns, tfp_base_label(pass->base, row));
		row = pass->base->parent[row];
	} while (!found && pass->rules->whole && row != TFP_NONE && row != pass->tree->root);
	return found;
}

/* Does an event of the strip in ROW of the time view have one of the names to be shown? */
static bool is_lit(const struct tfp_pass *pass, uint32_t row)
{
	const struct tfp_base *base = pass->base;
	struct tfp_piece all = {0};

	if (!pass->tree->lit || base->strip[row] == TFP_NONE)
		return false;
	all.at = base->strips->list.at[base->strip[row]].first;
	all.count = base->strips->list.at[base->strip[row]].count;
	return tfp_piece_is_lit(&all, pass->tree->lit, pass->tree->lit_count);
}

int tfp_pass_shows(const struct tfp_pass *pass, uint32_t row)
{
	int result = 1;

	if (row == pass->tree->root || is_root_name(pass->base, row))
		return 1;
	for (uint32_t tested = pass->tested; tested; tested &= tested - 1) {
		uint32_t metric = (uint32_t)__builtin_ctz(tested);

		if (tested_value(pass, row, metric) < pass->minimum[metric])
			return 0;
	}
	if (!pass->show.all && !is_lit(pass, row))
		result = matches(pass, &pass->show, row);
	if (result > 0 && !pass->hide.none) {
		int hidden = matches(pass, &pass->hide, row);

		result = hidden < 0 ? hidden : !hidden;
	}
	return result;
}

/* ---- which rows --------------------------------------------------------------------------------- */

/* Rows on the way from the root to ROW that are being shown the inside of: its depth is two more. */
static int64_t depth_of(struct tfp_pass *pass, uint32_t row)
{
	while (pass->open.count && pass->base->end[pass->open.at[pass->open.count - 1]] <= row)
		pass->open.count--;
	return (int64_t)pass->open.count + 2;
}

/* Looks at ROW. Returns the row to look at next, TFP_NONE on a match limit. */
static uint32_t visit(struct tfp_pass *pass, uint32_t row)
{
	const struct tfp_base *base = pass->base;
	int trimmed = 0, shown;

	if (!pass->trim.none)
		trimmed = tfp_patterns_match(&pass->trim, tfp_base_label(base, row));
	if (trimmed > 0 && pass->rules->trim_drops)
		return base->end[row];
	shown = tfp_pass_shows(pass, row);
	if (trimmed < 0 || shown < 0)
		return TFP_NONE;
	if (depth_of(pass, row) > pass->query->max_depth) {
		tfp_pass_deep(pass, row, shown);
		return trimmed ? base->end[row] : row + 1;
	}
	pass->tree->shown[row] = (uint8_t)shown;
	if (trimmed)
		return base->end[row];
	*tfp_array_push(&pass->open) = row;
	return row + 1;
}

/* Is ROW, or a row above it that was visited, one where to start? Marks it. -1 on a match limit. */
static int starts(struct tfp_pass *pass, uint32_t row, uint32_t *inside)
{
	int found = 1;

	if (!pass->top || row < *inside)
		return 1;
	found = tfp_patterns_match(&pass->start, tfp_base_label(pass->base, row));
	if (found > 0) {
		pass->top[row] = true;
		pass->open.count = 0;
		*inside = pass->base->end[row];
	}
	return found;
}

/* The root is always shown, but nothing below it when it is trimmed. */
static int enters_root(struct tfp_pass *pass)
{
	int trimmed = 0;

	if (!pass->trim.none)
		trimmed = tfp_patterns_match(&pass->trim,
					     tfp_base_label(pass->base, pass->tree->root));
	return trimmed < 0 ? trimmed : !trimmed;
}

static bool mark_tree(struct tfp_pass *pass)
{
	const struct tfp_base *base = pass->base;
	uint32_t row = pass->tree->root + 1, end = base->end[pass->tree->root], inside = 0;
	bool names = !pass->start.all || !pass->trim.none || !pass->show.all || !pass->hide.none;
	int enters = enters_root(pass);

	if (pass->query->context && pass->query->max_depth != INT32_MAX)
		pass->beyond = tfp_pass_column(pass, base->count, sizeof(*pass->beyond));
	if (!pass->start.all)
		pass->top = tfp_pass_column(pass, base->count, sizeof(*pass->top));
	while (enters > 0 && row < end) {
		int found;

		if (tfp_job_cancelled(pass->job))
			return false;
		if (!(base->flags[row] & TFP_ROW_KEPT)) {
			row = base->end[row];
			continue;
		}
		if (names && row + TFP_AHEAD < end)
			tfp_pass_fetch(base, row + TFP_AHEAD);
		found = starts(pass, row, &inside);
		row = found > 0 ? visit(pass, row) : found < 0 ? TFP_NONE : row + 1;
	}
	return enters >= 0 && row != TFP_NONE;
}

/* Marks the rows above those shown, or that would be if they were less deep, up to where the tree starts. */
static void keep_context(struct tfp_pass *pass)
{
	uint8_t *shown = pass->tree->shown, *beyond = pass->beyond;
	uint32_t root = pass->tree->root;

	for (uint32_t row = pass->base->end[root]; --row > root;) {
		uint32_t parent = pass->base->parent[row];

		if ((!shown[row] && !(beyond && beyond[row] == 2)) || parent == root ||
		    (pass->top && pass->top[row]))
			continue;
		if (beyond && beyond[parent])
			beyond[parent] = 2;
		else if (!shown[parent])
			shown[parent] = 2;
	}
}

/* ---- how they hang together --------------------------------------------------------------------- */

/* Finds row and parent: the shown row above, or the root in a list of leaves. */
static void find_parents(struct tfp_pass *pass)
{
	const struct tfp_base *base = pass->base;
	const struct tfp_tree *tree = pass->tree;
	uint32_t end = base->end[tree->root];

	pass->open.count = 0;
	for (uint32_t row = tree->root + 1; row < end; row++) {
		uint32_t parent = tree->root;

		if (!tree->shown[row])
			continue;
		depth_of(pass, row);
		if (pass->open.count && !pass->query->flat)
			parent = pass->open.at[pass->open.count - 1];
		pass->row[pass->count] = row;
		pass->parent[pass->count++] = parent;
		*tfp_array_push(&pass->open) = row;
	}
}

static uint32_t count_shown(const struct tfp_tree *tree)
{
	uint32_t count = 0;

	for (uint32_t row = 0; row < tree->base->count; row++)
		count += tree->shown[row] != 0;
	return count;
}

/* Fills row, parent and the tree's children. */
static void link_rows(struct tfp_pass *pass)
{
	struct tfp_tree *tree = pass->tree;
	uint32_t count = count_shown(tree);

	pass->row = tfp_realloc_array(NULL, (size_t)count * 2, sizeof(*pass->row));
	pass->parent = pass->row + count;
	find_parents(pass);
	tree->shown_count = count;
	tree->child_first = tfp_pass_column(pass, tree->base->count, sizeof(uint32_t));
	tree->child_count = tfp_pass_column(pass, tree->base->count, sizeof(uint32_t));
	tree->child = tfp_pass_column(pass, count, sizeof(uint32_t));
	for (uint32_t i = 0; i < count; i++)
		tree->child_count[pass->parent[i]]++;
	tree->child_first[tree->root] = 0;
	for (uint32_t i = 0, next = tree->child_count[tree->root]; i < count; i++) {
		tree->child_first[pass->row[i]] = next;
		next += tree->child_count[pass->row[i]];
	}
	for (uint32_t i = 0; i < count; i++)
		tree->child[tree->child_first[pass->parent[i]]++] = pass->row[i];
	tree->child_first[tree->root] -= tree->child_count[tree->root];
	for (uint32_t i = 0; i < count; i++)
		tree->child_first[pass->row[i]] -= tree->child_count[pass->row[i]];
	tree->shown[tree->root] = 1;
}

/* ---- trees -------------------------------------------------------------------------------------- */

static void find_minimums(struct tfp_pass *pass)
{
	for (uint32_t i = 0; i < pass->base->metric_count; i++) {
		int64_t minimum = tfp_query_minimum(pass->query, pass->profile, i);
		bool ignored = pass->profile->tensorflow && i == TFP_TF_RUNS &&
			       pass->rules->count == TFP_COUNT_IGNORED;

		pass->minimum[i] = minimum;
		if (!ignored && (minimum > 0 || pass->base->negative >> i & 1))
			pass->tested |= UINT32_C(1) << i;
	}
}

static bool compile(struct tfp_pass *pass, struct tfp_diag *diag)
{
	return tfp_patterns_init(&pass->start, pass->query, TFP_START, diag) &&
	       tfp_patterns_init(&pass->trim, pass->query, TFP_TRIM, diag) &&
	       tfp_patterns_init(&pass->show, pass->query, TFP_SHOW, diag) &&
	       tfp_patterns_init(&pass->hide, pass->query, TFP_HIDE, diag);
}

/* Lanes are called by what they are, so names to be shown are those of their events as well. */
static bool find_lit(struct tfp_pass *pass)
{
	struct tfp_tree *tree = pass->tree;
	uint32_t *lit = NULL;
	bool done;

	if (!pass->base->strips || pass->show.all)
		return true;
	done = tfp_strips_match(pass->base->strips, &pass->show, pass->job, &lit, &tree->lit_count);
	tree->lit = tree->owned[tree->owned_count++] = lit;
	return done;
}

static bool find_root(struct tfp_pass *pass, struct tfp_diag *diag)
{
	const char *zoom = pass->query->zoom;

	if (!zoom || !*zoom)
		return true;
	pass->tree->root = tfp_zoom_find(pass->base, zoom);
	if (pass->tree->root != TFP_NONE)
		return true;
	tfp_diag_error(diag, "--zoom: the %s view has no row \"%s\"", pass->base->view->name, zoom);
	return false;
}

/* A list is long, and whoever asks for it wants its order: sorted once, where nobody waits for a key. */
static void rank(struct tfp_pass *pass)
{
	struct tfp_tree *tree = pass->tree;
	uint32_t *ranked =
		tfp_pass_column(pass, tree->child_count[tree->root] + 1, sizeof(*ranked));

	tfp_tree_children(tree, tree->root, ranked);
	tree->ranked = ranked;
}

static bool fill(struct tfp_pass *pass)
{
	bool list = pass->query->flat || (pass->rules->list && pass->tree->root == 0);

	if (!(list ? tfp_pass_list(pass) : mark_tree(pass)))
		return false;
	if (pass->query->context && !list)
		keep_context(pass);
	link_rows(pass);
	tfp_pass_recount(pass);
	tfp_pass_count_hidden(pass);
	if (pass->query->flat)
		rank(pass);
	return true;
}

static struct tfp_tree *new_tree(struct tfp_pass *pass)
{
	struct tfp_tree *tree = tfp_alloc_zero(1, sizeof(*tree));

	pass->tree = tree;
	tree->references = 1;
	tree->base = tfp_base_hold(pass->base);
	tree->total = pass->base->total;
	tree->baseline = pass->base->baseline_total;
	tree->defined = pass->base->defined;
	tree->shown = tfp_pass_column(pass, pass->base->count, sizeof(*tree->shown));
	tree->order_metric = tfp_query_order(pass->query, pass->profile);
	tree->reverse = pass->query->reverse;
	tfp_query_copy(&tree->query, pass->query);
	return tree;
}

struct tfp_tree *tfp_tree_make(struct tfp_engine *engine, struct tfp_base *base,
			       const struct tfp_query *query, struct tfp_job *job,
			       struct tfp_diag *diag)
{
	struct tfp_pass pass = {
		.base = base,
		.profile = engine->profile,
		.query = query,
		.rules = base->view->rules,
		.job = job,
		.total = query->flat && !base->view->rules->list ? base->self : base->total,
	};
	struct tfp_tree *tree = new_tree(&pass);

	if (query->account_displayed_op_only && pass.rules->ignore_displayed)
		tfp_diag_note(diag, "the %s view ignores --account_displayed_op_only",
			      base->view->name);
	find_minimums(&pass);
	if (!compile(&pass, diag) || !find_lit(&pass) || !find_root(&pass, diag) || !fill(&pass)) {
		tfp_tree_release(tree);
		tree = NULL;
	}
	tfp_patterns_free(&pass.start);
	tfp_patterns_free(&pass.trim);
	tfp_patterns_free(&pass.show);
	tfp_patterns_free(&pass.hide);
	tfp_array_free(&pass.open);
	free(pass.row);
	return tree;
}

struct tfp_tree *tfp_tree_hold(struct tfp_tree *tree)
{
	tree->references++;
	return tree;
}

void tfp_tree_release(struct tfp_tree *tree)
{
	if (!tree || --tree->references)
		return;
	for (uint32_t i = 0; i < tree->owned_count; i++)
		free(tree->owned[i]);
	tfp_base_release(tree->base);
	tfp_query_free(&tree->query);
	tfp_arena_free(&tree->arena);
	free(tree);
}
