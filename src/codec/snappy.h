/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Snappy's raw format, which sorted tables may compress their blocks with.
 */
#ifndef TFPROF_CODEC_SNAPPY_H
#define TFPROF_CODEC_SNAPPY_H

#include "tfprof/codec.h"

/*
 * The bytes that IN decodes to, to be freed by tfp_array_release; NULL if it is damaged. The memory
 * is in proportion to what IN can decode to, whatever length it claims.
 */
uint8_t *tfp_snappy_decode(const uint8_t *in, size_t size, size_t *out_size);

#endif
