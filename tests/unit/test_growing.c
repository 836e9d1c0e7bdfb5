/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces in gzip data, read while they are unpacked: a file is the same as when it is plain, whatever stands where
 * one piece ends and the next begins.
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "tfprof/codec.h"
#include "tfprof/load.h"
#include "tfprof/trace.h"

enum { RECORDS = 60000 };

struct fixture {
	char directory[40], plain[64], packed[64];
	FILE *text;
	uint32_t random;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	strcpy(fixture->directory, "/tmp/test_growing.XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	snprintf(fixture->plain, sizeof(fixture->plain), "%s/plain", fixture->directory);
	snprintf(fixture->packed, sizeof(fixture->packed), "%s/packed", fixture->directory);
	fixture->text = fopen(fixture->plain, "wb");
	assert_non_null(fixture->text);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->plain);
	unlink(fixture->packed);
	rmdir(fixture->directory);
	free(fixture);
	return 0;
}

static unsigned some(struct fixture *fixture)
{
	fixture->random = fixture->random * 1103515245 + 12345;
	return fixture->random >> 8;
}

static void put_record(struct fixture *fixture, unsigned index)
{
	fprintf(fixture->text,
		"%*s{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op_%u\", \"pid\": 1, \"tid\": %u,\n"
		"\"ts\": %u.%03u, \"dur\": %u, \"args\": {\"External id\": %u, \"noise\": \"%x%x\"}}",
		(int)(some(fixture) % 9), "", some(fixture) % 100, some(fixture) % 3, index * 10,
		some(fixture) % 1000, some(fixture) % 8, index, some(fixture), some(fixture));
}

/* A text of INDEX's record that is longer than what is waited for. */
static void put_long(struct fixture *fixture)
{
	fprintf(fixture->text,
		"{\"ph\": \"X\", \"name\": \"long\", \"ts\": 1, \"dur\": 1, \"args\": {\"x\": \"");
	for (unsigned i = 0; i < 3000000; i++)
		fputc('a' + (int)(some(fixture) % 26), fixture->text);
	fprintf(fixture->text, "\"}}");
}

static void put_records(struct fixture *fixture, const char *broken)
{
	for (unsigned i = 0; i < RECORDS; i++) {
		put_record(fixture, i);
		if (i == RECORDS / 2)
			fprintf(fixture->text, ",\n"), put_long(fixture);
		if (i == RECORDS / 3 && broken)
			fprintf(fixture->text, ", %s", broken);
		fprintf(fixture->text, i + 1 < RECORDS ? ",\n" : "\n");
	}
}

/* Packs the plain file, but for the LACK bytes at its end. */
static void pack(struct fixture *fixture, size_t lack)
{
	struct tfp_source *source;
	gzFile packed = gzopen(fixture->packed, "wb1");

	assert_int_equal(fclose(fixture->text), 0);
	if (lack) {
		source = tfp_source_open(fixture->plain, NULL, NULL);
		assert_int_equal(truncate(fixture->plain, (off_t)(source->size - lack)), 0);
		tfp_source_free(source);
	}
	source = tfp_source_open(fixture->plain, NULL, NULL);
	assert_int_equal(gzwrite(packed, source->data, (unsigned)source->size), source->size);
	assert_int_equal(gzclose(packed), Z_OK);
	tfp_source_free(source);
}

static struct tfp_profile *load(char *path, struct tfp_diag *diag)
{
	struct tfp_profile *profile =
		tfp_load(&(struct tfp_named_file){.path = path}, 1, NULL, diag);

	assert_non_null(profile);
	return profile;
}

static void compare_traces(const struct tfp_profile *a, const struct tfp_profile *b)
{
	assert_int_equal(a->trace->count, b->trace->count);
	assert_true(a->trace->count > RECORDS / 2);
	assert_int_equal(a->nodes.count, b->nodes.count);
	for (uint32_t i = 0; i < a->trace->count; i++) {
		assert_int_equal(tfp_trace_start(a->trace, i), tfp_trace_start(b->trace, i));
		assert_int_equal(tfp_trace_duration(a->trace, i), tfp_trace_duration(b->trace, i));
		assert_int_equal(tfp_trace_node(a->trace, i), tfp_trace_node(b->trace, i));
		assert_int_equal(tfp_trace_lane(a->trace, i), tfp_trace_lane(b->trace, i));
	}
}

/* What is told of the two files is the same, too; the number of it, which is returned. */
static size_t compare(struct fixture *fixture, size_t lack)
{
	struct tfp_diag *plain = tfp_diag_new(), *packed = tfp_diag_new();
	struct tfp_profile *a, *b;
	size_t told;

	pack(fixture, lack);
	a = load(fixture->plain, plain);
	b = load(fixture->packed, packed);
	compare_traces(a, b);
	told = tfp_diag_count(plain);
	assert_int_equal(tfp_diag_count(packed), told);
	for (size_t i = 0; i < told; i++) {
		assert_string_equal(tfp_diag_get(plain, i).text, tfp_diag_get(packed, i).text);
		assert_int_equal(tfp_diag_get(plain, i).count, tfp_diag_get(packed, i).count);
	}
	tfp_profile_free(a);
	tfp_profile_free(b);
	tfp_diag_free(plain);
	tfp_diag_free(packed);
	return told;
}

static void a_list_is_the_same(void **state)
{
	struct fixture *fixture = *state;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	fprintf(fixture->text, "]");
	assert_int_equal(compare(fixture, 0), 0);
}

static void members_around_it_are_read(void **state)
{
	struct fixture *fixture = *state;

	fprintf(fixture->text, "{\"schemaVersion\": 1, \"traceEvents\": [");
	put_records(fixture, NULL);
	fprintf(fixture->text, "], \"distributedInfo\": {\"rank\": 3, \"world_size\": 4}}");
	assert_int_equal(compare(fixture, 0), 0);
}

static void a_list_that_comes_late_is_found(void **state)
{
	struct fixture *fixture = *state;

	fprintf(fixture->text, "{\"schemaVersion\": 1, \"what\": [\"");
	for (unsigned i = 0; i < 2000000; i++)
		fputc('a' + (int)(some(fixture) % 26), fixture->text);
	fprintf(fixture->text, "\"], \"traceEvents\": [");
	put_records(fixture, NULL);
	fprintf(fixture->text, "]}");
	assert_int_equal(compare(fixture, 0), 1); /* what was passed over */
}

static void damage_is_the_same(void **state)
{
	struct fixture *fixture = *state;

	fprintf(fixture->text, "[");
	put_records(fixture, "{\"ph\": \"X\" \"name\": }, 17, \"text\", [[1]]");
	fprintf(fixture->text, "]  x");
	assert_true(compare(fixture, 0) > 1);
}

static void what_is_cut_is_the_same(void **state)
{
	struct fixture *fixture = *state;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	assert_true(compare(fixture, 200) > 0);
}

static void packed_data_may_be_cut(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;
	struct tfp_source *source;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	fprintf(fixture->text, "]");
	pack(fixture, 0);
	source = tfp_source_begin(fixture->packed, NULL, diag);
	assert_int_equal(truncate(fixture->packed, (off_t)(source->disk_size / 2)), 0);
	tfp_source_free(source);
	profile = load(fixture->packed, diag);
	assert_true(profile->trace->count > RECORDS / 4 && profile->trace->count < RECORDS);
	assert_non_null(strstr(tfp_diag_get(diag, 0).text, "the gzip data are cut"));
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void it_can_be_given_up(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_job job = {.cancel = false};
	struct tfp_source *source;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	pack(fixture, 0);
	for (int i = 0; i < 20; i++) {
		source = tfp_source_begin(fixture->packed, &job, NULL);
		assert_non_null(source);
		assert_true(source->size >= (1 << 20));
		assert_true(tfp_source_expected(source) >= source->size);
		if (i == 10)
			assert_true(tfp_source_more(source, source->size + 1, &job, NULL) ||
				    !source->unpacking);
		tfp_source_free(source);
	}
	job.cancel = true;
	source = tfp_source_begin(fixture->packed, &job, NULL);
	assert_false(tfp_source_rest(source, &job, NULL));
	tfp_source_free(source);
}

static void a_part_of_it_does_not_end_it(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source, *part, *plain;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	pack(fixture, 0);
	plain = tfp_source_open(fixture->plain, NULL, NULL);
	source = tfp_source_begin(fixture->packed, NULL, NULL);
	assert_true(source->size < plain->size);
	part = tfp_source_part(source, 1000);
	assert_int_equal(part->size, 1000);
	assert_memory_equal(part->data, plain->data, 1000);
	tfp_source_free(part);
	part = tfp_source_part(source, 100);
	assert_true(tfp_source_rest(source, NULL, NULL));
	assert_int_equal(source->size, plain->size);
	tfp_source_free(source);
	assert_memory_equal(part->data, plain->data, 100);
	tfp_source_free(part);
	tfp_source_free(plain);
}

/* Packs the plain file as so many members, the third of which is damaged. */
static void pack_members(struct fixture *fixture, unsigned members)
{
	struct tfp_source *source;
	off_t third = 0;
	size_t part;
	FILE *file;

	assert_int_equal(fclose(fixture->text), 0);
	source = tfp_source_open(fixture->plain, NULL, NULL);
	part = source->size / members + 1;
	for (unsigned i = 0; i < members; i++) {
		size_t from = i * part, size = source->size - from;
		gzFile packed = gzopen(fixture->packed, "ab1");
		struct stat status;

		size = size < part ? size : part;
		assert_int_equal(gzwrite(packed, source->data + from, (unsigned)size), size);
		assert_int_equal(gzclose(packed), Z_OK);
		assert_int_equal(stat(fixture->packed, &status), 0);
		third = i == 1 ? status.st_size : third;
	}
	tfp_source_free(source);
	file = fopen(fixture->packed, "r+b");
	assert_int_equal(fseeko(file, third + 10, SEEK_SET), 0);
	assert_int_equal(fwrite("\xff\xff\xff\xff", 1, 4, file), 4);
	assert_int_equal(fclose(file), 0);
}

static void members_behind_damage_are_read(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile;

	fprintf(fixture->text, "[");
	for (unsigned i = 0; i < RECORDS; i++) {
		put_record(fixture, i);
		fprintf(fixture->text, i + 1 < RECORDS ? ",\n" : "]\n");
	}
	pack_members(fixture, 8);
	profile = load(fixture->packed, diag);
	assert_true(profile->trace->count > RECORDS / 8 * 6);
	assert_true(profile->trace->count < RECORDS);
	assert_int_equal(tfp_diag_get(diag, 0).count, 1);
	assert_non_null(strstr(tfp_diag_get(diag, 0).text, "what can't be unpacked is left out"));
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

/* However much is unpacked when it is looked at, and whatever stands before the records. */
static void it_is_known_by_all_that_it_takes(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_discovery discovery;
	struct tfp_diag *diag = tfp_diag_new();

	fprintf(fixture->text, "{\"displayTimeUnit\": \"ms\", \"what\": [\"");
	for (unsigned i = 0; i < 9000000; i++)
		fputc('a' + (int)(some(fixture) % 26), fixture->text);
	fprintf(fixture->text, "\"], \"traceEvents\": [");
	put_records(fixture, NULL);
	fprintf(fixture->text, "]}");
	assert_int_equal(compare(fixture, 0), 1); /* what was passed over */
	assert_true(tfp_discover(&discovery, fixture->directory, NULL, diag));
	assert_int_equal(discovery.found.count, 2);
	for (size_t i = 0; i < 2; i++)
		assert_memory_equal(discovery.found.at[i].label, "PyTorch trace", 13);
	tfp_discovery_free(&discovery);
	tfp_diag_free(diag);
}

static void a_packed_copy_is_read_once(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_profile *profile, *one;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	fprintf(fixture->text, "]");
	pack(fixture, 0);
	one = load(fixture->plain, diag);
	for (int i = 0; i < 2; i++) {
		struct tfp_named_file files[] = {{.path = i ? fixture->packed : fixture->plain},
						 {.path = i ? fixture->plain : fixture->packed}};

		profile = tfp_load(files, 2, NULL, diag);
		assert_non_null(profile);
		compare_traces(profile, one);
		assert_non_null(strstr(tfp_diag_get(diag, 0).text, "read once"));
		tfp_profile_free(profile);
	}
	tfp_profile_free(one);
	tfp_diag_free(diag);
}

/* Two that begin alike are two. */
static void what_ends_otherwise_is_another(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_named_file files[] = {{.path = fixture->plain}, {.path = fixture->packed}};
	struct tfp_profile *profile;
	FILE *file;

	fprintf(fixture->text, "[");
	put_records(fixture, NULL);
	fprintf(fixture->text, "]  ");
	pack(fixture, 0);
	file = fopen(fixture->plain, "r+b");
	assert_int_equal(fseek(file, -1, SEEK_END), 0);
	fputc('\n', file);
	assert_int_equal(fclose(file), 0);
	profile = tfp_load(files, 2, NULL, diag);
	assert_non_null(profile);
	assert_true(profile->trace->count > 2 * RECORDS);
	tfp_profile_free(profile);
	tfp_diag_free(diag);
}

static void stop_amid(struct tfp_job *job, void *data)
{
	(void)data;
	if (job->done > job->total / 2)
		job->cancel = true;
}

static void what_is_stopped_is_not_cut(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_job job = {.tick = stop_amid};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_named_file file = {.path = fixture->packed};

	fprintf(fixture->text, "[");
	put_records(fixture, "{\"ph\": }, 17");
	fprintf(fixture->text, "]");
	pack(fixture, 0);
	tfp_diag_note(diag, "told before");
	assert_null(tfp_load(&file, 1, &job, diag));
	assert_true(job.cancel);
	assert_int_equal(tfp_diag_count(diag), 1);
	tfp_diag_free(diag);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_list_is_the_same),
		TEST(members_around_it_are_read),
		TEST(a_list_that_comes_late_is_found),
		TEST(damage_is_the_same),
		TEST(what_is_cut_is_the_same),
		TEST(packed_data_may_be_cut),
		TEST(a_part_of_it_does_not_end_it),
		TEST(it_can_be_given_up),
		TEST(members_behind_damage_are_read),
		TEST(it_is_known_by_all_that_it_takes),
		TEST(a_packed_copy_is_read_once),
		TEST(what_ends_otherwise_is_another),
		TEST(what_is_stopped_is_not_cut),
	};

	return cmocka_run_group_tests_name("growing", tests, NULL, NULL);
}
