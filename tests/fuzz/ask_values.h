/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the harnesses of checkpoints share: the bytes are loaded as a profile of its own, then all its values are
 * asked for, in order and out of order.
 */
#ifndef TFPROF_TESTS_FUZZ_ASK_VALUES_H
#define TFPROF_TESTS_FUZZ_ASK_VALUES_H

#include "load_bytes.h"

#define FUZZ_MOST_TENSORS 16

static inline void fuzz_check_elements(const struct tfp_dtype *dtype,
				       const struct tfp_elements *elements)
{
	char text[TFP_SCALAR_ROOM];

	if (dtype->element == TFP_ELEMENT_STRING) {
		fuzz_abort_unless(elements->texts.count == elements->count);
		for (size_t i = 0; i < elements->count; i++)
			fuzz_abort_unless(elements->texts.at[i].at + elements->texts.at[i].size <=
					  elements->bytes.count);
		return;
	}
	fuzz_abort_unless(elements->bytes.count == elements->count * dtype->size);
	for (size_t i = 0; i < elements->count && i < 4; i++)
		tfp_scalar_text(text, dtype,
				tfp_scalar_of(dtype, elements->bytes.at + i * dtype->size));
}

static inline void fuzz_ask_tensor(const struct tfp_profile *profile, uint32_t tensor,
				   struct tfp_diag *diag)
{
	static const uint64_t places[] = {5, 0, 3, 1000000, 4};
	struct tfp_values *values = tfp_values_open(profile, tensor, NULL, diag);
	struct tfp_elements elements = {.most = 8};
	struct tfp_measures measures;

	if (!values)
		return;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (tfp_values_read(values, places[i], 7, &elements, NULL, diag))
			fuzz_check_elements(tfp_values_dtype(values), &elements);
	tfp_values_measure(values, &measures, NULL, diag);
	tfp_elements_free(&elements);
	tfp_values_close(values);
}

static inline void fuzz_checkpoint(struct tfp_source *source)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_diag *diag = tfp_diag_new();
	uint32_t file = tfp_profile_add_file(profile, "fuzz", "checkpoint", source->size, 0);

	tfp_recognise(source);
	fuzz_loader("checkpoint")->load(profile, source, file, 0, NULL, diag);
	tfp_profile_finish(profile);
	tfp_profile_need(profile, 15, NULL, diag);
	for (uint32_t i = 0; i < profile->tensors.count && i < FUZZ_MOST_TENSORS; i++)
		fuzz_ask_tensor(profile, i, diag);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

#endif
