/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow one of several ranks: which has more time on its devices than the others, and in which op; or else, which one the
 * others wait for in collectives. Collectives are waiting, not work, so they are no part of the first.
 */
#include <stdlib.h>

#include "view/query/baseline.h"
#include "view/trace/window.h"
#include "view/views/findings.h"

#define MOST_RANKS 256  /* that are compared */
#define WORTH      0.03 /* of the device time: from here on a rank is worth a word */

/* Time on devices by rank. */
struct ranks {
	const struct tfp_profile *profile;
	struct tfp_arena *arena;
	int64_t number[MOST_RANKS];
	size_t count;
	uint32_t *of_device; /* by device: which of them it is of, TFP_NONE */
	uint32_t *place;     /* by op: of its times and 1; 0: none yet */
	TFP_ARRAY(tfp_str) ops;
	TFP_ARRAY(int64_t) time;                    /* by place of the op, and rank */
	int64_t work[MOST_RANKS], wait[MOST_RANKS]; /* without collectives, and in them */
	double whole;
	size_t commons; /* how many steps all ranks have, where that is not all of them */
	bool *common; /* by step: all ranks have it; NULL: so it is with each of them, or with none */
};

/* ---- times ----------------------------------------------------------------------------------- */

static void find_devices(struct ranks *ranks)
{
	const struct tfp_trace *trace = ranks->profile->trace;

	ranks->count = tfp_ranks(trace, ranks->number, MOST_RANKS);
	ranks->of_device = tfp_alloc_zero(trace->devices.count + 1, sizeof(*ranks->of_device));
	for (size_t i = 0; i < trace->devices.count; i++) {
		uint32_t rank = 0;

		while (rank < ranks->count &&
		       tfp_rank_file(trace, ranks->number[rank]) != trace->devices.at[i].file)
			rank++;
		ranks->of_device[i] = rank < ranks->count ? rank : TFP_NONE;
	}
}

/* A step that one lacks, as its recording began later, is no step with less. */
static void find_steps(struct ranks *ranks)
{
	const struct tfp_profile *profile = ranks->profile;
	size_t steps = profile->steps.count, count = 0, partly = 0;
	bool *common = tfp_alloc_zero(steps + 1, sizeof(*common));

	for (uint32_t step = 0; step < steps; step++) {
		struct tfp_step_span span;
		size_t have = 0;

		for (size_t i = 0; i < ranks->count; i++)
			have += tfp_trace_step_span(profile, profile->trace,
						    tfp_rank_file(profile->trace, ranks->number[i]),
						    step, &span);
		common[step] = have == ranks->count;
		count += common[step];
		partly += have && !common[step];
	}
	ranks->commons = count;
	if (partly)
		ranks->common = common;
	else
		free(common);
}

/* Is EVENT in a step that all have, where some have more than others? HINT as tfp_trace_event_step has it. */
static bool is_common(const struct ranks *ranks, uint32_t event, size_t *hint)
{
	uint32_t step;

	if (!ranks->common)
		return true;
	step = tfp_trace_event_step(ranks->profile->trace, event, hint);
	return step != TFP_NONE && ranks->common[step];
}

static int64_t *times_of(struct ranks *ranks, tfp_str op)
{
	uint32_t *place = &ranks->place[op];

	if (!*place) {
		*tfp_array_push(&ranks->ops) = op;
		*place = (uint32_t)ranks->ops.count;
		for (size_t i = 0; i < ranks->count; i++)
			*tfp_array_push(&ranks->time) = 0;
	}
	return ranks->time.at + (*place - 1) * ranks->count;
}

static void add_event(struct ranks *ranks, uint32_t event)
{
	const struct tfp_profile *profile = ranks->profile;
	const struct tfp_trace *trace = profile->trace;
	uint32_t rank = ranks->of_device[trace->lanes.at[tfp_trace_lane(trace, event)].device];
	uint32_t node = tfp_trace_node(trace, event), work = tfp_trace_work_of(trace, event);
	int64_t time = tfp_trace_duration(trace, event), *of_op;

	if (node == TFP_NONE || rank == TFP_NONE)
		return;
	ranks->whole += (double)time;
	if (work != TFP_NONE && trace->works.at[work].class == TFP_WORK_COMM) {
		ranks->wait[rank] = tfp_wrap_add(ranks->wait[rank], time);
		return;
	}
	ranks->work[rank] = tfp_wrap_add(ranks->work[rank], time);
	of_op = times_of(ranks, profile->nodes.op[node]);
	of_op[rank] = tfp_wrap_add(of_op[rank], time);
}

/* ---- one against the others -------------------------------------------------------------------- */

/* The median of TIMES of all ranks but RANK. */
static int64_t others_of(const struct ranks *ranks, const int64_t *times, size_t rank)
{
	int64_t others[MOST_RANKS];
	size_t count = 0;

	for (size_t i = 0; i < ranks->count; i++)
		if (i != rank)
			others[count++] = times[i];
	return tfp_median(others, count);
}

static int64_t excess_of(const struct ranks *ranks, const int64_t *times, size_t rank)
{
	return (int64_t)((uint64_t)times[rank] - (uint64_t)others_of(ranks, times, rank));
}

static bool is_worth(const struct ranks *ranks, int64_t time)
{
	return (double)time >= WORTH * ranks->whole / (double)ranks->count;
}

/* The op in which RANK has most more than the others; TFP_NONE: in none. */
static uint32_t worst_op(const struct ranks *ranks, size_t rank, int64_t *more)
{
	uint32_t worst = TFP_NONE;

	*more = 0;
	for (uint32_t i = 0; i < ranks->ops.count; i++) {
		int64_t excess = excess_of(ranks, ranks->time.at + i * ranks->count, rank);

		if (!ranks->ops.at[i] || excess <= *more)
			continue;
		*more = excess;
		worst = i;
	}
	return worst;
}

/* "rank 0", "rank 1 host-b" */
static const char *name_rank(const struct ranks *ranks, size_t rank)
{
	struct tfp_span host = tfp_rank_host(ranks->profile, ranks->number[rank]);

	return tfp_arena_printf(ranks->arena, "rank %lld%s%.*s", (long long)ranks->number[rank],
				host.size ? " " : "", (int)(host.size < 200 ? host.size : 200),
				host.at);
}

static const char *name_others(const struct ranks *ranks, size_t rank)
{
	return ranks->count == 2 ? name_rank(ranks, !rank) : "the median rank";
}

static const char *time_text(const struct ranks *ranks, int64_t time)
{
	char text[TFP_NUMBER_ROOM];

	tfp_number_screen(text, ranks->profile->trace->unit, time);
	return tfp_arena_printf(ranks->arena, "%s", text);
}

static void set_contrast(const struct ranks *ranks, size_t rank, struct tfp_finding *out)
{
	out->contrast.rank = ranks->number[rank];
	out->contrast.other = ranks->count == 2 ? ranks->number[!rank] : -1;
}

/* What a comparison shows is of all steps of each, as its line above the rows says. */
static const char *name_steps(const struct ranks *ranks)
{
	if (!ranks->common)
		return "";
	return tfp_arena_printf(ranks->arena, ", in the %zu step%s that all have", ranks->commons,
				ranks->commons == 1 ? "" : "s");
}

static void tell_slow(const struct ranks *ranks, size_t rank, struct tfp_finding *out)
{
	const struct tfp_strings *strings = ranks->profile->strings;
	int64_t excess = excess_of(ranks, ranks->work, rank), more;
	int64_t others = others_of(ranks, ranks->work, rank);
	const char *against = name_others(ranks, rank), *op = "", *percent = "";
	uint32_t worst = worst_op(ranks, rank, &more);
	bool waits = ranks->wait[rank] || others_of(ranks, ranks->wait, rank);

	if (others > 0)
		percent = tfp_arena_printf(ranks->arena, " (%.1f%%)",
					   100 * (double)excess / (double)others);
	out->target = tfp_findings_root("op");
	if (worst != TFP_NONE) {
		op = tfp_strings_text(strings, ranks->ops.at[worst]);
		out->target.key = tfp_key_type(tfp_strings_get(strings, ranks->ops.at[worst]));
	}
	out->brief =
		tfp_arena_printf(ranks->arena, "%s %s more than %s%s%s", name_rank(ranks, rank),
				 time_text(ranks, excess), against, *op ? ": " : "", op);
	out->text =
		tfp_arena_printf(ranks->arena, "%s has %s%s more time on devices than %s%s%s",
				 name_rank(ranks, rank), time_text(ranks, excess), percent, against,
				 name_steps(ranks), waits ? ", collectives left out" : "");
	if (*op)
		out->text = tfp_arena_printf(ranks->arena, "%s; %s more in %s", out->text,
					     time_text(ranks, more), op);
}

static bool find_slow(const struct ranks *ranks, struct tfp_finding *out)
{
	size_t slow = 0;

	for (size_t i = 1; i < ranks->count; i++)
		if (ranks->work[i] > ranks->work[slow])
			slow = i;
	if (!is_worth(ranks, excess_of(ranks, ranks->work, slow)))
		return false;
	tell_slow(ranks, slow, out);
	set_contrast(ranks, slow, out);
	return true;
}

/* Who comes last waits least: what keeps it is on its host. */
static bool find_late(const struct ranks *ranks, struct tfp_finding *out)
{
	size_t late = 0;
	int64_t others;

	for (size_t i = 1; i < ranks->count; i++)
		if (ranks->wait[i] < ranks->wait[late])
			late = i;
	others = others_of(ranks, ranks->wait, late);
	if (!is_worth(ranks, (int64_t)((uint64_t)others - (uint64_t)ranks->wait[late])))
		return false;
	out->target = tfp_findings_root("idle");
	out->brief = tfp_arena_printf(ranks->arena, "%s is waited for", name_rank(ranks, late));
	out->text = tfp_arena_printf(
		ranks->arena,
		"%s is %s in collectives, %s %s%s: it comes last, and they wait for it",
		name_rank(ranks, late), time_text(ranks, ranks->wait[late]),
		name_others(ranks, late), time_text(ranks, others), name_steps(ranks));
	set_contrast(ranks, late, out);
	return true;
}

static void tell_alike(const struct ranks *ranks, struct tfp_finding *out)
{
	out->target = tfp_findings_root("op");
	out->brief = tfp_arena_printf(ranks->arena, "%zu ranks are alike", ranks->count);
	out->text = tfp_arena_printf(
		ranks->arena,
		"%zu ranks are alike: none has %.0f%% more time on devices than the others, or is that "
		"much less in collectives",
		ranks->count, 100 * WORTH);
}

bool tfp_rank_finding(const struct tfp_profile *profile, struct tfp_arena *arena,
		      struct tfp_finding *out, bool *alike)
{
	const struct tfp_trace *trace = profile->trace;
	struct ranks *ranks = tfp_alloc_zero(1, sizeof(*ranks));
	bool found = false;
	size_t hint = 0;

	*alike = false;
	ranks->profile = profile;
	ranks->arena = arena;
	find_devices(ranks);
	if (ranks->count > 1 && (!trace->whole || trace->file == TFP_NONE)) {
		ranks->place =
			tfp_alloc_zero(tfp_strings_count(profile->strings), sizeof(*ranks->place));
		find_steps(ranks);
		for (uint32_t i = 0; i < trace->device_events; i++)
			if (is_common(ranks, tfp_trace_device_event(trace, i), &hint))
				add_event(ranks, tfp_trace_device_event(trace, i));
		found = ranks->whole > 0 && (find_slow(ranks, out) || find_late(ranks, out));
		*alike = ranks->whole > 0 && !found;
		if (*alike)
			tell_alike(ranks, out);
		free(ranks->place);
	}
	free(ranks->common);
	free(ranks->of_device);
	tfp_array_free(&ranks->ops);
	tfp_array_free(&ranks->time);
	free(ranks);
	return found;
}
