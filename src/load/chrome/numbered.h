/* SPDX-License-Identifier: Apache-2.0 */
/* Events by a number that the file gives them, such as the correlation of a launch. Files have them in order, or nearly so. */
#ifndef TFPROF_LOAD_CHROME_NUMBERED_H
#define TFPROF_LOAD_CHROME_NUMBERED_H

#include "tfprof/base.h"

/* An event and its number. */
struct numbered {
	uint32_t number, event;
};

/* By number; those of one number keep their order. */
void numbered_sort(struct numbered *at, size_t count);
/* The first of the COUNT at AT, in order, that is not below NUMBER. HINT: where one near it was found, 0 at first. */
size_t numbered_place(const struct numbered *at, size_t count, uint32_t number, size_t hint);
/* The first event with that number, TFP_NONE; *HINT goes to where it was looked for. */
uint32_t numbered_find(const struct numbered *at, size_t count, uint32_t number, size_t *hint);

#endif
