/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a terminal sends for a key, by the key's name in a script.
 */
#ifndef TESTS_SCREEN_KEYS_H
#define TESTS_SCREEN_KEYS_H

/* Chooses the terminal whose keys are meant. */
void keys_start(const char *term);
/*
 * Bytes of the key NAME ("Up", "F1", "Enter", "C-x"); NULL if none is called so, "" if the terminal has no such
 * key. A control key is put in *CONTROL, which is then returned and not ended by NUL.
 */
const char *keys_find(const char *name, char *control);

#endif
