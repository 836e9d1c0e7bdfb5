/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From part to part of a plane, and from event to event of a line, where the bytes between them are damaged, too.
 */
#include "load/sniff.h"
#include "load/xplane/space.h"

static const struct tfp_expect line_fields[] = {
	{LINE_ID, TFP_EXPECT_INT, false, NULL},
	{LINE_NAME, TFP_EXPECT_TEXT, false, NULL},
	{LINE_TIMESTAMP, TFP_EXPECT_INT, false, NULL},
	{LINE_EVENT, TFP_EXPECT_BYTES, false, NULL},
	{9, TFP_EXPECT_INT, false, NULL},
	{10, TFP_EXPECT_INT, false, NULL},
	{LINE_DISPLAY_NAME, TFP_EXPECT_TEXT, false, NULL},
	{0},
};

static const struct tfp_expect event_fields[] = {
	{EVENT_METADATA, TFP_EXPECT_INT, true, NULL},
	{EVENT_OFFSET, TFP_EXPECT_INT, false, NULL},
	{EVENT_DURATION, TFP_EXPECT_INT, false, NULL},
	{EVENT_STAT, TFP_EXPECT_BYTES, false, NULL},
	{EVENT_OCCURRENCES, TFP_EXPECT_INT, false, NULL},
	{0},
};

static const struct tfp_expect entry_fields[] = {
	{ENTRY_KEY, TFP_EXPECT_INT, true, NULL},
	{ENTRY_VALUE, TFP_EXPECT_BYTES, true, NULL},
	{0},
};

static bool begins_as(const uint8_t *bytes, size_t size, const struct tfp_expect *fields)
{
	return size > 1 && tfp_sniff_begins(bytes, size, fields);
}

static bool line_begins(const uint8_t *bytes, size_t size)
{
	return begins_as(bytes, size, line_fields);
}

static bool event_begins(const uint8_t *bytes, size_t size)
{
	return begins_as(bytes, size, event_fields);
}

static bool entry_begins(const uint8_t *bytes, size_t size)
{
	return begins_as(bytes, size, entry_fields);
}

static const struct tfp_element event_element = {"XEvent", LINE_EVENT, event_begins, NULL};

/*
 * Where the file ends within what holds WIRE, what can't be read is what was cut, and nothing else is
 * to be looked for. False: that is not so.
 */
static bool is_cut(const struct tfp_walk *walk, const struct tfp_wire *wire)
{
	return walk->ended && wire->end == walk->source->data + walk->source->size;
}

/* Gives what was cut, if it is a part at all. */
static bool take_cut(struct tfp_wire *wire, struct tfp_field *field)
{
	bool taken = tfp_wire_next_cut(wire, field);

	wire->at = wire->end;
	wire->bad = false;
	return taken;
}

enum { KINDS = 3 };

static const struct tfp_element parts[KINDS] = {
	{"XLine", PLANE_LINE, line_begins, NULL},
	{"XEventMetadata", PLANE_EVENT_METADATA, entry_begins, NULL},
	{"XStatMetadata", PLANE_STAT_METADATA, entry_begins, NULL},
};

/* The kinds of parts in a chain, that of the tag at AT first. Returns its first. */
static const struct tfp_element *make_chain(struct tfp_element *chain, const uint8_t *at)
{
	size_t first = 0;

	for (size_t i = 0; i < KINDS; i++)
		if (*at == (parts[i].number << 3 | TFP_WIRE_BYTES))
			first = i;
	for (size_t i = 0; i < KINDS; i++) {
		chain[i] = parts[(first + i) % KINDS];
		chain[i].below = i + 1 < KINDS ? &chain[i + 1] : NULL;
	}
	return chain;
}

/* Will it be told of an event in the line that it is damaged? */
static bool tells_itself(const struct tfp_field *line)
{
	struct tfp_wire wire = tfp_wire_in(line);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		;
	return wire.bad;
}

/* Is the part at AT followed by another, or the end? Bytes within a part may look like one by chance. */
static bool is_followed(const uint8_t *at, const uint8_t *end)
{
	struct tfp_wire wire = tfp_wire_of(at, (size_t)(end - at));
	struct tfp_field field;

	return tfp_wire_next(&wire, &field) && tfp_xspace_goes_on(wire, PLANE_LINE, PLANE_STAT);
}

/* Where the next part begins that is followed by one: nearest to AT, where another ended by its length. */
static const uint8_t *find_part(struct tfp_walk *walk, const uint8_t *from, const uint8_t *at,
				const uint8_t *end, const struct tfp_element *element)
{
	const uint8_t *next = from, *nearest = NULL;

	while ((next = tfp_walk_find(walk, next, end, element)) != NULL) {
		if (next > at + TFP_XBACK || (nearest && next - at >= at - nearest))
			break;
		if (is_followed(next, end))
			nearest = next;
	}
	return nearest ? nearest : next;
}

/* What FIELD, which began at AT, is followed by is no part of a plane: does one begin near its end? */
static void end_part(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field,
		     const uint8_t *at)
{
	struct tfp_element chain[KINDS];
	const struct tfp_element *first = make_chain(chain, at);
	const uint8_t *from = wire->at - at > TFP_XBACK ? wire->at - TFP_XBACK : at;
	const uint8_t *next = find_part(walk, from, wire->at, wire->end, first);

	if (!next || field->type != TFP_WIRE_BYTES || next < field->data)
		return;
	if (next <= wire->at + TFP_XBACK)
		field->size = (size_t)(next - field->data);
	if (field->number != PLANE_LINE || !tells_itself(field))
		tfp_walk_damaged(walk, at, first->name);
	walk->damaged = true;
	wire->at = next;
}

bool tfp_xplane_next(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field)
{
	struct tfp_element chain[KINDS];
	const uint8_t *at = wire->at;
	bool taken;

	if (at >= walk->mark && !tfp_walk_tick(walk, at))
		return false;
	taken = tfp_wire_next(wire, field);
	if ((taken || wire->bad) && tfp_xplane_at(at, walk->source->data + walk->source->size)) {
		wire->at = at;
		wire->bad = false;
		return false;
	}
	if (taken) {
		if (!tfp_xspace_goes_on(*wire, PLANE_LINE, PLANE_STAT))
			end_part(walk, wire, field, at);
		return true;
	}
	if (!wire->bad)
		return false;
	if (is_cut(walk, wire))
		return take_cut(wire, field);
	return tfp_walk_mend(walk, wire, field, make_chain(chain, at));
}

bool tfp_xline_mend(struct tfp_walk *walk, struct tfp_wire *wire, struct tfp_field *field)
{
	if (is_cut(walk, wire))
		return take_cut(wire, field);
	return tfp_walk_mend(walk, wire, field, &event_element);
}
