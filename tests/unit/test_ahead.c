/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that the thread which unpacks a trace takes apart ahead of its reader are what the reader itself would make of
 * them, wherever the thread begins, whatever looks like a record and is none.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "load/chrome/ahead.h"

enum { RECORDS = 80000, PAUSE = 500 };

struct fixture {
	char path[40];
	gzFile text;
	uint32_t random;
	struct record_reader reader;
	struct record record, other;
	size_t met, taken; /* records; of them those that were taken apart ahead */
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	strcpy(fixture->path, "/tmp/test_ahead.XXXXXX");
	fixture->text = gzdopen(mkstemp(fixture->path), "wb1");
	assert_non_null(fixture->text);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	free(fixture);
	return 0;
}

static unsigned some(struct fixture *fixture)
{
	fixture->random = fixture->random * 1103515245 + 12345;
	return fixture->random >> 8;
}

/* Values of members and of arguments: some look as if a record began or ended in them. */
static void put_values(struct fixture *fixture)
{
	static const char *const values[] = {
		"\"pid\": -17",
		"\"tid\": \"12\"",
		"\"tid\": NaN",
		"\"cat\": \"a \\\"quoted\\\" one\"",
		"\"dur\": 12.5e3",
		"\"name\": \"}, {\\\"ph\\\": 1}\"",
		"\"args\": {\"External id\": 99, \"x\": [{\"ph\": \"X\"}, {\"name\": 1}]}",
		"\"args\": {\"Ev Idx\": 5, \"Input Dims\": [[2, 3], []], \"stream\": 7}",
		"\"args\": {\"Python id\": 9, \"y\": \"},\\n  {\\\"ph\\\": \\\"X\\\"\", \"Addr\": -1}",
		"\"other\": {\"cat\": [], \"ts\": {\"ph\": {}}}",
		"\"other\": [\n  {\"ph\": \"X\", \"ts\": 1},\n  {\"ph\": \"X\", \"ts\": 2}]",
	};
	unsigned count = some(fixture) % 5;

	for (unsigned i = 0; i < count; i++)
		gzprintf(fixture->text, ",%*s%s", (int)(some(fixture) % 4), "",
			 values[some(fixture) % (sizeof(values) / sizeof(*values))]);
}

static void put_records(struct fixture *fixture)
{
	static const char *const between[] = {",\n  ", ",", " , ", ",\n\n"};

	gzprintf(fixture->text, "[");
	for (unsigned i = 0; i < RECORDS; i++) {
		gzprintf(fixture->text, "%s{\"ph\": \"X\", \"ts\": %u.%03u, \"noise\": \"%x%x%x\"",
			 i ? between[some(fixture) % 4] : "", some(fixture), some(fixture) % 1000,
			 some(fixture), some(fixture), some(fixture));
		put_values(fixture);
		gzprintf(fixture->text, "}");
	}
	gzprintf(fixture->text, "]");
	assert_int_equal(gzclose(fixture->text), Z_OK);
}

static void compare(const struct record *a, const struct record *b)
{
	assert_true(a->has == b->has && a->texts == b->texts);
	assert_true(a->escaped == b->escaped && a->numbers == b->numbers);
	for (enum field field = 0; FIELDS_OF_USE >> field; field++) {
		if (record_has(a, field)) {
			assert_ptr_equal(a->text[field].at, b->text[field].at);
			assert_int_equal(a->text[field].size, b->text[field].size);
		}
		assert_true(!(a->numbers >> field & 1) || a->number[field] == b->number[field]);
	}
}

/* Reads the record AT both ways; what is behind it. Now and then it is slow, so that there is something ahead. */
static const char *read_record(struct fixture *fixture, struct chrome_ahead *ahead, const char *at)
{
	const char *after = record_read(&fixture->reader, at, &fixture->record), *same;

	if (fixture->met % PAUSE == 0)
		usleep(1000);
	same = after ? chrome_ahead_take(ahead, at, &fixture->other) : NULL;
	fixture->met += after != NULL;
	if (!same)
		return after;
	fixture->taken++;
	assert_ptr_equal(after, same);
	compare(&fixture->record, &fixture->other);
	return after;
}

/* The record from AT on, all of which is there; NULL: the list ends. */
static const char *find_record(const char *at)
{
	while (*at == ',' || *at == ' ' || *at == '\n')
		at++;
	return *at == '{' ? at : NULL;
}

static void test_they_are_the_same(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source;
	struct chrome_ahead *ahead;
	const char *text, *at;

	put_records(fixture);
	source = tfp_source_begin(fixture->path, NULL, NULL);
	assert_non_null(source->unpacking);
	text = (const char *)source->data;
	ahead = chrome_ahead_start(source, text + 1);
	record_reader_start(&fixture->reader, text + source->size);
	for (at = text + 1; at;) {
		const char *after = read_record(fixture, ahead, at);

		if (!after) {
			assert_true(fixture->reader.cut);
			tfp_source_release(source, (size_t)(at - text));
			tfp_source_more(source, source->size + 1, NULL, NULL);
			fixture->reader.end = text + source->size;
		} else if (after + 8 > fixture->reader.end && source->unpacking) {
			tfp_source_more(source, source->size + 8, NULL, NULL);
			fixture->reader.end = text + source->size;
		}
		at = after ? find_record(after) : at;
	}
	assert_int_equal(fixture->met, RECORDS);
	assert_true(fixture->taken > 0);
	chrome_ahead_free(ahead);
	tfp_source_free(source);
}

/* Who gives up reading does not wait for the rest, and what was ahead is not written any more. */
static void test_it_can_be_given_up(void **state)
{
	struct fixture *fixture = *state;

	put_records(fixture);
	for (int i = 0; i < 20; i++) {
		struct tfp_source *source = tfp_source_begin(fixture->path, NULL, NULL);

		const char *text = (const char *)source->data;
		struct chrome_ahead *ahead = chrome_ahead_start(source, text + 1);

		tfp_source_release(source, (size_t)i * 1000);
		usleep((useconds_t)i * 200);
		chrome_ahead_free(ahead);
		tfp_source_free(source);
	}
}

/* Of a text that is all there nothing is ahead. */
static void test_what_is_there_needs_none(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source;

	gzprintf(fixture->text, "[{\"ph\": \"X\"}]");
	assert_int_equal(gzclose(fixture->text), Z_OK);
	source = tfp_source_begin(fixture->path, NULL, NULL);
	assert_null(chrome_ahead_start(source, (const char *)source->data));
	tfp_source_free(source);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_they_are_the_same),
		TEST(test_it_can_be_given_up),
		TEST(test_what_is_there_needs_none),
	};

	return cmocka_run_group_tests_name("ahead", tests, NULL, NULL);
}
