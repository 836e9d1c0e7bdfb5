/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops that PyTorch's tables count as one run with the op around them: one that is all there is in one of the same name. In traces
 * of other programs, where a function calls itself, each call is a run.
 */
#include <string.h>

#include "load/chrome/chrome.h"

struct merging {
	struct chrome *chrome;
	uint8_t *
		children; /* by event of the file: how many ops are nested directly; two stands for more */
	bool *left_out; /* by node: no op for PyTorch */
};

/* What PyTorch's tables leave out: it is no child of the op around it. */
static bool is_left_out(const char *op)
{
	static const char *const names[] = {"aten::is_leaf",
					    "aten::output_nr",
					    "aten::_version",
					    "profiler::_record_function_enter",
					    "profiler::_record_function_enter_new",
					    "profiler::_record_function_exit"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(op, names[i]))
			return true;
	return false;
}

static void start(struct merging *merging)
{
	const struct tfp_profile *profile = merging->chrome->profile;
	const struct tfp_trace *trace = profile->trace;
	uint32_t nodes = profile->nodes.count;

	merging->children = tfp_alloc_zero(trace->count - merging->chrome->first_event,
					   sizeof(*merging->children));
	merging->left_out = tfp_alloc_zero(nodes, sizeof(*merging->left_out));
	for (uint32_t i = 0; i < nodes; i++)
		merging->left_out[i] =
			is_left_out(tfp_strings_text(profile->strings, profile->nodes.op[i]));
}

static uint8_t *children_of(const struct merging *merging, uint32_t event)
{
	return &merging->children[event - merging->chrome->first_event];
}

static void count_children(const struct merging *merging, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = merging->chrome->trace;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t parent = tfp_trace_link(trace, i);

		if (parent != TFP_NONE && !merging->left_out[tfp_trace_node(trace, i)])
			*children_of(merging, parent) += *children_of(merging, parent) < 2;
	}
}

static void find_merged(const struct merging *merging, const struct tfp_lane *lane)
{
	const struct chrome *chrome = merging->chrome;
	const struct tfp_trace *trace = chrome->trace;
	const tfp_str *op = chrome->profile->nodes.op;
	uint64_t *merged = chrome->parts->merged.at;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t parent = tfp_trace_link(trace, i);

		if (parent != TFP_NONE && *children_of(merging, parent) == 1 &&
		    op[tfp_trace_node(trace, parent)] == op[tfp_trace_node(trace, i)])
			merged[i / 64] |= UINT64_C(1) << i % 64;
	}
}

/* ---- shapes -------------------------------------------------------------------------------------- */

/* What is found of a node's shapes: beside the strings. */
enum { SHAPES_UNMET = UINT32_MAX, SHAPES_OWN = UINT32_MAX - 1 };

/*
 * An op that is one run with the op around it has the shapes of that: those that it makes of them for itself, as of a number a
 * tensor, would have the time and the other the runs.
 */
static void find_shapes(const struct chrome *chrome, const struct tfp_lane *lane, tfp_str *shapes)
{
	const struct tfp_trace *trace = chrome->trace;
	const tfp_str *own = chrome->profile->nodes.signature;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t node = tfp_trace_node(trace, i), parent;
		tfp_str found = SHAPES_OWN;

		if (chrome_is_merged(chrome->parts, i)) {
			parent = tfp_trace_node(trace, tfp_trace_link(trace, i));
			found = shapes[parent] < SHAPES_OWN ? shapes[parent] : own[parent];
		}
		if (shapes[node] != found)
			shapes[node] = shapes[node] == SHAPES_UNMET ? found : SHAPES_OWN;
	}
}

static void share_shapes(struct chrome *chrome)
{
	struct tfp_profile *profile = chrome->profile;
	tfp_str *shapes;

	if (!profile->nodes.signature)
		return;
	shapes = tfp_realloc_array(NULL, profile->nodes.count, sizeof(*shapes));
	memset(shapes, 0xff, profile->nodes.count * sizeof(*shapes));
	for (uint32_t i = chrome->first_lane; i < profile->trace->lanes.count; i++)
		if (profile->trace->lanes.at[i].kind == TFP_LANE_HOST)
			find_shapes(chrome, &profile->trace->lanes.at[i], shapes);
	for (uint32_t i = 0; i < profile->nodes.count; i++)
		if (shapes[i] < SHAPES_OWN)
			tfp_profile_set_signature(profile, i, shapes[i]);
	tfp_array_release(shapes);
}

void chrome_merge(struct chrome *chrome)
{
	const struct tfp_trace *trace = chrome->trace;
	struct merging merging = {.chrome = chrome};

	while (chrome->parts->merged.count < trace->count / 64 + (size_t)1)
		*tfp_array_push(&chrome->parts->merged) = 0;
	if (!chrome->torch)
		return;
	start(&merging);
	for (uint32_t i = chrome->first_lane; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_HOST) {
			count_children(&merging, &trace->lanes.at[i]);
			find_merged(&merging, &trace->lanes.at[i]);
		}
	share_shapes(chrome);
	tfp_array_release(merging.left_out);
	tfp_array_release(merging.children);
}
