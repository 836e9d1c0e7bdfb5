/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scope view by HLO module: nodes go by where they stand in a compiled program, and what is inside of
 * an op, a fusion's contents, has rows below it, without figures.
 */
#ifndef TFPROF_VIEW_MODULES_H
#define TFPROF_VIEW_MODULES_H

#include "view/group/scopes.h"

struct tfp_modules {
	tfp_str *names; /* by node, then of the contents; NULL: nodes go by their names */
	uint32_t count; /* of these, or of nodes */
};

/* Reads contents where QUERY asks for modules and there are any. False when cancelled. Free in any case. */
bool tfp_modules_start(struct tfp_modules *modules, const struct tfp_build *build);
void tfp_modules_end(struct tfp_modules *modules);
/* Takes the figures from the rows of BASE, made of SCOPES, that stand for contents (TFP_ROW_PART). */
void tfp_modules_mark(const struct tfp_modules *modules, const struct tfp_scopes *scopes,
		      struct tfp_base *base);
/* One line about such a row. In ARENA. */
char *tfp_module_part_facts(const struct tfp_profile *profile, const struct tfp_base *base,
			    uint32_t row, struct tfp_arena *arena);

#endif
