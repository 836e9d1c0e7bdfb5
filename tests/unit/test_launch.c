/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How kernels were launched, as columns of the device view: of one kernel what the file says, of rows above several
 * from the least to the most. The figures of kernels were read from the file by another program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "opened.h"
#include "tfprof/report.h"
#include "tfprof/trace.h"

#define CHOICE "device:grid,block,registers,shared,occupancy"

static void start(struct worked_world *world)
{
	WORKED_OPEN(world, "data/gpu/jax_small.xplane.pb.gz");
	assert_non_null(WORKED_ASK(world, "device", "max_depth=all", "columns=" CHOICE));
}

static size_t find_columns(const struct worked_world *world,
			   struct tfp_column columns[TFP_MAX_COLUMNS])
{
	const struct tfp_query *query = &world->tree->query;

	return tfp_columns(world->tree, TFP_TRACE_DEVICE,
			   query->choices[tfp_view_index(world->tree->base->view)], columns,
			   TFP_MAX_COLUMNS);
}

/* The cells of the row called NAME, with a bar between them. */
static const char *cells_of(struct worked_world *world, const char *name)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	size_t count = find_columns(world, columns);
	char *text = tfp_arena_text(&world->arena, "", 0);
	uint32_t row = worked_row(world, name);

	assert_int_not_equal(row, TFP_NONE);
	for (size_t i = 0; i < count; i++) {
		struct tfp_cell cell;

		tfp_tree_cell(world->tree, row, 0, &columns[i], &cell);
		text = tfp_arena_printf(&world->arena, "%s%s%s", text, i ? "|" : "", cell.text);
	}
	return text;
}

static void kernels_have_what_the_file_says(void **state)
{
	static const char *const kernels[][2] = {
		{"gemm_fusion_dot_1", "512|64|40|1.02KB|75"},
		{"gemm_fusion_dot_4", "128|128|50|8.19KB|56.25"},
		{"gemm_fusion_dot_6", "64|128|58|8.19KB|50"},
		{"loop_multiply_fusion_1", "128|128|20|0B|100"},
		{"gemm_fusion_dot", "32|128|93|16.38KB|31.25"},
		{"loop_multiply_fusion_2", "256|64|16|2.06KB|100"},
	};
	struct worked_world world;

	(void)state;
	start(&world);
	for (size_t i = 0; i < sizeof(kernels) / sizeof(*kernels); i++)
		assert_string_equal(cells_of(&world, kernels[i][0]), kernels[i][1]);
	worked_end(&world);
}

static void rows_of_several_have_a_range(void **state)
{
	struct worked_world world;

	(void)state;
	start(&world);
	assert_string_equal(cells_of(&world, "Stream #14(Compute)"),
			    "32-512|64-128|16-93|0B-16.38KB|31.25-100");
	assert_string_equal(cells_of(&world, "_TFProfRoot"),
			    "32-512|64-128|16-93|0B-16.38KB|31.25-100");
	/* hosts launch nothing on themselves */
	assert_string_equal(cells_of(&world, "/host:CPU"), "-|-|-|-|-");
	worked_end(&world);
}

/* In TREE, by the order that it has, the names of the first two kernels of the stream. */
static const char *first_two(struct worked_world *world)
{
	uint32_t row = worked_row(world, "Stream #14(Compute)"), children[32];
	struct tfp_span name[2];

	assert_in_range(world->tree->child_count[row], 2, 32);
	tfp_tree_children(world->tree, row, children);
	for (int i = 0; i < 2; i++)
		name[i] = tfp_base_label(world->tree->base, children[i]);
	return tfp_arena_printf(&world->arena, "%.*s %.*s", (int)name[0].size, name[0].at,
				(int)name[1].size, name[1].at);
}

static void they_order_rows(void **state)
{
	struct worked_world world;
	uint32_t devices[8];

	(void)state;
	start(&world);
	WORKED_ASK(&world, "device", "order_by=registers");
	assert_string_equal(first_two(&world), "gemm_fusion_dot gemm_fusion_dot_3");
	WORKED_ASK(&world, "device", "order_by=occupancy", "reverse");
	assert_string_equal(first_two(&world), "gemm_fusion_dot gemm_fusion_dot_3");
	/* what has none is last in both directions */
	for (int reverse = 0; reverse < 2; reverse++) {
		tfp_tree_children_by(world.tree, 0, TFP_ORDER_LAUNCH, reverse, devices);
		assert_int_equal(devices[1], worked_row(&world, "/host:CPU"));
	}
	/* elsewhere they are no error */
	assert_non_null(WORKED_ASK(&world, "op", "order_by=grid"));
	worked_end(&world);
}

static void other_views_do_not_offer_them(void **state)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct worked_world world;

	(void)state;
	start(&world);
	assert_int_equal(find_columns(&world, columns), 5);
	assert_non_null(WORKED_ASK(&world, "op", "columns=op:grid,occupancy"));
	assert_int_equal(find_columns(&world, columns), 0);
	worked_end(&world);
}

static char *write_rows(struct worked_world *world, enum tfp_table_format format,
			struct tfp_table_row *rows, size_t count)
{
	struct tfp_column columns[TFP_MAX_COLUMNS];
	struct tfp_table table = {.tree = world->tree, .rows = rows, .count = count};
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	table.column_count = find_columns(world, columns);
	table.columns = columns;
	assert_true(tfp_table_write(out, &table, format, world->diag));
	fclose(out);
	copy = tfp_arena_text(&world->arena, text, size);
	free(text);
	return copy;
}

static char *write_table(struct worked_world *world, enum tfp_table_format format)
{
	struct tfp_table_row rows[] = {{0, TFP_NONE, 0},
				       {worked_row(world, "gemm_fusion_dot_4"), 0, 1},
				       {worked_row(world, "/host:CPU"), 0, 1}};

	return write_rows(world, format, rows, 3);
}

static char *write_root(struct worked_world *world, enum tfp_table_format format)
{
	struct tfp_table_row root = {0, TFP_NONE, 0};

	return write_rows(world, format, &root, 1);
}

static void tables_have_text_and_numbers(void **state)
{
	struct worked_world world;
	char *text;

	(void)state;
	start(&world);
	WORKED_ASK(&world, "device", "columns=device:grid,shared,occupancy");
	text = write_table(&world, TFP_TABLE_CSV);
	assert_non_null(strstr(text, "\"GRID launch (text)\",\"GRID launch low (count)\","
				     "\"GRID launch high (count)\",\"SHARED launch (text)\","
				     "\"SHARED launch low (bytes)\","));
	assert_non_null(strstr(
		text, "\"_TFProfRoot\",0,\"32-512\",32,512,"
		      "\"0B-16.38KB\",0,16384,\"31.25-100\",31.25,100,100,100,100,75.0106\r\n"));
	assert_non_null(strstr(text, "\"gemm_fusion_dot_4\",1,\"128\",128,128,"
				     "\"8.19KB\",8192,8192,\"56.25\",56.25,56.25,,,,\r\n"));
	assert_non_null(strstr(text, "\"/host:CPU\",1,,,,,,,,,,,,,\r\n"));
	text = write_table(&world, TFP_TABLE_JSON);
	assert_non_null(strstr(text, "{\"title\": \"OCC%\", \"kind\": \"launch high\", "
				     "\"metric\": \"occupancy\", \"unit\": \"percent\"}"));
	assert_non_null(strstr(text, "[null, null, null, null, null, null, null, null, null]"));
	assert_non_null(strstr(text, "\"56.25\", 56.25, 56.25]"));
	worked_end(&world);
}

/* PyTorch's call stacks are read late: the first view that is asked for knows of them all the same. */
static void tables_carry_the_coverage(void **state)
{
	struct worked_world world;
	char *text;

	(void)state;
	WORKED_OPEN(&world, "data/gpu/torch_small.json.gz");
	WORKED_ASK(&world, "device", "columns=device:grid");
	text = write_root(&world, TFP_TABLE_CSV);
	assert_non_null(strstr(text, ",\"coverage op (percent)\",\"coverage shape (percent)\","
				     "\"coverage stack (percent)\","
				     "\"coverage float_ops (percent)\"\r\n"));
	assert_non_null(strstr(text, ",100,100,100,72.083\r\n"));
	text = write_root(&world, TFP_TABLE_JSON);
	assert_non_null(strstr(text, "\"coverage\": {\"op\": 1, \"shape\": 1, \"stack\": 1, "
				     "\"float_ops\": 0.72083},"));
	/* for people there is a line for that */
	assert_null(strstr(write_root(&world, TFP_TABLE_MD), "coverage"));
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_have_what_the_file_says),
		cmocka_unit_test(rows_of_several_have_a_range),
		cmocka_unit_test(they_order_rows),
		cmocka_unit_test(other_views_do_not_offer_them),
		cmocka_unit_test(tables_have_text_and_numbers),
		cmocka_unit_test(tables_carry_the_coverage),
	};

	return cmocka_run_group_tests_name("launch", tests, NULL, NULL);
}
