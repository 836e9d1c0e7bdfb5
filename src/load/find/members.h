/* SPDX-License-Identifier: Apache-2.0 */
/* Who recorded the files of one run: hosts, or ranks, in few words however many there are. */
#ifndef TFPROF_LOAD_MEMBERS_H
#define TFPROF_LOAD_MEMBERS_H

#include "load/find/ranked.h"

/* A file of a run. */
struct tfp_member {
	const char *host; /* by its place; NULL: that names none */
	const struct tfp_ranked *ranked;
};

/* "ranks 0-63", "host-a, host-b", of many names the first: of COUNT MEMBERS, one at least. In ARENA. */
const char *tfp_members_text(const struct tfp_member *members, size_t count,
			     struct tfp_arena *arena);

#endif
