/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording made by JAX on a GPU, and tables that another program made of the same file.
 * XPLANE=NAME compares another file, NAME.xplane.pb.gz, with its tables NAME.tables.txt.
 */
#ifndef TFPROF_TESTS_XPLANE_WORLD_H
#define TFPROF_TESTS_XPLANE_WORLD_H

#include <inttypes.h>
#include <setjmp.h>

#include "load/xplane/reader.h"
#include "tables.h"
#include "test_path.h"
#include "xplane_lines.h"
#include "tfprof/load.h"

#define KEY_ROOM 8192

struct world {
	struct tfp_diag *diag;
	struct tfp_profile *profile;
	struct tfp_trace *trace;
	struct tfp_source *source;
	struct tfp_xspace space;
	char *tables;
};

static inline const char *path_of(const char *ending)
{
	static char path[TEST_PATH];
	const char *other = getenv("XPLANE");

	if (!other)
		return test_path(path, "data/gpu/jax_small%s", ending);
	snprintf(path, sizeof(path), "%s%s", other, ending);
	return path;
}

static inline char *read_text(const char *path)
{
	struct tfp_source *source = tfp_source_open(path, NULL, NULL);
	char *text;

	assert_non_null(source);
	text = strndup((const char *)source->data, source->size);
	tfp_source_free(source);
	return text;
}

static inline int set_up(void **state)
{
	struct world *world = tfp_alloc_zero(1, sizeof(*world));
	struct tfp_named_file file = {.path = path_of(".xplane.pb.gz")};

	world->diag = tfp_diag_new();
	world->profile = tfp_load(&file, 1, NULL, world->diag);
	assert_non_null(world->profile);
	world->trace = world->profile->trace;
	leave_out_made(world->trace);
	world->source = tfp_source_open(file.path, NULL, world->diag);
	assert_true(tfp_xspace_read(&world->space, world->source, 1, NULL, world->diag));
	world->tables = read_text(path_of(".tables.txt"));
	*state = world;
	return 0;
}

static inline int tear_down(void **state)
{
	struct world *world = *state;

	tfp_profile_free(world->profile);
	tfp_xspace_free(&world->space);
	tfp_source_free(world->source);
	tfp_diag_free(world->diag);
	free(world->tables);
	tfp_array_release(world);
	return 0;
}

/* ---- short ways to ask ----------------------------------------------------------------------- */

static inline const char *text_of(const struct world *world, tfp_str text)
{
	return tfp_strings_text(world->profile->strings, text);
}

static inline bool is_device(const struct tfp_trace *trace, uint32_t event)
{
	return !trace->devices.at[trace->lanes.at[tfp_trace_lane(trace, event)].device].host;
}

/* The number of the plane that EVENT's lane is of, and that of the lane among its lines. */
static inline size_t plane_of(const struct world *world, uint32_t lane, size_t *line)
{
	uint32_t device = world->trace->lanes.at[lane].device, first = lane;
	const char *name = text_of(world, world->trace->devices.at[device].name);
	size_t plane = 0;

	while (first && world->trace->lanes.at[first - 1].device == device)
		first--;
	while (!tfp_span_is(world->space.planes.at[plane].name, name))
		plane++;
	*line = lane - first;
	return plane;
}

static inline size_t plane_of_event(const struct world *world, uint32_t event)
{
	size_t line;

	return plane_of(world, tfp_trace_lane(world->trace, event), &line);
}

/* The attribute NAME of NODE; "-" if there is none. */
static inline const char *attribute(const struct tfp_profile *profile, uint32_t node,
				    const char *name)
{
	static char value[KEY_ROOM];
	struct tfp_attributes attributes = {0};

	snprintf(value, sizeof(value), "-");
	tfp_profile_attributes(profile, node, &attributes);
	for (size_t i = 0; i < attributes.list.count; i++)
		if (!strcmp(attributes.list.at[i].name, name))
			snprintf(value, sizeof(value), "%s", attributes.list.at[i].value);
	tfp_attributes_free(&attributes);
	return value;
}

static inline const char *attribute_of(const struct world *world, uint32_t event, const char *name)
{
	return attribute(world->profile, tfp_trace_node(world->trace, event), name);
}

/* The measure of the union of the events that CHOSEN says. */
static inline int64_t union_of(const struct world *world, const bool *chosen)
{
	const struct tfp_trace *trace = world->trace;
	int64_t sum = 0, end = INT64_MIN;

	for (int64_t after = INT64_MIN;;) {
		int64_t start = INT64_MAX;

		for (uint32_t i = 0; i < trace->count; i++)
			if (chosen[i] && tfp_trace_start(trace, i) > after &&
			    tfp_trace_start(trace, i) < start)
				start = tfp_trace_start(trace, i);
		if (start == INT64_MAX)
			return sum;
		for (uint32_t i = 0; i < trace->count; i++)
			if (chosen[i] && tfp_trace_start(trace, i) == start &&
			    tfp_trace_end(trace, i) > end) {
				sum += tfp_trace_end(trace, i) - (start > end ? start : end);
				end = tfp_trace_end(trace, i);
			}
		after = start;
	}
}

static const char *const class_names[] = {
	[TFP_WORK_KERNEL] = "kernel", [TFP_WORK_COPY] = "memcpy", [TFP_WORK_FILL] = "memset",
	[TFP_WORK_COMM] = "kernel",   [TFP_WORK_OTHER] = "other",
};

static inline const struct tfp_trace_work *work_of(const struct world *world, uint32_t event)
{
	return &world->trace->works.at[tfp_trace_work_of(world->trace, event)];
}

#endif
