/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes as texts: numbers, types, shapes and lists of them. The contents of tensors stay where
 * they are: a constant may hold megabytes.
 */
#include "load/tensorflow/attrvalue.h"

#include <stdlib.h>
#include <string.h>

#include "load/shape.h"

enum {
	ENTRY_KEY = 1,
	ENTRY_VALUE = 2,

	VALUE_LIST = 1,
	VALUE_TEXT = 2,
	VALUE_INTEGER = 3,
	VALUE_FLOAT = 4,
	VALUE_BOOL = 5,
	VALUE_TYPE = 6,
	VALUE_SHAPE = 7,
	VALUE_TENSOR = 8,
	VALUE_PLACEHOLDER = 9,
	VALUE_FUNCTION = 10,
	LIST_FUNCTION = 9, /* a list has no placeholder, and functions in its place */

	TENSOR_TYPE = 1,
	TENSOR_SHAPE = 2,
	FUNCTION_NAME = 1,
	FUNCTION_ATTRIBUTE = 2,
	TYPE_FLOAT = 1,

	REFERENCE = 100, /* added to the number of a type */
};

#define MOST_ATTRIBUTES 200
#define MOST_ELEMENTS   16 /* of a list, and dims of a shape, that are printed */
#define MOST_TEXT       200

static const char *const types[] = {
	"invalid",
	"float32",
	"float64",
	"int32",
	"uint8",
	"int16",
	"int8",
	"string",
	"complex64",
	"int64",
	"bool",
	"qint8",
	"quint8",
	"qint32",
	"bfloat16",
	"qint16",
	"quint16",
	"uint16",
	"complex128",
	"float16",
	"resource",
	"variant",
	"uint32",
	"uint64",
	"float8_e5m2",
	"float8_e4m3fn",
	"float8_e4m3fnuz",
	"float8_e4m3b11fnuz",
	"float8_e5m2fnuz",
	"int4",
	"uint4",
	"int2",
	"uint2",
};

static void put_type(FILE *out, uint64_t type)
{
	bool reference = type > REFERENCE;
	uint64_t plain = reference ? type - REFERENCE : type;

	if (plain < sizeof(types) / sizeof(*types))
		fprintf(out, "%s%s", types[plain], reference ? "_ref" : "");
	else
		fprintf(out, "type %llu", (unsigned long long)type);
}

static void put_text(FILE *out, const struct tfp_field *field)
{
	for (size_t i = 0; i < field->size && i < MOST_TEXT; i++)
		if (field->data[i] < ' ' || field->data[i] == 0x7f)
			fprintf(out, "\\x%02x", field->data[i]);
		else
			fputc(field->data[i], out);
	if (field->size > MOST_TEXT)
		fprintf(out, "… (%zu bytes)", field->size);
}

/* "3x3x16x32"; "scalar" without dims. */
static void put_shape(FILE *out, const struct tfp_field *shape)
{
	struct tfp_wire wire = tfp_wire_in(shape);
	struct tfp_field field;
	bool unknown = false;
	size_t dims = 0;
	int64_t size;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, SHAPE_UNKNOWN_RANK))
			unknown = field.value != 0;
		if (!tfp_field_is(&field, SHAPE_DIM) || dims > MOST_ELEMENTS)
			continue;
		tfp_dim_size(&field, &size);
		if (dims++ == MOST_ELEMENTS)
			fputs("x…", out);
		else
			fprintf(out, "%s%lld", dims > 1 ? "x" : "", (long long)size);
	}
	if (!dims)
		fputs(unknown ? "unknown" : "scalar", out);
}

static void put_tensor(FILE *out, const struct tfp_field *tensor)
{
	struct tfp_wire wire = tfp_wire_in(tensor);
	struct tfp_field field, shape = {.data = tensor->data};
	uint64_t type = 0;

	while (tfp_wire_next(&wire, &field)) {
		if (tfp_field_is_int(&field, TENSOR_TYPE))
			type = field.value;
		else if (tfp_field_is(&field, TENSOR_SHAPE))
			shape = field;
	}
	put_type(out, type);
	fputc(' ', out);
	put_shape(out, &shape);
}

static void put_function(FILE *out, const struct tfp_field *function)
{
	struct tfp_wire wire = tfp_wire_in(function);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, FUNCTION_NAME))
			put_text(out, &field);
}

static void put_float(FILE *out, uint64_t bits)
{
	const struct tfp_dtype *dtype = tfp_dtype_of(TYPE_FLOAT);
	uint32_t low = (uint32_t)bits;
	char text[TFP_SCALAR_ROOM];
	uint8_t bytes[sizeof(low)];

	memcpy(bytes, &low, sizeof(low));
	fputs(tfp_scalar_text(text, dtype, tfp_scalar_of(dtype, bytes)), out);
}

/* A value that is not a list. NUMBER says which kind, as in AttrValue. */
static void put_value(FILE *out, uint32_t number, const struct tfp_field *field)
{
	switch (number) {
	case VALUE_TEXT:
	case VALUE_PLACEHOLDER:
		put_text(out, field);
		return;
	case VALUE_INTEGER:
		fprintf(out, "%lld", (long long)field->value);
		return;
	case VALUE_FLOAT:
		put_float(out, field->value);
		return;
	case VALUE_BOOL:
		fputs(field->value ? "true" : "false", out);
		return;
	case VALUE_TYPE:
		put_type(out, field->value);
		return;
	case VALUE_SHAPE:
		put_shape(out, field);
		return;
	case VALUE_TENSOR:
		put_tensor(out, field);
		return;
	case VALUE_FUNCTION:
		put_function(out, field);
		return;
	default:
		return;
	}
}

/* Is the field of the wire type that a value of kind NUMBER has? */
static bool is_value(const struct tfp_field *field, uint32_t number)
{
	static const uint8_t wires[] = {
		[VALUE_LIST] = TFP_WIRE_BYTES,        [VALUE_TEXT] = TFP_WIRE_BYTES,
		[VALUE_INTEGER] = TFP_WIRE_VARINT,    [VALUE_FLOAT] = TFP_WIRE_FIXED32,
		[VALUE_BOOL] = TFP_WIRE_VARINT,       [VALUE_TYPE] = TFP_WIRE_VARINT,
		[VALUE_SHAPE] = TFP_WIRE_BYTES,       [VALUE_TENSOR] = TFP_WIRE_BYTES,
		[VALUE_PLACEHOLDER] = TFP_WIRE_BYTES, [VALUE_FUNCTION] = TFP_WIRE_BYTES,
	};

	return number >= VALUE_LIST && number <= VALUE_FUNCTION && field->type == wires[number];
}

/* Integers, floats, bools and types of a list come packed or one by one. */
static void put_packed(FILE *out, uint32_t number, const struct tfp_field *packed, size_t *count)
{
	const uint8_t *at = packed->data, *end = at + packed->size;
	struct tfp_field element = {0};

	while (at && at < end && *count <= MOST_ELEMENTS) {
		uint32_t bits = 0;

		if (number == VALUE_FLOAT && (size_t)(end - at) < sizeof(bits))
			return;
		if (number == VALUE_FLOAT) {
			memcpy(&bits, at, sizeof(bits));
			element.value = bits;
			at += sizeof(bits);
		} else {
			at = tfp_wire_varint(at, end, &element.value);
		}
		if (!at)
			return;
		fputs(*count ? ", " : "", out);
		if ((*count)++ == MOST_ELEMENTS)
			fputs("…", out);
		else
			put_value(out, number, &element);
	}
}

static bool comes_packed(uint32_t number)
{
	return number >= VALUE_INTEGER && number <= VALUE_TYPE;
}

static void put_list(FILE *out, const struct tfp_field *list)
{
	struct tfp_wire wire = tfp_wire_in(list);
	struct tfp_field field;
	size_t count = 0;

	fputc('[', out);
	while (count <= MOST_ELEMENTS && tfp_wire_next(&wire, &field)) {
		uint32_t number = field.number == LIST_FUNCTION ? VALUE_FUNCTION : field.number;

		if (field.type == TFP_WIRE_BYTES && comes_packed(number)) {
			put_packed(out, number, &field, &count);
			continue;
		}
		if (number == VALUE_LIST || !is_value(&field, number))
			continue;
		fputs(count ? ", " : "", out);
		if (count++ == MOST_ELEMENTS)
			fputs("…", out);
		else
			put_value(out, number, &field);
	}
	fputc(']', out);
}

/* The last member of the value's oneof counts; number 0: there is none. */
static struct tfp_field member_of(const struct tfp_field *value)
{
	struct tfp_wire wire = tfp_wire_in(value);
	struct tfp_field field, last = {0};

	while (tfp_wire_next(&wire, &field))
		if (is_value(&field, field.number))
			last = field;
	return last;
}

struct tfp_field tfp_attribute_entry(const struct tfp_field *entry, struct tfp_field *key)
{
	struct tfp_wire wire = tfp_wire_in(entry);
	struct tfp_field field, value = {.data = entry->data};

	*key = value;
	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, ENTRY_KEY))
			*key = field;
		else if (tfp_field_is(&field, ENTRY_VALUE))
			value = field;
	return value;
}

static void put_member(FILE *out, const struct tfp_field *member)
{
	if (member->number == VALUE_LIST)
		put_list(out, member);
	else if (member->number)
		put_value(out, member->number, member);
	else
		fputs("(not set)", out);
}

/* "body(T=int32, inner=other)": functions in its attributes have only their names. */
static void put_call(FILE *out, const struct tfp_field *function)
{
	struct tfp_wire wire = tfp_wire_in(function);
	struct tfp_field field, key, value, member;
	size_t count = 0;

	put_function(out, function);
	while (count <= MOST_ELEMENTS && tfp_wire_next(&wire, &field)) {
		if (!tfp_field_is(&field, FUNCTION_ATTRIBUTE))
			continue;
		fputs(count ? ", " : "(", out);
		if (count++ == MOST_ELEMENTS) {
			fputs("…", out);
			break;
		}
		value = tfp_attribute_entry(&field, &key);
		member = member_of(&value);
		put_text(out, &key);
		fputc('=', out);
		put_member(out, &member);
	}
	fputs(count ? ")" : "", out);
}

static char *value_text(const struct tfp_field *value, struct tfp_arena *arena)
{
	struct tfp_field last = member_of(value);
	char *text = NULL, *kept;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return tfp_arena_text(arena, "", 0);
	if (last.number == VALUE_FUNCTION)
		put_call(out, &last);
	else
		put_member(out, &last);
	fclose(out);
	kept = tfp_arena_text(arena, text, size);
	free(text);
	return kept;
}

static const char *key_text(const struct tfp_field *key, struct tfp_arena *arena)
{
	return tfp_arena_text(arena, (const char *)key->data,
			      key->size < MOST_TEXT ? key->size : MOST_TEXT);
}

/* Where the value of NAME goes: a name that comes again has the later value. */
static const char **place_of(struct tfp_attributes *out, const char *name)
{
	for (size_t i = 0; i < out->list.count; i++)
		if (strcmp(out->list.at[i].name, name) == 0)
			return &out->list.at[i].value;
	*tfp_array_push(&out->list) = (struct tfp_attribute){name, ""};
	return &out->list.at[out->list.count - 1].value;
}

static void read_entry(const struct tfp_field *entry, struct tfp_attributes *out)
{
	struct tfp_field key, value = tfp_attribute_entry(entry, &key);

	*place_of(out, key_text(&key, &out->arena)) = value_text(&value, &out->arena);
}

void tfp_attributes_read(struct tfp_wire record, uint32_t number, struct tfp_attributes *out)
{
	struct tfp_field field;

	while (out->list.count < MOST_ATTRIBUTES && tfp_wire_next(&record, &field))
		if (tfp_field_is(&field, number))
			read_entry(&field, out);
}

/* A type, and if SHAPED a shape, NULL for an unknown one. */
static char *type_text(struct tfp_arena *arena, uint64_t type, bool shaped,
		       const struct tfp_field *shape)
{
	char *text = NULL, *kept;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return tfp_arena_text(arena, "", 0);
	put_type(out, type);
	if (shaped)
		fputc(' ', out);
	if (shape)
		put_shape(out, shape);
	else if (shaped)
		fputs("unknown", out);
	fclose(out);
	kept = tfp_arena_text(arena, text, size);
	free(text);
	return kept;
}

char *tfp_attribute_tensor(struct tfp_arena *arena, uint64_t type, const struct tfp_field *shape)
{
	return type_text(arena, type, true, shape);
}

char *tfp_attribute_type(struct tfp_arena *arena, uint64_t type)
{
	return type_text(arena, type, false, NULL);
}

/* Can MESSAGE be read to its end? */
static bool is_whole(const struct tfp_field *message)
{
	struct tfp_wire wire = tfp_wire_in(message);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		;
	return !wire.bad;
}

static bool is_entry(const struct tfp_field *entry)
{
	struct tfp_wire wire = tfp_wire_in(entry);
	struct tfp_field field;

	while (tfp_wire_next(&wire, &field))
		if (tfp_field_is(&field, ENTRY_VALUE) && !is_whole(&field))
			return false;
	return !wire.bad;
}

void tfp_attributes_find(struct tfp_wire record, uint32_t number, struct tfp_spans *out)
{
	struct tfp_field field;

	while (tfp_wire_next(&record, &field))
		if (tfp_field_is(&field, number) && is_entry(&field))
			*tfp_array_push(out) = tfp_field_span(&field);
}
