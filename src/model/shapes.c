/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes: each distinct list of dims once.
 */
#include <string.h>

#include "tfprof/model.h"
#include "tfprof/lookup.h"

static bool same_dims(const struct tfp_profile *profile, uint32_t shape, const int64_t *dims,
		      size_t count)
{
	uint32_t first = profile->shape_first.at[shape];

	if (profile->shape_first.at[shape + 1] - first != count)
		return false;
	return !count || !memcmp(profile->dims.at + first, dims, count * sizeof(*dims));
}

uint32_t tfp_profile_shape(struct tfp_profile *profile, const int64_t *dims, size_t count)
{
	uint32_t hash = (uint32_t)tfp_hash_bytes(profile->hash_key, (const char *)dims,
						 count * sizeof(*dims));
	uint32_t shape;

	TFP_LOOKUP_EACH(shape, profile->shape_table, hash)
		if (same_dims(profile, shape, dims, count))
			return shape;
	shape = (uint32_t)profile->shape_first.count - 1;
	tfp_array_reserve(&profile->dims, profile->dims.count + count);
	if (count)
		memcpy(profile->dims.at + profile->dims.count, dims, count * sizeof(*dims));
	profile->dims.count += count;
	*tfp_array_push(&profile->shape_first) = (uint32_t)profile->dims.count;
	tfp_lookup_add(profile->shape_table, hash, shape);
	return shape;
}

size_t tfp_profile_shape_text(const struct tfp_profile *profile, uint32_t shape, char *buffer,
			      size_t room)
{
	uint32_t first = profile->shape_first.at[shape], end = profile->shape_first.at[shape + 1];
	size_t size = 0;

	if (room)
		*buffer = 0;
	for (uint32_t i = first; i < end; i++) {
		size_t left = size < room ? room - size : 0;

		size += (size_t)snprintf(left ? buffer + size : NULL, left, "%s%lld",
					 i > first ? "x" : "", (long long)profile->dims.at[i]);
	}
	return size;
}

int64_t tfp_profile_shape_elements(const struct tfp_profile *profile, uint32_t shape)
{
	uint32_t first = profile->shape_first.at[shape], end = profile->shape_first.at[shape + 1];
	int64_t product = 1;

	for (uint32_t i = first; i < end; i++) {
		if (profile->dims.at[i] < 0)
			return 0;
		product = tfp_wrap_mul(product, profile->dims.at[i]);
	}
	return first == end ? 0 : product;
}
