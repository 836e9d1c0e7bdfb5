/* SPDX-License-Identifier: Apache-2.0 */
/* Memory over time and by record: the columns of TFP_PART_ALLOCS and TFP_PART_RECORDS. */
#include "tfprof/model.h"

/* Allocators of all steps that are told apart: programs have a few. */
#define MOST_ALLOCATORS 256

/* ---- how they are kept ----------------------------------------------------------------------- */

static struct tfp_alloc_kind kind_of(const struct tfp_alloc *alloc)
{
	uint64_t low = (uint64_t)(int32_t)(uint32_t)alloc->bytes;

	return (struct tfp_alloc_kind){
		.step = alloc->step,
		.allocator = alloc->allocator,
		.file = alloc->file,
		.time_high = (uint32_t)((uint64_t)alloc->time >> 32),
		.bytes_high = (uint32_t)(((uint64_t)alloc->bytes - low) >> 32),
	};
}

static bool same_kind(const struct tfp_alloc_kind *a, const struct tfp_alloc_kind *b)
{
	return a->step == b->step && a->allocator == b->allocator && a->file == b->file &&
	       a->time_high == b->time_high && a->bytes_high == b->bytes_high;
}

static uint32_t hash_of(const struct tfp_alloc_kind *kind)
{
	uint64_t whose = (uint64_t)kind->file << 32 | kind->allocator;
	uint64_t high = (uint64_t)kind->bytes_high << 32 | kind->time_high;

	return tfp_lookup_mix(whose ^ tfp_lookup_mix(high ^ tfp_lookup_mix(kind->step)));
}

static uint32_t find_kind(struct tfp_allocs *allocs, const struct tfp_alloc_kind *kind)
{
	uint32_t hash = hash_of(kind), id;

	if (!allocs->kind_table)
		allocs->kind_table = tfp_lookup_new();
	TFP_LOOKUP_EACH(id, allocs->kind_table, hash)
		if (same_kind(&allocs->kinds.at[id], kind))
			return id;
	id = (uint32_t)allocs->kinds.count;
	tfp_lookup_add(allocs->kind_table, hash, id);
	*tfp_array_push(&allocs->kinds) = *kind;
	return id;
}

struct tfp_kept_alloc tfp_allocs_pack(struct tfp_allocs *allocs, const struct tfp_alloc *alloc)
{
	struct tfp_alloc_kind kind = kind_of(alloc);

	if (allocs->last >= allocs->kinds.count ||
	    !same_kind(&allocs->kinds.at[allocs->last], &kind))
		allocs->last = find_kind(allocs, &kind);
	return (struct tfp_kept_alloc){
		.node = alloc->node,
		.kind = allocs->last,
		.time_low = (uint32_t)alloc->time,
		.bytes_low = (int32_t)(uint32_t)alloc->bytes,
	};
}

/* Those that are looked for by their old steps are not found any more: they are added anew. */
void tfp_allocs_renumber(struct tfp_allocs *allocs, uint32_t from)
{
	for (size_t i = 0; i < allocs->kinds.count; i++)
		allocs->kinds.at[i].step += allocs->kinds.at[i].step >= from;
}

void tfp_allocs_free(struct tfp_allocs *allocs)
{
	tfp_array_free(&allocs->kinds);
	tfp_lookup_free(allocs->kind_table);
	tfp_array_release(allocs->at);
	*allocs = (struct tfp_allocs){0};
}

size_t tfp_allocs_bytes(const struct tfp_allocs *allocs)
{
	size_t table = allocs->kind_table ? tfp_lookup_bytes(allocs->kind_table) : 0;

	return allocs->room * sizeof(*allocs->at) + allocs->kinds.room * sizeof(*allocs->kinds.at) +
	       table;
}

/* ---- adding ---------------------------------------------------------------------------------- */

void tfp_profile_add_alloc(struct tfp_profile *profile, const struct tfp_alloc *alloc)
{
	if (alloc->node < profile->nodes.count)
		*tfp_array_push(&profile->allocs) = tfp_allocs_pack(&profile->allocs, alloc);
}

void tfp_profile_take_allocs(struct tfp_profile *profile, struct tfp_kept_alloc *at, size_t count)
{
	struct tfp_allocs *allocs = &profile->allocs;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (at[i].node < profile->nodes.count)
			at[kept++] = at[i];
	if (!allocs->count) {
		tfp_array_release(allocs->at);
		allocs->at = tfp_realloc_array(at, kept, sizeof(*at));
		allocs->count = allocs->room = kept;
		return;
	}
	tfp_array_reserve(allocs, allocs->count + kept);
	for (size_t i = 0; i < kept; i++)
		*tfp_array_push(allocs) = at[i];
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
