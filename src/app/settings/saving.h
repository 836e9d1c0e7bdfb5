/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that were changed on the screen go into saved.yaml. */
#ifndef TFPROF_APP_SAVING_H
#define TFPROF_APP_SAVING_H

#include "app/settings/config.h"
#include "ui/ui.h"

/*
 * Puts CHANGES into the settings of the files, CONFIG, and writes what is not as in config.yaml. *PATH gets
 * the file's name. False with an error when that fails; file and settings are as before.
 */
bool tfp_saving_run(void *config, const struct tfp_ui_change *changes, size_t count,
		    const char **path, struct tfp_diag *diag);

#endif
