/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What allocators say of memory: when a piece was taken and when it was given back, and how much they
 * held then. A piece belongs to what was going on when it was taken; when it is given back that is
 * known by its address. All of it is read once somebody asks for it, by going through the events of hosts again.
 */
#include <stdlib.h>
#include <string.h>

#include "load/counted.h"
#include "load/xplane/layouts.h"
#include "load/xplane/reader.h"

#define PICOS_PER_MICRO 1000000

#define ALLOC_STATS                                                                                \
	(TFP_XSTAT(XSTAT_ORDINAL) | TFP_XSTAT(XSTAT_ALLOCATOR) | TFP_XSTAT(XSTAT_RESERVED) |       \
	 TFP_XSTAT(XSTAT_ALLOCATED) | TFP_XSTAT(XSTAT_ALLOCATION) | TFP_XSTAT(XSTAT_ADDRESS))

/* ---- whether there are any ------------------------------------------------------------------- */

static bool is_taken(struct tfp_span label)
{
	return tfp_span_equal(label, TFP_SPAN("MemoryAllocation"));
}

bool tfp_xallocs_named(struct tfp_span label)
{
	return is_taken(label) || tfp_span_equal(label, TFP_SPAN("MemoryDeallocation"));
}

/* All that EVENT says of memory, with what METADATA does. False: nothing. */
static bool read_stats(const struct tfp_xplane *plane, const struct tfp_field *message,
		       const struct tfp_xmetadata *metadata, struct tfp_xlayouts *layouts,
		       struct tfp_xevent *event)
{
	tfp_xevent_read(plane, message, ALLOC_STATS, layouts, event);
	if (metadata->stats.size || metadata->said.size)
		tfp_xmetadata_values(plane, metadata, &event->stats);
	return tfp_xvalues_have(&event->stats, XSTAT_ALLOCATED) ||
	       tfp_xvalues_have(&event->stats, XSTAT_ALLOCATION);
}

void tfp_xallocs_look(struct tfp_xfacts *facts, const struct tfp_xplane *plane,
		      const struct tfp_xevent *event)
{
	struct tfp_xevent whole;
	uint32_t place;

	if (facts->allocates)
		return;
	place = tfp_idmap_get(&plane->metadata_ids, (uint64_t)event->metadata);
	facts->allocates =
		read_stats(plane, event->message, &plane->metadata.at[place], NULL, &whole);
}

/* Memory that was taken before the recording, or before the step. */
void tfp_xallocs_settle(struct tfp_xreader *reader)
{
	tfp_str name = tfp_strings_add_text(reader->profile->strings, "held from before");

	if (reader->facts->allocates)
		reader->facts->before = tfp_xreader_node(reader, name, name, TFP_NONE,
							 TFP_NODE_UNSCOPED | TFP_NODE_HELD);
}

/* ---- reading them ---------------------------------------------------------------------------- */

/* What an allocator said of itself when it gave memory, or took it back (bytes below 0). */
struct record {
	int64_t bytes;
	int64_t in_use; /* then, below 0: not given */
	union {
		uint64_t address; /* until it is known: */
		uint32_t taken; /* the event that took the memory, TFP_NONE: before the recording */
	};
	tfp_str allocator;
	uint32_t event;
};

/* A record, and then what becomes of it: there may be millions. */
union slot {
	struct record record;
	struct tfp_alloc alloc;
};
_Static_assert(sizeof(union slot) == sizeof(struct tfp_alloc), "slots become allocations");

struct reading {
	struct tfp_profile *profile;
	struct tfp_xfacts *facts;
	const struct tfp_xplane *plane;
	struct tfp_xlayouts *layouts;
	struct tfp_walk walk;
	tfp_str *
		kinds; /* of the plane: by metadata, what such events are called; else 0. NULL: there are none */
	struct tfp_span allocator_text; /* met last */
	tfp_str allocator;
	TFP_ARRAY(union slot) slots;
	uint32_t outside; /* the step of what is in none */
	size_t hint, taken_hint;
};

/* Its name; where it has none the device whose memory it is. */
static tfp_str allocator_of(struct reading *reading, const struct tfp_xvalues *stats)
{
	struct tfp_span name = tfp_xvalue_text(reading->plane, stats, XSTAT_ALLOCATOR);

	if (!name.size && tfp_xvalues_have(stats, XSTAT_ORDINAL))
		name = tfp_span_of(
			tfp_arena_printf(&reading->facts->arena, "device %lld",
					 (long long)tfp_xvalue_int(stats, XSTAT_ORDINAL)));
	/* there are few, and the file holds each once */
	if (!reading->allocator || name.at != reading->allocator_text.at ||
	    name.size != reading->allocator_text.size) {
		reading->allocator_text = name;
		reading->allocator = tfp_strings_add(reading->profile->strings, name.at, name.size);
	}
	return reading->allocator;
}

static int64_t in_use_of(const struct tfp_xvalues *stats)
{
	if (!tfp_xvalues_have(stats, XSTAT_ALLOCATED))
		return -1;
	return tfp_wrap_add(tfp_xvalue_int(stats, XSTAT_RESERVED),
			    tfp_xvalue_int(stats, XSTAT_ALLOCATED));
}

/* Which metadata is that of allocators' events. */
static void find_kinds(struct reading *reading)
{
	const struct tfp_xplane *plane = reading->plane;

	reading->kinds = NULL;
	for (size_t i = 0; i < plane->metadata.count; i++) {
		struct tfp_span label = plane->metadata.at[i].label;

		if (!tfp_xallocs_named(label))
			continue;
		if (!reading->kinds)
			reading->kinds =
				tfp_alloc_zero(plane->metadata.count, sizeof(*reading->kinds));
		reading->kinds[i] =
			tfp_strings_add(reading->profile->strings, label.at, label.size);
	}
}

/* The place of the metadata with ID, where its events are an allocator's; else TFP_NONE. */
static uint32_t kind_with(const struct reading *reading, uint64_t id)
{
	const struct tfp_xplane *plane = reading->plane;
	uint32_t place = id < plane->place_count ? plane->places[id]
						 : tfp_idmap_get(&plane->metadata_ids, id);

	return place != TFP_NONE && reading->kinds[place] ? place : TFP_NONE;
}

/* The metadata of an event that stands in MESSAGE, where it is an allocator's; else TFP_NONE. */
static uint32_t kind_of(const struct reading *reading, const struct tfp_field *message)
{
	const uint8_t *at = message->data, *end = at + message->size;
	struct tfp_xevent event;
	uint64_t id;

	if (at < end && *at == (EVENT_METADATA << 3 | TFP_WIRE_VARINT) &&
	    tfp_wire_varint(at + 1, end, &id))
		return kind_with(reading, id);
	tfp_xevent_read(reading->plane, message, 0, NULL, &event);
	return kind_with(reading, (uint64_t)event.metadata);
}

/* The event from AT on that starts at TIME and is called LABEL, and AT behind it; TFP_NONE: there is none. */
static uint32_t find_from(const struct tfp_profile *profile, const struct tfp_lane *lane,
			  uint32_t *at, int64_t time, tfp_str label)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t end = lane->first + lane->count;

	while (*at < end && tfp_trace_start(trace, *at) < time)
		++*at;
	for (uint32_t i = *at; i < end && tfp_trace_start(trace, i) == time; i++) {
		uint32_t node = tfp_trace_node(trace, i);

		if (node == TFP_NONE || profile->nodes.name[node] != label)
			continue;
		*at = i + 1;
		return i;
	}
	return TFP_NONE;
}

/* The same, of LANE, where AT is behind the one that was found last. */
static uint32_t find_event(const struct tfp_profile *profile, const struct tfp_lane *lane,
			   uint32_t *at, int64_t time, tfp_str label)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t event = TFP_NONE;

	if (*at > lane->first && *at <= lane->first + lane->count &&
	    tfp_trace_start(trace, *at - 1) <= time)
		event = find_from(profile, lane, at, time, label);
	if (event != TFP_NONE)
		return event;
	*at = tfp_trace_after(trace, lane, tfp_wrap_add(time, -1));
	return find_from(profile, lane, at, time, label);
}

/* Notes the event that stands in MESSAGE, of the line with LANE and the time BASE. */
static void take_record(struct reading *reading, const struct tfp_field *message, uint32_t kind,
			const struct tfp_lane *lane, int64_t base, uint32_t *at)
{
	const struct tfp_trace *trace = reading->profile->trace;
	const struct tfp_xmetadata *metadata = &reading->plane->metadata.at[kind];
	struct tfp_xevent event;
	bool says = read_stats(reading->plane, message, metadata, reading->layouts, &event);
	int64_t bytes = tfp_xvalue_int(&event.stats, XSTAT_ALLOCATION), start;
	struct record record;

	if (event.duration < 0)
		event.duration = 0;
	if (!says || event.aggregated || !tfp_xclock_start(base, &event, &start))
		return;
	start = tfp_wrap_add(start, trace->devices.at[lane->device].moved);
	record = (struct record){
		.event = find_event(reading->profile, lane, at, start, reading->kinds[kind]),
		.bytes = is_taken(metadata->label) ? bytes : tfp_wrap_mul(bytes, -1),
		.in_use = in_use_of(&event.stats),
		.address = (uint64_t)tfp_xvalue_int(&event.stats, XSTAT_ADDRESS),
		.allocator = allocator_of(reading, &event.stats),
	};
	if (record.event == TFP_NONE)
		return;
	/* Room for as many as there may be: only what is used of it is memory, and what grows leaves holes behind. */
	if (!reading->slots.count)
		tfp_array_reserve(&reading->slots, trace->count);
	tfp_array_push(&reading->slots)->record = record;
}

static void read_line(struct reading *reading, const struct tfp_xline *line)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)line->bytes.at, line->bytes.size);
	const struct tfp_lane *lane = &reading->profile->trace->lanes.at[line->lane];
	struct tfp_field field;
	uint32_t at = 0, kind;
	int64_t base;

	tfp_xclock_base(reading->facts, line, &base);
	if (!tfp_walk_near(&reading->walk, wire.at))
		reading->walk.mark = wire.at;
	while (tfp_xline_next(&reading->walk, &wire, &field)) {
		kind = tfp_field_is(&field, LINE_EVENT) ? kind_of(reading, &field) : TFP_NONE;
		if (kind != TFP_NONE)
			take_record(reading, &field, kind, lane, base, &at);
	}
}

/* Those of the lines that are summed. False: the job was cancelled. */
static bool read_plane(struct reading *reading, const struct tfp_xplane *plane)
{
	reading->plane = plane;
	reading->allocator = 0;
	tfp_xlayouts_begin(reading->layouts, plane, ALLOC_STATS);
	find_kinds(reading);
	for (size_t i = 0; i < plane->lines.count && reading->kinds; i++) {
		const struct tfp_xline *line = &plane->lines.at[i];

		if (reading->profile->trace->lanes.at[line->lane].kind == TFP_LANE_HOST &&
		    !reading->walk.cancelled)
			read_line(reading, line);
	}
	tfp_array_release(reading->kinds);
	return !reading->walk.cancelled;
}

/* What is damaged was said when the file was read. */
static bool read_records(struct reading *reading, struct tfp_job *job)
{
	const struct tfp_xspace *space = &reading->facts->space;
	bool going = true;

	reading->walk = space->walk;
	reading->walk.job = job;
	reading->walk.base = 0;
	reading->walk.diag = tfp_diag_new();
	reading->layouts = tfp_xlayouts_new();
	for (size_t i = 0; i < space->planes.count && going; i++)
		if (space->planes.at[i].kind == XPLANE_HOST)
			going = read_plane(reading, &space->planes.at[i]);
	tfp_array_release(reading->layouts);
	tfp_diag_free(reading->walk.diag);
	return going;
}

/* ---- who took it ----------------------------------------------------------------------------- */

static int by_time(const void *left, const void *right, void *data)
{
	const struct record *a = &((const union slot *)left)->record;
	const struct record *b = &((const union slot *)right)->record;
	const struct tfp_trace *trace = data;

	if (tfp_trace_start(trace, a->event) != tfp_trace_start(trace, b->event))
		return tfp_trace_start(trace, a->event) < tfp_trace_start(trace, b->event) ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

/* What was going on around the event that says so; the event itself where it stands alone. */
static uint32_t taker_of(const struct tfp_trace *trace, uint32_t event)
{
	uint32_t around = tfp_trace_link(trace, event);

	return tfp_trace_node(trace, around == TFP_NONE ? event : around);
}

/* Which event took the memory at an address of an allocator. */
struct holders {
	struct tfp_idmap places;
	TFP_ARRAY(uint32_t) events;
};

static uint32_t *holder_of(struct holders *holders, const struct record *record)
{
	uint64_t key = tfp_hash_fold(record->address ^ record->allocator, UINT64_MAX - 58);
	uint32_t next = (uint32_t)holders->events.count;
	uint32_t place = tfp_idmap_add(&holders->places, key ^ record->address, next);

	if (place == next)
		*tfp_array_push(&holders->events) = TFP_NONE;
	return &holders->events.at[place];
}

/* By time. Those of one thread are so already: there may be millions of them, and sorting takes room for all. */
static void sort_records(struct reading *reading)
{
	union slot *slots = reading->slots.at;
	struct tfp_trace *trace = reading->profile->trace;
	size_t count = reading->slots.count, at = 1;

	while (at < count && by_time(&slots[at - 1], &slots[at], trace) <= 0)
		at++;
	if (at < count)
		qsort_r(slots, count, sizeof(*slots), by_time, trace);
}

static void find_takers(struct reading *reading)
{
	struct holders holders = {0};

	sort_records(reading);
	for (size_t i = 0; i < reading->slots.count; i++) {
		struct record *record = &reading->slots.at[i].record;
		uint32_t *holder = holder_of(&holders, record);

		if (record->bytes >= 0)
			*holder = record->event;
		record->taken = *holder;
		if (record->bytes < 0)
			*holder = TFP_NONE;
	}
	tfp_idmap_free(&holders.places);
	tfp_array_free(&holders.events);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The step of EVENT; HINT is where that of the one before was found. */
static uint32_t step_of(const struct reading *reading, uint32_t event, size_t *hint)
{
	uint32_t step = tfp_trace_event_step(reading->profile->trace, event, hint);

	return step == TFP_NONE ? reading->outside : step;
}

static struct tfp_alloc alloc_of(struct reading *reading, const struct record *record)
{
	const struct tfp_trace *trace = reading->profile->trace;
	struct tfp_alloc out = {
		.node = reading->facts->before,
		.step = step_of(reading, record->event, &reading->hint),
		.allocator = record->allocator,
		.time = tfp_trace_start(trace, record->event) / PICOS_PER_MICRO,
		.bytes = record->bytes,
		.file = reading->facts->file,
	};

	/* What another step took is held from before in this one. */
	if (record->taken != TFP_NONE &&
	    step_of(reading, record->taken, &reading->taken_hint) == out.step)
		out.node = taker_of(trace, record->taken);
	return out;
}

/* What is to come before the place AT of others. */
struct insert {
	size_t at;
	struct tfp_alloc alloc;
};

struct inserts {
	TFP_ARRAY(struct insert) list;
};

/* Allocators that say how much they hold. */
static void hear_tellers(const struct reading *reading, struct tfp_counting *counting)
{
	for (size_t i = 0; i < reading->slots.count; i++) {
		const struct record *record = &reading->slots.at[i].record;
		struct tfp_alloc alloc = {.allocator = record->allocator,
					  .file = reading->facts->file};

		tfp_counting_tell(counting, &alloc, record->in_use);
	}
}

/* Makes allocations of the records, where they are; what lacks between them goes into INSERTS. */
static void make_allocs(struct reading *reading, struct tfp_counting *counting,
			struct inserts *inserts)
{
	struct tfp_alloc missing;
	size_t kept = 0;

	for (size_t i = 0; i < reading->slots.count; i++) {
		struct record record = reading->slots.at[i].record;
		struct tfp_alloc alloc = alloc_of(reading, &record);
		bool counts = tfp_counting_count(counting, &alloc, record.in_use, &missing);

		if (missing.bytes)
			*tfp_array_push(&inserts->list) = (struct insert){kept, missing};
		if (counts)
			reading->slots.at[kept++].alloc = alloc;
	}
	reading->slots.count = kept;
}

/* From the last to the first, each to where it is to be. */
static void insert_all(struct reading *reading, const struct inserts *inserts)
{
	size_t from = reading->slots.count, left = inserts->list.count, to = from + left;

	tfp_array_reserve(&reading->slots, to);
	while (left) {
		const struct insert *insert = &inserts->list.at[left - 1];
		bool here = insert->at == from;

		reading->slots.at[--to].alloc =
			here ? insert->alloc : reading->slots.at[--from].alloc;
		left -= here;
	}
	reading->slots.count += inserts->list.count;
}

/* The steps are known for good only when all files are read. */
static void add_allocs(struct reading *reading)
{
	struct tfp_counting counting = {.profile = reading->profile,
					.before = reading->facts->before};
	struct inserts inserts = {0};

	hear_tellers(reading, &counting);
	make_allocs(reading, &counting, &inserts);
	insert_all(reading, &inserts);
	tfp_array_free(&inserts.list);
	tfp_counting_end(&counting);
	tfp_profile_take_allocs(reading->profile, &reading->slots.at->alloc, reading->slots.count);
	memset(&reading->slots, 0, sizeof(reading->slots));
}

bool tfp_xallocs_fill(struct tfp_profile *profile, struct tfp_xfacts *facts, struct tfp_job *job)
{
	struct reading reading = {
		.profile = profile,
		.facts = facts,
		.outside = tfp_step_outside(profile),
	};
	bool done = !facts->allocates || read_records(&reading, job);

	if (done && reading.slots.count) {
		find_takers(&reading);
		add_allocs(&reading);
	}
	tfp_array_free(&reading.slots);
	return done;
}
