/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of the XPlane kind written as text, loaded, and short ways to ask what came of them. */
#ifndef TFPROF_TESTS_MADE_XPLANE_H
#define TFPROF_TESTS_MADE_XPLANE_H

#include <string.h>

#include "load/loaders.h"
#include "load/xplane/reader.h"
#include "proto/xplane.pb-c.h"
#include "world.h"

static inline struct tfp_source *wire_of(const char *text, struct tfp_diag *diag)
{
	struct tfp_source *source =
		tfp_source_from_bytes("host.xplane.pb", (uint8_t *)tfp_strdup(text), strlen(text));
	struct tfp_source *wire =
		tfp_textproto_to_wire(source, &tfp__xspace__descriptor, NULL, diag);

	tfp_source_free(source);
	assert_non_null(wire);
	return wire;
}

static inline void add_file(struct world *world, struct tfp_source *source, const char *path)
{
	uint32_t file = tfp_profile_add_file(world->profile, path, "xplane", source->size, 0);

	assert_int_equal(tfp_xplane_loader.sniff(source), 100);
	assert_true(tfp_xplane_read(world->profile, source, 1, file, true, NULL, world->diag));
	world->trace = world->profile->trace;
}

static inline void finish(struct world *world)
{
	assert_true(tfp_xplane_loader.finish(world->profile, NULL, world->diag));
	tfp_profile_finish(world->profile);
}

static inline void load(struct world *world, const char *text)
{
	add_file(world, wire_of(text, world->diag), "host.xplane.pb");
	finish(world);
}

static inline const char *text_of(const struct world *world, tfp_str text)
{
	return tfp_strings_text(world->profile->strings, text);
}

static inline uint32_t node_named(const struct world *world, const char *name)
{
	tfp_str text = tfp_strings_find(world->profile->strings, name, strlen(name));
	uint32_t node = tfp_profile_find_node(world->profile, text);

	assert_true(node != TFP_NONE);
	return node;
}

static inline int64_t value_of(const struct world *world, const char *name,
			       enum tfp_trace_metric metric)
{
	int64_t values[TFP_MAX_METRICS];

	tfp_profile_values(world->profile, node_named(world, name), TFP_STEP_MEAN, 0, values);
	return values[metric];
}

static inline bool has_problem(const struct world *world, const char *part, uint64_t count)
{
	for (size_t i = 0; i < tfp_diag_count(world->diag); i++)
		if (strstr(tfp_diag_get(world->diag, i).text, part))
			return tfp_diag_get(world->diag, i).count == count;
	return count == 0;
}

/* Kinds of events that many tests use. */
#define NAMES                                                                                      \
	"event_metadata { key: 1 value { name: \"one\" } }"                                        \
	"event_metadata { key: 2 value { name: \"long two\" display_name: \"two\" } }"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
