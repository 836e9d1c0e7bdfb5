/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protobuf fields into a growing buffer. A message's length is written when it is closed, by moving its
 * content up: messages are small, and nothing needs to be measured beforehand.
 */
#include "put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static void reserve(struct put *put, size_t more)
{
	if (put->room - put->size >= more)
		return;
	put->room = (put->size + more) * 2;
	put->at = realloc(put->at, put->room);
	if (!put->at) {
		perror("make_tf");
		exit(1);
	}
}

static size_t encode(unsigned char out[10], uint64_t value)
{
	size_t size = 0;

	for (; value > 0x7f; value >>= 7)
		out[size++] = (unsigned char)(0x80 | (value & 0x7f));
	out[size++] = (unsigned char)value;
	return size;
}

static void varint(struct put *put, uint64_t value)
{
	reserve(put, 10);
	put->size += encode(put->at + put->size, value);
}

static void bytes(struct put *put, const void *from, size_t size)
{
	reserve(put, size);
	if (size)
		memcpy(put->at + put->size, from, size);
	put->size += size;
}

void put_number(struct put *put, unsigned field, int64_t value)
{
	varint(put, field << 3 | WIRE_VARINT);
	varint(put, (uint64_t)value);
}

void put_count(struct put *put, unsigned field, int64_t value)
{
	if (value)
		put_number(put, field, value);
}

void put_raw(struct put *put, unsigned field, const void *from, size_t size)
{
	varint(put, field << 3 | WIRE_BYTES);
	varint(put, size);
	bytes(put, from, size);
}

void put_text(struct put *put, unsigned field, const char *text)
{
	put_raw(put, field, text, strlen(text));
}

void put_packed(struct put *put, unsigned field, const int64_t *values, size_t count)
{
	put_open(put, field);
	for (size_t i = 0; i < count; i++)
		varint(put, (uint64_t)values[i]);
	put_close(put);
}

void put_open(struct put *put, unsigned field)
{
	varint(put, field << 3 | WIRE_BYTES);
	if (put->depth == PUT_DEPTH)
		abort();
	put->open[put->depth++] = put->size;
}

void put_close(struct put *put)
{
	size_t start = put->open[--put->depth], content = put->size - start, head;
	unsigned char length[10];

	head = encode(length, content);
	reserve(put, head);
	memmove(put->at + start + head, put->at + start, content);
	memcpy(put->at + start, length, head);
	put->size += head;
}

void put_move(struct put *to, struct put *from)
{
	bytes(to, from->at, from->size);
	from->size = 0;
}
