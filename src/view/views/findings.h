/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings: what stands out in a profile at first sight. The opening line and the summary view are
 * both made from them.
 */
#ifndef TFPROF_VIEW_FINDINGS_H
#define TFPROF_VIEW_FINDINGS_H

#include "tfprof/view.h"
#include "view/base.h"

#define TFP_MAX_FINDINGS 8

struct tfp_finding {
	const char *brief; /* a few words, for a line with all of them */
	const char *text;  /* the same as a sentence */
	struct tfp_target target;
	struct tfp_contrast contrast;
};

/* Fills OUT; returns how many there are. Texts are in ARENA. */
size_t tfp_findings_list(const struct tfp_profile *profile, struct tfp_arena *arena,
			 struct tfp_finding out[TFP_MAX_FINDINGS]);

/* The whole of VIEW. */
static inline struct tfp_target tfp_findings_root(const char *view)
{
	return (struct tfp_target){view, tfp_key_below(0, TFP_SPAN(TFP_ROOT_LABEL))};
}

/* Of a recording: the rank that stands out among several. False: none does; if they are ALIKE, OUT says that. */
bool tfp_rank_finding(const struct tfp_profile *profile, struct tfp_arena *arena,
		      struct tfp_finding *out, bool *alike);
/* Of a recording: that much of it was compiling. False: not so, or not known. */
bool tfp_compile_finding(const struct tfp_profile *profile, struct tfp_arena *arena,
			 struct tfp_finding *out);
/* The same of a recording. */
size_t tfp_trace_findings(const struct tfp_profile *profile, struct tfp_arena *arena,
			  struct tfp_finding out[TFP_MAX_FINDINGS]);

#endif
