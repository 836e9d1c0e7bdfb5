/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Printed reports read back: what was done to a text before it was read makes no difference, figures
 * are known to their printed digits, and what we print is what we read.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "load/printed/printed.h"
#include "load_help.h"
#include "tfprof/report.h"
#include "worked.h"

/* ---- figures ---------------------------------------------------------------------------------- */

static void test_figures(void **state)
{
	static const struct {
		const char *text;
		enum tfp_unit unit;
		int64_t value, low, high;
	} cases[] = {
		{"0", TFP_COUNT, 0, 0, 0},
		{"-12", TFP_COUNT, -12, -12, -12},
		{"999us", TFP_MICROS, 999, 999, 999},
		{"930.58k", TFP_COUNT, 930580, 930575, 930584},
		{"1.00k", TFP_COUNT, 1000, 1000, 1005},
		{"1000.00KB", TFP_BYTES, 1000000, 999995, 999999},
		{"4004.00MB", TFP_BYTES, 4004000000, 4003995001, 4004004999},
		{"1.66MB", TFP_BYTES, 1660000, 1655000, 1664999},
		{"9000004.00b", TFP_COUNT, 9000004000000000, 9000003995000001, 9000004004999999},
	};
	static const char *const bad[] = {"",
					  "k",
					  "1.5k",
					  "1.00",
					  "1.00us",
					  "1.00KB",
					  "12s",
					  "--",
					  "99999999999999999999",
					  "99999999999999999.00b",
					  "1.2.3k"};
	struct tfp_figure figure;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_true(tfp_printed_figure(tfp_span_of(cases[i].text), cases[i].unit, &figure));
		assert_int_equal(figure.value, cases[i].value);
		assert_int_equal(figure.low, cases[i].low);
		assert_int_equal(figure.high, cases[i].high);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(tfp_printed_figure(tfp_span_of(bad[i]), TFP_COUNT, &figure));
}

/* Whatever is printed is in the interval that is read, and both its ends are printed so. */
static void test_every_figure(void **state)
{
	static const enum tfp_unit units[] = {TFP_COUNT, TFP_BYTES, TFP_MICROS};
	uint64_t number = 88172645463325252;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[TFP_NUMBER_ROOM], again[TFP_NUMBER_ROOM];
		enum tfp_unit unit = units[i % 3];
		struct tfp_figure figure;
		int64_t value;

		number ^= number << 13, number ^= number >> 7, number ^= number << 17;
		value = (int64_t)(number >> 2 >> number % 62);
		tfp_number_compat(text, unit, value);
		assert_true(tfp_printed_figure(tfp_span_of(text), unit, &figure));
		assert_true(figure.low <= value && value <= figure.high);
		assert_string_equal(tfp_number_compat(again, unit, figure.low), text);
		assert_string_equal(tfp_number_compat(again, unit, figure.high), text);
	}
}

/* ---- variants of texts -------------------------------------------------------------------------- */

static bool same_figure(struct tfp_figure a, struct tfp_figure b)
{
	return a.value == b.value && a.low == b.low && a.high == b.high;
}

static void same_cell(const struct tfp_printed_cell *a, const struct tfp_printed_cell *b)
{
	assert_int_equal(a->known, b->known);
	assert_int_equal(a->has_self, b->has_self);
	assert_int_equal(a->share, b->share);
	assert_int_equal(a->running, b->running);
	assert_true(same_figure(a->self, b->self) && same_figure(a->total, b->total));
	assert_true(same_figure(a->defined_self, b->defined_self) &&
		    same_figure(a->defined_total, b->defined_total));
}

static void same_report(const struct tfp_printed_report *a, const struct tfp_printed_report *b)
{
	assert_string_equal(a->view, b->view);
	assert_int_equal(a->columns.count, b->columns.count);
	for (size_t i = 0; i < a->columns.count; i++)
		assert_string_equal(a->columns.at[i].label, b->columns.at[i].label);
	assert_int_equal(a->rows.count, b->rows.count);
	for (size_t i = 0; i < a->rows.count; i++) {
		const struct tfp_printed_row *left = &a->rows.at[i], *right = &b->rows.at[i];

		assert_int_equal(left->depth, right->depth);
		assert_true(tfp_span_equal(left->name, right->name));
		for (size_t k = 0; left->cells && k < a->columns.count; k++)
			same_cell(&left->cells[k], &right->cells[k]);
	}
}

static struct tfp_source *open_printed(const char *base, const char *rule)
{
	struct tfp_diag *diag = tfp_diag_new();
	char path[TEST_PATH];
	struct tfp_source *source =
		tfp_source_open(test_path(path, "data/printed/%s.%s.txt", base, rule), NULL, diag);

	tfp_diag_free(diag);
	return source;
}

static void read_printed(struct tfp_printed *printed, const struct tfp_source *source)
{
	struct tfp_span text = {(const char *)source->data, source->size};

	assert_true(tfp_printed_read(printed, text, NULL));
}

static void compare_variant(const char *base, const char *rule)
{
	struct tfp_source *plain = open_printed(base, "plain");
	struct tfp_source *other = open_printed(base, rule);
	struct tfp_printed a, b;

	if (other) { /* not every report can be everything */
		read_printed(&a, plain);
		read_printed(&b, other);
		assert_int_equal(a.reports.count, 1);
		assert_int_equal(b.reports.count, 1);
		same_report(&a.reports.at[0], &b.reports.at[0]);
		tfp_printed_free(&a);
		tfp_printed_free(&b);
		tfp_source_free(other);
	}
	tfp_source_free(plain);
}

static void test_variants(void **state)
{
	static const char *const bases[] = {"edge-r30", "cluster-r09", "tiny-r13"};
	static const char *const rules[] = {
		"log",  "pylog", "quote", "quote2_bare", "wrap80", "wrap80_words", "quote_wrap",
		"crlf", "tabs8", "tabs2", "indented",    "issue",  "python",       "values",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++)
		for (size_t k = 0; k < sizeof(rules) / sizeof(*rules); k++)
			compare_variant(bases[i], rules[k]);
}

/* ---- texts that are not whole ------------------------------------------------------------------- */

static void read_text(struct tfp_printed *printed, const char *text)
{
	assert_true(tfp_printed_read(printed, tfp_span_of(text), NULL));
}

static void test_cut(void **state)
{
	const struct tfp_printed_report *report;
	struct tfp_printed printed;

	(void)state;
	read_text(&printed, "8.43k/18.43k flops)\n"
			    "  b (1/2 params, 3B/4.00KB)\n"
			    "    b/c (3, 1/1 params, 0B/1.00KB)\n"
			    "    b/d (1/1 params, 0B/2.5");
	assert_int_equal(printed.reports.count, 1);
	report = &printed.reports.at[0];
	assert_int_equal(report->columns.count, 2);
	assert_false(report->columns.header);
	assert_int_equal(report->rows.count, 2);
	assert_int_equal(report->rows.at[1].depth, 2);
	assert_true(tfp_span_equal(report->rows.at[1].shape, TFP_SPAN("3")));
	assert_int_equal(report->rows.at[0].cells[1].total.value, 4000);
	assert_true(tfp_span_equal(report->cut_head, TFP_SPAN("8.43k/18.43k flops)")));
	assert_true(report->cut_row.size > 0);
	tfp_printed_free(&printed);
}

static void test_without_header(void **state)
{
	struct tfp_source *source = open_printed("edge-010", "tf1_2");
	struct tfp_printed printed;

	(void)state;
	read_printed(&printed, source);
	assert_int_equal(printed.reports.count, 1);
	assert_int_equal(printed.reports.at[0].rows.count, 34);
	tfp_printed_free(&printed);
	tfp_source_free(source);
}

static void test_session(void **state)
{
	struct tfp_source *source = open_printed("shell2", "log");
	struct tfp_printed printed;

	(void)state;
	read_printed(&printed, source);
	assert_int_equal(printed.reports.count, 2);
	assert_string_equal(printed.reports.at[0].view, "code");
	assert_int_equal(printed.reports.at[0].rows.count, 28);
	assert_string_equal(printed.reports.at[1].view, "op");
	assert_int_equal(printed.reports.at[1].rows.count, 5);
	tfp_printed_free(&printed);
	tfp_source_free(source);
}

static void test_inputs(void **state)
{
	const struct tfp_printed_report *report;
	struct tfp_printed printed;

	(void)state;
	read_text(&printed, "node name | total execution time | input shapes\n"
			    "MatMul                               1.88ms (100.00%, 98.43%)\n\n"
			    "input_type: 0:-1x4,\t1:4x3\t(run*1|defined*2)\texec_time: 1.75ms\n\n");
	report = &printed.reports.at[0];
	assert_string_equal(report->view, "op");
	assert_int_equal(report->rows.count, 2);
	assert_int_equal(report->rows.at[0].cells[0].share, 9843);
	assert_true(report->rows.at[1].input);
	assert_int_equal(report->rows.at[1].defined, 2);
	assert_int_equal(report->rows.at[1].time.low, 1745);
	tfp_printed_free(&printed);
}

static void test_other_texts(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"Hello (world).\nNothing here (a, b).\n",
		"{\"a\": [1, 2]}\n",
		"  x (1, 2)\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tfp_source *source = source_of_text(texts[i]);
		struct tfp_printed printed;

		read_text(&printed, texts[i]);
		assert_int_equal(printed.reports.count, 0);
		tfp_printed_free(&printed);
		assert_int_equal(loader_named("printed")->sniff(source), 0);
		tfp_source_free(source);
	}
}

/* What was cut out of a report is known by its rows, if little else is there. */
static void cut_reports_are_known(void **state)
{
	static const struct {
		const char *text;
		bool known;
	} cases[] = {
		{"/7)\n  fc (0B/4.15KB, 1/3)\n    fc/W (4.15KB/4.15KB, 1/1)\n    fc/b (1", true},
		{"One of two.\nTwo of two.\n  fc (0B/4.15KB, 1/3)\n  fc/W (4KB/4.15KB, 1/1)\nand so\n",
		 false},
		{"  a ()\n  b ()\n    c ()\n  d ()\n  e ()\n  f ()\n  g ()\n    h ()\n", true},
		{"  a ();\n  b ();\n  c ();\n  d ();\n  e ();\n  f ();\n  g ();\n  h ();\n", false},
		{"print(\"_TFProfRoot\")\n", false},
		{"text = \"node name | requested bytes\\n\"\n\"_TFProfRoot (--/9.00KB)\\n\";\n",
		 false},
		{"strstr(text, \"\\nnode name | # parameters\\n_TFProfRoot (--/15)\")\n", false},
		{"  \"  fc (0B/4.15KB, 1/3)\\n\"\n  \"  fc/W (4.15KB/4.15KB, 1/1)\\n\"\n"
		 "  \"  fc/b (4.15KB/4.15KB, 1/1)\\n\"\n",
		 false},
		{"_TFProfRoot\n  a\n", true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct tfp_source *source = source_of_text(cases[i].text);

		assert_int_equal(loader_named("printed")->sniff(source) > 0, cases[i].known);
		tfp_source_free(source);
	}
}

/* ---- as a tree --------------------------------------------------------------------------------- */

struct shown {
	struct tfp_diag *diag;
	struct tfp_profile *profile;
	struct tfp_engine *engine;
	struct tfp_tree *tree;
};

static void show(struct shown *shown, const char *text)
{
	struct tfp_query query;

	shown->diag = tfp_diag_new();
	shown->profile = tfp_profile_new();
	assert_true(load_source(shown->profile, "printed", source_of_text(text), 0, shown->diag));
	tfp_profile_finish(shown->profile);
	shown->engine = tfp_engine_new(shown->profile);
	tfp_query_init(&query);
	query.view = "printed";
	query.max_depth = 1000;
	shown->tree = tfp_engine_run(shown->engine, &query, NULL, shown->diag);
	assert_non_null(shown->tree);
	tfp_query_free(&query);
}

static void hide(struct shown *shown)
{
	tfp_tree_release(shown->tree);
	tfp_engine_free(shown->engine);
	tfp_diag_free(shown->diag);
}

/* Totals are those printed, and what nothing explains of them is a row. */
static void test_rest(void **state)
{
	struct shown shown;
	const struct tfp_base *base;

	(void)state;
	show(&shown, "node name | requested bytes\n"
		     "_TFProfRoot (--/9.00KB)\n"
		     "  a (0B/5.00KB)\n"
		     "    a/b (1.00KB/1.00KB)\n"
		     "  c (4.00KB/4.00KB)\n");
	base = shown.tree->base;
	assert_int_equal(base->count, 5);
	assert_int_equal(base->total[0], 9000);
	assert_int_equal(base->total[1], 5000);
	assert_true(tfp_span_equal(tfp_base_label(base, 3), TFP_SPAN("(not in this report)")));
	assert_int_equal(base->parent[3], 1);
	/* 3990 to 4004 */
	assert_int_equal(base->total[3], 4000);
	assert_int_equal(base->precision[0], TFP_TOTAL_ROUNDED);
	assert_int_equal(base->flags[0] & TFP_ROW_ACCOUNTED, 0);
	hide(&shown);
}

static bool holds_row(const struct tfp_tree *tree, struct tfp_span label)
{
	for (uint32_t row = 0; row < tree->base->count; row++)
		if (tfp_span_equal(tfp_base_label(tree->base, row), label))
			return true;
	return false;
}

/* What a row is broken down into adds up to its total, in the pane and in the summary. */
static void test_sums(void **state)
{
	struct tfp_breakdown *nodes;
	struct tfp_query query;
	struct tfp_tree *summary;
	struct shown shown;
	int64_t sum = 0;

	(void)state;
	show(&shown, "node name | total execution time\n"
		     "_TFProfRoot (--/434us)\n"
		     "  a (0us/131us)\n"
		     "    a/b (85us/85us)\n"
		     "  c (303us/303us)\n");
	nodes = tfp_engine_breakdown(shown.engine, shown.tree, 1, TFP_BREAKDOWN_NODES, 0, NULL,
				     shown.diag);
	for (size_t i = 0; i < nodes->count; i++)
		sum += nodes->rows[i].value;
	assert_int_equal(sum, 131);
	tfp_breakdown_free(nodes);
	assert_non_null(tfp_breakdown_about(shown.profile, TFP_BREAKDOWN_STEPS).missing);
	tfp_query_init(&query);
	query.view = "summary";
	summary = tfp_engine_run(shown.engine, &query, NULL, shown.diag);
	assert_true(holds_row(summary, TFP_SPAN("micros: 434us in all")));
	tfp_tree_release(summary);
	tfp_query_free(&query);
	hide(&shown);
}

/* ---- there and back ----------------------------------------------------------------------------- */

static char *report_of(struct worked_world *world)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_true(
		tfp_report_text(out, NULL, world->tree, world->engine, false, NULL, world->diag));
	fclose(out);
	return text;
}

/* Does FIGURE, as it was read, allow for what the tree has? */
static void allows(const struct tfp_figure *figure, int64_t value)
{
	assert_true(figure->low <= value && value <= figure->high);
}

/* Rows of op reports say what a row has, and what share of all that and the rows from there on are. */
static void same_shares(const struct tfp_printed_cell *cell, const struct tfp_tree *tree,
			const struct tfp_table_row *rows, size_t count, uint32_t metric)
{
	double whole = (double)tfp_tree_total(tree, tree->root, metric), rest = 0;

	for (size_t i = 0; i < count; i++)
		rest += (double)tfp_tree_total(tree, rows[i].row, metric);
	assert_true(fabs((double)cell->running - 1e4 * rest / whole) <= 1);
	rest = (double)tfp_tree_total(tree, rows[0].row, metric);
	assert_true(fabs((double)cell->share - 1e4 * rest / whole) <= 1);
}

/* Names in code reports are printed shortened. */
static void same_name(struct tfp_span printed, struct tfp_span name)
{
	struct tfp_span more = TFP_SPAN("...");

	if (printed.size > more.size && !memcmp(printed.at + printed.size - 3, more.at, 3))
		printed.size = name.size = printed.size - more.size;
	assert_true(tfp_span_equal(printed, name));
}

static const struct tfp_printed_cell *cell_of(const struct tfp_printed_report *report,
					      const struct tfp_printed_row *row, const char *key)
{
	size_t i = 0;

	while (i < report->columns.count && strcmp(report->columns.at[i].key, key) != 0)
		i++;
	assert_true(i < report->columns.count);
	return &row->cells[i];
}

static void same_row(const struct tfp_printed_report *report, const struct tfp_printed_row *row,
		     const struct tfp_tree *tree, uint32_t of)
{
	static const struct {
		const char *key;
		uint32_t metric;
	} columns[] = {
		{"params", TFP_TF_PARAMS}, {"bytes", TFP_TF_BYTES}, {"micros", TFP_TF_MICROS}};

	same_name(row->name, tfp_base_label(tree->base, of));
	for (size_t i = 0; i < 3; i++) {
		const struct tfp_printed_cell *cell = cell_of(report, row, columns[i].key);

		assert_true(cell->known);
		allows(&cell->total, tfp_tree_total(tree, of, columns[i].metric));
		if (cell->has_self)
			allows(&cell->self, tfp_tree_self(tree, of, columns[i].metric));
	}
}

static void same_tree(const struct tfp_printed_report *report, const struct tfp_tree *tree)
{
	struct tfp_table_row *rows;
	size_t count, root = report->view[0] == 'o'; /* which op reports do not print */

	rows = tfp_table_all(tree, tree->order_metric, false, &count);
	assert_int_equal(report->rows.count, count - root);
	for (size_t i = root; i < count; i++) {
		const struct tfp_printed_row *row = &report->rows.at[i - root];

		assert_int_equal(row->depth, rows[i].depth - root);
		same_row(report, row, tree, rows[i].row);
		if (root)
			same_shares(cell_of(report, row, "micros"), tree, rows + i, count - i,
				    TFP_TF_MICROS);
	}
	tfp_array_release(rows);
}

static void test_round_trip(void **state)
{
	static const char *const views[] = {"scope", "graph", "code", "op"};

	(void)state;
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		static const char *const options[] = {"select=params,bytes,micros", NULL};
		struct worked_world world;
		struct tfp_printed printed;
		char *text;

		worked_begin(&world, worked_profile(1));
		assert_non_null(worked_ask(&world, views[i], options));
		text = report_of(&world);
		read_text(&printed, text);
		assert_int_equal(printed.reports.count, 1);
		same_tree(&printed.reports.at[0], world.tree);
		tfp_printed_free(&printed);
		free(text);
		worked_end(&world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_reports_are_known),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_every_figure),
		cmocka_unit_test(test_variants),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_without_header),
		cmocka_unit_test(test_session),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_other_texts),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests_name("printed", tests, NULL, NULL);
}
