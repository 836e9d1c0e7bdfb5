/* SPDX-License-Identifier: Apache-2.0 */
/* The prompt of `tfprof shell`: command lines of the original, one after the other. */
#ifndef TFPROF_APP_SHELL_H
#define TFPROF_APP_SHELL_H

#include "tfprof/view.h"

/*
 * Reads lines from standard input until it ends and does what they say; QUERY has the options that hold from the
 * beginning. Reports go to standard output, what is wrong to standard error. False when a command failed.
 */
bool tfp_shell_run(struct tfp_engine *engine, const struct tfp_query *query);

#endif
