/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The idle view: below each device the causes of its gaps, below a cause its gaps. Their lengths stand in
 * the place of device times.
 */
#include "tfprof/breakdown.h"
#include "view/views/idle.h"

#include <stdlib.h>
#include <string.h>

#include "view/pane/breakdown.h"
#include "view/trace/roles.h"
#include "view/trace/strips.h"
#include "view/trace/track.h"

struct maker {
	struct tfp_build *build;
	const struct tfp_trace *trace;
	struct tfp_gaps gaps;
	struct tfp_roles roles;
	struct tfp_arena arena; /* of texts */
	uint32_t *order;        /* gaps by cause, then by time */
	uint32_t *cause_first;  /* by cause, one more at the end: in order */
	struct tfp_base *base;
	uint32_t row;   /* the next one */
	uint32_t kept;  /* gaps that have one */
	uint64_t apart; /* of the gaps of a cause */
};

/* ---- rows ---------------------------------------------------------------------------------- */

static int64_t *self_of(const struct tfp_base *base, uint32_t row)
{
	return base->self + (size_t)row * base->metric_count;
}

/* Adds a row below PARENT; its key is made of IDENTITY, or of the label where that is NULL. */
static uint32_t add_row(struct maker *maker, uint32_t parent, const char *label,
			const char *identity)
{
	struct tfp_base *base = maker->base;
	struct tfp_span name = tfp_span_of(identity ? identity : label);
	uint32_t row = maker->row++;

	base->parent[row] = parent;
	base->name[row] = tfp_strings_add_text(maker->build->profile->strings, label);
	base->key[row] = tfp_key_below(base->key[parent], name);
	tfp_roles_row(base->alike, row, parent, name);
	return row;
}

static int64_t since_begin(const struct maker *maker, const struct tfp_gap *gap)
{
	return (int64_t)((uint64_t)gap->begin - (uint64_t)maker->trace->begin);
}

/* How far apart the gaps of CAUSE begin, so that all say it with as many digits as tell them from each other. */
static uint64_t find_apart(const struct maker *maker, uint32_t cause)
{
	const uint32_t *order = maker->order + maker->cause_first[cause];
	size_t count = maker->gaps.causes.at[cause].listed;
	int64_t *times = tfp_realloc_array(NULL, count + 1, sizeof(*times));
	uint64_t apart;

	for (size_t i = 0; i < count; i++)
		times[i] = since_begin(maker, &maker->gaps.list.at[order[i]]);
	apart = tfp_number_nearest(maker->trace->unit, times, count);
	tfp_array_release(times);
	return apart;
}

/* "at 4.82ms, step 3, before loop_fusion": since the recording began, as on the lanes of the time view */
static char *gap_text(struct maker *maker, const struct tfp_gap *gap, const char *at)
{
	const struct tfp_profile *profile = maker->build->profile;
	const struct tfp_trace *trace = maker->trace;
	struct tfp_span name;
	uint32_t step;
	const char *label = "";

	if (gap->event == TFP_NONE)
		return tfp_arena_printf(&maker->arena, "at %s, up to the end", at);
	name = tfp_event_name(profile, trace, gap->event);
	step = tfp_gaps_step(profile, gap->event);
	if (profile->steps.count > 1 && step != TFP_NONE)
		label = profile->steps.at[step].number == TFP_STEP_OUTSIDE
				? ", outside the steps"
				: tfp_arena_printf(&maker->arena, ", step %lld",
						   (long long)profile->steps.at[step].number);
	return tfp_arena_printf(&maker->arena, "at %s%s, before %.*s", at, label, (int)name.size,
				name.at);
}

static void set_values(struct tfp_base *base, uint32_t row, int64_t time, int64_t count)
{
	base->flags[row] = TFP_ROW_ACCOUNTED | TFP_ROW_LEAF;
	self_of(base, row)[TFP_TRACE_DEVICE] = time;
	self_of(base, row)[TFP_TRACE_LAUNCHES] = count;
}

/* A gap is known by its place among those of its cause, so that those of two steps can be compared. */
static void add_gap(struct maker *maker, uint32_t parent, uint32_t cause, uint32_t place)
{
	const struct tfp_gap *gap =
		&maker->gaps.list.at[maker->order[maker->cause_first[cause] + place]];
	char identity[32], at[TFP_NUMBER_ROOM];
	uint32_t row;

	snprintf(identity, sizeof(identity), "%u", place);
	tfp_number_time(at, maker->trace->unit, since_begin(maker, gap), maker->apart);
	row = add_row(maker, parent, gap_text(maker, gap, at), identity);
	maker->base->gap[row] = maker->kept;
	maker->base->idle->gaps[maker->kept++] = *gap;
	if (gap->event != TFP_NONE)
		maker->base->target[row] = (struct tfp_target){
			"time", tfp_lane_key(maker->build->profile,
					     tfp_trace_lane(maker->trace, gap->event))};
	set_values(maker->base, row, tfp_gap_length(gap), 1);
}

/* The gaps that have no row of their own. */
static void add_others(struct maker *maker, uint32_t parent, uint32_t count, int64_t time)
{
	char number[TFP_NUMBER_ROOM];
	uint32_t row = add_row(maker, parent,
			       tfp_arena_printf(&maker->arena, "%s " TFP_IDLE_REST,
						tfp_number_exact(number, count)),
			       TFP_IDLE_REST);

	set_values(maker->base, row, time, count);
}

/* The gaps of the cause INDEX, the longest first. */
static void add_gaps(struct maker *maker, uint32_t parent, uint32_t index)
{
	const struct tfp_cause *cause = &maker->gaps.causes.at[index];
	const uint32_t *order = maker->order + maker->cause_first[index];
	struct tfp_rank *items = tfp_realloc_array(NULL, cause->listed, sizeof(*items));
	int64_t others = cause->time;
	size_t most;

	for (uint32_t i = 0; i < cause->listed; i++)
		items[i] = (struct tfp_rank){tfp_gap_length(&maker->gaps.list.at[order[i]]), i};
	most = tfp_rank_largest(items, cause->listed);
	most = most < TFP_GAPS_MOST ? most : TFP_GAPS_MOST;
	maker->apart = find_apart(maker, index);
	for (size_t i = 0; i < most; i++) {
		others = (int64_t)((uint64_t)others - (uint64_t)items[i].value);
		add_gap(maker, parent, index, items[i].id);
	}
	if (cause->count > most)
		add_others(maker, parent, cause->count - (uint32_t)most, others);
	free(items);
}

/* PLACE, by place in the tree, gets the rows: those of parents are known. */
static void add_cause(struct maker *maker, uint32_t device_row, uint32_t index, uint32_t *place)
{
	const struct tfp_cause_row *cause = &maker->gaps.tree.at[index];
	uint32_t parent = cause->parent == TFP_NONE ? device_row : place[cause->parent];
	uint32_t row =
		add_row(maker, parent, tfp_cause_text(&maker->gaps, cause, &maker->arena), NULL);

	place[index] = row;
	maker->base->key[row] = tfp_cause_key(&maker->gaps, cause, maker->base->key[device_row]);
	for (size_t i = 0; i < 2; i++)
		maker->base->alike[i][row] =
			tfp_cause_key(&maker->gaps, cause, maker->base->alike[i][device_row]);
	if (cause->cause != TFP_NONE)
		add_gaps(maker, row, cause->cause);
}

static uint32_t add_device(struct maker *maker, uint32_t device)
{
	const struct tfp_idleness *idleness = &maker->gaps.device[device];
	const struct tfp_profile *profile = maker->build->profile;
	const char *name =
		tfp_strings_text(profile->strings, maker->trace->devices.at[device].name);
	uint32_t row = add_row(maker, 0, name, NULL), main = tfp_gaps_main(&maker->gaps, device);

	maker->base->flags[row] = TFP_ROW_ACCOUNTED;
	self_of(maker->base, row)[TFP_TRACE_BUSY] = idleness->busy;
	tfp_roles_device(&maker->roles, maker->base->alike, row, device);
	if (main != TFP_NONE)
		maker->base->idle->main[device] = tfp_cause_key(
			&maker->gaps, &maker->gaps.tree.at[main], maker->base->key[row]);
	return row;
}

static bool add_rows(struct maker *maker)
{
	const struct tfp_gaps *gaps = &maker->gaps;
	uint32_t *place = tfp_realloc_array(NULL, gaps->tree.count + 1, sizeof(*place));
	uint32_t cause = 0, row;
	bool done = true;

	maker->row = 1;
	for (uint32_t i = 0; i < maker->trace->devices.count && done; i++) {
		if (!gaps->device[i].events)
			continue;
		row = add_device(maker, i);
		for (; cause < gaps->tree.count && gaps->tree.at[cause].device == i && done;
		     cause++) {
			add_cause(maker, row, cause, place);
			done = !tfp_job_cancelled(maker->build->job);
		}
	}
	free(place);
	return done;
}

/* ---- the base ------------------------------------------------------------------------------ */

static void order_gaps(struct maker *maker)
{
	const struct tfp_gaps *gaps = &maker->gaps;
	uint32_t *next = tfp_realloc_array(NULL, gaps->causes.count + 1, sizeof(*next));

	maker->order = tfp_realloc_array(NULL, gaps->list.count, sizeof(*maker->order));
	maker->cause_first = tfp_alloc_zero(gaps->causes.count + 1, sizeof(*maker->cause_first));
	for (size_t i = 0; i < gaps->causes.count; i++) {
		next[i] = maker->cause_first[i];
		maker->cause_first[i + 1] = next[i] + gaps->causes.at[i].listed;
	}
	for (uint32_t i = 0; i < gaps->list.count; i++)
		maker->order[next[gaps->list.at[i].cause]++] = i;
	free(next);
}

/* Only idle time, its gaps and the busy time beside it mean anything here; all add up. */
static void rename_metrics(struct tfp_base *base)
{
	static const struct {
		uint32_t metric;
		const char *label, *title;
	} names[] = {
		{TFP_TRACE_DEVICE, "idle time", "IDLE"},
		{TFP_TRACE_BUSY, "busy time", "BUSY"},
		{TFP_TRACE_LAUNCHES, "gaps", "GAPS"},
	};
	struct tfp_metric *metrics = tfp_base_own_metrics(base);

	for (uint32_t i = 0; i < base->metric_count; i++)
		metrics[i].absent = true;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		metrics[names[i].metric].label = names[i].label;
		metrics[names[i].metric].title = names[i].title;
		metrics[names[i].metric].kind = TFP_SUM;
		metrics[names[i].metric].absent = false;
	}
}

static void *copy(struct tfp_arena *arena, const void *from, size_t count, size_t size)
{
	void *to = tfp_arena_zero(arena, count + 1, size);

	return count ? memcpy(to, from, count * size) : to;
}

static void keep_gaps(struct tfp_base *base, const struct maker *maker)
{
	const struct tfp_gaps *gaps = &maker->gaps;
	struct tfp_arena *arena = &base->arena;

	base->idle = tfp_arena_zero(arena, 1, sizeof(*base->idle));
	base->idle->gaps = tfp_arena_alloc(arena, base->count * sizeof(*base->idle->gaps));
	base->idle->device =
		copy(arena, gaps->device, maker->trace->devices.count, sizeof(*gaps->device));
	base->idle->main =
		tfp_arena_zero(arena, maker->trace->devices.count + 1, sizeof(*base->idle->main));
	base->idle->python =
		copy(arena, gaps->python, maker->trace->lanes.count, sizeof(*gaps->python));
	base->target = tfp_arena_zero(arena, base->count, sizeof(*base->target));
	base->gap = tfp_arena_alloc(arena, base->count * sizeof(*base->gap));
	memset(base->gap, 0xff, base->count * sizeof(*base->gap));
}

static uint32_t count_rows(const struct maker *maker)
{
	size_t rows = 1 + maker->gaps.tree.count;

	for (size_t i = 0; i < maker->gaps.causes.count; i++) {
		uint32_t count = maker->gaps.causes.at[i].count;

		rows += count > TFP_GAPS_MOST ? TFP_GAPS_MOST + 1 : count;
	}
	for (size_t i = 0; i < maker->trace->devices.count; i++)
		rows += maker->gaps.device[i].events > 0;
	return (uint32_t)rows;
}

static struct tfp_base *make_base(struct maker *maker)
{
	struct tfp_build *build = maker->build;

	if (!tfp_gaps_find(&maker->gaps, build->profile, build->step, build->job))
		return NULL;
	order_gaps(maker);
	maker->base = tfp_base_new(&tfp_view_idle, build, count_rows(maker));
	rename_metrics(maker->base);
	keep_gaps(maker->base, maker);
	tfp_base_add_alike(maker->base);
	if (add_rows(maker)) {
		tfp_base_sum(maker->base, false);
		return maker->base;
	}
	tfp_base_release(maker->base);
	return NULL;
}

static struct tfp_base *build_idle(struct tfp_build *build)
{
	struct maker maker = {.build = build};
	struct tfp_base *base;

	maker.trace = build->profile->trace;
	tfp_roles_find(&maker.roles, build->profile);
	base = make_base(&maker);
	tfp_roles_free(&maker.roles);
	tfp_gaps_free(&maker.gaps);
	tfp_arena_free(&maker.arena);
	free(maker.order);
	free(maker.cause_first);
	return base;
}

static const char *missing(const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;

	/* in a range there may be none: that is what the view shows */
	if (trace && (trace->device_events || (trace->whole && trace->whole->device_events)))
		return NULL;
	return trace ? "No event of a device in this trace; record one on a GPU or TPU"
		     : TFP_NO_EVENTS;
}

static const struct tfp_view_rules rules = {
	.unites = true,
	.whole = true,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_idle = {
	.name = "idle",
	.title = "idle",
	.about = "when devices had nothing to do, by what the host did meanwhile",
	.example = "idle -step 0 -max_depth 3",
	.digit = '7',
	.missing = missing,
	.build = build_idle,
	.rules = &rules,
	.pane = TFP_BREAKDOWN_MEANWHILE,
	.leads = "device",
	.of_all = true,
};
