/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks: which lane of which device a record belongs to, and what they are called. GPUs are told from processes by
 * the category of a record: a process may have the number of a GPU.
 */
#include <string.h>

#include "load/chrome/chrome.h"

#define MOST        4096               /* processes that have a device each */
#define MOST_SERIES 4096               /* of values of counters */
#define TEXT_NUMBER (INT64_C(1) << 62) /* texts in place of numbers are above this */

/* What shares a lane. */
static enum kind group_of(enum kind kind)
{
	switch (kind) {
	case KIND_OP:
	case KIND_NOTE:
	case KIND_CALL:
		return KIND_OTHER;
	case KIND_COPY:
	case KIND_FILL:
		return KIND_KERNEL;
	default:
		return kind;
	}
}

static enum tfp_lane_kind kind_of(enum kind group)
{
	if (group == KIND_KERNEL)
		return TFP_LANE_DEVICE;
	if (group == KIND_PYTHON)
		return TFP_LANE_PYTHON;
	return group == KIND_OTHER ? TFP_LANE_HOST : TFP_LANE_DERIVED;
}

int64_t chrome_number_of(struct chrome *chrome, enum field field)
{
	const struct record *record = &chrome->record;
	struct tfp_span text;
	int64_t number = record_number(record, field, -1);

	if (number != -1 || !record_is_text(record, field))
		return number;
	text = record_text(record, field, &chrome->room);
	return TEXT_NUMBER | tfp_strings_add(chrome->profile->strings, text.at, text.size);
}

tfp_str chrome_text_of(int64_t number)
{
	return number >= TEXT_NUMBER ? (tfp_str)(number & ~TEXT_NUMBER) : 0;
}

/* ---- finding ------------------------------------------------------------------------------------- */

static uint64_t mix(struct tfp_hash_key key, int64_t a, int64_t b, uint64_t c)
{
	return tfp_hash_fold((uint64_t)a ^ key.a, ((uint64_t)b ^ key.b) + c);
}

/* A device for each process, or of very many for all the rest together. */
static uint32_t add_process(struct chrome *chrome, int64_t id, bool host)
{
	struct tfp_trace_device device = {.host = host, .file = chrome->file};
	struct process process = {.id = id, .host = host, .rest = chrome->processes.count >= MOST};

	if (process.rest && chrome->rest[host] != TFP_NONE)
		process.device = chrome->rest[host];
	else
		process.device = tfp_trace_add_device(chrome->trace, &device);
	if (process.rest)
		chrome->rest[host] = process.device;
	*tfp_array_push(&chrome->processes) = process;
	return (uint32_t)chrome->processes.count - 1;
}

/* TFP_NONE: there is none. KEY gets the place for it. */
static uint32_t find_process(const struct chrome *chrome, int64_t id, bool host, uint64_t *key)
{
	uint32_t found;

	/* Keys that another has are passed by. */
	for (*key = mix(chrome->profile->hash_key, id, host, 0);; ++*key) {
		found = tfp_idmap_get(&chrome->process_map, *key);
		if (found == TFP_NONE || (chrome->processes.at[found].id == id &&
					  chrome->processes.at[found].host == host))
			return found;
	}
}

static uint32_t process_of(struct chrome *chrome, int64_t id, bool host)
{
	uint64_t key;
	uint32_t found = find_process(chrome, id, host, &key);

	if (found == TFP_NONE) {
		found = add_process(chrome, id, host);
		tfp_idmap_add(&chrome->process_map, key, found);
	}
	return found;
}

static uint32_t add_track(struct chrome *chrome, int64_t process, int64_t thread, enum kind group)
{
	struct track *track = tfp_array_push(&chrome->tracks);
	enum tfp_lane_kind kind = kind_of(group);
	uint32_t owner;
	bool host = group != KIND_KERNEL && group != KIND_REPEAT;
	struct tfp_lane lane = {.kind = kind, .id = thread, .thread = TFP_NONE};

	owner = process_of(chrome, process, host);
	lane.device = chrome->processes.at[owner].device;
	*track = (struct track){
		.process = process,
		.thread = thread,
		.kind = (uint8_t)group,
		.lane = tfp_trace_add_lane(chrome->trace, &lane),
		.open = TFP_NONE,
	};
	return (uint32_t)chrome->tracks.count - 1;
}

static inline bool is_track(const struct track *track, int64_t process, int64_t thread,
			    enum kind group)
{
	return track->process == process && track->thread == thread && track->kind == group;
}

/* TFP_NONE: there is none. KEY gets the place for it. */
static uint32_t find_track(const struct chrome *chrome, int64_t process, int64_t thread,
			   enum kind group, uint64_t *key)
{
	uint32_t found;

	for (*key = mix(chrome->profile->hash_key, process, thread, (uint64_t)group);; ++*key) {
		found = tfp_idmap_get(&chrome->track_map, *key);
		if (found == TFP_NONE ||
		    is_track(&chrome->tracks.at[found], process, thread, group))
			return found;
	}
}

static uint32_t track_of(struct chrome *chrome, int64_t process, int64_t thread, enum kind group)
{
	uint64_t key;
	uint32_t found = find_track(chrome, process, thread, group, &key);

	if (found == TFP_NONE) {
		found = add_track(chrome, process, thread, group);
		tfp_idmap_add(&chrome->track_map, key, found);
	}
	return found;
}

uint32_t chrome_track(struct chrome *chrome, enum kind kind)
{
	enum kind group = group_of(kind);
	int64_t process = chrome_number_of(chrome, FIELD_PROCESS);
	int64_t thread = chrome_number_of(chrome, FIELD_THREAD);
	uint32_t *last = &chrome->last_track[group];

	if (*last >= chrome->tracks.count ||
	    !is_track(&chrome->tracks.at[*last], process, thread, group))
		*last = track_of(chrome, process, thread, group);
	return *last;
}

uint32_t chrome_series(struct chrome *chrome, tfp_str name)
{
	int64_t process = chrome_number_of(chrome, FIELD_PROCESS), series = TEXT_NUMBER | name;
	uint64_t key;

	if (find_track(chrome, process, series, KIND_COUNTER, &key) == TFP_NONE &&
	    ++chrome->series > MOST_SERIES) {
		tfp_diag_add(chrome->diag, TFP_NOTE, chrome->source->path, chrome->record_offset, 0,
			     "values of more counters than are shown were left out");
		return TFP_NONE;
	}
	return track_of(chrome, process, series, KIND_COUNTER);
}

/* ---- names --------------------------------------------------------------------------------------- */

void chrome_add_name(struct chrome *chrome, enum name_kind kind)
{
	struct tfp_span text = record_text(&chrome->record, FIELD_TITLE, &chrome->room);
	struct name name = {.kind = kind};

	while (text.size && text.at[text.size - 1] == ' ')
		text.size--;
	if (!text.size)
		return;
	name.text = tfp_strings_add(chrome->profile->strings, text.at, text.size);
	name.process = chrome_number_of(chrome, FIELD_PROCESS);
	name.thread = chrome_number_of(chrome, FIELD_THREAD);
	*tfp_array_push(&chrome->names) = name;
}

static void use_name(struct chrome *chrome, const struct name *name)
{
	uint64_t key;
	uint32_t found;

	for (int host = 0; host < 2 && name->kind != NAME_THREAD; host++) {
		found = find_process(chrome, name->process, host, &key);
		if (found != TFP_NONE)
			chrome->processes.at[found].name = name->text;
	}
	for (int group = 0; group < KINDS && name->kind == NAME_THREAD; group++) {
		found = find_track(chrome, name->process, name->thread, (enum kind)group, &key);
		if (found != TFP_NONE)
			chrome->trace->lanes.at[chrome->tracks.at[found].lane].name = name->text;
	}
}

/* PyTorch's end of a recording is in no process and no thread. */
static const char *number_text(const struct chrome *chrome, int64_t number, char room[32])
{
	const char *text;

	if (number >= TEXT_NUMBER) {
		text = tfp_strings_text(chrome->profile->strings, chrome_text_of(number));
		return *text ? text : "(none)";
	}
	snprintf(room, 32, "%lld", (long long)number);
	return room;
}

static bool is_ranked(const struct chrome *chrome)
{
	return chrome->rank >= 0 && (chrome->ranks > 1 || chrome->file);
}

static void name_device(struct chrome *chrome, const struct process *process)
{
	struct tfp_strings *strings = chrome->profile->strings;
	struct tfp_trace_device *device = &chrome->trace->devices.at[process->device];
	char rank[40] = "", room[32], name[512];
	const char *number = number_text(chrome, process->id, room);
	const char *given = tfp_strings_text(strings, process->name);

	if (is_ranked(chrome))
		snprintf(rank, sizeof(rank), "rank %lld ", (long long)chrome->rank);
	else if (chrome->file)
		snprintf(rank, sizeof(rank), "file %u ", chrome->file + 1);
	if (process->rest)
		snprintf(name, sizeof(name), "%sother processes", rank);
	else if (!process->host)
		snprintf(name, sizeof(name), "%sgpu %s", rank, number);
	else if (process->id < 0)
		snprintf(name, sizeof(name), "%s%s", rank, chrome->torch ? "profiler" : "process");
	else if (!*given || process->id >= TEXT_NUMBER)
		snprintf(name, sizeof(name), "%s%s%s", rank,
			 process->id >= TEXT_NUMBER ? "" : "process ", *given ? given : number);
	else if (!chrome->torch)
		snprintf(name, sizeof(name), "%s%s", rank, given);
	else
		snprintf(name, sizeof(name), "%s%s (%s)", rank, given, number);
	device->name = tfp_strings_add_text(strings, name);
	device->own = tfp_strings_add_text(strings, name + strlen(rank));
	if (chrome->rank >= 0 && chrome->rank < INT32_MAX)
		device->rank = (uint32_t)chrome->rank + 1;
	if (!process->host)
		device->model = chrome_model(chrome, process->id);
}

static void name_lane(struct chrome *chrome, const struct track *track)
{
	static const char *const ends[KINDS] = {
		[KIND_PYTHON] = " Python",
		[KIND_REPEAT] = " annotations",
		[KIND_INSTANT] = " instants",
		[KIND_ASYNC] = " asynchronous",
	};
	struct tfp_lane *lane = &chrome->trace->lanes.at[track->lane];
	struct tfp_strings *strings = chrome->profile->strings;
	const char *given = tfp_strings_text(strings, lane->name);
	const char *end = ends[track->kind] ? ends[track->kind] : "";
	bool stream = track->kind == KIND_KERNEL || track->kind == KIND_REPEAT;
	char room[32], name[512];

	if (*given)
		snprintf(name, sizeof(name), "%s%s", given, end);
	else
		snprintf(name, sizeof(name), "%s%s%s",
			 track->thread >= TEXT_NUMBER ? ""
			 : stream                     ? "stream "
						      : "thread ",
			 number_text(chrome, track->thread, room), end);
	lane->name = tfp_strings_add_text(strings, name);
	/* Numbers that stand for texts say nothing. */
	if (lane->id >= TEXT_NUMBER)
		lane->id = 0;
}

uint32_t chrome_op_lane(const struct chrome *chrome, uint32_t track)
{
	const struct track *mine = &chrome->tracks.at[track];
	uint64_t key;
	uint32_t found = find_track(chrome, mine->process, mine->thread, KIND_OTHER, &key);

	return found == TFP_NONE ? TFP_NONE : chrome->tracks.at[found].lane;
}

/*
 * Where no thread of ops has the number that Python calls have, they are of the main thread, or of the only one; but one
 * that has Python calls of its own has no others.
 */
static uint32_t main_lane(const struct chrome *chrome)
{
	uint32_t only = TFP_NONE, count = 0;
	uint64_t key;

	for (size_t i = 0; i < chrome->tracks.count; i++) {
		const struct track *track = &chrome->tracks.at[i];
		bool calls;

		if (track->kind != KIND_OTHER)
			continue;
		calls = find_track(chrome, track->process, track->thread, KIND_PYTHON, &key) !=
			TFP_NONE;
		if (!calls && track->process == track->thread)
			return track->lane;
		only = calls ? TFP_NONE : track->lane;
		count++;
	}
	return count == 1 ? only : TFP_NONE;
}

uint32_t chrome_lane(const struct chrome *chrome, int64_t process, int64_t thread,
		     enum tfp_lane_kind kind)
{
	static const enum kind groups[] = {KIND_OTHER, KIND_KERNEL};
	uint64_t key;

	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		uint32_t found = find_track(chrome, process, thread, groups[i], &key);
		uint32_t lane = found == TFP_NONE ? TFP_NONE : chrome->tracks.at[found].lane;

		if (lane != TFP_NONE && chrome->trace->lanes.at[lane].kind == kind)
			return lane;
	}
	return TFP_NONE;
}

/* Is there a device of another file? TAKEN: one of the same rank as those of the first. */
static bool has_others(const struct tfp_trace *trace, bool *taken)
{
	bool others = false;

	for (size_t i = 0; i < trace->devices.count; i++) {
		if (!trace->devices.at[i].file)
			continue;
		others = true;
		*taken |= trace->devices.at[i].rank == trace->devices.at[0].rank;
	}
	return others;
}

void chrome_name_first(struct tfp_profile *profile, const struct chrome_parts *parts)
{
	struct tfp_trace *trace = profile->trace;
	bool taken = false;

	if (parts->ranked || !has_others(trace, &taken))
		return;
	for (size_t i = 0; i < trace->devices.count && !trace->devices.at[i].file; i++) {
		struct tfp_trace_device *device = &trace->devices.at[i];
		const char *given = tfp_strings_text(profile->strings, device->name);
		char name[640];

		if (device->rank && !taken)
			snprintf(name, sizeof(name), "rank %u %s", device->rank - 1, given);
		else
			snprintf(name, sizeof(name), "file 1 %s", given);
		device->name = tfp_strings_add_text(profile->strings, name);
	}
}

/* REST is for the first that has none of its own. */
static void find_thread(struct chrome *chrome, uint32_t track, uint32_t *rest)
{
	uint32_t *thread = &chrome->trace->lanes.at[chrome->tracks.at[track].lane].thread;

	*thread = chrome_op_lane(chrome, track);
	if (*thread != TFP_NONE)
		return;
	*thread = *rest;
	*rest = TFP_NONE;
}

void chrome_settle_tracks(struct chrome *chrome)
{
	uint32_t rest = main_lane(chrome);

	if (!chrome->file)
		chrome->parts->ranked = is_ranked(chrome);
	for (size_t i = 0; i < chrome->names.count; i++)
		use_name(chrome, &chrome->names.at[i]);
	for (size_t i = 0; i < chrome->processes.count; i++)
		name_device(chrome, &chrome->processes.at[i]);
	for (uint32_t i = 0; i < chrome->tracks.count; i++) {
		const struct track *track = &chrome->tracks.at[i];

		name_lane(chrome, track);
		if (track->kind == KIND_PYTHON)
			find_thread(chrome, i, &rest);
	}
}
