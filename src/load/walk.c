/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The slow sides of walking a file: progress and damage.
 */
#include "load/walk.h"

#define TICK_BYTES ((size_t)1 << 20)

/*
 * How much all searches of one walk may read: a few times the file, so that no file takes for
 * ever.
 */
#define SEARCH_FACTOR 4

struct tfp_wire tfp_walk_start(struct tfp_walk *walk, const struct tfp_source *source,
			       struct tfp_job *job, struct tfp_diag *diag)
{
	*walk = (struct tfp_walk){
		.source = source,
		.job = job,
		.diag = diag,
		.base = job ? job->done : 0,
		.mark = source->data,
		.search = source->size * SEARCH_FACTOR,
	};
	return tfp_wire_of(source->data, source->size);
}

bool tfp_walk_tick(struct tfp_walk *walk, const uint8_t *at)
{
	const uint8_t *end = walk->source->data + walk->source->size;

	if (tfp_job_cancelled(walk->job)) {
		walk->cancelled = true;
		return false;
	}
	if (walk->job)
		tfp_job_progress(walk->job, walk->base + tfp_walk_offset(walk, at));
	walk->mark = (size_t)(end - at) > TICK_BYTES ? at + TICK_BYTES : end;
	return true;
}

void tfp_walk_damaged(struct tfp_walk *walk, const uint8_t *at, const char *element)
{
	char text[80];

	walk->damaged = true;
	snprintf(text, sizeof(text), "damaged %s", element);
	tfp_diag_add(walk->diag, TFP_WARNING, walk->source->path,
		     (int64_t)tfp_walk_offset(walk, at), 0, "%s", text);
}

static void note_cut(struct tfp_walk *walk, const uint8_t *at)
{
	walk->damaged = true;
	tfp_diag_add(walk->diag, TFP_WARNING, walk->source->path,
		     (int64_t)tfp_walk_offset(walk, at), 0,
		     "the file ends within an element; what came before is kept");
}

bool tfp_walk_found_nothing(struct tfp_walk *walk, const char *kind, int sure)
{
	if (!walk->source->size || (sure && !walk->damaged))
		return true;
	tfp_diag_add(walk->diag, TFP_ERROR, walk->source->path, -1, 0, "this is no %s", kind);
	return false;
}

/* Whether a whole element with its tag begins at AT; it is then put into FIELD. */
static bool element_at(const uint8_t *at, const uint8_t *end, const struct tfp_element *element,
		       struct tfp_field *field)
{
	struct tfp_wire wire = tfp_wire_of(at, (size_t)(end - at));

	return tfp_wire_next(&wire, field) && tfp_field_is(field, element->number) &&
	       element->begins(field->data, field->size);
}

/* The next place after AT where an element begins, NULL if there is none. */
static const uint8_t *find_element(struct tfp_walk *walk, const uint8_t *at, const uint8_t *end,
				   const struct tfp_element *element)
{
	uint8_t tag = (uint8_t)(element->number << 3 | TFP_WIRE_BYTES);
	struct tfp_field field;

	while (++at < end && walk->search) {
		walk->search--;
		if (*at == tag && element_at(at, end, element, &field))
			return at;
	}
	return NULL;
}

bool tfp_walk_mend(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field,
		   const struct tfp_element *element)
{
	const uint8_t *bad = wire->at, *next;
	bool at_end = wire->end == walk->source->data + walk->source->size;

	wire->bad = false;
	next = find_element(walk, bad, wire->end, element);
	if (next) {
		tfp_walk_damaged(walk, bad, element->name);
		wire->at = next;
		return tfp_wire_next(wire, field);
	}
	if (at_end) {
		note_cut(walk, bad);
		return tfp_wire_next_cut(wire, field);
	}
	tfp_walk_damaged(walk, bad, element->name);
	wire->at = wire->end;
	return false;
}
