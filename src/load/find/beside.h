/* SPDX-License-Identifier: Apache-2.0 */
/* Files that lie beside recordings and hold nothing that the recording does not have, or cannot be read. */
#ifndef TFPROF_LOAD_BESIDE_H
#define TFPROF_LOAD_BESIDE_H

#include "tfprof/codec.h"

/* Why SOURCE is not to be opened, as a sentence's end; NULL: it is no such file. */
const char *tfp_beside_what(const struct tfp_source *source, const char *path);
/* Is it a recording in a container that cannot be read, so that something is missed without it? */
bool tfp_beside_missed(const struct tfp_source *source, const char *path);

#endif
