/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a V1 checkpoint.
 */
#include "ask_values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_checkpoint(fuzz_source(data, size));
	return 0;
}
