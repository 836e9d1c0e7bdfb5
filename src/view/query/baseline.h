/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Baselines: what a query is compared with. The same base is built of each step compared with, or
 * of the other profile; its rows are matched by key, and what it measured becomes columns of the
 * base at hand.
 */
#ifndef TFPROF_VIEW_BASELINE_H
#define TFPROF_VIEW_BASELINE_H

#include "view/base.h"

/* In the order of the words in baseline.c. */
enum tfp_baseline_kind {
	TFP_BASELINE_MEAN,
	TFP_BASELINE_MEDIAN,
	TFP_BASELINE_STEP,
	TFP_BASELINE_FILE,
	TFP_BASELINE_RANK,
};

struct tfp_baseline {
	enum tfp_baseline_kind kind;
	int64_t step;     /* number, or the rank's */
	const char *file; /* what follows "file:" */
};

/* Steps by index, freed by the caller. */
struct tfp_step_set {
	uint32_t *at;
	size_t count;
};

/* Numbers of ranks, freed by the caller. */
struct tfp_rank_set {
	int64_t *at;
	size_t count;
};

/* Does QUERY compare ranks, not steps? Mean and median are of the other ranks where one is looked at. */
bool tfp_baseline_is_of_ranks(const struct tfp_query *query, const struct tfp_baseline *baseline);
/* The ranks that QUERY compares with; of one step those that have it, as it was not measured elsewhere. */
struct tfp_rank_set tfp_baseline_ranks(const struct tfp_profile *profile,
				       const struct tfp_query *query,
				       const struct tfp_baseline *baseline);
/* Reads TEXT, which is not empty. False with an error that lists what is valid. */
bool tfp_baseline_parse(const char *text, struct tfp_baseline *baseline, struct tfp_diag *diag);
/* Has PROFILE what QUERY is to be compared with? Other profiles are not looked at. */
bool tfp_baseline_check(const struct tfp_query *query, const struct tfp_profile *profile,
			struct tfp_diag *diag);
/* By step, but for what stands for none: did anything run? COUNT gets how many such steps there are. Freed by the caller. */
bool *tfp_steps_that_ran(const struct tfp_profile *profile, size_t *count);
/* The steps that step OWN (or TFP_STEP_MEAN) is compared with; of a file none. */
struct tfp_step_set tfp_baseline_steps(const struct tfp_profile *profile,
				       const struct tfp_baseline *baseline, uint32_t own);
/* What is compared with: numbers of steps, or of ranks. NUMBER is freed by the caller. */
struct tfp_others {
	int64_t *number;
	size_t count;
	bool ranks;
};
/* Those of QUERY; of a file none. Means and medians are of steps that have anything in the range that is looked at. */
struct tfp_others tfp_others_find(const struct tfp_profile *profile, const struct tfp_query *query,
				  const struct tfp_baseline *baseline);
/* Is BASE, which was built for QUERY, all that OTHERS are? */
bool tfp_others_are(const struct tfp_others *others, const struct tfp_base *base,
		    const struct tfp_profile *profile, const struct tfp_query *query);
/* Has RANK anything of the step STEP, an index in the steps of PROFILE, by its own markers? */
bool tfp_rank_has(const struct tfp_profile *profile, int64_t rank, uint32_t step);
/* Do RANK and OTHER both number their steps, or both count them? Else equal numbers are not of the same steps. */
bool tfp_ranks_number_alike(const struct tfp_trace *trace, int64_t rank, int64_t other);
/* Ranks that have nothing of STEP go: it was not measured there. */
void tfp_others_keep(struct tfp_others *others, const struct tfp_profile *profile, uint32_t step);
/* QUERY for the Ith of OTHERS; texts are borrowed. */
struct tfp_query tfp_others_query(const struct tfp_query *query, const struct tfp_others *others,
				  size_t i);
/* Of how many steps what QUERY has of PROFILE is the sum, in its range; 0: of one, or it is no sum. */
size_t tfp_steps_summed(const struct tfp_profile *profile, const struct tfp_query *query);
/* Can a value in FROM be told in TO? Times can: recordings have them in different units. */
bool tfp_unit_fits(enum tfp_unit to, enum tfp_unit from);
/* VALUE in FROM, told in TO, which fits. */
int64_t tfp_unit_convert(enum tfp_unit to, enum tfp_unit from, int64_t value);
/* What COUNT values, at least one, of one thing in several steps are together. Sorts them. */
int64_t tfp_baseline_fold(enum tfp_baseline_kind kind, int64_t *values, size_t count);
/* The middle value, of an even number the mean of the two in the middle. Sorts VALUES. */
int64_t tfp_median(int64_t *values, size_t count);

/* ---- bases --------------------------------------------------------------------------------- */

/*
 * A base for QUERY, from those kept or built and kept; the caller releases it. NULL as when
 * building.
 */
struct tfp_base *tfp_engine_base(struct tfp_engine *engine, const struct tfp_view *view,
				 const struct tfp_query *query, struct tfp_job *job,
				 struct tfp_diag *diag);
/* The engine of the profile that was added as the baseline TEXT; NULL. */
struct tfp_engine *tfp_engine_other(const struct tfp_engine *engine, const char *text);
/* Is it of the same files? */
bool tfp_engine_is_itself(const struct tfp_engine *engine, const char *text);
/*
 * The engine that QUERY's baseline means, and in THERE what to ask it for; texts are borrowed. NULL
 * with an error when there is none, or when it can't answer.
 */
struct tfp_engine *tfp_baseline_other(const struct tfp_engine *engine,
				      const struct tfp_query *query, struct tfp_query *there,
				      struct tfp_diag *diag);

/*
 * BASE, which was built for QUERY, with the columns of QUERY's baseline: a new base that holds it.
 * NULL: an error in DIAG, or cancelled.
 */
struct tfp_base *tfp_base_compare(struct tfp_engine *engine, struct tfp_base *base,
				  const struct tfp_query *query, struct tfp_job *job,
				  struct tfp_diag *diag);
/* A new base with the columns of BASE, which it holds. */
struct tfp_base *tfp_base_share(struct tfp_base *base);
/*
 * By row of THERE: the row of HERE with the same key, each taken once; TFP_NONE. Freed by the
 * caller.
 */
uint32_t *tfp_base_match(const struct tfp_base *here, const struct tfp_base *there);
/* Rows of BASE, whose flags are its own, are kept and count where those of THERE do. MATCH is that of the two, NULL: the same. */
void tfp_base_keep(struct tfp_base *base, const struct tfp_base *there, const uint32_t *match);
/*
 * HERE with THERE, a base of another profile, as its baseline. Rows that only THERE has are added;
 * METRIC[m] is THERE's metric for metric m of HERE, or TFP_NONE.
 */
struct tfp_base *tfp_base_join(struct tfp_base *here, struct tfp_base *there,
			       struct tfp_strings *strings, const uint32_t *metric);
/*
 * A base of the steps view (shared, its columns of the baseline zero) gets what other steps have.
 * False when cancelled.
 */
bool tfp_steps_compare(struct tfp_base *base, const struct tfp_profile *profile,
		       const struct tfp_baseline *baseline, struct tfp_job *job);
/*
 * What is in no step is compared with none, nor is a step of which nothing is in the range that is looked at, nor
 * the sum of a step that not all ranks have. Of BASE compared so, with its sides.
 */
void tfp_steps_set_apart(struct tfp_base *base, const struct tfp_profile *profile,
			 const struct tfp_baseline *baseline);
/* By step: is nothing of it in the range that is looked at? Freed by the caller. */
bool *tfp_steps_beyond(const struct tfp_profile *profile);
/* Is nothing of the step of that NUMBER, negative for none, in the range that is looked at? */
bool tfp_step_is_beyond(const struct tfp_profile *profile, int64_t number);
/* Nor what is in a step that none of the ranks OTHERS has. */
void tfp_ranks_set_apart(struct tfp_base *base, const struct tfp_profile *profile,
			 const struct tfp_others *others);
/*
 * Does QUERY in VIEW look at the self values of the baseline? Where it does not, a base may lack
 * them.
 */
bool tfp_baseline_needs_self(const struct tfp_query *query, const struct tfp_view *view);

#endif
