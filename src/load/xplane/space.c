/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk over an XSpace before its events are read. The lines of a plane stand before the names
 * that they refer to, so that each plane is gone through twice: here lines are only noted.
 */
#include "load/xplane/space.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *name;
	enum tfp_xstat stat;
} stats[] = {
	{"correlation_id", XSTAT_CORRELATION},
	{"cuda_graph_node_id", XSTAT_GRAPH_NODE},
	{"kernel_details", XSTAT_KERNEL},
	{"memcpy_details", XSTAT_MEMCPY},
	{"Memset_details", XSTAT_MEMSET},
	{"theoretical_occupancy_pct", XSTAT_OCCUPANCY},
	{"name", XSTAT_NAME},
	{"tf_op", XSTAT_TF_OP},
	{"hlo_op", XSTAT_HLO_OP},
	{"hlo_module", XSTAT_HLO_MODULE},
	{"program_id", XSTAT_PROGRAM},
	{"hlo_module_id", XSTAT_PROGRAM},
	{"device_offset_ps", XSTAT_DEVICE_OFFSET},
	{"device_duration_ps", XSTAT_DEVICE_DURATION},
	{"flops", XSTAT_FLOPS},
	{"bytes_accessed", XSTAT_BYTES},
	{"hlo_category", XSTAT_CATEGORY},
	{"shape_with_layout", XSTAT_SHAPE},
	{"shape", XSTAT_TENSOR_SHAPE},
	{"source", XSTAT_SOURCE},
	{"source_stack", XSTAT_SOURCE_STACK},
	{"nvtx_range", XSTAT_NVTX},
	{"_r", XSTAT_ROOT},
	{"step_num", XSTAT_STEP},
	{"graph_type", XSTAT_GRAPH_TYPE},
	{"group_id", XSTAT_GROUP},
	{"run_id", XSTAT_RUN},
	{"module_name", XSTAT_MODULE_NAME},
	{"num_commands", XSTAT_COMMANDS},
	{"allocator_name", XSTAT_ALLOCATOR},
	{"bytes_reserved", XSTAT_RESERVED},
	{"bytes_allocated", XSTAT_ALLOCATED},
	{"is_eager", XSTAT_EAGER},
	{"allocation_bytes", XSTAT_ALLOCATION},
	{"addr", XSTAT_ADDRESS},
	{"index_on_host", XSTAT_ORDINAL},
	{"device_ordinal", XSTAT_ORDINAL},
	{"gpu_device_name", XSTAT_MODEL},
	{"device_type_string", XSTAT_DEVICE_TYPE},
	{"memory_bandwidth", XSTAT_BANDWIDTH},
	{"peak_teraflops_per_second", XSTAT_PEAK_FLOPS},
	{"peak_hbm_bw_gigabytes_per_second", XSTAT_PEAK_BANDWIDTH},
	{"profile_start_time", XSTAT_START_TIME},
	{"profile_stop_time", XSTAT_STOP_TIME},
	{"Hlo Proto", XSTAT_HLO_PROTO},
	{"HLO Proto", XSTAT_HLO_PROTO},
};

static struct tfp_span name_of(struct tfp_wire wire)
{
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, PLANE_NAME))
			return tfp_field_span(&field);
	return TFP_SPAN("");
}

/* ---- the parts of a plane -------------------------------------------------------------------- */

/* xprof's own lines: they repeat what others say. The number may be extended by its sign. */
static bool is_derived(int64_t id)
{
	uint64_t high = (uint64_t)id >> 32, low = (uint32_t)id;

	return (!high || high == UINT32_MAX) && low >= 0xdeadbeef && low <= 0xdeadbeef + 289;
}

#define AHEAD                                                                                      \
	1024 /* bytes: where an event ends is known only once it is there, so that memory is waited for */

/* Steps over the short events that come next and end before END, as nearly all do. Returns how many. */
static size_t pass_events(struct tfp_wire *wire, const uint8_t *end)
{
	const uint8_t *at = wire->at;
	size_t events = 0;

	while (end - at > 1 && at[0] == (LINE_EVENT << 3 | TFP_WIRE_BYTES) && at[1] < 0x80 &&
	       at[1] <= end - at - 2) {
		__builtin_prefetch(at + AHEAD);
		at += 2 + at[1];
		events++;
	}
	wire->at = at;
	return events;
}

/* What a line says of itself, and how many events it has, so that there will be room for them. */
static void add_line(struct tfp_xspace *space, struct tfp_xplane *plane,
		     const struct tfp_field *message)
{
	const uint8_t *stop = message->data + (size_t)(space->share * (double)message->size);
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_xline line = {.bytes = tfp_field_span(message), .name = {"", 0}};
	struct tfp_span shown = {"", 0};
	struct tfp_field field;

	space->line_bytes += message->size;
	while (wire.at < space->walk.mark || tfp_walk_tick(&space->walk, wire.at)) {
		line.events +=
			pass_events(&wire, stop < space->walk.mark ? stop : space->walk.mark);
		if (!tfp_wire_next(&wire, &field))
			break;
		if (tfp_field_is(&field, LINE_EVENT)) {
			line.events++;
			if (wire.at > stop) {
				line.bytes.size = (size_t)(wire.at - message->data);
				break;
			}
		} else if (tfp_field_is_int(&field, LINE_ID))
			line.id = (int64_t)field.value;
		else if (tfp_field_is_int(&field, LINE_TIMESTAMP))
			line.timestamp = (int64_t)field.value;
		else if (tfp_field_is(&field, LINE_NAME))
			line.name = tfp_field_span(&field);
		else if (tfp_field_is(&field, LINE_DISPLAY_NAME))
			shown = tfp_field_span(&field);
	}
	if (shown.size)
		line.name = shown;
	line.derived = is_derived(line.id);
	*tfp_array_push(&plane->lines) = line;
}

/* The key and the value of an entry of a map. */
static uint64_t read_entry(const struct tfp_field *message, struct tfp_field *value)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;
	uint64_t key = 0;

	*value = (struct tfp_field){.type = TFP_WIRE_BYTES, .data = message->data};
	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, ENTRY_KEY))
			key = field.value;
		else if (tfp_field_is(&field, ENTRY_VALUE))
			*value = field;
	}
	if (wire.bad && tfp_wire_next_cut(&wire, &field) && tfp_field_is(&field, ENTRY_VALUE))
		*value = field;
	return key;
}

/* As types of TensorFlow's ops are called. */
static bool is_type(struct tfp_span type)
{
	for (size_t i = 0; i < type.size; i++)
		if (!isalnum((unsigned char)type.at[i]) && type.at[i] != '_')
			return false;
	return isupper((unsigned char)*type.at) || *type.at == '_';
}

/* "op:Type", shown as "Type". A name that holds other signs than names of ops is none. */
static bool is_op(struct tfp_span name, struct tfp_span shown)
{
	const char *colon = name.size ? memchr(name.at, ':', name.size) : NULL;
	struct tfp_span type;

	if (!colon || colon == name.at)
		return false;
	type = (struct tfp_span){colon + 1, (size_t)(name.at + name.size - colon) - 1};
	for (const char *at = name.at; at < colon; at++)
		if (!isalnum((unsigned char)*at) && (!*at || !strchr("_./>-", *at)))
			return false;
	return type.size && (shown.size ? tfp_span_equal(type, shown) : is_type(type));
}

/* "%fusion.1 = bf16[128] fusion(…)", the whole text of an instruction, is called fusion.1. */
static struct tfp_span label_of(struct tfp_span name)
{
	const char *end;

	if (name.size < 2 || *name.at != '%')
		return name;
	end = memmem(name.at, name.size, " = ", 3);
	return end && end > name.at + 1
		       ? (struct tfp_span){name.at + 1, (size_t)(end - name.at) - 1}
		       : name;
}

/* Of entries with one key the last counts; what was called otherwise before is lost. */
static void note_double(struct tfp_xspace *space, const char *what, struct tfp_span before,
			struct tfp_span name)
{
	if (!tfp_span_equal(before, name))
		tfp_diag_add(space->walk.diag, TFP_WARNING, space->walk.source->path, -1, 0,
			     "two kinds of %s have one number; all are called as the later", what);
}

static void add_metadata(struct tfp_xspace *space, struct tfp_xplane *plane,
			 const struct tfp_field *message)
{
	struct tfp_xmetadata metadata = {
		.label = {"", 0},
		.name = {"", 0},
		.stats = {"", 0},
		.said = {"", 0},
		.tag = TFP_NONE,
	};
	struct tfp_field value, field;
	uint64_t key = read_entry(message, &value);
	struct tfp_wire wire = tfp_wire_in(&value);
	struct tfp_span display = {"", 0};
	uint32_t next = (uint32_t)plane->metadata.count, place;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, METADATA_NAME))
			metadata.label = tfp_field_span(&field);
		else if (tfp_field_is(&field, METADATA_DISPLAY_NAME))
			display = tfp_field_span(&field);
		else if (tfp_field_is(&field, METADATA_STAT))
			metadata.stats = tfp_field_span(&value);
	}
	metadata.said = tfp_xsaid_split(&metadata.label);
	metadata.name = metadata.label;
	metadata.is_op = is_op(metadata.name, display);
	metadata.has_scope = metadata.is_op && memchr(metadata.name.at, '/', metadata.name.size);
	metadata.label = display.size ? display : label_of(metadata.name);
	if (!metadata.label.size && !metadata.stats.size)
		return;
	place = tfp_idmap_add(&plane->metadata_ids, key, next);
	if (place == next)
		tfp_array_push(&plane->metadata);
	else
		note_double(space, "events", plane->metadata.at[place].label, metadata.label);
	plane->metadata.at[place] = metadata;
}

enum tfp_xstat tfp_xstat_named(struct tfp_span name)
{
	for (size_t i = 0; i < sizeof(stats) / sizeof(*stats); i++)
		if (tfp_span_is(name, stats[i].name))
			return stats[i].stat;
	return XSTAT_NONE;
}

static void add_stat_name(struct tfp_xspace *space, struct tfp_xplane *plane,
			  const struct tfp_field *message)
{
	struct tfp_field value;
	uint64_t key = read_entry(message, &value);
	struct tfp_span name = name_of(tfp_wire_in(&value));
	uint32_t next = (uint32_t)plane->stat_names.count;
	uint32_t place = tfp_idmap_add(&plane->stat_ids, key, next);

	if (place == next)
		tfp_array_push(&plane->stat_names);
	else
		note_double(space, "stats", plane->stat_names.at[place].name, name);
	plane->stat_names.at[place] = (struct tfp_xstat_name){name, (uint8_t)tfp_xstat_named(name)};
}

/* ---- a plane --------------------------------------------------------------------------------- */

static enum tfp_xplane_kind kind_of(struct tfp_span name)
{
	static const struct {
		const char *head;
		enum tfp_xplane_kind kind;
	} kinds[] = {
		{"/host:", XPLANE_HOST},    {"Host CPUs", XPLANE_HOST},
		{"Syscalls", XPLANE_HOST},  {"Task Environment", XPLANE_HOST},
		{"/device", XPLANE_DEVICE}, {"#Chip", XPLANE_DEVICE},
		{"/custom", XPLANE_DEVICE},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (tfp_span_begins(name, tfp_span_of(kinds[i].head)))
			return kinds[i].kind;
	return XPLANE_OTHER;
}

/* The table of small ids, where there are any. Planes without names and stats cost little. */
static const uint8_t *make_small(struct tfp_xspace *space, const struct tfp_xplane *plane)
{
	static const uint8_t none[TFP_XPLANE_SMALL];
	uint8_t *small;

	if (!plane->stat_names.count)
		return none;
	small = tfp_arena_zero(&space->arena, TFP_XPLANE_SMALL, sizeof(*small));
	for (uint64_t id = 0; id < TFP_XPLANE_SMALL; id++) {
		uint32_t place = tfp_idmap_get(&plane->stat_ids, id);

		if (place != TFP_NONE)
			small[id] = plane->stat_names.at[place].stat;
	}
	return small;
}

/* A table of the metadata of ids that are not much more than there are of them, as in nearly all files. */
static void make_places(struct tfp_xspace *space, struct tfp_xplane *plane)
{
	uint32_t *places;

	plane->place_count = plane->metadata.count ? 4 * plane->metadata.count + 64 : 0;
	places = tfp_arena_alloc(&space->arena, plane->place_count * sizeof(*places));
	for (uint64_t id = 0; id < plane->place_count; id++)
		places[id] = tfp_idmap_get(&plane->metadata_ids, id);
	plane->places = places;
}

/* The first stat is at AT or behind it; NULL: there are none. */
static const struct tfp_xvalues *make_stats(struct tfp_xspace *space,
					    const struct tfp_xplane *plane, const uint8_t *at)
{
	static const struct tfp_xvalues none;
	struct tfp_xvalues *values;

	if (!plane->stat_names.count || !at)
		return &none;
	values = tfp_arena_zero(&space->arena, 1, sizeof(*values));
	tfp_xvalues_read(plane, (struct tfp_span){(const char *)at, (size_t)(plane->limit - at)},
			 PLANE_STAT, values);
	return values;
}

/* Returns where it ended, which may be before MESSAGE does. */
static const uint8_t *read_plane(struct tfp_xspace *space, const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_xplane *plane = tfp_array_push(&space->planes);
	const uint8_t *at = wire.at, *first_stat = NULL;
	struct tfp_field field;

	*plane = (struct tfp_xplane){.name = {"", 0}, .limit = wire.end};
	for (; tfp_xplane_next(&space->walk, &wire, &field); at = wire.at) {
		if (tfp_field_is(&field, PLANE_STAT) && !first_stat)
			first_stat = at;
		else if (tfp_field_is(&field, PLANE_NAME))
			plane->name = tfp_field_span(&field);
		else if (tfp_field_is(&field, PLANE_LINE))
			add_line(space, plane, &field);
		else if (tfp_field_is(&field, PLANE_EVENT_METADATA))
			add_metadata(space, plane, &field);
		else if (tfp_field_is(&field, PLANE_STAT_METADATA))
			add_stat_name(space, plane, &field);
	}
	plane->kind = kind_of(plane->name);
	plane->small = make_small(space, plane);
	make_places(space, plane);
	plane->stats = make_stats(space, plane, first_stat);
	if (tfp_span_begins(plane->name, TFP_SPAN("/host:metadata")))
		tfp_xspace_find_modules(space, plane);
	return wire.at;
}

/* Reads the plane, and has WIRE go on where it ended. */
static void take_plane(struct tfp_xspace *space, struct tfp_wire *wire,
		       const struct tfp_field *message)
{
	bool damaged = space->walk.damaged;
	const uint8_t *end;

	space->walk.damaged = false;
	end = read_plane(space, message);
	if (end < message->data + message->size)
		wire->at = end;
	if (space->moved && !space->walk.damaged)
		tfp_walk_damaged(&space->walk, message->data, "XPlane");
	space->told = space->walk.damaged;
	space->walk.damaged |= damaged;
	space->last_plane = message->data;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What the profiler itself had to say: lost events, mostly. */
static void note_message(struct tfp_xspace *space, const struct tfp_field *field)
{
	char text[512];
	size_t size = tfp_text_clean(text, sizeof(text), tfp_field_span(field), false);

	if (size)
		tfp_diag_add(space->walk.diag, TFP_WARNING, space->walk.source->path, -1, 0, "%s",
			     text);
}

bool tfp_xspace_read(struct tfp_xspace *space, const struct tfp_source *source, double share,
		     struct tfp_job *job, struct tfp_diag *diag)
{
	struct tfp_wire wire = tfp_walk_start(&space->walk, source, job, diag);
	struct tfp_field field;

	space->share = share;
	space->walk.ahead = true;
	while (tfp_xspace_next(space, &wire, &field)) {
		if (tfp_field_is(&field, SPACE_PLANE))
			take_plane(space, &wire, &field);
		else if (tfp_field_is(&field, SPACE_ERROR) || tfp_field_is(&field, SPACE_WARNING))
			note_message(space, &field);
	}
	space->walk.ahead = false;
	return !tfp_job_cancelled(job);
}

void tfp_xspace_free(struct tfp_xspace *space)
{
	for (size_t i = 0; i < space->planes.count; i++) {
		struct tfp_xplane *plane = &space->planes.at[i];

		tfp_array_free(&plane->lines);
		tfp_array_free(&plane->metadata);
		tfp_array_free(&plane->stat_names);
		tfp_idmap_free(&plane->metadata_ids);
		tfp_idmap_free(&plane->stat_ids);
	}
	tfp_array_free(&space->planes);
	tfp_array_free(&space->modules);
	tfp_arena_free(&space->arena);
}
