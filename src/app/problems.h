/* SPDX-License-Identifier: Apache-2.0 */
/* What was found wrong, for people who read standard error. */
#ifndef TFPROF_APP_PROBLEMS_H
#define TFPROF_APP_PROBLEMS_H

#include "tfprof/base.h"

/*
 * One line for each problem of DIAG from index FROM on, to standard error. Of a damaged file the damage that is first
 * in it, and how many more there are; of notes and warnings that several files have, but for numbers in them, the first, and in how
 * many others there is one.
 */
void tfp_problems_print(const struct tfp_diag *diag, size_t from);

#endif
