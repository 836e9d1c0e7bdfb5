/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run metadata's side of a made node: a row with times, memory and outputs on its device and, for
 * what costs on an accelerator, kernels on two streams.
 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

enum { DT_FLOAT = 1 };

const char *const device_names[DEVICES] = {
	"/job:localhost/replica:0/task:0/device:CPU:0",
	"/job:localhost/replica:0/task:0/device:GPU:0",
	"/job:localhost/replica:0/task:0/device:GPU:1",
};

void put_shape(struct put *put, unsigned field, const struct node_shape *shape)
{
	put_open(put, field);
	for (unsigned i = 0; i < shape->rank; i++) {
		put_open(put, 2);
		put_count(put, 1, shape->sizes[i]);
		put_close(put);
	}
	put_close(put);
}

/* One execution. */
struct run {
	const char *name, *op;
	int64_t start, duration; /* microseconds */
};

static void put_memory(struct put *put, const char *allocator, int64_t start, int64_t end,
		       int64_t size)
{
	put_open(put, 6);
	put_text(put, 1, allocator);
	put_number(put, 2, size);
	put_number(put, 3, size);
	put_count(put, 4, start % 3 ? size : 0);
	put_number(put, 5, 40000000 + start % 9000000);
	for (int release = 0; release < 2; release++) {
		put_open(put, 6);
		put_number(put, 1, release ? end : start);
		put_number(put, 2, release ? -size : size);
		put_close(put);
	}
	put_close(put);
}

static void put_output(struct put *put, unsigned slot, const char *allocator, int64_t size,
		       const struct node_shape *shape, int64_t start)
{
	put_open(put, 7);
	put_count(put, 1, slot);
	put_open(put, 3);
	put_number(put, 1, DT_FLOAT);
	put_shape(put, 2, shape);
	put_open(put, 4);
	put_number(put, 1, size);
	put_number(put, 2, size);
	put_text(put, 3, allocator);
	put_number(put, 4, start & 0xfff);
	put_number(put, 6, 0x7f1200000000 + (start & 0xffffff) * 256);
	put_close(put);
	put_close(put);
	put_close(put);
}

static int64_t rounded_size(const struct node_shape *shape)
{
	int64_t size = 4;

	for (unsigned i = 0; i < shape->rank; i++)
		size *= shape->sizes[i];
	return (size + 255) / 256 * 256;
}

static void put_times(struct put *put, int64_t start, int64_t duration)
{
	put_number(put, 2, start);
	put_count(put, 3, start & 1);
	put_number(put, 4, duration);
	put_number(put, 5, duration + (start & 3));
}

/* An op with its memory. */
static void put_op_row(struct put *put, const struct run *run, const struct node_facts *facts)
{
	const char *allocator = facts->device ? "GPU_0_bfc" : "cpu";
	int64_t size = rounded_size(facts->shape), start = run->start;
	char label[640];

	put_open(put, 2);
	put_text(put, 1, run->name);
	put_times(put, start, run->duration);
	put_memory(put, allocator, start, start + run->duration, size);
	for (unsigned i = 0; i < facts->outputs; i++)
		put_output(put, i, allocator, size, facts->shape, start);
	snprintf(label, sizeof(label), "%s = %s()", run->name, run->op);
	put_text(put, 8, label);
	put_number(put, 9, start - 1);
	put_number(put, 10, start & 7);
	put_open(put, 12);
	put_count(put, 1, (start & 3) * 256);
	put_count(put, 3, facts->kind == NODE_VARIABLE ? size : 0);
	put_close(put);
	put_close(put);
}

static void put_kernel_row(struct put *put, const struct run *run)
{
	put_open(put, 2);
	put_text(put, 1, run->name);
	put_times(put, run->start + 3, run->duration);
	put_close(put);
}

void rows_begin(struct rows *rows)
{
	for (unsigned i = 0; i < DEVICES; i++)
		rows->devices[i].clock = 1600000000000000 + i;
}

void rows_add(struct rows *rows, const char *name, const char *op, const struct node_facts *facts,
	      unsigned chance)
{
	struct device_rows *device = &rows->devices[facts->device];
	struct run run = {.name = name, .op = op};
	int64_t busy = 1 + chance % 40 + facts->flops / 40000000;

	device->clock += 1 + chance / 40 % 5;
	run.start = device->clock;
	run.duration = facts->device ? 4 : busy;
	put_op_row(&device->launched, &run, facts);
	run.duration = busy;
	if (facts->device && facts->flops) {
		put_kernel_row(&device->all_streams, &run);
		put_kernel_row(&device->stream, &run);
	}
	device->clock += busy;
}

static void put_device(struct put *put, const char *name, struct put *rows)
{
	put_open(put, 1);
	put_text(put, 1, name);
	put_move(put, rows);
	put_close(put);
}

void rows_end(struct rows *rows, struct put *put)
{
	char name[64];

	put_open(put, 1);
	for (unsigned i = 0; i < DEVICES; i++) {
		struct device_rows *device = &rows->devices[i];

		put_device(put, device_names[i], &device->launched);
		if (!i)
			continue;
		snprintf(name, sizeof(name), "/device:GPU:%u/stream:all", i - 1);
		put_device(put, name, &device->all_streams);
		snprintf(name, sizeof(name), "/device:GPU:%u/stream:14", i - 1);
		put_device(put, name, &device->stream);
	}
	put_close(put);
}

void rows_free(struct rows *rows)
{
	for (unsigned i = 0; i < DEVICES; i++) {
		free(rows->devices[i].launched.at);
		free(rows->devices[i].all_streams.at);
		free(rows->devices[i].stream.at);
	}
}
