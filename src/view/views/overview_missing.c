/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The summary's second half: how much of the time the files explain, and what to write down next
 * time so that they explain more.
 */
#include <string.h>

#include "tfprof/trace.h"
#include "view/views/overview.h"

/* ---- coverage -------------------------------------------------------------------------------- */

/* Sums of a weight: time, or where nothing ran the number of nodes. */
struct coverage {
	const struct tfp_profile *profile;
	uint32_t step;
	bool timed;
	double whole, shapes, source, flops, accelerator;
};

static bool has_shapes(const struct tfp_profile *profile, uint32_t node)
{
	const struct tfp_nodes *nodes = &profile->nodes;
	uint32_t count;

	if (!nodes->input_first || !nodes->output_first)
		return false;
	count = nodes->input_first[node + 1] - nodes->input_first[node];
	for (uint32_t i = 0; i < count; i++)
		if (tfp_profile_input_shape(profile, node, i, 0) == TFP_NONE)
			return false;
	return count || nodes->output_first[node + 1] > nodes->output_first[node];
}

static void cover(struct coverage *coverage, uint32_t node)
{
	const struct tfp_nodes *nodes = &coverage->profile->nodes;
	int64_t values[TFP_MAX_METRICS];
	double weight = 1;

	tfp_profile_values(coverage->profile, node, coverage->step, 0, values);
	if (coverage->timed)
		weight = (double)values[TFP_TF_MICROS];
	coverage->whole += weight;
	coverage->accelerator += (double)values[TFP_TF_ACCELERATOR_MICROS];
	if (nodes->flags[node] & TFP_NODE_TRACED)
		coverage->source += weight;
	if (nodes->float_ops[node] > 0)
		coverage->flops += weight;
	if (has_shapes(coverage->profile, node))
		coverage->shapes += weight;
}

static struct coverage coverage_of(const struct tfp_profile *profile, uint32_t step)
{
	struct coverage coverage = {
		.profile = profile,
		.step = step,
		.timed = !profile->metrics[TFP_TF_MICROS].absent,
	};

	for (uint32_t node = 0; node < profile->nodes.count; node++)
		cover(&coverage, node);
	return coverage;
}

static void add_share(struct tfp_outline *outline, uint32_t parent, const char *what, double part,
		      double whole, const char *view)
{
	tfp_outline_add(outline, parent,
			tfp_arena_printf(&outline->arena, "%5.1f%%  %s",
					 whole > 0 ? 100 * part / whole : 0, what),
			tfp_outline_view(view));
}

void tfp_outline_coverage(struct tfp_outline *outline)
{
	const struct tfp_profile *profile = outline->build->profile;
	struct coverage coverage = coverage_of(profile, outline->build->step);
	uint32_t section;

	if (coverage.whole <= 0)
		return;
	section = tfp_outline_add(
		outline, 0, coverage.timed ? "coverage: of the time" : "coverage: of the nodes",
		(struct tfp_target){NULL, 0});
	add_share(outline, section, "has input shapes", coverage.shapes, coverage.whole, "op");
	add_share(outline, section, "has a call stack", coverage.source, coverage.whole,
		  profile->has_stacks ? "code" : NULL);
	add_share(outline, section, "has float operations", coverage.flops, coverage.whole, "op");
	if (coverage.timed)
		add_share(outline, section, "is an accelerator's", coverage.accelerator,
			  coverage.whole, "scope");
}

/* ---- what is missing ------------------------------------------------------------------------- */

static bool lacks_graph(const struct tfp_profile *profile)
{
	return !profile->has_graph;
}

static bool lacks_steps(const struct tfp_profile *profile)
{
	return !profile->steps.count;
}

static bool lacks_shapes(const struct tfp_profile *profile)
{
	return profile->has_graph && coverage_of(profile, TFP_STEP_MEAN).shapes <= 0;
}

static bool lacks_stacks(const struct tfp_profile *profile)
{
	return !profile->has_stacks;
}

static bool lacks_float_ops(const struct tfp_profile *profile)
{
	return profile->has_stacks && profile->metrics[TFP_TF_FLOAT_OPS].absent;
}

static bool lacks_signatures(const struct tfp_profile *profile)
{
	for (uint32_t i = 0; profile->nodes.signature && i < profile->nodes.count; i++)
		if (profile->nodes.signature[i])
			return false;
	return true;
}

static bool lacks_allocs(const struct tfp_profile *profile)
{
	return !profile->has_allocs;
}

/* What ran again and again was taken for steps. */
static bool guesses_steps(const struct tfp_profile *profile)
{
	return profile->steps_by != 0;
}

static bool lacks_marks(const struct tfp_profile *profile)
{
	return !profile->trace || !tfp_trace_marks_steps(tfp_trace_whole(profile->trace));
}

/* What a range or a rank has none of is in the file all the same. */
static bool lacks_device_events(const struct tfp_profile *profile)
{
	return !profile->trace || !tfp_trace_whole(profile->trace)->device_events;
}

static bool lacks_accelerator(const struct tfp_profile *profile)
{
	return profile->steps.count && profile->metrics[TFP_TF_ACCELERATOR_MICROS].absent;
}

#define MOST_LINES 5

#define STEPS_OF_TORCH                                                                               \
	"schedule = torch.profiler.schedule(wait=1, warmup=1, active=5)",                            \
		"def save(prof): prof.export_chrome_trace('trace.json')",                            \
		"with torch.profiler.profile(..., schedule=schedule, on_trace_ready=save) as prof:", \
		"    for batch in data:", "        train(batch); prof.step()"

static const struct {
	const char *format; /* of the files that it is about */
	bool (*lacks)(const struct tfp_profile *profile);
	const char *what;
	const char *lines[MOST_LINES]; /* Python, or advice */
} table[] = {
	{NULL,
	 lacks_graph,
	 "no graph: inputs, shapes, parameters",
	 {"graph = session.graph.as_graph_def(add_shapes=True)",
	  "open('graph.pb', 'wb').write(graph.SerializeToString())", "then: tfprof graph.pb ..."}},
	{NULL,
	 lacks_steps,
	 "no run metadata: times and memory of a step",
	 {"options = tf.compat.v1.RunOptions(trace_level=3)  # FULL_TRACE",
	  "meta = tf.compat.v1.RunMetadata()",
	  "session.run(train_op, options=options, run_metadata=meta)",
	  "open('step1.meta', 'wb').write(meta.SerializeToString())",
	  "then: tfprof graph.pb step1.meta ...   (some steps after the first)"}},
	{NULL,
	 lacks_shapes,
	 "no shapes: what an op worked on",
	 {"graph = session.graph.as_graph_def(add_shapes=True)",
	  "open('graph.pb', 'wb').write(graph.SerializeToString())"}},
	{NULL,
	 lacks_stacks,
	 "no op log: the source line that made each op, float operations",
	 {"tf.compat.v1.profiler.write_op_log(session.graph, 'logs', run_meta=meta)",
	  "then: tfprof graph.pb step1.meta logs/tfprof_log"}},
	{NULL,
	 lacks_float_ops,
	 "no float operations: the op log was written without shapes",
	 {"tf.compat.v1.profiler.write_op_log(session.graph, 'logs', run_meta=meta)",
	  "run_meta fills in the shapes that the graph does not know"}},
	{NULL,
	 lacks_accelerator,
	 "no time on an accelerator",
	 {"the steps ran on CPUs only, or the tracer found no CUPTI library;",
	  "FULL_TRACE on a machine with a GPU adds its kernels"}},
	{"kineto",
	 lacks_device_events,
	 "no events of a GPU",
	 {"torch.profiler.profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])"}},
	{"kineto",
	 lacks_signatures,
	 "no shapes: what an op worked on, and float operations",
	 {"torch.profiler.profile(..., record_shapes=True)"}},
	{"kineto",
	 lacks_stacks,
	 "no call stacks: the source line that called each op, and modules",
	 {"torch.profiler.profile(..., with_stack=True)"}},
	{"kineto",
	 lacks_allocs,
	 "no allocations: what held memory when",
	 {"torch.profiler.profile(..., profile_memory=True)"}},
	{"kineto",
	 lacks_marks,
	 "no steps: what one took, and comparison with others",
	 {STEPS_OF_TORCH}},
	{"kineto",
	 guesses_steps,
	 "no marks of steps: where one begins and ends, and its number",
	 {STEPS_OF_TORCH}},
};

/* Rows without a format are about TensorFlow's files. */
static bool is_about(const struct tfp_profile *profile, const char *format)
{
	if (!format)
		return profile->tensorflow;
	return profile->format && !strcmp(profile->format, format);
}

void tfp_outline_missing(struct tfp_outline *outline)
{
	const struct tfp_target nowhere = {NULL, 0};
	uint32_t section = TFP_NONE;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		uint32_t row;

		if (!is_about(outline->build->profile, table[i].format) ||
		    !table[i].lacks(outline->build->profile))
			continue;
		if (section == TFP_NONE)
			section =
				tfp_outline_add(outline, 0, "missing, and what makes it", nowhere);
		row = tfp_outline_add(outline, section, table[i].what, nowhere);
		for (size_t line = 0; line < MOST_LINES && table[i].lines[line]; line++)
			tfp_outline_add(outline, row, table[i].lines[line], nowhere);
	}
}
