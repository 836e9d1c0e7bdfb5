/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The main of a fuzz harness outside libFuzzer: feeds it every file of its corpus once, so that each
 * test run meets what fuzzing has found. fuzz_x reads $TESTS_DIR/fuzz/corpus/x, or the files and
 * folders given as arguments. Prints TAP; a crash ends the program, which the test driver notices.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy of exactly the file's size, so that the sanitizers see a read past its end. */
static void replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat info;
	uint8_t *data;
	size_t size;

	if (!file || fstat(fileno(file), &info)) {
		printf("Bail out! %s: %s\n", path, strerror(errno));
		exit(1);
	}
	data = malloc(info.st_size ? (size_t)info.st_size : 1);
	size = data ? fread(data, 1, (size_t)info.st_size, file) : 0;
	fclose(file);
	if (data)
		LLVMFuzzerTestOneInput(data, size);
	free(data);
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The files in PATH, in the order of their names, or PATH itself; returns how many. */
static size_t replay(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, no_dots, alphasort);

	if (count < 0 && errno == ENOENT)
		return 0;
	if (count < 0) {
		replay_file(path);
		return 1;
	}
	for (int i = 0; i < count; i++) {
		char *file;

		if (asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0)
			exit(1);
		replay_file(file);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return (size_t)count;
}

int main(int argc, char **argv)
{
	const char *tests = getenv("TESTS_DIR"), *name = program_invocation_short_name;
	char *corpus;
	size_t count = 0;

	if (!strncmp(name, "fuzz_", 5))
		name += 5;
	if (asprintf(&corpus, "%s/fuzz/corpus/%s", tests ? tests : "tests", name) < 0)
		return 1;
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++)
		count += replay(argv[i]);
	if (argc == 1)
		count = replay(corpus);
	printf("ok 1 - replayed %zu files\n1..1\n", count);
	free(corpus);
	return 0;
}
