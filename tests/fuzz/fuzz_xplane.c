/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an XPlane recording: the trace and the profile that come out are sound, and no bigger
 * than the bytes justify.
 */
#include <stdlib.h>
#include <string.h>

#include "load/loaders.h"
#include "load/xplane/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void check_lanes(const struct tfp_trace *trace)
{
	uint32_t next = 0;

	for (size_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		must(lane->device < trace->devices.count);
		must(lane->first == next);
		next += lane->count;
	}
	must(next == trace->count);
}

static void check_events(const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;

	for (uint32_t i = 0; i < trace->count; i++) {
		must(tfp_trace_duration(trace, i) >= 0 &&
		     tfp_trace_start(trace, i) <= INT64_MAX - tfp_trace_duration(trace, i));
		must(tfp_trace_node(trace, i) == TFP_NONE ||
		     tfp_trace_node(trace, i) < profile->nodes.count);
		must(tfp_trace_work_of(trace, i) == TFP_NONE ||
		     tfp_trace_work_of(trace, i) < trace->works.count);
		must(tfp_trace_link(trace, i) == TFP_NONE ||
		     tfp_trace_link(trace, i) < trace->count);
	}
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
	struct tfp_attributes attributes = {0};
	int64_t values[TFP_MAX_METRICS];
	uint32_t stack = profile->nodes.stack[node];

	must(stack == TFP_NONE || stack < profile->stacks.count);
	must(profile->nodes.name[node] < tfp_strings_count(profile->strings));
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	tfp_profile_attributes(profile, node, &attributes);
	tfp_attributes_free(&attributes);
}

static void check(struct tfp_profile *profile, size_t size, struct tfp_diag *diag)
{
	must(profile->filled & TFP_PART_STACKS);
	must(tfp_profile_bytes(profile) < ((size_t)16 << 20) + 512 * size);
	check_lanes(profile->trace);
	check_events(profile);
	check_stacks(profile);
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		check_node(profile, node);
	must(tfp_profile_need(profile, TFP_PART_ALLOCS | TFP_PART_CONTENTS, NULL, diag));
	for (size_t i = 0; i < profile->allocs.count; i++) {
		struct tfp_alloc alloc = tfp_allocs_get(&profile->allocs, i);

		must(alloc.node < profile->nodes.count && alloc.step < profile->steps.count);
	}
}

/* The same bytes may be those of two hosts. */
static bool load(struct tfp_profile *profile, const uint8_t *data, size_t size, uint32_t file,
		 struct tfp_diag *diag)
{
	uint8_t *copy = tfp_alloc(size);
	struct tfp_source *source;

	if (size)
		memcpy(copy, data, size);
	source = tfp_source_from_bytes("fuzz", copy, size);
	tfp_xplane_loader.sniff(source);
	tfp_profile_add_file(profile, source->path, "xplane", size, 0);
	return tfp_xplane_loader.load(profile, source, file, 0, NULL, diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	bool done = load(profile, data, size, 0, diag);

	if (done && size < 4096 && size % 2)
		load(profile, data, size, 1, diag);
	must(tfp_xplane_loader.finish(profile, NULL, diag));
	tfp_profile_finish(profile);
	if (done && profile->trace)
		check(profile, size, diag);
	else
		must(done || tfp_diag_errors(diag) > 0);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
	return 0;
}
