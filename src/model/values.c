/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Self values of a node, for one step or as the mean over its steps, and the shapes of its inputs.
 */
#include <string.h>

#include "tfprof/trace.h"

/* The cell columns of a node, summed over the steps that are asked for. */
struct sums {
	const int64_t *value; /* by column; NULL: zeros */
	size_t steps;         /* what a mean divides by */
	int64_t room[TFP_MAX_CELL_COLUMNS];
};

static uint32_t find_cell(const struct tfp_cells *cells, uint32_t cell, uint32_t step)
{
	while (cell != TFP_NONE && cells->step[cell] > step)
		cell = cells->older[cell];
	return cell != TFP_NONE && cells->step[cell] == step ? cell : TFP_NONE;
}

static void sum_cells(const struct tfp_profile *profile, uint32_t cell, struct sums *sums)
{
	const struct tfp_cells *cells = &profile->cells;
	size_t columns = profile->cell_columns;

	memcpy(sums->room, cells->value + cell * columns, columns * sizeof(*sums->room));
	for (cell = cells->older[cell]; cell != TFP_NONE; cell = cells->older[cell]) {
		const int64_t *value = cells->value + cell * columns;

		for (size_t i = 0; i < columns; i++)
			sums->room[i] = tfp_wrap_add(sums->room[i], value[i]);
		sums->steps += !profile->sums_steps;
	}
	sums->value = sums->room;
}

static void take_cell(const struct tfp_profile *profile, uint32_t cell, struct sums *sums)
{
	sums->value = cell == TFP_NONE
			      ? NULL
			      : profile->cells.value + (size_t)cell * profile->cell_columns;
	sums->steps = 1;
}

static void take_cells(const struct tfp_profile *profile, uint32_t node, uint32_t step,
		       struct sums *sums)
{
	const struct tfp_cells *cells = &profile->cells;
	uint32_t cell = profile->nodes.cell[node];

	if (step != TFP_STEP_MEAN)
		cell = find_cell(cells, cell, step);
	take_cell(profile, cell, sums);
	if (step == TFP_STEP_MEAN && cell != TFP_NONE && cells->older[cell] != TFP_NONE)
		sum_cells(profile, cell, sums);
}

static inline int64_t mean(int64_t sum, size_t steps, unsigned quirks)
{
	if (steps == 1)
		return sum;
	if (quirks & TFP_QUIRK_UNSIGNED_MEAN)
		return (int64_t)((uint64_t)sum / steps);
	return sum / (int64_t)steps;
}

/* Not of a recording cut to a range: runs are not all in that as a whole, so that cells have what is. */
static int64_t static_value(const struct tfp_profile *profile, uint32_t node,
			    const struct sums *sums, unsigned quirks)
{
	int64_t value = profile->nodes.float_ops[node];

	if (profile->nodes.cell[node] == TFP_NONE)
		return value;
	if (!sums->value || profile->runs_column == TFP_NONE)
		return 0;
	return tfp_wrap_mul(value, mean(sums->value[profile->runs_column], sums->steps, quirks));
}

static int64_t shape_value(const struct tfp_profile *profile, uint32_t node)
{
	if (!(profile->filled & TFP_PART_SHAPES) || profile->nodes.shape[node] == TFP_NONE)
		return 0;
	return tfp_profile_shape_elements(profile, profile->nodes.shape[node]);
}

static void find_values(const struct tfp_profile *profile, uint32_t node, const struct sums *sums,
			unsigned quirks, int64_t *values)
{
	for (uint32_t i = 0; i < profile->metric_count; i++) {
		const struct tfp_metric *metric = &profile->metrics[i];
		const int64_t *value = sums->value;

		if (metric->origin == TFP_FROM_SHAPE)
			values[i] = shape_value(profile, node);
		else if (metric->origin == TFP_FROM_RUNS && !tfp_trace_is_cut(profile))
			values[i] = static_value(profile, node, sums, quirks);
		else if (!value || metric->origin == TFP_FROM_EVENTS)
			values[i] = 0;
		else if (metric->origin == TFP_FROM_CELL_PAIR)
			values[i] = mean(tfp_wrap_add(value[metric->column], value[metric->second]),
					 sums->steps, quirks);
		else
			values[i] = mean(value[metric->column], sums->steps, quirks);
	}
}

void tfp_profile_values(const struct tfp_profile *profile, uint32_t node, uint32_t step,
			unsigned quirks, int64_t *values)
{
	struct sums sums;

	take_cells(profile, node, step, &sums);
	find_values(profile, node, &sums, quirks, values);
}

void tfp_profile_cell_values(const struct tfp_profile *profile, uint32_t node, uint32_t cell,
			     unsigned quirks, int64_t *values)
{
	struct sums sums;

	take_cell(profile, cell, &sums);
	find_values(profile, node, &sums, quirks, values);
}

uint32_t tfp_profile_input_shape(const struct tfp_profile *profile, uint32_t node, uint32_t input,
				 unsigned quirks)
{
	const struct tfp_nodes *nodes = &profile->nodes;
	const struct tfp_input *in = &profile->inputs.at[nodes->input_first[node] + input];
	bool zero = quirks & TFP_QUIRK_OUTPUT_ZERO && !profile->outputs_given;
	int64_t output = zero ? 0 : in->output;
	uint32_t first, end;

	if (in->node == TFP_NONE)
		return TFP_NONE;
	first = nodes->output_first[in->node];
	end = nodes->output_first[in->node + 1];
	if (output < 0 || output >= (int64_t)end - first)
		return TFP_NONE;
	return profile->output_shape.at[first + output];
}
