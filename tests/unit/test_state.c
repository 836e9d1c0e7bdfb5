/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a person was, from one time to the next: written and read back, and files of it that are cut, random,
 * huge or no files at all, of which nothing is taken and nothing is said.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/state.h"

#include <cmocka.h>

struct home {
	char folder[1024];
	char path[1200]; /* of a state */
	struct tfp_arena arena;
};

static int set_up(void **state)
{
	struct home *home = tfp_alloc_zero(1, sizeof(*home));

	if (!getcwd(home->folder, sizeof(home->folder) - 32))
		return -1;
	strcat(home->folder, "/tfprof-test-XXXXXX");
	if (!mkdtemp(home->folder) || setenv("XDG_STATE_HOME", home->folder, 1))
		return -1;
	snprintf(home->path, sizeof(home->path), "%s/tfprof/places/0123456789abcdef.yaml",
		 home->folder);
	*state = home;
	return 0;
}

static int tear_down(void **state)
{
	struct home *home = *state;
	char command[1100];

	snprintf(command, sizeof(command), "rm -rf '%s'", home->folder);
	tfp_arena_free(&home->arena);
	free(home);
	return system(command);
}

/* The folder of states. */
static void make_folder(const struct home *home)
{
	char path[1200];

	snprintf(path, sizeof(path), "%s/tfprof", home->folder);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/places");
	assert_int_equal(mkdir(path, 0700), 0);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static size_t read_bytes(const char *path, char *bytes, size_t room)
{
	FILE *file = fopen(path, "r");
	size_t size;

	assert_non_null(file);
	size = fread(bytes, 1, room, file);
	fclose(file);
	return size;
}

static const uint64_t open_rows[] = {1, UINT64_C(0x8000000000000000), UINT64_MAX};

static const struct tfp_ui_place somewhere = {
	.view = "op",
	.cursor = UINT64_C(0xfedcba9876543210),
	.open = open_rows,
	.open_count = 3,
	.query = "op --show_text='a \"b\" # c: \\ d' --flat",
};

static void assert_same(const struct tfp_ui_place *place, const struct tfp_ui_place *expected)
{
	assert_string_equal(place->view, expected->view);
	assert_int_equal(place->cursor, expected->cursor);
	assert_int_equal(place->open_count, expected->open_count);
	assert_memory_equal(place->open, expected->open,
			    expected->open_count * sizeof(*expected->open));
	assert_string_equal(place->query, expected->query);
}

/* What is read from the home's file is nothing, and it is not said why: places could be kept. */
static void assert_nothing(struct home *home)
{
	struct tfp_ui_place place = {0};

	tfp_state_read(&place, home->path, &home->arena);
	assert_null(place.view);
	assert_null(place.query);
	assert_int_equal(place.open_count, 0);
	assert_null(place.why);
	tfp_arena_free(&place.arena);
}

static void what_is_written_is_read(void **state)
{
	struct home *home = *state;
	struct tfp_ui_place place = {0};

	tfp_state_write(&somewhere, home->path);
	tfp_state_read(&place, home->path, &home->arena);
	assert_same(&place, &somewhere);
	assert_null(place.why);
	tfp_arena_free(&place.arena);
}

/* A file that was cut has whole values, or none. */
static void cut_files_have_no_halves(void **state)
{
	struct home *home = *state;
	char bytes[4096];
	size_t size;

	tfp_state_write(&somewhere, home->path);
	size = read_bytes(home->path, bytes, sizeof(bytes));
	for (size_t cut = 0; cut < size; cut++) {
		struct tfp_ui_place place = {0};

		write_bytes(home->path, bytes, cut);
		tfp_state_read(&place, home->path, &home->arena);
		assert_true(!place.view || !strcmp(place.view, "op"));
		assert_true(!place.cursor || place.cursor == somewhere.cursor);
		assert_true(place.open_count <= somewhere.open_count);
		assert_null(place.why);
		tfp_arena_free(&place.arena);
	}
}

/* Bytes of a generator, so that a failure can be repeated. */
static void random_bytes_are_no_place(void **state)
{
	struct home *home = *state;
	unsigned char bytes[512];
	uint32_t seed = 1;

	make_folder(home);
	for (int round = 0; round < 200; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			seed = seed * 1664525u + 1013904223u;
			bytes[i] = (unsigned char)(seed >> 24);
		}
		write_bytes(home->path, bytes, sizeof(bytes));
		assert_nothing(home);
	}
}

static void one_changed_byte_does_no_harm(void **state)
{
	struct home *home = *state;
	char bytes[4096];
	size_t size;

	tfp_state_write(&somewhere, home->path);
	size = read_bytes(home->path, bytes, sizeof(bytes));
	for (size_t at = 0; at < size; at++)
		for (int bit = 0; bit < 8; bit++) {
			struct tfp_ui_place place = {0};

			bytes[at] = (char)(bytes[at] ^ 1 << bit);
			tfp_state_parse(&place, (struct tfp_span){bytes, size});
			assert_true(!place.view || tfp_view_find(place.view));
			assert_true(place.open_count <= somewhere.open_count);
			for (size_t i = 1; i < place.open_count; i++)
				assert_true(place.open[i - 1] <= place.open[i]);
			tfp_arena_free(&place.arena);
			bytes[at] = (char)(bytes[at] ^ 1 << bit);
		}
}

/* Values of other kinds than they should be, and names that are not known. */
static void other_values_are_not_taken(void **state)
{
	static const char *const texts[] = {
		"",
		"view: nonsense\n",
		"view: [op]\n",
		"view: {op: op}\n",
		"- view\n",
		"cursor: \"0123456789abcdef\"\n",
		"view: op\n\tcursor: 1\n",
	};
	struct home *home = *state;

	make_folder(home);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_bytes(home->path, texts[i], strlen(texts[i]));
		assert_nothing(home);
	}
}

static void what_is_no_key_counts_as_none(void **state)
{
	static const char text[] = "view: op\ncursor: \"fedcba987654321G\"\n"
				   "open: \"00000000000000020000000000000001zz\"\nother: 1\n";
	struct tfp_ui_place place = {0};

	(void)state;
	tfp_state_parse(&place, TFP_SPAN(text));
	assert_string_equal(place.view, "op");
	assert_int_equal(place.cursor, 0);
	assert_int_equal(place.open_count, 2);
	assert_int_equal(place.open[0], 1); /* ascending, whatever the file has */
	assert_int_equal(place.open[1], 2);
	tfp_arena_free(&place.arena);
}

static void huge_files_are_not_read(void **state)
{
	struct home *home = *state;

	make_folder(home);
	write_bytes(home->path, "view: op\n", 9);
	assert_int_equal(truncate(home->path, (off_t)1 << 40), 0);
	assert_nothing(home);
}

/* Of long lists of open rows the first are taken. */
static void long_lists_are_bounded(void **state)
{
	struct tfp_ui_place place = {0};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	fputs("view: op\nopen: \"", out);
	for (uint64_t i = 0; i < 2000; i++)
		fprintf(out, "%016" PRIx64, i);
	fputs("\"\n", out);
	fclose(out);
	tfp_state_parse(&place, (struct tfp_span){text, size});
	assert_string_equal(place.view, "op");
	assert_int_equal(place.open_count, 500);
	tfp_arena_free(&place.arena);
	free(text);
}

/* A folder, a pipe that nobody writes to, a link to nowhere and one to itself. */
static void what_is_no_file_is_nothing(void **state)
{
	struct home *home = *state;

	make_folder(home);
	assert_int_equal(mkdir(home->path, 0700), 0);
	assert_nothing(home);
	tfp_state_write(&somewhere, home->path);
	assert_nothing(home);
	assert_int_equal(rmdir(home->path), 0);
	assert_int_equal(mkfifo(home->path, 0600), 0);
	assert_nothing(home);
	assert_int_equal(unlink(home->path), 0);
	assert_int_equal(symlink("/nonexistent/state", home->path), 0);
	assert_nothing(home);
	assert_int_equal(unlink(home->path), 0);
	assert_int_equal(symlink(home->path, home->path), 0);
	assert_nothing(home);
}

static void unreadable_files_are_nothing(void **state)
{
	struct home *home = *state;

	if (!geteuid()) /* who may read all */
		return;
	tfp_state_write(&somewhere, home->path);
	assert_int_equal(chmod(home->path, 0), 0);
	assert_nothing(home);
}

/* Only when it is asked for is it said that nothing can be kept. */
static void a_home_that_is_none_says_why(void **state)
{
	struct home *home = *state;
	struct tfp_ui_place place = {0};
	char path[1300];

	write_bytes(strcat(strcpy(path, home->folder), "/file"), "", 0);
	strcat(path, "/tfprof/places/0123456789abcdef.yaml");
	tfp_state_write(&somewhere, path);
	tfp_state_read(&place, path, &home->arena);
	assert_null(place.view);
	assert_non_null(strstr(place.why, "can't be written"));
	tfp_arena_free(&place.arena);
}

/* A changed file is another profile; a folder is the same list whatever comes into it. */
static void files_change_and_folders_stay(void **state)
{
	struct home *home = *state;
	char path[1100];
	struct tfp_named_file file = {.path = path}, folder = {.path = home->folder};
	char *of_file, *of_folder = tfp_state_path(&home->arena, &folder, 1);

	snprintf(path, sizeof(path), "%s/profile", home->folder);
	assert_non_null(of_folder);
	assert_null(tfp_state_path(&home->arena, &file, 1));
	write_bytes(path, "a", 1);
	of_file = tfp_state_path(&home->arena, &file, 1);
	assert_string_equal(of_file, tfp_state_path(&home->arena, &file, 1));
	write_bytes(path, "ab", 2);
	assert_string_not_equal(of_file, tfp_state_path(&home->arena, &file, 1));
	assert_string_equal(of_folder, tfp_state_path(&home->arena, &folder, 1));
	assert_null(tfp_state_path(&home->arena, &file, 0));
}

#define HOME_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOME_TEST(what_is_written_is_read),      HOME_TEST(cut_files_have_no_halves),
		HOME_TEST(random_bytes_are_no_place),    HOME_TEST(one_changed_byte_does_no_harm),
		HOME_TEST(other_values_are_not_taken),   HOME_TEST(what_is_no_key_counts_as_none),
		HOME_TEST(huge_files_are_not_read),      HOME_TEST(long_lists_are_bounded),
		HOME_TEST(what_is_no_file_is_nothing),   HOME_TEST(unreadable_files_are_nothing),
		HOME_TEST(a_home_that_is_none_says_why), HOME_TEST(files_change_and_folders_stay),
	};

	return cmocka_run_group_tests_name("state", tests, NULL, NULL);
}
