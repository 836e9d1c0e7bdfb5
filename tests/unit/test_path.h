/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files are that tests read. */
#ifndef TFPROF_TESTS_TEST_PATH_H
#define TFPROF_TESTS_TEST_PATH_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define TEST_PATH 4096

/* Puts the path of the file that FORMAT names, in the folder of the tests, into PATH, which it returns. */
__attribute__((format(printf, 2, 3))) static inline char *test_path(char path[TEST_PATH],
								    const char *format, ...)
{
	const char *tests = getenv("TESTS_DIR");
	int size = snprintf(path, TEST_PATH, "%s/", tests ? tests : "tests");
	va_list args;

	va_start(args, format);
	vsnprintf(path + size, TEST_PATH - (size_t)size, format, args);
	va_end(args);
	return path;
}

#endif
