/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fast keyed 64-bit hash of bytes, after the multiply-and-fold family: sixteen bytes a step, one
 * wide multiplication each. The key is drawn at random, so that no file can be written whose names
 * all fall into one place of a table.
 */
#ifndef TFPROF_HASH_H
#define TFPROF_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tfp_hash_key {
	uint64_t a, b;
};

/* A key from the system's randomness. */
struct tfp_hash_key tfp_hash_key_new(void);

/* Both halves of the product, one laid over the other. */
static inline uint64_t tfp_hash_fold(uint64_t x, uint64_t y)
{
	unsigned __int128 product = (unsigned __int128)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t tfp_hash_read8(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

static inline uint64_t tfp_hash_read4(const char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* One to three bytes: the first, the middle and the last cover them all. */
static inline uint64_t tfp_hash_read3(const char *at, size_t size)
{
	const unsigned char *byte = (const unsigned char *)at;

	return (uint64_t)byte[0] << 16 | (uint64_t)byte[size / 2] << 8 | byte[size - 1];
}

/* AT may be NULL if SIZE is 0. */
static inline uint64_t tfp_hash_bytes(struct tfp_hash_key key, const char *at, size_t size)
{
	uint64_t hash = key.a ^ size, first, last, turn = UINT64_C(0x9e3779b97f4a7c15) ^ size;

	if (size > 16) {
		for (; size > 16; size -= 16, at += 16)
			hash = tfp_hash_fold(tfp_hash_read8(at) ^ key.b,
					     tfp_hash_read8(at + 8) ^ hash);
		/* Reaches back into what was read, so that no tail is left. */
		first = tfp_hash_read8(at + size - 16);
		last = tfp_hash_read8(at + size - 8);
	} else if (size >= 8) {
		first = tfp_hash_read8(at);
		last = tfp_hash_read8(at + size - 8);
	} else if (size >= 4) {
		first = tfp_hash_read4(at);
		last = tfp_hash_read4(at + size - 4);
	} else {
		first = size ? tfp_hash_read3(at, size) : 0;
		last = 0;
	}
	hash = tfp_hash_fold(first ^ key.b, last ^ hash);
	/* the size once more: the last bytes may undo it above, as those of 10000 do for 1000 */
	return tfp_hash_fold(hash ^ key.a, turn);
}

#endif
