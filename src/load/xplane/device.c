/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of devices. There are millions of them, but few kinds (slots): what an event is, is found
 * out for its slot, once. The slots come in the same order again and again, so that each remembers
 * which one came next.
 */
#include "load/details.h"
#include "load/xplane/reader.h"

/* ---- slots ----------------------------------------------------------------------------------- */

/* A text as a number; 0 where there is none. */
static inline uint64_t text_key(struct tfp_xreader *reader, const struct tfp_xvalues *values,
				enum tfp_xstat stat)
{
	const struct tfp_xvalue *value = &values->at[stat];

	if (!tfp_xvalues_have(values, stat))
		return 0;
	if (value->type == STAT_TEXT || value->type == STAT_BYTES)
		return (uint64_t)tfp_strings_add(reader->profile->strings, value->text.at,
						 value->text.size)
			       << 1 |
		       1;
	return value->value << 1;
}

static inline enum tfp_xstat details_of(const struct tfp_xvalues *values)
{
	if (tfp_xvalues_have(values, XSTAT_KERNEL))
		return XSTAT_KERNEL;
	return tfp_xvalues_have(values, XSTAT_MEMCPY) ? XSTAT_MEMCPY : XSTAT_MEMSET;
}

static inline void make_key(struct tfp_xreader *reader, const struct tfp_xtrack *track,
			    const struct tfp_xevent *event, struct tfp_xkey *key)
{
	const struct tfp_xvalues *values = &event->stats;
	bool graph = tfp_xvalues_have(values, XSTAT_GRAPH_NODE);
	int64_t program = 0;

	key->plane = track->plane_index;
	key->metadata = (uint64_t)event->metadata;
	if (tfp_xvalues_have(values, XSTAT_PROGRAM))
		tfp_xvalue_whole(track->plane, values, XSTAT_PROGRAM, &program);
	key->program = (uint64_t)program;
	key->module = tfp_xvalues_have(values, XSTAT_PROGRAM)
			      ? 0
			      : text_key(reader, values, XSTAT_HLO_MODULE);
	key->node = graph ? values->at[XSTAT_GRAPH_NODE].value + 1 : 0;
	key->hlo_op = text_key(reader, values,
			       tfp_xvalues_have(values, XSTAT_HLO_OP) ? XSTAT_HLO_OP : XSTAT_TF_OP);
	key->name = text_key(reader, values, XSTAT_NAME);
	key->details = text_key(reader, values, details_of(values));
}

static bool same_key(const struct tfp_xkey *a, const struct tfp_xkey *b)
{
	return a->node == b->node && a->metadata == b->metadata && a->details == b->details &&
	       a->hlo_op == b->hlo_op && a->name == b->name && a->program == b->program &&
	       a->module == b->module && a->plane == b->plane;
}

static enum tfp_work_class class_of(const struct tfp_xplane *plane,
				    const struct tfp_xvalues *values, struct tfp_span label)
{
	struct tfp_span category = tfp_xvalue_text(plane, values, XSTAT_CATEGORY);

	if (tfp_xvalues_have(values, XSTAT_MEMCPY))
		return TFP_WORK_COPY;
	if (tfp_xvalues_have(values, XSTAT_MEMSET))
		return TFP_WORK_FILL;
	if (tfp_is_collective(category.size ? category : label))
		return TFP_WORK_COMM;
	return tfp_xvalue_text(plane, values, XSTAT_KERNEL).size ? TFP_WORK_KERNEL : TFP_WORK_OTHER;
}

static uint32_t work_of(struct tfp_xreader *reader, const struct tfp_xplane *plane,
			const struct tfp_xvalues *values, const struct tfp_xslot *slot)
{
	double occupancy = tfp_xvalue_real(values, XSTAT_OCCUPANCY);
	struct tfp_trace_work work = {
		.name = tfp_strings_add(reader->profile->strings, slot->label.at, slot->label.size),
		.class = slot->class,
		.bytes = tfp_xvalue_int(values, XSTAT_BYTES),
		.registers = -1,
		.static_shared = -1,
		.dynamic_shared = -1,
		.occupancy = -1,
	};

	if (!work.bytes)
		work.bytes = tfp_xdetails_size(tfp_xvalue_text(plane, values, XSTAT_MEMCPY));
	tfp_xdetails_kernel(tfp_xvalue_text(plane, values, XSTAT_KERNEL), &work);
	if (occupancy > 0 && occupancy <= 100)
		work.occupancy = (int32_t)(occupancy * 100 + 0.5);
	return tfp_trace_add_work(reader->profile, &work);
}

/* A text that stands elsewhere, by a number: where it does not, something of the event is lost. */
static void tell_lost_texts(struct tfp_xreader *reader, const struct tfp_xplane *plane,
			    const struct tfp_xvalues *values)
{
	for (unsigned stat = 0; stat < XSTATS; stat++)
		if (tfp_xvalues_have(values, stat) && values->at[stat].type == STAT_REF &&
		    tfp_idmap_get(&plane->stat_ids, values->at[stat].value) == TFP_NONE)
			tfp_xproblem(reader, tfp_xreader_severity(reader),
				     "a text that an event refers to is not in the file");
}

static void fill_slot(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		      const struct tfp_xevent *event, struct tfp_xslot *slot)
{
	struct tfp_xplane *plane = track->plane;
	struct tfp_xevent whole;
	struct tfp_xvalues values;
	int64_t program = 0;
	const struct tfp_xmetadata *metadata = tfp_xreader_metadata(reader, plane, event->metadata);

	tfp_xevent_read(plane, event->message, TFP_XSTATS_ALL, NULL, &whole);
	values = whole.stats;
	tfp_xmetadata_values(plane, metadata, &values);
	tell_lost_texts(reader, plane, &values);
	slot->in_graph = tfp_xvalues_have(&values, XSTAT_GRAPH_NODE);
	slot->label = metadata->label;
	slot->class = (uint8_t)class_of(plane, &values, slot->label);
	slot->in_program = tfp_xvalues_have(&values, XSTAT_PROGRAM) &&
			   tfp_xvalue_whole(plane, &values, XSTAT_PROGRAM, &program);
	slot->program = (uint64_t)program;
	slot->path = tfp_xvalue_text(plane, &values, XSTAT_NAME);
	slot->hlo_op = tfp_xvalue_text(plane, &values, XSTAT_HLO_OP);
	slot->hlo_module = tfp_xvalue_text(plane, &values, XSTAT_HLO_MODULE);
	slot->tf_op =
		metadata->is_op ? metadata->name : tfp_xvalue_text(plane, &values, XSTAT_TF_OP);
	slot->category = tfp_xvalue_text(plane, &values, XSTAT_CATEGORY);
	slot->loop = tfp_loop_named(slot->category.size ? slot->category : slot->label);
	slot->shape = tfp_xvalue_text(plane, &values, XSTAT_SHAPE);
	if (!slot->shape.size)
		slot->shape = tfp_xvalue_text(plane, &values, XSTAT_TENSOR_SHAPE);
	slot->source = tfp_xvalue_text(plane, &values, XSTAT_SOURCE_STACK);
	if (!slot->source.size)
		slot->source = tfp_xvalue_text(plane, &values, XSTAT_SOURCE);
	slot->nvtx = tfp_xvalue_text(plane, &values, XSTAT_NVTX);
	slot->written = metadata->name;
	slot->chip = track->nests;
	if (slot->chip && !slot->hlo_op.size)
		slot->hlo_op = slot->label;
	slot->flops = tfp_xvalue_int(&values, XSTAT_FLOPS);
	if (plane->kind == XPLANE_DEVICE)
		slot->work = work_of(reader, plane, &values, slot);
}

static uint32_t hash_key(const struct tfp_xreader *reader, const struct tfp_xkey *key)
{
	return (uint32_t)tfp_hash_bytes(reader->key, (const char *)key, sizeof(*key));
}

static uint32_t find_slot(struct tfp_xreader *reader, const struct tfp_xtrack *track,
			  const struct tfp_xevent *event, const struct tfp_xkey *key)
{
	uint32_t hash = hash_key(reader, key), slot;
	struct tfp_xslot made = {
		.key = *key,
		.next = TFP_NONE,
		.node = TFP_NONE,
		.module = TFP_NONE,
		.instruction = TFP_NONE,
		.between = TFP_NONE,
		.work = TFP_NONE,
	};

	TFP_LOOKUP_EACH(slot, reader->slot_table, hash)
		if (same_key(&reader->facts->slots.at[slot].key, key))
			return slot;
	fill_slot(reader, track, event, &made);
	slot = (uint32_t)reader->facts->slots.count;
	*tfp_array_push(&reader->facts->slots) = made;
	tfp_lookup_add(reader->slot_table, hash, slot);
	return slot;
}

uint32_t tfp_xslot_of(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		      const struct tfp_xevent *event)
{
	struct tfp_xkey key;
	uint32_t last = reader->last_slot, slot;

	make_key(reader, track, event, &key);
	if (last != TFP_NONE) {
		slot = reader->facts->slots.at[last].next;
		if (slot != TFP_NONE && same_key(&reader->facts->slots.at[slot].key, &key))
			return reader->last_slot = slot;
	}
	slot = find_slot(reader, track, event, &key);
	if (last != TFP_NONE)
		reader->facts->slots.at[last].next = slot;
	return reader->last_slot = slot;
}

uint32_t tfp_xslot_between(struct tfp_xreader *reader, uint32_t slot)
{
	struct tfp_xslot made = reader->facts->slots.at[slot];
	struct tfp_trace_work work = reader->trace->works.at[made.work];
	const char *label;

	if (made.between != TFP_NONE)
		return made.between;
	label = tfp_arena_printf(&reader->facts->arena, "%s, between its ops",
				 tfp_strings_text(reader->profile->strings, work.name));
	work.name = tfp_strings_add_text(reader->profile->strings, label);
	work.bytes = 0;
	made.work = tfp_trace_add_work(reader->profile, &work);
	made.next = TFP_NONE;
	made.flops = 0;
	made.counts = true;
	made.holds = reader->facts->slots.at[slot].holds = true;
	reader->facts->slots.at[slot].between = (uint32_t)reader->facts->slots.count;
	*tfp_array_push(&reader->facts->slots) = made;
	return reader->facts->slots.at[slot].between;
}

/* ---- an event -------------------------------------------------------------------------------- */

/* The host's event that launched it. Those of one graph share their launch. */
static inline uint32_t launch_of(struct tfp_xreader *reader, const struct tfp_xplane *plane,
				 const struct tfp_xvalues *values, int64_t start)
{
	int64_t number;
	uint64_t id;

	if (!tfp_xvalues_have(values, XSTAT_CORRELATION) ||
	    !tfp_xlaunch_id(reader, plane, values, XSTAT_CORRELATION, &number))
		return TFP_NONE;
	id = (uint64_t)number;
	if (id != reader->last_id || !reader->launched) {
		reader->last_id = id;
		reader->launched = true;
		reader->last_launch = tfp_idmap_get(&reader->launch_ids, id);
	}
	if (reader->last_launch == TFP_NONE)
		return TFP_NONE;
	reader->early += start < reader->launches.at[reader->last_launch].start;
	return reader->launches.at[reader->last_launch].event;
}

/* The same of a program on a chip. */
static uint32_t launch_of_program(struct tfp_xreader *reader, const struct tfp_xplane *plane,
				  const struct tfp_xvalues *values)
{
	uint32_t place = TFP_NONE;
	int64_t id;

	if (tfp_xvalues_have(values, XSTAT_RUN) &&
	    tfp_xlaunch_id(reader, plane, values, XSTAT_RUN, &id))
		place = tfp_idmap_get(&reader->run_ids, (uint64_t)id);
	return place == TFP_NONE ? TFP_NONE : reader->launches.at[place].event;
}

void tfp_xdevice_event(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		       struct tfp_xevent *event, int64_t start)
{
	uint32_t slot = tfp_xslot_of(reader, track, event), launch;

	if (track->steps)
		tfp_xsteps_note_device(reader, track, reader->facts->slots.at[slot].label,
				       &event->stats, start, start + event->duration);
	if (track->modules)
		tfp_xchip_note_program(reader, &reader->facts->slots.at[slot]);
	launch = track->modules ? launch_of_program(reader, track->plane, &event->stats)
				: launch_of(reader, track->plane, &event->stats, start);
	reader->facts->slots.at[slot].counts |= !track->derived;
	tfp_trace_add(reader->trace, track->lane, start, event->duration, slot,
		      reader->facts->slots.at[slot].work, launch);
}
