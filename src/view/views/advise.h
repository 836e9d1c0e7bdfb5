/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice: what the checkers of TensorFlow's profiler look for.
 */
#ifndef TFPROF_VIEW_ADVISE_H
#define TFPROF_VIEW_ADVISE_H

#include "tfprof/view.h"

/* What a checker works with. */
struct tfp_adviser {
	struct tfp_engine *engine; /* for the expensive; NULL elsewhere will do */
	const struct tfp_profile *profile;
	bool compat; /* TensorFlow's accidents are repeated */
	struct tfp_advice *advice;
	const char *checker;
	struct tfp_job *job;
	struct tfp_diag *diag;
};

/*
 * Adds a line that leads to TARGET. Its texts are in the advice's arena; BRIEF, the same in a few words, may be NULL.
 */
void tfp_advise(struct tfp_adviser *adviser, const char *brief, const char *text,
		struct tfp_target target);
/* Adds a line that says what the checker lacks, and how that is made. */
void tfp_advise_skipped(struct tfp_adviser *adviser, const char *needs);

/* The checkers; false when a view failed or the job was cancelled. */
bool tfp_advise_accelerators(struct tfp_adviser *adviser);
bool tfp_advise_operations(struct tfp_adviser *adviser);
bool tfp_advise_expensive(struct tfp_adviser *adviser);

#endif
