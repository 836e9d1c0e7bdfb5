/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holding the first fields of a file against tables of what they should be.
 */
#include "load/sniff.h"

#include <string.h>

/* How many fields of a message are looked at, and how many bytes of a text. */
#define MOST_FIELDS  12
#define MOST_TEXT    256
#define MANGLED_LOOK ((size_t)64 << 10) /* bytes by which it is told */

/* What a damaged element costs. */
#define DAMAGED 8

static bool is_text(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size && i < MOST_TEXT; i++)
		if (bytes[i] < ' ' || bytes[i] == 0x7f)
			return false;
	return true;
}

static bool is_word(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size && i < MOST_TEXT; i++)
		if (bytes[i] <= ' ' || bytes[i] >= 0x7f)
			return false;
	return size > 0;
}

static const struct tfp_expect *find_field(const struct tfp_expect *table, uint32_t number)
{
	while (table->number && table->number != number)
		table++;
	return table->number ? table : NULL;
}

static bool next_field(struct tfp_wire *wire, struct tfp_field *field)
{
	if (tfp_wire_next(wire, field))
		return true;
	if (!wire->bad || !tfp_wire_next_cut(wire, field))
		return false;
	wire->bad = false;
	return true;
}

static int fit_message(const uint8_t *bytes, size_t size, const struct tfp_expect *table);

/*
 * What a field that the table has is worth: more the less it could be anything; -1 if it does not
 * fit.
 */
static int fit_field(const struct tfp_field *field, const struct tfp_expect *expect)
{
	if (expect->what == TFP_EXPECT_INT)
		return field->type == TFP_WIRE_VARINT ? 1 : -1;
	if (field->type != TFP_WIRE_BYTES)
		return -1;
	switch (expect->what) {
	case TFP_EXPECT_TEXT:
		return is_text(field->data, field->size) ? 3 : -1;
	case TFP_EXPECT_WORD:
		return is_word(field->data, field->size) ? 4 : -1;
	case TFP_EXPECT_MESSAGE:
		return fit_message(field->data, field->size, expect->message);
	default:
		return 0;
	}
}

/* Fields that no table has may come from a later version, if they are not the most. */
static bool too_strange(int points, int strange)
{
	return points < 2 * strange;
}

/* Goes only as deep as tables are nested. */
static int fit_message(const uint8_t *bytes, size_t size, const struct tfp_expect *table)
{
	struct tfp_wire wire = tfp_wire_of(bytes, size);
	struct tfp_field field;
	uint64_t seen = 0;
	int points = 1, strange = 0;

	for (int i = 0; i < MOST_FIELDS && next_field(&wire, &field); i++) {
		const struct tfp_expect *expect = find_field(table, field.number);
		int more = expect ? fit_field(&field, expect) : 0;

		if (more < 0)
			return -1;
		points += more;
		strange += !expect;
		seen |= UINT64_C(1) << (field.number & 63);
	}
	for (; table->number; table++)
		if (table->needed && !(seen >> (table->number & 63) & 1))
			return -1;
	return wire.bad || too_strange(points, strange) ? -1 : points;
}

bool tfp_sniff_begins(const uint8_t *bytes, size_t size, const struct tfp_expect *table)
{
	return fit_message(bytes, size, table) > 0;
}

/*
 * As fit_message, but of the elements some may be damaged: each costs as much as two small ones
 * give.
 */
static int sniff_wire(const struct tfp_source *source, const struct tfp_expect *top)
{
	struct tfp_wire wire = tfp_wire_of(source->data, source->size);
	struct tfp_field field;
	int points = 0, bad = 0;

	for (int i = 0; i < MOST_FIELDS && next_field(&wire, &field); i++) {
		const struct tfp_expect *expect = find_field(top, field.number);
		int more = expect ? fit_field(&field, expect) : 0;

		points += more > 0 ? more : 0;
		bad += more < 0 ? DAMAGED : !expect;
	}
	bad += wire.bad ? DAMAGED : 0;
	if (!points || points <= bad)
		return 0;
	return (points < 59 ? points : 59) + (bad ? 0 : 40);
}

static bool is_text_form(const struct tfp_source *source, const char *const *names)
{
	return names && tfp_textproto_sniff(source->data, source->size, names) > 0;
}

int tfp_sniff(const struct tfp_source *source, const struct tfp_expect *top,
	      const char *const *names)
{
	if (is_text_form(source, names))
		return 100;
	return sniff_wire(source, top);
}

struct tfp_source *tfp_sniff_to_wire(struct tfp_source *source, const char *const *names,
				     const struct ProtobufCMessageDescriptor *message,
				     struct tfp_job *job, struct tfp_diag *diag)
{
	uint64_t done = job ? job->done : 0, total = job ? job->total : 0;
	struct tfp_source *wire;

	if (!is_text_form(source, names))
		return source;
	wire = tfp_textproto_to_wire(source, message, job, diag);
	tfp_source_free(source);
	if (job) { /* the text's progress was one of its own */
		job->done = done;
		job->total = total;
	}
	return wire;
}

bool tfp_sniff_is_mangled(const struct tfp_source *source)
{
	size_t end = source->size < MANGLED_LOOK ? source->size : MANGLED_LOOK, signs = 0;
	bool binary = false;

	for (size_t i = 0; i < end; i++) {
		binary = binary || (source->data[i] && source->data[i] < '\t');
		signs += i + 2 < end && !memcmp(source->data + i, "\xef\xbf\xbd", 3);
	}
	return binary && signs > end / 64;
}
