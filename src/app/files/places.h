/* SPDX-License-Identifier: Apache-2.0 */
/* Where settings and themes lie. */
#ifndef TFPROF_APP_PLACES_H
#define TFPROF_APP_PLACES_H

#include "tfprof/base.h"

/* The person's own folder, $XDG_CONFIG_HOME/tfprof or ~/.config/tfprof; NULL where neither is known. */
char *tfp_place_own(struct tfp_arena *arena);
/* The person's folder for what is kept between two times, $XDG_STATE_HOME/tfprof or ~/.local/state/tfprof. */
char *tfp_place_state(struct tfp_arena *arena);
/*
 * What came with the program: the folder that DEMO is in, and that of the themes. Either is named by the
 * environment, or installed, or lies beside or above the folder that the program is run from, as in a build tree.
 */
char *tfp_place_data(struct tfp_arena *arena);
char *tfp_place_themes(struct tfp_arena *arena);
/* PATH as a person writes it: ~/ is the home, what is relative is below FOLDER. */
char *tfp_place_path(struct tfp_arena *arena, const char *path, const char *folder);
/* The folder that the file PATH lies in. */
char *tfp_place_folder(struct tfp_arena *arena, const char *path);

#endif
