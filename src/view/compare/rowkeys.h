/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of rows numbered in the order in which they come up: what is alike gets one number. */
#ifndef TFPROF_VIEW_ROWKEYS_H
#define TFPROF_VIEW_ROWKEYS_H

#include "tfprof/hash.h"
#include "tfprof/lookup.h"

struct tfp_rowkeys {
	struct tfp_lookup *table;
	struct tfp_hash_key secret;
	TFP_ARRAY(uint64_t) keys; /* by number */
};

void tfp_rowkeys_start(struct tfp_rowkeys *map);
void tfp_rowkeys_end(struct tfp_rowkeys *map);
/* The number of KEY, TFP_NONE if it has none. */
uint32_t tfp_rowkeys_find(const struct tfp_rowkeys *map, uint64_t key);
/* The number of KEY, the next one if it is new. */
uint32_t tfp_rowkeys_add(struct tfp_rowkeys *map, uint64_t key);

#endif
