/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rare paths of the protobuf cursor: long varints, fixed and group fields, cut fields, packed
 * runs. Everything that real files are full of is inline in codec.h.
 */
#include "tfprof/codec.h"

#include <string.h>

#define VARINT_MOST_BYTES  10
#define FIELD_MOST         0x1fffffff
#define GROUP_MOST_NESTING 100
#define WIRE_GROUP_END     4

const uint8_t *tfp_wire_varint_bytes(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
	uint64_t sum = 0;

	if (end - at > VARINT_MOST_BYTES)
		end = at + VARINT_MOST_BYTES;
	for (unsigned int shift = 0; at < end; shift += 7) {
		uint64_t byte = *at++;

		sum |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = sum;
			return at;
		}
	}
	return NULL;
}

const uint8_t *tfp_wire_varint_slow(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
	return tfp_wire_varint_any(at, end, value);
}

static bool tag_is_sane(uint64_t tag)
{
	return tag >> 3 && tag >> 3 <= FIELD_MOST;
}

static uint64_t load_little_endian(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | at[size];
	return value;
}

/* Steps over the value of TAG (no group). NULL when it is cut or of no known type. */
static const uint8_t *skip_value(const uint8_t *at, const uint8_t *end, uint64_t tag)
{
	uint64_t size;

	switch (tag & 7) {
	case TFP_WIRE_VARINT:
		return tfp_wire_varint(at, end, &size);
	case TFP_WIRE_FIXED64:
		size = 8;
		break;
	case TFP_WIRE_FIXED32:
		size = 4;
		break;
	case TFP_WIRE_BYTES:
		at = tfp_wire_varint(at, end, &size);
		break;
	default:
		return NULL;
	}
	return at && size <= (uint64_t)(end - at) ? at + size : NULL;
}

/*
 * Walks from AT, the first byte within the group NUMBER, past its end tag. *CONTENT_END gets where
 * the end tag begins. NULL when the group is cut, its end tags do not pair or it is nested too
 * deep.
 */
static const uint8_t *skip_group(const uint8_t *at, const uint8_t *end, uint32_t number,
				 const uint8_t **content_end)
{
	uint32_t open[GROUP_MOST_NESTING] = {number};
	size_t depth = 1;

	while (depth) {
		uint64_t tag;

		*content_end = at;
		at = tfp_wire_varint(at, end, &tag);
		if (!at || !tag_is_sane(tag))
			return NULL;
		if ((tag & 7) == TFP_WIRE_GROUP) {
			if (depth == GROUP_MOST_NESTING)
				return NULL;
			open[depth++] = (uint32_t)(tag >> 3);
		} else if ((tag & 7) == WIRE_GROUP_END) {
			if (open[--depth] != tag >> 3)
				return NULL;
		} else {
			at = skip_value(at, end, tag);
			if (!at)
				return NULL;
		}
	}
	return at;
}

/*
 * Fills FIELD with the fixed or group value at AT. Returns the byte after it, NULL when it can't.
 */
static const uint8_t *take_rare(const uint8_t *at, const uint8_t *end, uint64_t tag,
				struct tfp_field *field)
{
	const uint8_t *content_end;
	size_t size = (tag & 7) == TFP_WIRE_FIXED64 ? 8 : 4;

	field->number = (uint32_t)(tag >> 3);
	field->type = (enum tfp_wire_type)(tag & 7);
	switch (tag & 7) {
	case TFP_WIRE_FIXED64:
	case TFP_WIRE_FIXED32:
		if ((size_t)(end - at) < size)
			return NULL;
		field->value = load_little_endian(at, size);
		return at + size;
	case TFP_WIRE_GROUP:
		field->data = at;
		at = skip_group(at, end, field->number, &content_end);
		field->size = at ? (size_t)(content_end - field->data) : 0;
		return at;
	default:
		return NULL;
	}
}

bool tfp_wire_next_slow(struct tfp_wire *wire, struct tfp_field *field, uint64_t tag)
{
	const uint8_t *at = NULL;

	if (tag_is_sane(tag))
		at = tfp_wire_varint(wire->at, wire->end, &tag);
	if (at)
		at = take_rare(at, wire->end, tag, field);
	if (!at) {
		wire->bad = true;
		return false;
	}
	wire->at = at;
	return true;
}

bool tfp_wire_next_cut(struct tfp_wire *wire, struct tfp_field *field)
{
	uint64_t tag, size;
	const uint8_t *at = tfp_wire_varint(wire->at, wire->end, &tag);

	if (!at || !tag_is_sane(tag) || (tag & 7) != TFP_WIRE_BYTES)
		return false;
	at = tfp_wire_varint(at, wire->end, &size);
	if (!at || size <= (uint64_t)(wire->end - at))
		return false;
	field->number = (uint32_t)(tag >> 3);
	field->type = TFP_WIRE_BYTES;
	field->data = at;
	field->size = (size_t)(wire->end - at);
	wire->at = wire->end;
	return true;
}

/* How many varints end in the SIZE bytes at DATA. */
static size_t count_varints(const uint8_t *data, size_t size)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += data[i] < 0x80;
	return count;
}

bool tfp_wire_integers(const struct tfp_field *field, struct tfp_integers *out)
{
	const uint8_t *at, *end;

	if (field->type == TFP_WIRE_GROUP)
		return false;
	if (field->type != TFP_WIRE_BYTES) {
		*tfp_array_push(out) = (int64_t)field->value;
		return true;
	}
	tfp_array_reserve(out, out->count + count_varints(field->data, field->size));
	for (at = field->data, end = at + field->size; at < end;) {
		uint64_t value;

		at = tfp_wire_varint(at, end, &value);
		if (!at)
			return false;
		out->at[out->count++] = (int64_t)value;
	}
	return true;
}
