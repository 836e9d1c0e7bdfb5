/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of several ranks stand out: by more time on devices than the others, and in which op; or else as the others wait for
 * them in collectives; by longer steps, by less time on devices, by shorter steps. Collectives are waiting, not work, so they
 * are no part of time on devices.
 */
#include <stdlib.h>
#include <string.h>

#include "view/query/baseline.h"
#include "view/trace/window.h"
#include "view/views/findings.h"

#define MOST_RANKS 256  /* that are compared */
#define MOST_NAMED 3    /* of those that stand out */
#define WORTH      0.03 /* of the device time, or of steps: from here on a rank is worth a word */

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
	int64_t length[MOST_RANKS];                 /* of its steps together; 0: none is marked */
	double whole;
	int64_t left;    /* the last that was left out, as it has no step of the others */
	size_t left_out; /* how many were */
	size_t commons;  /* how many steps all ranks have, where that is not all of them */
	bool *common; /* by step: all ranks have it; NULL: so it is with each of them, or with none */
};

/* ---- times ----------------------------------------------------------------------------------- */

static void find_devices(struct ranks *ranks)
{
	const struct tfp_trace *trace = ranks->profile->trace;

	ranks->of_device = tfp_alloc_zero(trace->devices.count + 1, sizeof(*ranks->of_device));
	for (size_t i = 0; i < trace->devices.count; i++) {
		uint32_t rank = 0;

		while (rank < ranks->count &&
		       tfp_rank_file(trace, ranks->number[rank]) != trace->devices.at[i].file)
			rank++;
		ranks->of_device[i] = rank < ranks->count ? rank : TFP_NONE;
	}
}

/* Steps of all ranks: by rank and step, HAS is 0 where the rank lacks it, and says whether it is numbered or counted. */
struct shared {
	size_t steps;
	uint8_t *has;
};

static uint8_t *has_of(const struct shared *shared, size_t rank)
{
	return shared->has + rank * shared->steps;
}

static void look_at_steps(const struct ranks *ranks, struct shared *shared)
{
	const struct tfp_profile *profile = ranks->profile;

	shared->steps = profile->steps.count;
	shared->has = tfp_alloc_zero(ranks->count * shared->steps + 1, sizeof(*shared->has));
	for (size_t i = 0; i < ranks->count; i++) {
		uint32_t file = tfp_rank_file(profile->trace, ranks->number[i]);
		uint8_t kind = tfp_trace_counts_steps(profile->trace, file) ? 2 : 1;
		struct tfp_step_span span;

		for (uint32_t step = 0; step < shared->steps; step++)
			if (tfp_trace_step_span(profile, profile->trace, file, step, &span))
				has_of(shared, i)[step] = kind;
	}
}

/* Fills COMMON by step: do all ranks have it, and of one kind? Returns how many are so; PARTLY gets how many only some have. */
static size_t find_common(const struct ranks *ranks, const struct shared *shared, bool *common,
			  size_t *partly)
{
	size_t count = 0;

	*partly = 0;
	for (size_t step = 0; step < shared->steps; step++) {
		uint8_t kind = *(has_of(shared, 0) + step);
		bool any = kind;

		common[step] = kind;
		for (size_t i = 1; i < ranks->count; i++) {
			any |= has_of(shared, i)[step];
			common[step] &= has_of(shared, i)[step] == kind;
		}
		count += common[step];
		*partly += any && !common[step];
	}
	return count;
}

/* How many steps RANK has with others, each counted as often as there are such. */
static size_t count_shared(const struct ranks *ranks, const struct shared *shared, size_t rank)
{
	const uint8_t *own = has_of(shared, rank);
	size_t count = 0;

	for (size_t i = 0; i < ranks->count; i++)
		for (size_t step = 0; i != rank && step < shared->steps; step++)
			count += own[step] && own[step] == has_of(shared, i)[step];
	return count;
}

static void leave_out(struct ranks *ranks, struct shared *shared, size_t rank)
{
	size_t behind = ranks->count - rank - 1;

	ranks->left = ranks->number[rank];
	ranks->left_out++;
	memmove(&ranks->number[rank], &ranks->number[rank + 1], behind * sizeof(*ranks->number));
	memmove(has_of(shared, rank), has_of(shared, rank + 1), behind * shared->steps);
	ranks->count--;
}

/* Those that share nothing go; where there are none the one that shares least, of such with as much the last. */
static void leave_out_some(struct ranks *ranks, struct shared *shared)
{
	size_t least = 0, fewest = SIZE_MAX, before = ranks->count;

	for (size_t i = ranks->count; i-- > 0;) {
		size_t count = count_shared(ranks, shared, i);

		if (!count) {
			leave_out(ranks, shared, i);
		} else if (count < fewest) {
			fewest = count;
			least = i;
		}
	}
	if (ranks->count == before)
		leave_out(ranks, shared, least);
}

/*
 * A step that one lacks, as its recording began later, is no step with less. A rank without a step that the others have
 * is compared with none, or it would keep them from being compared.
 */
static void find_steps(struct ranks *ranks)
{
	bool *common = tfp_alloc_zero(ranks->profile->steps.count + 1, sizeof(*common));
	struct shared shared;
	size_t partly;

	look_at_steps(ranks, &shared);
	ranks->commons = find_common(ranks, &shared, common, &partly);
	while (partly && !ranks->commons && ranks->count > 1) {
		leave_out_some(ranks, &shared);
		if (ranks->count)
			ranks->commons = find_common(ranks, &shared, common, &partly);
	}
	if (partly || ranks->left_out)
		ranks->common = common;
	else
		free(common);
	free(shared.has);
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

/* Of a range of time some steps are cut, and of each rank others: lengths are told of whole recordings. */
static void add_lengths(struct ranks *ranks)
{
	const struct tfp_profile *profile = ranks->profile;
	struct tfp_step_span span;

	for (size_t i = 0; i < ranks->count && !tfp_trace_is_cut(profile); i++)
		for (uint32_t step = 0; step < profile->steps.count; step++)
			if ((!ranks->common || ranks->common[step]) &&
			    tfp_trace_step_span(profile, profile->trace,
						tfp_rank_file(profile->trace, ranks->number[i]),
						step, &span))
				ranks->length[i] = tfp_wrap_add(
					ranks->length[i],
					(int64_t)((uint64_t)span.end - (uint64_t)span.start));
}

/* ---- some against the others ------------------------------------------------------------------- */

/* Ranks that have more than the others, or less: the one with most of that first. */
struct apart {
	size_t count;
	size_t rank[MOST_RANKS];
	int64_t by[MOST_RANKS]; /* never negative */
};

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

/* By how much RANK has more than the others; with LESS, less. */
static int64_t excess_of(const struct ranks *ranks, const int64_t *times, size_t rank, bool less)
{
	uint64_t excess = (uint64_t)times[rank] - (uint64_t)others_of(ranks, times, rank);

	return (int64_t)(less ? 0 - excess : excess);
}

/* Those whose TIMES are apart from the others' by LIMIT at least. False: none, or so many that it is the others that are. */
static bool find_apart(const struct ranks *ranks, const int64_t *times, bool less, double limit,
		       struct apart *apart)
{
	apart->count = 0;
	for (size_t i = 0; i < ranks->count; i++) {
		int64_t by = excess_of(ranks, times, i, less);
		size_t place = apart->count;

		if (by <= 0 || (double)by < limit)
			continue;
		for (; place > 0 && apart->by[place - 1] < by; place--) {
			apart->rank[place] = apart->rank[place - 1];
			apart->by[place] = apart->by[place - 1];
		}
		apart->rank[place] = i;
		apart->by[place] = by;
		apart->count++;
	}
	return apart->count > 0 && 2 * apart->count <= ranks->count;
}

static double worth_of_work(const struct ranks *ranks)
{
	return WORTH * ranks->whole / (double)ranks->count;
}

static double worth_of_length(const struct ranks *ranks)
{
	double sum = 0;

	for (size_t i = 0; i < ranks->count; i++)
		sum += (double)ranks->length[i];
	return WORTH * sum / (double)ranks->count;
}

/* The op in which RANK has most more than the others, with LESS least; TFP_NONE: in none. */
static uint32_t worst_op(const struct ranks *ranks, size_t rank, bool less, int64_t *more)
{
	uint32_t worst = TFP_NONE;

	*more = 0;
	for (uint32_t i = 0; i < ranks->ops.count; i++) {
		int64_t excess = excess_of(ranks, ranks->time.at + i * ranks->count, rank, less);

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

/* "rank 1 host-b", "ranks 40 and 5", "ranks 40, 5, 7 and 3 more" */
static const char *name_apart(const struct ranks *ranks, const struct apart *apart)
{
	size_t named = apart->count < MOST_NAMED ? apart->count : MOST_NAMED;
	const char *text;

	if (apart->count == 1)
		return name_rank(ranks, apart->rank[0]);
	text = tfp_arena_printf(ranks->arena, "ranks %lld",
				(long long)ranks->number[apart->rank[0]]);
	for (size_t i = 1; i < named; i++)
		text = tfp_arena_printf(ranks->arena, "%s%s %lld", text,
					i + 1 == apart->count ? " and" : ",",
					(long long)ranks->number[apart->rank[i]]);
	if (named < apart->count)
		text = tfp_arena_printf(ranks->arena, "%s and %zu more", text,
					apart->count - named);
	return text;
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

/* "all", "all but rank 2", "all but 3 ranks" */
static const char *name_all(const struct ranks *ranks)
{
	if (!ranks->left_out)
		return "all";
	if (ranks->left_out == 1)
		return tfp_arena_printf(ranks->arena, "all but rank %lld", (long long)ranks->left);
	return tfp_arena_printf(ranks->arena, "all but %zu ranks", ranks->left_out);
}

/* What a comparison shows is of all steps of each, as its line above the rows says. */
static const char *name_steps(const struct ranks *ranks)
{
	if (!ranks->common)
		return "";
	return tfp_arena_printf(ranks->arena, ", in the %s that %s have",
				tfp_number_count(ranks->arena, (int64_t)ranks->commons, "step"),
				name_all(ranks));
}

/* "4.80ms (30.1%)", "up to 4.80ms (30.1%)": by what those that are APART have more or less than the others have of TIMES. */
static const char *apart_text(const struct ranks *ranks, const int64_t *times,
			      const struct apart *apart)
{
	int64_t others = others_of(ranks, times, apart->rank[0]);
	const char *text = time_text(ranks, apart->by[0]);

	if (others > 0)
		text = tfp_arena_printf(ranks->arena, "%s (%.1f%%)", text,
					100 * (double)apart->by[0] / (double)others);
	return apart->count == 1 ? text : tfp_arena_printf(ranks->arena, "up to %s", text);
}

static void tell_work(const struct ranks *ranks, const struct apart *apart, bool less,
		      struct tfp_finding *out)
{
	const struct tfp_strings *strings = ranks->profile->strings;
	size_t first = apart->rank[0];
	int64_t more;
	const char *against = name_others(ranks, first), *op = "", *word = less ? "less" : "more";
	const char *name = name_apart(ranks, apart), *many = apart->count == 1 ? "" : "up to ";
	uint32_t worst = worst_op(ranks, first, less, &more);
	bool waits = ranks->wait[first] || others_of(ranks, ranks->wait, first);

	out->target = tfp_findings_root("op");
	if (worst != TFP_NONE) {
		op = tfp_strings_text(strings, ranks->ops.at[worst]);
		out->target.key = tfp_key_type(tfp_strings_get(strings, ranks->ops.at[worst]));
	}
	out->brief = tfp_arena_printf(ranks->arena, "%s %s%s %s than %s%s%s", name, many,
				      time_text(ranks, apart->by[0]), word, against,
				      *op ? ": " : "", op);
	out->text = tfp_arena_printf(ranks->arena, "%s %s %s %s time on devices than %s%s%s", name,
				     apart->count == 1 ? "has" : "have",
				     apart_text(ranks, ranks->work, apart), word, against,
				     name_steps(ranks), waits ? ", collectives left out" : "");
	if (*op)
		out->text = tfp_arena_printf(ranks->arena, "%s; %s%s %s in %s", out->text,
					     apart->count == 1
						     ? ""
						     : tfp_arena_printf(ranks->arena, "%s has ",
									name_rank(ranks, first)),
					     time_text(ranks, more), word, op);
}

static bool find_work(const struct ranks *ranks, bool less, struct tfp_finding *out)
{
	struct apart apart;

	if (!find_apart(ranks, ranks->work, less, worth_of_work(ranks), &apart))
		return false;
	tell_work(ranks, &apart, less, out);
	set_contrast(ranks, apart.rank[0], out);
	return true;
}

/* Who comes last waits least: what keeps it is on its host. */
static bool find_late(const struct ranks *ranks, struct tfp_finding *out)
{
	struct apart apart;
	bool one;
	size_t last;

	if (!find_apart(ranks, ranks->wait, true, worth_of_work(ranks), &apart))
		return false;
	one = apart.count == 1;
	last = apart.rank[apart.count - 1]; /* waits longest of those */
	out->target = tfp_findings_root("idle");
	out->brief = tfp_arena_printf(ranks->arena, "%s %s waited for", name_apart(ranks, &apart),
				      one ? "is" : "are");
	out->text = tfp_arena_printf(
		ranks->arena, "%s %s %s in collectives, %s %s%s: %s last, and %s wait for %s",
		name_apart(ranks, &apart), one ? "is" : "are at most",
		time_text(ranks, ranks->wait[last]), name_others(ranks, apart.rank[0]),
		time_text(ranks, others_of(ranks, ranks->wait, apart.rank[0])), name_steps(ranks),
		one ? "it comes" : "they come", one ? "they" : "the others", one ? "it" : "them");
	set_contrast(ranks, apart.rank[0], out);
	return true;
}

/* What devices do is alike, or it would have been told: what makes steps longer is on the host, or is waiting. */
static bool find_length(const struct ranks *ranks, bool less, struct tfp_finding *out)
{
	const char *name, *word = less ? "less" : "more", *against;
	struct apart apart;

	if (!find_apart(ranks, ranks->length, less, worth_of_length(ranks), &apart))
		return false;
	name = name_apart(ranks, &apart);
	against = name_others(ranks, apart.rank[0]);
	out->target = tfp_findings_root("idle");
	out->brief = tfp_arena_printf(ranks->arena, "steps of %s %s", name,
				      less ? "are shorter" : "are longer");
	out->text = tfp_arena_printf(ranks->arena,
				     "steps of %s take %s %s than those of %s%s; none has %.0f%% "
				     "more time on devices",
				     name, apart_text(ranks, ranks->length, &apart), word, against,
				     name_steps(ranks), 100 * WORTH);
	set_contrast(ranks, apart.rank[0], out);
	return true;
}

static bool find_any(const struct ranks *ranks, struct tfp_finding *out)
{
	return find_work(ranks, false, out) || find_late(ranks, out) ||
	       find_length(ranks, false, out) || find_work(ranks, true, out) ||
	       find_length(ranks, true, out);
}

static void tell_alike(const struct ranks *ranks, struct tfp_finding *out)
{
	out->target = tfp_findings_root("op");
	out->brief = tfp_arena_printf(ranks->arena, "%zu ranks are alike", ranks->count);
	out->text = tfp_arena_printf(
		ranks->arena,
		"%zu ranks are alike%s: none has %.0f%% more or less time on devices than the "
		"others%s, or is that much less in collectives",
		ranks->count, ranks->left_out ? name_steps(ranks) : "", 100 * WORTH,
		worth_of_length(ranks) > 0 ? ", or in its steps" : "");
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
	if (!trace->whole || trace->file == TFP_NONE)
		ranks->count = tfp_ranks(trace, ranks->number, MOST_RANKS);
	if (ranks->count > 1)
		find_steps(ranks);
	if (ranks->count > 1) {
		ranks->place =
			tfp_alloc_zero(tfp_strings_count(profile->strings), sizeof(*ranks->place));
		find_devices(ranks);
		for (uint32_t i = 0; i < trace->device_events; i++)
			if (is_common(ranks, tfp_trace_device_event(trace, i), &hint))
				add_event(ranks, tfp_trace_device_event(trace, i));
		add_lengths(ranks);
		found = ranks->whole > 0 && find_any(ranks, out);
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
