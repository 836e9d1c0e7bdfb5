/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing protobuf messages from the outside in: open a message, put its fields, close it.
 */
#ifndef TESTS_BENCH_PUT_H
#define TESTS_BENCH_PUT_H

#include <stddef.h>
#include <stdint.h>

#define PUT_DEPTH 12

/* Bytes of a message under way. All zero at first. */
struct put {
	unsigned char *at;
	size_t size, room;
	size_t open[PUT_DEPTH]; /* where the messages that are open began */
	unsigned depth;
};

/* A number (negative ones as ten bytes), also where it is 0. */
void put_number(struct put *put, unsigned field, int64_t value);
/* The same, left out where it is 0, as writers do. */
void put_count(struct put *put, unsigned field, int64_t value);
void put_text(struct put *put, unsigned field, const char *text);
void put_raw(struct put *put, unsigned field, const void *bytes, size_t size);
/* COUNT numbers packed into one field. */
void put_packed(struct put *put, unsigned field, const int64_t *values, size_t count);
/* What is put until the matching close is the content of FIELD. */
void put_open(struct put *put, unsigned field);
void put_close(struct put *put);
/* Copies the finished bytes of FROM into TO, and empties FROM. */
void put_move(struct put *to, struct put *from);

#endif
