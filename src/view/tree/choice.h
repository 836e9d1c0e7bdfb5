/* SPDX-License-Identifier: Apache-2.0 */
/* How a choice of columns is written. */
#ifndef TFPROF_VIEW_CHOICE_H
#define TFPROF_VIEW_CHOICE_H

#include "tfprof/columns.h"

/* What a person adds is kept on a narrow screen before most of what comes with the lens. */
#define TFP_ADDED_PRIORITY 85

/* Columns of a metric that nothing else is told by are called so, with its key. */
#define TFP_TOTAL_PREFIX "total_"

/* Is WORD the name or the title of a column that needs no metric's key, whatever its case? */
bool tfp_column_meant(struct tfp_span word);

/* Has CHOICE (see choices in struct tfp_query; may be NULL) the total of METRIC? */
bool tfp_choice_has(const char *choice, const struct tfp_metric *metric);

/*
 * Puts those of COUNT OFFERS that CHOICE names in front, in its order, and marks them; names that none has become
 * offers, with texts in ARENA. Returns how many offers there are then.
 */
size_t tfp_choose(const char *choice, uint32_t lead_metric, struct tfp_arena *arena,
		  struct tfp_offer offers[TFP_MAX_OFFERS], size_t count);

/*
 * Takes VALUE, "VIEW:NAME,NAME:PRIORITY,…", into QUERY: the columns of that view, or of all where none is
 * named. No names: those that come with the lens. False with an error that says what would be valid.
 */
bool tfp_choice_set(struct tfp_query *query, const char *value, struct tfp_diag *diag);

#endif
