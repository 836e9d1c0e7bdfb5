/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files that a profile names by their paths on the machine where it was made, and where they
 * lie on this one.
 */
#ifndef TFP_UI_SOURCES_H
#define TFP_UI_SOURCES_H

#include "tfprof/base.h"

/* A folder where sources lie; or, with from, the folder here that stands for one there. */
struct tfp_source_root {
	char *from; /* NULL: the longest end of a path that is there counts */
	char *to;
};

/* All zero: no roots. */
struct tfp_sources {
	TFP_ARRAY(struct tfp_source_root) roots;
};

/*
 * Adds "DIR" or "OLD=NEW"; a leading ~/ is the home folder. The newest counts first. False with an
 * error in DIAG when the folder is not there.
 */
bool tfp_sources_add(struct tfp_sources *sources, const char *text, struct tfp_diag *diag);
/* PATH from the home folder on where it begins with ~/, as a shell has it. In ARENA. */
char *tfp_sources_home(struct tfp_arena *arena, const char *path);
/* TO, uninitialised, gets the roots of FROM: for another thread. */
void tfp_sources_copy(struct tfp_sources *to, const struct tfp_sources *from);
void tfp_sources_free(struct tfp_sources *sources);

/* What is said of a function that is in no file. */
#define TFP_BUILT_IN "built in: it has no file"

/* False: PATH is of a function that is in no file, "" or "<frozen os>". */
bool tfp_sources_has_file(const char *path);

/*
 * The readable regular file that PATH of the profile stands for: what an OLD=NEW makes of it, else
 * PATH itself, else its longest end below a DIR. In ARENA; NULL when there is none. Asks the file
 * system only, and may be called by any thread while nobody adds.
 */
const char *tfp_sources_find(const struct tfp_sources *sources, struct tfp_arena *arena,
			     const char *path);

#endif
