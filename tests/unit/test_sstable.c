/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorted tables: checksums, Snappy, blocks and entries, and what is left of damaged ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "codec/crc32c.h"
#include "codec/snappy.h"

static void test_checksum(void **state)
{
	static const uint8_t digits[] = "123456789";
	uint8_t bytes[100];

	(void)state;
	assert_int_equal(tfp_crc32c(0, digits, 9), 0xe3069283);
	assert_int_equal(tfp_crc32c(tfp_crc32c(0, digits, 4), digits + 4, 5), 0xe3069283);
	assert_int_equal(tfp_crc32c_unmask(0xa282ead8), 0);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	for (size_t from = 0; from < 8; from++)
		for (size_t size = 0; size + from <= sizeof(bytes); size++)
			assert_int_equal(tfp_crc32c(7, bytes + from, size),
					 tfp_crc32c_table(7, bytes + from, size));
}

static void expect_snappy(const char *in, size_t size, const char *text)
{
	size_t out_size = 0;
	uint8_t *out = tfp_snappy_decode((const uint8_t *)in, size, &out_size);

	if (text) {
		assert_non_null(out);
		assert_int_equal(out_size, strlen(text));
		assert_memory_equal(out, text, out_size);
	} else {
		assert_null(out);
	}
	tfp_array_release(out);
}

#define SNAPPY(bytes, text) expect_snappy(bytes, sizeof(bytes) - 1, text)

static void test_snappy(void **state)
{
	(void)state;
	SNAPPY("\0", "");
	SNAPPY("\3\x08xyz", "xyz");
	/* a literal, a copy of what it makes itself, a literal, a copy */
	SNAPPY("\x11\0a\x19\1\x04"
	       "bc\x01\7",
	       "aaaaaaaaaaabcaaaa");
	SNAPPY("\7\x08xyz\x0e\3\0", "xyzxyzx");
	SNAPPY("\7\xf0\2xyz\x0f\3\0\0\0", "xyzxyzx");
}

static void test_snappy_damage(void **state)
{
	(void)state;
	SNAPPY("", NULL);
	SNAPPY("\4\x08xyz", NULL);               /* shorter than it says */
	SNAPPY("\2\x08xyz", NULL);               /* longer */
	SNAPPY("\3\x08xy", NULL);                /* a literal that is cut */
	SNAPPY("\5\0a\1\2", NULL);               /* a copy from before the beginning */
	SNAPPY("\5\0a\1\0", NULL);               /* a copy from nowhere */
	SNAPPY("\xff\xff\xff\xff\x0f\0a", NULL); /* four gigabytes out of two bytes */
	SNAPPY("\3\xf0", NULL);                  /* the length of a literal is cut */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checksum),
		cmocka_unit_test(test_snappy),
		cmocka_unit_test(test_snappy_damage),
	};

	return cmocka_run_group_tests_name("sstable", tests, NULL, NULL);
}
