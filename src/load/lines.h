/* SPDX-License-Identifier: Apache-2.0 */
/* What the lines of a device say, which profilers of XLA write into XPlanes and Chrome traces by the same names. */
#ifndef TFPROF_LOAD_LINES_H
#define TFPROF_LOAD_LINES_H

#include "tfprof/base.h"

enum tfp_line {
	TFP_LINE_WORK, /* what the device did */
	TFP_LINE_OPS, /* the same by ops: recorded of a TPU, put together from its streams of a GPU */
	TFP_LINE_MODULES, /* which program ran: that it did something, where nothing says more */
	TFP_LINE_STEPS,
	TFP_LINE_REPEAT /* says again, in other words, what other lines say */
};

enum tfp_line tfp_line_of(struct tfp_span name);
/* "XLA Ops - from #12", which is made of stream 12, without that; else all of NAME. */
struct tfp_span tfp_line_without_stream(struct tfp_span name);

#endif
