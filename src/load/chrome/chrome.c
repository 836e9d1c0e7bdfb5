/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chrome traces: takes a file from its text to events with owners. Those of PyTorch are read by what
 * its categories mean; of others, what is nested on a thread is a path.
 */
#include <string.h>
#include <unistd.h>

#include "load/chrome/chrome.h"
#include "load/chrome/sniff.h"
#include "load/times.h"
#include "tfprof/thread.h"

#define DAY (INT64_C(86400) * 1000000000) /* in nanoseconds */

/* ---- from events to nodes ------------------------------------------------------------------------- */

/* Files of several ranks have their own time 0: that of the first counts. */
static void shift(struct chrome *chrome)
{
	struct tfp_trace *trace = chrome->trace;
	int64_t by;

	chrome->until = chrome->latest;
	if (!trace->epoch_nanos)
		trace->epoch_nanos = chrome->base;
	by = tfp_wrap_add(chrome->base, -trace->epoch_nanos);
	if (!chrome->base || !by)
		return;
	chrome->until = tfp_wrap_add(chrome->until, by);
	tfp_trace_move_starts(trace, chrome->first_event, trace->count - chrome->first_event, by);
	for (size_t i = 0; i < chrome->flows.count; i++)
		chrome->flows.at[i].time = tfp_wrap_add(chrome->flows.at[i].time, by);
	for (size_t i = 0; i < chrome->back.count; i++)
		chrome->back.at[i].time = tfp_wrap_add(chrome->back.at[i].time, by);
}

bool chrome_is_cap(uint64_t complete)
{
	static const uint64_t caps[] = {1000000, 5000000}; /* of old versions, and since 2026 */

	for (size_t i = 0; i < sizeof(caps) / sizeof(*caps); i++)
		if (complete == caps[i])
			return true;
	return false;
}

/* JAX writes each recording twice, HOST.xplane.pb and HOST.trace.json.gz: what the latter lacks is told. */
static void tell_of_recording(struct chrome *chrome)
{
	static const char ending[] = ".trace.json.gz";
	const char *path = chrome->source->path, *slash = strrchr(path, '/');
	size_t size = strlen(path), host = size - (sizeof(ending) - 1);
	char beside[4096];

	if (chrome->torch || size < sizeof(ending) || strcmp(path + host, ending) != 0)
		return;
	snprintf(beside, sizeof(beside), "%.*s.xplane.pb", (int)host, path);
	if (!access(beside, R_OK))
		tfp_diag_add(chrome->diag, TFP_NOTE, path, -1, 0,
			     "%s beside it holds the same with shapes and scopes, and all of it",
			     slash ? beside + (slash + 1 - path) : beside);
}

static void tell(struct chrome *chrome, uint32_t partial)
{
	const char *path = chrome->source->path;
	uint32_t astray = tfp_times_astray(chrome->trace, chrome->first_event, DAY);
	uint32_t damaged = chrome_damaged_names(chrome);

	if (damaged)
		tfp_diag_add(chrome->diag, TFP_WARNING, path, -1, 0,
			     "%u name%s no UTF-8: a sign stands for each byte that can't be read",
			     damaged, damaged == 1 ? " is" : "s are");
	if (astray)
		tfp_diag_add(chrome->diag, TFP_WARNING, path, -1, 0, TFP_TIMES_ASTRAY, astray);
	if (partial)
		tfp_diag_add(chrome->diag, TFP_NOTE, path, -1, 0, TFP_TIMES_PARTIAL, partial);
	chrome_tell_stacks(chrome);
	if (!chrome->torch && chrome_is_cap(chrome->complete))
		tfp_diag_add(
			chrome->diag, TFP_WARNING, path, -1, 0,
			"the file has as many records as JAX writes at most: later ones were dropped there");
	tell_of_recording(chrome);
}

static void find_links(void *data)
{
	chrome_find_callers(data);
	chrome_find_launches(data);
}

static void link_events(void *data)
{
	chrome_link(data);
}

static void merge_ops(void *data)
{
	chrome_merge(data);
}

/* Between its parts, who looks on is not kept waiting. */
static void settle(struct chrome *chrome)
{
	struct chrome_parts *parts = chrome->parts;
	struct tfp_trace *trace = chrome->trace;
	uint32_t partial;

	chrome_close(chrome);
	chrome_name_tracks(chrome);
	chrome_find_devices(chrome);
	chrome_settle_tracks(chrome);
	shift(chrome);
	tfp_trace_arrange(trace, &(struct tfp_arranging){.relink = true,
							 .pieces = chrome->loops.pieces.at,
							 .count = chrome->loops.pieces.count,
							 .meanwhile = find_links,
							 .data = chrome});
	tfp_job_tick(chrome->job);
	chrome_settle_counters(chrome);
	chrome->node_table = tfp_lookup_new();
	chrome_index_nodes(chrome->profile, parts, chrome->node_table);
	chrome_settle_order(chrome);
	tfp_beside(trace->count - chrome->first_event, link_events, chrome, merge_ops, chrome);
	tfp_job_tick(chrome->job);
	chrome_walk(chrome, parts);
	chrome_mark_device_steps(chrome);
	tfp_job_tick(chrome->job);
	partial = tfp_trace_nest(trace, chrome->first_lane);
	chrome_follow_flows(chrome);
	tfp_job_tick(chrome->job);
	tell(chrome, partial);
	chrome_own(chrome, parts);
	tfp_job_tick(chrome->job);
	chrome_keep_memory(chrome, parts);
	tfp_lookup_free(chrome->node_table);
}

/* ---- loading ------------------------------------------------------------------------------------- */

static void start(struct chrome *chrome, struct tfp_profile *profile)
{
	if (!profile->trace) {
		tfp_profile_make_trace(profile, TFP_NANOS);
		chrome_add_metrics(profile);
	}
	profile->has_scopes = true;
	chrome->parts = chrome_parts_of(profile);
	chrome->trace = profile->trace;
	chrome->site_table = tfp_lookup_new();
	chrome->rank = -1;
	chrome->first_lane = (uint32_t)profile->trace->lanes.count;
	chrome->first_event = profile->trace->count;
	memset(chrome->last_track, 0xff, sizeof(chrome->last_track));
	chrome->rest[0] = chrome->rest[1] = TFP_NONE;
	chrome->latest = INT64_MIN;
	chrome->back_stride = 1;
}

static void end(struct chrome *chrome)
{
	tfp_array_free(&chrome->room);
	tfp_array_free(&chrome->words);
	tfp_array_free(&chrome->joined);
	tfp_arena_free(&chrome->held);
	tfp_array_free(&chrome->sites);
	tfp_lookup_free(chrome->site_table);
	tfp_array_free(&chrome->tracks);
	tfp_idmap_free(&chrome->track_map);
	tfp_array_free(&chrome->processes);
	tfp_idmap_free(&chrome->process_map);
	tfp_array_free(&chrome->names);
	tfp_array_free(&chrome->begun);
	tfp_idmap_free(&chrome->open_map);
	tfp_array_free(&chrome->open);
	tfp_array_free(&chrome->ops);
	tfp_array_free(&chrome->rare);
	tfp_array_free(&chrome->device_events);
	tfp_array_free(&chrome->memory);
	tfp_array_free(&chrome->launches);
	tfp_array_free(&chrome->unnumbered);
	tfp_array_free(&chrome->calls);
	tfp_array_free(&chrome->flows);
	tfp_array_free(&chrome->back);
	tfp_array_free(&chrome->step_lanes);
	tfp_array_free(&chrome->loops.pieces);
	tfp_array_free(&chrome->node_kind);
	tfp_array_free(&chrome->models);
	tfp_array_free(&chrome->frames);
	tfp_idmap_free(&chrome->frame_map);
	chrome_ahead_free(chrome->ahead);
	tfp_source_free(chrome->source);
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct chrome chrome = {
		.profile = profile, .source = source, .file = file, .job = job, .diag = diag};
	bool read;

	(void)step;
	start(&chrome, profile);
	read = chrome_read(&chrome);
	if (read && chrome.trace->count == chrome.first_event)
		tfp_diag_add(diag, TFP_ERROR, source->path, -1, 0, "there is no event in the file");
	read = read && chrome.trace->count > chrome.first_event;
	if (read) {
		chrome_look_ahead(&chrome);
		settle(&chrome);
		profile->format = chrome.torch ? "kineto" : "chrome";
	}
	end(&chrome);
	return read;
}

/* What stands first. */
static bool load_part(struct tfp_profile *profile, struct tfp_source *source, double share,
		      uint32_t file, struct tfp_job *job, struct tfp_diag *diag)
{
	size_t size = (size_t)(share * (double)tfp_source_expected(source));

	size = size < source->size ? size : source->size;
	return load(profile, tfp_source_part(source, size), file, 0, job, diag);
}

static bool finish(struct tfp_profile *profile, struct tfp_job *job, struct tfp_diag *diag)
{
	chrome_name_ranks(profile, chrome_parts_of(profile)->ranked, diag);
	if (chrome_parts_of(profile)->estimated)
		profile->metrics[TFP_TRACE_FLOPS].label =
			"float_ops estimated by the shapes of inputs";
	chrome_make_steps(profile, chrome_parts_of(profile));
	chrome_mark_weights(profile, chrome_parts_of(profile));
	tfp_trace_align(profile, diag);
	return tfp_trace_tally(profile, job);
}

const struct tfp_loader tfp_kineto_loader = {
	.name = "kineto",
	.label = "PyTorch trace",
	.alone = true,
	.several = true,
	.grows = true,
	.sniff = chrome_sniff_torch,
	.load = load,
	.part = load_part,
	.finish = finish,
};

const struct tfp_loader tfp_chrome_loader = {
	.name = "chrome",
	.label = "Chrome trace",
	.alone = true,
	.several = true,
	.grows = true,
	.sniff = chrome_sniff,
	.wants_more = chrome_wants_more,
	.load = load,
	.part = load_part,
	.finish = finish,
};
