/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings in the data files of a V2 checkpoint: all lengths as varints, a checksum of the lengths, all
 * bytes.
 */
#include "load/checkpoint/checkpoint.h"

#include <endian.h>
#include <string.h>

#define LENGTHS_ROOM 4096
#define VARINT_MOST  10
#define POLL         65536

/* Lengths being read: a window of the part. */
struct lengths {
	struct tfp_value_reader *reader;
	struct tfp_stored_piece *part;
	struct tfp_diag *diag;
	uint64_t at, end; /* offsets in the part: of the next byte to be read, of what there is */
	uint8_t bytes[LENGTHS_ROOM];
	size_t used, count; /* of the window */
};

/* A part's strings may be read to the end of the file: their size is not what is believed. */
static struct lengths lengths_of(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
				 uint64_t at, struct tfp_diag *diag)
{
	const char *reason;
	struct tfp_ranged *file = tfp_bundle_shard(reader->checkpoint, part->stored.shard, &reason);

	return (struct lengths){
		.reader = reader,
		.part = part,
		.diag = diag,
		.at = at,
		.end = file ? tfp_ranged_size(file) - (uint64_t)part->stored.offset : 0,
	};
}

static bool refill(struct lengths *lengths)
{
	size_t left = lengths->count - lengths->used;
	uint64_t more = lengths->end - lengths->at;

	if (left >= VARINT_MOST || !more)
		return true;
	memmove(lengths->bytes, lengths->bytes + lengths->used, left);
	if (more > LENGTHS_ROOM - left)
		more = LENGTHS_ROOM - left;
	lengths->used = 0;
	lengths->count = left + (size_t)more;
	lengths->at += more;
	return tfp_bundle_bytes(lengths->reader, lengths->part, lengths->at - more, (size_t)more,
				lengths->bytes + left, lengths->diag);
}

static bool next_length(struct lengths *lengths, uint64_t *length)
{
	const uint8_t *at, *end;

	if (!refill(lengths))
		return false;
	end = lengths->bytes + lengths->count;
	at = tfp_wire_varint(lengths->bytes + lengths->used, end, length);
	if (!at)
		return false;
	lengths->used = (size_t)(at - lengths->bytes);
	return true;
}

/* Offset in the part of the length that is read next. */
static uint64_t place(const struct lengths *lengths)
{
	return lengths->at - (lengths->count - lengths->used);
}

/* The checksum of a length: of four bytes, or of eight if it needs them, in the file's order. */
static uint32_t sum_length(const struct tfp_value_reader *reader, uint32_t crc, uint64_t length)
{
	size_t size = length <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
	uint32_t few = (uint32_t)length;
	uint8_t bytes[sizeof(uint64_t)];

	memcpy(bytes, size == sizeof(few) ? (const void *)&few : (const void *)&length, size);
	if (reader->checkpoint->swapped)
		tfp_swap_bytes(bytes, 1, size);
	return tfp_crc32c(crc, bytes, size);
}

static bool fail(const struct lengths *lengths, const char *what)
{
	tfp_ckpt_error(lengths->reader, lengths->part,
		       (uint64_t)lengths->part->stored.offset + place(lengths), lengths->diag, "%s",
		       what);
	return false;
}

/* Compares the checksum behind the lengths, and begins that of the whole. */
static bool check_lengths(struct lengths *lengths, uint32_t crc)
{
	struct tfp_stored_piece *part = lengths->part;
	uint64_t at = place(lengths);
	uint32_t stored;
	uint8_t bytes[sizeof(stored)];
	char text[96];

	if (!tfp_bundle_bytes(lengths->reader, part, at, sizeof(bytes), bytes, lengths->diag))
		return false;
	memcpy(&stored, bytes, sizeof(stored));
	stored = tfp_crc32c_unmask(le32toh(stored));
	part->sum_from = at + sizeof(bytes);
	part->crc = tfp_crc32c(crc, bytes, sizeof(bytes));
	if (stored == crc)
		return true;
	lengths->reader->wrong = true;
	snprintf(text, sizeof(text),
		 "the checksum of its lengths does not match: stored %u, calculated %u", stored,
		 crc);
	return fail(lengths, text) || true;
}

/* Compares where the strings end with the entry's size, and with the file. */
static bool check_end(struct lengths *lengths)
{
	struct tfp_stored_piece *part = lengths->part;
	uint64_t end = part->sum_from + part->sum_size;
	char text[96];

	if (part->sum_size > lengths->end || part->sum_from > lengths->end - part->sum_size)
		return fail(lengths, "its strings end behind the file");
	if (end == (uint64_t)part->stored.size)
		return true;
	snprintf(text, sizeof(text), "its strings take %llu bytes, its entry says %lld",
		 (unsigned long long)end, (long long)part->stored.size);
	return fail(lengths, text) || true;
}

bool tfp_bundle_strings(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			struct tfp_job *job, struct tfp_diag *diag)
{
	struct lengths lengths = lengths_of(reader, part, 0, diag);
	uint64_t length, total = 0;
	uint32_t crc = 0;

	part->sum_from = UINT64_MAX; /* these bytes are summed in their own way */
	if (!part->elements && !part->stored.size)
		return true;
	for (uint64_t i = 0; i < part->elements; i++) {
		if (i % POLL == 0 && tfp_job_cancelled(job))
			return false;
		if (!next_length(&lengths, &length) || length > lengths.end)
			return fail(&lengths, "the lengths of its strings are damaged");
		crc = sum_length(reader, crc, length);
		total += length;
		if (total > lengths.end)
			return fail(&lengths, "its strings end behind the file");
	}
	part->sum_size = total;
	if (!check_lengths(&lengths, crc) || !check_end(&lengths))
		return false;
	part->next = part->next_at = 0;
	part->next_text = part->sum_from;
	return true;
}

/* Adds the string of LENGTH bytes at AT of the part, as much as is wanted of it. */
static bool add_text(struct tfp_value_reader *reader, struct tfp_stored_piece *part, uint64_t at,
		     uint64_t length, struct tfp_elements *out, struct tfp_diag *diag)
{
	size_t size = out->most && length > out->most ? out->most : (size_t)length;
	uint8_t *to = tfp_elements_more(out, size);

	*tfp_array_push(&out->texts) = (struct tfp_string){
		.at = out->bytes.count - size,
		.size = size,
		.length = length,
	};
	return tfp_bundle_bytes(reader, part, at, size, to, diag);
}

bool tfp_bundle_read_strings(struct tfp_value_reader *reader, struct tfp_stored_piece *part,
			     uint64_t first, size_t count, struct tfp_elements *out,
			     struct tfp_job *job, struct tfp_diag *diag)
{
	struct lengths lengths;
	uint64_t end = first + count, length;

	if (first < part->next) {
		part->next = part->next_at = 0;
		part->next_text = part->sum_from;
	}
	lengths = lengths_of(reader, part, part->next_at, diag);
	for (; part->next < end; part->next++) {
		if (part->next % POLL == 0 && tfp_job_cancelled(job))
			return false;
		if (!next_length(&lengths, &length))
			return fail(&lengths, "the lengths of its strings are damaged");
		if (part->next >= first &&
		    !add_text(reader, part, part->next_text, length, out, diag))
			return false;
		part->next_text += length;
	}
	part->next_at = place(&lengths);
	return true;
}
