/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes by op type and input shapes.
 */
#ifndef TFPROF_VIEW_SIGNATURE_H
#define TFPROF_VIEW_SIGNATURE_H

#include "tfprof/model.h"

/*
 * Distinct signatures, found when asked for. Needs TFP_PART_EDGES and TFP_PART_SHAPES while in use.
 */
struct tfp_signatures {
	struct tfp_profile *profile; /* labels are interned in its strings */
	unsigned quirks;
	uint32_t *of_node;        /* by node: its signature, TFP_NONE: not asked for yet */
	struct tfp_lookup *exact; /* from op and input shapes to variant */
	struct tfp_lookup *named; /* from label to signature */
	TFP_ARRAY(struct tfp_variant) variants;
	TFP_ARRAY(tfp_str) label; /* by signature: "Conv2D 128x32x32x16 · 3x3x16x16" */
	TFP_ARRAY(tfp_str) op;    /* by signature */
};

void tfp_signatures_start(struct tfp_signatures *signatures, struct tfp_profile *profile,
			  unsigned quirks);
void tfp_signatures_end(struct tfp_signatures *signatures);

/* The signature of NODE, a small number: nodes whose op and label are equal have the same. */
uint32_t tfp_signature(struct tfp_signatures *signatures, uint32_t node);

#endif
