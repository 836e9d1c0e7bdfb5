/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events and their stats. An event has a dozen stats of which a few matter, so that nearly all of
 * the time of loading goes by here: a stat is looked at only as far as its id, unless it is wanted.
 */
#include <string.h>

#include "load/xplane/layouts.h"

static inline unsigned stat_of(const struct tfp_xplane *plane, uint64_t id)
{
	uint32_t place;

	if (id < TFP_XPLANE_SMALL)
		return plane->small[id];
	place = tfp_idmap_get(&plane->stat_ids, id);
	return place == TFP_NONE ? XSTAT_UNKNOWN : plane->stat_names.at[place].stat;
}

/* The value in the fields of a stat, the last if there are several. False when it is damaged. */
static bool take_any_value(struct tfp_wire wire, struct tfp_xvalue *value)
{
	struct tfp_field field;

	value->type = 0;
	while (tfp_wire_next(&wire, &field)) {
		bool bytes = field.type == TFP_WIRE_BYTES;

		if (field.number < STAT_DOUBLE || field.number > STAT_REF ||
		    bytes != (field.number == STAT_TEXT || field.number == STAT_BYTES))
			continue;
		value->type = field.number;
		if (bytes)
			value->text = tfp_field_span(&field);
		else
			value->value = field.value;
	}
	return !wire.bad;
}

/*
 * The same for what nearly all are: one varint up to the END of the stat, in bytes that go on to
 * LIMIT.
 */
static inline bool take_value(const uint8_t *at, const uint8_t *end, const uint8_t *limit,
			      struct tfp_xvalue *value)
{
	if (at < end && (*at == STAT_REF << 3 || *at == STAT_UINT << 3 || *at == STAT_INT << 3) &&
	    tfp_wire_varint(at + 1, limit, &value->value) == end) {
		value->type = *at >> 3;
		return true;
	}
	return take_any_value(tfp_wire_of(at, (size_t)(end - at)), value);
}

/* Where the id does not stand first. */
static uint64_t find_id(struct tfp_wire wire)
{
	struct tfp_field field;
	uint64_t id = 0;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is_int(&field, STAT_METADATA))
			id = field.value;
	return id;
}

/* The stats that are still wanted lose the bit of what is taken. False when the stat is damaged. */
__attribute__((always_inline)) static inline bool take_stat(const struct tfp_xplane *plane,
							    const uint8_t *at, const uint8_t *end,
							    const uint8_t *limit, uint64_t *wanted,
							    struct tfp_xvalue *values)
{
	const uint8_t *behind = at;
	unsigned stat;
	uint64_t id;

	if (end - at > 1 && *at == STAT_METADATA << 3) {
		behind = tfp_wire_varint(at + 1, end, &id);
		if (!behind)
			return false;
	} else {
		id = find_id(tfp_wire_of(at, (size_t)(end - at)));
	}
	stat = stat_of(plane, id);
	if (!(*wanted >> stat & 1))
		return true;
	if (!take_value(behind, end, limit, &values[stat]))
		return false;
	*wanted &= ~((uint64_t)(values[stat].type != 0) << stat);
	return true;
}

void tfp_xvalues_read(const struct tfp_xplane *plane, struct tfp_span message, uint32_t number,
		      struct tfp_xvalues *values)
{
	struct tfp_wire wire = tfp_wire_of((const uint8_t *)message.at, message.size);
	uint64_t wanted = TFP_XSTATS_ALL & ~values->seen;
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, number))
			take_stat(plane, field.data, field.data + field.size, wire.end, &wanted,
				  values->at);
	values->seen |= TFP_XSTATS_ALL & ~wanted;
}

void tfp_xmetadata_values(const struct tfp_xplane *plane, const struct tfp_xmetadata *metadata,
			  struct tfp_xvalues *values)
{
	tfp_xvalues_read(plane, metadata->stats, METADATA_STAT, values);
	tfp_xsaid_read(metadata->said, values);
}

/* Four bytes: a stat with a size and an id below 128; and what of them is the same in all such. */
#define SHORT_STAT      (EVENT_STAT << 3 | TFP_WIRE_BYTES | STAT_METADATA << 3 << 16)
#define SHORT_STAT_BITS 0x80ff80ffu
#define STAT_HEAD       4 /* bytes, and the value's tag behind them */

/* Tags of values that are varints. */
#define NUMBER_TAGS                                                                                \
	(UINT64_C(1) << (STAT_REF << 3) | UINT64_C(1) << (STAT_UINT << 3) |                        \
	 UINT64_C(1) << (STAT_INT << 3))

/* The value from AT to END, if it is one varint of up to eight bytes and no other byte; LIMIT is far enough to take eight at once. */
static inline bool take_number_value(const uint8_t *at, const uint8_t *end, const uint8_t *limit,
				     struct tfp_xvalue *value)
{
	unsigned tag = *at++;
	uint64_t word, last;

	if (tag > 63 || !(NUMBER_TAGS >> tag & 1) || limit - at < (ptrdiff_t)sizeof(word))
		return false;
	if (end - at == 1 && *at < 0x80) {
		value->type = tag >> 3;
		value->value = *at;
		return true;
	}
	memcpy(&word, at, sizeof(word));
	word = le64toh(word);
	last = ~word & 0x8080808080808080;
	if (!last || at + __builtin_ctzll(last) / 8 + 1 != end)
		return false;
	value->type = tag >> 3;
	value->value = tfp_wire_join(word & (last ^ (last - 1)));
	return true;
}

/* Steps over the stats from AT on that are short and have short ids, as nearly all; takes those wanted. */
static inline const uint8_t *take_short_stats(const struct tfp_xplane *plane, const uint8_t *at,
					      const uint8_t *end, uint64_t *wanted,
					      struct tfp_xvalue *values)
{
	const uint8_t *small = plane->small, *limit = plane->limit;
	uint64_t left = *wanted;
	uint32_t head;

	while (end - at >= STAT_HEAD) {
		uint32_t size;
		unsigned stat;

		memcpy(&head, at, sizeof(head));
		head = le32toh(head);
		size = head >> 8 & 0xff;
		/* one that has no room for its id becomes a large number */
		if ((head & SHORT_STAT_BITS) != SHORT_STAT ||
		    size - (STAT_HEAD - 2) > (size_t)(end - at) - STAT_HEAD)
			break;
		stat = small[head >> 24];
		if (left >> stat & 1) {
			if (size == STAT_HEAD - 2 ||
			    !take_number_value(at + STAT_HEAD, at + 2 + size, limit, &values[stat]))
				break;
			left &= ~(UINT64_C(1) << stat);
		}
		at += 2 + size;
	}
	*wanted = left;
	return at;
}

#define HEAD_BYTES 27 /* that are looked at: three fields of a tag and eight bytes */

/* Takes a varint of the field NUMBER, if that stands at AT and has up to eight bytes. Returns what is behind it. */
static inline const uint8_t *take_number(const uint8_t *at, unsigned number, int64_t *out)
{
	uint64_t word, last;

	memcpy(&word, at + 1, sizeof(word));
	word = le64toh(word);
	last = ~word & 0x8080808080808080;
	if (*at != (number << 3 | TFP_WIRE_VARINT) || !last)
		return at;
	*out = (int64_t)tfp_wire_join(word & (last ^ (last - 1)));
	return at + __builtin_ctzll(last) / 8 + 2;
}

/*
 * What nearly all events begin with, and many are. Bytes behind the event, which go on to LIMIT, are looked at; where one is
 * taken for a part of it, or there are not enough, nothing is.
 */
static inline const uint8_t *take_head(const uint8_t *at, const uint8_t *end, const uint8_t *limit,
				       struct tfp_xevent *event)
{
	const uint8_t *next = at;

	event->metadata = event->offset = event->duration = 0;
	if (limit - at < HEAD_BYTES)
		return at;
	next = take_number(next, EVENT_METADATA, &event->metadata);
	next = take_number(next, EVENT_OFFSET, &event->offset);
	next = take_number(next, EVENT_DURATION, &event->duration);
	if (next <= end)
		return next;
	event->metadata = event->offset = event->duration = 0;
	return at;
}

static void take_field(const struct tfp_xplane *plane, const struct tfp_field *field,
		       const uint8_t *limit, uint64_t *left, struct tfp_xevent *event)
{
	if (field->type == TFP_WIRE_BYTES) {
		if (field->number == EVENT_STAT &&
		    !take_stat(plane, field->data, field->data + field->size, limit, left,
			       event->stats.at))
			event->damaged = true;
	} else if (field->number == EVENT_METADATA) {
		event->metadata = (int64_t)field->value;
	} else if (field->number == EVENT_OFFSET) {
		event->offset = (int64_t)field->value;
	} else if (field->number == EVENT_DURATION) {
		event->duration = (int64_t)field->value;
	} else if (field->number == EVENT_OCCURRENCES) {
		event->aggregated = true;
	}
}

/*
 * What of an event is behind its head, from AT on, field by field. With LAYOUTS, which have none that fits, how it lies is
 * kept. Out of line, as most events do not come here.
 */
__attribute__((noinline)) static void read_rest(const struct tfp_xplane *plane, const uint8_t *at,
						uint64_t wanted, struct tfp_xlayouts *layouts,
						struct tfp_xevent *event)
{
	struct tfp_wire wire = tfp_wire_in(event->message);
	size_t size = (size_t)(wire.end - at);
	uint64_t left = wanted;
	struct tfp_field field;

	wire.at = take_short_stats(plane, at, wire.end, &left, event->stats.at);
	if (wire.at < wire.end)
		layouts = NULL;
	while (tfp_wire_next(&wire, &field)) {
		take_field(plane, &field, wire.end, &left, event);
		wire.at = take_short_stats(plane, wire.at, wire.end, &left, event->stats.at);
	}
	event->stats.seen = wanted & ~left;
	event->damaged = event->damaged || wire.bad;
	if (layouts)
		tfp_xlayouts_learn(layouts, at, size, event->metadata, &event->stats);
}

void tfp_xevent_read(const struct tfp_xplane *plane, const struct tfp_field *message,
		     uint64_t wanted, struct tfp_xlayouts *layouts, struct tfp_xevent *event)
{
	const uint8_t *end = message->data + message->size;
	const uint8_t *at = take_head(message->data, end, plane->limit, event);
	size_t size = (size_t)(end - at);

	event->aggregated = event->damaged = false;
	event->message = message;
	event->stats.seen = 0;
	if (!size)
		return;
	if (size > TFP_XLAYOUT_MOST || plane->limit - end < TFP_XLAYOUT_WORD)
		layouts = NULL;
	if (!layouts || !tfp_xlayouts_take(layouts, at, size, event->metadata, &event->stats))
		read_rest(plane, at, wanted, layouts, event);
}

/* ---- as what is wanted ----------------------------------------------------------------------- */

static double real_of(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

int64_t tfp_xvalue_int(const struct tfp_xvalues *values, enum tfp_xstat stat)
{
	double real;

	if (!tfp_xvalues_have(values, stat))
		return 0;
	if (values->at[stat].type == STAT_INT || values->at[stat].type == STAT_UINT)
		return (int64_t)values->at[stat].value;
	real = tfp_xvalue_real(values, stat);
	return real > -0x1p62 && real < 0x1p62 ? (int64_t)real : 0;
}

double tfp_xvalue_real(const struct tfp_xvalues *values, enum tfp_xstat stat)
{
	const struct tfp_xvalue *value = &values->at[stat];

	if (!tfp_xvalues_have(values, stat))
		return 0;
	if (value->type == STAT_DOUBLE)
		return real_of(value->value);
	if (value->type == STAT_INT)
		return (double)(int64_t)value->value;
	return value->type == STAT_UINT ? (double)value->value : 0;
}

static struct tfp_span text_of(const struct tfp_xplane *plane, const struct tfp_xvalue *value)
{
	uint32_t place;

	if (value->type == STAT_TEXT || value->type == STAT_BYTES)
		return value->text;
	place = value->type == STAT_REF ? tfp_idmap_get(&plane->stat_ids, value->value) : TFP_NONE;
	return place == TFP_NONE ? TFP_SPAN("") : plane->stat_names.at[place].name;
}

bool tfp_xvalue_far_whole(const struct tfp_xplane *plane, const struct tfp_xvalue *value,
			  int64_t *number)
{
	struct tfp_xvalue said = tfp_xvalue_of(text_of(plane, value));
	double real = value->type == STAT_DOUBLE ? real_of(value->value) : 0.5;

	*number = 0;
	if (said.type != STAT_TEXT)
		*number = (int64_t)said.value;
	else if (real > -0x1p62 && real < 0x1p62 && (double)(int64_t)real == real)
		*number = (int64_t)real;
	else
		return false;
	return true;
}

struct tfp_span tfp_xvalue_text(const struct tfp_xplane *plane, const struct tfp_xvalues *values,
				enum tfp_xstat stat)
{
	return tfp_xvalues_have(values, stat) ? text_of(plane, &values->at[stat]) : TFP_SPAN("");
}

struct tfp_xmetadata *tfp_xplane_metadata(struct tfp_xplane *plane, int64_t id,
					  struct tfp_arena *arena)
{
	uint32_t next = (uint32_t)plane->metadata.count;
	uint32_t place = tfp_idmap_add(&plane->metadata_ids, (uint64_t)id, next);

	if (place == next)
		*tfp_array_push(&plane->metadata) = (struct tfp_xmetadata){
			.label = tfp_span_of(tfp_arena_printf(arena, "#%lld", (long long)id)),
			.name = {"", 0},
			.stats = {"", 0},
			.said = {"", 0},
			.tag = TFP_NONE,
		};
	return &plane->metadata.at[place];
}
