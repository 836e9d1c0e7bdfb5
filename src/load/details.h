/* SPDX-License-Identifier: Apache-2.0 */
/* What profilers write as text about a kernel, an HLO instruction or a copy. */
#ifndef TFPROF_LOAD_DETAILS_H
#define TFPROF_LOAD_DETAILS_H

#include "tfprof/trace.h"

/* Reads kernel_details into WORK. */
void tfp_xdetails_kernel(struct tfp_span details, struct tfp_trace_work *work);
/* The bytes that a copy or fill moved; 0: it does not say. */
int64_t tfp_xdetails_size(struct tfp_span details);
/* Is a kernel, or what an HLO instruction of this category or name does, one that moves data between devices? */
bool tfp_is_collective(struct tfp_span name);

#endif
