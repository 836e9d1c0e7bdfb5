/* SPDX-License-Identifier: Apache-2.0 */
/* What --help and the command help say. */
#ifndef TFPROF_APP_HELP_H
#define TFPROF_APP_HELP_H

#include <stdbool.h>
#include <stdio.h>

/* Usage with every option, to OUT. */
void tfp_help_all(FILE *out);
/* The commands and options of lines, to OUT. */
void tfp_help_lines(FILE *out);
/* What NAME is: a command, a view, an option of lines or of the command line, an old name. False: it is none. */
bool tfp_help_about(FILE *out, const char *name);

#endif
