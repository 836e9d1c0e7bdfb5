/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a tree in each format: figures worked out by hand, and names that were made to do harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tfprof/report.h"
#include "worked.h"

static const struct tfp_column columns[] = {
	{.kind = TFP_COLUMN_TOTAL, .metric = TFP_TF_PARAMS, .title = "PARAMS", .width = 9},
	{.kind = TFP_COLUMN_PERCENT, .metric = TFP_TF_PARAMS, .title = "%", .width = 5},
	{.kind = TFP_COLUMN_BAR, .metric = TFP_TF_PARAMS, .title = "", .width = 10},
};

/* A table of the world's tree as text, in the world's arena. */
static char *write_table(struct worked_world *world, struct tfp_table *table,
			 enum tfp_table_format format)
{
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	table->tree = world->tree;
	table->columns = columns;
	table->column_count = 3;
	assert_true(tfp_table_write(out, table, format, world->diag));
	fclose(out);
	copy = tfp_arena_text(&world->arena, text, size);
	free(text);
	return copy;
}

/* The two parameters of the layer and the layer. */
static void set_rows(const struct worked_world *world, struct tfp_table_row rows[3])
{
	uint32_t layer = worked_row(world, "fc");

	rows[0] = (struct tfp_table_row){layer, world->tree->root, 1};
	rows[1] = (struct tfp_table_row){worked_row(world, "fc/W"), layer, 2};
	rows[2] = (struct tfp_table_row){worked_row(world, "fc/b"), layer, 2};
}

static void figures_are_those_of_the_tree(void **state)
{
	struct worked_world world;
	struct tfp_table_row rows[3];
	struct tfp_table table = {.rows = rows, .count = 3};

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", "account_type_regexes=_trainable_variables",
				   "order_by=params"));
	set_rows(&world, rows);
	assert_string_equal(write_table(&world, &table, TFP_TABLE_TXT), "name   PARAMS      %\n"
									"  fc       15  100.0\n"
									"    W      12   80.0\n"
									"    b       3   20.0\n");
	assert_string_equal(
		write_table(&world, &table, TFP_TABLE_CSV),
		"\"name\",\"depth\",\"PARAMS total (count)\",\"PARAMS share (percent)\"\r\n"
		"\"fc\",1,15,100\r\n"
		"\"fc/W\",2,12,80\r\n"
		"\"fc/b\",2,3,20\r\n");
	assert_string_equal(
		write_table(&world, &table, TFP_TABLE_JSON),
		"{\"format\": \"tfprof-table\", \"version\": 1,\n"
		" \"view\": \"scope\",\n"
		" \"query\": \"scope --order_by=params --account_type_regexes=_trainable_variables\",\n"
		" \"shares\": \"parent\",\n"
		" \"columns\": [\n"
		"  {\"title\": \"PARAMS\", \"kind\": \"total\", \"metric\": \"params\", "
		"\"unit\": \"count\"},\n"
		"  {\"title\": \"%\", \"kind\": \"share\", \"metric\": \"params\", "
		"\"unit\": \"percent\"}],\n"
		" \"rows\": [\n"
		"  {\"name\": \"fc\", \"depth\": 1, \"values\": [15, 100]},\n"
		"  {\"name\": \"fc/W\", \"depth\": 2, \"values\": [12, 80]},\n"
		"  {\"name\": \"fc/b\", \"depth\": 2, \"values\": [3, 20]}]}\n");
	table.apart = table.of_root = true;
	assert_string_equal(write_table(&world, &table, TFP_TABLE_MD),
			    "| name | PARAMS |     % |\n"
			    "| ---- | -----: | ----: |\n"
			    "| fc   |     15 | 100.0 |\n"
			    "| fc/W |     12 |  80.0 |\n"
			    "| fc/b |      3 |  20.0 |\n");
	worked_end(&world);
}

static void all_rows_come_in_the_order_asked_for(void **state)
{
	static const char *const names[] = {"_TFProfRoot", "_retval_fc/BiasAdd_0_0", "fc",
					    "fc/BiasAdd", "fc/MatMul"};
	struct worked_world world;
	struct tfp_table_row *rows;
	size_t count;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	rows = tfp_table_all(world.tree, TFP_ORDER_NAME, false, &count);
	assert_int_equal(count, world.tree->shown_count + 1);
	assert_int_equal(rows[0].row, world.tree->root);
	for (size_t i = 1, name = 0; i < count && name < 5; i++) {
		struct tfp_span label = tfp_base_label(world.tree->base, rows[i].row);

		assert_true(rows[i].depth == rows[i - 1].depth + 1 ||
			    rows[i].depth <= rows[i - 1].depth);
		name += name < 5 && tfp_span_is(label, names[name]);
	}
	tfp_array_release(rows);
	worked_end(&world);
}

/* Formulas of spreadsheets, signs of the formats themselves, escapes of terminals, broken text. */
static struct tfp_profile *hostile_profile(void)
{
	static const char *const names[] = {"=1+1|calc", "+a",          "-a",          "@a",
					    "q\"b\\c",   "\033[31mx\n", "\xff<b>*_x_y"};
	struct tfp_profile *profile = tfp_profile_new();

	tfp_profile_make_tensorflow(profile);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		tfp_profile_add_node(profile, worked_string(profile, names[i]),
				     worked_string(profile, "Op"));
	profile->has_graph = true;
	tfp_profile_finish(profile);
	return profile;
}

static void names_do_no_harm(void **state)
{
	struct worked_world world;
	struct tfp_table table = {0};
	struct tfp_table_row *rows;
	char *text;

	(void)state;
	worked_begin(&world, hostile_profile());
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	table.rows = rows = tfp_table_all(world.tree, TFP_ORDER_NAME, false, &table.count);
	text = write_table(&world, &table, TFP_TABLE_CSV);
	assert_non_null(strstr(text, "\r\n\"'=1+1|calc\",1,"));
	assert_non_null(strstr(text, "\r\n\"'+a\",1,"));
	assert_non_null(strstr(text, "\r\n\"'-a\",1,"));
	assert_non_null(strstr(text, "\r\n\"'@a\",1,"));
	assert_non_null(strstr(text, "\r\n\"q\"\"b\\c\",1,"));
	assert_null(strchr(text, '\033'));
	text = write_table(&world, &table, TFP_TABLE_JSON);
	assert_non_null(strstr(text, "\"q\\\"b\\\\c\""));
	assert_non_null(strstr(text, "\"\xef\xbf\xbd[31mx\xef\xbf\xbd\""));
	text = write_table(&world, &table, TFP_TABLE_MD);
	assert_non_null(strstr(text, "=1+1\\|calc"));
	assert_non_null(strstr(text, "\\<b\\>\\*\\_x_y"));
	tfp_array_release(rows);
	worked_end(&world);
}

/* Two rows, the second below the first and without a share, as a table of FORMAT in the world's arena. */
static char *write_pane(struct worked_world *world, bool compared, enum tfp_table_format format)
{
	struct tfp_breakdown_row rows[2] = {
		{.label = "a|b",
		 .value = 1500,
		 .share = 0.25,
		 .runs = 2,
		 .defined = 1,
		 .baseline = 1000,
		 .difference = 500,
		 .side = TFP_SIDE_BOTH},
		{.label = "c",
		 .depth = 1,
		 .share = -1,
		 .runs = -1,
		 .defined = 3,
		 .file = "/src/x.py",
		 .line = 7,
		 .text = "y = \"1\"",
		 .side = TFP_SIDE_THERE},
	};
	struct tfp_breakdown detail = {.unit = TFP_MICROS,
				       .rows = rows,
				       .count = 2,
				       .counted = true,
				       .compared = compared};
	struct tfp_pane_table table = {.detail = &detail,
				       .tree = world->tree,
				       .name = "fc",
				       .kind = "nodes",
				       .metric = TFP_TF_MICROS};
	char *text = NULL, *copy;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_true(tfp_pane_table_write(out, &table, format, world->diag));
	fclose(out);
	copy = tfp_arena_text(&world->arena, text, size);
	free(text);
	return copy;
}

/* Tables for people have lines for people; what tells one name from the next stays, and programs read all. */
static void long_names_lose_their_middle(void **state)
{
	struct tfp_profile *profile = tfp_profile_new();
	struct tfp_table_row rows[2] = {{1, 0, 0}, {2, 0, 0}};
	struct tfp_table table = {.rows = rows, .count = 2};
	struct worked_world world;
	char name[402], *text;

	(void)state;
	memset(name, 'x', sizeof(name));
	name[401] = '\0';
	tfp_profile_make_tensorflow(profile);
	for (int i = 0; i < 2; i++) {
		name[200] = (char)('1' + i);
		tfp_profile_add_node(profile, tfp_strings_add_text(profile->strings, name),
				     tfp_strings_add_text(profile->strings, "Op"));
	}
	tfp_profile_finish(profile);
	worked_begin(&world, profile);
	assert_non_null(WORKED_ASK(&world, "scope", "order_by=name"));
	text = write_table(&world, &table, TFP_TABLE_TXT);
	assert_true(strchr(text, '\n') - text < 150);
	assert_non_null(strstr(text, "1x"));
	assert_non_null(strstr(text, "2x"));
	assert_non_null(strstr(text, "…"));
	text = write_table(&world, &table, TFP_TABLE_CSV);
	assert_non_null(strstr(text, name));
	worked_end(&world);
}

static void rows_of_a_pane_are_a_table_too(void **state)
{
	struct worked_world world;

	(void)state;
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	assert_string_equal(write_pane(&world, false, TFP_TABLE_TXT),
			    "name    TIME     %  RAN  NODES  TEXT     SOURCE\n"
			    "a|b   1.50ms  25.0    2      1           \n"
			    "  c      0us     -    -      3  y = \"1\"  /src/x.py:7\n");
	assert_string_equal(
		write_pane(&world, true, TFP_TABLE_CSV),
		"\"name\",\"depth\",\"TIME (us)\",\"difference (us)\",\"ratio (ratio)\","
		"\"baseline (us)\",\"share (percent)\",\"runs (count)\",\"nodes (count)\","
		"\"text (text)\",\"source (text)\"\r\n"
		"\"a|b\",0,1500,500,1.5,1000,25,2,1,\"\",\"\"\r\n"
		"\"c\",1,0,0,,0,,,3,\"y = \"\"1\"\"\",\"/src/x.py:7\"\r\n");
	assert_non_null(strstr(write_pane(&world, false, TFP_TABLE_JSON),
			       "\"row\": \"fc\",\n \"pane\": \"nodes\","));
	assert_non_null(strstr(write_pane(&world, false, TFP_TABLE_JSON),
			       "{\"name\": \"c\", \"depth\": 1, \"values\": [0, null, null, 3, "
			       "\"y = \\\"1\\\"\", \"/src/x.py:7\"]}"));
	assert_non_null(strstr(write_pane(&world, true, TFP_TABLE_MD), "| a\\|b "));
	assert_non_null(strstr(write_pane(&world, true, TFP_TABLE_MD), "| 1.50x |"));
	worked_end(&world);
}

static void failures_are_told(void **state)
{
	struct worked_world world;
	struct tfp_table_row rows[3];
	struct tfp_table table = {.rows = rows, .count = 3};
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	worked_begin(&world, worked_profile(1));
	assert_non_null(WORKED_ASK(&world, "scope", NULL));
	set_rows(&world, rows);
	table.tree = world.tree;
	setvbuf(full, NULL, _IONBF, 0);
	assert_false(tfp_table_write(full, &table, TFP_TABLE_CSV, world.diag));
	assert_int_equal(tfp_diag_errors(world.diag), 1);
	fclose(full);
	worked_end(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_of_the_tree),
		cmocka_unit_test(all_rows_come_in_the_order_asked_for),
		cmocka_unit_test(names_do_no_harm),
		cmocka_unit_test(long_names_lose_their_middle),
		cmocka_unit_test(rows_of_a_pane_are_a_table_too),
		cmocka_unit_test(failures_are_told),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
