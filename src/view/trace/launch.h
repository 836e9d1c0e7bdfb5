/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the kernels of a row of the device view were launched: blocks, threads, registers, shared memory, occupancy. What
 * stands for several kernels has of each figure the least and the most.
 */
#ifndef TFPROF_VIEW_LAUNCH_H
#define TFPROF_VIEW_LAUNCH_H

#include "view/base.h"
#include "tfprof/columns.h"

enum tfp_launch_figure {
	TFP_LAUNCH_GRID,  /* blocks */
	TFP_LAUNCH_BLOCK, /* threads of a block */
	TFP_LAUNCH_REGISTERS,
	TFP_LAUNCH_SHARED,    /* bytes */
	TFP_LAUNCH_OCCUPANCY, /* hundredths of a percent */
	TFP_LAUNCH_FIGURES    /* as TFP_COLUMN_LAUNCH and TFP_ORDER_LAUNCH have them */
};

struct tfp_launch {
	bool known[TFP_LAUNCH_FIGURES]; /* of one kernel at least: LEAST and MOST hold */
	int64_t least[TFP_LAUNCH_FIGURES], most[TFP_LAUNCH_FIGURES];
	/* of grid and block, where all are the same; first 0: they are not, or none is known */
	int32_t dims[2][3];
};

/* Adds a kernel, or what another row knows, to LAUNCH, at first all zero. */
void tfp_launch_add(struct tfp_launch *launch, const struct tfp_trace_work *work);
void tfp_launch_merge(struct tfp_launch *launch, const struct tfp_launch *other);

/* The figure that COLUMN is about; TFP_LAUNCH_FIGURES: it is about something else. */
enum tfp_launch_figure tfp_launch_of(const struct tfp_column *column);
/* The same of an order (TFP_ORDER_LAUNCH and above). */
enum tfp_launch_figure tfp_launch_ordered(int order);
/* What ROW has of FIGURE; NULL: nothing is known. */
const struct tfp_launch *tfp_launch_known(const struct tfp_base *base, uint32_t row,
					  enum tfp_launch_figure figure);
/* "8x2x1", of several the number of blocks or threads: "16", "4-16". EXACT: with every digit. Returns TEXT. */
char *tfp_launch_cell(char text[TFP_NUMBER_ROOM], const struct tfp_launch *launch,
		      enum tfp_launch_figure figure, bool exact);

#endif
