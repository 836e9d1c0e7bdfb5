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

/* An op that is not over, and up to where it is accounted for. */
struct open_op {
	uint32_t event;
	bool holds; /* others */
	int64_t reached;
};

struct nest {
	struct tfp_xreader *reader;
	const struct tfp_xtrack *track;
	uint32_t loops; /* the lane of ops that hold others, TFP_NONE: not needed so far */
	TFP_ARRAY(struct open_op) open;
};

/* What runs of a loop up to TIME and is no op in it. The FIRST such piece is its run, even if it takes no time. */
static void add_between(struct nest *nest, struct open_op *op, int64_t time, bool first)
{
	struct tfp_trace *trace = nest->reader->trace;
	uint32_t slot;

	if (time <= op->reached && !first)
		return;
	if (!first)
		*tfp_array_push(&nest->reader->pieces) = trace->count;
	slot = tfp_xslot_between(nest->reader, nest->track, tfp_trace_node(trace, op->event));
	tfp_trace_add(trace, nest->track->lane, op->reached,
		      (int64_t)((uint64_t)time - (uint64_t)op->reached), slot,
		      nest->reader->facts->slots.at[slot].work, tfp_trace_link(trace, op->event));
}

static uint32_t loops_lane(struct nest *nest)
{
	struct tfp_trace *trace = nest->reader->trace;
	struct tfp_lane lane = trace->lanes.at[nest->track->lane];

	if (nest->loops == TFP_NONE) {
		lane.name = tfp_strings_add_text(
			nest->reader->profile->strings,
			tfp_arena_printf(
				&nest->reader->facts->arena, "loops and calls of %s",
				tfp_strings_text(nest->reader->profile->strings, lane.name)));
		lane.kind = TFP_LANE_DERIVED;
		nest->loops = tfp_trace_add_lane(trace, &lane);
	}
	return nest->loops;
}

static void close_op(struct nest *nest)
{
	struct open_op op = nest->open.at[--nest->open.count];

	if (op.holds)
		add_between(nest, &op, tfp_trace_end(nest->reader->trace, op.event), false);
}

static void open_op(struct nest *nest, uint32_t event)
{
	struct tfp_trace *trace = nest->reader->trace;
	int64_t start = tfp_trace_start(trace, event), end = tfp_trace_end(trace, event);
	struct open_op *around;

	while (nest->open.count &&
	       tfp_trace_end(trace, nest->open.at[nest->open.count - 1].event) <= start)
		close_op(nest);
	around = nest->open.count ? &nest->open.at[nest->open.count - 1] : NULL;
	if (around && start >= tfp_trace_start(trace, around->event) &&
	    end <= tfp_trace_end(trace, around->event)) {
		if (!around->holds)
			tfp_trace_set_lane(trace, around->event, loops_lane(nest));
		add_between(nest, around, start, !around->holds);
		around->holds = true;
		around->reached = end > around->reached ? end : around->reached;
	}
	*tfp_array_push(&nest->open) = (struct open_op){.event = event, .reached = start};
}

/* What holds others before those. */
static int by_start(const void *left, const void *right, void *data)
{
	const struct tfp_trace *trace = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t starts[] = {tfp_trace_start(trace, a), tfp_trace_start(trace, b)};
	int64_t ends[] = {tfp_trace_end(trace, a), tfp_trace_end(trace, b)};

	if (starts[0] != starts[1])
		return starts[0] < starts[1] ? -1 : 1;
	if (ends[0] != ends[1])
		return ends[0] > ends[1] ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The COUNT events from FIRST on in the order in which they nest; NULL: they have it, as nearly all files. */
static uint32_t *order_ops(struct tfp_trace *trace, uint32_t first, uint32_t count)
{
	uint32_t *order, next = first + 1;

	while (next < first + count && by_start(&(uint32_t){next - 1}, &next, trace) < 0)
		next++;
	if (next >= first + count)
		return NULL;
	order = tfp_realloc_array(NULL, count, sizeof(*order));
	for (uint32_t i = 0; i < count; i++)
		order[i] = first + i;
	qsort_r(order, count, sizeof(*order), by_start, trace);
	return order;
}

void tfp_xlanes_set_loops_apart(struct tfp_xreader *reader, const struct tfp_xtrack *track,
				uint32_t first)
{
	struct nest nest = {.reader = reader, .track = track, .loops = TFP_NONE};
	uint32_t count = reader->trace->count - first;
	uint32_t *order = order_ops(reader->trace, first, count);

	for (uint32_t i = 0; i < count; i++)
		open_op(&nest, order ? order[i] : first + i);
	while (nest.open.count)
		close_op(&nest);
	tfp_array_free(&nest.open);
	tfp_array_release(order);
}
