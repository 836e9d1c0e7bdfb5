/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of a pprof file. Its parts come in any order, and the texts often last: so a first
 * walk notes where everything stands, and a location becomes frames when a sample first refers to
 * it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "load/pprof/pprof.h"
#include "load/walk.h"

enum { POLL_ELEMENTS = 4096 };

/* What is referred to and is not there. */
#define tell_missing(tables, at, ...)                                                              \
	do {                                                                                       \
		if (!(tables)->ended)                                                              \
			tfp_pprof_problem(tables, TFP_WARNING, at, __VA_ARGS__);                   \
	} while (0)

bool tfp_pprof_scalars(const struct tfp_field *message, uint64_t *value, uint32_t count)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	memset(value, 0, (count + 1) * sizeof(*value));
	while (tfp_wire_next(&wire, &field))
		if (field.type == TFP_WIRE_VARINT && field.number <= count)
			value[field.number] = field.value;
	return !wire.bad;
}

/* The same for a part of the tables, whose damage is a problem and no more. */
static void scalars(struct tfp_pprof_tables *tables, const struct tfp_field *message,
		    uint64_t *value, uint32_t count)
{
	if (!tfp_pprof_scalars(message, value, count))
		tfp_pprof_problem(tables, TFP_WARNING, message->data,
				  "a part of the profile's tables is damaged");
}

/* ---- ids ---------------------------------------------------------------------------------- */

static void ids_scatter(struct tfp_pprof_ids *ids)
{
	ids->scattered = true;
	for (uint32_t i = 0; i < ids->count; i++)
		tfp_idmap_add(&ids->map, ids->first + i, i);
}

/* Gives ID the next index. False when it has one already. */
static bool ids_add(struct tfp_pprof_ids *ids, uint64_t id)
{
	uint32_t index = ids->count;

	if (!index)
		ids->first = id;
	if (!ids->scattered && id != ids->first + index)
		ids_scatter(ids);
	ids->count++;
	return !ids->scattered || tfp_idmap_add(&ids->map, id, index) == index;
}

static inline uint32_t ids_find(const struct tfp_pprof_ids *ids, uint64_t id)
{
	if (ids->scattered)
		return tfp_idmap_get(&ids->map, id);
	return id - ids->first < ids->count ? (uint32_t)(id - ids->first) : TFP_NONE;
}

static void name_part(struct tfp_pprof_tables *tables, struct tfp_pprof_ids *ids,
		      const struct tfp_field *part, uint64_t id)
{
	if (!ids_add(ids, id))
		tfp_pprof_problem(tables, TFP_WARNING, part->data,
				  "id %" PRIu64 " is given twice; the first holds", id);
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Indices beyond 32 bits name no string of any file that fits in memory. */
static uint32_t string_index(uint64_t index)
{
	return index < TFP_NONE ? (uint32_t)index : TFP_NONE;
}

struct tfp_span tfp_pprof_string_get(const struct tfp_pprof_tables *tables, uint64_t index)
{
	const struct tfp_pprof_string *string;

	if (index >= tables->strings.count)
		return (struct tfp_span){"", 0};
	string = &tables->strings.at[index];
	return (struct tfp_span){string->at, string->size};
}

static tfp_str intern(struct tfp_pprof_tables *tables, uint32_t index)
{
	struct tfp_pprof_string *string;

	if (index >= tables->strings.count) {
		tell_missing(tables, tables->source->data + tables->source->size,
			     "text %" PRIu32 " is not in the file's table", index);
		return 0;
	}
	string = &tables->strings.at[index];
	if (string->id == TFP_NONE)
		string->id = tfp_strings_add(tables->profile->strings, string->at, string->size);
	return string->id;
}

/* ---- first walk --------------------------------------------------------------------------- */

static void take_type(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	uint64_t value[3];

	scalars(tables, field, value, 2);
	*tfp_array_push(&tables->types) =
		(struct tfp_pprof_type){string_index(value[1]), string_index(value[2])};
}

static void take_sample(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	*tfp_array_push(&tables->samples) = tfp_field_span(field);
}

static void take_mapping(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	uint64_t value[6];

	scalars(tables, field, value, 5);
	name_part(tables, &tables->mapping_ids, field, value[1]);
	*tfp_array_push(&tables->mappings) = string_index(value[5]);
}

static void take_location(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	uint64_t value[2];

	scalars(tables, field, value, 1);
	name_part(tables, &tables->location_ids, field, value[1]);
	*tfp_array_push(&tables->locations) = (struct tfp_pprof_location){
		.at = field->data,
		.size = field->size < UINT32_MAX ? (uint32_t)field->size : UINT32_MAX,
	};
}

/* Lines are counted from 1; 0 stands for unknown. */
static int32_t line_number(uint64_t line)
{
	return line && line <= INT32_MAX ? (int32_t)line : -1;
}

static void take_function(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	uint64_t value[6];

	scalars(tables, field, value, 5);
	name_part(tables, &tables->function_ids, field, value[1]);
	*tfp_array_push(&tables->functions) = (struct tfp_pprof_function){
		.name = string_index(value[2] ? value[2] : value[3]),
		.file = string_index(value[4]),
		.start_line = line_number(value[5]),
	};
}

/*
 * Texts are known by their place in the table. Behind damage the place is known only if the table
 * has not begun yet: its first text is empty.
 */
static void take_string(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	if (tables->broken && (tables->strings.count || field->size))
		tables->strings_end = true;
	if (tables->strings_end)
		return;
	tables->broken = false;
	*tfp_array_push(&tables->strings) = (struct tfp_pprof_string){
		.at = (const char *)field->data,
		.size = field->size < UINT32_MAX ? (uint32_t)field->size : UINT32_MAX,
		.id = TFP_NONE,
	};
}

static void take_drop_frames(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	tables->drop_frames = field->value;
}

static void take_keep_frames(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	tables->keep_frames = field->value;
}

static void take_default_type(struct tfp_pprof_tables *tables, const struct tfp_field *field)
{
	tables->default_type = field->value;
}

static const struct {
	enum tfp_wire_type type;
	void (*take)(struct tfp_pprof_tables *tables, const struct tfp_field *field);
} elements[PPROF_FIELDS] = {
	[PPROF_SAMPLE_TYPE] = {TFP_WIRE_BYTES, take_type},
	[PPROF_SAMPLE] = {TFP_WIRE_BYTES, take_sample},
	[PPROF_MAPPING] = {TFP_WIRE_BYTES, take_mapping},
	[PPROF_LOCATION] = {TFP_WIRE_BYTES, take_location},
	[PPROF_FUNCTION] = {TFP_WIRE_BYTES, take_function},
	[PPROF_STRING] = {TFP_WIRE_BYTES, take_string},
	[PPROF_DROP_FRAMES] = {TFP_WIRE_VARINT, take_drop_frames},
	[PPROF_KEEP_FRAMES] = {TFP_WIRE_VARINT, take_keep_frames},
	[PPROF_DEFAULT_TYPE] = {TFP_WIRE_VARINT, take_default_type},
};

static const struct tfp_element sample_element = {
	.name = "pprof sample",
	.number = PPROF_SAMPLE,
	.begins = tfp_pprof_sample_begins,
};

/*
 * The next element that is whole. One that the end of the file cuts is not taken: half of a stack
 * is another stack.
 */
static bool next_element(struct tfp_pprof_tables *tables, struct tfp_walk *walk,
			 struct tfp_wire *wire, struct tfp_field *field)
{
	struct tfp_wire damaged;
	struct tfp_field cut;

	if (tfp_wire_next(wire, field))
		return true;
	if (!wire->bad)
		return false;
	tables->broken = true;
	damaged = *wire;
	if (!tfp_walk_mend(walk, wire, field, &sample_element))
		return false;
	return !tfp_wire_next_cut(&damaged, &cut) || cut.data != field->data;
}

bool tfp_pprof_tables_read(struct tfp_pprof_tables *tables, struct tfp_job *job)
{
	struct tfp_walk walk;
	struct tfp_wire wire = tfp_walk_start(&walk, tables->source, NULL, tables->diag);
	struct tfp_field field;
	uint32_t count = 0; /* the tables have 32-bit indices */

	while (count < TFP_NONE - 1 && next_element(tables, &walk, &wire, &field)) {
		if (field.number < PPROF_FIELDS && elements[field.number].take &&
		    elements[field.number].type == field.type)
			elements[field.number].take(tables, &field);
		if (++count % POLL_ELEMENTS == 0 && tfp_job_cancelled(job))
			return false;
	}
	tables->ended = walk.ended || tables->source->broken;
	return true;
}

void tfp_pprof_tables_free(struct tfp_pprof_tables *tables)
{
	tfp_array_free(&tables->samples);
	tfp_array_free(&tables->strings);
	tfp_array_free(&tables->types);
	tfp_array_free(&tables->mappings);
	tfp_array_free(&tables->functions);
	tfp_array_free(&tables->locations);
	tfp_array_free(&tables->frames);
	tfp_idmap_free(&tables->mapping_ids.map);
	tfp_idmap_free(&tables->function_ids.map);
	tfp_idmap_free(&tables->location_ids.map);
}

/* ---- locations to frames ------------------------------------------------------------------ */

/* A frame without a known function, named by a text of our own. */
static struct tfp_frame nameless_frame(struct tfp_pprof_tables *tables, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static struct tfp_frame nameless_frame(struct tfp_pprof_tables *tables, const char *format, ...)
{
	struct tfp_frame frame = {.line = -1, .start_line = -1};
	char text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	frame.function = tfp_strings_add_text(tables->profile->strings, text);
	return frame;
}

/* Code that nobody has named: its address, and the program or library that it is in. */
static struct tfp_frame address_frame(struct tfp_pprof_tables *tables, const uint64_t *location)
{
	struct tfp_frame frame = nameless_frame(tables, "0x%" PRIx64, location[3]);
	uint32_t mapping;

	if (!location[2])
		return frame;
	mapping = ids_find(&tables->mapping_ids, location[2]);
	if (mapping == TFP_NONE)
		tell_missing(tables, tables->source->data + tables->source->size,
			     "mapping %" PRIu64 " is not in the file", location[2]);
	else
		frame.file = intern(tables, tables->mappings.at[mapping]);
	return frame;
}

static struct tfp_frame line_frame(struct tfp_pprof_tables *tables, const uint64_t *location,
				   const struct tfp_field *line)
{
	const struct tfp_pprof_function *function;
	struct tfp_frame frame = {0};
	uint64_t value[3];
	uint32_t index;

	tfp_pprof_scalars(line, value, 2); /* its damage was told with the location's */
	if (!value[1])
		return address_frame(tables, location);
	index = ids_find(&tables->function_ids, value[1]);
	if (index == TFP_NONE) {
		tell_missing(tables, line->data, "function %" PRIu64 " is not in the file",
			     value[1]);
		return nameless_frame(tables, "(missing function %" PRIu64 ")", value[1]);
	}
	function = &tables->functions.at[index];
	frame.function = intern(tables, function->name);
	if (!frame.function)
		frame = address_frame(tables, location);
	frame.file = intern(tables, function->file);
	frame.line = line_number(value[2]);
	frame.start_line = function->start_line;
	return frame;
}

static void add_frame(struct tfp_pprof_tables *tables, struct tfp_frame frame)
{
	*tfp_array_push(&tables->frames) = tfp_profile_frame(tables->profile, &frame);
}

/* Works out the frames of LOCATION. */
static void resolve(struct tfp_pprof_tables *tables, struct tfp_pprof_location *location)
{
	struct tfp_field field = {.data = location->at, .size = location->size};
	struct tfp_wire wire = tfp_wire_in(&field);
	uint64_t value[4];

	location->first = (uint32_t)tables->frames.count;
	tfp_pprof_scalars(&field, value, 3);
	while (tfp_wire_next(&wire, &field))
		if (field.number == PPROF_LOCATION_LINE && field.type == TFP_WIRE_BYTES)
			add_frame(tables, line_frame(tables, value, &field));
	if (wire.bad)
		tfp_pprof_problem(tables, TFP_WARNING, wire.at, "a location is damaged");
	if (tables->frames.count == location->first)
		add_frame(tables, address_frame(tables, value));
	location->count = (uint32_t)(tables->frames.count - location->first);
}

/* A stand-in for a location that samples refer to and the file does not hold. */
static struct tfp_pprof_location *make_up(struct tfp_pprof_tables *tables, uint64_t id)
{
	struct tfp_pprof_location location = {.count = 1};

	tell_missing(tables, tables->source->data + tables->source->size,
		     "location %" PRIu64 " is not in the file", id);
	location.first = (uint32_t)tables->frames.count;
	add_frame(tables, nameless_frame(tables, "(missing location %" PRIu64 ")", id));
	ids_add(&tables->location_ids, id);
	*tfp_array_push(&tables->locations) = location;
	return &tables->locations.at[tables->locations.count - 1];
}

struct tfp_pprof_location *tfp_pprof_location_find(struct tfp_pprof_tables *tables, uint64_t id)
{
	uint32_t index = ids_find(&tables->location_ids, id);
	struct tfp_pprof_location *location;

	if (index == TFP_NONE)
		return make_up(tables, id);
	location = &tables->locations.at[index];
	if (!location->count)
		resolve(tables, location);
	return location;
}
