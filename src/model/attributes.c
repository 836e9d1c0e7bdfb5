/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of single nodes: read from the files each time, never kept. */
#include <stdlib.h>
#include <string.h>

#include "tfprof/model.h"

static int compare_names(const void *left, const void *right)
{
	const struct tfp_attribute *a = left, *b = right;

	return strcmp(a->name, b->name);
}

void tfp_profile_attributes(const struct tfp_profile *profile, uint32_t node,
			    struct tfp_attributes *out)
{
	for (size_t i = 0; i < profile->providers.count; i++) {
		const struct tfp_provider *provider = &profile->providers.at[i];

		if (provider->describe)
			provider->describe(profile, node, provider->data, out);
	}
	if (out->list.count)
		qsort(out->list.at, out->list.count, sizeof(*out->list.at), compare_names);
}

void tfp_profile_raw_attributes(const struct tfp_profile *profile, uint32_t node,
				struct tfp_spans *out)
{
	for (size_t i = 0; i < profile->providers.count; i++) {
		const struct tfp_provider *provider = &profile->providers.at[i];

		if (provider->describe_raw)
			provider->describe_raw(profile, node, provider->data, out);
	}
}

void tfp_attributes_free(struct tfp_attributes *attributes)
{
	tfp_array_free(&attributes->list);
	tfp_arena_free(&attributes->arena);
}

bool tfp_profile_has_attributes(const struct tfp_profile *profile)
{
	for (size_t i = 0; i < profile->providers.count; i++)
		if (profile->providers.at[i].describe)
			return true;
	return false;
}
