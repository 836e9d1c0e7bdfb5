/* SPDX-License-Identifier: Apache-2.0 */
/* Protobuf messages written field by field. */
#ifndef TFPROF_TESTS_WIRE_BYTES_H
#define TFPROF_TESTS_WIRE_BYTES_H

#include <string.h>

#include "tfprof/codec.h"

struct bytes {
	uint8_t *at;
	size_t count, room;
};

static inline void put_varint(struct bytes *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*tfp_array_push(bytes) = (uint8_t)(value | 0x80);
	*tfp_array_push(bytes) = (uint8_t)value;
}

static inline void put_int(struct bytes *bytes, uint32_t field, uint64_t value)
{
	put_varint(bytes, field << 3 | TFP_WIRE_VARINT);
	put_varint(bytes, value);
}

static inline void put_bytes(struct bytes *bytes, uint32_t field, const void *at, size_t size)
{
	put_varint(bytes, field << 3 | TFP_WIRE_BYTES);
	put_varint(bytes, size);
	for (size_t i = 0; i < size; i++)
		*tfp_array_push(bytes) = ((const uint8_t *)at)[i];
}

/* Puts MESSAGE, which is freed. */
static inline void put_message(struct bytes *bytes, uint32_t field, struct bytes *message)
{
	put_bytes(bytes, field, message->at, message->count);
	tfp_array_free(message);
}

static inline void put_text(struct bytes *bytes, uint32_t field, const char *text)
{
	put_bytes(bytes, field, text, strlen(text));
}

#endif
