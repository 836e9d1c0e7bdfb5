/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a recording a row of the device view stands for, and how that is called.
 */
#ifndef TFPROF_VIEW_TRACK_H
#define TFPROF_VIEW_TRACK_H

#include "view/base.h"

/* Events of a device, a lane, a name, a work: TFP_NONE stands for all of them. */
struct tfp_track {
	uint32_t device, lane, work;
	tfp_str name;
};

/* What EVENT is called on its lane: its kernel or copy; a host's by its op, or its own label. */
tfp_str tfp_track_name(const struct tfp_profile *profile, uint32_t event);
/* Does EVENT of TRACE, the profile's or its whole, belong to TRACK? */
bool tfp_track_holds(const struct tfp_profile *profile, const struct tfp_trace *trace,
		     const struct tfp_track *track, uint32_t event);

#define TFP_VARIANT_ROOM 256
/* Is WORK told by the bytes that it moves? Of others these may be known, too. */
static inline bool tfp_work_moves(const struct tfp_trace_work *work)
{
	return work->class == TFP_WORK_COPY || work->class == TFP_WORK_FILL;
}

/* What works of one name may differ in. */
enum tfp_work_part {
	TFP_WORK_GRID = 1,
	TFP_WORK_BLOCK = 2,
	TFP_WORK_REGISTERS = 4,
	TFP_WORK_SHARED = 8,
	TFP_WORK_OCCUPANCY = 16,
	TFP_WORK_BYTES = 32,
	TFP_WORK_PARTS = 63,
};

/* "grid 8x2, block 256, 32 registers, 1.02KB shared, occupancy 50%": of PARTS those that are known; "" for none. */
char *tfp_variant_text(char text[TFP_VARIANT_ROOM], const struct tfp_trace_work *work,
		       unsigned parts);
/* The parts in which the two differ. */
unsigned tfp_variants_differ(const struct tfp_trace_work *a, const struct tfp_trace_work *b);
/*
 * The same in words, "16 blocks x 256 threads, 32 registers a thread, 1.02KB shared memory, occupancy 50%"; "" where
 * no grid is known.
 */
char *tfp_launch_text(char text[TFP_VARIANT_ROOM], const struct tfp_trace_work *work);
/* How many blocks, or threads, DIMS are. */
int64_t tfp_dims_extent(const int32_t dims[3]);
/* "8x2": dimensions of 1 at the end are not worth a word. Returns TEXT. */
char *tfp_dims_text(char *text, size_t room, const int32_t dims[3]);
/* The bytes of shared memory of a block; 0 where none are known. */
int64_t tfp_work_shared(const struct tfp_trace_work *work);

#endif
