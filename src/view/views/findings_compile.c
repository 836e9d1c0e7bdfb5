/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands out where programs were compiled while they were recorded: that, as it tells nothing of later
 * runs. JAX calls what it does so in marks of its own, and the same in calls of Python where those are recorded.
 */
#include <stdlib.h>

#include "view/views/findings.h"

#define WORTH_COMPILING 0.1 /* of the recording */

enum phase { NO_PHASE, TRACING, LOWERING, COMPILING, PHASES };

static const struct {
	const char *name;
	enum phase phase;
} calls[] = {
	{"trace_to_jaxpr", TRACING},
	{"trace_to_jaxpr_dynamic", TRACING},
	{"lower_sharding_computation", LOWERING},
	{"lower_jaxpr_to_module", LOWERING},
	{"backend_compile", COMPILING},
	{"backend_compile_and_load", COMPILING},
};

struct compiling {
	const struct tfp_profile *profile;
	uint8_t *phase; /* by node */
	int64_t time[PHASES], all;
	int64_t longest; /* of a mark: */
	uint32_t node;
};

/* "$pxla.py:954 lower_sharding_computation" is a call of Python, by its function; marks are called that alone. */
static struct tfp_span function_of(struct tfp_span name)
{
	const char *blank = name.size && *name.at == '$' ? memchr(name.at, ' ', name.size) : NULL;

	return blank ? tfp_span_from(name, (size_t)(blank + 1 - name.at)) : name;
}

static enum phase phase_of(struct tfp_span name)
{
	name = function_of(name);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (tfp_span_equal(name, tfp_span_of(calls[i].name)))
			return calls[i].phase;
	return NO_PHASE;
}

/* False: nothing is called so. */
static bool find_phases(struct compiling *compiling)
{
	const struct tfp_profile *profile = compiling->profile;
	bool any = false;

	compiling->phase = tfp_alloc_zero(profile->nodes.count + (size_t)1, 1);
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		if (!(profile->nodes.flags[node] & TFP_NODE_UNSCOPED))
			continue;
		compiling->phase[node] =
			phase_of(tfp_strings_get(profile->strings, profile->nodes.name[node]));
		any |= compiling->phase[node] != NO_PHASE;
	}
	return any;
}

/* A mark has a row of its own in the op view, while calls of Python are one. */
static void note_mark(struct compiling *compiling, uint32_t node, int64_t lasts)
{
	const struct tfp_profile *profile = compiling->profile;

	if (lasts <= compiling->longest ||
	    *tfp_strings_text(profile->strings, profile->nodes.name[node]) == '$')
		return;
	compiling->longest = lasts;
	compiling->node = node;
}

/* One in another counts as part of that. */
static void add_lane(struct compiling *compiling, const struct tfp_lane *lane)
{
	const struct tfp_trace *trace = compiling->profile->trace;
	int64_t until = INT64_MIN;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t node = tfp_trace_node(trace, i);
		int64_t lasts = tfp_trace_duration(trace, i);

		if (node == TFP_NONE || compiling->phase[node] == NO_PHASE)
			continue;
		note_mark(compiling, node, lasts);
		if (tfp_trace_start(trace, i) < until)
			continue;
		until = tfp_trace_end(trace, i);
		compiling->time[compiling->phase[node]] =
			tfp_wrap_add(compiling->time[compiling->phase[node]], lasts);
		compiling->all = tfp_wrap_add(compiling->all, lasts);
	}
}

/* "tracing 99.90ms, lowering 27.80ms, compiling 295.90ms" */
static const char *list_phases(const struct compiling *compiling, struct tfp_arena *arena)
{
	static const char *const names[PHASES] = {"", "tracing", "lowering", "compiling"};
	const char *list = "";
	char number[TFP_NUMBER_ROOM];

	for (int phase = TRACING; phase < PHASES; phase++)
		if (compiling->time[phase] > 0)
			list = tfp_arena_printf(
				arena, "%s%s%s %s", list, *list ? ", " : "", names[phase],
				tfp_number_screen(number, compiling->profile->trace->unit,
						  compiling->time[phase]));
	return list;
}

static bool tell(const struct compiling *compiling, struct tfp_arena *arena,
		 struct tfp_finding *out)
{
	const struct tfp_profile *profile = compiling->profile;
	const struct tfp_trace *trace = profile->trace;
	bool ranged = tfp_trace_is_ranged(trace);
	const char *of = ranged ? "range of time" : "recording";
	double whole = (double)(ranged ? trace->to : trace->end) -
		       (double)(ranged ? trace->from : trace->begin);
	double all = (double)compiling->all;
	char number[TFP_NUMBER_ROOM];

	if (whole <= 0 || all < WORTH_COMPILING * whole)
		return false;
	whole = all > whole ? all : whole; /* several threads did */
	tfp_number_screen(number, trace->unit, compiling->all);
	out->target = tfp_findings_root("code");
	if (compiling->node != TFP_NONE)
		out->target = (struct tfp_target){
			"op", tfp_key_type(tfp_strings_get(profile->strings,
							   profile->nodes.op[compiling->node]))};
	out->brief = tfp_arena_printf(arena, "compiling %.0f%% of the %s", 100 * all / whole, of);
	out->text = tfp_arena_printf(
		arena, "compiling: %.1f%% of the %s, %s, which later runs do without; %s",
		100 * all / whole, of, number, list_phases(compiling, arena));
	return true;
}

bool tfp_compile_finding(const struct tfp_profile *profile, struct tfp_arena *arena,
			 struct tfp_finding *out)
{
	struct compiling compiling = {.profile = profile, .node = TFP_NONE};
	const struct tfp_trace *trace = profile->trace;
	bool found = false;

	if (find_phases(&compiling)) {
		for (size_t i = 0; i < trace->lanes.count; i++)
			if (trace->lanes.at[i].kind == TFP_LANE_HOST)
				add_lane(&compiling, &trace->lanes.at[i]);
		found = tell(&compiling, arena, out);
	}
	tfp_array_release(compiling.phase);
	return found;
}
