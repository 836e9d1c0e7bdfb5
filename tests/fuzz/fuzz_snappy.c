/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a Snappy block: it decodes to the length that it begins with, or not at all.
 */
#include "load_bytes.h"

#include "codec/snappy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t out_size = 0;
	uint8_t *out;
	uint64_t length = 0;

	if (!data)
		return 0;
	out = tfp_snappy_decode(data, size, &out_size);
	if (out) {
		fuzz_abort_unless(tfp_wire_varint(data, data + size, &length) != NULL);
		fuzz_abort_unless(length == out_size);
	}
	tfp_array_release(out);
	return 0;
}
