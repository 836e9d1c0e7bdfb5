/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ops that PyTorch's tables count as one run with the op around them: one that is all there is in one of the same name. In traces
 * of other programs, where a function calls itself, each call is a run.
 */
#include <string.h>

#include "load/chrome/chrome.h"

/* An op that is not over yet. */
struct around {
	int64_t end;
	tfp_str op;
	uint32_t children; /* nested directly in it */
	uint32_t alike;    /* of them the first, where that has its name; TFP_NONE */
};

struct merging {
	struct chrome *chrome;
	bool *left_out; /* by site: no op for PyTorch */
	TFP_ARRAY(struct around) open;
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
	const struct chrome *chrome = merging->chrome;

	merging->left_out = tfp_alloc_zero(chrome->sites.count, sizeof(*merging->left_out));
	for (size_t i = 0; i < chrome->sites.count; i++)
		merging->left_out[i] = is_left_out(
			tfp_strings_text(chrome->profile->strings, chrome->sites.at[i].op));
}

/* Ends what is over at TIME: all that is in it is known then. */
static void leave(struct merging *merging, int64_t time)
{
	while (merging->open.count && merging->open.at[merging->open.count - 1].end <= time) {
		const struct around *op = &merging->open.at[--merging->open.count];

		if (op->children == 1 && op->alike != TFP_NONE)
			tfp_trace_join(merging->chrome->trace, op->alike);
	}
}

static void enter(struct merging *merging, uint32_t event)
{
	const struct tfp_trace *trace = merging->chrome->trace;
	uint32_t site = tfp_trace_node(trace, event);
	struct around mine = {.end = tfp_trace_end(trace, event),
			      .op = merging->chrome->sites.at[site].op,
			      .alike = TFP_NONE};

	if (merging->open.count && !merging->left_out[site]) {
		struct around *op = &merging->open.at[merging->open.count - 1];

		if (!op->children++ && op->op == mine.op)
			op->alike = event;
	}
	*tfp_array_push(&merging->open) = mine;
}

static void find_merged(struct merging *merging, const struct tfp_lane *lane)
{
	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		leave(merging, tfp_trace_start(merging->chrome->trace, i));
		enter(merging, i);
	}
	leave(merging, INT64_MAX);
}

void chrome_merge(struct chrome *chrome)
{
	const struct tfp_trace *trace = chrome->trace;
	struct merging merging = {.chrome = chrome};

	if (!chrome->torch)
		return;
	start(&merging);
	for (uint32_t i = chrome->first_lane; i < trace->lanes.count; i++)
		if (trace->lanes.at[i].kind == TFP_LANE_HOST)
			find_merged(&merging, &trace->lanes.at[i]);
	tfp_array_release(merging.left_out);
	tfp_array_free(&merging.open);
}
