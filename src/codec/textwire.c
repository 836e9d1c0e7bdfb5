/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single values of protobuf text written as wire bytes: one table says how each type is read and
 * written. A message is written behind one byte for its length; the few that turn out longer are
 * moved up when they end.
 */
#include "codec/textwire.h"

#include "tfprof/codec.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define VARINT_MOST    10
#define ENUM_NAME_MOST 63

/* How the scalars of one protobuf type are read and written. */
struct scalar {
	enum tfp_textwire_outcome (*read)(struct tfp_textwire *io, const struct scalar *scalar,
					  const ProtobufCFieldDescriptor *field);
	enum tfp_wire_type wire;
	unsigned int bits;
	bool is_signed, zigzag;
};

void tfp_textwire_init(struct tfp_textwire *io, const uint8_t *text, const uint8_t *end)
{
	*io = (struct tfp_textwire){
		.lex = {.at = text, .end = end},
		.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0),
	};
}

void tfp_textwire_done(struct tfp_textwire *io)
{
	tfp_array_free(&io->out);
	freelocale(io->locale);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_varint(struct tfp_textwire *io, uint64_t value)
{
	struct tfp_textlex_bytes *out = &io->out;

	tfp_array_reserve(out, out->count + VARINT_MOST);
	for (; value >= 0x80; value >>= 7)
		out->at[out->count++] = (uint8_t)(value | 0x80);
	out->at[out->count++] = (uint8_t)value;
}

static void put_tag(struct tfp_textwire *io, uint32_t number, enum tfp_wire_type type)
{
	put_varint(io, (uint64_t)number << 3 | type);
}

static void put_value(struct tfp_textwire *io, uint64_t value, enum tfp_wire_type type)
{
	size_t size = type == TFP_WIRE_FIXED64 ? 8 : 4;

	if (type == TFP_WIRE_VARINT) {
		put_varint(io, value);
		return;
	}
	tfp_array_reserve(&io->out, io->out.count + size);
	for (; size; size--, value >>= 8)
		io->out.at[io->out.count++] = (uint8_t)value;
}

/* Leaves a byte for the length of what follows. Returns where that begins. */
static size_t begin_bytes(struct tfp_textwire *io)
{
	put_varint(io, 0);
	return io->out.count;
}

size_t tfp_textwire_begin(struct tfp_textwire *io, uint32_t number)
{
	put_tag(io, number, TFP_WIRE_BYTES);
	return begin_bytes(io);
}

void tfp_textwire_end(struct tfp_textwire *io, size_t start)
{
	struct tfp_textlex_bytes *out = &io->out;
	size_t size = out->count - start, more = 0;

	for (size_t rest = size >> 7; rest; rest >>= 7)
		more++;
	if (more) {
		tfp_array_reserve(out, out->count + more);
		memmove(out->at + start + more, out->at + start, size);
	}
	out->count = start - 1;
	put_varint(io, size);
	out->count = start + more + size;
}

/* ---- scalars --------------------------------------------------------------------------------- */

/* A sign may stand apart from its number. */
static struct tfp_span take_signed(struct tfp_textwire *io, bool *negative)
{
	*negative = tfp_textlex_accept(&io->lex, '-');
	if (*negative)
		tfp_textlex_blank(&io->lex);
	return tfp_textlex_scalar(&io->lex);
}

static bool fits(uint64_t magnitude, bool negative, const struct scalar *scalar)
{
	uint64_t most = UINT64_MAX >> (64 - scalar->bits + scalar->is_signed);

	if (negative)
		return scalar->is_signed ? magnitude <= most + 1 : !magnitude;
	return magnitude <= most;
}

static enum tfp_textwire_outcome read_integer(struct tfp_textwire *io, const struct scalar *scalar,
					      const ProtobufCFieldDescriptor *field)
{
	bool negative;
	struct tfp_span word = take_signed(io, &negative);
	uint64_t value;

	(void)field;
	if (!word.size)
		return TFP_TEXTWIRE_BROKEN;
	if (!tfp_textlex_integer(word, &value) || !fits(value, negative, scalar))
		return TFP_TEXTWIRE_REFUSED;
	if (negative)
		value = -value;
	if (scalar->zigzag)
		value = value << 1 ^ -(value >> 63);
	put_value(io, value, scalar->wire);
	return TFP_TEXTWIRE_TAKEN;
}

static uint64_t bits_of_float(double value)
{
	float narrow;
	uint32_t bits;

	/* Converting what is beyond a float's range is undefined. */
	if (fabs(value) > (double)FLT_MAX)
		narrow = value > 0 ? HUGE_VALF : -HUGE_VALF;
	else
		narrow = (float)value;
	memcpy(&bits, &narrow, sizeof(bits));
	return bits;
}

static enum tfp_textwire_outcome read_real(struct tfp_textwire *io, const struct scalar *scalar,
					   const ProtobufCFieldDescriptor *field)
{
	bool negative;
	struct tfp_span word = take_signed(io, &negative);
	double value;
	uint64_t bits;

	(void)field;
	if (!word.size)
		return TFP_TEXTWIRE_BROKEN;
	if (!tfp_textlex_real(word, io->locale, &value))
		return TFP_TEXTWIRE_REFUSED;
	if (negative)
		value = -value;
	memcpy(&bits, &value, sizeof(bits));
	put_value(io, scalar->bits == 32 ? bits_of_float(value) : bits, scalar->wire);
	return TFP_TEXTWIRE_TAKEN;
}

static enum tfp_textwire_outcome read_bool(struct tfp_textwire *io, const struct scalar *scalar,
					   const ProtobufCFieldDescriptor *field)
{
	static const char *const words[2][4] = {{"false", "f", "0", "False"},
						{"true", "t", "1", "True"}};
	struct tfp_span word = tfp_textlex_scalar(&io->lex);

	(void)field;
	if (!word.size)
		return TFP_TEXTWIRE_BROKEN;
	for (unsigned int i = 0; i < 8; i++) {
		if (tfp_span_is(word, words[i / 4][i % 4])) {
			put_value(io, i / 4, scalar->wire);
			return TFP_TEXTWIRE_TAKEN;
		}
	}
	return TFP_TEXTWIRE_REFUSED;
}

/* Words that a newer writer knows and we do not are left out without a word. */
static enum tfp_textwire_outcome read_enum(struct tfp_textwire *io, const struct scalar *scalar,
					   const ProtobufCFieldDescriptor *field)
{
	const uint8_t *start = io->lex.at;
	uint8_t first = tfp_textlex_peek(&io->lex);
	const ProtobufCEnumValue *value = NULL;
	char name[ENUM_NAME_MOST + 1];
	struct tfp_span word;

	if (first == '-' || (first >= '0' && first <= '9'))
		return read_integer(io, scalar, field);
	word = tfp_textlex_name(&io->lex);
	if (!word.size)
		return TFP_TEXTWIRE_BROKEN;
	if (word.size <= ENUM_NAME_MOST) {
		memcpy(name, start, word.size);
		name[word.size] = '\0';
		value = protobuf_c_enum_descriptor_get_value_by_name(field->descriptor, name);
	}
	if (!value)
		return TFP_TEXTWIRE_REFUSED;
	put_value(io, (uint64_t)(int64_t)value->value, scalar->wire);
	return TFP_TEXTWIRE_TAKEN;
}

static enum tfp_textwire_outcome read_text(struct tfp_textwire *io, const struct scalar *scalar,
					   const ProtobufCFieldDescriptor *field)
{
	size_t start;

	(void)scalar;
	(void)field;
	start = begin_bytes(io);
	if (!tfp_textlex_strings(&io->lex, &io->out))
		return TFP_TEXTWIRE_BROKEN;
	tfp_textwire_end(io, start);
	return TFP_TEXTWIRE_TAKEN;
}

/* By ProtobufCType; a message has no reader. */
static const struct scalar scalars[] = {
	[PROTOBUF_C_TYPE_INT32] = {read_integer, TFP_WIRE_VARINT, 32, true, false},
	[PROTOBUF_C_TYPE_SINT32] = {read_integer, TFP_WIRE_VARINT, 32, true, true},
	[PROTOBUF_C_TYPE_SFIXED32] = {read_integer, TFP_WIRE_FIXED32, 32, true, false},
	[PROTOBUF_C_TYPE_INT64] = {read_integer, TFP_WIRE_VARINT, 64, true, false},
	[PROTOBUF_C_TYPE_SINT64] = {read_integer, TFP_WIRE_VARINT, 64, true, true},
	[PROTOBUF_C_TYPE_SFIXED64] = {read_integer, TFP_WIRE_FIXED64, 64, true, false},
	[PROTOBUF_C_TYPE_UINT32] = {read_integer, TFP_WIRE_VARINT, 32, false, false},
	[PROTOBUF_C_TYPE_FIXED32] = {read_integer, TFP_WIRE_FIXED32, 32, false, false},
	[PROTOBUF_C_TYPE_UINT64] = {read_integer, TFP_WIRE_VARINT, 64, false, false},
	[PROTOBUF_C_TYPE_FIXED64] = {read_integer, TFP_WIRE_FIXED64, 64, false, false},
	[PROTOBUF_C_TYPE_FLOAT] = {read_real, TFP_WIRE_FIXED32, 32, true, false},
	[PROTOBUF_C_TYPE_DOUBLE] = {read_real, TFP_WIRE_FIXED64, 64, true, false},
	[PROTOBUF_C_TYPE_BOOL] = {read_bool, TFP_WIRE_VARINT, 1, false, false},
	[PROTOBUF_C_TYPE_ENUM] = {read_enum, TFP_WIRE_VARINT, 32, true, false},
	[PROTOBUF_C_TYPE_STRING] = {read_text, TFP_WIRE_BYTES, 0, false, false},
	[PROTOBUF_C_TYPE_BYTES] = {read_text, TFP_WIRE_BYTES, 0, false, false},
	[PROTOBUF_C_TYPE_MESSAGE] = {NULL, TFP_WIRE_BYTES, 0, false, false},
};

enum tfp_textwire_outcome tfp_textwire_scalar(struct tfp_textwire *io,
					      const ProtobufCFieldDescriptor *field)
{
	const struct scalar *scalar = &scalars[field->type];
	size_t start = io->out.count;
	uint8_t first = tfp_textlex_peek(&io->lex);
	enum tfp_textwire_outcome outcome;

	if (first == '{' || first == '<' || tfp_textlex_quote(first) != (scalar->read == read_text))
		return tfp_textlex_skip_value(&io->lex) ? TFP_TEXTWIRE_REFUSED
							: TFP_TEXTWIRE_BROKEN;
	put_tag(io, field->id, scalar->wire);
	outcome = scalar->read(io, scalar, field);
	if (outcome != TFP_TEXTWIRE_TAKEN)
		io->out.count = start;
	return outcome;
}
