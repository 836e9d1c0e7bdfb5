/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files view: what a folder holds, one row a profile that can be opened. There is no tree of
 * them; figures and words are those that the loader found.
 */
#include "view/base.h"

static struct tfp_base *build_files(struct tfp_build *build)
{
	struct tfp_base *base;

	base = tfp_base_new(&tfp_view_files, build, build->profile->nodes.count + 1);
	for (uint32_t row = 1; row < base->count; row++) {
		base->parent[row] = 0;
		base->node[row] = row - 1;
		base->name[row] = build->profile->nodes.name[row - 1];
		base->key[row] = tfp_key_name(tfp_base_label(base, row));
		base->flags[row] = TFP_ROW_NODE | TFP_ROW_LEAF | TFP_ROW_ACCOUNTED;
		tfp_base_set(base, build, row, row - 1);
	}
	tfp_base_sum(base, true);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	return profile->listing ? NULL : "a profile is open: only a folder has a list of files";
}

static const struct tfp_view_rules rules = {
	.natural = true,
	.ignore_displayed = true,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_files = {
	.name = "files",
	.title = "files",
	.about = "what there is to open in a folder",
	.digit = 'f',
	.missing = missing,
	.build = build_files,
	.rules = &rules,
	.listing = true,
};
