/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding Snappy's raw format: a length, then literals and copies of what was already decoded.
 */
#include "codec/snappy.h"

#include <string.h>

/* The most that any three bytes decode to: one copy. */
#define COPY_MOST 64
#define COPY_SIZE 3

enum { TAG_LITERAL, TAG_COPY_1, TAG_COPY_2, TAG_COPY_4 };

struct decoder {
	const uint8_t *at, *end;
	uint8_t *out;
	size_t made, size;
};

/* COUNT bytes, the low one first. False if they are not there. */
static bool take(struct decoder *decoder, size_t count, uint32_t *value)
{
	if ((size_t)(decoder->end - decoder->at) < count)
		return false;
	*value = 0;
	for (size_t i = 0; i < count; i++)
		*value |= (uint32_t)*decoder->at++ << 8 * i;
	return true;
}

static bool literal(struct decoder *decoder, uint8_t tag)
{
	uint32_t length = tag >> 2;

	if (length >= 60 && !take(decoder, length - 59, &length))
		return false;
	if (length >= (size_t)(decoder->end - decoder->at) ||
	    length >= decoder->size - decoder->made)
		return false;
	memcpy(decoder->out + decoder->made, decoder->at, (size_t)length + 1);
	decoder->at += (size_t)length + 1;
	decoder->made += (size_t)length + 1;
	return true;
}

/* A copy may reach into what it makes itself, so that it goes byte by byte. */
static bool copy(struct decoder *decoder, size_t length, uint32_t offset)
{
	const uint8_t *from = decoder->out + decoder->made - offset;

	if (!offset || offset > decoder->made || length > decoder->size - decoder->made)
		return false;
	for (size_t i = 0; i < length; i++)
		decoder->out[decoder->made + i] = from[i];
	decoder->made += length;
	return true;
}

static bool element(struct decoder *decoder)
{
	uint8_t tag = *decoder->at++;
	uint32_t offset;

	switch (tag & 3) {
	case TAG_LITERAL:
		return literal(decoder, tag);
	case TAG_COPY_1:
		return take(decoder, 1, &offset) &&
		       copy(decoder, 4 + (tag >> 2 & 7), (uint32_t)(tag >> 5) << 8 | offset);
	case TAG_COPY_2:
		return take(decoder, 2, &offset) && copy(decoder, 1 + (tag >> 2), offset);
	default:
		return take(decoder, 4, &offset) && copy(decoder, 1 + (tag >> 2), offset);
	}
}

uint8_t *tfp_snappy_decode(const uint8_t *in, size_t size, size_t *out_size)
{
	struct decoder decoder = {.end = in + size};
	uint64_t length;
	bool good = true;

	decoder.at = tfp_wire_varint(in, decoder.end, &length);
	if (!decoder.at || length > UINT32_MAX ||
	    length > (uint64_t)size / COPY_SIZE * COPY_MOST + COPY_MOST)
		return NULL;
	decoder.size = (size_t)length;
	decoder.out = tfp_alloc(decoder.size + 1);
	while (good && decoder.at < decoder.end)
		good = element(&decoder);
	if (good && decoder.made == decoder.size) {
		*out_size = decoder.size;
		return decoder.out;
	}
	tfp_array_release(decoder.out);
	return NULL;
}
