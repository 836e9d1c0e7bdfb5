/* SPDX-License-Identifier: Apache-2.0 */
/* What a recording's place in a log folder of TensorBoard says of it. */
#ifndef TFPROF_LOAD_PLACE_H
#define TFPROF_LOAD_PLACE_H

#include "tfprof/load.h"

/* Fills run and host of FOUND, in ARENA, by PATH: ".../plugins/profile/RUN/HOST.xplane.pb"; "" where it is no such place. */
void tfp_place_read(struct tfp_found *found, const char *path, struct tfp_arena *arena);

#endif
