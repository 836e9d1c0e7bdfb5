/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The small messages that both formats of checkpoints have, and the keys of slices.
 */
#include "load/checkpoint/checkpoint.h"

#include "load/shape.h"

enum {
	SLICE_EXTENT = 1,
	EXTENT_START = 1,
	EXTENT_LENGTH = 2,
	VERSION_PRODUCER = 1,
	VERSION_MIN_CONSUMER = 2,
	VERSION_BAD_CONSUMERS = 3,
};

#define MOST_DIMS  254 /* TensorFlow's own limit */
#define MOST_BYTES 16  /* of an element */
#define VERSION    1   /* that readers know */

const char *const tfp_shape_faults[] = {
	[TFP_SHAPE_GOOD] = "",
	[TFP_SHAPE_UNKNOWN_RANK] = "the number of its dimensions is not known",
	[TFP_SHAPE_RANK] = "its shape has more than 254 dimensions",
	[TFP_SHAPE_NEGATIVE] = "its shape has a dimension below 0",
	[TFP_SHAPE_OVERFLOW] = "its shape has more elements than any memory",
};

/* ---- messages ----------------------------------------------------------------------------------- */

bool tfp_ckpt_shape(const struct tfp_field *field, struct tfp_integers *dims, bool *unknown_rank)
{
	struct tfp_wire wire = tfp_wire_in(field);
	struct tfp_field dim;

	while (tfp_wire_next(&wire, &dim)) {
		if (tfp_field_is_int(&dim, SHAPE_UNKNOWN_RANK))
			*unknown_rank = dim.value != 0;
		if (!tfp_field_is(&dim, SHAPE_DIM))
			continue;
		if (!tfp_dim_size(&dim, tfp_array_push(dims)))
			return false;
	}
	return !wire.bad;
}

enum tfp_shape_fault tfp_ckpt_elements(const struct tfp_integers *dims, bool unknown_rank,
				       uint64_t *elements)
{
	int64_t product = 1;
	bool overflow = false;

	*elements = 0;
	if (unknown_rank)
		return TFP_SHAPE_UNKNOWN_RANK;
	if (dims->count > MOST_DIMS)
		return TFP_SHAPE_RANK;
	for (size_t i = 0; i < dims->count; i++) {
		if (dims->at[i] < 0)
			return TFP_SHAPE_NEGATIVE;
		overflow |= __builtin_mul_overflow(product, dims->at[i], &product);
	}
	if (overflow || product > INT64_MAX / MOST_BYTES)
		return TFP_SHAPE_OVERFLOW;
	*elements = (uint64_t)product;
	return TFP_SHAPE_GOOD;
}

uint64_t tfp_ckpt_shape_elements(const struct tfp_field *shape)
{
	struct tfp_integers dims = {0};
	bool unknown_rank = false;
	uint64_t elements = 0;

	if (!tfp_ckpt_shape(shape, &dims, &unknown_rank) ||
	    tfp_ckpt_elements(&dims, unknown_rank, &elements) != TFP_SHAPE_GOOD)
		elements = 0;
	tfp_array_free(&dims);
	return elements;
}

static bool read_extent(const struct tfp_field *field, struct tfp_extents *out)
{
	struct tfp_wire wire = tfp_wire_in(field);
	struct tfp_extent extent = {0, -1};
	struct tfp_field part;

	while (tfp_wire_next(&wire, &part)) {
		if (tfp_field_is_int(&part, EXTENT_START))
			extent.start = (int64_t)part.value;
		else if (tfp_field_is_int(&part, EXTENT_LENGTH))
			extent.length = (int64_t)part.value;
	}
	*tfp_array_push(out) = extent;
	return !wire.bad;
}

bool tfp_ckpt_slice(const struct tfp_field *field, struct tfp_extents *out)
{
	struct tfp_wire wire = tfp_wire_in(field);
	struct tfp_field extent;
	bool good = true;

	while (tfp_wire_next(&wire, &extent))
		if (tfp_field_is(&extent, SLICE_EXTENT))
			good &= read_extent(&extent, out);
	return good && !wire.bad;
}

void tfp_ckpt_version(const struct tfp_field *field, const char *path, struct tfp_diag *diag)
{
	struct tfp_wire wire = tfp_wire_in(field);
	struct tfp_integers bad = {0};
	struct tfp_field part;

	while (tfp_wire_next(&wire, &part)) {
		int32_t number = (int32_t)part.value;

		if (part.number == VERSION_BAD_CONSUMERS)
			tfp_wire_integers(&part, &bad);

		else if (tfp_field_is_int(&part, VERSION_PRODUCER) && number < 0)
			tfp_diag_add(diag, TFP_WARNING, path, -1, 0,
				     "the version of what wrote it is %d, which TensorFlow refuses",
				     number);
		else if (tfp_field_is_int(&part, VERSION_MIN_CONSUMER) && number > VERSION)
			tfp_diag_add(diag, TFP_WARNING, path, -1, 0,
				     "it asks for readers of version %d and later; this is version "
				     "%d, which goes on",
				     number, VERSION);
	}
	for (size_t i = 0; i < bad.count; i++)
		if (bad.at[i] == VERSION)
			tfp_diag_add(diag, TFP_WARNING, path, -1, 0,
				     "it disallows readers of version %d; this one goes on",
				     VERSION);
	tfp_array_free(&bad);
}

/* ---- keys of slices ----------------------------------------------------------------------------- */

static void put(struct tfp_slice_key *key, unsigned byte)
{
	*tfp_array_push(key) = (char)(uint8_t)byte;
}

static void put_name(struct tfp_slice_key *key, struct tfp_span name)
{
	for (size_t i = 0; i < name.size; i++) {
		uint8_t byte = (uint8_t)name.at[i];

		put(key, byte);
		if (byte == 0x00)
			put(key, 0xff);
		else if (byte == 0xff)
			put(key, 0x00);
	}
	put(key, 0x00);
	put(key, 0x01);
}

/* The number of bytes that follow, then those, the high one first. */
static void put_natural(struct tfp_slice_key *key, uint64_t value)
{
	unsigned count = 0;

	while (count < 8 && value >> 8 * count)
		count++;
	put(key, count);
	while (count)
		put(key, (unsigned)(value >> 8 * --count & 0xff));
}

/* Bytes in the order of the numbers: as many leading ones as there are bytes, xored over them. */
static void put_integer(struct tfp_slice_key *key, int64_t value)
{
	uint64_t bits = (uint64_t)value;
	uint8_t bytes[10];
	unsigned count = 1, header;

	while (count < 10 &&
	       (value < -(INT64_C(1) << (7 * count - 1)) || value >= INT64_C(1) << (7 * count - 1)))
		count = 7 * (count + 1) - 1 < 63 ? count + 1 : 10;
	if (count == 1) {
		put(key, 0x80 ^ (unsigned)(bits & 0xff));
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned shift = 8 * (count - 1 - i);

		bytes[i] = shift < 64 ? (uint8_t)(bits >> shift) : value < 0 ? 0xff : 0;
	}
	header = 0xffffU << (16 - count) & 0xffff;
	bytes[0] ^= (uint8_t)(header >> 8);
	bytes[1] ^= (uint8_t)(header & 0xff);
	for (unsigned i = 0; i < count; i++)
		put(key, bytes[i]);
}

void tfp_ckpt_key(struct tfp_slice_key *out, struct tfp_span name, const struct tfp_extent *extents,
		  size_t rank)
{
	out->count = 0;
	put(out, 0x00);
	put_name(out, name);
	put_natural(out, rank);
	for (size_t i = 0; i < rank; i++) {
		put_integer(out, extents[i].start);
		put_integer(out, extents[i].length);
	}
}

void tfp_ckpt_add_slice(struct tfp_checkpoint *checkpoint, struct tfp_variable *variable,
			uint32_t rank, uint32_t shard)
{
	uint32_t number = (uint32_t)checkpoint->slices.count;
	uint32_t first = (uint32_t)checkpoint->extents.count - rank;

	*tfp_array_push(&checkpoint->slices) = (struct tfp_slice){first, rank, shard, TFP_NONE};
	if (variable->slices == TFP_NONE)
		variable->slices = number;
	else
		checkpoint->slices.at[variable->last_slice].next = number;
	variable->last_slice = number;
}
