/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an OpLogProto, over a few nodes.
 */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_load("oplog", data, size, true);
	return 0;
}
