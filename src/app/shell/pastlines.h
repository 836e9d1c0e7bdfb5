/* SPDX-License-Identifier: Apache-2.0 */
/* Lines typed before, in a file with one a line, the oldest first. */
#ifndef TFPROF_APP_PASTLINES_H
#define TFPROF_APP_PASTLINES_H

#include "tfprof/base.h"

#define TFP_PASTLINES 1000 /* that are kept */

struct tfp_pastlines {
	TFP_ARRAY(char *) lines;
};

/* Reads PATH (NULL: nothing) into PAST, which is empty. What can't be read is as if it were not there. */
void tfp_pastlines_read(struct tfp_pastlines *past, const char *path);
/*
 * Adds LINE where it is not the last one again, and writes all to PATH (NULL: nowhere). Nothing is said when that
 * fails: what is lost is only convenience.
 */
void tfp_pastlines_add(struct tfp_pastlines *past, const char *line, const char *path);
void tfp_pastlines_free(struct tfp_pastlines *past);

#endif
