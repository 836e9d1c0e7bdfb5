/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of another machine: folders that are mapped, ends of paths, and what must not be found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "ui/pane/sources.h"

static char folder[] = "/tmp/tfprof-sources-XXXXXX";

static const char *const made_folders[] = {"src", "src/net", "new", "new/net"};
static const char *const made_files[] = {"secret.py", "src/train.py", "src/net/layer.py",
					 "src/net/train.py", "new/net/layer.py"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static char *inside(struct tfp_arena *arena, const char *name)
{
	return tfp_arena_printf(arena, "%s/%s", folder, name);
}

static int make_tree(void **state)
{
	struct tfp_arena arena = {0};

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	for (size_t i = 0; i < COUNT(made_folders); i++)
		mkdir(inside(&arena, made_folders[i]), 0700);
	for (size_t i = 0; i < COUNT(made_files); i++)
		fclose(fopen(inside(&arena, made_files[i]), "w"));
	mkfifo(inside(&arena, "src/pipe.py"), 0600);
	tfp_arena_free(&arena);
	return 0;
}

static int remove_tree(void **state)
{
	struct tfp_arena arena = {0};

	(void)state;
	unlink(inside(&arena, "src/pipe.py"));
	for (size_t i = 0; i < COUNT(made_files); i++)
		unlink(inside(&arena, made_files[i]));
	for (size_t i = COUNT(made_folders); i-- > 0;)
		rmdir(inside(&arena, made_folders[i]));
	rmdir(folder);
	tfp_arena_free(&arena);
	return 0;
}

/* Finds PATH with the roots ADDED, which name folders by %s; WANTED lies in the folder, NULL: none. */
static void check(const char *const added[2], const char *path, const char *wanted)
{
	struct tfp_arena arena = {0};
	struct tfp_sources sources = {0};
	struct tfp_diag *diag = tfp_diag_new();
	const char *found;

	for (size_t i = 0; i < 2 && added[i]; i++) {
		const char *at = strchr(added[i], '@');
		char *text = tfp_arena_printf(&arena, "%.*s%s%s", (int)(at - added[i]), added[i],
					      folder, at + 1);

		assert_true(tfp_sources_add(&sources, text, diag));
	}
	found = tfp_sources_find(&sources, &arena, path);
	if (wanted)
		assert_string_equal(found, inside(&arena, wanted));
	else
		assert_null(found);
	tfp_sources_free(&sources);
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
}

static void the_longest_end_of_a_path_counts(void **state)
{
	const char *const roots[2] = {"@/src"};

	(void)state;
	check(roots, "/home/them/job/train.py", "src/train.py");
	check(roots, "/home/them/job/net/train.py", "src/net/train.py");
	check(roots, "net/layer.py", "src/net/layer.py");
	check(roots, "/home//them//net//layer.py", "src/net//layer.py");
	check(roots, "/home/them/job/other.py", NULL);
	check(roots, "", NULL);
}

static void the_newest_of_two_folders_counts_first(void **state)
{
	const char *const roots[2] = {"@/src", "@/new/"};

	(void)state;
	check(roots, "/x/net/layer.py", "new/net/layer.py");
	check(roots, "/x/net/train.py", "src/net/train.py");
}

static void a_folder_there_stands_for_one_here(void **state)
{
	const char *const roots[2] = {"/home/them/job/=@/src"};

	(void)state;
	check(roots, "/home/them/job/net/layer.py", "src/net/layer.py");
	check(roots, "/home/them/job/train.py", "src/train.py");
	check(roots, "/home/them/jobs/train.py", NULL);
	check(roots, "/elsewhere/train.py", NULL);
}

static void a_path_cannot_leave_its_folder(void **state)
{
	const char *const below[2] = {"@/src"}, *const mapped[2] = {"/job=@/src"};

	(void)state;
	check(below, "../secret.py", NULL);
	check(below, "/job/net/../../secret.py", NULL);
	check(mapped, "/job/../secret.py", NULL);
}

static void only_regular_files_are_found(void **state)
{
	const char *const roots[2] = {"@/src"};

	(void)state;
	check(roots, "/x/pipe.py", NULL);
	check(roots, "/x/net", NULL);
	check(roots, "/dev/zero", NULL);
}

static void a_folder_that_is_not_there_is_said(void **state)
{
	struct tfp_sources sources = {0};
	struct tfp_diag *diag = tfp_diag_new();

	(void)state;
	assert_false(tfp_sources_add(&sources, "/nowhere/at/all", diag));
	assert_non_null(strstr(tfp_diag_get(diag, 0).text, "/nowhere/at/all"));
	assert_false(tfp_sources_add(&sources, "/old=", diag));
	assert_int_equal(sources.roots.count, 0);
	tfp_sources_free(&sources);
	tfp_diag_free(diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_end_of_a_path_counts),
		cmocka_unit_test(the_newest_of_two_folders_counts_first),
		cmocka_unit_test(a_folder_there_stands_for_one_here),
		cmocka_unit_test(a_path_cannot_leave_its_folder),
		cmocka_unit_test(only_regular_files_are_found),
		cmocka_unit_test(a_folder_that_is_not_there_is_said),
	};

	return cmocka_run_group_tests_name("sources", tests, make_tree, remove_tree);
}
