/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty profile of TensorFlow's and a list of its problems: what a test fills, and who frees it.
 */
#ifndef TFPROF_TESTS_EMPTY_H
#define TFPROF_TESTS_EMPTY_H

#include "tfprof/model.h"

struct world {
	struct tfp_profile *profile;
	struct tfp_diag *diag;
};

static inline int set_up(void **state)
{
	struct world *world = tfp_alloc_zero(1, sizeof(*world));

	world->profile = tfp_profile_new();
	world->diag = tfp_diag_new();
	tfp_profile_make_tensorflow(world->profile);
	*state = world;
	return 0;
}

static inline int tear_down(void **state)
{
	struct world *world = *state;

	tfp_profile_free(world->profile);
	tfp_diag_free(world->diag);
	tfp_array_release(world);
	return 0;
}

#endif
