/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protobuf cursor: every field type, and every way in which bytes can be wrong.
 */
#include "tfprof/codec.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A cursor over the bytes of a literal. */
#define WIRE(literal) tfp_wire_of((const uint8_t *)(literal), sizeof(literal) - 1)

static void takes_every_type(void **state)
{
	struct tfp_wire wire = WIRE("\x08\x05"
				    "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
				    "\x1a\x03"
				    "abc"
				    "\x21\x01\x02\x03\x04\x05\x06\x07\x88"
				    "\x2d\x01\x02\x03\x84"
				    "\xf8\xff\xff\xff\x0f\x80\x01");
	struct tfp_field field;

	(void)state;
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.number, 1);
	assert_int_equal(field.value, 5);
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.number, 2);
	assert_true(field.value == UINT64_MAX);
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.type, TFP_WIRE_BYTES);
	assert_true(tfp_span_equal(tfp_field_span(&field), TFP_SPAN("abc")));
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.type, TFP_WIRE_FIXED64);
	assert_true(field.value == 0x8807060504030201);
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.type, TFP_WIRE_FIXED32);
	assert_true(field.value == 0x84030201);
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.number, 0x1fffffff);
	assert_int_equal(field.value, 128);
	assert_false(tfp_wire_next(&wire, &field));
	assert_false(wire.bad);
}

static void skips_groups_whole(void **state)
{
	/* field 1 { varint, bytes like end tags, field 2 { fixed32, fixed64 } }, then 3: 7 */
	struct tfp_wire wire =
		WIRE("\x0b\x08\x01\x1a\x02\x0c\x0c"
		     "\x13\x25\x0c\x0c\x0c\x0c\x21\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x14"
		     "\x0c\x18\x07");
	struct tfp_field field;

	(void)state;
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.type, TFP_WIRE_GROUP);
	assert_int_equal(field.number, 1);
	assert_int_equal(field.size, 22);
	assert_true(tfp_wire_next(&wire, &field));
	assert_int_equal(field.number, 3);
	assert_int_equal(field.value, 7);
}

static void bounds_group_nesting(void **state)
{
	uint8_t bytes[202];
	struct tfp_wire wire;
	struct tfp_field field;

	(void)state;
	memset(bytes, 0x0b, 101);
	memset(bytes + 101, 0x0c, 101);
	wire = tfp_wire_of(bytes + 1, 200);
	assert_true(tfp_wire_next(&wire, &field));
	assert_ptr_equal(wire.at, wire.end);
	wire = tfp_wire_of(bytes, 202);
	assert_false(tfp_wire_next(&wire, &field));
	assert_true(wire.bad);
}

static void stops_at_damage(void **state)
{
	static const struct {
		const char *what;
		const char *bytes;
		size_t size;
	} cases[] = {
		{"cut tag", "\x80", 1},
		{"overlong tag", "\x88\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00\x01", 13},
		{"field number 0", "\x00\x01", 2},
		{"field number 0, bytes", "\x02\x00", 2},
		{"field number 2^29", "\x80\x80\x80\x80\x10\x01", 6},
		{"no value", "\x08", 1},
		{"cut value", "\x08\xff\xff", 3},
		{"overlong value", "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12},
		{"cut fixed32", "\x0d\x01\x02\x03", 4},
		{"cut fixed64", "\x09\x01\x02\x03\x04\x05\x06\x07", 8},
		{"no length", "\x0a", 1},
		{"cut bytes", "\x0a\x02x", 3},
		{"length 2^64 - 1", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x", 12},
		{"wire type 6", "\x0e\x01", 2},
		{"wire type 7", "\x0f\x01", 2},
		{"end of no group", "\x0c", 1},
		{"cut group", "\x0b\x08\x01", 3},
		{"cut bytes in a group", "\x0b\x0a\x05\x0c", 4},
		{"wire type 7 in a group", "\x0b\x0f\x0c", 3},
		{"crossed groups", "\x0b\x13\x0c\x14", 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		/* A copy of the exact size, so that the sanitizer sees a byte read too far. */
		uint8_t *bytes = malloc(cases[i].size);
		struct tfp_wire wire = tfp_wire_of(bytes, cases[i].size);
		struct tfp_field field;

		memcpy(bytes, cases[i].bytes, cases[i].size);
		if (tfp_wire_next(&wire, &field) || !wire.bad || wire.at != bytes)
			fail_msg("%s is not taken for damage", cases[i].what);
		free(bytes);
	}
}

static void gives_a_cut_field_once(void **state)
{
	struct tfp_wire wire = WIRE("\x08\x01\x12\x05xyz");
	struct tfp_wire varint = WIRE("\x08\xff");
	struct tfp_field field;

	(void)state;
	assert_true(tfp_wire_next(&wire, &field));
	assert_false(tfp_wire_next(&wire, &field));
	assert_true(tfp_wire_next_cut(&wire, &field));
	assert_int_equal(field.number, 2);
	assert_true(tfp_span_equal(tfp_field_span(&field), TFP_SPAN("xyz")));
	assert_false(tfp_wire_next_cut(&wire, &field));
	assert_false(tfp_wire_next(&wire, &field));
	assert_true(wire.bad);
	assert_false(tfp_wire_next(&varint, &field));
	assert_false(tfp_wire_next_cut(&varint, &field));
}

static void gathers_integers(void **state)
{
	struct tfp_wire wire = WIRE("\x08\x03\x0a\x03\x01\x80\x01\x0d\x09\x00\x00\x00\x0a\x00");
	struct tfp_wire damaged = WIRE("\x0a\x02\x07\x80");
	struct tfp_integers found = {0};
	struct tfp_field field;

	(void)state;
	while (tfp_wire_next(&wire, &field))
		assert_true(tfp_wire_integers(&field, &found));
	assert_false(wire.bad);
	assert_int_equal(found.count, 4);
	assert_int_equal(found.at[0], 3);
	assert_int_equal(found.at[1], 1);
	assert_int_equal(found.at[2], 128);
	assert_int_equal(found.at[3], 9);
	assert_true(tfp_wire_next(&damaged, &field));
	assert_false(tfp_wire_integers(&field, &found));
	assert_int_equal(found.count, 5);
	assert_int_equal(found.at[4], 7);
	tfp_array_free(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_every_type),       cmocka_unit_test(skips_groups_whole),
		cmocka_unit_test(bounds_group_nesting),   cmocka_unit_test(stops_at_damage),
		cmocka_unit_test(gives_a_cut_field_once), cmocka_unit_test(gathers_integers),
	};

	return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
