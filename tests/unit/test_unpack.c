/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A large text in gzip data, read while it is unpacked: what is read already is given back, so that it needs little
 * memory, and what is there is right.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "tfprof/codec.h"

enum { LINE = 16, LINES = 4 << 20, MEGABYTE = 1 << 20, MOST_MEGABYTES = 48 };

struct fixture {
	char path[40];
	struct tfp_diag *diag;
	struct tfp_source *source;
};

/* Each line says which one it is. */
static void put_lines(gzFile file)
{
	for (unsigned i = 0; i < LINES; i++)
		assert_int_equal(gzprintf(file, "%c%014u\n", i ? ' ' : '[', i), LINE);
}

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	gzFile file;
	int fd;

	strcpy(fixture->path, "/tmp/test_unpack.XXXXXX");
	fd = mkstemp(fixture->path);
	assert_true(fd >= 0);
	file = gzdopen(fd, "wb1");
	put_lines(file);
	assert_int_equal(gzclose(file), Z_OK);
	fixture->diag = tfp_diag_new();
	fixture->source = tfp_source_begin(fixture->path, NULL, fixture->diag);
	assert_non_null(fixture->source);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	tfp_source_free(fixture->source);
	tfp_diag_free(fixture->diag);
	unlink(fixture->path);
	free(fixture);
	return 0;
}

static size_t megabytes_used(void)
{
	unsigned long kilobytes = 0;
	char line[128];
	FILE *file = fopen("/proc/self/status", "re");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "RssAnon: %lu", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes / 1024;
}

/* Compares the whole lines from FROM on, as far as there are any; returns the end of the last. */
static size_t compare_lines(const struct tfp_source *source, size_t from)
{
	char expected[LINE + 8];

	for (; from + LINE <= source->size; from += LINE) {
		snprintf(expected, sizeof(expected), "%c%014u\n", from ? ' ' : '[',
			 (unsigned)(from / LINE));
		assert_memory_equal(source->data + from, expected, LINE);
	}
	return from;
}

static void test_what_is_read_needs_no_memory(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source = fixture->source;
	size_t before = megabytes_used(), most = 0, used, at = 0;

	assert_non_null(source->unpacking);
	do {
		at = compare_lines(source, at);
		tfp_source_release(source, at);
		used = megabytes_used();
		most = used > most ? used : most;
	} while (tfp_source_more(source, source->size + MEGABYTE, NULL, fixture->diag));
	assert_int_equal(compare_lines(source, at), (size_t)LINES * LINE);
	assert_int_equal(source->size, (size_t)LINES * LINE);
	assert_true(most < before + MOST_MEGABYTES);
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	/* the beginning stays */
	assert_int_equal(source->data[0], '[');
	assert_memory_equal(source->data + TFP_SOURCE_KEPT - LINE, " 00000000131071\n", LINE);
}

/* What waits for more than is kept ahead gets it. */
static void test_a_long_wait_ends(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source = fixture->source;
	size_t at = compare_lines(source, 0);

	tfp_source_release(source, at);
	assert_true(tfp_source_more(source, (size_t)40 * MEGABYTE, NULL, fixture->diag));
	assert_true(source->size >= (size_t)40 * MEGABYTE);
	at = compare_lines(source, at);
	tfp_source_release(source, at);
	assert_true(tfp_source_rest(source, NULL, fixture->diag));
	assert_int_equal(compare_lines(source, at), (size_t)LINES * LINE);
}

/* It is given up while it waits for its reader. */
static void test_it_can_be_given_up(void **state)
{
	struct fixture *fixture = *state;

	tfp_source_release(fixture->source, LINE);
	usleep(20000);
	assert_non_null(fixture->source->unpacking);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_what_is_read_needs_no_memory),
		TEST(test_a_long_wait_ends),
		TEST(test_it_can_be_given_up),
	};

	return cmocka_run_group_tests_name("unpack", tests, NULL, NULL);
}
