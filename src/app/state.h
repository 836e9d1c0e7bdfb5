/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a person was in each profile or list, from one time to the next: one small file for each, below
 * $XDG_STATE_HOME.
 */
#ifndef TFPROF_APP_STATE_H
#define TFPROF_APP_STATE_H

#include "tfprof/load.h"
#include "ui/ui.h"

/*
 * The file that holds the place in the profile of the COUNT FILES, in ARENA. It is another one when a file
 * was changed; a folder, whose list it is, stays the same. NULL where there is no home, or a file is not
 * there.
 */
char *tfp_state_path(struct tfp_arena *arena, const struct tfp_named_file *files, size_t count);
/*
 * Reads PLACE, which is empty, from the file PATH. What is damaged is as what is not there. place->why,
 * in ARENA, says if nothing can be kept there.
 */
void tfp_state_read(struct tfp_ui_place *place, const char *path, struct tfp_arena *arena);
/* The same from BYTES. */
void tfp_state_parse(struct tfp_ui_place *place, struct tfp_span bytes);
/*
 * Writes PLACE to the file PATH, and removes the oldest files beside it where they are many. Nothing is
 * said when that fails: what is lost is only convenience.
 */
void tfp_state_write(const struct tfp_ui_place *place, const char *path);

#endif
