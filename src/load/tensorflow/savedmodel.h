/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of a SavedModel lie. */
#ifndef TFPROF_LOAD_SAVEDMODEL_H
#define TFPROF_LOAD_SAVEDMODEL_H

#include "tfprof/load.h"

/* The SavedModel's file in FOLDER, NULL if there is none; in ARENA. */
char *tfp_savedmodel_find(const char *folder, struct tfp_arena *arena);
/* The index of the variables of the SavedModel whose file is PATH, NULL if there is none; in ARENA. */
char *tfp_savedmodel_variables(const char *path, struct tfp_arena *arena);

#endif
