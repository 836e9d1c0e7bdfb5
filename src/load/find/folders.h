/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders among the files to be loaded: each stands for the one profile that it holds.
 */
#ifndef TFP_LOAD_FOLDERS_H
#define TFP_LOAD_FOLDERS_H

#include "tfprof/load.h"

struct tfp_file_list {
	struct tfp_named_file *at;
	size_t count, room;
};

/*
 * Adds the COUNT FILES to LIST, which tfp_array_free frees, folders as the files of their profile; new
 * paths are in ARENA. False, with an error in DIAG, where a folder holds no profile or several of them;
 * without one when JOB was cancelled.
 */
bool tfp_open_folders(struct tfp_file_list *list, const struct tfp_named_file *files, size_t count,
		      struct tfp_arena *arena, struct tfp_job *job, struct tfp_diag *diag);

#endif
