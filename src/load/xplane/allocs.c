/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What allocators say of memory: when a piece was taken and when it was given back, and how much they
 * held then. A piece belongs to what was going on when it was taken; when it is given back that is
 * known by its address. All of it is read once somebody asks for it, by going through the events of hosts again.
 */
#include <string.h>

#include "load/counted.h"
#include "load/xplane/layouts.h"
#include "load/xplane/reader.h"

#define PICOS_PER_NANO 1000
#define IN_USE_BITS    36 /* of a record, for bytes in use */
#define MOST_IN_USE    ((INT64_C(1) << IN_USE_BITS) - 1)
#define LONG           ((UINT64_C(1) << (64 - IN_USE_BITS)) - 1)

#define ALLOC_STATS                                                                                \
	(TFP_XSTAT(XSTAT_ORDINAL) | TFP_XSTAT(XSTAT_ALLOCATOR) | TFP_XSTAT(XSTAT_RESERVED) |       \
	 TFP_XSTAT(XSTAT_ALLOCATED) | TFP_XSTAT(XSTAT_ALLOCATION) | TFP_XSTAT(XSTAT_ADDRESS) |     \
	 TFP_XSTAT(XSTAT_TF_OP))

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

/* An allocator's event may say which op it is for: "model/dense/MatMul", maybe with ":MatMul" behind it. */
static struct tfp_span taker_in(const struct tfp_xplane *plane, const struct tfp_xvalues *stats)
{
	struct tfp_span op = tfp_xvalue_text(plane, stats, XSTAT_TF_OP);
	const char *colon = op.size ? memchr(op.at, ':', op.size) : NULL;

	return colon ? (struct tfp_span){op.at, (size_t)(colon - op.at)} : op;
}

/* What has no scope may stand for no op at all. */
static void note_taker(struct tfp_xreader *reader, const struct tfp_xplane *plane,
		       const struct tfp_xvalues *stats)
{
	struct tfp_span op = taker_in(plane, stats);
	uint32_t next = (uint32_t)reader->takers.count;
	tfp_str name;

	if (!op.size || !memchr(op.at, '/', op.size))
		return;
	name = tfp_strings_add(reader->profile->strings, op.at, op.size);
	if (tfp_idmap_add(&reader->taker_ids, name, next) == next)
		*tfp_array_push(&reader->takers) = name;
}

void tfp_xallocs_look(struct tfp_xreader *reader, const struct tfp_xplane *plane,
		      const struct tfp_xevent *event)
{
	struct tfp_xfacts *facts = reader->facts;
	struct tfp_xevent whole;
	uint32_t place;

	place = tfp_idmap_get(&plane->metadata_ids, (uint64_t)event->metadata);
	if (is_taken(plane->metadata.at[place].label))
		note_taker(reader, plane, &event->stats);
	facts->memory_events +=
		facts->memory_events ||
		read_stats(plane, event->message, &plane->metadata.at[place], NULL, &whole);
}

/* "MatMul" of "model/dense/MatMul". */
static tfp_str last_part(struct tfp_xreader *reader, tfp_str name)
{
	const char *text = tfp_strings_text(reader->profile->strings, name);

	return tfp_strings_add_text(reader->profile->strings, strrchr(text, '/') + 1);
}

/* Memory that was taken before the recording, or before the step; and ops of which nothing but memory is known. */
void tfp_xallocs_settle(struct tfp_xreader *reader)
{
	tfp_str name = tfp_strings_add_text(reader->profile->strings, "held from before");

	if (!reader->facts->memory_events)
		return;
	reader->facts->before =
		tfp_xreader_node(reader, name, name, TFP_NONE, TFP_NODE_UNSCOPED | TFP_NODE_HELD);
	for (size_t i = 0; i < reader->takers.count; i++) {
		name = reader->takers.at[i];
		if (tfp_profile_find_node(reader->profile, name) == TFP_NONE)
			tfp_xreader_node(reader, name, last_part(reader, name), TFP_NONE,
					 TFP_NODE_HELD);
	}
}

/* ---- reading them ---------------------------------------------------------------------------- */

/* What an allocator says of itself when it gives memory, or takes it back. */
struct said {
	int64_t bytes;  /* given; below 0: taken back */
	int64_t in_use; /* then, below 0: it does not say */
	uint32_t piece; /* see struct pieces */
};

/* The same of EVENT. There may be millions, so that nearly all are in 16 bytes. */
struct record {
	uint32_t event;
	int32_t bytes;
	uint64_t in_use : IN_USE_BITS;     /* and 1; 0: it does not say */
	uint64_t piece : 64 - IN_USE_BITS; /* LONG: all is in longs, at IN_USE */
};

/* A record, and then what becomes of it. */
union slot {
	struct record record;
	struct tfp_kept_alloc alloc;
};
_Static_assert(sizeof(union slot) == sizeof(struct tfp_kept_alloc), "slots become allocations");

/* Memory at an address of an allocator. */
struct piece {
	tfp_str allocator;
	uint32_t taken; /* the event that took it, until it is given back; TFP_NONE */
};

struct pieces {
	struct tfp_idmap places; /* by allocator and address */
	TFP_ARRAY(struct piece) list;
};

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
	struct pieces pieces;
	struct tfp_idmap takers; /* by event: the op that it names, where none is around it */
	TFP_ARRAY(union slot) slots;
	TFP_ARRAY(struct said) longs; /* what has no room in a record */
	struct tfp_counting counting;
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

		/* in an op its name begins with that of the op */
		if (node == TFP_NONE || profile->nodes.op[node] != label)
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

static uint32_t find_piece(struct pieces *pieces, uint64_t address, tfp_str allocator)
{
	uint64_t key = tfp_hash_fold(address ^ allocator, UINT64_MAX - 58) ^ address;
	uint32_t next = (uint32_t)pieces->list.count;
	uint32_t place = tfp_idmap_add(&pieces->places, key, next);

	if (place != next && pieces->list.at[place].allocator == allocator)
		return place;
	*tfp_array_push(&pieces->list) = (struct piece){allocator, TFP_NONE};
	return next;
}

static struct record pack(struct reading *reading, uint32_t event, const struct said *said)
{
	struct record record = {.event = event, .piece = LONG, .in_use = reading->longs.count};
	int64_t in_use = said->in_use < 0 ? -1 : said->in_use;

	if (said->bytes != (int32_t)said->bytes || in_use >= MOST_IN_USE || said->piece >= LONG) {
		*tfp_array_push(&reading->longs) = *said;
		return record;
	}
	record.bytes = (int32_t)said->bytes;
	record.in_use = (uint64_t)(in_use + 1);
	record.piece = said->piece;
	return record;
}

static struct said unpack(const struct reading *reading, struct record record)
{
	if (record.piece == LONG)
		return reading->longs.at[record.in_use];
	return (struct said){record.bytes, (int64_t)record.in_use - 1, (uint32_t)record.piece};
}

static bool is_op(const struct tfp_profile *profile, uint32_t node)
{
	return node != TFP_NONE && !(profile->nodes.flags[node] & TFP_NODE_UNSCOPED);
}

/* Where no op is around EVENT, which says that it is for one. */
static void keep_taker(struct reading *reading, const struct tfp_xvalues *stats, uint32_t event)
{
	const struct tfp_profile *profile = reading->profile;
	struct tfp_span op = taker_in(reading->plane, stats);
	uint32_t around = tfp_trace_link(profile->trace, event), node;
	tfp_str name;

	if (!op.size ||
	    (around != TFP_NONE && is_op(profile, tfp_trace_node(profile->trace, around))))
		return;
	name = tfp_strings_find(profile->strings, op.at, op.size);
	node = name == TFP_NONE ? TFP_NONE : tfp_profile_find_node(profile, name);
	if (is_op(profile, node))
		tfp_idmap_add(&reading->takers, event, node);
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
	struct tfp_alloc whose = {.file = reading->facts->file};
	struct said said;
	uint32_t found;

	if (event.duration < 0)
		event.duration = 0;
	if (!says || event.aggregated || !tfp_xclock_start(base, &event, &start))
		return;
	start = tfp_wrap_add(start, trace->devices.at[lane->device].moved);
	found = find_event(reading->profile, lane, at, start, reading->kinds[kind]);
	if (found == TFP_NONE)
		return;
	if (is_taken(metadata->label))
		keep_taker(reading, &event.stats, found);
	whose.allocator = allocator_of(reading, &event.stats);
	said = (struct said){
		.bytes = is_taken(metadata->label) ? bytes : tfp_wrap_mul(bytes, -1),
		.in_use = in_use_of(&event.stats),
		.piece = find_piece(&reading->pieces,
				    (uint64_t)tfp_xvalue_int(&event.stats, XSTAT_ADDRESS),
				    whose.allocator),
	};
	tfp_counting_tell(&reading->counting, &whose, said.in_use);
	tfp_array_push(&reading->slots)->record = pack(reading, found, &said);
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
	size_t most = reading->facts->memory_events;
	bool going = true;

	/* with some for what is inserted: what has to grow leaves a hole as large behind */
	tfp_array_reserve(&reading->slots, most + most / 16);
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

/* The op that it is for, else what was going on around the event that says so; the event itself where it stands alone. */
static uint32_t taker_of(const struct reading *reading, uint32_t event)
{
	const struct tfp_trace *trace = reading->profile->trace;
	uint32_t around = tfp_trace_link(trace, event);
	uint32_t op = tfp_idmap_get(&reading->takers, event);

	return op != TFP_NONE ? op : tfp_trace_node(trace, around == TFP_NONE ? event : around);
}

/* The event that took what EVENT, which SAID so, takes or gives back; TFP_NONE: that was before the recording. */
static uint32_t find_taken(struct piece *piece, const struct said *said, uint32_t event)
{
	uint32_t taken = said->bytes >= 0 ? event : piece->taken;

	piece->taken = said->bytes >= 0 ? event : TFP_NONE;
	return taken;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The step of EVENT; HINT is where that of the one before was found. */
static uint32_t step_of(const struct reading *reading, uint32_t event, size_t *hint)
{
	uint32_t step = tfp_trace_event_step(reading->profile->trace, event, hint);

	return step == TFP_NONE ? reading->outside : step;
}

static struct tfp_alloc alloc_of(struct reading *reading, const struct said *said, uint32_t event)
{
	const struct tfp_trace *trace = reading->profile->trace;
	struct piece *piece = &reading->pieces.list.at[said->piece];
	uint32_t taken = find_taken(piece, said, event);
	struct tfp_alloc out = {
		.node = reading->facts->before,
		.step = step_of(reading, event, &reading->hint),
		.allocator = piece->allocator,
		.time = tfp_trace_start(trace, event) / PICOS_PER_NANO,
		.bytes = said->bytes,
		.file = reading->facts->file,
	};

	/* What another step took is held from before in this one. */
	if (taken == event ||
	    (taken != TFP_NONE && step_of(reading, taken, &reading->taken_hint) == out.step))
		out.node = taker_of(reading, taken);
	return out;
}

/* What is to come before the place AT of others. */
struct insert {
	size_t at;
	struct tfp_kept_alloc alloc;
};

struct inserts {
	TFP_ARRAY(struct insert) list;
};

/* Makes allocations of the records, where they are; what lacks between them goes into INSERTS. */
static void make_allocs(struct reading *reading, struct inserts *inserts)
{
	struct tfp_allocs *allocs = &reading->profile->allocs;
	struct tfp_alloc missing;
	size_t kept = 0;

	for (size_t i = 0; i < reading->slots.count; i++) {
		struct record record = reading->slots.at[i].record;
		struct said said = unpack(reading, record);
		struct tfp_alloc alloc = alloc_of(reading, &said, record.event);
		bool counts = tfp_counting_count(&reading->counting, &alloc, said.in_use, &missing);

		if (missing.bytes)
			*tfp_array_push(&inserts->list) =
				(struct insert){kept, tfp_allocs_pack(allocs, &missing)};
		if (counts)
			reading->slots.at[kept++].alloc = tfp_allocs_pack(allocs, &alloc);
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
	struct inserts inserts = {0};

	tfp_sort_nearly(reading->slots.at, reading->slots.count, sizeof(*reading->slots.at),
			by_time, reading->profile->trace);
	make_allocs(reading, &inserts);
	insert_all(reading, &inserts);
	tfp_array_free(&inserts.list);
	tfp_profile_take_allocs(reading->profile, &reading->slots.at->alloc, reading->slots.count);
	memset(&reading->slots, 0, sizeof(reading->slots));
}

bool tfp_xallocs_fill(struct tfp_profile *profile, struct tfp_xfacts *facts, struct tfp_job *job)
{
	struct reading reading = {
		.profile = profile,
		.facts = facts,
		.counting = {.profile = profile, .before = facts->before},
		.outside = tfp_step_outside(profile),
	};
	bool done = !facts->memory_events || read_records(&reading, job);

	if (done && reading.slots.count)
		add_allocs(&reading);
	tfp_array_free(&reading.slots);
	tfp_array_free(&reading.longs);
	tfp_array_free(&reading.pieces.list);
	tfp_idmap_free(&reading.pieces.places);
	tfp_idmap_free(&reading.takers);
	tfp_counting_end(&reading.counting);
	return done;
}
