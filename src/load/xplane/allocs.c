/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What allocators say of memory: when a piece was taken and when it was given back, and how much they
 * held then. A piece belongs to what was going on when it was taken; when it is given back that is
 * known by its address.
 */
#include <stdlib.h>

#include "load/counted.h"
#include "load/xplane/reader.h"

#define PICOS_PER_MICRO 1000000

/* Its name; where it has none the device whose memory it is. */
static tfp_str allocator_of(struct tfp_xreader *reader, const struct tfp_xplane *plane,
			    const struct tfp_xvalues *stats)
{
	struct tfp_span name = tfp_xvalue_text(plane, stats, XSTAT_ALLOCATOR);

	if (!name.size && tfp_xvalues_have(stats, XSTAT_ORDINAL))
		name = tfp_span_of(
			tfp_arena_printf(&reader->facts->arena, "device %lld",
					 (long long)tfp_xvalue_int(stats, XSTAT_ORDINAL)));
	/* there are few, and the file holds each once */
	if (!reader->allocator || name.at != reader->allocator_text.at ||
	    name.size != reader->allocator_text.size) {
		reader->allocator_text = name;
		reader->allocator = tfp_strings_add(reader->profile->strings, name.at, name.size);
	}
	return reader->allocator;
}

static int64_t in_use_of(const struct tfp_xvalues *stats)
{
	if (!tfp_xvalues_have(stats, XSTAT_ALLOCATED))
		return -1;
	return tfp_wrap_add(tfp_xvalue_int(stats, XSTAT_RESERVED),
			    tfp_xvalue_int(stats, XSTAT_ALLOCATED));
}

void tfp_xallocs_note(struct tfp_xreader *reader, const struct tfp_xplane *plane,
		      const struct tfp_xevent *event, tfp_str label)
{
	struct tfp_span text = tfp_strings_get(reader->profile->strings, label);
	bool taken = tfp_span_equal(text, TFP_SPAN("MemoryAllocation"));
	int64_t bytes = tfp_xvalue_int(&event->stats, XSTAT_ALLOCATION);

	if (!taken && !tfp_span_equal(text, TFP_SPAN("MemoryDeallocation")))
		return;
	/* Room for as many as events may follow: only what is used of it is memory, and what grows leaves holes behind. */
	if (!reader->facts->allocs.count)
		tfp_array_reserve(&reader->facts->allocs,
				  reader->trace->room - reader->trace->count + 1);
	*tfp_array_push(&reader->facts->allocs) = (struct tfp_xalloc){
		.allocator = allocator_of(reader, plane, &event->stats),
		.bytes = taken ? bytes : tfp_wrap_mul(bytes, -1),
		.in_use = in_use_of(&event->stats),
		.address = (uint64_t)tfp_xvalue_int(&event->stats, XSTAT_ADDRESS),
		.event = reader->trace->count,
	};
}

void tfp_xallocs_arrange(struct tfp_xreader *reader)
{
	struct tfp_xfacts *facts = reader->facts;
	uint32_t *events = tfp_realloc_array(NULL, facts->allocs.count, sizeof(*events));

	for (size_t i = 0; i < facts->allocs.count; i++)
		events[i] = facts->allocs.at[i].event;
	tfp_trace_arrange(reader->trace, true, events, facts->allocs.count);
	for (size_t i = 0; i < facts->allocs.count; i++)
		facts->allocs.at[i].event = events[i];
	tfp_array_release(events);
}

/* ---- who took it ----------------------------------------------------------------------------- */

static int by_time(const void *left, const void *right, void *data)
{
	const struct tfp_xalloc *a = left, *b = right;
	const int64_t *start = data;

	if (start[a->event] != start[b->event])
		return start[a->event] < start[b->event] ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

/* What was going on around the event that says so; the event itself where it stands alone. */
static uint32_t taker_of(const struct tfp_trace *trace, uint32_t event)
{
	uint32_t around = trace->link[event];

	return trace->node[around == TFP_NONE ? event : around];
}

/* Which event took the memory at an address of an allocator. */
struct holders {
	struct tfp_idmap places;
	TFP_ARRAY(uint32_t) events;
};

static uint32_t *holder_of(struct holders *holders, const struct tfp_xalloc *alloc)
{
	uint64_t key = tfp_hash_fold(alloc->address ^ alloc->allocator, UINT64_MAX - 58);
	uint32_t next = (uint32_t)holders->events.count;
	uint32_t place = tfp_idmap_add(&holders->places, key ^ alloc->address, next);

	if (place == next)
		*tfp_array_push(&holders->events) = TFP_NONE;
	return &holders->events.at[place];
}

/* By time. Those of one thread are so already: there may be millions of them, and sorting takes room for all. */
static void sort_allocs(struct tfp_xreader *reader)
{
	struct tfp_xfacts *facts = reader->facts;
	size_t count = facts->allocs.count, at = 1;

	while (at < count &&
	       by_time(&facts->allocs.at[at - 1], &facts->allocs.at[at], reader->trace->start) <= 0)
		at++;
	if (at < count)
		qsort_r(facts->allocs.at, count, sizeof(*facts->allocs.at), by_time,
			reader->trace->start);
}

/* Memory that was taken before the recording, or before the step. */
static uint32_t before_node(struct tfp_xreader *reader)
{
	tfp_str name = tfp_strings_add_text(reader->profile->strings, "held from before");

	return tfp_xreader_node(reader, name, name, TFP_NONE, TFP_NODE_UNSCOPED | TFP_NODE_HELD);
}

void tfp_xallocs_settle(struct tfp_xreader *reader)
{
	struct tfp_xfacts *facts = reader->facts;
	struct holders holders = {0};

	sort_allocs(reader);
	facts->before = facts->allocs.count ? before_node(reader) : TFP_NONE;
	for (size_t i = 0; i < facts->allocs.count; i++) {
		struct tfp_xalloc *alloc = &facts->allocs.at[i];
		uint32_t *holder = holder_of(&holders, alloc);

		if (alloc->bytes >= 0)
			*holder = alloc->event;
		alloc->taken = *holder;
		if (alloc->bytes < 0)
			*holder = TFP_NONE;
	}
	tfp_idmap_free(&holders.places);
	tfp_array_free(&holders.events);
}

static struct tfp_alloc alloc_of(const struct tfp_profile *profile, const struct tfp_xfacts *facts,
				 const struct tfp_xalloc *alloc)
{
	const struct tfp_trace *trace = profile->trace;
	struct tfp_alloc out = {
		.node = facts->before,
		.step = tfp_trace_step_of(profile, alloc->event),
		.allocator = alloc->allocator,
		.time = trace->start[alloc->event] / PICOS_PER_MICRO,
		.bytes = alloc->bytes,
		.file = facts->file,
	};

	/* What another step took is held from before in this one. */
	if (alloc->taken != TFP_NONE && tfp_trace_step_of(profile, alloc->taken) == out.step)
		out.node = taker_of(trace, alloc->taken);
	return out;
}

/* The steps are known for good only when all files are read. */
void tfp_xallocs_fill(struct tfp_profile *profile, const struct tfp_xfacts *facts)
{
	struct tfp_counting counting = {.profile = profile, .before = facts->before};

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < facts->allocs.count; i++) {
			const struct tfp_xalloc *record = &facts->allocs.at[i];
			struct tfp_alloc alloc = alloc_of(profile, facts, record);

			if (pass == 0)
				tfp_counting_tell(&counting, &alloc, record->in_use);
			else
				tfp_counting_add(&counting, &alloc, record->in_use);
		}
	tfp_counting_end(&counting);
}
