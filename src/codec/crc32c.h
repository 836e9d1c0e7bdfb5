/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow way to a CRC-32C, for tests that hold both ways against each other.
 */
#ifndef TFPROF_CODEC_CRC32C_H
#define TFPROF_CODEC_CRC32C_H

#include "tfprof/codec.h"

/* As tfp_crc32c, on any processor. */
uint32_t tfp_crc32c_table(uint32_t crc, const uint8_t *at, size_t size);

#endif
