/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as printed reports: rows are sound, and the view of them can be made. */
#include "load_bytes.h"
#include "tfprof/view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_rows(const struct tfp_profile *profile)
{
	const struct tfp_given *given = &profile->given;

	fuzz_abort_unless(given->rows.count == profile->nodes.count);
	fuzz_abort_unless(given->figures.count == 2 * given->rows.count * profile->metric_count);
	for (uint32_t i = 0; i < given->rows.count; i++) {
		struct tfp_attributes attributes = {0};

		fuzz_abort_unless(i ? given->rows.at[i].parent < i
				    : given->rows.at[i].parent == TFP_NONE);
		tfp_profile_attributes(profile, i, &attributes);
		tfp_attributes_free(&attributes);
	}
}

static void show(struct tfp_profile *profile, struct tfp_diag *diag)
{
	struct tfp_engine *engine = tfp_engine_new(profile);
	struct tfp_query query;
	struct tfp_tree *tree;

	tfp_query_init(&query);
	query.view = "printed";
	query.max_depth = INT64_MAX;
	tree = tfp_engine_run(engine, &query, NULL, diag);
	fuzz_abort_unless(tree != NULL);
	fuzz_abort_unless(tree->base->count >= profile->given.rows.count);
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_engine_free(engine);
}

static void check(struct tfp_profile *profile, size_t size, struct tfp_diag *diag)
{
	(void)size;
	check_rows(profile);
	show(profile, diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_load_alone("printed", data, size, check);
	return 0;
}
