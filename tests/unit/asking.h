/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile, a query of it, and the tree that answers: what tests of views do over and over.
 */
#ifndef TFPROF_TESTS_ASKING_H
#define TFPROF_TESTS_ASKING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tfprof/breakdown.h"
#include "tfprof/columns.h"

struct worked_world {
	struct tfp_engine *engine;
	struct tfp_query query;
	struct tfp_diag *diag;
	struct tfp_tree *tree;
	struct tfp_arena arena;
};

static inline void worked_begin(struct worked_world *world, struct tfp_profile *profile)
{
	*world = (struct worked_world){.engine = tfp_engine_new(profile), .diag = tfp_diag_new()};
	tfp_query_init(&world->query);
}

static inline void worked_end(struct worked_world *world)
{
	tfp_tree_release(world->tree);
	tfp_query_free(&world->query);
	tfp_engine_free(world->engine);
	tfp_diag_free(world->diag);
	tfp_arena_free(&world->arena);
}

/* A world of PROFILE as the state of a test, and its end. */
static inline int worked_set_up(void **state, struct tfp_profile *profile)
{
	struct worked_world *world = tfp_alloc(sizeof(*world));

	worked_begin(world, profile);
	*state = world;
	return 0;
}

static inline int worked_tear_down(void **state)
{
	worked_end(*state);
	tfp_array_release(*state);
	return 0;
}

/* Runs VIEW with OPTIONS, "name=value" or "flag" each, up to a NULL, on top of those set before. */
static inline struct tfp_tree *worked_ask(struct worked_world *world, const char *view,
					  const char *const *options)
{
	char name[64];

	world->query.view = view;
	for (; options && *options; options++) {
		const char *sign = strchr(*options, '=');
		size_t size = sign ? (size_t)(sign - *options) : strlen(*options);

		snprintf(name, sizeof(name), "%.*s", (int)size, *options);
		tfp_query_set(&world->query, name, sign ? sign + 1 : NULL, world->diag);
	}
	tfp_tree_release(world->tree);
	world->tree = tfp_engine_run(world->engine, &world->query, NULL, world->diag);
	return world->tree;
}

#define WORKED_ASK(world, view, ...)                                                               \
	worked_ask((world), (view), (const char *const[]){__VA_ARGS__, NULL})

/*
 * The tree as text: "label total" of METRIC in each line, two spaces before it for each level below
 * the root. In the world's arena.
 */
static inline char *worked_text(struct worked_world *world, uint32_t metric)
{
	const struct tfp_tree *tree = world->tree;
	uint32_t *waiting = tfp_alloc((size_t)tree->base->count * 2 * sizeof(*waiting));
	uint32_t *depth = tfp_alloc_zero(tree->base->count, sizeof(*depth)), count = 0;
	char *text = tfp_arena_text(&world->arena, "", 0);

	waiting[count++] = tree->root;
	while (count) {
		uint32_t row = waiting[--count], children = tree->child_count[row];
		struct tfp_span label = tfp_base_label(tree->base, row);

		text = tfp_arena_printf(&world->arena, "%s%*s%.*s %lld\n", text,
					(int)depth[row] * 2, "", (int)label.size, label.at,
					(long long)tfp_tree_total(tree, row, metric));
		tfp_tree_children(tree, row, waiting + count);
		for (uint32_t i = 0; i < children; i++)
			depth[waiting[count + i]] = depth[row] + 1;
		for (uint32_t i = 0; i < children / 2; i++) {
			uint32_t kept = waiting[count + i];

			waiting[count + i] = waiting[count + children - 1 - i];
			waiting[count + children - 1 - i] = kept;
		}
		count += children;
	}
	free(waiting);
	free(depth);
	return text;
}

/* The row with LABEL; TFP_NONE. */
static inline uint32_t worked_row(const struct worked_world *world, const char *label)
{
	for (uint32_t row = 0; row < world->tree->base->count; row++)
		if (tfp_span_is(tfp_base_label(world->tree->base, row), label))
			return row;
	return TFP_NONE;
}

#endif
