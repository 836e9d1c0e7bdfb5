/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of a timeline: for each device that is not the host's, what its allocator had in use,
 * and which nodes held most of it.
 */
#include <stdlib.h>

#include "report/timeline/holders.h"
#include "report/timeline/timeline.h"

#define EVERY    100 /* us between two points of a curve at least */
#define TOP      10  /* nodes that are named at a point */
#define MEGABYTE 1e6

/* From TIME on NODE holds so much. */
struct change {
	uint32_t node; /* of struct device */
	uint64_t order;
	int64_t time, value;
};

struct node {
	struct tfp_span name;
	uint32_t node; /* of the profile */
	uint32_t met;  /* when, among all nodes */
};

struct device {
	tfp_str name;
	struct tfp_span text;
	int64_t pid;
	TFP_ARRAY(struct node) nodes;     /* by name */
	TFP_ARRAY(struct change) curve;   /* of the device: what is in use */
	TFP_ARRAY(struct change) changes; /* of its nodes */
	struct tfp_holders holders;       /* of its nodes, by the changes */
};

struct tfp_timeline_memory {
	const struct tfp_profile *profile;
	uint32_t step;
	TFP_ARRAY(struct device) devices; /* by name */
};

/* ---- which nodes ----------------------------------------------------------------------------- */

static struct device *find_device(struct tfp_timeline_memory *memory, tfp_str name)
{
	for (size_t i = 0; i < memory->devices.count; i++)
		if (memory->devices.at[i].name == name)
			return &memory->devices.at[i];
	*tfp_array_push(&memory->devices) = (struct device){
		.name = name,
		.text = tfp_strings_get(memory->profile->strings, name),
	};
	return &memory->devices.at[memory->devices.count - 1];
}

static int compare_nodes(const void *left, const void *right)
{
	const struct node *a = left, *b = right;

	return tfp_span_compare(a->name, b->name);
}

static int compare_devices(const void *left, const void *right)
{
	const struct device *a = left, *b = right;

	return tfp_span_compare(a->text, b->text);
}

static void add_nodes(struct tfp_timeline_memory *memory, const uint32_t *nodes, size_t count)
{
	const struct tfp_profile *profile = memory->profile;

	for (size_t i = 0; i < count; i++) {
		tfp_str device = profile->nodes.device[nodes[i]];
		struct device *found;

		if (tfp_span_holds(tfp_strings_get(profile->strings, device), "cpu"))
			continue;
		found = find_device(memory, device);
		*tfp_array_push(&found->nodes) = (struct node){
			tfp_strings_get(profile->strings, profile->nodes.name[nodes[i]]), nodes[i],
			(uint32_t)i};
	}
	if (memory->devices.count)
		qsort(memory->devices.at, memory->devices.count, sizeof(struct device),
		      compare_devices);
	for (size_t i = 0; i < memory->devices.count; i++)
		qsort(memory->devices.at[i].nodes.at, memory->devices.at[i].nodes.count,
		      sizeof(struct node), compare_nodes);
}

/* ---- what they hold -------------------------------------------------------------------------- */

/* Where a node of the profile stands: its device and its place there. */
struct place {
	uint32_t device, node; /* TFP_NONE: nowhere */
	int64_t persistent;    /* the most in a step */
	int64_t in_step;       /* in the step that was met last */
	uint32_t step;
};

static struct place *find_places(const struct tfp_timeline_memory *memory)
{
	uint32_t count = memory->profile->nodes.count;
	struct place *places = tfp_realloc_array(NULL, count, sizeof(*places));

	if (count)
		memset(places, 0xff, count * sizeof(*places));
	for (uint32_t i = 0; i < memory->devices.count; i++)
		for (uint32_t j = 0; j < memory->devices.at[i].nodes.count; j++)
			places[memory->devices.at[i].nodes.at[j].node] =
				(struct place){i, j, 0, 0, TFP_NONE};
	return places;
}

static void add_change(struct tfp_timeline_memory *memory, const struct place *place, int64_t time,
		       int64_t value)
{
	struct device *device = &memory->devices.at[place->device];
	uint64_t order = device->changes.count;

	*tfp_array_push(&device->changes) = (struct change){place->node, order, time, value};
}

static void add_holding(struct tfp_timeline_memory *memory, struct place *place,
			const struct tfp_holding *holding)
{
	struct device *device = &memory->devices.at[place->device];
	uint64_t order = (uint64_t)device->nodes.at[place->node].met << 32 | device->curve.count;

	if (place->step != holding->step)
		place->in_step = 0;
	place->step = holding->step;
	place->in_step = tfp_wrap_add(place->in_step, holding->persistent);
	if (place->in_step > place->persistent)
		place->persistent = place->in_step;
	if (holding->step == memory->step && holding->time > 0)
		*tfp_array_push(&device->curve) =
			(struct change){place->node, order, holding->time, holding->in_use};
}

static void add_holdings(struct tfp_timeline_memory *memory, struct place *places)
{
	const struct tfp_profile *profile = memory->profile;

	for (size_t i = 0; i < profile->holdings.count; i++) {
		const struct tfp_holding *holding = &profile->holdings.at[i];

		if (places[holding->node].device != TFP_NONE)
			add_holding(memory, &places[holding->node], holding);
	}
	for (size_t i = 0; i < profile->allocs.count; i++) {
		struct tfp_alloc alloc = tfp_allocs_get(&profile->allocs, i);

		if (alloc.step == memory->step && places[alloc.node].device != TFP_NONE &&
		    tfp_profile_alloc_is_gpu(profile, &alloc))
			add_change(memory, &places[alloc.node], alloc.time, alloc.bytes);
	}
	for (uint32_t node = 0; node < profile->nodes.count; node++)
		if (places[node].device != TFP_NONE)
			add_change(memory, &places[node], 0, places[node].persistent);
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* By node, then by time: so that what is added becomes what is held. */
static int compare_by_node(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return compare_changes(left, right);
}

/* What nodes take and give back to what they hold, in the order of time; at first each holds what it first has. */
static void add_up(struct device *device)
{
	struct change *at = device->changes.at;
	size_t count = device->changes.count, kept = 0;

	qsort(at, count, sizeof(*at), compare_by_node);
	for (size_t i = 0; i < count; i++) {
		if (kept && at[kept - 1].node == at[i].node) {
			at[i].value = tfp_wrap_add(at[kept - 1].value, at[i].value);
			if (at[kept - 1].time == at[i].time)
				kept--;
		}
		at[kept++] = at[i];
	}
	for (size_t i = 0; i < kept; i++)
		if (!i || at[i - 1].node != at[i].node)
			at[i].time = INT64_MIN;
	device->changes.count = kept;
	qsort(at, kept, sizeof(*at), compare_changes);
}

/* Of points at one time the last counts: it is of the node that was met last. */
static void sort_curve(struct device *device)
{
	struct change *at = device->curve.at;
	size_t kept = 0;

	if (device->curve.count)
		qsort(at, device->curve.count, sizeof(*at), compare_changes);
	for (size_t i = 0; i < device->curve.count; i++) {
		if (kept && at[kept - 1].time == at[i].time)
			kept--;
		at[kept++] = at[i];
	}
	device->curve.count = kept;
}

/* ---- who holds most -------------------------------------------------------------------------- */

static void start_holders(struct device *device)
{
	uint32_t count = (uint32_t)device->changes.count;
	struct tfp_held *held = tfp_realloc_array(NULL, (size_t)count + 1, sizeof(*held));

	for (uint32_t i = 0; i < count; i++)
		held[i] = (struct tfp_held){device->changes.at[i].value, device->changes.at[i].node,
					    i};
	tfp_holders_start(&device->holders, held, count, (uint32_t)device->nodes.count);
}

static void write_top(struct tfp_events *events, const struct device *device, int64_t bytes)
{
	const struct tfp_held *top[TOP];
	int64_t rest;
	size_t count = tfp_holders_top(&device->holders, bytes, top, TOP, &rest);
	char text[80];

	snprintf(text, sizeof(text), "\"Not Displayed\":\"%.2f MB\"", (double)rest / MEGABYTE);
	tfp_write_text(events->writer, text);
	for (size_t i = count ? 0 : 1; i < TOP; i++) {
		snprintf(text, sizeof(text), ",\"Top Allocation %02zu\":", i);
		tfp_write_text(events->writer, text);
		if (i >= count) {
			tfp_write_text(events->writer, "\"N/A\"");
			continue;
		}
		snprintf(text, sizeof(text), "%g MB from ", (double)top[i]->value / MEGABYTE);
		tfp_events_text(events->writer, text, device->nodes.at[top[i]->node].name);
	}
}

/* ---- the parts of a timeline ----------------------------------------------------------------- */

struct tfp_timeline_memory *tfp_timeline_memory_new(const struct tfp_profile *profile,
						    uint32_t step, const uint32_t *nodes,
						    size_t count)
{
	struct tfp_timeline_memory *memory = tfp_alloc_zero(1, sizeof(*memory));
	struct place *places;

	memory->profile = profile;
	memory->step = step;
	add_nodes(memory, nodes, count);
	places = find_places(memory);
	add_holdings(memory, places);
	tfp_array_release(places);
	for (size_t i = 0; i < memory->devices.count; i++) {
		add_up(&memory->devices.at[i]);
		sort_curve(&memory->devices.at[i]);
		start_holders(&memory->devices.at[i]);
	}
	return memory;
}

void tfp_timeline_memory_free(struct tfp_timeline_memory *memory)
{
	for (size_t i = 0; i < memory->devices.count; i++) {
		struct device *device = &memory->devices.at[i];

		tfp_array_free(&device->nodes);
		tfp_array_free(&device->curve);
		tfp_array_free(&device->changes);
		tfp_holders_free(&device->holders);
	}
	tfp_array_free(&memory->devices);
	free(memory);
}

void tfp_timeline_memory_processes(struct tfp_timeline_memory *memory, struct tfp_events *events,
				   int64_t next_pid)
{
	for (size_t i = 0; i < memory->devices.count; i++, next_pid += 2) {
		struct device *device = &memory->devices.at[i];

		device->pid = next_pid;
		tfp_events_process(events, next_pid, "mem usage on:", device->text, "");
		tfp_events_process(events, next_pid + 1, "mem usage on:", device->text,
				   " allocations");
	}
}

static void write_point(struct tfp_events *events, const struct device *device,
			const struct change *point)
{
	struct tfp_event_place place = {device->pid, 0, point->time};

	tfp_events_counter_begin(events);
	tfp_write_text(events->writer, "\"Allocator Bytes in Use\":");
	tfp_write_integer(events->writer, point->value);
	tfp_events_counter_end(events, &place, "Allocated Bytes");
	place.pid++;
	tfp_events_counter_begin(events);
	write_top(events, device, point->value);
	tfp_events_counter_end(events, &place, "Top Allocations");
}

static void write_curve(struct tfp_events *events, struct device *device)
{
	size_t next = 0;
	int64_t last = 0;

	for (size_t i = 0; i < device->curve.count; i++) {
		const struct change *point = &device->curve.at[i];

		if (point->time - last < EVERY)
			continue;
		last = point->time;
		for (; next < device->changes.count && device->changes.at[next].time < point->time;
		     next++)
			tfp_holders_change(&device->holders, (uint32_t)next);
		write_point(events, device, point);
	}
}

void tfp_timeline_memory_counters(struct tfp_timeline_memory *memory, struct tfp_events *events)
{
	for (size_t i = 0; i < memory->devices.count; i++)
		write_curve(events, &memory->devices.at[i]);
}

void tfp_timeline_memory_peaks(const struct tfp_timeline_memory *memory, FILE *out)
{
	for (size_t i = 0; i < memory->devices.count; i++) {
		const struct device *device = &memory->devices.at[i];
		int64_t peak = 0;

		for (size_t j = 0; j < device->curve.count; j++)
			if (device->curve.at[j].value > peak)
				peak = device->curve.at[j].value;
		if (tfp_span_holds(device->text, "gpu"))
			fprintf(out, "%.*s peak memory: %.2f MB\n", (int)device->text.size,
				device->text.at, (double)peak / MEGABYTE);
	}
}
