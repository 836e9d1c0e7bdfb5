/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tracks: which lane of which device a record belongs to. GPUs are told from processes by the category of a record: a process
 * may have the number of a GPU.
 */
#include "load/chrome/chrome.h"

#define MOST        4096 /* processes that have a device each */
#define MOST_SERIES 4096 /* of values of counters */
#define UNNUMBERED  INT64_MIN

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
	return chrome_is_other(group) ? TFP_LANE_HOST : TFP_LANE_DERIVED;
}

/* Written as a number, but beyond those that are taken for one: threads are called by hashes of 64 bits, too. */
static bool is_long_number(const struct record *record, enum field field)
{
	char first =
		record_has(record, field) && record->text[field].size ? *record->text[field].at : 0;

	return !record_is_text(record, field) && (first == '-' || (first >= '0' && first <= '9'));
}

int64_t chrome_number_of(struct chrome *chrome, enum field field)
{
	const struct record *record = &chrome->record;
	struct tfp_span text;
	int64_t number = record_number(record, field, UNNUMBERED);

	if (number < UNSAID && number != UNNUMBERED)
		return number;
	if (record_is_text(record, field))
		text = record_text(record, field, &chrome->room);
	else if (is_long_number(record, field))
		text = record->text[field];
	else
		return UNSAID;
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

uint32_t chrome_find_process(const struct chrome *chrome, int64_t id, bool host, uint64_t *key)
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
	uint32_t found = chrome_find_process(chrome, id, host, &key);

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
	struct tfp_lane lane = {
		.kind = kind, .samples = group == KIND_SAMPLE, .id = thread, .thread = TFP_NONE};

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

uint32_t chrome_find_track(const struct chrome *chrome, int64_t process, int64_t thread,
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
	uint32_t found = chrome_find_track(chrome, process, thread, group, &key);

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

	if (chrome_find_track(chrome, process, series, KIND_COUNTER, &key) == TFP_NONE &&
	    ++chrome->series > MOST_SERIES) {
		tfp_diag_add(chrome->diag, TFP_NOTE, chrome->source->path, chrome->record_offset, 0,
			     "values of more counters than are shown were left out");
		return TFP_NONE;
	}
	return track_of(chrome, process, series, KIND_COUNTER);
}

/* ---- threads -------------------------------------------------------------------------------------- */

uint32_t chrome_op_lane(const struct chrome *chrome, uint32_t track)
{
	const struct track *mine = &chrome->tracks.at[track];
	uint64_t key;
	uint32_t found = chrome_find_track(chrome, mine->process, mine->thread, KIND_OTHER, &key);

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

		if (track->kind != KIND_OTHER ||
		    chrome->trace->lanes.at[track->lane].kind != TFP_LANE_HOST)
			continue;
		calls = chrome_find_track(chrome, track->process, track->thread, KIND_PYTHON,
					  &key) != TFP_NONE;
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
		uint32_t found = chrome_find_track(chrome, process, thread, groups[i], &key);
		uint32_t lane = found == TFP_NONE ? TFP_NONE : chrome->tracks.at[found].lane;

		if (lane != TFP_NONE && chrome->trace->lanes.at[lane].kind == kind)
			return lane;
	}
	return TFP_NONE;
}

/* REST is for the first that has none of its own. */
static void find_thread(struct chrome *chrome, uint32_t track, uint32_t *rest)
{
	struct tfp_lane *lanes = chrome->trace->lanes.at;
	uint32_t lane = chrome->tracks.at[track].lane, *thread = &lanes[lane].thread;

	if (lanes[lane].kind != TFP_LANE_PYTHON)
		return;
	*thread = chrome_op_lane(chrome, track);
	if (*thread != TFP_NONE && lanes[*thread].kind == TFP_LANE_HOST)
		return;
	*thread = *rest;
	*rest = TFP_NONE;
}

void chrome_settle_tracks(struct chrome *chrome)
{
	uint32_t rest = main_lane(chrome);

	for (uint32_t i = 0; i < chrome->tracks.count; i++)
		if (chrome->tracks.at[i].kind == KIND_PYTHON)
			find_thread(chrome, i, &rest);
}
