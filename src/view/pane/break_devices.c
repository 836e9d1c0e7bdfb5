/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Breakdown by device. Time on an accelerator and the time in which the host launched it there are
 * apart; below the former are the streams and their kernels, where the file tells them.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/lookup.h"
#include "view/pane/break_streams.h"
#include "view/group/device.h"

/* Which part of a node's time a row holds. */
enum side { WHOLE, LAUNCH, KERNELS, SIDES };

static const char *const suffix[SIDES] = {"", ", launching", ", computing"};

struct device {
	tfp_str name;
	struct tfp_group side[SIDES];
	size_t first_stream;
};

/* What is at hand while rows are made. */
struct maker {
	struct tfp_work *work;
	struct tfp_lookup *table; /* from name to device */
	TFP_ARRAY(struct device) devices;
	uint32_t *owner; /* by node: 1 + its device, 0 none; NULL: streams are not wanted */
	struct tfp_streams streams;
};

/* The index of the device called NAME. */
static uint32_t find_device(struct maker *maker, tfp_str name)
{
	uint32_t hash = tfp_lookup_mix(name), index;

	TFP_LOOKUP_EACH(index, maker->table, hash)
		if (maker->devices.at[index].name == name)
			return index;
	index = (uint32_t)maker->devices.count;
	tfp_lookup_add(maker->table, hash, index);
	*tfp_array_push(&maker->devices) = (struct device){.name = name};
	return index;
}

static void add_side(struct maker *maker, struct tfp_group *group, uint32_t node,
		     const int64_t *values, uint32_t metric)
{
	int64_t copy[TFP_MAX_METRICS];

	for (uint32_t i = 0; i < maker->work->build.profile->metric_count; i++)
		copy[i] = values[i];
	copy[maker->work->metric] = values[metric];
	tfp_group_add(group, maker->work, node, copy);
}

static void add_node(struct maker *maker, uint32_t node)
{
	const struct tfp_profile *profile = maker->work->build.profile;
	uint32_t index = find_device(maker, profile->nodes.device[node]);
	struct device *device = &maker->devices.at[index];
	int64_t values[TFP_MAX_METRICS];
	bool split = profile->tensorflow && maker->work->metric == TFP_TF_MICROS;

	if (maker->owner)
		maker->owner[node] = index + 1;
	tfp_work_values(maker->work, node, values);
	if (!split || !values[TFP_TF_ACCELERATOR_MICROS]) {
		tfp_group_add(&device->side[WHOLE], maker->work, node, values);
		return;
	}
	add_side(maker, &device->side[LAUNCH], node, values, TFP_TF_CPU_MICROS);
	add_side(maker, &device->side[KERNELS], node, values, TFP_TF_ACCELERATOR_MICROS);
}

static const char *make_label(struct maker *maker, tfp_str name, enum side side)
{
	const struct tfp_strings *strings = maker->work->build.profile->strings;
	char device[128] = "no device";

	if (name)
		tfp_device_name(device, sizeof(device), tfp_strings_get(strings, name));
	return tfp_arena_printf(&maker->work->out->arena, "%s%s", device, suffix[side]);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* A side of a device that has nodes. */
struct part {
	uint32_t device;
	enum side side;
};

/* A kernel; or "stream:13", what stands behind the device that all its streams have in common. */
static const char *stream_label(struct maker *maker, const struct tfp_stream *stream)
{
	const struct tfp_strings *strings = maker->work->build.profile->strings;
	struct tfp_span span =
		tfp_strings_get(strings, stream->kernel ? stream->kernel : stream->name);
	const char *slash = stream->kernel ? NULL : memrchr(span.at, '/', span.size);
	size_t before = slash ? (size_t)(slash + 1 - span.at) : 0;

	return tfp_arena_text(&maker->work->out->arena, span.at + before, span.size - before);
}

/* Tells each device where its own streams begin. */
static void place_streams(struct maker *maker)
{
	struct tfp_streams *streams = &maker->streams;

	for (size_t i = streams->count; i-- > 0;)
		maker->devices.at[streams->at[i].owner - 1].first_stream = i;
}

/* The streams of PART's device below its row, and the kernels below those. Launching is the host's. */
static void add_streams(struct maker *maker, struct part part)
{
	const struct device *device = &maker->devices.at[part.device];
	const struct tfp_streams *streams = &maker->streams;

	if (part.side == LAUNCH || (part.side == WHOLE && device->side[KERNELS].nodes))
		return;
	for (size_t i = device->first_stream;
	     i < streams->count && streams->at[i].owner == part.device + 1; i++) {
		struct tfp_breakdown_row *row = tfp_work_row(maker->work, &streams->at[i].group,
							     stream_label(maker, &streams->at[i]));

		row->depth = streams->at[i].kernel ? 2 : 1;
		row->defined = -1; /* a node runs several kernels */
		maker->work->out->nested = true;
	}
}

/* Takes all sides that have nodes as PARTS, GROUPS and ITEMS in no order yet. Returns how many. */
static size_t list_parts(const struct maker *maker, struct part *parts, struct tfp_group *groups,
			 struct tfp_rank *items)
{
	size_t count = 0;

	for (uint32_t device = 0; device < maker->devices.count; device++)
		for (int side = 0; side < SIDES; side++) {
			const struct tfp_group *group = &maker->devices.at[device].side[side];

			if (!group->nodes)
				continue;
			parts[count] = (struct part){device, (enum side)side};
			groups[count] = *group;
			items[count] = (struct tfp_rank){group->value, (uint32_t)count};
			count++;
		}
	return count;
}

static void make_rows(struct maker *maker)
{
	struct tfp_work *work = maker->work;
	size_t room = maker->devices.count * SIDES, count, most;
	struct part *parts = tfp_realloc_array(NULL, room, sizeof(*parts));
	struct tfp_group *groups = tfp_realloc_array(NULL, room, sizeof(*groups));
	struct tfp_rank *items = tfp_realloc_array(NULL, room, sizeof(*items));

	count = list_parts(maker, parts, groups, items);
	most = tfp_rank_largest(items, count);
	work->out->rows = tfp_arena_alloc(&work->out->arena, (most + maker->streams.count + 1) *
								     sizeof(*work->out->rows));
	for (size_t i = 0; i < most; i++) {
		struct part part = parts[items[i].id];

		tfp_work_row(work, &groups[items[i].id],
			     make_label(maker, maker->devices.at[part.device].name, part.side));
		add_streams(maker, part);
	}
	if (count > most)
		tfp_work_others(work, groups, items + most, count - most);
	free(parts);
	free(groups);
	free(items);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What nodes ran on streams is time on the accelerator, in which other figures have no part. */
static bool has_streams(const struct tfp_work *work)
{
	const struct tfp_profile *profile = work->build.profile;

	return profile->has_streams && profile->tensorflow &&
	       (work->metric == TFP_TF_MICROS || work->metric == TFP_TF_ACCELERATOR_MICROS);
}

bool tfp_break_devices(struct tfp_work *work)
{
	struct maker maker = {.work = work, .table = tfp_lookup_new()};
	bool done = true;

	if (has_streams(work))
		maker.owner =
			tfp_alloc_zero(work->build.profile->nodes.count, sizeof(*maker.owner));
	for (size_t i = 0; i < work->nodes.count && done; i++) {
		done = !tfp_work_stopped(work, i);
		add_node(&maker, work->nodes.at[i]);
	}
	if (done && maker.owner)
		done = tfp_streams_find(work, maker.owner, &maker.streams);
	if (done) {
		place_streams(&maker);
		make_rows(&maker);
	}
	tfp_lookup_free(maker.table);
	tfp_array_free(&maker.devices);
	tfp_array_free(&maker.streams);
	free(maker.owner);
	return done;
}
