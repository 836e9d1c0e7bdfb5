/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph view: links to what is shown elsewhere, loops, and the graph turned round.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "worked.h"

/* Rows in natural order, indented by depth; links with what they are. In the world's arena. */
static char *rows_text(struct worked_world *world)
{
	const struct tfp_base *base = world->tree->base;
	uint32_t *depth = tfp_alloc_zero(base->count, sizeof(*depth));
	char *text = tfp_arena_text(&world->arena, "", 0);

	for (uint32_t row = 1; row < base->count; row++) {
		struct tfp_span label = tfp_base_label(base, row);
		bool loop = base->flags[row] & TFP_ROW_LOOP;

		depth[row] = depth[base->parent[row]] + (base->parent[row] != 0);
		text = tfp_arena_printf(&world->arena, "%s%*s%.*s%s\n", text, (int)depth[row] * 2,
					"", (int)label.size, label.at,
					loop                              ? " loop"
					: base->flags[row] & TFP_ROW_LINK ? " link"
									  : "");
	}
	free(depth);
	return text;
}

static void reports_have_no_links(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(worked_ask(&world, "graph", NULL));
	assert_string_equal(rows_text(&world), "_retval_fc/BiasAdd_0_0\n"
					       "gradients/fc/MatMul_grad/MatMul\n"
					       "  fc/BiasAdd\n"
					       "    fc/MatMul\n"
					       "      x\n"
					       "      fc/W/read\n"
					       "        fc/W\n"
					       "    fc/b\n");
	worked_end(&world);
}

static void links_lead_to_the_first_place(void **state)
{
	struct worked_world world;
	const struct tfp_base *base;
	uint32_t first, link;

	(void)state;
	worked_begin(&world, worked_profile(1));
	world.query.links = true;
	assert_non_null(worked_ask(&world, "graph", NULL));
	assert_string_equal(rows_text(&world), "_retval_fc/BiasAdd_0_0\n"
					       "gradients/fc/MatMul_grad/MatMul\n"
					       "  fc/BiasAdd\n"
					       "    fc/MatMul\n"
					       "      x\n"
					       "      fc/W/read\n"
					       "        fc/W\n"
					       "    fc/b\n"
					       "  fc/W/read link\n");
	base = world.tree->base;
	first = worked_row(&world, "fc/W/read");
	link = base->count - 1;
	assert_int_equal(tfp_base_place(base, link), first);
	assert_int_equal(tfp_base_place(base, first), first);
	assert_true(base->key[link] != base->key[first]);
	/* They add nothing. */
	assert_int_equal(tfp_tree_total(world.tree, link, TFP_TF_MICROS), 0);
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TF_MICROS), 1910);
	assert_int_equal(base->defined[0], 8);
	assert_int_equal(base->accounted_count, 8);
	WORKED_ASK(&world, "graph", "flat");
	assert_int_equal(world.tree->shown_count, 8);
	worked_end(&world);
}

static void links_are_not_found(void **state)
{
	struct worked_world world;
	struct tfp_matches matches;

	(void)state;
	worked_begin(&world, worked_profile(1));
	world.query.links = true;
	assert_non_null(worked_ask(&world, "graph", NULL));
	assert_true(tfp_tree_match(world.tree, "W/read", &matches, NULL));
	assert_int_equal(matches.before[world.tree->base->count], 1);
	tfp_matches_free(&matches);
	worked_end(&world);
}

static void turned_round(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	world.query.links = true;
	assert_non_null(WORKED_ASK(&world, "graph", "consumers"));
	assert_string_equal(rows_text(&world), "_retval_fc/BiasAdd_0_0\n"
					       "fc/W\n"
					       "  fc/W/read\n"
					       "    fc/MatMul\n"
					       "      fc/BiasAdd\n"
					       "        gradients/fc/MatMul_grad/MatMul\n"
					       "    gradients/fc/MatMul_grad/MatMul link\n"
					       "fc/b\n"
					       "  fc/BiasAdd link\n"
					       "x\n"
					       "  fc/MatMul link\n");
	assert_string_equal(tfp_query_command(&world.query, &world.arena), "graph --consumers");
	world.query.view = "scope";
	assert_string_equal(tfp_query_command(&world.query, &world.arena), "scope");
	worked_end(&world);
}

/* ---- a loop ---------------------------------------------------------------------------------- */

enum { LOOP_ENTER, LOOP_MERGE, LOOP_NEXT, LOOP_EXIT, LOOP_NODES };

static const struct {
	const char *name;
	int inputs[3]; /* -1 none */
} loop[LOOP_NODES] = {
	[LOOP_ENTER] = {"enter", {-1, -1, -1}},
	[LOOP_MERGE] = {"merge", {LOOP_ENTER, LOOP_NEXT, -1}},
	[LOOP_NEXT] = {"next", {LOOP_MERGE, LOOP_MERGE, LOOP_NEXT}},
	[LOOP_EXIT] = {"exit", {LOOP_MERGE, -1, -1}},
};

static bool fill_loop(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		      struct tfp_diag *diag)
{
	(void)parts;
	(void)data;
	(void)job;
	(void)diag;
	for (int node = 0; node < LOOP_NODES; node++) {
		for (int i = 0; i < 3 && loop[node].inputs[i] >= 0; i++)
			*tfp_array_push(&profile->inputs) =
				(struct tfp_input){.node = (uint32_t)loop[node].inputs[i]};
		profile->nodes.input_first[node + 1] = (uint32_t)profile->inputs.count;
	}
	return true;
}

static void loops_are_marked(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_provider provider = {
		.parts = TFP_PART_EDGES, .fill = fill_loop, .release = worked_release};
	struct worked_world world;

	(void)state;
	tfp_profile_make_tensorflow(profile);
	for (int node = 0; node < LOOP_NODES; node++)
		tfp_profile_add_node(profile, worked_string(profile, loop[node].name), 0);
	tfp_profile_add_provider(profile, &provider);
	profile->has_graph = true;
	tfp_profile_finish(profile);
	worked_begin(&world, profile);
	world.query.links = true;
	assert_non_null(worked_ask(&world, "graph", NULL));
	/* An input that is named twice is linked once. */
	assert_string_equal(rows_text(&world), "exit\n"
					       "  merge\n"
					       "    enter\n"
					       "    next\n"
					       "      merge loop\n"
					       "      next loop\n");
	assert_non_null(WORKED_ASK(&world, "graph", "consumers"));
	assert_string_equal(rows_text(&world), "enter\n"
					       "  merge\n"
					       "    next\n"
					       "      merge loop\n"
					       "      next loop\n"
					       "    exit\n");
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_have_no_links),
		cmocka_unit_test(links_lead_to_the_first_place),
		cmocka_unit_test(links_are_not_found),
		cmocka_unit_test(turned_round),
		cmocka_unit_test(loops_are_marked),
	};

	return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
