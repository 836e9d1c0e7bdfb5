/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph view: below a node the nodes that it takes its inputs from. A node stands below the first
 * consumer that reaches it; a node that does not count gives its place to its own inputs. Nodes that only a
 * cycle leads to are in nobody's reach.
 */
#include <stdlib.h>

#include "view/base.h"
#include "view/names.h"

#define POLL 4096

/* A node whose inputs are being walked. */
struct visit {
	uint32_t node, next, end; /* inputs still to go to */
	uint32_t row;             /* of the node, or of the nearest consumer that counts */
};

struct row {
	uint32_t node, parent;
};

struct maker {
	struct tfp_build *build;
	const struct tfp_profile *profile;
	bool *seen;
	TFP_ARRAY(struct visit) open;
	TFP_ARRAY(struct row) rows;
};

/* The nodes that nobody consumes, by name. NULL when cancelled; *COUNT gets their number. */
static struct tfp_named *find_roots(const struct maker *maker, size_t *count)
{
	const struct tfp_profile *profile = maker->profile;
	uint32_t nodes = profile->nodes.count;
	bool *consumed = tfp_alloc_zero(nodes, sizeof(*consumed));
	struct tfp_named *roots = tfp_realloc_array(NULL, nodes, sizeof(*roots));

	for (size_t i = 0; i < profile->inputs.count; i++)
		if (profile->inputs.at[i].node != TFP_NONE)
			consumed[profile->inputs.at[i].node] = true;
	*count = 0;
	for (uint32_t node = 0; node < nodes; node++)
		if (!consumed[node])
			roots[(*count)++] = (struct tfp_named){
				tfp_strings_get(profile->strings, profile->nodes.name[node]), node,
				0};
	free(consumed);
	if (tfp_names_sort(roots, *count, TFP_NAMES_BYTEWISE, maker->build->job))
		return roots;
	free(roots);
	return NULL;
}

/* Goes to NODE, reached from below ROW, unless it was there before. False on a match limit. */
static bool enter(struct maker *maker, uint32_t node, uint32_t row)
{
	const uint32_t *first = maker->profile->nodes.input_first;
	int times;

	if (maker->seen[node])
		return true;
	maker->seen[node] = true;
	times = tfp_account_node(&maker->build->account, node);
	if (times > 0) {
		*tfp_array_push(&maker->rows) = (struct row){node, row};
		row = (uint32_t)maker->rows.count - 1;
	}
	*tfp_array_push(&maker->open) = (struct visit){node, first[node], first[node + 1], row};
	return times >= 0;
}

static bool walk(struct maker *maker, uint32_t root)
{
	if (!enter(maker, root, 0))
		return false;
	while (maker->open.count) {
		struct visit *visit = &maker->open.at[maker->open.count - 1];
		uint32_t producer;

		if (visit->next == visit->end) {
			maker->open.count--;
			continue;
		}
		producer = maker->profile->inputs.at[visit->next++].node;
		if (producer != TFP_NONE && !enter(maker, producer, visit->row))
			return false;
	}
	return !tfp_job_cancelled(maker->build->job);
}

static bool make_rows(struct maker *maker)
{
	size_t count;
	struct tfp_named *roots = find_roots(maker, &count);
	bool done = roots != NULL;

	*tfp_array_push(&maker->rows) = (struct row){TFP_NONE, TFP_NONE};
	for (size_t i = 0; i < count && done; i++)
		done = walk(maker, roots[i].id);
	free(roots);
	return done;
}

static struct tfp_base *make_base(const struct maker *maker)
{
	uint32_t count = (uint32_t)maker->rows.count;
	struct tfp_base *base = tfp_base_new(&tfp_view_graph, maker->build, count);

	for (uint32_t row = 1; row < count; row++) {
		uint32_t node = maker->rows.at[row].node;

		if (row % POLL == 0 && tfp_job_cancelled(maker->build->job)) {
			tfp_base_release(base);
			return NULL;
		}
		base->parent[row] = maker->rows.at[row].parent;
		base->node[row] = node;
		base->name[row] = maker->profile->nodes.name[node];
		base->key[row] = tfp_key_name(tfp_base_label(base, row));
		base->flags[row] = TFP_ROW_NODE | TFP_ROW_LEAF | TFP_ROW_ACCOUNTED;
		tfp_base_set(base, maker->build, row, node);
	}
	tfp_base_sum(base, true);
	return base;
}

static struct tfp_base *build_graph(struct tfp_engine *engine, const struct tfp_query *query,
				    struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_base *base = NULL;
	struct tfp_build build;
	struct maker maker = {.build = &build};

	if (!tfp_build_begin(&build, engine, query, TFP_PART_EDGES, job, diag))
		return NULL;
	maker.profile = build.profile;
	maker.seen = tfp_alloc_zero(build.profile->nodes.count, sizeof(*maker.seen));
	if (make_rows(&maker))
		base = make_base(&maker);
	free(maker.seen);
	tfp_array_free(&maker.open);
	tfp_array_free(&maker.rows);
	tfp_build_end(&build);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->has_graph || profile->tensorflow ? NULL : "These files hold no graph";
}

static const struct tfp_view_rules rules = {
	.self_minimums = true,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_graph = {
	.name = "graph",
	.title = "graph",
	.digit = '2',
	.missing = missing,
	.build = build_graph,
	.rules = &rules,
};
