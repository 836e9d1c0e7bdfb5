/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what stands out in a profile at first sight. The opening line and the summary view are
 * both made from them.
 */
#ifndef TFPROF_VIEW_FINDINGS_H
#define TFPROF_VIEW_FINDINGS_H

#include "tfprof/view.h"

#define TFP_MAX_FINDINGS 8

struct tfp_finding {
	const char *brief; /* a few words, for a line with all of them */
	const char *text;  /* the same as a sentence */
	struct tfp_target target;
};

/* Fills OUT; returns how many there are. Texts are in ARENA. */
size_t tfp_findings_list(const struct tfp_profile *profile, struct tfp_arena *arena,
			 struct tfp_finding out[TFP_MAX_FINDINGS]);

/* The same of a recording. */
size_t tfp_trace_findings(const struct tfp_profile *profile, struct tfp_arena *arena,
			  struct tfp_finding out[TFP_MAX_FINDINGS]);

#endif
