/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of accelerators that nodes ran on: parts of the breakdown by device. */
#ifndef TFPROF_VIEW_BREAK_STREAMS_H
#define TFPROF_VIEW_BREAK_STREAMS_H

#include "view/pane/breakdown.h"

/* What the nodes of one owner ran on one stream, or how much of it was one kernel. */
struct tfp_stream {
	uint32_t owner;
	tfp_str name;   /* of the stream's device */
	tfp_str kernel; /* 0: all that ran there */
	struct tfp_group group;
	int64_t whole; /* the value of all that ran there */
};

struct tfp_streams {
	struct tfp_stream *at;
	size_t count, room;
};

/*
 * Finds the streams of the nodes that have an OWNER: by node a number from 1 on, 0 none; and what ran there, as far
 * as it has names. Those of an owner lie together, the largest stream first, each before its kernels. OUT begins all
 * zero, to be freed by tfp_array_free. False when cancelled.
 */
bool tfp_streams_find(struct tfp_work *work, const uint32_t *owner, struct tfp_streams *out);

#endif
