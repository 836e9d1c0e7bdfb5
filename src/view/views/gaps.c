/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding gaps: one pass over the events of each device in order of start, and for each gap the stack of
 * the host that ended it. What of the work overlaps is no matter: only how far it has reached counts.
 */
#include "view/views/gaps.h"

#include <stdlib.h>

#include "view/pane/breakdown.h"

#define POLL ((uint32_t)1 << 14) /* events between looks at the cancel flag */

struct finder {
	struct tfp_gaps *gaps;
	const struct tfp_trace *trace; /* the whole */
	struct tfp_job *job;
	uint32_t step;
	int64_t from, to; /* what of it counts */
	bool ranged;
	/* of the device so far */
	int64_t reached; /* the end of its events, wherever it is; INT64_MIN: there was none */
	int64_t counted; /* the end of those that count as busy */
};

/* ---- causes -------------------------------------------------------------------------------- */

/* What the stack of LAUNCH is called, outermost first; what calls itself once. Returns how many there are. */
static uint32_t find_labels(const struct finder *finder, uint32_t launch,
			    tfp_str labels[TFP_STACK_MOST])
{
	uint32_t stack[TFP_STACK_MOST],
		python = finder->gaps->python[tfp_trace_lane(finder->trace, launch)];
	size_t count = tfp_host_stack(finder->trace, launch, python, stack);
	uint32_t used = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t node = tfp_trace_node(finder->trace, stack[i]);
		tfp_str label = node == TFP_NONE ? 0 : tfp_node_label(finder->gaps->profile, node);

		if (label && (!used || label != labels[used - 1]))
			labels[used++] = label;
	}
	return used;
}

/* The same for equal stacks; not the same in another run. */
static uint64_t hash_labels(const tfp_str *labels, uint32_t count)
{
	uint64_t hash = TFP_CAUSE_KINDS;

	for (uint32_t i = 0; i < count; i++) {
		hash = (hash ^ labels[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static enum tfp_cause_kind kind_of(const struct finder *finder, uint32_t event, uint32_t launch,
				   bool linked)
{
	if (event == TFP_NONE)
		return TFP_CAUSE_LAST;
	if (launch >= finder->trace->count)
		return linked ? TFP_CAUSE_UNKNOWN : TFP_CAUSE_EARLIER;
	return tfp_trace_start(finder->trace, launch) < finder->reached ? TFP_CAUSE_LAUNCHED
									: TFP_CAUSE_HOST;
}

static uint32_t find_cause(struct finder *finder, uint32_t device, uint32_t event)
{
	struct tfp_gaps *gaps = finder->gaps;
	uint32_t launch = event == TFP_NONE ? TFP_NONE : tfp_trace_link(finder->trace, event);
	uint32_t number, count = 0;
	enum tfp_cause_kind kind = kind_of(finder, event, launch, gaps->device[device].linked);
	tfp_str labels[TFP_STACK_MOST];
	uint64_t key = kind;

	if (kind == TFP_CAUSE_HOST) {
		count = find_labels(finder, launch, labels);
		key = hash_labels(labels, count);
	}
	number = tfp_rowkeys_add(&gaps->stacks, key * UINT64_C(0xc949d7c7509e6557) + device);
	if (number < gaps->causes.count)
		return number;
	*tfp_array_push(&gaps->causes) = (struct tfp_cause){
		.kind = kind,
		.device = device,
		.label_first = (uint32_t)gaps->labels.count,
		.labels = count,
	};
	for (uint32_t i = 0; i < count; i++)
		*tfp_array_push(&gaps->labels) = labels[i];
	return number;
}

/* ---- gaps ---------------------------------------------------------------------------------- */

_Static_assert(TFP_GAPS_MOST <= TFP_RANK_MOST, "the longest are put in order");

/* Leaves the longest gaps of cause INDEX in the list. */
static void trim(struct tfp_gaps *gaps, uint32_t index)
{
	struct tfp_cause *cause = &gaps->causes.at[index];
	struct tfp_rank *items = tfp_realloc_array(NULL, cause->listed, sizeof(*items));
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < gaps->list.count; i++)
		if (gaps->list.at[i].cause == index)
			items[count++] =
				(struct tfp_rank){tfp_gap_length(&gaps->list.at[i]), (uint32_t)i};
	tfp_rank_largest(items, count);
	cause->least = items[TFP_GAPS_MOST - 1].value;
	cause->listed = 0;
	for (size_t i = 0; i < gaps->list.count; i++) {
		const struct tfp_gap *gap = &gaps->list.at[i];

		if (gap->cause == index &&
		    (tfp_gap_length(gap) < cause->least || cause->listed == TFP_GAPS_MOST))
			continue;
		cause->listed += gap->cause == index;
		gaps->list.at[kept++] = *gap;
	}
	gaps->list.count = kept;
	free(items);
}

uint32_t tfp_gaps_step(const struct tfp_profile *profile, uint32_t event)
{
	const struct tfp_trace *trace = profile->trace;
	size_t hint = 0;
	uint32_t step = tfp_trace_event_step(tfp_trace_whole(trace), event, &hint);

	return step != TFP_NONE ? step : tfp_profile_find_step(profile, TFP_STEP_OUTSIDE);
}

/* Does EVENT, or what ends with none, count? */
static bool in_step(const struct finder *finder, uint32_t event)
{
	if (finder->step == TFP_STEP_MEAN)
		return true;
	return event != TFP_NONE && tfp_gaps_step(finder->gaps->profile, event) == finder->step;
}

/* A gap of DEVICE up to END, where EVENT begins. */
static void add_gap(struct finder *finder, uint32_t device, uint32_t event, int64_t end)
{
	struct tfp_gaps *gaps = finder->gaps;
	struct tfp_gap gap = {.begin = gaps->device[device].last, .end = end, .event = event};
	int64_t length = tfp_gap_length(&gap);
	struct tfp_cause *cause;

	if (!in_step(finder, event))
		return;
	gap.cause = find_cause(finder, device, event);
	cause = &gaps->causes.at[gap.cause];
	cause->count++;
	cause->time = tfp_wrap_add(cause->time, length);
	gaps->device[device].idle = tfp_wrap_add(gaps->device[device].idle, length);
	if (length < cause->least)
		return;
	*tfp_array_push(&gaps->list) = gap;
	if (++cause->listed == 2 * TFP_GAPS_MOST)
		trim(gaps, gap.cause);
}

static int64_t within(const struct finder *finder, int64_t time)
{
	if (!finder->ranged)
		return time;
	return time < finder->from ? finder->from : time > finder->to ? finder->to : time;
}

/* From when on DEVICE, whose first event is EVENT, can be idle: of a step alone it waits from its beginning on. */
static int64_t first_time(const struct finder *finder, uint32_t device, uint32_t event)
{
	int64_t start = tfp_trace_start(finder->trace, event);
	struct tfp_step_span span;

	if (finder->step == TFP_STEP_MEAN || !in_step(finder, event) ||
	    !tfp_trace_step_span(finder->gaps->profile, finder->trace,
				 finder->trace->devices.at[device].file, finder->step, &span))
		return start;
	return span.start < start ? span.start : start;
}

static void begin_device(struct finder *finder, uint32_t device, uint32_t event)
{
	struct tfp_idleness *idleness = &finder->gaps->device[device];
	int64_t start = finder->ranged ? finder->from : first_time(finder, device, event);

	idleness->first = idleness->last = start;
	finder->reached = finder->ranged ? INT64_MIN : start;
	finder->counted = idleness->first;
}

/* Adds the time from START to END, when an event runs, less what others had of it. */
static void add_busy(struct finder *finder, struct tfp_idleness *idleness, int64_t start,
		     int64_t end)
{
	if (start < finder->counted)
		start = finder->counted;
	if (end <= start)
		return;
	idleness->busy = tfp_wrap_add(idleness->busy, (int64_t)((uint64_t)end - (uint64_t)start));
	finder->counted = end;
}

static void take_event(struct finder *finder, uint32_t device, uint32_t event)
{
	const struct tfp_trace *trace = finder->trace;
	struct tfp_idleness *idleness = &finder->gaps->device[device];
	int64_t start = within(finder, tfp_trace_start(trace, event));
	int64_t end = within(finder, tfp_trace_end(trace, event));

	if (!idleness->events++)
		begin_device(finder, device, event);
	if (start > idleness->last) {
		add_gap(finder, device, event, start);
		idleness->last = start;
	}
	if (end > idleness->last)
		idleness->last = end;
	if (in_step(finder, event))
		add_busy(finder, idleness, start, end);
	if (tfp_trace_end(trace, event) > finder->reached)
		finder->reached = tfp_trace_end(trace, event);
	idleness->linked |= tfp_trace_link(trace, event) < trace->count;
}

/* Where no launch is known of any event, none is known to have been before the recording. */
static void settle_causes(struct tfp_gaps *gaps)
{
	for (size_t i = 0; i < gaps->causes.count; i++) {
		struct tfp_cause *cause = &gaps->causes.at[i];

		if (cause->kind == TFP_CAUSE_EARLIER && !gaps->device[cause->device].linked)
			cause->kind = TFP_CAUSE_UNKNOWN;
	}
}

/* In a range the time after a device's last event is a gap, too. */
static void end_devices(struct finder *finder)
{
	for (uint32_t i = 0; finder->ranged && i < finder->trace->devices.count; i++) {
		struct tfp_idleness *idleness = &finder->gaps->device[i];

		if (!idleness->events || idleness->last >= finder->to)
			continue;
		add_gap(finder, i, TFP_NONE, finder->to);
		idleness->last = finder->to;
	}
}

static bool take_events(struct finder *finder)
{
	const struct tfp_trace *trace = finder->trace;
	const struct tfp_trace *cut = finder->gaps->profile->trace;

	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);
		uint32_t device = trace->lanes.at[tfp_trace_lane(trace, event)].device;

		if (i % POLL == 0 && tfp_job_cancelled(finder->job))
			return false;
		if (tfp_trace_has_file(cut, trace->devices.at[device].file))
			take_event(finder, device, event);
	}
	end_devices(finder);
	return true;
}

bool tfp_gaps_find(struct tfp_gaps *gaps, const struct tfp_profile *profile, uint32_t step,
		   struct tfp_job *job)
{
	const struct tfp_trace *trace = profile->trace;
	struct finder finder = {
		.gaps = gaps,
		.trace = tfp_trace_whole(trace),
		.job = job,
		.step = step,
		.from = trace->from,
		.to = trace->to,
		.ranged = tfp_trace_is_ranged(trace),
	};

	*gaps = (struct tfp_gaps){.profile = profile};
	tfp_rowkeys_start(&gaps->stacks);
	gaps->device = tfp_alloc_zero(trace->devices.count + 1, sizeof(*gaps->device));
	gaps->python = tfp_lanes_python(trace);
	/* a range outside the recording has nothing */
	if ((!finder.ranged || finder.to > finder.from) && !take_events(&finder))
		return false;
	settle_causes(gaps);
	tfp_gaps_grow_tree(gaps);
	return true;
}

void tfp_gaps_free(struct tfp_gaps *gaps)
{
	tfp_rowkeys_end(&gaps->stacks);
	tfp_array_free(&gaps->list);
	tfp_array_free(&gaps->causes);
	tfp_array_free(&gaps->labels);
	tfp_array_free(&gaps->tree);
	free(gaps->sorted);
	free(gaps->device);
	free(gaps->python);
}

/* ---- what the host did meanwhile ----------------------------------------------------------- */

void tfp_meanwhile_start(struct tfp_meanwhile *meanwhile)
{
	*meanwhile = (struct tfp_meanwhile){0};
	tfp_rowkeys_start(&meanwhile->labels);
}

void tfp_meanwhile_end(struct tfp_meanwhile *meanwhile)
{
	tfp_rowkeys_end(&meanwhile->labels);
	tfp_array_free(&meanwhile->time);
	tfp_array_free(&meanwhile->longest);
	tfp_array_free(&meanwhile->most);
}

static void add_piece(struct tfp_meanwhile *meanwhile, tfp_str label, uint32_t event, int64_t time)
{
	uint32_t number = tfp_rowkeys_add(&meanwhile->labels, label);

	if (number == meanwhile->time.count) {
		*tfp_array_push(&meanwhile->time) = 0;
		*tfp_array_push(&meanwhile->longest) = TFP_NONE;
		*tfp_array_push(&meanwhile->most) = -1;
	}
	meanwhile->time.at[number] = tfp_wrap_add(meanwhile->time.at[number], time);
	if (time > meanwhile->most.at[number]) {
		meanwhile->most.at[number] = time;
		meanwhile->longest.at[number] = event;
	}
}

void tfp_meanwhile_add(struct tfp_meanwhile *meanwhile, const struct tfp_profile *profile,
		       const uint32_t *python, const struct tfp_gap *gap)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t launch = gap->event == TFP_NONE ? TFP_NONE : tfp_trace_link(trace, gap->event);
	struct tfp_host_walk walk;

	if (launch >= trace->count) {
		meanwhile->unknown++;
		return;
	}
	tfp_host_walk_start(&walk, trace, tfp_trace_lane(trace, launch),
			    python[tfp_trace_lane(trace, launch)], gap->begin);
	while (walk.now < gap->end) {
		uint32_t top = tfp_host_walk_top(&walk);
		int64_t from = walk.now;

		tfp_host_walk_on(&walk, gap->end);
		add_piece(meanwhile, top == TFP_NONE ? 0 : tfp_event_label(profile, top), top,
			  (int64_t)((uint64_t)walk.now - (uint64_t)from));
	}
}
