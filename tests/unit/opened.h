/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A world of files of the tests.
 */
#ifndef TFPROF_TESTS_OPENED_H
#define TFPROF_TESTS_OPENED_H

#include "asking.h"
#include "test_path.h"
#include "tfprof/load.h"

/* Begins WORLD with what is in FILES of the tests' folder, ended by a NULL. */
static inline void worked_open(struct worked_world *world, const char *const *files)
{
	struct tfp_named_file named[8] = {{0}};
	struct tfp_diag *diag = tfp_diag_new();
	struct tfp_arena arena = {0};
	char path[TEST_PATH];
	size_t count = 0;

	for (; count < sizeof(named) / sizeof(*named) && files[count]; count++)
		named[count].path =
			tfp_arena_printf(&arena, "%s", test_path(path, "%s", files[count]));
	worked_begin(world, tfp_load(named, count, NULL, diag));
	tfp_diag_free(diag);
	tfp_arena_free(&arena);
}

#define WORKED_OPEN(world, ...) worked_open((world), (const char *const[]){__VA_ARGS__, NULL})

#endif
