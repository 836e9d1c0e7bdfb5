/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of a recording, and the lanes that their lines go to. */
#include <stdlib.h>
#include <string.h>

#include "load/xplane/reader.h"

static tfp_str text_of(const struct tfp_xreader *reader, struct tfp_span text)
{
	return tfp_strings_add(reader->profile->strings, text.at, text.size);
}

/* What the host of FILE is called: HOST.xplane.pb. */
static const char *host_of(struct tfp_xreader *reader, uint32_t file)
{
	const char *path = reader->profile->files.at[file].path;
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
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

static bool has_line_of_ops(const struct tfp_xplane *plane)
{
	for (size_t i = 0; i < plane->lines.count; i++)
		if (tfp_span_equal(plane->lines.at[i].name, TFP_SPAN("XLA Ops")))
			return true;
	return false;
}

/* Lines that say again, in other words, what stands on the line of ops of a TPU. */
static bool repeats_ops(struct tfp_span name)
{
	static const char *const names[] = {
		"Steps",         "XLA Modules",           "XLA TraceMe",          "Async XLA Ops",
		"Framework Ops", "Source code",           "Framework Name Scope", "TensorFlow Ops",
		"Launch Stats",  "TensorFlow Name Scope",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tfp_span_equal(name, tfp_span_of(names[i])))
			return true;
	return false;
}

/* OPS: its plane has a line of ops. */
static enum tfp_lane_kind lane_kind(const struct tfp_xplane *plane, const struct tfp_xline *line,
				    bool ops)
{
	if (line->derived || plane->kind == XPLANE_OTHER)
		return TFP_LANE_DERIVED;
	if (plane->kind == XPLANE_HOST)
		return TFP_LANE_HOST;
	return ops && repeats_ops(line->name) ? TFP_LANE_DERIVED : TFP_LANE_DEVICE;
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

struct tfp_xpart *tfp_xlanes_sort(struct tfp_xreader *reader, const struct tfp_xplane *plane,
				  uint32_t device)
{
	struct tfp_xpart *parts = tfp_realloc_array(NULL, plane->lines.count, sizeof(*parts));
	struct tfp_idmap lanes = {0};
	bool ops = has_line_of_ops(plane);

	for (size_t i = 0; i < plane->lines.count; i++) {
		const struct tfp_xline *line = &plane->lines.at[i];
		uint32_t next = (uint32_t)reader->trace->lanes.count;
		uint64_t key = tfp_hash_bytes(reader->key, line->name.at, line->name.size);
		struct tfp_lane lane = {
			.device = device,
			.name = text_of(reader, line->name),
			.kind = lane_kind(plane, line, ops),
			.id = line->id,
			.thread = TFP_NONE,
		};

		parts[i] = (struct tfp_xpart){
			tfp_idmap_add(&lanes, tfp_hash_fold(key, (uint64_t)line->id | 1) ^ key,
				      next),
			(uint32_t)i, line->timestamp};
		if (parts[i].lane == next)
			tfp_trace_add_lane(reader->trace, &lane);
	}
	qsort(parts, plane->lines.count, sizeof(*parts), by_lane);
	tfp_idmap_free(&lanes);
	return parts;
}

/* ---- loops ----------------------------------------------------------------------------------- */

void tfp_xlanes_set_loops_apart(struct tfp_xreader *reader, struct tfp_xtrack *track,
				uint32_t first)
{
	struct tfp_trace *trace = reader->trace;
	struct tfp_lane lane = trace->lanes.at[track->lane];

	for (uint32_t i = first; i + 1 < trace->count; i++) {
		if (trace->start[i + 1] < trace->start[i] ||
		    trace->start[i + 1] >= tfp_trace_end(trace, i) ||
		    tfp_trace_end(trace, i + 1) > tfp_trace_end(trace, i))
			continue;
		if (track->loops == TFP_NONE) {
			lane.name = tfp_strings_add_text(reader->profile->strings,
							 "loops and calls of XLA Ops");
			lane.kind = TFP_LANE_DERIVED;
			track->loops = tfp_trace_add_lane(trace, &lane);
		}
		trace->lane[i] = track->loops;
	}
}
