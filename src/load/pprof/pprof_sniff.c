/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognising pprof. A file may begin with any of its fields, so each of the first elements is held
 * against what the format allows; another format's break the rules at once.
 */
#include "load/pprof/pprof.h"

enum {
	MOST_ELEMENTS = 256,
	MOST_FIELDS = 64, /* of one element */
	MISFITS = 8,      /* one element in so many may be damaged */
};

enum { V = 1 << TFP_WIRE_VARINT, B = 1 << TFP_WIRE_BYTES };

/* The wire types that each field of each element may have. */
static const struct shape {
	uint8_t type;      /* of the element */
	uint8_t score;     /* what meeting one is worth */
	uint8_t field[11]; /* of its own fields; field[1] is 0 if it has none */
} shapes[PPROF_FIELDS] = {
	[PPROF_SAMPLE_TYPE] = {B, 40, {0, V, V}},
	[PPROF_SAMPLE] = {B, 20, {0, V | B, V | B, B}},
	[PPROF_MAPPING] = {B, 5, {0, V, V, V, V, V, V, V, V, V, V}},
	[PPROF_LOCATION] = {B, 5, {0, V, V, V, B, V}},
	[PPROF_FUNCTION] = {B, 10, {0, V, V, V, V, V}},
	[PPROF_STRING] = {B, 19, {0}},
	[PPROF_DROP_FRAMES] = {V, 0, {0}},
	[PPROF_KEEP_FRAMES] = {V, 0, {0}},
	[PPROF_TIME] = {V, 0, {0}},
	[PPROF_DURATION] = {V, 0, {0}},
	[PPROF_PERIOD_TYPE] = {B, 0, {0, V, V}},
	[PPROF_PERIOD] = {V, 0, {0}},
	[PPROF_COMMENT] = {V | B, 0, {0}},
	[PPROF_DEFAULT_TYPE] = {V, 0, {0}},
	[PPROF_DOC_URL] = {V, 0, {0}},
};

static bool content_fits(const struct shape *shape, const uint8_t *bytes, size_t size)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;

	if (!shape->field[1])
		return true;
	for (int i = 0; i < MOST_FIELDS && tfp_wire_next(&wire, &field); i++)
		if (field.number >= sizeof(shape->field) ||
		    !(shape->field[field.number] & 1 << field.type))
			return false;
	return !wire.bad;
}

static bool element_fits(const struct tfp_field *element)
{
	const struct shape *shape;

	if (element->number >= PPROF_FIELDS)
		return false;
	shape = &shapes[element->number];
	if (!(shape->type & 1 << element->type))
		return false;
	return element->type != TFP_WIRE_BYTES || content_fits(shape, element->data, element->size);
}

/* Behind damage a sample is only believed if it is as writers make them: locations, then values. */
bool tfp_pprof_sample_begins(const uint8_t *bytes, size_t size)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;
	uint32_t last = 0;
	bool values = false;

	for (int i = 0; i < MOST_FIELDS && tfp_wire_next(&wire, &field); i++) {
		if (field.number < last || field.number > last + 1)
			return false;
		last = field.number;
		values = values || last == PPROF_SAMPLE_VALUE;
	}
	return values && content_fits(&shapes[PPROF_SAMPLE], bytes, size);
}

int tfp_pprof_sniff(const struct tfp_source *source)
{
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	bool seen[PPROF_FIELDS] = {false};
	int score = 0, misfits = 0, count = 0;
	struct tfp_field field;

	for (; count < MOST_ELEMENTS && tfp_wire_next(&wire, &field); count++) {
		if (!element_fits(&field)) {
			misfits++;
			continue;
		}
		if (seen[field.number])
			continue;
		if (field.number == PPROF_STRING && field.size)
			return 0; /* the first text is empty */
		seen[field.number] = true;
		score += shapes[field.number].score;
	}
	return misfits * MISFITS <= count ? score : 0;
}
