/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device was busy with: kernels that compute, those that move data between devices, copies. What overlaps counts once,
 * and of what moves data it matters how long nothing else ran beside it.
 */
#include "view/views/gaps.h"
#include "view/views/overview.h"

enum class { COMPUTING, MOVING, COPYING, WORKING /* the first two */, CLASSES };

struct interval {
	int64_t from, to;
};

/* Times that do not overlap, in order. */
struct times {
	TFP_ARRAY(struct interval) list;
	int64_t sum;
};

/* FROM is not before what was added last. */
static void add_time(struct times *times, int64_t from, int64_t to)
{
	struct interval *last = times->list.count ? &times->list.at[times->list.count - 1] : NULL;

	if (!last || from > last->to) {
		*tfp_array_push(&times->list) = (struct interval){from, to};
		times->sum = tfp_wrap_add(times->sum, tfp_wrap_add(to, -from));
	} else if (to > last->to) {
		times->sum = tfp_wrap_add(times->sum, tfp_wrap_add(to, -last->to));
		last->to = to;
	}
}

/* How long TIMES go on while OTHERS do not. */
static int64_t alone(const struct times *times, const struct times *others)
{
	int64_t both = 0;
	size_t i = 0, k = 0;

	while (i < times->list.count && k < others->list.count) {
		const struct interval *a = &times->list.at[i], *b = &others->list.at[k];
		int64_t from = a->from > b->from ? a->from : b->from;
		int64_t to = a->to < b->to ? a->to : b->to;

		if (to > from)
			both = tfp_wrap_add(both, tfp_wrap_add(to, -from));
		if (a->to < b->to)
			i++;
		else
			k++;
	}
	return tfp_wrap_add(times->sum, -both);
}

static enum class class_of(const struct tfp_trace *trace, uint32_t event) {
	switch (trace->works.at[tfp_trace_work_of(trace, event)].class){
		case TFP_WORK_COMM : return MOVING;
		case TFP_WORK_COPY : case TFP_WORK_FILL : return COPYING;
		default : return COMPUTING;
	}
}

static uint32_t device_at(const struct tfp_trace *trace, uint32_t place)
{
	return trace->lanes.at[tfp_trace_lane(trace, trace->device_order[place])].device;
}

/* Events are in the order of devices. */
static uint32_t first_of(const struct tfp_trace *trace, uint32_t device)
{
	uint32_t low = 0, high = trace->device_events;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (device_at(trace, middle) < device)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void collect(const struct tfp_build *build, uint32_t device, struct times times[CLASSES])
{
	const struct tfp_trace *trace = build->profile->trace;

	for (uint32_t i = first_of(trace, device);
	     i < trace->device_events && device_at(trace, i) == device; i++) {
		uint32_t event = trace->device_order[i];
		int64_t from = trace->start[event], to = tfp_trace_end(trace, event);
		enum class class;

		if (build->step != TFP_STEP_MEAN &&
		    tfp_gaps_step(build->profile, event) != build->step)
			continue;
		class = class_of(trace, event);
		add_time(&times[class], from, to);
		if (class != COPYING)
			add_time(&times[WORKING], from, to);
	}
}

void tfp_outline_classes(struct tfp_outline *outline, uint32_t row, uint32_t device)
{
	enum tfp_unit unit = outline->build->profile->trace->unit;
	char computing[TFP_NUMBER_ROOM], sum[TFP_NUMBER_ROOM], rest[TFP_NUMBER_ROOM];
	struct times times[CLASSES] = {{.sum = 0}};
	struct tfp_target nowhere = {NULL, 0};

	collect(outline->build, device, times);
	tfp_number_screen(computing, unit, times[COMPUTING].sum);
	if (times[MOVING].sum)
		tfp_outline_add(
			outline, row,
			tfp_arena_printf(
				&outline->arena,
				"computing %s, collectives %s: %s of that while nothing computes",
				computing, tfp_number_screen(sum, unit, times[MOVING].sum),
				tfp_number_screen(rest, unit,
						  alone(&times[MOVING], &times[COMPUTING]))),
			nowhere);
	if (times[COPYING].sum)
		tfp_outline_add(outline, row,
				tfp_arena_printf(
					&outline->arena,
					"copies and fills %s: %s of that while no kernel runs",
					tfp_number_screen(sum, unit, times[COPYING].sum),
					tfp_number_screen(rest, unit,
							  alone(&times[COPYING], &times[WORKING]))),
				nowhere);
	for (size_t i = 0; i < CLASSES; i++)
		tfp_array_free(&times[i].list);
}
