/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the stats of events lie. Those of one kind have the same stats in the same order, and most of their values are as
 * long as before: what was found out stat by stat of one event is compared with the bytes of the next, many at a time, and
 * values are taken from where they were.
 */
#ifndef TFPROF_LOAD_XPLANE_LAYOUTS_H
#define TFPROF_LOAD_XPLANE_LAYOUTS_H

#include "load/xplane/space.h"

#define TFP_XLAYOUT_MOST 128 /* bytes of stats, of those that are kept */
#define TFP_XLAYOUT_WORD 16  /* bytes that are read at a time */

/* Without any; to be freed by tfp_array_release. */
struct tfp_xlayouts *tfp_xlayouts_new(void);
/* Events of PLANE are to be read, their stats of the set WANTED: layouts of others are forgotten. */
void tfp_xlayouts_begin(struct tfp_xlayouts *layouts, const struct tfp_xplane *plane,
			uint64_t wanted);
/*
 * Takes the stats of an event of kind METADATA from AT on, SIZE bytes (not 0) and TFP_XLAYOUT_WORD behind them that may
 * be read, if they lie as those of another one. False: that is not known.
 */
bool tfp_xlayouts_take(struct tfp_xlayouts *layouts, const uint8_t *at, size_t size,
		       int64_t metadata, struct tfp_xvalues *values);
/*
 * The same stats were taken one by one: all are short and have short ids, and those wanted are numbers, of up to eight bytes
 * each.
 */
void tfp_xlayouts_learn(struct tfp_xlayouts *layouts, const uint8_t *at, size_t size,
			int64_t metadata, const struct tfp_xvalues *values);

#endif
