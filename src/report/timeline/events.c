/* SPDX-License-Identifier: Apache-2.0 */
/* Trace events as JSON: see events.h. */
#include "report/timeline/events.h"

/* ---- strings --------------------------------------------------------------------------------- */

#define REPLACEMENT 0xfffd

/*
 * The character that begins at AT, and its bytes in *SIZE. As in jsoncpp bytes behind the first are
 * not looked at, but taken for what they should be.
 */
static uint32_t take_character(const unsigned char *at, size_t left, size_t *size)
{
	static const struct {
		unsigned char below, mask;
		uint32_t least;
	} forms[] = {{0xe0, 0x1f, 0x80}, {0xf0, 0x0f, 0x800}, {0xf8, 0x07, 0x10000}};
	uint32_t character;
	size_t form = 0;

	*size = 1;
	while (form < 3 && at[0] >= forms[form].below)
		form++;
	if (form == 3 || left < form + 2)
		return REPLACEMENT;
	character = at[0] & forms[form].mask;
	for (size_t i = 1; i < form + 2; i++)
		character = character << 6 | (at[i] & 0x3f);
	*size = form + 2;
	if (character < forms[form].least || (character >= 0xd800 && character < 0xe000))
		return REPLACEMENT;
	return character;
}

static void write_unit(struct tfp_writer *writer, uint32_t unit)
{
	char text[8];

	tfp_write(writer, text, (size_t)snprintf(text, sizeof(text), "\\u%04x", unit & 0xffff));
}

static void write_escape(struct tfp_writer *writer, uint32_t character)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *found = character && character < 0x80 ? strchr(plain, (int)character) : NULL;

	if (found) {
		tfp_write_byte(writer, '\\');
		tfp_write_byte(writer, letters[found - plain]);
	} else if (character < 0x10000) {
		write_unit(writer, character);
	} else {
		write_unit(writer, 0xd800 + ((character - 0x10000) >> 10));
		write_unit(writer, 0xdc00 + (character & 0x3ff));
	}
}

static bool is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* What stands between the quotes. */
static void write_inner(struct tfp_writer *writer, struct tfp_span text)
{
	const unsigned char *at = (const unsigned char *)text.at;

	for (size_t i = 0, size; i < text.size; i += size) {
		uint32_t character = at[i];

		for (size = 0; i + size < text.size && is_plain(at[i + size]);)
			size++;
		if (size) {
			tfp_write(writer, text.at + i, size);
			continue;
		}
		size = 1;
		if (character >= 0x80)
			character = take_character(at + i, text.size - i, &size);
		write_escape(writer, character);
	}
}

void tfp_events_text(struct tfp_writer *writer, const char *before, struct tfp_span text)
{
	tfp_write_byte(writer, '"');
	tfp_write_text(writer, before);
	write_inner(writer, text);
	tfp_write_byte(writer, '"');
}

/* ---- events ---------------------------------------------------------------------------------- */

void tfp_events_begin(struct tfp_events *events, struct tfp_writer *writer)
{
	*events = (struct tfp_events){.writer = writer};
	tfp_write_text(writer, "{\"traceEvents\":[");
}

void tfp_events_end(struct tfp_events *events)
{
	tfp_write_text(events->writer, "]}\n");
}

static struct tfp_writer *begin_event(struct tfp_events *events, const char *text)
{
	if (events->count++)
		tfp_write_byte(events->writer, ',');
	tfp_write_text(events->writer, text);
	return events->writer;
}

static void write_member(struct tfp_writer *writer, const char *name, int64_t value)
{
	tfp_write_text(writer, name);
	tfp_write_integer(writer, value);
}

static void write_place(struct tfp_writer *writer, const struct tfp_event_place *place)
{
	write_member(writer, ",\"pid\":", place->pid);
	write_member(writer, ",\"tid\":", place->tid);
	write_member(writer, ",\"ts\":", place->time);
	tfp_write_byte(writer, '}');
}

void tfp_events_process(struct tfp_events *events, int64_t pid, const char *before,
			struct tfp_span name, const char *behind)
{
	struct tfp_writer *writer = begin_event(events, "{\"args\":{\"name\":\"");

	tfp_write_text(writer, before);
	write_inner(writer, name);
	tfp_write_text(writer, behind);
	tfp_write_text(writer, "\"},\"name\":\"process_name\",\"ph\":\"M\"");
	write_member(writer, ",\"pid\":", pid);
	tfp_write_byte(writer, '}');
}

void tfp_events_region(struct tfp_events *events, const struct tfp_event_place *place,
		       int64_t duration, struct tfp_span name, struct tfp_span op)
{
	struct tfp_writer *writer = begin_event(events, "{\"args\":{\"name\":");

	tfp_events_text(writer, "", name);
	if (op.size) {
		tfp_write_text(writer, ",\"op\":");
		tfp_events_text(writer, "", op);
	}
	write_member(writer, "},\"cat\":\"Op\",\"dur\":", duration);
	tfp_write_text(writer, ",\"name\":");
	tfp_events_text(writer, "", name);
	tfp_write_text(writer, ",\"ph\":\"X\"");
	write_place(writer, place);
}

void tfp_events_flow(struct tfp_events *events, const struct tfp_event_place *place, char phase,
		     uint64_t id, struct tfp_span node)
{
	struct tfp_writer *writer = begin_event(events, "{\"cat\":\"DataFlow\"");

	write_member(writer, ",\"id\":", (int64_t)id);
	tfp_write_text(writer, ",\"name\":\"");
	write_inner(writer, node);
	tfp_write_text(writer, "_flow\",\"ph\":\"");
	tfp_write_byte(writer, phase);
	tfp_write_byte(writer, '"');
	write_place(writer, place);
}

void tfp_events_counter_begin(struct tfp_events *events)
{
	begin_event(events, "{\"args\":{");
}

void tfp_events_counter_end(struct tfp_events *events, const struct tfp_event_place *place,
			    const char *name)
{
	struct tfp_writer *writer = events->writer;

	tfp_write_text(writer, "},\"cat\":\"Memory\",\"name\":\"");
	tfp_write_text(writer, name);
	tfp_write_text(writer, "\",\"ph\":\"C\"");
	write_place(writer, place);
}
