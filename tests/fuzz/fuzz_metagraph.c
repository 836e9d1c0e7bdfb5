/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a MetaGraphDef, with all that the model view asks of it.
 */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_load("metagraph", data, size, false);
	return 0;
}
