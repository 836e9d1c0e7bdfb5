/* SPDX-License-Identifier: Apache-2.0 */
/* Small files of the person's own, written whole or not at all. */
#ifndef TFPROF_APP_SAVEFILE_H
#define TFPROF_APP_SAVEFILE_H

#include "tfprof/base.h"

/*
 * Writes BYTES to PATH by way of a file beside it that takes its name at the end, and makes the folders
 * above it. A link stays a link: the file that it leads to is replaced. Unlike an output file nothing is
 * ever written through, so on any failure (false, an error in DIAG) the old file is there as it was.
 */
bool tfp_savefile_write(const char *path, struct tfp_span bytes, struct tfp_diag *diag);

#endif
