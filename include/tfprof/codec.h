/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec: bytes to values. Opening a file (mapped, inflated, or read from a pipe), walking protobuf
 * wire format without building objects, and turning protobuf text into wire bytes.
 */
#ifndef TFPROF_CODEC_H
#define TFPROF_CODEC_H

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
	bool mapped; /* data is the file itself: it costs no private memory */
	_Atomic bool shrunk;
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
 * A source over bytes that it takes over (free()d later); NAME is copied. For tests and nested
 * files.
 */
struct tfp_source *tfp_source_from_bytes(const char *name, uint8_t *bytes, size_t size);
void tfp_source_free(struct tfp_source *source);
/*
 * To be called from a SIGBUS handler with the fault address: true if it lay in a mapped source and
 * was mended (zero pages put there), so that the access can be repeated. Async-signal-safe.
 */
bool tfp_source_guard(void *address);

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
