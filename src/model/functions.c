/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from who calls whom: which functions the graph reaches, how many nodes there are when all
 * calls are open, and which functions may be open when they are called.
 */
#include "model/private.h"

enum { UNSEEN, OPEN, DONE };

/* A function whose calls are being followed. */
struct visit {
	uint32_t function, next; /* call */
};

struct walker {
	struct tfp_profile *profile;
	uint8_t *state; /* by function */
	TFP_ARRAY(struct visit) open;
};

static void enter(struct walker *walker, uint32_t index)
{
	struct tfp_function *function = &walker->profile->functions.at[index];

	walker->state[index] = OPEN;
	function->expanded = function->nodes;
	*tfp_array_push(&walker->open) = (struct visit){index, function->call_first};
}

static void add(struct tfp_function *function, int64_t nodes)
{
	if (__builtin_add_overflow(function->expanded, nodes, &function->expanded))
		function->expanded = INT64_MAX;
}

/* Follows the next call of the function on top; one that is open already counts nothing. */
static void step(struct walker *walker)
{
	struct tfp_function *functions = walker->profile->functions.at;
	struct visit *visit = &walker->open.at[walker->open.count - 1];
	struct tfp_function *function = &functions[visit->function];
	uint32_t callee;

	if (visit->next == function->call_first + function->calls) {
		walker->state[visit->function] = DONE;
		walker->open.count--;
		return;
	}
	callee = walker->profile->calls.at[visit->next].callee;
	if (callee != TFP_NONE && walker->state[callee] == UNSEEN) {
		enter(walker, callee); /* and comes back to this call */
		return;
	}
	visit->next++;
	if (callee == TFP_NONE)
		return;
	if (walker->state[callee] == OPEN)
		functions[callee].recursive = true;
	else
		add(function, functions[callee].expanded);
}

static void walk(struct walker *walker, uint32_t function)
{
	if (walker->state[function] != UNSEEN)
		return;
	enter(walker, function);
	while (walker->open.count)
		step(walker);
}

/* Calls that lead to a function for the first time come back to find it done, which counts it. */
void tfp_functions_settle(struct tfp_profile *profile)
{
	size_t count = profile->functions.count;
	struct walker walker = {.profile = profile, .state = tfp_alloc_zero(count, 1)};

	for (uint32_t i = 0; i < profile->graph_calls; i++)
		if (profile->calls.at[i].callee != TFP_NONE)
			walk(&walker, profile->calls.at[i].callee);
	for (size_t i = 0; i < count; i++)
		profile->functions.at[i].reached = walker.state[i] == DONE;
	for (uint32_t i = 0; i < count; i++)
		walk(&walker, i);
	tfp_array_free(&walker.open);
	tfp_array_release(walker.state);
}
