/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One record of a Chrome trace, as text: the members that anything is made of, where they stand. Its members and
 * those of its "args" are read in one pass, for a trace has millions.
 */
#ifndef TFPROF_LOAD_CHROME_RECORD_H
#define TFPROF_LOAD_CHROME_RECORD_H

#include "tfprof/json.h"

enum field {
	/* of the record */
	FIELD_PHASE,
	FIELD_CATEGORY,
	FIELD_NAME,
	FIELD_PROCESS,
	FIELD_THREAD,
	FIELD_TIME,
	FIELD_DURATION,
	FIELD_ID,
	FIELD_ID2,
	FIELD_SCOPE,
	FIELD_FRAME,
	FIELD_STACK,
	FIELD_BINDING,
	FIELD_BOUND,
	FIELD_FLOW_IN,
	FIELD_FLOW_OUT,
	FIELD_WEIGHT,
	FIELD_ARGUMENTS,
	/* of its arguments */
	FIELD_EXTERNAL,
	FIELD_CORRELATION,
	FIELD_SEQUENCE,
	FIELD_FORWARD,
	FIELD_DIMS,
	FIELD_TYPES,
	FIELD_CALLS,
	FIELD_MOVED,
	FIELD_GRID,
	FIELD_BLOCK,
	FIELD_REGISTERS,
	FIELD_SHARED,
	FIELD_OCCUPANCY,
	FIELD_BYTES,
	FIELD_ADDRESS,
	FIELD_DEVICE_TYPE,
	FIELD_DEVICE_ID,
	FIELD_ALLOCATED,
	FIELD_RESERVED,
	FIELD_TITLE,
	FIELD_COLLECTIVE,
	FIELD_FLOPS,
	FIELD_PATH,
	FIELD_MODULES,
	FIELD_INPUTS,
	FIELD_FILE,
	FIELD_LINE,
	FIELD_STEP,
	FIELD_DETAILS,
	FIELD_MODULE,
	FIELD_PYTHON_ID,
	FIELD_PYTHON_PARENT,
	FIELD_PLACE,
	/* of its arguments, and not looked at: what follows them is told by them, see hops */
	FIELD_RECORD_FUNCTION,
	FIELD_INDEX,
	FIELD_DEVICE,
	FIELD_STRIDES,
	FIELD_STREAM,
	FIELD_QUEUED,
	FIELD_CONTEXT,
	FIELD_BLOCKS,
	FIELD_WARPS,
	FIELD_CALL_NUMBER,
	FIELD_BANDWIDTH,
	FIELD_PYTHON_MODULE,
	FIELDS,
	FIELD_UNKNOWN = FIELDS,
	FIELD_START, /* the brace of the record */
	FIELD_END,   /* that which closes it */
	FIELD_PLACES
};

_Static_assert(FIELDS < 64, "a bit for each field");
#define FIELDS_OF_USE ((UINT64_C(1) << FIELD_RECORD_FUNCTION) - 1) /* the bits of those looked at */

/*
 * Texts that are long, or names: they are looked for as they stand, and understood once. All others are letters, words and
 * numbers.
 */
#define FIELDS_AS_THEY_STAND                                                                       \
	(UINT64_C(1) << FIELD_NAME | UINT64_C(1) << FIELD_CALLS | UINT64_C(1) << FIELD_TITLE |     \
	 UINT64_C(1) << FIELD_PATH | UINT64_C(1) << FIELD_FILE | UINT64_C(1) << FIELD_DETAILS)

struct record {
	uint64_t has;     /* a bit for each field that is there */
	uint64_t texts;   /* strings */
	uint64_t escaped; /* those with backslashes */
	uint64_t numbers; /* numbers that were understood */
	struct tfp_span
		text[FIELDS + 1]; /* of strings what is between the quotes, of others all of it */
	/* whole units, or of FIELD_TIME and FIELD_DURATION, which are in microseconds, nanoseconds */
	int64_t number[FIELDS + 1];
};

static inline bool record_has(const struct record *record, enum field field)
{
	return record->has >> field & 1;
}

static inline bool record_is_text(const struct record *record, enum field field)
{
	return record->texts >> field & 1;
}

/* FIELD as it stands there, "" where it is not there. */
static inline struct tfp_span record_raw(const struct record *record, enum field field)
{
	return record_has(record, field) ? record->text[field] : (struct tfp_span){"", 0};
}

/* The number of FIELD that is written as a string; OTHERWISE when it is none. */
int64_t record_written_number(const struct record *record, enum field field, int64_t otherwise);

/* The number of FIELD, maybe written as a string; OTHERWISE when it is none. */
static inline int64_t record_number(const struct record *record, enum field field,
				    int64_t otherwise)
{
	return record->numbers >> field & 1 ? record->number[field]
					    : record_written_number(record, field, otherwise);
}

/* The text of FIELD without backslashes, in ROOM where it has some. "" when it is no string. */
struct tfp_span record_text(const struct record *record, enum field field,
			    struct tfp_json_bytes *room);

/* The same of a name, which may be written as a number. */
struct tfp_span record_label(const struct record *record, enum field field,
			     struct tfp_json_bytes *room);

void record_unescape_words(struct record *record, struct tfp_json_bytes *room);
/* Words of RECORD without backslashes, in ROOM where one has some. */
static inline void record_plain(struct record *record, struct tfp_json_bytes *room)
{
	if (record->escaped & ~FIELDS_AS_THEY_STAND)
		record_unescape_words(record, room);
}

/* Puts the arguments of END in place of those of RECORD, or beside them; a null says nothing. */
void record_add_arguments(struct record *record, const struct record *end);

struct key {
	uint64_t first; /* its first eight bytes, or all of it */
	struct tfp_span text;
	uint8_t field;
};

#define KEY_SLOTS 128

/* The names of members, by their hash. */
struct keys {
	struct key slot[KEY_SLOTS];
};

#define HOP_MOST 64      /* bytes */
#define HOP_NONE 0x10000 /* no bytes are the same as those of what is no hop */

/* A value, or the end of the record. */
struct place {
	enum field field;
	bool arguments; /* it is one of the arguments */
};

/*
 * The text between a value and the next, which is the same in millions of records: found again by its bytes it saves taking it
 * apart.
 */
struct hop {
	char text[HOP_MOST];
	uint32_t size;      /* of it */
	uint32_t beyond;    /* a bit for each of its first sixteen bytes that is behind it */
	int above;          /* what is behind the text is a byte above this: no blank, or any */
	struct place place; /* where it leads to */
	struct hop *next;   /* the two that lead on from there */
};

/* Holds places in itself: it may not be moved. */
struct record_reader {
	struct keys members, arguments;
	/* by the field before it and whether that is an argument: the two met last */
	struct hop hops[FIELD_PLACES][2][2];
	const char *end;
	const char *stop; /* where reading failed */
	bool cut;         /* it failed because the text ended */
};

void record_reader_start(struct record_reader *reader, const char *end);
/*
 * Reads the record whose brace is AT. Returns what follows it; NULL when it can't be read, see stop and cut.
 */
const char *record_read(struct record_reader *reader, const char *at, struct record *record);
/*
 * The next record from AT on: a brace with a key of records behind it, that is no value of a key. NULL: there is none. The text begins
 * with BEGIN.
 */
const char *record_find(const char *begin, const char *at, const char *end);

/*
 * Microseconds in decimal to nanoseconds, half of one and more up. Takes what TEXT is, all of it. False: no number, or too
 * large.
 */
bool record_nanoseconds(struct tfp_span text, int64_t *value);

#endif
