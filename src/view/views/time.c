/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time view: a row for each device and lane, and below a lane one for each further strip of it. The
 * screen draws them against time; figures are for reports.
 */
#include <stdlib.h>
#include <string.h>

#include "view/engine.h"
#include "view/trace/strips.h"
#include "view/trace/window.h"

/* A device or lane, and where it stands. */
struct place {
	int64_t place;
	uint32_t index;
};

struct maker {
	struct tfp_build *build;
	const struct tfp_strips *strips;
	struct tfp_base *base;
	uint32_t file; /* whose lanes are wanted alone: a rank's; TFP_NONE: all */
	bool ranged;   /* only what is in this range counts: */
	int64_t from, to;
	uint32_t row;                  /* the next one */
	struct place *devices, *lanes; /* in order */
	bool *repeats; /* by lane: another one of its device has its name, as what lanes add to others */
};

/* ---- identity ------------------------------------------------------------------------------ */

static uint64_t device_key(const struct tfp_profile *profile, uint32_t device)
{
	uint64_t root = tfp_key_below(0, TFP_SPAN(TFP_ROOT_LABEL));

	return tfp_key_below(
		root, tfp_strings_get(profile->strings, profile->trace->devices.at[device].name));
}

uint64_t tfp_lane_key(const struct tfp_profile *profile, uint32_t lane)
{
	const struct tfp_lane *of = &profile->trace->lanes.at[lane];
	uint64_t key = tfp_key_below(device_key(profile, of->device),
				     tfp_strings_get(profile->strings, of->name));
	char identity[64];

	snprintf(identity, sizeof(identity), "%lld %d", (long long)of->id, (int)of->kind);
	return tfp_key_below(key, tfp_span_of(identity));
}

/* ---- figures ------------------------------------------------------------------------------- */

/* What of EVENT lies in the range of the query; false: nothing. */
static bool clip(const struct maker *maker, uint32_t event, int64_t *start, int64_t *end)
{
	const struct tfp_trace *trace = maker->strips->trace;

	*start = tfp_trace_start(trace, event);
	*end = tfp_wrap_add(*start, tfp_trace_duration(trace, event));
	if (!maker->ranged)
		return true;
	if (*start >= maker->to || *end < maker->from ||
	    (*end == maker->from && *start < maker->from))
		return false;
	*start = *start > maker->from ? *start : maker->from;
	*end = *end < maker->to ? *end : maker->to;
	return true;
}

/* Is EVENT a run in the range? Of a loop all pieces are one, if any of it is there. */
static bool is_run(const struct maker *maker, uint32_t event)
{
	const struct tfp_trace *trace = maker->build->profile->trace;
	uint32_t loop = tfp_trace_loop(trace, event);
	int64_t start, end;

	if (loop == TFP_NONE)
		return clip(maker, event, &start, &end);
	return !tfp_trace_is_joined(trace, event) && clip(maker, loop, &start, &end);
}

/* Adds the events of LANE to ROW: their time, and the time in which there is any. */
static void add_figures(const struct maker *maker, const struct tfp_lane *lane, uint32_t row)
{
	bool device = lane->kind == TFP_LANE_DEVICE;
	int64_t *self = maker->base->self + (size_t)row * maker->base->metric_count;
	int64_t start, end, reach = INT64_MIN, sum = 0, busy = 0, count = 0;
	uint32_t step = maker->build->step;
	size_t hint = 0;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		if (step != TFP_STEP_MEAN &&
		    tfp_trace_event_step(maker->strips->trace, i, &hint) != step)
			continue;
		count += is_run(maker, i);
		if (!clip(maker, i, &start, &end))
			continue;
		sum = tfp_wrap_add(sum, (int64_t)((uint64_t)end - (uint64_t)start));
		if (end <= reach)
			continue;
		busy = tfp_wrap_add(
			busy, (int64_t)((uint64_t)end - (uint64_t)(start > reach ? start : reach)));
		reach = end;
	}
	self[device ? TFP_TRACE_BUSY : TFP_TRACE_HOST] = busy;
	self[device ? TFP_TRACE_LAUNCHES : TFP_TRACE_RUNS] = count;
	if (device)
		self[TFP_TRACE_DEVICE] = sum;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static uint32_t add_row(struct maker *maker, uint32_t parent, const char *label, uint64_t key)
{
	struct tfp_base *base = maker->base;
	uint32_t row = maker->row++;

	base->parent[row] = parent;
	base->name[row] = tfp_strings_add_text(maker->build->profile->strings, label);
	base->key[row] = key;
	base->flags[row] = TFP_ROW_ACCOUNTED;
	return row;
}

static void add_lane(struct maker *maker, uint32_t parent, uint32_t lane)
{
	static const char *const kinds[] = {
		[TFP_LANE_DEVICE] = "",
		[TFP_LANE_HOST] = "",
		[TFP_LANE_DERIVED] = "marks: ",
		[TFP_LANE_PYTHON] = "Python: ",
	};
	const struct tfp_profile *profile = maker->build->profile;
	const struct tfp_lane *of = &profile->trace->lanes.at[lane];
	uint32_t first = maker->strips->lane_strip[lane], end = maker->strips->lane_strip[lane + 1];
	uint64_t key = tfp_lane_key(profile, lane);
	char label[256];
	uint32_t row;

	snprintf(label, sizeof(label), "%s%.200s", maker->repeats[lane] ? kinds[of->kind] : "",
		 tfp_strings_text(profile->strings, of->name));
	row = add_row(maker, parent, label, key);
	maker->base->strip[row] = first;
	maker->base->flags[row] |= TFP_ROW_LEAF;
	if (of->kind != TFP_LANE_DERIVED && of->kind != TFP_LANE_PYTHON)
		add_figures(maker, of, row);
	for (uint32_t index = first + 1; index < end; index++) {
		uint32_t deeper;

		snprintf(label, sizeof(label), "%s%u",
			 of->kind == TFP_LANE_DEVICE ? "at once " : "depth ", index - first);
		deeper = add_row(maker, row, label, tfp_key_below(key, tfp_span_of(label)));
		maker->base->strip[deeper] = index;
	}
}

static void add_device(struct maker *maker, uint32_t device)
{
	const struct tfp_profile *profile = maker->build->profile;
	const struct tfp_trace *trace = profile->trace;
	const char *name = tfp_strings_text(profile->strings, trace->devices.at[device].name);
	uint32_t row = TFP_NONE;

	for (size_t i = 0; i < trace->lanes.count; i++) {
		uint32_t lane = maker->lanes[i].index;

		if (trace->lanes.at[lane].device != device || !trace->lanes.at[lane].count)
			continue;
		if (row == TFP_NONE)
			row = add_row(maker, 0, name, device_key(profile, device));
		add_lane(maker, row, lane);
	}
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static void find_repeats(struct maker *maker)
{
	const struct tfp_trace *trace = maker->build->profile->trace;
	struct place *names = tfp_realloc_array(NULL, trace->lanes.count, sizeof(*names));
	size_t count = 0;

	maker->repeats = tfp_alloc_zero(trace->lanes.count + 1, sizeof(*maker->repeats));
	for (uint32_t i = 0; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (lane->count)
			names[count++] = (struct place){
				(int64_t)((uint64_t)lane->device << 32 | lane->name), i};
	}
	if (count)
		qsort(names, count, sizeof(*names), compare_places);
	for (size_t i = 1; i < count; i++)
		if (names[i].place == names[i - 1].place)
			maker->repeats[names[i].index] = maker->repeats[names[i - 1].index] = true;
	tfp_array_release(names);
}

/* Devices and lanes by the places that files give them, then as they came. */
static void order_places(struct maker *maker)
{
	const struct tfp_trace *trace = maker->build->profile->trace;

	maker->devices = tfp_realloc_array(NULL, trace->devices.count, sizeof(*maker->devices));
	for (uint32_t i = 0; i < trace->devices.count; i++)
		maker->devices[i] = (struct place){trace->devices.at[i].place, i};
	maker->lanes = tfp_realloc_array(NULL, trace->lanes.count, sizeof(*maker->lanes));
	for (uint32_t i = 0; i < trace->lanes.count; i++)
		maker->lanes[i] = (struct place){trace->lanes.at[i].place, i};
	if (trace->devices.count)
		qsort(maker->devices, trace->devices.count, sizeof(*maker->devices),
		      compare_places);
	if (trace->lanes.count)
		qsort(maker->lanes, trace->lanes.count, sizeof(*maker->lanes), compare_places);
}

/* Of each file first what computes, then its hosts. */
static void add_devices(struct maker *maker)
{
	const struct tfp_trace *trace = maker->build->profile->trace;
	uint32_t files = 0;

	for (size_t i = 0; i < trace->devices.count; i++)
		if (trace->devices.at[i].file >= files)
			files = trace->devices.at[i].file + 1;
	if (files > trace->devices.count)
		files = (uint32_t)trace->devices.count;
	order_places(maker);
	find_repeats(maker);
	for (uint32_t file = 0; file < files; file++)
		for (int host = 0; host < 2; host++)
			for (size_t i = 0; i < trace->devices.count; i++) {
				uint32_t device = maker->devices[i].index;

				if (trace->devices.at[device].file == file &&
				    trace->devices.at[device].host == host &&
				    (maker->file == TFP_NONE || maker->file == file))
					add_device(maker, device);
			}
	tfp_array_release(maker->lanes);
	tfp_array_release(maker->devices);
	free(maker->repeats);
}

/* ---- the base ------------------------------------------------------------------------------ */

static uint32_t count_rows(const struct maker *maker)
{
	const struct tfp_trace *trace = maker->build->profile->trace;

	return 1 + (uint32_t)(trace->devices.count + maker->strips->list.count);
}

/* The strips are those of the whole recording, whatever step or range is asked for. What they lack is told when they are made. */
static const struct tfp_strips *find_strips(struct tfp_build *build)
{
	struct tfp_engine *engine = build->engine;
	char events[TFP_NUMBER_ROOM];

	if (engine->strips)
		return engine->strips;
	engine->strips = tfp_strips_make(engine->profile, tfp_engine_trace(engine), build->job);
	if (engine->strips && engine->strips->left_out)
		tfp_diag_add(
			build->diag, TFP_NOTE, NULL, -1, 0,
			"events that are not drawn, as too many are around them or run at once: %s",
			tfp_number_exact(events, (int64_t)engine->strips->left_out));
	return engine->strips;
}

/* Times of lanes add up to those of their device. */
static void add_up(struct tfp_base *base)
{
	struct tfp_metric *metrics = tfp_base_own_metrics(base);

	for (uint32_t i = 0; i < base->metric_count; i++) {
		metrics[i].kind = TFP_SUM;
		metrics[i].absent |= i > TFP_TRACE_LAUNCHES;
	}
}

static struct tfp_base *build_time(struct tfp_build *build)
{
	struct maker maker = {.build = build, .row = 1, .file = TFP_NONE};

	maker.strips = find_strips(build);
	if (build->query->rank >= 0)
		maker.file = tfp_rank_file(build->profile->trace, build->query->rank);
	if (maker.strips) {
		struct tfp_base *base = tfp_base_new(&tfp_view_time, build, count_rows(&maker));

		maker.base = base;
		add_up(base);
		base->strips = maker.strips;
		maker.ranged =
			tfp_query_range(build->query, maker.strips->trace, &maker.from, &maker.to);
		base->strip = tfp_arena_alloc(&base->arena, base->count * sizeof(*base->strip));
		memset(base->strip, 0xff, base->count * sizeof(*base->strip));
		add_devices(&maker);
		base->count = maker.row;
		tfp_base_sum(base, false);
	}
	return maker.base;
}

static const char *missing(const struct tfp_profile *profile)
{
	if (profile->trace && profile->trace->count)
		return NULL;
	return TFP_NO_EVENTS;
}

static const struct tfp_view_rules rules = {
	.natural = true,
	.unites = true,
	.whole = true,
	.drawn = true,
	.count = TFP_COUNT_RUNS,
};

const struct tfp_view tfp_view_time = {
	.name = "time",
	.title = "time",
	.about =
		"the lanes of devices and threads, and how long something ran there; what is drawn only, or "
		"is nested, is in no sum",
	.example = "time",
	.digit = '9',
	.missing = missing,
	.build = build_time,
	.rules = &rules,
};
