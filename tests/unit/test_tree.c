/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees: what filters hide and how they say so, lists, zoom, search, orders; names and graphs that are
 * very deep.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "view/group/names.h"
#include "worked.h"

#define DEEP 50000 /* ends the original */

/* ---- filters ------------------------------------------------------------------------------------ */

static void hides_and_says_how_much(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(worked_ask(&world, "graph", NULL));
	assert_int_equal(world.tree->shown_count, 8);
	assert_int_equal(world.tree->hidden_count, 0);
	assert_non_null(WORKED_ASK(&world, "graph", "hide_name_regexes=fc/.*"));
	assert_int_equal(world.tree->shown_count, 3);
	assert_int_equal(world.tree->hidden_count, 5);
	assert_int_equal(world.tree->hidden[TFP_TF_MICROS], 1773);
	assert_int_equal(world.tree->hidden[TFP_TF_BYTES], 1536);
	/* x, whose consumers are hidden, moves up to the nearest one shown. */
	assert_int_equal(tfp_tree_shown_parent(world.tree,
					       world.tree->base->parent[worked_row(&world, "x")]),
			 worked_row(&world, "gradients/fc/MatMul_grad/MatMul"));
	assert_non_null(WORKED_ASK(&world, "graph", "hide_name_regexes=fc/M.*"));
	assert_int_equal(world.tree->hidden_count, 1);
	assert_int_equal(world.tree->hidden[TFP_TF_MICROS], 1750);
	worked_end(&world);
}

static void filters_move_rows_up(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", "show_name_regexes=.*MatMul");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1910\n"
			    "  fc/MatMul 1750\n"
			    "  gradients/fc/MatMul_grad/MatMul 130\n");
	WORKED_ASK(&world, "scope", "context");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1910\n"
			    "  fc 1773\n"
			    "    fc/MatMul 1750\n"
			    "  gradients 130\n"
			    "    gradients/fc 130\n"
			    "      gradients/fc/MatMul_grad 130\n"
			    "        gradients/fc/MatMul_grad/MatMul 130\n");
	assert_int_equal(world.tree->shown[worked_row(&world, "fc")], 2);
	assert_int_equal(world.tree->shown[worked_row(&world, "fc/MatMul")], 1);
	worked_end(&world);
}

static void text_filters_are_literal(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", "show_text=matmul", "hide_text=grad");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  fc/MatMul 1750\n");
	WORKED_ASK(&world, "scope", "show_text=", "hide_text=", "start_text=W", "trim_text=x");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  fc/W 3\n"
								"    fc/W/read 1\n");
	worked_end(&world);
}

static void trims_and_depth_cut(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", "trim_name_regexes=fc|grad.*");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  _retval_fc 7\n"
								"    _retval_fc/BiasAdd_0_0 7\n"
								"  fc 1773\n"
								"  gradients 130\n"
								"  x 0\n");
	WORKED_ASK(&world, "scope", "max_depth=2", "trim_name_regexes=");
	assert_int_equal(world.tree->shown_count, 4);
	WORKED_ASK(&world, "scope", "max_depth=0");
	assert_int_equal(world.tree->shown_count, 0);
	WORKED_ASK(&world, "scope", "max_depth=10", "trim_name_regexes=.*");
	assert_int_equal(world.tree->shown_count, 0);
	/* In the code view what is trimmed goes too. */
	WORKED_ASK(&world, "code", "trim_name_regexes=dense.py.*", "hide_name_regexes=.*grad.*");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1903\n"
								"  train.py:10:main 1773\n"
								"  train.py:8:main 0\n");
	worked_end(&world);
}

static void minimums_hide_small_rows(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", "min_micros=130", "order_by=micros");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1910\n"
			    "  fc 1773\n"
			    "    fc/MatMul 1750\n"
			    "  gradients 130\n"
			    "    gradients/fc 130\n"
			    "      gradients/fc/MatMul_grad 130\n"
			    "        gradients/fc/MatMul_grad/MatMul 130\n");
	/* Parameters are compared by what a row has itself. */
	WORKED_ASK(&world, "scope", "min_micros=0", "min_params=1", "order_by=params");
	assert_string_equal(worked_text(&world, TFP_TF_PARAMS), "_TFProfRoot 15\n"
								"  fc/W 12\n"
								"  fc/b 3\n");
	worked_end(&world);
}

static void negative_sums_hide_at_a_minimum_of_zero(void **state)
{
	struct tfp_profile *profile = worked_profile(1);
	struct worked_world world;

	(void)state;
	profile->cells
		.value[profile->nodes.cell[WORKED_BIAS] * profile->cell_columns + TFP_CELL_BYTES] =
		-4000;
	worked_begin(&world, profile);
	WORKED_ASK(&world, "scope", "order_by=bytes", "max_depth=3");
	assert_string_equal(worked_text(&world, TFP_TF_BYTES), "_TFProfRoot -2464\n"
							       "  fc/MatMul 1280\n"
							       "  fc/W 256\n"
							       "  _retval_fc 0\n"
							       "    _retval_fc/BiasAdd_0_0 0\n"
							       "  fc/b 0\n"
							       "  gradients 0\n"
							       "    gradients/fc 0\n"
							       "  x 0\n");
	worked_end(&world);
}

/* ---- lists, zoom, search ------------------------------------------------------------------------ */

static void flat_lists_rank_what_has_values(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", "flat", "order_by=micros", "max_depth=100");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "_TFProfRoot 1910\n"
			    "  fc/MatMul 1750\n"
			    "  gradients/fc/MatMul_grad/MatMul 130\n"
			    "  fc/BiasAdd 20\n"
			    "  _retval_fc/BiasAdd_0_0 7\n"
			    "  fc/W 2\n"
			    "  fc/W/read 1\n"
			    "  fc/b 0\n"
			    "  x 0\n");
	WORKED_ASK(&world, "scope", "reverse", "hide_text=fc");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 1910\n"
								"  x 0\n");
	worked_end(&world);
}

static void zoom_makes_a_row_the_root(void **state)
{
	struct worked_world world;
	uint32_t row;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", "zoom=fc/W");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "fc/W 3\n"
								"  fc/W/read 1\n");
	assert_null(WORKED_ASK(&world, "scope", "zoom=nothing"));
	assert_int_equal(tfp_diag_errors(world.diag), 1);
	WORKED_ASK(&world, "code", "zoom=train.py:10:main > dense.py:23:fully_connected_l...");
	assert_string_equal(worked_text(&world, TFP_TF_MICROS),
			    "dense.py:23:fully_connected_l... 1750\n");
	row = world.tree->root;
	assert_string_equal(tfp_tree_zoom(world.tree, row, &world.arena),
			    "dense.py:23:fully_connected_l...");
	WORKED_ASK(&world, "code", "zoom=");
	assert_int_equal(world.tree->root, 0);
	worked_end(&world);
}

static void sorts_by_self(void **state)
{
	struct worked_world world;
	uint32_t rows[64];

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "op", "order_by=self:micros");
	assert_int_equal(world.tree->order_metric, TFP_ORDER_SELF + TFP_TF_MICROS);
	WORKED_ASK(&world, "scope", "order_by=self:micros", "max_depth=9");
	tfp_tree_children(world.tree, 0, rows);
	for (uint32_t i = 1; i < world.tree->child_count[0]; i++)
		assert_true(tfp_tree_self(world.tree, rows[i - 1], TFP_TF_MICROS) >=
			    tfp_tree_self(world.tree, rows[i], TFP_TF_MICROS));
	worked_end(&world);
}

/* The children of the root in the order asked for, each with no more of what is counted than the one before. */
static void check_order(const struct worked_world *world,
			double (*count)(const struct tfp_tree *tree, uint32_t row))
{
	uint32_t rows[64];

	assert_true(world->tree->child_count[0] > 1);
	tfp_tree_children(world->tree, 0, rows);
	for (uint32_t i = 1; i < world->tree->child_count[0]; i++)
		assert_true(count(world->tree, rows[i - 1]) >= count(world->tree, rows[i]));
}

static double operations_a_second(const struct tfp_tree *tree, uint32_t row)
{
	int64_t time = tfp_tree_total(tree, row, TFP_TF_MICROS);

	return time > 0 ? (double)tfp_tree_total(tree, row, TFP_TF_FLOAT_OPS) / (double)time : -1;
}

static double nodes(const struct tfp_tree *tree, uint32_t row)
{
	return (double)tfp_tree_nodes(tree, row);
}

static double baseline(const struct tfp_tree *tree, uint32_t row)
{
	return (double)tfp_tree_baseline(tree, row, TFP_TF_MICROS);
}

static void sorts_by_each_column_of_figures(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(2));
	WORKED_ASK(&world, "op", "order_by=rate:float_ops");
	assert_int_equal(world.tree->order_metric, TFP_ORDER_RATE + TFP_TF_FLOAT_OPS);
	check_order(&world, operations_a_second);
	WORKED_ASK(&world, "op", "order_by=rate");
	assert_int_equal(world.tree->order_metric, TFP_ORDER_RATE + TFP_TF_FLOAT_OPS);
	WORKED_ASK(&world, "op", "order_by=defined");
	check_order(&world, nodes);
	WORKED_ASK(&world, "code", "order_by=defined");
	check_order(&world, nodes);
	WORKED_ASK(&world, "op", "order_by=baseline:micros", "baseline=step:0");
	check_order(&world, baseline);
	assert_null(WORKED_ASK(&world, "op", "baseline="));
	assert_string_equal(tfp_order_word(TFP_ORDER_BASELINE + 1), "baseline");
	assert_null(tfp_order_word(1));
	assert_null(tfp_order_word(TFP_ORDER_NODES));
	worked_end(&world);
}

static void search_counts_matches_before_each_row(void **state)
{
	struct worked_world world;
	struct tfp_matches matches;
	uint32_t row, end;

	(void)state;
	worked_begin(&world, worked_profile(1));
	worked_ask(&world, "scope", NULL);
	assert_true(tfp_tree_match(world.tree, "matmul", &matches, NULL));
	assert_int_equal(matches.before[world.tree->base->count], 3);
	row = worked_row(&world, "gradients");
	end = world.tree->base->end[row];
	assert_int_equal(matches.before[end] - matches.before[row], 2);
	tfp_matches_free(&matches);
	/* what is in the name of the row above is found there alone, what begins there and ends below is found below */
	assert_true(tfp_tree_match(world.tree, "matmul_grad", &matches, NULL));
	assert_int_equal(matches.before[world.tree->base->count], 1);
	tfp_matches_free(&matches);
	assert_true(tfp_tree_match(world.tree, "fc/matmul", &matches, NULL));
	assert_int_equal(matches.before[world.tree->base->count], 2);
	tfp_matches_free(&matches);
	assert_true(tfp_tree_match(world.tree, "Matmul", &matches, NULL));
	assert_int_equal(matches.before[world.tree->base->count], 0);
	tfp_matches_free(&matches);
	worked_end(&world);
}

static void keys_last_over_queries_and_views(void **state)
{
	struct worked_world world;
	uint64_t node, scope;

	(void)state;
	worked_begin(&world, worked_profile(1));
	worked_ask(&world, "scope", NULL);
	node = world.tree->base->key[worked_row(&world, "fc/MatMul")];
	scope = world.tree->base->key[worked_row(&world, "fc")];
	worked_ask(&world, "graph", NULL);
	assert_int_equal(tfp_tree_find(world.tree, node), worked_row(&world, "fc/MatMul"));
	assert_int_equal(tfp_tree_find(world.tree, scope), TFP_NONE);
	WORKED_ASK(&world, "scope", "step=0", "hide_name_regexes=fc");
	assert_int_equal(tfp_tree_find(world.tree, scope), TFP_NONE);
	WORKED_ASK(&world, "scope", "hide_name_regexes=x");
	assert_int_equal(tfp_tree_find(world.tree, scope), worked_row(&world, "fc"));
	worked_end(&world);
}

static void names_are_short_below_their_scope(void **state)
{
	struct worked_world world;
	struct tfp_span name;

	(void)state;
	worked_begin(&world, worked_profile(1));
	worked_ask(&world, "scope", NULL);
	name = tfp_tree_name(world.tree, worked_row(&world, "fc/W/read"),
			     worked_row(&world, "fc/W"));
	assert_true(tfp_span_equal(name, TFP_SPAN("read")));
	name = tfp_tree_name(world.tree, worked_row(&world, "fc/W/read"), 0);
	assert_true(tfp_span_equal(name, TFP_SPAN("fc/W/read")));
	worked_end(&world);
}

static void cancelled_queries_give_nothing(void **state)
{
	struct worked_world world;
	struct tfp_job job = {0};

	(void)state;
	worked_begin(&world, worked_profile(1));
	world.query.view = "scope";
	atomic_store(&job.cancel, true);
	assert_null(tfp_engine_run(world.engine, &world.query, &job, world.diag));
	assert_int_equal(tfp_diag_count(world.diag), 0);
	assert_non_null(worked_ask(&world, "scope", NULL));
	worked_end(&world);
}

/* ---- names -------------------------------------------------------------------------------------- */

static struct tfp_profile *profile_of(const char *const *names, size_t count)
{
	struct tfp_profile *profile = tfp_profile_new();

	tfp_profile_make_tensorflow(profile);
	for (size_t i = 0; i < count; i++)
		tfp_profile_add_node(profile, worked_string(profile, names[i]),
				     worked_string(profile, "Op"));
	tfp_profile_finish(profile);
	return profile;
}

static void odd_names_have_their_scopes(void **state)
{
	static const char *const names[] = {"a-b", "a/c", "a!", "/x", "b/", "b", "a//d", "//y"};
	struct worked_world world;

	(void)state;
	worked_begin(&world, profile_of(names, sizeof(names) / sizeof(*names)));
	worked_ask(&world, "scope", NULL);
	assert_string_equal(worked_text(&world, TFP_TF_MICROS), "_TFProfRoot 0\n"
								"   0\n"
								"    / 0\n"
								"      //y 0\n"
								"    /x 0\n"
								"  a 0\n"
								"    a/ 0\n"
								"      a//d 0\n"
								"    a/c 0\n"
								"  a! 0\n"
								"  a-b 0\n"
								"  b 0\n"
								"    b/ 0\n");
	worked_end(&world);
}

static int compare_items(const void *left, const void *right)
{
	const struct tfp_named *a = left, *b = right;
	int order = tfp_span_compare(a->name, b->name);

	return order ? order : a->id < b->id ? -1 : a->id > b->id;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

/* Names of few different bytes, with long common beginnings, NULs and repeats. */
static void names_sort_as_bytes_compare(void **state)
{
	enum { COUNT = 3000, ROOM = 40 };
	struct tfp_named *items = tfp_alloc_zero(COUNT, sizeof(*items));
	struct tfp_named *wanted = tfp_alloc_zero(COUNT, sizeof(*wanted));
	char *bytes = tfp_alloc(COUNT * ROOM);
	uint32_t seed = 1;

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		char *name = bytes + i * ROOM;
		size_t size = next_random(&seed) % ROOM, same = next_random(&seed) % ROOM;

		for (size_t k = 0; k < size; k++)
			name[k] = k < same ? 'a' : "\0/0a\xff"[next_random(&seed) % 5];
		items[i] = wanted[i] = (struct tfp_named){{name, size}, i, 0};
	}
	qsort(wanted, COUNT, sizeof(*wanted), compare_items);
	assert_true(tfp_names_sort(items, COUNT, TFP_NAMES_BYTEWISE, NULL));
	for (uint32_t i = 0; i < COUNT; i++)
		assert_int_equal(items[i].id, wanted[i].id);
	free(items);
	free(wanted);
	free(bytes);
}

static void orders_are_stable_both_ways(void **state)
{
	enum { COUNT = 500 };
	struct tfp_profile *profile = tfp_profile_new();
	struct worked_world world;
	uint32_t rows[COUNT], seed = 7;

	(void)state;
	tfp_profile_make_tensorflow(profile);
	for (int i = 0; i < COUNT; i++) {
		char name[16];
		uint32_t node;

		snprintf(name, sizeof(name), "n%d", i);
		node = tfp_profile_add_node(profile, worked_string(profile, name), 0);
		profile->nodes.float_ops[node] = next_random(&seed) % 50 * 1000 - 5000;
	}
	tfp_profile_finish(profile);
	worked_begin(&world, profile);
	WORKED_ASK(&world, "scope", "min_float_ops=-9999");
	assert_int_equal(world.tree->child_count[0], COUNT);
	for (int reverse = 0; reverse < 2; reverse++) {
		tfp_tree_children_by(world.tree, 0, TFP_TF_FLOAT_OPS, reverse, rows);
		for (int i = 1; i < COUNT; i++) {
			int64_t a = tfp_tree_self(world.tree, rows[i - 1], TFP_TF_FLOAT_OPS);
			int64_t b = tfp_tree_self(world.tree, rows[i], TFP_TF_FLOAT_OPS);

			assert_true(a == b ? rows[i - 1] < rows[i] : reverse ? a < b : a > b);
		}
		tfp_tree_children_by(world.tree, 0, TFP_ORDER_NAME, reverse, rows);
		for (int i = 1; i < COUNT; i++)
			assert_true(rows[i] - rows[i - 1] == (reverse ? UINT32_MAX : 1));
	}
	worked_end(&world);
}

/* ---- depth -------------------------------------------------------------------------------------- */

static void deep_names_cost_no_more_than_their_bytes(void **state)
{
	char *name = tfp_alloc(2 * DEEP + 2);
	const char *names[] = {name, name + 2};
	struct worked_world world;
	struct tfp_base *base;

	(void)state;
	for (size_t i = 0; i < DEEP; i++)
		memcpy(name + 2 * i, "a/", 2);
	memcpy(name + 2 * DEEP, "b", 2);
	worked_begin(&world, profile_of(names, 2));
	WORKED_ASK(&world, "scope", "max_depth=1000000", "hide_text=zzz", "show_text=a");
	base = world.tree->base;
	assert_int_equal(base->count, DEEP + 3);
	assert_int_equal(world.tree->shown_count, DEEP + 2);
	assert_int_equal(base->defined[0], DEEP + 2);
	assert_true(base->arena.bytes < 400 * DEEP);
	tfp_tree_shown_parent(world.tree, base->count - 1);
	WORKED_ASK(&world, "scope", "account_displayed_op_only", "hide_name_regexes=a/a");
	assert_int_equal(world.tree->defined[0], DEEP + 2);
	worked_end(&world);
	free(name);
}

struct chain {
	uint32_t count;
};

static bool fill_chain(struct tfp_profile *profile, unsigned parts, void *data, struct tfp_job *job,
		       struct tfp_diag *diag)
{
	(void)data;
	(void)job;
	(void)diag;
	for (uint32_t i = 0; parts & TFP_PART_EDGES && i < profile->nodes.count; i++) {
		/* Each takes the one before it, and in vain the one behind. */
		for (int k = 0; k < 2; k++)
			*tfp_array_push(&profile->inputs) = (struct tfp_input){
				.node = i + 2 * (uint32_t)k - 1 < profile->nodes.count - 1
						? i + 2 * (uint32_t)k - 1
						: TFP_NONE,
			};
		profile->nodes.input_first[i + 1] = (uint32_t)profile->inputs.count;
	}
	return true;
}

static void no_release(void *data)
{
	(void)data;
}

static void deep_graphs_are_walked(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_provider provider = {
		.parts = TFP_PART_EDGES, .fill = fill_chain, .release = no_release};
	struct worked_world world;

	(void)state;
	tfp_profile_make_tensorflow(profile);
	for (uint32_t i = 0; i < DEEP; i++) {
		char name[16];

		snprintf(name, sizeof(name), "n%u", i);
		tfp_profile_add_node(profile, worked_string(profile, name), 0);
		profile->nodes.float_ops[i] = 1;
	}
	tfp_profile_add_provider(profile, &provider);
	tfp_profile_finish(profile);
	worked_begin(&world, profile);
	WORKED_ASK(&world, "graph", "max_depth=1000000", "order_by=float_ops", "select=float_ops");
	assert_int_equal(world.tree->shown_count, DEEP);
	assert_int_equal(tfp_tree_total(world.tree, 0, TFP_TF_FLOAT_OPS), DEEP);
	assert_int_equal(world.tree->child_count[1], 1);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hides_and_says_how_much),
		cmocka_unit_test(filters_move_rows_up),
		cmocka_unit_test(text_filters_are_literal),
		cmocka_unit_test(trims_and_depth_cut),
		cmocka_unit_test(minimums_hide_small_rows),
		cmocka_unit_test(negative_sums_hide_at_a_minimum_of_zero),
		cmocka_unit_test(flat_lists_rank_what_has_values),
		cmocka_unit_test(zoom_makes_a_row_the_root),
		cmocka_unit_test(sorts_by_self),
		cmocka_unit_test(sorts_by_each_column_of_figures),
		cmocka_unit_test(search_counts_matches_before_each_row),
		cmocka_unit_test(keys_last_over_queries_and_views),
		cmocka_unit_test(names_are_short_below_their_scope),
		cmocka_unit_test(cancelled_queries_give_nothing),
		cmocka_unit_test(odd_names_have_their_scopes),
		cmocka_unit_test(names_sort_as_bytes_compare),
		cmocka_unit_test(orders_are_stable_both_ways),
		cmocka_unit_test(deep_names_cost_no_more_than_their_bytes),
		cmocka_unit_test(deep_graphs_are_walked),
	};

	return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
