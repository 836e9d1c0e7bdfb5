/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of rows numbered in the order in which they come up: what is alike gets one number. */
#ifndef TFPROF_VIEW_KEYMAP_H
#define TFPROF_VIEW_KEYMAP_H

#include "tfprof/hash.h"
#include "tfprof/lookup.h"

struct tfp_keymap {
	struct tfp_lookup *table;
	struct tfp_hash_key secret;
	TFP_ARRAY(uint64_t) keys; /* by number */
};

void tfp_keymap_start(struct tfp_keymap *map);
void tfp_keymap_end(struct tfp_keymap *map);
/* The number of KEY, TFP_NONE if it has none. */
uint32_t tfp_keymap_find(const struct tfp_keymap *map, uint64_t key);
/* The number of KEY, the next one if it is new. */
uint32_t tfp_keymap_add(struct tfp_keymap *map, uint64_t key);

#endif
