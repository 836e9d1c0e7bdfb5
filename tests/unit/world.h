/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An empty profile and a list of its problems: what a test fills, and who frees it.
 */
#ifndef TFPROF_TESTS_WORLD_H
#define TFPROF_TESTS_WORLD_H

#include <setjmp.h>
#include <stdlib.h>

#include "tfprof/model.h"

#include <cmocka.h>

struct world {
	struct tfp_diag *diag;
	struct tfp_profile *profile;
	struct tfp_trace *trace; /* the profile's, where a recording was read into it */
};

static inline int set_up(void **state)
{
	struct world *world = tfp_alloc_zero(1, sizeof(*world));

	world->diag = tfp_diag_new();
	world->profile = tfp_profile_new();
	*state = world;
	return 0;
}

/* The same for a profile of TensorFlow's. */
static inline int set_up_tensorflow(void **state)
{
	set_up(state);
	tfp_profile_make_tensorflow(((struct world *)*state)->profile);
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
