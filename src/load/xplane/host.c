/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of hosts: a node for each path of labels. Launches are noted by their ids.
 */
#include <stdlib.h>
#include <string.h>

#include "load/xplane/reader.h"

/* Levels of nesting that a stack shows; deeper events hang below the last one. */
#define MOST_DEPTH 1024

/* Tags are of slots, which are odd, or of labels: small numbers of both take little room. */
static uint32_t label_tag(uint32_t label)
{
	return label << 1;
}

static uint32_t slot_tag(uint32_t slot)
{
	return slot << 1 | 1;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* "$file.py:12 name", as the Python tracer calls a function; "$name" where it has no file. */
static struct tfp_frame frame_of(struct tfp_xreader *reader, struct tfp_span label)
{
	struct tfp_strings *strings = reader->profile->strings;
	struct tfp_frame frame = {.line = -1};
	const char *blank = memchr(label.at, ' ', label.size), *colon = NULL;
	int64_t line = 0;

	frame.function = tfp_strings_add(strings, label.at, label.size);
	if (!label.size || *label.at != '$' || !blank)
		return frame;
	frame.function = tfp_strings_add(strings, label.at + 1, label.size - 1);
	for (const char *at = label.at; at < blank; at++)
		colon = *at == ':' ? at : colon;
	if (!colon || colon + 1 == blank)
		return frame;
	for (const char *at = colon + 1; at < blank; at++) {
		if (*at < '0' || *at > '9' || line > INT32_MAX / 10 - 1)
			return frame;
		line = line * 10 + (*at - '0');
	}
	frame.line = (int32_t)line;
	frame.file = tfp_strings_add(strings, label.at + 1, (size_t)(colon - label.at) - 1);
	frame.function =
		tfp_strings_add(strings, blank + 1, (size_t)(label.at + label.size - blank) - 1);
	return frame;
}

static uint32_t label_of(struct tfp_xreader *reader, struct tfp_span span)
{
	tfp_str text = tfp_strings_add(reader->profile->strings, span.at, span.size);
	uint32_t next = (uint32_t)reader->labels.count;
	uint32_t label = tfp_idmap_add(&reader->label_ids, text, next);
	struct tfp_frame frame;

	if (label != next)
		return label;
	frame = frame_of(reader, span);
	*tfp_array_push(&reader->labels) =
		(struct tfp_xlabel){text, tfp_profile_frame(reader->profile, &frame),
				    tfp_xsteps_root(span), tfp_xallocs_named(span)};
	return label;
}

/* ---- an event -------------------------------------------------------------------------------- */

/* STAT is the id that the event has in common with what it launches, IDS are those met. */
static void note_launch(struct tfp_xreader *reader, const struct tfp_xplane *plane,
			const struct tfp_xevent *event, int64_t start, enum tfp_xstat stat,
			struct tfp_idmap *ids)
{
	uint32_t next = (uint32_t)reader->launches.count, place;
	struct tfp_xlaunch launch = {start, reader->trace->count};
	int64_t id;

	if (!tfp_xlaunch_id(reader, plane, &event->stats, stat, &id))
		return;
	place = tfp_idmap_add(ids, (uint64_t)id, next);
	if (place == next)
		*tfp_array_push(&reader->launches) = launch;
	else if (start < reader->launches.at[place].start)
		reader->launches.at[place] = launch;
}

static void note_commands(struct tfp_xreader *reader, int64_t count)
{
	for (size_t i = 0; i < reader->commands.count; i++)
		if (reader->commands.at[i] == count)
			return;
	if (count > 0 && reader->commands.count < 64)
		*tfp_array_push(&reader->commands) = count;
}

/*
 * Ops that run on the host: of TensorFlow, and of XLA, which says the instruction (so do launches of
 * what runs on devices, which are something else).
 */
static bool is_op(const struct tfp_xmetadata *metadata, const struct tfp_xvalues *stats)
{
	if (metadata->is_op)
		return metadata->has_scope || tfp_xvalues_have(stats, XSTAT_EAGER);
	return tfp_xvalues_have(stats, XSTAT_HLO_OP) &&
	       !tfp_xvalues_have(stats, XSTAT_CORRELATION) && !tfp_xvalues_have(stats, XSTAT_TF_OP);
}

static uint32_t slot_of(struct tfp_xreader *reader, const struct tfp_xtrack *track,
			const struct tfp_xevent *event)
{
	uint32_t slot = tfp_xslot_of(reader, track, event);

	reader->facts->slots.at[slot].counts = true;
	return slot;
}

/* Does EVENT say any more than its time? Most do not. */
static inline bool says_more(const struct tfp_xreader *reader, const struct tfp_xmetadata *metadata,
			     const struct tfp_xevent *event)
{
	const struct tfp_xlabel *label = &reader->labels.at[metadata->tag];

	return event->stats.seen || metadata->is_op || label->root || label->memory;
}

void tfp_xhost_event(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		     struct tfp_xevent *event, int64_t start)
{
	struct tfp_xmetadata *metadata =
		tfp_xreader_metadata(reader, track->plane, event->metadata);
	uint32_t tag;

	if (metadata->tag == TFP_NONE)
		metadata->tag = label_of(reader, metadata->label);
	tag = label_tag(metadata->tag);
	if (metadata->stats.size || metadata->said.size)
		tfp_xmetadata_values(track->plane, metadata, &event->stats);
	if (says_more(reader, metadata, event) && !track->derived &&
	    track->plane->kind == XPLANE_HOST) {
		if (is_op(metadata, &event->stats))
			tag = slot_tag(slot_of(reader, track, event));
		if (tfp_xvalues_have(&event->stats, XSTAT_CORRELATION))
			note_launch(reader, track->plane, event, start, XSTAT_CORRELATION,
				    &reader->launch_ids);
		if (tfp_xvalues_have(&event->stats, XSTAT_RUN))
			note_launch(reader, track->plane, event, start, XSTAT_RUN,
				    &reader->run_ids);
		if (tfp_xvalues_have(&event->stats, XSTAT_COMMANDS))
			note_commands(reader, tfp_xvalue_int(&event->stats, XSTAT_COMMANDS));
		if (tfp_xvalues_have(&event->stats, XSTAT_STEP) ||
		    reader->labels.at[metadata->tag].root)
			tfp_xsteps_note(reader, track, &reader->labels.at[metadata->tag],
					&event->stats, start, start + event->duration);
		if (reader->labels.at[metadata->tag].memory)
			tfp_xallocs_look(reader, track->plane, event);
	}
	tfp_trace_add(reader->trace, track->lane, start, event->duration, tag, TFP_NONE, TFP_NONE);
}

tfp_str tfp_xhost_label(const struct tfp_xreader *reader, uint32_t event)
{
	uint32_t tag = tfp_trace_node(reader->trace, event);

	return tag & 1 ? 0 : reader->labels.at[tag >> 1].text;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

#define RECENT 1024 /* paths that are kept at hand */

struct recent {
	uint64_t key;
	uint32_t node;
};

struct owners {
	struct tfp_xreader *reader;
	struct recent recent[RECENT]; /* of the nodes below, those met last */
	struct tfp_idmap nodes;       /* by the node around and the label */
	struct tfp_idmap of_stack;    /* nodes of hosts by their stack */
	TFP_ARRAY(uint16_t) depths;   /* by node */
};

/* Nodes that earlier files made: the same path of labels is one node. */
static void take_nodes(struct owners *owners)
{
	const struct tfp_profile *profile = owners->reader->profile;

	for (uint32_t i = 0; i < profile->nodes.count; i++)
		if (profile->nodes.flags[i] & TFP_NODE_UNSCOPED &&
		    owners->reader->stacks.at[i] != TFP_NONE)
			tfp_idmap_add(&owners->of_stack, owners->reader->stacks.at[i], i);
}

static uint16_t *depth_of(struct owners *owners, uint32_t node)
{
	while (owners->depths.count <= node)
		*tfp_array_push(&owners->depths) = 0;
	return &owners->depths.at[node];
}

static bool is_python(const struct tfp_xreader *reader, tfp_str text)
{
	return *tfp_strings_text(reader->profile->strings, text) == '$';
}

/* Is NODE an op? */
static bool is_scoped(const struct owners *owners, uint32_t node)
{
	return node != TFP_NONE &&
	       !(owners->reader->profile->nodes.flags[node] & TFP_NODE_UNSCOPED);
}

/* What an op calls is below it, for the op's time is its own with that of it: one node for each name below it. */
static uint32_t node_in_op(struct tfp_xreader *reader, uint32_t op, tfp_str label, uint32_t stack)
{
	struct tfp_strings *strings = reader->profile->strings;
	struct tfp_span above = tfp_strings_get(strings, reader->profile->nodes.name[op]);
	struct tfp_span own = tfp_strings_get(strings, label);
	char *name = tfp_alloc(above.size + own.size + 1);
	tfp_str path;
	uint32_t node;

	memcpy(name, above.at, above.size);
	name[above.size] = '/';
	for (size_t i = 0; i < own.size; i++) /* one part of the path */
		name[above.size + 1 + i] = own.at[i] == '/' ? '|' : own.at[i];
	path = tfp_strings_add(strings, name, above.size + own.size + 1);
	free(name);
	node = tfp_profile_find_node(reader->profile, path);
	return node == TFP_NONE ? tfp_xreader_node(reader, path, label, stack,
						   TFP_NODE_AROUND | TFP_NODE_IN_OP)
				: node;
}

/* The node of LABEL inside the node AROUND, TFP_NONE outermost; both are in KEY. */
static uint32_t make_node(struct owners *owners, uint32_t around, uint32_t label, uint64_t key)
{
	struct tfp_xreader *reader = owners->reader;
	uint32_t node = tfp_idmap_get(&owners->nodes, key), stack = TFP_NONE, depth = 0;
	tfp_str text = reader->labels.at[label].text;

	if (node != TFP_NONE)
		return node;
	if (around != TFP_NONE) {
		depth = *depth_of(owners, around) + 1u;
		stack = reader->stacks.at[around];
	}
	if (depth >= MOST_DEPTH) {
		tfp_xproblem(
			reader, TFP_WARNING,
			"events are nested more than %d deep; the rest is shown below the last",
			MOST_DEPTH);
		depth = MOST_DEPTH - 1;
		stack = reader->profile->stacks.at[stack].parent;
	}
	stack = tfp_profile_stack(reader->profile, stack, reader->labels.at[label].frame);
	if (is_scoped(owners, around) && !reader->labels.at[label].memory)
		node = node_in_op(reader, around, text, stack);
	else
		node = tfp_idmap_get(&owners->of_stack, stack);
	if (node == TFP_NONE) {
		tfp_str op = is_python(reader, text)
				     ? tfp_strings_add_text(reader->profile->strings, "python")
				     : text;

		node = tfp_xreader_node(reader, text, op, stack, TFP_NODE_UNSCOPED);
		tfp_idmap_add(&owners->of_stack, stack, node);
	}
	*depth_of(owners, node) = (uint16_t)depth;
	tfp_idmap_add(&owners->nodes, key, node);
	return node;
}

/* The same, of few that come again and again. */
static inline uint32_t find_node(struct owners *owners, uint32_t around, uint32_t label)
{
	uint64_t key = (uint64_t)around << 32 | label;
	struct recent *recent = &owners->recent[(around * 31 + label) % RECENT];

	if (recent->key != key)
		*recent = (struct recent){key, make_node(owners, around, label, key)};
	return recent->node;
}

/* What is drawn and not summed has no node, but a work to be called by. */
static void name_derived(struct tfp_xreader *reader, const struct tfp_lane *lane)
{
	struct tfp_trace *trace = reader->trace;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		struct tfp_trace_work work = {
			.class = TFP_WORK_OTHER,
			.registers = -1,
			.static_shared = -1,
			.dynamic_shared = -1,
			.occupancy = -1,
		};
		uint32_t tag = tfp_trace_node(trace, i);

		if (tag == TFP_NONE)
			continue;
		work.name = reader->labels.at[tag >> 1].text;
		tfp_trace_set_work(trace, i, tfp_trace_add_work(reader->profile, &work));
		tfp_trace_set_node(trace, i, TFP_NONE);
	}
}

static void own_lane(struct owners *owners, const struct tfp_lane *lane)
{
	struct tfp_trace *trace = owners->reader->trace;
	const struct tfp_xslot *slots = owners->reader->facts->slots.at;

	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		uint32_t around = tfp_trace_link(trace, i), tag = tfp_trace_node(trace, i);

		if (around != TFP_NONE)
			around = tfp_trace_node(trace, around);
		tfp_trace_set_node(trace, i,
				   tag & 1 ? slots[tag >> 1].node
					   : find_node(owners, around, tag >> 1));
	}
}

void tfp_xhost_owners(struct tfp_xreader *reader)
{
	struct owners owners = {.reader = reader};
	const struct tfp_trace *trace = reader->trace;

	memset(owners.recent, 0xff, sizeof(owners.recent)); /* there is no such label */
	take_nodes(&owners);
	for (size_t i = reader->first_lane; i < trace->lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[i];

		if (lane->kind == TFP_LANE_HOST)
			own_lane(&owners, lane);
		else if (lane->kind == TFP_LANE_DERIVED && trace->devices.at[lane->device].host)
			name_derived(reader, lane);
	}
	tfp_idmap_free(&owners.nodes);
	tfp_idmap_free(&owners.of_stack);
	tfp_array_free(&owners.depths);
}
