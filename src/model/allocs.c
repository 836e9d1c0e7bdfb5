/* SPDX-License-Identifier: Apache-2.0 */
/* Memory over time and by record: the columns of TFP_PART_ALLOCS and TFP_PART_RECORDS. */
#include "tfprof/model.h"

/* Allocators of all steps that are told apart: programs have a few. */
#define MOST_ALLOCATORS 256

void tfp_profile_add_alloc(struct tfp_profile *profile, const struct tfp_alloc *alloc)
{
	if (alloc->node < profile->nodes.count)
		*tfp_array_push(&profile->allocs) = *alloc;
}

void tfp_profile_take_allocs(struct tfp_profile *profile, struct tfp_alloc *at, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (at[i].node < profile->nodes.count)
			at[kept++] = at[i];
	if (!profile->allocs.count) {
		tfp_array_free(&profile->allocs);
		profile->allocs.at = tfp_realloc_array(at, kept, sizeof(*at));
		profile->allocs.count = profile->allocs.room = kept;
		return;
	}
	for (size_t i = 0; i < kept; i++)
		*tfp_array_push(&profile->allocs) = at[i];
	tfp_array_release(at);
}

bool tfp_profile_alloc_is_gpu(const struct tfp_profile *profile, const struct tfp_alloc *alloc)
{
	struct tfp_span name = tfp_strings_get(profile->strings, alloc->allocator);

	return !name.size || tfp_span_holds(name, "GPU");
}

/* Those of one step come one after another: it is most likely among the last. */
void tfp_profile_add_in_use(struct tfp_profile *profile, const struct tfp_in_use *in_use)
{
	struct tfp_in_use *at = profile->in_use.at;
	size_t i = profile->in_use.count;

	if (in_use->bytes <= 0)
		return;
	while (i && (at[i - 1].step != in_use->step || at[i - 1].allocator != in_use->allocator ||
		     at[i - 1].file != in_use->file))
		i--;
	if (i && at[i - 1].bytes < in_use->bytes)
		at[i - 1].bytes = in_use->bytes;
	else if (!i && profile->in_use.count < MOST_ALLOCATORS)
		*tfp_array_push(&profile->in_use) = *in_use;
}

void tfp_profile_add_holding(struct tfp_profile *profile, const struct tfp_holding *holding)
{
	struct tfp_span device =
		tfp_strings_get(profile->strings, profile->nodes.device[holding->node]);

	if (device.size && !tfp_span_holds(device, "cpu"))
		*tfp_array_push(&profile->holdings) = *holding;
}

void tfp_profile_add_presence(struct tfp_profile *profile, const struct tfp_presence *presence)
{
	size_t count = profile->presences.count;
	const struct tfp_presence *last = count ? &profile->presences.at[count - 1] : NULL;

	if (!last || last->node != presence->node || last->step != presence->step ||
	    last->device != presence->device)
		*tfp_array_push(&profile->presences) = *presence;
}
