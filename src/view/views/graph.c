/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph view: below a node the nodes that it takes its inputs from, or turned round those that
 * use its outputs. A node stands below the first that reaches it; elsewhere it may have a link, a row
 * without values that leads there. A node that does not count gives its place to what is below it.
 * Nodes that only a cycle leads to are in nobody's reach.
 */
#include <stdlib.h>

#include "view/base.h"
#include "view/group/edges.h"
#include "view/group/names.h"

#define POLL       4096
#define MOST_LINKS 2000000 /* edges of a graph for which links are worth their memory */

/* Whether a node has been met. */
enum { UNSEEN, OPEN, DONE };

/* A node whose neighbours are being walked. */
struct visit {
	uint32_t node, next, end; /* edges still to follow */
	uint32_t row;             /* of the node, or of the nearest above it that counts */
};

struct row {
	uint32_t node, parent;
	uint8_t flags; /* TFP_ROW_LINK, TFP_ROW_LOOP */
};

struct maker {
	struct tfp_build *build;
	const struct tfp_profile *profile;
	struct tfp_edges edges;
	uint8_t *state; /* by node */
	bool *counts;   /* by node that was met: it has a row */
	bool *repeated; /* by edge: the node has the same one before; NULL: no links */
	uint32_t *used; /* by node: the last node, plus one, that an edge from led here */
	TFP_ARRAY(struct visit) open;
	TFP_ARRAY(struct row) rows;
};

/* The nodes that no edge leads to, by name. NULL when cancelled; *COUNT gets their number. */
static struct tfp_named *find_roots(const struct maker *maker, size_t *count)
{
	const struct tfp_profile *profile = maker->profile;
	uint32_t nodes = profile->nodes.count;
	bool *reached = tfp_alloc_zero(nodes, sizeof(*reached));
	struct tfp_named *roots = tfp_realloc_array(NULL, nodes, sizeof(*roots));

	for (uint32_t i = 0; i < maker->edges.first[nodes]; i++)
		if (tfp_edges_node(&maker->edges, i) != TFP_NONE)
			reached[tfp_edges_node(&maker->edges, i)] = true;
	*count = 0;
	for (uint32_t node = 0; node < nodes; node++)
		if (!reached[node])
			roots[(*count)++] = (struct tfp_named){
				tfp_strings_get(profile->strings, profile->nodes.name[node]), node,
				0};
	free(reached);
	if (tfp_names_sort(roots, *count, TFP_NAMES_BYTEWISE, maker->build->job))
		return roots;
	free(roots);
	return NULL;
}

/* Notes which of the edges FIRST to END of NODE lead where an earlier one of them leads. */
static void find_repeated(struct maker *maker, uint32_t node, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		uint32_t to = tfp_edges_node(&maker->edges, i);

		if (to == TFP_NONE)
			continue;
		maker->repeated[i] = maker->used[to] == node + 1;
		maker->used[to] = node + 1;
	}
}

/* Goes to NODE, reached from below ROW for the first time. False on a match limit. */
static bool enter(struct maker *maker, uint32_t node, uint32_t row)
{
	uint32_t first = maker->edges.first[node], end = maker->edges.first[node + 1];
	int times = tfp_account_node(&maker->build->account, node);

	maker->state[node] = OPEN;
	maker->counts[node] = times > 0;
	if (times > 0) {
		*tfp_array_push(&maker->rows) = (struct row){node, row, 0};
		row = (uint32_t)maker->rows.count - 1;
	}
	if (maker->repeated)
		find_repeated(maker, node, first, end);
	*tfp_array_push(&maker->open) = (struct visit){node, first, end, row};
	return times >= 0;
}

/* Edge EDGE, followed from below ROW, leads to NODE, which has its row already. */
static void add_link(struct maker *maker, uint32_t node, uint32_t edge, uint32_t row)
{
	bool loop = maker->state[node] == OPEN;

	if (maker->repeated && !maker->repeated[edge] && maker->counts[node])
		*tfp_array_push(&maker->rows) = (struct row){
			node, row, (uint8_t)(TFP_ROW_LINK | (loop ? TFP_ROW_LOOP : 0))};
}

static bool walk(struct maker *maker, uint32_t root)
{
	if (!enter(maker, root, 0))
		return false;
	while (maker->open.count) {
		struct visit *visit = &maker->open.at[maker->open.count - 1];
		uint32_t edge = visit->next, node;

		if (edge == visit->end) {
			maker->state[visit->node] = DONE;
			maker->open.count--;
			continue;
		}
		visit->next++;
		node = tfp_edges_node(&maker->edges, edge);
		if (node != TFP_NONE && maker->state[node] != UNSEEN)
			add_link(maker, node, edge, visit->row);
		else if (node != TFP_NONE && !enter(maker, node, visit->row))
			return false;
	}
	return !tfp_job_cancelled(maker->build->job);
}

static bool make_rows(struct maker *maker)
{
	size_t count;
	struct tfp_named *roots = find_roots(maker, &count);
	bool done = roots != NULL;

	*tfp_array_push(&maker->rows) = (struct row){TFP_NONE, TFP_NONE, 0};
	for (size_t i = 0; i < count && done; i++)
		done = walk(maker, roots[i].id);
	free(roots);
	return done;
}

/* A link has a key of its own: the thing's is that of its row. */
static void fill_row(struct tfp_base *base, const struct maker *maker, uint32_t row)
{
	const struct row *made = &maker->rows.at[row];

	base->parent[row] = made->parent;
	base->node[row] = made->node;
	base->name[row] = maker->profile->nodes.name[made->node];
	if (made->flags) {
		base->flags[row] = TFP_ROW_KEPT | made->flags;
		base->key[row] = tfp_key_below(base->key[made->parent], tfp_base_label(base, row));
		return;
	}
	base->flags[row] = TFP_ROW_NODE | TFP_ROW_LEAF | TFP_ROW_ACCOUNTED;
	base->key[row] = tfp_key_name(tfp_base_label(base, row));
	tfp_base_set(base, maker->build, row, made->node);
}

static struct tfp_base *make_base(const struct maker *maker)
{
	uint32_t count = (uint32_t)maker->rows.count;
	struct tfp_base *base = tfp_base_new(&tfp_view_graph, maker->build, count);

	for (uint32_t row = 1; row < count; row++) {
		if (row % POLL == 0 && tfp_job_cancelled(maker->build->job)) {
			tfp_base_release(base);
			return NULL;
		}
		fill_row(base, maker, row);
	}
	tfp_base_sum(base, true);
	return base;
}

static void begin(struct maker *maker, struct tfp_build *build)
{
	uint32_t nodes = build->profile->nodes.count;
	uint32_t edges;

	*maker = (struct maker){.build = build, .profile = build->profile};
	tfp_edges_start(&maker->edges, build->profile, build->query->consumers);
	edges = maker->edges.first[nodes];
	maker->state = tfp_alloc_zero(nodes, sizeof(*maker->state));
	maker->counts = tfp_alloc_zero(nodes, sizeof(*maker->counts));
	if (!build->query->links || edges > MOST_LINKS)
		return;
	maker->repeated = tfp_alloc_zero(edges, sizeof(*maker->repeated));
	maker->used = tfp_alloc_zero(nodes, sizeof(*maker->used));
}

static void end(struct maker *maker)
{
	tfp_edges_end(&maker->edges);
	free(maker->state);
	free(maker->counts);
	free(maker->repeated);
	free(maker->used);
	tfp_array_free(&maker->open);
	tfp_array_free(&maker->rows);
}

static struct tfp_base *build_graph(struct tfp_build *build)
{
	struct tfp_base *base = NULL;
	struct maker maker;

	begin(&maker, build);
	if (make_rows(&maker))
		base = make_base(&maker);
	end(&maker);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->has_graph || profile->tensorflow ? NULL : "These files hold no graph";
}

static const struct tfp_view_rules rules = {
	.self_minimums = true,
	.count = TFP_COUNT_RUNS,
	.uses = TFP_USES_CONSUMERS | TFP_USES_LINKS,
};

const struct tfp_view tfp_view_graph = {
	.name = "graph",
	.title = "graph",
	.about = "below each node stand the nodes that its inputs come from",
	.example = "graph -start_name_regexes .*/MatMul -max_depth 3",
	.digit = '2',
	.missing = missing,
	.parts = TFP_PART_EDGES,
	.build = build_graph,
	.rules = &rules,
};
