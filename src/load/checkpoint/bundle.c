/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a V2 checkpoint, a bundle: its header, then one entry a variable or slice of one. Data files
 * are only asked for their sizes.
 */
#include "load/checkpoint/checkpoint.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "load/walk.h"
#include "tfprof/lookup.h"

enum {
	HEADER_SHARDS = 1,
	HEADER_ENDIANNESS = 2,
	HEADER_VERSION = 3,
	ENTRY_DTYPE = 1,
	ENTRY_SHAPE = 2,
	ENTRY_SHARD = 3,
	ENTRY_OFFSET = 4,
	ENTRY_SIZE = 5,
	ENTRY_CRC = 6,
	ENTRY_SLICE = 7,
};

#define MOST_SHARDS 100000
#define POLL        1024

/*
 * Keys share their beginnings, so that a small file may hold keys of any length in all. Those of real
 * ones are a few times as long as the file.
 */
#define NAMES_FACTOR 64
#define NAMES_FLOOR  ((uint64_t)1 << 20)

#define NO_FILE   ((int64_t)-1)
#define NOT_ASKED ((int64_t)-2)

struct reader {
	struct tfp_index *index;
	struct tfp_checkpoint *checkpoint;
	uint64_t names; /* bytes that keys may still take */
	bool headed;    /* the header was read */
	/* of the entry at hand */
	struct tfp_span key;
	uint64_t block; /* offset of its block */
	uint32_t dtype;
	bool unknown_rank;
	struct tfp_stored stored;
	struct tfp_variable variable;
	uint32_t slices;
};

/* Adds a problem with the block at hand. */
#define WARN(reader, ...)                                                                          \
	tfp_diag_add((reader)->index->diag, TFP_WARNING, (reader)->checkpoint->path,               \
		     (int64_t)(reader)->block, 0, __VA_ARGS__)

/* ---- the header --------------------------------------------------------------------------------- */

/* The number of data files by the names of those that are there; 1 if there are none. */
static uint32_t count_shards(const struct tfp_checkpoint *checkpoint)
{
	struct tfp_arena arena = {0};
	char *pattern = tfp_arena_alloc(&arena, 2 * strlen(checkpoint->prefix) + 32), *to = pattern;
	unsigned count = 1;
	const char *last;
	glob_t found;

	for (const char *at = checkpoint->prefix; *at; at++) {
		if (strchr("*?[\\", *at))
			*to++ = '\\';
		*to++ = *at;
	}
	strcpy(to, ".data-00000-of-*");
	if (glob(pattern, 0, NULL, &found) == 0) {
		last = strrchr(found.gl_pathv[0], '-');
		if (!last || sscanf(last + 1, "%u", &count) != 1)
			count = 1;
		globfree(&found);
	}
	tfp_arena_free(&arena);
	return count && count < MOST_SHARDS ? count : 1;
}

static bool read_header(struct reader *reader, struct tfp_span value)
{
	struct tfp_checkpoint *checkpoint = reader->checkpoint;
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)value.at, value.size);
	const uint16_t one = 1;
	bool big_machine = *(const uint8_t *)&one == 0, big_file = false;
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, HEADER_SHARDS))
			checkpoint->shard_count =
				field.value < MOST_SHARDS ? (uint32_t)field.value : 0;
		else if (tfp_field_is_int(&field, HEADER_ENDIANNESS))
			big_file = field.value != 0;
		else if (tfp_field_is(&field, HEADER_VERSION))
			tfp_ckpt_version(&field, checkpoint->path, reader->index->diag);
	}
	checkpoint->swapped = big_file != big_machine;
	return !wire.bad;
}

/* The entry without a key is the header; without one the files that are there tell what it would. */
static void take_header(struct reader *reader, struct tfp_span value)
{
	reader->headed = true;
	if (reader->key.size)
		WARN(reader,
		     "no header: the first entry is the variable %.*s; taken as little-endian",
		     (int)(reader->key.size < 200 ? reader->key.size : 200), reader->key.at);
	else if (!read_header(reader, value))
		WARN(reader, "unable to parse the header; taken as little-endian");
	if (!reader->checkpoint->shard_count)
		reader->checkpoint->shard_count = count_shards(reader->checkpoint);
}

/* ---- data files --------------------------------------------------------------------------------- */

char *tfp_bundle_path(const struct tfp_checkpoint *checkpoint, int64_t shard,
		      struct tfp_arena *arena)
{
	return tfp_arena_printf(arena, "%s.data-%05lld-of-%05u", checkpoint->prefix,
				(long long)shard, checkpoint->shard_count);
}

/* The size of data file SHARD, one of those that there are; NO_FILE, and a problem, if it is not there. */
static int64_t shard_size(struct reader *reader, int64_t shard)
{
	struct tfp_checkpoint *checkpoint = reader->checkpoint;
	struct stat status;
	char *path;

	while (checkpoint->shard_sizes.count <= (size_t)shard)
		*tfp_array_push(&checkpoint->shard_sizes) = NOT_ASKED;
	if (checkpoint->shard_sizes.at[shard] != NOT_ASKED)
		return checkpoint->shard_sizes.at[shard];
	path = tfp_bundle_path(checkpoint, shard, &checkpoint->arena);
	if (stat(path, &status) == 0) {
		checkpoint->shard_sizes.at[shard] = (int64_t)status.st_size;
	} else {
		checkpoint->shard_sizes.at[shard] = NO_FILE;
		tfp_diag_add(reader->index->diag, TFP_WARNING, path, -1, 0,
			     "this data file is missing: the values in it can't be shown");
	}
	return checkpoint->shard_sizes.at[shard];
}

/* Why the values can't be where the entry says; NULL if they can. Says so, unless it is a missing file. */
static const char *place_fault(struct reader *reader, const char *name)
{
	struct tfp_arena *arena = &reader->index->profile->arena;
	const struct tfp_stored *stored = &reader->stored;
	uint32_t shards = reader->checkpoint->shard_count;
	const char *fault;
	int64_t size;

	if (stored->shard < 0 || stored->shard >= (int64_t)shards) {
		fault = tfp_arena_printf(arena, "it is said to be in data file %lld of %u",
					 (long long)stored->shard, shards);
		WARN(reader, "%s: %s", name, fault);
		return fault;
	}
	size = shard_size(reader, stored->shard);
	if (size == NO_FILE)
		return "its data file is missing";
	if (stored->offset >= 0 && stored->offset <= size && stored->size <= size - stored->offset)
		return NULL;
	fault = tfp_arena_printf(arena,
				 "its %lld bytes at byte %lld are not within the %lld bytes "
				 "of data file %lld",
				 (long long)stored->size, (long long)stored->offset,
				 (long long)size, (long long)stored->shard);
	tfp_diag_add(reader->index->diag, TFP_WARNING,
		     tfp_bundle_path(reader->checkpoint, stored->shard, &reader->checkpoint->arena),
		     size, 0, "%s: %s", name, fault);
	return fault;
}

/* ---- entries ------------------------------------------------------------------------------------ */

static bool read_entry(struct reader *reader, struct tfp_span value)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)value.at, value.size);
	struct tfp_extents *extents = &reader->checkpoint->extents;
	struct tfp_stored *stored = &reader->stored;
	struct tfp_field field;
	bool good = true;

	while (tfp_wire_next(&wire, &field)) {
		size_t first = extents->count;

		if (tfp_field_is_int(&field, ENTRY_DTYPE))
			reader->dtype = (uint32_t)field.value;
		else if (tfp_field_is(&field, ENTRY_SHAPE))
			good &= tfp_ckpt_shape(&field, &reader->index->dims, &reader->unknown_rank);
		else if (tfp_field_is_int(&field, ENTRY_SHARD))
			stored->shard = (int32_t)field.value;
		else if (tfp_field_is_int(&field, ENTRY_OFFSET))
			stored->offset = (int64_t)field.value;
		else if (tfp_field_is_int(&field, ENTRY_SIZE))
			stored->size = (int64_t)field.value;
		else if (field.number == ENTRY_CRC && field.type == TFP_WIRE_FIXED32)
			stored->crc = (uint32_t)field.value;
		else if (tfp_field_is(&field, ENTRY_SLICE)) {
			good &= tfp_ckpt_slice(&field, extents);
			tfp_ckpt_add_slice(reader->checkpoint, &reader->variable,
					   (uint32_t)(extents->count - first), 0);
			reader->slices++;
		}
	}
	return good && !wire.bad;
}

/* Why the entry at hand can't give values; NULL if it can. Says so. */
static const char *entry_fault(struct reader *reader, const char *name, bool parsed,
			       enum tfp_shape_fault shape, uint64_t elements)
{
	const struct tfp_dtype *dtype = tfp_dtype_of(reader->dtype);
	struct tfp_arena *arena = &reader->index->profile->arena;
	const char *fault = NULL;

	if (!parsed)
		fault = "its entry in the index is damaged";
	else if (shape != TFP_SHAPE_GOOD)
		fault = tfp_shape_faults[shape];
	else if (!dtype->id || dtype->id == 20)
		fault = tfp_arena_printf(arena, "it is of type %u, of which no values are stored",
					 reader->dtype);
	else if (reader->slices)
		return NULL;
	else if (dtype->size && (uint64_t)reader->stored.size != elements * dtype->size)
		fault = tfp_arena_printf(
			arena, "its values have %lld bytes, its shape and type need %llu",
			(long long)reader->stored.size, (unsigned long long)elements * dtype->size);
	else if (reader->stored.size < 0 ||
		 (!dtype->size && (uint64_t)reader->stored.size < elements))
		fault = tfp_arena_printf(arena, "its %llu strings can't be in %lld bytes",
					 (unsigned long long)elements,
					 (long long)reader->stored.size);
	if (!fault)
		return place_fault(reader, name);
	WARN(reader, "%s: %s", name, fault);
	return fault;
}

static void add_variable(struct reader *reader, bool parsed)
{
	struct tfp_profile *profile = reader->index->profile;
	struct tfp_integers *dims = &reader->index->dims;
	struct tfp_tensor tensor = {
		.name = tfp_strings_add(profile->strings, reader->key.at, reader->key.size),
		.dtype = reader->dtype,
		.shape = TFP_NONE,
		.slices = reader->slices ? reader->slices : 1,
		.entry = (uint32_t)reader->checkpoint->variables.count,
	};
	const char *name = tfp_strings_text(profile->strings, tensor.name);
	enum tfp_shape_fault shape =
		tfp_ckpt_elements(dims, reader->unknown_rank, &tensor.elements);

	if (shape == TFP_SHAPE_GOOD && parsed)
		tensor.shape = tfp_profile_shape(profile, dims->at, dims->count);
	tensor.fault = entry_fault(reader, name, parsed, shape, tensor.elements);
	if (reader->slices)
		tensor.bytes = tensor.elements * tfp_dtype_of(tensor.dtype)->size;
	else if (reader->stored.size > 0)
		tensor.bytes = (uint64_t)reader->stored.size;
	if (tensor.fault)
		tensor.elements = 0;
	reader->variable.stored = reader->stored;
	if (tfp_profile_add_tensor(profile, &tensor))
		*tfp_array_push(&reader->checkpoint->variables) = reader->variable;
	else
		WARN(reader, "%s is there twice: the first one counts", name);
}

static void add_slice_entry(struct reader *reader)
{
	struct tfp_checkpoint *checkpoint = reader->checkpoint;
	char *key = tfp_arena_text(&checkpoint->arena, reader->key.at, reader->key.size);
	uint32_t hash = (uint32_t)tfp_hash_bytes(checkpoint->hash_key, key, reader->key.size);

	if (reader->stored.shard >= 0 && reader->stored.shard < (int64_t)checkpoint->shard_count)
		shard_size(reader, reader->stored.shard); /* says so if it is missing */
	tfp_lookup_add(checkpoint->slice_table, hash, (uint32_t)checkpoint->slice_entries.count);
	*tfp_array_push(&checkpoint->slice_entries) = (struct tfp_slice_entry){
		.key = {key, reader->key.size},
		.stored = reader->stored,
	};
}

const struct tfp_slice_entry *tfp_bundle_slice(const struct tfp_checkpoint *checkpoint,
					       struct tfp_span key)
{
	uint32_t hash = (uint32_t)tfp_hash_bytes(checkpoint->hash_key, key.at, key.size), id;

	TFP_LOOKUP_EACH(id, checkpoint->slice_table, hash)
		if (tfp_span_equal(checkpoint->slice_entries.at[id].key, key))
			return &checkpoint->slice_entries.at[id];
	return NULL;
}

static void take_entry(struct reader *reader, struct tfp_span value)
{
	bool parsed;

	reader->dtype = reader->slices = 0;
	reader->unknown_rank = false;
	reader->stored = (struct tfp_stored){0};
	reader->variable = (struct tfp_variable){.slices = TFP_NONE, .last_slice = TFP_NONE};
	reader->index->dims.count = 0;
	parsed = read_entry(reader, value);
	if (*reader->key.at)
		add_variable(reader, parsed);
	else if (parsed)
		add_slice_entry(reader);
}

/* ---- the index ---------------------------------------------------------------------------------- */

static bool next_entry(struct reader *reader, struct tfp_entries *entries)
{
	if (!tfp_entries_next(entries))
		return false;
	if (entries->order < 0)
		WARN(reader, "keys are out of order");
	if (entries->key.size > reader->names) {
		WARN(reader,
		     "names of more than %d times the size of the file; the rest is not read",
		     NAMES_FACTOR);
		return false;
	}
	reader->names -= entries->key.size;
	reader->key = entries->key;
	return true;
}

static void read_block(struct reader *reader, const struct tfp_sstable_block *block)
{
	struct tfp_entries entries = tfp_entries_of(block);

	reader->block = block->offset;
	for (uint32_t i = 1; next_entry(reader, &entries); i++) {
		if (i % POLL == 0 && tfp_job_cancelled(reader->index->job))
			break;
		if (!reader->headed)
			take_header(reader, entries.value);
		if (reader->key.size)
			take_entry(reader, entries.value);
	}
	if (entries.bad && !block->salvaged && !block->damaged)
		WARN(reader, "bad entry in block: what stands before it is kept");
	tfp_entries_free(&entries);
}

bool tfp_bundle_read(struct tfp_index *index, struct tfp_source *source)
{
	struct tfp_checkpoint *checkpoint = index->checkpoint;
	struct reader reader = {
		.index = index,
		.checkpoint = checkpoint,
		.names = NAMES_FLOOR + (uint64_t)source->size * NAMES_FACTOR,
	};
	struct tfp_sstable table;

	checkpoint->slice_table = tfp_lookup_new();
	tfp_sstable_open(&table, source, index->diag);
	for (size_t i = 0; i < table.blocks.count && !tfp_job_cancelled(index->job); i++) {
		struct tfp_sstable_block block;

		if (!tfp_sstable_block(&table, i, &block, index->job, index->diag))
			continue;
		read_block(&reader, &block);
		tfp_sstable_block_free(&block);
	}
	tfp_sstable_close(&table);
	tfp_source_free(source);
	return index->profile->tensors.count > 0;
}
