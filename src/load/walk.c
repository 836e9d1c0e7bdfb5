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
		.told = tfp_diag_count(diag),
	};
	return tfp_wire_of(source->data, source->size);
}

bool tfp_walk_near(const struct tfp_walk *walk, const uint8_t *at)
{
	return at <= walk->mark && (size_t)(walk->mark - at) <= TICK_BYTES;
}

bool tfp_walk_tick(struct tfp_walk *walk, const uint8_t *at)
{
	const uint8_t *end = walk->source->data + walk->source->size;

	if (tfp_job_cancelled(walk->job)) {
		walk->cancelled = true;
		return false;
	}
	if (walk->job && walk->ahead)
		tfp_job_tick(walk->job);
	else if (walk->job)
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

/* Notes the end of a cut file once, though each level of nesting comes upon it. */
static void note_cut(struct tfp_walk *walk, const uint8_t *at)
{
	if (walk->ended)
		return;
	walk->damaged = walk->ended = true;
	if (walk->source->broken)
		return;
	tfp_diag_add(
		walk->diag, TFP_WARNING, walk->source->path, (int64_t)tfp_walk_offset(walk, at),
		TFP_EXPLAINS,
		"the file ends, at byte %zu, within the element that begins here; what can be read of "
		"it is kept",
		(size_t)tfp_walk_offset(walk, walk->source->data + walk->source->size));
}

void tfp_walk_forget(const struct tfp_walk *walk)
{
	tfp_diag_keep(walk->diag, walk->told);
}

/* The file is cut short, so that what it is can't be told: files of several kinds begin so. */
static void error_short(const struct tfp_walk *walk)
{
	struct tfp_arena arena = {0};
	const char *kinds = "";

	for (size_t i = 0; tfp_loaders[i]; i++)
		if (tfp_loaders[i]->sniff(walk->source))
			kinds = tfp_arena_printf(&arena, "%s%s%s", kinds, *kinds ? ", " : "",
						 tfp_loaders[i]->label);
	tfp_diag_add(walk->diag, TFP_ERROR, walk->source->path, -1, 0,
		     "nothing of it can be read: its %zu bytes may be the beginning of %s",
		     walk->source->size, kinds);
	tfp_arena_free(&arena);
}

bool tfp_walk_found_nothing(struct tfp_walk *walk, const char *kind, int sure)
{
	if (!walk->source->size || (sure && !walk->damaged))
		return true;
	if (walk->ended)
		tfp_walk_forget(walk);
	if (sure && walk->ended) {
		error_short(walk);
		return false;
	}
	tfp_diag_add(walk->diag, TFP_ERROR, walk->source->path, -1, 0, "this is no %s", kind);
	return false;
}

/* Whether a whole element of the kind, or of those below it, begins with its tag at AT. */
static bool element_at(const uint8_t *at, const uint8_t *end, const struct tfp_element *element)
{
	struct tfp_wire wire = tfp_wire_of(at, (size_t)(end - at));
	struct tfp_field field;

	if (!tfp_wire_next(&wire, &field))
		return false;
	while (element &&
	       !(tfp_field_is(&field, element->number) && element->begins(field.data, field.size)))
		element = element->below;
	return element != NULL;
}

/* Whether BYTE is the tag of elements of the kind, or of those below it. */
static bool is_tag(uint8_t byte, const struct tfp_element *element)
{
	while (element && byte != (uint8_t)(element->number << 3 | TFP_WIRE_BYTES))
		element = element->below;
	return element != NULL;
}

const uint8_t *tfp_walk_find(struct tfp_walk *walk, const uint8_t *at, const uint8_t *end,
			     const struct tfp_element *element)
{
	while (++at < end && walk->search) {
		walk->search--;
		if (is_tag(*at, element) && element_at(at, end, element))
			return at;
	}
	return NULL;
}

/*
 * An element that is longer than what is left, given cut. One that holds others begins far before
 * the cut, so there the file's end is told.
 */
static bool take_cut(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field,
		     const struct tfp_element *element)
{
	const uint8_t *bad = wire->at;

	if (!tfp_wire_next_cut(wire, field))
		return false;
	walk->cut = true;
	if (wire->end == walk->source->data + walk->source->size)
		note_cut(walk, element->below ? wire->end : bad);
	else
		tfp_walk_damaged(walk, bad, "length");
	return true;
}

static bool cut_element_at(struct tfp_wire wire, const struct tfp_element *element)
{
	struct tfp_field field;

	return tfp_wire_next_cut(&wire, &field) && tfp_field_is(&field, element->number) &&
	       element->begins(field.data, field.size);
}

bool tfp_walk_mend(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field,
		   const struct tfp_element *element)
{
	const uint8_t *next;

	wire->bad = false;
	if (cut_element_at(*wire, element))
		return take_cut(walk, wire, field, element);
	next = tfp_walk_find(walk, wire->at, wire->end, element);
	if (next) {
		tfp_walk_damaged(walk, wire->at, element->name);
		wire->at = next;
		return tfp_wire_next(wire, field);
	}
	if (take_cut(walk, wire, field, element))
		return true;
	if (wire->end == walk->source->data + walk->source->size)
		note_cut(walk, wire->at);
	else
		tfp_walk_damaged(walk, wire->at, element->name);
	wire->at = wire->end;
	return false;
}
