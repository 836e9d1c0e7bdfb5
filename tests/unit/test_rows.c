/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of the screen's list: whatever is opened, closed and sorted, they are those that going down the
 * tree finds, and each is found where it stands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ui/tree/rows.h"
#include "worked.h"

enum { TURNS = 3000, CHILDREN = 64 };

/* Checks that ROW and what is listed below it stand from INDEX on; returns what comes behind. */
static size_t check_from(const struct tfp_rows *rows, uint32_t row, uint32_t level, size_t index)
{
	const struct tfp_tree *tree = rows->tree;
	bool listed = tree->query.flat ? row == tree->root : rows->open[row];
	uint32_t children[CHILDREN];
	size_t behind = index;

	if (row != tree->root || !tree->query.flat) {
		assert_true(index < rows->count);
		assert_int_equal(tfp_rows_at(rows, index).row, row);
		assert_int_equal(tfp_rows_at(rows, index).level, level);
		assert_int_equal(tfp_rows_find(rows, row), index);
		behind++;
	}
	assert_in_range(tree->child_count[row], 0, CHILDREN);
	tfp_tree_children_by(tree, row, rows->order, rows->reverse, children);
	for (uint32_t i = 0; listed && i < tree->child_count[row]; i++)
		behind = check_from(rows, children[i], level + !tree->query.flat, behind);
	if (row != tree->root || !tree->query.flat)
		assert_int_equal(tfp_rows_end(rows, index), behind);
	return behind;
}

static void check(const struct tfp_rows *rows)
{
	assert_int_equal(check_from(rows, rows->tree->root, 0, 0), rows->count);
}

static uint32_t random_below(uint32_t *seed, size_t limit)
{
	*seed = *seed * 1664525 + 1013904223;
	return (uint32_t)((*seed >> 8) % limit);
}

static void turn(struct tfp_rows *rows, uint32_t *seed)
{
	size_t index = random_below(seed, rows->count);
	uint32_t row = random_below(seed, rows->tree->base->count), parent;

	switch (random_below(seed, 6)) {
	case 0:
		tfp_rows_open(rows, index);
		break;
	case 1:
		tfp_rows_close(rows, index);
		break;
	case 2:
		tfp_rows_set_below(rows, index, *seed >> 31);
		break;
	case 3:
		tfp_rows_sort(rows, *seed >> 31 ? TFP_TF_MICROS : TFP_ORDER_NAME, *seed >> 30 & 1);
		break;
	case 4:
		index = tfp_rows_reveal(rows, row);
		if (rows->tree->shown[row] && !rows->tree->query.flat)
			assert_int_equal(tfp_rows_at(rows, index).row, row);
		break;
	default:
		parent = tfp_rows_above(rows, tfp_rows_at(rows, index).row);
		if (parent != TFP_NONE && !rows->tree->query.flat)
			assert_int_equal(tfp_rows_at(rows, tfp_rows_parent(rows, index)).row,
					 parent);
	}
}

static void check_world(struct worked_world *world, uint32_t seed)
{
	struct tfp_rows rows = {0};

	tfp_rows_show(&rows, world->tree);
	for (int i = 0; i < TURNS && rows.count; i++) {
		turn(&rows, &seed);
		check(&rows);
	}
	tfp_rows_free(&rows);
}

static void stand_where_they_are_found(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", NULL);
	check_world(&world, 1);
	WORKED_ASK(&world, "scope", "context", "show_text=matmul");
	check_world(&world, 2);
	WORKED_ASK(&world, "graph", "hide_name_regexes=fc/.*");
	check_world(&world, 3);
	WORKED_ASK(&world, "scope", "flat");
	check_world(&world, 4);
	worked_end(&world);
}

/* What was open in a view is open in its next tree. */
static void stay_open(void **state)
{
	struct worked_world world;
	struct tfp_rows rows = {0};
	size_t all;

	(void)state;
	worked_begin(&world, worked_profile(1));
	WORKED_ASK(&world, "scope", NULL);
	tfp_rows_show(&rows, world.tree);
	tfp_rows_set_below(&rows, 0, true);
	all = rows.count;
	WORKED_ASK(&world, "scope", "order_by=name");
	tfp_rows_show(&rows, world.tree);
	check(&rows);
	assert_int_equal(rows.count, all);
	tfp_rows_free(&rows);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stand_where_they_are_found),
		cmocka_unit_test(stay_open),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
