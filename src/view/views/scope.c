/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scope view: names are paths. Nodes are sorted so that a scope stands right before what is in it; one
 * walk over them then makes the rows in preorder. A scope that is no node itself is a row of its own,
 * whose label is the head of the first name in it.
 */
#include <stdlib.h>

#include "view/group/merge.h"
#include "view/group/modules.h"
#include "view/group/scopes.h"

#define POLL 4096

struct maker {
	struct tfp_build *build;
	struct tfp_scopes scopes;
	struct tfp_merge merge;
	struct tfp_modules modules;
};

/* Rows of the nodes whose names are paths, row 0 being the root. False when cancelled. */
static bool make_rows(struct maker *maker)
{
	const struct tfp_profile *profile = maker->build->profile;
	uint32_t all = maker->modules.count, count = 0;
	uint32_t *nodes = tfp_realloc_array(NULL, all, sizeof(*nodes));
	bool made;

	for (uint32_t i = 0; i < all; i++)
		if (i >= profile->nodes.count || !(profile->nodes.flags[i] & TFP_NODE_UNSCOPED))
			nodes[count++] = i;
	maker->scopes.names = maker->modules.names;
	made = tfp_scopes_make(&maker->scopes, maker->build,
			       maker->modules.names ? NULL : &maker->merge, nodes, count);
	free(nodes);
	return made;
}

/* Structure, names and the account of one row. False when a match limit was reached. */
static bool fill_row(struct maker *maker, struct tfp_base *base, uint32_t row, bool scopes)
{
	tfp_scopes_fill(&maker->scopes, maker->build, base, row);
	base->key[row] = tfp_key_name(tfp_scopes_identity(&maker->scopes, base, row));
	return tfp_scopes_account(&maker->scopes, maker->build, base, row, scopes);
}

static struct tfp_base *make_base(struct maker *maker)
{
	uint32_t count = (uint32_t)maker->scopes.rows.count;
	int scopes = tfp_account_type(&maker->build->account, TFP_SPAN(TFP_SCOPE_TYPE));
	struct tfp_base *base;

	if (scopes < 0)
		return NULL;
	base = tfp_base_new(&tfp_view_scope, maker->build, count);
	tfp_base_add_sizes(base);
	for (uint32_t row = 1; row < count; row++) {
		bool stop = row % POLL == 0 && tfp_job_cancelled(maker->build->job);

		if (stop || !fill_row(maker, base, row, scopes)) {
			tfp_base_release(base);
			return NULL;
		}
	}
	tfp_modules_mark(&maker->modules, &maker->scopes, base);
	tfp_base_sum(base, true);
	return base;
}

static struct tfp_base *build_scope(struct tfp_build *build)
{
	struct tfp_base *base = NULL;
	struct maker maker = {.build = build};

	if (tfp_merge_start(&maker.merge, build) && tfp_modules_start(&maker.modules, build) &&
	    make_rows(&maker))
		base = make_base(&maker);
	tfp_modules_end(&maker.modules);
	tfp_merge_end(&maker.merge);
	tfp_scopes_free(&maker.scopes);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->has_graph || profile->tensorflow || profile->has_scopes
		       ? NULL
		       : "These files have no named scopes";
}

static const struct tfp_view_rules rules = {
	.self_minimums = true,
	.scoped = true,
	.uses = TFP_USES_MERGE | TFP_USES_FOLD | TFP_USES_MODULES,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_scope = {
	.name = "scope",
	.title = "scope",
	.about = "rows follow the parts of the names, as folders follow a path",
	.example = "scope -max_depth 4 -select micros,bytes -order_by micros",
	.digit = '1',
	.missing = missing,
	.build = build_scope,
	.rules = &rules,
};
