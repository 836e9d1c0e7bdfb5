/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding rows of a tree, by key, by name and by text.
 */
#include <stdlib.h>
#include <string.h>

#include "view/match/match.h"
#include "view/trace/lengths.h"
#include "view/trace/track.h"
#include "view/tree/pass.h"

#define BETWEEN " > " /* the labels of a path */
#define POLL    4096

uint32_t tfp_tree_find(const struct tfp_tree *tree, uint64_t key)
{
	uint32_t end = tree->base->end[tree->root];

	for (uint32_t row = tree->root; row < end; row++)
		if (tree->base->key[row] == key && tree->shown[row])
			return row;
	return TFP_NONE;
}

uint32_t tfp_base_place(const struct tfp_base *base, uint32_t row)
{
	uint32_t place = row;

	if (!(base->flags[row] & TFP_ROW_LINK))
		return row;
	while (place && (base->node[place] != base->node[row] || base->flags[place] & TFP_ROW_LINK))
		place--;
	return place;
}

uint32_t tfp_tree_shown_parent(const struct tfp_tree *tree, uint32_t row)
{
	uint32_t root = tree->root;

	if (row <= root || row >= tree->base->end[root])
		return root;
	if (tree->query.flat)
		return tree->shown[row] ? row : root;
	while (row != root && !tree->shown[row])
		row = tree->base->parent[row];
	return row;
}

static bool compares(const struct tfp_tree *tree, uint32_t metric)
{
	return tree->baseline && !(tree->base->baseline_absent >> metric & 1);
}

/* How much METRIC weighs in ROW: what it has, or with a baseline what it differs by. */
static int64_t weight_of(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	return compares(tree, metric) ? tfp_tree_difference(tree, row, metric)
				      : tfp_tree_total(tree, row, metric);
}

/* Steps below ROW, or ranks of one, weigh as much as they are long. */
static uint32_t weighed_by(const struct tfp_tree *tree, uint32_t row, uint32_t metric)
{
	const struct tfp_base *base = tree->base;

	if (!base->step_room || !tree->child_count[row] ||
	    !tfp_row_is_step(base, tree->child[tree->child_first[row]]))
		return metric;
	return tfp_length_metric(base->metrics, base->metric_count);
}

uint32_t tfp_tree_heaviest(const struct tfp_tree *tree, uint32_t row, uint32_t metric,
			   double *share)
{
	const uint32_t *child = tree->child + tree->child_first[row];
	int64_t whole, most = 0;
	uint32_t best = TFP_NONE;
	bool less;

	metric = weighed_by(tree, row, metric);
	whole = weight_of(tree, row, metric);
	/* What became less is due to what became less. */
	less = compares(tree, metric) && whole < 0;

	for (uint32_t i = 0; i < tree->child_count[row]; i++) {
		int64_t weight = weight_of(tree, child[i], metric);

		if (best == TFP_NONE || (less ? weight < most : weight > most)) {
			best = child[i];
			most = weight;
		}
	}
	*share = whole ? (double)most / (double)whole : 0;
	/* All steps together differ from nothing, and gains may make up for losses. */
	if (compares(tree, metric) && !whole && most > 0)
		*share = 1;
	return best;
}

/* What stands between the label of the row above ROW and the rest of that of ROW; 0: nothing is shared. */
static char joint(const struct tfp_base *base, uint32_t row)
{
	if (base->name_size)
		return '/';
	/* shapes of an op type, and a kernel as it was launched */
	if (base->view == &tfp_view_op || (base->track && base->track[row].work != TFP_NONE))
		return ' ';
	return '\0';
}

struct tfp_span tfp_tree_name(const struct tfp_tree *tree, uint32_t row, uint32_t parent)
{
	struct tfp_span label = tfp_base_label(tree->base, row), above;
	char between = joint(tree->base, row);

	if (!between || tree->query.flat || parent == TFP_NONE || row == parent)
		return label;
	while (parent && tree->base->flags[parent] & TFP_ROW_FOLD)
		parent = tree->base->parent[parent];
	above = tfp_base_label(tree->base, parent);
	if (label.size <= above.size + 1 || label.at[above.size] != between ||
	    memcmp(label.at, above.at, above.size) != 0)
		return label;
	return tfp_span_from(label, above.size + 1);
}

/* ---- zoom ---------------------------------------------------------------------------------- */

/* Takes LABEL, and what stands between labels, off the end of *path. */
static bool take_last(struct tfp_span *path, struct tfp_span label)
{
	struct tfp_span between = TFP_SPAN(BETWEEN);

	if (path->size < label.size ||
	    memcmp(path->at + path->size - label.size, label.at, label.size) != 0)
		return false;
	path->size -= label.size;
	if (!path->size)
		return true;
	if (path->size < between.size ||
	    memcmp(path->at + path->size - between.size, between.at, between.size) != 0)
		return false;
	path->size -= between.size;
	return true;
}

/* Is PATH the label of ROW, or those of rows above it and its own? */
static bool is_path(const struct tfp_base *base, uint32_t row, struct tfp_span path)
{
	for (; row != TFP_NONE; row = base->parent[row]) {
		if (!take_last(&path, tfp_base_label(base, row)))
			return false;
		if (!path.size)
			return true;
	}
	return false;
}

static uint32_t find_label(const struct tfp_base *base, struct tfp_span label)
{
	for (uint32_t row = 0; row < base->count; row++)
		if (base->flags[row] & TFP_ROW_KEPT &&
		    tfp_span_equal(tfp_base_label(base, row), label))
			return row;
	return TFP_NONE;
}

uint32_t tfp_zoom_find(const struct tfp_base *base, const char *name)
{
	struct tfp_span span = tfp_span_of(name);
	uint32_t row = find_label(base, span);

	if (row != TFP_NONE)
		return row;
	for (row = 0; row < base->count; row++)
		if (base->flags[row] & TFP_ROW_KEPT && is_path(base, row, span))
			return row;
	return TFP_NONE;
}

/* Writes TEXT so that it ends at *end, which moves to its start. */
static void put_before(char **end, struct tfp_span text)
{
	*end -= text.size;
	memcpy(*end, text.at, text.size);
}

char *tfp_tree_zoom(const struct tfp_tree *tree, uint32_t row, struct tfp_arena *arena)
{
	const struct tfp_base *base = tree->base;
	struct tfp_span label = tfp_base_label(base, row), between = TFP_SPAN(BETWEEN);
	bool alone = find_label(base, label) == row;
	size_t size = label.size;
	char *end;

	for (uint32_t up = base->parent[row]; !alone && up != TFP_NONE && up; up = base->parent[up])
		size += tfp_base_label(base, up).size + between.size;
	end = tfp_arena_zero(arena, size + 1, 1);
	end += size;
	put_before(&end, label);
	for (uint32_t up = base->parent[row]; !alone && up != TFP_NONE && up;
	     up = base->parent[up]) {
		put_before(&end, between);
		put_before(&end, tfp_base_label(base, up));
	}
	return end;
}

/* ---- search -------------------------------------------------------------------------------- */

/*
 * Does ROW match by itself? A text that lies in the name of the row above is found there, not again in each row
 * below; one that begins there and ends here is.
 */
static bool matches_itself(const struct tfp_tree *tree, uint32_t row,
			   const struct tfp_finder *finder, size_t size)
{
	struct tfp_span label = tfp_base_label(tree->base, row), own;
	uint32_t above = tree->base->parent[row];

	if (!tfp_finder_match(finder, label))
		return false;
	if (row == tree->root || above == TFP_NONE)
		return true;
	own = tfp_tree_name(tree, row, tfp_tree_shown_parent(tree, above));
	if (own.size + size > label.size)
		return true;
	own.size += size - 1;
	own.at -= size - 1;
	return tfp_finder_match(finder, own);
}

bool tfp_tree_match(const struct tfp_tree *tree, const char *text, struct tfp_matches *matches,
		    struct tfp_job *job)
{
	const struct tfp_base *base = tree->base;
	struct tfp_finder *finder = tfp_finder_new(text);
	size_t size = strlen(text);
	uint32_t count = 0, row = 0;

	matches->before = tfp_realloc_array(NULL, (size_t)base->count + 1, sizeof(uint32_t));
	for (; row < base->count; row++) {
		if (row % POLL == 0 && tfp_job_cancelled(job))
			break;
		if (row + TFP_AHEAD < base->count)
			tfp_pass_fetch(base, row + TFP_AHEAD);
		matches->before[row] = count;
		count += tree->shown[row] && !(base->flags[row] & TFP_ROW_LINK) &&
			 matches_itself(tree, row, finder, size);
	}
	matches->before[row] = count;
	tfp_finder_free(finder);
	if (row == base->count)
		return true;
	tfp_matches_free(matches);
	return false;
}

void tfp_matches_free(struct tfp_matches *matches)
{
	free(matches->before);
	matches->before = NULL;
}
