/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking the repeated elements of a large file: damage becomes a problem with its offset, a cut
 * file yields its last element cut, progress is told every megabyte, and the job may end the walk.
 */
#ifndef TFPROF_LOAD_WALK_H
#define TFPROF_LOAD_WALK_H

#include "tfprof/load.h"

/* What an element of a level of nesting looks like, to find the next one behind damage. */
struct tfp_element {
	const char *name; /* "NodeDef" */
	uint32_t number;  /* field number of the elements in what holds them */
	/* whether BYTES begin the content of such an element; looks at a bounded number of bytes */
	bool (*begins)(const uint8_t *bytes, size_t size);
	const struct tfp_element *below; /* what may stand here when a length was wrong; or NULL */
};

struct tfp_walk {
	const struct tfp_source *source;
	struct tfp_job *job;
	struct tfp_diag *diag;
	uint64_t base;       /* the job's progress when the walk began */
	bool ahead;          /* the file is walked again, and progress told then */
	const uint8_t *mark; /* where progress is told next */
	size_t search;       /* bytes that searches behind damage may still read */
	bool cancelled;
	bool damaged; /* a problem was noted */
	bool cut;     /* some element was given that is not whole */
	bool ended;   /* that the file ends within an element was noted */
	size_t told;  /* problems that there were before */
};

/* Begins a walk over SOURCE and gives the cursor of its top level. */
struct tfp_wire tfp_walk_start(struct tfp_walk *walk, const struct tfp_source *source,
			       struct tfp_job *job, struct tfp_diag *diag);

/* Takes back what was told of the file: nothing of it can be read, which is told instead. */
void tfp_walk_forget(const struct tfp_walk *walk);

/* Will the walk tell progress before it has gone far from AT? Not so if AT is not where it has been. */
bool tfp_walk_near(const struct tfp_walk *walk, const uint8_t *at);

/* Tells progress; false when the job was cancelled. */
bool tfp_walk_tick(struct tfp_walk *walk, const uint8_t *at);

/*
 * Notes the damage at wire->at and gives the next element that can be read. One that seems longer
 * than what holds it is given cut; its length may be wrong, so that it may hold others of its kind.
 */
bool tfp_walk_mend(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field,
		   const struct tfp_element *element);

/* The next place after AT where an ELEMENT begins, or one of those below it; NULL if there is none. */
const uint8_t *tfp_walk_find(struct tfp_walk *walk, const uint8_t *at, const uint8_t *end,
			     const struct tfp_element *element);

/* Notes that what is at AT, an ELEMENT, could not be read to its end. */
void tfp_walk_damaged(struct tfp_walk *walk, const uint8_t *at, const char *element);

/* Is FIELD what the end of the file has cut, which was noted? */
static inline bool tfp_walk_ends(const struct tfp_walk *walk, const struct tfp_field *field)
{
	return walk->ended && field->data + field->size == walk->source->data + walk->source->size;
}

/* Where AT stands in the source. */
static inline uint64_t tfp_walk_offset(const struct tfp_walk *walk, const uint8_t *at)
{
	return (uint64_t)(at - walk->source->data);
}

/*
 * To be called when a walk found nothing of its kind: true when the file may be that empty, else
 * false with an error. KIND is what was looked for; SURE is how sure the sniffer was.
 */
bool tfp_walk_found_nothing(struct tfp_walk *walk, const char *kind, int sure);

/*
 * Takes the next field of a level that holds elements of the kind ELEMENT. False at the end, when
 * nothing more can be read, or when the job was cancelled.
 */
static inline bool tfp_walk_next(struct tfp_walk *walk, struct tfp_wire *wire,
				 struct tfp_field *field, const struct tfp_element *element)
{
	if (wire->at >= walk->mark && !tfp_walk_tick(walk, wire->at))
		return false;
	return tfp_wire_next(wire, field) ||
	       (wire->bad && tfp_walk_mend(walk, wire, field, element));
}

/* The field NUMBER of wire type bytes? */
static inline bool tfp_field_is(const struct tfp_field *field, uint32_t number)
{
	return field->number == number && field->type == TFP_WIRE_BYTES;
}

static inline bool tfp_field_is_int(const struct tfp_field *field, uint32_t number)
{
	return field->number == number && field->type == TFP_WIRE_VARINT;
}

#endif
