/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_xplane FILE MEGABYTES OUT [all]: a large XPlane recording from a small one. The events of devices, or all, are
 * repeated in their lines, each time later by the length of the recording; names and stats stay byte for byte, but
 * that some copies together are one step: there are a few hundred, as programs have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "put.h"
#include "tfprof/codec.h"

enum { PLANE = 1, NAME = 2, LINE = 3, STAT_NAME = 5 }; /* of a space, and of a plane */
enum { EVENT = 4 };                                    /* of a line */
enum { OFFSET = 2, STAT = 4, STAT_ID = 1 };            /* of an event, and of a stat */

#define SPAN_PICOS INT64_C(30000000000) /* longer than the recording */
#define OF_STEP    256                  /* copies */

/* What is written of each copy. */
struct copy {
	uint64_t step_stat; /* the stat of the number of a step, 0: none */
	size_t number;
};

/* How long the lines of PLANE are together, if they are to be repeated: of devices, with HOSTS of all. */
static size_t repeated(const struct tfp_field *plane, bool hosts)
{
	struct tfp_wire wire = tfp_wire_in(plane);
	struct tfp_field field;
	size_t lines = 0;
	bool device = hosts;

	while (tfp_wire_next(&wire, &field)) {
		device = device || (field.number == NAME &&
				    tfp_span_holds(tfp_field_span(&field), "/device:"));
		lines += field.number == LINE ? field.size : 0;
	}
	return device ? lines : 0;
}

/* How often lines are to be there, so that all of them have SIZE bytes. */
static size_t times_of(const struct tfp_source *source, size_t size, bool hosts)
{
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	struct tfp_field field;
	size_t lines = 0;

	while (tfp_wire_next(&wire, &field))
		lines += field.number == PLANE ? repeated(&field, hosts) : 0;
	return lines ? size / lines + 1 : 1;
}

static void put_field(struct put *put, const struct tfp_field *field)
{
	if (field->type == TFP_WIRE_BYTES)
		put_raw(put, field->number, field->data, field->size);
	else
		put_number(put, field->number, (int64_t)field->value);
}

/* The field NUMBER of the message FIELD; empty: it has none. */
static struct tfp_field inner(const struct tfp_field *field, uint32_t number)
{
	struct tfp_wire wire = tfp_wire_in(field);
	struct tfp_field found;

	while (tfp_wire_next(&wire, &found))
		if (found.number == number)
			return found;
	return (struct tfp_field){0};
}

/* Entries of that map are an id and what it is. */
static uint64_t step_stat(const struct tfp_field *plane)
{
	struct tfp_wire wire = tfp_wire_in(plane);
	struct tfp_field field, what, name;

	while (tfp_wire_next(&wire, &field)) {
		if (field.number != STAT_NAME)
			continue;
		what = inner(&field, 2);
		name = inner(&what, NAME);
		if (tfp_span_is(tfp_field_span(&name), "step_num"))
			return inner(&field, 1).value;
	}
	return 0;
}

static void put_step(struct put *put, const struct tfp_field *stat, size_t number)
{
	struct tfp_wire wire = tfp_wire_in(stat);
	struct tfp_field field;

	put_open(put, STAT);
	while (tfp_wire_next(&wire, &field)) {
		if (field.number != STAT_ID)
			field.value = number;
		put_field(put, &field);
	}
	put_close(put);
}

/* What begins where its line does may not say so. */
static void put_event(struct put *put, const struct tfp_field *event, const struct copy *copy)
{
	struct tfp_wire wire = tfp_wire_in(event);
	int64_t later = (int64_t)copy->number * SPAN_PICOS;
	struct tfp_field field;

	put_open(put, EVENT);
	put_number(put, OFFSET, (int64_t)inner(event, OFFSET).value + later);
	while (tfp_wire_next(&wire, &field)) {
		if (field.number == OFFSET)
			continue;
		if (field.number == STAT && copy->step_stat &&
		    inner(&field, STAT_ID).value == copy->step_stat)
			put_step(put, &field, copy->number / OF_STEP);
		else
			put_field(put, &field);
	}
	put_close(put);
}

static void put_line(struct put *put, const struct tfp_field *line, uint64_t step, size_t times)
{
	struct copy copy = {.step_stat = step};
	struct tfp_field field;

	put_open(put, LINE);
	for (; copy.number < times; copy.number++) {
		struct tfp_wire wire = tfp_wire_in(line);

		while (tfp_wire_next(&wire, &field)) {
			if (field.number == EVENT)
				put_event(put, &field, &copy);
			else if (!copy.number)
				put_field(put, &field);
		}
	}
	put_close(put);
}

/* Lines stand before the names that they refer to. */
static void put_plane(struct put *put, const struct tfp_field *plane, size_t times)
{
	struct tfp_wire wire = tfp_wire_in(plane);
	uint64_t step = step_stat(plane);
	struct tfp_field field;

	put_open(put, PLANE);
	while (tfp_wire_next(&wire, &field)) {
		if (field.number == LINE)
			put_line(put, &field, step, times);
		else
			put_field(put, &field);
	}
	put_close(put);
}

static bool write_all(const struct put *put, const char *path)
{
	FILE *file = fopen(path, "wb");
	bool written = file && fwrite(put->at, 1, put->size, file) == put->size;

	return file && !fclose(file) && written;
}

int main(int argc, char **argv)
{
	struct tfp_diag *diag = tfp_diag_new();
	bool hosts = argc == 5 && !strcmp(argv[4], "all");
	struct tfp_source *source =
		argc == 4 || hosts ? tfp_source_open(argv[1], NULL, diag) : NULL;
	struct put put = {0};
	struct tfp_wire wire;
	struct tfp_field field;
	size_t times;

	if (!source) {
		fprintf(stderr, "usage: make_xplane FILE MEGABYTES OUT [all]\n");
		return 2;
	}
	times = times_of(source, (size_t)atoi(argv[2]) * 1000000, hosts);
	wire = tfp_wire_of(source->data, source->size);
	while (tfp_wire_next(&wire, &field)) {
		if (field.number == PLANE)
			put_plane(&put, &field, repeated(&field, hosts) ? times : 1);
		else
			put_field(&put, &field);
	}
	if (!write_all(&put, argv[3])) {
		perror(argv[3]);
		return 1;
	}
	free(put.at);
	tfp_source_free(source);
	tfp_diag_free(diag);
	return 0;
}
