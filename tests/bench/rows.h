/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a RunMetadata for made nodes. A device's rows come together in the file, so all wait in memory.
 */
#ifndef TESTS_BENCH_ROWS_H
#define TESTS_BENCH_ROWS_H

#include "put.h"
#include "records.h"

enum { DEVICES = 3 };
extern const char *const device_names[DEVICES];

/* Rows of one device: what was launched on it and, of an accelerator, the kernels on its streams. */
struct device_rows {
	struct put launched, all_streams, stream;
	int64_t clock; /* microseconds */
};

/* All zero at first. */
struct rows {
	struct device_rows devices[DEVICES];
};

void put_shape(struct put *put, unsigned field, const struct node_shape *shape);
void rows_begin(struct rows *rows);
/* The node ran once; CHANCE is a random number that makes its times. */
void rows_add(struct rows *rows, const char *name, const char *op, const struct node_facts *facts,
	      unsigned chance);
/* The whole RunMetadata into PUT. */
void rows_end(struct rows *rows, struct put *put);
void rows_free(struct rows *rows);

#endif
