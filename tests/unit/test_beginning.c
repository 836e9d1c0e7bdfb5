/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large files: whoever looks on while they are read gets profiles of parts of them, and in the end the profile is the
 * same as if nobody had. What makes the files large here takes no room on the disk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "load/beginning.h"
#include "load/loaders.h"
#include "tfprof/load.h"
#include "tfprof/report.h"
#include "tfprof/trace.h"
#include "wire_bytes.h"

#define MEGABYTE ((uint64_t)1 << 20)

enum { RECORDS = 500000, FEW = 20000, MOST = 8 };

/* What came while the files were read. */
struct seen {
	uint32_t counts[MOST]; /* events */
	double shares[MOST];
	bool named[MOST]; /* some node is called kernel_1 */
	size_t count, files;
	size_t most;              /* then the job is cancelled; 0: never */
	struct tfp_profile *kept; /* the last one, outlives what is loaded */
};

static void see(struct tfp_job *job, struct tfp_profile *profile)
{
	struct seen *seen = job->data;
	size_t at = seen->count++;

	assert_true(at < MOST);
	seen->shares[at] = profile->share;
	seen->counts[at] = profile->trace->count;
	seen->files = profile->files.count;
	for (uint32_t i = 0; i < profile->nodes.count; i++)
		seen->named[at] |= !strcmp(
			"kernel_1", tfp_strings_text(profile->strings, profile->nodes.name[i]));
	tfp_profile_free(seen->kept);
	seen->kept = profile;
	if (seen->count == seen->most)
		atomic_store(&job->cancel, true);
}

static FILE *make_file(char path[32])
{
	FILE *out;

	strcpy(path, "/tmp/test_beginning.XXXXXX");
	out = fdopen(mkstemp(path), "w");
	assert_non_null(out);
	return out;
}

/* Records of about 90 bytes, then one with an argument of so many BYTES, then names of process and thread. */
static void make_trace(char path[32], uint64_t bytes)
{
	FILE *out = make_file(path);

	fputs("{\"schemaVersion\": 1, \"traceEvents\": [\n", out);
	for (int i = 0; i < RECORDS; i++)
		fprintf(out,
			"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op_%d\", \"pid\": 1, "
			"\"tid\": 1, \"ts\": %d, \"dur\": 9},\n",
			i % 9, i * 10);
	fputs("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"last\", \"pid\": 1, \"tid\": 1, "
	      "\"ts\": 9000000, \"dur\": 9, \"args\": {\"pad\": \"",
	      out);
	assert_int_equal(fseeko(out, (off_t)bytes, SEEK_CUR), 0);
	fputs("\"}},\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"tid\": 0, "
	      "\"args\": {\"name\": \"python3\"}},\n"
	      "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 1, "
	      "\"args\": {\"name\": \"main\"}}\n]}\n",
	      out);
	assert_int_equal(fclose(out), 0);
}

/* INNER, which so many BYTES follow, becomes the field FIELD, behind what OUTER has so far. */
static void put_around(struct bytes *inner, struct bytes *outer, uint32_t field, uint64_t bytes)
{
	put_varint(outer, field << 3 | TFP_WIRE_BYTES);
	put_varint(outer, inner->count + bytes);
	for (size_t i = 0; i < inner->count; i++)
		*tfp_array_push(outer) = inner->at[i];
	tfp_array_free(inner);
	*inner = *outer;
	*outer = (struct bytes){0};
}

static void put_event(struct bytes *event, uint64_t start)
{
	put_int(event, 1, 1);
	put_int(event, 2, start * 1000);
	put_int(event, 3, 900);
}

static void put_line(struct bytes *line, uint64_t id, const char *name)
{
	put_int(line, 1, id);
	put_text(line, 2, name);
}

/* A kind of events, or a stat, that is called NAME: both have the number 1. */
static void put_name(struct bytes *plane, uint32_t field, const char *name)
{
	struct bytes entry = {0}, value = {0};

	put_int(&value, 1, 1);
	put_text(&value, 2, name);
	put_int(&entry, 1, 1);
	put_message(&entry, 2, &value);
	put_message(plane, field, &entry);
}

/* A device with a line of FEW events, and the names that they refer to. */
static void put_rest(struct bytes *plane)
{
	struct bytes line = {0};

	put_line(&line, 2, "Stream #2(Compute)");
	for (int i = 0; i < FEW; i++) {
		struct bytes event = {0};

		put_event(&event, (uint64_t)i);
		put_message(&line, 4, &event);
	}
	put_message(plane, 3, &line);
	put_name(plane, 4, "kernel_1");
	put_name(plane, 5, "pad");
}

/* A line of one event with a stat of so many BYTES comes first. */
static void make_xplane(char path[32], uint64_t bytes)
{
	struct bytes at = {0}, around = {0}, rest = {0};
	FILE *out = make_file(path);

	put_int(&at, 1, 1);
	put_varint(&at, 6 << 3 | TFP_WIRE_BYTES);
	put_varint(&at, bytes);
	put_event(&around, 0);
	put_around(&at, &around, 4, bytes);
	put_line(&around, 1, "Stream #1(Compute)");
	put_around(&at, &around, 4, bytes);
	put_text(&around, 2, "/device:GPU:0");
	put_around(&at, &around, 3, bytes);
	put_rest(&rest);
	put_around(&at, &around, 1, bytes + rest.count);
	assert_int_equal(fwrite(at.at, 1, at.count, out), at.count);
	assert_int_equal(fseeko(out, (off_t)bytes, SEEK_CUR), 0);
	assert_int_equal(fwrite(rest.at, 1, rest.count, out), rest.count);
	assert_int_equal(fclose(out), 0);
	tfp_array_free(&at);
	tfp_array_free(&rest);
}

static struct tfp_profile *load(char *const *paths, size_t count, struct tfp_job *job,
				struct tfp_diag *diag)
{
	struct tfp_named_file files[4] = {{0}};

	for (size_t i = 0; i < count; i++)
		files[i].path = paths[i];
	return tfp_load(files, count, job, diag);
}

/* The report of VIEW, all rows; to be freed. */
static char *report(struct tfp_engine *engine, const char *view)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_query query;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tfp_query_init(&query);
	query.view = view;
	query.max_depth = 1000;
	query.forgiving = true;
	assert_true(tfp_output_write(engine, &query, out, NULL, diag));
	fclose(out);
	tfp_query_free(&query);
	tfp_diag_free(diag);
	return text;
}

/* PROFILE, which is freed, is what the files are without anybody looking on. */
static void compare(struct tfp_profile *profile, char *const *paths, size_t count)
{
	static const char *const views[] = {"scope", "op",   "code",    "device",
					    "steps", "idle", "summary", "time"};
	struct tfp_profile *plain = load(paths, count, NULL, NULL);
	struct tfp_engine *a = tfp_engine_new(profile), *b = tfp_engine_new(plain);

	assert_int_equal(profile->trace->count, plain->trace->count);
	assert_true(profile->share == 0);
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		const struct tfp_view *view = tfp_view_find(views[i]);
		char *left, *right;

		assert_ptr_equal(tfp_view_missing(view, profile), tfp_view_missing(view, plain));
		if (tfp_view_missing(view, profile))
			continue;
		left = report(a, views[i]);
		right = report(b, views[i]);
		assert_string_equal(left, right);
		assert_null(strstr(left, "so far"));
		free(left);
		free(right);
	}
	tfp_engine_free(a);
	tfp_engine_free(b);
}

/* Loads the files with somebody who looks on, compares, and removes them. */
static void look_on(char *const *paths, size_t count, struct seen *seen)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_job job = {.begin = see, .data = seen};
	struct tfp_profile *profile = load(paths, count, &job, diag);

	assert_non_null(profile);
	assert_true(job.done == job.total);
	assert_true(!job.known == !seen->count && job.known <= job.total / 40);
	for (size_t i = 0; i < tfp_diag_count(diag); i++)
		assert_null(strstr(tfp_diag_get(diag, i).text, "ends"));
	compare(profile, paths, count);
	for (size_t i = 0; i < count; i++)
		unlink(paths[i]);
	tfp_diag_free(diag);
}

static void parts_come_of_a_trace(void **state)
{
	struct seen seen = {.most = 0};
	char path[32], *paths[] = {path}, *text;
	struct tfp_engine *engine;

	(void)state;
	make_trace(path, 1400 * MEGABYTE);
	look_on(paths, 1, &seen);
	assert_int_equal(seen.count, 2);
	assert_true(seen.counts[0] > RECORDS / 20 && seen.counts[0] < RECORDS / 2);
	assert_true(seen.counts[1] > 7 * seen.counts[0] && seen.counts[1] < RECORDS);
	assert_true(seen.shares[0] > 0.002 && seen.shares[0] < seen.shares[1]);
	assert_true(seen.shares[0] + seen.shares[1] < 0.05);
	assert_string_equal("python3 (1)", tfp_strings_text(seen.kept->strings,
							    seen.kept->trace->devices.at->name));
	assert_string_equal("main",
			    tfp_strings_text(seen.kept->strings, seen.kept->trace->lanes.at->name));
	engine = tfp_engine_new(seen.kept);
	text = report(engine, "summary");
	assert_non_null(strstr(text, "so far: what is said here is of 2% of the files"));
	assert_null(strstr(text, "findings"));
	assert_null(strstr(text, "missing, and what makes it"));
	assert_non_null(strstr(tfp_view_missing(tfp_view_find("code"), seen.kept), "read so far"));
	free(text);
	tfp_engine_free(engine);
}

/* Where eight times as much as was shown would be too much, as much as may be is. */
static void the_last_part_is_as_large_as_it_may_be(void **state)
{
	struct seen seen = {.most = 0};
	char path[32], *paths[] = {path};

	(void)state;
	make_trace(path, 450 * MEGABYTE);
	look_on(paths, 1, &seen);
	assert_int_equal(seen.count, 2);
	assert_true(seen.shares[0] < 0.01);
	assert_true(seen.shares[1] > 0.024 && seen.shares[1] <= 0.025);
	tfp_profile_free(seen.kept);
}

/* What is shown of PATH, if its bytes come slowly, while it is read. */
static void look_on_slowly(const char *path, struct seen *seen)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_job job = {.begin = see, .data = seen};
	struct tfp_beginning beginning = {.expected = 1, .started = {.fetched = -1, .waited = -1}};
	struct tfp_source *source = tfp_source_begin(path, NULL, diag);

	*tfp_array_push(&beginning.files) = (struct tfp_beginning_file){&tfp_kineto_loader, source};
	tfp_beginning_show(&beginning, &job, diag);
	if (seen->count) {
		assert_true(beginning.share == seen->shares[seen->count - 1]);
		tfp_profile_free(seen->kept);
	}
	tfp_source_free(source);
	tfp_array_free(&beginning.files);
	tfp_diag_free(diag);
}

/* Rows come of far more than a fortieth then, as reading a part twice takes no longer. */
static void parts_grow_while_bytes_come_slowly(void **state)
{
	struct seen seen = {.most = 0};
	char path[32];

	(void)state;
	make_trace(path, 60 * MEGABYTE);
	look_on_slowly(path, &seen);
	assert_int_equal(seen.count, 3);
	for (size_t i = 1; i < seen.count; i++)
		assert_true(seen.shares[i] > 2.9 * seen.shares[i - 1] &&
			    seen.counts[i] > 2 * seen.counts[i - 1]);
	assert_true(seen.shares[2] > 0.3 && seen.shares[2] < 0.5);
	unlink(path);
}

static void pack(const char *path, const char *packed)
{
	static char bytes[1 << 20];
	FILE *in = fopen(path, "r");
	gzFile out = gzopen(packed, "wb1");
	size_t size;

	assert_non_null(in);
	while ((size = fread(bytes, 1, sizeof(bytes), in)))
		assert_int_equal(gzwrite(out, bytes, (unsigned)size), size);
	fclose(in);
	assert_int_equal(gzclose(out), Z_OK);
}

/* Of what is unpacked meanwhile a large part would have to be kept for the second time. */
static void parts_of_what_is_packed_stay_small(void **state)
{
	struct seen seen = {.most = 0};
	char path[32], packed[40];

	(void)state;
	make_trace(path, 60 * MEGABYTE);
	snprintf(packed, sizeof(packed), "%s.gz", path);
	pack(path, packed);
	look_on_slowly(packed, &seen);
	for (size_t i = 0; i < seen.count; i++)
		assert_true(seen.shares[i] <= 0.025);
	unlink(path);
	unlink(packed);
}

/* What a plane calls things stands behind its lines, and yet they are called so. */
static void parts_come_of_a_recording(void **state)
{
	struct seen seen = {.most = 0};
	char path[32], *paths[] = {path};

	(void)state;
	make_xplane(path, 200 * MEGABYTE);
	look_on(paths, 1, &seen);
	assert_int_equal(seen.count, 1);
	assert_true(seen.named[0]);
	assert_true(seen.counts[0] > FEW / 100 && seen.counts[0] < FEW / 20);
	tfp_profile_free(seen.kept); /* its texts lie in the file, which it still has */
}

/* Of several files the first is shown before the others are opened, and they count as well. */
static void parts_come_of_several_files(void **state)
{
	struct seen seen = {.most = 0};
	char path[32], other[32], *paths[] = {path, other};

	(void)state;
	make_trace(path, 60 * MEGABYTE);
	make_trace(other, 70 * MEGABYTE);
	look_on(paths, 2, &seen);
	assert_int_equal(seen.count, 1);
	assert_int_equal(seen.files, 1);
	assert_true(seen.shares[0] > 0.01 && seen.shares[0] < 0.05);
	tfp_profile_free(seen.kept);
}

static void small_files_are_read_at_once(void **state)
{
	struct seen seen = {.most = 0};
	char path[32], *paths[] = {path};

	(void)state;
	make_trace(path, 50 * MEGABYTE);
	look_on(paths, 1, &seen);
	make_xplane(path, 50 * MEGABYTE);
	look_on(paths, 1, &seen);
	assert_int_equal(seen.count, 0);
}

static void it_can_be_given_up(void **state)
{
	struct tfp_diag *diag = tfp_diag_new();
	struct seen seen = {.most = 1};
	struct tfp_job job = {.begin = see, .data = &seen};
	char path[32], *paths[] = {path};

	(void)state;
	make_xplane(path, 200 * MEGABYTE);
	assert_null(load(paths, 1, &job, diag));
	assert_int_equal(seen.count, 1);
	assert_int_equal(tfp_diag_errors(diag), 0);
	tfp_profile_free(seen.kept); /* after what it is a part of */
	tfp_diag_free(diag);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_come_of_a_trace),
		cmocka_unit_test(the_last_part_is_as_large_as_it_may_be),
		cmocka_unit_test(parts_grow_while_bytes_come_slowly),
		cmocka_unit_test(parts_of_what_is_packed_stay_small),
		cmocka_unit_test(parts_come_of_a_recording),
		cmocka_unit_test(parts_come_of_several_files),
		cmocka_unit_test(small_files_are_read_at_once),
		cmocka_unit_test(it_can_be_given_up),
	};

	return cmocka_run_group_tests_name("beginning", tests, NULL, NULL);
}
