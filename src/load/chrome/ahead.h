/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that are taken apart before they are needed: while the thread that unpacks a file is far ahead of who reads it, it
 * takes records apart beyond that place. What it has of them is packed, for it goes from one core to another.
 */
#ifndef TFPROF_LOAD_CHROME_AHEAD_H
#define TFPROF_LOAD_CHROME_AHEAD_H

#include "tfprof/codec.h"
#include "load/chrome/record.h"

struct chrome_ahead;

/* Begins beyond AT in the text of SOURCE; NULL where SOURCE is all there. To be freed before SOURCE is. */
struct chrome_ahead *chrome_ahead_start(struct tfp_source *source, const char *at);
void chrome_ahead_free(struct chrome_ahead *ahead);
/*
 * What record_read would do with the record whose brace is AT, if that is done already; else NULL. Places that are asked
 * for only go up.
 */
const char *chrome_ahead_take(struct chrome_ahead *ahead, const char *at, struct record *record);

#endif
