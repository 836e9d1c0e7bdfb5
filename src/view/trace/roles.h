/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What devices and lanes are in their own file: two runs of a program, and two ranks of one run, give them other
 * numbers, by which nothing is found again.
 */
#ifndef TFPROF_VIEW_ROLES_H
#define TFPROF_VIEW_ROLES_H

#include "view/base.h"

/*
 * Keys by index of the trace's devices and lanes. The first are of names: "gpu 1" without the rank, or that it is the only
 * one there; streams without what ran on them. The second are of names without their numbers, and which of those it is:
 * streams by number, threads by who began first.
 */
struct tfp_roles {
	uint64_t *device[2], *lane[2];
};

/* The keys in ALIKE (see struct tfp_base) of ROW, a device below the root, or a lane below its device's row PARENT. */
void tfp_roles_device(const struct tfp_roles *roles, uint64_t *const alike[2], uint32_t row,
		      uint32_t device);
void tfp_roles_lane(const struct tfp_roles *roles, uint64_t *const alike[2], uint32_t row,
		    uint32_t parent, uint32_t lane);
/* The same of any other row, which is NAME below PARENT. */
void tfp_roles_row(uint64_t *const alike[2], uint32_t row, uint32_t parent, struct tfp_span name);

/*
 * Does the file say of other devices what they are, and not of DEVICE? Then it is a core that helps them, or what a library does beside
 * them, and that it is idle is nothing to be mended.
 */
bool tfp_stands_aside(const struct tfp_trace *trace, uint32_t device);

void tfp_roles_find(struct tfp_roles *roles, const struct tfp_profile *profile);
void tfp_roles_free(struct tfp_roles *roles);

#endif
