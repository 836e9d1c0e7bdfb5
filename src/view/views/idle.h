/* SPDX-License-Identifier: Apache-2.0 */
/* The idle view's own column, and sentences about idle devices. */
#ifndef TFPROF_VIEW_IDLE_H
#define TFPROF_VIEW_IDLE_H

#include "view/views/findings.h"
#include "view/views/gaps.h"

/* What a base of the idle view has besides its columns. Its memory is the base's. */
struct tfp_idle {
	struct tfp_gap *gaps;
	struct tfp_idleness *device; /* by device of the trace */
	uint64_t *main;              /* by device: the key of the row that is worth a word; 0 */
	uint32_t *python;            /* by lane */
};

/* What the row of gaps is known by that have no rows of their own, below their cause. */
#define TFP_IDLE_REST "shorter gaps"
/* Is ROW of the idle view such a row? */
static inline bool tfp_idle_is_rest(const struct tfp_base *base, uint32_t row)
{
	return row && base->key[row] ==
			      tfp_key_below(base->key[base->parent[row]], TFP_SPAN(TFP_IDLE_REST));
}

/* One line about a row: how long, how many, what it waited for. In ARENA. */
char *tfp_idle_facts(const struct tfp_profile *profile, const struct tfp_tree *tree, uint32_t row,
		     struct tfp_arena *arena);
/*
 * Fills OUT with what stands out about idle devices; false if nothing does. Texts in ARENA. Nothing of a
 * profile without a trace.
 */
bool tfp_idle_finding(const struct tfp_profile *profile, struct tfp_arena *arena,
		      struct tfp_finding *out);

#endif
