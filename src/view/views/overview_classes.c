/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a device was busy with: kernels that compute, those that move data between devices, copies. What overlaps counts once,
 * and of what moves data it matters how long nothing else ran beside it.
 */
#include "view/views/gaps.h"
#include "view/views/overview.h"

/* WORKING are the first two, BUSY all. */
enum class { COMPUTING, MOVING, COPYING, WORKING, BUSY, CLASSES };

/* How long events are, of which those before reach up to END. They come by their start. */
struct times {
	int64_t sum, end;
};

static void add_time(struct times *times, int64_t from, int64_t to)
{
	if (from < times->end)
		from = times->end;
	if (to <= from)
		return;
	times->sum = tfp_wrap_add(times->sum, tfp_wrap_add(to, -from));
	times->end = to;
}

static enum class class_of(const struct tfp_trace *trace, uint32_t event) {
	uint32_t work = tfp_trace_work_of(trace, event);

	switch (work < trace->works.count ? trace->works.at[work].class : TFP_WORK_OTHER){
		case TFP_WORK_COMM : return MOVING;
		case TFP_WORK_COPY : case TFP_WORK_FILL : return COPYING;
		default : return COMPUTING;
	}
}

static uint32_t device_at(const struct tfp_trace *trace, uint32_t place)
{
	return trace->lanes.at[tfp_trace_lane(trace, tfp_trace_device_event(trace, place))].device;
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
		uint32_t event = tfp_trace_device_event(trace, i);
		int64_t from = tfp_trace_start(trace, event), to = tfp_trace_end(trace, event);
		enum class class;

		if (build->step != TFP_STEP_MEAN &&
		    tfp_gaps_step(build->profile, event) != build->step)
			continue;
		class = class_of(trace, event);
		add_time(&times[class], from, to);
		if (class != COPYING)
			add_time(&times[WORKING], from, to);
		add_time(&times[BUSY], from, to);
	}
}

void tfp_outline_classes(struct tfp_outline *outline, uint32_t row, uint32_t device)
{
	enum tfp_unit unit = outline->build->profile->trace->unit;
	char computing[TFP_NUMBER_ROOM], sum[TFP_NUMBER_ROOM], rest[TFP_NUMBER_ROOM];
	struct times times[CLASSES];
	struct tfp_target nowhere = {NULL, 0};

	for (size_t i = 0; i < CLASSES; i++)
		times[i] = (struct times){0, INT64_MIN};
	collect(outline->build, device, times);
	tfp_number_screen(computing, unit, times[COMPUTING].sum);
	if (times[MOVING].sum)
		tfp_outline_add(
			outline, row,
			tfp_arena_printf(
				&outline->arena,
				"computing %s, collectives %s: %s of that while nothing computes",
				computing, tfp_number_screen(sum, unit, times[MOVING].sum),
				tfp_number_screen(
					rest, unit,
					tfp_wrap_add(times[WORKING].sum, -times[COMPUTING].sum))),
			nowhere);
	if (times[COPYING].sum)
		tfp_outline_add(
			outline, row,
			tfp_arena_printf(&outline->arena,
					 "copies and fills %s: %s of that while no kernel runs",
					 tfp_number_screen(sum, unit, times[COPYING].sum),
					 tfp_number_screen(rest, unit,
							   tfp_wrap_add(times[BUSY].sum,
									-times[WORKING].sum))),
			nowhere);
}
