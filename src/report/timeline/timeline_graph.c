/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph view's timeline: each run of a node on the device that it ran on, in the first lane
 * that is free, and arrows to the runs on other devices that take its output.
 */
#include <stdlib.h>

#include "report/listing.h"
#include "report/timeline/timeline.h"

/* One run. At one time one run begins on a device: the first that is met. */
struct slot {
	uint32_t node;
	uint32_t device; /* of struct timeline */
	uint32_t lane;
	uint32_t first_flow, last_flow; /* to the runs that take its output, TFP_NONE none */
	uint32_t order;                 /* in which slots were met */
	int64_t start, duration;
};

struct flow {
	uint32_t to, next;
};

struct device {
	tfp_str name;
	struct tfp_span text;
	int64_t pid;
	bool accelerator;
	uint32_t place;      /* among the devices by name */
	uint32_t first, end; /* its slots, by start */
};

struct timeline {
	const struct tfp_profile *profile;
	uint32_t step;
	struct tfp_events events;
	bool *accounted;      /* by node */
	uint32_t *first_exec; /* by node, and one more */
	TFP_ARRAY(uint32_t) nodes;
	TFP_ARRAY(struct device) devices; /* by pid, later by name */
	TFP_ARRAY(struct slot) slots;
	TFP_ARRAY(struct flow) flows;
	TFP_ARRAY(uint32_t) drawn; /* slots by process, lane and start */
};

/* ---- what ran -------------------------------------------------------------------------------- */

static uint32_t *find_execs(const struct tfp_profile *profile)
{
	uint32_t *first = tfp_alloc_zero((size_t)profile->nodes.count + 1, sizeof(*first));

	for (size_t i = 0; i < profile->execs.count; i++)
		first[profile->execs.at[i].node + 1]++;
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		first[node + 1] += first[node];
	return first;
}

/* Has the node a device, and does the file say when it began to run in the step? */
static bool is_trackable(const struct timeline *timeline, uint32_t node)
{
	const struct tfp_profile *profile = timeline->profile;
	uint32_t cell = profile->nodes.cell[node];

	while (cell != TFP_NONE && profile->cells.step[cell] != timeline->step)
		cell = profile->cells.older[cell];
	return cell != TFP_NONE && profile->nodes.device[node] &&
	       profile->cells.value[(size_t)cell * profile->cell_columns + TFP_CELL_ALL_START];
}

static struct tfp_span text_of(const struct timeline *timeline, tfp_str name)
{
	return tfp_strings_get(timeline->profile->strings, name);
}

/* The device of EXEC, which gets a process when it is met first. */
static uint32_t find_device(struct timeline *timeline, const struct tfp_exec *exec)
{
	size_t count = timeline->devices.count;
	struct tfp_span text = text_of(timeline, exec->device);

	for (size_t i = 0; i < count; i++)
		if (timeline->devices.at[i].name == exec->device)
			return (uint32_t)i;
	*tfp_array_push(&timeline->devices) = (struct device){
		.name = exec->device,
		.text = text,
		.pid = (int64_t)count,
		.accelerator = exec->accelerator,
	};
	tfp_events_process(&timeline->events, (int64_t)count,
			   tfp_span_holds(text, "stream") ? "Op execution threads: "
							  : "Op scheduling threads: ",
			   text, "");
	return (uint32_t)count;
}

/* Devices in bytewise order, then in the order of the file. */
static int compare_execs(const void *left, const void *right, void *data)
{
	const struct tfp_exec *a = *(const struct tfp_exec *const *)left;
	const struct tfp_exec *b = *(const struct tfp_exec *const *)right;
	int order = a->device == b->device
			    ? 0
			    : tfp_span_compare(text_of(data, a->device), text_of(data, b->device));

	return order ? order : a < b ? -1 : a > b;
}

static void add_runs(struct timeline *timeline, uint32_t node)
{
	const struct tfp_exec *execs = timeline->profile->execs.at;
	TFP_ARRAY(const struct tfp_exec *) found = {0};

	for (uint32_t i = timeline->first_exec[node]; i < timeline->first_exec[node + 1]; i++)
		if (execs[i].step == timeline->step)
			*tfp_array_push(&found) = &execs[i];
	if (found.count > 1)
		qsort_r(found.at, found.count, sizeof(*found.at), compare_execs, timeline);
	for (size_t i = 0; i < found.count; i++)
		*tfp_array_push(&timeline->slots) = (struct slot){
			.node = node,
			.device = find_device(timeline, found.at[i]),
			.first_flow = TFP_NONE,
			.order = (uint32_t)timeline->slots.count,
			.start = found.at[i]->start,
			.duration = found.at[i]->duration,
		};
	tfp_array_free(&found);
}

static void collect(struct timeline *timeline, const struct tfp_tree *tree)
{
	struct tfp_listing listing;
	struct tfp_table_row row;

	for (uint32_t i = 0; i < tree->base->count; i++)
		if (tree->base->node[i] != TFP_NONE)
			timeline->accounted[tree->base->node[i]] = true;
	tfp_listing_start(&listing, tree);
	while (tfp_listing_next(&listing, &row)) {
		uint32_t node = tree->base->node[row.row];

		if (node == TFP_NONE || !is_trackable(timeline, node))
			continue;
		*tfp_array_push(&timeline->nodes) = node;
		add_runs(timeline, node);
	}
	tfp_listing_free(&listing);
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_slots(const void *left, const void *right, void *data)
{
	const struct slot *a = left, *b = right;
	const struct device *devices = data;

	if (a->device != b->device)
		return devices[a->device].place < devices[b->device].place ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static void place_devices(struct timeline *timeline)
{
	struct device *devices = timeline->devices.at;

	for (size_t i = 0; i < timeline->devices.count; i++)
		for (size_t j = 0; j < timeline->devices.count; j++)
			devices[i].place += tfp_span_compare(devices[j].text, devices[i].text) < 0;
}

/* Slots by the names of their devices and by start, one for each start. */
static void sort_slots(struct timeline *timeline)
{
	struct slot *slots = timeline->slots.at;
	size_t kept = 0;

	place_devices(timeline);
	if (timeline->slots.count)
		qsort_r(slots, timeline->slots.count, sizeof(*slots), compare_slots,
			timeline->devices.at);
	for (size_t i = 0; i < timeline->slots.count; i++)
		if (!kept || slots[kept - 1].device != slots[i].device ||
		    slots[kept - 1].start != slots[i].start)
			slots[kept++] = slots[i];
	timeline->slots.count = kept;
	for (size_t i = 0; i < kept; i++) {
		struct device *device = &timeline->devices.at[slots[i].device];

		if (!i || slots[i - 1].device != slots[i].device)
			device->first = (uint32_t)i;
		device->end = (uint32_t)i + 1;
	}
}

/* ---- arrows ---------------------------------------------------------------------------------- */

static struct slot *find_slot(const struct timeline *timeline, const struct device *device,
			      int64_t start)
{
	size_t low = device->first, high = device->end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (timeline->slots.at[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < device->end && timeline->slots.at[low].start == start)
		return &timeline->slots.at[low];
	return NULL;
}

static void add_flow(struct timeline *timeline, struct slot *from, uint32_t to)
{
	uint32_t flow = (uint32_t)timeline->flows.count;

	*tfp_array_push(&timeline->flows) = (struct flow){to, TFP_NONE};
	if (from->first_flow == TFP_NONE)
		from->first_flow = flow;
	else
		timeline->flows.at[from->last_flow].next = flow;
	from->last_flow = flow;
}

/* From the runs of PRODUCER, as far as they are on another host device than slot TO. */
static void add_flows(struct timeline *timeline, uint32_t producer, uint32_t to)
{
	tfp_str name = timeline->devices.at[timeline->slots.at[to].device].name;
	uint32_t end = timeline->first_exec[producer + 1];

	for (uint32_t i = timeline->first_exec[producer]; i < end; i++) {
		const struct tfp_exec *exec = &timeline->profile->execs.at[i];
		struct slot *from = NULL;

		if (exec->step != timeline->step || exec->accelerator || exec->device == name)
			continue;
		for (size_t j = 0; j < timeline->devices.count && !from; j++)
			if (timeline->devices.at[j].name == exec->device)
				from = find_slot(timeline, &timeline->devices.at[j], exec->start);
		if (from)
			add_flow(timeline, from, to);
	}
}

static void find_flows(struct timeline *timeline)
{
	const struct tfp_profile *profile = timeline->profile;

	for (uint32_t slot = 0; slot < timeline->slots.count; slot++) {
		uint32_t node = timeline->slots.at[slot].node;
		uint32_t end = profile->nodes.input_first[node + 1];

		if (timeline->devices.at[timeline->slots.at[slot].device].accelerator)
			continue;
		for (uint32_t i = profile->nodes.input_first[node]; i < end; i++) {
			uint32_t producer = profile->inputs.at[i].node;

			if (producer != TFP_NONE && timeline->accounted[producer] &&
			    is_trackable(timeline, producer))
				add_flows(timeline, producer, slot);
		}
	}
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/*
 * The lanes of a device as a tree of tournaments: ends[1] is the earliest end of all lanes, below it
 * those of its halves; the lanes themselves are the last ROOM entries.
 */
struct lanes {
	size_t room, count;
	int64_t *ends;
};

static void grow(struct lanes *lanes)
{
	size_t room = lanes->room ? 2 * lanes->room : 64;
	int64_t *ends = tfp_realloc_array(NULL, 2 * room, sizeof(*ends));

	for (size_t i = 0; i < room; i++)
		ends[room + i] = i < lanes->room ? lanes->ends[lanes->room + i] : INT64_MIN;
	for (size_t i = room; --i > 0;)
		ends[i] = ends[2 * i] < ends[2 * i + 1] ? ends[2 * i] : ends[2 * i + 1];
	tfp_array_release(lanes->ends);
	lanes->ends = ends;
	lanes->room = room;
}

/* The first lane in which nothing ends later than START; it is then taken until END. */
static size_t take_lane(struct lanes *lanes, int64_t start, int64_t end)
{
	size_t at = 1;

	if (!lanes->room || lanes->ends[1] > start)
		grow(lanes);
	while (at < lanes->room)
		at = 2 * at + (lanes->ends[2 * at] > start);
	lanes->ends[at] = end;
	for (size_t up = at / 2; up; up /= 2)
		lanes->ends[up] = lanes->ends[2 * up] < lanes->ends[2 * up + 1]
					  ? lanes->ends[2 * up]
					  : lanes->ends[2 * up + 1];
	at -= lanes->room;
	lanes->count = at < lanes->count ? lanes->count : at + 1;
	return at;
}

/* Puts the slots of DEVICE behind those drawn already, by lane and start. */
static void draw_device(struct timeline *timeline, const struct device *device)
{
	struct lanes lanes = {0};
	uint32_t *next, at = (uint32_t)timeline->drawn.count;

	for (uint32_t i = device->first; i < device->end; i++) {
		struct slot *slot = &timeline->slots.at[i];

		slot->lane = (uint32_t)take_lane(&lanes, slot->start,
						 tfp_wrap_add(slot->start, slot->duration));
	}
	next = tfp_alloc_zero(lanes.count + 1, sizeof(*next));
	for (uint32_t i = device->first; i < device->end; i++)
		next[timeline->slots.at[i].lane + 1]++;
	for (size_t i = 0; i < lanes.count; i++)
		next[i + 1] += next[i];
	tfp_array_reserve(&timeline->drawn, at + device->end - device->first);
	for (uint32_t i = device->first; i < device->end; i++)
		timeline->drawn.at[at + next[timeline->slots.at[i].lane]++] = i;
	timeline->drawn.count += device->end - device->first;
	free(next);
	tfp_array_release(lanes.ends);
}

/* ---- writing --------------------------------------------------------------------------------- */

static struct tfp_event_place place_of(const struct timeline *timeline, const struct slot *slot)
{
	return (struct tfp_event_place){timeline->devices.at[slot->device].pid, slot->lane,
					slot->start};
}

static struct tfp_span name_of(const struct timeline *timeline, const struct slot *slot)
{
	return text_of(timeline, timeline->profile->nodes.name[slot->node]);
}

static void write_regions(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->drawn.count; i++) {
		const struct slot *slot = &timeline->slots.at[timeline->drawn.at[i]];
		struct tfp_event_place place = place_of(timeline, slot);

		tfp_events_region(&timeline->events, &place, slot->duration,
				  name_of(timeline, slot), (struct tfp_span){"", 0});
	}
}

static void write_flows(struct timeline *timeline)
{
	uint64_t id = 0;

	for (size_t i = 0; i < timeline->drawn.count; i++) {
		const struct slot *slot = &timeline->slots.at[timeline->drawn.at[i]];
		struct tfp_event_place from = place_of(timeline, slot), to;
		uint32_t flow = slot->first_flow;

		from.time = tfp_wrap_add(from.time, slot->duration);
		for (; flow != TFP_NONE; flow = timeline->flows.at[flow].next) {
			to = place_of(timeline, &timeline->slots.at[timeline->flows.at[flow].to]);
			tfp_events_flow(&timeline->events, &from, 's', ++id,
					name_of(timeline, slot));
			tfp_events_flow(&timeline->events, &to, 't', id, name_of(timeline, slot));
		}
	}
}

static void write_all(struct timeline *timeline, FILE *out)
{
	struct tfp_timeline_memory *memory = tfp_timeline_memory_new(
		timeline->profile, timeline->step, timeline->nodes.at, timeline->nodes.count);

	for (size_t i = 0; i < timeline->devices.count; i++)
		draw_device(timeline, &timeline->devices.at[i]);
	write_regions(timeline);
	tfp_timeline_memory_processes(memory, &timeline->events, (int64_t)timeline->devices.count);
	write_flows(timeline);
	tfp_timeline_memory_counters(memory, &timeline->events);
	if (out)
		tfp_timeline_memory_peaks(memory, out);
	tfp_timeline_memory_free(memory);
}

bool tfp_timeline_graph(struct tfp_writer *writer, const struct tfp_tree *tree,
			const struct tfp_profile *profile, uint32_t step, FILE *out,
			struct tfp_diag *diag)
{
	struct timeline timeline = {
		.profile = profile,
		.step = step,
		.accounted = tfp_alloc_zero(profile->nodes.count, sizeof(bool)),
		.first_exec = find_execs(profile),
	};
	size_t met;

	tfp_events_begin(&timeline.events, writer);
	collect(&timeline, tree);
	met = timeline.slots.count;
	sort_slots(&timeline);
	if (timeline.slots.count < met)
		tfp_diag_note(
			diag,
			"%zu of %zu runs begin in the same microsecond as another on their device, and are "
			"left out of the timeline, as in TensorFlow's",
			met - timeline.slots.count, met);
	find_flows(&timeline);
	write_all(&timeline, out);
	tfp_events_end(&timeline.events);
	free(timeline.accounted);
	free(timeline.first_exec);
	tfp_array_free(&timeline.nodes);
	tfp_array_free(&timeline.devices);
	tfp_array_free(&timeline.slots);
	tfp_array_free(&timeline.flows);
	tfp_array_free(&timeline.drawn);
	return true;
}
