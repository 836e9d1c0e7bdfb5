/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a recording of the XPlane kind holds, before its events are read: its planes, where their
 * lines lie, the names that events and stats refer to, and the HLO modules. Texts are spans of the
 * source.
 */
#ifndef TFPROF_LOAD_XPLANE_SPACE_H
#define TFPROF_LOAD_XPLANE_SPACE_H

#include "load/idmap.h"
#include "load/walk.h"

/* Field numbers of the messages in TensorFlow's xplane.proto. */
enum {
	SPACE_PLANE = 1,
	SPACE_ERROR = 2,
	SPACE_WARNING = 3,
	SPACE_HOST = 4, /* its name */

	PLANE_ID = 1,
	PLANE_NAME = 2,
	PLANE_LINE = 3,
	PLANE_EVENT_METADATA = 4,
	PLANE_STAT_METADATA = 5,
	PLANE_STAT = 6,

	LINE_ID = 1,
	LINE_NAME = 2,
	LINE_TIMESTAMP = 3,
	LINE_EVENT = 4,
	LINE_DISPLAY_NAME = 11,

	EVENT_METADATA = 1,
	EVENT_OFFSET = 2,
	EVENT_DURATION = 3,
	EVENT_STAT = 4,
	EVENT_OCCURRENCES = 5,

	STAT_METADATA = 1,
	STAT_DOUBLE = 2,
	STAT_UINT = 3,
	STAT_INT = 4,
	STAT_TEXT = 5,
	STAT_BYTES = 6,
	STAT_REF = 7,

	ENTRY_KEY = 1,
	ENTRY_VALUE = 2,

	METADATA_NAME = 2,         /* of a stat, too */
	METADATA_DISPLAY_NAME = 4, /* of an event */
	METADATA_STAT = 5,
};

/* The stats that we read, by their names. All others are stepped over. */
enum tfp_xstat {
	XSTAT_UNKNOWN, /* a number that the file gives no name */
	XSTAT_NONE,    /* of no interest */
	/* of device events */
	XSTAT_CORRELATION,
	XSTAT_GRAPH_NODE,
	XSTAT_KERNEL,
	XSTAT_MEMCPY,
	XSTAT_MEMSET,
	XSTAT_OCCUPANCY,
	XSTAT_NAME,
	XSTAT_TF_OP,
	XSTAT_HLO_OP,
	XSTAT_HLO_MODULE,
	XSTAT_PROGRAM,
	XSTAT_DEVICE_OFFSET,
	XSTAT_DEVICE_DURATION,
	XSTAT_FLOPS,
	XSTAT_BYTES,
	XSTAT_CATEGORY,
	XSTAT_SHAPE,
	XSTAT_TENSOR_SHAPE,
	XSTAT_SOURCE,
	XSTAT_SOURCE_STACK,
	XSTAT_NVTX,
	/* of host events */
	XSTAT_ROOT,
	XSTAT_STEP,
	XSTAT_GRAPH_TYPE,
	XSTAT_GROUP,
	XSTAT_RUN,
	XSTAT_MODULE_NAME,
	XSTAT_COMMANDS,
	XSTAT_ALLOCATOR,
	XSTAT_RESERVED,
	XSTAT_ALLOCATED,
	XSTAT_EAGER,
	XSTAT_ALLOCATION,
	XSTAT_ADDRESS,
	XSTAT_ORDINAL,
	/* of planes and modules */
	XSTAT_MODEL,
	XSTAT_DEVICE_TYPE,
	XSTAT_BANDWIDTH,
	XSTAT_PEAK_FLOPS,
	XSTAT_PEAK_BANDWIDTH,
	XSTAT_START_TIME,
	XSTAT_STOP_TIME,
	XSTAT_HLO_PROTO,
	XSTATS
};

_Static_assert(XSTATS <= 64, "a set of stats has 64 bits");

/* Sets of them. */
#define TFP_XSTAT(stat) (UINT64_C(1) << (stat))
#define TFP_XSTATS_ALL  (UINT64_MAX & ~TFP_XSTAT(XSTAT_NONE) & ~TFP_XSTAT(XSTAT_UNKNOWN))

struct tfp_xvalue {
	uint32_t type; /* STAT_DOUBLE … STAT_REF; 0: there is none */
	uint64_t value;
	struct tfp_span text;
};

/* The first value of each stat. Those not in `seen` are not set. */
struct tfp_xvalues {
	uint64_t seen; /* bit of enum tfp_xstat */
	struct tfp_xvalue at[XSTATS];
};

struct tfp_xevent {
	int64_t metadata, offset, duration;
	bool aggregated; /* it stands for several, and has no start */
	bool damaged;
	const struct tfp_field *message;
	struct tfp_xvalues stats;
};

/* What all events of one kind share. */
struct tfp_xmetadata {
	struct tfp_span label;
	struct tfp_span name; /* the label is this, or a name to be shown in its place */
	/* name is "op:Type", as TensorFlow calls its ops, but not only they; with a scope before */
	bool is_op, has_scope;
	struct tfp_span stats; /* its message, if there are any; else empty */
	struct tfp_span
		said; /* "key=value,…" behind the name, as TraceMe writes what it has of stats */
	uint32_t tag; /* the reader's, TFP_NONE at first */
};

struct tfp_xstat_name {
	struct tfp_span name;
	uint8_t stat; /* enum tfp_xstat */
};

struct tfp_xline {
	struct tfp_span bytes;
	struct tfp_span name;
	int64_t id, timestamp; /* ns */
	size_t events;         /* up to where it is damaged */
	uint32_t lane;         /* of the trace, once it is read */
	bool derived;
};

enum tfp_xplane_kind { XPLANE_OTHER, XPLANE_HOST, XPLANE_DEVICE };

#define TFP_XPLANE_SMALL 512 /* ids below are looked up in a table */

struct tfp_xplane {
	struct tfp_span name;
	enum tfp_xplane_kind kind;
	bool streams,
		works; /* of a device: it has lines of streams, of what it did; once it has lanes */
	TFP_ARRAY(struct tfp_xline) lines;
	TFP_ARRAY(struct tfp_xmetadata) metadata;
	TFP_ARRAY(struct tfp_xstat_name) stat_names;
	struct tfp_idmap metadata_ids, stat_ids;
	const uint32_t
		*places; /* the same as metadata_ids, of ids below place_count; the arena's */
	uint64_t place_count;
	const uint8_t *limit; /* where the plane ends */
	const uint8_t *small; /* enum tfp_xstat of small ids; the arena's, or all unknown */
	const struct tfp_xvalues *stats; /* of the plane; the same */
};

/* An HLO module as the file holds it. */
struct tfp_xmodule {
	struct tfp_span name, proto;
	uint64_t program;
};

/* The program of a module: its stat, or the number at the end of its name. False: it has none. */
bool tfp_xprogram_of(const struct tfp_xvalues *values, struct tfp_span name, uint64_t *program);

struct tfp_xspace {
	struct tfp_walk walk;
	TFP_ARRAY(struct tfp_xplane) planes;
	TFP_ARRAY(struct tfp_xmodule) modules;
	struct tfp_arena arena;
	double share;              /* of each line that was asked for */
	size_t line_bytes;         /* of all lines, whole */
	const uint8_t *last_plane; /* the content of the plane that was read last; NULL */
	bool told;                 /* damage of that plane was */
	bool moved; /* the end of the plane that comes next is where the one after it begins */
};

/* Adds the modules of PLANE, which has been read, to those of SPACE. */
void tfp_xspace_find_modules(struct tfp_xspace *space, const struct tfp_xplane *plane);

/* How much SOURCE looks like an XSpace; 0 not at all. */
int tfp_xspace_sniff(const struct tfp_source *source);

#define TFP_XBACK                                                                                  \
	16 /* bytes by which a part may seem longer than it is, or shorter, once some are lost or more */

/* Whether at AT a plane begins, its tag and all, that has a name as planes have. */
bool tfp_xplane_at(const uint8_t *at, const uint8_t *end);
/*
 * Does a field stand at WIRE that holds bytes and has a number from FIRST to LAST, or the end? Some of later versions
 * may be before it.
 */
bool tfp_xspace_goes_on(struct tfp_wire wire, uint32_t first, uint32_t last);
/* The next field of a space. Behind damage, the next plane. */
bool tfp_xspace_next(struct tfp_xspace *space, struct tfp_wire *wire, struct tfp_field *field);

/*
 * Walks SOURCE and fills SPACE; events are not looked at. Lines end with the first SHARE of their bytes, 1: all,
 * and what is behind that is not touched. What the recording says of itself goes into DIAG. False when the
 * job was cancelled. Free SPACE either way.
 */
bool tfp_xspace_read(struct tfp_xspace *space, const struct tfp_source *source, double share,
		     struct tfp_job *job, struct tfp_diag *diag);
void tfp_xspace_free(struct tfp_xspace *space);

/* The next part of a plane, which ends where another plane begins, too. */
bool tfp_xplane_next(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field);
/* Once the next event of a line can't be read: the one behind it. */
bool tfp_xline_mend(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field);
/* Takes the event that comes next, if it is as short as nearly all are. */
static inline bool tfp_xline_short(struct tfp_wire *wire, struct tfp_field *field)
{
	const uint8_t *at = wire->at;

	if (wire->end - at < 2 || *at != (LINE_EVENT << 3 | TFP_WIRE_BYTES) || at[1] > 0x7f ||
	    at[1] > wire->end - at - 2)
		return false;
	field->number = LINE_EVENT;
	field->type = TFP_WIRE_BYTES;
	field->data = at + 2;
	field->size = at[1];
	wire->at = at + 2 + at[1];
	return true;
}
/* Gives the events of a line one after another; see tfp_walk_next. */
static inline bool tfp_xline_next(struct tfp_walk *walk, struct tfp_wire *wire,
				  struct tfp_field *field)
{
	if (wire->at >= walk->mark && !tfp_walk_tick(walk, wire->at))
		return false;
	if (tfp_xline_short(wire, field))
		return true;
	return tfp_wire_next(wire, field) || (wire->bad && tfp_xline_mend(walk, wire, field));
}

struct tfp_xlayouts;
/*
 * Reads an event, which is kept by its address, too. Stats that are not in the set WANTED are stepped
 * over. LAYOUTS, which that set was begun with, or NULL, make it faster where many are alike.
 */
void tfp_xevent_read(const struct tfp_xplane *plane, const struct tfp_field *message,
		     uint64_t wanted, struct tfp_xlayouts *layouts, struct tfp_xevent *event);
/* Adds the stats of a message that holds them in the field NUMBER, behind those that are there. */
void tfp_xvalues_read(const struct tfp_xplane *plane, struct tfp_span message, uint32_t number,
		      struct tfp_xvalues *values);

static inline bool tfp_xvalues_have(const struct tfp_xvalues *values, enum tfp_xstat stat)
{
	return values->seen >> stat & 1;
}
/* Adds what all events of METADATA share. */
void tfp_xmetadata_values(const struct tfp_xplane *plane, const struct tfp_xmetadata *metadata,
			  struct tfp_xvalues *values);
/* The stat that is called NAME. */
enum tfp_xstat tfp_xstat_named(struct tfp_span name);
/* Splits "name#key=value,…#" into the name and what it says; that is empty elsewhere. */
struct tfp_span tfp_xsaid_split(struct tfp_span *name);
/* Adds the stats that a name says. */
void tfp_xsaid_read(struct tfp_span said, struct tfp_xvalues *values);
/* What TEXT says: a whole number where it is one, else the text. */
struct tfp_xvalue tfp_xvalue_of(struct tfp_span text);
/* For tfp_xvalue_whole, of what is no integer. */
bool tfp_xvalue_far_whole(const struct tfp_xplane *plane, const struct tfp_xvalue *value,
			  int64_t *number);
/* A value that is there, as a whole number; some programs write it as a text or a real. False: it is none, and NUMBER is 0. */
static inline bool tfp_xvalue_whole(const struct tfp_xplane *plane,
				    const struct tfp_xvalues *values, enum tfp_xstat stat,
				    int64_t *number)
{
	const struct tfp_xvalue *value = &values->at[stat];

	if (value->type != STAT_INT && value->type != STAT_UINT)
		return tfp_xvalue_far_whole(plane, value, number);
	*number = (int64_t)value->value;
	return true;
}
/* As a number: of whatever type it is, 0 where it is none. */
int64_t tfp_xvalue_int(const struct tfp_xvalues *values, enum tfp_xstat stat);
double tfp_xvalue_real(const struct tfp_xvalues *values, enum tfp_xstat stat);
/* As a text: empty where it is none. */
struct tfp_span tfp_xvalue_text(const struct tfp_xplane *plane, const struct tfp_xvalues *values,
				enum tfp_xstat stat);

/* The metadata with ID, found at once where ids are small; NULL: see tfp_xplane_metadata. */
static inline struct tfp_xmetadata *tfp_xplane_known(const struct tfp_xplane *plane, int64_t id)
{
	uint32_t place = (uint64_t)id < plane->place_count ? plane->places[id] : TFP_NONE;

	return place == TFP_NONE ? NULL : &plane->metadata.at[place];
}
/* The metadata with ID; one that the file does not hold is made, with the label "#ID" in ARENA. */
struct tfp_xmetadata *tfp_xplane_metadata(struct tfp_xplane *plane, int64_t id,
					  struct tfp_arena *arena);

#endif
