/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of a report: TensorFlow's in their fixed order, for other formats the metrics of the file.
 */
#include "report/text/layout.h"

#include <string.h>

/* One column of TensorFlow's, and the word that selects it. */
struct column {
	const char *word;
	struct tfp_report_cell cell;
	bool early; /* stands first where a row is one node */
};

static const struct column columns[] = {
	{"bytes", {TFP_CELL_METRIC, TFP_TF_BYTES, "requested bytes", "", ""}, false},
	{"peak_bytes", {TFP_CELL_METRIC, TFP_TF_PEAK_BYTES, "peak bytes", "", ""}, false},
	{"residual_bytes",
	 {TFP_CELL_METRIC, TFP_TF_RESIDUAL_BYTES, "residual bytes", "", ""},
	 false},
	{"output_bytes", {TFP_CELL_METRIC, TFP_TF_OUTPUT_BYTES, "output bytes", "", ""}, false},
	{"micros", {TFP_CELL_METRIC, TFP_TF_MICROS, "total execution time", "", ""}, false},
	{"accelerator_micros",
	 {TFP_CELL_METRIC, TFP_TF_ACCELERATOR_MICROS, "accelerator execution time", "", ""},
	 false},
	{"cpu_micros", {TFP_CELL_METRIC, TFP_TF_CPU_MICROS, "cpu execution time", "", ""}, false},
	{"params", {TFP_CELL_PARAMS, TFP_TF_PARAMS, "# parameters", " params", " params"}, true},
	{"float_ops",
	 {TFP_CELL_METRIC, TFP_TF_FLOAT_OPS, "# float_ops", " flops", " float_ops"},
	 true},
	{"device", {TFP_CELL_DEVICE, TFP_NONE, "assigned devices", "", ""}, false},
	{"op_types", {TFP_CELL_TYPES, TFP_NONE, "op types", "", ""}, false},
	{"occurrence",
	 {TFP_CELL_OCCURRENCE, TFP_TF_RUNS, "op occurrence (run|defined)", "", ""},
	 false},
	{"input_shapes", {TFP_CELL_SHAPES, TFP_NONE, "input shapes", "", ""}, false},
};

/* What the index of a checkpoint says of a variable. */
static const struct column tensor_columns[] = {
	{"dtype", {TFP_CELL_DTYPE, TFP_NONE, "type", "", ""}, false},
	{"shape", {TFP_CELL_DIMS, TFP_NONE, "shape", "", ""}, false},
	{"slices", {TFP_CELL_SLICES, TFP_NONE, "slices", "", ""}, false},
};

#define COLUMNS        (sizeof(columns) / sizeof(*columns))
#define TENSOR_COLUMNS (sizeof(tensor_columns) / sizeof(*tensor_columns))
#define MAX_WORDS      (TFP_MAX_METRICS + 8)

bool tfp_report_selects(const struct tfp_report *report, const char *word)
{
	const char *words[MAX_WORDS];
	size_t count = tfp_query_selected(&report->tree->query, report->profile, words, MAX_WORDS);

	for (size_t i = 0; i < count && i < MAX_WORDS; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

/* The column of micros brings the two that it is the sum of. */
static bool is_wanted(const struct tfp_report *report, uint32_t metric, const char *word)
{
	bool part = metric == TFP_TF_ACCELERATOR_MICROS || metric == TFP_TF_CPU_MICROS;

	return tfp_report_selects(report, word) || (part && tfp_report_selects(report, "micros"));
}

/* Does the view call the metric by a name of its own? */
static bool is_renamed(const struct tfp_base *base, uint32_t metric,
		       const struct tfp_profile *profile)
{
	return base->metrics[metric].label != profile->metrics[metric].label;
}

static void add_columns(struct tfp_report *report, bool one_node, bool early)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		struct tfp_report_cell cell = columns[i].cell;

		if ((one_node && columns[i].early) != early ||
		    !is_wanted(report, cell.metric, columns[i].word))
			continue;
		if (one_node && cell.kind == TFP_CELL_OCCURRENCE)
			cell.label = "op count (run|defined)";
		if (!one_node && cell.kind == TFP_CELL_PARAMS)
			cell.kind = TFP_CELL_METRIC;
		if (cell.metric != TFP_NONE &&
		    is_renamed(report->base, cell.metric, report->profile))
			cell.label = report->base->metrics[cell.metric].label;
		report->cells[report->cell_count++] = cell;
	}
}

static void add_metrics(struct tfp_report *report)
{
	for (uint32_t i = 0; i < report->profile->metric_count; i++)
		if (tfp_report_selects(report, report->profile->metrics[i].key))
			report->cells[report->cell_count++] = (struct tfp_report_cell){
				TFP_CELL_METRIC, i, report->base->metrics[i].label, "", ""};
	for (size_t i = 0; i < TENSOR_COLUMNS; i++)
		if (tfp_report_selects(report, tensor_columns[i].word))
			report->cells[report->cell_count++] = tensor_columns[i].cell;
}

/* Behind all other columns, so that these stay where they are without a baseline. */
static void add_comparison(struct tfp_report *report)
{
	size_t count = report->cell_count;

	for (size_t i = 0; i < count; i++) {
		struct tfp_report_cell cell = report->cells[i];

		if (cell.kind != TFP_CELL_METRIC && cell.kind != TFP_CELL_PARAMS)
			continue;
		cell.kind = TFP_CELL_DIFFERENCE;
		report->cells[report->cell_count++] = cell;
		cell.kind = TFP_CELL_RATIO;
		report->cells[report->cell_count++] = cell;
	}
}

/* In the units of a report, as the figure beside it, which negative values do not have there. */
static void write_difference(const struct tfp_report *report, uint32_t row, uint32_t metric,
			     char *text, size_t room)
{
	int64_t value = tfp_tree_difference(report->tree, row, metric);
	int64_t size = value < 0 ? tfp_wrap_mul(value, -1) : value;
	char number[TFP_NUMBER_ROOM];

	snprintf(text, room, "%s%s",
		 value > 0   ? "+"
		 : value < 0 ? "-"
			     : "",
		 tfp_number_compat(number, report->base->metrics[metric].unit, size));
}

struct tfp_cell tfp_report_compare(const struct tfp_report *report, uint32_t row,
				   const struct tfp_report_cell *cell)
{
	struct tfp_column column = {.metric = cell->metric};
	struct tfp_cell out;

	column.kind = cell->kind == TFP_CELL_RATIO ? TFP_COLUMN_RATIO : TFP_COLUMN_DIFFERENCE;
	tfp_tree_cell(report->tree, row, report->tree->root, &column, &out);
	if (column.kind == TFP_COLUMN_DIFFERENCE && strcmp(out.text, "-"))
		write_difference(report, row, cell->metric, out.text, sizeof(out.text));
	return out;
}

static enum tfp_rows_kind rows_of(const char *view)
{
	static const char *const names[] = {
		[TFP_ROWS_SCOPE] = "scope",
		[TFP_ROWS_GRAPH] = "graph",
		[TFP_ROWS_CODE] = "code",
		[TFP_ROWS_OP] = "op",
	};

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(view, names[i]) == 0)
			return (enum tfp_rows_kind)i;
	return TFP_ROWS_OTHER;
}

void tfp_report_lay_out(struct tfp_report *report)
{
	bool one_node;

	report->rows = rows_of(report->base->view->name);
	one_node = report->rows == TFP_ROWS_SCOPE || report->rows == TFP_ROWS_GRAPH;
	if (report->profile->tensorflow) {
		add_columns(report, one_node, true);
		add_columns(report, one_node, false);
	} else {
		add_metrics(report);
	}
	if (report->tree->baseline)
		add_comparison(report);
	report->values = one_node && tfp_report_selects(report, "tensor_value");
	report->input_blocks =
		report->rows == TFP_ROWS_OP && tfp_report_selects(report, "input_shapes");
}

static const char *label_end(enum tfp_cell_kind kind)
{
	if (kind == TFP_CELL_DIFFERENCE)
		return " difference";
	return kind == TFP_CELL_RATIO ? " ratio" : "";
}

void tfp_report_header(struct tfp_report *report)
{
	tfp_write_text(report->writer, "node name | ");
	for (size_t i = 0; i < report->cell_count; i++) {
		if (i)
			tfp_write_text(report->writer, " | ");
		tfp_write_text(report->writer, report->cells[i].label);
		tfp_write_text(report->writer, label_end(report->cells[i].kind));
	}
	tfp_write_byte(report->writer, '\n');
}
