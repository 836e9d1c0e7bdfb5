/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown into single executions: how long they took, from the shortest to the longest, and the longest
 * ones with their times. Those on devices and those on hosts are apart.
 */
#include <stdlib.h>
#include <string.h>

#include "view/pane/behind.h"
#include "view/trace/quantiles.h"
#include "view/views/steps.h"

#define LONGEST 10 /* that are shown one by one */
#define ROWS    (2 * (LONGEST + 3))

struct run {
	uint32_t event; /* its first, of one in pieces */
	int64_t lasts;
};

/* Executions of one side. */
struct side {
	const char *name;
	TFP_ARRAY(int64_t) durations;
	TFP_ARRAY(uint32_t) events;
	struct run longest[LONGEST]; /* the longest first */
	size_t kept;
	int64_t sum;
};

struct runs {
	struct tfp_work *work;
	const struct tfp_trace *trace;
	struct tfp_near run_of; /* by loop: its place among the runs of devices */
	struct side sides[2];   /* devices, hosts */
};

static void keep_long(struct side *side, struct run run)
{
	size_t place = side->kept;

	while (place && side->longest[place - 1].lasts < run.lasts)
		place--;
	if (place == LONGEST)
		return;
	if (side->kept < LONGEST)
		side->kept++;
	memmove(side->longest + place + 1, side->longest + place,
		(side->kept - place - 1) * sizeof(*side->longest));
	side->longest[place] = run;
}

/* Adds a piece of LOOP to its run. False: it is the first. */
static bool go_on(struct runs *runs, struct side *side, uint32_t loop, int64_t lasts)
{
	uint32_t run = tfp_near_get(&runs->run_of, loop);

	if (run == TFP_NONE) {
		tfp_near_set(&runs->run_of, loop, (uint32_t)side->durations.count);
		return false;
	}
	side->durations.at[run] = tfp_wrap_add(side->durations.at[run], lasts);
	return true;
}

/* What is joined on a host is in the time of the run around it. */
static void take(void *data, uint32_t event)
{
	struct runs *runs = data;
	const struct tfp_trace *trace = runs->trace;
	bool device = tfp_trace_kind(trace, event) == TFP_LANE_DEVICE;
	struct side *side = &runs->sides[!device];
	uint32_t loop = tfp_trace_loop(trace, event);
	int64_t lasts = tfp_trace_duration(trace, event);

	if (!device && tfp_trace_is_joined(trace, event))
		return;
	side->sum = tfp_wrap_add(side->sum, lasts);
	if (loop != TFP_NONE && go_on(runs, side, loop, lasts))
		return;
	*tfp_array_push(&side->durations) = lasts;
	*tfp_array_push(&side->events) = event;
}

/* ---- rows ------------------------------------------------------------------------------------- */

static void add_row(struct runs *runs, const char *label, const char *text, uint32_t node)
{
	struct tfp_breakdown *out = runs->work->out;

	out->rows[out->count++] = (struct tfp_breakdown_row){
		.label = label,
		.text = text,
		.share = -1,
		.runs = -1,
		.defined = -1,
		.node = node,
	};
}

static const char *number(const struct runs *runs, int64_t value)
{
	char text[TFP_NUMBER_ROOM];

	tfp_number_screen(text, runs->trace->unit, value);
	return tfp_arena_printf(&runs->work->out->arena, "%s", text);
}

/* How many are how long: each bar is for what is up to twice as long as the one before it. */
static void add_histogram(struct runs *runs, const struct side *side, int64_t least, int64_t most)
{
	static const char *const signs[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	struct tfp_arena *arena = &runs->work->out->arena;
	size_t counts[64] = {0}, highest = 1;
	int first = 63 - __builtin_clzll((uint64_t)least | 1);
	int last = 63 - __builtin_clzll((uint64_t)most | 1);
	char *text = tfp_arena_printf(arena, "%s", "");

	for (size_t i = 0; i < side->durations.count; i++)
		counts[63 - __builtin_clzll((uint64_t)side->durations.at[i] | 1)]++;
	for (int bar = first; bar <= last; bar++)
		if (counts[bar] > highest)
			highest = counts[bar];
	for (int bar = first; bar <= last; bar++) {
		size_t height = counts[bar] * 7 / highest;

		text = tfp_arena_printf(arena, "%s%s", text, counts[bar] ? signs[height] : " ");
	}
	add_row(runs, "  each twice as long", text, TFP_NONE);
}

static int64_t since_begin(const struct tfp_trace *trace, uint32_t event)
{
	return (int64_t)((uint64_t)tfp_trace_start(trace, event) - (uint64_t)trace->begin);
}

/* How far apart the longest of SIDE began: all say it with as many digits as tell them from each other. */
static uint64_t find_apart(const struct runs *runs, const struct side *side)
{
	int64_t times[LONGEST];

	for (size_t i = 0; i < side->kept; i++)
		times[i] = since_begin(runs->trace, side->longest[i].event);
	qsort(times, side->kept, sizeof(*times), tfp_number_compare);
	return tfp_number_nearest(runs->trace->unit, times, side->kept);
}

/* "120.00us at 1.23s, step 3, Stream #14" */
static void add_longest(struct runs *runs, const struct run *run, uint64_t apart)
{
	const struct tfp_trace *trace = runs->trace;
	const struct tfp_profile *profile = runs->work->build.profile;
	uint32_t event = run->event, step = tfp_trace_step_of(profile, event);
	char label[TFP_STEP_LABEL_ROOM] = "", begin[TFP_NUMBER_ROOM];

	tfp_number_time(begin, trace->unit, since_begin(trace, event), apart);
	if (!tfp_view_steps.missing(profile) && step != TFP_NONE)
		tfp_step_label(label, profile, step);
	add_row(runs, "  longest",
		tfp_arena_printf(
			&runs->work->out->arena, "%s at %s%s%s, %s", number(runs, run->lasts),
			begin, *label ? ", " : "", label,
			tfp_strings_text(profile->strings,
					 trace->lanes.at[tfp_trace_lane(trace, event)].name)),
		tfp_trace_node(trace, event));
}

static void add_side(struct runs *runs, struct side *side)
{
	struct tfp_arena *arena = &runs->work->out->arena;
	size_t count = side->durations.count;
	uint64_t chance = tfp_quantiles_chance(runs->work->build.profile);
	char exact[TFP_NUMBER_ROOM];
	int64_t found[TFP_QUANTILES];
	uint64_t apart;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		keep_long(side, (struct run){side->events.at[i], side->durations.at[i]});
	tfp_quantiles_find(side->durations.at, count, &chance, found);
	add_row(runs, side->name,
		tfp_arena_printf(arena, "%s, %s in all", tfp_number_exact(exact, (int64_t)count),
				 number(runs, side->sum)),
		TFP_NONE);
	add_row(runs, "  least, median, p99, most",
		tfp_arena_printf(arena, "%s  %s  %s  %s", number(runs, found[TFP_LEAST]),
				 number(runs, found[TFP_MEDIAN]), number(runs, found[TFP_P99]),
				 number(runs, found[TFP_MOST])),
		TFP_NONE);
	if (found[TFP_MOST] > found[TFP_LEAST])
		add_histogram(runs, side, found[TFP_LEAST], found[TFP_MOST]);
	apart = find_apart(runs, side);
	for (size_t i = 0; i < side->kept; i++)
		add_longest(runs, &side->longest[i], apart);
}

bool tfp_break_runs(struct tfp_work *work)
{
	struct runs runs = {
		.work = work,
		.trace = work->build.profile->trace,
		.sides = {{.name = "on devices"}, {.name = "on the host, what is nested included"}},
	};
	struct tfp_behind behind;
	bool done;

	tfp_near_resize(&runs.run_of, runs.trace->count);
	tfp_behind_start(&behind, work);
	done = tfp_behind_each(&behind, work, take, &runs);
	tfp_behind_end(&behind);
	work->out->rows = tfp_arena_alloc(&work->out->arena, ROWS * sizeof(*work->out->rows));
	for (size_t i = 0; i < 2; i++) {
		if (done)
			add_side(&runs, &runs.sides[i]);
		tfp_array_free(&runs.sides[i].durations);
		tfp_array_free(&runs.sides[i].events);
	}
	tfp_near_free(&runs.run_of);
	if (done && !work->out->count)
		work->out->note = "nothing of it ran";
	return done;
}
