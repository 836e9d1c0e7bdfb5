/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices in the Chrome traces that JAX, TensorFlow, XLA and others write: processes by the name "/device:GPU:0" or "GPU 0",
 * whose threads are streams, and lines that say again what the streams do. In a trace of PyTorch its own records say what ran
 * on GPUs; but other makers' profilers add processes for their devices.
 */
#include <string.h>

#include "load/chrome/chrome.h"
#include "load/details.h"
#include "load/lines.h"

#define MOST_DEVICES 256 /* processes beyond these are taken for hosts */

/* What the lanes of a device say of what it did, the best first: only those of the first that it has do count. */
enum rank {
	RANK_STREAM,
	RANK_OPS,
	RANK_OPS_OF_STREAM,
	RANK_PART, /* of a chip, as its SparseCores */
	RANK_WORK,
	RANK_MODULES,
	RANK_NONE
};

static const char *lane_name(const struct chrome *chrome, const struct track *track)
{
	return tfp_strings_text(chrome->profile->strings,
				chrome->trace->lanes.at[track->lane].name);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* What the process is called, or written as in place of a number. */
static const char *process_name(const struct chrome *chrome, const struct process *process)
{
	return tfp_strings_text(chrome->profile->strings,
				process->name ? process->name : chrome_text_of(process->id));
}

/* "GPU 1", but no "GPU Process". */
static bool is_numbered(const char *name, const char *what)
{
	size_t size = strlen(what);

	return begins(name, what) && name[size] >= '0' && name[size] <= '9';
}

/* "GPU1", but no "GPU1 Queue" */
static bool is_gpu(const char *name)
{
	return is_numbered(name, "GPU") && !name[3 + strspn(name + 3, "0123456789")];
}

static bool is_device(const char *name)
{
	static const char *const numbered[] = {"GPU ", "gpu ", "NPU ", "Device "};

	for (size_t i = 0; i < sizeof(numbered) / sizeof(*numbered); i++)
		if (is_numbered(name, numbered[i]))
			return true;
	return (begins(name, "/device:") && !strstr(name, "CPU")) || begins(name, "CUDA HW") ||
	       !strcmp(name, "CUDA functions") || is_gpu(name);
}

enum role {
	ROLE_HOST,
	ROLE_DEVICE,
	ROLE_REPEAT /* says again what devices do */
};

static const char ascend[] = "Ascend Hardware";

/* Processes of Ascend's profiler, beside those of PyTorch or alone. */
static const struct {
	const char *name;
	enum role role;
	bool beside; /* only where the device is there, too */
} added[] = {
	{ascend, ROLE_DEVICE, false},
	{"Overlap Analysis", ROLE_REPEAT, false},
	/* collectives, each and its pieces, which the device's streams have as tasks */
	{"HCCL", ROLE_REPEAT, true},
	{"Communication", ROLE_REPEAT, true},
};

/* What the whole file has. */
struct writers {
	bool torch;  /* records of PyTorch, which say what ran on GPUs */
	bool ascend; /* what a device of Ascend did */
};

static struct writers find_writers(const struct chrome *chrome)
{
	struct writers writers = {.torch = chrome->torch};

	for (size_t i = 0; i < chrome->processes.count; i++)
		writers.ascend |= !strcmp(process_name(chrome, &chrome->processes.at[i]), ascend);
	return writers;
}

static enum role role_of(const struct chrome *chrome, const struct process *process,
			 struct writers writers)
{
	const char *name = process_name(chrome, process);

	if (!process->host || process->rest)
		return ROLE_HOST;
	for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++)
		if (!strcmp(name, added[i].name) && (writers.ascend || !added[i].beside))
			return added[i].role;
	return !writers.torch && is_device(name) ? ROLE_DEVICE : ROLE_HOST;
}

static enum rank rank_of(const struct chrome *chrome, const struct track *track)
{
	static const enum rank ranks[] = {
		[TFP_LINE_WORK] = RANK_WORK,       [TFP_LINE_OPS] = RANK_OPS,
		[TFP_LINE_MODULES] = RANK_MODULES, [TFP_LINE_STEPS] = RANK_NONE,
		[TFP_LINE_REPEAT] = RANK_NONE,
	};
	const char *name = lane_name(chrome, track);
	struct tfp_span whole = tfp_span_of(name);
	enum tfp_line line = tfp_line_of(whole);

	if (track->kind != KIND_OTHER)
		return RANK_NONE;
	if (begins(name, "Stream") || begins(name, "stream"))
		return RANK_STREAM;
	if (line != TFP_LINE_OPS)
		return ranks[line];
	if (!begins(name, "XLA Ops"))
		return RANK_PART;
	return tfp_line_without_stream(whole).size < whole.size ? RANK_OPS_OF_STREAM : RANK_OPS;
}

static enum rank best_rank(const struct chrome *chrome, const struct process *process)
{
	enum rank best = RANK_NONE;

	for (size_t i = 0; i < chrome->tracks.count; i++) {
		const struct track *track = &chrome->tracks.at[i];
		enum rank rank = track->process == process->id ? rank_of(chrome, track) : RANK_NONE;

		best = rank < best ? rank : best;
	}
	return best;
}

/* By lane, of those that were there before: later ones are drawn only. */
struct changes {
	size_t count;
	bool *lanes; /* it is one of a device now, or drawn only */
	bool *nests; /* its ops do */
};

static void change_tracks(struct chrome *chrome, const struct process *process, enum role role,
			  struct changes *changes)
{
	enum rank best = role == ROLE_DEVICE ? best_rank(chrome, process) : RANK_NONE;

	for (size_t i = 0; i < chrome->tracks.count; i++) {
		const struct track *track = &chrome->tracks.at[i];
		bool works = best != RANK_NONE && rank_of(chrome, track) == best;

		if (track->process != process->id)
			continue;
		chrome->trace->lanes.at[track->lane].kind =
			works ? TFP_LANE_DEVICE : TFP_LANE_DERIVED;
		changes->lanes[track->lane] = true;
		changes->nests[track->lane] = works && best >= RANK_OPS && best <= RANK_PART;
		if (track->kind == KIND_OTHER &&
		    tfp_line_of(tfp_span_of(lane_name(chrome, track))) == TFP_LINE_STEPS)
			*tfp_array_push(&chrome->step_lanes) = track->lane;
	}
}

static void make_device_event(struct chrome *chrome, uint32_t event, uint32_t correlation)
{
	struct tfp_trace *trace = chrome->trace;
	uint32_t place = tfp_trace_node(trace, event);
	const struct site *site = &chrome->sites.at[place];
	struct tfp_span name = tfp_strings_get(chrome->profile->strings, site->op);
	struct tfp_trace_work work = {
		.name = site->title,
		.class = tfp_is_collective(name) ? TFP_WORK_COMM : TFP_WORK_KERNEL,
		.bytes = site->bytes,
		.registers = -1,
		.static_shared = -1,
		.dynamic_shared = -1,
		.occupancy = -1,
	};

	if (begins(name.at, "Memcpy"))
		work.class = TFP_WORK_COPY;
	tfp_xdetails_kernel(site->values, &work);
	tfp_trace_set_work(trace, event, tfp_trace_add_work(chrome->profile, &work));
	tfp_trace_set_node(trace, event, (uint32_t)chrome->device_events.count);
	*tfp_array_push(&chrome->device_events) = (struct device_event){
		.event = event,
		.owner = TFP_NONE,
		.site = place,
		.external = NO_ID,
		.correlation = correlation,
	};
}

/* Events are as added, and launches in that order: those on devices are launches no more, their numbers say what launched them. */
static void make_device_events(struct chrome *chrome, const struct changes *changes)
{
	struct tfp_trace *trace = chrome->trace;
	size_t launch = 0, kept = 0;

	for (uint32_t i = chrome->first_event; i < trace->count; i++) {
		uint32_t lane = tfp_trace_lane(trace, i);
		enum tfp_lane_kind kind = trace->lanes.at[lane].kind;
		bool launches =
			launch < chrome->launches.count && chrome->launches.at[launch].event == i;
		uint32_t correlation = launches ? chrome->launches.at[launch].number : NO_ID;

		if (launches && kind == TFP_LANE_HOST)
			chrome->launches.at[kept++] = chrome->launches.at[launch];
		launch += launches;
		if (lane < changes->count && !changes->lanes[lane])
			continue;
		if (kind == TFP_LANE_DEVICE)
			make_device_event(chrome, i, correlation);
		else if (chrome_is_other(chrome->sites.at[tfp_trace_node(trace, i)].kind))
			tfp_trace_set_work(trace, i, TFP_NONE);
	}
	chrome->launches.count = kept;
}

static void change_process(struct chrome *chrome, const struct process *process, enum role role,
			   struct changes *changes)
{
	chrome->trace->devices.at[process->device].host = role != ROLE_DEVICE;
	change_tracks(chrome, process, role, changes);
	/* PyTorch's first profiler is known by this alone. */
	chrome->torch = chrome->torch || !strcmp(process_name(chrome, process), "CUDA functions");
}

void chrome_find_devices(struct chrome *chrome)
{
	size_t lanes = chrome->trace->lanes.count, found = 0;
	struct writers writers = find_writers(chrome);
	struct changes changes = {lanes, tfp_alloc_zero(lanes + 1, sizeof(bool)),
				  tfp_alloc_zero(lanes + 1, sizeof(bool))};

	for (size_t i = 0; i < chrome->processes.count && found < MOST_DEVICES; i++) {
		const struct process *process = &chrome->processes.at[i];
		enum role role = role_of(chrome, process, writers);

		if (role == ROLE_HOST)
			continue;
		change_process(chrome, process, role, &changes);
		found++;
	}
	if (found) {
		chrome_set_loops_apart(chrome, changes.nests);
		make_device_events(chrome, &changes);
	}
	tfp_array_release(changes.lanes);
	tfp_array_release(changes.nests);
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static bool marks_steps(const struct chrome *chrome)
{
	const struct tfp_trace *trace = chrome->trace;

	for (size_t i = 0; i < trace->marks.count; i++)
		if (trace->marks.at[i].file == chrome->file)
			return true;
	return false;
}

void chrome_mark_device_steps(struct chrome *chrome)
{
	struct tfp_profile *profile = chrome->profile;
	const struct tfp_trace *trace = chrome->trace;

	if (marks_steps(chrome))
		return;
	for (size_t i = 0; i < chrome->step_lanes.count; i++) {
		const struct tfp_lane *lane = &trace->lanes.at[chrome->step_lanes.at[i]];

		for (uint32_t at = lane->first; at < lane->first + lane->count; at++) {
			tfp_str name = profile->nodes.name[tfp_trace_node(trace, at)];
			int64_t number;

			if (tfp_number_parse(tfp_strings_text(profile->strings, name), &number) &&
			    number >= 0)
				tfp_trace_mark_step(profile, chrome->file, chrome->step_lanes.at[i],
						    number, 0, tfp_trace_start(trace, at),
						    tfp_trace_end(trace, at));
		}
	}
}
