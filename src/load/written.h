/* SPDX-License-Identifier: Apache-2.0 */
/* What profilers of XLA write of an instruction, into XPlanes and Chrome traces alike: its text with the shapes, and its source lines. */
#ifndef TFPROF_LOAD_WRITTEN_H
#define TFPROF_LOAD_WRITTEN_H

#include "tfprof/model.h"

/* Text being put together in a bounded room; what does not fit is left out, and shown by "…". */
struct tfp_hlo_text {
	char at[512];
	size_t size;
	bool full;
};
void tfp_hlo_put(struct tfp_hlo_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * The shapes of the operands of INSTRUCTION, "%fusion.1 = f32[8] fusion(f32[8] %x), …", "-> " and that of the result if there
 * are none; "" where it is none.
 */
void tfp_hlo_put_written(struct tfp_hlo_text *text, struct tfp_span instruction);

/* The stack that TEXT says, "FILE:LINE" by line, the innermost first; TFP_NONE: none. */
uint32_t tfp_written_stack(struct tfp_profile *profile, struct tfp_span text);

#endif
