/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands out in a recording at first sight: devices that are idle, the op that keeps them busy and its
 * heaviest shapes, time on devices that nobody knows the op of, and more operations than a device can do.
 */
#include "tfprof/lookup.h"
#include "view/query/baseline.h"
#include "view/trace/coverage.h"
#include "view/views/findings.h"
#include "view/views/idle.h"

#define WORTH_OP      0.02 /* of the device time: from here on an op is worth a word */
#define WORTH_UNKNOWN 0.05

#define ALL_SHAPES UINT32_MAX /* in place of a signature */

/* Nodes alike in op, and in shapes. */
struct alike {
	tfp_str op, signature;
	uint32_t nodes;
	int64_t time;
	bool around; /* on the host: no ops, but Python, marks, and what programs write of themselves */
};

struct alikes {
	const struct tfp_profile *profile;
	struct tfp_lookup *table;
	TFP_ARRAY(struct alike) list;
	int64_t whole;
	uint32_t metric;
};

static struct alike *find(struct alikes *alikes, tfp_str op, tfp_str signature)
{
	uint32_t hash = tfp_lookup_mix((uint64_t)op << 32 | signature), id;

	TFP_LOOKUP_EACH(id, alikes->table, hash)
		if (alikes->list.at[id].op == op && alikes->list.at[id].signature == signature)
			return &alikes->list.at[id];
	tfp_lookup_add(alikes->table, hash, (uint32_t)alikes->list.count);
	*tfp_array_push(&alikes->list) = (struct alike){.op = op, .signature = signature};
	return &alikes->list.at[alikes->list.count - 1];
}

static void add_node(struct alikes *alikes, uint32_t node)
{
	const struct tfp_nodes *nodes = &alikes->profile->nodes;
	int64_t values[TFP_MAX_METRICS];
	tfp_str signatures[] = {ALL_SHAPES, nodes->signature ? nodes->signature[node] : 0};

	if (nodes->cell[node] == TFP_NONE)
		return;
	tfp_profile_values(alikes->profile, node, TFP_STEP_MEAN, 0, values);
	alikes->whole = tfp_wrap_add(alikes->whole, values[alikes->metric]);
	if (nodes->flags[node] & TFP_NODE_UNOWNED)
		return;
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		struct alike *alike = find(alikes, nodes->op[node], signatures[i]);

		alike->nodes++;
		alike->around = tfp_is_around(alikes->profile, node);
		alike->time = tfp_wrap_add(alike->time, values[alikes->metric]);
	}
}

/* The op with the most time, if that is worth a word; of those that are no ops with AROUND. */
static const struct alike *find_best(const struct alikes *alikes, bool around)
{
	const struct alike *best = NULL;

	for (size_t i = 0; i < alikes->list.count; i++) {
		const struct alike *alike = &alikes->list.at[i];

		if (alike->op && alike->signature == ALL_SHAPES && alike->around == around &&
		    (!best || alike->time > best->time))
			best = alike;
	}
	return best && alikes->whole > 0 && (double)best->time >= WORTH_OP * (double)alikes->whole
		       ? best
		       : NULL;
}

/* Of OP the shapes with the most time. */
static struct alike heaviest_of(const struct alikes *alikes, tfp_str op)
{
	struct alike best = {.time = INT64_MIN};

	for (size_t i = 0; i < alikes->list.count; i++) {
		const struct alike *alike = &alikes->list.at[i];

		if (alike->op == op && alike->signature != ALL_SHAPES && alike->time > best.time)
			best = *alike;
	}
	return best;
}

/* Its shapes, and how much of the time those have that have most; of what is no op, why it is told. */
static const char *describe(const struct alikes *alikes, const struct alike *alike,
			    struct tfp_arena *arena)
{
	const struct alike shapes = heaviest_of(alikes, alike->op);
	const char *text = tfp_strings_text(alikes->profile->strings, shapes.signature);

	if (shapes.signature && shapes.time == alike->time)
		return text;
	if (shapes.signature)
		return tfp_arena_printf(arena, "heaviest shapes, %.1f%%: %s",
					100 * (double)shapes.time / (double)alikes->whole, text);
	if (alike->around)
		return tfp_arena_printf(arena, "each op takes less than %.0f%% of it",
					100 * WORTH_OP);
	return shapes.time == alike->time ? "of no known shape" : "most of it of no known shape";
}

static bool tell_op(const struct alikes *alikes, struct tfp_arena *arena, struct tfp_finding *out)
{
	const struct alike *best = NULL;
	struct tfp_span name;
	double share;

	for (int around = 0; around < 2 && !best; around++)
		best = find_best(alikes, around);
	if (!best)
		return false;
	share = (double)best->time / (double)alikes->whole;
	name = tfp_strings_get(alikes->profile->strings, best->op);
	out->target = (struct tfp_target){"op", tfp_key_type(name)};
	out->brief = tfp_arena_printf(arena, "%s %.0f%% of the %s", name.at, 100 * share,
				      alikes->profile->metrics[alikes->metric].label);
	out->text = tfp_arena_printf(arena, "%s%s: %.1f%% of the %s, in %u place%s; %s", name.at,
				     best->around ? ", which is no op" : "", 100 * share,
				     alikes->profile->metrics[alikes->metric].label, best->nodes,
				     best->nodes == 1 ? "" : "s", describe(alikes, best, arena));
	return true;
}

static bool find_heaviest(const struct tfp_profile *profile, struct tfp_arena *arena,
			  struct tfp_finding *out)
{
	struct alikes alikes = {
		.profile = profile,
		.table = tfp_lookup_new(),
		.metric = profile->default_metric,
	};
	bool found;

	for (uint32_t node = 0; node < profile->nodes.count; node++)
		add_node(&alikes, node);
	found = tell_op(&alikes, arena, out);
	tfp_lookup_free(alikes.table);
	tfp_array_free(&alikes.list);
	return found;
}

static bool find_unowned(const struct tfp_profile *profile, struct tfp_arena *arena,
			 struct tfp_finding *out)
{
	const struct tfp_trace *trace = profile->trace;
	double whole = 0, part = (double)trace->unowned.time;

	for (uint32_t i = 0; i < trace->device_events; i++)
		whole += (double)tfp_trace_duration(trace, tfp_trace_device_event(trace, i));
	if (whole <= 0 || part < WORTH_UNKNOWN * whole)
		return false;
	out->target = tfp_findings_root("scope");
	out->brief =
		tfp_arena_printf(arena, "%.0f%% of the device time has no op", 100 * part / whole);
	out->text = tfp_arena_printf(
		arena, "of %.1f%% of the device time, %u event%s, no operation was found",
		100 * part / whole, trace->unowned.events, trace->unowned.events == 1 ? "" : "s");
	return true;
}

/* The most that one of the devices can do, by the file; 0: it does not say. */
static double highest_peak(const struct tfp_trace *trace)
{
	double peak = 0;

	for (size_t i = 0; i < trace->devices.count; i++)
		if (!trace->devices.at[i].host && trace->devices.at[i].peak_flops > peak)
			peak = trace->devices.at[i].peak_flops;
	return peak;
}

/* Float operations a second of NODE's own time on devices; 0: not known. */
static double rate_of(const struct tfp_profile *profile, uint32_t node)
{
	int64_t values[TFP_MAX_METRICS], time;

	if (profile->nodes.cell[node] == TFP_NONE)
		return 0;
	tfp_profile_values(profile, node, TFP_STEP_MEAN, 0, values);
	time = tfp_unit_convert(TFP_PICOS, profile->metrics[TFP_TRACE_DEVICE].unit,
				values[TFP_TRACE_DEVICE]);
	return time > 0 ? (double)values[TFP_TRACE_FLOPS] * 1e12 / (double)time : 0;
}

/* Estimates and peaks are as good as their maker. */
static bool find_impossible(const struct tfp_profile *profile, struct tfp_arena *arena,
			    struct tfp_finding *out)
{
	double peak = highest_peak(profile->trace), most = peak;
	uint32_t nodes = 0, worst = 0;

	if (peak <= 0 || profile->metrics[TFP_TRACE_FLOPS].absent)
		return false;
	for (uint32_t node = 0; node < profile->nodes.count; node++) {
		double rate = rate_of(profile, node);

		nodes += rate > peak;
		worst = rate > most ? node : worst;
		most = rate > most ? rate : most;
	}
	if (!nodes)
		return false;
	out->target = (struct tfp_target){
		"op", tfp_key_type(tfp_strings_get(profile->strings, profile->nodes.op[worst]))};
	out->brief = tfp_arena_printf(arena, "%u op%s above the device's peak", nodes,
				      nodes == 1 ? "" : "s");
	out->text = tfp_arena_printf(
		arena,
		"%u op%s more float operations a second than a device can, so those, or its peak, are told wrong: "
		"%s %.0f%%",
		nodes, nodes == 1 ? " does" : "s do",
		tfp_strings_text(profile->strings, profile->nodes.name[worst]), 100 * most / peak);
	return true;
}

size_t tfp_trace_findings(const struct tfp_profile *profile, struct tfp_arena *arena,
			  struct tfp_finding out[TFP_MAX_FINDINGS])
{
	struct tfp_finding ranks = {.contrast = {-1, -1}};
	size_t count = 0;
	bool alike;

	for (size_t i = 0; i < TFP_MAX_FINDINGS; i++)
		out[i].contrast = (struct tfp_contrast){-1, -1};
	if (tfp_rank_finding(profile, arena, &ranks, &alike))
		out[count++] = ranks;
	count += tfp_compile_finding(profile, arena, &out[count]);
	count += tfp_idle_finding(profile, arena, &out[count]);
	count += find_heaviest(profile, arena, &out[count]);
	count += find_unowned(profile, arena, &out[count]);
	count += find_impossible(profile, arena, &out[count]);
	if (alike)
		out[count++] = ranks;
	return count;
}
