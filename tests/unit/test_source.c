/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening files: mapped, piped, gzipped in every damaged way, and shrinking while they are mapped.
 */
#include "tfprof/codec.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#define TEXT_SIZE ((size_t)3 << 20)

/* What every test has: a directory of its own, text to compress, a place for problems. */
struct fixture {
	char directory[32];
	char path[64];
	uint8_t *text;
	struct tfp_diag *diag;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	uint32_t random = 1;

	strcpy(fixture->directory, "/tmp/test_source.XXXXXX");
	assert_non_null(mkdtemp(fixture->directory));
	snprintf(fixture->path, sizeof(fixture->path), "%s/file", fixture->directory);
	fixture->text = malloc(TEXT_SIZE);
	for (size_t i = 0; i < TEXT_SIZE; i++) {
		random = random * 1103515245 + 12345;
		fixture->text[i] = (uint8_t) "abcdefgh"[random >> 29];
	}
	fixture->diag = tfp_diag_new();
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	rmdir(fixture->directory);
	free(fixture->text);
	tfp_diag_free(fixture->diag);
	free(fixture);
	return 0;
}

static void write_file(const struct fixture *fixture, const void *bytes, size_t size)
{
	FILE *file = fopen(fixture->path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* One gzip member of BYTES; the caller frees it. */
static uint8_t *compress_bytes(const void *bytes, size_t size, size_t *packed_size)
{
	z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
	size_t room = size + size / 100 + 100;
	uint8_t *packed = malloc(room);

	assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_out = packed;
	stream.avail_out = (uInt)room;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	*packed_size = stream.total_out;
	deflateEnd(&stream);
	return packed;
}

static struct tfp_source *open_bytes(struct fixture *fixture, const void *bytes, size_t size)
{
	write_file(fixture, bytes, size);
	return tfp_source_open(fixture->path, NULL, fixture->diag);
}

static void assert_problem(const struct fixture *fixture, size_t index, enum tfp_severity severity,
			   const char *words)
{
	struct tfp_problem problem;

	assert_true(index < tfp_diag_count(fixture->diag));
	problem = tfp_diag_get(fixture->diag, index);
	assert_int_equal(problem.severity, severity);
	if (!strstr(problem.text, words))
		fail_msg("\"%s\" does not say \"%s\"", problem.text, words);
}

static void maps_a_plain_file(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source = open_bytes(fixture, "plain", 5);

	assert_non_null(source);
	assert_true(source->mapped);
	assert_false(source->compressed);
	assert_int_equal(source->size, 5);
	assert_int_equal(source->disk_size, 5);
	assert_true(source->mtime > 0);
	assert_string_equal(source->path, fixture->path);
	assert_memory_equal(source->data, "plain", 5);
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	tfp_source_free(source);
}

static void takes_an_empty_file(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source = open_bytes(fixture, "", 0);

	assert_non_null(source);
	assert_non_null(source->data);
	assert_int_equal(source->size, 0);
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	tfp_source_free(source);
}

static void refuses_what_is_no_file(void **state)
{
	struct fixture *fixture = *state;

	assert_null(tfp_source_open(fixture->path, NULL, fixture->diag));
	assert_problem(fixture, 0, TFP_ERROR, "No such file");
	assert_null(tfp_source_open(fixture->directory, NULL, fixture->diag));
	assert_problem(fixture, 1, TFP_ERROR, "directory");
	assert_int_equal(tfp_diag_count(fixture->diag), 2);
}

/* How much has come at most, into DATA. */
static void look_at_progress(struct tfp_job *job, void *data)
{
	uint64_t *most = data, done = job->done;

	assert_int_equal(job->total, 0);
	*most = done > *most ? done : *most;
}

static void reads_a_named_pipe(void **state)
{
	struct fixture *fixture = *state;
	uint64_t most = 0;
	struct tfp_job job = {.total = 7, .tick = look_at_progress, .data = &most};
	struct tfp_source *source;
	pid_t writer;

	assert_int_equal(mkfifo(fixture->path, 0600), 0);
	writer = fork();
	if (writer == 0) {
		int fd = open(fixture->path, O_WRONLY);

		_exit(write(fd, fixture->text, 200000) == 200000 ? 0 : 1);
	}
	source = tfp_source_open(fixture->path, &job, fixture->diag);
	waitpid(writer, NULL, 0);
	assert_non_null(source);
	assert_false(source->mapped);
	assert_int_equal(source->size, 200000);
	assert_memory_equal(source->data, fixture->text, 200000);
	assert_int_equal(most, 200000);
	assert_int_equal(job.done, 0);
	tfp_source_free(source);
}

static void gives_up_a_silent_pipe(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_job job = {0};

	assert_int_equal(mkfifo(fixture->path, 0600), 0);
	atomic_store(&job.cancel, true);
	assert_null(tfp_source_open(fixture->path, &job, fixture->diag));
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
}

static void inflates(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_job job = {0};
	struct tfp_source *source;
	size_t size;
	uint8_t *packed = compress_bytes(fixture->text, TEXT_SIZE, &size);

	write_file(fixture, packed, size);
	source = tfp_source_open(fixture->path, &job, fixture->diag);
	assert_non_null(source);
	assert_true(source->compressed);
	assert_false(source->mapped);
	assert_int_equal(source->disk_size, size);
	assert_int_equal(source->size, TEXT_SIZE);
	assert_memory_equal(source->data, fixture->text, TEXT_SIZE);
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	assert_int_equal(job.done, size);
	assert_int_equal(job.total, size);
	tfp_source_free(source);
	free(packed);
}

static void inflates_members_and_levels(void **state)
{
	struct fixture *fixture = *state;
	size_t sizes[2], size;
	uint8_t *members[2] = {
		compress_bytes("one ", 4, &sizes[0]),
		compress_bytes("two", 3, &sizes[1]),
	};
	uint8_t both[200], *outer;
	struct tfp_source *source;

	memcpy(both, members[0], sizes[0]);
	memcpy(both + sizes[0], members[1], sizes[1]);
	outer = compress_bytes(both, sizes[0] + sizes[1], &size);
	source = open_bytes(fixture, outer, size);
	assert_non_null(source);
	assert_int_equal(source->size, 7);
	assert_memory_equal(source->data, "one two", 7);
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	tfp_source_free(source);
	free(members[0]);
	free(members[1]);
	free(outer);
}

static void notes_what_follows(void **state)
{
	struct fixture *fixture = *state;
	size_t size;
	uint8_t *packed = compress_bytes("content", 7, &size), bytes[100];
	struct tfp_source *source;

	memcpy(bytes, packed, size);
	memcpy(bytes + size, "garbage", 7);
	source = open_bytes(fixture, bytes, size + 7);
	assert_non_null(source);
	assert_int_equal(source->size, 7);
	assert_problem(fixture, 0, TFP_NOTE, "ignored");
	assert_int_equal(tfp_diag_get(fixture->diag, 0).offset, size);
	tfp_source_free(source);
	free(packed);
}

static void keeps_what_precedes_a_cut(void **state)
{
	struct fixture *fixture = *state;
	size_t size;
	uint8_t *packed = compress_bytes(fixture->text, TEXT_SIZE, &size);
	struct tfp_source *source = open_bytes(fixture, packed, size / 2);

	assert_non_null(source);
	assert_in_range(source->size, TEXT_SIZE / 2 - 50000, TEXT_SIZE / 2 + 50000);
	assert_memory_equal(source->data, fixture->text, source->size);
	assert_problem(fixture, 0, TFP_WARNING, "cut");
	assert_int_equal(tfp_diag_get(fixture->diag, 0).offset, size / 2);
	tfp_source_free(source);
	/* Without its trailer all is there. */
	source = open_bytes(fixture, packed, size - 8);
	assert_non_null(source);
	assert_int_equal(source->size, TEXT_SIZE);
	assert_memory_equal(source->data, fixture->text, TEXT_SIZE);
	tfp_source_free(source);
	free(packed);
}

static void keeps_what_precedes_damage(void **state)
{
	struct fixture *fixture = *state;
	size_t size;
	uint8_t *packed = compress_bytes(fixture->text, TEXT_SIZE, &size);
	struct tfp_source *source;

	memset(packed + size / 2, 0xff, 3000);
	source = open_bytes(fixture, packed, size);
	assert_non_null(source);
	assert_true(source->size >= TEXT_SIZE / 2 - 50000);
	assert_memory_equal(source->data, fixture->text, TEXT_SIZE / 2 - 50000);
	assert_problem(fixture, 0, TFP_WARNING, "damaged");
	assert_in_range(tfp_diag_get(fixture->diag, 0).offset, size / 2, size);
	tfp_source_free(source);
	free(packed);
}

static void tells_a_wrong_checksum(void **state)
{
	struct fixture *fixture = *state;
	size_t size;
	uint8_t *packed = compress_bytes("content", 7, &size);
	struct tfp_source *source;

	packed[size - 8] ^= 1;
	source = open_bytes(fixture, packed, size);
	assert_non_null(source);
	assert_int_equal(source->size, 7);
	assert_problem(fixture, 0, TFP_WARNING, "checksum");
	tfp_source_free(source);
	free(packed);
}

static void refuses_a_gzip_file_of_nothing(void **state)
{
	struct fixture *fixture = *state;

	assert_null(open_bytes(fixture, "\x1f\x8b\x08\x00", 4));
	assert_problem(fixture, 1, TFP_ERROR, "nothing can be unpacked");
	assert_null(open_bytes(fixture, "\x1f\x8b\x77\x00\x00\x00\x00\x00\x00\x00\x00", 11));
	assert_int_equal(tfp_diag_errors(fixture->diag), 1);
}

static void bounds_a_bomb(void **state)
{
	struct fixture *fixture = *state;
	size_t zeros_size = (size_t)100 << 20, size;
	uint8_t *zeros = calloc(1, zeros_size);
	uint8_t *packed = compress_bytes(zeros, zeros_size, &size);
	struct tfp_source *source = open_bytes(fixture, packed, size);

	assert_non_null(source);
	assert_int_equal(source->size, (size_t)64 << 20);
	assert_problem(fixture, 0, TFP_ERROR, "far more");
	tfp_source_free(source);
	free(packed);
	free(zeros);
}

static void stops_inflating_when_cancelled(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_job job = {0};
	size_t size;
	uint8_t *packed = compress_bytes(fixture->text, TEXT_SIZE, &size);

	atomic_store(&job.cancel, true);
	write_file(fixture, packed, size);
	assert_null(tfp_source_open(fixture->path, &job, fixture->diag));
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	free(packed);
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (tfp_source_guard(info->si_addr))
		return;
	signal(number, SIG_DFL);
	raise(number);
}

static void survives_a_shrinking_file(void **state)
{
	struct fixture *fixture = *state;
	struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO}, before;
	struct tfp_source *small = open_bytes(fixture, "small", 5), *source;
	size_t nonzero = 0;

	unlink(fixture->path);
	source = open_bytes(fixture, fixture->text, TEXT_SIZE);
	assert_non_null(source);
	sigaction(SIGBUS, &action, &before);
	assert_int_equal(truncate(fixture->path, 10000), 0);
	for (size_t i = 0; i < source->size; i++)
		nonzero += source->data[i] != 0;
	sigaction(SIGBUS, &before, NULL);
	assert_int_equal(nonzero, 10000);
	assert_true(source->shrunk);
	assert_false(small->shrunk);
	assert_false(tfp_source_guard(fixture));
	for (int i = 0; i < 2; i++) /* once */
		tfp_sources_tell_shrunk(fixture->diag);
	assert_int_equal(tfp_diag_count(fixture->diag), 1);
	assert_int_equal(tfp_diag_get(fixture->diag, 0).count, 1);
	assert_int_equal(tfp_diag_get(fixture->diag, 0).offset, 10000);
	tfp_source_free(small);
	tfp_source_free(source);
}

/* The page is there still, so that nothing faults; another file of that name is none that shrank. */
static void tells_what_no_fault_tells(void **state)
{
	struct fixture *fixture = *state;
	struct tfp_source *source = open_bytes(fixture, "small", 5);

	unlink(fixture->path);
	write_file(fixture, "a", 1);
	tfp_sources_tell_shrunk(fixture->diag);
	assert_int_equal(tfp_diag_count(fixture->diag), 0);
	tfp_source_free(source);
	source = open_bytes(fixture, "small", 5);
	assert_int_equal(truncate(fixture->path, 3), 0);
	tfp_sources_tell_shrunk(fixture->diag);
	assert_int_equal(tfp_diag_count(fixture->diag), 1);
	assert_int_equal(tfp_diag_get(fixture->diag, 0).offset, 3);
	tfp_source_free(source);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(maps_a_plain_file),
		TEST(takes_an_empty_file),
		TEST(refuses_what_is_no_file),
		TEST(reads_a_named_pipe),
		TEST(gives_up_a_silent_pipe),
		TEST(inflates),
		TEST(inflates_members_and_levels),
		TEST(notes_what_follows),
		TEST(keeps_what_precedes_a_cut),
		TEST(keeps_what_precedes_damage),
		TEST(tells_a_wrong_checksum),
		TEST(refuses_a_gzip_file_of_nothing),
		TEST(bounds_a_bomb),
		TEST(stops_inflating_when_cancelled),
		TEST(survives_a_shrinking_file),
		TEST(tells_what_no_fault_tells),
	};

	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
