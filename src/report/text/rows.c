/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the views that are trees: "  name (cell, cell)". A cell that has nothing to say may be left
 * out or empty; which of the two is TensorFlow's.
 */
#include "report/text/layout.h"

#include <stdlib.h>

#include "tfprof/breakdown.h"

/* "4x3" of a shape, "unknown" where nothing is known. */
static void write_shape(struct tfp_report *report, uint32_t shape)
{
	char few[256], *text = few;
	size_t size = 0;

	if (shape != TFP_NONE)
		size = tfp_profile_shape_text(report->profile, shape, few, sizeof(few));
	if (size >= sizeof(few)) {
		text = tfp_alloc(size + 1);
		tfp_profile_shape_text(report->profile, shape, text, size + 1);
	}
	tfp_write_text(report->writer, size ? text : "unknown");
	if (text != few)
		free(text);
}

static bool is_accounted(const struct tfp_report *report, uint32_t row)
{
	return report->base->flags[row] & TFP_ROW_ACCOUNTED;
}

static void write_value(struct tfp_report *report, uint32_t row, uint32_t metric, int64_t value)
{
	if (report->base->tensorflow || tfp_tree_known(report->tree, row, metric, value))
		tfp_write_number(report->writer, report->base->metrics[metric].unit, value);
	else
		tfp_write(report->writer, "--", 2);
}

/* "self/total", "--/total" where a row is not accounted, "--/--" where it has no figures, or nobody knows them. */
static void write_pair(struct tfp_report *report, uint32_t row, uint32_t metric)
{
	if (report->base->flags[row] & TFP_ROW_PART) {
		tfp_write_text(report->writer, "--/--");
		return;
	}
	if (is_accounted(report, row))
		write_value(report, row, metric, tfp_tree_self(report->tree, row, metric));
	else
		tfp_write(report->writer, "--", 2);
	tfp_write_byte(report->writer, '/');
	write_value(report, row, metric, tfp_tree_total(report->tree, row, metric));
}

static void write_occurrence(struct tfp_report *report, uint32_t row)
{
	if (report->rows == TFP_ROWS_CODE) {
		tfp_write_text(report->writer, "occurrence N/A in code view");
		return;
	}
	write_pair(report, row, TFP_TF_RUNS);
	tfp_write_text(report->writer, is_accounted(report, row) ? "|1/" : "|--/");
	tfp_write_number(report->writer, TFP_COUNT, report->tree->defined[row]);
}

static void write_inputs(struct tfp_report *report, uint32_t row)
{
	const struct tfp_profile *profile = report->profile;
	uint32_t node = report->base->node[row], count;

	if (report->rows == TFP_ROWS_CODE) {
		tfp_write_text(report->writer, "input_shapes N/A in code view");
		return;
	}
	if (node == TFP_NONE)
		return;
	count = profile->nodes.input_first[node + 1] - profile->nodes.input_first[node];
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			tfp_write_byte(report->writer, '|');
		tfp_write_integer(report->writer, i);
		tfp_write_byte(report->writer, ':');
		write_shape(report, tfp_profile_input_shape(profile, node, i, report->quirks));
	}
}

/* The op types of what is no node: those that the original invents. */
static void write_types(struct tfp_report *report, uint32_t row)
{
	bool is_node = report->base->node[row] != TFP_NONE;

	if (report->rows == TFP_ROWS_SCOPE && !is_node) {
		tfp_write_text(report->writer, "_kTFScopeParent");
	} else if (report->rows == TFP_ROWS_GRAPH && !is_node) {
		tfp_write_text(report->writer, "_TFGraphParent");
	} else {
		tfp_set_start(report);
		tfp_set_add_types(report, row);
		tfp_set_write(report);
	}
}

/* Is there anything to make a cell of devices from? Fills the set. */
static bool find_devices(struct tfp_report *report, uint32_t row)
{
	uint32_t node = report->base->node[row];

	tfp_set_start(report);
	if (node == TFP_NONE)
		tfp_set_add_devices(report, row);
	else if (report->profile->nodes.device[node])
		tfp_set_add(report, report->profile->nodes.device[node]);
	return report->set.count > 0;
}

/* The shape that a node's parameters are counted from, TFP_NONE. */
static uint32_t shape_of(const struct tfp_report *report, uint32_t row)
{
	const struct tfp_profile *profile = report->profile;
	uint32_t node = report->base->node[row], shape;

	if (node == TFP_NONE)
		return TFP_NONE;
	shape = profile->nodes.shape[node];
	if (shape == TFP_NONE || !tfp_profile_shape_text(profile, shape, NULL, 0))
		return TFP_NONE;
	return shape;
}

/* What the index says of a variable; "-" where there is none. */
static void write_tensor(struct tfp_report *report, uint32_t row, enum tfp_cell_kind kind)
{
	uint32_t index = tfp_tree_tensor(report->tree, report->profile, row);
	const struct tfp_tensor *tensor;

	if (index == TFP_NONE) {
		tfp_write_byte(report->writer, '-');
		return;
	}
	tensor = &report->profile->tensors.at[index];
	if (kind == TFP_CELL_SLICES)
		tfp_write_integer(report->writer, tensor->slices);
	else if (kind == TFP_CELL_DTYPE)
		tfp_write_text(report->writer, tfp_dtype_of(tensor->dtype)->name);
	else if (tensor->shape != TFP_NONE &&
		 !tfp_profile_shape_text(report->profile, tensor->shape, NULL, 0))
		tfp_write_text(report->writer, "scalar");
	else
		write_shape(report, tensor->shape);
}

static void write_separator(struct tfp_report *report, bool *first)
{
	if (!*first)
		tfp_write(report->writer, ", ", 2);
	*first = false;
}

static void write_cell(struct tfp_report *report, uint32_t row, const struct tfp_report_cell *cell,
		       bool *first)
{
	uint32_t shape = cell->kind == TFP_CELL_PARAMS ? shape_of(report, row) : TFP_NONE;

	if (cell->kind == TFP_CELL_DEVICE && !find_devices(report, row))
		return;
	write_separator(report, first);
	if (shape != TFP_NONE) {
		write_shape(report, shape);
		write_separator(report, first);
	}
	switch (cell->kind) {
	case TFP_CELL_METRIC:
	case TFP_CELL_PARAMS:
		write_pair(report, row, cell->metric);
		if (*cell->suffix)
			tfp_write_text(report->writer, cell->suffix);
		break;
	case TFP_CELL_DEVICE:
		tfp_set_write(report);
		break;
	case TFP_CELL_TYPES:
		write_types(report, row);
		break;
	case TFP_CELL_OCCURRENCE:
		write_occurrence(report, row);
		break;
	case TFP_CELL_SHAPES:
		write_inputs(report, row);
		break;
	case TFP_CELL_DTYPE:
	case TFP_CELL_DIMS:
	case TFP_CELL_SLICES:
		write_tensor(report, row, cell->kind);
		break;
	case TFP_CELL_DIFFERENCE:
	case TFP_CELL_RATIO:
		tfp_write_text(report->writer, tfp_report_compare(report, row, cell).text);
		break;
	}
}

void tfp_report_sentence(struct tfp_report *report, uint32_t row, size_t depth)
{
	tfp_write_spaces(report->writer, 2 * depth);
	tfp_write_name(report->writer, tfp_base_label(report->base, row));
	tfp_write_byte(report->writer, '\n');
}

void tfp_report_tree_row(struct tfp_report *report, uint32_t row, size_t depth)
{
	struct tfp_arena arena = {0};
	bool first = true;

	tfp_write_spaces(report->writer, 2 * depth);
	tfp_write_name(report->writer, tfp_tree_full_name(report->tree, row, &arena));
	tfp_arena_free(&arena);
	tfp_write(report->writer, " (", 2);
	for (size_t i = 0; i < report->cell_count; i++)
		write_cell(report, row, &report->cells[i], &first);
	tfp_write(report->writer, ")\n", 2);
	if (report->values)
		tfp_report_values(report, row);
}
