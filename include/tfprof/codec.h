/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec: bytes to values. Opening a file (mapped, inflated, or read from a pipe), walking protobuf
 * wire format without building objects, turning protobuf text into wire bytes, reading sorted tables
 * and ranges of files.
 */
#ifndef TFPROF_CODEC_H
#define TFPROF_CODEC_H

#include <endian.h>
#include <string.h>

#include "tfprof/base.h"

/* ---- source: the bytes of one file ----------------------------------------------------------- */

/*
 * A file's bytes after decompression. Plain regular files are mapped read-only; gzip (several
 * members, too) is inflated; pipes and "-" are read whole. The bytes stay until the source is
 * freed, so that readers may come back to a record by its offset. If a mapped file shrinks under
 * us, the lost pages read as zeros and `shrunk` is set (see tfp_source_guard).
 */
struct tfp_source {
	const uint8_t *data;
	size_t size;
	char *path;         /* as named by the user; owned */
	uint64_t disk_size; /* bytes of the file itself */
	int64_t mtime;      /* seconds, 0 unknown */
	bool compressed;
	bool broken; /* what it was packed in is cut or damaged, which was told: so is why it ends early */
	bool mapped;                     /* data is the file itself: it costs no private memory */
	struct tfp_unpacking *unpacking; /* there will be more: see tfp_source_more; else NULL */
	size_t reserved;                 /* private to codec: bytes of a mapping that is no file */
	struct tfp_source *whole; /* private to codec: whose bytes these are; NULL: its own */
	_Atomic uint32_t parts;   /* private to codec: that have its bytes, too */
	_Atomic bool shrunk;
	_Atomic bool told;      /* private to codec, as what follows: that it shrank */
	uint64_t device, inode; /* of the file, if it was mapped */
	struct tfp_source *_Atomic next_mapped; /* private to source.c */
};

/*
 * Opens PATH; "-" is standard input. NULL with an error in DIAG (file, reason) when nothing of it
 * can be read, and without one when JOB was cancelled. A damaged gzip stream yields what could be
 * inflated and a warning with the offset of the damage in the compressed bytes. Inflating is
 * bounded in proportion to the file; meanwhile JOB counts compressed bytes. DATA is never NULL,
 * even if empty.
 */
struct tfp_source *tfp_source_open(const char *path, struct tfp_job *job, struct tfp_diag *diag);
/*
 * The same, but of a gzip file that holds JSON only the first megabyte may be there yet, where it has more. What follows
 * is unpacked by a thread while that is read.
 */
struct tfp_source *tfp_source_begin(const char *path, struct tfp_job *job, struct tfp_diag *diag);
/*
 * Waits for more bytes of SOURCE, until it has LEAST: size grows, data stay where they are. False: there are no more,
 * and DIAG has what there is to be said of them; or JOB was cancelled.
 */
bool tfp_source_more(struct tfp_source *source, size_t least, struct tfp_job *job,
		     struct tfp_diag *diag);
/* All of them. False: JOB was cancelled. */
bool tfp_source_rest(struct tfp_source *source, struct tfp_job *job, struct tfp_diag *diag);
/*
 * The bytes of SOURCE before BEFORE, but for the first TFP_SOURCE_KEPT, will not be read again. Of a source that is unpacked
 * meanwhile their memory is used again for what comes, so that not much more is needed than is between the two.
 */
#define TFP_SOURCE_KEPT ((size_t)1 << 21)
void tfp_source_release(struct tfp_source *source, size_t before);
/*
 * What the thread that unpacks SOURCE does instead of waiting while it is far ahead of what was released: WORK, on that thread, with DATA and
 * how many bytes there are. It may read those behind what was released. False: nothing is to be done for now. WORK NULL ends
 * that: once this returns DATA is not used any more.
 */
typedef bool tfp_source_work(void *data, size_t size);
void tfp_source_meanwhile(struct tfp_source *source, tfp_source_work *work, void *data);
/* The size that SOURCE will have, by what is unpacked so far. */
size_t tfp_source_expected(const struct tfp_source *source);
/*
 * The regular file PATH, to recognise it by: mapped as it is, or of gzip data the first bytes, at most
 * MOST, that they unpack to. NULL with an error in DIAG when it can't be read, without one when it
 * is no regular file, or damaged from the beginning.
 */
struct tfp_source *tfp_source_head(const char *path, size_t most, struct tfp_diag *diag);
/*
 * A source over bytes that it takes over (free()d later); NAME is copied. For tests and nested
 * files.
 */
struct tfp_source *tfp_source_from_bytes(const char *name, uint8_t *bytes, size_t size);
/* The first SIZE bytes of SOURCE, which has as many. They stay until both are freed. */
struct tfp_source *tfp_source_part(struct tfp_source *source, size_t size);
void tfp_source_free(struct tfp_source *source);
/*
 * To be called from a SIGBUS handler with the fault address: true if it lay in a mapped source and
 * was mended (zero pages put there), so that the access can be repeated. Async-signal-safe.
 */
bool tfp_source_guard(void *address);
/*
 * If that was of SOURCE, a warning in DIAG with the byte of the file where it ends now; once. So, too, where the file
 * is shorter by less than a page, of which no fault tells.
 */
void tfp_source_tell_shrunk(struct tfp_source *source, struct tfp_diag *diag);
/* The same of every source that is mapped: views read of files after they were loaded. */
void tfp_sources_tell_shrunk(struct tfp_diag *diag);

/* ---- wire: a cursor over one protobuf message ------------------------------------------------ */

enum tfp_wire_type {
	TFP_WIRE_VARINT = 0,
	TFP_WIRE_FIXED64 = 1,
	TFP_WIRE_BYTES = 2,
	TFP_WIRE_GROUP = 3, /* skipped as a whole; data and size are its content */
	TFP_WIRE_FIXED32 = 5,
};

struct tfp_wire {
	const uint8_t *at, *end;
	bool bad; /* the rest can't be read: cut field, wrong wire type, overlong varint */
};

struct tfp_field {
	uint32_t number;
	enum tfp_wire_type type;
	uint64_t value;      /* varint, fixed32, fixed64 */
	const uint8_t *data; /* TFP_WIRE_BYTES */
	size_t size;
};

/* A cursor at the beginning of a message: of SIZE bytes, of the content of FIELD. */
static inline struct tfp_wire tfp_wire_of(const uint8_t *data, size_t size)
{
	return (struct tfp_wire){data, data + size, false};
}
static inline struct tfp_wire tfp_wire_in(const struct tfp_field *field)
{
	return tfp_wire_of(field->data, field->size);
}

/*
 * Reads one varint of up to ten bytes. Returns NULL when it is cut or overlong, else the byte
 * after it. Nearly all have one byte or two: taking those here halves the time of a walk.
 */
const uint8_t *tfp_wire_varint_slow(const uint8_t *at, const uint8_t *end, uint64_t *value);
static inline const uint8_t *tfp_wire_varint(const uint8_t *at, const uint8_t *end, uint64_t *value)
{
	if (at < end && *at < 0x80) {
		*value = *at;
		return at + 1;
	}
	if (end - at > 1 && at[1] < 0x80) {
		*value = (*at & 0x7fU) | (uint64_t)at[1] << 7;
		return at + 2;
	}
	return tfp_wire_varint_slow(at, end, value);
}

/* The value of a varint of eight bytes: the low seven bits of each. */
static inline uint64_t tfp_wire_join(uint64_t word)
{
	uint64_t high;

	word &= 0x7f7f7f7f7f7f7f7f;
	word -= (word & 0x7f007f007f007f00) >> 1;
	high = word & 0x3fff00003fff0000;
	word -= high - (high >> 2);
	return (word & UINT32_MAX) | word >> 32 << 28;
}

/*
 * As tfp_wire_varint, where lengths differ from one to the next as those of ids and times do: eight bytes are taken at once
 * where there are so many, and no branch hangs on the length.
 */
const uint8_t *tfp_wire_varint_bytes(const uint8_t *at, const uint8_t *end, uint64_t *value);
static inline const uint8_t *tfp_wire_varint_any(const uint8_t *at, const uint8_t *end,
						 uint64_t *value)
{
	uint64_t word, last;

	if (end - at < (ptrdiff_t)sizeof(word))
		return tfp_wire_varint_bytes(at, end, value);
	memcpy(&word, at, sizeof(word));
	word = le64toh(word);
	last = ~word & 0x8080808080808080;
	if (!last)
		return tfp_wire_varint_bytes(at, end, value);
	*value = tfp_wire_join(word & (last ^ (last - 1)));
	return at + __builtin_ctzll(last) / 8 + 1;
}

/* The rare field types and all errors; see tfp_wire_next. */
bool tfp_wire_next_slow(struct tfp_wire *wire, struct tfp_field *field, uint64_t tag);

/*
 * Takes the next field; false at the end or when what follows can't be read (then wire->bad is set
 * and wire->at stays at the offending tag). A bytes field longer than what is left is given cut to
 * what is left only by tfp_wire_next_cut. A walk is little else than this: compilers that keep it out
 * of line make it a twentieth slower.
 */
__attribute__((always_inline)) static inline bool tfp_wire_next(struct tfp_wire *wire,
								struct tfp_field *field)
{
	uint64_t tag, size;
	const uint8_t *at;

	if (wire->at >= wire->end)
		return false;
	at = tfp_wire_varint(wire->at, wire->end, &tag);
	if (at && (tag & 7) == TFP_WIRE_BYTES && tag >> 3 && tag >> 3 <= 0x1fffffff) {
		at = tfp_wire_varint(at, wire->end, &size);
		if (at && size <= (uint64_t)(wire->end - at)) {
			field->number = (uint32_t)(tag >> 3);
			field->type = TFP_WIRE_BYTES;
			field->data = at;
			field->size = (size_t)size;
			wire->at = at + size;
			return true;
		}
		wire->bad = true;
		return false;
	}
	if (at && (tag & 7) == TFP_WIRE_VARINT && tag >> 3 && tag >> 3 <= 0x1fffffff) {
		at = tfp_wire_varint(at, wire->end, &field->value);
		if (at) {
			field->number = (uint32_t)(tag >> 3);
			field->type = TFP_WIRE_VARINT;
			wire->at = at;
			return true;
		}
	}
	return tfp_wire_next_slow(wire, field, at ? tag : 0);
}

/*
 * For the last element of a truncated file: after tfp_wire_next said bad, if the field at wire->at
 * is a bytes field whose length exceeds what is left, gives it cut to what is left, once. False
 * otherwise.
 */
bool tfp_wire_next_cut(struct tfp_wire *wire, struct tfp_field *field);

/* The content of a field of bytes. */
static inline struct tfp_span tfp_field_span(const struct tfp_field *field)
{
	return (struct tfp_span){(const char *)field->data, field->size};
}

/*
 * Repeated integers, packed or not: call on each field of the number; appends to OUT. False when a
 * packed run is damaged (what was read stays).
 */
struct tfp_integers {
	int64_t *at;
	size_t count, room;
};
bool tfp_wire_integers(const struct tfp_field *field, struct tfp_integers *out);

/* ---- checksums ------------------------------------------------------------------------------- */

/* The CRC-32C of what CRC is of (0: of nothing) and of SIZE bytes after it. */
uint32_t tfp_crc32c(uint32_t crc, const uint8_t *at, size_t size);
/* What a masked checksum, as tables and checkpoints store it, is the mask of. */
static inline uint32_t tfp_crc32c_unmask(uint32_t masked)
{
	uint32_t rotated = masked - 0xa282ead8U;

	return rotated >> 17 | rotated << 15;
}

/* ---- sorted tables --------------------------------------------------------------------------- */

/*
 * A sorted table (LevelDB's) of keys and values, as checkpoints are kept in. Blocks are read one at
 * a time, where they lie in the source; compressed ones are decoded.
 */
struct tfp_sstable_place {
	uint64_t offset, size; /* without what follows the block */
};

struct tfp_sstable_block {
	const uint8_t *at;
	size_t size;     /* of its entries */
	uint64_t offset; /* of the block in the file */
	uint8_t *owned;  /* decoded bytes */
	bool damaged;    /* its checksum does not hold */
	bool salvaged;   /* where it ends is not known: at the first key that does not ascend */
};

struct tfp_sstable {
	const struct tfp_source *source;
	struct tfp_sstable_block index;
	TFP_ARRAY(struct tfp_sstable_place) blocks; /* of data, as the index names them */
	bool salvaged; /* its index is lost: the one block is the whole file */
};

/*
 * Finds the blocks of SOURCE, which must outlive the table. Where footer or index are damaged, a
 * problem says so, and the entries at the beginning of the file are what is left of the table.
 */
void tfp_sstable_open(struct tfp_sstable *table, const struct tfp_source *source,
		      struct tfp_diag *diag);
void tfp_sstable_close(struct tfp_sstable *table);
/* Whether SOURCE ends as a table does. */
bool tfp_sstable_sniff(const struct tfp_source *source);
/*
 * Data block NUMBER. Its checksum is compared; if it is wrong a problem says so, and the entries are
 * given as they are. False when there is nothing to be read, or the job was cancelled.
 */
bool tfp_sstable_block(const struct tfp_sstable *table, size_t number,
		       struct tfp_sstable_block *block, struct tfp_job *job, struct tfp_diag *diag);
void tfp_sstable_block_free(struct tfp_sstable_block *block);
/* The first block whose entries may be KEY or more; the number of blocks if there is none. */
size_t tfp_sstable_find(const struct tfp_sstable *table, struct tfp_span key);

/* Walks the entries of one block. KEY and VALUE live until the next step. */
struct tfp_entries {
	const uint8_t *at, *end;
	TFP_ARRAY(char) bytes; /* of the key */
	struct tfp_span key, value;
	int order; /* above 0: the key is more than the one before; 0: equal */
	bool started, salvaged;
	bool bad; /* ended because what follows is no entry */
};
/* BLOCK must outlive the walk, which tfp_entries_free ends. */
struct tfp_entries tfp_entries_of(const struct tfp_sstable_block *block);
bool tfp_entries_next(struct tfp_entries *entries); /* false: there is none, see bad */
void tfp_entries_free(struct tfp_entries *entries);

/* ---- ranges of large files ------------------------------------------------------------------- */

/*
 * A file that is read piece by piece and never mapped, so that memory is bounded by what is asked
 * for. Small pieces come from pages that are kept.
 */
struct tfp_ranged;
/* NULL with the reason in *REASON when PATH can't be opened. */
struct tfp_ranged *tfp_ranged_open(const char *path, const char **reason);
void tfp_ranged_close(struct tfp_ranged *file);
uint64_t tfp_ranged_size(const struct tfp_ranged *file); /* bytes, when it was opened */
/* False when the file has no SIZE bytes from OFFSET on, or reading fails. */
bool tfp_ranged_read(struct tfp_ranged *file, uint64_t offset, size_t size, void *out);

/* ---- protobuf text --------------------------------------------------------------------------- */

struct ProtobufCMessageDescriptor;

/*
 * Turns protobuf text of the message MESSAGE into wire bytes: a new source with the path, size on
 * disk and time of TEXT. Fields and enum words that MESSAGE does not know are skipped. Damage: a
 * warning with line and reason; what was read of the damaged message stays, and reading goes on at
 * the next line that fits an open message. Meanwhile JOB counts bytes of the text. NULL with an
 * error in DIAG if there was nothing but damage, and without one when JOB was cancelled.
 */
struct tfp_source *tfp_textproto_to_wire(const struct tfp_source *text,
					 const struct ProtobufCMessageDescriptor *message,
					 struct tfp_job *job, struct tfp_diag *diag);

/*
 * How sure one can be that BYTES begin a text proto whose first field is one of NAMES
 * (NULL-ended): 0 no, 50 there is only such a name, 100 the first words are `name {`, `name <` or
 * `name:`. Comments and white space are stepped over.
 */
int tfp_textproto_sniff(const uint8_t *bytes, size_t size, const char *const *names);

#endif
