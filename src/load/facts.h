/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of a file, added to a profile in preorder. */
#ifndef TFPROF_LOAD_FACTS_H
#define TFPROF_LOAD_FACTS_H

#include "tfprof/model.h"

struct tfp_facts {
	struct tfp_profile *profile;
};

/* Texts of a file, of which nobody reads more, as arguments of "%.*s". */
#define TFP_FACT_MOST  400
#define TFP_FACT(span) (int)((span).size < TFP_FACT_MOST ? (span).size : TFP_FACT_MOST), (span).at

/* Adds a fact below PARENT (TFP_NONE: a section) and returns it, to be the parent of others. */
uint32_t tfp_facts_add(struct tfp_facts *facts, uint32_t parent, struct tfp_span name,
		       const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
