/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a SavedModel, with all that the model view asks of it.
 */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_load("savedmodel", data, size, false);
	return 0;
}
