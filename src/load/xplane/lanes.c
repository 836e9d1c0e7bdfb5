/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of a recording, and the lanes that their lines go to. */
#include <stdlib.h>
#include <string.h>

#include "load/lines.h"
#include "load/xplane/reader.h"

static tfp_str text_of(const struct tfp_xreader *reader, struct tfp_span text)
{
	return tfp_strings_add(reader->profile->strings, text.at, text.size);
}

/* What the host of FILE is called: HOST.xplane.pb. */
static const char *host_of(struct tfp_xreader *reader, uint32_t file)
{
	const char *name = tfp_path_name(reader->profile->files.at[file].path);
	const char *end = strstr(name, ".xplane.pb");

	return tfp_arena_text(&reader->facts->arena, name,
			      end ? (size_t)(end - name) : strcspn(name, "."));
}

/* "HOST DEVICE" */
static void put_host_before(struct tfp_xreader *reader, struct tfp_trace_device *device,
			    const char *host)
{
	const char *name = tfp_strings_text(reader->profile->strings, device->name);

	device->own = device->name;
	device->name =
		tfp_strings_add_text(reader->profile->strings,
				     tfp_arena_printf(&reader->facts->arena, "%s %s", host, name));
}

void tfp_xlanes_name_hosts(struct tfp_xreader *reader)
{
	struct tfp_trace *trace = reader->trace;

	if (!trace->devices.count || trace->devices.at[trace->devices.count - 1].file ||
	    !reader->file)
		return;
	for (size_t i = 0; i < trace->devices.count; i++)
		put_host_before(reader, &trace->devices.at[i], host_of(reader, 0));
}

uint32_t tfp_xlanes_add_device(struct tfp_xreader *reader, const struct tfp_xplane *plane)
{
	const struct tfp_xvalues *stats = plane->stats;
	struct tfp_trace_device device = {
		.name = text_of(reader, plane->name),
		.model = text_of(reader, tfp_xvalue_text(plane, stats, XSTAT_MODEL)),
		.host = plane->kind != XPLANE_DEVICE,
		.file = reader->file,
		.peak_flops = tfp_xvalue_real(stats, XSTAT_PEAK_FLOPS) * 1e12,
		.peak_bandwidth = tfp_xvalue_real(stats, XSTAT_BANDWIDTH),
	};

	if (!device.model)
		device.model = text_of(reader, tfp_xvalue_text(plane, stats, XSTAT_DEVICE_TYPE));
	if (!(device.peak_bandwidth > 0))
		device.peak_bandwidth = tfp_xvalue_real(stats, XSTAT_PEAK_BANDWIDTH) * 1e9;
	if (reader->file)
		put_host_before(reader, &device, host_of(reader, reader->file));
	return tfp_trace_add_device(reader->trace, &device);
}

/* What a device did, as the best of its lines say it. */
static enum tfp_lane_kind device_kind(const struct tfp_xplane *plane, struct tfp_span name)
{
	enum tfp_line line = tfp_line_of(name);
	bool works = line == TFP_LINE_WORK || (line == TFP_LINE_OPS && !plane->streams) ||
		     (line == TFP_LINE_MODULES && !plane->works);

	return works ? TFP_LANE_DEVICE : TFP_LANE_DERIVED;
}

/* Parts of a chip around its cores are at work while these are. */
static enum tfp_lane_kind lane_kind(const struct tfp_xplane *plane, const struct tfp_xline *line)
{
	if (line->derived || plane->kind == XPLANE_OTHER ||
	    tfp_span_begins(plane->name, TFP_SPAN("#Chip")))
		return TFP_LANE_DERIVED;
	return plane->kind == XPLANE_HOST ? TFP_LANE_HOST : device_kind(plane, line->name);
}

/* Has PLANE lines of streams, and lines of what it did? */
static void look_at_lines(struct tfp_xplane *plane)
{
	for (size_t i = 0; i < plane->lines.count; i++) {
		const struct tfp_xline *line = &plane->lines.at[i];
		enum tfp_line told = tfp_line_of(line->name);

		if (line->derived)
			continue;
		plane->streams =
			plane->streams || tfp_span_begins(line->name, TFP_SPAN("Stream #"));
		plane->works = plane->works || told == TFP_LINE_WORK || told == TFP_LINE_OPS;
	}
}

void tfp_xlane_look(struct tfp_xreader *reader, struct tfp_xtrack *track,
		    const struct tfp_xline *line)
{
	enum tfp_line told = tfp_line_of(line->name);
	bool device = track->plane->kind == XPLANE_DEVICE;

	track->derived = reader->trace->lanes.at[track->lane].kind == TFP_LANE_DERIVED;
	track->nests = device && !track->derived && told == TFP_LINE_OPS;
	track->steps = device && told == TFP_LINE_STEPS;
	track->modules = device && !track->plane->streams && told == TFP_LINE_MODULES;
	if (track->modules)
		tfp_xchip_note_lane(reader, track->lane);
}

static int by_lane(const void *left, const void *right)
{
	const struct tfp_xpart *a = left, *b = right;

	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	if (a->timestamp != b->timestamp)
		return a->timestamp < b->timestamp ? -1 : 1;
	return a->line < b->line ? -1 : 1;
}

/* The lane of LINE of a plane, whose lanes TABLE has; made where there is none of its id and name. */
static uint32_t lane_of(struct tfp_xreader *reader, const struct tfp_xplane *plane,
			const struct tfp_xline *line, uint32_t device, struct tfp_lookup *table)
{
	struct tfp_lane made = {
		.device = device,
		.name = text_of(reader, line->name),
		.kind = lane_kind(plane, line),
		.id = line->id,
		.thread = TFP_NONE,
	};
	uint32_t hash = (uint32_t)tfp_hash_fold((uint64_t)line->id ^ reader->key.a,
						made.name ^ reader->key.b);
	uint32_t lane;

	TFP_LOOKUP_EACH(lane, table, hash) {
		const struct tfp_lane *known = &reader->trace->lanes.at[lane];

		if (known->id == made.id && known->name == made.name)
			return lane;
	}
	lane = tfp_trace_add_lane(reader->trace, &made);
	tfp_lookup_add(table, hash, lane);
	return lane;
}

struct tfp_xpart *tfp_xlanes_sort(struct tfp_xreader *reader, struct tfp_xplane *plane,
				  uint32_t device)
{
	struct tfp_xpart *parts = tfp_realloc_array(NULL, plane->lines.count, sizeof(*parts));
	struct tfp_lookup *lanes = tfp_lookup_new();

	look_at_lines(plane);
	for (size_t i = 0; i < plane->lines.count; i++) {
		const struct tfp_xline *line = &plane->lines.at[i];

		parts[i] = (struct tfp_xpart){lane_of(reader, plane, line, device, lanes),
					      (uint32_t)i, line->timestamp};
	}
	qsort(parts, plane->lines.count, sizeof(*parts), by_lane);
	tfp_lookup_free(lanes);
	return parts;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void between(void *data, uint32_t loop, uint32_t *tag, uint32_t *work)
{
	struct tfp_xreader *reader = data;

	*tag = tfp_xslot_between(reader, tfp_trace_node(reader->trace, loop));
	*work = reader->facts->slots.at[*tag].work;
}

static bool named(void *data, uint32_t event)
{
	struct tfp_xreader *reader = data;

	return reader->facts->slots.at[tfp_trace_node(reader->trace, event)].loop;
}

void tfp_xlanes_set_loops_apart(struct tfp_xreader *reader, uint32_t lane, uint32_t first)
{
	reader->loops.profile = reader->profile;
	reader->loops.between = between;
	reader->loops.named = named;
	reader->loops.data = reader;
	tfp_loops_set_apart(&reader->loops, lane, NULL, first, reader->trace->count - first);
}
