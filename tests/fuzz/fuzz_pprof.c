/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a pprof file: the profile that comes out is sound, and no bigger than the bytes
 * justify.
 */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_stacks(const struct tfp_profile *profile)
{
	for (uint32_t i = 0; i < profile->stacks.count; i++) {
		const struct tfp_stack *stack = &profile->stacks.at[i];

		fuzz_abort_unless(stack->frame < profile->frames.count);
		fuzz_abort_unless(stack->parent == TFP_NONE || stack->parent < i);
	}
}

static void check_node(const struct tfp_profile *profile, uint32_t node)
{
	int64_t values[TFP_MAX_METRICS];
	uint32_t stack = profile->nodes.stack[node];
	tfp_str types[4];

	fuzz_abort_unless(stack == TFP_NONE || stack < profile->stacks.count);
	fuzz_abort_unless(profile->nodes.cell[node] < profile->cells.count);
	fuzz_abort_unless(profile->nodes.name[node] < tfp_strings_count(profile->strings));
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	tfp_profile_types(profile, node, types, 4);
}

static void check(struct tfp_profile *profile, size_t size, struct tfp_diag *diag)
{
	(void)diag;
	fuzz_abort_unless(profile->metric_count > 0 && profile->metric_count <= TFP_MAX_METRICS);
	fuzz_abort_unless(profile->default_metric < profile->metric_count);
	fuzz_abort_unless(profile->filled & TFP_PART_STACKS);
	fuzz_abort_unless(tfp_profile_bytes(profile) < ((size_t)16 << 20) + 512 * size);
	check_stacks(profile);
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		check_node(profile, node);
	tfp_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_load_alone("pprof", data, size, check);
	return 0;
}
