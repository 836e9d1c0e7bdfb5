/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as gzip data: output is bounded, and where zlib can read the first member it begins
 * with what zlib gives. Into room that is there it begins with the same, whatever comes behind damage.
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

static void note(void *data, size_t size, size_t used)
{
	size_t *before = data;

	(void)used;
	must(size >= *before && size <= LIMIT);
	*before = size;
}

/* EXPECTED: what is inflated until there is damage. */
static void inflate_into_room(const uint8_t *data, size_t size, const uint8_t *expected,
			      size_t expected_size)
{
	size_t got_size = 0;
	struct tfp_inflate_room room = {tfp_alloc(LIMIT + 1), LIMIT + 1, note, &got_size};
	struct tfp_diag *diag = tfp_diag_new();

	tfp_inflate_into("fuzz", data, size, &room, NULL, diag);
	must(got_size >= expected_size);
	must(!expected_size || !memcmp(room.at, expected, expected_size));
	must(got_size == expected_size || tfp_diag_count(diag));
	free(room.at);
	tfp_diag_free(diag);
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
	inflate_into_room(data, size, got, got ? got_size : 0);
	free(got);
	free(expected);
	tfp_diag_free(diag);
	return 0;
}
