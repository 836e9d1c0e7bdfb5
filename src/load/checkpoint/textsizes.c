/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much room strings in slices take, which their number does not tell: what the entries of the slices say (V2),
 * or the size of the records (V1), for which each block that has some is read once.
 */
#include "load/checkpoint/checkpoint.h"

#include <stdlib.h>

#include "load/checkpoint/slicesproto.h"
#include "load/walk.h"

/* V1: the block that holds a record. */
struct spot {
	uint32_t shard;
	size_t block;
};

struct measure {
	struct tfp_index *index;
	struct tfp_checkpoint *checkpoint;
	struct tfp_slice_key key; /* of the slice at hand */
	TFP_ARRAY(struct spot) spots;
};

/* Its values lie in slices, and are strings. */
static bool is_text(const struct measure *measure, const struct tfp_tensor *tensor)
{
	return !tensor->fault && !tfp_dtype_of(tensor->dtype)->size &&
	       measure->checkpoint->variables.at[tensor->entry].slices != TFP_NONE;
}

static void measure_slice(struct measure *measure, struct tfp_tensor *tensor,
			  const struct tfp_slice *slice)
{
	struct tfp_checkpoint *checkpoint = measure->checkpoint;
	struct tfp_span name = tfp_strings_get(measure->index->profile->strings, tensor->name), key;
	const struct tfp_slice_entry *entry;

	tfp_ckpt_key(&measure->key, name,
		     slice->rank ? checkpoint->extents.at + slice->first : NULL, slice->rank);
	key = (struct tfp_span){measure->key.at, measure->key.count};
	if (!checkpoint->bundle) {
		*tfp_array_push(&measure->spots) = (struct spot){
			slice->shard,
			tfp_sstable_find(&checkpoint->tables.at[slice->shard].table, key)};
		return;
	}
	entry = tfp_bundle_slice(checkpoint, key);
	if (entry && entry->stored.size > 0)
		tensor->bytes += (uint64_t)entry->stored.size;
}

static void measure_slices(struct measure *measure, struct tfp_tensor *tensor)
{
	const struct tfp_checkpoint *checkpoint = measure->checkpoint;
	uint32_t slice = checkpoint->variables.at[tensor->entry].slices;

	for (; slice != TFP_NONE; slice = checkpoint->slices.at[slice].next)
		measure_slice(measure, tensor, &checkpoint->slices.at[slice]);
}

/* ---- V1 ----------------------------------------------------------------------------------------- */

static void take_record(struct measure *measure, const struct tfp_field *record)
{
	struct tfp_profile *profile = measure->index->profile;
	struct tfp_wire wire = tfp_wire_in(record);
	struct tfp_span name = {"", 0};
	struct tfp_field field;
	uint64_t bytes = 0;
	uint32_t tensor;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is(&field, DATA_NAME))
			name = tfp_field_span(&field);
		else if (tfp_field_is(&field, DATA_VALUES))
			bytes = field.size;
	}
	tensor = tfp_profile_find_tensor(profile,
					 tfp_strings_find(profile->strings, name.at, name.size));
	if (tensor != TFP_NONE && is_text(measure, &profile->tensors.at[tensor]))
		profile->tensors.at[tensor].bytes += bytes;
}

static void take_block(struct measure *measure, const struct tfp_sstable_block *block)
{
	struct tfp_entries entries = tfp_entries_of(block);

	while (tfp_entries_next(&entries)) {
		struct tfp_wire wire =
			tfp_wire_of((const uint8_t *)entries.value.at, entries.value.size);
		struct tfp_field field;

		while (tfp_wire_next(&wire, &field))
			if (tfp_field_is(&field, RECORD_DATA))
				take_record(measure, &field);
	}
	tfp_entries_free(&entries);
}

static int compare_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;

	if (a->shard != b->shard)
		return a->shard < b->shard ? -1 : 1;
	return (a->block > b->block) - (a->block < b->block);
}

static bool same_spot(const struct spot *a, const struct spot *b)
{
	return a->shard == b->shard && a->block == b->block;
}

/* Damage of blocks is told when the values are read. */
static void read_blocks(struct measure *measure)
{
	const struct spot *spots = measure->spots.at;
	struct tfp_diag *unheard = tfp_diag_new();

	if (measure->spots.count)
		qsort(measure->spots.at, measure->spots.count, sizeof(*spots), compare_spots);
	for (size_t i = 0; i < measure->spots.count && !tfp_job_cancelled(measure->index->job);
	     i++) {
		const struct tfp_sstable *table =
			&measure->checkpoint->tables.at[spots[i].shard].table;
		struct tfp_sstable_block block;

		if ((i && same_spot(&spots[i], &spots[i - 1])) ||
		    spots[i].block >= table->blocks.count ||
		    !tfp_sstable_block(table, spots[i].block, &block, measure->index->job, unheard))
			continue;
		take_block(measure, &block);
		tfp_sstable_block_free(&block);
	}
	tfp_diag_free(unheard);
}

void tfp_ckpt_measure_texts(struct tfp_index *index)
{
	struct measure measure = {.index = index, .checkpoint = index->checkpoint};
	struct tfp_profile *profile = index->profile;

	for (size_t i = 0; i < profile->tensors.count; i++)
		if (is_text(&measure, &profile->tensors.at[i]))
			measure_slices(&measure, &profile->tensors.at[i]);
	read_blocks(&measure);
	tfp_array_free(&measure.spots);
	tfp_array_free(&measure.key);
}
