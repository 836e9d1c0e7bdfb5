/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which row of a base an event counts for: the row of its node, in the steps view that of its step and rank, in the
 * device view that of its lane and name.
 */
#ifndef TFPROF_VIEW_PLACES_H
#define TFPROF_VIEW_PLACES_H

#include "view/base.h"

struct tfp_row_place;

struct tfp_places {
	const struct tfp_base *base;
	const struct tfp_profile *profile;
	const uint8_t *shown;     /* by row, 1: it counts; NULL: rows kept do */
	uint32_t *of_node;        /* rows by node; NULL: rows are found by more */
	struct tfp_lookup *table; /* to places in list */
	TFP_ARRAY(struct tfp_row_place) list;
	/* steps follow each other: each place knows which of its node was asked for next */
	uint32_t *last;   /* by node: the place asked for last, TFP_NONE */
	bool *owns;       /* by node: it has events of those that are asked for */
	uint32_t outside; /* the step of what is in none */
	size_t hint;
};

/* For events on lanes of KIND. SHOWN may be NULL. Freed by tfp_places_end. */
void tfp_places_start(struct tfp_places *places, const struct tfp_base *base, const uint8_t *shown,
		      const struct tfp_profile *profile, enum tfp_lane_kind kind);
/* The row of EVENT by PLACES; TFP_NONE: it counts for none. */
uint32_t tfp_places_find(void *places, uint32_t event);
void tfp_places_end(struct tfp_places *places);

#endif
