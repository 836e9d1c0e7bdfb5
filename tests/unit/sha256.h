/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256, by which the tests tell whether values are those that TensorFlow read.
 */
#ifndef TFPROF_TESTS_SHA256_H
#define TFPROF_TESTS_SHA256_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sha256 {
	uint32_t state[8];
	uint64_t size;
	uint8_t block[64];
};

static inline struct sha256 sha256_start(void)
{
	return (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
					 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static inline uint32_t sha256_turn(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static inline void sha256_schedule(const uint8_t *block, uint32_t words[64])
{
	for (int i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + words[i - 7] +
			   (sha256_turn(a, 7) ^ sha256_turn(a, 18) ^ a >> 3) +
			   (sha256_turn(b, 17) ^ sha256_turn(b, 19) ^ b >> 10);
	}
}

static inline void sha256_block(struct sha256 *sum)
{
	static const uint32_t keys[64] = {
		0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
		0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
		0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
		0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
		0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
		0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
		0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
		0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
		0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
		0xc67178f2};
	uint32_t words[64], s[8];

	sha256_schedule(sum->block, words);
	memcpy(s, sum->state, sizeof(s));
	for (int i = 0; i < 64; i++) {
		uint32_t one =
			s[7] +
			(sha256_turn(s[4], 6) ^ sha256_turn(s[4], 11) ^ sha256_turn(s[4], 25)) +
			((s[4] & s[5]) ^ (~s[4] & s[6])) + keys[i] + words[i];
		uint32_t two =
			(sha256_turn(s[0], 2) ^ sha256_turn(s[0], 13) ^ sha256_turn(s[0], 22)) +
			((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		sum->state[i] += s[i];
}

static inline void sha256_add(struct sha256 *sum, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	for (; size; size--) {
		sum->block[sum->size++ % 64] = *at++;
		if (sum->size % 64 == 0)
			sha256_block(sum);
	}
}

/* The sum as 64 hexadecimal digits. */
static inline void sha256_end(struct sha256 *sum, char text[65])
{
	uint64_t bits = sum->size * 8;
	uint8_t byte = 0x80;

	sha256_add(sum, &byte, 1);
	for (byte = 0; sum->size % 64 != 56;)
		sha256_add(sum, &byte, 1);
	for (int i = 56; i >= 0; i -= 8) {
		byte = (uint8_t)(bits >> i);
		sha256_add(sum, &byte, 1);
	}
	for (int i = 0; i < 8; i++)
		snprintf(text + 8 * i, 9, "%08x", sum->state[i]);
}

#endif
