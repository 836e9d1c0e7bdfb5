/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in the data files of a V2 checkpoint. What is read in order is summed up on the way, so that the
 * checksum of what was read from end to end costs no second reading.
 */
#include "load/checkpoint/checkpoint.h"

#define CHECK_PIECE ((size_t)1 << 20)

struct tfp_ranged *tfp_bundle_shard(struct tfp_checkpoint *checkpoint, int64_t shard,
				    const char **reason)
{
	size_t place = (size_t)shard % TFP_OPEN_SHARDS;
	struct tfp_arena arena = {0};

	*reason = NULL;
	if (checkpoint->open[place] && checkpoint->open_shard[place] == shard)
		return checkpoint->open[place];
	tfp_ranged_close(checkpoint->open[place]);
	checkpoint->open[place] =
		tfp_ranged_open(tfp_bundle_path(checkpoint, shard, &arena), reason);
	checkpoint->open_shard[place] = shard;
	tfp_arena_free(&arena);
	return checkpoint->open[place];
}

bool tfp_bundle_bytes(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		      uint64_t offset, size_t size, void *out, struct tfp_diag *diag)
{
	uint64_t at = (uint64_t)part->stored.offset + offset;
	const char *reason;
	struct tfp_ranged *file = tfp_bundle_shard(reader->checkpoint, part->stored.shard, &reason);

	if (!file || !tfp_ranged_read(file, at, size, out)) {
		tfp_ckpt_error(reader, part, at, diag, "%zu bytes can't be read: %s", size,
			       file ? "the file has fewer bytes" : reason);
		return false;
	}
	if (offset == part->sum_from + part->summed) {
		if (size > part->sum_size - part->summed)
			size = (size_t)(part->sum_size - part->summed);
		part->crc = tfp_crc32c(part->crc, out, size);
		part->summed += size;
	}
	return true;
}

void tfp_swap_bytes(uint8_t *at, size_t count, size_t size)
{
	for (; size > 1 && count; count--, at += size) {
		for (size_t i = 0; i < size / 2; i++) {
			uint8_t byte = at[i];

			at[i] = at[size - 1 - i];
			at[size - 1 - i] = byte;
		}
	}
}

static bool read_numbers(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			 uint64_t first, size_t count, struct tfp_elements *out,
			 struct tfp_job *job, struct tfp_diag *diag)
{
	size_t size = reader->dtype->size;
	uint8_t *to = tfp_elements_more(out, count * size);

	(void)job;
	if (!tfp_bundle_bytes(reader, part, first * size, count * size, to, diag))
		return false;
	if (reader->checkpoint->swapped && reader->dtype->element == TFP_ELEMENT_COMPLEX)
		tfp_swap_bytes(to, count * 2, size / 2);
	else if (reader->checkpoint->swapped)
		tfp_swap_bytes(to, count, size);
	return true;
}

/* Compares what is stored with the file, so that no size is believed. */
static bool check_place(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			struct tfp_diag *diag)
{
	const struct tfp_stored *stored = &part->stored;
	struct tfp_ranged *file;
	const char *reason;
	uint64_t size;

	if (stored->shard < 0 || stored->shard >= (int64_t)reader->checkpoint->shard_count ||
	    stored->offset < 0 || stored->size < 0) {
		tfp_ckpt_error(reader, part, UINT64_MAX, diag,
			       "a slice is said to be in data file %lld of %u, %lld "
			       "bytes at byte %lld",
			       (long long)stored->shard, reader->checkpoint->shard_count,
			       (long long)stored->size, (long long)stored->offset);
		return false;
	}
	file = tfp_bundle_shard(reader->checkpoint, stored->shard, &reason);
	if (!file) {
		tfp_ckpt_error(reader, part, UINT64_MAX, diag, "the data file can't be read: %s",
			       reason);
		return false;
	}
	size = tfp_ranged_size(file);
	if ((uint64_t)stored->offset <= size &&
	    (uint64_t)stored->size <= size - (uint64_t)stored->offset)
		return true;
	tfp_ckpt_error(reader, part, (uint64_t)stored->offset, diag,
		       "%lld bytes end behind the file, which has %llu", (long long)stored->size,
		       (unsigned long long)size);
	return false;
}

/* Where a slice's own entry says that it is. */
static bool find_slice(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		       const struct tfp_extent *extents, struct tfp_diag *diag)
{
	const struct tfp_slice_entry *entry;
	struct tfp_slice_key key = {0};

	tfp_ckpt_key(&key, reader->key, extents, reader->rank);
	entry = tfp_bundle_slice(reader->checkpoint, (struct tfp_span){key.at, key.count});
	if (entry)
		part->stored = entry->stored;
	else
		tfp_ckpt_error(reader, NULL, UINT64_MAX, diag,
			       "a slice that it is said to have is not in the index");
	tfp_array_free(&key);
	return entry != NULL;
}

bool tfp_bundle_open(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		     struct tfp_job *job, struct tfp_diag *diag)
{
	uint64_t need = part->elements * reader->dtype->size;

	if (part->extents && !find_slice(reader, part, part->extents, diag))
		return false;
	if (!check_place(reader, part, diag))
		return false;
	if (!reader->dtype->size) {
		reader->read = tfp_bundle_read_strings;
		return tfp_bundle_strings(reader, part, job, diag);
	}
	reader->read = read_numbers;
	part->sum_size = need;
	if ((uint64_t)part->stored.size == need)
		return true;
	tfp_ckpt_error(reader, part, (uint64_t)part->stored.offset, diag,
		       "a slice of %lld bytes is stored, %llu are needed",
		       (long long)part->stored.size, (unsigned long long)need);
	return false;
}

/* Reads what is not summed up yet. */
static bool sum_up(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
		   struct tfp_job *job, struct tfp_diag *diag)
{
	uint8_t *piece = tfp_alloc(CHECK_PIECE);
	bool good = true;

	while (part->summed < part->sum_size && good) {
		uint64_t left = part->sum_size - part->summed;

		good = !tfp_job_cancelled(job) &&
		       tfp_bundle_bytes(reader, part, part->sum_from + part->summed,
					left < CHECK_PIECE ? (size_t)left : CHECK_PIECE, piece,
					diag);
	}
	tfp_array_release(piece);
	return good;
}

bool tfp_bundle_check(struct tfp_value_reader *reader, struct tfp_job *job, struct tfp_diag *diag)
{
	for (size_t i = 0; i < reader->parts.count; i++) {
		struct tfp_stored_piece *part = &reader->parts.at[i];
		uint32_t stored = tfp_crc32c_unmask(part->stored.crc);

		if (!reader->dtype->size && !part->stored.size)
			continue;
		if (!sum_up(reader, part, job, diag))
			return false;
		if (part->crc == stored)
			continue;
		reader->wrong = true;
		tfp_ckpt_error(
			reader, part, (uint64_t)part->stored.offset, diag,
			"its checksum does not match: stored %u, calculated %u on %lld bytes",
			stored, part->crc, (long long)part->stored.size);
	}
	return !reader->wrong;
}
