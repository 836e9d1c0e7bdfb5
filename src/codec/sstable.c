/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted tables: a footer names the index block, whose entries name the data blocks. Each block is
 * entries whose keys share their beginnings, then where such sharing restarts, which only seeking needs.
 */
#include "tfprof/codec.h"

#include <endian.h>
#include <string.h>

#include "codec/snappy.h"

#define FOOTER_SIZE  48
#define MAGIC        0xdb4775248b80fb57U
#define TRAILER_SIZE 5 /* behind each block: how it is compressed, and its checksum */
#define BLOCK_RAW    0
#define BLOCK_SNAPPY 1
#define CHECK_PIECE  ((size_t)4 << 20) /* between two looks at the job */

/* ---- entries --------------------------------------------------------------------------------- */

struct tfp_entries tfp_entries_of(const struct tfp_sstable_block *block)
{
	return (struct tfp_entries){
		.at = block->at,
		.end = block->size ? block->at + block->size : block->at,
		.salvaged = block->salvaged,
	};
}

void tfp_entries_free(struct tfp_entries *entries)
{
	tfp_array_free(&entries->bytes);
}

/* Reads a varint of 32 bits; NULL if it is none. */
static const uint8_t *take_size(const uint8_t *at, const uint8_t *end, uint64_t *size)
{
	at = at ? tfp_wire_varint(at, end, size) : NULL;
	return at && *size <= UINT32_MAX ? at : NULL;
}

/* How the key that shares SHARED bytes with KEY and goes on with OWN bytes at AT compares with KEY. */
static int order(struct tfp_span key, uint64_t shared, const uint8_t *at, uint64_t own)
{
	struct tfp_span rest = {key.at + shared, key.size - (size_t)shared};

	return tfp_span_compare((struct tfp_span){(const char *)at, (size_t)own}, rest);
}

bool tfp_entries_next(struct tfp_entries *entries)
{
	uint64_t shared, own, value;
	const uint8_t *at = entries->at;

	if (at == entries->end)
		return false;
	at = take_size(at, entries->end, &shared);
	at = take_size(at, entries->end, &own);
	at = take_size(at, entries->end, &value);
	if (!at || shared > entries->key.size || own + value > (uint64_t)(entries->end - at)) {
		entries->bad = true;
		return false;
	}
	entries->order = entries->started ? order(entries->key, shared, at, own) : 1;
	if (entries->salvaged && entries->order <= 0)
		return false;
	entries->started = true;
	tfp_array_reserve(&entries->bytes, shared + own + 1);
	memcpy(entries->bytes.at + shared, at, (size_t)own);
	entries->key = (struct tfp_span){entries->bytes.at, (size_t)(shared + own)};
	entries->value = (struct tfp_span){(const char *)at + own, (size_t)value};
	entries->at = at + own + value;
	return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint32_t fixed32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

/* Adds a problem with a block, given as a literal, at the block's place. */
static void problem(const struct tfp_sstable *table, struct tfp_diag *diag, uint64_t offset,
		    const char *text)
{
	tfp_diag_add(diag, TFP_WARNING, table->source->path, (int64_t)offset, 0, "%s", text);
}

/* The checksum of SIZE bytes at AT, in pieces. False when the job was cancelled. */
static bool sum(const uint8_t *at, size_t size, struct tfp_job *job, uint32_t *crc)
{
	*crc = 0;
	while (size) {
		size_t piece = size < CHECK_PIECE ? size : CHECK_PIECE;

		if (tfp_job_cancelled(job))
			return false;
		*crc = tfp_crc32c(*crc, at, piece);
		at += piece;
		size -= piece;
	}
	return true;
}

static uint32_t stored_sum(const struct tfp_sstable *table, struct tfp_sstable_place place)
{
	return tfp_crc32c_unmask(fixed32(table->source->data + place.offset + place.size + 1));
}

static bool check_block(const struct tfp_sstable *table, struct tfp_sstable_place place,
			struct tfp_sstable_block *block, struct tfp_job *job, struct tfp_diag *diag)
{
	uint32_t crc, stored = stored_sum(table, place);

	if (!sum(table->source->data + place.offset, (size_t)place.size + 1, job, &crc))
		return false;
	block->damaged = crc != stored;
	if (block->damaged)
		tfp_diag_add(diag, TFP_WARNING, table->source->path, (int64_t)place.offset, 0,
			     "block checksum mismatch: stored %u, calculated %u; of these %llu "
			     "bytes what can be read is kept",
			     stored, crc, (unsigned long long)place.size);
	return true;
}

/* Takes the restarts off the end of a block. */
static void drop_restarts(const struct tfp_sstable *table, struct tfp_sstable_block *block,
			  struct tfp_diag *diag)
{
	uint64_t restarts;

	if (block->size < sizeof(uint32_t)) {
		problem(table, diag, block->offset, "bad block contents: it is too short");
		block->size = 0;
		return;
	}
	block->size -= sizeof(uint32_t);
	restarts = fixed32(block->at + block->size);
	block->salvaged = restarts > block->size / sizeof(uint32_t) || (!restarts && block->size);
	if (!block->salvaged)
		block->size -= restarts * sizeof(uint32_t);
	else if (!block->damaged)
		problem(table, diag, block->offset,
			restarts ? "bad block contents: more restarts than it has room for"
				 : "bad block contents: no restarts");
}

static bool unpack(const struct tfp_sstable *table, struct tfp_sstable_block *block, uint8_t type,
		   struct tfp_diag *diag)
{
	if (type == BLOCK_SNAPPY) {
		block->owned = tfp_snappy_decode(block->at, block->size, &block->size);
		block->at = block->owned;
		if (block->owned)
			return true;
		problem(table, diag, block->offset, "corrupted compressed block contents");
		block->size = 0;
		return false;
	}
	if (type != BLOCK_RAW && !block->damaged)
		problem(table, diag, block->offset,
			"bad block type: it is read as one that is not compressed");
	return true;
}

static bool lies_within(const struct tfp_source *source, struct tfp_sstable_place place)
{
	size_t rest = FOOTER_SIZE + TRAILER_SIZE;

	return source->size >= rest && place.offset <= source->size - rest &&
	       place.size <= source->size - rest - place.offset;
}

static bool read_block(const struct tfp_sstable *table, struct tfp_sstable_place place,
		       struct tfp_sstable_block *block, struct tfp_job *job, struct tfp_diag *diag)
{
	const struct tfp_source *source = table->source;

	*block = (struct tfp_sstable_block){.offset = place.offset};
	if (!lies_within(source, place)) {
		tfp_diag_add(diag, TFP_WARNING, source->path, (int64_t)source->size, 0,
			     "a block of %llu bytes at byte %llu would end behind the file",
			     (unsigned long long)place.size, (unsigned long long)place.offset);
		return false;
	}
	block->at = source->data + place.offset;
	block->size = (size_t)place.size;
	if (!check_block(table, place, block, job, diag) ||
	    !unpack(table, block, block->at[block->size], diag))
		return false;
	drop_restarts(table, block, diag);
	return true;
}

bool tfp_sstable_block(const struct tfp_sstable *table, size_t number,
		       struct tfp_sstable_block *block, struct tfp_job *job, struct tfp_diag *diag)
{
	if (table->salvaged) {
		*block = (struct tfp_sstable_block){
			.at = table->source->data,
			.size = table->source->size,
			.salvaged = true,
		};
		return true;
	}
	return read_block(table, table->blocks.at[number], block, job, diag);
}

void tfp_sstable_block_free(struct tfp_sstable_block *block)
{
	tfp_array_release(block->owned);
	block->owned = NULL;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Takes offset and size of a block off the beginning of BYTES. */
static const uint8_t *take_place(const uint8_t *at, const uint8_t *end,
				 struct tfp_sstable_place *place)
{
	at = at ? tfp_wire_varint(at, end, &place->offset) : NULL;
	return at ? tfp_wire_varint(at, end, &place->size) : NULL;
}

bool tfp_sstable_sniff(const struct tfp_source *source)
{
	uint64_t magic;

	if (source->size < FOOTER_SIZE)
		return false;
	memcpy(&magic, source->data + source->size - sizeof(magic), sizeof(magic));
	return le64toh(magic) == MAGIC;
}

/* Whether there is a whole block at PLACE. */
static bool is_block(const struct tfp_sstable *table, struct tfp_sstable_place place)
{
	const struct tfp_source *source = table->source;
	uint32_t crc;

	return lies_within(source, place) &&
	       sum(source->data + place.offset, (size_t)place.size + 1, NULL, &crc) &&
	       crc == stored_sum(table, place);
}

/* Where the footer says that the index is. One that is damaged is believed if a block is there. */
static bool find_index(const struct tfp_sstable *table, struct tfp_sstable_place *index,
		       struct tfp_diag *diag)
{
	const struct tfp_source *source = table->source;
	const uint8_t *end = source->data + source->size, *at;

	if (source->size < FOOTER_SIZE) {
		tfp_diag_add(diag, TFP_WARNING, source->path, -1, 0,
			     "file is too short to be a sorted table: it has %zu bytes",
			     source->size);
		return false;
	}
	at = take_place(take_place(end - FOOTER_SIZE, end, index), end, index);
	if (tfp_sstable_sniff(source)) {
		if (!at)
			problem(table, diag, source->size - FOOTER_SIZE,
				"bad block handle in the footer");
		return at != NULL;
	}
	problem(table, diag, source->size - sizeof(uint64_t),
		"it does not end as a sorted table does (bad magic number)");
	return at && is_block(table, *index);
}

static bool list_blocks(struct tfp_sstable *table, struct tfp_diag *diag)
{
	struct tfp_entries entries = tfp_entries_of(&table->index);

	while (tfp_entries_next(&entries)) {
		const uint8_t *at = (const uint8_t *)entries.value.at;
		struct tfp_sstable_place place = {UINT64_MAX, 0};

		if (!take_place(at, at + entries.value.size, &place))
			problem(table, diag, table->index.offset, "bad block handle in the index");
		*tfp_array_push(&table->blocks) = place;
	}
	if (entries.bad)
		problem(table, diag, table->index.offset, "bad entry in the index block");
	tfp_entries_free(&entries);
	return table->blocks.count || !entries.bad;
}

void tfp_sstable_open(struct tfp_sstable *table, const struct tfp_source *source,
		      struct tfp_diag *diag)
{
	struct tfp_sstable_place index;

	*table = (struct tfp_sstable){.source = source};
	if (find_index(table, &index, diag) &&
	    read_block(table, index, &table->index, NULL, diag) && list_blocks(table, diag))
		return;
	table->salvaged = true;
	table->blocks.count = 0;
	*tfp_array_push(&table->blocks) = (struct tfp_sstable_place){0, source->size};
}

void tfp_sstable_close(struct tfp_sstable *table)
{
	tfp_sstable_block_free(&table->index);
	tfp_array_free(&table->blocks);
}

size_t tfp_sstable_find(const struct tfp_sstable *table, struct tfp_span key)
{
	struct tfp_entries entries = tfp_entries_of(&table->index);
	size_t number = 0;

	if (table->salvaged)
		return 0;
	while (tfp_entries_next(&entries) && tfp_span_compare(entries.key, key) < 0)
		number++;
	tfp_entries_free(&entries);
	return number;
}
