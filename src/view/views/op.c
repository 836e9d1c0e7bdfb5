/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The op view: one row an op type, with the nodes that count. A deep one has a row for each list of
 * input shapes below its type, and the nodes below that; values are then the nodes' own, and the
 * rows above them sums. For a flat list, in which types and shapes are what is ranked, nodes have
 * no rows.
 */
#include <stdlib.h>

#include "tfprof/breakdown.h"
#include "view/group/merge.h"
#include "view/group/picks.h"
#include "view/group/signature.h"

struct group {
	tfp_str name;   /* of a type; label of a signature */
	uint32_t above; /* a signature's type */
	uint32_t count; /* nodes that count */
	uint32_t row;
};

/* What is at hand while the base is made. */
struct maker {
	struct tfp_build *build;
	struct tfp_profile *profile;
	struct tfp_merge merge;
	uint32_t *weight;              /* by node */
	uint32_t *of_node;             /* by node: its type's index, then its row */
	TFP_ARRAY(struct group) types; /* in name order */
	struct tfp_signatures signatures;
	TFP_ARRAY(struct group) shapes; /* by signature */
	const uint32_t *order;          /* nodes by name */
};

static int compare_names(const struct tfp_strings *strings, tfp_str a, tfp_str b)
{
	return tfp_span_compare(tfp_strings_get(strings, a), tfp_strings_get(strings, b));
}

static int compare_groups(const void *left, const void *right, void *strings)
{
	const struct group *a = left, *b = right;

	return compare_names(strings, a->name, b->name);
}

/* Groups the nodes that count by type, in the order in which types come up. */
static void find_types(struct maker *maker)
{
	uint32_t count = maker->profile->nodes.count;
	/* by string: 1 + index of the type */
	uint32_t *index =
		tfp_alloc_zero(tfp_strings_count(maker->profile->strings), sizeof(*index));

	for (uint32_t node = 0; node < count; node++) {
		tfp_str op = maker->profile->nodes.op[tfp_merge_node(&maker->merge, node)];

		if (!maker->weight[node])
			continue;
		if (!index[op]) {
			*tfp_array_push(&maker->types) = (struct group){.name = op};
			index[op] = (uint32_t)maker->types.count;
		}
		maker->of_node[node] = index[op] - 1;
		maker->types.at[index[op] - 1].count++;
	}
	free(index);
}

/* Brings types into name order. */
static void sort_types(struct maker *maker)
{
	size_t count = maker->types.count;
	uint32_t *rank = tfp_realloc_array(NULL, count, sizeof(*rank));

	for (uint32_t i = 0; i < count; i++)
		maker->types.at[i].row = i;
	if (count)
		qsort_r(maker->types.at, count, sizeof(*maker->types.at), compare_groups,
			maker->profile->strings);
	for (uint32_t i = 0; i < count; i++)
		rank[maker->types.at[i].row] = i;
	for (uint32_t node = 0; node < maker->profile->nodes.count; node++)
		if (maker->weight[node])
			maker->of_node[node] = rank[maker->of_node[node]];
	free(rank);
}

static void fill_group(struct tfp_base *base, const struct group *group, uint32_t parent)
{
	struct tfp_span label;

	base->name[group->row] = group->name;
	base->parent[group->row] = parent;
	label = tfp_base_label(base, group->row);
	base->key[group->row] =
		parent ? tfp_key_below(base->key[parent], label) : tfp_key_type(label);
}

static struct tfp_base *make_plain(struct maker *maker)
{
	uint32_t count = (uint32_t)maker->types.count;
	struct tfp_base *base = tfp_base_new(&tfp_view_op, maker->build, count + 1);

	for (uint32_t i = 0; i < count; i++) {
		maker->types.at[i].row = i + 1;
		fill_group(base, &maker->types.at[i], 0);
	}
	for (uint32_t node = 0; node < maker->profile->nodes.count; node++)
		maker->of_node[node]++;
	if (tfp_picks_fill(base, maker->build, maker->of_node, maker->weight, NULL))
		return base;
	tfp_base_release(base);
	return NULL;
}

/* ---- deep ------------------------------------------------------------------------------------ */

static uint32_t signature_of(struct maker *maker, uint32_t node)
{
	return tfp_signature(&maker->signatures, tfp_merge_node(&maker->merge, node));
}

/* Groups the nodes that count by signature. False when cancelled. */
static bool find_shapes(struct maker *maker)
{
	for (uint32_t node = 0; node < maker->profile->nodes.count; node++) {
		uint32_t signature;

		if (node % 4096 == 0 && tfp_job_cancelled(maker->build->job))
			return false;
		if (!maker->weight[node])
			continue;
		signature = signature_of(maker, node);
		if (signature == maker->shapes.count)
			*tfp_array_push(&maker->shapes) = (struct group){
				.name = maker->signatures.label.at[signature],
				.above = maker->of_node[node],
			};
		maker->shapes.at[signature].count++;
	}
	return true;
}

static int compare_shapes(const void *left, const void *right, void *data)
{
	const struct maker *maker = data;
	const struct group *a = &maker->shapes.at[*(const uint32_t *)left];
	const struct group *b = &maker->shapes.at[*(const uint32_t *)right];

	if (a->above != b->above)
		return a->above < b->above ? -1 : 1;
	return compare_names(maker->profile->strings, a->name, b->name);
}

/* Gives types and shapes their rows, and nodes room for theirs; returns how many there are. */
static uint32_t number_rows(struct maker *maker)
{
	uint32_t count = (uint32_t)maker->shapes.count, row = 1, type = TFP_NONE;
	uint32_t *sorted = tfp_realloc_array(NULL, count, sizeof(*sorted));

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = i;
	if (count)
		qsort_r(sorted, count, sizeof(*sorted), compare_shapes, maker);
	for (uint32_t i = 0; i < count; i++) {
		struct group *shape = &maker->shapes.at[sorted[i]];

		if (shape->above != type) {
			type = shape->above;
			maker->types.at[type].row = row++;
		}
		shape->row = row;
		row += 1 + (maker->build->query->flat ? 0 : shape->count);
	}
	free(sorted);
	return row;
}

/* In a list nodes go into the row of their shapes. */
static void join_nodes(struct maker *maker)
{
	for (uint32_t node = 0; node < maker->profile->nodes.count; node++)
		if (maker->weight[node])
			maker->of_node[node] = maker->shapes.at[signature_of(maker, node)].row;
}

static void fill_nodes(struct maker *maker, struct tfp_base *base)
{
	uint32_t *next = tfp_realloc_array(NULL, maker->shapes.count, sizeof(*next));

	for (size_t i = 0; i < maker->shapes.count; i++)
		next[i] = maker->shapes.at[i].row + 1;
	for (uint32_t i = 0; i < maker->profile->nodes.count; i++) {
		uint32_t node = maker->order[i], signature, row;

		if (!maker->weight[node])
			continue;
		signature = signature_of(maker, node);
		row = next[signature]++;
		maker->of_node[node] = row;
		base->parent[row] = maker->shapes.at[signature].row;
		base->name[row] = maker->profile->nodes.name[node];
		base->key[row] = tfp_key_name(tfp_base_label(base, row));
		base->node[row] = node;
		base->flags[row] |= TFP_ROW_NODE;
	}
	free(next);
}

static void count_nodes(const struct maker *maker, struct tfp_base *base)
{
	for (size_t i = 0; i < maker->types.count; i++)
		base->defined[maker->types.at[i].row] = maker->types.at[i].count;
	for (size_t i = 0; i < maker->shapes.count; i++)
		base->defined[maker->shapes.at[i].row] = maker->shapes.at[i].count;
}

static struct tfp_base *make_deep(struct maker *maker)
{
	struct tfp_base *base;

	if (!find_shapes(maker))
		return NULL;
	base = tfp_base_new(&tfp_view_op, maker->build, number_rows(maker));
	for (size_t i = 0; i < maker->types.count; i++)
		fill_group(base, &maker->types.at[i], 0);
	for (size_t i = 0; i < maker->shapes.count; i++) {
		const struct group *shape = &maker->shapes.at[i];

		fill_group(base, shape, maker->types.at[shape->above].row);
	}
	if (maker->build->query->flat)
		join_nodes(maker);
	else
		fill_nodes(maker, base);
	if (!tfp_picks_fill(base, maker->build, maker->of_node, maker->weight, NULL)) {
		tfp_base_release(base);
		return NULL;
	}
	count_nodes(maker, base);
	return base;
}

static struct tfp_base *make_base(struct maker *maker)
{
	struct tfp_build *build = maker->build;
	struct tfp_base *base;

	find_types(maker);
	sort_types(maker);
	if (!build->query->deep)
		return make_plain(maker);
	if (!build->query->flat) {
		maker->order = tfp_engine_name_order(build->engine, build->job);
		if (!maker->order)
			return NULL;
	}
	tfp_signatures_start(&maker->signatures, maker->profile, build->quirks);
	base = make_deep(maker);
	tfp_signatures_end(&maker->signatures);
	return base;
}

/* Python calls and the like are drawn in the time view, and are no ops, nor is what holds memory and never ran. */
static void leave_out_others(struct maker *maker)
{
	const struct tfp_nodes *nodes = &maker->profile->nodes;

	for (uint32_t node = 0; node < nodes->count; node++) {
		bool drawn = nodes->flags[node] & TFP_NODE_UNSCOPED && !nodes->op[node];
		bool held = nodes->flags[node] & TFP_NODE_HELD && nodes->cell[node] == TFP_NONE;

		if (drawn || held)
			maker->weight[node] = 0;
	}
}

static struct tfp_base *build_op(struct tfp_build *build)
{
	struct tfp_base *base = NULL;
	struct maker maker = {.build = build};

	if (build->query->deep &&
	    !tfp_profile_need(build->profile, TFP_PART_EDGES | TFP_PART_SHAPES, build->job,
			      build->diag))
		return NULL;
	maker.profile = build->profile;
	if (tfp_merge_start(&maker.merge, build))
		maker.weight = tfp_picks_weigh(build, NULL);
	if (maker.weight) {
		leave_out_others(&maker);
		maker.of_node = tfp_alloc_zero(build->profile->nodes.count, sizeof(uint32_t));
		base = make_base(&maker);
	}
	if (base) {
		tfp_base_sum(base, false);
		base->defined[0] = base->pick_first[base->count];
	}
	free(maker.weight);
	free(maker.of_node);
	tfp_merge_end(&maker.merge);
	tfp_array_free(&maker.types);
	tfp_array_free(&maker.shapes);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return (profile->tensorflow || profile->trace) && !profile->untyped
		       ? NULL
		       : "These files say nothing about op types";
}

static const struct tfp_view_rules rules = {
	.list = true,
	.uses = TFP_USES_MERGE,
	.count = TFP_COUNT_NODES,
};

const struct tfp_view tfp_view_op = {
	.name = "op",
	.title = "op",
	.about =
		"nodes of one op type are one row; the first percentage counts all rows from there on",
	.example = "op -select micros,occurrence -order_by micros -max_depth 10",
	.digit = '3',
	.missing = missing,
	.build = build_op,
	.rules = &rules,
	.pane = TFP_BREAKDOWN_SOURCE,
	.deepens = true,
};
