/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of source files that lie on this machine. */
#ifndef TFP_UI_LINES_H
#define TFP_UI_LINES_H

#include "tfprof/breakdown.h"
#include "ui/pane/sources.h"

/*
 * Gives the rows of DETAIL that name a source line what stands around it, where the file is found and
 * has the text there that the profile holds, and the text where the profile holds none. What is not read by then when JOB is cancelled stays as it is.
 */
void tfp_lines_fill(struct tfp_breakdown *detail, const struct tfp_sources *sources,
		    struct tfp_job *job);

#endif
