/* SPDX-License-Identifier: Apache-2.0 */
/* What the screen begins with: the files of settings, and the command line over them. */
#ifndef TFPROF_APP_STARTUP_H
#define TFPROF_APP_STARTUP_H

#include "app/command.h"
#include "ui/ui.h"

struct tfp_startup {
	struct tfp_config config;     /* the files alone: what is saved compares with them */
	struct tfp_settings settings; /* with the command line */
	struct tfp_query query;
	struct tfp_ui_theme theme;
};

/* The theme that COMMAND names, if any, must be there, as everything that it names; false with an error. */
bool tfp_startup_theme(struct tfp_command *command, struct tfp_diag *diag);
/*
 * Faults of the files are warnings in DIAG, and the rest counts. False with an error when what the command
 * line names is not there. STARTUP is initialised either way; free it with tfp_startup_free, before COMMAND.
 */
bool tfp_startup_make(struct tfp_startup *startup, struct tfp_command *command,
		      struct tfp_diag *diag);
void tfp_startup_free(struct tfp_startup *startup);

#endif
