/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as printed reports: rows are sound, and the view of them can be made. */
#include <stdlib.h>
#include <string.h>

#include "load/loaders.h"
#include "tfprof/view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_rows(const struct tfp_profile *profile)
{
	const struct tfp_given *given = &profile->given;

	must(given->rows.count == profile->nodes.count);
	must(given->figures.count == 2 * given->rows.count * profile->metric_count);
	for (uint32_t i = 0; i < given->rows.count; i++) {
		struct tfp_attributes attributes = {0};

		must(i ? given->rows.at[i].parent < i : given->rows.at[i].parent == TFP_NONE);
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
	must(tree != NULL);
	must(tree->base->count >= profile->given.rows.count);
	tfp_tree_release(tree);
	tfp_query_free(&query);
	tfp_engine_free(engine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	uint8_t *copy = tfp_alloc(size);
	struct tfp_source *source;

	if (size)
		memcpy(copy, data, size);
	source = tfp_source_from_bytes("fuzz", copy, size);
	tfp_printed_loader.sniff(source);
	tfp_profile_add_file(profile, source->path, "printed", size, 0);
	if (tfp_printed_loader.load(profile, source, 0, 0, NULL, diag)) {
		tfp_profile_finish(profile);
		check_rows(profile);
		show(profile, diag);
	} else {
		must(tfp_diag_errors(diag) > 0);
		tfp_profile_free(profile);
	}
	tfp_diag_free(diag);
	return 0;
}
