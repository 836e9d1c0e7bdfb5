/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics: the table of TensorFlow's, and the marks that can only be set when all files are read.
 */
#include "tfprof/model.h"
#include "model/private.h"

static const struct tfp_metric tensorflow_metrics[TFP_TF_METRICS] = {
	[TFP_TF_BYTES] = {.key = "bytes",
			  .label = "requested bytes",
			  .title = "MEMORY",
			  .unit = TFP_BYTES,
			  .column = TFP_CELL_BYTES},
	[TFP_TF_PEAK_BYTES] = {.key = "peak_bytes",
			       .label = "peak bytes",
			       .title = "PEAK",
			       .unit = TFP_BYTES,
			       .column = TFP_CELL_PEAK_BYTES},
	[TFP_TF_RESIDUAL_BYTES] = {.key = "residual_bytes",
				   .label = "residual bytes",
				   .title = "RESIDUAL",
				   .unit = TFP_BYTES,
				   .column = TFP_CELL_RESIDUAL_BYTES},
	[TFP_TF_OUTPUT_BYTES] = {.key = "output_bytes",
				 .label = "output bytes",
				 .title = "OUTPUT",
				 .unit = TFP_BYTES,
				 .column = TFP_CELL_OUTPUT_BYTES},
	[TFP_TF_MICROS] = {.key = "micros",
			   .label = "total execution time",
			   .title = "TIME",
			   .unit = TFP_MICROS,
			   .origin = TFP_FROM_CELL_PAIR,
			   .column = TFP_CELL_ACCELERATOR_MICROS,
			   .second = TFP_CELL_CPU_MICROS},
	[TFP_TF_ACCELERATOR_MICROS] = {.key = "accelerator_micros",
				       .label = "accelerator execution time",
				       .title = "ACCEL",
				       .unit = TFP_MICROS,
				       .column = TFP_CELL_ACCELERATOR_MICROS},
	[TFP_TF_CPU_MICROS] = {.key = "cpu_micros",
			       .label = "cpu execution time",
			       .title = "CPU",
			       .unit = TFP_MICROS,
			       .column = TFP_CELL_CPU_MICROS},
	[TFP_TF_PARAMS] = {.key = "params",
			   .label = "# parameters",
			   .title = "PARAMS",
			   .unit = TFP_COUNT,
			   .origin = TFP_FROM_SHAPE},
	[TFP_TF_FLOAT_OPS] = {.key = "float_ops",
			      .label = "# float_ops",
			      .title = "FLOPS",
			      .unit = TFP_COUNT,
			      .origin = TFP_FROM_RUNS},
	[TFP_TF_RUNS] = {.key = "occurrence",
			 .label = "op count (run|defined)",
			 .title = "RUNS",
			 .unit = TFP_COUNT,
			 .column = TFP_CELL_RUNS},
};

uint32_t tfp_profile_add_metric(struct tfp_profile *profile, const struct tfp_metric *metric)
{
	struct tfp_metric *mine;

	if (profile->metric_count == TFP_MAX_METRICS)
		return TFP_NONE;
	mine = &profile->metrics[profile->metric_count];
	*mine = *metric;
	mine->key = tfp_arena_printf(&profile->arena, "%s", metric->key);
	mine->label = tfp_arena_printf(&profile->arena, "%s", metric->label);
	mine->title = tfp_arena_printf(&profile->arena, "%s", metric->title);
	return profile->metric_count++;
}

uint32_t tfp_profile_find_metric(const struct tfp_profile *profile, const char *key)
{
	for (uint32_t metric = 0; metric < profile->metric_count; metric++)
		if (strcmp(profile->metrics[metric].key, key) == 0)
			return metric;
	return TFP_NONE;
}

const struct tfp_metric *tfp_metric_known(size_t index)
{
	if (index < TFP_TF_METRICS)
		return &tensorflow_metrics[index];
	return tfp_trace_metric_known(index - TFP_TF_METRICS);
}

void tfp_profile_make_tensorflow(struct tfp_profile *profile)
{
	profile->format = "tensorflow";
	profile->tensorflow = true;
	profile->cell_columns = TFP_TF_CELLS;
	profile->runs_column = TFP_CELL_RUNS;
	profile->default_metric = TFP_TF_MICROS;
	profile->metric_count = 0;
	for (size_t i = 0; i < TFP_TF_METRICS; i++)
		tfp_profile_add_metric(profile, &tensorflow_metrics[i]);
}

/* The span of the values of a column, and a bound of their sum. */
struct span {
	int64_t least, most;
};

static void widen(struct span *span, int64_t value)
{
	if (value < span->least)
		span->least = value;
	if (value > span->most)
		span->most = value;
}

/* Whether COUNT values of the span, each times FACTOR, could sum to something negative. */
static bool may_sink(struct span span, double factor, size_t count)
{
	return span.least < 0 || (double)span.most * factor * (double)count >= 9e18;
}

static void measure_cells(const struct tfp_profile *profile, struct span *spans)
{
	const struct tfp_cells *cells = &profile->cells;
	size_t columns = profile->cell_columns;
	const int64_t *value = cells->value;

	for (size_t i = 0; i < cells->count; i++, value += columns)
		for (size_t column = 0; column < columns; column++)
			widen(&spans[column], value[column]);
}

static struct span measure_static(const struct tfp_profile *profile)
{
	struct span span = {0, 0};

	for (size_t i = 0; i < profile->nodes.count; i++)
		widen(&span, profile->nodes.float_ops[i]);
	return span;
}

static bool all_zero(struct span span)
{
	return span.least == 0 && span.most == 0;
}

static void mark_metric(const struct tfp_profile *profile, struct tfp_metric *metric,
			const struct span *spans, struct span fixed)
{
	size_t cells = profile->cells.count;
	struct span runs = {0, 1};

	switch (metric->origin) {
	case TFP_FROM_CELLS:
		metric->absent = metric->absent || !cells;
		metric->negative = may_sink(spans[metric->column], 1, cells);
		break;
	case TFP_FROM_CELL_PAIR:
		metric->absent = metric->absent || !cells;
		metric->negative = may_sink(spans[metric->column], 2, cells) ||
				   may_sink(spans[metric->second], 2, cells);
		break;
	case TFP_FROM_RUNS:
		if (cells && profile->runs_column != TFP_NONE)
			runs = spans[profile->runs_column];
		metric->absent = metric->absent || all_zero(fixed);
		metric->negative = runs.least < 0 ||
				   may_sink(fixed, 1 + (double)runs.most, profile->nodes.count);
		break;
	case TFP_FROM_SHAPE:
	case TFP_FROM_EVENTS:
		break;
	}
}

void tfp_profile_finish(struct tfp_profile *profile)
{
	struct span spans[TFP_MAX_CELL_COLUMNS] = {0};
	struct span fixed = measure_static(profile);

	measure_cells(profile, spans);
	for (size_t i = 0; i < profile->metric_count; i++)
		mark_metric(profile, &profile->metrics[i], spans, fixed);
	if (profile->tensorflow && all_zero(spans[TFP_CELL_ACCELERATOR_MICROS]))
		profile->metrics[TFP_TF_ACCELERATOR_MICROS].absent = true;
	if (profile->trace)
		tfp_trace_mark_metrics(profile);
}

void tfp_metrics_shapes_known(struct tfp_profile *profile)
{
	struct span span = {0, 0};

	for (uint32_t shape = 0; shape + 1 < profile->shape_first.count; shape++)
		widen(&span, tfp_profile_shape_elements(profile, shape));
	for (size_t i = 0; i < profile->metric_count; i++)
		if (profile->metrics[i].origin == TFP_FROM_SHAPE)
			profile->metrics[i].negative = may_sink(span, 1, profile->nodes.count);
}
