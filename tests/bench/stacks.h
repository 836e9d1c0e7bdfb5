/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of an OpLogProto for made nodes.
 */
#ifndef TESTS_BENCH_STACKS_H
#define TESTS_BENCH_STACKS_H

#include "put.h"
#include "records.h"

/* All zero at first. LOG is written out and emptied by whoever owns this, whenever it likes. */
struct stacks {
	struct put log;
	unsigned char *seen_lines; /* by file and line: the texts of those in use come at the end */
};

/* False without memory. */
bool stacks_begin(struct stacks *stacks);
void stacks_add(struct stacks *stacks, const char *name, const char *op,
		const struct node_facts *facts);
/* The table of strings. */
void stacks_end(struct stacks *stacks);
void stacks_free(struct stacks *stacks);

#endif
