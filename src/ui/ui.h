/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ui: the full screen. The program hands over how to load, the query to begin with, and gets the terminal
 * back as it was.
 */
#ifndef TFPROF_UI_UI_H
#define TFPROF_UI_UI_H

#include "tfprof/view.h"

struct tfp_ui_config {
	/* Loads (or, on reload, loads again): called on the worker thread. NULL with errors in DIAG. */
	struct tfp_engine *(*load)(void *data, struct tfp_job *job, struct tfp_diag *diag);
	void *data;
	/* What to begin with; query.view NULL: the file's default view. Not changed. */
	const struct tfp_query *query;
	/* Asked first by the SIGBUS handler: true if the fault was mended (a mapped file shrank). */
	bool (*on_bus_error)(void *address);
};

/* Why no screen can be had on this terminal (unknown TERM …), or NULL. */
const char *tfp_ui_terminal_missing(void);

/*
 * Runs the screen until the user quits. Returns the exit status: 0, or 1 when nothing could be loaded
 * (errors in DIAG, the terminal restored).
 */
int tfp_ui_run(const struct tfp_ui_config *config, struct tfp_diag *diag);

#endif
