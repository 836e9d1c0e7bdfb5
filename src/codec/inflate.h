/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gzip streams to bytes in memory. Private to codec.
 */
#ifndef TFPROF_CODEC_INFLATE_H
#define TFPROF_CODEC_INFLATE_H

#include "tfprof/base.h"

/* Whether INPUT begins as a gzip stream does. */
static inline bool tfp_inflate_sniff(const uint8_t *input, size_t size)
{
	return size >= 2 && input[0] == 0x1f && input[1] == 0x8b;
}

/*
 * Inflates all gzip members of INPUT, a file known as NAME, to at most LIMIT bytes. Returns the
 * bytes, *OUT_SIZE of them, for the caller to free(). Cut or damaged input and output beyond LIMIT
 * are put into DIAG with the offset in INPUT, and what was inflated until there is returned; NULL
 * if that is nothing. JOB counts bytes of INPUT; NULL, too, when it was cancelled.
 */
uint8_t *tfp_inflate(const char *name, const uint8_t *input, size_t size, size_t limit,
		     struct tfp_job *job, struct tfp_diag *diag, size_t *out_size);

/* Where bytes go, and who is told after each piece how many there are, and of how many bytes of the input. */
struct tfp_inflate_room {
	uint8_t *at;
	size_t size;
	void (*note)(void *data, size_t size, size_t used);
	void *data;
};

/* The same, to at most one byte less than there is room for. */
void tfp_inflate_into(const char *name, const uint8_t *input, size_t size,
		      const struct tfp_inflate_room *room, struct tfp_job *job,
		      struct tfp_diag *diag);

#endif
