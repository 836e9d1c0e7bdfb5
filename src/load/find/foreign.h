/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are given to this program and are none of its own. */
#ifndef TFPROF_LOAD_FOREIGN_H
#define TFPROF_LOAD_FOREIGN_H

#include "tfprof/codec.h"

#define TFP_FOREIGN_ROOM 256

/* Writes what SOURCE, which no loader knows, is, and what to do with it: a sentence to stand behind its PATH. False: it can't be told. */
bool tfp_foreign_what(const struct tfp_source *source, const char *path,
		      char what[TFP_FOREIGN_ROOM]);

#endif
