/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting by name, fast for many long names with long common beginnings. */
#ifndef TFPROF_VIEW_NAMES_H
#define TFPROF_VIEW_NAMES_H

#include "tfprof/base.h"

struct tfp_named {
	struct tfp_span name;
	uint32_t id;  /* what is sorted; settles ties */
	uint64_t key; /* scratch: eight bytes of the name */
};

enum tfp_name_order {
	TFP_NAMES_BYTEWISE,
	TFP_NAMES_PATHS, /* '/' before every other byte: a scope stands right before what is in it */
};

/* False when cancelled: the order is then undefined. */
bool tfp_names_sort(struct tfp_named *items, size_t count, enum tfp_name_order order,
		    struct tfp_job *job);

#endif
