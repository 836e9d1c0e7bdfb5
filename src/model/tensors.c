/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of a checkpoint's tensors, and the way to their values: what does not depend on how a file
 * stores them is checked here, the rest is the loader's.
 */
#include "tfprof/model.h"
#include "tfprof/lookup.h"

struct tfp_values {
	const struct tfp_profile *profile;
	uint32_t tensor;
	void *reader;
};

bool tfp_profile_add_tensor(struct tfp_profile *profile, const struct tfp_tensor *tensor)
{
	if (tfp_profile_find_tensor(profile, tensor->name) != TFP_NONE)
		return false;
	tfp_lookup_add(profile->tensor_table, tfp_lookup_mix(tensor->name),
		       (uint32_t)profile->tensors.count);
	*tfp_array_push(&profile->tensors) = *tensor;
	return true;
}

uint32_t tfp_profile_find_tensor(const struct tfp_profile *profile, tfp_str name)
{
	uint32_t hash = tfp_lookup_mix(name), id;

	TFP_LOOKUP_EACH(id, profile->tensor_table, hash)
		if (profile->tensors.at[id].name == name)
			break;
	return id;
}

void tfp_elements_free(struct tfp_elements *elements)
{
	tfp_array_free(&elements->bytes);
	tfp_array_free(&elements->texts);
}

struct tfp_values *tfp_values_open(const struct tfp_profile *profile, uint32_t tensor,
				   struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_tensor *about = &profile->tensors.at[tensor];
	const struct tfp_dtype *dtype = tfp_dtype_of(about->dtype);
	const char *name = tfp_strings_text(profile->strings, about->name);
	struct tfp_values *values;
	char text[512];
	void *reader;

	if (about->fault) {
		snprintf(text, sizeof(text), "%s: %s", name, about->fault);
		tfp_diag_error(diag, "%s", text);
		return NULL;
	}
	if (dtype->element == TFP_ELEMENT_OTHER) {
		tfp_diag_error(diag, "%s: values of type %s (%u) can't be shown", name, dtype->name,
			       about->dtype);
		return NULL;
	}
	reader = profile->value_store.open(profile->value_store.data, profile, tensor, job, diag);
	if (!reader)
		return NULL;
	values = tfp_alloc(sizeof(*values));
	*values = (struct tfp_values){profile, tensor, reader};
	return values;
}

void tfp_values_close(struct tfp_values *values)
{
	if (!values)
		return;
	values->profile->value_store.close(values->reader);
	tfp_array_release(values);
}

const struct tfp_tensor *tfp_values_tensor(const struct tfp_values *values)
{
	return &values->profile->tensors.at[values->tensor];
}

const struct tfp_dtype *tfp_values_dtype(const struct tfp_values *values)
{
	return tfp_dtype_of(tfp_values_tensor(values)->dtype);
}

bool tfp_values_read(struct tfp_values *values, uint64_t first, size_t count,
		     struct tfp_elements *out, struct tfp_job *job, struct tfp_diag *diag)
{
	uint64_t elements = tfp_values_tensor(values)->elements;

	out->count = out->bytes.count = out->texts.count = 0;
	if (first >= elements)
		return true;
	if (count > elements - first)
		count = (size_t)(elements - first);
	if (!values->profile->value_store.read(values->reader, first, count, out, job, diag))
		return false;
	out->count = count;
	return true;
}

bool tfp_values_check(struct tfp_values *values, struct tfp_job *job, struct tfp_diag *diag)
{
	return values->profile->value_store.check(values->reader, job, diag);
}
