/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of Chrome traces share: profiles from texts, their events by name, and who owns what ran on a GPU.
 */
#ifndef TFPROF_TESTS_CHROME_TEXT_H
#define TFPROF_TESTS_CHROME_TEXT_H

#include "load_help.h"
#include "tfprof/trace.h"

/* A whole event as PyTorch writes it. */
#define X(cat, name, pid, tid, ts, dur, args)                                                      \
	"{\"ph\": \"X\", \"cat\": \"" cat "\", \"name\": \"" name "\", \"pid\": " pid              \
	", \"tid\": " tid ", \"ts\": " ts ", \"dur\": " dur ", \"args\": {" args "}},\n"

static inline struct tfp_profile *load_texts(const char *const *texts, size_t count,
					     struct tfp_diag *diag)
{
	struct tfp_profile *profile = tfp_profile_new();

	for (size_t i = 0; i < count; i++)
		assert_true(load_source(profile, "chrome", source_of_text(texts[i]), 0, diag));
	assert_true(loader_named("chrome")->finish(profile, NULL, diag));
	tfp_profile_finish(profile);
	assert_true(tfp_profile_need(profile, TFP_PART_STACKS | TFP_PART_ALLOCS, NULL, diag));
	return profile;
}

static inline struct tfp_profile *load_text(const char *text, struct tfp_diag *diag)
{
	return load_texts(&text, 1, diag);
}

static inline const char *name_of(const struct tfp_profile *profile, uint32_t event)
{
	return tfp_strings_text(profile->strings,
				profile->nodes.name[tfp_trace_node(profile->trace, event)]);
}

/* The first event whose node has that name; TFP_NONE. */
static inline uint32_t event_named(const struct tfp_profile *profile, const char *name)
{
	for (uint32_t i = 0; i < profile->trace->count; i++)
		if (!strcmp(name_of(profile, i), name))
			return i;
	return TFP_NONE;
}

static inline const char *lane_of(const struct tfp_profile *profile, uint32_t event)
{
	const struct tfp_trace *trace = profile->trace;

	return tfp_strings_text(profile->strings,
				trace->lanes.at[tfp_trace_lane(trace, event)].name);
}

static inline const char *device_of(const struct tfp_profile *profile, uint32_t event)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t device = trace->lanes.at[tfp_trace_lane(trace, event)].device;

	return tfp_strings_text(profile->strings, trace->devices.at[device].name);
}

static inline const char *owner_of(const struct tfp_profile *profile, int64_t start)
{
	const struct tfp_trace *trace = profile->trace;

	for (uint32_t i = 0; i < trace->device_events; i++)
		if (tfp_trace_start(trace, tfp_trace_device_event(trace, i)) == start)
			return name_of(profile, tfp_trace_device_event(trace, i));
	return "";
}

static inline void expect_event(const struct tfp_profile *profile, const char *name, int64_t start,
				int64_t duration)
{
	uint32_t event = event_named(profile, name);

	if (event == TFP_NONE)
		fail_msg("there is no event %s", name);
	assert_int_equal(tfp_trace_start(profile->trace, event), start);
	assert_int_equal(tfp_trace_duration(profile->trace, event), duration);
}

#endif
