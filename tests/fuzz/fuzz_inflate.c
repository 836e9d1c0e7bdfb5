/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as gzip data: output is bounded, and where zlib can read the first member it begins
 * with what zlib gives.
 */
#include "codec/inflate.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define LIMIT ((size_t)256 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

/* The first member by zlib; false unless it is whole and within LIMIT. */
static bool inflate_by_zlib(const uint8_t *data, size_t size, uint8_t *out, size_t *out_size)
{
	z_stream stream = {
		.next_in = (Bytef *)(uintptr_t)data,
		.avail_in = (uInt)size,
		.next_out = out,
		.avail_out = (uInt)LIMIT,
	};
	bool whole;

	must(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
	whole = inflate(&stream, Z_FINISH) == Z_STREAM_END;
	*out_size = stream.total_out;
	inflateEnd(&stream);
	return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tfp_diag *diag = tfp_diag_new();
	uint8_t *expected = tfp_alloc(LIMIT), *got;
	size_t expected_size, got_size = 0;

	got = tfp_inflate("fuzz", data, size, LIMIT, NULL, diag, &got_size);
	must(got_size <= LIMIT);
	must(got || tfp_diag_count(diag));
	if (inflate_by_zlib(data, size, expected, &expected_size)) {
		must(got && got_size >= expected_size);
		must(!memcmp(got, expected, expected_size));
	}
	free(got);
	free(expected);
	tfp_diag_free(diag);
	return 0;
}
