/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a pprof file: the profile that comes out is sound, and no bigger than the bytes
 * justify.
 */
#include <stdlib.h>
#include <string.h>

#include "load/loaders.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_stacks(const struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < profile->stacks.count; i++) {
		const struct tfp_stack *stack = &profile->stacks.at[i];

		must(stack->frame < profile->frames.count);
		must(stack->parent == TFP_NONE || stack->parent < i);
	}
}

static void check_node(const struct tfp_profile *profile, uint32_t node)
{
	int64_t values[TFP_MAX_METRICS];
	uint32_t stack = profile->nodes.stack[node];
	tfp_str types[4];

	must(stack == TFP_NONE || stack < profile->stacks.count);
	must(profile->nodes.cell[node] < profile->cells.count);
	must(profile->nodes.name[node] < tfp_strings_count(profile->strings));
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	tfp_profile_types(profile, node, types, 4);
}

static void check(struct tfp_profile *profile, size_t size)
{
	must(profile->metric_count > 0 && profile->metric_count <= TFP_MAX_METRICS);
	must(profile->default_metric < profile->metric_count);
	must(profile->filled & TFP_PART_STACKS);
	must(tfp_profile_bytes(profile) < ((size_t)16 << 20) + 512 * size);
	check_stacks(profile);
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		check_node(profile, node);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	uint8_t *copy = tfp_alloc(size);
	struct tfp_source *source;
	bool done;

	if (size)
		memcpy(copy, data, size);
	source = tfp_source_from_bytes("fuzz", copy, size);
	tfp_pprof_loader.sniff(source);
	tfp_profile_add_file(profile, source->path, "pprof", size, 0);
	done = tfp_pprof_loader.load(profile, source, 0, 0, NULL, diag);
	tfp_profile_finish(profile);
	if (done)
		check(profile, size);
	else
		must(tfp_diag_errors(diag) > 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	return 0;
}
