/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a GraphDef.
 */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_load("graphdef", data, size, false);
	return 0;
}
