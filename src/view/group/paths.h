/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call paths of a profile's nodes as one tree of places: what code and functions views are made
 * of.
 */
#ifndef TFPROF_VIEW_PATHS_H
#define TFPROF_VIEW_PATHS_H

#include "view/base.h"
#include "view/group/frames.h"

/* A place on a path. Paths are numbered in the order they came up; path 0 is the root. */
struct tfp_path {
	uint32_t parent;            /* TFP_NONE: the root */
	uint32_t place : 31;        /* of tfp_frames */
	uint32_t in_table : 1;      /* other stacks may lead here too */
	uint32_t stack;             /* one that ends here; TFP_NONE: see tfp_paths_init */
	uint32_t first, last, next; /* children in the order they came up; TFP_NONE none */
};

struct tfp_paths {
	struct tfp_frames frames;
	TFP_ARRAY(struct tfp_path) paths;
	uint32_t *of_node; /* by node: the path that its stack is, TFP_NONE: none; see below */
	/* how the paths are found again */
	bool own_only;
	struct tfp_lookup *table;    /* from parent and place to path, where it is in_table */
	uint32_t *of_stack[2];       /* by stack: its path; [1] as a gradient's */
	TFP_ARRAY(uint32_t) waiting; /* stacks whose callers have no path yet */
};

/*
 * Starts with the root alone. With OWN_ONLY the frames of libraries, as QUERY has them, are left out, but for the
 * innermost of a stack that has no others. Needs TFP_PART_STACKS while in use.
 */
void tfp_paths_start(struct tfp_paths *paths, struct tfp_profile *profile, enum tfp_place place,
		     const struct tfp_query *query, bool own_only);
/* The path of STACK, made when it is new; as a GRADIENT's apart from others. */
uint32_t tfp_paths_add(struct tfp_paths *paths, uint32_t stack, bool gradient);
void tfp_paths_free(struct tfp_paths *paths);

/*
 * Makes the paths of all nodes that have a stack, as the code view wants them, and of_node. In
 * TensorFlow profiles a gradient takes the path of its forward op instead of its own, marked as a
 * gradient's unless gradients are merged, and stays out if there is none. In recordings the last path is that of all
 * nodes without a stack, if there are any: it has none either, and is called TFP_NO_STACK. No paths can be added after
 * this. False when cancelled.
 */
#define TFP_NO_STACK "no call stack"
bool tfp_paths_init(struct tfp_paths *paths, const struct tfp_build *build);

#endif
