/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices in the Chrome traces that JAX, TensorFlow and XLA write: processes by the name "/device:GPU:0", whose threads are
 * streams, and lines that say again what the streams do.
 */
#include <string.h>

#include "load/chrome/chrome.h"

/* What a track of a device is called that has its kernels, or on a TPU its operations. */
#define STREAM       "Stream"
#define OPERATIONS   "XLA Ops"
#define MOST_DEVICES 256 /* processes beyond these are taken for hosts */

static const char *lane_name(const struct chrome *chrome, const struct track *track)
{
	return tfp_strings_text(chrome->profile->strings,
				chrome->trace->lanes.at[track->lane].name);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_device(const struct chrome *chrome, const struct process *process)
{
	const char *name = tfp_strings_text(chrome->profile->strings, process->name);

	return process->host && !process->rest && begins(name, "/device:") && !strstr(name, "CPU");
}

/* Whether a track of PROCESS has a name that begins with PART. */
static bool has_track(const struct chrome *chrome, const struct process *process, const char *part)
{
	for (size_t i = 0; i < chrome->tracks.count; i++)
		if (chrome->tracks.at[i].process == process->id &&
		    begins(lane_name(chrome, &chrome->tracks.at[i]), part))
			return true;
	return false;
}

static void change_tracks(struct chrome *chrome, const struct process *process)
{
	const char *wanted = has_track(chrome, process, STREAM)       ? STREAM
			     : has_track(chrome, process, OPERATIONS) ? OPERATIONS
								      : "";

	for (size_t i = 0; i < chrome->tracks.count; i++) {
		struct track *track = &chrome->tracks.at[i];
		bool works = track->kind == KIND_OTHER && begins(lane_name(chrome, track), wanted);

		if (track->process == process->id)
			chrome->trace->lanes.at[track->lane].kind =
				works ? TFP_LANE_DEVICE : TFP_LANE_DERIVED;
	}
}

static void make_device_event(struct chrome *chrome, uint32_t event)
{
	struct tfp_trace *trace = chrome->trace;
	uint32_t site = trace->node[event];
	tfp_str title = chrome->sites.at[site].title;
	struct tfp_span name = tfp_strings_get(chrome->profile->strings, title);
	struct tfp_trace_work work = {
		.name = title,
		.class = tfp_span_holds(name, "nccl") ? TFP_WORK_COMM : TFP_WORK_KERNEL,
		.registers = -1,
		.static_shared = -1,
		.dynamic_shared = -1,
		.occupancy = -1,
	};

	if (begins(name.at, "Memcpy"))
		work.class = TFP_WORK_COPY;
	trace->work[event] = tfp_trace_add_work(chrome->profile, &work);
	trace->node[event] = (uint32_t)chrome->device_events.count;
	*tfp_array_push(&chrome->device_events) = (struct device_event){
		.event = event,
		.owner = TFP_NONE,
		.site = site,
		.external = NO_ID,
		.correlation = NO_ID,
	};
}

void chrome_find_devices(struct chrome *chrome)
{
	struct tfp_trace *trace = chrome->trace;
	size_t found = 0;

	for (size_t i = 0; i < chrome->processes.count && found < MOST_DEVICES; i++) {
		const struct process *process = &chrome->processes.at[i];

		if (!is_device(chrome, process))
			continue;
		trace->devices.at[process->device].host = false;
		change_tracks(chrome, process);
		found++;
	}
	for (uint32_t i = chrome->first_event; found && i < trace->count; i++)
		if (trace->lanes.at[trace->lane[i]].kind == TFP_LANE_DEVICE)
			make_device_event(chrome, i);
}
