/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding of the terminal. */
#ifndef TFPROF_APP_ENCODING_H
#define TFPROF_APP_ENCODING_H

/*
 * Sets the locale's encoding as the environment says. Where that locale is not installed (a bare node) but its
 * name says UTF-8, the UTF-8 that there is; without any the encoding stays ASCII. Call it before any thread.
 */
void tfp_encoding_set(void);

#endif
