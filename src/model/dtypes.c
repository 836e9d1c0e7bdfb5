/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TensorFlow's element types: their names and numbers, and what the bytes of an element say.
 */
#include "tfprof/tensor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tfp_dtype dtypes[] = {
	{"invalid", 0, 0, TFP_ELEMENT_OTHER},
	{"float", 1, 4, TFP_ELEMENT_REAL},
	{"double", 2, 8, TFP_ELEMENT_REAL},
	{"int32", 3, 4, TFP_ELEMENT_SIGNED},
	{"uint8", 4, 1, TFP_ELEMENT_UNSIGNED},
	{"int16", 5, 2, TFP_ELEMENT_SIGNED},
	{"int8", 6, 1, TFP_ELEMENT_SIGNED},
	{"string", 7, 0, TFP_ELEMENT_STRING},
	{"complex64", 8, 8, TFP_ELEMENT_COMPLEX},
	{"int64", 9, 8, TFP_ELEMENT_SIGNED},
	{"bool", 10, 1, TFP_ELEMENT_UNSIGNED},
	{"qint8", 11, 1, TFP_ELEMENT_SIGNED},
	{"quint8", 12, 1, TFP_ELEMENT_UNSIGNED},
	{"qint32", 13, 4, TFP_ELEMENT_SIGNED},
	{"bfloat16", 14, 2, TFP_ELEMENT_REAL},
	{"qint16", 15, 2, TFP_ELEMENT_SIGNED},
	{"quint16", 16, 2, TFP_ELEMENT_UNSIGNED},
	{"uint16", 17, 2, TFP_ELEMENT_UNSIGNED},
	{"complex128", 18, 16, TFP_ELEMENT_COMPLEX},
	{"half", 19, 2, TFP_ELEMENT_REAL},
	{"resource", 20, 0, TFP_ELEMENT_OTHER},
	{"variant", 21, 0, TFP_ELEMENT_OTHER},
	{"uint32", 22, 4, TFP_ELEMENT_UNSIGNED},
	{"uint64", 23, 8, TFP_ELEMENT_UNSIGNED},
	{"float8_e5m2", 24, 1, TFP_ELEMENT_REAL},
	{"float8_e4m3fn", 25, 1, TFP_ELEMENT_REAL},
	{"float8_e4m3fnuz", 26, 1, TFP_ELEMENT_REAL},
	{"float8_e4m3b11fnuz", 27, 1, TFP_ELEMENT_REAL},
	{"float8_e5m2fnuz", 28, 1, TFP_ELEMENT_REAL},
	{"int4", 29, 1, TFP_ELEMENT_SIGNED},
	{"uint4", 30, 1, TFP_ELEMENT_UNSIGNED},
	{"int2", 31, 1, TFP_ELEMENT_SIGNED},
	{"uint2", 32, 1, TFP_ELEMENT_UNSIGNED},
};

#define DTYPES (sizeof(dtypes) / sizeof(*dtypes))

enum { FLOAT = 1, DOUBLE = 2, BFLOAT16 = 14, INT4 = 29, UINT4 = 30, INT2 = 31, UINT2 = 32 };

const struct tfp_dtype *tfp_dtype_of(uint32_t id)
{
	return &dtypes[id < DTYPES ? id : 0];
}

/* ---- small floating point numbers ------------------------------------------------------------- */

/* How the bits of a small float are spent. */
struct format {
	uint8_t id, exponent, mantissa;
	int bias;
	enum { IEEE, TOP_IS_NAN, ZERO_IS_NAN } rare; /* what stands for infinities and NaN */
};

static const struct format formats[] = {
	{19, 5, 10, 15, IEEE},      {24, 5, 2, 15, IEEE},        {25, 4, 3, 7, TOP_IS_NAN},
	{26, 4, 3, 8, ZERO_IS_NAN}, {27, 4, 3, 11, ZERO_IS_NAN}, {28, 5, 2, 16, ZERO_IS_NAN},
};

static double small_float(const struct format *format, uint32_t bits)
{
	uint32_t ones = (1U << format->exponent) - 1;
	uint32_t fraction = bits & ((1U << format->mantissa) - 1);
	uint32_t exponent = bits >> format->mantissa & ones;
	uint32_t sign = bits >> (format->mantissa + format->exponent) & 1;
	uint32_t whole = exponent ? 1U << format->mantissa : 0; /* the bit that is not written */
	int shift = (int)(exponent ? exponent : 1) - format->bias - format->mantissa;
	double size = ldexp((double)(whole + fraction), shift);

	if (format->rare == IEEE && exponent == ones)
		size = fraction ? (double)NAN : (double)INFINITY;
	if (format->rare == TOP_IS_NAN && exponent == ones &&
	    fraction == (1U << format->mantissa) - 1)
		size = (double)NAN;
	if (format->rare == ZERO_IS_NAN && sign && !exponent && !fraction)
		return (double)NAN;
	return sign ? -size : size;
}

/* ---- elements --------------------------------------------------------------------------------- */

static uint64_t natural_of(const uint8_t *at, size_t size)
{
	uint8_t byte;
	uint16_t two;
	uint32_t four;
	uint64_t eight = 0;

	switch (size) {
	case sizeof(byte):
		memcpy(&byte, at, sizeof(byte));
		return byte;
	case sizeof(two):
		memcpy(&two, at, sizeof(two));
		return two;
	case sizeof(four):
		memcpy(&four, at, sizeof(four));
		return four;
	default:
		memcpy(&eight, at, sizeof(eight));
		return eight;
	}
}

/* The low BITS bits of NATURAL as a number with a sign. */
static int64_t with_sign(uint64_t natural, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);
	uint64_t low = bits == 64 ? natural : natural & ((sign << 1) - 1);

	return (int64_t)((low ^ sign) - sign);
}

static double real_of(uint8_t id, size_t size, const uint8_t *at)
{
	uint64_t bits = natural_of(at, size);
	uint32_t low = (uint32_t)bits;
	float narrow;
	double wide;

	if (id == DOUBLE) {
		memcpy(&wide, &bits, sizeof(wide));
		return wide;
	}
	if (id == BFLOAT16)
		low <<= 16;
	if (id == BFLOAT16 || id == FLOAT) {
		memcpy(&narrow, &low, sizeof(narrow));
		return (double)narrow;
	}
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (formats[i].id == id)
			return small_float(&formats[i], low);
	return 0;
}

/* The bits of an element that count: a small integer has a byte of its own. */
static unsigned bits_of(const struct tfp_dtype *dtype)
{
	if (dtype->id == INT4 || dtype->id == UINT4)
		return 4;
	return dtype->id == INT2 || dtype->id == UINT2 ? 2 : 8U * dtype->size;
}

struct tfp_scalar tfp_scalar_of(const struct tfp_dtype *dtype, const uint8_t *at)
{
	struct tfp_scalar scalar = {.element = dtype->element};
	uint8_t part = dtype->size == 16 ? DOUBLE : FLOAT;
	unsigned bits = bits_of(dtype);

	switch (dtype->element) {
	case TFP_ELEMENT_SIGNED:
		scalar.whole = with_sign(natural_of(at, dtype->size), bits);
		break;
	case TFP_ELEMENT_UNSIGNED:
		scalar.natural = natural_of(at, dtype->size) & (UINT64_MAX >> (64 - bits));
		break;
	case TFP_ELEMENT_REAL:
		scalar.real = real_of(dtype->id, dtype->size, at);
		break;
	case TFP_ELEMENT_COMPLEX:
		scalar.real = real_of(part, dtype->size / 2U, at);
		scalar.imaginary = real_of(part, dtype->size / 2U, at + dtype->size / 2U);
		break;
	default:
		break;
	}
	return scalar;
}

static void floats_real(const uint8_t *at, size_t count, double *out)
{
	float narrow;

	for (size_t i = 0; i < count; i++) {
		memcpy(&narrow, at + i * sizeof(narrow), sizeof(narrow));
		out[i] = (double)narrow;
	}
}

void tfp_scalars_real(const struct tfp_dtype *dtype, const uint8_t *at, size_t count, double *out)
{
	if (dtype->id == FLOAT) {
		floats_real(at, count, out);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		struct tfp_scalar scalar = tfp_scalar_of(dtype, at + i * dtype->size);

		if (scalar.element == TFP_ELEMENT_SIGNED)
			out[i] = (double)scalar.whole;
		else if (scalar.element == TFP_ELEMENT_UNSIGNED)
			out[i] = (double)scalar.natural;
		else
			out[i] = scalar.real;
	}
}

/* ---- texts ------------------------------------------------------------------------------------ */

/* The shortest digits from which a float, or where WIDE a double, is read back. */
static int real_text(char *text, size_t room, double value, bool wide)
{
	int size = 0;

	for (int digits = 1; digits <= (wide ? 17 : 9); digits++) {
		size = snprintf(text, room, "%.*g", digits, value);
		if (isnan(value) ||
		    (wide ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value))
			break;
	}
	return size;
}

char *tfp_scalar_text(char text[TFP_SCALAR_ROOM], const struct tfp_dtype *dtype,
		      struct tfp_scalar scalar)
{
	bool wide = dtype->id == DOUBLE || dtype->size == 16;
	int used;

	*text = '\0';
	switch (scalar.element) {
	case TFP_ELEMENT_SIGNED:
		snprintf(text, TFP_SCALAR_ROOM, "%" PRId64, scalar.whole);
		break;
	case TFP_ELEMENT_UNSIGNED:
		snprintf(text, TFP_SCALAR_ROOM, "%" PRIu64, scalar.natural);
		break;
	case TFP_ELEMENT_REAL:
		real_text(text, TFP_SCALAR_ROOM, scalar.real, wide);
		break;
	case TFP_ELEMENT_COMPLEX:
		used = real_text(text, TFP_SCALAR_ROOM, scalar.real, wide);
		if (!signbit(scalar.imaginary))
			text[used++] = '+';
		used += real_text(text + used, TFP_SCALAR_ROOM - (size_t)used, scalar.imaginary,
				  wide);
		snprintf(text + used, TFP_SCALAR_ROOM - (size_t)used, "i");
		break;
	default:
		break;
	}
	return text;
}
