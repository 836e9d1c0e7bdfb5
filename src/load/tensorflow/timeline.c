/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timelines as TensorFlow's timeline.py and tfprof write them: JSON in which each run of an op is an
 * event of the process that stands for its device. They become a TensorFlow profile of one step.
 */
#include <stdlib.h>
#include <string.h>

#include "tfprof/json.h"
#include "load/idmap.h"
#include "load/loaders.h"
#include "load/tensorflow/timeline.h"

#define SNIFF_BYTES (64 << 10)

/* What one entry of the list says. */
struct entry {
	char phase; /* 0: more than a letter, or none */
	bool meta;  /* it names a process */
	int64_t process, start, duration;
	tfp_str name, node, op, title; /* NODE, OP and TITLE are its arguments */
};

struct reader {
	struct tfp_profile *profile;
	struct tfp_json json;
	struct tfp_json_bytes room;
	struct tfp_timeline_read *data;
	struct tfp_idmap processes; /* by id: index in data->processes */
	struct tfp_job *job;
};

/* ---- entries ---------------------------------------------------------------------------------- */

static tfp_str intern(struct reader *reader, const struct tfp_json_token *token)
{
	struct tfp_span text = tfp_json_string(token, &reader->room);

	return tfp_strings_add(reader->profile->strings, text.at, text.size);
}

static void read_arguments(struct reader *reader, struct entry *entry)
{
	struct tfp_json_token key, value;

	while (tfp_json_next(&reader->json, &key) == TFP_JSON_KEY) {
		tfp_json_next(&reader->json, &value);
		tfp_json_skip(&reader->json, &value);
		if (value.kind != TFP_JSON_STRING)
			continue;
		if (tfp_span_is(key.text, "name"))
			entry->title = entry->node = intern(reader, &value);
		else if (tfp_span_is(key.text, "op"))
			entry->op = intern(reader, &value);
	}
}

static void read_field(struct reader *reader, const struct tfp_json_token *key, struct entry *entry)
{
	struct tfp_json_token value;
	struct tfp_span text;

	tfp_json_next(&reader->json, &value);
	if (tfp_span_is(key->text, "args") && value.kind == TFP_JSON_OBJECT) {
		read_arguments(reader, entry);
		return;
	}
	tfp_json_skip(&reader->json, &value);
	if (tfp_span_is(key->text, "ph")) {
		text = tfp_json_string(&value, &reader->room);
		entry->phase = text.size == 1 ? *text.at : 0;
	} else if (tfp_span_is(key->text, "name") && value.kind == TFP_JSON_STRING) {
		entry->name = intern(reader, &value);
		text = tfp_strings_get(reader->profile->strings, entry->name);
		entry->meta = tfp_span_is(text, "process_name");
	} else if (tfp_span_is(key->text, "pid")) {
		tfp_json_integer(&value, 0, &entry->process);
	} else if (tfp_span_is(key->text, "ts")) {
		tfp_json_integer(&value, 0, &entry->start);
	} else if (tfp_span_is(key->text, "dur")) {
		tfp_json_integer(&value, 0, &entry->duration);
	}
}

static uint32_t find_process(struct reader *reader, int64_t id)
{
	uint32_t index = tfp_idmap_get(&reader->processes, (uint64_t)id);

	if (index != TFP_NONE)
		return index;
	index = (uint32_t)reader->data->processes.count;
	*tfp_array_push(&reader->data->processes) = (struct tfp_timeline_process){.id = id};
	tfp_idmap_add(&reader->processes, (uint64_t)id, index);
	return index;
}

/* "/device:GPU:0/stream:14 Compute" */
static void name_process(struct reader *reader, const struct entry *entry)
{
	struct tfp_span name = tfp_strings_get(reader->profile->strings, entry->title);
	static const char compute[] = " Compute";
	size_t size = sizeof(compute) - 1;
	uint32_t index = find_process(reader, entry->process);
	struct tfp_timeline_process *process = &reader->data->processes.at[index];

	if (name.size > size && !memcmp(name.at + name.size - size, compute, size))
		name.size -= size;
	process->device = tfp_run_device_of(reader->profile->strings, name);
	tfp_timeline_read_level(process, name);
	reader->profile->has_streams |= process->device.stream;
}

/* Reads the entry whose object was just opened. */
static void read_entry(struct reader *reader)
{
	struct tfp_json_token key;
	struct entry entry = {0};

	while (tfp_json_next(&reader->json, &key) == TFP_JSON_KEY)
		read_field(reader, &key, &entry);
	if (entry.phase == 'M' && entry.meta) {
		name_process(reader, &entry);
	} else if (entry.phase == 'X') {
		*tfp_array_push(&reader->data->events) = (struct tfp_timeline_event){
			.node = entry.node ? entry.node : entry.name,
			.op = entry.op ? entry.op : entry.name,
			.process = find_process(reader, entry.process),
			.start = entry.start,
			.duration = entry.duration,
		};
	}
}

static bool read_entries(struct reader *reader)
{
	struct tfp_json_token token;

	while (tfp_json_next(&reader->json, &token) != TFP_JSON_ARRAY_END && token.kind) {
		if (tfp_job_cancelled(reader->job))
			return false;
		if (token.kind == TFP_JSON_OBJECT)
			read_entry(reader);
		else
			tfp_json_skip(&reader->json, &token);
	}
	return true;
}

/* The list of entries is the whole text, or what "traceEvents" of an object is. */
static bool read_trace(struct reader *reader)
{
	struct tfp_json_token token, value;

	if (tfp_json_next(&reader->json, &token) == TFP_JSON_ARRAY)
		return read_entries(reader);
	while (tfp_json_next(&reader->json, &token) == TFP_JSON_KEY) {
		tfp_json_next(&reader->json, &value);
		if (tfp_span_is(token.text, "traceEvents") && value.kind == TFP_JSON_ARRAY) {
			if (!read_entries(reader))
				return false;
		} else {
			tfp_json_skip(&reader->json, &value);
		}
	}
	return true;
}

/* ---- the profile ------------------------------------------------------------------------------ */

static bool has_all_streams(const struct tfp_timeline_read *data)
{
	for (size_t i = 0; i < data->processes.count; i++)
		if (data->processes.at[i].device.accelerator)
			return true;
	return false;
}

static uint32_t find_node(struct tfp_profile *profile, const struct tfp_timeline_event *event,
			  bool canonical)
{
	uint32_t node = tfp_profile_find_node(profile, event->node);

	if (node == TFP_NONE)
		node = tfp_profile_add_node(profile, event->node, canonical ? event->op : 0);
	else if (canonical && !profile->nodes.op[node])
		profile->nodes.op[node] = event->op;
	return node;
}

static bool has_devices(const struct tfp_timeline_read *data)
{
	for (size_t i = 0; i < data->processes.count; i++)
		if (data->processes.at[i].device.canonical)
			return true;
	return false;
}

/* Streams count once: all of them together where there is such a device, else each. */
static bool is_accelerator(const struct tfp_timeline_process *process, bool all_streams)
{
	return all_streams ? process->device.accelerator : process->device.stream;
}

/* What of the processes decides how each of them counts. */
struct rules {
	bool all_streams; /* one stands for all streams of a device */
	bool devices; /* some are devices; where none is, all that are no streams count as such */
};

static struct rules rules_of(const struct tfp_timeline_read *data)
{
	return (struct rules){has_all_streams(data), has_devices(data)};
}

static bool is_device(const struct tfp_timeline_process *process, const struct rules *rules)
{
	if (rules->devices)
		return process->device.canonical;
	return process->level || (!process->device.stream && !process->device.accelerator);
}

static void add_event(struct tfp_profile *profile, struct tfp_timeline_read *data, size_t index,
		      uint32_t step, const struct rules *rules)
{
	const struct tfp_timeline_event *event = &data->events.at[index];
	const struct tfp_timeline_process *process = &data->processes.at[event->process];
	bool accelerator = is_accelerator(process, rules->all_streams);
	bool canonical = is_device(process, rules);
	uint32_t node = find_node(profile, event, canonical), cell;
	int64_t *value;

	data->node[index] = node;
	if (canonical && process->device.canonical)
		profile->nodes.device[node] = process->device.name;
	if (!accelerator && !canonical)
		return;
	cell = tfp_profile_cell(profile, node, step);
	value = profile->cells.value + (size_t)cell * profile->cell_columns;
	if (accelerator) {
		value[TFP_CELL_ACCELERATOR_MICROS] =
			tfp_wrap_add(value[TFP_CELL_ACCELERATOR_MICROS], event->duration);
		return;
	}
	value[TFP_CELL_CPU_MICROS] = tfp_wrap_add(value[TFP_CELL_CPU_MICROS], event->duration);
	value[TFP_CELL_RUNS]++;
	if (event->start > 0 &&
	    (!value[TFP_CELL_ALL_START] || event->start < value[TFP_CELL_ALL_START]))
		value[TFP_CELL_ALL_START] = event->start;
	if (tfp_wrap_add(event->start, event->duration) > value[TFP_CELL_LATEST_END])
		value[TFP_CELL_LATEST_END] = tfp_wrap_add(event->start, event->duration);
}

static void fill_stream(struct tfp_profile *profile, const struct tfp_timeline_event *event,
			const struct tfp_exec *exec)
{
	struct tfp_span kernel = tfp_run_kernel_of(tfp_strings_get(profile->strings, event->op));

	*tfp_array_push(&profile->streams) = (struct tfp_stream_run){
		.node = exec->node,
		.device = exec->device,
		.kernel = tfp_strings_add(profile->strings, kernel.at, kernel.size),
		.start = exec->start,
		.duration = exec->duration,
	};
}

static bool fill(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		 struct tfp_diag *diag)
{
	const struct tfp_timeline_read *mine = data;
	bool all_streams = has_all_streams(mine);

	(void)diag;
	for (size_t i = 0; i < mine->events.count && !tfp_job_cancelled(job); i++) {
		const struct tfp_timeline_event *event = &mine->events.at[i];
		const struct tfp_timeline_process *process = &mine->processes.at[event->process];
		struct tfp_exec exec = {
			.node = mine->node[i],
			.device = process->device.name,
			.accelerator = is_accelerator(process, all_streams),
			.start = event->start,
			.duration = event->duration,
		};

		if (parts & TFP_PART_EXECS)
			*tfp_array_push(&profile->execs) = exec;
		if (parts & TFP_PART_STREAMS && process->device.stream)
			fill_stream(profile, event, &exec);
	}
	return !tfp_job_cancelled(job);
}

static void release(void *data)
{
	struct tfp_timeline_read *mine = data;

	tfp_array_free(&mine->events);
	tfp_array_free(&mine->processes);
	free(mine->node);
	free(mine);
}

static void make_profile(struct tfp_profile *profile, struct tfp_timeline_read *data, uint32_t file)
{
	tfp_str label = tfp_strings_add_text(profile->strings, profile->files.at[file].path);
	struct rules rules = rules_of(data);
	bool flame = tfp_timeline_is_flame(data); /* of sums: what ran when is not told */
	uint32_t step;

	if (!profile->tensorflow)
		tfp_profile_make_tensorflow(profile);
	step = tfp_profile_step(profile, 0, label);
	profile->metrics[TFP_TF_PARAMS].absent = true;
	for (uint32_t i = TFP_TF_BYTES; i <= TFP_TF_OUTPUT_BYTES; i++)
		profile->metrics[i].absent = true;
	data->node = tfp_realloc_array(NULL, data->events.count + 1, sizeof(*data->node));
	for (size_t i = 0; i < data->events.count; i++)
		add_event(profile, data, i, step, &rules);
	profile->metrics[TFP_TF_RUNS].absent = flame;
	profile->untyped = flame && !data->processes.at[0].typed;
	tfp_profile_add_provider(profile,
				 &(struct tfp_provider){
					 .parts = flame ? 0 : TFP_PART_EXECS | TFP_PART_STREAMS,
					 .fill = fill,
					 .release = release,
					 .data = data,
				 });
}

/* A flame graph counts what is below an event in it. False when it can't be told apart. */
static bool unnest(struct reader *reader, const struct tfp_source *source, struct tfp_diag *diag)
{
	if (!tfp_timeline_is_flame(reader->data) ||
	    tfp_timeline_unnest(reader->data, reader->profile->strings))
		return true;
	tfp_diag_add(
		diag, TFP_ERROR, source->path, -1, 0,
		"this timeline is a flame graph of call paths, which is for trace viewers; open "
		"the profile that it was made of");
	return false;
}

static bool load(struct tfp_profile *profile, struct tfp_source *source, uint32_t file,
		 int64_t step, struct tfp_job *job, struct tfp_diag *diag)
{
	struct reader reader = {.profile = profile, .job = job};
	bool done;

	(void)step;
	reader.data = tfp_alloc_zero(1, sizeof(*reader.data));
	tfp_json_start(&reader.json, (struct tfp_span){(const char *)source->data, source->size});
	done = read_trace(&reader) && unnest(&reader, source, diag);
	if (done && reader.json.error)
		tfp_diag_add(diag, reader.data->events.count ? TFP_WARNING : TFP_ERROR,
			     source->path, (int64_t)tfp_json_offset(&reader.json), 0, "%s",
			     reader.json.error);
	else if (done && !reader.data->events.count)
		tfp_diag_add(diag, TFP_ERROR, source->path, -1, 0, "no event has a duration");
	if (done && reader.data->events.count)
		make_profile(profile, reader.data, file);
	else
		release(reader.data);
	done = done && profile->nodes.count;
	tfp_json_stop(&reader.json);
	tfp_array_free(&reader.room);
	tfp_idmap_free(&reader.processes);
	tfp_source_free(source);
	return done;
}

/* Traces of other programs have events, too, but those of TensorFlow's are of the category Op. */
static int sniff(const struct tfp_source *source)
{
	size_t size = source->size < SNIFF_BYTES ? source->size : SNIFF_BYTES, at = 0;
	struct tfp_json_bytes room = {0};
	struct tfp_span text;
	bool fits;

	while (at < size && strchr(" \t\r\n", source->data[at]) && source->data[at])
		at++;
	if (at == size || (source->data[at] != '{' && source->data[at] != '['))
		return 0;
	text = tfp_json_plain((struct tfp_span){(const char *)source->data, size}, &room);
	fits = tfp_span_holds(text, "\"traceEvents\"") &&
	       !tfp_span_holds(text, "\"schemaVersion\"") &&
	       tfp_span_holds(text, "\"process_name\"");
	tfp_array_free(&room);
	return fits ? 60 : 0;
}

const struct tfp_loader tfp_timeline_loader = {
	.name = "timeline",
	.label = "timeline",
	.alone = true,
	.sniff = sniff,
	.load = load,
};
