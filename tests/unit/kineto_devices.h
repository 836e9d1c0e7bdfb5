/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what ran on devices: kernels, streams, idle time, memory, who launched what. */
#ifndef TFPROF_TESTS_KINETO_DEVICES_H
#define TFPROF_TESTS_KINETO_DEVICES_H

#include "kineto_trial.h"

static inline void add_kernels(struct trial *trial)
{
	const struct tfp_trace *trace = trial->trace;
	struct sheet rows = {0};

	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i);
		const struct tfp_trace_work *work =
			&trace->works.at[tfp_trace_work_of(trace, event)];
		char key[4096];
		struct line *row;

		snprintf(key, sizeof(key), "%d\t%s", work->class, text(trial->profile, work->name));
		row = line_of(&rows, key);
		if (!row->count++)
			row->memory[0] = INT64_MAX, row->memory[1] = -1;
		row->total += tfp_trace_duration(trace, event);
		row->least = tfp_trace_duration(trace, event) < row->least
				     ? tfp_trace_duration(trace, event)
				     : row->least;
		row->most = tfp_trace_duration(trace, event) > row->most
				    ? tfp_trace_duration(trace, event)
				    : row->most;
		row->memory[0] =
			work->occupancy < row->memory[0] ? work->occupancy : row->memory[0];
		row->memory[1] =
			work->occupancy > row->memory[1] ? work->occupancy : row->memory[1];
	}
	for (size_t i = 0; i < rows.count; i++)
		add_row(&trial->rows, "%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld", rows.at[i].key,
			(long long)rows.at[i].count, (long long)rows.at[i].total,
			(long long)rows.at[i].least, (long long)rows.at[i].most,
			(long long)rows.at[i].memory[0], (long long)rows.at[i].memory[1]);
	free_sheet(&rows);
}

/* Something of a class begins or ends. */
struct mark {
	int64_t time;
	int class, change;
};

static inline int compare_marks(const void *left, const void *right)
{
	const struct mark *a = left, *b = right;

	return a->time < b->time ? -1 : a->time > b->time;
}

/* Of a device or, where LANE is none of TFP_NONE, of a lane. */
struct marks {
	struct mark *at;
	size_t count, room;
	int64_t events, total;
};

static inline struct marks marks_of(const struct tfp_trace *trace, uint32_t device, uint32_t lane)
{
	struct marks marks = {0};

	for (uint32_t i = 0; i < trace->device_events; i++) {
		uint32_t event = tfp_trace_device_event(trace, i),
			 mine = tfp_trace_lane(trace, event);
		int class = trace->works.at[tfp_trace_work_of(trace, event)].class;

		if (trace->lanes.at[mine].device != device || (lane != TFP_NONE && lane != mine))
			continue;
		*tfp_array_push(&marks) = (struct mark){tfp_trace_start(trace, event), class, 1};
		*tfp_array_push(&marks) = (struct mark){tfp_trace_end(trace, event), class, -1};
		marks.events++;
		marks.total += tfp_trace_duration(trace, event);
	}
	if (marks.count)
		qsort(marks.at, marks.count, sizeof(*marks.at), compare_marks);
	return marks;
}

#define COMPUTE (1 << TFP_WORK_KERNEL)
#define COMM    (1 << TFP_WORK_COMM)
#define COPY    (1 << TFP_WORK_COPY | 1 << TFP_WORK_FILL)
#define ALL     (COMPUTE | COMM | COPY)

/* The time in which something of the classes WITH runs, and nothing of the classes WITHOUT. */
static inline long long time_of(const struct marks *marks, int with, int without)
{
	int64_t sum = 0;
	int open[TFP_WORK_OTHER + 1] = {0};

	for (size_t i = 0; i < marks->count; i++) {
		int running = 0;

		for (int class = 0; class <= TFP_WORK_OTHER; class ++)
			running |= (open[class] > 0) << class;
		if (running & with && !(running & without))
			sum += marks->at[i].time - marks->at[i - 1].time;
		open[marks->at[i].class] += marks->at[i].change;
	}
	return sum;
}

static inline const char *number_of(const struct trial *trial, uint32_t device)
{
	return strstr(text(trial->profile, trial->trace->devices.at[device].name), "gpu ") + 4;
}

static inline void add_devices(struct trial *trial)
{
	const struct tfp_trace *trace = trial->trace;

	for (uint32_t i = 0; i < trace->devices.count; i++) {
		struct marks marks = marks_of(trace, i, TFP_NONE);
		int64_t first = marks.count ? marks.at[0].time : 0;
		int64_t last = marks.count ? marks.at[marks.count - 1].time : 0;

		if (marks.count)
			add_row(&trial->rows,
				"%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld"
				"\t%lld\t%lld",
				number_of(trial, i), (long long)marks.events,
				(long long)marks.total, time_of(&marks, ALL, 0), (long long)first,
				(long long)last,
				(long long)(last - first) - time_of(&marks, ALL, 0),
				time_of(&marks, COMPUTE, 0), time_of(&marks, COMM, 0),
				time_of(&marks, COPY, 0), time_of(&marks, COMM, COMPUTE),
				time_of(&marks, COPY, COMPUTE | COMM));
		tfp_array_free(&marks);
	}
}

static inline void add_streams(struct trial *trial)
{
	const struct tfp_trace *trace = trial->trace;

	for (uint32_t i = 0; i < trace->lanes.count; i++) {
		struct marks marks = {0};

		if (trace->lanes.at[i].kind != TFP_LANE_DEVICE)
			continue;
		marks = marks_of(trace, trace->lanes.at[i].device, i);
		add_row(&trial->rows, "%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld",
			number_of(trial, trace->lanes.at[i].device),
			(long long)trace->lanes.at[i].id, (long long)marks.events,
			(long long)marks.total, time_of(&marks, ALL, 0),
			(long long)marks.at[0].time, (long long)marks.at[marks.count - 1].time);
		tfp_array_free(&marks);
	}
}

static inline void add_memory(struct trial *trial, const char *allocator, const char *key)
{
	int64_t counts[2] = {0}, sums[2] = {0}, allocated = 0, reserved = 0, when = 0;

	for (size_t i = 0; i < trial->parts->memory.count; i++) {
		const struct kept_memory *memory = &trial->parts->memory.at[i];

		if (strcmp(text(trial->profile, memory->allocator), allocator))
			continue;
		counts[memory->bytes < 0]++;
		sums[memory->bytes < 0] += memory->bytes;
		if (memory->allocated > allocated ||
		    (memory->allocated == allocated &&
		     tfp_trace_start(trial->trace, memory->event) < when)) {
			allocated = memory->allocated;
			when = tfp_trace_start(trial->trace, memory->event);
		}
		reserved = memory->reserved > reserved ? memory->reserved : reserved;
	}
	if (counts[0] + counts[1])
		add_row(&trial->rows, "%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld", key,
			(long long)counts[0], (long long)sums[0], (long long)counts[1],
			(long long)sums[1], (long long)allocated, (long long)reserved,
			(long long)when);
}

static inline void add_links(struct trial *trial)
{
	const struct tfp_trace *trace = trial->trace;
	uint32_t unlaunched = 0;

	for (uint32_t i = 0; i < trace->device_events; i++)
		unlaunched += tfp_trace_link(trace, tfp_trace_device_event(trace, i)) == TFP_NONE;
	add_row(&trial->rows, "%u\t%u\t%u", trace->device_events, trace->unowned.events,
		unlaunched);
}

static inline void add_python(struct trial *trial)
{
	const struct tfp_trace *trace = trial->trace;
	uint32_t python = 0, roots = 0;

	for (uint32_t i = 0; i < trace->count; i++) {
		python += tfp_trace_kind(trace, i) == TFP_LANE_PYTHON;
		roots += tfp_trace_kind(trace, i) == TFP_LANE_PYTHON &&
			 tfp_trace_link(trace, i) == TFP_NONE;
	}
	add_row(&trial->rows, "%u\t%u", python, roots);
}

#endif
