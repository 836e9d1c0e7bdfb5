/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XPlane: the recordings of JAX, TensorFlow 2 and XLA (*.xplane.pb). Events of hosts become a node
 * for each path of labels; those of devices one for each HLO instruction, or what stands for it.
 * First the file is walked without its events (see space.h), then come the hosts, whose events
 * launch those of the devices, then the devices.
 */
#include "load/loaders.h"
#include "load/xplane/layouts.h"
#include "load/xplane/reader.h"

/* Of the bytes of a file: where there are less the rest, which a part of it needs as well, takes too long. */
#define LINES_LEAST 0.8

/* ---- events ---------------------------------------------------------------------------------- */

/* Of device events what tells kinds of them apart; the rest is read of the first of a kind. */
#define DEVICE_STATS                                                                               \
	(TFP_XSTAT(XSTAT_CORRELATION) | TFP_XSTAT(XSTAT_GRAPH_NODE) | TFP_XSTAT(XSTAT_KERNEL) |    \
	 TFP_XSTAT(XSTAT_MEMCPY) | TFP_XSTAT(XSTAT_MEMSET) | TFP_XSTAT(XSTAT_NAME) |               \
	 TFP_XSTAT(XSTAT_TF_OP) | TFP_XSTAT(XSTAT_HLO_OP) | TFP_XSTAT(XSTAT_PROGRAM) |             \
	 TFP_XSTAT(XSTAT_HLO_MODULE) | TFP_XSTAT(XSTAT_DEVICE_OFFSET) |                            \
	 TFP_XSTAT(XSTAT_DEVICE_DURATION))
#define HOST_STATS                                                                                 \
	(TFP_XSTAT(XSTAT_CORRELATION) | TFP_XSTAT(XSTAT_ROOT) | TFP_XSTAT(XSTAT_STEP) |            \
	 TFP_XSTAT(XSTAT_RUN) | TFP_XSTAT(XSTAT_HLO_MODULE) | TFP_XSTAT(XSTAT_HLO_OP) |            \
	 TFP_XSTAT(XSTAT_PROGRAM) | TFP_XSTAT(XSTAT_TF_OP) | TFP_XSTAT(XSTAT_EAGER) |              \
	 TFP_XSTAT(XSTAT_COMMANDS) | TFP_XSTAT(XSTAT_MODULE_NAME) | TFP_XSTAT(XSTAT_GRAPH_TYPE))

static uint64_t stats_of(const struct tfp_xtrack *track)
{
	uint64_t wanted = TFP_XSTAT(XSTAT_UNKNOWN);

	wanted |= track->plane->kind == XPLANE_DEVICE ? DEVICE_STATS : HOST_STATS;

	if (track->steps)
		wanted |= TFP_XSTAT(XSTAT_STEP) | TFP_XSTAT(XSTAT_GROUP);
	return track->modules ? wanted | TFP_XSTAT(XSTAT_RUN) : wanted;
}

/* The start of an event. False when its times are impossible; a problem says so. */
static bool find_start_of(struct tfp_xreader *reader, const struct tfp_xtrack *track,
			  struct tfp_xevent *event, int64_t *start)
{
	/* The profiler of a TPU says more exactly when a device was at work. */
	if (tfp_xvalues_have(&event->stats, XSTAT_DEVICE_OFFSET) &&
	    tfp_xvalues_have(&event->stats, XSTAT_DEVICE_DURATION)) {
		event->offset = tfp_xvalue_int(&event->stats, XSTAT_DEVICE_OFFSET);
		event->duration = tfp_xvalue_int(&event->stats, XSTAT_DEVICE_DURATION);
	}
	if (event->duration < 0) {
		tfp_xproblem(reader, TFP_WARNING, "an event ends before it begins; its time is 0");
		event->duration = 0;
	}
	if (tfp_xclock_start(track->base, event, start))
		return true;
	tfp_xproblem(reader, TFP_WARNING, "an event has an impossible time and is left out");
	return false;
}

/*
 * Is an event of a device further away from the recording than that is long, though its line begins in it? One such
 * time, of damaged bytes, would make the device idle for all of the time up to it. Where more than a few of a line
 * are, it is the recording whose times are wrong.
 */
#define FAR_MOST 16

static bool is_astray(const struct tfp_xreader *reader, const struct tfp_xtrack *track,
		      int64_t start, int64_t end)
{
	uint64_t from = (uint64_t)reader->from, to = (uint64_t)reader->to, lasts = to - from;

	if (!reader->timed || track->far || track->plane->kind != XPLANE_DEVICE ||
	    track->base < reader->from || track->base > reader->to)
		return false;
	return (start < reader->from && from - (uint64_t)start > lasts) ||
	       (end > reader->to && (uint64_t)end - to > lasts);
}

static void take_event(struct tfp_xreader *reader, const struct tfp_xtrack *track,
		       const struct tfp_field *field, struct tfp_xevent *event)
{
	struct tfp_walk *walk = &reader->facts->space.walk;
	int64_t start;

	tfp_xevent_read(track->plane, field, track->wanted, reader->layouts, event);
	if (event->damaged && !tfp_walk_ends(walk, field))
		tfp_walk_damaged(walk, field->data, "XEvent");
	if (event->damaged && !event->metadata)
		return;
	if (tfp_xvalues_have(&event->stats, XSTAT_UNKNOWN))
		tfp_xproblem(reader, tfp_xreader_severity(reader),
			     "a stat of an event has a number that the file gives no name");
	if (event->aggregated) {
		tfp_xproblem(reader, TFP_NOTE,
			     "an event stands for several and has no start; it is left out");
		return;
	}
	if (!find_start_of(reader, track, event, &start))
		return;
	if (is_astray(reader, track, start, start + event->duration)) {
		*tfp_array_push(&reader->far) = *field;
		return;
	}
	reader->outside +=
		reader->timed && (start < reader->from || start + event->duration > reader->to);
	if (track->plane->kind == XPLANE_DEVICE)
		tfp_xdevice_event(reader, track, event, start);
	else
		tfp_xhost_event(reader, track, event, start);
}

/* Takes the events of the line that were put off as too far away, as they are too many to be wrong. */
static void take_far(struct tfp_xreader *reader, struct tfp_xtrack *track)
{
	struct tfp_xevent event;

	track->far = true;
	for (size_t i = 0; i < reader->far.count; i++)
		take_event(reader, track, &reader->far.at[i], &event);
	reader->far.count = 0;
}

/* At the end of a line that has COUNT events. */
static void settle_far(struct tfp_xreader *reader, struct tfp_xtrack *track, size_t count)
{
	if (count > 1 && reader->far.count > count / 2)
		take_far(reader, track);
	reader->astray += (uint32_t)reader->far.count;
	reader->far.count = 0;
}

/* False when the job was cancelled. */
static bool read_line(struct tfp_xreader *reader, struct tfp_xtrack *track,
		      const struct tfp_xline *line)
{
	struct tfp_walk *walk = &reader->facts->space.walk;
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)line->bytes.at, line->bytes.size);
	struct tfp_xevent event;
	struct tfp_field field;

	if (!tfp_xclock_base(reader->facts, line, &track->base) && line->events)
		tfp_xproblem(reader, TFP_WARNING,
			     "a line has an impossible time; it is taken for 0");
	tfp_xlane_look(reader, track, line);
	track->wanted = stats_of(track);
	track->far = false;
	tfp_xlayouts_begin(reader->layouts, track->plane, track->wanted);
	if (!tfp_walk_near(walk, wire.at))
		walk->mark = wire.at;
	while (tfp_xline_next(walk, &wire, &field)) {
		if (!tfp_field_is(&field, LINE_EVENT))
			continue;
		if (reader->trace->count >= UINT32_MAX - 1) {
			tfp_xproblem(reader, TFP_WARNING, "more events than can be counted");
			break;
		}
		take_event(reader, track, &field, &event);
		if (reader->far.count > FAR_MOST)
			take_far(reader, track);
	}
	settle_far(reader, track, line->events);
	return !walk->cancelled;
}

static bool read_plane(struct tfp_xreader *reader, uint32_t index)
{
	struct tfp_xplane *plane = &reader->facts->space.planes.at[index];
	struct tfp_xtrack track = {.plane = plane, .plane_index = index};
	uint32_t first = reader->trace->count; /* event of the lane */
	size_t count = plane->lines.count;
	struct tfp_xpart *parts;
	bool going = true;

	if (!count)
		return true;
	parts = tfp_xlanes_sort(reader, plane, tfp_xlanes_add_device(reader, plane));
	for (size_t i = 0; i < count && going; i++) {
		track.lane = plane->lines.at[parts[i].line].lane = parts[i].lane;
		going = read_line(reader, &track, &plane->lines.at[parts[i].line]);
		if (i + 1 < count && parts[i + 1].lane == track.lane)
			continue;
		if (track.nests && going)
			tfp_xlanes_set_loops_apart(reader, track.lane, first);
		first = reader->trace->count;
	}
	tfp_array_release(parts);
	return going;
}

/* Room for all events at once: what grows leaves holes behind. */
static void make_room(struct tfp_xreader *reader)
{
	const struct tfp_xspace *space = &reader->facts->space;
	size_t events = 0;

	for (size_t i = 0; i < space->planes.count; i++)
		for (size_t k = 0; k < space->planes.at[i].lines.count; k++)
			events += space->planes.at[i].lines.at[k].events;
	if (events < UINT32_MAX - reader->trace->count)
		tfp_trace_reserve(reader->trace, (uint32_t)events);
}

/* Hosts first: they launch what runs on devices. */
static bool read_planes(struct tfp_xreader *reader)
{
	const struct tfp_xspace *space = &reader->facts->space;

	for (int devices = 0; devices < 2; devices++)
		for (uint32_t i = 0; i < space->planes.count; i++)
			if ((space->planes.at[i].kind == XPLANE_DEVICE) == devices &&
			    !read_plane(reader, i))
				return false;
	return true;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct tfp_xmetadata *tfp_xreader_far_metadata(struct tfp_xreader *reader, struct tfp_xplane *plane,
					       int64_t id)
{
	size_t known = plane->metadata.count;
	struct tfp_xmetadata *metadata;

	metadata = tfp_xplane_metadata(plane, id, &reader->facts->arena);
	if (plane->metadata.count > known)
		tfp_xproblem(reader, tfp_xreader_severity(reader),
			     "a kind of events has a number that the file gives no name");
	return metadata;
}

uint32_t tfp_xreader_node(struct tfp_xreader *reader, tfp_str name, tfp_str op, uint32_t stack,
			  unsigned flags)
{
	uint32_t node = tfp_profile_add_node(reader->profile, name, op);

	reader->profile->nodes.flags[node] |= (uint16_t)(TFP_NODE_TRACED | flags);
	*tfp_array_push(&reader->stacks) = stack;
	return node;
}

/* The stacks of the nodes that earlier files made. */
static void take_stacks(struct tfp_xreader *reader)
{
	const struct tfp_nodes *nodes = &reader->profile->nodes;

	for (uint32_t i = 0; i < nodes->count; i++)
		*tfp_array_push(&reader->stacks) = nodes->stack ? nodes->stack[i] : TFP_NONE;
}

static void hand_over_stacks(struct tfp_xreader *reader)
{
	struct tfp_profile *profile = reader->profile;

	/* a later file adds nodes, where those have room */
	tfp_array_reserve(&reader->stacks, profile->nodes.room + (size_t)1);
	tfp_array_release(profile->nodes.stack);
	profile->nodes.stack = reader->stacks.at;
	profile->filled |= TFP_PART_STACKS;
	profile->has_stacks = profile->has_stacks || profile->stacks.count;
	reader->stacks.at = NULL;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Gives the events of this file their nodes. Between its parts, who looks on is not kept waiting. */
static void find_owners(struct tfp_xreader *reader)
{
	uint32_t partial;

	tfp_trace_arrange(reader->trace,
			  &(struct tfp_arranging){.relink = true,
						  .pieces = reader->loops.pieces.at,
						  .count = reader->loops.pieces.count});
	tfp_xchip_launches(reader);
	tfp_job_tick(reader->job);
	tfp_xdevice_owners(reader);
	tfp_job_tick(reader->job);
	tfp_xsteps_mark(reader);
	if (reader->share >= 1)
		tfp_xderive(reader);
	partial = tfp_trace_nest(reader->trace, reader->first_lane);
	if (partial)
		partial -= tfp_xsteps_outliving(reader);
	tfp_array_free(&reader->markers);
	tfp_xclock_tell(reader, partial);
	tfp_job_tick(reader->job);
	tfp_xhost_owners(reader);
	tfp_xallocs_settle(reader);
	if (reader->early)
		tfp_xproblem(
			reader, TFP_WARNING,
			"device events that start before they were launched, because clocks differ: %llu",
			(unsigned long long)reader->early);
}

/* Is the file cut before its first event, and before anything else that rows could be made of? NODES were there before it. */
static bool is_cut_to_nothing(const struct tfp_xreader *reader, uint32_t nodes)
{
	return reader->facts->space.walk.ended && reader->share >= 1 &&
	       reader->trace->count == reader->first_event && reader->profile->nodes.count == nodes;
}

static bool read_all(struct tfp_xreader *reader)
{
	struct tfp_xfacts *facts = reader->facts;
	uint32_t nodes = reader->profile->nodes.count;

	if (!tfp_xspace_read(&facts->space, facts->source, reader->share, reader->job,
			     reader->diag))
		return false;
	if (reader->share < 1 &&
	    (double)facts->space.line_bytes < LINES_LEAST * (double)facts->source->size)
		return false;
	if (!facts->space.planes.count)
		return tfp_walk_found_nothing(&facts->space.walk, "XPlane recording",
					      tfp_xspace_sniff(facts->source));
	if (!reader->profile->trace)
		tfp_profile_make_trace(reader->profile, TFP_PICOS);
	reader->trace = reader->profile->trace;
	reader->first_lane = (uint32_t)reader->trace->lanes.count;
	reader->first_event = reader->trace->count;
	reader->profile->format = "xplane";
	take_stacks(reader);
	tfp_xclock_set(reader);
	tfp_xlanes_name_hosts(reader);
	make_room(reader);
	if (!read_planes(reader))
		return false;
	find_owners(reader);
	hand_over_stacks(reader);
	if (!is_cut_to_nothing(reader, nodes))
		return true;
	tfp_walk_forget(&facts->space.walk);
	tfp_xproblem(reader, TFP_ERROR,
		     "nothing of it can be read: it ends before its first event");
	return false;
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	if (parts & TFP_PART_ALLOCS && !tfp_xallocs_fill(profile, data, job))
		return false;
	if (parts & TFP_PART_CONTENTS)
		return tfp_xplane_contents(profile, data, job, diag);
	return !tfp_job_cancelled(job);
}

static void free_facts(struct tfp_xfacts *facts)
{
	for (size_t i = 0; i < facts->programs.count; i++) {
		tfp_array_release(facts->programs.at[i].known);
		if (facts->programs.at[i].read)
			tfp_hlo_free(&facts->programs.at[i].hlo);
	}
	tfp_array_free(&facts->programs);
	tfp_idmap_free(&facts->program_ids);
	tfp_array_free(&facts->slots);
	tfp_idmap_free(&facts->slot_of_node);
	tfp_xspace_free(&facts->space);
	tfp_arena_free(&facts->arena);
	tfp_source_free(facts->source);
	tfp_array_release(facts);
}

static void release(void *data)
{
	free_facts(data);
}

static void free_reader(struct tfp_xreader *reader)
{
	tfp_array_free(&reader->far);
	tfp_array_free(&reader->labels);
	tfp_array_free(&reader->launches);
	tfp_array_free(&reader->markers);
	tfp_array_free(&reader->stacks);
	tfp_array_free(&reader->loops.pieces);
	tfp_array_free(&reader->takers);
	tfp_idmap_free(&reader->taker_ids);
	tfp_idmap_free(&reader->label_ids);
	tfp_idmap_free(&reader->launch_ids);
	tfp_idmap_free(&reader->run_ids);
	tfp_array_free(&reader->commands);
	tfp_array_free(&reader->module_lanes);
	tfp_array_free(&reader->program_names);
	tfp_idmap_free(&reader->program_name_ids);
	tfp_lookup_free(reader->slot_table);
	tfp_array_release(reader->layouts);
}

bool tfp_xplane_read(struct tfp_profile *profile, struct tfp_source *source, double share,
		     uint32_t file, bool graphs, struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_xreader reader = {
		.profile = profile,
		.facts = tfp_alloc_zero(1, sizeof(*reader.facts)),
		.job = job,
		.diag = diag,
		.file = file,
		.graphs = graphs,
		.share = share,
		.slot_table = tfp_lookup_new(),
		.layouts = tfp_xlayouts_new(),
		.key = tfp_hash_key_new(),
		.last_slot = TFP_NONE,
	};
	struct tfp_provider provider = {
		.parts = TFP_PART_ALLOCS | TFP_PART_CONTENTS,
		.describe = tfp_xplane_describe,
		.fill = fill,
		.release = release,
		.data = reader.facts,
	};
	bool done;

	reader.facts->source = source;
	reader.facts->file = file;
	done = read_all(&reader);
	free_reader(&reader);
	tfp_profile_add_provider(profile, &provider);
	profile->has_allocs = profile->has_allocs || reader.facts->memory_events > 0;
	return done;
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	(void)step;
	return tfp_xplane_read(profile, source, 1, file, true, job, diag);
}

/* What a plane calls things stands behind its lines, so that a part of the file is some of each line. */
static bool load_part(struct tfp_profile *profile, struct tfp_source *source, double share,
		      uint32_t file, struct tfp_job *job, struct tfp_diag *diag)
{
	return tfp_xplane_read(profile, tfp_source_part(source, source->size), share, file, true,
			       job, diag);
}

/* The sums over all files. */
static bool finish(struct tfp_profile *profile, struct tfp_job *job, struct tfp_diag *diag)
{
	bool estimated = false;

	if (!profile->trace)
		return !tfp_job_cancelled(job);
	/* steps that one host has marked are no runs of anything */
	if (tfp_trace_numbers_steps(profile->trace))
		profile->steps_by = 0;
	tfp_xhosts_tell_apart(profile);
	tfp_trace_align(profile, diag);
	if (!tfp_trace_tally(profile, job))
		return !tfp_job_cancelled(job);
	for (size_t i = 0; i < profile->providers.count; i++)
		if (profile->providers.at[i].describe == tfp_xplane_describe)
			estimated |=
				((struct tfp_xfacts *)profile->providers.at[i].data)->estimated;
	if (estimated)
		profile->metrics[TFP_TRACE_FLOPS].label =
			"float_ops of dot products and convolutions, an estimate";
	return true;
}

const struct tfp_loader tfp_xplane_loader = {
	.name = "xplane",
	.label = "XPlane recording",
	.alone = true,
	.several = true,
	.sniff = tfp_xspace_sniff,
	.load = load,
	.part = load_part,
	.finish = finish,
};
