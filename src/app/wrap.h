/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in lines that fit, broken between words. */
#ifndef TFPROF_APP_WRAP_H
#define TFPROF_APP_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* How wide the terminal OUT is; OTHERWISE where it is none. */
size_t tfp_wrap_width(FILE *out, size_t otherwise);
/*
 * Writes HEAD and behind it TEXT from cell COLUMN on, in lines of at most WIDTH cells (0: in one line), which go on
 * at COLUMN. A newline in TEXT ends a line. A word is never broken; a HEAD that is too wide has a line of its own.
 */
void tfp_wrap(FILE *out, const char *head, const char *text, size_t column, size_t width);

#endif
