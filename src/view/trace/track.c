/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what lies on lanes: see track.h. */
#include "view/trace/track.h"

/* Does another one of its kind have events in its file? */
static bool has_others(const struct tfp_trace *trace, uint32_t device)
{
	const struct tfp_trace_device *devices = trace->devices.at;

	for (size_t i = 0; i < trace->lanes.count; i++) {
		uint32_t other = trace->lanes.at[i].device;

		if (trace->lanes.at[i].count && other != device &&
		    devices[other].file == devices[device].file &&
		    devices[other].host == devices[device].host)
			return true;
	}
	return false;
}

struct tfp_span tfp_device_own(const struct tfp_profile *profile, uint32_t device)
{
	const struct tfp_trace_device *of = &profile->trace->devices.at[device];

	if (!has_others(profile->trace, device))
		return of->host ? TFP_SPAN("host") : TFP_SPAN("device");
	return tfp_strings_get(profile->strings, of->own ? of->own : of->name);
}

bool tfp_has_ranks(const struct tfp_profile *profile)
{
	const struct tfp_trace *trace = profile->trace;

	for (size_t i = 1; i < trace->devices.count; i++)
		if (trace->devices.at[i].file != trace->devices.at[0].file)
			return true;
	return false;
}

tfp_str tfp_track_name(const struct tfp_profile *profile, uint32_t event)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t node = trace->node[event], work = trace->work[event];

	if (work < trace->works.count)
		return trace->works.at[work].name;
	if (node == TFP_NONE)
		return 0;
	return profile->nodes.flags[node] & TFP_NODE_UNSCOPED ? profile->nodes.name[node]
							      : profile->nodes.op[node];
}

bool tfp_track_holds(const struct tfp_profile *profile, const struct tfp_track *track,
		     uint32_t event)
{
	const struct tfp_trace *trace = profile->trace;
	uint32_t lane = trace->lane[event];

	if (track->lane != TFP_NONE && track->lane != lane)
		return false;
	if (track->device != TFP_NONE && track->device != trace->lanes.at[lane].device)
		return false;
	if (track->work != TFP_NONE && track->work != trace->work[event])
		return false;
	return track->name == TFP_NONE || track->name == tfp_track_name(profile, event);
}

/* ---- variants --------------------------------------------------------------------------------- */

struct text {
	char *at;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
	va_list list;
	int size;

	if (text->size)
		text->size += (size_t)snprintf(text->at + text->size, TFP_VARIANT_ROOM - text->size,
					       ", ");
	va_start(list, format);
	size = vsnprintf(text->at + text->size, TFP_VARIANT_ROOM - text->size, format, list);
	va_end(list);
	text->size += (size_t)size;
}

/* Dimensions of 1 at the end are not worth a word. */
static void put_dims(struct text *text, const char *what, const int32_t dims[3])
{
	if (dims[2] > 1)
		put(text, "%s %dx%dx%d", what, dims[0], dims[1], dims[2]);
	else if (dims[1] > 1)
		put(text, "%s %dx%d", what, dims[0], dims[1]);
	else if (dims[0])
		put(text, "%s %d", what, dims[0]);
}

char *tfp_variant_text(char buffer[TFP_VARIANT_ROOM], const struct tfp_trace_work *work)
{
	struct text text = {buffer, 0};
	int64_t shared = (work->static_shared > 0 ? work->static_shared : 0) +
			 (int64_t)(work->dynamic_shared > 0 ? work->dynamic_shared : 0);
	char number[TFP_NUMBER_ROOM];

	*buffer = '\0';
	put_dims(&text, "grid", work->grid);
	put_dims(&text, "block", work->block);
	if (text.size && work->registers >= 0)
		put(&text, "%d registers", work->registers);
	if (shared > 0)
		put(&text, "%s shared", tfp_number_screen(number, TFP_BYTES, shared));
	if (text.size && work->occupancy >= 0)
		put(&text, "occupancy %g%%", work->occupancy / 100.0);
	if (work->bytes && tfp_work_moves(work))
		put(&text, "%s", tfp_number_screen(number, TFP_BYTES, work->bytes));
	return buffer;
}
