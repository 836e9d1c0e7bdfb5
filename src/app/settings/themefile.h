/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Themes in YAML: finding the file of a name, and reading it into what the screen takes.
 */
#ifndef TFPROF_APP_THEMEFILE_H
#define TFPROF_APP_THEMEFILE_H

#include "tfprof/view.h"
#include "ui/ui.h"

#define TFP_THEME_BUILTIN "default"

/*
 * The file of theme NAME: NAME itself where it holds a '/', else the person's own themes/NAME.yaml, else
 * the one that came with the program; "" for the theme that is compiled in. NULL: there is none. In ARENA.
 */
const char *tfp_themefile_find(struct tfp_arena *arena, const char *name);
/* The names that can be found without a '/', in the order of the alphabet. In ARENA. */
struct tfp_words tfp_themefile_names(struct tfp_arena *arena);

/*
 * Reads the theme NAME into THEME. What is wrong in the file is a warning in DIAG and stays as in the
 * theme that is compiled in; false, with that theme, when nothing could be read.
 */
bool tfp_themefile_load(const char *name, struct tfp_ui_theme *theme, struct tfp_diag *diag);
/* The same from the BYTES of the file named FILE. */
bool tfp_themefile_parse(struct tfp_span bytes, const char *file, struct tfp_ui_theme *theme,
			 struct tfp_diag *diag);

#endif
