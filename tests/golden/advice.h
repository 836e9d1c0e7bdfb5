/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: its words are our own, so names and figures are compared. */
#ifndef TESTS_GOLDEN_ADVICE_H
#define TESTS_GOLDEN_ADVICE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Does each line of WANT that has figures have a line in GOT with the same name and figures, in the same order, and do
 * both speak of the same kinds of op? What is missing is said in NOTES. Both end with a NUL.
 */
bool same_advice(FILE *notes, const char *want, const char *got);

#endif
