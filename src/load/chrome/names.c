/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file calls its processes and threads, and in which order it wants them: records of their own say that, anywhere in the
 * file. Two that have one name are told apart by their numbers. What PyTorch's profiler adds of itself is one process.
 */
#include <stdlib.h>
#include <string.h>

#include "load/chrome/chrome.h"

/* ---- what the file says ---------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum name_kind kind;
} kinds[] = {
	{"process_name", NAME_PROCESS},
	{"process_labels", NAME_LABELS},
	{"process_sort_index", NAME_PROCESS_PLACE},
	{"thread_name", NAME_THREAD},
	{"thread_sort_index", NAME_THREAD_PLACE},
};

static void add_name(struct chrome *chrome, enum name_kind kind)
{
	struct tfp_span text = record_label(&chrome->record, FIELD_TITLE, &chrome->room);
	struct name name = {.kind = kind};

	name.place = record_number(&chrome->record, FIELD_PLACE, 0);
	while (text.size && text.at[text.size - 1] == ' ')
		text.size--;
	if (!text.size && !name.place)
		return;
	name.text = tfp_strings_add(chrome->profile->strings, text.at, text.size);
	name.process = chrome_number_of(chrome, FIELD_PROCESS);
	name.thread = chrome_number_of(chrome, FIELD_THREAD);
	*tfp_array_push(&chrome->names) = name;
}

void chrome_take_name(struct chrome *chrome)
{
	struct tfp_span name = record_text(&chrome->record, FIELD_NAME, &chrome->room);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (tfp_span_is(name, kinds[i].name)) {
			add_name(chrome, kinds[i].kind);
			return;
		}
}

static void use_process_name(struct chrome *chrome, const struct name *name)
{
	uint64_t key;

	for (int host = 0; host < 2; host++) {
		uint32_t found = chrome_find_process(chrome, name->process, host, &key);
		struct process *process = found == TFP_NONE ? NULL : &chrome->processes.at[found];

		if (!process)
			continue;
		if (name->kind == NAME_PROCESS)
			process->name = name->text;
		else if (name->kind == NAME_LABELS)
			process->labels = name->text;
		else if (!process->rest)
			chrome->trace->devices.at[process->device].place = name->place;
	}
}

/* "(python3)" behind the name of a thread of that process; NULL: something else is, or nothing. */
static const char *process_behind(const struct chrome *chrome, tfp_str thread, int64_t process)
{
	const struct tfp_strings *strings = chrome->profile->strings;
	const char *text = tfp_strings_text(strings, thread), *behind = strrchr(text, '(');
	uint64_t key;
	uint32_t found = chrome_find_process(chrome, process, true, &key);
	const char *name = found == TFP_NONE
				   ? ""
				   : tfp_strings_text(strings, chrome->processes.at[found].name);
	size_t size = strlen(name);

	if (!size || !behind || behind < text + 2 || behind[-1] != ' ')
		return NULL;
	return !strncmp(behind + 1, name, size) && !strcmp(behind + 1 + size, ")") ? behind : NULL;
}

/* PyTorch calls threads "thread 447 (pt_autograd_0)" and then by their process: what tells more stays. */
static void take_thread_name(const struct chrome *chrome, struct tfp_lane *lane,
			     const struct name *name)
{
	struct tfp_strings *strings = chrome->profile->strings;
	const char *behind =
		chrome->torch ? process_behind(chrome, name->text, name->process) : NULL;
	const char *text = tfp_strings_text(strings, name->text);

	if (!behind)
		lane->name = name->text;
	else if (!lane->name)
		lane->name = tfp_strings_add(strings, text, (size_t)(behind - 1 - text));
}

static void use_thread_name(struct chrome *chrome, const struct name *name)
{
	uint64_t key;

	for (int group = 0; group < KINDS; group++) {
		uint32_t found = chrome_find_track(chrome, name->process, name->thread,
						   (enum kind)group, &key);
		struct tfp_lane *lane;

		if (found == TFP_NONE)
			continue;
		lane = &chrome->trace->lanes.at[chrome->tracks.at[found].lane];
		if (name->kind == NAME_THREAD)
			take_thread_name(chrome, lane, name);
		else
			lane->place = name->place;
	}
}

/* ---- devices --------------------------------------------------------------------------------------- */

/* NONE: what a text without any is called. */
static const char *number_text(const struct chrome *chrome, int64_t number, const char *none,
			       char room[32])
{
	const char *text;

	if (number == UNSAID)
		return none;
	if (number >= TEXT_NUMBER) {
		text = tfp_strings_text(chrome->profile->strings, chrome_text_of(number));
		return *text ? text : none;
	}
	snprintf(room, 32, "%lld", (long long)number);
	return room;
}

static void name_device(struct chrome *chrome, const struct process *process)
{
	struct tfp_strings *strings = chrome->profile->strings;
	struct tfp_trace_device *device = &chrome->trace->devices.at[process->device];
	char room[32], name[512];
	const char *number = number_text(chrome, process->id, "no process", room);
	const char *given = tfp_strings_text(strings, process->name);
	const char *labels = chrome->torch ? "" : tfp_strings_text(strings, process->labels);

	if (!*given)
		given = labels, labels = "";
	if (process->rest)
		snprintf(name, sizeof(name), "other processes");
	else if (!process->host)
		snprintf(name, sizeof(name), "gpu %s", number);
	else if (process->id < 0 || process->device == chrome->profiler)
		snprintf(name, sizeof(name), "%s", chrome->torch ? "profiler" : "process");
	else if (!*given || process->id >= UNSAID)
		snprintf(name, sizeof(name), "%s%s", process->id >= UNSAID ? "" : "process ",
			 *given ? given : number);
	else if (!chrome->torch)
		snprintf(name, sizeof(name), "%s%s%s%s", given, *labels ? " (" : "", labels,
			 *labels ? ")" : "");
	else
		snprintf(name, sizeof(name), "%s (%s)", given, number);
	device->name = device->own = tfp_strings_add_text(strings, name);
	if (chrome->rank >= 0 && chrome->rank < INT32_MAX)
		device->rank = (uint32_t)chrome->rank + 1;
	if (!process->host)
		device->model = chrome_model(chrome, process->id);
}

/* ---- lanes ----------------------------------------------------------------------------------------- */

static void name_lane(struct chrome *chrome, const struct track *track)
{
	static const char *const ends[KINDS] = {
		[KIND_PYTHON] = " Python",      [KIND_SAMPLE] = " samples",
		[KIND_REPEAT] = " annotations", [KIND_INSTANT] = " instants",
		[KIND_ASYNC] = " asynchronous",
	};
	struct tfp_lane *lane = &chrome->trace->lanes.at[track->lane];
	struct tfp_strings *strings = chrome->profile->strings;
	const char *given = tfp_strings_text(strings, lane->name);
	const char *end = ends[track->kind] ? ends[track->kind] : "";
	bool stream = track->kind == KIND_KERNEL || track->kind == KIND_REPEAT;
	char room[32], name[512];

	if (lane->device == chrome->profiler)
		snprintf(name, sizeof(name), "%s", given);
	else if (*given)
		snprintf(name, sizeof(name), "%s%s", given,
			 tfp_span_ends(tfp_span_of(given), tfp_span_of(end)) ? "" : end);
	else
		snprintf(name, sizeof(name), "%s%s%s",
			 track->thread >= UNSAID ? ""
			 : stream                ? "stream "
						 : "thread ",
			 number_text(chrome, track->thread, "no thread", room), end);
	lane->name = tfp_strings_add_text(strings, name);
	/* Numbers that stand for texts say nothing. */
	if (lane->id >= UNSAID)
		lane->id = 0;
}

/* The lane of TRACK becomes one of the profiler's, with a name that says what it is. */
static void move_lane(struct chrome *chrome, const struct track *track, const char *name)
{
	struct tfp_lane *lane = &chrome->trace->lanes.at[track->lane];

	lane->device = chrome->profiler;
	lane->name = tfp_strings_add_text(chrome->profile->strings, name);
}

/* ---- what the profiler adds ------------------------------------------------------------------------ */

/* What of PyTorch's traces is of no program: processes that have a text for a number, and that below zero. */
static const struct {
	const char *process, *lane;
} profilers[] = {
	{NULL, "overhead"},
	{"Spans", "recording"},
	{"Traces", "recording starts"},
	{"", "recording ends"},
};

static const char *profiler_lane(const struct chrome *chrome, const struct process *process)
{
	if (!chrome->torch || !process->host || process->rest)
		return NULL;
	if (process->id < 0)
		return profilers[0].lane;
	for (size_t i = 1; process->id >= TEXT_NUMBER && i < sizeof(profilers) / sizeof(*profilers);
	     i++)
		if (!strcmp(tfp_strings_text(chrome->profile->strings, chrome_text_of(process->id)),
			    profilers[i].process))
			return profilers[i].lane;
	return NULL;
}

/* All of it is one process, the last. */
static void join_profilers(struct chrome *chrome)
{
	chrome->profiler = TFP_NONE;
	for (size_t i = 0; i < chrome->processes.count; i++) {
		struct process *process = &chrome->processes.at[i];
		const char *lane = profiler_lane(chrome, process);

		if (!lane)
			continue;
		if (chrome->profiler == TFP_NONE)
			chrome->profiler = process->device;
		process->device = chrome->profiler;
		chrome->trace->devices.at[process->device].place = INT64_MAX;
		for (size_t track = 0; track < chrome->tracks.count; track++)
			if (chrome->tracks.at[track].process == process->id)
				move_lane(chrome, &chrome->tracks.at[track], lane);
	}
}

/* ---- all ------------------------------------------------------------------------------------------- */

/* Adds " (NUMBER)" to a name. */
static tfp_str with_number(struct chrome *chrome, tfp_str name, int64_t number)
{
	char room[32], text[600];

	snprintf(text, sizeof(text), "%s (%s)", tfp_strings_text(chrome->profile->strings, name),
		 number_text(chrome, number, "none", room));
	return tfp_strings_add_text(chrome->profile->strings, text);
}

/* By index, whether another key is equal. */
static bool *find_repeated(const uint64_t *keys, size_t count)
{
	bool *repeated = tfp_alloc_zero(count + 1, sizeof(*repeated));
	struct tfp_idmap places = {0};

	for (uint32_t i = 0; i < count; i++) {
		uint32_t place = tfp_idmap_add(&places, keys[i], i);

		if (place != i)
			repeated[i] = repeated[place] = true;
	}
	tfp_idmap_free(&places);
	return repeated;
}

/* Processes of PyTorch's traces have their numbers already. */
static void tell_processes_apart(struct chrome *chrome)
{
	size_t count = chrome->processes.count;
	uint64_t *keys = tfp_realloc_array(NULL, count, sizeof(*keys));
	bool *repeated;

	for (size_t i = 0; i < count; i++)
		keys[i] = chrome->trace->devices.at[chrome->processes.at[i].device].name;
	repeated = find_repeated(keys, count);
	for (size_t i = 0; i < count; i++) {
		const struct process *process = &chrome->processes.at[i];
		struct tfp_trace_device *device = &chrome->trace->devices.at[process->device];

		if (!repeated[i] || process->rest || process->device == chrome->profiler)
			continue;
		device->name = device->own = with_number(chrome, device->own, process->id);
	}
	tfp_array_release(repeated);
	tfp_array_release(keys);
}

static void tell_threads_apart(struct chrome *chrome)
{
	size_t count = chrome->tracks.count;
	uint64_t *keys = tfp_realloc_array(NULL, count, sizeof(*keys));
	bool *repeated;

	for (size_t i = 0; i < count; i++) {
		const struct tfp_lane *lane = &chrome->trace->lanes.at[chrome->tracks.at[i].lane];

		keys[i] = ((uint64_t)lane->device << 32 | lane->name) +
			  lane->kind * UINT64_C(0x9e3779b97f4a7c15);
	}
	repeated = find_repeated(keys, count);
	for (size_t i = 0; i < count; i++) {
		const struct track *track = &chrome->tracks.at[i];
		struct tfp_lane *lane = &chrome->trace->lanes.at[track->lane];

		if (repeated[i])
			lane->name = with_number(chrome, lane->name, track->thread);
	}
	tfp_array_release(repeated);
	tfp_array_release(keys);
}

/* PyTorch gives a place to each process and thread of the program, and none to what it adds: that stands behind. */
static void place_last(struct chrome *chrome)
{
	for (size_t i = 0; i < chrome->processes.count; i++)
		chrome->trace->devices.at[chrome->processes.at[i].device].place = INT64_MAX;
	for (size_t i = 0; i < chrome->tracks.count; i++)
		chrome->trace->lanes.at[chrome->tracks.at[i].lane].place = INT64_MAX;
}

void chrome_name_tracks(struct chrome *chrome)
{
	if (chrome->torch)
		place_last(chrome);
	chrome->parts->ranked |= chrome->rank >= 0 && chrome->ranks > 1;
	for (size_t i = 0; i < chrome->names.count; i++)
		if (chrome->names.at[i].kind < NAME_THREAD)
			use_process_name(chrome, &chrome->names.at[i]);
	for (size_t i = 0; i < chrome->names.count; i++)
		if (chrome->names.at[i].kind >= NAME_THREAD)
			use_thread_name(chrome, &chrome->names.at[i]);
	join_profilers(chrome);
	for (size_t i = 0; i < chrome->processes.count; i++)
		name_device(chrome, &chrome->processes.at[i]);
	for (size_t i = 0; i < chrome->tracks.count; i++)
		name_lane(chrome, &chrome->tracks.at[i]);
	tell_processes_apart(chrome);
	tell_threads_apart(chrome);
}

/* ---- names that are no text -------------------------------------------------------------------------- */

static bool is_damaged(const struct tfp_strings *strings, tfp_str name, uint8_t *seen)
{
	if (seen[name])
		return false;
	seen[name] = 1;
	return !tfp_text_is_utf8(tfp_strings_get(strings, name));
}

uint32_t chrome_damaged_names(const struct chrome *chrome)
{
	const struct tfp_strings *strings = chrome->profile->strings;
	uint8_t *seen = tfp_alloc_zero(tfp_strings_count(strings), sizeof(*seen));
	uint32_t count = 0;

	for (size_t i = 0; i < chrome->sites.count; i++)
		count += is_damaged(strings, chrome->sites.at[i].title, seen);
	for (size_t i = 0; i < chrome->names.count; i++)
		count += is_damaged(strings, chrome->names.at[i].text, seen);
	free(seen);
	return count;
}
